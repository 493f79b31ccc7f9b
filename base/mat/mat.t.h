/* mat.t.h -- room: base/mat.  The abstract sparse matrix.
 *
 * A format is a struct whose first member is X(mat), one constant table of operations, and a mold: a
 * constant instance that holds the table and the format's parameters (padding limit, hack size, ...).
 * To convert into a format you pass its mold.  A NULL slot is inherited from `super`; the root,
 * X(root_mold), fills every slot, through COO where nothing better is known, so the search always ends.
 * A format works, completely, with size, arrays (or clear), from_coo (or build) and to_coo.
 *
 * What callers may do with a matrix stands in mat_calls.t.h. */
struct X(mat);
struct X(coo_mat);
struct X(compressed);
struct X(vect);
struct X(tail);
struct X(conversions);

/* What is to be done with n entries, val[k] at row ia[k], column ja[k]. */
typedef void X(visit)(void *job, psb_epk n, const psb_ipk *ia, const psb_ipk *ja, T *val);

struct X(mat_ops) {
    const struct X(mat) *super; /* the mold of the format that this one refines */
    const char *fmt;            /* "CSR", "ELL", "ELG", ... */
    size_t size;                /* of the concrete struct */

    /* Where this format's arrays may have a second copy; NULL, or a result of NULL: nowhere. */
    const struct psb_device *(*device)(void);
    /* Conversions on that device, a table of the room that has the device; NULL: none. */
    const struct X(conversions) *conversions;

    /* Release storage; parameters stay.  The root: that of the arrays. */
    void (*clear)(struct X(mat) *a);
    /* Bytes of storage, one copy.  The root: those of the arrays, of triplets where there are none. */
    size_t (*bytes)(const struct X(mat) *a);
    /* The arrays, at most PSB_MOST_ARRAYS of them, in list, also of an empty matrix; returns how many.  A
     * mirror must fill this, or its super; the root has none: all is on the host. */
    int (*arrays)(struct X(mat) *a, struct psb_dual **list);
    /* Give back memory that is reserved and holds nothing. */
    psb_err (*trim)(struct X(mat) *a);
    /* The order that the entries lie in; the root says PSB_BY_ROWS. */
    enum psb_order (*order)(const struct X(mat) *a);

    /* a takes the entries of `rows`, as from_coo does; these are read only.  Formats that fill this need no
     * from_coo and no from_fmt: the root's call it, and those of CSR become no triplets on the way. */
    psb_err (*build)(struct X(mat) *a, const struct X(compressed) *rows);
    /* a takes the entries of b, which are ordered by rows and by columns within (equals may occur).  a has
     * its sizes, and no storage.  b is left as it was.  Refuse with PSB_EPADDING before taking memory. The
     * root: build. */
    psb_err (*from_coo)(struct X(mat) *a, const struct X(coo_mat) *b);
    /* The same, and b may lose its arrays: it is empty then, or as it was.  The root: from_coo. */
    psb_err (*move_from_coo)(struct X(mat) *a, struct X(coo_mat) *b);
    /* take, of entries in any order, equals made one as dupl says, in the order they come; a->nnz says how
     * many remain.  PSB_ENOTIMPL where the caller had better order them: then b, and else too, is as it was.
     * The root: PSB_ENOTIMPL, nothing said. */
    psb_err (*assemble)(struct X(mat) *a, const struct X(coo_mat) *b, enum psb_dupl dupl);
    /* b, empty but for its sizes, takes the entries of a, ordered by rows. */
    psb_err (*to_coo)(struct X(mat) *a, struct X(coo_mat) *b);
    /* The shortcut between two formats; a as in from_coo.  The root: from_coo, or build where b is CSR. */
    psb_err (*from_fmt)(struct X(mat) *a, struct X(mat) *b);
    /* a, as in from_coo, takes what b of the same format holds, as it lies there.  The root: from_fmt. */
    psb_err (*copy)(struct X(mat) *a, struct X(mat) *b);

    /* What a product would cost if a, as in build, took these rows; a is cleared afterwards, by the caller.
     * PSB_EPADDING where build would refuse them.  The root: PSB_ENOTIMPL. */
    psb_err (*forecast)(struct X(mat) *a, const struct X(compressed) *rows, struct psb_forecast *f);
    /* Of a mold that stands for others: the one that a is to be converted with.  NULL in formats. */
    psb_err (*choose)(const struct X(mat) *mold, struct X(mat) *a, const struct X(mat) **chosen);

