/* psb_c_zprec.h -- cbind: PSBLAS's C interface: preconditioners, scalar type z. */
#include "psb_base_cbind.h"
