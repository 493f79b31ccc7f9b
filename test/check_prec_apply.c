/* check_prec_apply.c -- room: test.  What preconditioners compute, compared with dense matrices. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include "psb_cuda.h"
#include "prec_image.h"

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
    "ras(ilut, fill=3)",
    "ras(milu0, overlap=2)",
    "as(ilu0)",
    "ash(ilu0, sweeps=1, overlap=3)",
    "ainv(inv_drop=0.02)",
    "invk(fill=1)",
    "invt(fill=4, inv_drop=0.02)",
};
enum { TEXTS = sizeof texts / sizeof *texts };

/* Turn i of a test of n cases: three distributions for each case, all in turn. */
static enum distribution distribution_of(int i, int n)
{
    return (enum distribution)((i % n + 3 * (i / n)) % DISTRIBUTIONS);
}
enum { EACH = 3 };

static const double SMALL = 1000 * (double)EPS;

/* --- all types ------------------------------------------------------------------------------------------ */

/* Is y = image b, for all columns? */
static int is_image_of(const struct problem *p, const T *image)
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
            worst = fmax(worst, (double)ABS(sum - y[i * k + j]) / (1 + (double)ABS(sum)));
        }
    return worst < SMALL;
}

/* op(M)^-1 is the transpose or adjoint of M^-1, and columns do not affect each other. */
START_TEST(operations)
    {
        const char *text = texts[_i % TEXTS];
        struct problem p = make_problem(PROBLEM_CONVECTION, 5, 2, distribution_of(_i, TEXTS), NULL, NULL);
        struct X(prec) *m = built(&p, text, NULL, NULL);
        T *n = prec_image(&p, m, 'N', NULL);
        for (const char *t = "NTC"; *t; t++) {
            T *got = prec_image(&p, m, *t, NULL), *want = image_op(p.n, n, *t);
            EXPECT(image_distance(p.n, got, want) < SMALL);
            GOOD(X(precapply)(m, p.b, p.x, *t));
            EXPECT(is_image_of(&p, want));
            free(got);
            free(want);
        }
        char words[200];
        struct psb_prec_options o;
        GOOD(X(precdescr)(m, words, sizeof words));
        GOOD(psb_prec_parse(words, &o));
        EXPECT(o.type == m->options.type && strstr(words, psb_prec_name(o.type)) == words);
        EXPECT(X(prec_bytes)(m) > 0 || psb_cd_local_rows(p.desc) == 0 || strcmp(text, "none") == 0);
        free(n);
        X(precfree)(m);
        problem_free(&p);
    }
END_TEST

/* New values give the bits of a preconditioner that is built for them. */
START_TEST(new_values)
    {
        const char *text = texts[_i % TEXTS];
        struct problem p = make_problem(PROBLEM_HPD, 5, 1, distribution_of(_i, TEXTS), NULL, NULL);
        struct X(prec) *m = built(&p, text, NULL, NULL);
        T *before = prec_image(&p, m, 'N', NULL);
        GOOD(X(sp_scalpid)(2, p.a));
        GOOD(X(precupd)(m, p.a));
        struct X(prec) *fresh = built(&p, text, NULL, NULL);
        T *after = prec_image(&p, m, 'N', NULL), *want = prec_image(&p, fresh, 'N', NULL);
        EXPECT(memcmp(after, want, (size_t)(p.n * p.n) * sizeof *want) == 0);
        EXPECT(image_distance(p.n, after, before) > 0.1 || strcmp(text, "none") == 0);
        free(before);
        free(after);
        free(want);
        X(precfree)(fresh);
        X(precfree)(m);
        problem_free(&p);
    }
END_TEST

/* The same results with matrix and vectors on the device, and with vectors that are not where the
 * preconditioner is. */
START_TEST(on_the_device)
    {
        const char *text = texts[_i % TEXTS];
        struct problem p = make_problem(PROBLEM_CONVECTION, 5, 1, distribution_of(_i, TEXTS), NULL, NULL);
        struct X(prec) *host = built(&p, text, NULL, NULL);
        GOOD(X(spcnv)(p.a, &X(csrg_mold).mat));
        struct X(prec) *dev = built(&p, text, NULL, &psb_vect_cuda);
        for (const char *t = "NTC"; *t; t++) {
            T *want = prec_image(&p, host, *t, NULL), *got = prec_image(&p, dev, *t, &psb_vect_cuda);
            T *mixed = prec_image(&p, dev, *t, NULL);
            EXPECT(image_distance(p.n, got, want) < SMALL);
            EXPECT(image_distance(p.n, mixed, want) < SMALL);
            free(want);
            free(got);
            free(mixed);
        }
        X(precfree)(dev);
        X(precfree)(host);
        problem_free(&p);
    }
