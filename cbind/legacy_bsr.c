/* legacy_bsr.c -- cbind: solves with triangles of blocks, with cuSPARSE's arguments: the triangle is made of
 * scalars, and psb_mat_vect_sv solves. */
#include "legacy.h"
#include "psb_alloc.h"
#include "psb_cuda_format.h"
#include "psb_handle.h"
#include "vect.h"
#include "psb_type.h"
#include "factor_inside.t.h"
#include "legacy.t.h"

/* Right-hand sides or solutions: column j of row i is at i row + j col. */
struct columns {
    int n;
    size_t row, col;
};

/* What an analysis keeps: the triangle, and which of the caller's values its own are. */
struct kept_triangle {
    struct X(mat) *t;
    struct psb_sources from;
    int mb, nnzb, block, by_cols, fill, diag;
};

static void free_kept_triangle(void *p)
{
    struct kept_triangle *q = p;
    X(mat_free)(q->t);
    psb_dual_free(&q->from.order);
    psb_dual_free(&q->from.place);
    psb_free(q);
}

/* --- the triangle --------------------------------------------------------------------------------------- */

/* *t = the part of a that descr describes, with its flags. */
static psb_err cut_triangle(const struct X(mat) *a, const struct psb_cusparse_descr *descr, struct X(mat) **t)
{
    if (descr->fill)
        PSB_TRY(X(mat_triu)(a, descr->diag ? 1 : 0, NULL, t, NULL));
    else
        PSB_TRY(X(mat_tril)(a, descr->diag ? -1 : 0, NULL, t, NULL));
    PSB_TRY(X(mat_set_triangle)(*t, 1));
    PSB_TRY(descr->fill ? X(mat_set_upper)(*t, 1) : X(mat_set_lower)(*t, 1));
    return X(mat_set_unit)(*t, descr->diag);
}

psb_err X(legacy_import_blocks)(const struct psb_cusparse_handle *handle, const struct X(legacy_rows) *r,
                                struct X(mat) **a)
{
    PSB_TRY(psb_legacy_least("blockDim", r->block, 1));
    PSB_CHECK(r->by_cols == 0 || r->by_cols == 1, PSB_EARG, "argument dirA is %d; expected 0 or 1",
              r->by_cols);
    return X(legacy_import)(handle, r, a);
}

static psb_err import_triangle(const struct psb_cusparse_handle *handle, const struct X(legacy_rows) *r,
                               struct X(mat) **t)
{
    struct X(mat) *a = NULL;
    psb_err e = X(legacy_import_blocks)(handle, r, &a);
    PSB_THEN(e, cut_triangle(a, r->descr, t));
    X(mat_free)(a);
    return e;
}

/* The first block row of t without an element on some place of the diagonal, or with 0 there; -1: none. */
static psb_err find_zero_block(const struct X(mat) *t, int block, int *at)
{
    const psb_ipk n = X(mat_get_nrows)(t);
    psb_ipk i = 0;
    T *d;
    *at = -1;
    if (X(mat_is_unit)(t))
        return PSB_OK;
    PSB_TRY(psb_alloc(&d, (size_t)n, sizeof *d, "a diagonal"));
    psb_err e = X(mat_get_diag)(t, d);
    while (e == PSB_OK && i < n && d[i] != 0)
        i++;
    psb_free(d);
    if (e == PSB_OK && i < n)
        *at = i / block;
    return e;
}

/* *at = the first block row without a block on the diagonal that is needed; -1: none. */
static psb_err find_missing(const struct X(mat) *t, int block, int *at)
{
    struct X(compressed) l;
    *at = -1;
    PSB_TRY(X(compressed_open)(t, &l));
    for (psb_ipk i = 0; i < l.n && *at < 0 && !X(mat_is_unit)(t); i += block) {
        const psb_epk k = X(diagonal_of)(&l, i);
        if (k == l.ptr[i + 1] || l.idx[k] != i)
            *at = i / block;
    }
    return PSB_OK;
}

