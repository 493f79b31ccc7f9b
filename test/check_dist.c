/* check_dist.c -- test: distributed matrices and vectors: the results must be those of one process. */
#include "config.h"
#include <stdlib.h>
#include <string.h>
#include "suites.h"
#include "psb_cuda.h"
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
        DISTRIBUTED w = square_sample(kinds[k], _i);
        check_all_formats(&w, k % 3);
    }
}

TEST(rectangular_product)
{
    const psb_ipk size[][2] = { { 41, 29 }, { 29, 41 }, { 3, 50 }, { 41, 41 }, { 0, 7 }, { 7, 0 } };
    for (int k = 0; k < 6; k++) {
        enum distribution other = (enum distribution)((_i + 1 + k) % DISTRIBUTIONS);
        DISTRIBUTED w = distribute(k % 2 ? SPREAD : DENSE_ROW, size[k][0], size[k][1], (enum distribution)_i,
                                   other);
        check_all_formats(&w, 1);
    }
}

TEST(halo_part_is_csrg_on_a_device)
{
    const struct X(mat) *const mold[] = { &X(hlg_mold).mat, &X(csrg_mold).mat, &X(autog_mold).mat };
    DISTRIBUTED w = square_sample(TRIDIAG, EVEN);
    GOOD(X(spasb)(w.a, mold[_i], PSB_DUPL_ADD));
    EXPECT(w.a->ah->ops == X(csrg_mold).mat.ops);
}

TEST(device_product_leaves_y_on_device)
{
    T one[MOST];
    DISTRIBUTED w = square_sample(TRIDIAG, EVEN);
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
    unsetenv("PSB_HALO");
}

/* --- states and arguments --- */

TEST(wrong_entries)
{
    psb_lpk i[2] = { 0, 41 }, j[2] = { 0, 0 };
    T v[2] = { 1, 1 };
    DISTRIBUTED w = { .s = sample(SPREAD, 41, 41) };
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
}

TEST(states)
{
    T v = 1, all[MOST] = { 0 };
    psb_lpk zero = 0;
    DISTRIBUTED w = { .s = sample(TRIDIAG, 41, 41) };
    VECT *x = NULL;
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
}

/* The owner of row 0 inserts column 40, which is not in the halo of the assembled descriptor. */
TEST(columns_not_in_the_halo)
{
    psb_lpk i = 0, j = 40;
    T v = 1;
    DISTRIBUTED w = square_sample(TRIDIAG, EVEN);
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
}

/* psb_spall, psb_spall2, psb_spmv and queries of a matrix. */
TEST(wrong_arguments_of_matrices)
{
    T all[MOST] = { 0 };
    struct X(spmat) *none = NULL;
    DISTRIBUTED w = distribute(SPREAD, 41, 29, EVEN, CYCLIC);
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
    VECT *build = NULL, *two = NULL;
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
        BAD(MV(w.a, w.x, w.y, 'T'), PSB_EARG, "argument x lies on another descriptor");
        BAD(MV(w.a, w.y, w.y, 'N'), PSB_EARG, "argument x lies on another descriptor");
        BAD(MV(w.a, w.x, build, 'N'), PSB_ESTATE, "argument y is not assembled; expected psb_geasb");
        BAD(MV(w.a, build, w.x, 'C'), PSB_ESTATE, "argument x is not assembled; expected psb_geasb");
        BAD(MV(w.a, w.x, two, 'N'), PSB_EARG, "arguments x (columns: 1) and y (2) differ");
        BAD(MV(w.a, w.x, w.y, 'H'), PSB_EARG, "argument trans is 'H'; expected 'N', 'T' or 'C'");
#undef MV
    }
    BAD(psb_gather(w.x, all, -2), PSB_EARG, "argument root is -2; expected -1 <= root < ");
    BAD(psb_geaxpby(1, w.x, 0, w.y), PSB_EARG, "differ");
    check_product(&w, 'N', 1, 1, places[0]);
}

TEST(duplicates)
{
    const enum psb_dupl how[] = { PSB_DUPL_ADD, PSB_DUPL_OVERWRITE };
    for (int q = 0; q < 2; q++) {
        DISTRIBUTED w = square_sample(TWICE, _i);
        GOOD(X(spasb)(w.a, csr, how[q]));
        GOOD(X(coo_fix)(w.s, how[q])); /* check_formats_coo.c tests coo_fix */
        psb_lpk nnz = X(sp_nnz)(w.a);
        MPI_Allreduce(MPI_IN_PLACE, &nnz, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
        EXPECT(nnz == w.s->mat.nnz);
        check_product(&w, 'N', 1, 0, places[q]);
        check_product(&w, 'C', 1, 1, places[q]);
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

static Suite *distributed_matrices(void)
{
    Suite *s = suite_create("distributed");
    TCase *c = collective_tcase(s, "results");
    ck_add_loop_tests(c, DISTRIBUTIONS, square_product, rectangular_product, duplicates);
    ck_add_loop_tests(c, 3, halo_part_is_csrg_on_a_device);
    ck_add_loop_tests(c, 2, device_product_leaves_y_on_device);
    c = collective_tcase(s, "errors");
    ck_add_loop_tests(c, DISTRIBUTIONS, wrong_entries);
    ck_add_tests(c, states, columns_not_in_the_halo, wrong_arguments_of_matrices);
    add_errors_on_one(c);
    add_no_memory(s);
    c = collective_tcase(s, "contexts");
    ck_add_tests(c, two_contexts);
    return s;
}

int check_dist(void)
{
    return run_suite(MINIMAL_FORMAT, distributed_matrices);
}
