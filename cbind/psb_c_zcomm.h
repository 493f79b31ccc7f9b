/* psb_c_zcomm.h -- cbind: PSBLAS's C interface: halo, overlap, gather, scatter, scalar type z. */
#include "psb_c_zbase.h"
