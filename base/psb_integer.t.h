/* psb_integer.t.h -- base: what the library declares for psb_ipk and psb_lpk. */
struct X(vect);
#include "psb_vec_ops.t.h"
#include "psb_vect.t.h"
