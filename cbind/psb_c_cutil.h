/* psb_c_cutil.h -- cbind: PSBLAS's C interface: files, scalar type c. */
#include "psb_base_cbind.h"
