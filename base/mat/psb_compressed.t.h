/* psb_compressed.t.h -- base/mat: compressed lines, the storage of CSR and CSC: the entries of line i
 * are idx[k], val[k] for ptr[i] <= k < ptr[i+1], indices ascending.  A line is a row in CSR and a column in
 * CSC; L below is the matrix whose rows are the lines.  For formats: arguments are not checked. */
struct X(compressed) {
    psb_ipk n, m; /* number of lines; 0 <= index < m */
    psb_epk *ptr;
    psb_ipk *idx;
    T *val;
};

/* Set the arrays of *l to the host copies of ptr, idx and val, for reading. */
PSB_MUST_CHECK psb_err X(compressed_read)(struct psb_dual *ptr, struct psb_dual *idx, struct psb_dual *val,
                                          struct X(compressed) *l);
/* Allocate ptr, idx and val, of l->n + 1, nz and nz elements, with these names in messages; set the arrays of
 * *l to their host copies, for writing. */
PSB_MUST_CHECK psb_err X(compressed_make)(struct psb_dual *ptr, struct psb_dual *idx, struct psb_dual *val,
                                          psb_epk nz, const struct psb_device *on, const char *const *names,
                                          struct X(compressed) *l);
/* Compute ptr[0..n] from the ascending lines key[0..nz) of nz entries. */
void X(compressed_count)(psb_ipk n, psb_epk nz, const psb_ipk *key, psb_epk *ptr);
/* The inverse, for lines lo .. hi-1: key[k - ptr[0]] = the line of entry k; ptr[0] is that of line lo. */
void X(compressed_keys)(psb_ipk lo, psb_ipk hi, const psb_epk *ptr, psb_ipk *key);
/* *t = L transposed; the caller sets the sizes and arrays of t.  PSB_ENOMEM if there is no memory for the
 * sort. */
PSB_MUST_CHECK psb_err X(compressed_transpose)(const struct X(compressed) *l, const struct X(compressed) *t);
/* Copy n elements of `size` bytes, by several threads. */
void X(compressed_copy)(void *to, const void *from, size_t n, size_t size);

/* Set the lines of thread t of p, *from <= i < *to, so that all have about the same number of lines and
 * entries. */
void X(compressed_share)(const struct X(compressed) *l, int t, int p, psb_ipk *from, psb_ipk *to);

/* y = alpha L x + beta y, or of L transposed, or conjugate, or both; k columns laid out as for csmm.
 * PSB_ENOMEM, with y unchanged, if there is no memory for several threads. */
PSB_MUST_CHECK psb_err X(compressed_csmm)(const struct X(compressed) *l, psb_ipk k, T alpha, const T *x,
                                          T beta, T *y, int transposed, int conjugate);

/* y = op(L)^-1 D x, k columns, for a square triangle L, the lines of a; d are the elements of D, NULL for
 * ones; y may be x.  at: the numbers of changes of the pattern and of the values.  by_cols: error messages
 * call lines columns.  PSB_EARG, naming the row, for an entry outside of the triangle and a missing or zero
 * diagonal; then y is undefined. */
struct X(triangle) {
    int upper, unit, transposed, conjugate, by_cols;
};
PSB_MUST_CHECK psb_err X(compressed_solve)(struct X(mat) *a, const struct X(compressed) *l,
                                           struct X(triangle) t, const unsigned long at[2], psb_ipk k,
                                           const T *x, const T *d, T *y);
/* The checks of X(compressed_solve) alone. */
PSB_MUST_CHECK psb_err X(compressed_check_triangle)(const struct X(compressed) *l, struct X(triangle) t);

/* The slots walk, zero_vals and csput; `val` is the array that l->val is the host copy of. */
PSB_MUST_CHECK psb_err X(compressed_walk)(struct X(compressed) *l, struct psb_dual *val, bool change,
                                          int by_cols, X(visit) *visit, void *job);
PSB_MUST_CHECK psb_err X(zero_values)(struct psb_dual *val);
PSB_MUST_CHECK psb_err X(compressed_put)(const struct X(compressed) *l, struct psb_dual *val, psb_epk nz,
                                         const psb_ipk *ia, const psb_ipk *ja, const T *v, enum psb_dupl dupl,
                                         int by_cols);

/* The slots get_diag and scale; `along` has a factor for each line, `across` one for each index. */
void X(compressed_diag)(const struct X(compressed) *l, psb_ipk n, int ones, T *d);
PSB_MUST_CHECK psb_err X(compressed_scale)(struct X(compressed) *l, struct psb_dual *val, T s, const T *along,
                                           const T *across);

/* Sort n entries by index, stably; if n > PSB_SHORT_SORT, i and v are scratch arrays of n elements.  Returns
 * whether an index occurs twice. */
int X(sort_entries)(psb_ipk *idx, T *val, psb_epk n, psb_ipk *i, T *v);

/* Sort the entries of each line by index. */
PSB_MUST_CHECK psb_err X(compressed_order)(const struct X(compressed) *l);

/* The format that CSR and CSC refine: their common slots; a is CSR, CSC or a format derived from one of them.
 * open: *l = the host copies of the arrays of a, to be read.  new: allocate the arrays of a, whose sizes and
 * number of entries are set; *l = their host copies, to be written. */
extern const struct X(mat) X(compressed_mold);
PSB_MUST_CHECK psb_err X(compressed_open)(const struct X(mat) *a, struct X(compressed) *l);
PSB_MUST_CHECK psb_err X(compressed_new)(struct X(mat) *a, struct X(compressed) *l);
