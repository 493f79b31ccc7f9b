/* put.c -- base/mat: changing the values of stored entries. */
#include "psb_format.h"
#include "psb_type.h"

static psb_err find(X(place) *place, void *of, psb_epk nz, const psb_ipk *ia, const psb_ipk *ja, psb_epk *pos)
{
    for (psb_epk k = 0; k < nz; k++) {
        pos[k] = place(of, ia[k], ja[k]);
        PSB_CHECK(pos[k] >= 0, PSB_EARG, PSB_NO_ENTRY, k, ia[k], ja[k]);
    }
    return PSB_OK;
}

psb_err X(put_entries)(X(place) *place, void *of, X(put) *put, void *to, psb_epk nz, const psb_ipk *ia,
                       const psb_ipk *ja, const T *v, enum psb_dupl dupl)
{
    psb_epk few[PSB_FEW_ENTRIES], *pos = few;
    if (nz > PSB_FEW_ENTRIES)
        PSB_TRY(psb_alloc(&pos, (size_t)nz, sizeof *pos, "places of entries"));
    psb_err e = find(place, of, nz, ia, ja, pos);
    if (e == PSB_OK && v)
        e = put(to, nz, pos, v, dupl);
    if (pos != few)
        psb_free(pos);
    return PSB_PASS(e);
}

psb_err X(put_values)(void *to, psb_epk nz, const psb_epk *pos, const T *v, enum psb_dupl dupl)
{
    T *val;
    PSB_TRY(psb_dual_update(to, PSB_HOST, &val));
    for (psb_epk k = 0; k < nz; k++)
        X(put_value)(val + pos[k], v[k], dupl);
    return PSB_OK;
}