END_TEST

/* Preconditioners that consist of products run where their operands are: nothing is transferred, but for
 * halos. */
START_TEST(nothing_transferred)
    {
        static const char *const of_products[] = { "none", "diag",      "l1-jacobi", "ainv",
                                                   "invk", "chebyshev", "neumann" };
        const int k = _i % 2 ? 3 : 1, exchanges = _i / 2 >= 5;
        struct problem p = make_problem(PROBLEM_CONVECTION, 6, k, EVEN, &X(csrg_mold).mat, &psb_vect_cuda);
        struct X(prec) *m = built(&p, of_products[_i / 2], NULL, NULL);
        for (const char *t = "NTC"; *t; t++) {
            GOOD(X(precapply)(m, p.b, p.x, *t));
            psb_transfers_reset();
            GOOD(X(precapply)(m, p.b, p.x, *t));
            const struct psb_transfers all = psb_transfers(NULL);
            EXPECT((np > 1 && exchanges) || all.puts + all.gets == 0);
        }
        EXPECT(p.x->v.valid == PSB_DEV);
        X(precfree)(m);
        problem_free(&p);
    }
END_TEST

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
START_TEST(allocations)
    {
        struct problem p = make_problem(PROBLEM_CONVECTION, 4, 2, EVEN, NULL, NULL);
        int failed = 1;
        for (long n = 1; n < 1000 && failed; n += np) {
            struct X(prec) *m = NULL;
            psb_alloc_fail_at(me == np - 1 ? n : 0);
            psb_err e = build_and_apply(&p, texts[_i], &m);
            psb_alloc_fail_at(0);
            failed = collective_count(e != PSB_OK);
            EXPECT((failed == 0 || failed == np) && (e == PSB_OK || e == PSB_ENOMEM));
            X(precfree)(m);
        }
        EXPECT(!failed);
        problem_free(&p);
    }
END_TEST

/* An update that fails for lack of memory leaves the preconditioner as it was. */
START_TEST(failed_updates)
    {
        struct problem p = make_problem(PROBLEM_CONVECTION, 4, 1, EVEN, NULL, NULL);
        struct X(prec) *m = built(&p, texts[_i], NULL, NULL);
        T *before = prec_image(&p, m, 'N', NULL);
        int failed = 1;
        GOOD(X(sp_scalpid)(2, p.a));
        for (long n = 1; n < 1000 && failed; n += np) {
            psb_alloc_fail_at(me == np - 1 ? n : 0);
            psb_err e = X(precupd)(m, p.a);
            psb_alloc_fail_at(0);
            failed = collective_count(e != PSB_OK);
            EXPECT(failed == 0 || failed == np);
            T *now = prec_image(&p, m, 'N', NULL);
            EXPECT(!failed || strncmp(texts[_i], "chebyshev", 9) == 0 ||
                   strncmp(texts[_i], "neumann", 7) == 0 ||
                   memcmp(now, before, (size_t)(p.n * p.n) * sizeof *now) == 0);
            free(now);
        }
        EXPECT(!failed);
        free(before);
        X(precfree)(m);
        problem_free(&p);
    }
END_TEST

/* --- Schwarz methods ------------------------------------------------------------------------------------ */

/* ILU(0) of the m rows and columns ord[0..m) of a, in this order: L below the diagonal, without its ones, D U
 * on it and above.  full: with all fill. */
static T *factors_of(psb_ipk n, const T *a, psb_ipk m, const psb_ipk *ord, int full)
{
    T *f = image_op(n, a, 'N');
    for (psb_ipk i = 0; i < m; i++)
        for (psb_ipk k = 0; k < i; k++) {
            T *row = f + ord[i] * n;
            const T *up = f + ord[k] * n;
            row[ord[k]] /= up[ord[k]];
            for (psb_ipk j = k + 1; j < m; j++)
                if (full || a[ord[i] * n + ord[j]] != 0)
                    row[ord[j]] -= row[ord[k]] * up[ord[j]];
        }
    return f;
}

/* The product of these factors; elsewhere the identity. */
static T *ilu0_image(psb_ipk n, const T *a, psb_ipk m, const psb_ipk *ord)
{
    T *f = factors_of(n, a, m, ord, 0), *lu = image_identity(n);
    for (psb_ipk i = 0; i < m; i++)
        for (psb_ipk j = 0; j < m; j++) {
            T sum = 0;
            for (psb_ipk k = 0; k <= i && k <= j; k++)
                sum += (k < i ? f[ord[i] * n + ord[k]] : 1) * f[ord[k] * n + ord[j]];
            lu[ord[i] * n + ord[j]] = sum;
        }
    free(f);
    return lu;
}

