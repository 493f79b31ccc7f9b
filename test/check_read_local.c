/* check_read_local.c -- test: files that one process writes and reads. */
#include <stdio.h>
#include <unistd.h>
#include "psb_util.h"
#include "check_read.h"

TEST(triplets_of_one_process)
{
    R third = (R)1 / 3, tiny = (R)(sizeof(R) == sizeof(float) ? 1e-45 : 5e-324);
    psb_lpk ia[] = { 2, 0, 1, 1 }, ja[] = { 0, 3, 1, 1 };
    T val[] = { MAKE(third, -third), MAKE(-0.0, tiny), MAKE(TMAX, 2), MAKE(INFINITY, -INFINITY) };
    T whole[] = { 3, -4, 0, 5 };
    struct X(triplets) t = { .m = 3, .n = 4, .nnz = 4, .ia = ia, .ja = ja, .val = val }, u;
    char mine[2 * NAME];
    snprintf(mine, sizeof mine, "%s-%d", input_path, me); /* a different file on each process */
    GOOD(X(mm_write)(mine, &t, CPLX ? PSB_MM_COMPLEX : PSB_MM_REAL, "a title"));
    for (int field = PSB_MM_REAL; field <= PSB_MM_PATTERN; field++) {
        int as_complex = field == PSB_MM_COMPLEX && !CPLX;
        if (field == PSB_MM_INTEGER)
            t.val = whole;
        if (field == PSB_MM_REAL && CPLX)
            BAD(X(mm_write)(mine, &t, PSB_MM_REAL, NULL), PSB_EARG, "entry 0");
        GOOD(X(mm_write)(mine, &t, field == PSB_MM_REAL && CPLX ? PSB_MM_COMPLEX : (enum psb_mm_field)field,
                         NULL));
        if (as_complex) {
            BAD(X(mm_read)(mine, NULL, NULL, &u), PSB_EARG, "complex");
            continue;
        }
        GOOD(X(mm_read)(mine, NULL, NULL, &u));
        EXPECT(u.m == 3 && u.n == 4 && u.nnz == 4);
        for (int k = 0; k < 4; k++)
            EXPECT(u.ia[k] == ia[k] && u.ja[k] == ja[k] &&
                   same_value(u.val[k], field == PSB_MM_PATTERN ? (T)1 : t.val[k]));
        X(triplets_free)(&u);
    }
    t.val = val;
    BAD(X(mm_write)(mine, &t, PSB_MM_INTEGER, NULL), PSB_EARG, "entry 0");
    BAD(X(mm_write)(NULL, &t, PSB_MM_PATTERN, NULL), PSB_EARG, "path is NULL");
    BAD(X(mm_write)(mine, NULL, PSB_MM_PATTERN, NULL), PSB_EARG, "t is NULL");
    BAD(X(mm_write)(mine, &t, (enum psb_mm_field)7, NULL), PSB_EARG, "field is 7");
    BAD(X(mm_write)("no/such.mtx", &t, PSB_MM_PATTERN, NULL), PSB_EIO, "no/such.mtx");
    t.m = 2;
    BAD(X(mm_write)(mine, &t, PSB_MM_PATTERN, NULL), PSB_EARG, "entry 0 is at (2, 0)");
    t.n = -1;
    BAD(X(mm_write)(mine, &t, PSB_MM_PATTERN, NULL), PSB_EARG,
        "argument t->n is -1; expected a number of columns >= 0");
    unlink(mine);
}

/* The implied ones are written. */
static void check_unit_triangle(const char *path)
{
    const psb_ipk i = 1, j = 0;
    const T v = 2;
    MAT *a = NULL;
    PSB_HEAP T *got = NULL;
    psb_lpk m, n;
    GOOD(X(mat_all)(2, 2, 1, &a));
    GOOD(X(mat_csput)(a, 1, &i, &j, &v, PSB_DUPL_ADD));
    GOOD(X(mat_asb)(a, PSB_DUPL_ADD));
    GOOD(X(mat_set_triangle)(a, 1));
    GOOD(X(mat_set_lower)(a, 1));
    GOOD(X(mat_set_unit)(a, 1));
    GOOD(X(mm_mat_write)(path, a, PSB_MM_GENERAL, NULL));
    GOOD(X(mm_read_array)(path, &m, &n, &got));
    EXPECT(got && got[0] == 1 && got[1] == 2 && got[2] == 0 && got[3] == 1);
}

