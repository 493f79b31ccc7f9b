/* mat_values.c -- base/mat: insert entries, change values. */
#include "psb_format.h"
#include "psb_handle.h"
#include "mat_inside.h"
#include "psb_team.h"
#include "psb_threads.h"
#include "psb_type.h"

/* --- entries ---------------------------------------------------------------------------------------- */

psb_err X(need_entries)(psb_epk nz, const void *ia, const void *ja, const void *val)
{
    PSB_CHECK(nz >= 0, PSB_EARG, "argument nz is %" PRId64 "; expected >= 0", nz);
    PSB_CHECK(nz == 0 || (ia && ja && val), PSB_EARG, "argument %s is NULL; expected %" PRId64 " entries",
              !ia   ? "ia"
              : !ja ? "ja"
                    : "val",
              nz);
    return PSB_OK;
}

struct entry_check {
    const struct X(mat) *a;
    psb_epk nz;
    const psb_ipk *ia, *ja;
    psb_epk bad[64]; /* for each thread its first entry outside the matrix, or nz */
};

static void check_entries_part(void *job, int t, int p)
{
    struct entry_check *c = job;
    const psb_ipk m = c->a->nrows, n = c->a->ncols;
    psb_epk k, end;
    psb_thread_range(c->nz, t, p, &k, &end);
    while (k < end && c->ia[k] >= 0 && c->ia[k] < m && c->ja[k] >= 0 && c->ja[k] < n)
        k++;
    c->bad[t] = k < end ? k : c->nz;
}

static psb_err check_entries(const struct X(mat) *a, psb_epk nz, const psb_ipk *ia, const psb_ipk *ja,
                             const T *val)
{
    PSB_NEED_HANDLE(a, "a matrix");
    PSB_TRY(X(need_entries)(nz, ia, ja, val));
    struct entry_check c = { .a = a, .nz = nz, .ia = ia, .ja = ja };
    const int most = sizeof c.bad / sizeof *c.bad, n = psb_threads(nz), p = n < most ? n : most;
    psb_epk k = nz;
    psb_team(p, check_entries_part, &c);
    for (int t = p - 1; t >= 0; t--)
        k = c.bad[t] < nz ? c.bad[t] : k;
    if (k == nz)
        return PSB_OK;
    PSB_CHECK(ia[k] >= 0 && ia[k] < a->nrows, PSB_EARG,
              "argument ia[%" PRId64 "] is %d; expected 0 <= ia < %d", k, ia[k], a->nrows);
    return PSB_FAIL(PSB_EARG, "argument ja[%" PRId64 "] is %d; expected 0 <= ja < %d", k, ja[k], a->ncols);
}

psb_err X(mat_put)(struct X(mat) *a, psb_epk nz, const psb_ipk *ia, const psb_ipk *ja, const T *val,
                   enum psb_dupl dupl)
{
    if (nz == 0)
        return PSB_OK;
    PSB_ON_DEVICE(e, a, csput, a, nz, ia, ja, val, dupl);
    PSB_WITH_SLOT(k, a, entries.csput);
    return PSB_PASS(k->entries.csput(a, nz, ia, ja, val, dupl));
}

psb_err X(mat_csput)(struct X(mat) *a, psb_epk nz, const psb_ipk *ia, const psb_ipk *ja, const T *val,
                     enum psb_dupl dupl)
{
    PSB_TRY(check_entries(a, nz, ia, ja, val));
    PSB_CHECK(a->is.state != PSB_MAT_NULL, PSB_ESTATE,
              "argument a is in state NULL; expected BLD, ASB or UPD");
    PSB_CHECK(dupl == PSB_DUPL_ADD || dupl == PSB_DUPL_OVERWRITE || a->is.state == PSB_MAT_BLD, PSB_EARG,
              "argument dupl is %d; expected PSB_DUPL_ADD or PSB_DUPL_OVERWRITE", (int)dupl);
    if (a->is.state == PSB_MAT_BLD && a->ops == X(coo_mold).mat.ops)
        return PSB_PASS(X(coo_append)((struct X(coo_mat) *)a, nz, ia, ja, val));
    return PSB_PASS(X(mat_put)(a, nz, ia, ja, val, dupl));
}

