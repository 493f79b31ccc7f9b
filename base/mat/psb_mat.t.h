/* psb_mat.t.h -- base/mat: the abstract sparse matrix.
 *
 * A format is a struct whose first member is X(mat), one constant table of operations, and a mold: a
 * constant instance that holds the table and the format's parameters (padding limit, hack size, ...).
 * To convert into a format you pass its mold.  A format works, completely, with size, arrays (or clear),
 * from_coo (or build) and to_coo (or rows).
 *
 * A slot of storage, entries or products that is NULL is that of `super`; the root, X(root_mold), fills all
 * of them, through COO where nothing better is known.  The table dev is inherited as a whole: in a format
 * that has one of its own, a NULL slot is an operation that the device does not have.  So a format for a
 * device names its host format as `super`, and fills dev alone.
 *
 * Public calls on matrices: psb_mat_calls.t.h. */
struct X(mat);
struct X(coo_mat);
struct X(compressed);
struct X(vec_epilogue);
struct X(conversions);
struct psb_stencil;

/* Callback for n entries: val[k] is at row ia[k], column ja[k], 0 <= k < n.  It may change val only where the
 * caller of walk asked for that. */
typedef void X(visit)(void *job, psb_epk n, const psb_ipk *ia, const psb_ipk *ja, T *val);

/* Incomplete factors of a square matrix A on its device.  L, and U if it is not NULL, are unit triangles in
 * CSR on the same device, whose ones are not stored; their patterns contain that of A below and above its
 * diagonal.  Without U: A ~ L D L^H, and only the lower triangle of A is used. */
struct X(dev_ldu) {
    struct X(mat) *l, *u;
    uint64_t pattern; /* the hash that the pattern of A must have: see pattern_term.h */
    struct psb_dual *l_val, *u_val,
        *inv;        /* to be written on the device: values of L, of U, the inverse of D */
    double tiny;     /* see psb_factor_options */
    int sweeps;      /* the same */
    psb_epk boosted; /* result: the pivots that were replaced */
};

/* Entries in arrays of a caller on device `on`, with global indices that count from `base`, for a matrix of
 * rows x cols whose m rows here, and whose n columns owned here, are consecutive, from first_row and
 * first_col on. */
struct X(dev_coo) {
    const struct psb_device *on;
    psb_epk nz;
    const psb_lpk *ia, *ja;
    const T *val;
    psb_lpk base, rows, cols, first_row, first_col;
    psb_ipk m, n;
    /* Set by `split`: local numbers, row m for the nrest entries of other rows or columns; and these entries
     * on the host, with their positions, in memory of psb_alloc. */
    struct psb_dual i, j;
    psb_epk nrest, *rest;
    psb_lpk *rest_i, *rest_j;
    T *rest_val;
    /* Entries of other processes in local numbers, on the host: they come last; nfar have row m. */
    psb_epk more, nfar;
    psb_ipk *more_i, *more_j;
    const T *more_val;
    /* Set by `assemble`: the entries of the values in CSR; those of `more` are numbered from nz on. */
    struct psb_sources made;
};

/* What a device does in place of the slots of the host with the same names.  A NULL pointer, and PSB_ENOTIMPL
 * without a message, leave the work to the host, and a as it was. */
