/* psb_raw.t.h -- ext: import and export of arrays of other libraries, for a matrix of one process;
 * layouts are described in psb_raw.h.  Integers are int32_t or int64_t, as struct psb_raw says. */

/* Arrays to read; arrays that a layout does not have, or that have no elements, may be NULL. */
struct X(raw_const) {
    const void *off, *row, *col;
    const T *val;
    const void *ell_col;
    const T *ell_val;
};

/* Arrays to write. */
struct X(raw_arrays) {
    void *off, *row, *col;
    T *val;
    void *ell_col;
    T *ell_val;
};

/* *a = a new matrix in the format of mold (NULL: COO) with copies of the arrays `from`, described by r.
 * Entries may be in any order that the layout allows; duplicates are merged as dupl says, in the order in
 * which they are read.  A 0 in a block is an entry only if r->zeros is set.  PSB_EARG names array, position
 * and value for offsets that decrease or do not end at the size, for an index out of range (-1 is padding in
 * padded layouts, at any position), and for a value beyond the last row or column.  Free *a by
 * psb_?_mat_free.  Local. */
PSB_MUST_CHECK psb_err X(raw_import)(const struct psb_raw *r, const struct X(raw_const) *from,
                                     enum psb_dupl dupl, const struct X(mat) *mold, struct X(mat) **a);

/* *a = a new matrix that uses the arrays `from` without a copy: CSR or CSC with base 0, 32-bit indices, and
 * indices ascending within a row or column; all is checked.  The matrix has offsets of 64 bits: those of 32
 * bits are copied, once, which is m + 1 elements.  PSB_RAW_BORROW: the arrays belong to the caller, who keeps
 * them until the matrix is freed (offsets that are copied, until the call returns); a changed value changes
 * for both. PSB_RAW_TAKE: the arrays were allocated by psb_alloc, and the matrix frees them; on error they
 * still belong to the caller.  Local. */
PSB_MUST_CHECK psb_err X(raw_wrap)(const struct psb_raw *r, const struct X(raw_arrays) *from,
                                   enum psb_raw_owner owner, struct X(mat) **a);

/* Export a, in any format, to the layout that r describes: layout, base, bits, order, blocks, slice, width of
 * HYB. If `to` is NULL only the sizes in r are set.  A second call, with this r or a larger width for ELL and
 * BELL, fills the arrays `to`, which have the numbers of elements that psb_raw_lengths returns.  Entries are
 * ordered by rows (CSC: columns) and include the implied diagonal of a unit triangle; duplicates within a
 * block are added. PSB_EARG if sizes differ from those of a or do not fit into 32 bits.  Local. */
PSB_MUST_CHECK psb_err X(raw_export)(const struct X(mat) *a, struct psb_raw *r,
                                     const struct X(raw_arrays) *to);

/* View the arrays of a without a copy: *r describes them, with base 0, 32-bit indices and 64-bit offsets; *v
 * is valid until a is changed or freed.  Supported: CSR, CSC, ordered COO, BSR without duplicate blocks, and
 * HLL and ELL, as SELL, without padding (padding has index 0 there).  PSB_ENOTIMPL for all others and for
 * unit triangles; r and v are unchanged then.  Local. */
PSB_MUST_CHECK psb_err X(raw_view)(struct X(mat) *a, struct psb_raw *r, struct X(raw_const) *v);
