/* index.c -- cbind: numbers of the points of a box, and even blocks.  As in PSBLAS there are no
 * errors: points and numbers outside the box are computed alike. */
#include "cbind.h"

static bool is_box(const psb_i_t *ijk, const psb_i_t *sizes, psb_i_t modes)
{
    for (psb_i_t m = 0; ijk && sizes && m < modes; m++)
        if (sizes[m] == 0)
            return false;
    return ijk && sizes && modes > 0;
}

psb_i_t psb_c_l_idx2ijk(psb_i_t ijk[], psb_l_t idx, psb_i_t sizes[], psb_i_t modes, psb_i_t base)
{
    psb_l_t rest = idx - base;
    if (!is_box(ijk, sizes, modes))
        return PSB_ERR_ERROR;
    for (psb_i_t m = 0; m < modes; m++) {
        ijk[m] = (psb_i_t)(rest % sizes[m]) + base;
        rest /= sizes[m];
    }
    return 0;
}

psb_i_t psb_c_i_idx2ijk(psb_i_t ijk[], psb_i_t idx, psb_i_t sizes[], psb_i_t modes, psb_i_t base)
{
    return psb_c_l_idx2ijk(ijk, idx, sizes, modes, base);
}

/* Numbers beyond 64 bits wrap around. */
psb_l_t psb_c_l_ijk2idx(psb_i_t ijk[], psb_i_t sizes[], psb_i_t modes, psb_i_t base)
{
    uint64_t idx = 0;
    if (!is_box(ijk, sizes, modes))
        return PSB_ERR_ERROR;
    for (psb_i_t m = modes - 1; m >= 0; m--)
        idx = idx * (uint64_t)sizes[m] + (uint64_t)((psb_l_t)ijk[m] - base);
    return (psb_l_t)(idx + (uint64_t)base);
}

psb_i_t psb_c_i_ijk2idx(psb_i_t ijk[], psb_i_t sizes[], psb_i_t modes, psb_i_t base)
{
    return (psb_i_t)psb_c_l_ijk2idx(ijk, sizes, modes, base);
}

psb_i_t psb_c_dist1didx(psb_i_t n, psb_i_t np, psb_i_t base, psb_i_t indexsize, psb_i_t v[])
{
    if (n < 0 || np < 1 || !v || indexsize < np || (psb_l_t)n + base > INT32_MAX)
        return PSB_ERR_ERROR;
    v[0] = base;
    for (psb_i_t p = 0; p < np && p + 1 < indexsize; p++)
        v[p + 1] = v[p] + n / np + (p < n % np);
    return 0;
}