struct X(mat_dev_storage) {
    /* from_fmt and move_from_coo; b stays as it is. */
    psb_err (*convert)(struct X(mat) *a, struct X(mat) *b);
    psb_err (*copy)(struct X(mat) *a, struct X(mat) *b);
    /* from_coo for entries in any order; duplicates are merged as dupl says, in the order of the entries;
     * sets a->nnz to the number that remains.  b does not change.  The host sorts the entries first. */
    psb_err (*assemble)(struct X(mat) *a, const struct X(coo_mat) *b, enum psb_dupl dupl);
    /* Sort out the entries of c, which are on the device of this table.  PSB_EARG names an index out of
     * range; PSB_ENOTIMPL also if memory is lacking.  The caller frees what is set, after an error too. */
    psb_err (*split)(struct X(dev_coo) *c);
    /* assemble for the entries of c. */
    psb_err (*assemble_split)(struct X(mat) *a, struct X(dev_coo) *c, enum psb_dupl dupl);
    /* from_coo for the rows of a stencil, of which a, stored as CSR, has a->nnz entries. */
    psb_err (*stencil)(struct X(mat) *a, const struct psb_stencil *s);
    /* New values of a, which is stored as CSR: entry e is val[e], or more[e - nz] from nz on, on the device;
     * those of one value are added, or the last one is kept. */
    psb_err (*refill)(struct X(mat) *a, const struct psb_sources *s, psb_epk nz, const T *val, const T *more,
                      bool overwrite);
    /* d is on side s. */
    psb_err (*get_diag)(struct X(mat) *a, psb_ipk n, int ones, enum psb_side s, T *d);
    psb_err (*scale)(struct X(mat) *a, T s, const T *left, const T *right);
    psb_err (*zero_vals)(struct X(mat) *a);
    psb_err (*csput)(struct X(mat) *a, psb_epk nz, const psb_ipk *ia, const psb_ipk *ja, const T *val,
                     enum psb_dupl dupl);
    /* The calls of these names, and the part q of a, for matrices on one device: a new matrix in state ASB,
     * with the bits that the host would compute, in the format of mold, NULL: CSR on the device.  `again`
     * computes the values of c, CSR on the device with the pattern of a b; PSB_ESTATE if it has not all
     * entries of a b: then its values are undefined. */
    psb_err (*spspmm)(struct X(mat) *a, struct X(mat) *b, const struct X(mat) *mold, struct X(mat) **c);
    psb_err (*spspmm_again)(struct X(mat) *a, struct X(mat) *b, struct X(mat) *c);
    psb_err (*spaxpby)(T alpha, struct X(mat) *a, T beta, struct X(mat) *b, const struct X(mat) *mold,
                       struct X(mat) **c);
    psb_err (*transp)(struct X(mat) *a, bool conjugate, const struct X(mat) *mold, struct X(mat) **b);
    psb_err (*cut)(struct X(mat) *a, const struct psb_cut *q, const struct X(mat) *mold, struct X(mat) **b);
    /* As `cut`: X(mat_select). */
    psb_err (*select)(struct X(mat) *a, psb_ipk m, const struct psb_dual *rows, psb_ipk n,
                      const struct psb_dual *place, const struct X(mat) *mold, struct X(mat) **b);
    /* S of X(smoothing), aggregate.t.h, for a without columns of other processes, d on the device: create *s,
     * or, if it is not NULL, compute its values, and ignore theta.  aggregate: create *p0, as many rows as S,
     * a column for each aggregate, with a one for each row that is in it.  Both in CSR on the device. */
    psb_err (*smoothing)(struct X(mat) *a, const T *d, double theta, R omega, struct X(mat) **s);
    psb_err (*aggregate)(struct X(mat) *s, struct X(mat) **p0);
    /* *sum as X(mat_pattern_sum). */
    psb_err (*pattern_sum)(struct X(mat) *a, uint64_t *sum);
    /* The greedy colours of the rows of a, n[0] of them, in order of their numbers or, with by_degree, of
     * descending numbers of entries first, in a new array on the device, which the caller frees, after an
     * error too; -1: the pattern is not symmetric, or has an entry twice.  No colouring has fewer than n[1]. */
    psb_err (*colours)(struct X(mat) *a, bool by_degree, struct psb_dual *colour, psb_ipk n[2]);
    /* w[c m + d] += the entries (i, j) with colour[i] = c, colour[j] = d, of m <= PSB_COUPLED colours. */
    psb_err (*couplings)(struct X(mat) *a, const struct psb_dual *colour, int m, psb_lpk *w);
    /* As `cut`: what psb_mat_prune keeps of a; the pattern of `mask` with the values of a there, or 0; the
     * Kronecker product with a k x l block in host memory. */
    psb_err (*prune)(struct X(mat) *a, enum psb_prune rule, R t, bool diagonal, const struct X(mat) *mold,
                     struct X(mat) **b);
    psb_err (*masked)(struct X(mat) *a, struct X(mat) *mask, const struct X(mat) *mold, struct X(mat) **b);
    psb_err (*kron)(struct X(mat) *a, psb_ipk k, psb_ipk l, const T *block, const struct X(mat) *mold,
                    struct X(mat) **b);
};