/* ord = the rows owned here, then those within `levels` steps, in the order of psb_cdbldext; returns their
 * number. */
static psb_ipk block_rows(const struct problem *p, int levels, psb_ipk *ord)
{
    psb_desc *ext = NULL;
    psb_ipk m = psb_cd_local_rows(p->desc);
    if (levels > 0) {
        GOOD(X(cdbldext)(p->a, levels - 1, PSB_EXT_HALO, &ext));
        m = psb_cd_local_cols(ext);
    }
    for (psb_ipk l = 0; l < m; l++)
        ord[l] = (psb_ipk)psb_loc_to_glob(ext ? ext : p->desc, l);
    psb_cdfree(ext);
    return m;
}

/* The sum over the processes of R^T F^-1 R, where R has the rows of the extended block and F are its factors;
 * rows of the overlap are left out of R^T, columns of it of R, as the type says. */
static T *schwarz_image(const struct problem *p, int levels, int reads, int adds)
{
    const psb_ipk n = p->n;
    psb_ipk ord[MOST] = { 0 }, m = block_rows(p, levels, ord);
    char in[MOST] = { 0 };
    for (psb_ipk l = 0; l < m; l++)
        in[ord[l]] = l < psb_cd_local_rows(p->desc) ? 1 : 2;
    T *a = matrix_image(p), *lu = ilu0_image(n, a, m, ord), *sum = image_inverse(n, lu);
    for (psb_ipk e = 0; e < n * n; e++)
        if (!in[e / n] || !in[e % n] || (in[e / n] > 1 && !adds) || (in[e % n] > 1 && !reads))
            sum[e] = 0;
    GOOD(psb_sum(ctxt, (int)(n * n), sum, -1));
    free(a);
    free(lu);
    return sum;
}

START_TEST(schwarz_methods)
    {
        static const struct {
            const char *name;
            int reads, adds;
        } kinds[] = { { "bjac", 0, 0 }, { "ras", 1, 0 }, { "as", 1, 1 }, { "ash", 0, 1 } };
        const int kind = _i % 4, levels = kind ? _i / 4 % 4 : 0;
        struct problem p = make_problem(PROBLEM_CONVECTION, 6, 1, distribution_of(_i, 16), NULL, NULL);
        char text[40];
        snprintf(text, sizeof text, "%s(ilu0, overlap=%d)", kinds[kind].name, levels);
        struct X(prec) *m = built(&p, text, NULL, NULL);
        T *got = prec_image(&p, m, 'N', NULL),
          *want = schwarz_image(&p, levels, kinds[kind].reads, kinds[kind].adds);
        EXPECT(image_distance(p.n, got, want) < SMALL);
        free(got);
        free(want);
        X(precfree)(m);
        problem_free(&p);
    }
END_TEST

/* Without overlap the bits of all four are those of block Jacobi. */
START_TEST(no_overlap)
    {
        static const char *const kinds[] = { "ras(overlap=0)", "as(overlap=0)", "ash(overlap=0)" };
        struct problem p = make_problem(PROBLEM_CONVECTION, 5, 1, distribution_of(_i, 3), NULL, NULL);
        struct X(prec) *m = built(&p, kinds[_i % 3], NULL, NULL), *block = built(&p, "bjac", NULL, NULL);
        T *got = prec_image(&p, m, 'N', NULL), *want = prec_image(&p, block, 'N', NULL);
        EXPECT(memcmp(got, want, (size_t)(p.n * p.n) * sizeof *got) == 0);
        free(got);
        free(want);
        X(precfree)(m);
        X(precfree)(block);
        problem_free(&p);
    }
END_TEST

/* A value that is not finite on one process is an error on all, which names the row; so is another pattern,
 * and a missing pivot; the preconditioner stays as it was. */
