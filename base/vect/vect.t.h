/* vect.t.h -- base/vect: the members of a vector, and what other layers use of vectors of any scalar or
 * integer. */
struct X(vect) {
    unsigned mark;  /* see psb_handle.h */
    psb_desc *desc; /* NULL for a local vector */
    enum psb_state state;
    psb_ipk n; /* local rows, halo included */
    int ncols; /* >= 1 */
    struct psb_dual v;
    enum psb_exchange_state exchange;
    int kind;       /* of the exchange: see enum psb_way */
    psb_err landed; /* its result, if it was completed as another one started */
    double since;   /* when the exchange started, if that is recorded (psb_trace.h) */
    int reopened;   /* 1: assembled, and psb_geins is allowed (psb_gereinit) */
    enum psb_remote_mode remote_mode;
    struct psb_remote *remote;   /* elements of rows owned elsewhere, inserted to be sent; or NULL */
    psb_epk dropped;             /* rows owned elsewhere that were inserted here in mode PSB_REMOTE_DROP */
    void (*release)(void *held); /* called by psb_gefree, for memory of others; or NULL */
    void *held;
};

/* Store in *p the address of y's elements on side s, to overwrite all that are owned (`all`) or to change
 * some; the halo keeps its values.  PSB_ESTATE during a halo exchange.  Local. */
PSB_MUST_CHECK psb_err X(vect_open)(struct X(vect) *y, enum psb_side s, int all, T **p);
/* psb_geasb on device `on` (NULL: host).  Collective. */
PSB_MUST_CHECK psb_err X(geasb_on)(struct X(vect) *x, const struct psb_device *on);
/* *y = a vector of zeros where x is, on its descriptor, with as many columns; its memory is taken on the
 * device, if there is one, else on the host.  Local. */
PSB_MUST_CHECK psb_err X(vect_like)(const struct X(vect) *x, struct X(vect) **y);
/* PSB_ESTATE during a halo exchange of v; PSB_EARG unless v, argument `name`, has a descriptor.  Local. */
PSB_MUST_CHECK psb_err X(vect_check_idle)(const struct X(vect) *v);
PSB_MUST_CHECK psb_err X(vect_check_distributed)(const struct X(vect) *v, const char *name);
/* PSB_EARG unless dupl is PSB_DUPL_ADD or PSB_DUPL_OVERWRITE.  Local. */
PSB_MUST_CHECK psb_err X(vect_check_dupl)(enum psb_dupl dupl);
/* psb_gemaxpy with y = beta y before; y is not read if beta is 0.  Local. */
PSB_MUST_CHECK psb_err X(vect_maxpby)(int m, const T *alpha, struct X(vect) *const *x, T beta,
                                      struct X(vect) *y);
/* Return the side on which an operation on x and y (may be x) runs: PSB_DEV if both are on one device. */
enum psb_side X(vect_side)(const struct X(vect) *x, const struct X(vect) *y);
/* Return the number of rows that operations work on: those owned; all of a local vector. */
psb_ipk X(vect_owned)(const struct X(vect) *x);
/* Start and end psb_halo on side s.  Computation between the two overlaps with the messages, and with packing
 * on a device; no other exchange may be started between them.  err: an earlier error of this process,
 * or PSB_OK: after such an error, or if the start itself fails, this process sends empty messages so that the
 * neighbours fail too instead of waiting.  A start that succeeded must be followed by its end.  If `at` is
 * not NULL and the rows received by 'N' land elsewhere on the device, halo_finish stores in *at where, leaves
 * the halo of x as it was, and the rows stay there until the next start; else *at is unchanged.  The rows may
 * still be on their way then: *wait, which is { 0 } before, says what to wait for, by psb_await or in the
 * kernel that reads them, before the next start.  Collective over neighbours. */
PSB_MUST_CHECK psb_err X(halo_begin)(const struct X(vect) *x, enum psb_side s, char trans, psb_err err);
PSB_MUST_CHECK psb_err X(halo_finish)(const struct X(vect) *x, const T **at, struct psb_awaited *wait);
/* v is freed: record an error and complete its exchange if one is under way. */
void X(vect_abandon)(struct X(vect) *v);
/* Copy row idx[i] of `from` to row i of `to`, 0 <= i < n, rows of `row` bytes in memory of `on` (NULL: host):
 * for psb_outgoing_rows.  Local. */
PSB_MUST_CHECK psb_err X(gather_rows)(const struct psb_device *on, psb_ipk n, const psb_ipk *idx, size_t row,
                                      const void *from, void *to);
/* Take part in a halo exchange on d as a process that failed, without a vector. */
void X(halo_refuse)(psb_desc *d);

/* Keep the elements of the `far` rows of irw[0..n) that other processes own; send them to the owners
 * (collective); drop and count them. */
PSB_MUST_CHECK psb_err X(vect_keep_remote)(struct X(vect) *x, psb_epk n, const psb_lpk *irw, const T *val,
                                           enum psb_dupl dupl, psb_epk far);
PSB_MUST_CHECK psb_err X(vect_fetch_remote)(struct X(vect) *x);
void X(vect_drop_remote)(struct X(vect) *x);
