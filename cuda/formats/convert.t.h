/* convert.t.h -- cuda/formats: conversions and changes of values on the device.
 *
 * The device does this work if the values are valid on the device alone, or if the matrix has at least
 * psb_cuda_convert_from entries; it puts entries into a matrix if the batch has that many and the device has
 * the values.  The result has the bits that the host would compute, and is valid on the device alone.  If the
 * device has no memory for the work the host does it.
 *
 * CSR is the hub: the device makes CSR of triplets, of CSR and of every format that has a table of
 * conversions, and each of these formats from CSR. */

/* Make a, as in from_coo, from b, whose CSR arrays are on the device, or whose row pointers can be read
 * there. */
typedef psb_err X(make_on_device)(struct X(mat) *a, struct X(csr_mat) *b);

/* Searches and changes of values: open the arrays and run a step. */
struct X(dev_values) {
    psb_err (*find)(struct X(mat) *a, const struct psb_find *q);
    psb_err (*put)(struct X(mat) *a, const struct psb_placed *q);
    psb_err (*diagonal)(struct X(mat) *a, const struct psb_diagonal *q);
    psb_err (*scale)(struct X(mat) *a, const struct psb_factors *q);
    psb_err (*zero)(struct X(mat) *a);
};

/* The conversions of a format on the device. */
struct X(conversions) {
    X(make_on_device) *from_csr; /* NULL: the format is CSR */
    /* Fill `rows`, in CSR, with arrays for all entries; NULL for CSR. */
    psb_err (*to_csr)(struct X(mat) *a, const struct psb_dev_compressed *rows);
    /* Copy the sizes that have to be set before arrays are copied; NULL: none. */
    void (*copy_sizes)(struct X(mat) *a, const struct X(mat) *b);
    /* For a format stored in CSR or HLL: the arrays on the device, the pattern to be read, the values to be
     * read or, with `change`, changed. */
    psb_err (*compressed)(struct X(mat) *a, bool change, struct psb_dev_compressed *l);
    const struct X(dev_values) *entries; /* NULL: the host changes values */
};

/* The tables `storage` of formats that have conversions, and `entries` of those that are `compressed`. */
extern const struct X(mat_dev_storage) X(device_storage);
extern const struct X(dev_values) X(compressed_values);

/* The conversions of the format of a; NULL: it has none. */
const struct X(conversions) *X(conversions_of)(const struct X(mat) *a);

/* The array of values of a, whose format has conversions. */
struct psb_dual *X(device_values)(struct X(mat) *a);

/* Does the device copy b, or change its values? */
int X(is_on_device)(const struct X(mat) *b);

/* Slots of X(device_storage). */
PSB_MUST_CHECK psb_err X(device_diag)(struct X(mat) *a, psb_ipk n, int ones, enum psb_side s, T *d);
PSB_MUST_CHECK psb_err X(device_scale)(struct X(mat) *a, T s, const T *left, const T *right);
PSB_MUST_CHECK psb_err X(device_zero)(struct X(mat) *a);
PSB_MUST_CHECK psb_err X(device_put)(struct X(mat) *a, psb_epk nz, const psb_ipk *ia, const psb_ipk *ja,
                                     const T *val, enum psb_dupl dupl);

PSB_MUST_CHECK psb_err X(device_spspmm)(struct X(mat) *a, struct X(mat) *b, const struct X(mat) *mold,
                                        struct X(mat) **c);
PSB_MUST_CHECK psb_err X(device_spspmm_again)(struct X(mat) *a, struct X(mat) *b, struct X(mat) *c);
PSB_MUST_CHECK psb_err X(device_spaxpby)(T alpha, struct X(mat) *a, T beta, struct X(mat) *b,
                                         const struct X(mat) *mold, struct X(mat) **c);
PSB_MUST_CHECK psb_err X(device_transp)(struct X(mat) *a, bool conjugate, const struct X(mat) *mold,
                                        struct X(mat) **b);
PSB_MUST_CHECK psb_err X(device_cut)(struct X(mat) *a, const struct psb_cut *q, const struct X(mat) *mold,
                                     struct X(mat) **b);

PSB_MUST_CHECK psb_err X(device_select)(struct X(mat) *a, psb_ipk m, const struct psb_dual *rows, psb_ipk n,
                                        const struct psb_dual *place, const struct X(mat) *mold,
                                        struct X(mat) **b);

PSB_MUST_CHECK psb_err X(device_smoothing)(struct X(mat) *a, const T *d, double theta, R omega,
                                           struct X(mat) **s);
PSB_MUST_CHECK psb_err X(device_aggregate)(struct X(mat) *s, struct X(mat) **p0);
PSB_MUST_CHECK psb_err X(device_pattern_sum)(struct X(mat) *a, uint64_t *sum);
PSB_MUST_CHECK psb_err X(device_colours)(struct X(mat) *a, bool by_degree, struct psb_dual *colour,
                                         psb_ipk n[2]);
PSB_MUST_CHECK psb_err X(device_couplings)(struct X(mat) *a, const struct psb_dual *colour, int m,
                                           psb_lpk *w);
PSB_MUST_CHECK psb_err X(device_prune)(struct X(mat) *a, enum psb_prune rule, R t, bool diagonal,
                                       const struct X(mat) *mold, struct X(mat) **b);
PSB_MUST_CHECK psb_err X(device_masked)(struct X(mat) *a, struct X(mat) *mask, const struct X(mat) *mold,
                                        struct X(mat) **b);
