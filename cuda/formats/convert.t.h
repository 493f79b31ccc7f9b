/* convert.t.h -- room: cuda/formats.  Conversions, refills and the like where a device's memory is.
 *
 * The device does it where the values lie there and nowhere else, or where a matrix has at least as many
 * entries as psb_cuda_convert_from says; entries are put in there where so many come at once and the values
 * are there.  What it makes has the bits that the host would make, and is valid there alone.  Where there is
 * no room for it the host does it. */

/* The device's part in making a of b's entries, CSR there, of which the row pointers can be read; a as in
 * from_coo. */
typedef psb_err X(make_on_device)(struct X(mat) *a, struct X(csr_mat) *b);

/* The slot from_fmt by way of `make`, else of `host`. */
PSB_MUST_CHECK psb_err X(convert_on_device)(struct X(mat) *a, struct X(mat) *b, X(make_on_device) *make,
                                        psb_err (*host)(struct X(mat) *a, struct X(mat) *b));

/* The slot assemble likewise: PSB_ENOTIMPL where the host is to do it. */
PSB_MUST_CHECK psb_err X(assemble_on_device)(struct X(mat) *a, const struct X(coo_mat) *b, enum psb_dupl dupl,
                                         X(make_on_device) *make);

/* `make`, for HLG and ELG, for HDIAG and DIAG; for CSRG it is NULL. */
PSB_MUST_CHECK psb_err X(make_hlg)(struct X(mat) *a, struct X(csr_mat) *b);
PSB_MUST_CHECK psb_err X(make_hdiag)(struct X(mat) *a, struct X(csr_mat) *b);

/* The slots from_fmt, take, assemble and copy of HLG and ELG, and of HDIAG and DIAG. */
PSB_MUST_CHECK psb_err X(hlg_from_fmt)(struct X(mat) *a, struct X(mat) *b);
PSB_MUST_CHECK psb_err X(hlg_take)(struct X(mat) *a, struct X(coo_mat) *b);
PSB_MUST_CHECK psb_err X(hlg_assemble)(struct X(mat) *a, const struct X(coo_mat) *b, enum psb_dupl dupl);
PSB_MUST_CHECK psb_err X(hlg_copy)(struct X(mat) *a, struct X(mat) *b);
PSB_MUST_CHECK psb_err X(hdiag_from_fmt)(struct X(mat) *a, struct X(mat) *b);
PSB_MUST_CHECK psb_err X(hdiag_take)(struct X(mat) *a, struct X(coo_mat) *b);
PSB_MUST_CHECK psb_err X(hdiag_assemble)(struct X(mat) *a, const struct X(coo_mat) *b, enum psb_dupl dupl);
PSB_MUST_CHECK psb_err X(hdiag_copy)(struct X(mat) *a, struct X(mat) *b);

/* Does the device copy b, or change its values? */
int X(is_on_device)(const struct X(mat) *b);

/* a's arrays become copies of b's, of the same format, there; by host(a, b) where that does not pay, or there
 * is no room. */
PSB_MUST_CHECK psb_err X(copy_on_device)(struct X(mat) *a, struct X(mat) *b,
                                     psb_err (*host)(struct X(mat) *a, struct X(mat) *b));

/* The slots get_diag, scale, zero_vals and csput of all formats above. */
PSB_MUST_CHECK psb_err X(device_diag)(struct X(mat) *a, psb_ipk n, int ones, T *d);
PSB_MUST_CHECK psb_err X(device_scale)(struct X(mat) *a, T s, const T *left, const T *right);
PSB_MUST_CHECK psb_err X(device_zero)(struct X(mat) *a);
PSB_MUST_CHECK psb_err X(device_put)(struct X(mat) *a, psb_epk nz, const psb_ipk *ia, const psb_ipk *ja,
                                    const T *val, enum psb_dupl dupl);

/* The format of the host that a refines, CSR, HLL or HDIA; NULL: another. */
const struct X(mat_ops) *X(host_format)(const struct X(mat) *a);

/* A step on a device; one that finds two numbers; n elements there, of `size` bytes, those at `host` if there
 * are any, which the caller gives to psb_dual_free in any case. */
PSB_MUST_CHECK psb_err X(step)(const struct psb_device *on, enum psb_step s, const struct psb_convert *q);
PSB_MUST_CHECK psb_err X(step_found)(const struct psb_device *on, enum psb_step s, struct psb_convert *q,
                                     psb_epk *found);
PSB_MUST_CHECK psb_err X(move_on_device)(struct psb_dual *d, const struct psb_device *on, psb_epk n, size_t size,
                                     const void *host, const char *name, void *out);

/* Arrays of a on its device, as steps are told: pattern and values to be read; or values to be changed. */
PSB_MUST_CHECK psb_err X(csr_on_device)(struct X(csr_mat) *a, int change, struct psb_dev_compressed *l);
PSB_MUST_CHECK psb_err X(hll_on_device)(struct X(hll_mat) *a, int change, struct psb_dev_compressed *l);
PSB_MUST_CHECK psb_err X(hdia_on_device)(struct X(hdia_mat) *a, int change, struct psb_dev_hdia *d);

/* Is x what rows l meet scattered, over how many elements: see locality.h?  l->val is not looked at. */
PSB_MUST_CHECK psb_err X(scattered_on_device)(const struct psb_device *on, const struct psb_dev_compressed *l,
                                          psb_ipk *scattered);
