/* psb_dns.t.h -- room: ext.  Dense: a place for every row and column, row by row.  Row i, column j is
 * val[i*n + j], of an m x n matrix, and is an entry where bit j%64 of word i*words + j/64 is set, words =
 * (n + 63) / 64; elsewhere the value is 0.  Of equal entries the l-th stands in layer l, where i*n above is
 * (l*m + i)*n, and i*words (l*m + i)*words; most matrices have one layer. */
struct X(dns_mat) {
    struct X(mat) mat;
    double limit; /* refuse to take more than 65,536 values and this many times CSR; 0: no limit */
    psb_ipk layers;
    struct psb_dual bits; /* uint64_t, layers * m * words */
    struct psb_dual val;  /* T, layers * m * n */
};
extern const struct X(dns_mat) X(dns_mold); /* limit 8 */
