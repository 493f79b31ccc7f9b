/* psb_linsolve_cbind.h -- cbind: the newer name of psb_krylov_cbind.h. */
#ifndef PSB_LINSOLVE_CBIND_
#define PSB_LINSOLVE_CBIND_
#include "psb_krylov_cbind.h"
#endif
