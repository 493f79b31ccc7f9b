/* prec_inverse.c -- room: linsolve.  Sparse approximate inverses of the block owned here, in factored form:
 * A^-1 ~ Z D^-1 W^T with unit triangles Z and W, applied by two products.
 *
 * AINV makes Z and W by biconjugation: row i of A times column j of Z, and column i times column j of W, are
 * 0 for i < j.  Source: Benzi and Tuma, SIAM J. Sci. Comput. 19, 1998; by columns, looking left. INVK and
 * INVT invert the factors of ILU(k) and ILUT row by row; entries of a row are dropped by their level, the
 * length of the shortest path of the graph of the factor that leads to them, less one; or by size. Sources:
 * van Duin, SIAM J. Sci. Comput. 20, 1999; Bertaccini and Filippone, Computers and Mathematics with
 * Applications 71, 2016.
 *
 * The lower factor L is inverted as the upper triangle L^T, and W is made as Z from A^T, so that AINV
 * and INVK of a Hermitian matrix are Hermitian. */
#include "psb_linsolve.h"
#include "psb_alloc.h"
#include <limits.h>
#include "psb_type.h"
#include "factor_inside.t.h"
#include "prec_inside.t.h"

/* What is kept of a row but its diagonal: entries of level <= level and modulus >= drop, the `fill` largest
 * of these. */
struct limits {
    int level;
    R drop;
    psb_ipk fill;
};

/* --- a triangle in the making --------------------------------------------------------------------------- */

struct making {
    struct X(work_row) row;
    int *level;             /* of the columns of the row; INT_MAX for others */
    psb_ipk *candidates;    /* a list: rows that may not be orthogonal to the row in the making */
    struct X(growing) done; /* the rows made */
};

static void making_free(struct making *s)
{
    X(work_row_free)(&s->row);
    psb_free(s->level);
    psb_free(s->candidates);
    X(growing_free)(&s->done);
}

/* After an error the caller frees s, which is all 0 before. */
static psb_err making_open(psb_ipk n, struct making *s)
{
    PSB_TRY(X(work_row_open)(&s->row, n));
    PSB_TRY(psb_alloc(&s->level, (size_t)n, sizeof *s->level, "levels of a row"));
    for (psb_ipk j = 0; j < n; j++)
        s->level[j] = INT_MAX;
    PSB_TRY(psb_alloc(&s->candidates, (size_t)n + 1, sizeof *s->candidates, "candidates of a row"));
    return X(growing_begin)(&s->done, n, 2 * (psb_epk)n, GROWING_VALUES);
}

/* Store the row as row i, the diagonal and what the limits keep, and clear it. */
static psb_err store(struct making *s, psb_ipk i, const struct limits *most)
{
    const psb_ipk n = s->row.n, *next = s->row.next;
    struct X(growing) *g = &s->done;
    PSB_TRY(X(keep_largest)(&s->row, next[n], i, most->fill, most->drop, 1, g));
    PSB_TRY(X(growing_need)(g, 1));
    g->idx[g->nnz] = i;
    g->val[g->nnz++] = s->row.w[i];
    PSB_TRY(X(keep_largest)(&s->row, next[i], n, most->fill, most->drop, 1, g));
    g->ptr[i + 1] = g->nnz;
    for (psb_ipk j = next[n]; j < n; j = next[j]) {
        s->row.w[j] = 0;
        s->level[j] = INT_MAX;
    }
    return PSB_OK;
}

/* *z = the rows made, or their transpose. */
static psb_err making_end(const struct making *s, int transposed, struct X(mat) **z)
{
    struct X(ldu) f = { .n = s->row.n };
    psb_err e = X(growing_end)(&s->done, NULL, &f);
    *z = f.l;
    return e == PSB_OK && transposed ? X(mat_transp_ip)(*z) : e;
}

/* --- the inverse of a unit upper triangle --------------------------------------------------------------- */