TEST(local_matrices)
{
    char mine[2 * NAME];
    snprintf(mine, sizeof mine, "%s-%d", input_path, me);
    struct X(coo_mat) *s = sample(SPREAD, 9, 7);
    T *got = NULL, want[63] = { 0 };
    psb_lpk m, n;
    for (psb_epk k = 0; k < s->mat.nnz; k++)
        want[s->ia[k] + 9 * s->ja[k]] += s->val[k];
    for (int f = 0; X(mat_format)(f); f++) {
        MAT *a = NULL;
        GOOD(X(mat_convert)(&s->mat, X(mat_format)(f), &a));
        GOOD(X(mm_mat_write)(mine, a, PSB_MM_GENERAL, NULL));
        GOOD(X(mm_read_array)(mine, &m, &n, &got));
        EXPECT(m == 9 && n == 7);
        for (int k = 0; k < 63 && got; k++)
            EXPECT(same_value(got[k], want[k]));
        psb_free(got);
    }
    check_unit_triangle(mine);
    BAD(X(mm_mat_write)(mine, &s->mat, PSB_MM_SKEW, NULL), PSB_EARG,
        "argument a is 9 by 7; expected a square");
    BAD(X(mm_mat_write)(NULL, &s->mat, PSB_MM_GENERAL, NULL), PSB_EARG, "path is NULL");
    BAD(X(mm_mat_write)(mine, NULL, PSB_MM_GENERAL, NULL), PSB_EARG, "a is NULL");
    BAD(X(mm_mat_write)("no/such.mtx", &s->mat, PSB_MM_GENERAL, NULL), PSB_EIO, "no/such.mtx");
    X(mat_free)(&s->mat);
    unlink(mine);
}

/* a + its transpose; minus it; plus its conjugate transpose. */
static struct X(mat) *with_symmetry(struct X(mat) *a, enum psb_mm_symmetry symmetry)
{
    struct X(mat) *t = NULL, *sum = NULL;
    GOOD(symmetry == PSB_MM_HERMITIAN ? X(mat_transc)(a, &t) : X(mat_transp)(a, &t));
    GOOD(X(mat_spaxpby)(1, a, symmetry == PSB_MM_SKEW ? -1 : 1, t, X(mat_by_name)("csrs"), &sum));
    X(mat_free)(t);
    return sum;
}

TEST(half_of_a_local_matrix)
{
    char mine[2 * NAME];
    snprintf(mine, sizeof mine, "%s-%d", input_path, me);
    struct X(coo_mat) *s = sample(SPREAD, 9, 9);
    for (int symmetry = PSB_MM_SYMMETRIC; symmetry <= (CPLX ? PSB_MM_HERMITIAN : PSB_MM_SKEW); symmetry++) {
        MAT *a = with_symmetry(&s->mat, (enum psb_mm_symmetry)symmetry);
        struct psb_mm_header info = { 0 };
        PSB_HEAP T *want = NULL, *got = NULL;
        psb_lpk m, n;
        GOOD(X(mm_mat_write)(mine, a, PSB_MM_GENERAL, NULL));
        GOOD(X(mm_read_array)(mine, &m, &n, &want));
        GOOD(X(mm_mat_write)(mine, a, (enum psb_mm_symmetry)symmetry, "half"));
        GOOD(X(mm_read_array)(mine, &m, &n, &got));
        GOOD(psb_mm_info(mine, &info));
        EXPECT((int)info.symmetry == symmetry && info.stored < a->nnz);
        for (int k = 0; k < 81; k++)
            EXPECT(same_value(want[k], got[k]));
        BAD(X(mm_mat_write)(mine, a, symmetry == PSB_MM_SKEW ? PSB_MM_SYMMETRIC : PSB_MM_SKEW, NULL),
            PSB_EARG, "argument a is not ");
    }
    X(mat_free)(&s->mat);
    unlink(mine);
}

void add_files_of_one_process(TCase *c)
{
    ck_add_tests(c, triplets_of_one_process, local_matrices, half_of_a_local_matrix);
}
