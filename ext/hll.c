/* hll.c -- room: ext.  Hacked ELLPACK. */
#include "psb_ext.h"
#include "psb_team.h"
#include <string.h>
#include "psb_type.h"

enum { SMALL = 1 << 20 }; /* bytes that are never worth a refusal */

static psb_err open_hacks(struct X(mat) *a_, struct X(hacks) *s)
{
    struct X(hll_mat) *a = (struct X(hll_mat) *)a_;
    *s = (struct X(hacks)){ .m = a_->nrows, .n = a->nhacks, .rows = a->rows };
    PSB_TRY(psb_dual_read(&a->off, PSB_HOST, &s->off));
    PSB_TRY(psb_dual_read(&a->irn, PSB_HOST, &s->irn));
    PSB_TRY(psb_dual_read(&a->ja, PSB_HOST, &s->ja));
    return psb_dual_read(&a->val, PSB_HOST, &s->val);
}

static int arrays(struct X(mat) *a_, struct psb_dual **list)
{
    struct X(hll_mat) *a = (struct X(hll_mat) *)a_;
    list[0] = &a->off;
    list[1] = &a->irn;
    list[2] = &a->ja;
    list[3] = &a->val;
    return 4;
}

static void clear(struct X(mat) *a_)
{
    struct X(hll_mat) *a = (struct X(hll_mat) *)a_;
    psb_dual_free(&a->off);
    psb_dual_free(&a->irn);
    psb_dual_free(&a->ja);
    psb_dual_free(&a->val);
}

static size_t bytes(const struct X(mat) *a_)
{
    const struct X(hll_mat) *a = (const struct X(hll_mat) *)a_;
    return a->off.bytes + a->irn.bytes + a->ja.bytes + a->val.bytes;
}

