/* check_dist_errors.c -- test: distributed matrices and vectors: an error on one process is returned
 * on all. */
#include "config.h"
#include <stdio.h>
#include "psb_cuda.h"
#include "minimal_format.h"
#include "check_dist.h"

static const struct X(mat) *const csr = &X(csr_mold).mat;
static const struct psb_vmold *const places[] = { &psb_vect_host, &psb_vect_cuda };

/* Objects freed twice, or used after they are freed: errors, also under sanitizers. */
TEST(freed_objects)
{
    DISTRIBUTED w = square_sample(TRIDIAG, EVEN);
    struct X(mat) *m = NULL;
    psb_desc *d = NULL;
    struct X(vect) *x = NULL;
    VECT *y = NULL;
    T v[1] = { 1 };
    GOOD(psb_spasb(w.a, csr, PSB_DUPL_ADD));
    GOOD(psb_vects_like(w.a, &x, &y));
    GOOD(psb_cdcpy(&d, w.row));
    GOOD(X(mat_all)(3, 3, 1, &m));
    psb_gefree(x);
    psb_gefree(x);
    BAD(psb_errstatus(), PSB_EARG, "gefree: invalid argument: the argument is freed");
    BAD(psb_spmv(1, w.a, x, 0, y, 'N'), PSB_EARG, "argument x is freed");
    BAD(psb_gedot_local(x, y, v), PSB_EARG, "argument x is freed");
    EXPECT(psb_vect_get_nrows(x) == 0 && psb_ge_dropped(x) == 0);
    X(spfree)(w.a);
    X(spfree)(w.a);
    BAD(psb_errstatus(), PSB_EARG, "spfree: invalid argument: the argument is freed");
    BAD(psb_spcnv(w.a, csr), PSB_EARG, "argument a is freed");
    struct X(spmat) *c = NULL;
    int equal;
    BAD(X(spspmm)(w.a, w.a, NULL, &c), PSB_EARG, "argument a is freed");
    BAD(X(sp_cmp)(w.a, w.a, 0, &equal), PSB_EARG, "argument a is freed");
    BAD(X(spaxpby)(1, w.a, 1, w.a), PSB_EARG, "argument b is freed");
    EXPECT(psb_sp_nnz(w.a) == 0 && psb_sp_fmt(w.a)[0] == '\0' && !psb_sp_row_desc(w.a));
    w.a = NULL;
    psb_cdfree(d);
    psb_cdfree(d);
    BAD(psb_errstatus(), PSB_EARG, "psb_cdfree: invalid argument: the argument is freed");
    BAD(psb_cd_reinit(d), PSB_EARG, "argument desc is freed");
    EXPECT(psb_cd_local_cols(d) == 0 && psb_cd_state(d) == PSB_NULL && !psb_is_owned(d, 0));
    X(mat_free)(m);
    X(mat_free)(m);
    BAD(psb_errstatus(), PSB_EARG, "mat_free: invalid argument: the argument is freed");
    BAD(X(mat_asb)(m, PSB_DUPL_ADD), PSB_EARG, "argument a is freed");
    BAD(X(mat_cscnv)(&m, &X(csr_mold).mat), PSB_EARG, "argument *a is freed");
    psb_clean_errstack();
}

/* Vectors created for a matrix fit its columns and rows, and are where it is. */
TEST(vectors_of_a_matrix)
{
    const enum distribution row = (enum distribution)_i, col = (enum distribution)((_i + 1) % DISTRIBUTIONS);
    DISTRIBUTED w = distribute(TRIDIAG, 41, 29, row, col);
    VECT *x = NULL, *y = NULL, *x3 = NULL, *y3 = NULL;
    BAD(psb_vects_like(w.a, &x, &y), PSB_ESTATE, "argument a is not assembled");
    GOOD(psb_spasb(w.a, X(mat_by_name)(_i % 2 ? "elg" : "csr"), PSB_DUPL_ADD));
    BAD(psb_vects_like(w.a, &x, (struct X(vect) **)NULL), PSB_EARG, "argument y is NULL");
    BAD(psb_vects_like_n(w.a, me == np - 1 ? 0 : 1, &x, &y), PSB_EARG, "argument k is 0");
    EXPECT(!x && !y);
    GOOD(psb_vects_like(w.a, &x, &y));
    EXPECT(x->desc == w.col && y->desc == w.row && x->v.on == w.a->ad->on && y->v.on == w.a->ad->on);
    GOOD(psb_set_scal(1, x));
    GOOD(psb_spmv(1, w.a, x, 0, y, 'N'));
    GOOD(psb_vects_like_n(w.a, 3, &x3, &y3));
    EXPECT(psb_vect_get_ncols(x3) == 3 && psb_vect_get_ncols(y3) == 3);
    GOOD(psb_spmv(1, w.a, x3, 0, y3, 'N'));
}

