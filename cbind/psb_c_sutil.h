/* psb_c_sutil.h -- cbind: PSBLAS's C interface: files, scalar type s. */
#include "psb_base_cbind.h"
