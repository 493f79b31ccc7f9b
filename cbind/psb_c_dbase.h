/* psb_c_dbase.h -- cbind: PSBLAS's C interface: scalar type d. */
#ifndef PSB_C_DBASE_
#define PSB_C_DBASE_
#include "psb_c_base.h"
#define PSB_C_NOW d
#include "psb_c_base.t.h"
#undef PSB_C_NOW
#endif
