/* psb_c_dprec.h -- cbind: PSBLAS's C interface: preconditioners, scalar type d. */
#include "psb_base_cbind.h"
