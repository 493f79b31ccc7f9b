/* psb_c_zutil.h -- room: cbind.  PSBLAS's C interface: files, scalar type z. */
#ifndef PSB_C_ZUTIL_
#define PSB_C_ZUTIL_
#include "psb_base_cbind.h"
#define PSB_C_NOW z
#include "psb_c_util.t.h"
#undef PSB_C_NOW
#endif