START_TEST(schwarz_errors)
    {
        static const char *const kinds[] = { "bjac", "ras(ilu0)", "as(ilut)", "bjac(bilu0)" };
        struct problem p = make_problem(PROBLEM_CONVECTION, 4, 1, EVEN, NULL, NULL);
        struct X(prec) *m = built(&p, kinds[_i], NULL, NULL), *fresh = NULL;
        T *before = prec_image(&p, m, 'N', NULL);
        const psb_lpk i = 15;
        const T one = 1, nan = (T)NAN;
        struct X(spmat) *other = NULL;
        GOOD(X(precinit)(&fresh, "bjac"));
        GOOD(X(spall)(&other, p.desc, 1));
        if (psb_is_owned(p.desc, i))
            GOOD(X(spins)(1, &i, &i, &one, other));
        GOOD(X(spasb)(other, &X(csr_mold).mat, PSB_DUPL_ADD));
        BAD(X(precbld)(fresh, other, NULL, NULL), PSB_EPIVOT, "has no entry on the diagonal");
        if (_i != 2)
            BAD(X(precupd)(m, other), PSB_EARG, "another pattern");
        GOOD(X(sprn)(p.a, 0));
        if (psb_is_owned(p.desc, i))
            GOOD(X(spins)(1, &i, &i, &nan, p.a));
        GOOD(X(spasb)(p.a, NULL, PSB_DUPL_ADD));
        BAD(X(precupd)(m, p.a), PSB_EPIVOT, "row 1");
        T *after = prec_image(&p, m, 'N', NULL);
        EXPECT(memcmp(before, after, (size_t)(p.n * p.n) * sizeof *after) == 0);
        free(before);
        free(after);
        X(spfree)(other);
        X(precfree)(fresh);
        X(precfree)(m);
        problem_free(&p);
    }
END_TEST

/* --- approximate inverses ------------------------------------------------------------------------------- */

/* The inverse of the blocks that the processes own. */
static T *inverse_of_blocks(const struct problem *p)
{
    const psb_ipk n = p->n;
    T *a = matrix_image(p), *inverse;
    int owner[MOST] = { 0 };
    for (psb_ipk i = 0; i < n; i++)
        owner[i] = psb_is_owned(p->desc, i) ? me : 0;
    GOOD(psb_sum(ctxt, (int)n, owner, -1));
    for (psb_ipk e = 0; e < n * n; e++)
        if (owner[e / n] != owner[e % n])
            a[e] = 0;
    inverse = image_inverse(n, a);
    free(a);
    return inverse;
}

/* The distance of a preconditioner's image from `want`. */
static double distance_of(const struct problem *p, const char *text, const T *want)
{
    struct X(prec) *m = built(p, text, NULL, NULL);
    T *got = prec_image(p, m, 'N', NULL);
    const double d = image_distance(p->n, got, want);
    free(got);
    X(precfree)(m);
    return d;
}

/* Without dropping, AINV is the exact inverse; INVK and INVT are those of their factors. */
START_TEST(nothing_dropped)
    {
        static const char *const pairs[][2] = {
            { "invk(fill=0, inv_fill=64)", "bjac(ilu0)" },
            { "invk(fill=2, inv_fill=64)", "bjac(ilu(2))" },
            { "invt(fill=3, drop=0.01, inv_drop=0, inv_fill=64)", "bjac(ilut, fill=3, drop=0.01)" },
        };
        struct problem p = make_problem(PROBLEM_CONVECTION, 6, 1, (enum distribution)_i, NULL, NULL);
        T *exact = inverse_of_blocks(&p);
        EXPECT(distance_of(&p, "ainv(inv_drop=0, inv_fill=64)", exact) < SMALL);
        for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
            struct X(prec) *m = built(&p, pairs[i][1], NULL, NULL);
            T *want = prec_image(&p, m, 'N', NULL);
            EXPECT(distance_of(&p, pairs[i][0], want) < SMALL);
            free(want);
            X(precfree)(m);
        }
        free(exact);
        problem_free(&p);
    }
END_TEST

/* Entries are dropped, more of them with larger limits, and the inverse is the less accurate. */
START_TEST(dropping)
    {
        static const char *const texts_of[][4] = {
            { "ainv(inv_drop=0, inv_fill=64)", "ainv(inv_drop=0.01)", "ainv(inv_drop=0.1)",
              "ainv(inv_drop=0.3)" },
            { "ainv(inv_drop=0, inv_fill=64)", "ainv(inv_drop=0, inv_fill=6)", "ainv(inv_drop=0, inv_fill=3)",
              "ainv(inv_drop=0, inv_fill=1)" },
            { "invk(fill=9, inv_fill=64)", "invk(fill=9, inv_fill=3)", "invk(fill=9, inv_fill=1)",
              "invk(fill=9, inv_fill=0)" },
            { "invt(fill=64, drop=0, inv_drop=0, inv_fill=64)", "invt(fill=64, drop=0, inv_drop=0.01)",
              "invt(fill=64, drop=0, inv_drop=0.1)", "invt(fill=64, drop=0, inv_drop=0.3)" },
            { "invt(fill=64, drop=0, inv_drop=0, inv_fill=64)",
              "invt(fill=64, drop=0, inv_drop=0, inv_fill=6)",
              "invt(fill=64, drop=0, inv_drop=0, inv_fill=3)",
              "invt(fill=64, drop=0, inv_drop=0, inv_fill=1)" },
        };
        struct problem p = make_problem(PROBLEM_CONVECTION, np <= 3 ? 6 : 8, 1, EVEN, NULL, NULL);
        T *exact = inverse_of_blocks(&p);
        double before = SMALL, bytes = INFINITY;
        for (int i = 0; i < 4; i++) {
            struct X(prec) *m = built(&p, texts_of[_i][i], NULL, NULL);
            const double now = distance_of(&p, texts_of[_i][i], exact);
            double stored = (double)X(prec_bytes)(m);
            GOOD(psb_sum(ctxt, 1, &stored, -1)); /* on a process with few rows a limit may drop nothing */
            EXPECT(i == 0 ? now < before : now >= before && now < 0.6);
            EXPECT(stored < bytes);
            before = now;
            bytes = stored;
            X(precfree)(m);
        }
        free(exact);
        problem_free(&p);
    }
