/* check_front.c -- test: calls without a type letter on a matrix of one process, A = (1 2; 0 4).  Each
 * is called once, as are other calls that depend on the type of an argument. */
#include "config.h"
#include "suites.h"
#include <string.h>
#include "psb_cuda.h"
#include "distributed.h"
#include "psb_linsolve.h"

static const T ones[4] = { 1, 1, 1, 1 };

static struct X(mat) *small(void)
{
    struct X(mat) *a = NULL;
    const psb_ipk ia[] = { 0, 0, 1 }, ja[] = { 0, 1, 1 };
    const T val[] = { 1, 2, 4 };
    OK(psb_mat_all(2, 2, 3, &a));
    ck_assert(psb_mat_is_bld(a));
    OK(psb_mat_csput(a, 3, ia, ja, val, PSB_DUPL_ADD));
    OK(psb_mat_asb(a, PSB_DUPL_ADD));
    OK(psb_mat_cscnv(&a, &X(csr_mold).mat));
    return a;
}

static void check_pair(const T *y, T y0, T y1)
{
    ck_assert(y[0] == y0 && y[1] == y1);
}

TEST(matrix_properties)
{
    struct X(mat) *a = small();
    const struct X(mat) *is = a; /* a pointer to const is accepted */
    ck_assert_str_eq(psb_mat_get_fmt(is), "CSR");
    ck_assert(psb_mat_get_nrows(is) == 2 && psb_mat_get_ncols(a) == 2 && psb_mat_get_nzeros(is) == 3);
    ck_assert(psb_mat_get_order(is) == PSB_BY_ROWS && psb_mat_is_sorted(is));
    ck_assert(psb_mat_is_by_rows(is) && !psb_mat_is_by_cols(is));
    ck_assert(!psb_mat_is_null(is) && psb_mat_is_asb(is) && !psb_mat_is_upd(is) && !psb_mat_is_bld(is));
    ck_assert(psb_mat_is_host(a) && !psb_mat_is_dev(a) && psb_mat_is_sync(a));
    ck_assert(psb_mat_can_put(is) && psb_mat_bytes(is) == 3 * sizeof(psb_epk) + 3 * (4 + sizeof(T)));
    OK(psb_mat_sync(a));
    OK(psb_mat_trim(a));
    OK(psb_mat_set_sorted(a, PSB_BY_ROWS));
    OK(psb_mat_set_triangle(a, 1));
    OK(psb_mat_set_lower(a, 1));
    ck_assert(psb_mat_is_triangle(is) && psb_mat_is_lower(is));
    OK(psb_mat_set_upper(a, 1));
    ck_assert(psb_mat_is_upper(is) && !psb_mat_is_unit(is) && !psb_mat_is_symmetric(is));
    OK(psb_mat_set_symmetric(a, 1));
    OK(psb_mat_set_unit(a, 0));
    OK(psb_mat_register(&X(csr_mold).mat));
    OK(psb_mat_set_state(a, PSB_MAT_UPD));
    psb_mat_free(a);
}

TEST(products_and_solves)
{
    MAT *a = small();
    VECT *x = NULL, *v = NULL;
    T y[4] = { 0 };
    OK(psb_mat_csmv(1, a, ones, 0, y, 'N'));
    check_pair(y, 3, 4);
    OK(psb_mat_csmm(1, a, 2, ones, 0, y, 'T'));
    check_pair(y, 1, 1);
    check_pair(y + 2, 6, 6);
    OK(psb_mat_set_triangle(a, 1));
    OK(psb_mat_set_upper(a, 1));
    OK(psb_mat_cssv(4, a, ones, 0, y, 'N', 'L', NULL));
    check_pair(y, 2, 1);
    OK(psb_mat_cssm(4, a, 2, ones, 0, y, 'N', 'L', ones));
    check_pair(y + 2, 1, 1);
    OK(psb_vect_bld(&x, 2, 1, ones, NULL));
    OK(psb_vect_new(&v, 2, NULL));
    OK(psb_mat_vect_mv(1, a, x, 0, v, 'N'));
    OK(psb_get_vect(v, 2, y));
    check_pair(y, 3, 4);
}

