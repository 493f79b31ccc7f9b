/* check_sp_values.c -- room: test.  Sums, norms and diagonals of distributed matrices; changes of their
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

START_TEST(sums_and_norms)
    {
        for (int k = 0; k < KINDS; k++)
            for (int f = 0; X(mat_format)(f); f++) {
                struct distributed w = distribute(kinds[k], M, N, (enum deal)_i,
                                                  (enum deal)((_i + k) % DEALS));
                struct reference *d = reference_of(w.s);
                if (assembled(&w, X(mat_format)(f))) {
                    check_sums(w.a, d, 0);
                    check_sums(w.a, d, 1);
                    check_norms(w.a, d);
                }
                free(d);
                distributed_free(&w);
            }
        EXPECT(counting_device_blocks == 0);
    }
END_TEST

START_TEST(diagonals)
    {
        for (int f = 0; X(mat_format)(f); f++) {
            struct want want[MOST];
            struct distributed w = distribute(f % 2 ? FULL : SPREAD, M, M, (enum deal)_i, (enum deal)_i);
            struct reference *d = reference_of(w.s);
            if (assembled(&w, X(mat_format)(f))) {
                w.y = spread(w.row, zeros, &psb_vect_cuda);
                for (int i = 0; i < MOST; i++)
                    want[i] = (struct want){ d->at[i][i].v, 0 };
                GOOD(psb_sp_get_diag(w.a, w.y));
                check_vector(w.y, want, "the diagonal");
            }
            free(d);
            distributed_free(&w);
        }
    }
END_TEST

/* One entry is NaN or infinite, on one process. */
START_TEST(norms_with_nan_or_infinity)
    {
        for (int k = 0; k < 2; k++) {
            R got;
            struct distributed w = distribute(SPREAD, M, N, (enum deal)_i, (enum deal)((_i + 1) % DEALS));
            psb_lpk i = 7, j = 5;
            T v = k ? MAKE(INFINITY, 0) : MAKE(NAN, 0);
            GOOD(psb_cd_reinit(w.col));
            GOOD(psb_spins(1, &i, &j, &v, w.a));
            GOOD(psb_cdasb(w.col));
            GOOD(psb_spasb(w.a, &X(csr_mold).mat, PSB_DUPL_OVERWRITE));
            GOOD(psb_spnrmi(w.a, &got));
            EXPECT(k ? isinf(got) : isnan(got));
            GOOD(psb_spnrm1(w.a, &got));
            EXPECT(k ? isinf(got) : isnan(got));
            GOOD(psb_sp_maxval(w.a, &got));
            EXPECT(k ? isinf(got) : isnan(got));
            distributed_free(&w);
        }
    }
END_TEST

START_TEST(scaling)
    {
        T left[MOST], right[MOST];
        const T s = MAKE(-1.25, 0.5);
        random_vector(MOST, left, 8);
        random_vector(MOST, right, 9);
        for (int f = 0; X(mat_format)(f); f++) {
            struct distributed w = distribute(SPREAD, M, N, (enum deal)_i, (enum deal)((_i + f) % DEALS));
            struct reference *d = reference_of(w.s);
            if (assembled(&w, X(mat_format)(f))) {
                w.x = spread(w.col, right, &psb_vect_cuda);
                w.y = spread(w.row, left, &psb_vect_cuda);
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
            free(d);
            distributed_free(&w);
        }
    }
END_TEST

START_TEST(stored_zeros_are_removed)
    {
        for (int f = 0; X(mat_format)(f); f++) {
            struct distributed w = distribute(SPREAD, M, N, (enum deal)_i, (enum deal)((_i + 2) % DEALS));
            struct reference *d = reference_of(w.s);
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
            free(d);
            distributed_free(&w);
        }
    }
END_TEST

void sp_values_tests(Suite *s)
{
    TCase *c = collective_tcase(s, "values");
    ck_add_sampled_test(c, sums_and_norms, DEALS);
    ck_add_sampled_test(c, diagonals, DEALS);
    ck_add_sampled_test(c, norms_with_nan_or_infinity, DEALS);
    ck_add_sampled_test(c, scaling, DEALS);
    ck_add_sampled_test(c, stored_zeros_are_removed, DEALS);
}