END_TEST

/* The inverse Z of the upper triangle u with ones on its diagonal, from Z u = I, with entries dropped from
 * each row by level and by size. */
static T *truncated_inverse(psb_ipk n, const T *u, int most, double drop)
{
    T *z = image_identity(n);
    for (psb_ipk i = 0; i < n; i++) {
        T *w = z + i * n;
        int level[MOST];
        for (psb_ipk j = 0; j < n; j++)
            level[j] = j == i ? -1 : INT_MAX;
        for (psb_ipk k = i; k < n; k++) {
            if (k > i && (level[k] > most || (double)ABS(w[k]) < drop))
                w[k] = 0;
            for (psb_ipk j = k + 1; j < n && w[k] != 0; j++)
                if (u[k * n + j] != 0) {
                    w[j] -= w[k] * u[k * n + j];
                    level[j] = level[j] < level[k] + 1 ? level[j] : level[k] + 1;
                }
        }
    }
    return z;
}

/* Z D^-1 W^T from the inverses of the factors of all rows. */
static T *inverse_of_factors(psb_ipk n, const T *a, int full, int most, double drop)
{
    psb_ipk ord[MOST] = { 0 };
    for (psb_ipk i = 0; i < n; i++)
        ord[i] = i;
    T *f = factors_of(n, a, n, ord, full), *u = image_identity(n), *lt = image_identity(n),
      *d = image_identity(n);
    for (psb_ipk i = 0; i < n; i++) {
        d[i * n + i] = 1 / f[i * n + i];
        for (psb_ipk j = i + 1; j < n; j++) {
            u[i * n + j] = f[i * n + j] / f[i * n + i];
            lt[i * n + j] = f[j * n + i];
        }
    }
    T *z = truncated_inverse(n, u, most, drop), *w = truncated_inverse(n, lt, most, drop);
    T *wt = image_op(n, w, 'T'), *dwt = image_product(n, d, wt), *inverse = image_product(n, z, dwt);
    T *const all[] = { f, u, lt, d, z, w, wt, dwt };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
    return inverse;
}

START_TEST(truncated_inverses)
    {
        static const struct {
            const char *text;
            int full, level;
            double drop;
        } kinds[] = {
            { "invk(inv_fill=0)", 0, 0, 0 },
            { "invk", 0, 1, 0 },
            { "invk(inv_fill=2)", 0, 2, 0 },
            { "invk(inv_fill=3)", 0, 3, 0 },
            { "invt(fill=64, drop=0, inv_drop=0.013, inv_fill=64)", 1, INT_MAX - 1, 0.013 },
        };
        struct problem p = make_problem(PROBLEM_CONVECTION, 6, 1, ONE_HAS_ALL, NULL, NULL);
        T *a = matrix_image(&p);
        T *want = inverse_of_factors(p.n, a, kinds[_i].full, kinds[_i].level, kinds[_i].drop);
        EXPECT(distance_of(&p, kinds[_i].text, want) < SMALL);
        free(a);
        free(want);
        problem_free(&p);
    }
END_TEST

/* With at most two entries beside the diagonal of a row, the two matrices have at most 3 n entries each. */
START_TEST(entries_of_a_row)
    {
        static const char *const kinds[] = { "ainv(inv_drop=0, inv_fill=2)",
                                             "invt(fill=9, inv_drop=0, inv_fill=2)",
                                             "ainv(inv_drop=0, inv_fill=0)",
                                             "invt(fill=9, inv_drop=0, inv_fill=0)" };
        struct problem p = make_problem(PROBLEM_CONVECTION, 8, 1, EVEN, NULL, NULL);
        struct X(prec) *m = built(&p, kinds[_i], NULL, NULL);
        const size_t n = (size_t)psb_cd_local_rows(p.desc), nz = (_i < 2 ? 3 : 1) * n;
        const size_t most = 2 * (nz * (sizeof(T) + sizeof(psb_ipk)) + (n + 1) * sizeof(psb_epk));
        EXPECT(X(prec_bytes)(m) <= most + 100);
        X(precfree)(m);
        problem_free(&p);
    }
