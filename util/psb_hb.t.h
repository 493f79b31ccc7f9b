/* psb_hb.t.h -- util: reading of Harwell-Boeing files.  Format: Duff, Grimes, Lewis, Users' guide for
 * the Harwell-Boeing sparse matrix collection, TR/PA/92/86, CERFACS (1992).  Rutherford-Boeing matrices,
 * whose type may also be I, are similar enough to be read as well.
 *
 * The file may be plain, gzip or xz.  Accepted are assembled matrices, types R, C, P or I; U, R, S, H or Z;
 * A, in any case.  Numbers are in columns according to the Fortran formats of the file, such as (10I8),
 * (1X,3E24.16), (1P,4D20.12), (3(1P,E24.16)): I or F, E, ES, EN, D and G fields, X, scale factors, groups,
 * with the meaning that the Fortran standard gives them.  An integer field holds an integer; a real field
 * holds a number with or without a point, whose exponent is written with E, D, or only a sign.  If a field
 * would hold two words, the words of that line are its fields, as SciPy writes them.  Values are rounded like
 * those of Matrix Market files; the entries of a pattern are 1.  Of the numbers of lines in the header, only
 * that of right-hand sides is used.
 *
 * Rejected, with an error that gives file, line and reason: matrices of elements (xxE); invalid types,
 * formats or counts; fields that are blank or not numbers; pointers that do not begin with 1, decrease, or do
 * not end after the last entry; indices out of range; symmetric storage of a matrix that is not square, or of
 * both triangles; a diagonal entry that is not 0 (Z) or not real (H); a value beyond the range of the scalar;
 * too few lines or too many, also where right-hand sides follow: as many as the header declares, or as their
 * numbers need; characters in columns that the format skips. */

/* Read the matrix at `path`: entries by columns, each off-diagonal entry of symmetric storage followed by its
 * mirror image.  The caller frees *t with X(triplets_free).  Memory grows with the entries read, not with the
 * number that the file declares.  Local.  PSB_EIO: the file is rejected; PSB_EARG: path or t is NULL, or the
 * matrix is complex and T is not; PSB_ENOMEM.  *t is set only on success. */
PSB_MUST_CHECK psb_err X(hb_read)(const char *path, struct X(triplets) *t);

/* Read the vectors after the matrix at `path`: which = 'F' the right-hand sides, 'G' the starting guesses,
 * 'X' the solutions.  *val holds m * n numbers by columns, where m is the number of rows of the matrix; the
 * caller frees it with psb_free.  Local.  Errors as X(hb_read), and PSB_EARG for another letter, or if the
 * file has no such vectors stored in full. */
PSB_MUST_CHECK psb_err X(hb_read_rhs)(const char *path, char which, psb_lpk *m, psb_lpk *n, T **val);

/* Make *a the matrix at `path`, which process 0 reads and sends to the owners of the rows; *row and *col as
 * in X(mm_mat_read); only process 0 uses path.  Collective over ctxt.  Errors, on every process, as
 * X(hb_read); nothing is then set. */
PSB_MUST_CHECK psb_err X(hb_mat_read)(struct X(spmat) **a, psb_desc **row, psb_desc **col, psb_ctxt *ctxt,
                                      const char *path);
