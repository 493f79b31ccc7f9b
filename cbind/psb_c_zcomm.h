/* psb_c_zcomm.h -- room: cbind.  PSBLAS's C interface: halo, overlap, gather, scatter, scalar type z. */
#ifndef PSB_C_ZCOMM_
#define PSB_C_ZCOMM_
#include "psb_c_zbase.h"
#define PSB_C_NOW z
#include "psb_c_comm.t.h"
#undef PSB_C_NOW
#endif