END_TEST

/* AINV and INVK of a Hermitian matrix are Hermitian. */
START_TEST(hermitian_inverses)
    {
        static const char *const kinds[] = { "ainv", "invk", "ainv(inv_fill=1)" };
        struct problem p = make_problem(PROBLEM_HPD, 6, 1, distribution_of(_i, 3), NULL, NULL);
        struct X(prec) *m = built(&p, kinds[_i % 3], NULL, NULL);
        T *n = prec_image(&p, m, 'N', NULL), *c = image_op(p.n, n, 'C');
        EXPECT(image_distance(p.n, n, c) < SMALL);
        free(n);
        free(c);
        X(precfree)(m);
        problem_free(&p);
    }
END_TEST

/* A zero pivot is an error on all processes, which names its row; the option tiny replaces it. */
START_TEST(inverse_pivots)
    {
        static const char *const kinds[] = { "ainv", "invk", "invt" };
        struct problem p = make_problem(PROBLEM_CONVECTION, 4, 1, EVEN, NULL, NULL);
        struct X(prec) *m = built(&p, kinds[_i], NULL, NULL), *boosted = NULL;
        char text[40];
        snprintf(text, sizeof text, "%s(tiny=0.1)", kinds[_i]);
        GOOD(X(precinit)(&boosted, text));
        T *before = prec_image(&p, m, 'N', NULL);
        const psb_ipk first = 0;
        const T zero = 0;
        if (psb_is_owned(p.desc, 0))
            GOOD(X(sp_csput)(1, &first, &first, &zero, p.a, PSB_DUPL_OVERWRITE));
        BAD(X(precupd)(m, p.a), PSB_EPIVOT, "row 0 has the pivot 0");
        T *after = prec_image(&p, m, 'N', NULL);
        EXPECT(memcmp(before, after, (size_t)(p.n * p.n) * sizeof *after) == 0);
        GOOD(X(precbld)(boosted, p.a, NULL, NULL));
        free(before);
        free(after);
        X(precfree)(boosted);
        X(precfree)(m);
        problem_free(&p);
    }
END_TEST

/* --- several owners of a row -----------------------------------------------------------------------------
 */

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

/* Types made of blocks refuse rows with several owners, the others take them. */
START_TEST(several_owners)
    {
        enum { ROWS = 12 };
        struct problem p = { .n = ROWS };
        psb_lpk row[ROWS];
        psb_ipk m = 0;
        for (psb_ipk i = 0; i < ROWS; i++)
            if (i % np == me || i % np == (me + 1) % np)
                row[m++] = i;
        GOOD(psb_cdall_vl(&p.desc, ctxt, m, row));
        p.a = line_on(p.desc, ROWS);
        for (int i = 0; i < TEXTS; i++) {
            struct X(prec) *w = NULL;
            GOOD(X(precinit)(&w, texts[i]));
            const int blocks = w->options.type >= PSB_PREC_BJAC && w->options.type <= PSB_PREC_INVT;
            if (blocks && np > 1)
                BAD(X(precbld)(w, p.a, NULL, NULL), PSB_ENOTIMPL, "several owners");
            else
                GOOD(X(precbld)(w, p.a, NULL, NULL));
            X(precfree)(w);
        }
        T *a = matrix_image(&p), *exact = image_inverse(ROWS, a);
        EXPECT(distance_of(&p, "chebyshev(degree=12, eig_ratio=4)", exact) < 1e-3);
        EXPECT(distance_of(&p, "neumann(degree=20)", exact) < 1e-3);
        free(a);
        free(exact);
        problem_free(&p);
    }
END_TEST

/* On a replicated descriptor the block of each process is the whole matrix. */
START_TEST(replicated)
    {
        struct problem p = { .n = 12 };
        struct X(prec) *m = NULL;
        GOOD(psb_cdall_repl(&p.desc, ctxt, p.n));
        p.a = line_on(p.desc, p.n);
        T *a = matrix_image(&p), *exact = image_inverse(p.n, a);
        EXPECT(distance_of(&p, "bjac(ilu0)", exact) < SMALL);
        EXPECT(distance_of(&p, "ainv(inv_drop=0, inv_fill=64)", exact) < SMALL);
        EXPECT(distance_of(&p, "chebyshev(degree=12, eig_ratio=4)", exact) < 1e-3);
        GOOD(X(precinit)(&m, "ras(overlap=1)"));
        BAD(X(precbld)(m, p.a, NULL, NULL), PSB_ENOTIMPL, "expected 0 for a replicated descriptor");
        free(a);
        free(exact);
        X(precfree)(m);
        problem_free(&p);
    }
