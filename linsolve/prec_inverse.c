/* prec_inverse.c -- linsolve: sparse approximate inverses of the block owned here, in factored form:
 * A^-1 ~ Z D^-1 W^T with unit triangles Z and W, applied by two products.
 *
 * AINV makes Z and W by biconjugation: row i of A times column j of Z, and column i times column j of W, are
 * 0 for i < j.  Source: Benzi and Tuma, SIAM J. Sci. Comput. 19, 1998; by columns, looking left. INVK and
 * INVT invert the factors of ILU(k) and ILUT row by row; entries of a row are dropped by their level, the
 * length of the shortest path of the graph of the factor that leads to them, less one; or by size. Sources:
 * van Duin, SIAM J. Sci. Comput. 20, 1999; Bertaccini and Filippone, Computers and Mathematics with
 * Applications 71, 2016.  INVK with level N satisfies Z U = I in the pattern of U^(N+1): it is the incomplete
 * sparse approximate inverse of Anzt, Huckle, Braeckle and Dongarra, Parallel Computing 71, 2018.
 *
 * The lower factor L is inverted as the upper triangle L^T, and W is made as Z from A^T, so that AINV
 * and INVK of a Hermitian matrix are Hermitian. */
#include "psb_linsolve.h"
#include "psb_alloc.h"
#include <limits.h>
#include "psb_type.h"
#include "factor_inside.t.h"
#include "operator_inside.t.h"
#include "prec_inside.t.h"

/* What is kept of a row but its diagonal: entries of level <= level and modulus >= drop, the `fill` largest
 * of these. */
struct inverse_limits {
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

static void free_making(struct making *s)
{
    X(work_row_free)(&s->row);
    psb_free(s->level);
    psb_free(s->candidates);
    X(growing_free)(&s->done);
}

/* After an error the caller frees s, which is all 0 before. */
static psb_err open_making(psb_ipk n, struct making *s)
{
    PSB_TRY(X(work_row_open)(&s->row, n));
    PSB_TRY(psb_alloc(&s->level, (size_t)n, sizeof *s->level, "levels of a row"));
    for (psb_ipk j = 0; j < n; j++)
        s->level[j] = INT_MAX;
    PSB_TRY(psb_alloc(&s->candidates, (size_t)n + 1, sizeof *s->candidates, "candidates of a row"));
    return X(growing_begin)(&s->done, n, 2 * (psb_epk)n, GROWING_VALUES);
}

/* Store the row as row i, the diagonal and what the limits keep, and clear it. */
static psb_err store_inverse_row(struct making *s, psb_ipk i, const struct inverse_limits *most)
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
static psb_err end_making(const struct making *s, bool transposed, struct X(mat) **z)
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
static void invert_row(const struct X(compressed) *u, psb_ipk i, const struct inverse_limits *most,
                       struct making *s)
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

/* *z = the inverse of the upper triangle u, or its transpose. */
static psb_err invert_triangle(const struct X(mat) *u, bool transposed, const struct inverse_limits *most,
                               struct X(mat) **z)
{
    struct X(compressed) rows;
    struct X(mat) *made;
    struct making s = { .level = NULL };
    PSB_TRY(X(csr_view)(u, &rows, &made));
    psb_err e = open_making(rows.n, &s);
    for (psb_ipk i = 0; i < rows.n && e == PSB_OK; i++) {
        invert_row(&rows, i, most, &s);
        e = store_inverse_row(&s, i, most);
    }
    if (e == PSB_OK)
        e = end_making(&s, transposed, z);
    free_making(&s);
    X(mat_free)(made);
    return e;
}

/* --- biconjugation -------------------------------------------------------------------------------------- */

/* Row i of A times the row in the making. */
static T row_dot(const struct X(compressed) *a, psb_ipk i, const T *w)
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
        const T factor = row_dot(&f->a, i, s->row.w) * f->inv[i];
        if (factor != 0 && X(modulus)(factor) >= drop)
            subtract_column(cols, i, j, factor, s);
    }
}

/* *z = Z, or its transpose, and inv = the inverse pivots, for A with these rows and columns.  The rows made
 * are the columns of Z, the pivots the products of rows of A with them. */
