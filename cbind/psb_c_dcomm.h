/* psb_c_dcomm.h -- room: cbind.  PSBLAS's C interface: halo, overlap, gather, scatter, scalar type d. */
#ifndef PSB_C_DCOMM_
#define PSB_C_DCOMM_
#include "psb_c_dbase.h"
#define PSB_C_NOW d
#include "psb_c_comm.t.h"
#undef PSB_C_NOW
#endif