/* Subtract the element of column k times row k of U from the row. */
static void subtract_row(const struct X(compressed) *u, psb_ipk k, struct making *s)
{
    psb_ipk j = k;
    for (psb_epk e = u->ptr[k]; e < u->ptr[k + 1]; e++) {
        j = X(list_insert)(s->row.next, j, u->idx[e]);
        s->row.w[j] -= s->row.w[k] * u->val[e];
        if (s->level[j] > s->level[k] + 1)
            s->level[j] = s->level[k] + 1;
    }
}

/* Row i of the inverse Z of U, whose ones are not stored, from Z U = I; what is dropped leaves the row before
 * it is used. */
static void invert_row(const struct X(compressed) *u, psb_ipk i, const struct limits *most, struct making *s)
{
    const psb_ipk n = s->row.n;
    psb_ipk *next = s->row.next, last = i;
    next[n] = i;
    next[i] = n;
    s->row.w[i] = 1;
    s->level[i] = -1;
    subtract_row(u, i, s);
    for (psb_ipk k = next[i]; k < n; k = next[last])
        if (s->level[k] <= most->level && X(modulus)(s->row.w[k]) >= most->drop) {
            subtract_row(u, k, s);
            last = k;
        } else {
            next[last] = next[k];
            s->row.w[k] = 0;
            s->level[k] = INT_MAX;
        }
}

static psb_err invert_rows(const struct X(compressed) *u, const struct limits *most, struct making *s)
{
    PSB_TRY(making_open(u->n, s));
    for (psb_ipk i = 0; i < u->n; i++) {
        invert_row(u, i, most, s);
        PSB_TRY(store(s, i, most));
    }
    return PSB_OK;
}

/* *z = the inverse of the upper triangle u, or its transpose. */
static psb_err invert(const struct X(mat) *u, int transposed, const struct limits *most, struct X(mat) **z)
{
    struct X(compressed) rows;
    struct X(mat) *made;
    struct making s = { .level = NULL };
    PSB_TRY(X(csr_view)(u, &rows, &made));
    psb_err e = invert_rows(&rows, most, &s);
    if (e == PSB_OK)
        e = making_end(&s, transposed, z);
    making_free(&s);
    X(mat_free)(made);
    return e;
}

/* --- biconjugation -------------------------------------------------------------------------------------- */

/* Row i of A times the row in the making. */
static T dot(const struct X(compressed) *a, psb_ipk i, const T *w)
{
    T sum = 0;
    for (psb_epk e = a->ptr[i]; e < a->ptr[i + 1]; e++)
        sum += a->val[e] * w[a->idx[e]];
    return sum;
}

/* The row has a new column c: rows of A with an entry in it, after row i (n: all) and before j, are
 * candidates. */
static void add_candidates(const struct X(compressed) *cols, psb_ipk c, psb_ipk i, psb_ipk j,
                           struct making *s)
{
    psb_ipk from = i;
    for (psb_epk e = cols->ptr[c]; e < cols->ptr[c + 1] && cols->idx[e] < j; e++)
        if (i == s->row.n || cols->idx[e] > i)
            from = X(list_insert)(s->candidates, from, cols->idx[e]);
}

/* Subtract f times column i of Z. */
static void subtract_column(const struct X(compressed) *cols, psb_ipk i, psb_ipk j, T f, struct making *s)
{
    const struct X(growing) *z = &s->done;
    for (psb_epk e = z->ptr[i]; e < z->ptr[i + 1]; e++) {
        const psb_ipk c = z->idx[e];
        if (s->level[c] == INT_MAX) {
            X(list_insert)(s->row.next, s->row.n, c);
            s->level[c] = 0;
            add_candidates(cols, c, i, j, s);
        }
        s->row.w[c] -= f * z->val[e];
    }
}

/* The row = column j of Z: e_j made orthogonal to rows 0 .. j-1 of A, whose inverse pivots are in f; factors
 * below drop are taken as 0. */
