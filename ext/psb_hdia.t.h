/* psb_hdia.t.h -- room: ext.  Hacked diagonals: hacks of `rows` rows each, every hack with the diagonals that its
 * rows meet.  Diagonal d of hack h, off[h] <= d < off[h+1], is that of the entries (i, i + dist[d]); that of
 * row i stands at val[d*rows + i%rows], if bit i%rows of its words is set, words (rows + 63) / 64 from d *
 * words on; elsewhere val is 0.  Diagonals ascend; one stands twice where entries do. */
struct X(hdia_mat) {
    struct X(mat) mat;
    psb_ipk hack; /* rows of a hack; 0: all in one */
    double limit; /* refuse to take more than 65,536 values and this many times CSR; 0: no limit */
    psb_epk rows;
    psb_ipk nhacks;
    struct psb_dual off;   /* psb_epk, nhacks + 1 */
    struct psb_dual dist;  /* psb_ipk, off[nhacks]: column less row */
    struct psb_dual gaps;  /* unsigned char, off[nhacks]: enum psb_gaps */
    struct psb_dual zeros; /* psb_ipk, off[nhacks]: entries whose value is 0 */
    struct psb_dual bits;  /* uint64_t, off[nhacks] * words */
    struct psb_dual val;   /* T, off[nhacks] * rows */
};
extern const struct X(hdia_mat) X(hdia_mold); /* hack 64, limit 8 */

/* --- inside ext ------------------------------------------------------------------------------------- */

/* The arrays on the host. */
struct X(diagonals) {
    struct psb_hacks g; /* off: of diagonals */
    psb_ipk ncols;
    psb_epk words; /* of a diagonal's bits */
    psb_ipk *dist;
    unsigned char *gaps;
    psb_ipk *zeros; /* entries of each diagonal that are 0 */
    uint64_t *bits;
    T *val;
};

/* Does row `at` of the hack have an entry on diagonal d? */
static inline int X(has_entry)(const struct X(diagonals) *s, psb_epk d, psb_epk at)
{
    return (int)(s->bits[d * s->words + at / 64] >> at % 64 & 1);
}

/* y = alpha op(A) x + beta y, k columns. */
PSB_MUST_CHECK psb_err X(diagonals_csmm)(const struct X(diagonals) *s, psb_ipk k, T alpha, const T *x, T beta,
                                         T *y, char trans);

/* For a build on a device.  hdia_lay_out: set the sizes of hacks and register `off`, allocated at its first
 * write.  hdia_check: PSB_EPADDING if this number of diagonals is beyond the limit.  hdia_room: register the
 * other arrays for this number of diagonals. */
PSB_MUST_CHECK psb_err X(hdia_lay_out)(struct X(hdia_mat) *a, struct psb_hacks *g);
PSB_MUST_CHECK psb_err X(hdia_check)(const struct X(hdia_mat) *a, psb_epk diagonals);
PSB_MUST_CHECK psb_err X(hdia_room)(struct X(hdia_mat) *a, psb_epk diagonals);
