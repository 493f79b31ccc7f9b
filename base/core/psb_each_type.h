/* psb_each_type.h -- room: base/core.  Include PSB_TEMPLATE once for each scalar type; all macros of
 * psb_names.h that depend on the type are undefined again. */
#include "psb_names.h"
#define PSB_NOW s
#include PSB_TEMPLATE
#undef PSB_NOW
#define PSB_NOW d
#include PSB_TEMPLATE
#undef PSB_NOW
#define PSB_NOW c
#include PSB_TEMPLATE
#undef PSB_NOW
#define PSB_NOW z
#include PSB_TEMPLATE
#undef PSB_NOW
#undef PSB_TEMPLATE
#undef X
#undef T
#undef R
#undef CONJ
#undef ABS
#undef RE
#undef IM
#undef MAKE
#undef CPLX
#undef EPS
#undef TMAX
#undef BYTES
#undef LETTER
#undef TMPI
