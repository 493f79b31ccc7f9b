/* algebra.c -- cuda/formats: sums, transposes and parts of matrices on the device, through CSR there.  If the
 * device lacks memory or declines, the host does the work. */
#include "gpu_formats.h"
#include "per_device.h"
#include "psb_testing.h"
#include <math.h>
#include "psb_type.h"

/* --- operands and results ------------------------------------------------------------------------------- */

bool X(are_on_device)(const struct X(mat) *a, const struct X(mat) *b)
{
    return a->on && a->on == b->on && X(conversions_of)(a) && X(conversions_of)(b) && !X(mat_has_ones)(a) &&
           !X(mat_has_ones)(b) && (X(is_on_device)(a) || X(is_on_device)(b));
}

psb_err X(rows_on_device)(struct X(mat) *a, struct X(mat) **made, struct psb_dev_compressed *l)
{
    struct X(mat) *rows = NULL;
    if (!X(mat_is_csr)(a))
        PSB_TRY(X(mat_convert)(a, &X(csrg_mold).mat, &rows));
    return X(mat_made)(X(csr_on_device)((struct X(csr_mat) *)(rows ? rows : a), 0, l), rows, made);
}

psb_err X(new_rows)(const struct X(mat) *mold, psb_ipk m, psb_ipk n, struct X(mat) **c,
                    struct psb_dev_compressed *l)
{
    const bool fits = mold && mold->ops == X(csrg_mold).mat.ops;
    PSB_TRY(X(mat_new)(fits ? mold : &X(csrg_mold).mat, m, n, 0, c));
    (*c)->is.state = PSB_MAT_ASB;
    return X(reserve_pointers)((struct X(csr_mat) *)*c, l);
}

psb_err X(new_entries)(struct X(mat) *c, psb_epk nnz, struct psb_dev_compressed *l)
{
    c->nnz = nnz;
    return X(reserve_entries)((struct X(csr_mat) *)c, l);
}

psb_err X(finish_rows)(psb_err e, struct X(mat) *c, const struct X(mat) *mold, struct X(mat) **to)
{
    PSB_THEN(e, X(mat_in_format)(&c, mold));
    return X(mat_made)(e, c, to);
}

/* --- sum ------------------------------------------------------------------------------------------------ */

/* Returns PSB_ENOTIMPL if a row has a column twice: the host adds such entries. */
static psb_err add(struct psb_dev_sum *s, psb_ipk n, const struct psb_device *on, const struct X(mat) *mold,
                   struct X(mat) **c)
{
    psb_epk found[PSB_FOUND] = { 0 };
    PSB_TRY(X(new_rows)(mold, s->a.m, n, c, &s->c));
    PSB_FIND(on, at, PSB_KERNELS(X(algebra_steps), on)->sum_rows(s, at), found);
    if (found[1])
        return PSB_ENOTIMPL;
    PSB_TRY(X(new_entries)(*c, found[0], &s->c));
    return PSB_KERNELS(X(algebra_steps), on)->sum(s);
}

psb_err X(device_spaxpby)(T alpha, struct X(mat) *a, T beta, struct X(mat) *b, const struct X(mat) *mold,
                          struct X(mat) **c)
{
    struct psb_dev_sum s = { .alpha = &alpha, .beta = &beta };
    struct X(mat) *made[2] = { NULL }, *new = NULL;
    if (!X(are_on_device)(a, b))
        return PSB_ENOTIMPL;
    psb_expect_errors(1);
    psb_err e = X(rows_on_device)(a, &made[0], &s.a);
    PSB_THEN(e, X(rows_on_device)(b, &made[1], &s.b));
    PSB_THEN(e, add(&s, a->ncols, a->on, mold, &new));
    e = X(finish_rows)(e, new, mold, c);
    psb_expect_errors(0);
    X(mat_free)(made[0]);
    X(mat_free)(made[1]);
    return e == PSB_OK ? e : PSB_ENOTIMPL;
}

/* --- transpose and parts -------------------------------------------------------------------------------- */

