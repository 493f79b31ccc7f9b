/* psb_mm_write.t.h -- util: write Matrix Market files.  Values have enough digits to be read back
 * unchanged; infinities and NaN are spelled `inf` and `nan`.
 *
 * A file whose name ends with .gz or .xz is packed by gzip or xz; PSB_ENOTIMPL if this build lacks the
 * library (psb_version).  `title`, if not NULL, becomes comments, one for each of its lines.  PSB_EIO if the
 * file could not be written completely; what it contains then is of no use.
 *
 * `symmetry` is PSB_MM_GENERAL, or says that the matrix equals its transpose (PSB_MM_SYMMETRIC), its negative
 * transpose (PSB_MM_SKEW) or its conjugate transpose (PSB_MM_HERMITIAN, complex matrices only).  Then only
 * entries on and below the diagonal are written, for PSB_MM_SKEW only those below it.  PSB_EARG if the matrix
 * is not of that symmetry; that is checked on a transposed copy. */

/* Write the dense m by n matrix `val`, by columns, at `path` as an array.  Local.  PSB_EARG: m or n is
 * negative, or val is NULL although there are entries. */
PSB_MUST_CHECK psb_err X(mm_write_array)(const char *path, psb_lpk m, psb_lpk n, const T *val);

/* Write triplets at `path` as coordinates, in their order.  `field`: PSB_MM_REAL or PSB_MM_COMPLEX according
 * to T; PSB_MM_INTEGER if every value is an integer below 2^63; PSB_MM_PATTERN omits the values;
 * PSB_MM_COMPLEX is also allowed if T is real.  Local.  PSB_EARG: a pointer is NULL, a size negative, an
 * index out of range, or a value is not of the field; the message names it. */
PSB_MUST_CHECK psb_err X(mm_write)(const char *path, const struct X(triplets) *t, enum psb_mm_field field,
                                   const char *title);

/* Write a local matrix of any format as coordinates by rows.  Local.  PSB_EARG: a or path is NULL, or see
 * `symmetry` above. */
PSB_MUST_CHECK psb_err X(mm_mat_write)(const char *path, const struct X(mat) *a,
                                       enum psb_mm_symmetry symmetry, const char *title);

/* Write an assembled distributed matrix as coordinates in global numbers: the rows of process 0, then those
 * of process 1, and so on, each in local order, and in each row by local column, owned columns first.  A row
 * of several owners is written by the lowest.  Process 0 writes and holds a few MiB of the other processes'
 * text.  Collective.  PSB_EARG: path or a is NULL, symmetry differs between processes, or see `symmetry`
 * above; PSB_ESTATE: a is not assembled; PSB_ENOTIMPL: a row or column has several owners and symmetry is not
 * PSB_MM_GENERAL; PSB_EIO; each on every process. */
PSB_MUST_CHECK psb_err X(mm_sp_write)(const char *path, const struct X(spmat) *a,
                                      enum psb_mm_symmetry symmetry, const char *title);

/* Write n assembled vectors on one descriptor as the columns of an array, in global order.  Process 0 writes
 * and holds one column.  Collective.  x and x[0] must not be NULL on any process, whatever n is, since they
 * give the communicator. PSB_EARG, on every process: another pointer is NULL, n < 1 or not the same on all
 * processes, the vectors are on different descriptors, or one has several columns; PSB_EIO, on every
 * process. */
PSB_MUST_CHECK psb_err X(mm_vect_write)(const char *path, struct X(vect) *const *x, psb_ipk n);
