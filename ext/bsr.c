/* bsr.c -- ext: block compressed rows. */
#include "psb_ext_format.h"
#include "psb_type.h"

void X(blocks_sizes)(const struct X(bsr_mat) *a, struct X(blocks) *s)
{
    *s = (struct X(blocks)){ .m = a->mat.nrows,
                             .ncols = a->mat.ncols,
                             .r = a->r,
                             .c = a->c,
                             .n = a->n,
                             .by_cols = a->by_cols,
                             .full = a->full,
                             .size = a->r * a->c,
                             .bytes = (a->r * a->c + 7) / 8 };
}

static psb_err open_blocks(struct X(mat) *a_, struct X(blocks) *s)
{
    struct X(bsr_mat) *a = (struct X(bsr_mat) *)a_;
    X(blocks_sizes)(a, s);
    PSB_TRY(psb_dual_read(&a->off, PSB_HOST, &s->off));
    PSB_TRY(psb_dual_read(&a->ja, PSB_HOST, &s->ja));
    PSB_TRY(psb_dual_read(&a->bits, PSB_HOST, &s->bits));
    return psb_dual_read(&a->val, PSB_HOST, &s->val);
}

static int bsr_arrays(struct X(mat) *a_, struct psb_dual **list)
{
    struct X(bsr_mat) *a = (struct X(bsr_mat) *)a_;
    list[0] = &a->off;
    list[1] = &a->ja;
    list[2] = &a->bits;
    list[3] = &a->val;
    return 4;
}

/* --- rows ----------------------------------------------------------------------------------------------- */

/* Number of blocks from b on with the column of b, which hold duplicates; 0 if b is padding. */
static psb_epk same_column(const struct X(blocks) *s, psb_epk b, psb_epk end)
{
    psb_epk n = 0;
    while (b + n < end && s->ja[b + n] >= 0 && s->ja[b + n] == s->ja[b])
        n++;
    return n;
}

static psb_epk bsr_row_length(const void *of, psb_ipk i)
{
    const struct X(blocks) *s = of;
    psb_epk n = 0;
    psb_ipk h = i / s->r, l = i % s->r;
    for (psb_epk b = s->off[h]; b < s->off[h + 1] && s->ja[b] >= 0; b++)
        for (psb_ipk j = 0; j < s->c; j++)
            n += X(is_entry)(s, b, X(in_block)(s, l, j));
    return n;
}

static void bsr_list_row(const void *of, psb_ipk i, psb_ipk *ja, T *val)
{
    const struct X(blocks) *s = of;
    psb_ipk h = i / s->r, l = i % s->r;
    for (psb_epk b = s->off[h], n; (n = same_column(s, b, s->off[h + 1])) > 0; b += n)
        for (psb_ipk j = 0; j < s->c; j++)
            for (psb_epk e = b, at = X(in_block)(s, l, j); e < b + n; e++)
                if (X(is_entry)(s, e, (psb_ipk)at)) {
                    *ja++ = s->ja[e] * s->c + j;
                    *val++ = s->val[e * s->size + at];
                }
}

/* Number of values in the block rows of rows lo .. hi-1. */
static psb_epk bsr_places(const struct X(blocks) *s, psb_ipk lo, psb_ipk hi)
{
    return lo < hi ? (s->off[(hi - 1) / s->r + 1] - s->off[lo / s->r]) * s->size : 0;
}

static psb_err bsr_rows(struct X(mat) *a, psb_ipk lo, psb_ipk hi, psb_epk *ptr, struct X(coo_mat) *b)
{
    struct X(blocks) s;
    PSB_TRY(open_blocks(a, &s));
    return X(list_rows)(&(struct X(listing)){ &s, bsr_row_length, bsr_list_row }, bsr_places(&s, lo, hi), lo,
                        hi, ptr, b);
}

/* --- entries -------------------------------------------------------------------------------------------- */

/* A batch of entries to visit, and the positions of their values. */
enum { RUN = 512 };
struct run {
    psb_epk n;
    psb_ipk ia[RUN], ja[RUN];
    T val[RUN];
    psb_epk pos[RUN];
};

static void visit_run(struct run *r, T *val, bool change, X(visit) *visit, void *job)
{
    if (r->n > 0)
        visit(job, r->n, r->ia, r->ja, r->val);
    for (psb_epk e = 0; change && e < r->n; e++)
        val[r->pos[e]] = r->val[e];
    r->n = 0;
}