/* The operations of a format on a device.  A format inherits the table as a whole: what is NULL is not looked
 * up further. */
struct X(mat_dev_ops) {
    /* The device that may hold a second copy of the format's arrays; a result of NULL: none. */
    const struct psb_device *(*device)(void);
    /* Free, and count in bytes, what the format keeps besides its arrays, as plans of products.  NULL:
     * nothing. */
    void (*clear)(struct X(mat) *a);
    size_t (*bytes)(const struct X(mat) *a);
    /* Conversions and changes of values on that device; NULL: all on the host. */
    const struct X(mat_dev_storage) *storage;
    /* How the device makes the format of CSR, a table for `storage` in the library that has the device. */
    const struct X(conversions) *conversions;
    /* csmm with op(A) = A, where x and y are on the device of a, which also holds the arrays of a.
     * NULL: products run on the host. */
    psb_err (*csmm)(T alpha, struct X(mat) *a, psb_ipk k, const T *x, T beta, T *y);
    /* csmm for one column, and the epilogue t of y in the same pass; `sum` as in the operation `epilogue`
     * of X(vec_ops).  NULL: csmm, then that operation. */
    psb_err (*csmv_fused)(T alpha, struct X(mat) *a, const T *x, T beta, T *y,
                          const struct X(vec_epilogue) *t, double *sum);
    bool fuses_from; /* it may have t->from, since it reads and writes a row of y once */
    /* y[rows[i]] += alpha (A x)_i for every row i of a, one column, on the device of a; rows[] are distinct;
     * x is there after the arrival that *wait names (NULL: at once), which is waited for after errors, too.
     * And in the same pass, if t is not NULL, the last part of its dot products: those of the listed rows,
     * where a factor y stands for what is added to it, and others are as long as y; t has neither z nor u.
     * NULL: csmm into a buffer, then scatter_add of X(vec_ops); dot products are not computed in one pass. */
    psb_err (*csmv_add)(T alpha, struct X(mat) *a, const T *x, const struct psb_awaited *wait,
                        const psb_ipk *rows, T *y, const struct X(vec_epilogue) *t);
    /* The mold for op(A) != A on the device: the first such product or solve makes a transposed second copy
     * of a with this mold, and later ones renew it after values have changed.  NULL: these products and
     * solves run on the host.  Also the mold of the columns of other processes in a distributed matrix
     * (mat_halo_mold). */
    const struct X(mat) *transposed;
    /* y = alpha D A^-1 x + beta y (side 'L') or y = alpha A^-1 D x + beta y ('R') for k columns, where x, d
     * and y are on the device of a, which also holds the arrays of a; otherwise as psb_?_mat_cssm, with
     * errors as in cssm.  by_cols: a is a transposed copy, whose rows are columns in messages. */
    psb_err (*cssm)(T alpha, struct X(mat) *a, psb_ipk k, const T *x, T beta, T *y, char side, const T *d,
                    bool by_cols);
    /* For formats without cssm, the mold, derived from CSR, of a second copy of a that solves on the
     * device: made by the first solve, renewed after values have changed.  NULL: solves run on the host. */
    const struct X(mat) *solver;
    /* Compute the values of the factors f of a on the device, with the bits that the host would compute.
     * PSB_ENOTIMPL if the host should do it: the values of a are not on the device, a is small, the pattern
     * differs, or a pivot would be an error.  After an error the values to be written are undefined; nothing
     * else has changed.  NULL: the host computes factors. */
    psb_err (*factor)(struct X(mat) *a, struct X(dev_ldu) *f);
    /* The array of values, whose changes leave the pattern as it is.  NULL: no array does. */
    struct psb_dual *(*values)(struct X(mat) *a);
};

