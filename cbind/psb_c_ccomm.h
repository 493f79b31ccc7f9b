/* psb_c_ccomm.h -- cbind: PSBLAS's C interface: halo, overlap, gather, scatter, scalar type c. */
#include "psb_c_cbase.h"
