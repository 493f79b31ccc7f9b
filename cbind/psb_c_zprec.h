/* psb_c_zprec.h -- room: cbind.  PSBLAS's C interface: preconditioners, scalar type z. */
#ifndef PSB_C_ZPREC_
#define PSB_C_ZPREC_
#include "psb_base_cbind.h"
#define PSB_C_NOW z
#include "psb_c_prec.t.h"
#undef PSB_C_NOW
#endif