static psb_err bsr_walk(struct X(mat) *a, bool change, X(visit) *visit, void *job)
{
    struct X(blocks) s;
    struct run r = { .n = 0 };
    PSB_TRY(open_blocks(a, &s));
    if (change)
        PSB_TRY(psb_dual_update(&((struct X(bsr_mat) *)a)->val, PSB_HOST, &s.val));
    for (psb_ipk h = 0; h < s.n; h++)
        for (psb_epk b = s.off[h]; b < s.off[h + 1] && s.ja[b] >= 0; b++)
            for (psb_ipk at = 0; at < s.size; at++) {
                if (!X(is_entry)(&s, b, at))
                    continue;
                r.ia[r.n] = h * s.r + (s.by_cols ? at % s.r : at / s.c);
                r.ja[r.n] = s.ja[b] * s.c + (s.by_cols ? at / s.r : at % s.c);
                r.pos[r.n] = b * s.size + at;
                r.val[r.n] = s.val[r.pos[r.n]];
                if (++r.n == RUN)
                    visit_run(&r, s.val, change, visit, job);
            }
    visit_run(&r, s.val, change, visit, job);
    return PSB_OK;
}

static psb_err bsr_zero_vals(struct X(mat) *a)
{
    return X(zero_values)(&((struct X(bsr_mat) *)a)->val);
}

struct column {
    const psb_ipk *ja;
    psb_ipk j;
};

PSB_INLINE int is_before(const void *of, psb_epk b)
{
    const struct column *c = of;
    return (uint32_t)c->ja[b] < (uint32_t)c->j;
}

/* The first block of block row h whose column is not below j; padding, -1, compares as the largest. */
static psb_epk first_block(const struct X(blocks) *s, psb_ipk h, psb_ipk j)
{
    const struct column c = { s->ja, j };
    return psb_first(s->off[h], s->off[h + 1], is_before, &c);
}

/* The blocks, and the block of the previous entry. */
struct bsr_placing {
    const struct X(blocks) *s;
    psb_epk b;
};

/* The search begins at the block of the previous entry, which is usually the right one. */
static psb_epk bsr_place(void *of, psb_ipk i, psb_ipk j)
{
    struct bsr_placing *q = of;
    const struct X(blocks) *s = q->s;
    psb_ipk h = i / s->r, col = j / s->c, at = X(in_block)(s, i % s->r, j % s->c);
    psb_epk lo = s->off[h], end = s->off[h + 1];
    if (!(q->b >= lo && q->b < end && s->ja[q->b] == col))
        q->b = first_block(s, h, col);
    return q->b < end && s->ja[q->b] == col && X(is_entry)(s, q->b, at) ? q->b * s->size + at : -1;
}

static psb_err bsr_csput(struct X(mat) *a, psb_epk nz, const psb_ipk *ia, const psb_ipk *ja, const T *val,
                         enum psb_dupl dupl)
{
    struct X(blocks) s;
    struct bsr_placing q = { &s, 0 };
    PSB_TRY(open_blocks(a, &s));
    return X(put_entries)(bsr_place, &q, X(put_values), &((struct X(bsr_mat) *)a)->val, nz, ia, ja, val,
                          dupl);
}

/* --- products ------------------------------------------------------------------------------------------- */

static psb_err bsr_csmm(T alpha, struct X(mat) *a, psb_ipk k, const T *x, T beta, T *y, char trans)
{
    struct X(blocks) s;
    PSB_TRY(open_blocks(a, &s));
    return X(blocks_csmm)(&s, k, alpha, x, beta, y, trans);
}

static const struct X(mat_ops) bsr_ops = {
    .super = &X(root_mold),
    .fmt = "BSR",
    .size = sizeof(struct X(bsr_mat)),
    .storage = { .arrays = bsr_arrays, .build = X(blocks_build), .weigh = X(blocks_weigh) },
    .entries = { .walk = bsr_walk, .rows = bsr_rows, .zero_vals = bsr_zero_vals, .csput = bsr_csput },
    .products.csmm = bsr_csmm,
};

const struct X(bsr_mat) X(bsr_mold) = { .mat.ops = &bsr_ops, .by_cols = 1, .limit = 8 };
