/* psb_c_dcomm.h -- cbind: PSBLAS's C interface: halo, overlap, gather, scatter, scalar type d. */
#include "psb_c_dbase.h"