/* Storage, and conversions. */
struct X(mat_storage) {
    /* Free all storage; parameters stay.  The root frees the arrays. */
    void (*clear)(struct X(mat) *a);
    /* Bytes of storage, counting one copy.  The root counts the arrays, or triplets if the format has no
     * arrays. */
    size_t (*bytes)(const struct X(mat) *a);
    /* Store pointers to all arrays, at most PSB_MOST_ARRAYS, in `list`, also for an empty matrix; return
     * their number.  A format with a table `dev`, or its super, must fill this slot.  The root returns 0:
     * everything is on the host. */
    int (*arrays)(struct X(mat) *a, struct psb_dual **list);
    /* Release memory that is reserved but not used. */
    psb_err (*trim)(struct X(mat) *a);
    /* The storage order of the entries.  The root returns PSB_BY_ROWS. */
    enum psb_order (*order)(const struct X(mat) *a);

    /* Fill a with the entries of `rows`, under the conditions of from_coo; `rows` is only read.  A format
     * that fills this slot needs neither from_coo nor from_fmt: the root implements both by build, and rows
     * of a CSR matrix are passed on without conversion to triplets. */
    psb_err (*build)(struct X(mat) *a, const struct X(compressed) *rows);
    /* Fill a with the entries of b, which are ordered by rows and by columns within a row; duplicates may
     * occur.  The sizes of a are set, and a has no storage.  b does not change.  A format that refuses
     * returns PSB_EPADDING before it allocates memory.  The root: build. */
    psb_err (*from_coo)(struct X(mat) *a, const struct X(coo_mat) *b);
    /* from_coo, but a may keep the arrays of b: afterwards b is empty, or unchanged.  The root: from_coo. */
    psb_err (*move_from_coo)(struct X(mat) *a, struct X(coo_mat) *b);
    /* Fill b, which has its sizes and no entries, with the entries of a, ordered by rows.  The root: the slot
     * rows. */
    psb_err (*to_coo)(struct X(mat) *a, struct X(coo_mat) *b);
    /* Direct conversion from another format; a as in from_coo.  The root: build if b is CSR, else from_coo.
     */
    psb_err (*from_fmt)(struct X(mat) *a, struct X(mat) *b);
    /* Fill a, as in from_coo, with a copy of the storage of b, which has the same format.  The root:
     * from_fmt. */
    psb_err (*copy)(struct X(mat) *a, struct X(mat) *b);

    /* *bytes = the storage, in one copy, of a with these rows: what the slot `bytes` counts after build.  a
     * is as in build; the caller clears it afterwards.  PSB_EPADDING if build would refuse the rows.  The
     * root returns PSB_ENOTIMPL and records no message: AUTO and TUNED do not consider the format. */
    psb_err (*weigh)(struct X(mat) *a, const struct X(compressed) *rows, double *bytes);
    /* For a mold that selects a format (AUTO, TUNED): *chosen is the mold to convert a with.  NULL in
     * formats. */
    psb_err (*choose)(const struct X(mat) *mold, struct X(mat) *a, const struct X(mat) **chosen);
};

