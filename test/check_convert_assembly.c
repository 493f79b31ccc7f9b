/* check_convert_assembly.c -- test: assembly of distributed matrices on the device compared with that
 * on the host. */
#include "psb_cuda.h"
#include "check_convert.h"

/* Assemble s on one process; return the error if it is refused. */
static psb_err assemble(const struct X(coo_mat) *s, int i, enum psb_dupl dupl, psb_epk from, psb_desc **desc,
                        struct X(spmat) **a)
{
    const psb_epk before = psb_cuda_convert_from(from);
    OK(psb_cdall_nl(desc, ctxt, s->mat.nrows));
    OK(X(spall)(a, *desc, 0));
    OK(insert_all(*a, s));
    OK(psb_cdasb(*desc));
    const psb_err e = X(spasb)(*a, device_mold(i), dupl);
    psb_cuda_convert_from(before);
    return e;
}

/* Assembled, scaled, refilled, and assembled again: values are transferred back only when read. */
TEST(distributed_matrix_on_device)
{
    COO *s = band_matrix(1000, 1000);
    DESC *desc = NULL;
    SPMAT *a = NULL;
    OK(assemble(s, _i, PSB_DUPL_OVERWRITE, ALWAYS, &desc, &a));
    const psb_epk before = psb_cuda_convert_from(ALWAYS);
    check_on_device_only(a->ad);
    psb_transfers_reset();
    OK(X(spscal)(3, a));
    ck_assert_int_eq(psb_transfers(NULL).puts + psb_transfers(NULL).gets, 0);
    OK(X(sprn)(a, 1));
    ck_assert_int_eq(psb_transfers(NULL).gets, psb_transfers("boundary rows").gets);
    for (psb_epk k = 0; k < s->mat.nnz; k++)
        s->val[k] *= 2;
    OK(insert_all(a, s));
    OK(X(spasb)(a, NULL, PSB_DUPL_OVERWRITE));
    check_on_device_only(a->ad);
    psb_cuda_convert_from(NEVER);
    OK(X(coo_fix)(s, PSB_DUPL_OVERWRITE));
    MAT *h = convert(&s->mat, device_mold(_i));
    check_same_arrays(h, a->ad);
    psb_cuda_convert_from(before);
}

/* Unsorted entries with duplicates: the result, or the error if duplicates are not allowed. */
TEST(assembly_on_device)
{
    static const enum psb_dupl dupls[] = { PSB_DUPL_ADD, PSB_DUPL_OVERWRITE, PSB_DUPL_ERROR };
    for (int k = ZOO - 1; k >= 0; k -= ck_step(ZOO)) {
        COO *s = conversion_sample(k);
        for (int d = 0; d < 3 && s->mat.nrows == s->mat.ncols; d++) {
            DESC *p = NULL, *q = NULL;
            SPMAT *a = NULL, *b = NULL;
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
        }
    }
}

/* If an allocation fails, the host assembles or the matrix is unchanged. */
TEST(assembly_allocation_fails)
{
    COO *s = band_matrix(300, 300);
    DESC *p = NULL;
    SPMAT *a = NULL;
    OK(assemble(s, _i, PSB_DUPL_ADD, NEVER, &p, &a));
    const psb_epk before = psb_cuda_convert_from(ALWAYS);
    for (int n = 1; n < 60; n += ck_step(60)) {
        SPMAT *b = NULL;
        OK(X(spall)(&b, p, 0));
        OK(insert_all(b, s));
        psb_alloc_fail_at(n);
        psb_err e = X(spasb)(b, device_mold(_i), PSB_DUPL_ADD);
        psb_alloc_fail_at(0);
        if (e != PSB_OK) {
            ck_assert_int_eq(e, PSB_ENOMEM);
            psb_clean_errstack();
            OK(X(spasb)(b, device_mold(_i), PSB_DUPL_ADD));
        }
        check_same_arrays(a->ad, b->ad);
    }
    psb_cuda_convert_from(before);
}

void add_assembly_on_device(TCase *t)
{
    ck_add_loop_tests(t, MOLDS, distributed_matrix_on_device);
    ck_add_loop_tests(t, CONVERTED, assembly_on_device, assembly_allocation_fails);
}
