/* check_sp_solves.c -- test: triangular solves, and operations on unit triangles. */
#include "check_sp.h"
#include <stdlib.h>
#include <string.h>
#include "counting_device.h"
#include "minimal_format.h"

/* A triangle within the owned rows and columns.  The off-diagonal absolute sums of rows and columns are below
 * 1/2, the diagonal is 2 (unit: 1), so that the norm of the inverse is at most 1 (unit: 2), and that of the
 * matrix at most 3. */
struct triangle {
    psb_desc *d;
    struct X(spmat) *t;
    LC l[MOST][MOST]; /* in local indices */
    psb_ipk n;
};

static void triangle_free(struct triangle *s)
{
    psb_spfree(s->t);
    psb_cdfree(s->d);
}
#define TRIANGLE OWNER(triangle_free) struct triangle

static struct triangle triangle(enum distribution distribution, int upper, int unit,
                                const struct X(mat) *mold, int *accepted)
{
    struct triangle s = { 0 };
    struct rng r = { 23 };
    GOOD(alloc_desc(&s.d, distribution, M));
    GOOD(psb_cdasb(s.d));
    GOOD(psb_spall(&s.t, s.d, 0));
    s.n = psb_cd_local_rows(s.d);
    for (psb_ipk i = 0; i < s.n; i++)
        for (psb_ipk j = 0; j < s.n; j++) {
            psb_lpk gi = psb_loc_to_glob(s.d, i), gj = psb_loc_to_glob(s.d, j);
            T v = i == j ? 2 : random_scalar(&r) / (R)(3 * M);
            if (i == j && unit)
                s.l[i][i] = 1;
            if ((upper ? j < i : j > i) || (i == j && unit) || (i != j && rng_below(&r, 3) == 0))
                continue;
            GOOD(psb_spins(1, &gi, &gj, &v, s.t));
            s.l[i][j] = v;
        }
    psb_err e = psb_spasb(s.t, mold, PSB_DUPL_ADD);
    *accepted = e == PSB_OK;
    if (e == PSB_EPADDING)
        return s;
    GOOD(e);
    GOOD(psb_sp_set_triangle(s.t, 1));
    GOOD(upper ? psb_sp_set_upper(s.t, 1) : psb_sp_set_lower(s.t, 1));
    GOOD(psb_sp_set_unit(s.t, unit));
    EXPECT(psb_sp_is_triangle(s.t) && psb_sp_is_upper(s.t) == upper && psb_sp_is_lower(s.t) == !upper &&
           psb_sp_is_unit(s.t) == unit);
    return s;
}

static LC op_of(const struct triangle *s, char trans, psb_ipk i, psb_ipk j)
{
    return trans == 'N' ? s->l[i][j] : trans == 'T' ? s->l[j][i] : conjl(s->l[j][i]);
}

/* Replace z by op(T)^-1 z, in long double. */
static void reference_solve(const struct triangle *s, int upper, char trans, LC *z)
{
    int back = trans == 'N' ? upper : !upper;
    for (psb_ipk k = 0; k < s->n; k++) {
        psb_ipk i = back ? s->n - 1 - k : k;
        for (psb_ipk j = 0; j < s->n; j++)
            if (j != i)
                z[i] -= back == (j > i) ? op_of(s, trans, i, j) * z[j] : 0;
        z[i] /= op_of(s, trans, i, i);
    }
}

