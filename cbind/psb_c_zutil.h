/* psb_c_zutil.h -- cbind: PSBLAS's C interface: files, scalar type z. */
#include "psb_base_cbind.h"
