/* psb_matdist.t.h -- util: send a matrix or a vector from one process to all.
 *
 * All data are broadcast in messages of a few MiB, and each process keeps what it owns by the descriptor;
 * only the process that has the data holds anything of global size. */

/* Store in *mine the entries of *all in rows owned here, in their order; *all is used on process `root` only,
 * and is not changed.  `rows` has all->m rows, in state BUILD or ASSEMBLED.  The caller frees *mine with
 * X(triplets_free). Collective over the context of `rows`.  PSB_EARG, on every process: a pointer is NULL,
 * root is not a process or differs between processes, the number of rows differs, a size of *all is negative,
 * an array of it is NULL or an entry is out of range; PSB_ENOMEM, on every process.  *mine is set only on
 * success. */
PSB_MUST_CHECK psb_err X(matdist)(const psb_desc *rows, int root, const struct X(triplets) *all,
                                  struct X(triplets) *mine);

/* Send the entries *t, of any rows, to the owners of their rows in `rows`.  *t becomes the entries of the
 * rows owned here: in rounds of 2^18 entries of each process, first those from process 0, in its order, then
 * those from process 1, and so on.  `rows` has t->m rows, in state BUILD or ASSEMBLED.  Collective over the
 * context of `rows`.  PSB_EARG, on every process: a pointer is NULL, t->m differs, a size is negative, or an
 * entry is out of range; PSB_ENOMEM; PSB_ENOTIMPL, if rows are owned by several processes.  After an error *t
 * is unchanged. */
PSB_MUST_CHECK psb_err X(redist)(const psb_desc *rows, struct X(triplets) *t);

/* Make *a the matrix *all, in state BUILD with its entries inserted; *all is used on process `root` only.  If
 * *row is NULL, it becomes a descriptor of even blocks; if *col is NULL, it becomes *row if the matrix is
 * square, else another descriptor of even blocks.  Given descriptors are in state BUILD and have as many rows
 * as the matrix has rows or columns. The caller frees *a, *row, and *col if it differs from *row.  Collective
 * over ctxt.  PSB_EARG as X(matdist), PSB_ESTATE, PSB_ENOMEM, on every process; nothing is then set, but
 * given descriptors may contain columns that arrived. */
PSB_MUST_CHECK psb_err X(sp_matdist)(struct X(spmat) **a, psb_desc **row, psb_desc **col, psb_ctxt *ctxt,
                                     int root, const struct X(triplets) *all);

/* Store in mine[0..owned rows), by local number, the elements owned here of all[0..global rows), which is
 * used on process `root` only.  Collective over the context of `desc`.  PSB_EARG, on every process: root is
 * not a process or differs between processes, or a pointer is NULL, except `all` if there are no rows and
 * `mine` if none are owned; PSB_ENOMEM, on every process. */
PSB_MUST_CHECK psb_err X(vecdist)(const psb_desc *desc, int root, const T *all, T *mine);