TEST(sums_and_values)
{
    MAT *a = small(), *b = NULL;
    T d[2];
    R r[2];
    int equal = 0;
    OK(psb_mat_get_diag(a, d));
    check_pair(d, 1, 4);
    OK(psb_mat_rowsum(a, d));
    check_pair(d, 3, 4);
    OK(psb_mat_colsum(a, d));
    check_pair(d, 1, 6);
    OK(psb_mat_arwsum(a, r));
    ck_assert(r[0] == 3 && r[1] == 4);
    OK(psb_mat_aclsum(a, r));
    ck_assert(r[0] == 1 && r[1] == 6);
    OK(psb_mat_maxval(a, r));
    OK(psb_mat_spnmi(a, r + 1));
    ck_assert(r[0] == 4 && r[1] == 4);
    OK(psb_mat_spnm1(a, r));
    ck_assert(r[0] == 6);
    OK(psb_mat_cmpval(a, 2, 2, &equal));
    ck_assert(equal);
    OK(psb_mat_clone(a, &b));
    OK(psb_mat_scal(b, 2));
    OK(psb_mat_cmpmat(a, b, 1, &equal));
    ck_assert(!equal);
    OK(psb_mat_scalv(b, d, 'L'));
    OK(psb_mat_scalpid(b, 1));
    OK(psb_mat_reinit(b, 0));
    ck_assert(psb_mat_is_upd(b));
    OK(psb_mat_zero_vals(b));
    OK(psb_mat_clean_zeros(b));
    OK(psb_mat_make_nonunit(b));
    ck_assert_int_eq(psb_mat_get_nzeros(b), 0);
}

TEST(parts_and_pairs)
{
    MAT *a = small();
    struct X(mat) *b[12] = { NULL };
    psb_ipk ia[3], ja[3], *idx = NULL, n = 0;
    psb_epk nz = 0, ptr[3];
    T val[3];
    OK(psb_mat_convert(a, &X(coo_mold).mat, &b[0]));
    OK(psb_mat_transp(a, &b[1]));
    OK(psb_mat_transc(a, &b[2]));
    OK(psb_mat_transp_ip(b[1]));
    OK(psb_mat_transc_ip(b[2]));
    OK(psb_mat_clip_diag(a, &b[3]));
    ck_assert_int_eq(psb_mat_get_nzeros(b[3]), 1);
    OK(psb_mat_tril(a, 0, NULL, &b[4], &b[5]));
    OK(psb_mat_triu(a, 0, NULL, &b[6], &b[7]));
    ck_assert(psb_mat_get_nzeros(b[4]) == 2 && psb_mat_get_nzeros(b[6]) == 3);
    OK(psb_mat_csclip(a, NULL, 1, &b[8]));
    OK(psb_mat_csget(a, NULL, 3, ia, ja, val, &nz));
    ck_assert(nz == 3 && ia[2] == 1 && ja[1] == 1 && val[2] == 4);
    OK(psb_mat_get_ptr(a, 0, 2, ptr));
    OK(psb_mat_get_nz_row(a, 0, &nz));
    ck_assert(ptr[1] == 2 && nz == 2);
    OK(psb_mat_get_neigh(a, 0, 1, &idx, &n));
    ck_assert_int_eq(n, 2);
    psb_free(idx);
    OK(psb_mat_spaxpby(1, a, 1, a, NULL, &b[9]));
    OK(psb_mat_spspmm(a, a, &b[10]));
    OK(psb_mat_spspmm_size(a, a, &nz));
    ck_assert_int_eq(nz, 3);
    for (int k = 0; k < 12; k++)
        psb_mat_free(b[k]);
    FILE *null = fopen("/dev/null", "w");
    ck_assert_ptr_nonnull(null);
    OK(psb_mat_print(a, null, NULL));
    fclose(null);
    OK(psb_mat_print_path(a, "/dev/null", NULL));
}

TEST(distributed_calls)
{
    psb_desc *d = NULL;
    struct X(spmat) *a = NULL;
    struct X(vect) *x = NULL;
    const psb_lpk g[2] = { 0, 1 };
    const T *r;
    T *w;
    OK(psb_cdall_nl(&d, ctxt, 2));
    OK(psb_spall(&a, d, 2));
    ck_assert_int_eq(psb_sp_state(a), PSB_BUILD);
    OK(psb_spins(2, g, g, ones, a));
    OK(psb_cdasb(d));
    OK(psb_spasb(a, &X(csr_mold).mat, PSB_DUPL_ADD));
    const struct X(spmat) *is = a;
    ck_assert(psb_sp_nnz(is) == 2 && psb_sp_bytes(is) > 0 && psb_sp_state(is) == PSB_ASSEMBLED);
    ck_assert_str_eq(psb_sp_fmt(is), "CSR");
    ck_assert(psb_sp_row_desc(is) == d && psb_sp_col_desc(a) == d && !psb_sp_is_unit(is));
    OK(psb_geall(&x, d));
    OK(psb_geasb(x, &psb_vect_cuda));
    const struct X(vect) *same = x;
    OK(psb_host_write(x, &w));
    memcpy(w, ones, 2 * sizeof *w);
    OK(psb_host_read(x, &r));
    check_pair(r, 1, 1);
    OK(psb_host_update(x, &w));
    ck_assert(psb_vect_is_host(same) && psb_vect_get_nrows(same) == 2);
    OK(psb_device_read(x, &r));
    ck_assert(psb_vect_is_sync(same));
    OK(psb_device_update(x, &w));
    ck_assert(psb_vect_is_dev(same));
    OK(psb_device_write(x, &w));
    psb_gefree(x);
    psb_spfree(a);
    psb_cdfree(d);
}

