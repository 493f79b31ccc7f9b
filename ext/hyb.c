/* hyb.c -- ext: HYB: ELL and COO. */
#include "psb_ext_format.h"
#include "psb_team.h"
#include <stdint.h>
#include <string.h>
#include "psb_type.h"

enum {
    HYB_SMALL = 1 << 20, /* bytes for which the limit is not checked */
    FULL_ENOUGH = 4096   /* rows that justify a column of ELL, after Bell and Garland */
};

/* *t = the COO part, for reading. */
static psb_err open_coo_part(struct X(hyb_mat) *a, struct X(coo_mat) *t)
{
    *t = X(coo_mold);
    t->mat.nrows = a->mat.nrows;
    t->mat.ncols = a->mat.ncols;
    t->mat.nnz = a->mat.nnz - a->ell.mat.nnz;
    PSB_TRY(psb_dual_read(&a->ia, PSB_HOST, &t->ia));
    PSB_TRY(psb_dual_read(&a->ja, PSB_HOST, &t->ja));
    return psb_dual_read(&a->val, PSB_HOST, &t->val);
}

static int hyb_arrays(struct X(mat) *a_, struct psb_dual **list)
{
    struct X(hyb_mat) *a = (struct X(hyb_mat) *)a_;
    int n = X(hll_mold).mat.ops->storage.arrays(&a->ell.mat, list);
    list[n++] = &a->ia;
    list[n++] = &a->ja;
    list[n++] = &a->val;
    return n;
}

/* --- width of ELL ----------------------------------------------------------------------------------- */

enum { MOST_THREADS = 64 };

/* Of the rows: longest length, number with `most` entries or more, sum of the entries beyond `most`. */
struct row_tally {
    psb_epk longest, rows, beyond;
};

struct counting {
    const struct X(compressed) *l;
    psb_epk most;
    struct row_tally of[MOST_THREADS];
};

static void count_long_rows(void *job, int t, int p)
{
    struct counting *q = job;
    struct row_tally k = { 0 };
    psb_epk i, end;
    psb_thread_range(q->l->n, t, p, &i, &end);
    for (; i < end; i++) {
        psb_epk n = q->l->ptr[i + 1] - q->l->ptr[i];
        k.longest = n > k.longest ? n : k.longest;
        k.rows += n >= q->most;
        k.beyond += n > q->most ? n - q->most : 0;
    }
    q->of[t] = k;
}

static struct row_tally tally_rows(const struct X(compressed) *l, psb_epk most)
{
    struct counting q = { .l = l, .most = most };
    struct row_tally all = { 0 };
    int p = psb_threads(l->n);
    p = p < MOST_THREADS ? p : MOST_THREADS;
    psb_team(p, count_long_rows, &q);
    for (int t = 0; t < p; t++) {
        all.longest = q.of[t].longest > all.longest ? q.of[t].longest : all.longest;
        all.rows += q.of[t].rows;
        all.beyond += q.of[t].beyond;
    }
    return all;
}

struct wanted {
    const struct X(compressed) *l;
    psb_epk rows;
};

static int enough_rows(const void *of, psb_epk most)
{
    const struct wanted *w = of;
    return tally_rows(w->l, most).rows >= w->rows;
}

/* The largest number of entries that enough rows have, as PSB_HYB_AUTO defines. */
static psb_epk auto_width(const struct X(compressed) *l)
{
    const psb_epk m = l->n, third = (m + 2) / 3, two = (2 * m + 2) / 3;
    const psb_epk few = two < FULL_ENOUGH ? two : FULL_ENOUGH, need = third > few ? third : few;
    const struct wanted w = { l, need };
    return psb_first(1, (m ? l->ptr[m] / need : 0) + 1, enough_rows, &w) - 1;
}

/* Set a->most; *beyond = number of entries in COO. */
static psb_err choose_width(struct X(hyb_mat) *a, const struct X(compressed) *l, psb_epk *beyond)
{
    PSB_CHECK(a->partition == PSB_HYB_AUTO || a->partition == PSB_HYB_USER || a->partition == PSB_HYB_MAX,
              PSB_EARG, "the mold's partition is %d; expected PSB_HYB_AUTO, PSB_HYB_USER or PSB_HYB_MAX",
              (int)a->partition);
    PSB_CHECK(a->partition != PSB_HYB_USER || a->width >= 0, PSB_EARG,
              "the mold's width is %d; expected >= 0 entries a row", a->width);
    psb_epk longest = tally_rows(l, 0).longest, most = longest;
    PSB_CHECK(a->partition != PSB_HYB_MAX || longest <= INT32_MAX, PSB_EPADDING,
              "%s: a row has %" PRId64 " entries; expected at most %d in ELL", a->mat.ops->fmt, longest,
              INT32_MAX);
    if (a->partition == PSB_HYB_AUTO)
        most = auto_width(l);
    if (a->partition == PSB_HYB_USER && a->width < most)
        most = a->width;
    a->most = most < INT32_MAX ? (psb_ipk)most : INT32_MAX;
    *beyond = tally_rows(l, a->most).beyond;
    return PSB_OK;
}

