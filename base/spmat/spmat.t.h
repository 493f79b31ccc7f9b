/* spmat.t.h -- room: base/spmat.  The distributed sparse matrix that callers hold.
 *
 * Its rows lie as a row descriptor says, its columns as a column descriptor (the same for a square
 * matrix); for y = A x, x is a vector on the column descriptor and y on the row one, for op T and C the
 * other way round.  State BUILD takes entries, psb_spasb makes it ASSEMBLED: ready for products.  A process
 * that passes NULL for the matrix, and nothing else that leads it to the others, fails alone, and in a
 * collective call they may wait for it.
 *
 * Inside, the rows owned here are held in two: `ad`, over the columns owned here, and `ah`, over the halo
 * columns, only the rows that have any: entry i of `bnd` is the local row of its row i. */
struct X(spmat) {
    psb_desc *row, *col;
    enum psb_state state;
    enum psb_dupl dupl;        /* as it was first assembled */
    struct X(coo_mat) *build;  /* BUILD: local rows, columns by descriptor slot, in the order they came */
    struct psb_remote *remote; /* entries of rows owned elsewhere, kept; NULL: dropped */
    struct X(mat) *ad, *ah;
    struct psb_dual bnd, part; /* boundary rows, and their share of a product */
    struct psb_dual sums;      /* what blocks of threads sum up in psb_spmv_fused; device only */
    struct X(refill) *refill;  /* UPDATE: where values are refilled */
};

/* A square matrix on one descriptor, about nnz entries here (a hint, >= 0), state BUILD.  Freed by
 * psb_spfree.  Local. */
PSB_MUST_CHECK psb_err X(spall)(struct X(spmat) **a, psb_desc *desc, psb_epk nnz);

/* A matrix with a row and a column descriptor: rectangular, or distributed differently.  Local. */
PSB_MUST_CHECK psb_err X(spall2)(struct X(spmat) **a, psb_desc *row, psb_desc *col, psb_epk nnz);

/* From now on entries of rows owned elsewhere are kept, and psb_spasb sends them to the owners (yes != 0), or
 * dropped, as at first; at a refill (psb_sprn) too.  Rows must have one owner each.  State BUILD or UPDATE;
 * what was kept is dropped by yes == 0.  Local; alike on all processes. */
PSB_MUST_CHECK psb_err X(sp_set_remote_build)(struct X(spmat) *a, int yes);

/* Insert entry val[k] at global row ia[k], global column ja[k], k < nz; rows owned elsewhere are dropped, or
 * kept for their owners (psb_sp_set_remote_build).
 * State BUILD: while the column descriptor is in BUILD its halo grows with the columns met; afterwards a
 * column outside its halo is an error.
 * State UPDATE (psb_sprn): the entry gets a new value, added for a matrix assembled with PSB_DUPL_ADD, else
 * in place of the old one; an entry that the matrix does not have is an error. An index out of range is an
 * error that names it.  After an error nothing is inserted.  Local. */
PSB_MUST_CHECK psb_err X(spins)(psb_epk nz, const psb_lpk *ia, const psb_lpk *ja, const T *val,
                                struct X(spmat) *a);

/* The same with local numbers, counted from 0, 0 <= ia < local rows, 0 <= ja < local columns; the column
 * descriptor must be assembled.  Local. */
PSB_MUST_CHECK psb_err X(spins_local)(psb_epk nz, const psb_ipk *ia, const psb_ipk *ja, const T *val,
                                      struct X(spmat) *a);

/* Put the matrix into the format of `mold`, entries that stand more than once merged as dupl
 * says in the order they came; both descriptors must be assembled; state BUILD -> ASSEMBLED.  Entries sent
 * here by others come last, and may enlarge the halo of a column descriptor that no assembled matrix or
 * vector relies on yet.  From state UPDATE dupl has no meaning, and mold may be NULL: the format it had.  On
 * error on any process all return one and the matrix is in the state it was in, its entries kept. Collective.
 */
