/* kr_device.t.h -- linsolve: runs whose coefficients are on the device of the vectors.
 *
 * The host queues steps on coefficients; they are done by the kernel that completes the reduction before
 * them, which waits for them until a later call needs the device.  It learns of the criterion by reports that
 * the device writes, one or a few iterations late: of a column that has ended the coefficients are 0, so that
 * iterations made meanwhile change neither x nor the residual. */
#ifndef KR_DEVICE_T_H
#define KR_DEVICE_T_H

/* If this run can be made on the device: set s->on_device, and c[0..n) to coefficients there, which are 0.
 * Collective. */
PSB_MUST_CHECK psb_err X(kr_device_open)(struct X(kr) *s, int n, T **c);
/* End a run that has returned e, if it is one on the device, and return its error.  Free what runs keep. */
PSB_MUST_CHECK psb_err X(kr_device_close)(struct X(kr) *s, psb_err e);
void X(kr_device_free)(struct X(kr) *s);
/* Drop what was made for the memory of the matrix and the preconditioner. */
void X(kr_device_forget)(struct X(kr) *s);

/* Where the coefficients of the last run were, of one that was asked about the device. */
const char *X(kr_device_text)(const struct X(kr) *s);

/* The scalar of a coefficient; NULL for NULL. */
const struct X(scal) *X(kr_device_scalar)(const struct X(kr) *s, const T *c);

/* Queue a reduction: the epilogue e of v, or, unless w is NULL, of w = A v, where the gamma of e is
 * multiplied by `by`, unless it is NULL, and the dot products go to dots and the coefficients after it. Queue
 * a step.  Start what is queued; nothing in runs on the host.  Collective. */
PSB_MUST_CHECK psb_err X(kr_device_reduce)(struct X(kr) *s, const struct X(vect) *v, struct X(vect) *w,
                                           const struct X(epilogue) *e, const T *by, T *dots);
void X(kr_device_step)(struct X(kr) *s, const struct X(vec_step) *step);
void X(kr_flush)(struct X(kr) *s);

/* As X(kr_test_square): queue the test, and take the reports that have come. */
PSB_MUST_CHECK psb_err X(kr_device_test)(struct X(kr) *s, const struct X(vect) *r, const T *rr, bool first,
                                         bool *go);
#endif