PSB_MUST_CHECK psb_err X(device_kron)(struct X(mat) *a, psb_ipk k, psb_ipk l, const T *block,
                                      const struct X(mat) *mold, struct X(mat) **b);

/* --- for sparse algebra -------------------------------------------------------------------------------- */

/* Allocate the row pointers of a, in CSR on a device, or the arrays of its a->nnz entries, to be written. */
PSB_MUST_CHECK psb_err X(reserve_pointers)(struct X(csr_mat) *a, struct psb_dev_compressed *l);
PSB_MUST_CHECK psb_err X(reserve_entries)(struct X(csr_mat) *a, struct psb_dev_compressed *l);

/* Do a and b have values on one device, and no diagonal that is not stored? */
bool X(are_on_device)(const struct X(mat) *a, const struct X(mat) *b);
/* *l = the rows of a on its device, to be read: those of a, or of *made, in CSR, which the caller frees. */
PSB_MUST_CHECK psb_err X(rows_on_device)(struct X(mat) *a, struct X(mat) **made,
                                         struct psb_dev_compressed *l);
/* Create *c, an m x n matrix in CSRG, with the parameters of mold if that is CSRG, with row pointers *l that
 * are to be written; new_entries: then its nnz entries. */
PSB_MUST_CHECK psb_err X(new_rows)(const struct X(mat) *mold, psb_ipk m, psb_ipk n, struct X(mat) **c,
                                   struct psb_dev_compressed *l);
PSB_MUST_CHECK psb_err X(new_entries)(struct X(mat) *c, psb_epk nnz, struct psb_dev_compressed *l);
/* The last step in making c, which new_rows created or which is NULL, returned e: *to = c, converted to the
 * format of mold unless it is NULL; or free c.  Returns e, or an error of the conversion. */
PSB_MUST_CHECK psb_err X(finish_rows)(psb_err e, struct X(mat) *c, const struct X(mat) *mold,
                                      struct X(mat) **to);

/* --- for formats that have conversions --------------------------------------------------------------- */

/* The steps on COO and CSR of a device. */
const struct X(coo_steps) *X(coo_steps_of)(const struct psb_device *on);

/* found_open allocates the numbers that a step finds, at *at.  found_close is called after the step, which
 * returned e: it copies the numbers to out if e is PSB_OK, frees them, and returns e or the error of the
 * copy. */
PSB_MUST_CHECK psb_err X(found_open)(struct psb_dual *d, const struct psb_device *on, psb_epk **at);
PSB_MUST_CHECK psb_err X(found_close)(struct psb_dual *d, psb_err e, psb_epk *out);

/* Allocate n elements of `size` bytes on the device, at *out, and copy them from `host` unless it is NULL;
 * the caller calls psb_dual_free in any case. */
PSB_MUST_CHECK psb_err X(move_on_device)(struct psb_dual *d, const struct psb_device *on, psb_epk n,
                                         size_t size, const void *host, const char *name, void *out);

/* Arrays of entries on the device, in any order. */
struct X(sent) {
    struct psb_dual ia, ja, val;
    struct psb_dual order, place; /* of the entries */
    struct psb_dual rows;         /* of distinct entries, in order */
};

/* Free the arrays; returns e. */
PSB_MUST_CHECK psb_err X(sent_free)(struct X(sent) *t, psb_err e);

/* Fill a, an empty CSRG matrix, with the entries e on its device, but for the last `left` of them in order,
 * which are of row a->mat.nrows; those of one place are merged as dupl says.  PSB_ENOTIMPL if that is an
 * error and there are such.  `order` is used if it holds the order of the entries, else set; `place` is set,
 * see X(coo_steps); `rows` is space: the caller frees them, after an error too. */
PSB_MUST_CHECK psb_err X(rows_of_entries)(struct X(csr_mat) *a, struct psb_dev_triplets e, psb_epk left,
                                          enum psb_dupl dupl, struct psb_dual *order, struct psb_dual *place,
                                          struct psb_dual *rows);

/* *out = pointer to the device copy of values, to be read or, with `change`, to be changed. */
PSB_MUST_CHECK psb_err X(values_on_device)(struct psb_dual *val, bool change, void *out);

/* The arrays of a on its device: the pattern to be read, the values to be read or, with `change`, changed. */
PSB_MUST_CHECK psb_err X(csr_on_device)(struct X(csr_mat) *a, bool change, struct psb_dev_compressed *l);

/* The same for HLL, or the ELL part of HYB.  hll_from_csr: fill a, which has its sizes, with at most the
 * first `most` entries of each row of b. */
PSB_MUST_CHECK psb_err X(hll_on_device)(struct X(mat) *a, bool change, struct psb_dev_compressed *l);
PSB_MUST_CHECK psb_err X(hll_from_csr)(struct X(hll_mat) *a, struct X(csr_mat) *b, psb_ipk most);
PSB_MUST_CHECK psb_err X(hll_to_csr)(struct X(mat) *a, const struct psb_dev_compressed *rows);
void X(hll_copy_sizes)(struct X(mat) *a, const struct X(mat) *b);
struct psb_dual *X(hll_values)(struct X(mat) *a);

/* *x = how the rows a, on the device, read x: see locality.h.  a->val is not read. */
PSB_MUST_CHECK psb_err X(reading_on_device)(const struct psb_device *on, const struct psb_dev_compressed *a,
                                            struct psb_reading *x);
