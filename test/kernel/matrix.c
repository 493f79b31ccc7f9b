/* matrix.c -- test/kernel: matrices by name, and their correct products. */
#include "psb_ext_format.h"
#include "psb_team.h"
#include "psb_threads.h"
#include "psb_util.h"
#include <float.h>
#include <limits.h>
#include <math.h>
#include "psb_type.h"
#include "bench.h"
#include "matrix.h"

/* --- entries --- */

static psb_err generate(psb_ctxt *ctxt, const char *what, struct X(triplets) *t)
{
    struct psb_gen g;
    psb_desc *rows;
    PSB_TRY(matrix_parse(what, &g));
    PSB_CHECK(g.m <= INT_MAX, PSB_EARG, "%s has %lld rows; expected fewer than 2^31", what, (long long)g.m);
    PSB_TRY(psb_part_blocks(ctxt, g.m, &rows));
    psb_err e = X(generate)(&g, rows, NULL, NULL, t);
    psb_cdfree(rows);
    return e;
}

psb_err X(matrix_read)(psb_ctxt *ctxt, const char *what, struct X(triplets) *t)
{
    return matrix_is_generated(what) ? generate(ctxt, what, t) : X(mm_read)(what, NULL, NULL, t);
}

/* Copy rows row0 .. row0 + rows - 1; returns the number of their entries. */
static psb_epk copy_rows(const struct X(triplets) *t, psb_lpk row0, psb_ipk rows, struct X(coo_mat) *a)
{
    psb_epk n = 0;
    for (psb_epk k = 0; k < t->nnz; k++)
        if (t->ia[k] >= row0 && t->ia[k] < row0 + rows) {
            a->ia[n] = (psb_ipk)(t->ia[k] - row0);
            a->ja[n] = (psb_ipk)t->ja[k];
            a->val[n++] = t->val[k];
        }
    return n;
}

psb_err X(matrix_from_rows)(const struct X(triplets) *t, psb_lpk row0, psb_ipk rows, struct X(coo_mat) **a)
{
    struct X(mat) *new;
    PSB_CHECK(t->n <= INT_MAX, PSB_EARG, "there are %lld columns; expected fewer than 2^31", (long long)t->n);
    PSB_TRY(X(mat_new)(&X(coo_mold).mat, rows, (psb_ipk)t->n, 0, &new));
    struct X(coo_mat) *s = (struct X(coo_mat) *)new;
    psb_err e = X(coo_reserve)(s, t->nnz);
    if (e == PSB_OK) {
        new->nnz = copy_rows(t, row0, rows, s);
        e = X(coo_fix)(s, PSB_DUPL_ADD);
    }
    if (e != PSB_OK) {
        X(mat_free)(new);
        return e;
    }
    *a = s;
    return PSB_OK;
}

psb_err X(matrix_one)(psb_ctxt *ctxt, const char *what, struct X(coo_mat) **a)
{
    struct X(triplets) t;
    PSB_TRY(X(matrix_read)(ctxt, what, &t));
    psb_err e = t.m <= INT_MAX ? X(matrix_from_rows)(&t, 0, (psb_ipk)t.m, a)
                               : PSB_FAIL(PSB_EARG, "%s has 2^31 rows and more; expected fewer", what);
    X(triplets_free)(&t);
    return e;
}

psb_err X(matrix_own)(psb_ctxt *ctxt, const char *what, struct X(triplets) *t)
{
    int me, np;
    psb_epk n = 0;
    psb_info(ctxt, &me, &np);
    PSB_TRY(X(matrix_read)(ctxt, what, t));
    const psb_lpk lo = block_start(t->m, me, np), hi = block_start(t->m, me + 1, np);
    for (psb_epk k = 0; k < t->nnz; k++)
        if (t->ia[k] >= lo && t->ia[k] < hi) {
            t->ia[n] = t->ia[k];
            t->ja[n] = t->ja[k];
            t->val[n++] = t->val[k];
        }
    t->nnz = n;
    return PSB_OK;
}

psb_err X(matrix_assemble)(psb_ctxt *ctxt, const struct X(triplets) *t, const struct X(mat) *mold,
                           psb_desc **desc, struct X(spmat) **a)
{
    PSB_CHECK(t->m == t->n, PSB_EARG, "it is not square");
    PSB_TRY(psb_part_blocks(ctxt, t->m, desc));
    PSB_TRY(X(spall)(a, *desc, t->nnz));
    PSB_TRY(X(spins)(t->nnz, t->ia, t->ja, t->val, *a));
    PSB_TRY(psb_cdasb(*desc));
    return X(spasb)(*a, mold, PSB_DUPL_ADD);
}

