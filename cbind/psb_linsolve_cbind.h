/* psb_linsolve_cbind.h -- cbind: the newer name of psb_krylov_cbind.h. */
#include "psb_krylov_cbind.h"
