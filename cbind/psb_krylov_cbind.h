/* psb_krylov_cbind.h -- cbind: PSBLAS's C interface: Krylov methods. */
#ifndef PSB_KRYL_CBIND_
#define PSB_KRYL_CBIND_
#include "psb_base_cbind.h"

#define PSB_VALID_KRYLOV_METHODS_STRINGS "CG", "CGS", "BICG", "BICGSTAB", "RGMRES", "BICGSTABL", "FCG", "GCR"
#define PSB_VALID_KRYLOV_METHODS_STRING  "CG CGS BICG BICGSTAB RGMRES BICGSTABL FCG GCR"
#endif
