/* psb_rsb.t.h -- room: rsb.  What the room declares for one scalar: a matrix that LIBRSB holds.  Of entries that
 * stand at one place LIBRSB has the first; the others, if there are any, stand in triplets beside it.  With
 * one thread, as in the mold, a product gives the same bits every time; several add blocks that meet in a row
 * in the order in which they are done. */
struct rsb_mtx_t;
struct X(rsb_mat) {
    struct X(mat) mat;
    int rounds;             /* 0 .. 16, of LIBRSB's autotuner when the matrix is made; it takes its time */
    int threads;            /* of LIBRSB's, at most; 0: as psb_threads says, or the tuner found best */
    struct rsb_mtx_t *held; /* NULL where there are no entries */
    int best;               /* the threads in use, at most; 0: as psb_threads says */
    struct X(coo_mat) more; /* ordered by rows */
};
extern const struct X(rsb_mat) X(rsb_mold); /* no rounds, 1 thread */

/* psb_rsb_init for this scalar; inside the room. */
PSB_MUST_CHECK psb_err X(rsb_register)(void);