static void check_solve(struct triangle *s, int upper, char trans, char scale, int k, int in_place, T beta)
{
    static T x[MOST * 3], y[MOST * 3], got[MOST * 3];
    T d[MOST];
    const T alpha = MAKE(0.75, -0.5);
    VECT *vx = NULL, *vy = NULL, *vd = NULL;
    psb_ipk n = s->n;
    random_vector(MOST * 3, x, 1);
    random_vector(MOST * 3, y, 2);
    random_vector(MOST, d, 3);
    if (beta == 0)
        fill_vector(MOST * 3, y, MAKE(NAN, NAN));
    GOOD(psb_geall_n(&vx, s->d, k));
    GOOD(psb_geall_n(&vy, s->d, k));
    GOOD(psb_geall(&vd, s->d));
    GOOD(psb_geasb(vx, &psb_vect_cuda));
    GOOD(psb_geasb(vy, &counting_device_vect));
    GOOD(psb_geasb(vd, &psb_vect_host));
    GOOD(psb_set_vect(vx, n, x));
    GOOD(psb_set_vect(vy, n, y));
    GOOD(psb_set_vect(vd, n, d));
    GOOD(psb_spsm(alpha, s->t, vx, beta, in_place ? vx : vy, trans, scale, scale == 'U' ? NULL : vd));
    GOOD(psb_get_vect(in_place ? vx : vy, n, got));
    for (int c = 0; c < k; c++) {
        LC z[MOST];
        LR most = 0;
        for (psb_ipk i = 0; i < n; i++) {
            z[i] = (scale == 'R' ? (LC)d[i] : 1) * x[i * k + c];
            most = fmaxl(most, cabsl(z[i]));
        }
        reference_solve(s, upper, trans, z);
        for (psb_ipk i = 0; i < n; i++) {
            const T *old = in_place ? x : y;
            LC w = alpha * (scale == 'L' ? (LC)d[i] : 1) * z[i] + (beta == 0 ? 0 : (LC)beta * old[i * k + c]);
            LR size = 2 * most + 2 * cabsl((LC)beta);
            struct want want = { w, 6 * (n + 8) * size * (CPLX ? 3 : 1) * EPS };
            EXPECT(is_right(got[i * k + c], &want));
        }
    }
}

TEST(triangular_solve)
{
    int accepted, turn = 0;
    for (int f = 0; X(mat_format)(f); f++)
        for (int kind = 0; kind < 4; kind++) {
            int upper = kind & 1, unit = kind >> 1;
            TRIANGLE s = triangle((enum distribution)_i, upper, unit, X(mat_format)(f), &accepted);
            for (int t = 0; accepted && t < 9; t++, turn++)
                check_solve(&s, upper, "NTC"[t % 3], "ULR"[t / 3], turn % 4 == 0 ? 3 : 1, turn % 5 == 0,
                            turn % 2 ? MAKE(0.5, 0.25) : 0);
        }
    EXPECT(counting_device_blocks == 0);
}

/* The diagonal that a unit triangle does not store is included in every operation. */
TEST(operations_on_unit_triangles)
{
    int accepted;
    for (int upper = 0; upper < 2; upper++) {
        struct want want[MOST];
        TRIANGLE s = triangle((enum distribution)_i, upper, 1, &X(csr_mold).mat, &accepted);
        HEAP struct reference *d = calloc(1, sizeof *d);
        SPMAT *c = NULL, *t = NULL, *two = NULL;
        psb_epk stored = s.t->ad->nnz, nz = 0;
        ck_assert_ptr_nonnull(d);
        for (psb_ipk i = 0; i < s.n; i++)
            for (psb_ipk j = 0; j < s.n; j++)
                if (s.l[i][j] != 0)
                    add_cell(&d->at[psb_loc_to_glob(s.d, i)][psb_loc_to_glob(s.d, j)], s.l[i][j]);
        HEAP struct reference *dd = reference_product(d, d), *dt = reference_transposed(d, 0);
        VECT *v = make_vector(s.d, zeros, &psb_vect_host);
        check_matrix(s.t, d, 0, "a unit triangle");
        GOOD(psb_nnz(s.t, &nz));
        GOOD(psb_sum(ctxt, 1, &stored, -1));
        EXPECT(nz == stored);
        for (int i = 0; i < MOST; i++) {
            struct cell sum = reference_line_sum(d, i, 0, 0);
            want[i] = wanted(&sum, 4);
        }
        GOOD(psb_sp_rowsum(s.t, v));
        check_vector(v, want, "sums of rows");
        GOOD(psb_spspmm(s.t, s.t, NULL, &c));
        check_matrix(c, dd, 8, "a square");
        GOOD(psb_sp_transp(s.t, &t));
        EXPECT(psb_sp_is_triangle(t) && psb_sp_is_unit(t) && psb_sp_is_upper(t) == !upper);
        check_matrix(t, dt, 0, "a transpose");
        GOOD(psb_sp_clone(s.t, &two));
        GOOD(psb_spaxpby(1, s.t, 1, two));
        reference_scale(d, 2, NULL, NULL);
        check_matrix(two, d, 4, "a sum");
        EXPECT(psb_sp_is_triangle(two) && !psb_sp_is_unit(two) && psb_sp_is_upper(two) == upper);
        GOOD(psb_spscal(2, s.t));
        check_matrix(s.t, d, 4, "a multiple");
        EXPECT(!psb_sp_is_unit(s.t));
        GOOD(psb_spaxpby(1, t, 1, two));
        EXPECT(!psb_sp_is_triangle(two));
    }
}

