/* check_sp_gemm.c -- test: psb_spgemm, psb_sprap and their new values, compared with reference matrices. */
#include "check_sp.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { INNER = N, WIDE = 29, COARSE = 11 };

/* Matrices on descriptors of their own: op(A) is M x INNER, op(B) INNER x WIDE, D and the mask M x WIDE. */
struct operands {
    psb_desc *row, *inner, *col;
    struct X(coo_mat) *s[4]; /* of a, b, d, mask */
    struct X(spmat) *m[4];
};

static void operands_free(struct operands *o)
{
    for (int k = 0; k < 4; k++) {
        X(mat_free)((struct X(mat) *)o->s[k]);
        X(spfree)(o->m[k]);
    }
    psb_cdfree(o->row);
    psb_cdfree(o->inner);
    psb_cdfree(o->col);
}
#define OPERANDS OWNER(operands_free) struct operands

static void add_operand(struct operands *o, int k, enum sample_kind kind, psb_desc *row, psb_ipk m,
                        psb_desc *col, psb_ipk n, bool turned)
{
    o->s[k] = turned ? sample(kind, n, m) : sample(kind, m, n);
    o->m[k] = turned ? matrix_on(col, row, o->s[k]) : matrix_on(row, col, o->s[k]);
}

static struct operands make_operands(int i, bool ta, bool tb)
{
    struct operands o = { 0 };
    GOOD(alloc_desc(&o.row, (enum distribution)(i % DISTRIBUTIONS), M));
    GOOD(alloc_desc(&o.inner, (enum distribution)((i + 3) % DISTRIBUTIONS), INNER));
    GOOD(alloc_desc(&o.col, (enum distribution)((2 * i + 1) % DISTRIBUTIONS), WIDE));
    add_operand(&o, 0, kinds[i % KINDS], o.row, M, o.inner, INNER, ta);
    add_operand(&o, 1, kinds[(i + 2) % KINDS], o.inner, INNER, o.col, WIDE, tb);
    add_operand(&o, 2, TRIDIAG, o.row, M, o.col, WIDE, false);
    add_operand(&o, 3, i % 2 ? SPREAD : DENSE_ROW, o.row, M, o.col, WIDE, false);
    GOOD(psb_cdasb(o.row));
    GOOD(psb_cdasb(o.inner));
    GOOD(psb_cdasb(o.col));
    for (int k = 0; k < 4; k++)
        GOOD(psb_spasb(o.m[k], k % 2 ? &X(csr_mold).mat : &X(csc_mold).mat, PSB_DUPL_ADD));
    return o;
}

static struct reference *reference_op(const struct X(coo_mat) *s, char trans)
{
    struct reference *d = reference_of(s);
    if (trans == 'N')
        return d;
    struct reference *t = reference_transposed(d, trans == 'C');
    free(d);
    return t;
}

/* alpha op(A) op(B) + beta D, where d and mask may be left out. */
static struct reference *wanted_product(const struct operands *o, T alpha, char ta, char tb, T beta,
                                        bool with_d, bool masked)
{
    HEAP struct reference *a = reference_op(o->s[0], ta), *b = reference_op(o->s[1], tb),
                          *d = reference_of(o->s[2]), *mask = reference_of(o->s[3]);
    struct reference *c = reference_product(a, b);
    reference_scale(c, alpha, NULL, NULL);
    reference_scale(d, beta, NULL, NULL);
    for (int k = 0; k < MOST * MOST; k++) {
        struct cell *to = &c->at[0][0] + k, *from = &d->at[0][0] + k;
        if (with_d)
            to->v += from->v, to->size += from->size, to->n += from->n;
        const int n = (&mask->at[0][0] + k)->n;
        if (masked && n == 0)
            *to = (struct cell){ 0 };
        else if (masked && to->n == 0)
            to->n = 1;
    }
    return c;
}

static void check_equal(const struct X(spmat) *a, const struct X(spmat) *b, R tol, int want)
{
    int equal = -1;
    GOOD(psb_sp_cmp(a, b, tol, &equal));
    EXPECT(equal == want);
}

