/* check_sp_errors.c -- test: failures and refused arguments of the calls for distributed matrices. */
#include "check_sp.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "minimal_format.h"

enum { SMALL = 13 };

/* The arguments of the calls below and their results. */
struct fixture {
    struct distributed w;
    struct X(spmat) *b; /* on the descriptors of w.a, another pattern */
    struct X(spmat) *c, *c2;
    struct X(mat) *m;
    psb_lpk *more;
    psb_ipk *idx;
    FILE *f;
    psb_epk nz;
    psb_ipk n;
    int equal;
    R r;
};

static struct fixture fixture(const struct X(mat) *mold)
{
    T x[MOST];
    struct fixture s = {
        .w = distribute(SPREAD, SMALL, SMALL, UNEVEN, UNEVEN), .nz = -1, .n = -1, .equal = -1, .r = -1
    };
    struct X(coo_mat) *t = sample(DIAGONAL, SMALL, SMALL);
    s.b = matrix_on(s.w.row, s.w.col, t);
    X(mat_free)(&t->mat);
    if (mold) {
        GOOD(psb_spasb(s.w.a, mold, PSB_DUPL_ADD));
        GOOD(psb_spasb(s.b, mold, PSB_DUPL_ADD));
    }
    random_vector(MOST, x, 7);
    s.w.x = make_vector(s.w.col, x, &psb_vect_cuda);
    s.w.y = make_vector(s.w.row, x, &psb_vect_cuda);
    if (me == 0)
        s.f = fopen("/dev/null", "w");
    return s;
}

static void forget_results(struct fixture *s)
{
    psb_spfree(s->c);
    psb_spfree(s->c2);
    X(mat_free)(s->m);
    psb_free(s->more);
    psb_free(s->idx);
    s->c = s->c2 = NULL;
    s->m = NULL;
    s->more = NULL;
    s->idx = NULL;
    s->nz = s->n = s->equal = -1;
    s->r = -1;
}

static int has_results(const struct fixture *s)
{
    return s->c || s->c2 || s->m || s->more || s->nz != -1 || s->n != -1 || s->equal != -1 || s->r != -1;
}

#define FIXTURE OWNER(fixture_free) struct fixture

static void fixture_free(struct fixture *s)
{
    forget_results(s);
    psb_spfree(s->b);
    distributed_free(&s->w);
    if (s->f)
        fclose(s->f);
}

/* The calls under test. */
enum { NNZ, MAXVAL, CMPVAL, SCAL, CLEAN_ZEROS, SCALPID, PRINT, CALLS = 23 };

/* Call number i; `wrong`: with an invalid argument. */
static psb_err make_call(int i, struct fixture *s, int wrong)
{
    switch (i) {
    case NNZ:
        return psb_nnz(s->w.a, wrong ? NULL : &s->nz);
    case MAXVAL:
        return psb_sp_maxval(s->w.a, wrong ? NULL : &s->r);
    case CMPVAL:
        return psb_sp_cmpval(s->w.a, 1, wrong ? -1 : 1, &s->equal);
    case SCAL:
        return psb_spscal(2, wrong ? s->c : s->w.a);
    case CLEAN_ZEROS:
        return psb_sp_clean_zeros(wrong ? s->c : s->w.a);
    case SCALPID:
        return psb_sp_scalpid(2, wrong ? s->c : s->w.a);
    case PRINT:
        return psb_sp_print(s->w.a, wrong ? NULL : s->f, "header");
    case 7:
        return psb_spnrmi(s->w.a, wrong ? NULL : &s->r);
    case 8:
        return psb_spnrm1(s->w.a, wrong ? NULL : &s->r);
    case 9:
        return psb_sp_colsum(s->w.a, wrong ? NULL : s->w.x);
    case 10:
        return psb_sp_aclsum(s->w.a, wrong ? NULL : s->w.x);
    case 11:
        return psb_spscalv(s->w.y, s->w.a, wrong ? 'l' : 'L');
    case 12:
        return psb_spscalv(wrong ? NULL : s->w.x, s->w.a, 'R');
    case 13:
        return psb_sp_csclip(s->w.a, wrong ? 9 : 2, 8, 0, SMALL, &s->c);
    case 14:
        return psb_sp_clip_diag(s->w.a, wrong ? NULL : &s->c);
    case 15:
        return psb_sphalo(s->w.col, s->w.a, &X(csc_mold).mat, wrong ? NULL : &s->m, &s->more, &s->n);
    case 16:
        return psb_spspmm(s->w.a, s->b, s->w.a->ad, wrong ? NULL : &s->c);
    case 17:
        return psb_spaxpby(2, wrong ? NULL : s->b, 3, s->w.a);
    case 18:
        return psb_sp_cmp(s->w.a, s->b, wrong ? -1 : 1, &s->equal);
    case 19:
        return psb_sp_tril(s->w.a, 0, wrong ? NULL : &s->c, &s->c2);
    case 20:
        return psb_sp_transp(s->w.a, wrong ? NULL : &s->c);
    case 21:
        return psb_spgather(s->w.a, &X(csr_mold).mat, &s->m, wrong ? np : np - 1);
    default:
        return psb_spgather(s->w.a, NULL, wrong ? NULL : &s->m, -1);
    }
}

