/* check_dist.c -- test: distributed matrices and vectors: the results must be those of one process. */
#include "config.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "suites.h"
#include "psb_cuda.h"
#include "minimal_format.h"
#include "check_dist.h"

static const struct X(mat) *const csr = &X(csr_mold).mat;
static const struct psb_vmold *const places[] = { &psb_vect_host, &psb_vect_cuda };

/* --- products --- */

/* In every format in turn, with vectors on the host and on the device. */
static void check_all_formats(struct distributed *w, int first)
{
    const T factor[][2] = { { 1, 0 }, { MAKE(-0.5, 2), 1 }, { 1, MAKE(3, -1) }, { 0, 2 }, { -1, -1 } };
    GOOD(X(spasb)(w->a, X(mat_format)(first), PSB_DUPL_ADD));
    for (int f = 0; X(mat_format)(f); f++) {
        GOOD(psb_spcnv(w->a, X(mat_format)(f)));
        EXPECT(strcmp(X(sp_fmt)(w->a), X(mat_format)(f)->ops->fmt) == 0);
        for (int k = 0; k < 6; k++) {
            const T *c = factor[(f + k) % 5];
            check_product(w, op_codes[k % 3], c[0], c[1], places[k / 3]);
        }
    }
}

TEST(square_product)
{
    const enum sample_kind kinds[] = { TRIDIAG, SPREAD, TWICE, DENSE_ROW, DENSE_COL, DIAGONAL, NOTHING };
    for (int k = 0; k < 7; k++) {
        struct distributed w = distribute(kinds[k], 41, 41, (enum distribution)_i, (enum distribution)_i);
        check_all_formats(&w, k % 3);
        distributed_free(&w);
    }
}

TEST(rectangular_product)
{
    const psb_ipk size[][2] = { { 41, 29 }, { 29, 41 }, { 3, 50 }, { 41, 41 }, { 0, 7 }, { 7, 0 } };
    for (int k = 0; k < 6; k++) {
        enum distribution other = (enum distribution)((_i + 1 + k) % DISTRIBUTIONS);
        struct distributed w = distribute(k % 2 ? SPREAD : DENSE_ROW, size[k][0], size[k][1],
                                          (enum distribution)_i, other);
        check_all_formats(&w, 1);
        distributed_free(&w);
    }
}

TEST(halo_part_is_csrg_on_a_device)
{
    const struct X(mat) *const mold[] = { &X(hlg_mold).mat, &X(csrg_mold).mat, &X(autog_mold).mat };
    struct distributed w = distribute(TRIDIAG, 41, 41, EVEN, EVEN);
    GOOD(X(spasb)(w.a, mold[_i], PSB_DUPL_ADD));
    EXPECT(w.a->ah->ops == X(csrg_mold).mat.ops);
    distributed_free(&w);
}

TEST(device_product_leaves_y_on_device)
{
    T one[MOST];
    struct distributed w = distribute(TRIDIAG, 41, 41, EVEN, EVEN);
    const int direct = _i && !psb_cuda_stream(); /* MPI may be unable to access the memory of a GPU */
    setenv("PSB_HALO", direct ? "mpi" : "staged", 1);
    fill_vector(MOST, one, 1);
    GOOD(X(spasb)(w.a, &X(elg_mold).mat, PSB_DUPL_ADD));
    w.x = make_vector(w.col, one, &psb_vect_cuda);
    w.y = make_vector(w.row, one, &psb_vect_cuda);
    GOOD(X(spmv)(1, w.a, w.x, 0, w.y, 'N'));
    psb_transfers_reset();
    GOOD(X(spmv)(1, w.a, w.x, 0, w.y, 'N'));
    struct psb_transfer_counts t = psb_transfers(NULL);
    psb_ipk sent, received;
    psb_cd_volume(w.col, &sent, &received, NULL);
    EXPECT(t.get_bytes == (direct ? 0 : (long long)sent * (long long)sizeof(T)));
    EXPECT(t.put_bytes == (direct ? 0 : (long long)received * (long long)sizeof(T)));
    distributed_free(&w);
    unsetenv("PSB_HALO");
}

