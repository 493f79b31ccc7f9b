/* index.c -- room: cbind.  Numbers of the points of a box, and even blocks. */
#include "cbind.h"

static psb_err check(const psb_i_t *ijk, const psb_i_t *sizes, psb_i_t modes, psb_i_t base)
{
    PSB_NEED(ijk, "coordinates");
    PSB_NEED(sizes, "the sizes of the box");
    PSB_CHECK(modes >= 1, PSB_EARG, "argument modes is %d; expected >= 1", modes);
    PSB_CHECK(base == 0 || base == 1, PSB_EARG, "argument base is %d; expected 0 or 1", base);
    for (psb_i_t m = 0; m < modes; m++)
        PSB_CHECK(sizes[m] >= 1, PSB_EARG, "argument sizes[%d] is %d; expected >= 1", m, sizes[m]);
    return PSB_OK;
}

static psb_err to_point(psb_i_t *ijk, psb_l_t idx, const psb_i_t *sizes, psb_i_t modes, psb_i_t base)
{
    PSB_TRY(check(ijk, sizes, modes, base));
    psb_l_t rest = idx - base;
    for (psb_i_t m = modes - 1; m > 0; m--) {
        ijk[m] = (psb_i_t)(rest % sizes[m]) + base;
        rest /= sizes[m];
    }
    PSB_CHECK(idx >= base && rest < sizes[0], PSB_EARG,
              "argument idx is %" PRId64 ", a number outside the box", idx);
    ijk[0] = (psb_i_t)rest + base;
    return PSB_OK;
}

static psb_err to_number(psb_l_t *idx, const psb_i_t *ijk, const psb_i_t *sizes, psb_i_t modes, psb_i_t base)
{
    PSB_TRY(check(ijk, sizes, modes, base));
    for (psb_i_t m = 0; m < modes; m++)
        PSB_CHECK(ijk[m] >= base && ijk[m] - base < sizes[m], PSB_EARG,
                  "argument ijk[%d] is %d; expected %d <= ijk[%d] < %d", m, ijk[m], base, m, base + sizes[m]);
    *idx = 0;
    for (psb_i_t m = 0; m < modes; m++) {
        const psb_l_t at = ijk[m] - base;
        PSB_CHECK(*idx <= (INT64_MAX - base - at) / sizes[m], PSB_EARG,
                  "argument ijk is a point whose number is beyond 64 bits");
        *idx = *idx * sizes[m] + at;
    }
    *idx += base;
    return PSB_OK;
}

psb_i_t psb_c_l_idx2ijk(psb_i_t ijk[], psb_l_t idx, psb_i_t sizes[], psb_i_t modes, psb_i_t base)
{
    return CODE(to_point(ijk, idx, sizes, modes, base));
}

psb_i_t psb_c_i_idx2ijk(psb_i_t ijk[], psb_i_t idx, psb_i_t sizes[], psb_i_t modes, psb_i_t base)
{
    return CODE(to_point(ijk, idx, sizes, modes, base));
}

psb_l_t psb_c_l_ijk2idx(psb_i_t ijk[], psb_i_t sizes[], psb_i_t modes, psb_i_t base)
{
    psb_l_t idx = 0;
    return CODE(to_number(&idx, ijk, sizes, modes, base)) == 0 ? idx : PSB_ERR_ERROR;
}

psb_i_t psb_c_i_ijk2idx(psb_i_t ijk[], psb_i_t sizes[], psb_i_t modes, psb_i_t base)
{
    psb_l_t idx = 0;
    psb_err e = to_number(&idx, ijk, sizes, modes, base);
    if (e == PSB_OK && idx > INT32_MAX)
        e = PSB_FAIL(PSB_EARG, "the number %" PRId64 " is too large; expected psb_c_l_ijk2idx", idx);
    return CODE(e) == 0 ? (psb_i_t)idx : PSB_ERR_ERROR;
}

static psb_err split(psb_i_t n, psb_i_t np, psb_i_t base, psb_i_t indexsize, psb_i_t *v)
{
    PSB_CHECK(n >= 0, PSB_EARG, "argument n is %d; expected >= 0", n);
    PSB_CHECK(np >= 1, PSB_EARG, "argument np is %d; expected >= 1", np);
    PSB_CHECK(base == 0 || base == 1, PSB_EARG, "argument base is %d; expected 0 or 1", base);
    PSB_CHECK(n <= INT32_MAX - base, PSB_EARG, "argument n is %d; expected at most %d", n, INT32_MAX - base);
    PSB_CHECK(v && indexsize > np, PSB_EARG,
              "argument indexsize is %d; expected room for np + 1 = %d numbers", indexsize, np + 1);
    v[0] = base;
    for (psb_i_t p = 0; p < np; p++)
        v[p + 1] = v[p] + n / np + (p < n % np);
    return PSB_OK;
}

psb_i_t psb_c_dist1didx(psb_i_t n, psb_i_t np, psb_i_t base, psb_i_t indexsize, psb_i_t v[])
{
    return CODE(split(n, np, base, indexsize, v));
}