static void conjugate_column(const struct X(ldu) *f, const struct X(compressed) *cols, psb_ipk j, R drop,
                             struct making *s)
{
    const psb_ipk n = s->row.n;
    s->row.next[n] = j;
    s->row.next[j] = s->candidates[n] = n;
    s->row.w[j] = 1;
    s->level[j] = 0;
    add_candidates(cols, j, n, j, s);
    for (psb_ipk i = s->candidates[n]; i < n; i = s->candidates[i]) {
        const T factor = dot(&f->a, i, s->row.w) * f->inv[i];
        if (factor != 0 && X(modulus)(factor) >= drop)
            subtract_column(cols, i, j, factor, s);
    }
}

/* The rows made are the columns of Z, the pivots the products of rows of A with them. */
static psb_err conjugate_columns(struct X(ldu) *f, const struct X(compressed) *cols,
                                 const struct limits *most, struct making *s)
{
    PSB_TRY(making_open(f->n, s));
    for (psb_ipk j = 0; j < f->n; j++) {
        conjugate_column(f, cols, j, most->drop, s);
        const T pivot = dot(&f->a, j, s->row.w);
        PSB_TRY(store(s, j, most));
        PSB_TRY(X(ldu_pivot)(f, j, pivot));
    }
    return PSB_OK;
}

/* *z = Z, or its transpose, and inv = the inverse pivots, for A with these rows and columns. */
static psb_err conjugate(const struct X(prec) *p, const struct X(compressed) *rows,
                         const struct X(compressed) *cols, const struct limits *most, int transposed,
                         struct X(mat) **z, T *inv)
{
    struct X(ldu) f = { .a = *rows, .o = &p->options.factor, .rows = p->desc, .n = rows->n, .inv = inv };
    struct making s = { .level = NULL };
    psb_err e = conjugate_columns(&f, cols, most, &s);
    if (e == PSB_OK)
        e = making_end(&s, transposed, z);
    making_free(&s);
    return e;
}

/* --- building ------------------------------------------------------------------------------------------- */

/* y = Z (S x), S = D^-1 W^T. */
struct inverse {
    struct X(mat) *z, *s;
    struct X(vect) *between; /* S x, or Z^T x */
};

static void free_inverse(struct X(prec) *p)
{
    struct inverse *q = p->data;
    X(mat_free)(q->z);
    X(mat_free)(q->s);
    X(gefree)(q->between);
    psb_free(q);
}

static size_t inverse_bytes(const struct X(prec) *p)
{
    const struct inverse *q = p->data;
    return sizeof *q + X(mat_bytes)(q->z) + X(mat_bytes)(q->s) + X(vect_sizeof)(q->between);
}

/* s = diag(d) s, and both matrices in the format of the mold. */
static psb_err finish(const struct X(prec) *p, const T *d, struct inverse *q)
{
    PSB_TRY(X(mat_scalv)(q->s, d, 'L'));
    PSB_TRY(X(mat_cscnv)(&q->s, p->mold));
    return X(mat_cscnv)(&q->z, p->mold);
}

static psb_err biconjugate(const struct X(prec) *p, const struct X(compressed) *rows,
                           const struct X(compressed) *cols, const struct limits *most, struct inverse *q,
                           T *inv)
{
    PSB_TRY(conjugate(p, cols, rows, most, 0, &q->s, inv));
    PSB_TRY(conjugate(p, rows, cols, most, 1, &q->z, inv));
    return finish(p, inv, q);
}

