/* psb_c_dutil.h -- room: cbind.  PSBLAS's C interface: files, scalar type d. */
#ifndef PSB_C_DUTIL_
#define PSB_C_DUTIL_
#include "psb_base_cbind.h"
#define PSB_C_NOW d
#include "psb_c_util.t.h"
#undef PSB_C_NOW
#endif
