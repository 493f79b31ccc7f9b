/* check_sp_values.c -- test: sums, norms and diagonals of distributed matrices; changes of their
 * values. */
#include "check_sp.h"
#include "counting_device.h"
#include <stdlib.h>

static void check_norms(struct X(spmat) *a, const struct reference *d)
{
    LR slack, most;
    R got = -1;
    psb_epk nz = -1, stored = 0;
    most = reference_norm(d, 0, &slack);
    GOOD(psb_spnrmi(a, &got));
    EXPECT(fabsl(got - most) <= slack);
    most = reference_norm(d, 1, &slack);
    GOOD(psb_spnrm1(a, &got));
    EXPECT(fabsl(got - most) <= slack);
    most = slack = 0;
    for (int i = 0; i < MOST; i++)
        for (int j = 0; j < MOST; j++) {
            struct want w = wanted(&d->at[i][j], 2);
            most = fmaxl(most, cabsl(d->at[i][j].v));
            slack = fmaxl(slack, w.slack);
            stored += d->at[i][j].n > 0;
        }
    GOOD(psb_sp_maxval(a, &got));
    EXPECT(fabsl(got - most) <= slack);
    GOOD(psb_nnz(a, &nz));
    EXPECT(nz == stored);
}

TEST(sums_and_norms)
{
    for (int k = 0; k < KINDS; k++)
        for (int f = 0; X(mat_format)(f); f++) {
            DISTRIBUTED w = sample_on(kinds[k], N, _i, _i + k);
            HEAP struct reference *d = reference_of(w.s);
            if (assembled(&w, X(mat_format)(f))) {
                check_sums(w.a, d, 0);
                check_sums(w.a, d, 1);
                check_norms(w.a, d);
            }
        }
    EXPECT(counting_device_blocks == 0);
}

TEST(diagonals)
{
    for (int f = 0; X(mat_format)(f); f++) {
        struct want want[MOST];
        DISTRIBUTED w = sample_on(f % 2 ? FULL : SPREAD, M, _i, _i);
        HEAP struct reference *d = reference_of(w.s);
        if (assembled(&w, X(mat_format)(f))) {
            w.y = make_vector(w.row, zeros, &psb_vect_cuda);
            for (int i = 0; i < MOST; i++)
                want[i] = (struct want){ d->at[i][i].v, 0 };
            GOOD(psb_sp_get_diag(w.a, w.y));
            check_vector(w.y, want, "the diagonal");
        }
    }
}

/* One entry is NaN or infinite, on one process. */
TEST(norms_with_nan_or_infinity)
{
    for (int k = 0; k < 2; k++) {
        R got;
        DISTRIBUTED w = sample_on(SPREAD, N, _i, _i + 1);
        psb_lpk i = 7, j = 5;
        T v = k ? MAKE(INFINITY, 0) : MAKE(NAN, 0);
        GOOD(psb_cd_reinit(w.col));
        GOOD(psb_spins(1, &i, &j, &v, w.a));
        GOOD(psb_cdasb(w.col));
        GOOD(psb_spasb(w.a, &X(csr_mold).mat, PSB_DUPL_OVERWRITE));
        psb_err (*const norms[])(const struct X(spmat) *, R *) = { X(spnrmi), X(spnrm1), X(sp_maxval) };
        for (int n = 0; n < 3; n++) {
            GOOD(norms[n](w.a, &got));
            EXPECT(k ? isinf(got) : isnan(got));
        }
    }
}

TEST(scaling)
{
    T left[MOST], right[MOST];
    const T s = MAKE(-1.25, 0.5);
    random_vector(MOST, left, 8);
    random_vector(MOST, right, 9);
    for (int f = 0; X(mat_format)(f); f++) {
        DISTRIBUTED w = sample_on(SPREAD, N, _i, _i + f);
        HEAP struct reference *d = reference_of(w.s);
        if (assembled(&w, X(mat_format)(f))) {
            w.x = make_vector(w.col, right, &psb_vect_cuda);
            w.y = make_vector(w.row, left, &psb_vect_cuda);
            check_products(w.a, d, 0); /* so that the device has a copy of the old values */
            GOOD(psb_spscal(s, w.a));
            reference_scale(d, s, NULL, NULL);
            check_matrix(w.a, d, 4, "spscal");
            GOOD(psb_spscalv(w.y, w.a, 'L'));
            reference_scale(d, 1, left, NULL);
            check_matrix(w.a, d, 8, "spscalv L");
            GOOD(psb_spscalv(w.x, w.a, 'R'));
            reference_scale(d, 1, NULL, right);
            check_matrix(w.a, d, 12, "spscalv R");
            check_products(w.a, d, 12);
        }
    }
}