static psb_err transpose(struct X(mat) *a, const struct psb_dev_compressed *l, bool conjugate,
                         const struct X(mat) *mold, struct X(mat) **b)
{
    struct psb_dev_compressed t;
    PSB_TRY(X(new_rows)(mold, a->ncols, a->nrows, b, &t));
    PSB_TRY(X(new_entries)(*b, a->nnz, &t));
    return PSB_KERNELS(X(algebra_steps), a->on)->transpose(l, a->nnz, conjugate, &t);
}

psb_err X(device_transp)(struct X(mat) *a, bool conjugate, const struct X(mat) *mold, struct X(mat) **b)
{
    struct psb_dev_compressed l;
    struct X(mat) *made = NULL, *new = NULL;
    if (!X(conversions_of)(a) || !X(is_on_device)(a))
        return PSB_ENOTIMPL;
    psb_expect_errors(1);
    psb_err e = X(rows_on_device)(a, &made, &l);
    PSB_THEN(e, transpose(a, &l, conjugate, mold, &new));
    e = X(finish_rows)(e, new, mold, b);
    psb_expect_errors(0);
    X(mat_free)(made);
    return e == PSB_OK ? e : PSB_ENOTIMPL;
}

static psb_err cut(struct psb_dev_part *p, psb_ipk m, psb_ipk n, const struct psb_device *on,
                   const struct X(mat) *mold, struct X(mat) **c)
{
    psb_epk found[PSB_FOUND] = { 0 };
    PSB_TRY(X(new_rows)(mold, m, n, c, &p->c));
    PSB_FIND(on, at, PSB_KERNELS(X(algebra_steps), on)->part_rows(p, at), found);
    PSB_TRY(X(new_entries)(*c, found[0], &p->c));
    return PSB_KERNELS(X(algebra_steps), on)->part(p);
}

psb_err X(device_cut)(struct X(mat) *a, const struct psb_cut *q, const struct X(mat) *mold, struct X(mat) **b)
{
    const struct psb_block *k = &q->block;
    const psb_ipk di = q->shift ? k->imin : 0, dj = q->shift ? k->jmin : 0;
    const psb_ipk m = q->shift ? k->imax - di : a->nrows, n = q->shift ? k->jmax - dj : a->ncols;
    struct psb_dev_part p = { .imin = k->imin,
                              .imax = k->imax,
                              .jmin = k->jmin,
                              .jmax = k->jmax,
                              .di = di,
                              .dj = dj,
                              .low = q->low,
                              .high = q->high,
                              .no_diagonal = q->no_diagonal };
    struct X(mat) *made = NULL, *new = NULL;
    if (!X(are_on_device)(a, a))
        return PSB_ENOTIMPL;
    psb_expect_errors(1);
    psb_err e = X(rows_on_device)(a, &made, &p.a);
    PSB_THEN(e, cut(&p, m, n, a->on, mold, &new));
    e = X(finish_rows)(e, new, mold, b);
    psb_expect_errors(0);
    X(mat_free)(made);
    return e == PSB_OK ? e : PSB_ENOTIMPL;
}

/* *to = the elements of the list on the device; NULL: none. */
static psb_err read_list(const struct psb_dual *list, const psb_ipk **to)
{
    *to = NULL;
    return list && list->bytes > 0 ? psb_dual_read(list, PSB_DEV, to) : PSB_OK;
}

static psb_err select_entries(struct psb_dev_selection *s, psb_ipk m, psb_ipk n, const struct psb_device *on,
                              const struct X(mat) *mold, struct X(mat) **c)
{
    psb_epk found[PSB_FOUND] = { 0 };
    PSB_TRY(X(new_rows)(mold, m, n, c, &s->c));
    PSB_FIND(on, at, PSB_KERNELS(X(algebra_steps), on)->select_rows(s, at), found);
    if (found[1])
        return PSB_ENOTIMPL;
    PSB_TRY(X(new_entries)(*c, found[0], &s->c));
    return PSB_KERNELS(X(algebra_steps), on)->select(s);
}

