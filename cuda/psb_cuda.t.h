/* psb_cuda.t.h -- cuda: declarations of this library for one scalar; one line per format. */
#include "psb_csrg.t.h"
#include "psb_hlg.t.h"
#include "psb_hlgp.t.h"
#include "psb_elg.t.h"
#include "psb_hdiag.t.h"
#include "psb_diag.t.h"
#include "psb_bsrg.t.h"
#include "psb_hybg.t.h"
#include "psb_dnsg.t.h"
#include "psb_coog.t.h"
#include "psb_cscg.t.h"
#include "psb_csrng.t.h"
#include "psb_autog.t.h"

/* Register the formats of this library for this scalar.  Inside cuda.  Local. */
PSB_MUST_CHECK psb_err X(cuda_register)(void);