/* All ops, with and without D and a mask; then twice the values. */
TEST(general_products)
{
    const T alpha = _i % 3 ? MAKE(0.5, -1) : 1, beta = MAKE(-2, 0.25);
    for (int q = 0; q < 36; q++) {
        const char ta = op_codes[q % 3], tb = op_codes[q / 3 % 3];
        const bool with_d = q / 9 % 2, masked = q / 18;
        OPERANDS o = make_operands(_i + q, ta != 'N', tb != 'N');
        struct X(spmat) *d = with_d ? o.m[2] : NULL, *mask = masked ? o.m[3] : NULL;
        HEAP struct reference *want = wanted_product(&o, alpha, ta, tb, beta, with_d, masked);
        SPMAT *c = NULL, *again = NULL;
        GOOD(psb_spgemm(alpha, o.m[0], ta, o.m[1], tb, beta, d, mask, NULL, &c));
        if (!c)
            return;
        EXPECT(!masked || (c->row == o.row && c->col == o.col));
        check_matrix(c, want, 12, "a general product");
        check_products(c, want, 12);
        GOOD(psb_spgemm_again(alpha, o.m[0], o.m[1], beta, d, c));
        GOOD(psb_spgemm(alpha, o.m[0], ta, o.m[1], tb, beta, d, mask, NULL, &again));
        check_equal(c, again, 0, 1);
        GOOD(psb_spscal(2, o.m[0]));
        GOOD(psb_spscal(2, o.m[2]));
        GOOD(psb_spgemm_again(alpha, o.m[0], o.m[1], beta, d, c));
        GOOD(psb_spscal(2, again));
        check_equal(c, again, 0, 1); /* twice a number is exact */
    }
}

/* In any format. */
TEST(general_products_in_formats)
{
    OPERANDS o = make_operands(_i, true, false);
    HEAP struct reference *want = wanted_product(&o, 1, 'C', 'N', 1, true, false);
    for (int f = 0; X(mat_format)(f); f++) {
        SPMAT *c = NULL;
        if (!accepted(psb_spgemm(1, o.m[0], 'C', o.m[1], 'N', 1, o.m[2], NULL, X(mat_format)(f), &c)))
            continue;
        EXPECT(strcmp(X(sp_fmt)(c), X(mat_format)(f)->ops->fmt) == 0);
        check_matrix(c, want, 12, "a product");
        GOOD(psb_spgemm_again(1, o.m[0], o.m[1], 1, o.m[2], c));
        EXPECT(strcmp(X(sp_fmt)(c), X(mat_format)(f)->ops->fmt) == 0);
        check_matrix(c, want, 12, "a product again");
    }
}

/* Another pattern of one of the matrices, or of the result. */
TEST(other_patterns)
{
    OPERANDS o = make_operands(_i, false, false);
    SPMAT *c = NULL, *copy = NULL, *less = NULL;
    psb_epk nz = -1;
    GOOD(psb_spgemm(1, o.m[0], 'N', o.m[1], 'N', 1, o.m[2], NULL, NULL, &c));
    GOOD(psb_sp_clone(c, &copy));
    GOOD(psb_sp_clip_diag(o.m[2], &less));
    BAD(psb_spgemm_again(1, o.m[0], o.m[1], 1, less, c), PSB_ESTATE, "argument d has another pattern");
    BAD(psb_spgemm_again(1, o.m[0], o.m[1], 1, NULL, c), PSB_ESTATE, "argument d has another pattern");
    BAD(psb_spgemm_again(1, o.m[0], o.m[1], 1, o.m[2], copy), PSB_ESTATE, "argument c is no result");
    BAD(psb_sprap_again(NULL, o.m[0], o.m[1], c), PSB_ESTATE, "argument c is no result of psb_sprap");
    check_equal(c, copy, 0, 1);
    psb_spfree(less);
    less = NULL;
    GOOD(psb_sp_csclip(o.m[1], 0, INNER / 2, 0, WIDE, &less));
    GOOD(psb_nnz(less, &nz));
    if (nz < o.s[1]->mat.nnz) {
        BAD(psb_spgemm_again(1, o.m[0], less, 1, o.m[2], c), PSB_ESTATE, "argument b has another pattern");
        check_equal(c, copy, 0, 1);
    }
    struct X(spmat) *none = NULL;
    BAD(psb_spgemm(1, o.m[0], 'N', o.m[0], 'N', 1, NULL, NULL, NULL, &none), PSB_EARG,
        "argument b has 41 rows; expected 37, the columns of a");
    BAD(psb_spgemm(1, o.m[0], 'N', o.m[1], 'N', 1, o.m[0], NULL, NULL, &none), PSB_EARG,
        "argument d is 41 x 37; expected 41 x 29");
    BAD(psb_spgemm(1, o.m[0], 'N', o.m[1], 'N', 1, NULL, o.m[1], NULL, &none), PSB_EARG,
        "argument mask is 37 x 29; expected 41 x 29");
    BAD(psb_spgemm(1, o.m[0], 'X', o.m[1], 'N', 1, NULL, NULL, NULL, &none), PSB_EARG, "'X'");
    BAD(psb_spgemm(1, o.m[0], 'N', o.m[1], 'N', 1, NULL, NULL, NULL, NULL), PSB_EARG, "argument c is NULL");
    EXPECT(!none);
}

