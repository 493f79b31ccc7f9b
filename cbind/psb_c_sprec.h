/* psb_c_sprec.h -- room: cbind.  PSBLAS's C interface: preconditioners, scalar type s. */
#ifndef PSB_C_SPREC_
#define PSB_C_SPREC_
#include "psb_base_cbind.h"
#define PSB_C_NOW s
#include "psb_c_prec.t.h"
#undef PSB_C_NOW
#endif