/* The entries, on the host. */
struct X(mat_entries) {
    /* Call visit for all entries, in runs, in storage order; visit may change values if `change` is set.  On
     * error nothing has changed. */
    psb_err (*walk)(struct X(mat) *a, bool change, X(visit) *visit, void *job);
    /* The rows lo <= i < hi.  If b is NULL, ptr[i - lo] = the number of entries in rows lo .. i-1, for lo <=
     * i
     * <= hi; else ptr is NULL: fill b, which has its sizes and no entries, with the entries, ordered by rows.
     */
    psb_err (*rows)(struct X(mat) *a, psb_ipk lo, psb_ipk hi, psb_epk *ptr, struct X(coo_mat) *b);
    /* d[i] = `ones` (0 or 1) plus the diagonal entries of row i, added in storage order, for i < n.  On error
     * d is unchanged.  The root: a walk. */
    psb_err (*get_diag)(struct X(mat) *a, psb_ipk n, int ones, T *d);
    /* Multiply every value by s; or, if left is not NULL, replace val by left[row] * val; or, if right is not
     * NULL, by val * right[column].  On error nothing has changed.  The root: a walk. */
    psb_err (*scale)(struct X(mat) *a, T s, const T *left, const T *right);
    /* Set every stored value to 0; the pattern does not change. */
    psb_err (*zero_vals)(struct X(mat) *a);
    /* For k < nz, add val[k] to the stored entry at row ia[k], column ja[k] (PSB_DUPL_ADD), or replace its
     * value (PSB_DUPL_OVERWRITE).  Indices are within the sizes.  If an entry is stored twice the first one
     * changes.  PSB_EARG names an entry that is not stored; then nothing has changed.  If val is NULL, only
     * check that all entries are stored. */
    psb_err (*csput)(struct X(mat) *a, psb_epk nz, const psb_ipk *ia, const psb_ipk *ja, const T *val,
                     enum psb_dupl dupl);
};

/* Products and solves on the host. */
struct X(mat_products) {
    /* y = alpha op(A) x + beta y on the host; op by trans: A for 'N', transposed for 'T', conjugate
     * transposed for 'C'.  alpha != 0; if beta == 0, y is not read; x and y do not overlap.  Padding must not
     * affect y, even where x is not finite. */
    psb_err (*csmv)(T alpha, struct X(mat) *a, const T *x, T beta, T *y, char trans);
    /* csmv for k columns at once; element (i, j) of x and y is at i * k + j. */
    psb_err (*csmm)(T alpha, struct X(mat) *a, psb_ipk k, const T *x, T beta, T *y, char trans);
    /* y = op(A)^-1 D x for k columns laid out as in csmm; A is a square triangle, described by the flags of
     * a; d are the elements of the diagonal D, NULL for ones; y may be x.  A zero or missing diagonal entry,
     * or an entry outside the triangle, is an error that names it; then y is undefined. */
    psb_err (*cssm)(struct X(mat) *a, psb_ipk k, const T *x, const T *d, T *y, char trans);
};

struct X(mat_ops) {
    const struct X(mat) *super; /* the mold of the format that this one refines */
    const char *fmt;            /* "CSR", "ELL", "ELG", ... */
    size_t size;                /* of the concrete struct */
    struct X(mat_storage) storage;
    struct X(mat_entries) entries;
    struct X(mat_products) products;
    const struct X(mat_dev_ops) *dev; /* that of the root has no device */
};

struct X(mat) {
    unsigned mark; /* see psb_handle.h */
    const struct X(mat_ops) *ops;
    psb_ipk nrows, ncols;
    psb_epk nnz;
    const struct psb_device *on; /* the device that mirrors the arrays, or NULL */
    const struct X(mat) *mold;   /* a copy of the mold that a was made from; NULL in a mold */
    struct X(mat) *transposed;   /* op(A) for op transposed_op, made when the arrays had the number of changes
                                    transposed_at; or NULL */
    unsigned long transposed_at, transposed_pattern_at; /* transposed_pattern_at: without changes of values */
    char transposed_op;
    struct X(mat)
        *rows; /* a in CSR for solves, made when the arrays had the number of changes rows_at; or NULL */
    unsigned long rows_at, rows_pattern_at;
    uint64_t pattern_sum; /* see X(mat_pattern_sum), after pattern_sum_at changes of the pattern; */
    unsigned long pattern_sum_at;
    bool has_pattern_sum;         /* if this is set */
    struct psb_solve_plan *solve; /* of solves with a as a triangle; or NULL */
    struct psb_mat_flags is;      /* state and properties */
};

extern const struct X(mat) X(root_mold);

/* --- inside: for formats ----------------------------------------------------------------------------- */

