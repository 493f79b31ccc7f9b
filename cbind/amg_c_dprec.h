/* amg_c_dprec.h -- cbind: AMG4PSBLAS's C interface: preconditioners, scalar type d. */
#include "amg_cbind.h"