/* The matrix and the vectors are unchanged, and there is no result. */
static void check_intact(struct fixture *s)
{
    T x[MOST];
    struct want want[MOST];
    HEAP struct reference *d = reference_of(s->w.s);
    random_vector(MOST, x, 7);
    for (int i = 0; i < MOST; i++)
        want[i] = (struct want){ x[i], 0 };
    check_matrix(s->w.a, d, 0, "after an error");
    check_products(s->w.a, d, 0);
    check_vector(s->w.x, want, "after an error");
    check_vector(s->w.y, want, "after an error");
    EXPECT(!has_results(s));
}

/* Allocation n of the last process fails in call i: the call fails on all processes and succeeds when
 * repeated. Return whether it failed. */
static int allocation_fails(int i, const struct X(mat) *mold, int n)
{
    FIXTURE s = fixture(mold);
    psb_alloc_fail_at(me == np - 1 ? n : 0);
    psb_err e = make_call(i, &s, 0);
    psb_alloc_fail_at(0);
    int failed = collective_count(e != PSB_OK);
    EXPECT(failed == 0 || failed == np);
    EXPECT(e == PSB_OK || e == PSB_ENOMEM || e == PSB_EMPI);
    if (failed) {
        check_intact(&s);
        GOOD(make_call(i, &s, 0));
    }
    return failed > 0;
}

TEST(allocation_fails_on_one_process)
{
    const struct X(mat) *molds[] = { &X(csr_mold).mat, &X(elg_mold).mat, &minimal_mold.mat };
    int n = 1;
    int call = np > 4 ? _i : _i / 3; /* one mold a call: many processes are slow */
    while (allocation_fails(call, molds[_i % 3], n) && n < 400)
        n++;
    EXPECT(n < 400);
    EXPECT(n > 1 || call == NNZ || call == MAXVAL || call == CMPVAL);
}

/* An argument is wrong on the last process only, then on all processes. */
TEST(wrong_argument_on_one_process)
{
    int alone = _i != SCAL && _i != CLEAN_ZEROS && _i != SCALPID;
    FIXTURE s = fixture(&X(csr_mold).mat);
    for (int who = alone ? np - 1 : -1; who >= -1; who -= np)
        if (_i != PRINT || who < 1) {
            int wrong = who < 0 || me == who;
            psb_err e = make_call(_i, &s, _i == PRINT ? me == 0 : wrong);
            EXPECT(e == PSB_EARG);
            check_intact(&s);
        }
    GOOD(make_call(_i, &s, 0));
}

TEST(matrices_must_be_assembled)
{
    FIXTURE s = fixture(NULL);
    BAD(make_call(_i, &s, 0), PSB_ESTATE, " is not assembled; expected psb_spasb before");
    GOOD(psb_spasb(s.w.a, &X(csr_mold).mat, PSB_DUPL_ADD));
    GOOD(psb_spasb(s.b, &X(csr_mold).mat, PSB_DUPL_ADD));
    check_intact(&s);
    GOOD(make_call(_i, &s, 0));
}

/* Local calls: the error is returned on this process only. */
static psb_err local_call(int i, struct fixture *s)
{
    psb_lpk ia[MOST], ja[MOST];
    T val[MOST];
    switch (i) {
    case 0:
        return psb_sp_get_diag(s->w.a, s->w.y);
    case 1:
        return psb_sp_rowsum(s->w.a, s->w.y);
    case 2:
        return psb_sp_arwsum(s->w.a, s->w.y);
    case 3:
        return psb_sp_clone(s->w.a, &s->c);
    case 4:
        return psb_cd_local_rows(s->w.row) ? psb_sp_get_neigh(s->w.a, 0, 2, &s->idx, &s->n) : PSB_OK;
    default:
        return psb_cd_local_rows(s->w.row) ? psb_sp_csget(s->w.a, 0, MOST, ia, ja, val, &s->nz) : PSB_OK;
    }
}

