/* check_asm.c -- test: assembly of distributed matrices: refill of an assembled pattern, entries for
 * other processes, local indices. */
#include "suites.h"
#include <string.h>
#include "psb_cuda.h"
#include "distributed.h"

static const struct X(mat) *const csr = &X(csr_mold).mat;

static void scale(struct X(coo_mat) *s, T f)
{
    for (psb_epk k = 0; k < s->mat.nnz; k++)
        s->val[k] *= f;
}

/* COO of two entries takes memory for two entries, however many rows there are. */
TEST(many_empty_rows)
{
    enum { ROWS = INT32_MAX - 1, MOST_BYTES = 1 << 20 };
    DESC *d = NULL;
    SPMAT *a = NULL;
    GOOD(psb_cdall_nl(&d, ctxt, ROWS));
    GOOD(X(spall)(&a, d, 2));
    const psb_lpk first = psb_loc_to_glob(d, 0), ia[] = { first + ROWS / 2, first },
                  ja[] = { first, first + 1 };
    const T val[] = { 1, 2 };
    psb_alloc_fail_above(MOST_BYTES);
    GOOD(X(spins)(2, ia, ja, val, a));
    GOOD(psb_cdasb(d));
    GOOD(X(spasb)(a, &X(coo_mold).mat, PSB_DUPL_ADD));
    psb_alloc_fail_above(0);
    EXPECT(X(sp_nnz)(a) == 2 && strcmp(X(sp_fmt)(a), "COO") == 0);
}

/* Reverse the order of the entries. */
static void reverse(struct X(coo_mat) *s)
{
    for (psb_epk k = 0, l = s->mat.nnz - 1; k < l; k++, l--)
        coo_swap(s, k, l);
}

static void check_all(struct distributed *w)
{
    check_product(w, 'N', 1, 0, &psb_vect_host);
    check_product(w, 'T', MAKE(-1, 2), 1, &psb_vect_cuda);
}

/* --- refill --- */

/* In every format; entries in the order of the first assembly and in reverse order. */
TEST(refill_from_zero)
{
    for (int f = 0; X(mat_format)(f); f++)
        for (int turn = 0; turn < 2; turn++) {
            DISTRIBUTED w = square_sample(turn ? SPREAD : TWICE, _i);
            GOOD(X(spasb)(w.a, X(mat_format)(f), PSB_DUPL_ADD));
            check_product(&w, 'N', 1, 0, &psb_vect_cuda);
            scale(w.s, MAKE(0.5, -3));
            if (turn)
                reverse(w.s);
            GOOD(psb_sprn(w.a, 1));
            EXPECT(X(sp_state)(w.a) == PSB_UPDATE);
            GOOD(insert_all(w.a, w.s));
            GOOD(X(spasb)(w.a, NULL, PSB_DUPL_ADD));
            EXPECT(X(sp_state)(w.a) == PSB_ASSEMBLED);
            EXPECT(strcmp(X(sp_fmt)(w.a), X(mat_format)(f)->ops->fmt) == 0);
            check_all(&w);
        }
}

static int halo_is(const struct distributed *w, const char *fmt)
{
    const struct X(mat) *halo;
    GOOD(psb_sp_local(w->a, NULL, &halo, NULL));
    return strcmp(X(mat_get_fmt)(halo), fmt) == 0;
}