psb_err X(device_select)(struct X(mat) *a, psb_ipk m, const struct psb_dual *rows, psb_ipk n,
                         const struct psb_dual *place, const struct X(mat) *mold, struct X(mat) **b)
{
    struct psb_dev_selection s = { .rows = NULL };
    struct X(mat) *made = NULL, *new = NULL;
    if (!X(are_on_device)(a, a) || (rows && rows->on != a->on) || (place && place->on != a->on))
        return PSB_ENOTIMPL;
    psb_expect_errors(1);
    psb_err e = X(rows_on_device)(a, &made, &s.a);
    PSB_THEN(e, read_list(rows, &s.rows));
    PSB_THEN(e, read_list(place, &s.place));
    PSB_THEN(e, select_entries(&s, m, n, a->on, mold, &new));
    e = X(finish_rows)(e, new, mold, b);
    psb_expect_errors(0);
    X(mat_free)(made);
    return e == PSB_OK ? e : PSB_ENOTIMPL;
}

/* --- patterns ------------------------------------------------------------------------------------------- */

static psb_err pattern_sum(const struct psb_dev_compressed *l, const struct psb_device *on, uint64_t *sum)
{
    psb_epk found[PSB_FOUND] = { 0 };
    PSB_FIND(on, at, PSB_KERNELS(X(algebra_steps), on)->pattern_sum(l, at), found);
    *sum = (uint64_t)found[0];
    return PSB_OK;
}

psb_err X(device_pattern_sum)(struct X(mat) *a, uint64_t *sum)
{
    struct psb_dev_compressed l;
    struct X(mat) *made = NULL;
    if (!X(are_on_device)(a, a))
        return PSB_ENOTIMPL;
    psb_expect_errors(1);
    psb_err e = X(rows_on_device)(a, &made, &l);
    PSB_THEN(e, pattern_sum(&l, a->on, sum));
    psb_expect_errors(0);
    X(mat_free)(made);
    return e == PSB_OK ? e : PSB_ENOTIMPL;
}

/* --- colours -------------------------------------------------------------------------------------------- */

/* n[0] = the number of colours, or -1; n[1]: there are not fewer. */
static psb_err find_colours(const struct psb_dev_compressed *l, const struct X(mat) *a, bool by_degree,
                            struct psb_dual *colour, psb_ipk n[2])
{
    psb_epk found[PSB_FOUND] = { 0 };
    psb_ipk *to;
    PSB_TRY(X(move_on_device)(colour, a->on, l->m, sizeof *to, NULL, "colours", &to));
    PSB_FIND(a->on, at, PSB_KERNELS(X(algebra_steps), a->on)->colours(l, a->nnz, by_degree, to, at), found);
    n[0] = found[1] ? -1 : (psb_ipk)found[0];
    n[1] = (psb_ipk)found[2];
    return PSB_OK;
}

psb_err X(device_colours)(struct X(mat) *a, bool by_degree, struct psb_dual *colour, psb_ipk n[2])
{
    struct psb_dev_compressed l;
    struct X(mat) *made = NULL;
    if (!X(are_on_device)(a, a) || a->nrows != a->ncols)
        return PSB_ENOTIMPL;
    psb_expect_errors(1);
    psb_err e = X(rows_on_device)(a, &made, &l);
    PSB_THEN(e, find_colours(&l, a, by_degree, colour, n));
    psb_expect_errors(0);
    X(mat_free)(made);
    return e == PSB_OK ? e : PSB_ENOTIMPL;
}