PSB_MUST_CHECK psb_err X(spasb)(struct X(spmat) *a, const struct X(mat) *mold, enum psb_dupl dupl);

/* Open an assembled matrix for new values in its pattern: all 0 (clear != 0) or as they are; state
 * ASSEMBLED -> UPDATE.  psb_spins fills, psb_spasb closes.  Local. */
PSB_MUST_CHECK psb_err X(sprn)(struct X(spmat) *a, int clear);

/* Change the format of an assembled matrix; on error it is as it was.  Collective. */
PSB_MUST_CHECK psb_err X(spcnv)(struct X(spmat) *a, const struct X(mat) *mold);

/* Free a matrix; NULL is fine.  Local. */
void X(spfree)(struct X(spmat) *a);

/* y = alpha op(A) x + beta y for one column or several, as many in x and y; op by trans: 'N' A, 'T'
 * transposed, 'C' its conjugate.  x's halo is brought up to date on the way; y's is not.  alpha == 0 reads
 * neither A nor x, beta == 0 does not read y.  x and y are different vectors, assembled.  Runs on the device
 * where A's format and both vectors are there, on the host else.  alpha == 0 or not, and trans, are the same
 * on all processes.  Collective: where a process cannot take part in the exchange those that receive from it
 * fail too; an error in the local product that follows, memory it asks for say, is that process's own. */
PSB_MUST_CHECK psb_err X(spmv)(T alpha, struct X(spmat) *a, struct X(vect) *x, T beta, struct X(vect) *y,
                               char trans);

/* The same; halo_update 0: nothing is exchanged.  For 'N' the halo of x is taken as it stands, for 'T' and
 * 'C' what belongs to others stays in the halo of y (psb_halo, 'T', would bring it to them), and
 * a row of y that several own gets from each only what its own rows of A give.  Without an exchange it is
 * local. */
PSB_MUST_CHECK psb_err X(spmv_opt)(T alpha, struct X(spmat) *a, struct X(vect) *x, T beta, struct X(vect) *y,
                                   char trans, int halo_update);

/* What follows a product y: z = gamma y + delta z, unless z is NULL, and the first ndots dot products of left
 * and right, conj(left) right as in psb_gedot.  Vectors of one column that lie as y does, assembled; y, z
 * and, where it lies so, x may be among left and right: y and z as they are afterwards.  z is neither x nor
 * y; gamma == 0 does not read y, delta == 0 not z. */
struct X(epilogue) {
    T gamma, delta;
    struct X(vect) *z;
    int ndots; /* 0 <= ndots <= PSB_MOST_DOTS */
    struct {
        struct X(vect) *left, *right;
    } dot[PSB_MOST_DOTS];
};

/* y = alpha op(A) x + beta y, as psb_spmv with one column, then e's sum and dot products, dots[i] that of
 * e->dot[i] over all processes: where A's format and all vectors are on a device and no column of A is owned
 * elsewhere all in the product's own pass, else in one more pass over the vectors; the same bits each run.
 * dots is not used where e->ndots is 0.  One reduction joins all products; whether there are any is the same
 * on all processes.  With them it is collective, and where one process fails all do; without, as psb_spmv.
 * After an error dots is as it was, y and z may have changed.  After Kreutzer et al., "GHOST: building blocks
 * for high performance sparse linear algebra on heterogeneous systems", Int. J. Parallel Prog. 45 (2017). */
PSB_MUST_CHECK psb_err X(spmv_fused)(T alpha, struct X(spmat) *a, struct X(vect) *x, T beta,
                                     struct X(vect) *y, char trans, const struct X(epilogue) *e, T *dots);

/* Entries here, after assembly; bytes of storage here; the format's name; of NULL 0 and "".  Local. */
psb_epk X(sp_nnz)(const struct X(spmat) *a);
size_t X(sp_bytes)(const struct X(spmat) *a);
const char *X(sp_fmt)(const struct X(spmat) *a);