/* The entries in columns of other processes have a format of their own, in each format of the owned ones. */
TEST(format_of_the_halo)
{
    static const char *const given[] = { "CSC", "COO", "HLL" };
    const struct X(mat) *const molds[] = { &X(csc_mold).mat, &X(coo_mold).mat, &X(hll_mold).mat };
    for (int h = 0; h < 3; h++) {
        DISTRIBUTED w = square_sample(SPREAD, _i);
        GOOD(psb_spasb2(w.a, &X(hdia_mold).mat, molds[h], PSB_DUPL_ADD));
        EXPECT(strcmp(X(sp_fmt)(w.a), "HDIA") == 0 && halo_is(&w, given[h]));
        check_all(&w);
        GOOD(psb_sprn(w.a, 0));
        GOOD(psb_spasb2(w.a, NULL, &X(csc_mold).mat, PSB_DUPL_ADD));
        EXPECT(strcmp(X(sp_fmt)(w.a), "HDIA") == 0 && halo_is(&w, "CSC"));
        check_all(&w);
        GOOD(psb_spcnv(w.a, &X(sell_mold).mat));
        EXPECT(halo_is(&w, "SELL"));
        check_all(&w);
    }
}

/* By default the entries in columns of other processes are in CSR if the format refuses them: here a row has
 * 2000 of them, the others one. */
TEST(halo_that_pads)
{
    enum { ROWS = 2000 };
    const psb_lpk first = (psb_lpk)ROWS * me, next = (psb_lpk)ROWS * ((me + 1) % np);
    const T one = 1;
    const struct X(mat) *halo;
    DESC *d = NULL;
    SPMAT *a = NULL;
    R norm;
    GOOD(psb_cdall_nl(&d, ctxt, ROWS));
    for (psb_lpk j = 0; j < ROWS; j++)
        GOOD(psb_cdins(d, 1, NULL, &(psb_lpk){ next + j }));
    GOOD(psb_cdasb(d));
    GOOD(psb_spall(&a, d, 0));
    for (psb_lpk i = 0; i < ROWS; i++) {
        GOOD(psb_spins(1, &(psb_lpk){ first + i }, &(psb_lpk){ first + i }, &one, a));
        for (psb_lpk j = i; j < (i == 0 ? ROWS : i + 1) && np > 1; j++)
            GOOD(psb_spins(1, &(psb_lpk){ first + i }, &(psb_lpk){ next + j }, &one, a));
    }
    GOOD(psb_spasb(a, &X(ell_mold).mat, PSB_DUPL_ADD));
    GOOD(psb_spnrmi(a, &norm));
    EXPECT(norm == (np > 1 ? ROWS + 1 : 1));
    GOOD(psb_sp_local(a, NULL, &halo, NULL));
    EXPECT(np == 1 || strcmp(X(mat_get_fmt)(halo), "CSR") == 0);
}

/* On a device the default is CSRG. */
TEST(format_of_the_halo_on_a_device)
{
    const struct X(mat) *const hlg = &X(hlg_mold).hll.mat, *const molds[] = { NULL, hlg };
    for (int h = 0; h < 2 && psb_cuda_device(); h++) {
        DISTRIBUTED w = square_sample(SPREAD, _i);
        GOOD(psb_spasb2(w.a, hlg, molds[h], PSB_DUPL_ADD));
        EXPECT(halo_is(&w, h ? "HLG" : "CSRG"));
        check_all(&w);
    }
}

TEST(wrong_format_of_the_halo)
{
    DISTRIBUTED w = square_sample(SPREAD, _i);
    if (psb_cuda_device()) {
        BAD(psb_spasb2(w.a, csr, &X(csrg_mold).mat, PSB_DUPL_ADD), PSB_EARG,
            "argument halo_mold is a format of a device, argument mold one of the host");
        BAD(psb_spasb2(w.a, &X(hlg_mold).hll.mat, csr, PSB_DUPL_ADD), PSB_EARG,
            "argument halo_mold is a format of the host, argument mold one of a device");
    }
    GOOD(psb_spasb2(w.a, csr, csr, PSB_DUPL_ADD));
    check_all(&w);
}