psb_ipk X(hacks_share)(const struct X(hacks) *s, int t, int p)
{
    psb_epk a, b;
    psb_ipk lo = 0, hi = s->n;
    if (t == p)
        return s->m;
    if (s->n == 1) {
        psb_share(((psb_epk)s->m + PSB_HLL_STRIP - 1) / PSB_HLL_STRIP, t, p, &a, &b);
        return a * PSB_HLL_STRIP < s->m ? (psb_ipk)(a * PSB_HLL_STRIP) : s->m;
    }
    psb_share(s->off[s->n] + s->n, t, p, &a, &b);
    while (lo < hi) {
        psb_ipk mid = lo + (hi - lo) / 2;
        if (s->off[mid] + mid < a)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo * s->rows < s->m ? (psb_ipk)(lo * s->rows) : s->m;
}

/* --- made --------------------------------------------------------------------------------------------- */

struct making {
    const struct X(hacks) *s;
    const struct X(lines) *b;
};

/* off[h + 1] = what hack h takes. */
static void measure_part(void *job, int t, int p)
{
    const struct making *q = job;
    const struct X(hacks) *s = q->s;
    psb_epk h, end;
    psb_share(s->n, t, p, &h, &end);
    for (; h < end; h++) {
        psb_epk widest = 0, first = h * s->rows, last = first + s->rows < s->m ? first + s->rows : s->m;
        for (psb_epk i = first; i < last; i++) {
            psb_epk n = q->b->ptr[i + 1] - q->b->ptr[i];
            s->irn[i] = n < INT32_MAX ? (psb_ipk)n : INT32_MAX;
            widest = n > widest ? n : widest;
        }
        s->off[h + 1] = widest * s->rows;
    }
}

static void measure(const struct X(hacks) *s, const struct X(lines) *b)
{
    struct making q = { s, b };
    s->off[0] = 0;
    psb_team(psb_threads(s->m), measure_part, &q);
    for (psb_ipk h = 0; h < s->n; h++)
        s->off[h + 1] += s->off[h];
}

/* Rows r .. r+n-1, which lie in one hack of `width`, and what is behind the last row of all. */
static void fill_strip(const struct making *q, psb_ipk r, psb_ipk n, psb_epk width, psb_epk at)
{
    const struct X(hacks) *s = q->s;
    for (psb_ipk i = 0; i < n; i++) {
        psb_epk k = 0, from = q->b->ptr[r + i];
        for (; k < s->irn[r + i]; k++) {
            s->ja[at + i + k * s->rows] = q->b->idx[from + k];
            s->val[at + i + k * s->rows] = q->b->val[from + k];
        }
        for (; k < width; k++) {
            s->ja[at + i + k * s->rows] = 0;
            s->val[at + i + k * s->rows] = 0;
        }
    }
    for (psb_epk k = 0, over = s->n * s->rows - s->m; k < width && r + n == s->m && over > 0; k++) {
        memset(s->ja + at + n + k * s->rows, 0, (size_t)over * sizeof *s->ja);
        memset(s->val + at + n + k * s->rows, 0, (size_t)over * sizeof *s->val);
    }
}

static void fill_part(void *job, int t, int p)
{
    const struct making *q = job;
    const struct X(hacks) *s = q->s;
    for (psb_ipk r = X(hacks_share)(s, t, p), end = X(hacks_share)(s, t + 1, p), n; r < end; r += n) {
        psb_epk h = r / s->rows, at = r % s->rows;
        n = X(hacks_strip)(s, at, end - r);
        fill_strip(q, r, n, (s->off[h + 1] - s->off[h]) / s->rows, s->off[h] + at);
    }
}

static void fill(const struct X(hacks) *s, const struct X(lines) *b)
{
    struct making q = { s, b };
    psb_team(psb_threads(s->off[s->n]), fill_part, &q);
}

/* Would the padding be more than the mold allows? */
static psb_err check_limit(const struct X(hll_mat) *a, const struct X(hacks) *s)
{
    const struct X(mat) *m = &a->mat;
    psb_epk widest = 0;
    for (psb_ipk h = 0; h < s->n; h++)
        widest = s->off[h + 1] - s->off[h] > widest ? s->off[h + 1] - s->off[h] : widest;
    widest /= s->rows ? s->rows : 1;
    double entry = sizeof(psb_ipk) + sizeof(T), need = (double)s->off[s->n] * entry;
    double csr = (double)m->nnz * entry + 8.0 * m->nrows;
    PSB_CHECK(widest <= INT32_MAX, PSB_EPADDING, "%s: a row has %" PRId64 " entries; expected at most %d",
              m->ops->fmt, widest, INT32_MAX);
    PSB_CHECK(a->limit == 0 || need <= SMALL || need <= a->limit * csr, PSB_EPADDING,
              "%s: rows of up to %" PRId64
              " entries would take %.4g bytes, %.3g times the %.4g of CSR, which "
              "fits; the mold allows %.3g times",
              m->ops->fmt, widest, need, need / csr, csr, a->limit);
    return PSB_OK;
}

/* Sizes and memory of hacks for m rows. */
static psb_err lay_out(struct X(hll_mat) *a, struct X(hacks) *s)
{
    const psb_epk line = 64 / (psb_epk)sizeof(psb_ipk), m = a->mat.nrows;
    const struct psb_device *on = a->mat.on;
    PSB_CHECK(a->hack >= 0, PSB_EARG, "the mold's hack is %d; expected >= 1, or 0 for all rows", a->hack);
    a->rows = a->hack ? a->hack : (m + line - 1) / line * line;
    a->nhacks = a->rows ? (psb_ipk)((m + a->rows - 1) / a->rows) : 0;
    *s = (struct X(hacks)){ .m = a->mat.nrows, .n = a->nhacks, .rows = a->rows };
    PSB_TRY(psb_dual_init(&a->off, (size_t)s->n + 1, sizeof *s->off, on, "HLL hacks"));
    PSB_TRY(psb_dual_init(&a->irn, (size_t)s->m, sizeof *s->irn, on, "HLL row lengths"));
    PSB_TRY(psb_dual_write(&a->off, PSB_HOST, &s->off));
    return psb_dual_write(&a->irn, PSB_HOST, &s->irn);
}

static psb_err build(struct X(mat) *a_, const struct X(lines) *b)
{
    struct X(hll_mat) *a = (struct X(hll_mat) *)a_;
    struct X(hacks) s;
    PSB_TRY(lay_out(a, &s));
    measure(&s, b);
    PSB_TRY(check_limit(a, &s));
    PSB_TRY(psb_dual_init(&a->ja, (size_t)s.off[s.n], sizeof *s.ja, a->mat.on, "HLL columns"));
    PSB_TRY(psb_dual_init(&a->val, (size_t)s.off[s.n], sizeof *s.val, a->mat.on, "HLL values"));
    PSB_TRY(psb_dual_write(&a->ja, PSB_HOST, &s.ja));
    PSB_TRY(psb_dual_write(&a->val, PSB_HOST, &s.val));
    fill(&s, b);
    return PSB_OK;
}

static psb_err from_coo(struct X(mat) *a, const struct X(coo_mat) *b)
{
    return X(build_from_coo)(a, b, build);
}

static psb_err from_fmt(struct X(mat) *a, struct X(mat) *b)
{
    return X(build_from_fmt)(a, b, build);
}

/* --- entries ------------------------------------------------------------------------------------------ */

static psb_err to_coo(struct X(mat) *a, struct X(coo_mat) *b)
{
    struct X(hacks) s;
    psb_epk n = 0;
    PSB_TRY(open_hacks(a, &s));
    PSB_TRY(X(coo_reserve)(b, a->nnz));
    for (psb_ipk i = 0; i < s.m; i++) {
        psb_epk p = s.off[i / s.rows] + i % s.rows;
        for (psb_ipk k = 0; k < s.irn[i]; k++, n++, p += s.rows) {
            b->ia[n] = i;
            b->ja[n] = s.ja[p];
            b->val[n] = s.val[p];
        }
    }
    return PSB_OK;
}

/* Hack h, column of the storage by column, in runs of rows that have it. */
static void walk_hack(const struct X(hacks) *s, psb_ipk h, X(visit) *visit, void *job)
{
    enum { RUN = 512 };
    psb_ipk ia[RUN];
    psb_epk first = h * s->rows, end = first + s->rows < s->m ? first + s->rows : s->m;
    psb_epk width = (s->off[h + 1] - s->off[h]) / s->rows;
    for (psb_epk k = 0; k < width; k++)
        for (psb_epk i = first, n; i<end; i += n> 0 ? n : 1) {
            psb_epk p = s->off[h] + i - first + k * s->rows;
            for (n = 0; n < RUN && i + n < end && s->irn[i + n] > k; n++)
                ia[n] = (psb_ipk)(i + n);
            if (n > 0)
                visit(job, n, ia, s->ja + p, s->val + p);
        }
}

static psb_err walk(struct X(mat) *a, int change, X(visit) *visit, void *job)
{
    struct X(hacks) s;
    PSB_TRY(open_hacks(a, &s));
    if (change)
        PSB_TRY(psb_dual_update(&((struct X(hll_mat) *)a)->val, PSB_HOST, &s.val));
    for (psb_ipk h = 0; h < s.n; h++)
        walk_hack(&s, h, visit, job);
    return PSB_OK;
}

static psb_err get_ptr(struct X(mat) *a, psb_ipk lo, psb_ipk hi, psb_epk *ptr)
{
    struct X(hacks) s;
    PSB_TRY(open_hacks(a, &s));
    ptr[0] = 0;
    for (psb_ipk i = lo; i < hi; i++)
        ptr[i - lo + 1] = ptr[i - lo] + s.irn[i];
    return PSB_OK;
}

static psb_err zero_vals(struct X(mat) *a)
{
    return X(zero_values)(&((struct X(hll_mat) *)a)->val);
}

/* Where the first entry of row i, column j stands; -1 where there is none. */
static psb_epk place(const struct X(hacks) *s, psb_ipk i, psb_ipk j)
{
    psb_epk first = s->off[i / s->rows] + i % s->rows;
    psb_ipk lo = 0, hi = s->irn[i];
    while (lo < hi) {
        psb_ipk mid = lo + (hi - lo) / 2;
        if (s->ja[first + mid * s->rows] < j)
            lo = mid + 1;
        else
            hi = mid;
    }
    psb_epk p = first + lo * s->rows;
    return lo < s->irn[i] && s->ja[p] == j ? p : -1;
}

/* pos[k] = where entry k stands. */
static psb_err find(const struct X(hacks) *s, psb_epk nz, const psb_ipk *ia, const psb_ipk *ja, psb_epk *pos)
{
    for (psb_epk k = 0; k < nz; k++) {
        pos[k] = place(s, ia[k], ja[k]);
        PSB_CHECK(pos[k] >= 0, PSB_EARG, PSB_NO_ENTRY, k, ia[k], ja[k]);
    }
    return PSB_OK;
}

static psb_err csput(struct X(mat) *a, psb_epk nz, const psb_ipk *ia, const psb_ipk *ja, const T *val,
                     enum psb_dupl dupl)
{
    struct X(hacks) s;
    psb_epk few[PSB_FEW_ENTRIES], *pos = few;
    PSB_TRY(open_hacks(a, &s));
    if (nz > PSB_FEW_ENTRIES)
        PSB_TRY(psb_alloc(&pos, (size_t)nz, sizeof *pos, "places of entries"));
    psb_err e = find(&s, nz, ia, ja, pos);
    if (e == PSB_OK && val)
        e = psb_dual_update(&((struct X(hll_mat) *)a)->val, PSB_HOST, &s.val);
    if (e == PSB_OK && val)
        X(put_values)(s.val, nz, pos, val, dupl);
    if (pos != few)
        psb_free(pos);
    return e;
}

/* --- products --------------------------------------------------------------------------------------- */

static psb_err csmm(T alpha, struct X(mat) *a, psb_ipk k, const T *x, T beta, T *y, char trans)
{
    struct X(hacks) s;
    PSB_TRY(open_hacks(a, &s));
    return X(hacks_csmm)(&s, a->ncols, k, alpha, x, beta, y, trans);
}

static psb_err csmv(T alpha, struct X(mat) *a, const T *x, T beta, T *y, char trans)
{
    return csmm(alpha, a, 1, x, beta, y, trans);
}

static const struct X(mat_ops) ops = {
    .super = &X(root_mold),
    .fmt = "HLL",
    .size = sizeof(struct X(hll_mat)),
    .clear = clear,
    .bytes = bytes,
    .arrays = arrays,
    .from_coo = from_coo,
    .to_coo = to_coo,
    .from_fmt = from_fmt,
    .walk = walk,
    .get_ptr = get_ptr,
    .zero_vals = zero_vals,
    .csput = csput,
    .csmv = csmv,
    .csmm = csmm,
};

const struct X(hll_mat) X(hll_mold) = { .mat.ops = &ops, .hack = 32, .limit = 8 };
