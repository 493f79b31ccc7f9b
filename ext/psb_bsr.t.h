/* psb_bsr.t.h -- room: ext.  Block compressed rows: the matrix is cut into blocks of r x c, the last ones
 * reaching beyond it where they must, and those that have an entry are stored, block row by block row,
 * ascending.  Those of block row h, rows from h*r on, are off[h] <= b < off[h+1]; block b has the columns
 * from ja[b]*c on.  Its row i, column j is value (i*c + j), or (i + j*r) where by_cols, of the r*c from val +
 * b*r*c on; the bit of that number among those from byte b*((r*c + 7)/8) on says whether there is an entry;
 * where not, the value is 0. Where all blocks are full there are no bits.  A block stands twice where entries
 * do.  Where `padded`, all block rows have as many: behind the others follow zeros whose ja is -1. */
struct X(bsr_mat) {
    struct X(mat) mat;
    psb_ipk block_rows,
        block_cols;       /* of a block, 1 to PSB_BSR_MOST; 0: as the other; both: what is smallest */
    int by_cols;          /* the values of a block: 0 row by row, 1 column by column */
    int padded;           /* 0: BSR, 1: Blocked-ELL */
    double limit;         /* refuse to take more than 65,536 values and this many times CSR; 0: no limit */
    psb_ipk r, c, n;      /* rows and columns of a block, block rows */
    int full;             /* every place of every block, but those of ja -1, is an entry */
    struct psb_dual off;  /* psb_epk, n + 1 */
    struct psb_dual ja;   /* psb_ipk, off[n] */
    struct psb_dual bits; /* unsigned char, off[n] * ((r*c + 7) / 8), or none */
    struct psb_dual val;  /* T, off[n] * r * c */
};
extern const struct X(bsr_mat) X(bsr_mold); /* what is smallest, by columns, limit 8 */

/* --- inside ext ------------------------------------------------------------------------------------- */

/* The arrays on the host. */
struct X(blocks) {
    psb_ipk m, ncols, r, c, n; /* rows, columns; of a block; block rows */
    int by_cols, full;
    psb_epk size, bytes; /* values and bytes of bits of a block */
    psb_epk *off;
    psb_ipk *ja;
    unsigned char *bits;
    T *val;
};

/* All of s but the arrays. */
void X(blocks_sizes)(const struct X(bsr_mat) *a, struct X(blocks) *s);

/* The slot build. */
PSB_MUST_CHECK psb_err X(blocks_build)(struct X(mat) *a, const struct X(compressed) *rows);

PSB_MUST_CHECK psb_err X(blocks_forecast)(struct X(mat) *a, const struct X(compressed) *rows,
                                          struct psb_forecast *f);

/* y = alpha op(A) x + beta y, k columns. */
PSB_MUST_CHECK psb_err X(blocks_csmm)(const struct X(blocks) *s, psb_ipk k, T alpha, const T *x, T beta, T *y,
                                      char trans);

/* The block rows of thread t of p, *from up to, not including, *to: evenly by what is stored. */
static inline void X(blocks_share)(const struct X(blocks) *s, int t, int p, psb_ipk *from, psb_ipk *to)
{
    X(compressed_share)(&(struct X(compressed)){ .n = s->n, .ptr = s->off }, t, p, from, to);
}

/* Rows of block row h that the matrix has. */
static inline psb_ipk X(block_height)(const struct X(blocks) *s, psb_ipk h)
{
    psb_epk left = s->m - (psb_epk)h * s->r;
    return left < s->r ? (psb_ipk)left : s->r;
}

/* Which value of its block row i, column j of the block is. */
static inline psb_ipk X(in_block)(const struct X(blocks) *s, psb_ipk i, psb_ipk j)
{
    return s->by_cols ? j * s->r + i : i * s->c + j;
}

/* Is value `at` of block b, whose ja is not -1, an entry? */
static inline int X(is_entry)(const struct X(blocks) *s, psb_epk b, psb_ipk at)
{
    return s->full || (s->bits[b * s->bytes + at / 8] >> at % 8 & 1);
}
