/* check_sp_products.c -- test: products, sums and comparison of distributed matrices; rows with
 * several owners. */
#include "check_sp.h"
#include <stdlib.h>
#include <string.h>

TEST(products_of_several_columns)
{
    enum { K = 3 };
    T x[K][MOST], y[K][MOST];
    for (int j = 0; j < K; j++) {
        random_vector(MOST, x[j], (uint64_t)j + 1);
        random_vector(MOST, y[j], (uint64_t)j + 5);
    }
    for (int q = 0; X(mat_format)(q / 3); q++) {
        const int f = q / 3, t = q % 3;
        DISTRIBUTED w = sample_on(TWICE, N, _i, _i + f);
        struct want want[MOST];
        const T alpha = MAKE(0.75, -0.5), beta = f % 2 ? MAKE(-0.5, 1) : 0;
        psb_desc *from = t ? w.row : w.col, *to = t ? w.col : w.row;
        VECT *vx = NULL, *vy = NULL;
        if (!assembled(&w, X(mat_format)(f)))
            continue;
        GOOD(psb_geall_n(&vx, from, K));
        GOOD(psb_geall_n(&vy, to, K));
        GOOD(psb_geasb(vx, t % 2 ? &psb_vect_host : &psb_vect_cuda));
        GOOD(psb_geasb(vy, &psb_vect_cuda));
        T mine[MOST * K];
        for (psb_ipk i = 0; i < psb_cd_local_rows(from) * K; i++)
            mine[i] = x[i % K][psb_loc_to_glob(from, i / K)];
        GOOD(psb_set_vect(vx, psb_cd_local_rows(from), mine));
        for (psb_ipk i = 0; i < psb_cd_local_rows(to) * K; i++)
            mine[i] = beta == 0 ? MAKE(NAN, NAN) : y[i % K][psb_loc_to_glob(to, i / K)];
        GOOD(psb_set_vect(vy, psb_cd_local_rows(to), mine));
        GOOD(psb_spmm(alpha, w.a, vx, beta, vy, "NTC"[t]));
        GOOD(psb_get_vect(vy, psb_cd_local_rows(to), mine));
        for (int j = 0; j < K; j++) {
            sample_product(w.s, "NTC"[t], alpha, x[j], beta, y[j], want);
            for (psb_ipk l = 0; l < psb_cd_local_rows(to); l++)
                EXPECT(is_right(mine[l * K + j], &want[psb_loc_to_glob(to, l)]));
        }
    }
}

/* --- two matrices --- */

enum { P = 29 };

/* The matrix B, N x P.  The distribution of its rows is that of the columns of w, on the same descriptor or
 * on a copy. */
struct factor {
    struct X(coo_mat) *s;
    psb_desc *row, *col, *own; /* own: row if it is a copy */
    struct X(spmat) *b;
};

static struct factor factor(const struct distributed *w, enum sample_kind kind,
                            enum distribution distribution, int own)
{
    struct factor q = { .s = sample(kind, N, P), .row = w->col };
    GOOD(alloc_desc(&q.col, distribution, P));
    if (own) {
        GOOD(psb_cdall_like(&q.own, w->col));
        q.row = q.own;
    }
    q.b = matrix_on(q.row, q.col, q.s);
    if (own)
        GOOD(psb_cdasb(q.row));
    GOOD(psb_cdasb(q.col));
    return q;
}

static void factor_free(struct factor *q)
{
    psb_cdfree(q->own);
    psb_cdfree(q->col);
    psb_spfree(q->b);
    X(mat_free)(&q->s->mat);
}
#define RIGHT_FACTOR OWNER(factor_free) struct factor

/* Row h of blk must be the row of b whose index is halo element h of d. */
static void check_halo_rows(psb_desc *d, struct X(spmat) *b, struct X(mat) *blk, const psb_lpk *more,
                            psb_ipk n, const struct reference *all)
{
    static psb_ipk ia[MOST * MOST], ja[MOST * MOST];
    static T val[MOST * MOST];
    static unsigned char has[MOST][MOST];
    psb_epk nz = 0;
    psb_ipk first = psb_cd_local_rows(d), known = psb_cd_local_cols(b->col);
    memset(has, 0, sizeof has);
    EXPECT(blk->nrows == psb_cd_local_cols(d) - first && blk->ncols == known + n);
    GOOD(X(mat_csget)(blk, NULL, MOST * MOST, ia, ja, val, &nz));
    for (psb_epk k = 0; k < nz; k++) {
        psb_lpk i = psb_loc_to_glob(d, first + ia[k]),
                j = ja[k] < known ? psb_loc_to_glob(b->col, ja[k]) : more[ja[k] - known];
        EXPECT(!has[i][j] && all->at[i][j].n && within(val[k], &all->at[i][j], 2));
        has[i][j] = 1;
    }
    for (psb_ipk h = first; h < psb_cd_local_cols(d); h++)
        for (int j = 0; j < MOST; j++)
            EXPECT(has[psb_loc_to_glob(d, h)][j] == (all->at[psb_loc_to_glob(d, h)][j].n > 0));
    for (psb_ipk i = 0; i < n; i++)
        EXPECT(psb_glob_to_loc(b->col, more[i]) == -1);
}

