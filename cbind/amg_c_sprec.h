/* amg_c_sprec.h -- cbind: AMG4PSBLAS's C interface: preconditioners, scalar type s. */
#include "amg_cbind.h"
