/* amg_cbind.h -- cbind: AMG4PSBLAS's C interface. */
#ifndef AMG_CBIND_
#define AMG_CBIND_
#include "amg_const.h"
#include "psb_base_cbind.h"
#include "psb_krylov_cbind.h"

#define AMG_VALID_PRECONDITIONER_STRINGS "NONE", "DIAG", "BJAC", "ML", "AS"
#define AMG_VALID_PRECONDITIONER_STRING  "NONE DIAG BJAC ML AS"

#define PSB_C_NOW s
#include "amg_c_prec.t.h"
#undef PSB_C_NOW
#define PSB_C_NOW d
#include "amg_c_prec.t.h"
#undef PSB_C_NOW
#define PSB_C_NOW c
#include "amg_c_prec.t.h"
#undef PSB_C_NOW
#define PSB_C_NOW z
#include "amg_c_prec.t.h"
#undef PSB_C_NOW
#endif