/* order[k] = the place in the caller's values of entry k of l; off and col, from base 0; at: mb numbers, work
 * space. */
static void find_places_in_blocks(const struct X(legacy_rows) *r, const struct X(compressed) *l,
                                  const int *off, const int *col, int *at, psb_epk *order)
{
    const int n = r->block, base = r->descr->base;
    for (int b = 0; b < r->m; b++) {
        for (int k = off[b] - base; k < off[b + 1] - base; k++)
            at[col[k] - base] = k;
        for (psb_ipk i = b * n; i < (b + 1) * n; i++)
            for (psb_epk k = l->ptr[i]; k < l->ptr[i + 1]; k++) {
                const int row = i % n, in = l->idx[k] % n;
                order[k] = ((psb_epk)at[l->idx[k] / n] * n + (r->by_cols ? in : row)) * n +
                           (r->by_cols ? row : in);
            }
    }
}

static psb_err read_blocks(const struct X(legacy_rows) *r, const struct X(compressed) *l, int *ints,
                           psb_epk *order)
{
    int *const col = ints + r->m + 1, *const at = col + r->nnz;
    PSB_TRY(psb_legacy_get(ints, r->off, ((size_t)r->m + 1) * sizeof *ints, "bsrSortedRowPtr"));
    PSB_TRY(psb_legacy_get(col, r->col, (size_t)r->nnz * sizeof *ints, "bsrSortedColInd"));
    find_places_in_blocks(r, l, ints, col, at, order);
    return PSB_OK;
}

psb_err X(legacy_places)(const struct X(legacy_rows) *r, const struct X(compressed) *l, psb_epk *order)
{
    int *ints;
    PSB_TRY(psb_alloc(&ints, 2 * (size_t)r->m + 1 + (size_t)r->nnz, sizeof *ints, "blocks"));
    const psb_err e = read_blocks(r, l, ints, order);
    psb_free(ints);
    return e;
}

/* The lists of q->from, for the entries of q->t. */
static psb_err find_sources(const struct X(legacy_rows) *r, struct kept_triangle *q)
{
    struct X(compressed) l;
    const size_t n = (size_t)q->t->nnz;
    psb_epk *order, *place;
    q->from.n = q->t->nnz;
    PSB_TRY(X(compressed_open)(q->t, &l));
    PSB_TRY(psb_dual_init(&q->from.order, n, sizeof *order, q->t->on, "places of a triangle"));
    PSB_TRY(psb_dual_init(&q->from.place, n + 1, sizeof *place, q->t->on, "places of a triangle"));
    PSB_TRY(psb_dual_write(&q->from.order, PSB_HOST, &order));
    PSB_TRY(psb_dual_write(&q->from.place, PSB_HOST, &place));
    for (size_t k = 0; k <= n; k++)
        place[k] = (psb_epk)k;
    return X(legacy_places)(r, &l, order);
}

static psb_err analyse_triangle(const struct psb_cusparse_handle *handle, const struct X(legacy_rows) *r,
                                struct psb_cusparse_info *info)
{
    struct kept_triangle *q;
    int missing = -1;
    PSB_NEED_HANDLE(info, "one of psb_cusparse_create_info");
    PSB_TRY(psb_alloc(&q, 1, sizeof *q, "an analysis"));
    *q = (struct kept_triangle){ .mb = r->m, .nnzb = r->nnz, .block = r->block, .by_cols = r->by_cols };
    psb_err e = import_triangle(handle, r, &q->t);
    PSB_THEN(e, find_missing(q->t, r->block, &missing));
    PSB_THEN(e, find_sources(r, q));
    if (e != PSB_OK) {
        free_kept_triangle(q);
        return e;
    }
    q->fill = r->descr->fill;
    q->diag = r->descr->diag;
    psb_legacy_keep(info, q, free_kept_triangle);
    info->pivot = missing < 0 ? -1 : missing + r->descr->base;
    return PSB_OK;
}

