/* psb_mm_all.t.h -- util: Matrix Market files read by all processes together.
 *
 * The file is divided into blocks of psb_read_block bytes, and process k mod np reads block k: the lines
 * that begin in it.  The entries go to the owners of their rows before the next np blocks are read, so a
 * process holds its own entries and those of one block.  A compressed file has no blocks: every process
 * decompresses all of it and reads its own lines.  What X(mm_read) rejects is rejected on every process, with
 * the same line and reason.
 *
 * All processes must see the same file at `path`.  If it is a pipe on process 0, that process reads it alone.
 * PSB_ENOTIMPL, on every process: rows of a given descriptor are owned by several processes.
 * `progress`, if not NULL, is called as by X(mm_read), on every process. */

/* Store in *mine the entries of the rows owned here, in file order; symmetric storage is expanded, duplicates
 * are kept. `rows` has as many rows as the matrix, in state BUILD or ASSEMBLED.  The caller frees *mine with
 * X(triplets_free). Collective over the context of `rows`.  Errors, on every process, as X(mm_read), and
 * PSB_EARG if `rows` is NULL or has another number of rows; *mine is then not set. */
PSB_MUST_CHECK psb_err X(mm_read_all)(const char *path, const psb_desc *rows,
                                      void (*progress)(void *arg, double fraction), void *arg,
                                      struct X(triplets) *mine);

/* Make *a the matrix at `path`, in state BUILD with its entries inserted; psb_cdasb on its descriptors and
 * psb_spasb must follow.  If *row is NULL, it becomes a descriptor of even blocks; if *col is NULL, it
 * becomes *row if the matrix is square, else another descriptor of even blocks.  Given descriptors are in
 * state BUILD and have as many rows as the matrix has rows or columns.  The caller frees *a, *row, and *col
 * if it differs from *row.  Collective over ctxt.  Errors, on every process, as X(mm_read), PSB_EARG,
 * PSB_ESTATE; nothing is then set, but given descriptors may contain columns that were read. */
PSB_MUST_CHECK psb_err X(mm_mat_read)(struct X(spmat) **a, psb_desc **row, psb_desc **col, psb_ctxt *ctxt,
                                      const char *path);

/* Make x[0..n) the n columns of the array, or coordinates with duplicates added, at `path`: new vectors on
 * `desc` in state BUILD, which the caller frees.  Collective over the context of `desc`.  Errors, on every
 * process, as X(mm_read), and PSB_EARG unless the file has n >= 1 columns of the length of `desc`; nothing is
 * then set. */
PSB_MUST_CHECK psb_err X(mm_vect_read)(struct X(vect) **x, psb_ipk n, psb_desc *desc, const char *path);
