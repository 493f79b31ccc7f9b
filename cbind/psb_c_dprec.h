/* psb_c_dprec.h -- room: cbind.  PSBLAS's C interface: preconditioners, scalar type d. */
#ifndef PSB_C_DPREC_
#define PSB_C_DPREC_
#include "psb_base_cbind.h"
#define PSB_C_NOW d
#include "psb_c_prec.t.h"
#undef PSB_C_NOW
#endif
