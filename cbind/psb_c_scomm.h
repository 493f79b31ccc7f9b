/* psb_c_scomm.h -- cbind: PSBLAS's C interface: halo, overlap, gather, scatter, scalar type s. */
#include "psb_c_sbase.h"
