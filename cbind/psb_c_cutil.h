/* psb_c_cutil.h -- room: cbind.  PSBLAS's C interface: files, scalar type c. */
#ifndef PSB_C_CUTIL_
#define PSB_C_CUTIL_
#include "psb_base_cbind.h"
#define PSB_C_NOW c
#include "psb_c_util.t.h"
#undef PSB_C_NOW
#endif