static psb_err biconjugate(const struct X(prec) *p, const struct X(compressed) *rows,
                           const struct X(compressed) *cols, const struct inverse_limits *most,
                           bool transposed, struct X(mat) **z, T *inv)
{
    struct X(ldu) f = { .a = *rows, .o = &p->options.factor, .rows = p->desc, .n = rows->n, .inv = inv };
    struct making s = { .level = NULL };
    psb_err e = open_making(f.n, &s);
    for (psb_ipk j = 0; j < f.n && e == PSB_OK; j++) {
        conjugate_column(&f, cols, j, most->drop, &s);
        const T pivot = row_dot(&f.a, j, s.row.w);
        e = store_inverse_row(&s, j, most);
        if (e == PSB_OK)
            e = X(ldu_pivot)(&f, j, pivot);
    }
    if (e == PSB_OK)
        e = end_making(&s, transposed, z);
    free_making(&s);
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
static psb_err finish_inverse(const struct X(prec) *p, const T *d, struct inverse *q)
{
    PSB_TRY(X(mat_scalv)(q->s, d, 'L'));
    PSB_TRY(X(mat_cscnv)(&q->s, p->mold));
    return X(mat_cscnv)(&q->z, p->mold);
}

static psb_err build_ainv(const struct X(prec) *p, const struct X(mat) *own, struct inverse *q)
{
    const struct psb_prec_options *o = &p->options;
    const struct inverse_limits most = { .drop = (R)o->inv_drop, .fill = o->inv_fill < 0 ? 20 : o->inv_fill };
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
        e = biconjugate(p, &cols, &rows, &most, false, &q->s, inv);
    if (e == PSB_OK)
        e = biconjugate(p, &rows, &cols, &most, true, &q->z, inv);
    if (e == PSB_OK)
        e = finish_inverse(p, inv, q);
    psb_free(inv);
    X(mat_free)(transposed);
    X(mat_free)(made);
    return e;
}

static psb_err build_of_factors(const struct X(prec) *p, const struct X(mat) *own, struct inverse *q)
{
    const struct psb_prec_options *o = &p->options;
    const bool by_level = o->type == PSB_PREC_INVK;
    const int fill = o->inv_fill >= 0 ? o->inv_fill : by_level ? 1 : 20;
    const struct inverse_limits most = { .level = by_level ? fill : INT_MAX,
                                         .drop = by_level ? 0 : (R)o->inv_drop,
                                         .fill = by_level ? INT_MAX : fill };
    struct psb_factor_options of = o->factor;
    struct X(factor) *f = NULL;
    struct X(mat) *lt = NULL;
    const T *d;
    of.kind = !by_level ? PSB_ILUT : of.fill > 0 ? PSB_ILUK : PSB_ILU0;
    PSB_TRY(X(factor_bld)(own, &of, p->desc, NULL, NULL, &f));
    psb_err e = invert_triangle(f->u, false, &most, &q->z);
    if (e == PSB_OK)
        e = X(mat_transp)(f->l, &lt);
    if (e == PSB_OK)
        e = invert_triangle(lt, true, &most, &q->s);
    if (e == PSB_OK)
        e = X(host_read)(f->inv, &d);
    if (e == PSB_OK)
        e = finish_inverse(p, d, q);
    X(mat_free)(lt);
    X(factor_free)(f);
    return e;
}

static psb_err build_inverse_of_block(struct X(prec) *p, const struct X(spmat) *a)
{
    struct inverse *q;
    const struct X(mat) *own;
    PSB_TRY(X(prec_check_owners)(p));
    PSB_TRY(psb_alloc_zero(&q, 1, sizeof *q, "preconditioner"));
    p->data = q;
    PSB_TRY(X(sp_local)(a, &own, NULL, NULL));
    return p->options.type == PSB_PREC_AINV ? build_ainv(p, own, q) : build_of_factors(p, own, q);
}

static psb_err build_inverse(struct X(prec) *p, const struct X(operator) *op)
{
    return psb_agree(psb_cd_ctxt(p->desc), build_inverse_of_block(p, op->a));
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
                                             .free = free_inverse,
                                             .entries = true };