TEST(fetched_halo_rows)
{
    for (int f = 0; X(mat_format)(f); f++)
        for (int own = 0; own < 2; own++) {
            const struct X(mat) *mold = X(mat_format)(f);
            DISTRIBUTED w = sample_on(kinds[f % KINDS], N, EVEN, _i);
            RIGHT_FACTOR q = factor(&w, SPREAD, (enum distribution)((_i + f) % DISTRIBUTIONS), own);
            HEAP struct reference *b = reference_of(q.s);
            MAT *blk = NULL;
            PSB_HEAP psb_lpk *more = NULL;
            psb_ipk n = -1;
            if (accepted(psb_spasb(q.b, mold, PSB_DUPL_ADD))) {
                GOOD(psb_sphalo(w.col, q.b, f % 2 ? &X(coo_mold).mat : NULL, &blk, &more, &n));
                EXPECT(strcmp(X(mat_get_fmt)(blk), f % 2 ? "COO" : "CSR") == 0);
                check_halo_rows(w.col, q.b, blk, more, n, b);
            }
        }
}

TEST(matrix_products)
{
    for (int f = 0; X(mat_format)(f); f++) {
        const struct X(mat) *mold = X(mat_format)(f);
        DISTRIBUTED w = sample_on(kinds[f % KINDS], N, _i + f, _i);
        RIGHT_FACTOR q = factor(&w, kinds[f / 2 % KINDS], (enum distribution)((_i + 3 * f) % DISTRIBUTIONS),
                                f % 2);
        HEAP struct reference *a = reference_of(w.s), *b = reference_of(q.s), *ab = reference_product(a, b);
        SPMAT *c = NULL;
        if (accepted(psb_spasb(q.b, mold, PSB_DUPL_ADD)) && assembled(&w, mold)) {
            if (!accepted(psb_spspmm(w.a, q.b, mold, &c)))
                GOOD(psb_spspmm(w.a, q.b, NULL, &c));
            EXPECT(c->row == w.row && c->col != q.col);
            check_matrix(c, ab, 8, "a product");
            check_products(c, ab, 8);
            check_matrix(w.a, a, 0, "a factor");
            check_matrix(q.b, b, 0, "a factor");
        }
    }
}

/* A A A on one descriptor; the columns of the second product are those of the first. */
TEST(matrix_powers)
{
    DISTRIBUTED w = sample_on(SPREAD, M, _i, _i);
    HEAP struct reference *a = reference_of(w.s), *aa = reference_product(a, a),
                          *aaa = reference_product(aa, a), *a4 = reference_product(aa, aa);
    struct X(spmat) *c = NULL;
    SPMAT *left = NULL, *right = NULL, *four = NULL;
    GOOD(psb_spasb(w.a, &X(csr_mold).mat, PSB_DUPL_ADD));
    GOOD(psb_spspmm(w.a, w.a, NULL, &c));
    check_matrix(c, aa, 8, "the square");
    GOOD(psb_spspmm(w.a, c, NULL, &right));
    check_matrix(right, aaa, 16, "a cube");
    GOOD(psb_spspmm(c, w.a, &X(csc_mold).mat, &left));
    check_matrix(left, aaa, 16, "a cube");
    GOOD(psb_spspmm(c, c, NULL, &four));
    psb_spfree(c);
    check_matrix(four, a4, 24, "the fourth power");
    check_products(four, a4, 24);
}

TEST(matrix_sums)
{
    const T alpha = MAKE(0.5, -1), beta = MAKE(-2, 0.25);
    for (int f = 0; X(mat_format)(f); f++)
        for (int zero = 0; zero < 3; zero++) {
            DISTRIBUTED w = { .s = sample(SPREAD, M, N) };
            COO *s = sample(zero == 1 ? DENSE_COL : TRIDIAG, M, N);
            const T al = zero == 1 ? 0 : alpha, be = zero == 2 ? 0 : beta;
            HEAP struct reference *da = reference_of(w.s), *db = reference_of(s);
            GOOD(alloc_desc(&w.row, (enum distribution)_i, M));
            GOOD(alloc_desc(&w.col, (enum distribution)((_i + f) % DISTRIBUTIONS), N));
            w.a = matrix_on(w.row, w.col, w.s);
            SPMAT *b = matrix_on(w.row, w.col, s);
            GOOD(psb_cdasb(w.row));
            GOOD(psb_cdasb(w.col));
            GOOD(psb_spasb(w.a, &X(csr_mold).mat, PSB_DUPL_ADD));
            psb_err e = psb_spasb(b, X(mat_format)(f), PSB_DUPL_ADD);
            if (e == PSB_OK)
                e = psb_spaxpby(al, w.a, be, b);
            if (accepted(e)) {
                reference_scale(da, al, NULL, NULL);
                reference_scale(db, be, NULL, NULL);
                for (int i = 0; i < MOST * MOST; i++) {
                    struct cell *c = &db->at[0][0] + i, *o = &da->at[0][0] + i;
                    c->v += o->v, c->size += o->size, c->n += o->n;
                }
                EXPECT(strcmp(X(sp_fmt)(b), X(mat_format)(f)->ops->fmt) == 0);
                check_matrix(b, db, 8, "spaxpby");
                check_products(b, db, 8);
            }
        }
}

