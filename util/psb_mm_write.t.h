/* psb_mm_write.t.h -- room: util.  Matrix Market, written: plain text, general, every value with digits enough to
 * be read back as it is; infinities and NaN are spelled `inf` and `nan`.
 *
 * `title`, if not NULL, becomes comments, a line each.  PSB_EIO where the file could not be written to its
 * end, and what is there is then of no use. */

/* Write the dense m by n matrix `val`, by columns, at `path` as an array.  Local.  PSB_EARG: m or n negative,
 * or val NULL where there are entries. */
PSB_MUST_CHECK psb_err X(mm_write_array)(const char *path, psb_lpk m, psb_lpk n, const T *val);

/* Write triplets at `path` as coordinates, in their order.  `field`: PSB_MM_REAL or PSB_MM_COMPLEX, as T is;
 * PSB_MM_INTEGER where every value is a whole number below 2^63; PSB_MM_PATTERN leaves the values out;
 * PSB_MM_COMPLEX also where T is real.  Local.  PSB_EARG: a pointer is NULL, a size negative, an index out of
 * range, or a value is none of the field's, and is named. */
PSB_MUST_CHECK psb_err X(mm_write)(const char *path, const struct X(triplets) *t, enum psb_mm_field field,
                                   const char *title);

/* Write a local matrix, of whatever format, as coordinates by rows.  Local.  PSB_EARG: a or path is NULL. */
PSB_MUST_CHECK psb_err X(mm_mat_write)(const char *path, struct X(mat) *a, const char *title);

/* Write a distributed matrix, assembled, as coordinates in global numbers: the rows of process 0, then those
 * of process 1, and so on, each in local order, and by columns within, owned ones first.  Process 0 writes,
 * and holds a few MiB of what others send.  Collective.  PSB_EARG, PSB_ESTATE: path or a is NULL, a not
 * assembled; on every process, as PSB_EIO. */
PSB_MUST_CHECK psb_err X(mm_sp_write)(const char *path, const struct X(spmat) *a, const char *title);

/* Write n vectors, assembled and on one descriptor, as the columns of an array, in global order.  Process 0
 * writes, and holds one column.  Collective.  PSB_EARG: a pointer is NULL, n < 1 or not the same
 * everywhere, the vectors lie on different descriptors, or one has several columns; on every process, as
 * PSB_EIO, but x and x[0], whatever n is, are there on all processes, which know of each other by it. */
PSB_MUST_CHECK psb_err X(mm_vect_write)(const char *path, struct X(vect) *const *x, psb_ipk n);
