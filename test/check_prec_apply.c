/* check_prec_apply.c -- test: what all types of preconditioners compute, as dense matrices. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include "psb_cuda.h"
#include "check_prec.h"
#include "worst.h"

static const char *const texts[] = {
    "none",
    "diag",
    "l1-jacobi",
    "chebyshev(degree=3)",
    "neumann(degree=3)",
    "bjac",
    "bjac(ilu(1), sweeps=2)",
    "bjac(ilu0, factor_sweeps=3)",
    "bjac(bilu0, block=3)",
    "bjac(ilu0, order=colour)",
    "bjac(ilu(1), order=colour, sweeps=1)",
    "ras(ilut, fill=3)",
    "ras(milu0, overlap=2)",
    "as(ilu0)",
    "ash(ilu0, sweeps=1, overlap=3)",
    "ainv(inv_drop=0.02)",
    "invk(fill=1)",
    "invt(fill=4, inv_drop=0.02)",
    "gs",
    "gs(direction=backward, sweeps=2, omega=0.75)",
    "gs(direction=symmetric, halo=once, sweeps=2)",
    "ssor(sweeps=2)",
    "ssor(omega=1.25)",
    "diag(precision=single)",
    "bjac(ilu0, precision=single)",
    "ras(milu0, overlap=2, precision=single)",
    "neumann(degree=3, precision=single)",
    "ssor(precision=single)",
    "amg",
    "amg(coarse=4, theta=0.2)",
    "amg(coarse=0, cycle=W, sweeps=2, smoother=gs)",
    "amg(coarse=2, cycle=F, presweeps=0, smoother=gs;chebyshev(kind=fourth))",
    "amg(coarse=2, cycle=add, gather=9, smoother=bjac)",
    "amg(coarse=4, precision=single)"
};
enum { TEXTS = sizeof texts / sizeof *texts };

static bool rounds(const char *text)
{
    return strstr(text, "precision=single");
}

/* Scalars of single precision have no option precision=single. */
static bool offered(const char *text)
{
    return sizeof(R) == sizeof(double) || !rounds(text);
}

static double slack_of(const char *text)
{
    return rounds(text) ? 1000 * (double)FLT_EPSILON : SMALL;
}

enum distribution distribution_of_turn(int i, int n)
{
    return (enum distribution)((i % n + 3 * (i / n)) % DISTRIBUTIONS);
}

/* --- all types ------------------------------------------------------------------------------------------ */

/* Is y = image b, for all columns? */
static int is_image_of(const struct problem *p, const T *image, double slack)
{
    const int k = p->b->ncols;
    const psb_ipk n = p->n;
    T b[2 * MOST], y[2 * MOST];
    double worst = 0;
    GOOD(X(gather)(p->b, b, -1));
    GOOD(X(gather)(p->x, y, -1));
    for (psb_ipk i = 0; i < n; i++)
        for (int j = 0; j < k; j++) {
            T sum = 0;
            for (psb_ipk l = 0; l < n; l++)
                sum += image[i * n + l] * b[l * k + j];
            worst = worse(worst, (double)ABS(sum - y[i * k + j]) / (1 + (double)ABS(sum)));
        }
    return worst < slack;
}

/* op(M)^-1 is the transpose or adjoint of M^-1, and columns do not affect each other. */
TEST(operations)
{
    const char *text = texts[_i % TEXTS];
    if (!offered(text))
        return;
    PROBLEM p = make_problem(PROBLEM_CONVECTION, 5, 2, distribution_of_turn(_i, TEXTS), NULL, NULL);
    PREC *m = built(&p, text, NULL, NULL);
    HEAP T *n = prec_image(&p, m, 'N', NULL);
    for (const char *t = "NTC"; *t; t++) {
        HEAP T *got = prec_image(&p, m, *t, NULL), *want = image_op(p.n, n, *t);
        EXPECT(image_distance(p.n, got, want) < slack_of(text));
        GOOD(X(precapply)(m, p.b, p.x, *t));
        EXPECT(is_image_of(&p, want, slack_of(text)));
    }
    char words[200];
    struct psb_prec_options o;
    GOOD(X(precdescr)(m, words, sizeof words));
    GOOD(psb_prec_parse(words, &o));
    EXPECT(o.type == m->options.type && strstr(words, psb_prec_name(o.type)) == words);
    EXPECT(X(prec_bytes)(m) > 0 || psb_cd_local_rows(p.desc) == 0 || strcmp(text, "none") == 0);
}

/* New values give the bits of a preconditioner that is built for them; with theta, if no coupling becomes
 * weak or strong. */