/* Of matrices whose columns have halos of their own: B keeps its descriptors if that of A has no more. */
TEST(matrix_sums_on_other_columns)
{
    for (int k = 0; k < 3; k++) {
        const bool square = k == 2;
        const psb_ipk n = square ? M : N;
        COO *sa = sample(SPREAD, M, n), *sb = sample(k ? TRIDIAG : SPREAD, M, n);
        HEAP struct reference *da = reference_of(sa), *db = reference_of(sb);
        DESC *row = NULL, *col = NULL, *own = NULL;
        GOOD(alloc_desc(&row, (enum distribution)_i, M));
        GOOD(alloc_desc(&col, (enum distribution)(square ? _i : (_i + 1) % DISTRIBUTIONS), n));
        GOOD(psb_cdall_like(&own, col));
        SPMAT *a = matrix_on(row, col, sa), *b = matrix_on(square ? own : row, own, sb);
        GOOD(psb_cdasb(row));
        GOOD(psb_cdasb(col));
        GOOD(psb_cdasb(own));
        GOOD(psb_spasb(a, &X(csr_mold).mat, PSB_DUPL_ADD));
        GOOD(psb_spasb(b, &X(csr_mold).mat, PSB_DUPL_ADD));
        reference_scale(da, 2, NULL, NULL);
        reference_scale(db, -0.5, NULL, NULL);
        for (int i = 0; i < MOST * MOST; i++) {
            struct cell *c = &db->at[0][0] + i, *o = &da->at[0][0] + i;
            c->v += o->v, c->size += o->size, c->n += o->n;
        }
        GOOD(psb_spaxpby(2, a, (T)-0.5, b));
        EXPECT(k || b->col == own);
        EXPECT(square ? b->row == b->col : b->row == row);
        check_matrix(b, db, 8, "spaxpby");
        check_products(b, db, 8);
        GOOD(psb_spaxpby(1, b, 1, b));
    }
}

static void check_equality(struct X(spmat) *a, struct X(spmat) *b, R tol, int want)
{
    int equal = -1;
    GOOD(psb_sp_cmp(a, b, tol, &equal));
    collective_note(equal == want, __FILE__, __LINE__, "%s and %s, tolerance %g: equal is %d", X(sp_fmt)(a),
                    X(sp_fmt)(b), (double)tol, equal);
}

TEST(comparison)
{
    for (int f = 0; X(mat_format)(f); f++) {
        DISTRIBUTED w = sample_on(SPREAD, N, _i, _i + f);
        SPMAT *b = NULL, *l = NULL;
        if (!assembled(&w, X(mat_format)(f)))
            continue;
        GOOD(psb_sp_clone(w.a, &b));
        check_equality(w.a, b, 0, 1);
        GOOD(psb_spscal(MAKE(1.5, 0), b));
        check_equality(w.a, b, (R)0.8, 1); /* the moduli of the entries are at most sqrt(2) */
        check_equality(w.a, b, (R)0.01, 0);
        GOOD(psb_sp_tril(w.a, 0, &l, NULL));
        check_equality(l, w.a, (R)0.01, 0);
        check_equality(l, w.a, 2, 1);
    }
    /* different halos, different sizes */
    DISTRIBUTED w = sample_on(SPREAD, M, _i, _i), v = sample_on(SPREAD, N, _i, EVEN);
    SPMAT *t = NULL, *tt = NULL;
    GOOD(psb_spasb(w.a, &X(csr_mold).mat, PSB_DUPL_ADD));
    GOOD(psb_spasb(v.a, &X(csr_mold).mat, PSB_DUPL_ADD));
    GOOD(psb_sp_transp(w.a, &t));
    GOOD(psb_sp_transp(t, &tt));
    check_equality(w.a, tt, 0, 1);
    check_equality(w.a, t, (R)0.01, 0);
    check_equality(w.a, t, 4, 1);
    check_equality(w.a, v.a, 4, 0);
}

