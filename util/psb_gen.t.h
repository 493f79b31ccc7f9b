/* psb_gen.t.h -- room: util.  Generated matrices, each process its own rows. */

/* Store in *t the entries of the rows owned here of the matrix *g, ordered by rows and columns, none twice;
 * the matrix does not depend on the number of processes.  `rows` has g->m rows, in state BUILD or ASSEMBLED.
 * `progress`, if not NULL, is called now and then with `arg` and the part done.  The caller gives *t to
 * X(triplets_free).  Local.  PSB_EARG: a pointer is NULL, *g is no matrix that psb_gen_parse makes, rows has
 * another number of them, or there would be 2^63 entries; PSB_ENOMEM.  *t is set only after success. */
PSB_MUST_CHECK psb_err X(generate)(const struct psb_gen *g, const psb_desc *rows,
                                   void (*progress)(void *arg, double fraction), void *arg,
                                   struct X(triplets) *t);
