/* psb_each_type.h -- base/core: include PSB_TEMPLATE once for each scalar type, and
 * PSB_INTEGER_TEMPLATE, if defined, for psb_ipk and psb_lpk, with the macros X(name), T (the scalar) and R
 * (its real type); a caller's macros of these names, and PSB_NOW, are kept. */
#include "psb_lang.h"
#include "psb_scalar.h"
#pragma push_macro("X")
#pragma push_macro("T")
#pragma push_macro("R")
#pragma push_macro("PSB_NOW")
#undef X
#undef T
#undef R
#undef PSB_NOW
#define X(name) PSB_CAT(PSB_CAT(psb_, PSB_NOW), _##name)
#define T       PSB_CAT(PSB_SCALAR_, PSB_NOW)
#define R       PSB_CAT(PSB_REAL_, PSB_NOW)
PSB_BEGIN_C
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
#ifdef PSB_INTEGER_TEMPLATE
#define PSB_NOW i
#include PSB_INTEGER_TEMPLATE
#undef PSB_NOW
#define PSB_NOW l
#include PSB_INTEGER_TEMPLATE
#undef PSB_NOW
#undef PSB_INTEGER_TEMPLATE
#endif
PSB_END_C
#undef PSB_TEMPLATE
#pragma pop_macro("X")
#pragma pop_macro("T")
#pragma pop_macro("R")
#pragma pop_macro("PSB_NOW")
