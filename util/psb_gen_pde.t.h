/* psb_gen_pde.t.h -- room: util.  Equations of psb_pde.h, each process its own rows. */

/* Store in *t the entries of the rows owned here, ordered by rows and columns, and in rhs[0..owned rows), by
 * local number, the right-hand side, f and what the boundary adds; rhs NULL: not asked for.  Values are real
 * whatever T is. `rows` has nx ny nz rows, in state BUILD or ASSEMBLED.  The caller gives *t to
 * X(triplets_free).  Local.  PSB_EARG: a pointer is NULL, *p is not as psb_pde.h says, or rows has another
 * number of them; PSB_ENOMEM.  *t is set only after success. */
PSB_MUST_CHECK psb_err X(gen_pde)(const struct psb_pde *p, const psb_desc *rows, struct X(triplets) *t,
                                  T *rhs);
