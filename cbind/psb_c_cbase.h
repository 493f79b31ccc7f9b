/* psb_c_cbase.h -- cbind: PSBLAS's C interface: scalar type c. */
#ifndef PSB_C_CBASE_
#define PSB_C_CBASE_
#include "psb_c_base.h"
#define PSB_C_NOW c
#include "psb_c_base.t.h"
#undef PSB_C_NOW
#endif