/* A = s A + I. */
TEST(scaling_plus_identity)
{
    const T s = MAKE(0.75, -2);
    for (int f = 0; X(mat_format)(f); f++) {
        DISTRIBUTED w = sample_on(f % 3 ? SPREAD : TRIDIAG, M, _i, _i);
        HEAP struct reference *d = reference_of(w.s);
        if (assembled(&w, X(mat_format)(f))) {
            reference_scale(d, s, NULL, NULL);
            for (int i = 0; i < M; i++)
                add_cell(&d->at[i][i], 1);
            if (accepted(psb_sp_scalpid(s, w.a))) {
                check_matrix(w.a, d, 4, "scalpid");
                check_products(w.a, d, 4);
            }
        }
    }
}

static void check_all_near(struct X(spmat) *a, T value, R tol, int want)
{
    int equal = -1;
    GOOD(psb_sp_cmpval(a, value, tol, &equal));
    collective_note(equal == want, __FILE__, __LINE__, "%s, tolerance %g: equal is %d", X(sp_fmt)(a),
                    (double)tol, equal);
}

TEST(comparison_with_a_value)
{
    for (int f = 0; X(mat_format)(f); f++) {
        DISTRIBUTED w = sample_on(SPREAD, N, _i, _i + f);
        psb_lpk row = f % M, col = -1;
        for (psb_epk k = 0; k < w.s->mat.nnz; k++) {
            w.s->val[k] = 3;
            col = w.s->ia[k] == row ? w.s->ja[k] : col;
        }
        GOOD(insert_all(w.a, w.s));
        GOOD(psb_spasb(w.a, &X(csr_mold).mat, PSB_DUPL_OVERWRITE));
        if (!accepted(psb_spcnv(w.a, X(mat_format)(f))))
            continue;
        check_all_near(w.a, 3, 0, 1);
        check_all_near(w.a, 4, 0.5, psb_sp_nnz(w.a) == 0 && np == 1);
        if (col < 0)
            continue;
        const psb_ipk i = psb_glob_to_loc(w.row, row), j = psb_glob_to_loc(w.col, col);
        const T v = 3.25; /* on one process */
        if (i >= 0 && i < psb_cd_local_rows(w.row))
            GOOD(psb_sp_csput(1, &i, &j, &v, w.a, PSB_DUPL_OVERWRITE));
        check_all_near(w.a, 3, 0.125, 0);
        check_all_near(w.a, 3, 0.25, 1);
    }
}

/* Every third entry of the rows here is replaced, or increased. */
TEST(values_put_in_place)
{
    for (int f = 0; X(mat_format)(f); f++) {
        DISTRIBUTED w = sample_on(SPREAD, N, _i, _i + f);
        HEAP struct reference *d = reference_of(w.s);
        const enum psb_dupl dupl = f % 2 ? PSB_DUPL_ADD : PSB_DUPL_OVERWRITE;
        psb_ipk ia[MOST * MOST], ja[MOST * MOST], n = 0;
        static T val[MOST * MOST];
        int accepted = assembled(&w, X(mat_format)(f));
        if (accepted)
            check_products(w.a, d, 0); /* so that the device has a copy of the old values */
        for (int i = 0; i < M; i++)
            for (int j = 0; j < N; j++) {
                psb_ipk l = psb_glob_to_loc(w.row, i);
                if (!d->at[i][j].n || (i + j) % 3)
                    continue;
                if (dupl == PSB_DUPL_OVERWRITE)
                    d->at[i][j] = (struct cell){ 0 };
                add_cell(&d->at[i][j], i + MOST * j);
                if (l >= 0 && l < psb_cd_local_rows(w.row)) {
                    ia[n] = l;
                    ja[n] = psb_glob_to_loc(w.col, j);
                    val[n++] = i + MOST * j;
                }
            }
        if (accepted) {
            GOOD(psb_sp_csput(n, ia, ja, val, w.a, dupl));
            EXPECT(psb_sp_is_asb(w.a));
            check_matrix(w.a, d, 3, "csput");
            check_products(w.a, d, 3);
            const psb_ipk out = M;
            if (n > 0) {
                BAD(psb_sp_csput(1, &out, ja, val, w.a, dupl), PSB_EARG, "argument ia[0] is 41");
                BAD(psb_sp_csput(1, ia, ja, NULL, w.a, dupl), PSB_EARG, "_sp_csput: ");
            }
            BAD(psb_sp_csput(n, ia, ja, val, w.a, PSB_DUPL_ERROR), PSB_EARG, "argument dupl is 2");
            check_matrix(w.a, d, 3, "csput that failed");
        }
    }
}

