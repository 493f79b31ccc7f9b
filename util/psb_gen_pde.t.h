/* psb_gen_pde.t.h -- util: matrices of psb_pde.h; each process generates its own rows. */

/* Store in *t the entries of the rows owned here, ordered by rows and columns, and in rhs[0..owned rows), by
 * local number, the right-hand side: f and the contributions of the boundary.  rhs may be NULL.  Values are
 * real for every T. `rows` has nx ny nz rows, in state BUILD or ASSEMBLED.  The caller frees *t with
 * X(triplets_free).  Local.  PSB_EARG: a pointer is NULL, *p is not as psb_pde.h requires, or `rows` has
 * another number of rows; PSB_ENOMEM.  *t is set only on success. */
PSB_MUST_CHECK psb_err X(gen_pde)(const struct psb_pde *p, const psb_desc *rows, struct X(triplets) *t,
                                  T *rhs);

/* As psb_gen_pde for the local rows lo <= l < hi, which are in range and not checked; rhs[0..hi-lo).  For
 * psb_generate_rows. Local. */
PSB_MUST_CHECK psb_err X(gen_pde_rows)(const struct psb_pde *p, const psb_desc *rows, psb_ipk lo, psb_ipk hi,
                                       struct X(triplets) *t, T *rhs);

/* Create *a, assembled in the format of mold, of the entries of psb_gen_pde for all processes; rhs as there.
 * If the format is of a device, the coefficients a1 to c are the default ones, and each process has
 * consecutive rows, the device makes the entries in owned columns, unless they are few or it lacks memory.
 * `rows` in state BUILD takes the columns as halo, and is assembled; if it is assembled already, a column
 * outside its halo is an error.  After an error there is no matrix, but `rows` may have been assembled.  The
 * caller frees *a by psb_spfree.  Errors as of psb_gen_pde and psb_spasb.  Collective. */
PSB_MUST_CHECK psb_err X(sp_gen_pde)(struct X(spmat) **a, const struct psb_pde *p, psb_desc *rows,
                                     const struct X(mat) *mold, T *rhs);