END_TEST

/* --- polynomials ---------------------------------------------------------------------------------------- */

/* D^-1 A and D^-1 for the image a. */
static T *scaled(psb_ipk n, const T *a, T **inverse)
{
    *inverse = image_identity(n);
    for (psb_ipk i = 0; i < n; i++)
        (*inverse)[i * n + i] = 1 / a[i * n + i];
    return image_product(n, *inverse, a);
}

/* a = b; b is freed. */
static void set(psb_ipk n, T *a, T *b)
{
    memcpy(a, b, (size_t)(n * n) * sizeof *a);
    free(b);
}

/* The series, summed term by term. */
START_TEST(neumann_series)
    {
        struct problem p = make_problem(PROBLEM_CONVECTION, 5, 1, distribution_of(_i, 4), NULL, NULL);
        char text[40];
        snprintf(text, sizeof text, "neumann(degree=%d)", _i % 4);
        struct X(prec) *m = built(&p, text, NULL, NULL);
        T *a = matrix_image(&p), *inverse, *b = scaled(p.n, a, &inverse), *one = image_identity(p.n);
        T *g = image_sum(p.n, 1, one, -1, b), *term = image_op(p.n, inverse, 'N'),
          *sum = image_op(p.n, term, 'N');
        for (int i = 0; i < _i % 4; i++) {
            set(p.n, term, image_product(p.n, g, term));
            set(p.n, sum, image_sum(p.n, 1, sum, 1, term));
        }
        T *got = prec_image(&p, m, 'N', NULL);
        EXPECT(image_distance(p.n, got, sum) < SMALL);
        T *const all[] = { a, inverse, b, one, g, term, sum, got };
        for (size_t i = 0; i < sizeof all / sizeof *all; i++)
            free(all[i]);
        X(precfree)(m);
        problem_free(&p);
    }
END_TEST

/* The estimate of the largest eigenvalue, from the polynomial of degree 0, which is D^-1 divided by the
 * middle of the interval. */
static double estimate(const struct problem *p, const char *text, double ratio)
{
    struct X(prec) *m = built(p, text, NULL, NULL);
    T *image = prec_image(p, m, 'N', NULL), *a = matrix_image(p);
    const double middle = 1 / (double)RE(image[0] * a[0]);
    free(image);
    free(a);
    X(precfree)(m);
    return 2 * middle / (1.1 + 1 / ratio);
}

/* Within 5 % below the known eigenvalue of the grid, and the same for all distributions. */
START_TEST(largest_eigenvalue)
    {
        const double pi = 3.14159265358979323846;
        const psb_ipk m = 8;
        struct problem p = make_problem(PROBLEM_HPD, m, 1, (enum distribution)_i, NULL, NULL);
        struct problem one = make_problem(PROBLEM_HPD, m, 1, ONE_HAS_ALL, NULL, NULL);
        const double off = (double)ABS(MAKE(-1, 0.25)), exact = (4.5 + 4 * off * cos(pi / (m + 1))) / 4.5;
        const double got = estimate(&p, "chebyshev(degree=0)", 30);
        EXPECT(got > 0.95 * exact && got < 1.01 * exact);
        EXPECT(fabs(got - estimate(&one, "chebyshev(degree=0)", 30)) < 1e-4 * exact);
        EXPECT(fabs(got - estimate(&p, "chebyshev(degree=0, eig_ratio=3)", 3)) < 1e-4 * exact);
        problem_free(&one);
        problem_free(&p);
    }
END_TEST

/* I - B p(B), which is T((middle - B) / half) / T(middle / half), T the Chebyshev polynomial of degree + 1.
 */
