/* psb_prec_cbind.h -- room: cbind.  PSBLAS's C interface: preconditioners. */
#ifndef PSB_PREC_CBIND_
#define PSB_PREC_CBIND_
#include "psb_c_sprec.h"
#include "psb_c_dprec.h"
#include "psb_c_cprec.h"
#include "psb_c_zprec.h"
#endif
