/* psb_gen.t.h -- util: generated matrices; each process generates its own rows. */

/* Store in *t the entries of *g in the rows owned here, ordered by rows and columns, without duplicates; the
 * matrix does not depend on the number of processes.  `rows` has g->m rows, in state BUILD or ASSEMBLED.
 * `progress`, if not NULL, is called from time to time with `arg` and the fraction done.  The caller frees *t
 * with X(triplets_free).  Local. PSB_EARG: a pointer is NULL, *g is not a value that psb_gen_parse produces,
 * `rows` has another number of rows, or there would be 2^63 entries; PSB_ENOMEM.  *t is set only on
 * success. */
PSB_MUST_CHECK psb_err X(generate)(const struct psb_gen *g, const psb_desc *rows,
                                   void (*progress)(void *arg, double fraction), void *arg,
                                   struct X(triplets) *t);

/* As psb_generate for the local rows lo <= l < hi, 0 <= lo <= hi <= owned rows: for matrices that are
 * inserted in pieces. Local.  PSB_EARG also for other lo and hi. */
PSB_MUST_CHECK psb_err X(generate_rows)(const struct psb_gen *g, const psb_desc *rows, psb_ipk lo, psb_ipk hi,
                                        struct X(triplets) *t);
