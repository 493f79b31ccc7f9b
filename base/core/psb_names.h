/* psb_names.h -- base/core: short names for typed sources, part of psb_type.h.  They expand by the
 * value of PSB_NOW, the letter of the scalar type, where they are used.  It may be included again. */
#include "psb_scalar.h"
#include <complex.h>
#include <float.h>
#include <math.h>
#undef X
#undef T
#undef R
#undef XS
#undef TS
#define X(name) PSB_CAT(PSB_CAT(psb_, PSB_NOW), _##name)
#define T       PSB_CAT(PSB_SCALAR_, PSB_NOW)
#define R       PSB_CAT(PSB_REAL_, PSB_NOW)
#define CONJ    PSB_CAT(PSB_CONJ_, PSB_NOW)
#define ABS     PSB_CAT(PSB_ABS_, PSB_NOW)
#define RE      PSB_CAT(PSB_RE_, PSB_NOW)
#define IM      PSB_CAT(PSB_IM_, PSB_NOW)
#define MAKE    PSB_CAT(PSB_MAKE_, PSB_NOW)
#define CPLX    PSB_CAT(PSB_CPLX_, PSB_NOW)
#define BYTES   PSB_CAT(PSB_BYTES_, PSB_NOW)
#define EPS     PSB_CAT(PSB_EPS_, PSB_NOW)
#define TMAX    PSB_CAT(PSB_MAX_, PSB_NOW)
#define LETTER  PSB_CAT(PSB_LETTER_, PSB_NOW)
#define TMPI    PSB_CAT(PSB_MPI_, PSB_NOW)
/* X and T for the scalar of single precision */
#define XS(name) PSB_CAT(PSB_CAT(psb_, PSB_CAT(PSB_SINGLE_, PSB_NOW)), _##name)
#define TS       PSB_CAT(PSB_SCALAR_, PSB_CAT(PSB_SINGLE_, PSB_NOW))