/* A new assembled descriptor *ext, freed by psb_cdfree, that extends the one of a square matrix along its
 * pattern by levels >= 0: level 0 is the halo of the rows owned, each further level what the rows of the last
 * one use, up to where no process meets anything new.  PSB_EXT_HALO: the rows of a's descriptor and all that
 * was met as halo.  PSB_EXT_OVERLAP: rows met at levels below `levels` become rows of this process too,
 * behind its own in the order they were met; those of the last level are halo.  Every row of a has one owner;
 * levels and kind are the same on all processes.  Collective. */
PSB_MUST_CHECK psb_err X(cdbldext)(struct X(spmat) *a, int levels, enum psb_extension kind, psb_desc **ext);

/* Its descriptors; the state; of NULL NULL and PSB_NULL.  Local. */
psb_desc *X(sp_row_desc)(const struct X(spmat) *a);
psb_desc *X(sp_col_desc)(const struct X(spmat) *a);
enum psb_state X(sp_state)(const struct X(spmat) *a);

/* --- inside base ---------------------------------------------------------------------------------- */

/* Release the assembled parts; the entries kept for others; a refill; all that assembly leaves behind. */
void X(sp_drop_parts)(struct X(spmat) *a);
void X(sp_drop_remote)(struct X(spmat) *a);
void X(sp_drop_refill)(struct X(spmat) *a);
void X(sp_drop_build)(struct X(spmat) *a);
/* The lists that go with ah: its n rows, and room for their product, on its device. */
PSB_MUST_CHECK psb_err X(sp_boundary)(psb_ipk n, const psb_ipk *rows, const struct psb_device *on,
                                      struct psb_dual *bnd, struct psb_dual *part);
/* Deal out what processes kept for others; in state BUILD a column that is new enlarges the halo.  Where one
 * fails, nothing has changed.  Collective. */
PSB_MUST_CHECK psb_err X(sp_fetch_remote)(struct X(spmat) *a);
/* Of nz entries keep those of rows owned elsewhere for their owners, where the matrix does that.  Local. */
PSB_MUST_CHECK psb_err X(sp_keep_far)(struct X(spmat) *a, psb_epk nz, const psb_lpk *ia, const psb_lpk *ja,
                                      const T *val);
/* psb_spins in state UPDATE in two steps, arguments checked: find where entries stand, which changes nothing
 * and is where it fails, and put their values there.  Local. */
PSB_MUST_CHECK psb_err X(sp_refill_find)(struct X(spmat) *a, psb_epk nz, const psb_lpk *ia, const psb_lpk *ja,
                                         const T *val);
PSB_MUST_CHECK psb_err X(sp_refill_put)(struct X(spmat) *a, const T *val);
/* What a refill has changed, in `new`, where that is another matrix than a; mold as in psb_spasb.  Local. */
PSB_MUST_CHECK psb_err X(sp_close_refill)(struct X(spmat) *a, const struct X(mat) *mold,
                                          struct X(spmat) *new);
/* psb_spmv_opt, arguments checked: where every row has one owner, and where rows or columns that this process
 * holds have several and op is transposed; which of the two it is. */
PSB_MUST_CHECK psb_err X(spmv_plain)(T alpha, struct X(spmat) *a, struct X(vect) *x, T beta,
                                     struct X(vect) *y, char trans, int halo_update);
PSB_MUST_CHECK psb_err X(spmv_over)(T alpha, struct X(spmat) *a, struct X(vect) *x, T beta, struct X(vect) *y,
                                    char trans, int halo_update);
int X(spmv_has_overlap)(const struct X(spmat) *a);
/* What psb_spmv asks of its arguments; for a process that cannot take part, which returns e: its neighbours
 * are told, where it is known who they are. */
PSB_MUST_CHECK psb_err X(spmv_check)(const struct X(spmat) *a, const struct X(vect) *x,
                                     const struct X(vect) *y, char trans);
PSB_MUST_CHECK psb_err X(spmv_decline)(T alpha, const struct X(spmat) *a, const struct X(vect) *x,
                                       const struct X(vect) *y, char trans, psb_err e);
