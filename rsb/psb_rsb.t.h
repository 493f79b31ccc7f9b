/* psb_rsb.t.h -- rsb: declarations for one scalar: a matrix stored by LIBRSB.  Of
 * duplicate entries LIBRSB stores the first; the others are in a COO matrix of their own.  With one thread,
 * as in the mold, a product has the same bits every time; several threads add blocks that share a row in the
 * order in which they finish. */
struct rsb_mtx_t;
struct X(rsb_mat) {
    struct X(mat) mat;
    int rounds;  /* of LIBRSB's autotuner, which runs when the matrix is made and is slow: 0 .. 16 */
    int threads; /* most threads that LIBRSB uses; 0: psb_threads, or the best number the tuner found */
    struct rsb_mtx_t *held; /* NULL if there are no entries */
    int best;               /* most threads in use; 0: as psb_threads returns */
    struct X(coo_mat) more; /* the other duplicates, ordered by rows */
};
extern const struct X(rsb_mat) X(rsb_mold); /* no rounds, 1 thread */

/* psb_rsb_init for this scalar.  Inside rsb.  Local. */
PSB_MUST_CHECK psb_err X(rsb_register)(void);