    /* Call visit for all entries, in runs, in the order they lie in; it may change values where `change`.  On
     * error nothing has changed. */
    psb_err (*walk)(struct X(mat) *a, int change, X(visit) *visit, void *job);
    /* b, empty but for its sizes, takes the entries of rows lo <= i < hi, ordered by rows. */
    psb_err (*rows)(struct X(mat) *a, psb_ipk lo, psb_ipk hi, struct X(coo_mat) *b);
    /* ptr[i - lo] = the entries of rows lo .. i-1, lo <= i <= hi. */
    psb_err (*get_ptr)(struct X(mat) *a, psb_ipk lo, psb_ipk hi, psb_epk *ptr);
    /* d[i] = `ones`, 0 or 1, and the entries of row i on the diagonal, added in the order they lie in, i < n.
     * On error d is as it was.  The root: a walk. */
    psb_err (*get_diag)(struct X(mat) *a, psb_ipk n, int ones, T *d);
    /* Every value is multiplied by s; or, where one of them is not NULL, left[row] by it, it by
     * right[column]. On error nothing has changed.  The root: a walk. */
    psb_err (*scale)(struct X(mat) *a, T s, const T *left, const T *right);
    /* Every stored value becomes 0; the pattern stays where it is. */
    psb_err (*zero_vals)(struct X(mat) *a);
    /* Entries ia[k], ja[k], within the sizes, that a has take the values val[k], k < nz, added to what is
     * there or (PSB_DUPL_OVERWRITE) instead of it; where a place is stored twice its first entry does.  One
     * that a lacks is an error naming it, and nothing has changed.  val NULL: entries are only looked for. */
    psb_err (*csput)(struct X(mat) *a, psb_epk nz, const psb_ipk *ia, const psb_ipk *ja, const T *val,
                     enum psb_dupl dupl);

    /* y = alpha op(A) x + beta y on the host; op by trans: 'N' A, 'T' transposed, 'C' its conjugate.
     * alpha != 0; beta == 0 does not read y; x and y do not overlap.  What a format pads with must not
     * touch y, whatever is in x. */
    psb_err (*csmv)(T alpha, struct X(mat) *a, const T *x, T beta, T *y, char trans);
    /* The same for k columns at once, element (i, j) of x and y at i * k + j. */
    psb_err (*csmm)(T alpha, struct X(mat) *a, psb_ipk k, const T *x, T beta, T *y, char trans);
    /* x = op(A)^-1 x, k columns as in csmm, for a square triangle, what a's flags say.  A zero on the
     * diagonal, or an entry outside the triangle, is an error that names it, and x is as it was. */
    psb_err (*cssm)(struct X(mat) *a, psb_ipk k, T *x, char trans);
    /* csmm where x and y, and so the arrays of a, lie on a's device; op(A) is A. */
    psb_err (*csmm_dev)(T alpha, struct X(mat) *a, psb_ipk k, const T *x, T beta, T *y);
    /* csmm_dev of one column, and the tail of y in the same pass; sum as X(vec_ops)'s epilogue has it.  NULL:
     * csmm_dev, then that. */
    psb_err (*csmv_fused_dev)(T alpha, struct X(mat) *a, const T *x, T beta, T *y, const struct X(tail) *t,
                              double *sum);
    /* Beside it, the mold of what a product with another op(A) is made of there, a second copy of a that is
     * turned, made by the first such product and again after values have changed; NULL: the host does them.
     */
    const struct X(mat) *transposed;
};

struct X(mat) {
    const struct X(mat_ops) *ops;
    psb_ipk nrows, ncols;
    psb_epk nnz;
    const struct psb_device *on; /* where its arrays are mirrored, or NULL */
    const struct X(mat) *mold;   /* a copy of the mold it was made of; NULL in a mold */
    struct X(mat) *transposed;   /* op(A), op transposed_op, as of so many changes of a's arrays; or NULL */
    unsigned long transposed_at;
    char transposed_op;
    struct X(mat) *rows; /* a in CSR, as of so many changes, made by the first solve; or NULL */
    unsigned long rows_at;
    struct psb_mat_flags is; /* what holds of it */
};

extern const struct X(mat) X(root_mold);

/* A new matrix *b equal to a, stored as mold says; a keeps its contents.  A matrix is the mold of its own
 * format.  On error *b is untouched.  PSB_EPADDING where the format would pad beyond the mold's limit. Local.
 */
PSB_MUST_CHECK psb_err X(mat_convert)(struct X(mat) *a, const struct X(mat) *mold, struct X(mat) **b);

/* The same in place: *a is freed and becomes the new matrix; from ordered COO to CSR without a copy of
 * columns and values.  On error it is as it was.  Local. */
PSB_MUST_CHECK psb_err X(mat_cscnv)(struct X(mat) **a, const struct X(mat) *mold);

/* A new matrix *b, the same in every respect.  Local. */
PSB_MUST_CHECK psb_err X(mat_clone)(struct X(mat) *a, struct X(mat) **b);

/* Free a matrix; NULL is fine.  Local. */
void X(mat_free)(struct X(mat) *a);

/* Bytes of storage, one copy; 0 for NULL.  With them those of the second matrices that a keeps: what is
 * turned, of products with op T or C on a device; rows, of solves in other formats than CSR and CSC.  Local.
 */