TEST(allocation_fails_in_a_local_call)
{
    for (int k = 0; k < 2; k++)
        for (int n = 1, failed = 1; failed && n < 100; n++) {
            FIXTURE s = fixture(k ? &X(elg_mold).mat : &minimal_mold.mat);
            psb_alloc_fail_at(n);
            psb_err e = local_call(_i, &s);
            psb_alloc_fail_at(0);
            EXPECT(e == PSB_OK || e == PSB_ENOMEM);
            failed = collective_count(e != PSB_OK);
            if (e == PSB_ENOMEM)
                EXPECT(!has_results(&s));
            if (failed == np)
                check_intact(&s);
            GOOD(e == PSB_OK ? PSB_OK : local_call(_i, &s));
            EXPECT(n < 99);
        }
}

/* --- messages --- */

/* Calls of one kind, all with a matrix that is NULL. */
#define LENGTH(array) (int)(sizeof array / sizeof *array)
static psb_err (*const into_number[])(const struct X(spmat) *, R *) = { X(spnrmi), X(spnrm1), X(sp_maxval) };
static psb_err (*const into_vector[])(const struct X(spmat) *, struct X(vect) *) = {
    X(sp_get_diag), X(sp_rowsum), X(sp_arwsum), X(sp_colsum), X(sp_aclsum),
};
static psb_err (*const into_matrix[])(const struct X(spmat) *,
                                      struct X(spmat) **) = { X(sp_clone), X(sp_transp), X(sp_transc),
                                                              X(sp_clip_diag) };
static psb_err (*const in_place[])(struct X(spmat) *) = { X(sp_clean_zeros), X(sp_trim) };
static psb_err (*const by_factor[])(T, struct X(spmat) *) = { X(spscal), X(sp_scalpid) };
static psb_err (*const set_flag[])(struct X(spmat) *, int) = {
    X(sp_set_triangle), X(sp_set_upper), X(sp_set_lower), X(sp_set_unit), X(sp_set_symmetric),
};
static int (*const flag[])(const struct X(spmat) *) = {
    X(sp_is_triangle), X(sp_is_upper), X(sp_is_lower), X(sp_is_unit), X(sp_is_symmetric),
};

