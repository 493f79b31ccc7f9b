/* psb_each_type.h -- room: base/core.  Read PSB_TEMPLATE once for each scalar, and leave no trace. */
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
#undef LETTER
#undef TMPI