/* The bytes with this number of entries in COO. */
static double hyb_bytes(const struct X(hyb_mat) *a, psb_epk beyond)
{
    const double entry = sizeof(psb_ipk) + sizeof(T), m = a->mat.nrows;
    const double ell = (double)psb_hack_of_all(a->mat.nrows) * a->most * entry;
    const double offsets = (double)sizeof(psb_epk) * (m > 0 ? 2 : 1);
    return offsets + m * sizeof(psb_ipk) + ell + (double)beyond * (entry + sizeof(psb_ipk));
}

static psb_err hyb_check_limit(const struct X(hyb_mat) *a, psb_epk beyond)
{
    const double need = hyb_bytes(a, beyond);
    return X(check_padding)(&a->mat, a->limit, need, need <= HYB_SMALL,
                            "%d entries of every row in ELL and %" PRId64 " in COO", a->most, beyond);
}

static psb_err hyb_weigh(struct X(mat) *a_, const struct X(compressed) *rows, double *bytes)
{
    struct X(hyb_mat) *a = (struct X(hyb_mat) *)a_;
    psb_epk beyond;
    PSB_TRY(choose_width(a, rows, &beyond));
    PSB_TRY(hyb_check_limit(a, beyond));
    *bytes = hyb_bytes(a, beyond);
    return PSB_OK;
}

/* --- build ------------------------------------------------------------------------------------------ */

struct hyb_splitting {
    const struct X(compressed) *l, *head;
    psb_ipk *ia, *ja;
    T *val;
};

/* Copy the first entries of each row to the rows of ELL, the others to COO. */
static void split_part(void *job, int t, int p)
{
    const struct hyb_splitting *q = job;
    const struct X(compressed) *l = q->l, *head = q->head;
    psb_ipk i, end;
    X(compressed_share)(l, t, p, &i, &end);
    for (; i < end; i++) {
        psb_epk from = l->ptr[i], to = head->ptr[i], n = head->ptr[i + 1] - to;
        memcpy(head->idx + to, l->idx + from, (size_t)n * sizeof *l->idx);
        memcpy(head->val + to, l->val + from, (size_t)n * sizeof *l->val);
        for (psb_epk k = from + n, r = from - to; k < l->ptr[i + 1]; k++, r++) {
            q->ia[r] = i;
            q->ja[r] = l->idx[k];
            q->val[r] = l->val[k];
        }
    }
}

void X(hyb_set_ell)(struct X(hyb_mat) *a, psb_epk nnz)
{
    a->ell = X(ell_mold);
    a->ell.limit = 0;
    a->ell.mat.nrows = a->mat.nrows;
    a->ell.mat.ncols = a->mat.ncols;
    a->ell.mat.nnz = nnz;
    a->ell.mat.on = a->mat.on;
}

psb_err X(hyb_lay_out)(struct X(hyb_mat) *a, const struct X(compressed) *l, psb_epk *beyond)
{
    PSB_TRY(choose_width(a, l, beyond));
    PSB_TRY(hyb_check_limit(a, *beyond));
    X(hyb_set_ell)(a, a->mat.nnz - *beyond);
    const size_t n = (size_t)*beyond;
    PSB_TRY(psb_dual_init(&a->ia, n, sizeof(psb_ipk), a->mat.on, "HYB rows of triplets"));
    PSB_TRY(psb_dual_init(&a->ja, n, sizeof(psb_ipk), a->mat.on, "HYB columns of triplets"));
    return psb_dual_init(&a->val, n, sizeof(T), a->mat.on, "HYB values of triplets");
}

static psb_err make_ell(struct X(hyb_mat) *a, const struct X(compressed) *l)
{
    return X(hll_mold).mat.ops->storage.build(&a->ell.mat, l);
}

