/* psb_cuda_raw.t.h -- cuda: arrays of other libraries on the device in use; layouts as in psb_raw.h, arrays
 * as in psb_raw.t.h, but in memory of the device.  They are checked there.  Their writers must have ended, or
 * run on psb_cuda_stream. */

/* As psb_raw_import: *a = a new matrix in the format of mold, NULL: CSRG, made on the device; entries are
 * sorted and merged there.  Only the numbers of entries pass through the host.  PSB_EARG as there;
 * PSB_EDEVICE if no device is in use; for PSB_DUPL_ERROR a message without the place.  Local. */
PSB_MUST_CHECK psb_err X(cuda_raw_import)(const struct psb_raw *r, const struct X(raw_const) *from,
                                          enum psb_dupl dupl, const struct X(mat) *mold, struct X(mat) **a);

/* *a = a matrix in CSRG that uses the arrays `from` without a copy: CSR with base 0 and 32-bit indices that
 * ascend within each row; offsets of 32 bits are copied, to 64.  The arrays stay the caller's, and allocated
 * until a is freed.  Calls that change values change his; of values that he changes himself, products with A
 * see the new ones, but not the copies that a keeps: on the host, transposed, for solves.  Errors as above.
 * Local. */
PSB_MUST_CHECK psb_err X(cuda_raw_wrap)(const struct psb_raw *r, const struct X(raw_arrays) *from,
                                        struct X(mat) **a);
