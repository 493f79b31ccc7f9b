/* psb_c_scomm.h -- room: cbind.  PSBLAS's C interface: halo, overlap, gather, scatter, scalar type s. */
#ifndef PSB_C_SCOMM_
#define PSB_C_SCOMM_
#include "psb_c_sbase.h"
#define PSB_C_NOW s
#include "psb_c_comm.t.h"
#undef PSB_C_NOW
#endif
