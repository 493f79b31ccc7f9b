/* psb_c_ccomm.h -- room: cbind.  PSBLAS's C interface: halo, overlap, gather, scatter, scalar type c. */
#ifndef PSB_C_CCOMM_
#define PSB_C_CCOMM_
#include "psb_c_cbase.h"
#define PSB_C_NOW c
#include "psb_c_comm.t.h"
#undef PSB_C_NOW
#endif