static const void *values_of(const struct X(spmat) *a)
{
    return ((const struct X(csr_mat) *)a->ad)->val.host;
}

/* B of the pattern of A is changed in place, another B is made anew. */
TEST(sums_of_one_pattern)
{
    DISTRIBUTED w = sample_on(kinds[_i % KINDS], M, _i, _i);
    SPMAT *b = NULL, *twice = NULL, *less = NULL;
    GOOD(psb_spasb(w.a, &X(csr_mold).mat, PSB_DUPL_ADD));
    GOOD(psb_sp_clone(w.a, &b));
    GOOD(psb_sp_clone(w.a, &twice));
    GOOD(psb_spscal(2, twice));
    const void *at = values_of(b);
    GOOD(psb_spaxpby(1, w.a, 1, b));
    EXPECT(values_of(b) == at);
    check_equal(b, twice, 0, 1);
    GOOD(psb_spscal(MAKE(NAN, 0), b));
    GOOD(psb_spaxpby(2, w.a, 0, b));
    check_equal(b, twice, 0, 1);
    GOOD(psb_sp_clip_diag(w.a, &less));
    GOOD(psb_spaxpby(0, less, 1, b)); /* another pattern, unless no row has a diagonal */
    check_equal(b, twice, 0, 1);
}

/* R A P and P^H A P, and with new values. */
TEST(triple_products)
{
    DISTRIBUTED w = sample_on(kinds[_i % KINDS], M, _i, _i);
    DESC *coarse = NULL, *fine = NULL;
    COO *sp = sample(SPREAD, M, COARSE), *sr = sample(TRIDIAG, COARSE, M);
    HEAP struct reference *a = reference_of(w.s), *p = reference_of(sp), *r = reference_of(sr),
                          *ap = reference_product(a, p), *ph = reference_transposed(p, 1),
                          *php = reference_product(ph, ap), *rap = reference_product(r, ap);
    const struct reference *want[2] = { php, rap };
    GOOD(alloc_desc(&coarse, (enum distribution)((_i + 2) % DISTRIBUTIONS), COARSE));
    GOOD(psb_cdall_like(&fine, w.row));
    SPMAT *mp = matrix_on(w.col, coarse, sp), *mr = matrix_on(coarse, fine, sr);
    GOOD(psb_cdasb(coarse));
    GOOD(psb_cdasb(fine));
    GOOD(psb_spasb(w.a, &X(csr_mold).mat, PSB_DUPL_ADD));
    GOOD(psb_spasb(mp, &X(csr_mold).mat, PSB_DUPL_ADD));
    GOOD(psb_spasb(mr, &X(csr_mold).mat, PSB_DUPL_ADD));
    for (int k = 0; k < 2; k++) {
        struct X(spmat) *left = k ? mr : NULL;
        SPMAT *first = NULL, *c = NULL;
        BAD(psb_sprap(left, w.a, mp, NULL, NULL), PSB_EARG, "argument c is NULL");
        GOOD(psb_sprap(left, w.a, mp, NULL, &c));
        if (!c)
            return;
        EXPECT(c->row == c->col && psb_cd_same_rows(c->col, coarse));
        EXPECT(X(sp_bytes)(c) > X(mat_bytes)(c->ad) + X(mat_bytes)(c->ah) + c->bnd.bytes);
        check_matrix(c, want[k], 24, "a triple product");
        check_products(c, want[k], 24);
        GOOD(psb_sp_clone(c, &first));
        GOOD(psb_spscal(2, w.a));
        GOOD(psb_sprap_again(left, w.a, mp, c));
        GOOD(psb_spscal(2, first));
        check_equal(c, first, 0, 1);
        GOOD(psb_spscal(MAKE(0.5, 0), w.a));
        BAD(psb_sprap_again(k ? NULL : mr, w.a, mp, c), PSB_ESTATE, "argument r is ");
    }
}

