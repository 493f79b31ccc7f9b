/* psb_dlpack.t.h -- cuda: vectors as tensors of DLPack, and tensors as vectors; no element is copied. */

/* *t = a tensor over the rows of x that are owned here, on the device if x has one, else on the host: of one
 * dimension, or of two if x has several columns.  The consumer, or the caller, calls t->deleter(t) once,
 * which leaves x as it is.  x stays where it is until then.  The address is one for use as by
 * psb_device_update (on the host psb_host_update): valid, with what is written there, until the next call on
 * x; so for each use a new tensor.  read_only, 0 or 1: as psb_device_read, and the flag of DLPack is set.
 * Work of the consumer on a device comes after that of psb_cuda_stream.  PSB_ESTATE unless x is assembled.
 * Local. */
PSB_MUST_CHECK psb_err X(vect_dlpack)(struct X(vect) *x, struct psb_dl_managed **t);
PSB_MUST_CHECK psb_err X(vect_dlpack_versioned)(struct X(vect) *x, int read_only,
                                                struct psb_dl_versioned **t);

/* Create *x, a vector over the elements of t, as psb_ge_wrap does: n x k elements or n elements, compact by
 * rows, of this scalar, on the host or the device in use, with at least psb_cd_local_cols(desc) rows, since
 * the halo follows the rows owned.  x owns t: psb_gefree calls t's deleter, once.  PSB_EARG says what of t is
 * otherwise; after an error, on any process, t is the caller's.  Collective. */
PSB_MUST_CHECK psb_err X(ge_dlpack)(struct X(vect) **x, psb_desc *desc, struct psb_dl_managed *t);
PSB_MUST_CHECK psb_err X(ge_dlpack_versioned)(struct X(vect) **x, psb_desc *desc, struct psb_dl_versioned *t);
