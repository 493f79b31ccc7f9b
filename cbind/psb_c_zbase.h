/* psb_c_zbase.h -- cbind: PSBLAS's C interface: scalar type z. */
#ifndef PSB_C_ZBASE_
#define PSB_C_ZBASE_
#include "psb_c_base.h"
#define PSB_C_NOW z
#include "psb_c_base.t.h"
#undef PSB_C_NOW
#endif