/* --- a matrix to factor ------------------------------------------------------------------------------ */

/* *to = the entries of t off the diagonal, and in each row a diagonal entry of 1 plus the sum of their
 * moduli. */
static psb_err make_dominant(const struct X(triplets) *t, struct X(triplets) *to)
{
    const size_t n = (size_t)(t->nnz + t->m);
    *to = (struct X(triplets)){ .m = t->m, .n = t->n, .nnz = t->m };
    PSB_TRY(psb_alloc(&to->ia, n, sizeof *to->ia, "rows"));
    PSB_TRY(psb_alloc(&to->ja, n, sizeof *to->ja, "columns"));
    PSB_TRY(psb_alloc(&to->val, n, sizeof *to->val, "values"));
    for (psb_lpk i = 0; i < t->m; i++) {
        to->ia[i] = to->ja[i] = i;
        to->val[i] = 1;
    }
    for (psb_epk k = 0; k < t->nnz; k++)
        if (t->ia[k] != t->ja[k]) {
            to->ia[to->nnz] = t->ia[k];
            to->ja[to->nnz] = t->ja[k];
            to->val[to->nnz++] = t->val[k];
            to->val[t->ia[k]] += ABS(t->val[k]);
        }
    return PSB_OK;
}

psb_err X(matrix_to_factor)(psb_ctxt *ctxt, const char *what, struct X(mat) **a)
{
    struct X(triplets) t = { .m = 0 }, full = { .m = 0 };
    struct X(coo_mat) *s = NULL;
    const bool is_file = !matrix_is_generated(what);
    PSB_TRY(X(matrix_read)(ctxt, what, &t));
    psb_err e = t.m == t.n ? PSB_OK : PSB_FAIL(PSB_EARG, "%s is not square", what);
    if (e == PSB_OK && is_file)
        e = make_dominant(&t, &full);
    if (e == PSB_OK)
        e = X(matrix_from_rows)(is_file ? &full : &t, 0, (psb_ipk)t.m, &s);
    X(triplets_free)(&t);
    X(triplets_free)(&full);
    PSB_TRY(e);
    *a = &s->mat;
    return X(mat_cscnv)(a, &X(csr_mold).mat);
}

/* --- copies along the diagonal --- */

static void copy_along(const struct X(coo_mat) *a, int copies, struct X(coo_mat) *b)
{
    for (int copy = 0; copy < copies; copy++)
        for (psb_epk k = 0; k < a->mat.nnz; k++) {
            const psb_epk to = copy * a->mat.nnz + k;
            b->ia[to] = a->ia[k] + copy * a->mat.nrows;
            b->ja[to] = a->ja[k] + copy * a->mat.ncols;
            b->val[to] = a->val[k];
        }
}

psb_err X(matrix_repeat)(struct X(coo_mat) **a, int copies)
{
    const struct X(mat) *one = &(*a)->mat;
    const psb_lpk m = (psb_lpk)one->nrows * copies, n = (psb_lpk)one->ncols * copies;
    const double nnz = (double)one->nnz * copies;
    struct X(mat) *new;
    PSB_CHECK(
        copies >= 1 && m <= INT_MAX && n <= INT_MAX && nnz <= INT_MAX, PSB_EARG,
        "%d copies would have %lld rows, %lld columns and %.0f entries; expected fewer than 2^31 of each",
        copies, (long long)m, (long long)n, nnz);
    if (copies == 1)
        return PSB_OK;
    PSB_TRY(X(mat_new)(&X(coo_mold).mat, (psb_ipk)m, (psb_ipk)n, 0, &new));
    struct X(coo_mat) *s = (struct X(coo_mat) *)new;
    psb_err e = X(coo_reserve)(s, one->nnz * copies);
    if (e == PSB_OK) {
        copy_along(*a, copies, s);
        new->nnz = one->nnz *copies;
        e = X(coo_fix)(s, PSB_DUPL_ADD);
    }
    if (e != PSB_OK) {
        X(mat_free)(new);
        return e;
    }
    X(mat_free)(&(*a)->mat);
    *a = s;
    return PSB_OK;
}

/* --- correct products --- */

