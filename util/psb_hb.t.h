/* psb_hb.t.h -- room: util.  Harwell-Boeing, read.  After Duff, Grimes, Lewis, Users' guide for the
 * Harwell-Boeing sparse matrix collection, TR/PA/92/86, CERFACS (1992); Rutherford-Boeing matrices (type with
 * I too) are so alike that they are read as well.
 *
 * The file may be plain, gzip or xz.  Accepted are assembled matrices: R, C, P or I; U, R, S, H or Z; A, in
 * whatever case.  Numbers stand in columns as the file's Fortran formats say, (10I8), (5E16.8), (1P,4D20.12)
 * and their like: an integer field holds an integer, a real one a number with or without point, its exponent
 * written with E, D, or a sign alone.  Where a field would hold two words, the words of that line are its
 * fields: SciPy writes so.  Values are rounded as those of Matrix Market files are; a pattern's are 1.  The
 * numbers of lines in the head are not relied upon.
 *
 * Refused, with an error that names file, line and what is wrong: matrices of elements (xxE); types, formats
 * or counts that are none; fields that are blank or no number; pointers that do not begin with 1, decrease,
 * or do not end behind the last entry; indices out of range; symmetric storage that is not square, or of both
 * triangles; a diagonal entry that is not 0 (Z) or not real (H); a value beyond the scalar; lines too few,
 * or, where there are no right-hand sides, too many. */

/* Read the matrix at `path`: entries by columns, each one off the diagonal of symmetric storage followed by
 * its mirror image.  The caller gives *t to X(triplets_free).  Memory grows with what is read, not with what
 * the file declares.  Local.  PSB_EIO: the file is refused; PSB_EARG: path or t is NULL, or the matrix
 * complex and T not; PSB_ENOMEM.  *t is set only after success. */
PSB_MUST_CHECK psb_err X(hb_read)(const char *path, struct X(triplets) *t);

/* Read what follows the matrix at `path`: which = 'F' the right-hand sides, 'G' the starting guesses, 'X' the
 * solutions.  *val holds m * n numbers by columns, m the rows of the matrix; the caller gives it to psb_free.
 * Local. Errors as X(hb_read), and PSB_EARG for another letter, or where the file has none of them that are
 * full. */
PSB_MUST_CHECK psb_err X(hb_read_rhs)(const char *path, char which, psb_lpk *m, psb_lpk *n, T **val);

/* Make *a the matrix at `path`, read by process 0 and sent to the owners of the rows; *row and *col as in
 * X(mm_mat_read); path counts on process 0.  Collective over ctxt.  Errors as X(hb_read); on every process,
 * and nothing is set. */
PSB_MUST_CHECK psb_err X(hb_mat_read)(struct X(spmat) **a, psb_desc **row, psb_desc **col, psb_ctxt *ctxt,
                                      const char *path);