/* The values of q->t from the caller's, through the host. */
static psb_err renew_on_host(const struct X(legacy_rows) *r, const struct kept_triangle *q, size_t n)
{
    const psb_epk *order;
    T *all, *v;
    PSB_TRY(psb_dual_read(&q->from.order, PSB_HOST, &order));
    PSB_TRY(psb_alloc(&all, n, sizeof *all, "values"));
    psb_err e = psb_legacy_get(all, r->val, n * sizeof *all, "bsrSortedVal");
    PSB_THEN(e, psb_dual_write(&((struct X(csr_mat) *)q->t)->val, PSB_HOST, &v));
    for (psb_epk k = 0; k < q->from.n && e == PSB_OK; k++)
        v[k] = all[order[k]];
    psb_free(all);
    return e;
}

/* The kept triangle gets the caller's values. */
static psb_err renew_triangle(const struct psb_cusparse_handle *handle, const struct X(legacy_rows) *r,
                              const struct psb_cusparse_info *info, struct X(mat) **t)
{
    PSB_TRY(psb_legacy_begin(handle));
    PSB_NEED_HANDLE(info, "one of psb_cusparse_create_info");
    PSB_NEED_HANDLE(r->descr, "one of psb_cusparse_create_descr");
    const struct kept_triangle *q = info->free_kept == free_kept_triangle ? info->kept : NULL;
    PSB_CHECK(q && q->mb == r->m && q->nnzb == r->nnz && q->block == r->block && q->by_cols == r->by_cols &&
                  q->fill == r->descr->fill && q->diag == r->descr->diag,
              PSB_ESTATE, "argument info has no analysis of this triangle; expected one before");
    PSB_CHECK(r->val || r->nnz == 0, PSB_EARG, "argument bsrSortedVal is NULL; expected an array");
    const size_t n = (size_t)r->nnz * (size_t)r->block * (size_t)r->block;
    *t = q->t;
    psb_err e = PSB_ENOTIMPL;
    if (q->t->on && PSB_DEVICE_DOES(q->t, refill))
        e = X(mat_dev)(q->t)->storage->refill(q->t, &q->from, (psb_epk)n, r->val, NULL, true);
    return e == PSB_ENOTIMPL ? renew_on_host(r, q, n) : e;
}

/* --- right-hand sides and solutions --------------------------------------------------------------------- */

/* Are elements where a vector has them? */
static bool are_by_rows(const struct columns *c)
{
    return c->row == (size_t)c->n && (c->col == 1 || c->n == 1);
}

/* *v = a vector of m rows over the caller's memory. */
static psb_err lend_vector(psb_ipk m, int n, const T *memory, struct X(vect) **v)
{
    const struct psb_device *on = psb_cuda_device();
    PSB_TRY(X(vect_new_n)(v, m, n, &psb_vect_cuda));
    psb_dual_free(&(*v)->v);
    return psb_dual_lend(&(*v)->v, (size_t)m * (size_t)n, sizeof *memory, on, "vectors of the caller",
                         on ? PSB_DEV : PSB_HOST, (T *)memory);
}

/* *v = a vector with a copy of the elements, which are read through `all`, on the host. */
static psb_err copy_to_vector(psb_ipk m, const struct columns *c, const T *from, T *all, size_t len,
                              struct X(vect) **v)
{
    T *p;
    PSB_TRY(psb_legacy_get(all, from, len * sizeof *all, "B"));
    PSB_TRY(X(vect_new_n)(v, m, c->n, &psb_vect_cuda));
    PSB_TRY(X(host_update)(*v, &p));
    for (psb_ipk i = 0; i < m; i++)
        for (int j = 0; j < c->n; j++)
            *p++ = all[(size_t)i * c->row + (size_t)j * c->col];
    return PSB_OK;
}