/* PSB_EARG if mold is NULL, in a message that tells the name which psb_?_mat_by_name did not find last.
 * Local. */
PSB_MUST_CHECK psb_err X(need_mold)(const struct X(mat) *mold);
/* The same for a mold that may be NULL, unless psb_?_mat_by_name did not find a name after the last call of
 * this, or of _forget_name.  Local. */
PSB_MUST_CHECK psb_err X(optional_mold)(const struct X(mat) *mold);
void X(forget_name)(void);
/* PSB_EARG if nz < 0, or if nz > 0 and one of the arrays of entries is NULL, which the message names.  Local.
 */
PSB_MUST_CHECK psb_err X(need_entries)(psb_epk nz, const void *ia, const void *ja, const void *val);
/* An empty matrix of the mold's format, with its parameters and these sizes; state BLD. */
PSB_MUST_CHECK psb_err X(mat_new)(const struct X(mat) *mold, psb_ipk nrows, psb_ipk ncols, psb_epk nnz,
                                  struct X(mat) **a);
/* Fill a, as in from_coo, with the entries of b, which is empty afterwards or unchanged: by the device of a,
 * or by the slot move_from_coo. */
PSB_MUST_CHECK psb_err X(mat_fill_from_coo)(struct X(mat) *a, struct X(coo_mat) *b);
/* The slot csput for nz >= 0 entries, or the same by the device of a. */
PSB_MUST_CHECK psb_err X(mat_put)(struct X(mat) *a, psb_epk nz, const psb_ipk *ia, const psb_ipk *ja,
                                  const T *val, enum psb_dupl dupl);
/* The last step in making b returned e: *a = b, or free b if e is an error.  Returns e. */
static inline psb_err X(mat_made)(psb_err e, struct X(mat) *b, struct X(mat) **a)
{
    if (e == PSB_OK)
        *a = b;
    else
        X(mat_free)(b);
    return e;
}
/* Convert *a to the format of mold, unless it has that format or mold is NULL; after an error *a is as it
 * was. */
PSB_MUST_CHECK static inline psb_err X(mat_in_format)(struct X(mat) **a, const struct X(mat) *mold)
{
    return mold && mold->ops != (*a)->ops ? X(mat_cscnv)(a, mold) : PSB_OK;
}
/* psb_mat_get_diag by the device of a, on which d is.  PSB_ENOTIMPL without a message leaves it to the host.
 */
PSB_MUST_CHECK psb_err X(mat_dev_diag)(const struct X(mat) *a, T *d);
/* The slots get_diag and scale of the root. */
PSB_MUST_CHECK psb_err X(walk_diag)(struct X(mat) *a, psb_ipk n, int ones, T *d);
PSB_MUST_CHECK psb_err X(walk_scale)(struct X(mat) *a, T s, const T *left, const T *right);
/* *b = a new COO matrix: the stored entries of a, ordered by rows and columns; the implied ones of a unit
 * triangle are not included. */
PSB_MUST_CHECK psb_err X(mat_as_coo)(const struct X(mat) *a, struct X(coo_mat) **b);
/* mat_as_coo for rows lo <= i < hi, including the implied diagonal of a unit triangle. */
PSB_MUST_CHECK psb_err X(mat_entries)(const struct X(mat) *a, psb_ipk lo, psb_ipk hi, struct X(coo_mat) **b);
/* at = row and column, from 0, of the first element in which a and b of the same sizes differ by more than
 * tol; -1 if there is none. */
PSB_MUST_CHECK psb_err X(mat_first_difference)(const struct X(mat) *a, const struct X(mat) *b, R tol,
                                               psb_ipk at[2]);
/* Replace the sizes and entries of a by those of b, which is ordered; format and parameters of a stay.  On
 * error a is unchanged. */
PSB_MUST_CHECK psb_err X(mat_replace)(struct X(mat) *a, const struct X(coo_mat) *b);
/* Replace the sizes and arrays of a by those of b, of the same format and parameters, which is freed. */
void X(mat_become)(struct X(mat) *a, struct X(mat) *b);
/* Return a, which a call only reads, for slots: they may change what is not part of its value, as which
 * copies of its arrays are current, and the transposed and CSR copies that it keeps.  Local. */