/* Rows of other processes: an error by default that names the row, and nothing is inserted; with
 * PSB_REMOTE_DROP they are counted. */
TEST(rows_of_other_processes)
{
    DESC *d = NULL;
    SPMAT *a = NULL;
    VECT *x = NULL;
    psb_lpk row[2] = { -1, -1 }, col[2] = { 0, 0 };
    T v[2] = { 1, 1 }, got = 0;
    GOOD(alloc_desc(&d, (enum distribution)_i, 41));
    for (psb_lpk g = 0; g < 41; g++)
        row[!psb_is_owned(d, g)] = g;
    GOOD(psb_spall(&a, d, 0));
    GOOD(psb_geall(&x, d));
    if (row[0] >= 0 && row[1] >= 0) {
        char name[64];
        snprintf(name, sizeof name, "argument ia[1] is %d, a row of another process", (int)row[1]);
        BAD(psb_spins(2, row, col, v, a), PSB_EARG, name);
        BAD(psb_spins(2, row, col, v, a), PSB_EARG, "psb_sp_set_remote with PSB_REMOTE_SEND");
        BAD(psb_geins(2, row, v, x, PSB_DUPL_ADD), PSB_EARG, "psb_ge_set_remote with PSB_REMOTE_SEND");
        EXPECT(psb_sp_nnz(a) == 0 && psb_sp_dropped(a) == 0 && psb_ge_dropped(x) == 0);
    }
    BAD(psb_sp_set_remote(a, (enum psb_remote_mode)3), PSB_EARG, "argument mode is 3");
    BAD(psb_ge_set_remote(x, (enum psb_remote_mode) - 1), PSB_EARG, "argument mode is -1");
    GOOD(psb_cdasb(d));
    GOOD(psb_spasb(a, csr, PSB_DUPL_ADD));
    GOOD(psb_sprn(a, 1));
    if (row[1] >= 0) {
        BAD(psb_spins(1, row + 1, col, v, a), PSB_EARG, "psb_sp_set_remote with PSB_REMOTE_SEND");
        GOOD(psb_sp_set_remote(a, PSB_REMOTE_DROP));
        GOOD(psb_spins(1, row + 1, col, v, a));
        GOOD(psb_ge_set_remote(x, PSB_REMOTE_DROP));
        GOOD(psb_geins(1, row + 1, v, x, PSB_DUPL_ADD));
        EXPECT(psb_sp_dropped(a) == 1 && psb_ge_dropped(x) == 1);
    }
    BAD(psb_spasb(a, X(mat_by_name)("CRS"), PSB_DUPL_ADD), PSB_EARG, "argument name is \"CRS\"");
    GOOD(psb_spasb(a, NULL, PSB_DUPL_ADD));
    (void)X(mat_by_name)("CRS");
    GOOD(psb_sprn(a, 1));
    GOOD(psb_spasb(a, NULL, PSB_DUPL_ADD));
    GOOD(psb_geasb(x, NULL));
    if (row[0] >= 0) {
        GOOD(psb_getelem(x, row[0], &got));
        EXPECT(got == 0);
    }
}

/* An error on which processes agree keeps the name of the call that failed. */
TEST(agreement_names_the_call)
{
    DESC *d = NULL;
    GOOD(psb_cdall_nl(&d, ctxt, 1));
    const psb_err e = me == np - 1 ? X(geall)(NULL, d) : PSB_OK;
    BAD(psb_agree(ctxt, e), PSB_EARG, "_geall: ");
    BAD(psb_agree(NULL, PSB_OK), PSB_EARG, "psb_agree: ");
}

