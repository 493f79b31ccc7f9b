/* psb_linsolve_cbind.h -- room: cbind.  The newer name of psb_krylov_cbind.h. */
#ifndef PSB_LINSOLVE_CBIND_
#define PSB_LINSOLVE_CBIND_
#include "psb_krylov_cbind.h"
#endif