/* Sorted rows, each complete as stored, which is the fast path; then the same values added. */
TEST(refill_by_adding)
{
    for (int f = 0; X(mat_format)(f); f++) {
        DISTRIBUTED w = distribute(TRIDIAG, 41, 29, (enum distribution)_i, CYCLIC);
        GOOD(X(coo_fix)(w.s, PSB_DUPL_ADD));
        GOOD(X(spasb)(w.a, X(mat_format)(f), PSB_DUPL_ADD));
        GOOD(psb_sprn(w.a, 0));
        GOOD(insert_all(w.a, w.s));
        GOOD(insert_all(w.a, w.s));
        GOOD(X(spasb)(w.a, &X(ell_mold).mat, PSB_DUPL_ADD));
        EXPECT(strcmp(X(sp_fmt)(w.a), "ELL") == 0);
        scale(w.s, 3);
        check_all(&w);
    }
}

/* The last value of an entry is kept, on the fast path and on the general one. */
TEST(refill_by_overwriting)
{
    for (int f = 0; X(mat_format)(f); f++) {
        DISTRIBUTED w = square_sample(SPREAD, _i);
        GOOD(X(spasb)(w.a, X(mat_format)(f), PSB_DUPL_OVERWRITE));
        GOOD(psb_sprn(w.a, 0));
        GOOD(X(coo_fix)(w.s, PSB_DUPL_OVERWRITE));
        scale(w.s, 5);
        reverse(w.s); /* first rows that are not as stored, */
        GOOD(insert_all(w.a, w.s));
        scale(w.s, (R)0.5);
        reverse(w.s); /* then rows that are */
        GOOD(insert_all(w.a, w.s));
        GOOD(X(spasb)(w.a, NULL, PSB_DUPL_OVERWRITE));
        check_all(&w);
    }
}

/* In one call a complete row and one of its entries again. */
TEST(duplicates_in_one_call)
{
    DISTRIBUTED w = square_sample(TRIDIAG, _i);
    GOOD(X(coo_fix)(w.s, PSB_DUPL_ADD));
    GOOD(X(spasb)(w.a, csr, PSB_DUPL_OVERWRITE));
    GOOD(psb_sprn(w.a, 1));
    GOOD(insert_all(w.a, w.s));
    const psb_lpk i[] = { 20, 20, 20, 9, 20 }, j[] = { 19, 20, 21, 9, 20 };
    const T v[] = { 1, 2, 3, 4, 7 };
    GOOD(X(spins)(5, i, j, v, w.a));
    GOOD(X(spasb)(w.a, NULL, PSB_DUPL_ADD));
    for (psb_epk k = 0; k < w.s->mat.nnz; k++) {
        psb_ipk r = w.s->ia[k], c = w.s->ja[k];
        if (r == 9 && c == 9)
            w.s->val[k] = 4;
        if (r == 20)
            w.s->val[k] = c == 19 ? 1 : c == 20 ? 7 : 3;
    }
    check_all(&w);
}

/* Cleared rows are inserted not at all, once, twice, or after one of their entries. */
TEST(partly_refilled_rows)
{
    for (int f = 0; X(mat_format)(f); f++) {
        DISTRIBUTED w = square_sample(TRIDIAG, _i);
        GOOD(X(coo_fix)(w.s, PSB_DUPL_ADD));
        GOOD(X(spasb)(w.a, X(mat_format)(f), PSB_DUPL_ADD));
        GOOD(psb_sprn(w.a, 1));
        for (int turn = 0; turn < 3; turn++)
            for (psb_epk k = 0; k < w.s->mat.nnz; k++) {
                psb_lpk i = w.s->ia[k], j = w.s->ja[k];
                if (turn == 0 && i % 4 == 3 && j >= i)
                    GOOD(X(spins)(1, &i, &j, &w.s->val[k], w.a));
                if (turn == 0 || i % 4 == 0 || turn > i % 4 || (k && w.s->ia[k - 1] == i))
                    continue;
                psb_lpk r[3] = { i, i, i }, c[3];
                psb_epk n = 0;
                for (; n < 3 && k + n < w.s->mat.nnz && w.s->ia[k + n] == i; n++)
                    c[n] = w.s->ja[k + n];
                GOOD(X(spins)(n, r, c, w.s->val + k, w.a));
            }
        GOOD(X(spasb)(w.a, NULL, PSB_DUPL_ADD));
        for (psb_epk k = 0; k < w.s->mat.nnz; k++) {
            psb_ipk i = w.s->ia[k], j = w.s->ja[k];
            w.s->val[k] *= (R)(i % 4 == 3 ? 2 + (j >= i) : i % 4);
        }
        check_all(&w);
    }
}