static inline struct X(mat) *X(mat_mutable)(const struct X(mat) *a)
{
    return (struct X(mat) *)a;
}
/* The operations of a's format on its device. */
static inline const struct X(mat_dev_ops) *X(mat_dev)(const struct X(mat) *a)
{
    PSB_WITH_SLOT(k, a, dev);
    return k->dev;
}
/* The arrays of a, as in the slot. */
static inline int X(mat_arrays)(const struct X(mat) *a, struct psb_dual **list)
{
    PSB_WITH_SLOT(k, a, storage.arrays);
    return k->storage.arrays(X(mat_mutable)(a), list);
}
/* The length of the diagonal of a. */
static inline psb_ipk X(mat_diagonal)(const struct X(mat) *a)
{
    return a->nrows < a->ncols ? a->nrows : a->ncols;
}
/* Is a a unit triangle, whose diagonal of ones is not stored? */
static inline bool X(mat_has_ones)(const struct X(mat) *a)
{
    return a->is.triangle && a->is.unit;
}
/* X(csr_view), with the diagonal of a unit triangle among the entries of *l. */
PSB_MUST_CHECK psb_err X(mat_full_rows)(const struct X(mat) *a, struct X(compressed) *l,
                                        struct X(mat) **made);
/* Is the format of a that of `mold`, or one that refines it? */
static inline bool X(mat_refines)(const struct X(mat) *a, const struct X(mat) *mold)
{
    const struct X(mat_ops) *k = a->ops;
    while (k->super && k != mold->ops)
        k = k->super->ops;
    return k == mold->ops;
}
/* PSB_EARG unless trans is 'N', 'T' or 'C'.  Local. */
PSB_MUST_CHECK psb_err X(check_trans)(char trans);
/* X(mat_csmm) with x and y on side s. */
PSB_MUST_CHECK psb_err X(mat_mm_on)(enum psb_side s, T alpha, const struct X(mat) *a, psb_ipk k, const T *x,
                                    T beta, T *y, char trans);
/* y[rows[i]] += alpha (A x)_i on side s, k columns; rows[] are distinct; part is as long as A x.  x is there
 * after the arrival that *wait names (NULL: at once), which is waited for after errors, too. */
PSB_MUST_CHECK psb_err X(mat_mm_add)(enum psb_side s, T alpha, const struct X(mat) *a, psb_ipk k, const T *x,
                                     const struct psb_awaited *wait, const psb_ipk *rows, T *y, T *part);
/* csmv_add of the device of a, which has entries; X(mat_adds_fused): does a have it, or no entries? */
PSB_MUST_CHECK psb_err X(mat_mv_add)(T alpha, const struct X(mat) *a, const T *x,
                                     const struct psb_awaited *wait, const psb_ipk *rows, T *y,
                                     const struct X(vec_epilogue) *t);
bool X(mat_adds_fused)(const struct X(mat) *a);
/* The mold for the columns of other processes in a distributed matrix that is made with `mold`: on a device
 * `transposed` of its table, since their rows are few and of unlike lengths; on the host the same. */
const struct X(mat) *X(mat_halo_mold)(const struct X(mat) *mold);
/* As psb_mat_convert for the entries in these columns; halo_mold NULL: as X(mat_halo_mold), or CSR where that
 * refuses to pad. */
PSB_MUST_CHECK psb_err X(mat_convert_halo)(const struct X(mat) *a, const struct X(mat) *mold,
                                           const struct X(mat) *halo_mold, struct X(mat) **b);
/* y = alpha A x + beta y, one column, on a's device, and its epilogue, in one pass where a's format can. */
PSB_MUST_CHECK psb_err X(mat_mv_fused)(T alpha, const struct X(mat) *a, const T *x, T beta, T *y,
                                       const struct X(vec_epilogue) *t, double *sum);