START_TEST(chebyshev_polynomial)
    {
        const int degree = _i % 6, n = 25;
        struct problem p = make_problem(_i / 6 % 2 ? PROBLEM_HPD : PROBLEM_CONVECTION, 5, 1,
                                        distribution_of(_i, 12), NULL, NULL);
        char text[60];
        snprintf(text, sizeof text, "chebyshev(degree=%d, eig_ratio=20)", degree);
        const double largest = estimate(&p, "chebyshev(degree=0, eig_ratio=20)", 20);
        const double middle = largest * (1.1 + 0.05) / 2, half = largest * (1.1 - 0.05) / 2;
        T *a = matrix_image(&p), *inverse, *b = scaled(n, a, &inverse), *one = image_identity(n);
        T *z = image_sum(n, (T)(middle / half), one, (T)(-1 / half), b);
        T *old = image_op(n, one, 'N'), *now = image_op(n, z, 'N');
        double s_old = 1, s_now = middle / half;
        for (int i = 0; i < degree; i++) {
            T *zt = image_product(n, z, now), *next = image_sum(n, 2, zt, -1, old);
            const double s_next = 2 * middle / half * s_now - s_old;
            set(n, old, now);
            now = next;
            s_old = s_now;
            s_now = s_next;
            free(zt);
        }
        T *want = image_sum(n, (T)(1 / s_now), now, 0, now);
        struct X(prec) *m = built(&p, text, NULL, NULL);
        T *pb = prec_image(&p, m, 'N', NULL), *bpb = image_product(n, pb, a);
        T *got = image_sum(n, 1, one, -1, bpb);
        EXPECT(image_distance(n, got, want) < SMALL);
        T *const all[] = { a, inverse, b, one, z, old, now, want, pb, bpb, got };
        for (size_t i = 0; i < sizeof all / sizeof *all; i++)
            free(all[i]);
        X(precfree)(m);
        problem_free(&p);
    }
END_TEST

/* A matrix of one row, and one whose values are not finite. */
START_TEST(polynomials_at_the_edge)
    {
        struct problem p = make_problem(PROBLEM_CONVECTION, 1, 1, EVEN, NULL, NULL);
        struct X(prec) *m = NULL;
        T *a = matrix_image(&p), *one = image_identity(1);
        m = built(&p, "chebyshev(degree=5, eig_ratio=2)", NULL, NULL);
        T *got = prec_image(&p, m, 'N', NULL), *product = image_product(1, a, got);
        EXPECT(image_distance(1, product, one) < 0.01);
        struct problem wide = make_problem(PROBLEM_CONVECTION, 4, 1, EVEN, NULL, NULL);
        psb_lpk i = 1, j = 0;
        T nan = (T)NAN;
        GOOD(X(sprn)(wide.a, 0));
        if (psb_is_owned(wide.desc, 1))
            GOOD(X(spins)(1, &i, &j, &nan, wide.a));
        GOOD(X(spasb)(wide.a, NULL, PSB_DUPL_ADD));
        BAD(X(precbld)(m, wide.a, NULL, NULL), PSB_EPIVOT, "expected a finite one");
        T *again = prec_image(&p, m, 'N', NULL);
        EXPECT(*again == *got);
        T *const all[] = { a, one, got, product, again };
        for (size_t l = 0; l < sizeof all / sizeof *all; l++)
            free(all[l]);
        X(precfree)(m);
        problem_free(&wide);
        problem_free(&p);
    }
END_TEST

void prec_apply_tests(Suite *s)
{
    TCase *c = collective_tcase(s, "all types");
    ck_add_sampled_test(c, operations, TEXTS * EACH);
    ck_add_sampled_test(c, new_values, TEXTS * EACH);
    ck_add_sampled_test(c, on_the_device, TEXTS * EACH);
    ck_add_loop_test(c, nothing_transferred, 14);
    ck_add_loop_test(c, allocations, TEXTS);
    ck_add_loop_test(c, failed_updates, TEXTS);
    c = collective_tcase(s, "schwarz");
    ck_add_sampled_test(c, schwarz_methods, 16 * EACH);
    ck_add_sampled_test(c, no_overlap, 3 * EACH);
    ck_add_loop_test(c, schwarz_errors, 4);
    c = collective_tcase(s, "approximate inverses");
    ck_add_loop_test(c, nothing_dropped, DISTRIBUTIONS);
    ck_add_loop_test(c, dropping, 5);
    ck_add_loop_test(c, truncated_inverses, 5);
    ck_add_loop_test(c, entries_of_a_row, 4);
    ck_add_sampled_test(c, hermitian_inverses, 3 * EACH);
    ck_add_loop_test(c, inverse_pivots, 3);
    c = collective_tcase(s, "owners");
    tcase_add_test(c, several_owners);
    tcase_add_test(c, replicated);
    c = collective_tcase(s, "polynomials");
    ck_add_sampled_test(c, neumann_series, 4 * EACH);
    ck_add_loop_test(c, largest_eigenvalue, DISTRIBUTIONS);
    ck_add_sampled_test(c, chebyshev_polynomial, 12 * EACH);
    tcase_add_test(c, polynomials_at_the_edge);
}