TEST(null_matrix)
{
    static const char a_is_null[] = "argument a is NULL";
    FIXTURE s = fixture(&X(csr_mold).mat);
    struct X(spmat) *none = NULL;
    for (int i = 0; i < LENGTH(into_number); i++)
        BAD(into_number[i](none, &s.r), PSB_EARG, a_is_null);
    for (int i = 0; i < LENGTH(into_vector); i++)
        BAD(into_vector[i](none, i < 3 ? s.w.y : s.w.x), PSB_EARG, a_is_null);
    for (int i = 0; i < LENGTH(into_matrix); i++)
        BAD(into_matrix[i](none, &s.c), PSB_EARG, a_is_null);
    for (int i = 0; i < 2; i++) {
        BAD(in_place[i](none), PSB_EARG, a_is_null);
        BAD(by_factor[i](2, none), PSB_EARG, a_is_null);
    }
    for (int i = 0; i < LENGTH(flag); i++) {
        BAD(set_flag[i](none, 1), PSB_EARG, a_is_null);
        EXPECT(!flag[i](none));
    }
    BAD(psb_nnz(none, &s.nz), PSB_EARG, a_is_null);
    BAD(psb_spscalv(s.w.y, none, 'L'), PSB_EARG, a_is_null);
    BAD(psb_sphalo(s.w.col, none, NULL, &s.m, &s.more, &s.n), PSB_EARG, "argument b is NULL");
    BAD(psb_sphalo(NULL, s.b, NULL, &s.m, &s.more, &s.n), PSB_EARG, "argument desc is NULL");
    BAD(psb_sphalo(NULL, none, NULL, &s.m, &s.more, &s.n), PSB_EARG, "argument desc is NULL");
    BAD(psb_spspmm(none, s.b, NULL, &s.c), PSB_EARG, a_is_null);
    BAD(psb_spspmm(s.b, none, NULL, &s.c), PSB_EARG, "argument b is NULL");
    BAD(psb_spspmm(none, none, NULL, &s.c), PSB_EARG, a_is_null);
    BAD(psb_spaxpby(1, none, 1, s.b), PSB_EARG, a_is_null);
    BAD(psb_spaxpby(1, s.b, 1, none), PSB_EARG, "argument b is NULL");
    BAD(psb_sp_cmp(none, s.b, 1, &s.equal), PSB_EARG, a_is_null);
    BAD(psb_sp_cmp(s.b, none, 1, &s.equal), PSB_EARG, "argument b is NULL");
    BAD(psb_sp_cmp(none, none, 1, &s.equal), PSB_EARG, a_is_null);
    BAD(psb_sp_tril(none, 0, &s.c, NULL), PSB_EARG, a_is_null);
    BAD(psb_sp_triu(none, 0, &s.c, NULL), PSB_EARG, a_is_null);
    BAD(psb_sp_csget(none, 0, 0, NULL, NULL, NULL, &s.nz), PSB_EARG, a_is_null);
    BAD(psb_spgather(none, NULL, &s.m, 0), PSB_EARG, a_is_null);
    BAD(psb_sp_print(none, stdout, NULL), PSB_EARG, a_is_null);
    BAD(psb_spsm(1, none, s.w.x, 0, s.w.y, 'N', 'U', NULL), PSB_EARG, "argument t is NULL");
    BAD(psb_sp_cmpval(none, 1, 1, &s.equal), PSB_EARG, a_is_null);
    BAD(psb_sp_csclip(none, 0, 1, 0, 1, &s.c), PSB_EARG, a_is_null);
    BAD(psb_sp_csput(0, NULL, NULL, NULL, none, PSB_DUPL_ADD), PSB_EARG, a_is_null);
    BAD(psb_sp_get_nz_row(none, 0, &s.nz), PSB_EARG, a_is_null);
    BAD(psb_sp_get_neigh(none, 0, 1, &s.idx, &s.n), PSB_EARG, a_is_null);
    BAD(psb_sp_local(none, NULL, NULL, NULL), PSB_EARG, a_is_null);
    BAD(psb_sp_sync(none), PSB_EARG, a_is_null);
    check_intact(&s);
}

/* Vectors: NULL, on another descriptor, with two columns, not assembled. */
TEST(wrong_vectors)
{
    FIXTURE s = fixture(&X(csr_mold).mat);
    DESC *other = NULL;
    GOOD(psb_cdall_like(&other, s.w.row));
    GOOD(psb_cdasb(other));
    struct X(vect) *bad[4] = { NULL, make_vector(other, zeros, &psb_vect_host), NULL, NULL };
    GOOD(psb_geall_n(&bad[2], s.w.row, 2));
    GOOD(psb_geasb(bad[2], NULL));
    GOOD(psb_geall(&bad[3], s.w.row));
    for (int i = 0; i < 4; i++) {
        static const char *const text[] = { "argument d is NULL", "argument d lies on another descriptor",
                                            "argument d has 2 columns", "argument d is not assembled" };
        psb_err code = i == 3 ? PSB_ESTATE : PSB_EARG;
        for (int k = 0; k < LENGTH(into_vector); k++)
            BAD(into_vector[k](s.w.a, bad[i]), code, text[i]);
        BAD(psb_spscalv(bad[i], s.w.a, 'L'), code, text[i]);
        BAD(psb_spscalv(bad[i], s.w.a, 'R'), code, text[i]);
    }
    GOOD(psb_halo_start(s.w.x, 'N'));
    BAD(psb_sp_colsum(s.w.a, s.w.x), PSB_ESTATE, "");
    GOOD(psb_halo_end(s.w.x));
    check_intact(&s);
    for (int i = 0; i < 4; i++)
        psb_gefree(bad[i]);
}

