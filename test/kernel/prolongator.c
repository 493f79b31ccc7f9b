/* prolongator.c -- test/kernel: the prolongator of a smoothed aggregation. */
#include "psb_alloc.h"
#include "psb_base.h"
#include "psb_type.h"
#include "bench.h"
#include "matrix.h"

/* Number the aggregates of the n rows: a row whose neighbours here belong to none, and these; then rows that
 * are left join the aggregate of a neighbour, or are one by themselves.  Returns how many there are. */
static psb_ipk aggregate(const struct X(mat) *own, psb_ipk n, psb_ipk *of)
{
    struct X(compressed) l;
    struct X(mat) *made;
    psb_ipk count = 0;
    good(X(csr_view)(own, &l, &made), "aggregates");
    for (psb_ipk i = 0; i < n; i++)
        of[i] = -1;
    for (psb_ipk i = 0; i < n; i++) {
        bool free = of[i] < 0;
        for (psb_epk k = l.ptr[i]; k < l.ptr[i + 1]; k++)
            free = free && of[l.idx[k]] < 0;
        for (psb_epk k = l.ptr[i]; free && k < l.ptr[i + 1]; k++)
            of[l.idx[k]] = count;
        if (free)
            of[i] = count++;
    }
    for (psb_ipk i = 0; i < n; i++) {
        for (psb_epk k = l.ptr[i]; of[i] < 0 && k < l.ptr[i + 1]; k++)
            of[i] = of[l.idx[k]];
        if (of[i] < 0)
            of[i] = count++;
    }
    X(mat_free)(made);
    return count;
}

/* P0: a 1 in each row. */
static struct X(spmat) *tentative(const struct X(spmat) *a, psb_desc **coarse)
{
    psb_desc *desc = X(sp_row_desc)(a);
    const psb_ipk n = psb_cd_local_rows(desc);
    const struct X(mat) *own;
    struct X(spmat) *p;
    const T one = 1;
    psb_ipk *of;
    good(X(sp_local)(a, &own, NULL, NULL), "prolongator");
    good(psb_alloc(&of, (size_t)n, sizeof *of, "aggregates"), "prolongator");
    good(psb_cdall_nl(coarse, psb_cd_ctxt(desc), aggregate(own, n, of)), "prolongator");
    good(X(spall2)(&p, desc, *coarse, n), "prolongator");
    for (psb_ipk i = 0; i < n; i++) {
        const psb_lpk g = psb_loc_to_glob(desc, i), j = psb_loc_to_glob(*coarse, of[i]);
        good(X(spins)(1, &g, &j, &one, p), "prolongator");
    }
    good(psb_cdasb(*coarse), "prolongator");
    good(X(spasb)(p, &X(csr_mold).mat, PSB_DUPL_ADD), "prolongator");
    psb_free(of);
    return p;
}

/* P = (I - w D^-1 A) P0, w = 4/3 over the largest sum of moduli of a row of D^-1 A. */
void X(matrix_prolongator)(const struct X(spmat) *a, psb_desc **coarse, struct X(spmat) **p)
{
    struct X(spmat) *p0 = tentative(a, coarse), *scaled;
    struct X(vect) *d, *ones;
    R norm;
    good(X(vects_like)(a, &d, &ones), "prolongator");
    good(X(set_scal)(1, ones), "prolongator");
    good(X(sp_get_diag)(a, d), "prolongator");
    good(X(gediv)(ones, d), "prolongator"); /* ones = 1 / d */
    good(X(sp_clone)(a, &scaled), "prolongator");
    good(X(spscalv)(ones, scaled, 'L'), "prolongator");
    good(X(spnrmi)(scaled, &norm), "prolongator");
    good(X(spgemm)((T)(-4 / (3 * norm)), scaled, 'N', p0, 'N', 1, p0, NULL, NULL, p), "prolongator");
    X(gefree)(d);
    X(gefree)(ones);
    X(spfree)(scaled);
    X(spfree)(p0);
}
