/* psb_bsr.t.h -- ext: block compressed rows.  The matrix is cut into blocks of r x c; the last blocks
 * may reach beyond it.  Blocks that contain an entry are stored, block row by block row, in ascending order.
 *
 * Block row h, whose first row is h*r, has the blocks off[h] <= b < off[h+1].  The first column of block b is
 * ja[b]*c.  Its r*c values begin at val + b*r*c: the value of row i, column j of the block is number i*c + j,
 * or i + j*r if by_cols.  The bit of the same number, in the (r*c + 7)/8 bytes from byte b*((r*c + 7)/8) on,
 * is set if there is an entry; elsewhere the value is 0.  If all blocks are full there are no bits.
 * Duplicate entries are stored in a second block with the same ja.  If `padded`, all block rows have the same
 * number of blocks: the missing ones are blocks of zeros with ja -1, after the others. */
struct X(bsr_mat) {
    struct X(mat) mat;
    psb_ipk block_rows,
        block_cols;  /* of a block, 1 to PSB_BSR_MOST; 0: as the other; both 0: smallest in memory */
    int by_cols;     /* order of the values of a block: 0 by rows, 1 by columns */
    int padded;      /* 0: BSR, 1: Blocked-ELL */
    double limit;    /* refuse more than 65,536 values and this many times the bytes of CSR; 0: no limit */
    psb_ipk r, c, n; /* rows and columns of a block; number of block rows */
    int full;        /* every element of every block, except those with ja -1, is an entry */
    struct psb_dual off;  /* psb_epk, n + 1 */
    struct psb_dual ja;   /* psb_ipk, off[n] */
    struct psb_dual bits; /* unsigned char, off[n] * ((r*c + 7) / 8), or none */
    struct psb_dual val;  /* T, off[n] * r * c */
};
extern const struct X(bsr_mat) X(bsr_mold); /* smallest block size, by columns, limit 8 */

/* --- inside ext ------------------------------------------------------------------------------------- */

/* The arrays on the host. */
struct X(blocks) {
    psb_ipk m, ncols, r, c, n; /* rows, columns; of a block; block rows */
    int by_cols, full;
    psb_epk size, bytes; /* values of a block; bytes of its bits */
    psb_epk *off;
    psb_ipk *ja;
    unsigned char *bits;
    T *val;
};

/* Set all members of s but the arrays. */
void X(blocks_sizes)(const struct X(bsr_mat) *a, struct X(blocks) *s);

/* For a build.  blocks_choose: choose the size of blocks, by the rows of all samples k = 0, 1, ..., *from <=
 * i < *to, of blocks_sampled if the mold sets none, and register the offsets.  blocks_check: set a->full;
 * PSB_EPADDING if `all` blocks, of which `blocks` have entries, are beyond the limit.  blocks_register:
 * register the other arrays.  They are allocated at their first write. */
PSB_MUST_CHECK psb_err X(blocks_choose)(struct X(bsr_mat) *a, const struct X(compressed) *rows);
bool X(blocks_sampled)(const struct X(compressed) *b, psb_epk k, psb_ipk *from, psb_ipk *to);
PSB_MUST_CHECK psb_err X(blocks_check)(struct X(bsr_mat) *a, psb_epk blocks, double all);
PSB_MUST_CHECK psb_err X(blocks_register)(struct X(bsr_mat) *a, psb_epk blocks);

/* The slots `build` and `weigh`. */
PSB_MUST_CHECK psb_err X(blocks_build)(struct X(mat) *a, const struct X(compressed) *rows);
PSB_MUST_CHECK psb_err X(blocks_weigh)(struct X(mat) *a, const struct X(compressed) *rows, double *bytes);

/* y = alpha op(A) x + beta y for k columns. */
PSB_MUST_CHECK psb_err X(blocks_csmm)(const struct X(blocks) *s, psb_ipk k, T alpha, const T *x, T beta, T *y,
                                      char trans);

/* The block rows *from <= h < *to of thread t of p, divided evenly by stored blocks. */
static inline void X(blocks_share)(const struct X(blocks) *s, int t, int p, psb_ipk *from, psb_ipk *to)
{
    struct X(compressed) rows = { s->n, 0, s->off, NULL, NULL };
    X(compressed_share)(&rows, t, p, from, to);
}

/* Number of rows of block row h that are within the matrix. */
static inline psb_ipk X(block_height)(const struct X(blocks) *s, psb_ipk h)
{
    psb_epk left = s->m - (psb_epk)h * s->r;
    return left < s->r ? (psb_ipk)left : s->r;
}

/* Index of the value of row i, column j within its block. */
static inline psb_ipk X(in_block)(const struct X(blocks) *s, psb_ipk i, psb_ipk j)
{
    return s->by_cols ? j * s->r + i : i * s->c + j;
}

/* Is value `at` of block b, whose ja is not -1, an entry? */
static inline int X(is_entry)(const struct X(blocks) *s, psb_epk b, psb_ipk at)
{
    return s->full || (s->bits[b * s->bytes + at / 8] >> at % 8 & 1);
}