/* A diagonal matrix of BLOCK rows a process; and the first n rows have entries in columns `first` + row and
 * `last` of the next process. */
enum { BLOCK = 4000 };
static struct X(spmat) *diagonal_and_far(psb_desc *d, int n, psb_ipk first, psb_ipk last)
{
    struct X(spmat) *a = NULL;
    GOOD(psb_spall(&a, d, 2 * BLOCK));
    for (psb_ipk l = 0; l < BLOCK; l++) {
        const psb_lpk i = psb_loc_to_glob(d, l), next = (i - l + BLOCK) % psb_cd_global_rows(d);
        const psb_lpk row[3] = { i, i, i }, col[3] = { i, next + first + l, next + last };
        const T val[3] = { MAKE(1 + l % 7, 1), MAKE(2, 0), MAKE(3, 1) };
        GOOD(psb_spins(l < n ? 3 : 1, row, col, val, a));
    }
    GOOD(psb_cdasb(d));
    GOOD(psb_spasb(a, &X(csr_mold).mat, PSB_DUPL_ADD));
    return a;
}

/* op 'T' of a diagonal matrix, with rows of D whose last column is in the halo of B and the others are not:
 * more columns than one group of a set of columns holds. */
TEST(many_columns)
{
    psb_desc *d[3] = { NULL };
    struct X(spmat) *m[3];
    int equal = 0;
    for (int k = 0; k < 3; k++) {
        GOOD(psb_cdall_nl(&d[k], ctxt, BLOCK));
        m[k] = diagonal_and_far(d[k], k == 0 ? 0 : 80 + 10 * k, k == 1 ? 200 : 0, 289);
    }
    SPMAT *n = NULL, *t = NULL;
    GOOD(psb_spgemm(1, m[0], 'N', m[1], 'N', 1, m[2], NULL, NULL, &n));
    GOOD(psb_spgemm(1, m[0], 'T', m[1], 'N', 1, m[2], NULL, NULL, &t));
    GOOD(psb_sp_cmp(n, t, 0, &equal));
    EXPECT(equal);
    for (int k = 0; k < 3; k++) {
        psb_spfree(m[k]);
        psb_cdfree(d[k]);
    }
}

/* --- on a device --- */

/* Matrices M x M with entries in columns of their process alone, in CSR on the host and, with values there
 * alone, in CSR on the device. */
struct near {
    psb_desc *d;
    struct X(spmat) *host[3], *there[3];
};

static void near_free(struct near *w)
{
    for (int k = 0; k < 3; k++) {
        X(spfree)(w->host[k]);
        X(spfree)(w->there[k]);
    }
    psb_cdfree(w->d);
}
#define NEAR OWNER(near_free) struct near

static struct near near_matrices(int i)
{
    struct near w = { .d = NULL };
    int owner[M];
    owners((enum distribution)(i % DISTRIBUTIONS), M, owner);
    GOOD(alloc_desc(&w.d, (enum distribution)(i % DISTRIBUTIONS), M));
    for (int k = 0; k < 3; k++) {
        COO *all = sample(kinds[(i + k) % KINDS], M, M), *own = new_coo(M, M);
        for (psb_epk e = 0; e < all->mat.nnz; e++)
            if (owner[all->ia[e]] == owner[all->ja[e]])
                coo_put(own, all->ia[e], all->ja[e], all->val[e]);
        w.host[k] = matrix_on(w.d, w.d, own);
        w.there[k] = matrix_on(w.d, w.d, own);
    }
    GOOD(psb_cdasb(w.d));
    for (int k = 0; k < 3; k++) {
        GOOD(psb_spasb(w.host[k], &X(csr_mold).mat, PSB_DUPL_ADD));
        GOOD(psb_spasb(w.there[k], &X(csrg_mold).mat, PSB_DUPL_ADD));
    }
    return w;
}