TEST(wrong_refills)
{
    for (int f = 0; X(mat_format)(f); f++) {
        psb_lpk i[] = { 3, 4, 5 }, j[] = { 3, 4, 40 };
        T v[] = { 8, 9, 10 };
        DISTRIBUTED w = square_sample(TRIDIAG, _i);
        BAD(psb_sprn(w.a, 1), PSB_ESTATE, "psb_spasb");
        GOOD(X(spasb)(w.a, X(mat_format)(f), PSB_DUPL_ADD));
        GOOD(psb_sprn(w.a, 0));
        BAD(psb_sprn(w.a, 0), PSB_ESTATE, "psb_spasb");
        psb_err e = X(spins)(3, i, j, v, w.a);
        if (psb_is_owned(w.row, 5))
            BAD(e, PSB_EARG, "row 5");
        EXPECT(psb_is_owned(w.row, 5) || e == PSB_OK);
        int changed = collective_count(e == PSB_OK && psb_is_owned(w.row, 3)) +
                      collective_count(e == PSB_OK && psb_is_owned(w.row, 4));
        i[2] = 41;
        BAD(X(spins)(3, i, j, v, w.a), PSB_EARG, "argument ia[2] is 41");
        i[2] = 5, j[2] = -1;
        BAD(X(spins)(3, i, j, v, w.a), PSB_EARG, "argument ja[2] is -1");
        BAD(X(spins)(-1, i, j, v, w.a), PSB_EARG, "argument nz is -1");
        BAD(X(spins)(1, NULL, j, v, w.a), PSB_EARG, "argument ia is NULL");
        BAD(X(spins)(1, i, NULL, v, w.a), PSB_EARG, "argument ja is NULL");
        BAD(X(spins)(1, i, j, NULL, w.a), PSB_EARG, "argument val is NULL");
        BAD(X(spins)(1, i, j, v, NULL), PSB_EARG, "argument a is NULL");
        BAD(X(sprn)(NULL, 1), PSB_EARG, "argument a is NULL");
        GOOD(X(spasb)(w.a, NULL, PSB_DUPL_ADD));
        if (changed == 0)
            check_all(&w);
    }
}

/* One process refills, the others are in another state. */
TEST(different_states)
{
    DISTRIBUTED w = square_sample(TRIDIAG, EVEN);
    if (me == np - 1 && np > 1) {
        BAD(X(spasb)(w.a, csr, PSB_DUPL_ADD), PSB_ESTATE, "assembled");
    } else if (np > 1) {
        w.a->state = PSB_ASSEMBLED;
        BAD(X(spasb)(w.a, csr, PSB_DUPL_ADD), PSB_ESTATE, "assembled");
        w.a->state = PSB_BUILD;
    }
    GOOD(X(spasb)(w.a, csr, PSB_DUPL_ADD));
    check_all(&w);
}

