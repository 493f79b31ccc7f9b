/* psb_c_sutil.h -- room: cbind.  PSBLAS's C interface: files, scalar type s. */
#ifndef PSB_C_SUTIL_
#define PSB_C_SUTIL_
#include "psb_base_cbind.h"
#define PSB_C_NOW s
#include "psb_c_util.t.h"
#undef PSB_C_NOW
#endif
