/* amg_c_zprec.h -- cbind: AMG4PSBLAS's C interface: preconditioners, scalar type z. */
#include "amg_cbind.h"