/* The elements between those of v keep their values. */
static psb_err copy_from_vector(psb_ipk m, const struct columns *c, T *to, T *all, size_t len,
                                const struct X(vect) *v)
{
    const T *p;
    PSB_TRY(psb_legacy_get(all, to, len * sizeof *all, "X"));
    PSB_TRY(X(host_read)(v, &p));
    for (psb_ipk i = 0; i < m; i++)
        for (int j = 0; j < c->n; j++)
            all[(size_t)i * c->row + (size_t)j * c->col] = *p++;
    return psb_legacy_put(to, all, len * sizeof *all, "X");
}

/* x = alpha op(t)^-1 b; a pivot that is 0 is noted, and no error. */
static psb_err solve_vectors(const struct X(mat) *t, T alpha, char op, const struct X(vect) *b,
                             struct X(vect) *x, int block, int *zero)
{
    psb_expect_errors(1);
    psb_err e = X(mat_vect_sv)(alpha, t, b, 0, x, op, 'U', NULL);
    psb_expect_errors(0);
    *zero = -1;
    if (e == PSB_OK)
        return e;
    PSB_TRY(find_zero_block(t, block, zero));
    return *zero >= 0 ? PSB_OK : X(mat_vect_sv)(alpha, t, b, 0, x, op, 'U', NULL);
}

static psb_err solve_lent(const struct X(mat) *t, T alpha, char op, int n, const T *b, T *x, int block,
                          int *zero)
{
    struct X(vect) *v = NULL, *w = NULL;
    const T *done;
    psb_err e = lend_vector(t->nrows, n, x, &w);
    if (b != x)
        PSB_THEN(e, lend_vector(t->nrows, n, b, &v));
    PSB_THEN(e, solve_vectors(t, alpha, op, v ? v : w, w, block, zero));
    PSB_THEN(e, psb_dual_read(&w->v, psb_cuda_device() ? PSB_DEV : PSB_HOST, &done));
    X(gefree)(v);
    X(gefree)(w);
    return e;
}

static size_t length_of(psb_ipk m, const struct columns *c)
{
    return m && c->n ? (size_t)(m - 1) * c->row + (size_t)(c->n - 1) * c->col + 1 : 0;
}

static psb_err solve_copies(const struct X(mat) *t, T alpha, char op, const struct columns *in, const T *b,
                            const struct columns *out, T *x, int block, int *zero)
{
    const size_t len = length_of(t->nrows, in), len_x = length_of(t->nrows, out);
    struct X(vect) *v = NULL;
    T *all = NULL;
    psb_err e = psb_alloc(&all, len > len_x ? len : len_x, sizeof *all, "right-hand sides");
    PSB_THEN(e, copy_to_vector(t->nrows, in, b, all, len, &v));
    PSB_THEN(e, solve_vectors(t, alpha, op, v, v, block, zero));
    PSB_THEN(e, copy_from_vector(t->nrows, out, x, all, len_x, v));
    psb_free(all);
    X(gefree)(v);
    return e;
}

static psb_err solve_blocks(const struct psb_cusparse_handle *handle, const struct X(legacy_rows) *r,
                            int trans, const T *alpha, const struct columns *in, const T *b,
                            const struct columns *out, T *x, struct psb_cusparse_info *info)
{
    struct X(mat) *t;
    T factor;
    int zero;
    PSB_CHECK(trans >= 0 && trans < 3, PSB_EARG, "argument transA is %d; expected 0 to 2", trans);
    PSB_TRY(renew_triangle(handle, r, info, &t));
    PSB_TRY(psb_legacy_read(handle, alpha, sizeof factor, "alpha", &factor));
    PSB_CHECK((b && x) || t->nrows == 0 || in->n == 0, PSB_EARG, "argument %s is NULL; expected an array",
              b ? "X" : "B");
    if (t->nrows == 0 || in->n == 0)
        return PSB_OK;
    if (are_by_rows(in) && are_by_rows(out))
        PSB_TRY(solve_lent(t, factor, "NTC"[trans], in -> n, b, x, r -> block, &zero));
    else
        PSB_TRY(solve_copies(t, factor, "NTC"[trans], in, b, out, x, r -> block, &zero));
    info->pivot = zero < 0 ? -1 : zero + r->descr->base;
    return PSB_OK;
}