/* The same for fetched halo rows: the factor is strictly lower triangular plus an unstored unit diagonal. */
TEST(products_of_unit_triangles)
{
    DISTRIBUTED w = sample_on(TRIDIAG, M, _i, _i);
    HEAP struct reference *a = reference_of(w.s), *d = reference_of(w.s);
    struct X(spmat) *l = NULL, *c = NULL;
    reference_keep_band(d, -MOST, -1);
    for (int i = 0; i < M; i++)
        add_cell(&d->at[i][i], 1);
    HEAP struct reference *ad = reference_product(a, d), *dd = reference_product(d, d);
    GOOD(psb_spasb(w.a, &X(csr_mold).mat, PSB_DUPL_ADD));
    GOOD(psb_sp_tril(w.a, -1, &l, NULL));
    GOOD(psb_sp_set_triangle(l, 1));
    GOOD(psb_sp_set_unit(l, 1));
    check_matrix(l, d, 0, "a unit triangle");
    check_products(l, d, 0);
    GOOD(psb_spspmm(w.a, l, NULL, &c));
    check_matrix(c, ad, 8, "a product");
    psb_spfree(c);
    GOOD(psb_spspmm(l, l, NULL, &c));
    check_matrix(c, dd, 8, "a product");
    psb_spfree(c);
    psb_spfree(l);
}

/* --- errors --- */

TEST(allocation_fails_in_a_solve)
{
    for (int n = 1, failed = 1, accepted; failed && n < 100; n++) {
        TRIANGLE s = triangle(EVEN, 0, 0, &minimal_mold.mat, &accepted);
        T x[MOST], was[MOST], is[MOST];
        random_vector(MOST, x, 5);
        VECT *vx = make_vector(s.d, x, &psb_vect_cuda), *vy = make_vector(s.d, x, &psb_vect_cuda);
        GOOD(psb_get_vect(vy, s.n, was));
        psb_alloc_fail_at(n);
        psb_err e = psb_spsm(1, s.t, vx, 1, vy, 'N', 'L', vx);
        psb_alloc_fail_at(0);
        EXPECT(e == PSB_OK || e == PSB_ENOMEM);
        failed = collective_count(e != PSB_OK);
        GOOD(psb_get_vect(vy, s.n, is));
        EXPECT(e == PSB_OK || memcmp(was, is, (size_t)s.n * sizeof *is) == 0);
        EXPECT(n < 99);
    }
}