static psb_err count_couplings(const struct psb_dev_compressed *l, const struct psb_device *on,
                               const struct psb_dual *colour, int m, psb_lpk *w)
{
    const psb_ipk *of;
    psb_epk *at, all[PSB_COUPLED * PSB_COUPLED];
    struct psb_dual d;
    psb_err e = psb_dual_read(colour, PSB_DEV, &of);
    PSB_TRY(e);
    e = X(move_on_device)(&d, on, (psb_epk)m * m, sizeof *at, NULL, "couplings of colours", &at);
    PSB_THEN(e, PSB_KERNELS(X(algebra_steps), on)->couplings(l, of, m, at));
    PSB_THEN(e, psb_get(on, all, at, (size_t)m * (size_t)m * sizeof *at, d.name));
    for (int k = 0; k < m * m && e == PSB_OK; k++)
        w[k] += all[k];
    psb_dual_free(&d);
    return e;
}

psb_err X(device_couplings)(struct X(mat) *a, const struct psb_dual *colour, int m, psb_lpk *w)
{
    struct psb_dev_compressed l;
    struct X(mat) *made = NULL;
    if (!X(are_on_device)(a, a) || colour->on != a->on || m > PSB_COUPLED)
        return PSB_ENOTIMPL;
    psb_expect_errors(1);
    psb_err e = X(rows_on_device)(a, &made, &l);
    PSB_THEN(e, count_couplings(&l, a->on, colour, m, w));
    psb_expect_errors(0);
    X(mat_free)(made);
    return e == PSB_OK ? e : PSB_ENOTIMPL;
}

/* --- entries below a threshold -------------------------------------------------------------------------- */

/* The bound of all rows, byte by byte, as prune.c finds it. */
static psb_err find_share(const struct psb_dev_pruned *p, const struct psb_device *on, R t)
{
    const struct X(algebra_steps) *steps = PSB_KERNELS(X(algebra_steps), on);
    struct psb_dual d;
    psb_epk count[256], *at, left = 0;
    uint64_t bound = 0;
    psb_err e = X(move_on_device)(&d, on, 256, sizeof *at, NULL, "ranks of entries", &at);
    for (int shift = 56; shift >= 0 && e == PSB_OK; shift -= 8) {
        psb_epk b = 0, open = 0;
        e = steps->ranks(p, shift, bound, at);
        PSB_THEN(e, psb_get(on, count, at, sizeof count, d.name));
        for (int k = 0; k < 256 && e == PSB_OK && shift == 56; k++)
            open += count[k];
        left = shift == 56 ? (psb_epk)ceil((double)open * (double)t / 100) : left;
        while (e == PSB_OK && b < 255 && count[b] < left)
            left -= count[b++];
        bound = bound << 8 | (uint64_t)b;
    }
    psb_dual_free(&d);
    PSB_THEN(e, steps->share(p, bound, left));
    return e;
}

static psb_err keep_entries(struct psb_dev_pruned *p, const struct X(mat) *a, enum psb_prune rule, R t,
                            const struct X(mat) *mold, struct psb_dual d[2], struct X(mat) **c)
{
    const struct X(algebra_steps) *steps = PSB_KERNELS(X(algebra_steps), a->on);
    psb_epk found[PSB_FOUND] = { 0 };
    PSB_TRY(X(move_on_device)(&d[0], a->on, a->nrows, sizeof *p->bound, NULL, "thresholds", &p->bound));
    PSB_TRY(X(move_on_device)(&d[1], a->on, a->nrows, sizeof *p->ties, NULL, "thresholds", &p->ties));
    PSB_TRY(rule == PSB_PRUNE_SHARE ? find_share(p, a->on, t) : steps->bounds(p, rule, t));
    PSB_TRY(X(new_rows)(mold, a->nrows, a->ncols, c, &p->c));
    PSB_FIND(a->on, at, steps->prune_rows(p, at), found);
    PSB_TRY(X(new_entries)(*c, found[0], &p->c));
    return steps->prune(p);
}

