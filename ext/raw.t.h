/* raw.t.h -- room: ext.  Arrays of other libraries, to and from a matrix on this process; how they lie is
 * told by psb_raw.h.  Integers are int32_t or int64_t, as the struct psb_raw beside them says. */

/* Arrays to be read; what a layout has none of, or no elements in, may be NULL. */
struct X(raw_const) {
    const void *off, *row, *col;
    const T *val;
    const void *ell_col;
    const T *ell_val;
};

/* Arrays to be written. */
struct X(raw_arrays) {
    void *off, *row, *col;
    T *val;
    void *ell_col;
    T *ell_val;
};

/* A new matrix *a, stored as mold says (NULL: COO), of copies of the arrays at `from`, which r describes.
 * Entries may come in any order within what the layout orders; those of one place are merged as dupl says, in
 * the order they are met.  Of a block what is 0 is an entry only where r->zeros.  Offsets that fall, or end
 * elsewhere than the sizes say, an index out of range (-1 is padding in what is padded, and may stand
 * anywhere) and a value beyond the last row or column are PSB_EARG, naming array, position and value.  Freed
 * by psb_?_mat_free.  Local. */
PSB_MUST_CHECK psb_err X(raw_import)(const struct psb_raw *r, const struct X(raw_const) *from,
                                     enum psb_dupl dupl, const struct X(mat) *mold, struct X(mat) **a);

/* A new matrix *a around the arrays at `from`, nothing copied: CSR or CSC of base 0, 32-bit indices and
 * 64-bit offsets, the indices of a line ascending; all is checked.  PSB_RAW_BORROW: they stay the caller's,
 * who keeps them until the matrix is freed; whoever changes values changes both.  PSB_RAW_TAKE: psb_alloc
 * gave them, and the matrix frees them; on error they are still the caller's.  Local. */
PSB_MUST_CHECK psb_err X(raw_wrap)(const struct psb_raw *r, const struct X(raw_arrays) *from,
                                   enum psb_raw_owner owner, struct X(mat) **a);

/* The arrays of a, of any format, laid out as r says: layout, base, bits, order, blocks, slice, HYB's width.
 * With `to` NULL the sizes in r are set, and nothing else; then, with r as it was left, or a larger width in
 * ELL and BELL, the arrays at `to` are filled, of as many elements as psb_raw_lengths says.  Entries are
 * ordered by rows (CSC: columns); of a unit triangle the diagonal is among them; where entries share a place
 * of a block they are added.  PSB_EARG where sizes are not those of a, or do not fit into 32 bits.  Local. */
PSB_MUST_CHECK psb_err X(raw_export)(struct X(mat) *a, struct psb_raw *r, const struct X(raw_arrays) *to);

/* The arrays of a themselves, nothing copied: *r says how they lie, base 0, 32-bit indices, 64-bit offsets;
 * *v are good until a is changed or freed.  CSR, CSC and ordered COO can do this, BSR whose blocks each
 * stand once, and HLL and ELL, as SELL, where nothing is padded: their padding has index 0.  PSB_ENOTIMPL, r
 * and v as they were, for all else, and for a unit triangle. Local. */
PSB_MUST_CHECK psb_err X(raw_view)(struct X(mat) *a, struct psb_raw *r, struct X(raw_const) *v);