/* No array of a matrix has passed between the host and the device since the transfers were counted, but for
 * the row pointers of empty parts. */
static void check_stayed(const char *what)
{
    static const char *const of[] = { "CSR columns", "CSR values", "CSR row pointers" };
    for (int k = 0; k < 3; k++) {
        const struct psb_transfer_counts t = psb_transfers(of[k]);
        const long long most = k == 2 ? 4 * (long long)sizeof(psb_epk) : 0;
        EXPECT_SAYING(t.get_bytes + t.put_bytes <= most, "%s: %lld gets and %lld puts of %s", what, t.gets,
                      t.puts, of[k]);
    }
}

/* c, which is on the device, has the bits of `want`. */
static void check_there(const struct X(spmat) *c, const struct X(spmat) *want, const char *what)
{
    psb_epk nz[2] = { -1, -2 };
    check_stayed(what);
    EXPECT(strcmp(X(sp_fmt)(c), "CSRG") == 0);
    GOOD(psb_nnz(c, &nz[0]));
    GOOD(psb_nnz(want, &nz[1]));
    EXPECT(nz[0] == nz[1]);
    check_equal(c, want, 0, 1);
}

static void scale_all(struct near *w, T s)
{
    for (int k = 0; k < 3; k++) {
        GOOD(psb_spscal(s, w->host[k]));
        GOOD(psb_spscal(s, w->there[k]));
    }
}

TEST(products_on_the_device)
{
    const psb_epk before = psb_cuda_convert_from(0);
    for (int q = 0; q < 36; q++) {
        const char ta = op_codes[q % 3], tb = op_codes[q / 3 % 3];
        const int with_d = q / 9 % 2, masked = q / 18;
        const T alpha = q % 2 ? MAKE(0.5, -1) : 1, beta = MAKE(-2, 0.25);
        NEAR w = near_matrices(_i + q);
        SPMAT *want = NULL, *c = NULL;
        struct X(spmat) *const d[2] = { with_d ? w.host[2] : NULL, with_d ? w.there[2] : NULL },
                               *const mask[2] = { masked ? w.host[2] : NULL, masked ? w.there[2] : NULL };
        scale_all(&w, 2);
        GOOD(psb_spgemm(alpha, w.host[0], ta, w.host[1], tb, beta, d[0], mask[0], NULL, &want));
        psb_transfers_reset();
        GOOD(psb_spgemm(alpha, w.there[0], ta, w.there[1], tb, beta, d[1], mask[1], NULL, &c));
        if (!c || !want)
            break;
        check_there(c, want, "a product");
        scale_all(&w, MAKE(0.7, 0.1));
        GOOD(psb_spgemm_again(alpha, w.host[0], w.host[1], beta, d[0], want));
        psb_transfers_reset();
        GOOD(psb_spgemm_again(alpha, w.there[0], w.there[1], beta, d[1], c));
        check_there(c, want, "a product again");
        BAD(psb_spgemm_again(alpha, w.there[0], w.there[1], beta, with_d ? NULL : w.there[2], c), PSB_ESTATE,
            "argument d has another pattern");
        check_equal(c, want, 0, 1);
    }
    psb_cuda_convert_from(before);
}

TEST(triple_products_on_the_device)
{
    const psb_epk before = psb_cuda_convert_from(0);
    for (int k = 0; k < 2; k++) {
        NEAR w = near_matrices(_i);
        SPMAT *want = NULL, *c = NULL;
        scale_all(&w, 2);
        GOOD(psb_sprap(k ? w.host[2] : NULL, w.host[0], w.host[1], NULL, &want));
        psb_transfers_reset();
        GOOD(psb_sprap(k ? w.there[2] : NULL, w.there[0], w.there[1], NULL, &c));
        if (!c || !want)
            break;
        check_there(c, want, "a triple product");
        scale_all(&w, MAKE(0.7, 0.1));
        GOOD(psb_sprap_again(k ? w.host[2] : NULL, w.host[0], w.host[1], want));
        psb_transfers_reset();
        GOOD(psb_sprap_again(k ? w.there[2] : NULL, w.there[0], w.there[1], c));
        check_there(c, want, "a triple product again");
    }
    psb_cuda_convert_from(before);
}