/* An entry that is not stored: nothing changes. */
TEST(put_of_an_entry_not_stored)
{
    DISTRIBUTED w = sample_on(DIAGONAL, M, _i, _i);
    HEAP struct reference *d = reference_of(w.s);
    GOOD(psb_spasb(w.a, &X(csr_mold).mat, PSB_DUPL_ADD));
    if (psb_cd_local_rows(w.row) > 1) {
        const psb_ipk ia[] = { 0, 0 }, ja[] = { 0, 1 };
        const T val[] = { 5, 6 };
        BAD(psb_sp_csput(2, ia, ja, val, w.a, PSB_DUPL_ADD), PSB_EARG, "is not in the matrix");
    }
    EXPECT(psb_sp_is_asb(w.a) && !psb_sp_is_upd(w.a));
    check_matrix(w.a, d, 2, "csput that failed");
}

TEST(states_and_places)
{
    DISTRIBUTED w = sample_on(SPREAD, M, _i, _i);
    HEAP struct reference *d = reference_of(w.s);
    struct X(spmat) *none = NULL;
    EXPECT(psb_sp_is_null(none) && !psb_sp_is_bld(none) && !psb_sp_is_asb(none) && !psb_sp_is_upd(none));
    EXPECT(!psb_sp_is_host(none) && !psb_sp_is_dev(none) && !psb_sp_is_sync(none));
    EXPECT(psb_sp_is_bld(w.a) && !psb_sp_is_asb(w.a) && !psb_sp_is_null(w.a));
    EXPECT(psb_sp_is_host(w.a) && !psb_sp_is_dev(w.a) && psb_sp_is_sync(w.a));
    GOOD(psb_sp_sync(w.a));
    GOOD(psb_sp_trim(w.a));
    GOOD(psb_spasb(w.a, &X(elg_mold).mat, PSB_DUPL_ADD));
    EXPECT(psb_sp_is_asb(w.a) && !psb_sp_is_bld(w.a));
    GOOD(psb_sp_trim(w.a));
    GOOD(psb_sp_sync(w.a));
    EXPECT(psb_sp_is_host(w.a) && psb_sp_is_dev(w.a) && psb_sp_is_sync(w.a));
    GOOD(psb_spscal(1, w.a));
    GOOD(psb_sprn(w.a, 0));
    EXPECT(psb_sp_is_upd(w.a) && !psb_sp_is_asb(w.a));
    GOOD(psb_spasb(w.a, NULL, PSB_DUPL_ADD));
    check_matrix(w.a, d, 2, "synchronised");
    GOOD(psb_spcnv(w.a, &X(coo_mold).mat));
    EXPECT(psb_sp_is_host(w.a) && !psb_sp_is_dev(w.a) && psb_sp_is_sync(w.a));
    GOOD(psb_sp_trim(w.a));
    check_products(w.a, d, 2);
}

TEST(stored_zeros_are_removed)
{
    for (int f = 0; X(mat_format)(f); f++) {
        DISTRIBUTED w = sample_on(SPREAD, N, _i, _i + 2);
        HEAP struct reference *d = reference_of(w.s);
        for (psb_epk k = 0; k < w.s->mat.nnz; k++) /* add minus the value: the sum is 0 */
            if ((w.s->ia[k] + w.s->ja[k]) % 3 == 0) {
                psb_lpk i = w.s->ia[k], j = w.s->ja[k];
                T minus = -w.s->val[k];
                GOOD(psb_spins(1, &i, &j, &minus, w.a));
                d->at[i][j] = (struct cell){ 0 };
            }
        if (assembled(&w, X(mat_format)(f))) {
            GOOD(psb_sp_clean_zeros(w.a));
            check_matrix(w.a, d, 2, "clean_zeros");
            check_products(w.a, d, 0);
        }
    }
}

void sp_values_tests(Suite *s)
{
    TCase *c = collective_tcase(s, "values");
    ck_add_sampled_tests(c, DISTRIBUTIONS, sums_and_norms, diagonals, norms_with_nan_or_infinity, scaling,
                         stored_zeros_are_removed, scaling_plus_identity, comparison_with_a_value,
                         values_put_in_place, put_of_an_entry_not_stored, states_and_places);
}