T X(x_at)(psb_lpk k)
{
    return MAKE(1 + (double)(k % 17) / 16, (double)(k % 5) / 4 - 0.5);
}

double X(difference)(psb_ipk n, const T *want, const T *got)
{
    double most = 0, off = 0;
    for (psb_ipk i = 0; i < n; i++) {
        const double d = (double)ABS(got[i] - want[i]);
        most = fmax(most, (double)ABS(want[i]));
        off = fmax(off, isnan(d) ? (double)INFINITY : d);
    }
    return off > 0 ? off / most : 0;
}

struct summing {
    const struct X(coo_mat) *a;
    struct right *r;
    psb_ipk *count; /* entries of each row of op(A) */
    bool transposed, conjugate;
};

static void add_entry(const struct summing *s, psb_epk e)
{
    const psb_ipk i = s->transposed ? s->a->ja[e] : s->a->ia[e],
                  j = s->transposed ? s->a->ia[e] : s->a->ja[e];
    const double re = RE(s->a->val[e]), im = s->conjugate ? -IM(s->a->val[e]) : IM(s->a->val[e]);
    double largest = 0;
    for (int c = 0; c < s->r->k; c++) {
        const T x = X(x_at)((psb_lpk)j * s->r->k + c);
        double *y = s->r->y[(size_t)i * (size_t)s->r->k + (size_t)c];
        y[0] += re * RE(x) - im * IM(x);
        y[1] += re * IM(x) + im * RE(x);
        largest = fmax(largest, (double)ABS(x));
    }
    s->r->bound[i] += hypot(re, im) * largest;
    s->count[i]++;
}

/* The part of thread t of p.  Rows of A are not divided, so no two threads add to the same row of A x. */
static void sum_part(void *job, int t, int p)
{
    const struct summing *s = job;
    const psb_ipk *ia = s->a->ia;
    psb_epk lo, hi, n = s->a->mat.nnz;
    psb_thread_range(n, t, p, &lo, &hi);
    while (lo > 0 && lo < n && ia[lo] == ia[lo - 1])
        lo++;
    while (hi > 0 && hi < n && ia[hi] == ia[hi - 1])
        hi++;
    for (psb_epk e = lo; e < hi; e++)
        add_entry(s, e);
}

static void set_bounds(const struct summing *s)
{
    const double step = sizeof(R) == sizeof(float) ? (double)FLT_TRUE_MIN : DBL_TRUE_MIN;
    const int parts = CPLX ? 2 : 1; /* a complex product is four real ones */
    for (psb_ipk i = 0; i < s->r->rows; i++)
        s->r->bound[i] = parts * ((s->count[i] + 8) * (double)EPS * s->r->bound[i] + 2 * s->count[i] * step);
}

psb_err X(right_make)(struct right *r, const struct X(coo_mat) *a, int k, char trans)
{
    const psb_ipk rows = trans == 'N' ? a->mat.nrows : a->mat.ncols;
    struct right new = { .rows = rows, .k = k };
    struct summing s = { .a = a, .r = &new, .transposed = trans != 'N', .conjugate = trans == 'C' };
    psb_err e = psb_alloc_zero(&new.y, (size_t)rows * (size_t)k, sizeof *new.y, "results");
    if (e == PSB_OK)
        e = psb_alloc_zero(&new.bound, (size_t)rows, sizeof *new.bound, "bounds");
    if (e == PSB_OK)
        e = psb_alloc_zero(&s.count, (size_t)rows, sizeof *s.count, "counts");
    if (e != PSB_OK) {
        X(right_free)(&new);
        return e;
    }
    psb_team(s.transposed ? 1 : psb_threads(a->mat.nnz), sum_part, &s);
    set_bounds(&s);
    psb_free(s.count);
    *r = new;
    return PSB_OK;
}

void X(right_free)(struct right *r)
{
    psb_free(r->y);
    psb_free(r->bound);
    *r = (struct right){ .k = 0 };
}

double X(right_error)(const struct right *r, const T *y)
{
    const size_t k = (size_t)r->k, n = (size_t)r->rows * k;
    double worst = 0;
    for (size_t i = 0; i < n; i++) {
        const double off = hypot((double)RE(y[i]) - r->y[i][0], (double)IM(y[i]) - r->y[i][1]);
        const double error = off == 0 ? 0 : off / r->bound[i / k];
        worst = fmax(worst, isnan(error) ? (double)INFINITY : error);
    }
    return worst;
}