int X(mat_can_put)(const struct X(mat) *a)
{
    if (!a)
        return 0;
    PSB_WITH_SLOT(put, a, entries.csput);
    PSB_WITH_SLOT(zero, a, entries.zero_vals);
    return put != X(root_mold).ops && zero != X(root_mold).ops;
}

psb_err X(mat_asb)(struct X(mat) *a, enum psb_dupl dupl)
{
    PSB_NEED_HANDLE(a, "a matrix");
    PSB_TRY(psb_dupl_check(dupl));
    PSB_CHECK(a->is.state != PSB_MAT_NULL, PSB_ESTATE,
              "argument a is in state NULL; expected BLD, ASB or UPD");
    if (a->is.state == PSB_MAT_BLD && a->ops == X(coo_mold).mat.ops)
        PSB_TRY(X(coo_fix)((struct X(coo_mat) *)a, dupl));
    a->is.state = PSB_MAT_ASB;
    return PSB_OK;
}

psb_err X(mat_zero_vals)(struct X(mat) *a)
{
    PSB_NEED_HANDLE(a, "a matrix");
    PSB_ON_DEVICE(e, a, zero_vals, a);
    PSB_WITH_SLOT(k, a, entries.zero_vals);
    return PSB_PASS(k->entries.zero_vals(a));
}

psb_err X(mat_reinit)(struct X(mat) *a, int clear)
{
    PSB_NEED_HANDLE(a, "a matrix");
    PSB_CHECK(a->is.state == PSB_MAT_ASB || a->is.state == PSB_MAT_UPD, PSB_ESTATE,
              "argument a is in state %s; expected ASB or UPD", a->is.state == PSB_MAT_BLD ? "BLD" : "NULL");
    if (clear)
        PSB_TRY(X(mat_zero_vals)(a));
    a->is.state = PSB_MAT_UPD;
    return PSB_OK;
}

psb_err X(mat_trim)(struct X(mat) *a)
{
    PSB_NEED_HANDLE(a, "a matrix");
    PSB_WITH_SLOT(k, a, storage.trim);
    return PSB_PASS(k->storage.trim(a));
}

static void keep_nonzeros(struct X(coo_mat) *t)
{
    psb_epk n = 0;
    for (psb_epk k = 0; k < t->mat.nnz; k++)
        if (t->val[k] != 0) {
            t->ia[n] = t->ia[k];
            t->ja[n] = t->ja[k];
            t->val[n++] = t->val[k];
        }
    t->mat.nnz = n;
}

psb_err X(mat_clean_zeros)(struct X(mat) *a)
{
    struct X(coo_mat) *t;
    PSB_NEED_HANDLE(a, "a matrix");
    PSB_TRY(X(mat_as_coo)(a, &t));
    keep_nonzeros(t);
    psb_err e = t->mat.nnz < a->nnz ? X(mat_replace)(a, t) : PSB_OK;
    X(mat_free)(&t->mat);
    return PSB_PASS(e);
}

psb_err X(mat_make_nonunit)(struct X(mat) *a)
{
    struct X(coo_mat) *t;
    PSB_NEED_HANDLE(a, "a matrix");
    if (!X(mat_has_ones)(a))
        return PSB_OK;
    PSB_TRY(X(mat_entries)(a, 0, a->nrows, &t));
    psb_err e = X(mat_replace)(a, t);
    X(mat_free)(&t->mat);
    if (e == PSB_OK)
        a->is.unit = 0;
    return PSB_PASS(e);
}

/* --- values ----------------------------------------------------------------------------------------- */

struct value_scaling {
    T s;
    const T *left, *right;
    unsigned char *missing; /* rows whose diagonal entry has not been found */
};

static void scale(void *job, psb_epk n, const psb_ipk *ia, const psb_ipk *ja, T *val)
{
    const struct value_scaling *q = job;
    for (psb_epk k = 0; k < n; k++)
        val[k] = q->left ? q->left[ia[k]] * val[k] : q->right ? val[k] * q->right[ja[k]] : q->s * val[k];
}

