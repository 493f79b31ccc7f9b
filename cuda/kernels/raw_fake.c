/* raw_fake.c -- cuda/kernels: checks and places of arrays of other libraries, for the fake device. */
#include "kernels.h"
#include "psb_type.h"

static psb_err raw_first_bad(const struct psb_raw_check *c, psb_epk *found)
{
    psb_epk k = 0;
    while (k < c->n && !psb_raw_is_bad(c, k))
        k++;
    found[0] = k < c->n ? k : -1;
    return PSB_OK;
}

static psb_err raw_places(const struct psb_raw_dev *q, psb_epk n, psb_ipk *ia, psb_ipk *ja, psb_epk *found)
{
    found[0] = -1;
    found[1] = 0;
    for (psb_epk p = 0; p < n; p++) {
        psb_epk i = -1, j = -1;
        const enum psb_raw_kind kind = psb_raw_kind_of(q, p, ((const T *)q->val)[p] == 0, &i, &j);
        ia[p] = kind == PSB_RAW_PADDING ? q->r.m : psb_raw_short(i);
        ja[p] = kind == PSB_RAW_PADDING ? 0 : psb_raw_short(j);
        found[1] += kind == PSB_RAW_PADDING;
        if (kind == PSB_RAW_BAD && found[0] < 0)
            found[0] = p;
    }
    return PSB_OK;
}

static psb_err raw_widen(psb_epk n, const int32_t *from, psb_epk *to)
{
    for (psb_epk k = 0; k < n; k++)
        to[k] = from[k];
    return PSB_OK;
}

const struct X(raw_steps) X(raw_steps_fake) = {
    .first_bad = raw_first_bad,
    .places = raw_places,
    .widen = raw_widen,
};
