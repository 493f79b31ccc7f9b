/* psb_mm.t.h -- util: Matrix Market files read by one process.
 * Format: Boisvert, Pozo, Remington, The Matrix Market exchange formats, NISTIR 5935 (1996).
 *
 * The file may be plain, gzip or xz; this is detected from its first bytes, not its name.  Accepted:
 *   - words of the banner in any case; `double` for `real`;
 *   - lines of at most 2^18 characters that end with LF, CRLF or CR; the last line may lack its end;
 *   - any white space between the words of a line, blank lines, and comments anywhere after the banner:
 *     lines whose first character is `%`;
 *   - entries in any order, possibly repeated;
 *   - symmetric, skew-symmetric or hermitian coordinates in either triangle, but only one of them;
 *   - `inf`, `infinity`, `nan` in any case, with or without a sign, in place of a real number;
 *   - values of an integer file outside the range of int64, which are rounded like other values.
 * Every value is rounded to the nearest, ties to even; one too small for the scalar becomes subnormal or 0.
 * The entries of a pattern are 1.
 *
 * Rejected, with an error that gives file, line and reason:
 *   - a banner that does not begin with `%%MatrixMarket matrix` or has more or fewer than five words;
 *     array with pattern; hermitian but not complex; skew-symmetric with pattern;
 *   - symmetric, skew-symmetric or hermitian storage of a matrix that is not square;
 *   - sizes or indices that are not integers, negative or out of range;
 *   - a word too many or too few on any line, including a comment after an entry, or after white space;
 *   - more or fewer entries than declared;
 *   - a finite value beyond the largest of the scalar; it never becomes infinite;
 *   - a fraction or an exponent in an integer file; a number in hexadecimal or with exponent `D`;
 *   - a diagonal entry that is not 0 in a skew-symmetric matrix, or not real in a hermitian one;
 *   - a NUL byte; packed data that are damaged or cut short. */

/* Entries in file order, symmetric storage expanded: entry k is val[k] at row ia[k], column ja[k], both from
 * 0. */
struct X(triplets) {
    psb_lpk m, n;
    psb_epk nnz;
    psb_lpk *ia, *ja;
    T *val;
};

/* Read the matrix at `path`: entries in file order, each off-diagonal entry of symmetric, skew-symmetric
 * or hermitian storage followed by its mirror image; duplicates are kept.  An array yields all its entries,
 * including zeros, but a skew-symmetric one yields no diagonal.  `progress`, if not NULL, is called from time
 * to time with `arg` and the fraction of the file read, and with 1 at the end; only at the end if the size of
 * the file is unknown.  The caller frees *t with X(triplets_free).  Memory grows with the entries read, not
 * with the number that the file declares.  Local.  PSB_EIO: the file is rejected; PSB_EARG: it is complex and
 * T is not; PSB_ENOMEM.  *t is set only on success. */
PSB_MUST_CHECK psb_err X(mm_read)(const char *path, void (*progress)(void *arg, double fraction), void *arg,
                                  struct X(triplets) *t);

/* Read the matrix at `path`, array or coordinates, as a dense matrix: *val holds m * n entries by columns,
 * duplicates summed; the caller frees it with psb_free.  Local.  Errors as X(mm_read), and PSB_EARG if m * n
 * overflows.  The outputs are set only on success. */
PSB_MUST_CHECK psb_err X(mm_read_array)(const char *path, psb_lpk *m, psb_lpk *n, T **val);

/* Free the arrays of *t and make it 0 by 0; t may be NULL.  Local. */
void X(triplets_free)(struct X(triplets) *t);