size_t X(mat_bytes)(const struct X(mat) *a);

/* --- the register of formats ------------------------------------------------------------------------ */

/* Make a format known by its name, its fmt, case aside; once or again.  PSB_EARG for a name that is taken.
 * `mold` must live as long as the program.  Local. */
PSB_MUST_CHECK psb_err X(mat_register)(const struct X(mat) *mold);

/* The mold registered by that name, case aside; NULL, with an error recorded that lists the names there are,
 * for any other.  Local. */
const struct X(mat) *X(mat_by_name)(const char *name);

/* The i-th registered mold of those that are formats and do not stand for others, NULL past the last.  Local.
 */
const struct X(mat) *X(mat_format)(int i);

/* Has the format of a its own csput and zero_vals, so that values can be replaced where they lie?  0 for
 * NULL. Local. */
int X(mat_can_put)(const struct X(mat) *a);

/* --- inside: for formats ----------------------------------------------------------------------------- */

/* An empty matrix of the mold's format, with its parameters and these sizes; state BLD. */
PSB_MUST_CHECK psb_err X(mat_new)(const struct X(mat) *mold, psb_ipk nrows, psb_ipk ncols, psb_epk nnz,
                                  struct X(mat) **a);
/* What the root does in its slots get_diag and scale. */
PSB_MUST_CHECK psb_err X(walk_diag)(struct X(mat) *a, psb_ipk n, int ones, T *d);
PSB_MUST_CHECK psb_err X(walk_scale)(struct X(mat) *a, T s, const T *left, const T *right);
/* A new COO matrix: the entries of a ordered by rows and columns, as stored; without what a unit triangle
 * does not store. */
PSB_MUST_CHECK psb_err X(mat_as_coo)(struct X(mat) *a, struct X(coo_mat) **b);
/* The same of rows lo <= i < hi, of all that a means: with the diagonal of a unit triangle. */
PSB_MUST_CHECK psb_err X(mat_entries)(struct X(mat) *a, psb_ipk lo, psb_ipk hi, struct X(coo_mat) **b);
/* a, whose format and parameters stay, takes the sizes and the entries of b, ordered; on error it is as it
 * was.
 */
PSB_MUST_CHECK psb_err X(mat_replace)(struct X(mat) *a, const struct X(coo_mat) *b);
/* Is a a unit triangle, whose diagonal of ones is not stored? */
static inline int X(mat_has_ones)(const struct X(mat) *a)
{
    return a->is.triangle && a->is.unit;
}
/* X(csr_view), with the diagonal of a unit triangle among the entries of *l. */
PSB_MUST_CHECK psb_err X(mat_full_rows)(struct X(mat) *a, struct X(compressed) *l, struct X(mat) **made);
/* Does a store its entries as CSR does, itself or as a format derived from CSR? */
int X(mat_is_csr)(const struct X(mat) *a);
/* PSB_EARG unless trans is 'N', 'T' or 'C'.  Local. */
PSB_MUST_CHECK psb_err X(check_trans)(char trans);
/* X(mat_csmm) with x and y on side s. */
PSB_MUST_CHECK psb_err X(mat_mm_on)(enum psb_side s, T alpha, struct X(mat) *a, psb_ipk k, const T *x, T beta,
                                    T *y, char trans);
/* y = alpha A x + beta y, one column, on a's device, and its tail, in one pass where a's format can. */
PSB_MUST_CHECK psb_err X(mat_mv_fused)(T alpha, struct X(mat) *a, const T *x, T beta, T *y,
                                       const struct X(tail) *t, double *sum);
/* Room on a's device for the sums of n blocks of threads, 2 PSB_MOST_DOTS numbers each; the one of the last
 * product where that will do.  Without dot products *partial is NULL. */
PSB_MUST_CHECK psb_err X(tail_room)(const struct X(tail) *t, const struct X(mat) *a, psb_epk n,
                                    double **partial);
/* *b is op(A), op 'T' or 'C', in the format that a's says for that; a keeps it. */
PSB_MUST_CHECK psb_err X(mat_transposed)(struct X(mat) *a, char op, struct X(mat) **b);
/* *b is a, of a format that has arrays, in CSR; a keeps it. */
PSB_MUST_CHECK psb_err X(mat_kept_rows)(struct X(mat) *a, struct X(mat) **b);
/* a loses its storage, and what was made of it. */
void X(mat_empty)(struct X(mat) *a);
/* The operations on arrays of side s, those of device `on` for PSB_DEV. */
const struct X(vec_ops) *X(vec)(enum psb_side s, const struct psb_device *on);
/* Matrix Market text: all before the entries of an m x n matrix with nz of them; an entry, its indices from
 * 0. Negative where writing failed, as fprintf says. */
int X(print_head)(FILE *to, psb_lpk m, psb_lpk n, psb_epk nz, const char *header);
int X(print_entry)(FILE *to, psb_lpk i, psb_lpk j, T v);
