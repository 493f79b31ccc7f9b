/* amg_c_cprec.h -- cbind: AMG4PSBLAS's C interface: preconditioners, scalar type c. */
#include "amg_cbind.h"
