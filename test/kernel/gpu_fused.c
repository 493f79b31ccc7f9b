/* gpu_fused.c -- test/kernel: psb_spmv_fused on one GPU and the separate calls it replaces, for one
 * scalar, in each format that fuses them into the pass of the product; all measured in one run.
 *
 *     gpu_fused [--type TYPE] [N [ROUNDS]]
 *
 * The matrix is lap7:N, default 200.  Each of ROUNDS rounds, default
 * 5, has 10 calls of each kind in sequence, after 3 that are not counted.  Times are medians of all rounds in
 * milliseconds by the host's clock, from the call to its return, including the copy of the sums to the host;
 * without sums, until the device has finished.  Results are compared first: a wrong one ends the program.
 * PSB_DEVICE=fake runs the program without a GPU; its times mean nothing. */
#include "psb_cuda_format.h"
#include "psb_util.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "bench.h"
#include "psb_type.h"
#include "matrix.h"

enum { WARM = 3, REPS = 10, MOST_ROUNDS = 99 };

static int rounds;

struct operands {
    psb_ipk n; /* side of the cube */
    psb_desc *d;
    struct X(spmat) *a;
    struct X(vect) *x, *y, *z, *u;
    T dots[PSB_MOST_DOTS];
};

/* --- what is timed --- */

/* y = A x; z = y - z / 2 if `sums`; and the first `ndots` of <x,y>, or with `sums` <x,y>, <z,z>, <u,z>. */
static const struct kind {
    const char *name;
    bool sums;
    int ndots;
} kinds[] = { { "<x,y>", false, 1 }, { "z", true, 0 }, { "z, 3 dots", true, 3 } },
  product = { .name = "product" };
enum { KINDS = sizeof kinds / sizeof *kinds, FUSED = 0, APART, WAYS };

static void run_fused(struct operands *t, const struct kind *k)
{
    const struct X(epilogue) e = { .gamma = k->sums ? 1 : 0,
                                   .delta = k->sums ? -0.5 : 0,
                                   .z = k->sums ? t->z : NULL,
                                   .ndots = k->ndots,
                                   .dot = { { t->x, t->y }, { t->z, t->z }, { t->u, t->z } } };
    good(X(spmv_fused)(1, t->a, t->x, 0, t->y, 'N', &e, k->ndots ? t->dots : NULL), "psb_spmv_fused");
}

static void run_apart(struct operands *t, const struct kind *k)
{
    struct X(vect) *left[] = { t->x, t->z, t->u }, *right[] = { t->y, t->z, t->z };
    good(X(spmv)(1, t->a, t->x, 0, t->y, 'N'), "psb_spmv");
    if (k->sums)
        good(X(geaxpby)(1, t->y, -0.5, t->z), "psb_geaxpby");
    if (k->ndots == 1)
        good(X(gedot)(t->x, t->y, t->dots), "psb_gedot");
    else if (k->ndots > 1)
        good(X(gedots)(k->ndots, left, right, t->dots), "psb_gedots");
}

static void run(struct operands *t, const struct kind *k, int way)
{
    (way == FUSED ? run_fused : run_apart)(t, k);
}

/* --- times --- */

static void time_calls(struct operands *t, const struct kind *k, int way, double *ms)
{
    for (int i = -WARM; i < REPS; i++) {
        const double begun = psb_wtime();
        run(t, k, way);
        const double seconds = now() - begun;
        if (i >= 0)
            ms[i] = 1e3 * seconds;
    }
}

static void fill(struct operands *t)
{
    good(X(set_scal)(1.5, t->x), "x");
    good(X(set_scal)(0.25, t->z), "z");
    good(X(set_scal)(2, t->u), "u");
    good(X(set_scal)(7, t->y), "y");
}