/* *partial = device memory for the sums of n blocks of threads, 2 PSB_MOST_DOTS numbers for each block;
 * memory of the previous product is used again if it is large enough.  *partial is NULL if t has no dot
 * products. */
PSB_MUST_CHECK psb_err X(epilogue_scratch)(const struct X(vec_epilogue) *t, const struct X(mat) *a, psb_epk n,
                                           double **partial);
/* Does a, which is on a device, solve there, by trans 'N' or transposed?  Local. */
bool X(mat_solves_on_device)(const struct X(mat) *a, char trans);
/* X(mat_cssm) with x, d and y on a's device.  Local. */
PSB_MUST_CHECK psb_err X(mat_sm_dev)(T alpha, const struct X(mat) *a, psb_ipk k, const T *x, T beta, T *y,
                                     char trans, char side, const T *d);
/* *b = op(A) for op 'T' or 'C', in the format of `transposed` of the device's table, else in that of a; a
 * keeps and owns it. */
PSB_MUST_CHECK psb_err X(mat_transposed)(struct X(mat) *a, char op, struct X(mat) **b);
/* *b = a in CSR, for a format that has arrays, or in the format of `solver` of the device's table if a is on
 * a device; a keeps and owns it. */
PSB_MUST_CHECK psb_err X(mat_kept_rows)(struct X(mat) *a, struct X(mat) **b);
/* *sum = a number that tells patterns of equal sizes apart: the sum of psb_pattern_term over all entries,
 * those of the implied diagonal too.  a keeps it until its pattern changes, in formats that count changes. */
PSB_MUST_CHECK psb_err X(mat_pattern_sum)(const struct X(mat) *a, uint64_t *sum);
/* Let b, which has the pattern of a, have the sum that a keeps. */
void X(mat_same_pattern)(const struct X(mat) *a, struct X(mat) *b);
/* Can X(mat_add_values) add a and b: CSR or CSC on the host, with the same pattern, no entry stored twice,
 * and the values of b not those of the caller?  It computes b = alpha a + beta b in the arrays of b, with the
 * bits of psb_mat_spaxpby, and does not fail. */
bool X(mat_adds_values)(const struct X(mat) *a, const struct X(mat) *b);
PSB_MUST_CHECK psb_err X(mat_add_values)(T alpha, const struct X(mat) *a, T beta, struct X(mat) *b);
/* *b = the part c of a, whose block is within a, in the format of a, without flags. */
PSB_MUST_CHECK psb_err X(mat_cut)(const struct X(mat) *a, const struct psb_cut *c, struct X(mat) **b);
/* *b = a matrix in the format of a, without flags: row i is row rows[i] of a, of m, and column j of a becomes
 * column place[j], of n, unless that is -1; rows or place NULL: in the order of a. */
PSB_MUST_CHECK psb_err X(mat_select)(const struct X(mat) *a, psb_ipk m, const struct psb_dual *rows,
                                     psb_ipk n, const struct psb_dual *place, struct X(mat) **b);
/* X(mat_cut) for a matrix stored as CSR, by threads of the host. */
PSB_MUST_CHECK psb_err X(mat_cut_rows)(const struct X(mat) *a, const struct psb_cut *c, struct X(mat) **b);
/* *a = the rows of s over the columns s->first to s->first + s->m - 1, in the format of mold: made on its
 * device, unless that declines, else by threads of the host. */
PSB_MUST_CHECK psb_err X(mat_stencil)(const struct psb_stencil *s, const struct X(mat) *mold,
                                      struct X(mat) **a);
/* Free the storage of a, and the matrices made from it. */
void X(mat_empty)(struct X(mat) *a);
/* Matrix Market text: print_head writes everything before the entries of an m x n matrix with nz entries,
 * print_entry one entry; its indices count from 0.  Negative if writing failed, as fprintf. */
int X(print_head)(FILE *to, psb_lpk m, psb_lpk n, psb_epk nz, const char *header);
int X(print_entry)(FILE *to, psb_lpk i, psb_lpk j, T v);
