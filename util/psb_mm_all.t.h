/* psb_mm_all.t.h -- room: util.  Matrix Market, read by all processes together.
 *
 * The file is cut into blocks of psb_set_read_block bytes, and block k is read by process k mod np: the lines
 * that begin in it.  What it finds goes to the owners of the rows before the next np blocks are read, so that
 * a process holds its own entries and those of one block.  A packed file has no blocks: every process unpacks
 * all of it, and reads its own lines.  Everything X(mm_read) refuses is refused, on every process, with the
 * line and the reason that it would tell.
 *
 * All processes must see the file, the same one, at `path`; only one that is alone may read what is no
 * regular file. `progress`, if not NULL, is called as X(mm_read) does, on every process. */

/* Store in *mine the entries of the rows owned here, in file order; symmetric storage is expanded, duplicates
 * are kept.  `rows` has as many rows as the matrix, in state BUILD or ASSEMBLED.  The caller gives *mine to
 * X(triplets_free).  Collective over the context of `rows`.  Errors as X(mm_read), and PSB_EARG where `rows`
 * is NULL or has another number of rows; on every process, and *mine is not set. */
PSB_MUST_CHECK psb_err X(mm_read_all)(const char *path, const psb_desc *rows,
                                      void (*progress)(void *arg, double fraction), void *arg,
                                      struct X(triplets) *mine);

/* Make *a the matrix at `path`, state BUILD, its entries inserted: psb_cdasb on its descriptors and psb_spasb
 * are what remains.  Where *row is NULL it becomes a descriptor of even blocks; where *col is, it becomes
 * *row if the matrix is square, else another one of even blocks.  Descriptors given are in state BUILD and as
 * long as the matrix has rows, columns.  The caller frees *a, *row, and *col if it is another one. Collective
 * over ctxt.  Errors as X(mm_read), PSB_EARG, PSB_ESTATE; on every process, and nothing is set, but
 * descriptors given may know of columns that were read. */
PSB_MUST_CHECK psb_err X(mm_mat_read)(struct X(spmat) **a, psb_desc **row, psb_desc **col, psb_ctxt *ctxt,
                                      const char *path);

/* Make x[0..n) the n columns of the array at `path`, or of coordinates, duplicates added: new vectors on
 * `desc`, state BUILD, that the caller frees.  Collective over the context of `desc`.  Errors as X(mm_read),
 * and PSB_EARG where the file has not n columns, n >= 1, of the length of `desc`; on every process, and
 * nothing is set. */
PSB_MUST_CHECK psb_err X(mm_vect_read)(struct X(vect) **x, psb_ipk n, psb_desc *desc, const char *path);
