/* psb_c_sprec.h -- cbind: PSBLAS's C interface: preconditioners, scalar type s. */
#include "psb_base_cbind.h"