static psb_err twice(void *data, const struct X(vect) *x, struct X(vect) *y, char op)
{
    (void)data, (void)op;
    return psb_geaxpby(2, x, 0, y);
}

static psb_err half(void *data, const struct X(vect) *x, struct X(vect) *y, char op)
{
    (void)data, (void)op;
    return psb_geaxpby((T)1 / 2, x, 0, y);
}

/* A = 2 I of two rows, b = 1, by a matrix or without. */
TEST(solver_calls)
{
    const struct X(operator_calls) calls = { .apply = twice };
    const struct X(prec_calls) own = { .apply = half };
    const psb_lpk g[2] = { 0, 1 };
    const T two[2] = { 2, 2 };
    psb_desc *d = NULL;
    struct X(spmat) *a = NULL;
    struct X(vect) *b = NULL, *x = NULL;
    struct X(operator) *op = NULL, *free_op = NULL;
    struct X(prec) *m = NULL, *outer = NULL;
    struct X(solver) *s = NULL, *free_s = NULL;
    struct X(nullspace) *q = NULL;
    struct psb_solve_result res;
    double value[9], least, most;
    const T *v;
    int n;
    OK(psb_cdall_nl(&d, ctxt, 2));
    OK(psb_spall(&a, d, 2));
    OK(psb_spins(2, g, g, two, a));
    OK(psb_cdasb(d));
    OK(psb_spasb(a, &X(csr_mold).mat, PSB_DUPL_ADD));
    OK(psb_vects_like(a, &b, &x));
    OK(psb_set_vect(b, 2, ones));
    OK(psb_solver_new(&s, a, "cg, prec=none"));
    OK(psb_solver_solve(s, b, x, &res));
    OK(psb_solver_history(s, 0, &n, value));
    OK(psb_solver_extremes(s, 0, &least, &most));
    ck_assert(n == 2 && fabs(value[0] - 1) < 1e-5 && fabs(least - 2) < 1e-5 && fabs(most - 2) < 1e-5);
    OK(psb_solver_update(s));
    OK(psb_nullspace_new(&q, d, true, 0, NULL));
    OK(psb_solver_set_nullspace(s, q, NULL));
    psb_solver_free(s);
    psb_nullspace_free(q);
    OK(psb_operator_of(&op, a));
    OK(psb_operator_apply(op, b, x, 'N'));
    OK(psb_operator_new(&free_op, d, &calls, NULL));
    OK(psb_precinit_user(&m, &own, NULL));
    OK(psb_precbld_op(m, op, NULL, NULL));
    OK(psb_precupd_op(m, op));
    OK(psb_precinit(&outer, "neumann"));
    OK(psb_prec_set_inner(outer, m));
    OK(psb_precbld_op(outer, op, NULL, NULL));
    OK(psb_krylov_op(op, outer, b, x, NULL, &res));
    ck_assert(res.outcome == PSB_CONVERGED);
    OK(psb_solver_new_op(&free_s, free_op, m, "cg"));
    OK(psb_solver_solve(free_s, b, x, &res));
    OK(psb_host_read(x, &v));
    check_pair(v, (T)1 / 2, (T)1 / 2);
    psb_solver_free(free_s);
    psb_precfree(outer);
    psb_precfree(m);
    psb_operator_free(free_op);
    psb_operator_free(op);
    psb_gefree(x);
    psb_gefree(b);
    psb_spfree(a);
    psb_cdfree(d);
}

static Suite *front(void)
{
    Suite *s = suite_create("front");
    TCase *c = ck_tcase(s, "calls without a letter");
    ck_add_tests(c, matrix_properties, products_and_solves, sums_and_values, parts_and_pairs,
                 distributed_calls, solver_calls);
    return s;
}

int check_front(void)
{
    return run_suite(0, front);
}
