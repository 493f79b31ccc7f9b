/* check_convert_assembly.c -- test: assembly of distributed matrices on the device compared with that
 * on the host. */
#include <stdlib.h>
#include "psb_cuda.h"
#include "check_convert.h"

/* The band s as a distributed matrix on one process. */
static struct X(spmat) *distributed_band(const struct X(coo_mat) *s, psb_desc **desc, psb_lpk *ia,
                                         psb_lpk *ja, int i)
{
    struct X(spmat) *a;
    OK(psb_cdall_nl(desc, ctxt, s->mat.nrows));
    for (psb_epk k = 0; k < s->mat.nnz; k++) {
        ia[k] = s->ia[k];
        ja[k] = s->ja[k];
    }
    OK(X(spall)(&a, *desc, s->mat.nnz));
    OK(X(spins)(s->mat.nnz, ia, ja, s->val, a));
    OK(psb_cdasb(*desc));
    OK(X(spasb)(a, device_mold(i), PSB_DUPL_OVERWRITE));
    return a;
}

/* Assembled, scaled, refilled, and assembled again: values are transferred back only when read. */
TEST(distributed_matrix_on_device)
{
    struct X(coo_mat) *s = band_matrix(1000, 1000);
    const size_t n = (size_t)s->mat.nnz;
    psb_lpk *ia = malloc(n * sizeof *ia), *ja = malloc(n * sizeof *ja);
    T *twice = malloc(n * sizeof *twice);
    psb_desc *desc;
    struct X(mat) *h = NULL;
    const psb_epk before = psb_cuda_convert_from(ALWAYS);
    for (size_t k = 0; k < n; k++)
        twice[k] = 2 * s->val[k];
    struct X(spmat) *a = distributed_band(s, &desc, ia, ja, _i);
    check_on_device_only(a->ad);
    psb_transfers_reset();
    OK(X(spscal)(3, a));
    ck_assert_int_eq(psb_transfers(NULL).puts + psb_transfers(NULL).gets, 0);
    OK(X(sprn)(a, 1));
    ck_assert_int_eq(psb_transfers(NULL).gets, psb_transfers("boundary rows").gets);
    OK(X(spins)((psb_epk)n, ia, ja, twice, a));
    OK(X(spasb)(a, NULL, PSB_DUPL_OVERWRITE));
    check_on_device_only(a->ad);
    psb_cuda_convert_from(NEVER);
    for (size_t k = 0; k < n; k++)
        s->val[k] = twice[k];
    OK(X(coo_fix)(s, PSB_DUPL_OVERWRITE));
    OK(X(mat_convert)(&s->mat, device_mold(_i), &h));
    check_same_arrays(h, a->ad);
    psb_cuda_convert_from(before);
    X(mat_free)(h);
    X(spfree)(a);
    psb_cdfree(desc);
    X(mat_free)(&s->mat);
    free(ia);
    free(ja);
    free(twice);
}

/* Assemble s on one process; return the error if it is refused. */
static psb_err assemble(const struct X(coo_mat) *s, int i, enum psb_dupl dupl, psb_epk from, psb_desc **desc,
                        struct X(spmat) **a)
{
    const size_t n = (size_t)s->mat.nnz;
    psb_lpk *ia = malloc((n + 1) * sizeof *ia), *ja = malloc((n + 1) * sizeof *ja);
    const psb_epk before = psb_cuda_convert_from(from);
    for (size_t k = 0; k < n; k++) {
        ia[k] = s->ia[k];
        ja[k] = s->ja[k];
    }
    OK(psb_cdall_nl(desc, ctxt, s->mat.nrows));
    OK(X(spall)(a, *desc, 0));
    OK(X(spins)(s->mat.nnz, ia, ja, s->val, *a));
    OK(psb_cdasb(*desc));
    psb_err e = X(spasb)(*a, device_mold(i), dupl);
    psb_cuda_convert_from(before);
    free(ia);
    free(ja);
    return e;
}

/* Unsorted entries with duplicates: the result, or the error if duplicates are not allowed. */
TEST(assembly_on_device)
{
    static const enum psb_dupl dupls[] = { PSB_DUPL_ADD, PSB_DUPL_OVERWRITE, PSB_DUPL_ERROR };
    for (int k = ZOO - 1; k >= 0; k -= ck_step(ZOO)) {
        struct X(coo_mat) *s = conversion_sample(k);
        for (int d = 0; d < 3 && s->mat.nrows == s->mat.ncols; d++) {
            psb_desc *p, *q;
            struct X(spmat) *a, *b;
            psb_err e = assemble(s, _i, dupls[d], NEVER, &p, &a);
            char why[400];
            if (e != PSB_OK)
                (void)psb_pop_errmsg(why, sizeof why);
            psb_transfers_reset();
            psb_err f = assemble(s, _i, dupls[d], ALWAYS, &q, &b);
            ck_assert_int_eq(e, f);
            ck_assert_int_eq(psb_transfers("COO rows").puts, s->mat.nnz > 0);
            if (e == PSB_OK)
                ck_assert_int_eq(psb_transfers("CSR values").puts, 0);
            if (e == PSB_OK) {
                check_on_device_only(b->ad);
                check_same_arrays(a->ad, b->ad);
                check_same_arrays(a->ah, b->ah);
                ck_assert_int_eq(a->ad->nnz, b->ad->nnz);
            } else {
                ck_assert_str_eq(why, psb_errmsg());
                psb_clean_errstack();
            }
            X(spfree)(a);
            X(spfree)(b);
            psb_cdfree(p);
            psb_cdfree(q);
        }
        X(mat_free)(&s->mat);
    }
}

/* If an allocation fails, the host assembles or the matrix is unchanged. */
TEST(assembly_allocation_fails)
{
    struct X(coo_mat) *s = band_matrix(300, 300);
    psb_desc *p, *q;
    struct X(spmat) *a, *b;
    OK(assemble(s, _i, PSB_DUPL_ADD, NEVER, &p, &a));
    OK(assemble(s, _i, PSB_DUPL_ADD, ALWAYS, &q, &b));
    X(spfree)(b);
    const psb_epk before = psb_cuda_convert_from(ALWAYS);
    for (int n = 1; n < 60; n += ck_step(60)) {
        OK(X(spall)(&b, q, 0));
        for (psb_epk k = 0; k < s->mat.nnz; k++) {
            const psb_lpk i = s->ia[k], j = s->ja[k];
            OK(X(spins)(1, &i, &j, &s->val[k], b));
        }
        psb_alloc_fail_at(n);
        psb_err e = X(spasb)(b, device_mold(_i), PSB_DUPL_ADD);
        psb_alloc_fail_at(0);
        if (e != PSB_OK) {
            ck_assert_int_eq(e, PSB_ENOMEM);
            psb_clean_errstack();
            OK(X(spasb)(b, device_mold(_i), PSB_DUPL_ADD));
        }
        check_same_arrays(a->ad, b->ad);
        X(spfree)(b);
    }
    psb_cuda_convert_from(before);
    X(spfree)(a);
    psb_cdfree(p);
    psb_cdfree(q);
    X(mat_free)(&s->mat);
}

void add_assembly_on_device(TCase *t)
{
    ck_add_loop_tests(t, MOLDS, distributed_matrix_on_device, assembly_on_device, assembly_allocation_fails);
}
