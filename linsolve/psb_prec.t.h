/* psb_prec.t.h -- linsolve: preconditioners of a distributed square matrix.
 *
 * A preconditioner is an object with a constant table of operations, as a matrix is: a file for each kind,
 * and one line in prec_types.h. */
struct X(prec);

struct X(prec_ops) {
    /* Make what applying needs in p->data, for matrix a; p->options are checked.  NULL: nothing.
     * Collective. */
    psb_err (*build)(struct X(prec) *p, const struct X(spmat) *a);
    /* As build, for new values in the same pattern; NULL: free, then build.  On error p is as it was.
     * Collective. */
    psb_err (*renew)(struct X(prec) *p, const struct X(spmat) *a);
    /* y = op(M)^-1 x; different vectors on a's descriptor.  Collective if M exchanges halos. */
    psb_err (*apply)(const struct X(prec) *p, const struct X(vect) *x, struct X(vect) *y, char trans);
    /* An argument of apply, to vectors of k columns, is wrong on this process, error e: take part in what the
     * others wait for, so that they fail too.  NULL: nothing. */
    void (*decline)(const struct X(prec) *p, int k, char trans, psb_err e);
    /* The bytes of p->data here.  NULL: 0. */
    size_t (*bytes)(const struct X(prec) *p);
    /* Free p->data.  NULL: nothing. */
    void (*free)(struct X(prec) *p);
};

struct X(prec) {
    unsigned mark; /* see psb_handle.h */
    struct psb_prec_options options;
    const struct X(prec_ops) *ops;
    psb_desc *desc;             /* of the matrix it was built for; NULL before */
    const struct X(mat) *asked; /* the mold passed to psb_precbld; NULL: by the matrix */
    const struct X(mat) *mold;  /* of factors and inverses, during a build */
    struct psb_vmold where;     /* of its vectors */
    void *data;                 /* of the type */
};

/* Create *p, a preconditioner as `text` says (see psb_prec_parse), or as the options say (NULL:
 * psb_prec_defaults); it is built by psb_precbld, and freed by the caller with psb_precfree.  Local. */
PSB_MUST_CHECK psb_err X(precinit)(struct X(prec) **p, const char *text);
PSB_MUST_CHECK psb_err X(precinit_opt)(struct X(prec) **p, const struct psb_prec_options *o);

/* Build p for the assembled square matrix a, whose columns are distributed as its rows.  mold: the format of
 * factors and inverses (NULL: CSR if a is on the host, else a's format); vmold: where vectors will be (NULL:
 * where a is).  p keeps the address of mold, and polynomials that of a, which must outlive p; the rest is
 * copied.  Building a second time replaces what was built.  PSB_EPIVOT for a diagonal element or a pivot that
 * is 0 or not finite, naming its row; PSB_ENOTIMPL for types made of blocks (BJAC to INVT) if a row has
 * several owners, and for overlap on a replicated descriptor.  If one process fails, all fail, and p is as it
 * was. Collective. */
PSB_MUST_CHECK psb_err X(precbld)(struct X(prec) *p, const struct X(spmat) *a, const struct X(mat) *mold,
                                  const struct psb_vmold *vmold);

/* Build p again for new values of a in the pattern it was built for; cheaper than psb_precbld where the type
 * can reuse its pattern: BJAC, RAS, AS, ASH.  PSB_ESTATE unless p was built, PSB_EARG if the descriptor
 * differs, or the pattern where it is reused; else as psb_precbld.  If one process fails, all fail, and p is
 * as it was. Collective. */
PSB_MUST_CHECK psb_err X(precupd)(struct X(prec) *p, const struct X(spmat) *a);

/* y = op(M)^-1 x for all columns, op by trans: 'N', 'T', 'C'; x and y are different vectors on the descriptor
 * that p was built for.  Runs where its operands live.  Collective: if an argument is wrong on one process,
 * those that receive from it fail too; they are told at once if its x, or without an x its y, has as many
 * columns as theirs. */
PSB_MUST_CHECK psb_err X(precapply)(const struct X(prec) *p, const struct X(vect) *x, struct X(vect) *y,
                                    char trans);

/* Return the bytes stored here for p; 0 for NULL.  Local. */
size_t X(prec_bytes)(const struct X(prec) *p);

/* Store in text, of `size` bytes, the words from which psb_prec_parse makes p's options.  PSB_EARG if they do
 * not fit.  Local. */
PSB_MUST_CHECK psb_err X(precdescr)(const struct X(prec) *p, char *text, size_t size);

/* Free a preconditioner; NULL is fine.  Local. */
void X(precfree)(struct X(prec) *p);

/* --- inside linsolve ------------------------------------------------------------------------------------ */

/* Create *x, an assembled vector of k columns on a descriptor, where p's vectors are.  Collective. */
PSB_MUST_CHECK psb_err X(prec_vect)(const struct X(prec) *p, psb_desc *desc, int k, struct X(vect) **x);
