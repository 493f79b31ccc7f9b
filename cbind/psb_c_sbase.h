/* psb_c_sbase.h -- cbind: PSBLAS's C interface: scalar type s. */
#ifndef PSB_C_SBASE_
#define PSB_C_SBASE_
#include "psb_c_base.h"
#define PSB_C_NOW s
#include "psb_c_base.t.h"
#undef PSB_C_NOW
#endif