/* --- vectors --- */

/* Element g is g + 1. */
static void fill_with_row_numbers(T *all)
{
    for (int g = 0; g < MOST; g++)
        all[g] = MAKE(g + 1, -g);
}

TEST(gather_in_global_order)
{
    T all[MOST], got[MOST];
    psb_desc *d = NULL;
    fill_with_row_numbers(all);
    GOOD(alloc_desc(&d, (enum distribution)_i, 50));
    GOOD(psb_cdasb(d));
    struct X(vect) *x = make_vector(d, all, places[_i % 2]);
    for (int root = -1; root < np; root++) {
        fill_vector(MOST, got, 0);
        GOOD(psb_gather(x, root < 0 || root == me ? got : NULL, root));
        for (int g = 0; g < 50; g++)
            EXPECT(got[g] == (root < 0 || root == me ? all[g] : 0));
        EXPECT(got[50] == 0);
    }
    X(gefree)(x);
    psb_cdfree(d);
}

TEST(insertion_keeps_owned_rows)
{
    psb_desc *d = NULL;
    struct X(vect) *x = NULL;
    GOOD(alloc_desc(&d, (enum distribution)_i, 50));
    GOOD(psb_cdasb(d));
    GOOD(X(geall)(&x, d));
    GOOD(psb_ge_set_remote(x, PSB_REMOTE_DROP));
    for (psb_lpk g = 0; g < 50; g++) {
        T v[2] = { (R)g, 1000 };
        psb_lpk twice[2] = { g, (g * 7) % 50 };
        GOOD(X(geins)(1, &g, v, x, PSB_DUPL_OVERWRITE));
        GOOD(X(geins)(2, twice, v, x, g < 25 ? PSB_DUPL_OVERWRITE : PSB_DUPL_ADD));
    }
    EXPECT(psb_ge_dropped(x) == 3 * (50 - psb_cd_local_rows(d)));
    GOOD(X(geasb)(x, places[_i % 2]));
    T must[50] = { 0 };
    for (int g = 0; g < 50; g++) {
        must[g] = (R)g;
        must[g] = g < 25 ? (R)g : must[g] + (R)g;
        must[g * 7 % 50] = g < 25 ? 1000 : must[g * 7 % 50] + 1000;
    }
    for (psb_lpk g = 0; g < 50; g++)
        if (psb_is_owned(d, g)) {
            T got = 0;
            GOOD(psb_getelem(x, g, &got));
            EXPECT(got == must[g]);
        }
    X(gefree)(x);
    psb_cdfree(d);
}

/* A descriptor with some halo indices on every process. */
static psb_desc *with_halo(enum distribution distribution, psb_ipk n)
{
    struct rng r = { (uint64_t)(100 + me) };
    psb_desc *d = NULL;
    GOOD(alloc_desc(&d, distribution, n));
    for (int k = 0; k < 30; k++) {
        psb_lpk g = rng_below(&r, n);
        GOOD(psb_cdins(d, 1, NULL, &g));
    }
    GOOD(psb_cdasb(d));
    return d;
}