/* Check that both ways give the same results, up to the order of sums. */
static void compare(struct operands *t, int kind)
{
    T first[PSB_MOST_DOTS];
    R norm[2];
    fill(t);
    run(t, &kinds[kind], FUSED);
    for (int i = 0; i < PSB_MOST_DOTS; i++)
        first[i] = t->dots[i];
    good(X(genrm2)(t->z, &norm[0]), "norm");
    fill(t);
    run(t, &kinds[kind], APART);
    good(X(genrm2)(t->z, &norm[1]), "norm");
    const double n = pow(t->n, 3);
    for (int i = 0; i < kinds[kind].ndots; i++)
        if (!((double)ABS(first[i] - t->dots[i]) <= 64 * (EPS + n * 1e-16) * (double)ABS(t->dots[i])))
            stop(X(sp_fmt)(t->a), "a dot product is wrong");
    if (!(fabs((double)(norm[0] - norm[1])) <= 64 * EPS * (double)norm[1]))
        stop(X(sp_fmt)(t->a), "z is wrong");
}

/* Time the ways in turn, beginning with another one in each round, so that none always follows the same
 * one. */
static void measure(struct operands *t)
{
    static double ms[KINDS][WAYS][MOST_ROUNDS * REPS], alone[MOST_ROUNDS * REPS];
    for (int k = 0; k < KINDS; k++)
        compare(t, k);
    for (int i = 0; i < rounds; i++) {
        time_calls(t, &product, APART, alone + i * REPS);
        for (int k = 0; k < KINDS; k++)
            for (int w = 0; w < WAYS; w++)
                time_calls(t, &kinds[k], (w + i) % WAYS, ms[k][(w + i) % WAYS] + i * REPS);
    }
    printf("%-8s %9.4f", X(sp_fmt)(t->a), median_of(alone, rounds * REPS));
    for (int k = 0; k < KINDS; k++) {
        const double fused = median_of(ms[k][0], rounds * REPS),
                     separate = median_of(ms[k][1], rounds * REPS);
        printf("  %9.4f %9.4f %6.3f", separate, fused, separate / fused);
    }
    puts("");
}

/* --- the matrix --- */

static void make(struct operands *t, psb_ctxt *ctxt)
{
    struct X(vect) **const v[] = { &t->x, &t->y, &t->z, &t->u };
    struct X(triplets) entries;
    char what[32];
    snprintf(what, sizeof what, "lap7:%d", t->n);
    good(X(matrix_own)(ctxt, what, &entries), what);
    good(X(matrix_assemble)(ctxt, &entries, &X(csr_mold).mat, &t->d, &t->a), what);
    X(triplets_free)(&entries);
    for (int i = 0; i < 4; i++) {
        good(X(geall)(v[i], t->d), "vector");
        good(X(geasb)(*v[i], &psb_vect_cuda), "vector");
    }
}

static bool is_fused(const struct X(mat) *mold)
{
    return X(mat_dev)(mold)->csmv_fused != NULL;
}

static void measure_all(psb_ctxt *ctxt, psb_ipk n)
{
    struct operands t = { .n = n };
    const struct X(mat) *mold;
    make(&t, ctxt);
    printf("lap7:%d, type %c, milliseconds: the product; separate calls, fused, times as fast\n", n, LETTER);
    printf("%-8s %9s", "", "product");
    for (int k = 0; k < KINDS; k++)
        printf("  %26s", kinds[k].name);
    puts("");
    for (int i = 0; (mold = X(mat_format)(i)); i++)
        if (is_fused(mold)) {
            good(X(spcnv)(t.a, mold), mold->ops->fmt);
            measure(&t);
        }
    X(gefree)(t.x);
    X(gefree)(t.y);
    X(gefree)(t.z);
    X(gefree)(t.u);
    X(spfree)(t.a);
    psb_cdfree(t.d);
}

int X(gpu_fused)(int argc, char **argv)
{
    const int n = argument(argc, argv, 1, 1, 400, 200);
    rounds = argument(argc, argv, 2, 1, MOST_ROUNDS, 5);
    psb_ctxt *ctxt = start_on_device();
    measure_all(ctxt, n);
    finish(ctxt);
    return EXIT_SUCCESS;
}