TEST(new_values)
{
    const char *text = texts[_i % TEXTS];
    if (!offered(text))
        return;
    PROBLEM p = make_problem(PROBLEM_HPD, 5, 1, distribution_of_turn(_i, TEXTS), NULL, NULL);
    PREC *m = built(&p, text, NULL, NULL);
    HEAP T *before = prec_image(&p, m, 'N', NULL);
    GOOD(strstr(text, "theta") ? X(spscal)(2, p.a) : X(sp_scalpid)(2, p.a));
    GOOD(X(precupd)(m, p.a));
    PREC *fresh = built(&p, text, NULL, NULL);
    HEAP T *after = prec_image(&p, m, 'N', NULL), *want = prec_image(&p, fresh, 'N', NULL);
    EXPECT(memcmp(after, want, (size_t)(p.n * p.n) * sizeof *want) == 0);
    EXPECT(image_distance(p.n, after, before) > 0.1 || strcmp(text, "none") == 0);
}

/* The same results with matrix and vectors on the device, and with vectors that are not where the
 * preconditioner is. */
TEST(on_the_device)
{
    const char *text = texts[_i % TEXTS];
    if (!offered(text))
        return;
    PROBLEM p = make_problem(PROBLEM_CONVECTION, 5, 1, distribution_of_turn(_i, TEXTS), NULL, NULL);
    PREC *host = built(&p, text, NULL, NULL);
    GOOD(X(spcnv)(p.a, &X(csrg_mold).mat));
    PREC *dev = built(&p, text, NULL, &psb_vect_cuda);
    for (const char *t = "NTC"; *t; t++) {
        HEAP T *want = prec_image(&p, host, *t, NULL), *got = prec_image(&p, dev, *t, &psb_vect_cuda);
        HEAP T *mixed = prec_image(&p, dev, *t, NULL);
        EXPECT(image_distance(p.n, got, want) < slack_of(text));
        EXPECT(image_distance(p.n, mixed, want) < slack_of(text));
    }
}

/* The transfers of arrays: all but those of results of reductions. */
static long long array_transfers(void)
{
    const struct psb_transfer_counts all = psb_transfers(NULL);
    long long n = all.puts + all.gets;
    const char *cause;
    for (int i = 0; (cause = psb_transfers_cause(i)); i++)
        if (strncmp(cause, "scalar", 6) == 0)
            n -= psb_transfers(cause).puts + psb_transfers(cause).gets;
    return n;
}

/* Preconditioners that consist of products run where their operands are: nothing is transferred, but for
 * halos, and vectors of complex numbers for op T of multigrid. */
TEST(nothing_transferred)
{
    static const char *const of_products[] = { "none",
                                               "diag",
                                               "l1-jacobi",
                                               "ainv",
                                               "invk",
                                               "diag(precision=single)",
                                               "chebyshev",
                                               "neumann",
                                               "chebyshev(precision=single)",
                                               "gs",
                                               "ssor(omega=1.5)",
                                               "amg(coarse=4, cycle=W)" };
    const int k = _i % 2 ? 3 : 1, exchanges = _i / 2 >= 6;
    if (!offered(of_products[_i / 2]))
        return;
    PROBLEM p = make_problem(PROBLEM_CONVECTION, 6, k, EVEN, &X(csrg_mold).mat, &psb_vect_cuda);
    PREC *m = built(&p, of_products[_i / 2], NULL, NULL);
    for (const char *t = "NTC"; *t; t++) {
        GOOD(X(precapply)(m, p.b, p.x, *t));
        psb_transfers_reset();
        GOOD(X(precapply)(m, p.b, p.x, *t));
        EXPECT((np > 1 && exchanges) || (CPLX && *t == 'T' && _i / 2 == 11) || array_transfers() == 0);
    }
    EXPECT(p.x->v.valid == PSB_DEV);
}

static psb_err build_and_apply(const struct problem *p, const char *text, struct X(prec) **m)
{
    psb_err e = psb_agree(ctxt, X(precinit)(m, text));
    if (e == PSB_OK)
        e = X(precbld)(*m, p->a, NULL, NULL);
    if (e == PSB_OK)
        e = psb_agree(ctxt, X(precapply)(*m, p->b, p->x, 'N'));
    return e != PSB_OK ? e : psb_agree(ctxt, X(precapply)(*m, p->b, p->x, 'C'));
}

/* Each allocation that fails, on the last process, is an error on all. */
TEST(allocations)
{
    if (!offered(texts[_i]))
        return;
    PROBLEM p = make_problem(PROBLEM_CONVECTION, 4, 2, EVEN, NULL, NULL);
    int failed = 1;
    for (long n = 1; n < 1000 && failed; n += np) {
        PREC *m = NULL;
        psb_alloc_fail_at(me == np - 1 ? n : 0);
        psb_err e = build_and_apply(&p, texts[_i], &m);
        psb_alloc_fail_at(0);
        failed = collective_count(e != PSB_OK);
        EXPECT((failed == 0 || failed == np) && (e == PSB_OK || e == PSB_ENOMEM));
    }
    EXPECT(!failed);
}