/* Split the rows q->l, at most `most` entries of each to `head`, which is allocated. */
static void split_rows(const struct hyb_splitting *q, psb_epk most, const struct X(compressed) *head)
{
    const struct X(compressed) *l = q->l;
    head->ptr[0] = 0;
    for (psb_ipk i = 0; i < l->n; i++) {
        const psb_epk n = l->ptr[i + 1] - l->ptr[i];
        head->ptr[i + 1] = head->ptr[i] + (n < most ? n : most);
    }
    psb_team(psb_threads(l->ptr[l->n]), split_part, (void *)q);
}

static psb_err make_both(struct X(hyb_mat) *a, struct hyb_splitting *q, psb_epk beyond)
{
    struct X(compressed) head = { .n = q->l->n, .m = q->l->m };
    size_t n = (size_t)(a->mat.nnz - beyond);
    q->head = &head;
    psb_err e = psb_alloc(&head.ptr, (size_t)head.n + 1, sizeof *head.ptr, "rows of ELL");
    if (e == PSB_OK)
        e = psb_alloc(&head.idx, n, sizeof *head.idx, "columns of ELL");
    if (e == PSB_OK)
        e = psb_alloc(&head.val, n, sizeof *head.val, "values of ELL");
    if (e == PSB_OK) {
        split_rows(q, a->most, &head);
        e = make_ell(a, &head);
    }
    psb_free(head.ptr);
    psb_free(head.idx);
    psb_free(head.val);
    return e;
}

static psb_err hyb_build(struct X(mat) *a_, const struct X(compressed) *l)
{
    struct X(hyb_mat) *a = (struct X(hyb_mat) *)a_;
    struct hyb_splitting q = { .l = l };
    psb_epk beyond = 0;
    PSB_TRY(X(hyb_lay_out)(a, l, &beyond));
    PSB_TRY(psb_dual_write(&a->ia, PSB_HOST, &q.ia));
    PSB_TRY(psb_dual_write(&a->ja, PSB_HOST, &q.ja));
    PSB_TRY(psb_dual_write(&a->val, PSB_HOST, &q.val));
    return beyond ? make_both(a, &q, beyond) : make_ell(a, l);
}

/* --- entries ------------------------------------------------------------------------------------------ */

static psb_err hyb_to_coo(struct X(mat) *a_, struct X(coo_mat) *b)
{
    struct X(hyb_mat) *a = (struct X(hyb_mat) *)a_;
    struct X(coo_mat) t;
    PSB_TRY(open_coo_part(a, &t));
    PSB_TRY(X(coo_reserve)(b, a_->nnz));
    PSB_TRY(X(hll_mold).mat.ops->entries.rows(&a->ell.mat, 0, a_->nrows, NULL, b));
    X(coo_weave)(b, a->ell.mat.nnz, &t);
    b->mat.nnz = a_->nnz;
    return PSB_OK;
}

static psb_err hyb_walk(struct X(mat) *a_, bool change, X(visit) *visit, void *job)
{
    struct X(hyb_mat) *a = (struct X(hyb_mat) *)a_;
    struct X(coo_mat) t;
    PSB_TRY(open_coo_part(a, &t));
    if (change)
        PSB_TRY(psb_dual_update(&a->val, PSB_HOST, &t.val));
    PSB_TRY(X(hll_mold).mat.ops->entries.walk(&a->ell.mat, change, visit, job));
    return t.mat.ops->entries.walk(&t.mat, change, visit, job);
}

static psb_err hyb_rows(struct X(mat) *a_, psb_ipk lo, psb_ipk hi, psb_epk *ptr, struct X(coo_mat) *b)
{
    struct X(hyb_mat) *a = (struct X(hyb_mat) *)a_;
    struct X(coo_mat) t;
    if (b)
        return X(root_mold).ops->entries.rows(a_, lo, hi, ptr, b);
    PSB_TRY(open_coo_part(a, &t));
    PSB_TRY(X(hll_mold).mat.ops->entries.rows(&a->ell.mat, lo, hi, ptr, NULL));
    psb_epk first = psb_first_from(t.ia, 1, t.mat.nnz, lo), k = first;
    for (psb_ipk i = lo; i < hi; i++) {
        while (k < t.mat.nnz && t.ia[k] == i)
            k++;
        ptr[i - lo + 1] += k - first;
    }
    return PSB_OK;
}

