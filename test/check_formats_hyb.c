/* check_formats_hyb.c -- test: HYB: partitions, storage, refusals. */
#include "check_formats.h"

/* Widths 0, some, all (1000), and the partitions AUTO (-1) and MAX (-2). */
TEST(hyb_partitions)
{
    const psb_ipk width[] = { 0, 1, 2, 3, 5, 1000, -1, -2 };
    struct X(hyb_mat) m = hyb_with(PSB_HYB_USER, width[_i]);
    if (width[_i] < 0)
        m.partition = width[_i] == -1 ? PSB_HYB_AUTO : PSB_HYB_MAX;
    for (int kind = 0; kind <= FULL; kind++) {
        COO *s = sample((enum sample_kind)kind, 25, 31);
        check_mold(&m.mat, s);
    }
}

/* The example matrix of docs/formats.md; its values a .. h are 1 .. 8. */
static struct X(coo_mat) *documented_matrix(void)
{
    const psb_ipk ia[] = { 0, 0, 2, 2, 2, 3, 3, 3 }, ja[] = { 0, 2, 1, 2, 3, 0, 3, 4 };
    const T val[] = { 1, 2, 3, 4, 5, 6, 7, 8 };
    struct X(coo_mat) *a = new_coo(4, 5);
    OK(X(coo_append)(a, 8, ia, ja, val));
    return a;
}

/* Width 2; PSB_HYB_AUTO chooses 2 too, since three of the four rows have at least 2 entries. */
TEST(hyb_layout)
{
    const psb_ipk irn[] = { 2, 0, 2, 2 }, ja[][2] = { { 0, 2 }, { 0, 0 }, { 1, 2 }, { 0, 3 } };
    const T val[][2] = { { 1, 2 }, { 0, 0 }, { 3, 4 }, { 6, 7 } };
    COO *s = documented_matrix();
    struct X(hyb_mat) m = hyb_with(_i ? PSB_HYB_AUTO : PSB_HYB_USER, 2);
    MAT *a = convert(&s->mat, &m.mat);
    struct X(hyb_mat) *h = (struct X(hyb_mat) *)a;
    const psb_ipk *got_irn, *got_ja, *ti, *tj;
    const T *got, *tv;
    OK(psb_dual_read(&h->ell.irn, PSB_HOST, &got_irn));
    OK(psb_dual_read(&h->ell.ja, PSB_HOST, &got_ja));
    OK(psb_dual_read(&h->ell.val, PSB_HOST, &got));
    OK(psb_dual_read(&h->ia, PSB_HOST, &ti));
    OK(psb_dual_read(&h->ja, PSB_HOST, &tj));
    OK(psb_dual_read(&h->val, PSB_HOST, &tv));
    ck_assert_int_eq(h->most, 2);
    ck_assert_int_eq(h->ell.nhacks, 1);
    ck_assert_int_eq(h->ell.mat.nnz, 6);
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 2; k++) {
            ck_assert_int_eq(got_irn[i], irn[i]);
            ck_assert_int_eq(got_ja[i + k * h->ell.rows], ja[i][k]);
            ck_assert(got[i + k * h->ell.rows] == val[i][k]);
        }
    ck_assert_uint_eq(h->val.bytes, 2 * sizeof(T));
    ck_assert(ti[0] == 2 && tj[0] == 3 && tv[0] == 5);
    ck_assert(ti[1] == 3 && tj[1] == 4 && tv[1] == 8);
    psb_epk ptr[3];
    OK(X(mat_get_ptr)(a, 2, 4, ptr));
    ck_assert(ptr[0] == 0 && ptr[1] == 3 && ptr[2] == 6);
    struct psb_dual *list[PSB_MOST_ARRAYS];
    ck_assert_int_eq(m.mat.ops->storage.arrays(a, list), 7);
    ck_assert_ptr_eq(list[6], &h->val);
}

/* PSB_HYB_AUTO: the width is reached by a third of the rows of a large matrix, 4096 rows of a smaller one,
 * two thirds of the rows of a small one. */
TEST(hyb_width)
{
    const struct {
        psb_ipk m, n, more, most;
    } want[] = {
        { 20000, 6667, 3, 3 }, { 20000, 6666, 3, 1 }, { 9000, 4096, 40, 40 }, { 9000, 4095, 40, 1 },
        { 30, 20, 9, 9 },      { 30, 19, 9, 1 },      { 1, 1, 7, 7 },         { 2, 1, 7, 1 },
        { 3, 2, 7, 7 },        { 0, 0, 7, 0 },
    };
    for (int k = 0; k < (int)(sizeof want / sizeof *want); k++) {
        COO *s = matrix_with_long_rows(want[k].m, want[k].n, want[k].more);
        MAT *a = convert(&s->mat, &X(hyb_mold).mat);
        ck_assert_int_eq(((struct X(hyb_mat) *)a)->most, want[k].most);
    }
}

TEST(hyb_refusals)
{
    COO *s = sample(DENSE_ROW, 700, 700), *wide = matrix_with_long_rows(1 << 17, 1, 1 << 17);
    struct X(hyb_mat) m = hyb_with(PSB_HYB_MAX, 0);
    X(mat_free)(convert(&s->mat, &m.mat));
    m.limit = 8;
    REFUSES(&s->mat, &m.mat, PSB_EPADDING, "HYB: 700 entries of every row in ELL and 0 in");
    REFUSES(&wide->mat, &m.mat, PSB_EPADDING, "HYB: 131072 entries of every row in ELL");
    m.partition = PSB_HYB_USER;
    m.width = 600;
    REFUSES(&s->mat, &m.mat, PSB_EPADDING, "HYB: 600 entries of every row in ELL and 100 in");
    m.width = -1;
    REFUSES(&s->mat, &m.mat, PSB_EARG, "the mold's width is -1; expected >= 0");
    m.partition = (enum psb_hyb)3;
    REFUSES(&s->mat, &m.mat, PSB_EARG, "the mold's partition is 3; expected PSB_HYB_AUTO");
    m = X(hyb_mold);
    m.limit = -2;
    REFUSES(&s->mat, &m.mat, PSB_EARG, "the mold's limit is -2; expected >= 0");
    m.limit = NAN;
    REFUSES(&s->mat, &m.mat, PSB_EARG, "the mold's limit is nan");
}

void formats_hyb_tests(Suite *s)
{
    TCase *c = ck_tcase(s, "hyb");
    ck_add_loop_tests(c, 8, hyb_partitions);
    ck_add_loop_tests(c, 2, hyb_layout);
    ck_add_tests(c, hyb_width, hyb_refusals);
}