/* Insertion into an assembled vector, here and for another process, while it is used. */
TEST(insertion_after_assembly)
{
    DESC *d = NULL;
    VECT *x = NULL;
    const psb_lpk mine = 2 * me, next = (2 * me + 2) % (2 * np);
    T one = 1, ten = 10, got = 0;
    GOOD(psb_cdall_nl(&d, ctxt, 2));
    GOOD(psb_cdasb(d));
    GOOD(X(geall)(&x, d));
    GOOD(psb_ge_set_remote(x, PSB_REMOTE_SEND));
    GOOD(X(geins)(1, &mine, &one, x, PSB_DUPL_OVERWRITE));
    GOOD(X(geasb)(x, places[_i]));
    BAD(X(geins)(1, &mine, &one, x, PSB_DUPL_ADD), PSB_ESTATE,
        "the vector is assembled; expected state BUILD");
    BAD(X(geasb)(x, NULL), PSB_ESTATE, "assembled already");
    GOOD(psb_gereinit(x, 0));
    GOOD(X(geins)(1, &next, &ten, x, PSB_DUPL_ADD));
    GOOD(X(gescal)(2, x));
    GOOD(psb_getelem(x, mine, &got));
    EXPECT(got == (T)(np == 1 ? 22 : 2));
    GOOD(X(geasb)(x, NULL));
    EXPECT(psb_vect_get_nrows(x) == psb_cd_local_cols(d) && x->v.on == (_i ? psb_vect_cuda.device() : NULL));
    GOOD(psb_getelem(x, mine, &got));
    EXPECT(got == (T)(np == 1 ? 22 : 12));
    GOOD(psb_gereinit(x, 1));
    GOOD(X(geins)(1, &next, &one, x, PSB_DUPL_ADD));
    GOOD(psb_gereinit(x, 1));
    GOOD(X(geins)(1, &next, &ten, x, PSB_DUPL_OVERWRITE));
    GOOD(X(geasb)(x, NULL));
    GOOD(psb_getelem(x, mine, &got));
    EXPECT(got == 10);
}

TEST(copies_between_descriptors)
{
    psb_desc *d[3] = { NULL };
    struct X(vect) *x[3] = { NULL };
    VECT *many = NULL, *few = NULL;
    const psb_lpk next = 3 * ((me + 1) % np);
    for (int i = 0; i < 3; i++) {
        GOOD(psb_cdall_nl(&d[i], ctxt, i < 2 ? 3 : 4));
        if (i == 1)
            GOOD(psb_cdins(d[i], 1, NULL, &next));
        GOOD(psb_cdasb(d[i]));
        GOOD(X(geall)(&x[i], d[i]));
        GOOD(X(geasb)(x[i], places[i < 2 ? _i >> i & 1 : 0]));
        GOOD(X(set_scal)((R)(i + 1), x[i]));
    }
    T all[4] = { 0 };
    GOOD(psb_vect_copy(x[0], x[1]));
    GOOD(X(get_vect)(x[1], psb_vect_get_nrows(x[1]), all));
    EXPECT(all[0] == 1 && all[2] == 1 && all[3] == (T)(np > 1 ? 2 : 0));
    BAD(psb_vect_copy(x[0], x[2]), PSB_EARG, "expected the same rows");
    GOOD(X(vect_new)(&many, 1000, NULL));
    GOOD(X(vect_new)(&few, 3, NULL));
    BAD(psb_vect_copy(many, few), PSB_EARG, "expected the same rows");
    BAD(psb_vect_copy(few, x[0]), PSB_EARG, "expected the same rows");
    EXPECT(psb_cd_same_rows(NULL, d[0]) == 0 && psb_cd_same_rows(NULL, NULL) == 0);
    for (int i = 0; i < 3; i++) {
        X(gefree)(x[i]);
        psb_cdfree(d[i]);
    }
}

TEST(duplicate_on_one_process)
{
    psb_lpk i = 20;
    T v = 0;
    DISTRIBUTED w = square_sample(TRIDIAG, _i);
    const psb_epk before = psb_sp_dropped(w.a);
    GOOD(X(spins)(1, &i, &i, &v, w.a)); /* only the owner inserts it */
    EXPECT(psb_sp_dropped(w.a) == before + !psb_is_owned(w.row, i));
    BAD(X(spasb)(w.a, csr, PSB_DUPL_ERROR), PSB_EARG, "more than one entry");
    GOOD(X(spasb)(w.a, csr, PSB_DUPL_ADD));
    check_product(&w, 'N', 1, 0, places[0]);
}

