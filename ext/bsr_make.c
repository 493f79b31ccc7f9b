/* bsr_make.c -- ext: build BSR from compressed rows. */
#include "psb_ext_format.h"
#include "psb_team.h"
#include <string.h>
#include "psb_type.h"

enum {
    BSR_SMALL = 1 << 16,  /* number of values for which the limit is not checked */
    BSR_TRIED = 8,        /* the largest block tried if the mold sets no size */
    BSR_GROUP = 840,      /* number of rows that is a multiple of every size tried */
    BSR_SAMPLE = 1 << 18, /* sampled entries; of larger matrices, every few groups of rows count */
};

/* --- entries of a block row, block by block --------------------------------------------------------- */

/* The entries of n rows that are not consumed yet: at[l] <= k < end[l] in row l. */
struct heads {
    const struct X(compressed) *b;
    psb_ipk n, c;
    psb_epk at[PSB_BSR_MOST], end[PSB_BSR_MOST];
};

static void heads_begin(struct heads *q, const struct X(compressed) *b, psb_ipk r, psb_ipk c, psb_epk h)
{
    psb_epk first = h * r;
    q->b = b;
    q->c = c;
    q->n = b->n - first < r ? (psb_ipk)(b->n - first) : r;
    for (psb_ipk l = 0; l < q->n; l++) {
        q->at[l] = b->ptr[first + l];
        q->end[l] = b->ptr[first + l + 1];
    }
}

/* Block column of the first remaining entry; -1 if none remains. */
static psb_ipk next_column(const struct heads *q)
{
    psb_ipk least = INT32_MAX;
    for (psb_ipk l = 0; l < q->n; l++)
        if (q->at[l] < q->end[l] && q->b->idx[q->at[l]] < least)
            least = q->b->idx[q->at[l]];
    return least < INT32_MAX ? least / q->c : -1;
}

/* Clear block b. */
static void open_block(const struct X(blocks) *s, psb_epk b, psb_ipk j)
{
    s->ja[b] = j;
    memset(s->val + b * s->size, 0, (size_t)s->size * sizeof *s->val);
    if (!s->full)
        memset(s->bits + b * s->bytes, 0, (size_t)s->bytes);
}

static void put_entry(const struct X(blocks) *s, psb_epk b, psb_ipk at, T v)
{
    s->val[b * s->size + at] = v;
    if (!s->full)
        s->bits[b * s->bytes + at / 8] |= (unsigned char)(1 << at % 8);
}

/* Consume the entries of block column j; if s is not NULL, store them in its blocks from b on.  Returns the
 * number of blocks: 1, or more where an entry occurs more than once. */
static inline psb_epk add_block(struct heads *q, psb_ipk j, const struct X(blocks) *s, psb_epk b)
{
    const psb_ipk *idx = q->b->idx;
    psb_epk first = (psb_epk)j * q->c, blocks = 0;
    for (psb_ipk l = 0; l < q->n; l++) {
        psb_epk k = q->at[l], times = 0;
        for (; k < q->end[l] && idx[k] < first + q->c; k++) {
            times = k > q->at[l] && idx[k] == idx[k - 1] ? times + 1 : 1;
            if (times > blocks) {
                blocks = times;
                if (s)
                    open_block(s, b + blocks - 1, j);
            }
            if (s)
                put_entry(s, b + times - 1, X(in_block)(s, l, (psb_ipk)(idx[k] - first)), q->b->val[k]);
        }
        q->at[l] = k;
    }
    return blocks;
}

static psb_epk count_blocks(const struct X(compressed) *b, psb_ipk r, psb_ipk c, psb_epk h)
{
    struct heads q;
    psb_epk n = 0;
    if (r == 1 && c == 1)
        return b->ptr[h + 1] - b->ptr[h];
    heads_begin(&q, b, r, c, h);
    for (psb_ipk j; (j = next_column(&q)) >= 0;)
        n += add_block(&q, j, NULL, 0);
    return n;
}

static psb_ipk block_rows(psb_ipk rows, psb_ipk r)
{
    return rows / r + (rows % r != 0);
}

/* --- block size ------------------------------------------------------------------------------------- */

/* Bytes of n block rows with `blocks` blocks of r x c. */
static double bytes_of_blocks(double n, double blocks, psb_ipk r, psb_ipk c, int full)
{
    double block = (double)(r * c) * (double)sizeof(T) + (double)sizeof(psb_ipk);
    return blocks * (full ? block : block + (r * c + 7) / 8) + (double)sizeof(psb_epk) * (n + 1);
}