psb_err X(walk_scale)(struct X(mat) *a, T s, const T *left, const T *right)
{
    struct value_scaling q = { .s = s, .left = left, .right = right };
    PSB_WITH_SLOT(k, a, entries.walk);
    return PSB_PASS(k->entries.walk(a, 1, scale, &q));
}

static psb_err change(struct X(mat) *a, T s, const T *left, const T *right)
{
    PSB_TRY(X(mat_make_nonunit)(a));
    PSB_ON_DEVICE(e, a, scale, a, s, left, right);
    PSB_WITH_SLOT(k, a, entries.scale);
    return k->entries.scale(a, s, left, right);
}

psb_err X(mat_scal)(struct X(mat) *a, T s)
{
    PSB_NEED_HANDLE(a, "a matrix");
    return PSB_PASS(change(a, s, NULL, NULL));
}

psb_err X(mat_scalv)(struct X(mat) *a, const T *d, char side)
{
    PSB_NEED_HANDLE(a, "a matrix");
    PSB_CHECK(side == 'L' || side == 'R', PSB_EARG, "argument side is '%c'; expected 'L' or 'R'", side);
    psb_ipk n = side == 'L' ? a->nrows : a->ncols;
    PSB_CHECK(d || n == 0, PSB_EARG, "argument d is NULL; expected %d elements", n);
    if (n == 0)
        return PSB_OK;
    return PSB_PASS(side == 'L' ? change(a, 1, d, NULL) : change(a, 1, NULL, d));
}

static void find_diagonal(void *job, psb_epk n, const psb_ipk *ia, const psb_ipk *ja, T *val)
{
    const struct value_scaling *q = job;
    (void)val;
    for (psb_epk k = 0; k < n; k++)
        if (ia[k] == ja[k])
            q->missing[ia[k]] = 0;
}

/* val = s val, plus 1 for the first entry on each diagonal position. */
static void scale_and_add(void *job, psb_epk n, const psb_ipk *ia, const psb_ipk *ja, T *val)
{
    const struct value_scaling *q = job;
    for (psb_epk k = 0; k < n; k++) {
        val[k] = q->s * val[k];
        if (ia[k] == ja[k] && !q->missing[ia[k]]) {
            val[k] += 1;
            q->missing[ia[k]] = 1;
        }
    }
}

/* mat_scalpid where diagonal entries are missing: the pattern changes. */
static psb_err scale_and_insert(struct X(mat) *a, struct value_scaling *q, psb_ipk n)
{
    struct X(coo_mat) *t;
    const T one = 1;
    PSB_TRY(X(mat_entries)(a, 0, a->nrows, &t));
    scale_and_add(q, t->mat.nnz, t->ia, t->ja, t->val);
    psb_err e = PSB_OK;
    for (psb_ipk i = 0; i < n && e == PSB_OK; i++)
        if (q->missing[i] == 2)
            e = X(coo_append)(t, 1, &i, &i, &one);
    if (e == PSB_OK)
        e = X(mat_set_sorted)(&t->mat, PSB_BY_ROWS);
    if (e == PSB_OK)
        e = X(mat_replace)(a, t);
    X(mat_free)(&t->mat);
    return e;
}

psb_err X(mat_scalpid)(struct X(mat) *a, T s)
{
    struct value_scaling q = { .s = s };
    PSB_NEED_HANDLE(a, "a matrix");
    NEED_SQUARE(a);
    PSB_TRY(X(mat_make_nonunit)(a));
    psb_ipk n = a->nrows, missing = 0;
    PSB_TRY(psb_alloc(&q.missing, (size_t)n, sizeof *q.missing, "diagonal"));
    for (psb_ipk i = 0; i < n; i++)
        q.missing[i] = 2;
    PSB_WITH_SLOT(k, a, entries.walk);
    psb_err e = k->entries.walk(a, 0, find_diagonal, &q);
    for (psb_ipk i = 0; i < n; i++)
        missing += q.missing[i] != 0;
    if (e == PSB_OK)
        e = missing ? scale_and_insert(a, &q, n) : k->entries.walk(a, 1, scale_and_add, &q);
    psb_free(q.missing);
    return PSB_PASS(e);
}
