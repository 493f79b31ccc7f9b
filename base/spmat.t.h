/* spmat.t.h -- room: base.  The distributed sparse matrix that callers hold.
 *
 * Its rows lie as a row descriptor says, its columns as a column descriptor (the same for a square
 * matrix); for y = A x, x is a vector on the column descriptor and y on the row one, for op T and C the
 * other way round.  State BUILD takes entries, psb_spasb makes it ASSEMBLED: ready for products.
 *
 * Inside, the rows owned here are held in two: `ad`, over the columns owned here, and `ah`, over the halo
 * columns, only the rows that have any: entry i of `bnd` is the local row of its row i. */
struct X(spmat) {
    psb_desc *row, *col;
    enum psb_state state;
    struct X(coo_mat) *build; /* local rows, columns by descriptor slot */
    struct X(mat) *ad, *ah;
    struct psb_dual bnd, part; /* boundary rows, and their share of a product */
};

/* A square matrix on one descriptor, about nnz entries here (a hint, >= 0), state BUILD.  Freed by
 * psb_spfree.  Local. */
PSB_MUST_CHECK psb_err X(spall)(struct X(spmat) **a, psb_desc *desc, psb_epk nnz);

/* A matrix with a row and a column descriptor: rectangular, or distributed differently.  Local. */
PSB_MUST_CHECK psb_err X(spall2)(struct X(spmat) **a, psb_desc *row, psb_desc *col, psb_epk nnz);

/* Insert entry val[k] at global row ia[k], global column ja[k], k < nz; rows owned elsewhere are dropped.
 * While the column descriptor is in BUILD its halo grows with the columns met; afterwards a column outside
 * its halo is an error.  State BUILD.  An index out of range is an error that names it, and nothing is
 * inserted.  Local. */
PSB_MUST_CHECK psb_err X(spins)(psb_epk nz, const psb_lpk *ia, const psb_lpk *ja, const T *val,
                                struct X(spmat) *a);

/* Put the matrix into the format of `mold`, entries that stand more than once merged as dupl
 * says; both descriptors must be assembled; state BUILD -> ASSEMBLED.  On error on any process all return
 * one and the matrix is still in BUILD, its entries kept.  Collective. */
PSB_MUST_CHECK psb_err X(spasb)(struct X(spmat) *a, const struct X(mat) *mold, enum psb_dupl dupl);

/* Change the format of an assembled matrix; on error it is as it was.  Collective. */
PSB_MUST_CHECK psb_err X(spcnv)(struct X(spmat) *a, const struct X(mat) *mold);

/* Free a matrix; NULL is fine.  Local. */
void X(spfree)(struct X(spmat) *a);

/* y = alpha op(A) x + beta y, op by trans: 'N' A, 'T' transposed, 'C' its conjugate.  x's halo is brought up
 * to date on the way; y's is not.  alpha == 0 reads neither A nor x, beta == 0 does not read y.  x and y are
 * different vectors, assembled.  Runs on the device where A's format and both vectors are there, on the host
 * else.  Collective: where a process cannot take part in the exchange its neighbours fail too; an error in
 * the local product that follows, memory it asks for say, is that process's own. */
PSB_MUST_CHECK psb_err X(spmv)(T alpha, struct X(spmat) *a, struct X(vect) *x, T beta, struct X(vect) *y,
                               char trans);

/* Entries here, after assembly; bytes of storage here; the format's name.  Local. */
psb_epk X(sp_nnz)(const struct X(spmat) *a);
size_t X(sp_bytes)(const struct X(spmat) *a);
const char *X(sp_fmt)(const struct X(spmat) *a);