/* Statistics of blocks of r x c: of all rows of a small matrix, or scaled up from a sample of a large one. */
struct block_tally {
    double blocks;
    int full;
};

bool X(blocks_sampled)(const struct X(compressed) *b, psb_epk k, psb_ipk *from, psb_ipk *to)
{
    const psb_epk every = b->ptr[b->n] / BSR_SAMPLE + 1, groups = ((psb_epk)b->n + BSR_GROUP - 1) / BSR_GROUP;
    const psb_epk g = (every / 2 < groups ? every / 2 : groups / 2) + k * every;
    if (g >= groups)
        return false;
    *from = (psb_ipk)(g * BSR_GROUP);
    *to = b->n - *from < BSR_GROUP ? b->n : *from + BSR_GROUP;
    return true;
}

/* r divides GROUP. */
static struct block_tally tally_blocks(const struct X(compressed) *b, psb_ipk r, psb_ipk c, int padded)
{
    psb_epk blocks = 0, widest = 0, entries = 0;
    psb_ipk from, end;
    for (psb_epk k = 0; X(blocks_sampled)(b, k, &from, &end); k++) {
        entries += b->ptr[end] - b->ptr[from];
        for (psb_epk h = from / r; h * r < end; h++) {
            psb_epk n = count_blocks(b, r, c, h);
            blocks += n;
            widest = n > widest ? n : widest;
        }
    }
    const double scale = entries ? (double)b->ptr[b->n] / (double)entries : 0;
    const double all = padded ? (double)widest * ((double)b->n / r) : scale * (double)blocks;
    return (struct block_tally){ all, blocks * r * c == entries };
}

static void choose_block_size(struct X(bsr_mat) *a, const struct X(compressed) *b)
{
    double least = 0;
    a->r = a->block_rows ? a->block_rows : a->block_cols;
    a->c = a->block_cols ? a->block_cols : a->block_rows;
    for (psb_ipk w = 1; w <= BSR_TRIED && !(a->block_rows || a->block_cols); w++) {
        struct block_tally t = tally_blocks(b, w, w, a->padded);
        double need = bytes_of_blocks((double)b->n / w, t.blocks, w, w, t.full);
        if (w > 1 && need >= least)
            continue;
        least = need;
        a->r = a->c = w;
    }
}

static psb_err check_blocks_mold(const struct X(bsr_mat) *a)
{
    PSB_CHECK(a->block_rows >= 0 && a->block_rows <= PSB_BSR_MOST, PSB_EARG,
              "the mold's block_rows is %d; expected 1 to %d, or 0 for what fits", a->block_rows,
              PSB_BSR_MOST);
    PSB_CHECK(a->block_cols >= 0 && a->block_cols <= PSB_BSR_MOST, PSB_EARG,
              "the mold's block_cols is %d; expected 1 to %d, or 0 for what fits", a->block_cols,
              PSB_BSR_MOST);
    PSB_CHECK(a->by_cols == 0 || a->by_cols == 1, PSB_EARG, "the mold's by_cols is %d; expected 0 or 1",
              a->by_cols);
    PSB_CHECK(a->padded == 0 || a->padded == 1, PSB_EARG, "the mold's padded is %d; expected 0 or 1",
              a->padded);
    return PSB_OK;
}

/* --- build ------------------------------------------------------------------------------------------ */

struct making_blocks {
    const struct X(blocks) *s;
    const struct X(compressed) *b;
};

/* off[h + 1] = number of blocks of block row h. */
static void count_block_rows(void *job, int t, int p)
{
    const struct making_blocks *q = job;
    psb_ipk h, end, r = q->s->r;
    X(compressed_share)(q->b, t, p, &h, &end);
    for (h = block_rows(h, r), end = block_rows(end, r); h < end; h++)
        q->s->off[h + 1] = count_blocks(q->b, r, q->s->c, h);
}

psb_err X(blocks_choose)(struct X(bsr_mat) *a, const struct X(compressed) *rows)
{
    PSB_TRY(check_blocks_mold(a));
    choose_block_size(a, rows);
    a->n = block_rows(a->mat.nrows, a->r);
    return psb_dual_init(&a->off, (size_t)a->n + 1, sizeof(psb_epk), a->mat.on, "BSR block rows");
}

psb_err X(blocks_check)(struct X(bsr_mat) *a, psb_epk blocks, double all)
{
    const psb_ipk size = a->r * a->c;
    a->full = blocks * size == a->mat.nnz;
    return X(check_padding)(&a->mat, a->limit, bytes_of_blocks(a->n, all, a->r, a->c, a->full),
                            all * size <= BSR_SMALL, "%.15g blocks of %d x %d", all, a->r, a->c);
}

