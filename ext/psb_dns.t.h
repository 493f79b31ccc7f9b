/* psb_dns.t.h -- ext: dense: an element for every row and column, by rows.  Row i, column j of an m x
 * n matrix is val[i*n + j], and is an entry if bit j%64 of word i*words + j/64 is set, with words = (n + 63)
 * / 64; elsewhere the value is 0.  Duplicates are stored in layers: for the l-th of equal entries, i above is
 * l*m + i.  Most matrices have one layer. */
struct X(dns_mat) {
    struct X(mat) mat;
    double limit; /* refuse more than 65,536 values and this many times the bytes of CSR; 0: no limit */
    psb_ipk layers;
    struct psb_dual bits; /* uint64_t, layers * m * words */
    struct psb_dual val;  /* T, layers * m * n */
};
extern const struct X(dns_mat) X(dns_mold); /* limit 8 */