/* Moduli of complex numbers have the rounding of the host's library. */
psb_err X(device_prune)(struct X(mat) *a, enum psb_prune rule, R t, bool diagonal, const struct X(mat) *mold,
                        struct X(mat) **b)
{
    struct psb_dev_pruned p = { .diagonal = diagonal };
    struct psb_dual d[2] = { { 0 } };
    struct X(mat) *made = NULL, *new = NULL;
    if (CPLX || !X(are_on_device)(a, a))
        return PSB_ENOTIMPL;
    psb_expect_errors(1);
    psb_err e = X(rows_on_device)(a, &made, &p.a);
    PSB_THEN(e, keep_entries(&p, a, rule, t, mold, d, &new));
    e = X(finish_rows)(e, new, mold, b);
    psb_expect_errors(0);
    psb_dual_free(&d[0]);
    psb_dual_free(&d[1]);
    X(mat_free)(made);
    return e == PSB_OK ? e : PSB_ENOTIMPL;
}

/* --- masks and Kronecker products ----------------------------------------------------------------------- */

static psb_err take_masked(struct psb_dev_sum *s, const struct X(mat) *mask, const struct X(mat) *mold,
                           struct X(mat) **c)
{
    psb_epk found[PSB_FOUND] = { 0 };
    PSB_TRY(X(new_rows)(mold, mask->nrows, mask->ncols, c, &s->c));
    PSB_TRY(X(new_entries)(*c, mask->nnz, &s->c));
    PSB_FIND(mask->on, at, PSB_KERNELS(X(algebra_steps), mask->on)->masked(s, at), found);
    return found[0] ? PSB_ENOTIMPL : PSB_OK;
}

psb_err X(device_masked)(struct X(mat) *a, struct X(mat) *mask, const struct X(mat) *mold, struct X(mat) **b)
{
    struct psb_dev_sum s = { .alpha = NULL };
    struct X(mat) *made[2] = { NULL }, *new = NULL;
    if (!X(are_on_device)(a, mask))
        return PSB_ENOTIMPL;
    psb_expect_errors(1);
    psb_err e = X(rows_on_device)(a, &made[0], &s.a);
    PSB_THEN(e, X(rows_on_device)(mask, &made[1], &s.b));
    PSB_THEN(e, take_masked(&s, mask, mold, &new));
    e = X(finish_rows)(e, new, mold, b);
    psb_expect_errors(0);
    X(mat_free)(made[0]);
    X(mat_free)(made[1]);
    return e == PSB_OK ? e : PSB_ENOTIMPL;
}

/* Returns PSB_ENOTIMPL if a row has a column twice: the host orders the result. */
static psb_err multiply_block(const struct X(mat) *a, const struct psb_dev_compressed *l, psb_ipk k,
                              psb_ipk n, const T *block, const struct X(mat) *mold, struct X(mat) **c)
{
    psb_epk found[PSB_FOUND] = { 0 };
    struct psb_dev_compressed to;
    PSB_TRY(X(new_rows)(mold, a->nrows * k, a->ncols * n, c, &to));
    PSB_TRY(X(new_entries)(*c, a->nnz * k * n, &to));
    PSB_FIND(a->on, at, PSB_KERNELS(X(algebra_steps), a->on)->kron(l, k, n, block, &to, at), found);
    return found[0] ? PSB_ENOTIMPL : PSB_OK;
}

psb_err X(device_kron)(struct X(mat) *a, psb_ipk k, psb_ipk l, const T *block, const struct X(mat) *mold,
                       struct X(mat) **b)
{
    struct psb_dev_compressed rows;
    struct psb_dual d = { 0 };
    struct X(mat) *made = NULL, *new = NULL;
    const T *at;
    if (!X(are_on_device)(a, a))
        return PSB_ENOTIMPL;
    psb_expect_errors(1);
    psb_err e = X(rows_on_device)(a, &made, &rows);
    PSB_THEN(e, X(move_on_device)(&d, a->on, (psb_epk)k * l, sizeof *at, block, "a block", &at));
    PSB_THEN(e, multiply_block(a, &rows, k, l, at, mold, &new));
    e = X(finish_rows)(e, new, mold, b);
    psb_expect_errors(0);
    psb_dual_free(&d);
    X(mat_free)(made);
    return e == PSB_OK ? e : PSB_ENOTIMPL;
}
