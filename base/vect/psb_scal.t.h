/* psb_scal.t.h -- base/vect: scalars of iterations that live where the vectors are.
 *
 * A scalar is a dual array of one element: it has a copy on the host and, if it was made with the mold of a
 * device, one there; either or both may be valid, as for vectors.  Dot products are stored in scalars
 * (psb_gefused, psb_spmv_fused), operations on vectors take scalars as factors, and products and quotients of
 * scalars are scalars.  On one device, and between devices of one host (psb_cd_sums_transport "lsa"), an
 * iteration of such calls needs no host; elsewhere the same calls compute on the host or exchange messages.
 * A process that passes NULL for all arguments of a collective call fails alone, since nothing leads it to
 * the others. */
struct X(scal);

/* Create a scalar, 0, for vectors of an assembled descriptor on the mold's device (NULL: host); the caller
 * frees it by psb_scal_free.  The first one on devices arranges how they sum.  desc NULL: for vectors without
 * descriptor, as a factor; then local.  PSB_ESTATE if the descriptor is not assembled; PSB_EARG and
 * PSB_EDEVICE if PSB_HALO is wrong, or asks for what the devices do not offer.  Collective. */
PSB_MUST_CHECK psb_err X(scal_new)(struct X(scal) **s, psb_desc *desc, const struct psb_vmold *mold);

/* Free a scalar; NULL is fine.  Local. */
void X(scal_free)(struct X(scal) *s);

/* Set s to v, which is copied to the device when it is first used there.  Local. */
PSB_MUST_CHECK psb_err X(scal_set)(struct X(scal) *s, T v);

/* Store the value of s in *v; waits for the device.  PSB_EMPI if a neighbour is known to have failed in the
 * sums so far.  Local. */
PSB_MUST_CHECK psb_err X(scal_get)(const struct X(scal) *s, T *v);

/* Store in *p the address of s on the device, for kernels of the caller on psb_cuda_stream: to read; to read
 * and write, when the value on the host becomes invalid.  The address is that of s as long as it lives; a
 * caller who writes calls psb_scal_device_update before each next use of s.  PSB_ESTATE if s has no device.
 * Local. */
PSB_MUST_CHECK psb_err X(scal_device_read)(const struct X(scal) *s, const T **p);
PSB_MUST_CHECK psb_err X(scal_device_update)(struct X(scal) *s, T **p);

/* c = a b; c = a / b, 0 if b is 0, so that an iteration that has come to its end stays there; c = the square
 * root of the real part of a, as the norm is of a dot product.  Scalars of one descriptor, which may be the
 * same one; computed on the device that holds all, else on the host.  Local. */
PSB_MUST_CHECK psb_err X(scal_multiply)(const struct X(scal) *a, const struct X(scal) *b, struct X(scal) *c);
PSB_MUST_CHECK psb_err X(scal_divide)(const struct X(scal) *a, const struct X(scal) *b, struct X(scal) *c);
PSB_MUST_CHECK psb_err X(scal_root)(const struct X(scal) *a, struct X(scal) *c);

/* A sum of psb_geaxpbys: z = alpha x + beta y, where alpha is multiplied by the scalar alpha_by, and beta by
 * beta_by, unless it is NULL.  A vector whose factor is 0 is not used.  z may be x or y. */
struct X(axpby) {
    T alpha;
    const struct X(scal) *alpha_by;
    const struct X(vect) *x;
    T beta;
    const struct X(scal) *beta_by;
    const struct X(vect) *y;
    struct X(vect) *z;
};

/* The sums sum[0..m), 0 <= m <= PSB_MOST_SUMS, element by element one after the other, in one pass: a sum
 * reads what an earlier one has written.  The bits are those of psb_geaxpbyz by the products of the factors.
 * Vectors and scalars of one descriptor.  Local. */
PSB_MUST_CHECK psb_err X(geaxpbys)(int m, const struct X(axpby) *sum);