static psb_err build_ainv(const struct X(prec) *p, const struct X(mat) *own, struct inverse *q)
{
    const struct psb_prec_options *o = &p->options;
    const struct limits most = { .drop = (R)o->inv_drop, .fill = o->inv_fill < 0 ? 20 : o->inv_fill };
    struct X(compressed) rows, cols;
    struct X(mat) *made, *transposed = NULL, *none;
    T *inv = NULL;
    PSB_TRY(X(mat_full_rows)(own, &rows, &made));
    psb_err e = X(mat_convert)(made ? made : own, &X(csr_mold).mat, &transposed);
    if (e == PSB_OK)
        e = X(mat_transp_ip)(transposed);
    if (e == PSB_OK)
        e = X(csr_view)(transposed, &cols, &none);
    if (e == PSB_OK)
        e = psb_alloc(&inv, (size_t)rows.n, sizeof *inv, "pivots");
    if (e == PSB_OK)
        e = biconjugate(p, &rows, &cols, &most, q, inv);
    psb_free(inv);
    X(mat_free)(transposed);
    X(mat_free)(made);
    return e;
}

static psb_err invert_factors(const struct X(prec) *p, const struct X(factor) *f, const struct limits *most,
                              struct inverse *q)
{
    struct X(mat) *lt = NULL;
    const T *d;
    PSB_TRY(invert(f->u, 0, most, &q->z));
    psb_err e = X(mat_transp)(f->l, &lt);
    if (e == PSB_OK)
        e = invert(lt, 1, most, &q->s);
    X(mat_free)(lt);
    PSB_TRY(e);
    PSB_TRY(X(host_read)(f->inv, &d));
    return finish(p, d, q);
}

static psb_err build_of_factors(const struct X(prec) *p, const struct X(mat) *own, struct inverse *q)
{
    const struct psb_prec_options *o = &p->options;
    const int by_level = o->type == PSB_PREC_INVK, fill = o->inv_fill;
    const struct limits most = { .level = !by_level  ? INT_MAX
                                          : fill < 0 ? 1
                                                     : fill,
                                 .drop = by_level ? 0 : (R)o->inv_drop,
                                 .fill = by_level   ? INT_MAX
                                         : fill < 0 ? 20
                                                    : fill };
    struct psb_factor_options of = o->factor;
    struct X(factor) *f = NULL;
    of.kind = !by_level ? PSB_ILUT : of.fill > 0 ? PSB_ILUK : PSB_ILU0;
    PSB_TRY(X(factor_bld)(own, &of, p->desc, NULL, NULL, &f));
    psb_err e = invert_factors(p, f, &most, q);
    X(factor_free)(f);
    return e;
}

static psb_err build_block(struct X(prec) *p, const struct X(spmat) *a)
{
    struct inverse *q;
    const struct X(mat) *own;
    PSB_TRY(X(prec_check_owners)(p));
    PSB_TRY(psb_alloc_zero(&q, 1, sizeof *q, "preconditioner"));
    p->data = q;
    PSB_TRY(X(sp_local)(a, &own, NULL, NULL));
    return p->options.type == PSB_PREC_AINV ? build_ainv(p, own, q) : build_of_factors(p, own, q);
}

static psb_err build_inverse(struct X(prec) *p, const struct X(spmat) *a)
{
    return psb_agree(psb_cd_ctxt(p->desc), build_block(p, a));
}

/* --- application ---------------------------------------------------------------------------------------- */

static psb_err apply_inverse(const struct X(prec) *p, const struct X(vect) *x, struct X(vect) *y, char trans)
{
    struct inverse *q = p->data;
    const struct X(mat) *first = trans == 'N' ? q->s : q->z, *second = trans == 'N' ? q->z : q->s;
    PSB_TRY(X(prec_work)(p, p->desc, x->ncols, &q->between));
    PSB_TRY(X(mat_vect_mv)(1, first, x, 0, q->between, trans));
    return X(mat_vect_mv)(1, second, q->between, 0, y, trans);
}

static void decline_inverse(const struct X(prec) *p, int k, char trans, psb_err e)
{
    const struct inverse *q = p->data;
    (void)trans;
    (void)!X(prec_decline_work)(p, k, q->between, e);
}

const struct X(prec_ops) X(prec_inverse) = { .build = build_inverse,
                                             .apply = apply_inverse,
                                             .decline = decline_inverse,
                                             .bytes = inverse_bytes,
                                             .free = free_inverse };