/* Return whether a refill fails at allocation n of the last process; then the values are unchanged. */
static int refill_fails(const struct X(mat) *mold, int n)
{
    DISTRIBUTED w = square_sample(SPREAD, EVEN);
    int open = 0, failed = 0;
    GOOD(X(spasb)(w.a, mold, PSB_DUPL_ADD));
    psb_alloc_fail_at(me == np - 1 ? n : 0);
    psb_err e = psb_sprn(w.a, 0);
    open = e == PSB_OK;
    if (open)
        e = insert_all(w.a, w.s);
    failed = collective_count(e != PSB_OK);
    if (e == PSB_OK && failed == 0)
        e = X(spasb)(w.a, NULL, PSB_DUPL_ADD);
    psb_alloc_fail_at(0);
    EXPECT(e == PSB_OK || e == PSB_ENOMEM);
    int late = failed == 0 && collective_count(e != PSB_OK);
    EXPECT(!late || collective_count(e != PSB_OK) == np);
    if (!open)
        GOOD(psb_sprn(w.a, 0));
    if (failed && e != PSB_OK)
        GOOD(insert_all(w.a, w.s));
    if (failed || late)
        GOOD(X(spasb)(w.a, NULL, PSB_DUPL_ADD));
    scale(w.s, 2);
    check_all(&w);
    return failed || late;
}

TEST(refill_allocation_fails)
{
    int n = 1;
    while (refill_fails(X(mat_format)(_i), n) && n < 200)
        n++;
    EXPECT(n > 1 && n < 200);
}

/* --- local indices, remote entries --- */

TEST(entries_in_local_indices)
{
    DISTRIBUTED w = distribute(SPREAD, 41, 29, (enum distribution)_i, SHUFFLED);
    struct X(spmat) *b = NULL;
    GOOD(psb_spall2(&b, w.row, w.col, 0));
    psb_ipk m = psb_cd_local_rows(w.row), n = psb_cd_local_cols(w.col), i, j;
    for (psb_epk k = 0; k < w.s->mat.nnz; k++)
        if ((i = psb_glob_to_loc(w.row, w.s->ia[k])) >= 0 && (j = psb_glob_to_loc(w.col, w.s->ja[k])) >= 0)
            GOOD(psb_spins_local(1, &i, &j, &w.s->val[k], b));
    T v = 1;
    i = m, j = 0;
    BAD(psb_spins_local(1, &i, &j, &v, b), PSB_EARG, "argument ia[0] is");
    i = -1;
    BAD(psb_spins_local(1, &i, &j, &v, b), PSB_EARG, "argument ia[0] is -1");
    i = 0, j = n;
    if (m > 0)
        BAD(psb_spins_local(1, &i, &j, &v, b), PSB_EARG, "argument ja[0] is");
    BAD(psb_spins_local(-1, &i, &j, &v, b), PSB_EARG, "argument nz is -1");
    BAD(psb_spins_local(1, NULL, &j, &v, b), PSB_EARG, "argument ia is NULL");
    j = -1;
    if (m > 0)
        BAD(psb_spins_local(1, &i, &j, &v, b), PSB_EARG, "argument ja[0] is -1; expected 0 <= ja < ");
    BAD(psb_spins_local(1, &i, NULL, &v, b), PSB_EARG, "argument ja is NULL; expected 1 entries");
    BAD(psb_spins_local(1, &i, &j, NULL, b), PSB_EARG, "argument val is NULL; expected 1 entries");
    BAD(X(spins_local)(1, &i, &j, &v, NULL), PSB_EARG, "argument a is NULL");
    DESC *open = NULL;
    SPMAT *c = NULL;
    GOOD(psb_cdall_like(&open, w.col));
    GOOD(psb_spall2(&c, w.row, open, 0));
    BAD(psb_spins_local(0, NULL, NULL, NULL, c), PSB_ESTATE,
        "the column descriptor is not assembled; expected psb_cdasb before");
    GOOD(X(spasb)(b, csr, PSB_DUPL_ADD));
    BAD(psb_spins_local(0, NULL, NULL, NULL, b), PSB_ESTATE, "the matrix is assembled; expected state");
    X(spfree)(w.a);
    w.a = b;
    check_all(&w);
}

/* Entry k is inserted by process k mod np, whichever process owns it. */
static void insert_mine(struct X(spmat) *a, const struct X(coo_mat) *s)
{
    for (psb_epk k = me; k < s->mat.nnz; k += np) {
        psb_lpk i = s->ia[k], j = s->ja[k];
        GOOD(psb_spins(1, &i, &j, &s->val[k], a));
    }
}

