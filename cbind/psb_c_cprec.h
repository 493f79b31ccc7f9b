/* psb_c_cprec.h -- cbind: PSBLAS's C interface: preconditioners, scalar type c. */
#include "psb_base_cbind.h"
