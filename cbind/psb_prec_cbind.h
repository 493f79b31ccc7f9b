/* psb_prec_cbind.h -- cbind: PSBLAS's C interface: preconditioners. */
#include "psb_base_cbind.h"
