/* mm.t.h -- room: util.  Matrix Market, read by one process.
 * After Boisvert, Pozo, Remington, The Matrix Market exchange formats, NISTIR 5935 (1996).
 *
 * The file may be plain, gzip or xz; its first bytes tell, not its name.  Accepted:
 *   - words of the banner in any case; `double` for `real`;
 *   - lines ended by LF, CRLF or CR, the last one perhaps by nothing, of at most 2^18 characters;
 *   - any white space between the words of a line, blank lines, and anywhere after the banner comments:
 *     lines whose first character is `%`;
 *   - entries in any order, and more than once;
 *   - symmetric, skew-symmetric or hermitian coordinates in either triangle, in one of them only;
 *   - `inf`, `infinity`, `nan` in any case, with or without a sign, where a real number may stand;
 *   - values of an integer file beyond int64, rounded like any other.
 * Every value is the one nearest to the decimal number, ties to even; one too small for the scalar becomes
 * subnormal or 0.  The entries of a pattern are 1.
 *
 * Refused, with an error that names file, line and what is wrong:
 *   - a banner that does not begin with `%%MatrixMarket matrix` or has more or fewer than five words;
 *     an array of a pattern; hermitian but not complex; skew-symmetric and pattern;
 *   - symmetric, skew-symmetric or hermitian storage of a matrix that is not square;
 *   - sizes or indices that are no integers, negative or out of range;
 *   - a word too many or too few on any line, a comment behind an entry among them;
 *   - more or fewer entries than declared;
 *   - a finite value beyond the largest of the scalar, never made infinite;
 *   - a fraction or an exponent in an integer file; a number in hexadecimal or with exponent `D`;
 *   - a diagonal entry that is not 0 in a skew-symmetric matrix, or not real in a hermitian one;
 *   - a NUL byte; packed data that are damaged or cut short. */

/* Entries as they stand in a file, symmetric storage expanded: entry k is val[k] at row ia[k], column
 * ja[k], both from 0. */
struct X(triplets) {
    psb_lpk m, n;
    psb_epk nnz;
    psb_lpk *ia, *ja;
    T *val;
};

/* Read the matrix at `path`: entries in file order, each one off the diagonal of symmetric, skew-symmetric
 * or hermitian storage followed by its mirror image; duplicates are kept.  An array gives all its entries,
 * zeros among them, but a skew-symmetric one no diagonal.  `progress`, if not NULL, is called now and then
 * with `arg` and the part of the file done, and with 1 at the end; it is silent on the way where the size
 * of the file is not known.  The caller gives *t to X(triplets_free).  Memory grows with what is read,
 * not with what the file declares.  Local.  PSB_EIO: the file is refused; PSB_EARG: it is complex and T is
 * not; PSB_ENOMEM.  *t is set only after success. */
PSB_MUST_CHECK psb_err X(mm_read)(const char *path, void (*progress)(void *arg, double fraction), void *arg,
                                  struct X(triplets) *t);

/* Read the matrix at `path`, array or coordinates, as a dense one: *val holds m * n entries by columns,
 * duplicates added; the caller gives it to psb_free.  Local.  Errors as X(mm_read), and PSB_EARG where m * n
 * overflows.  The outputs are set only after success. */
PSB_MUST_CHECK psb_err X(mm_read_array)(const char *path, psb_lpk *m, psb_lpk *n, T **val);

/* Give back the arrays of *t and make it 0 by 0.  NULL is fine.  Local. */
void X(triplets_free)(struct X(triplets) *t);