/* Right-hand sides in columns of `ld` elements or, with transXY 1, in rows of as many. */
static psb_err find_columns(int transXY, psb_epk m, int n, int ld, const char *name, struct columns *c)
{
    const psb_epk least = transXY ? n : m;
    PSB_CHECK(transXY == 0 || transXY == 1, PSB_EARG, "argument transXY is %d; expected 0 or 1", transXY);
    PSB_TRY(psb_legacy_least("n", n, 0));
    PSB_CHECK(ld >= least && ld >= 1, PSB_EARG, "argument %s is %d; expected at least %" PRId64, name, ld,
              least > 1 ? least : 1);
    *c = (struct columns){ n, transXY ? (size_t)ld : 1, transXY ? 1 : (size_t)ld };
    return PSB_OK;
}

/* --- the calls ------------------------------------------------------------------------------------------ */

int X(cusparse_bsrsv2_analysis)(struct psb_cusparse_handle *handle, int dir, int trans, int mb, int nnzb,
                                const struct psb_cusparse_descr *descr, const T *val, const int *off,
                                const int *col, int block, struct psb_cusparse_info *info, int policy,
                                void *buffer)
{
    const struct X(legacy_rows) r = { mb, mb, nnzb, descr, val, off, col, block, dir };
    (void)trans, (void)policy, (void)buffer;
    return STATUS(analyse_triangle(handle, &r, info));
}

int X(cusparse_bsrsv2_solve)(struct psb_cusparse_handle *handle, int dir, int trans, int mb, int nnzb,
                             const T *alpha, const struct psb_cusparse_descr *descr, const T *val,
                             const int *off, const int *col, int block, struct psb_cusparse_info *info,
                             const T *f, T *x, int policy, void *buffer)
{
    const struct X(legacy_rows) r = { mb, mb, nnzb, descr, val, off, col, block, dir };
    const struct columns one = { 1, 1, 1 };
    (void)policy, (void)buffer;
    return STATUS(solve_blocks(handle, &r, trans, alpha, &one, f, &one, x, info));
}

int X(cusparse_bsrsm2_analysis)(struct psb_cusparse_handle *handle, int dir, int trans, int transXY, int mb,
                                int n, int nnzb, const struct psb_cusparse_descr *descr, const T *val,
                                const int *off, const int *col, int block, struct psb_cusparse_info *info,
                                int policy, void *buffer)
{
    const struct X(legacy_rows) r = { mb, mb, nnzb, descr, val, off, col, block, dir };
    (void)trans, (void)transXY, (void)n, (void)policy, (void)buffer;
    return STATUS(analyse_triangle(handle, &r, info));
}

int X(cusparse_bsrsm2_solve)(struct psb_cusparse_handle *handle, int dir, int trans, int transXY, int mb,
                             int n, int nnzb, const T *alpha, const struct psb_cusparse_descr *descr,
                             const T *val, const int *off, const int *col, int block,
                             struct psb_cusparse_info *info, const T *B, int ldb, T *solution, int ldx,
                             int policy, void *buffer)
{
    const struct X(legacy_rows) r = { mb, mb, nnzb, descr, val, off, col, block, dir };
    struct columns in, out;
    (void)policy, (void)buffer;
    psb_err e = find_columns(transXY, (psb_epk)mb * block, n, ldb, "ldb", &in);
    PSB_THEN(e, find_columns(transXY, (psb_epk)mb * block, n, ldx, "ldx", &out));
    PSB_THEN(e, solve_blocks(handle, &r, trans, alpha, &in, B, &out, solution, info));
    return STATUS(e);
}