TEST(wrong_argument_on_one_process)
{
    T all[MOST] = { 0 };
    int last = me == np - 1;
    DISTRIBUTED w = square_sample(TRIDIAG, EVEN);
    BAD(X(spasb)(w.a, csr, last ? (enum psb_dupl)7 : PSB_DUPL_ADD), PSB_EARG, "argument dupl is 7");
    GOOD(X(spasb)(w.a, csr, PSB_DUPL_ADD));
    BAD(psb_spcnv(w.a, last ? NULL : csr), PSB_EARG, "argument mold is NULL");
    w.x = make_vector(w.col, all, NULL);
    BAD(psb_gather(w.x, last ? NULL : all, -1), PSB_EARG, "argument all is NULL");
    check_product(&w, 'N', 1, 0, places[0]);
}

/* The same for products and other computations.  All processes are neighbours. */
TEST(wrong_operand_on_one_process)
{
    T all[MOST] = { 0 }, dot;
    R norm;
    int last = me == np - 1;
    DISTRIBUTED w = distribute(FULL, 13, 13, EVEN, EVEN);
    GOOD(X(spasb)(w.a, csr, PSB_DUPL_ADD));
    w.x = make_vector(w.col, all, NULL);
    w.y = make_vector(w.row, all, NULL);
    EXPECT(psb_gedot(w.x, last ? NULL : w.y, &dot) != PSB_OK);
    EXPECT(psb_genrm2(w.x, last ? NULL : &norm) != PSB_OK);
    EXPECT(psb_gather(w.x, all, last ? np : 0) != PSB_OK);
    EXPECT(psb_halo(w.x, last ? 'Q' : 'N') != PSB_OK);
    for (int t = 0; t < 2; t++) {
        EXPECT(X(spmv)(1, w.a, w.x, 0, last ? w.x : w.y, op_codes[t]) != PSB_OK);
        EXPECT(X(spmv)(1, last ? NULL : w.a, w.x, 0, w.y, op_codes[t]) != PSB_OK);
    }
    EXPECT(X(spaxpby)(1, w.a, 1, last ? NULL : w.a) != PSB_OK);
    check_product(&w, 'N', 1, 0, places[0]);
}

/* --- an allocation fails on one process --- */

/* The steps from a descriptor to a product; each succeeds when repeated after a failure. */
static psb_err make_desc(struct distributed *w)
{
    psb_desc *d = NULL;
    PSB_TRY(alloc_desc(&d, w->distribution, 41));
    w->row = w->col = d;
    return PSB_OK;
}

static psb_err make_matrix(struct distributed *w)
{
    /* local calls: psb_agree makes all fail together */
    psb_err e = w->a ? PSB_OK : X(spall)(&w->a, w->row, 0);
    if (e == PSB_OK && X(sp_nnz)(w->a) == 0)
        e = insert_all(w->a, w->s);
    return psb_agree(ctxt, e);
}

static psb_err assemble_desc(struct distributed *w)
{
    return psb_cdasb(w->row);
}

static psb_err assemble_matrix(struct distributed *w)
{
    return X(spasb)(w->a, &X(csr_mold).mat, PSB_DUPL_ADD);
}

static psb_err to_gpu_format(struct distributed *w)
{
    return psb_spcnv(w->a, &X(elg_mold).mat);
}

static psb_err make_vectors(struct distributed *w)
{
    psb_err e = w->x ? PSB_OK : X(geall)(&w->x, w->col);
    if (e == PSB_OK)
        e = w->y ? PSB_OK : X(geall)(&w->y, w->row);
    if (e == PSB_OK)
        e = X(vect_zero)(w->x); /* memory that assembly must make larger */
    if (e == PSB_OK)
        e = X(vect_zero)(w->y);
    return psb_agree(ctxt, e);
}

static psb_err assemble_vector(struct distributed *w)
{
    return X(geasb)(w->x->state == PSB_ASSEMBLED ? w->y : w->x, &psb_vect_cuda);
}

static psb_err dot(struct distributed *w)
{
    T sum;
    return psb_gedot(w->x, w->y, &sum);
}

static psb_err gather(struct distributed *w)
{
    T all[MOST];
    return psb_gather(w->x, all, -1);
}

static psb_err to_csr(struct distributed *w)
{
    return psb_spcnv(w->a, &X(csr_mold).mat);
}

static psb_err (*const steps[])(struct distributed *) = {
    make_desc,       make_matrix,     assemble_desc, assemble_matrix, to_gpu_format, make_vectors,
    assemble_vector, assemble_vector, dot,           gather,          to_csr,        to_gpu_format,
};
enum { STEPS = sizeof steps / sizeof *steps };

