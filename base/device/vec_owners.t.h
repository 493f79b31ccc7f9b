/* vec_owners.t.h -- room: base/device.  The sum over the owners of a row.  Sources include this after
 * psb_type.h. */
#include <math.h>

/* The factor of the sum over n owners; `lowest`: this process is the lowest owner. */
static inline R owners_factor(enum psb_ovrl op, psb_ipk n, int lowest)
{
    switch (op) {
    case PSB_OVRL_AVG:
        return 1 / (R)n;
    case PSB_OVRL_SQRT:
        return 1 / (R)sqrt((double)n);
    case PSB_OVRL_ZERO:
        return lowest ? 1 : 0;
    default:
        return 1;
    }
}

static inline T times_factor(T sum, R f)
{
    return f == 0 ? 0 : sum * f;
}