/* The same matrix on a column descriptor whose halo has all columns. */
TEST(comparison_with_different_halos)
{
    DESC *wide = NULL;
    DISTRIBUTED w = sample_on(SPREAD, N, _i, _i + 1);
    const psb_lpk i = 7, j = 5;
    GOOD(psb_spasb(w.a, &X(csr_mold).mat, PSB_DUPL_ADD));
    GOOD(psb_cdall_like(&wide, w.col));
    for (psb_lpk g = N - 1; g >= 0; g--)
        GOOD(psb_cdins(wide, 1, NULL, &g));
    GOOD(psb_cdasb(wide));
    for (int more = 0; more < 2; more++) {
        const T one = 1;
        SPMAT *b = matrix_on(w.row, wide, w.s);
        if (more)
            GOOD(psb_spins(1, &i, &j, &one, b));
        GOOD(psb_spasb(b, &X(csr_mold).mat, PSB_DUPL_ADD));
        check_equality(w.a, b, 0, !more);
        check_equality(b, w.a, 0, !more);
    }
}

/* --- rows with several owners --- */

/* all: every process owns all rows; else each process owns its share and a third of the next process's. */
static psb_desc *several_owners(int all)
{
    psb_desc *d = NULL;
    psb_lpk row[MOST];
    psb_ipk n = 0;
    if (all) {
        GOOD(psb_cdall_repl(&d, ctxt, M));
        return d;
    }
    for (int i = 0; i < M; i++)
        if (i % np == me || (i % np == (me + 1) % np && i % 3 == 0))
            row[n++] = i;
    GOOD(psb_cdall_vl(&d, ctxt, n, row));
    return d;
}

TEST(rows_with_several_owners)
{
    int all = _i;
    DESC *d = several_owners(all);
    COO *s = sample(SPREAD, M, M);
    SPMAT *a = matrix_on(d, d, s), *c = NULL, *t = NULL;
    HEAP struct reference *da = reference_of(s), *dc = reference_product(da, da),
                          *dt = reference_transposed(da, 0);
    MAT *m = NULL;
    psb_epk nz = -1;
    LR slack, most = reference_norm(da, 0, &slack);
    R norm = -1;
    GOOD(psb_cdasb(d));
    GOOD(psb_spasb(a, &X(csr_mold).mat, PSB_DUPL_ADD));
    check_sums(a, da, 0);
    GOOD(psb_nnz(a, &nz));
    EXPECT(nz == s->mat.nnz);
    GOOD(psb_spnrmi(a, &norm));
    EXPECT(fabsl(norm - most) <= slack);
    GOOD(psb_spspmm(a, a, NULL, &c));
    check_matrix(c, dc, 8, "a product");
    check_equality(a, a, 0, 1);
    GOOD(psb_spgather(a, NULL, &m, -1));
    check_whole(m, da, M, M);
    if (all || np == 1) {
        check_sums(a, da, 1);
        most = reference_norm(da, 1, &slack);
        GOOD(psb_spnrm1(a, &norm));
        EXPECT(fabsl(norm - most) <= slack);
        GOOD(psb_sp_transp(a, &t));
        check_matrix(t, dt, 2, "a transpose");
    } else {
        VECT *v = make_vector(d, zeros, &psb_vect_host);
        BAD(psb_sp_colsum(a, v), PSB_ENOTIMPL, "owned by several processes");
        BAD(psb_sp_aclsum(a, v), PSB_ENOTIMPL, "owned by several processes");
        BAD(psb_spnrm1(a, &norm), PSB_ENOTIMPL, "owned by several processes");
        BAD(psb_sp_transp(a, &t), PSB_ENOTIMPL, "owned by several processes");
    }
    if (all) { /* replicated rows with columns that have one owner */
        DESC *one = NULL;
        SPMAT *mixed = NULL;
        GOOD(alloc_desc(&one, CYCLIC, M));
        mixed = matrix_on(d, one, s);
        GOOD(psb_cdasb(one));
        GOOD(psb_spasb(mixed, &X(csr_mold).mat, PSB_DUPL_ADD));
        BAD(psb_spnrm1(mixed, &norm), PSB_ENOTIMPL, "the rows are replicated, the columns are not");
        GOOD(psb_nnz(mixed, &nz));
        EXPECT(nz == s->mat.nnz);
    }
}

void sp_products_tests(Suite *s)
{
    TCase *c = collective_tcase(s, "products");
    ck_add_sampled_tests(c, DISTRIBUTIONS, products_of_several_columns, fetched_halo_rows, matrix_products,
                         matrix_powers, matrix_sums, matrix_sums_on_other_columns, comparison,
                         comparison_with_different_halos);
    ck_add_loop_tests(c, 2, rows_with_several_owners);
}