psb_err X(blocks_register)(struct X(bsr_mat) *a, psb_epk blocks)
{
    const size_t n = (size_t)blocks, size = (size_t)(a->r * a->c), bytes = (size + 7) / 8;
    PSB_TRY(psb_dual_init(&a->ja, n, sizeof(psb_ipk), a->mat.on, "BSR columns"));
    PSB_TRY(psb_dual_init(&a->bits, a->full ? 0 : n * bytes, 1, a->mat.on, "BSR bits"));
    return psb_dual_init(&a->val, n * size, sizeof(T), a->mat.on, "BSR values");
}

/* Compute the offsets, with padding if the mold asks for it, and find out whether blocks have gaps. */
static psb_err lay_out_blocks(struct X(bsr_mat) *a, struct X(blocks) *s, const struct X(compressed) *b)
{
    psb_epk widest = 0, blocks = 0;
    struct making_blocks q = { s, b };
    psb_team(psb_threads(b->ptr[b->n]), count_block_rows, &q);
    for (psb_ipk h = 0; h < s->n; h++) {
        blocks += s->off[h + 1];
        widest = s->off[h + 1] > widest ? s->off[h + 1] : widest;
    }
    PSB_TRY(X(blocks_check)(a, blocks, a->padded ? (double)widest * s->n : (double)blocks));
    s->full = a->full;
    s->off[0] = 0;
    for (psb_ipk h = 0; h < s->n; h++)
        s->off[h + 1] = s->off[h] + (a->padded ? widest : s->off[h + 1]);
    return PSB_OK;
}

/* Choose the block size, count the blocks of every block row, and register all arrays. */
static psb_err plan_blocks(struct X(bsr_mat) *a, struct X(blocks) *s, const struct X(compressed) *rows)
{
    PSB_TRY(X(blocks_choose)(a, rows));
    X(blocks_sizes)(a, s);
    PSB_TRY(psb_dual_write(&a->off, PSB_HOST, &s->off));
    PSB_TRY(lay_out_blocks(a, s, rows));
    return X(blocks_register)(a, s->off[s->n]);
}

/* Fill block row h; returns the position after its blocks. */
static psb_epk fill_row(const struct X(blocks) *s, const struct X(compressed) *rows, psb_ipk h)
{
    struct heads q;
    psb_epk b = s->off[h];
    heads_begin(&q, rows, s->r, s->c, h);
    for (psb_ipk j; (j = next_column(&q)) >= 0;)
        b += add_block(&q, j, s, b);
    return b;
}

/* fill_row for blocks without gaps. */
static psb_epk copy_row(const struct X(blocks) *s, const struct X(compressed) *rows, psb_ipk h)
{
    psb_epk b = s->off[h];
    for (psb_epk k = rows->ptr[h]; k < rows->ptr[h + 1]; k++, b++) {
        s->ja[b] = rows->idx[k];
        s->val[b] = rows->val[k];
        if (!s->full)
            s->bits[b] = 1;
    }
    return b;
}

static void fill_block_rows(void *job, int t, int p)
{
    const struct making_blocks *q = job;
    const struct X(blocks) *s = q->s;
    psb_ipk h, end;
    for (X(blocks_share)(s, t, p, &h, &end); h < end; h++) {
        psb_epk b = s->size == 1 ? copy_row(s, q->b, h) : fill_row(s, q->b, h);
        for (; b < s->off[h + 1]; b++)
            open_block(s, b, -1);
    }
}

psb_err X(blocks_build)(struct X(mat) *a_, const struct X(compressed) *rows)
{
    struct X(bsr_mat) *a = (struct X(bsr_mat) *)a_;
    struct X(blocks) s;
    struct making_blocks q = { &s, rows };
    PSB_TRY(plan_blocks(a, &s, rows));
    PSB_TRY(psb_dual_write(&a->ja, PSB_HOST, &s.ja));
    PSB_TRY(psb_dual_write(&a->bits, PSB_HOST, &s.bits));
    PSB_TRY(psb_dual_write(&a->val, PSB_HOST, &s.val));
    psb_team(psb_threads(s.off[s.n] * s.size), fill_block_rows, &q);
    return PSB_OK;
}

psb_err X(blocks_weigh)(struct X(mat) *a, const struct X(compressed) *rows, double *bytes)
{
    struct X(blocks) s;
    PSB_TRY(plan_blocks((struct X(bsr_mat) *)a, &s, rows));
    *bytes = (double)X(mat_bytes)(a);
    return PSB_OK;
}
