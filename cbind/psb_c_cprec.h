/* psb_c_cprec.h -- room: cbind.  PSBLAS's C interface: preconditioners, scalar type c. */
#ifndef PSB_C_CPREC_
#define PSB_C_CPREC_
#include "psb_base_cbind.h"
#define PSB_C_NOW c
#include "psb_c_prec.t.h"
#undef PSB_C_NOW
#endif