static psb_err hyb_zero_vals(struct X(mat) *a_)
{
    struct X(hyb_mat) *a = (struct X(hyb_mat) *)a_;
    const T *val;
    PSB_TRY(psb_dual_read(&a->val, PSB_HOST, &val)); /* the values are valid on the host from here on */
    PSB_TRY(X(hll_mold).mat.ops->entries.zero_vals(&a->ell.mat));
    return X(zero_values)(&a->val);
}

/* The arrays on the host, to search for entries: those of ELL, and t, the COO part. */
struct hyb_searching {
    psb_epk rows, size; /* rows and number of values of ELL */
    const psb_epk *off;
    const psb_ipk *irn, *ja;
    struct X(coo_mat) t;
};

static psb_epk ell_size(const struct X(hyb_mat) *a)
{
    return (psb_epk)(a->ell.val.bytes / sizeof(T));
}

static psb_err open_both(struct X(hyb_mat) *a, struct hyb_searching *s)
{
    s->rows = a->ell.rows;
    s->size = ell_size(a);
    PSB_TRY(psb_dual_read(&a->ell.off, PSB_HOST, &s->off));
    PSB_TRY(psb_dual_read(&a->ell.irn, PSB_HOST, &s->irn));
    PSB_TRY(psb_dual_read(&a->ell.ja, PSB_HOST, &s->ja));
    return open_coo_part(a, &s->t);
}

/* Positions in COO count on from those in ELL. */
static psb_epk hyb_place(void *of, psb_ipk i, psb_ipk j)
{
    struct hyb_searching *s = of;
    const psb_epk first = s->off[i / s->rows] + i % s->rows, n = s->irn[i];
    psb_epk k = psb_first_from(s->ja + first, s->rows, n, j), p = first + k * s->rows;
    if (k < n)
        return s->ja[p] == j ? p : -1;
    k = X(coo_place)(&s->t, i, j);
    return k < 0 ? -1 : s->size + k;
}

static psb_err hyb_put(void *to, psb_epk nz, const psb_epk *pos, const T *v, enum psb_dupl dupl)
{
    struct X(hyb_mat) *a = to;
    const psb_epk n = ell_size(a);
    T *ell, *coo;
    PSB_TRY(psb_dual_update(&a->ell.val, PSB_HOST, &ell));
    PSB_TRY(psb_dual_update(&a->val, PSB_HOST, &coo));
    for (psb_epk k = 0; k < nz; k++)
        X(put_value)(pos[k] < n ? ell + pos[k] : coo + (pos[k] - n), v[k], dupl);
    return PSB_OK;
}

static psb_err hyb_csput(struct X(mat) *a, psb_epk nz, const psb_ipk *ia, const psb_ipk *ja, const T *val,
                         enum psb_dupl dupl)
{
    struct hyb_searching s;
    PSB_TRY(open_both((struct X(hyb_mat) *)a, &s));
    return X(put_entries)(hyb_place, &s, hyb_put, a, nz, ia, ja, val, dupl);
}

/* --- products --------------------------------------------------------------------------------------- */

static psb_err hyb_csmm(T alpha, struct X(mat) *a_, psb_ipk k, const T *x, T beta, T *y, char trans)
{
    struct X(hyb_mat) *a = (struct X(hyb_mat) *)a_;
    struct X(hll_arrays) s;
    struct X(coo_mat) t;
    PSB_TRY(X(hll_open)(&a->ell.mat, &s));
    PSB_TRY(open_coo_part(a, &t));
    const struct X(product) both[] = { X(hll_product)(&s, k, alpha, x, beta, y, trans),
                                       X(coo_product)(&t, k, alpha, x, 1, y, trans) };
    return X(products_csmm)(t.mat.nnz ? 2 : 1, both, trans != 'N', s.g.off[s.g.n] + t.mat.nnz, a_->ncols);
}

static const struct X(mat_ops) hyb_ops = {
    .super = &X(root_mold),
    .fmt = "HYB",
    .size = sizeof(struct X(hyb_mat)),
    .storage = { .arrays = hyb_arrays, .build = hyb_build, .weigh = hyb_weigh, .to_coo = hyb_to_coo },
    .entries = { .walk = hyb_walk, .rows = hyb_rows, .zero_vals = hyb_zero_vals, .csput = hyb_csput },
    .products.csmm = hyb_csmm,
};

const struct X(hyb_mat) X(hyb_mold) = { .mat.ops = &hyb_ops, .partition = PSB_HYB_AUTO, .limit = 8 };
