/* psb_hdia.t.h -- ext: hacked diagonals: hacks of `rows` rows; each stores the diagonals on which its
 * rows have entries.  Diagonal d of hack h, off[h] <= d < off[h+1], has the entries (i, i + dist[d]).  The
 * value of row i is val[d*rows + i%rows].  It is an entry if bit i%rows is set in the (rows + 63) / 64 words
 * of bits of diagonal d, which begin at d * words; elsewhere the value is 0.  Diagonals are ascending;
 * duplicate entries are stored in a second diagonal of the same distance. */
struct X(hdia_mat) {
    struct X(mat) mat;
    psb_ipk hack; /* rows of a hack; 0: a single hack */
    double limit; /* refuse more than 65,536 values and this many times the bytes of CSR; 0: no limit */
    psb_epk rows;
    psb_ipk nhacks;
    struct psb_dual off;   /* psb_epk, nhacks + 1 */
    struct psb_dual dist;  /* psb_ipk, off[nhacks]: column minus row */
    struct psb_dual gaps;  /* unsigned char, off[nhacks]: enum psb_gaps */
    struct psb_dual zeros; /* psb_ipk, off[nhacks]: entries whose value is 0 */
    struct psb_dual bits;  /* uint64_t, off[nhacks] * words */
    struct psb_dual val;   /* T, off[nhacks] * rows */
};
extern const struct X(hdia_mat) X(hdia_mold); /* hack 64, limit 8 */

/* --- inside ext ------------------------------------------------------------------------------------- */

/* The arrays on the host. */
struct X(diagonals) {
    struct psb_hacks g; /* off counts diagonals */
    psb_ipk ncols;
    psb_epk words; /* words of the bits of a diagonal */
    psb_ipk *dist;
    unsigned char *gaps;
    psb_ipk *zeros; /* of each diagonal: entries whose value is 0 */
    uint64_t *bits;
    T *val;
};

/* Does row `at` of the hack have an entry on diagonal d? */
static inline int X(has_entry)(const struct X(diagonals) *s, psb_epk d, psb_epk at)
{
    return (int)(s->bits[d * s->words + at / 64] >> at % 64 & 1);
}

/* y = alpha op(A) x + beta y for k columns. */
PSB_MUST_CHECK psb_err X(diagonals_csmm)(const struct X(diagonals) *s, psb_ipk k, T alpha, const T *x, T beta,
                                         T *y, char trans);

/* For a build on a device.  hdia_lay_out: set the sizes of hacks and register `off`, allocated at its first
 * write.  hdia_check: PSB_EPADDING if this number of diagonals is beyond the limit.  hdia_register:
 * register the other arrays for this number of diagonals. */
PSB_MUST_CHECK psb_err X(hdia_lay_out)(struct X(hdia_mat) *a, struct psb_hacks *g);
PSB_MUST_CHECK psb_err X(hdia_check)(const struct X(hdia_mat) *a, psb_epk diagonals);
PSB_MUST_CHECK psb_err X(hdia_register)(struct X(hdia_mat) *a, psb_epk diagonals);