/* Step `bad` fails at allocation n of process `who` on all processes, and succeeds when repeated; return
 * whether it failed. */
static int step_fails(enum distribution distribution, int bad, int who, int n)
{
    DISTRIBUTED w = { .distribution = distribution, .s = sample(SPREAD, 41, 41) };
    for (int k = 0; k < bad; k++)
        GOOD(steps[k](&w));
    psb_alloc_fail_at(me == who ? n : 0);
    psb_err e = steps[bad](&w);
    psb_alloc_fail_at(0);
    int failed = collective_count(e != PSB_OK);
    EXPECT(failed == 0 || failed == np);
    EXPECT(e == PSB_OK || e == PSB_ENOMEM);
    if (w.a && w.a->state == PSB_ASSEMBLED)
        check_product(&w, 'N', 1, 0, places[1]);
    if (failed == np)
        GOOD(steps[bad](&w));
    for (int k = bad + 1; k < STEPS; k++)
        GOOD(steps[k](&w));
    check_product(&w, 'N', 1, 0, places[1]);
    check_product(&w, 'T', 1, 1, places[1]);
    return failed > 0;
}

TEST(allocation_fails_on_one_process)
{
    const enum distribution distributions[] = { EVEN, CYCLIC, SHUFFLED };
    for (int k = 0; k < 3; k++) {
        int n = 1;
        while (step_fails(distributions[k], _i, np - 1, n) && n < 100)
            n++;
        EXPECT(n < 100);
        EXPECT(n > 1);
    }
}

/* One of four exchanges between all processes fails at allocation n of process `who`; return whether it
 * failed.  No process is left waiting, a failed halo exchange fails on all processes, and the exchange
 * succeeds when repeated. */
static int exchange(int call, int who, int n)
{
    T x[MOST];
    DISTRIBUTED w = distribute(FULL, 13, 13, EVEN, EVEN);
    GOOD(X(spasb)(w.a, call == 3 ? &minimal_mold.mat : &X(elg_mold).mat, PSB_DUPL_ADD));
    random_vector(MOST, x, 1);
    w.x = make_vector(w.col, x, &psb_vect_cuda);
    w.y = make_vector(w.row, x, &psb_vect_cuda);
    psb_alloc_fail_at(me == who ? n : 0);
    psb_err e = call < 2 ? psb_halo(w.x, "NT"[call]) : X(spmv)(1, w.a, w.x, 0, w.y, "NT"[call - 2]);
    psb_alloc_fail_at(0);
    int failed = collective_count(e != PSB_OK);
    EXPECT(failed == 0 || collective_count(me == who && e == PSB_ENOMEM) == 1);
    EXPECT(call >= 2 || failed == 0 || failed == np);
    EXPECT(me == who || e == PSB_OK || e == PSB_EMPI);
    set_owned(w.x, x);
    GOOD(call < 2 ? psb_halo(w.x, "NT"[call]) : X(spmv)(1, w.a, w.x, 0, w.y, "NT"[call - 2]));
    check_product(&w, 'N', 1, 0, places[1]);
    check_product(&w, 'T', 1, 0, places[1]);
    return failed > 0;
}

TEST(allocation_fails_in_an_exchange)
{
    int n = 1;
    while (exchange(_i, np - 1, n) && n < 100)
        n++;
    EXPECT(n < 100);
    EXPECT(n > 1 || (np == 1 && _i < 2)); /* one process exchanges nothing */
}

void add_errors_on_one(TCase *c)
{
    ck_add_loop_tests(c, DISTRIBUTIONS, vectors_of_a_matrix, rows_of_other_processes,
                      duplicate_on_one_process);
    ck_add_tests(c, freed_objects, agreement_names_the_call);
    ck_add_loop_tests(c, 2, insertion_after_assembly);
    ck_add_loop_tests(c, 4, copies_between_descriptors);
    ck_add_tests(c, wrong_argument_on_one_process, wrong_operand_on_one_process);
}

void add_no_memory(Suite *s)
{
    TCase *c = collective_tcase(s, "no memory");
    tcase_add_checked_fixture(c, halo_by_messages, halo_by_default);
    ck_add_loop_tests(c, STEPS, allocation_fails_on_one_process);
    ck_add_loop_tests(c, 4, allocation_fails_in_an_exchange);
}