/* C by devices of matrices with entries in columns of other processes: bits and format; then new values. */
TEST(far_products_on_the_device)
{
    const psb_epk before = psb_cuda_convert_from(0);
    for (int q = 0; q < 36; q++) {
        const char ta = op_codes[q % 3], tb = op_codes[q / 3 % 3];
        const bool with_d = q / 9 % 2, masked = q / 18;
        const T alpha = _i % 3 ? MAKE(0.5, -1) : 1, beta = MAKE(-2, 0.25);
        OPERANDS o = make_operands(_i + q, ta != 'N', tb != 'N');
        struct X(spmat) *there[4] = { NULL };
        SPMAT *want = NULL, *c = NULL;
        for (int k = 0; k < 4; k++) {
            GOOD(psb_sp_clone(o.m[k], &there[k]));
            GOOD(psb_spcnv(there[k], &X(csrg_mold).mat));
        }
        for (int twice = 0; twice < 2; twice++) {
            const struct X(spmat) *d[2] = { with_d ? o.m[2] : NULL, with_d ? there[2] : NULL };
            psb_transfers_reset();
            if (twice) {
                GOOD(psb_spgemm_again(alpha, o.m[0], o.m[1], beta, d[0], want));
                GOOD(psb_spgemm_again(alpha, there[0], there[1], beta, d[1], c));
            } else {
                GOOD(psb_spgemm(alpha, o.m[0], ta, o.m[1], tb, beta, d[0], masked ? o.m[3] : NULL, NULL,
                                &want));
                GOOD(psb_spgemm(alpha, there[0], ta, there[1], tb, beta, d[1], masked ? there[3] : NULL,
                                &X(csrg_mold).mat, &c));
            }
            if (!c || !want)
                break;
            EXPECT(strcmp(X(sp_fmt)(c), "CSRG") == 0);
            EXPECT(collective_count(psb_transfers("sizes of a product").gets > 0) > 0); /* by a device */
            check_equal(c, want, 0, 1);
            GOOD(psb_spscal(MAKE(0.7, 0.1), o.m[0]));
            GOOD(psb_spscal(MAKE(0.7, 0.1), there[0]));
        }
        for (int k = 0; k < 4; k++)
            psb_spfree(there[k]);
    }
    psb_cuda_convert_from(before);
}

/* Colours and thresholds; ascends: local numbers do with global ones, so that the device colours. */
static void check_rest(const struct near *w, bool ascends)
{
    for (int k = 0; k < 3; k++)
        for (int distance = 1; distance < 3; distance++) {
            struct psb_i_vect *v[2] = { NULL };
            const psb_ipk *got, *want;
            int n[2] = { -1, -2 };
            psb_transfers_reset();
            GOOD(psb_sp_colour(w->there[k], distance, &v[0], &n[0]));
            EXPECT(!ascends || psb_transfers("CSR columns").gets == 0);
            GOOD(psb_sp_colour(w->host[k], distance, &v[1], &n[1]));
            EXPECT(n[0] == n[1]);
            GOOD(psb_i_host_read(v[0], &got));
            GOOD(psb_i_host_read(v[1], &want));
            for (psb_ipk i = 0; i < psb_cd_local_rows(w->d); i++)
                EXPECT(got[i] == want[i]);
            psb_gefree(v[0]);
            psb_gefree(v[1]);
        }
    for (int rule = PSB_PRUNE_VALUE; rule <= PSB_PRUNE_ROW; rule++) {
        const R t = rule == PSB_PRUNE_SHARE ? 60 : rule == PSB_PRUNE_COUNT ? 2 : (R)0.4;
        SPMAT *got = NULL, *want = NULL;
        GOOD(psb_sp_clone(w->there[0], &got));
        GOOD(psb_sp_clone(w->host[0], &want));
        psb_transfers_reset();
        GOOD(psb_sp_prune(got, (enum psb_prune)rule, t, rule % 2));
        GOOD(psb_sp_prune(want, (enum psb_prune)rule, t, rule % 2));
        if (!CPLX && ascends && rule == PSB_PRUNE_VALUE)
            check_there(got, want, "a pruned matrix");
        check_equal(got, want, 0, 1);
    }
}

