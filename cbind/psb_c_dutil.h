/* psb_c_dutil.h -- cbind: PSBLAS's C interface: files, scalar type d. */
#include "psb_base_cbind.h"
