/* legacy.t.h -- cbind: what the typed calls with cuSPARSE's arguments share; included after psb_type.h. */
#ifndef PSB_LEGACY_T_H
#define PSB_LEGACY_T_H

/* The arguments that describe a matrix of n columns in CSR, or in BSR with blocks of `block` rows, stored by
 * columns if by_cols; m, n and nnz count blocks then. */
struct X(legacy_rows) {
    int m, n, nnz;
    const struct psb_cusparse_descr *descr;
    const T *val;
    const int *off, *col;
    int block, by_cols;
};

/* *a = that matrix, copied: on the device if there is one, else on the host.  PSB_EARG for wrong arguments;
 * PSB_ENOTIMPL unless its type is general.  Local. */
PSB_MUST_CHECK psb_err X(legacy_import)(const struct psb_cusparse_handle *handle,
                                        const struct X(legacy_rows) *r, struct X(mat) **a);

/* The same for blocks.  X(legacy_places): order[k] = the place in the caller's values of entry k of l, which
 * has columns ascending. */
PSB_MUST_CHECK psb_err X(legacy_import_blocks)(const struct psb_cusparse_handle *handle,
                                               const struct X(legacy_rows) *r, struct X(mat) **a);
PSB_MUST_CHECK psb_err X(legacy_places)(const struct X(legacy_rows) *r, const struct X(compressed) *l,
                                        psb_epk *order);

/* Store a in the caller's arrays, with the base of descr: row offsets, values and columns, as `what` says. */
enum { LEGACY_OFFSETS = 1, LEGACY_ENTRIES = 2 };
PSB_MUST_CHECK psb_err X(legacy_export)(const struct X(mat) *a, const struct psb_cusparse_descr *descr,
                                        int what, T *val, int *off, int *col);
#endif