/* Sums, transposes, parts, colours, and entries above thresholds. */
TEST(others_on_the_device)
{
    const psb_epk before = psb_cuda_convert_from(0);
    NEAR w = near_matrices(_i);
    SPMAT *t = NULL, *l = NULL, *u = NULL, *block = NULL, *want_t = NULL, *want_l = NULL, *want_u = NULL,
          *want_block = NULL;
    const bool runs = _i % DISTRIBUTIONS != CYCLIC && _i % DISTRIBUTIONS != RANDOM &&
                      _i % DISTRIBUTIONS != SHUFFLED;
    scale_all(&w, 2);
    psb_transfers_reset();
    GOOD(psb_sp_transc(w.there[0], &t));
    GOOD(psb_sp_transc(w.host[0], &want_t));
    check_there(t, want_t, "a transpose");
    psb_transfers_reset();
    GOOD(psb_sp_tril(w.there[0], -1, &l, &u));
    GOOD(psb_sp_csclip(w.there[0], 3, M - 7, 2, M / 2, &block));
    if (runs)
        check_stayed("parts");
    GOOD(psb_sp_tril(w.host[0], -1, &want_l, &want_u));
    GOOD(psb_sp_csclip(w.host[0], 3, M - 7, 2, M / 2, &want_block));
    check_equal(l, want_l, 0, 1);
    check_equal(u, want_u, 0, 1);
    check_equal(block, want_block, 0, 1);
    scale_all(&w, 2);
    check_rest(&w, _i % DISTRIBUTIONS != SHUFFLED);
    psb_transfers_reset();
    GOOD(psb_spaxpby(MAKE(0.5, 1), w.there[0], -1, w.there[1]));
    GOOD(psb_spaxpby(MAKE(0.5, 1), w.host[0], -1, w.host[1]));
    check_there(w.there[1], w.host[1], "a sum");
    psb_cuda_convert_from(before);
}

/* C = A C, where a full block of rows here has the pattern of its products, has the bits of the host. */
TEST(result_as_operand)
{
    enum { ROWS = 5 };
    const psb_epk before = psb_cuda_convert_from(0);
    const psb_lpk first = (psb_lpk)ROWS * me + psb_index_base();
    DESC *d = NULL;
    SPMAT *host = NULL, *there = NULL, *want = NULL, *got = NULL;
    GOOD(psb_cdall_nl(&d, ctxt, ROWS));
    GOOD(psb_spall(&host, d, ROWS * ROWS));
    for (psb_lpk i = first; i < first + ROWS; i++)
        for (psb_lpk j = first; j < first + ROWS; j++)
            GOOD(psb_spins(1, &i, &j, &(T){ (T)(i + 2.5 * j) }, host));
    GOOD(psb_cdasb(d));
    GOOD(psb_spasb(host, &X(csr_mold).mat, PSB_DUPL_ADD));
    GOOD(psb_sp_clone(host, &there));
    GOOD(psb_spcnv(there, &X(csrg_mold).mat));
    GOOD(psb_spspmm(host, host, NULL, &want));
    GOOD(psb_spspmm(there, there, NULL, &got));
    GOOD(psb_spgemm_again(1, host, want, 0, NULL, want));
    GOOD(psb_spgemm_again(1, there, got, 0, NULL, got));
    check_equal(got, want, 0, 1);
    GOOD(psb_spgemm_again(1, want, host, 0, NULL, want));
    GOOD(psb_spgemm_again(1, got, there, 0, NULL, got));
    check_equal(got, want, 0, 1);
    psb_cuda_convert_from(before);
}

void sp_gemm_tests(Suite *s)
{
    TCase *c = collective_tcase(s, "general products");
    ck_add_sampled_tests(c, DISTRIBUTIONS, general_products, general_products_in_formats, other_patterns,
                         sums_of_one_pattern, triple_products, products_on_the_device,
                         triple_products_on_the_device, far_products_on_the_device, others_on_the_device);
    ck_add_tests(c, many_columns, result_as_operand);
}