TEST(wrong_arguments_of_solves)
{
    int accepted;
    T x[MOST];
    random_vector(MOST, x, 5);
    TRIANGLE s = triangle(EVEN, 0, 0, &X(csr_mold).mat, &accepted);
    DISTRIBUTED o = distribute(SPREAD, 13, 13, UNEVEN, UNEVEN);
    GOOD(psb_spasb(o.a, &X(csr_mold).mat, PSB_DUPL_ADD));
    o.x = make_vector(o.col, x, &psb_vect_cuda);
    o.y = make_vector(o.row, x, &psb_vect_cuda);
    VECT *v = make_vector(s.d, x, &psb_vect_host), *wide = NULL, *build = NULL;
    GOOD(psb_geall_n(&wide, s.d, 2));
    GOOD(psb_geasb(wide, NULL));
    GOOD(psb_geall(&build, s.d));
    BAD(psb_spsm(1, s.t, NULL, 0, v, 'N', 'U', NULL), PSB_EARG, "argument x is NULL");
    BAD(psb_spsm(1, s.t, v, 0, NULL, 'N', 'U', NULL), PSB_EARG, "argument y is NULL");
    BAD(psb_spsm(1, s.t, o.x, 0, v, 'N', 'U', NULL), PSB_EARG, "argument x lies on another descriptor");
    BAD(psb_spsm(1, s.t, v, 0, o.x, 'T', 'U', NULL), PSB_EARG, "argument y lies on another descriptor");
    BAD(psb_spsm(1, s.t, build, 0, v, 'N', 'U', NULL), PSB_ESTATE, "argument x is not assembled");
    BAD(psb_spsm(1, s.t, v, 0, build, 'N', 'U', NULL), PSB_ESTATE, "argument y is not assembled");
    BAD(psb_spsm(1, s.t, v, 0, wide, 'N', 'U', NULL), PSB_EARG, "columns: 1) and y (2) differ");
    BAD(psb_spsm(1, s.t, v, 0, v, 'n', 'U', NULL), PSB_EARG, "argument trans is 'n'");
    BAD(psb_spsm(1, s.t, v, 0, v, 'N', 'D', v), PSB_EARG, "argument scale is 'D'");
    BAD(psb_spsm(1, s.t, v, 0, v, 'N', 'L', NULL), PSB_EARG, "argument d is NULL");
    BAD(psb_spsm(1, s.t, v, 0, v, 'N', 'R', wide), PSB_EARG, "argument d has 2 columns");
    BAD(psb_spsm(1, o.a, o.x, 0, o.y, 'N', 'U', NULL), PSB_EARG, "not marked as a triangle");
    GOOD(psb_sp_set_triangle(o.a, 1));
    psb_err e = psb_spsm(1, o.a, o.x, 0, o.y, 'N', 'U', NULL);
    if (o.a->ah->nnz)
        BAD(e, PSB_EARG, "in a column owned elsewhere");
    if (s.n > 1) {
        GOOD(psb_sp_set_upper(s.t, 1));
        BAD(psb_spsm(1, s.t, v, 1, v, 'N', 'U', NULL), PSB_EARG, "expected");
        GOOD(psb_sp_set_upper(s.t, 0));
    }
    GOOD(psb_spsm(1, s.t, v, 1, v, 'N', 'U', NULL));
}

/* A lower triangle whose diagonal has a zero in local row 1, on the host and on the device: messages name the
 * row as the caller counts. */
TEST(rows_in_messages)
{
    const struct psb_vmold *const vmolds[] = { &psb_vect_host, &psb_vect_cuda };
    const struct X(mat) *mold = X(mat_by_name)(_i % 2 ? "CSRG" : "CSC");
    DESC *d = NULL;
    SPMAT *t = NULL;
    T x[MOST];
    random_vector(MOST, x, 5);
    GOOD(alloc_desc(&d, CYCLIC, 4 * np));
    GOOD(psb_cdasb(d));
    GOOD(psb_spall(&t, d, 0));
    for (psb_ipk l = 0; l < psb_cd_local_rows(d); l++) {
        const psb_lpk g = psb_loc_to_glob(d, l);
        const T v = l != 1;
        GOOD(psb_spins(1, &g, &g, &v, t));
    }
    GOOD(psb_spasb(t, mold, PSB_DUPL_ADD));
    GOOD(psb_sp_set_triangle(t, 1));
    VECT *v = make_vector(d, x, vmolds[_i % 2]);
    for (int base = 0; base < 2; base++) {
        char text[80];
        GOOD(psb_set_index_base(base));
        snprintf(text, sizeof text, "invalid argument: row %" PRId64 " has 0 on the diagonal",
                 psb_loc_to_glob(d, 1));
        BAD(psb_spsm(1, t, v, 0, v, _i / 2 ? 'T' : 'N', 'U', NULL), PSB_EARG, text);
    }
    GOOD(psb_set_index_base(0));
}

void sp_solves_tests(Suite *s)
{
    TCase *c = collective_tcase(s, "solves");
    ck_add_sampled_tests(c, DISTRIBUTIONS, triangular_solve, operations_on_unit_triangles);
    /* the distributions before CYCLIC are blocks in global order */
    tcase_add_loop_test(c, products_of_unit_triangles, EVEN, CYCLIC);
    ck_add_tests(c, allocation_fails_in_a_solve, wrong_arguments_of_solves);
    ck_add_loop_tests(c, 4, rows_in_messages);
}