/* Local indices: owned rows first, then the halo ordered by owner and index; global indices map back. */
TEST(local_indices)
{
    int owner[MOST];
    psb_ipk sent, received;
    psb_desc *d = with_halo((enum distribution)_i, 50);
    psb_ipk m = psb_cd_local_rows(d), n = psb_cd_local_cols(d);
    owners((enum distribution)_i, 50, owner);
    for (psb_ipk i = 0; i < n; i++) {
        psb_lpk g = psb_loc_to_glob(d, i), before = i > m ? psb_loc_to_glob(d, i - 1) : -1;
        EXPECT(g >= 0 && g < 50 && psb_glob_to_loc(d, g) == i);
        EXPECT((owner[g] == me) == (i < m) && psb_is_owned(d, g) == (i < m));
        EXPECT(i <= m || owner[before] < owner[g] || (owner[before] == owner[g] && before < g));
    }
    EXPECT(psb_loc_to_glob(d, n) == -1 && psb_loc_to_glob(d, -1) == -1);
    EXPECT(psb_glob_to_loc(d, 50) == -1 && psb_glob_to_loc(d, -1) == -1);
    psb_cd_volume(d, &sent, &received, NULL);
    EXPECT(received == n - m && psb_cd_global_rows(d) == 50);
    int all[3] = { sent, received, m };
    MPI_Allreduce(MPI_IN_PLACE, all, 3, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    EXPECT(all[0] == all[1] && all[2] == 50);
    psb_cdfree(d);
}

TEST(halo_exchange)
{
    T all[MOST], got[MOST];
    fill_with_row_numbers(all);
    for (int p = 0; p < 2; p++) {
        psb_desc *d = with_halo((enum distribution)_i, 50);
        struct X(vect) *x = make_vector(d, all, places[p]);
        GOOD(psb_halo(x, 'N'));
        psb_ipk n = psb_cd_local_cols(d);
        GOOD(X(get_vect)(x, n, got));
        for (psb_ipk i = 0; i < n; i++)
            EXPECT(got[i] == all[psb_loc_to_glob(d, i)]);
        X(gefree)(x);
        psb_cdfree(d);
    }
}

/* Overwriting the owned elements leaves the halo unchanged, wherever the newer copy is. */
TEST(overwriting_keeps_the_halo)
{
    T all[MOST], sevens[MOST], got[MOST];
    fill_with_row_numbers(all);
    for (int i = 0; i < MOST; i++)
        sevens[i] = 7;
    for (int p = 0; p < 2; p++) {
        psb_desc *d = with_halo((enum distribution)_i, 50);
        psb_ipk m = psb_cd_local_rows(d), n = psb_cd_local_cols(d);
        struct X(vect) *x = make_vector(d, all, places[p]), *y = make_vector(d, all, places[p]);
        GOOD(psb_geaxpby(1, x, 0, y));
        GOOD(X(set_vect)(y, n, sevens));
        GOOD(psb_geaxpby(1, x, 0, y));
        GOOD(X(get_vect)(y, n, got));
        for (psb_ipk i = 0; i < n; i++)
            EXPECT(got[i] == (i < m ? all[psb_loc_to_glob(d, i)] : 7));
        X(gefree)(x);
        X(gefree)(y);
        psb_cdfree(d);
    }
}

/* Before assembly a halo exchange is an error. */
TEST(halo_before_assembly)
{
    psb_desc *d;
    struct X(vect) *x;
    GOOD(alloc_desc(&d, EVEN, 20));
    GOOD(X(geall)(&x, d));
    EXPECT(psb_halo(x, 'N') == PSB_ESTATE);
    X(gefree)(x);
    psb_cdfree(d);
}

/* The sum over all halos of process number + 1 for each index, on every process. */
static void halo_sums(const psb_desc *d, double *sum)
{
    memset(sum, 0, MOST * sizeof *sum);
    for (psb_ipk i = psb_cd_local_rows(d); i < psb_cd_local_cols(d); i++)
        sum[psb_loc_to_glob(d, i)] = me + 1;
    MPI_Allreduce(MPI_IN_PLACE, sum, MOST, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

TEST(transposed_halo_exchange)
{
    T all[MOST], local[MOST];
    double sum[MOST];
    fill_with_row_numbers(all);
    for (int p = 0; p < 2; p++) {
        psb_desc *d = with_halo((enum distribution)_i, 50);
        psb_ipk m = psb_cd_local_rows(d), n = psb_cd_local_cols(d);
        struct X(vect) *x = make_vector(d, all, places[p]);
        halo_sums(d, sum);
        for (psb_ipk i = 0; i < n; i++)
            local[i] = i < m ? all[psb_loc_to_glob(d, i)] : (R)(me + 1);
        GOOD(X(set_vect)(x, n, local));
        GOOD(psb_halo(x, 'T'));
        GOOD(X(get_vect)(x, m, local));
        for (psb_ipk i = 0; i < m; i++) {
            psb_lpk g = psb_loc_to_glob(d, i);
            EXPECT(local[i] == all[g] + (R)sum[g]);
        }
        X(gefree)(x);
        psb_cdfree(d);
    }
}

/* --- sums --- */

static int same_on_all(const void *value, size_t size)
{
    char others[sizeof(T)];
    memcpy(others, value, size);
    MPI_Bcast(others, (int)size, MPI_BYTE, 0, MPI_COMM_WORLD);
    return memcmp(others, value, size) == 0;
}

/* The dot product of n elements, and its error bound as in sample.h. */
static struct want dot_of(psb_ipk n, const T *x, const T *y)
{
    struct want w = { 0, 0 };
    for (psb_ipk i = 0; i < n; i++) {
        w.value += (long double _Complex)CONJ(x[i]) * y[i];
        w.slack += ABS(x[i]) * ABS(y[i]);
    }
    w.slack *= (n + 4) * (CPLX ? 3 : 1) * EPS;
    return w;
}

TEST(sums)
{
    T x[MOST], y[MOST], dot[2] = { 0 };
    R norm[2] = { 0 };
    psb_desc *d = with_halo((enum distribution)_i, 61);
    random_vector(61, x, 1);
    random_vector(61, y, 2);
    struct want w = dot_of(61, x, y), xx = dot_of(61, x, x);
    for (int q = 0; q < 4; q++) {
        struct X(vect) *vx = make_vector(d, x, places[q % 2]), *vy = make_vector(d, y, places[q / 2]);
        for (int again = 0; again < 2; again++) {
            GOOD(psb_gedot(vx, vy, &dot[again]));
            GOOD(psb_genrm2(vx, &norm[again]));
        }
        EXPECT(is_right(dot[0], &w));
        EXPECT(fabsl(norm[0] - sqrtl(creall(xx.value))) <= 2 * xx.slack / norm[0]);
        EXPECT(memcmp(&dot[0], &dot[1], sizeof *dot) == 0 && same_on_all(dot, sizeof *dot));
        EXPECT(memcmp(&norm[0], &norm[1], sizeof *norm) == 0 && same_on_all(norm, sizeof *norm));
        X(gefree)(vx);
        X(gefree)(vy);
    }
    psb_cdfree(d);
}

TEST(axpby)
{
    const T factor[] = { 0, 1, -1, MAKE(0.3, 0.8) };
    T x[MOST], y[MOST];
    struct want w[MOST];
    struct X(coo_mat) *unit = sample(DIAGONAL, 61, 61);
    psb_desc *d = with_halo((enum distribution)_i, 61);
    fill_vector(61, unit->val, 1);
    for (int f = 0; f < 64; f++) {
        T alpha = factor[f / 4 % 4], beta = factor[f % 4];
        random_vector(61, x, 1);
        random_vector(61, y, 2);
        sample_product(unit, 'N', alpha, x, beta, y, w);
        fill_vector(alpha == 0 ? 61 : 0, x, MAKE(NAN, NAN));
        fill_vector(beta == 0 ? 61 : 0, y, MAKE(NAN, NAN));
        struct X(vect) *vx = make_vector(d, x, places[f / 16 % 2]), *vy = make_vector(d, y, places[f / 32]);
        GOOD(psb_geaxpby(alpha, vx, beta, vy));
        check_vector(vy, w, "axpby");
        X(gefree)(vx);
        X(gefree)(vy);
    }
    psb_cdfree(d);
    X(mat_free)(&unit->mat);
}

/* 64 elements with value v: their norm is 8 v. */
TEST(norms_of_extreme_values)
{
    const R least = EPS * (sizeof(R) == sizeof(float) ? FLT_MIN : DBL_MIN); /* subnormal */
    const R value[] = { TMAX / 16, TMAX / 1e10f, 1, least / EPS, 1024 * least, least, 0, INFINITY };
    T x[MOST];
    R norm = -1;
    psb_desc *d = with_halo((enum distribution)_i, MOST);
    for (int k = 0; k < 8; k++) {
        fill_vector(MOST, x, MAKE(k % 2 ? -value[k] : value[k], 0));
        struct X(vect) *v = make_vector(d, x, places[k / 2 % 2]);
        GOOD(psb_genrm2(v, &norm));
        EXPECT(norm == 8 * value[k] || fabs(norm / (8 * (double)value[k]) - 1) <= 4 * EPS);
        EXPECT(same_on_all(&norm, sizeof norm));
        X(gefree)(v);
    }
    x[17] = NAN;
    struct X(vect) *v = make_vector(d, x, places[0]);
    GOOD(psb_genrm2(v, &norm));
    EXPECT(isnan(norm));
    X(gefree)(v);
    psb_cdfree(d);
}

/* --- states and arguments --- */

TEST(wrong_entries)
{
    psb_lpk i[2] = { 0, 41 }, j[2] = { 0, 0 };
    T v[2] = { 1, 1 };
    struct distributed w = { .s = sample(SPREAD, 41, 41) };
    GOOD(alloc_desc(&w.row, (enum distribution)_i, 41));
    w.col = w.row;
    GOOD(X(spall)(&w.a, w.row, 5));
    GOOD(insert_all(w.a, w.s));
    psb_epk before = X(sp_nnz)(w.a);
    BAD(X(spins)(2, i, j, v, w.a), PSB_EARG, "ia[1] is 41");
    BAD(X(spins)(2, j, i, v, w.a), PSB_EARG, "ja[1] is 41");
    BAD(psb_cdins(w.row, 2, i, j), PSB_EARG, "ia[1] is 41");
    BAD(psb_cdins(w.row, 2, NULL, i), PSB_EARG, "ja[1] is 41");
    i[1] = -1;
    BAD(X(spins)(2, i, j, v, w.a), PSB_EARG, "ia[1] is -1");
    BAD(X(spins)(-1, i, j, v, w.a), PSB_EARG, "argument nz is -1");
    BAD(X(spins)(1, NULL, j, v, w.a), PSB_EARG, "argument ia ");
    BAD(X(spins)(1, j, NULL, v, w.a), PSB_EARG, "argument ja ");
    BAD(X(spins)(1, j, j, NULL, w.a), PSB_EARG, "argument val ");
    BAD(psb_cdins(w.row, 1, NULL, NULL), PSB_EARG, "argument ja ");
    EXPECT(X(sp_nnz)(w.a) == before);
    GOOD(psb_cdasb(w.row));
    GOOD(X(spasb)(w.a, csr, PSB_DUPL_ERROR));
    EXPECT(strcmp(X(sp_fmt)(w.a), "CSR") == 0);
    check_product(&w, 'N', 1, 1, places[0]);
    distributed_free(&w);
}

TEST(states)
{
    T v = 1, all[MOST] = { 0 };
    psb_lpk zero = 0;
    struct distributed w = { .s = sample(TRIDIAG, 41, 41) };
    struct X(vect) *x = NULL;
    GOOD(alloc_desc(&w.row, EVEN, 41));
    w.col = w.row;
    GOOD(X(spall)(&w.a, w.row, 0));
    GOOD(X(geall)(&x, w.row));
    EXPECT(psb_cd_state(w.row) == PSB_BUILD);
    BAD(X(geasb)(x, NULL), PSB_ESTATE, "psb_cdasb");
    BAD(X(spasb)(w.a, csr, PSB_DUPL_ADD), PSB_ESTATE, "psb_cdasb");
    GOOD(insert_all(w.a, w.s));
    GOOD(psb_cdasb(w.row));
    EXPECT(psb_cd_state(w.row) == PSB_ASSEMBLED);
    BAD(psb_cdasb(w.row), PSB_ESTATE, "assembled already");
    BAD(psb_cdins(w.row, 1, NULL, &zero), PSB_ESTATE, "assembled");
    BAD(psb_spcnv(w.a, &X(coo_mold).mat), PSB_ESTATE, "psb_spasb");
    BAD(X(spasb)(w.a, csr, (enum psb_dupl)7), PSB_EARG, "argument dupl is 7");
    BAD(X(spasb)(w.a, NULL, PSB_DUPL_ADD), PSB_EARG, "argument mold is NULL");
    w.x = make_vector(w.col, all, NULL);
    w.y = make_vector(w.row, all, NULL);
    BAD(X(spmv)(1, w.a, w.x, 0, w.y, 'N'), PSB_ESTATE, "psb_spasb");
    GOOD(X(spasb)(w.a, csr, PSB_DUPL_ADD));
    BAD(X(spasb)(w.a, csr, PSB_DUPL_ADD), PSB_ESTATE, "assembled already");
    BAD(X(spasb)(w.a, NULL, PSB_DUPL_ADD), PSB_ESTATE, "assembled already; expected state BUILD");
    BAD(X(spins)(1, &zero, &zero, &v, w.a), PSB_ESTATE, "assembled");
    BAD(X(geasb)(w.x, NULL), PSB_ESTATE, "assembled already");
    BAD(X(geins)(1, &zero, &v, w.x, PSB_DUPL_ADD), PSB_ESTATE, "assembled");
    BAD(X(spmv)(1, w.a, x, 0, w.y, 'N'), PSB_ESTATE, "argument x is not assembled");
    BAD(X(spmv)(1, w.a, w.x, 0, w.x, 'N'), PSB_EARG, "the same vector");
    BAD(X(spmv)(1, w.a, w.x, 0, w.y, 'Q'), PSB_EARG, "argument trans is 'Q'");
    BAD(X(spmv)(1, w.a, w.x, 0, NULL, 'N'), PSB_EARG, "argument y ");
    BAD(psb_gather(w.x, all, np), PSB_EARG, "argument root ");
    check_product(&w, 'T', 1, 1, places[1]);
    X(gefree)(x);
    distributed_free(&w);
}

/* The owner of row 0 inserts column 40, which is not in the halo of the assembled descriptor. */
TEST(columns_not_in_the_halo)
{
    psb_lpk i = 0, j = 40;
    T v = 1;
    struct distributed w = distribute(TRIDIAG, 41, 41, EVEN, EVEN);
    psb_epk before = X(sp_nnz)(w.a);
    psb_err e = X(spins)(1, &i, &j, &v, w.a);
    if (psb_is_owned(w.row, i) && !psb_is_owned(w.col, j))
        BAD(e, PSB_EARG, "ja[0] is 40, which is not in the halo");
    else
        GOOD(e);
    EXPECT(X(sp_nnz)(w.a) == before + (e == PSB_OK && psb_is_owned(w.row, i)));
    if (np > 1) {
        GOOD(X(spasb)(w.a, csr, PSB_DUPL_ADD));
        check_product(&w, 'N', 1, 0, places[0]);
    }
    distributed_free(&w);
}

/* psb_spall, psb_spall2, psb_spmv and queries of a matrix. */
TEST(wrong_arguments_of_matrices)
{
    T all[MOST] = { 0 };
    struct X(spmat) *none = NULL;
    struct distributed w = distribute(SPREAD, 41, 29, EVEN, CYCLIC);
    BAD(X(spall)(NULL, w.row, 0), PSB_EARG, "argument a is NULL; expected where to store the matrix");
    BAD(X(spall)(&none, NULL, 0), PSB_EARG, "argument desc is NULL; expected a descriptor");
    BAD(X(spall)(&none, w.row, -1), PSB_EARG, "argument nnz is -1; expected >= 0");
    BAD(X(spall2)(NULL, w.row, w.col, 0), PSB_EARG, "argument a is NULL; expected where to store");
    BAD(X(spall2)(&none, NULL, w.col, 0), PSB_EARG, "argument row is NULL; expected a descriptor");
    BAD(X(spall2)(&none, w.row, NULL, 0), PSB_EARG, "argument col is NULL; expected a descriptor");
    BAD(X(spall2)(&none, w.row, w.col, -1), PSB_EARG, "argument nnz is -1; expected >= 0");
    BAD(X(spasb)(NULL, csr, PSB_DUPL_ADD), PSB_EARG, "argument a is NULL; expected a matrix");
    BAD(X(spcnv)(NULL, csr), PSB_EARG, "argument a is NULL; expected a matrix");
    EXPECT(X(sp_nnz)(none) == 0 && X(sp_bytes)(none) == 0 && strcmp(X(sp_fmt)(none), "") == 0);
    EXPECT(!X(sp_row_desc)(none) && !X(sp_col_desc)(none) && X(sp_state)(none) == PSB_NULL);
    EXPECT(X(sp_row_desc)(w.a) == w.row && X(sp_col_desc)(w.a) == w.col && !none);
    w.x = make_vector(w.col, all, NULL);
    w.y = make_vector(w.row, all, NULL);
    struct X(vect) *build = NULL, *two = NULL;
    GOOD(X(geall)(&build, w.row));
    GOOD(X(geall_n)(&two, w.row, 2));
    GOOD(X(geasb)(two, NULL));
    BAD(X(spmv_opt)(1, w.a, w.x, 0, w.y, 'N', 0), PSB_ESTATE, "argument a is not assembled; expected");
    GOOD(X(spasb)(w.a, csr, PSB_DUPL_ADD));
    for (int how = 0; how < 3; how++) { /* psb_spmv; psb_spmv_opt with and without an exchange */
#define MV(a, x, y, t) (how ? X(spmv_opt)(1, a, x, 0, y, t, how == 1) : X(spmv)(1, a, x, 0, y, t))
        BAD(MV(NULL, w.x, w.y, 'N'), PSB_EARG, "argument a is NULL; expected a matrix");
        BAD(MV(w.a, NULL, w.y, 'N'), PSB_EARG, "argument x is NULL; expected a vector");
        BAD(MV(w.a, w.x, NULL, 'N'), PSB_EARG, "argument y is NULL; expected a vector");
        BAD(MV(w.a, w.y, w.x, 'N'), PSB_EARG, "argument x lies on another descriptor");
        BAD(MV(w.a, w.x, w.x, 'N'), PSB_EARG, "argument y lies on another descriptor");
        BAD(MV(w.a, w.x, build, 'N'), PSB_ESTATE, "argument y is not assembled; expected psb_geasb");
        BAD(MV(w.a, build, w.x, 'C'), PSB_ESTATE, "argument x is not assembled; expected psb_geasb");
        BAD(MV(w.a, w.x, two, 'N'), PSB_EARG, "arguments x (columns: 1) and y (2) differ");
        BAD(MV(w.a, w.x, w.y, 'H'), PSB_EARG, "argument trans is 'H'; expected 'N', 'T' or 'C'");
#undef MV
    }
    BAD(psb_gather(w.x, all, -2), PSB_EARG, "argument root is -2; expected -1 <= root < ");
    X(gefree)(build);
    X(gefree)(two);
    check_product(&w, 'N', 1, 1, places[0]);
    distributed_free(&w);
}

TEST(vectors_on_another_descriptor)
{
    T all[MOST] = { 0 };
    struct distributed w = distribute(SPREAD, 41, 29, EVEN, CYCLIC);
    GOOD(X(spasb)(w.a, csr, PSB_DUPL_ADD));
    w.x = make_vector(w.col, all, NULL);
    w.y = make_vector(w.row, all, NULL);
    BAD(X(spmv)(1, w.a, w.y, 0, w.y, 'N'), PSB_EARG, "argument x lies on another descriptor");
    BAD(X(spmv)(1, w.a, w.x, 0, w.x, 'N'), PSB_EARG, "argument y lies on another descriptor");
    BAD(X(spmv)(1, w.a, w.x, 0, w.y, 'T'), PSB_EARG, "argument x lies on another descriptor");
    BAD(psb_geaxpby(1, w.x, 0, w.y), PSB_EARG, "differ");
    distributed_free(&w);
}

TEST(duplicates)
{
    const enum psb_dupl how[] = { PSB_DUPL_ADD, PSB_DUPL_OVERWRITE };
    for (int q = 0; q < 2; q++) {
        struct distributed w = distribute(TWICE, 41, 41, (enum distribution)_i, (enum distribution)_i);
        GOOD(X(spasb)(w.a, csr, how[q]));
        GOOD(X(coo_fix)(w.s, how[q])); /* check_formats_coo.c tests coo_fix */
        psb_lpk nnz = X(sp_nnz)(w.a);
        MPI_Allreduce(MPI_IN_PLACE, &nnz, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
        EXPECT(nnz == w.s->mat.nnz);
        check_product(&w, 'N', 1, 0, places[q]);
        check_product(&w, 'C', 1, 1, places[q]);
        distributed_free(&w);
    }
}

/* --- contexts --- */

/* A second context with the same processes in reverse order. */
TEST(two_contexts)
{
    MPI_Comm reverse;
    psb_ctxt *second = NULL, *first = ctxt;
    int rank, size, where = me;
    struct distributed w = distribute(SPREAD, 41, 41, RANDOM, RANDOM), v;
    GOOD(X(spasb)(w.a, csr, PSB_DUPL_ADD));
    MPI_Comm_split(MPI_COMM_WORLD, 0, -me, &reverse);
    GOOD(psb_init_comm(&second, reverse));
    MPI_Comm_free(&reverse);
    psb_info(second, &rank, &size);
    EXPECT(rank == np - 1 - me && size == np);
    ctxt = second, me = rank;
    v = distribute(SPREAD, 41, 41, UNEVEN, UNEVEN);
    GOOD(X(spasb)(v.a, csr, PSB_DUPL_ADD));
    check_product(&v, 'N', 1, 0, places[0]);
    check_product(&w, 'T', 1, 0, places[0]);
    check_product(&v, 'T', 1, 0, places[1]);
    check_product(&w, 'N', 1, 0, places[1]);
    struct X(spmat) *a = NULL;
    BAD(X(spall2)(&a, v.row, w.row, 0), PSB_EARG, "two contexts");
    distributed_free(&v);
    distributed_free(&w);
    psb_exit(second);
    ctxt = first, me = where;
}

TEST(agreement)
{
    char named[32];
    psb_err e = me == np - 1 ? PSB_FAIL(PSB_EIO, "the file of process %d", me) : PSB_OK;
    snprintf(named, sizeof named, "the file of process %d", np - 1);
    GOOD(psb_agree(ctxt, PSB_OK));
    BAD(psb_agree(ctxt, e), PSB_EIO, named);
    GOOD(psb_agree(ctxt, PSB_OK));
}

static Suite *distributed_matrices(void)
{
    Suite *s = suite_create("distributed");
    TCase *c = collective_tcase(s, "results");
    ck_add_loop_tests(c, DISTRIBUTIONS, square_product, rectangular_product);
    ck_add_loop_tests(c, 3, halo_part_is_csrg_on_a_device);
    ck_add_loop_tests(c, 2, device_product_leaves_y_on_device);
    ck_add_loop_tests(c, DISTRIBUTIONS, gather_in_global_order, insertion_keeps_owned_rows, local_indices,
                      overwriting_keeps_the_halo);
    ck_add_tests(c, halo_before_assembly);
    ck_add_loop_tests(c, DISTRIBUTIONS, halo_exchange, transposed_halo_exchange, sums, axpby,
                      norms_of_extreme_values, duplicates);
    c = collective_tcase(s, "errors");
    ck_add_loop_tests(c, DISTRIBUTIONS, wrong_entries);
    ck_add_tests(c, states, columns_not_in_the_halo, vectors_on_another_descriptor,
                 wrong_arguments_of_matrices);
    add_errors_on_one(c);
    add_no_memory(s);
    c = collective_tcase(s, "contexts");
    ck_add_tests(c, two_contexts, agreement);
    return s;
}

int check_dist(void)
{
    int ended;
    ck_mpi_init(); /* psb_exit must then not finalise MPI */
    if (ck_init(&ctxt) != PSB_OK || X(mat_register)(&minimal_mold.mat) != PSB_OK) {
        psb_print_errmsg();
        return EXIT_FAILURE;
    }
    psb_info(ctxt, &me, &np);
    int failed = collective_count(ck_run(distributed_matrices()));
    psb_cuda_exit();
    psb_exit(ctxt);
    MPI_Finalized(&ended);
    if (!ended)
        MPI_Finalize();
    return failed || ended ? EXIT_FAILURE : EXIT_SUCCESS;
}