/* An update that fails for lack of memory leaves the preconditioner as it was. */
TEST(failed_updates)
{
    if (!offered(texts[_i]))
        return;
    PROBLEM p = make_problem(PROBLEM_CONVECTION, 4, 1, EVEN, NULL, NULL);
    PREC *m = built(&p, texts[_i], NULL, NULL);
    HEAP T *before = prec_image(&p, m, 'N', NULL);
    int failed = 1;
    GOOD(X(sp_scalpid)(2, p.a));
    for (long n = 1; n < 1000 && failed; n += np) {
        psb_alloc_fail_at(me == np - 1 ? n : 0);
        psb_err e = X(precupd)(m, p.a);
        psb_alloc_fail_at(0);
        failed = collective_count(e != PSB_OK);
        EXPECT(failed == 0 || failed == np);
        HEAP T *now = prec_image(&p, m, 'N', NULL);
        EXPECT(!failed || strncmp(texts[_i], "chebyshev", 9) == 0 || strncmp(texts[_i], "neumann", 7) == 0 ||
               strncmp(texts[_i], "amg", 3) == 0 ||
               memcmp(now, before, (size_t)(p.n * p.n) * sizeof *now) == 0);
    }
    EXPECT(!failed);
}

/* --- several owners of a row --- */

/* Three diagonals on d, whose owners insert all their rows. */
static struct X(spmat) *line_on(psb_desc *d, psb_ipk n)
{
    struct X(spmat) *a = NULL;
    GOOD(X(spall)(&a, d, 3 * (psb_epk)n));
    for (psb_ipk l = 0; l < psb_cd_local_rows(d); l++) {
        const psb_lpk i = psb_loc_to_glob(d, l);
        for (psb_lpk j = i > 0 ? i - 1 : 0; j <= i + 1 && j < n; j++) {
            const T v = i == j ? MAKE(4, 1) : MAKE(-1, 0);
            GOOD(X(spins)(1, &i, &j, &v, a));
        }
    }
    GOOD(psb_cdasb(d));
    GOOD(X(spasb)(a, &X(csr_mold).mat, PSB_DUPL_ADD));
    return a;
}

/* Types made of blocks, and multigrid, refuse rows with several owners, the others take them. */
TEST(several_owners)
{
    enum { ROWS = 12 };
    PROBLEM p = { .n = ROWS };
    psb_lpk row[ROWS];
    psb_ipk m = 0;
    for (psb_ipk i = 0; i < ROWS; i++)
        if (i % np == me || i % np == (me + 1) % np)
            row[m++] = i;
    GOOD(psb_cdall_vl(&p.desc, ctxt, m, row));
    p.a = line_on(p.desc, ROWS);
    for (int i = 0; i < TEXTS && offered(texts[i]); i++) {
        PREC *w = NULL;
        GOOD(X(precinit)(&w, texts[i]));
        const int blocks = (w->options.type >= PSB_PREC_BJAC && w->options.type <= PSB_PREC_SSOR) ||
                           w->options.type == PSB_PREC_AMG;
        if (blocks && np > 1)
            BAD(X(precbld)(w, p.a, NULL, NULL), PSB_ENOTIMPL, "several owners");
        else
            GOOD(X(precbld)(w, p.a, NULL, NULL));
    }
    HEAP T *a = matrix_image(&p), *exact = image_inverse(ROWS, a);
    EXPECT(prec_distance(&p, "chebyshev(degree=12, eig_ratio=4)", exact) < 1e-3);
    EXPECT(prec_distance(&p, "neumann(degree=20)", exact) < 1e-3);
}

/* On a replicated descriptor the block of each process is the whole matrix. */
TEST(replicated)
{
    PROBLEM p = { .n = 12 };
    PREC *m = NULL;
    GOOD(psb_cdall_repl(&p.desc, ctxt, p.n));
    p.a = line_on(p.desc, p.n);
    HEAP T *a = matrix_image(&p), *exact = image_inverse(p.n, a);
    EXPECT(prec_distance(&p, "bjac(ilu0)", exact) < SMALL);
    EXPECT(prec_distance(&p, "ainv(inv_drop=0, inv_fill=64)", exact) < SMALL);
    EXPECT(prec_distance(&p, "chebyshev(degree=12, eig_ratio=4)", exact) < 1e-3);
    EXPECT(prec_distance(&p, "amg(coarse=12)", exact) < SMALL);
    EXPECT(prec_distance(&p, "amg(coarse=4)", exact) < 0.5);
    GOOD(X(precinit)(&m, "ras(overlap=1)"));
    BAD(X(precbld)(m, p.a, NULL, NULL), PSB_ENOTIMPL, "expected 0 for a replicated descriptor");
}

void prec_apply_tests(Suite *s)
{
    TCase *c = collective_tcase(s, "all types");
    ck_add_sampled_tests(c, TEXTS * EACH, operations, new_values, on_the_device);
    ck_add_loop_tests(c, 24, nothing_transferred);
    ck_add_loop_tests(c, TEXTS, allocations, failed_updates);
    prec_schwarz_tests(s);
    prec_inverses_tests(s);
    c = collective_tcase(s, "owners");
    ck_add_tests(c, several_owners, replicated);
    prec_polynomials_tests(s);
    prec_sweeps_tests(s);
    prec_amg_tests(s);
    prec_hostile_tests(s);
    prec_geometric_tests(s);
    prec_modes_tests(s);
}
