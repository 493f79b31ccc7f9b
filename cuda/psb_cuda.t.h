/* psb_cuda.t.h -- room: cuda.  What the room declares for one scalar: a line a format. */
#include "psb_csrg.t.h"
#include "psb_hlg.t.h"
#include "psb_hlgp.t.h"
#include "psb_elg.t.h"
#include "psb_hdiag.t.h"
#include "psb_diag.t.h"
#include "psb_bsrg.t.h"
#include "psb_hybg.t.h"
#include "psb_dnsg.t.h"
#include "psb_autog.t.h"

/* The formats of this room made known, for this scalar; inside the room. */
PSB_MUST_CHECK psb_err X(cuda_register)(void);