/* Refill the matrix, or a copy of it, with remote entries; then with an entry that its owner lacks. */
static void refill_for_others(struct distributed *w, int copied)
{
    struct X(spmat) *b = NULL;
    const psb_lpk i = 40, j = 28;
    const T one = 1;
    int stored = 0;
    if (copied) {
        GOOD(X(sp_clone)(w->a, &b));
        X(spfree)(w->a);
        w->a = b;
    }
    scale(w->s, -3);
    GOOD(psb_sprn(w->a, 1));
    insert_mine(w->a, w->s);
    GOOD(X(spasb)(w->a, NULL, PSB_DUPL_ADD));
    check_all(w);
    for (psb_epk k = 0; k < w->s->mat.nnz; k++)
        stored |= w->s->ia[k] == i && w->s->ja[k] == j;
    EXPECT(!stored);
    GOOD(psb_sprn(w->a, 0));
    if (!psb_is_owned(w->row, i))
        GOOD(psb_spins(1, &i, &j, &one, w->a));
    if (np > 1)
        BAD(X(spasb)(w->a, NULL, PSB_DUPL_ADD), PSB_EARG, "row 40, column 28 is not in the matrix");
    GOOD(psb_sp_set_remote(w->a, PSB_REMOTE_REFUSE)); /* drops the remote entries */
    GOOD(X(spasb)(w->a, NULL, PSB_DUPL_ADD));
    check_all(w);
}

TEST(remote_entries)
{
    for (int known = 0; known < 2; known++) {
        DISTRIBUTED w = { .s = sample(TWICE, 41, 29) };
        GOOD(alloc_desc(&w.row, (enum distribution)_i, 41));
        GOOD(alloc_desc(&w.col, EVEN, 29));
        GOOD(psb_spall2(&w.a, w.row, w.col, 0));
        GOOD(psb_sp_set_remote(w.a, PSB_REMOTE_SEND));
        insert_mine(w.a, w.s);
        GOOD(psb_cdasb(w.row));
        if (known) /* the halo has every column of any row, so that it need not grow */
            for (psb_lpk j = 0; j < 29; j++)
                GOOD(psb_cdins(w.col, 1, NULL, &j));
        GOOD(psb_cdasb(w.col));
        BAD(X(spasb)(w.a, csr, PSB_DUPL_ERROR), PSB_EARG, "more than one entry");
        GOOD(X(spasb)(w.a, csr, PSB_DUPL_ADD));
        check_all(&w);
        refill_for_others(&w, known);
        BAD(psb_sp_set_remote(w.a, PSB_REMOTE_SEND), PSB_ESTATE, "assembled");
        BAD(X(sp_set_remote)(NULL, PSB_REMOTE_SEND), PSB_EARG, "argument a is NULL");
    }
}

static Suite *assembly(void)
{
    const int formats = number_of_formats();
    Suite *s = suite_create("assembly");
    TCase *c = collective_tcase(s, "refill");
    ck_add_loop_tests(c, DISTRIBUTIONS, refill_from_zero, format_of_the_halo, format_of_the_halo_on_a_device,
                      wrong_format_of_the_halo);
    ck_add_tests(c, halo_that_pads);
    ck_add_loop_tests(c, DISTRIBUTIONS, refill_by_adding, refill_by_overwriting, partly_refilled_rows,
                      duplicates_in_one_call, wrong_refills);
    ck_add_tests(c, different_states, many_empty_rows);
    ck_add_loop_tests(c, formats, refill_allocation_fails);
    c = collective_tcase(s, "local indices, remote entries");
    ck_add_loop_tests(c, DISTRIBUTIONS, entries_in_local_indices, remote_entries);
    return s;
}

int check_asm(void)
{
    return run_suite(MINIMAL_FORMAT, assembly);
}