TEST(wrong_arguments)
{
    FIXTURE s = fixture(&X(csr_mold).mat);
    DISTRIBUTED w = distribute(SPREAD, SMALL + 1, SMALL, EVEN, LAST_EMPTY);
    DESC *build = NULL;
    char text[64];
    GOOD(psb_spasb(w.a, &X(csr_mold).mat, PSB_DUPL_ADD));
    GOOD(psb_cdall_like(&build, s.w.row));
    BAD(psb_nnz(s.b, NULL), PSB_EARG, "argument nz is NULL");
    BAD(psb_spnrmi(s.b, NULL), PSB_EARG, "argument res is NULL");
    BAD(psb_spnrm1(s.b, NULL), PSB_EARG, "argument res is NULL");
    BAD(psb_sp_maxval(s.b, NULL), PSB_EARG, "argument res is NULL");
    BAD(psb_sp_get_diag(w.a, NULL), PSB_EARG, "argument d is NULL");
    struct X(vect) *v = make_vector(w.row, zeros, &psb_vect_host);
    psb_err e = psb_sp_get_diag(w.a, v); /* the global sizes differ: an error on every process */
    EXPECT(e == PSB_EARG && strstr(psb_errmsg(), "columns distributed in another way"));
    psb_gefree(v);
    BAD(psb_spscalv(s.w.y, s.w.a, 'X'), PSB_EARG, "argument side is 'X'");
    BAD(psb_sphalo(build, s.b, NULL, &s.m, &s.more, &s.n), PSB_ESTATE, "argument desc is not assembled");
    BAD(psb_sphalo(w.row, s.b, NULL, &s.m, &s.more, &s.n), PSB_EARG, "distributed in another way");
    BAD(psb_sphalo(s.w.col, s.b, NULL, NULL, &s.more, &s.n), PSB_EARG, "argument blk is NULL");
    BAD(psb_sphalo(s.w.col, s.b, NULL, &s.m, NULL, &s.n), PSB_EARG, "argument more is NULL");
    BAD(psb_sphalo(s.w.col, s.b, NULL, &s.m, &s.more, NULL), PSB_EARG, "argument n is NULL");
    snprintf(text, sizeof text, "argument b has %d rows; expected %d, the columns of a", SMALL + 1, SMALL);
    BAD(psb_spspmm(s.b, w.a, NULL, &s.c), PSB_EARG, text);
    if (np > 1)
        BAD(psb_spspmm(w.a, s.b, NULL, &s.c), PSB_EARG, "argument b has rows distributed in another way");
    BAD(psb_spspmm(s.b, s.b, NULL, NULL), PSB_EARG, "argument c is NULL");
    e = psb_spaxpby(1, w.a, 1, s.b);
    EXPECT(e == PSB_EARG && strstr(psb_errmsg(), "argument a is "));
    BAD(psb_sp_cmp(s.b, s.b, -1, &s.equal), PSB_EARG, "argument tol is -1");
    BAD(psb_sp_cmp(s.b, s.b, (R)NAN, &s.equal), PSB_EARG, "argument tol is");
    BAD(psb_sp_cmp(s.b, s.b, 1, NULL), PSB_EARG, "argument equal is NULL");
    BAD(psb_sp_clone(s.b, NULL), PSB_EARG, "argument b is NULL");
    BAD(psb_sp_tril(s.b, 0, NULL, NULL), PSB_EARG, "argument l is NULL");
    BAD(psb_sp_triu(s.b, 0, NULL, &s.c), PSB_EARG, "argument u is NULL");
    BAD(psb_sp_triu(s.b, INT64_MAX, &s.c, NULL), PSB_EARG, "argument k is 9223372036854775807");
    BAD(psb_sp_tril(s.b, INT64_MIN, &s.c, NULL), PSB_EARG, "argument k is -9223372036854775808");
    BAD(psb_sp_transp(s.b, NULL), PSB_EARG, "argument b is NULL");
    BAD(psb_sp_transc(s.b, NULL), PSB_EARG, "argument b is NULL");
    BAD(psb_sp_csget(s.b, -1, 0, NULL, NULL, NULL, &s.nz), PSB_EARG, "argument i is -1");
    BAD(psb_sp_csget(s.b, MOST, 0, NULL, NULL, NULL, &s.nz), PSB_EARG, "argument i is 64");
    if (psb_cd_local_rows(s.w.row))
        BAD(psb_sp_csget(s.b, 0, 0, NULL, NULL, NULL, NULL), PSB_EARG, "argument nz is NULL");
    BAD(psb_sp_get_nz_row(s.b, MOST, &s.nz), PSB_EARG, "argument i is 64; expected 0 <= i < ");
    BAD(psb_sp_get_neigh(s.b, -1, 1, &s.idx, &s.n), PSB_EARG, "argument i is -1");
    if (psb_cd_local_rows(s.w.row)) {
        BAD(psb_sp_get_nz_row(s.b, 0, NULL), PSB_EARG, "argument nz is NULL");
        BAD(psb_sp_get_neigh(s.b, 0, 0, &s.idx, &s.n), PSB_EARG, "argument lev is 0");
        BAD(psb_sp_get_neigh(s.b, 0, 1, NULL, &s.n), PSB_EARG, "argument idx is NULL");
    }
    if (psb_cd_local_rows(w.row))
        BAD(psb_sp_get_neigh(w.a, 0, 2, &s.idx, &s.n), PSB_EARG, "argument lev is 2 for a matrix");
    BAD(psb_sp_scalpid(1, w.a), PSB_EARG, "columns distributed in another way");
    BAD(psb_sp_cmpval(s.b, 1, (R)NAN, &s.equal), PSB_EARG, "argument tol is");
    BAD(psb_sp_cmpval(s.b, 1, 1, NULL), PSB_EARG, "argument equal is NULL");
    BAD(psb_sp_csclip(s.b, -1, 1, 0, 1, &s.c), PSB_EARG, "arguments imin, imax are -1, 1; expected 0 <= ");
    BAD(psb_sp_csclip(s.b, 0, 1, 0, SMALL + 1, &s.c), PSB_EARG, "arguments jmin, jmax are 0, 14;");
    BAD(psb_sp_csclip(s.b, 0, 1, 0, 1, NULL), PSB_EARG, "argument b is NULL");
    BAD(psb_spgather(s.b, NULL, &s.m, -2), PSB_EARG, "argument root is -2");
    BAD(psb_spgather(s.b, NULL, &s.m, np), PSB_EARG, "argument root is");
    BAD(psb_spgather(s.b, NULL, NULL, -1), PSB_EARG, "argument all is NULL");
    BAD(psb_spgather(s.b, NULL, NULL, 0), PSB_EARG, "argument all is NULL");
    if (np > 1)
        BAD(psb_spgather(s.b, NULL, &s.m, me == np - 1), PSB_EARG, "argument root is 0 on process 0 and 1");
    BAD(psb_sp_print(s.b, NULL, NULL), PSB_EARG, "argument to is NULL");
    check_intact(&s);
}

