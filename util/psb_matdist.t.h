/* psb_matdist.t.h -- room: util.  A matrix, or a vector, from one process to all.
 *
 * Everything passes by all processes in messages of a few MiB, and each keeps what it owns, as the descriptor
 * says; nothing of global size exists but on the process that had it. */

/* Store in *mine those entries of *all, known on process `root` alone (elsewhere not used), whose rows are
 * owned here, in the order they had.  `rows` has all->m rows, in state BUILD or ASSEMBLED.  *all stays; the
 * caller gives *mine to X(triplets_free).  Collective over the context of `rows`.  PSB_EARG: a pointer is
 * NULL, root is no process or not the same one everywhere, the number of rows differs, a size of *all is
 * negative, an array of it NULL or an entry out of range; PSB_ENOMEM; then on every process, and *mine is not
 * set. */
PSB_MUST_CHECK psb_err X(matdist)(const psb_desc *rows, int root, const struct X(triplets) *all,
                                  struct X(triplets) *mine);

/* Send the entries *t, of whatever rows, to the owners of their rows in `rows`: *t becomes those of rows
 * owned here, what process 0 had first, then what process 1 had, and so on, each in its order but for turns
 * of 2^18 entries.  `rows` has t->m rows, in state BUILD or ASSEMBLED.  Collective over the context of
 * `rows`.  PSB_EARG: a pointer is NULL, t->m differs, a size is negative, or an entry is out of range;
 * PSB_ENOMEM; on every process, and *t is as it was. */
PSB_MUST_CHECK psb_err X(redist)(const psb_desc *rows, struct X(triplets) *t);

/* Make *a the matrix *all, known on process `root` alone (elsewhere not used): state BUILD, its entries
 * inserted. Where *row is NULL it becomes a descriptor of even blocks; where *col is, it becomes *row if the
 * matrix is square, else another one of even blocks.  Descriptors given are in state BUILD and as long as the
 * matrix has rows, columns. The caller frees *a, *row, and *col if it is another one.  Collective over ctxt.
 * PSB_EARG, where X(matdist) says so too, PSB_ESTATE, PSB_ENOMEM; on every process, and nothing is set, but
 * descriptors given may know of columns that came. */
PSB_MUST_CHECK psb_err X(sp_matdist)(struct X(spmat) **a, psb_desc **row, psb_desc **col, psb_ctxt *ctxt,
                                     int root, const struct X(triplets) *all);

/* Store in mine[0..owned rows), by local number, the elements owned here of all[0..global rows), known on
 * process `root` alone (elsewhere not used).  Collective over the context of `desc`.  PSB_EARG: root is no
 * process or not the same one everywhere, or a pointer is NULL, but `all` where there are no rows, `mine`
 * where none are owned; PSB_ENOMEM; then on every process. */
PSB_MUST_CHECK psb_err X(vecdist)(const psb_desc *desc, int root, const T *all, T *mine);
