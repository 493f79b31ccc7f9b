/* vect.t.h -- room: base.  Vectors, local or distributed.
 *
 * A distributed vector lies as its descriptor says: the owned elements, then the halo.  Every operation
 * works on the owned ones; halo values are what the last psb_halo, or a product, left there. */
struct X(vect) {
    psb_desc *desc; /* NULL for a local vector */
    enum psb_state state;
    psb_ipk n; /* elements here, halo included */
    struct psb_dual v;
    struct psb_comm *comm;
};

/* A local vector of n zeros, on the mold's device (NULL: host).  Freed by psb_gefree.  Local. */
PSB_MUST_CHECK psb_err X(vect_new)(struct X(vect) **x, psb_ipk n, const struct psb_vmold *mold);

/* A distributed vector of zeros, state BUILD, freed by psb_gefree.  Local. */
PSB_MUST_CHECK psb_err X(geall)(struct X(vect) **x, psb_desc *desc);

/* x[irw[k]] = val[k] (PSB_DUPL_OVERWRITE) or += (PSB_DUPL_ADD), k < n, global rows; rows owned elsewhere are
 * ignored.  State BUILD.  A row out of range is an error that names it, and x is as it was.  Local. */
PSB_MUST_CHECK psb_err X(geins)(psb_epk n, const psb_lpk *irw, const T *val, struct X(vect) *x,
                                enum psb_dupl dupl);

/* Make room for the halo and put x where mold says (NULL: host); its descriptor must be assembled; state
 * BUILD -> ASSEMBLED.  Collective. */
PSB_MUST_CHECK psb_err X(geasb)(struct X(vect) *x, const struct psb_vmold *mold);

/* Free a vector; NULL is fine.  Local. */
void X(gefree)(struct X(vect) *x);

/* Every element of x, halo included, becomes a.  Local. */
PSB_MUST_CHECK psb_err X(set_scal)(T a, struct X(vect) *x);

/* Store in *val the element of global row g, which must be owned here.  Local. */
PSB_MUST_CHECK psb_err X(getelem)(struct X(vect) *x, psb_lpk g, T *val);

/* Copy the first n elements, n at most all, from or to an array on the host.  Local. */
PSB_MUST_CHECK psb_err X(get_vect)(struct X(vect) *x, psb_ipk n, T *to);
PSB_MUST_CHECK psb_err X(set_vect)(struct X(vect) *x, psb_ipk n, const T *from);

/* Store in *p the address of the n elements on that side, good for what the name says: read; write all;
 * read and write some.  Good until the next call on x.  See psb_dual.h.  Local. */
PSB_MUST_CHECK psb_err X(host_read)(struct X(vect) *x, const T **p);
PSB_MUST_CHECK psb_err X(host_write)(struct X(vect) *x, T **p);
PSB_MUST_CHECK psb_err X(host_update)(struct X(vect) *x, T **p);
PSB_MUST_CHECK psb_err X(device_read)(struct X(vect) *x, const T **p);
PSB_MUST_CHECK psb_err X(device_write)(struct X(vect) *x, T **p);
PSB_MUST_CHECK psb_err X(device_update)(struct X(vect) *x, T **p);

/* Bring the halo of x up to date (trans 'N'), or add what stands in each halo to its owner ('T').
 * Collective over neighbours. */
PSB_MUST_CHECK psb_err X(halo)(struct X(vect) *x, char trans);

/* y = alpha x + beta y.  Vectors alike.  Local. */
PSB_MUST_CHECK psb_err X(geaxpby)(T alpha, struct X(vect) *x, T beta, struct X(vect) *y);

/* *res = sum of conj(x_i) y_i over all processes, the same bits on each and in every run on as many.
 * Collective. */
PSB_MUST_CHECK psb_err X(gedot)(struct X(vect) *x, struct X(vect) *y, T *res);

/* *res = the 2-norm of x, safe from overflow and underflow.  Collective. */
PSB_MUST_CHECK psb_err X(genrm2)(struct X(vect) *x, R *res);

/* Collect x, in global order, in all[0..global rows) on process root (-1: on all); elsewhere `all` is not
 * used.  Collective. */
PSB_MUST_CHECK psb_err X(gather)(struct X(vect) *x, T *all, int root);

/* --- inside base ---------------------------------------------------------------------------------- */

/* The elements of y on side s, of which those owned will all be overwritten (`all`) or changed; the halo is
 * as it was. */
PSB_MUST_CHECK psb_err X(vect_open)(struct X(vect) *y, enum psb_side s, int all, T **p);
/* Where an operation on x and y (may be x) runs: on their device if they share one. */
enum psb_side X(vect_side)(const struct X(vect) *x, const struct X(vect) *y);

/* The two halves of psb_halo on side s; whatever lies between overlaps with the messages.  `before` is what
 * went wrong here already: then, as where the start itself fails, the neighbours are told instead of left
 * waiting, and fail too.  A start that succeeded must be followed by its end. */
PSB_MUST_CHECK psb_err X(halo_start)(struct X(vect) *x, enum psb_side s, char trans, psb_err before);
PSB_MUST_CHECK psb_err X(halo_end)(struct X(vect) *x, enum psb_side s, char trans);

/* What a start that failed does, for a process that has no vector. */
void X(halo_refuse)(psb_desc *d, char trans);