/* Equal numbers of rows on every process, but different rows. */
TEST(different_distributions)
{
    DISTRIBUTED w = distribute(SPREAD, SMALL, SMALL, EVEN, EVEN),
                v = distribute(SPREAD, SMALL, SMALL, SHUFFLED, SHUFFLED);
    struct X(spmat) *c = NULL;
    int equal = -1;
    GOOD(psb_spasb(w.a, &X(csr_mold).mat, PSB_DUPL_ADD));
    GOOD(psb_spasb(v.a, &X(csr_mold).mat, PSB_DUPL_ADD));
    BAD(psb_spspmm(w.a, v.a, NULL, &c), PSB_EARG, "distributed in another way");
    BAD(psb_sp_cmp(w.a, v.a, 1, &equal), PSB_EARG, "distributed in another way");
    EXPECT(!c && equal == -1);
}

/* 2^31 rows do not fit in a local matrix. */
TEST(gather_of_a_too_large_matrix)
{
    const psb_ipk n = INT32_MAX / 4;
    DESC *d = NULL, *rows = NULL;
    SPMAT *a = NULL;
    struct X(mat) *m = NULL;
    if (np < 7) /* fewer processes would each need a larger part */
        return;
    GOOD(psb_cdall_nl(&d, ctxt, n));
    GOOD(psb_cdall_nl(&rows, ctxt, 2));
    GOOD(psb_cdasb(d));
    GOOD(psb_cdasb(rows));
    GOOD(psb_spall2(&a, rows, d, 0));
    GOOD(psb_spasb(a, &X(coo_mold).mat, PSB_DUPL_ADD));
    BAD(psb_spgather(a, NULL, &m, 0), PSB_EARG, "expected less than 2^31 rows and columns");
}

void sp_errors_tests(Suite *s)
{
    TCase *c = collective_tcase(s, "errors");
    ck_add_loop_tests(c, CALLS, wrong_argument_on_one_process, matrices_must_be_assembled);
    ck_add_loop_tests(c, 6, allocation_fails_in_a_local_call);
    ck_add_tests(c, null_matrix, wrong_vectors, wrong_arguments, different_distributions,
                 gather_of_a_too_large_matrix);
    c = collective_tcase(s, "no memory");
    tcase_add_checked_fixture(c, halo_by_messages, halo_by_default);
    ck_add_loop_tests(c, np > 4 ? CALLS : 3 * CALLS, allocation_fails_on_one_process);
}
