/* cuda.t.h -- room: cuda.  What the room declares for one scalar: a line a format. */
#include "csrg.t.h"
#include "hlg.t.h"
#include "hlgp.t.h"
#include "elg.t.h"
#include "hdiag.t.h"
#include "diag.t.h"
#include "bsrg.t.h"
#include "hybg.t.h"
#include "dnsg.t.h"
#include "autog.t.h"
#include "convert.t.h"

/* The formats of this room made known, for this scalar; inside the room. */
PSB_MUST_CHECK psb_err X(cuda_register)(void);
