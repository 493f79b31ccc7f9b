/* gpu_algebra.c -- test/kernel: products, sums and transposes of sparse matrices on a GPU by PSBC and by
 * cuSPARSE, in one run; --help describes it. */
#include "psb_cuda_format.h"
#include "psb_pool.h"
#include "psb_testing.h"
#include "psb_util.h"
#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "psb_type.h"
#include "bench.h"
#include "matrix.h"
#ifdef WITH_CUSPARSE
#include "cu.h"
#include "peers_algebra.h"
#endif

static const char help[] =
    "gpu_algebra [OPTION]... MATRIX...\n"
    "\n"
    "A, a square MATRIX (lap7:128, another of psb_gen.h, or a Matrix Market file), is in CSRG.\n"
    "Milliseconds are medians; they include allocating the result, and freeing it, from memory that both\n"
    "libraries keep.  The ratio is cuSPARSE's time over PSBC's, of the fastest algorithm.\n"
    "  square      A A, by each algorithm of cuSPARSE, with the bytes of the result and of work space\n"
    "  again       new values of it, by SpGEMMreuse\n"
    "  sum         2 A + 3 A, by csrgeam2\n"
    "  transpose   by Csr2cscEx2\n"
    "  colours     psb_sp_colour, whose result is on the host, by csrcolor\n"
    "  triple      P^H A P in one call, P being the prolongator of a smoothed aggregation, by two products\n"
    "              of cuSPARSE, which is given the transpose of P\n"
    "The results of the device are compared with those of the host bit by bit unless A A has more than 2^26\n"
    "entries.\n"
    "\n"
    "  --type T    s, d, c or z (d)\n";

enum { ROUNDS = 9, WARM = 2, QUANTITIES = 7 };
static int wrong;
static const char *const name_of[] = { "square",  "again",  "sum",         "transpose",
                                       "colours", "triple", "triple again" };

/* A here and, as `whole`, with descriptors; A A and P^H A P for new values. */
struct job {
    struct X(mat) *a;
    struct X(spmat) *whole, *c, *p, *pap;
    psb_desc *desc, *coarse;
};

static void square(void *arg)
{
    struct X(mat) *c;
    good(X(mat_spspmm)(((struct job *)arg)->a, ((struct job *)arg)->a, &c), "product");
    X(mat_free)(c);
}

static void again(void *arg)
{
    struct job *j = arg;
    good(X(spgemm_again)(1, j->whole, j->whole, 0, NULL, j->c), "product again");
}

static void sum(void *arg)
{
    struct X(mat) *c;
    good(X(mat_spaxpby)(2, ((struct job *)arg)->a, 3, ((struct job *)arg)->a, NULL, &c), "sum");
    X(mat_free)(c);
}

static void transpose(void *arg)
{
    struct X(mat) *t;
    good(X(mat_transp)(((struct job *)arg)->a, &t), "transpose");
    X(mat_free)(t);
}

static void triple(void *arg)
{
    struct X(spmat) *c;
    good(X(sprap)(NULL, ((struct job *)arg)->whole, ((struct job *)arg)->p, &X(csrg_mold).mat, &c),
         "P^H A P");
    X(spfree)(c);
}

static void triple_again(void *arg)
{
    struct job *j = arg;
    good(X(sprap_again)(NULL, j->whole, j->p, j->pap), "P^H A P again");
}

static psb_ipk colours_found;

static void colours(void *arg)
{
    struct psb_i_vect *v;
    good(X(sp_colour)(((struct job *)arg)->whole, 1, &v, &colours_found), "colours");
    psb_i_gefree(v);
}

/* Bytes that a product takes from the device, with its result: all stays in the pool. */
static double bytes_of_square(struct job *j)
{
#ifdef WITH_CUSPARSE
    size_t before, after, all;
    if (!psb_cuda_stream())
        return NAN;
    psb_pool_trim(0);
    cu(cudaMemGetInfo(&before, &all), "memory");
    square(j);
    cu(cudaMemGetInfo(&after, &all), "memory");
    return (double)(before - after);
#else
    (void)j;
    return NAN;
#endif
}

/* --- comparison with the host --------------------------------------------------------------------------- */

static bool same(struct X(mat) *a, struct X(mat) *b)
{
    struct psb_dual *p[PSB_MOST_ARRAYS], *q[PSB_MOST_ARRAYS];
    const void *v, *w;
    bool equal = true;
    for (int i = X(mat_arrays)(a, p) - 1; i >= 0; i--) {
        (void)X(mat_arrays)(b, q);
        good(psb_dual_read(p[i], PSB_HOST, &v), "array");
        good(psb_dual_read(q[i], PSB_HOST, &w), "array");
        equal &= p[i]->bytes == q[i]->bytes && memcmp(v, w, p[i]->bytes) == 0;
    }
    return equal;
}

static void compare(const char *what, struct X(mat) *want, struct X(mat) *got)
{
    if (!same(want, got)) {
        printf("  %s: DIFFERENT\n", what);
        wrong++;
    }
    X(mat_free)(want);
    X(mat_free)(got);
}

static void compare_all(const struct job *j, struct X(mat) *rows)
{
    const struct X(mat) *own;
    struct X(mat) *want, *got;
    good(X(mat_spspmm)(rows, rows, &want), "product");
    good(X(sp_local)(j->c, &own, NULL, NULL), "product");
    good(X(mat_clone)(own, &got), "copy");
    compare("square", want, got);
    good(X(mat_spaxpby)(2, rows, 3, rows, NULL, &want), "sum");
    good(X(mat_spaxpby)(2, j->a, 3, j->a, NULL, &got), "sum");
    compare("sum", want, got);
    good(X(mat_transp)(rows, &want), "transpose");
    good(X(mat_transp)(j->a, &got), "transpose");
    compare("transpose", want, got);
}

/* --- the peer ------------------------------------------------------------------------------------------- */

#ifdef WITH_CUSPARSE
struct product {
    struct X(algebra_peer) *a, *b;
    int algorithm;
    size_t bytes;
    bool can;
};

static void peer_product(void *arg)
{
    struct product *q = arg;
    q->can = X(peer_product)(q->a, q->b, q->algorithm, &q->bytes);
}

/* Seconds of the fastest algorithm for A B. */
static double time_product(struct X(algebra_peer) *a, struct X(algebra_peer) *b)
{
    double best = NAN;
    for (int k = 1; k <= 3; k++) {
        struct product q = { a, b, k, 0, true };
        const double s = median_time(WARM, ROUNDS, peer_product, &q);
        printf(q.can ? "  cuSPARSE ALG%d %10.3f ms %8.1f MB\n" : "  cuSPARSE ALG%d refuses\n", k, 1e3 * s,
               1e-6 * (double)q.bytes);
        if (q.can)
            best = fmin(isnan(best) ? INFINITY : best, s);
    }
    return best;
}

static struct X(algebra_peer) *peer_of(const struct X(spmat) *a)
{
    const struct X(mat) *own;
    good(X(sp_local)(a, &own, NULL, NULL), "matrix");
    return X(algebra_peer_make)((struct X(mat) *)(uintptr_t)own);
}

/* A P, then the transpose of P by that. */
static double time_triple(const struct job *j)
{
    struct X(spmat) *ap;
    struct X(mat) *t;
    good(X(spspmm)(j->whole, j->p, &X(csrg_mold).mat, &ap), "A P");
    struct X(algebra_peer) *a = peer_of(j->whole), *p = peer_of(j->p), *c = peer_of(ap);
    const struct X(mat) *own;
    good(X(sp_local)(j->p, &own, NULL, NULL), "P");
    good(X(mat_transp)(own, &t), "transpose of P");
    struct X(algebra_peer) *r = X(algebra_peer_make)(t);
    const double seconds = time_product(a, p) + time_product(r, c);
    X(algebra_peer_free)(a);
    X(algebra_peer_free)(p);
    X(algebra_peer_free)(c);
    X(algebra_peer_free)(r);
    X(mat_free)(t);
    X(spfree)(ap);
    return seconds;
}

static void time_peer(const struct job *j, double *t)
{
    struct X(algebra_peer) *p = X(algebra_peer_make)(j->a);
    t[0] = time_product(p, p);
    X(peer_reuse)(p);
    t[1] = median_time(WARM, ROUNDS, X(peer_again), p);
    t[2] = median_time(WARM, ROUNDS, X(peer_sum), p);
    t[3] = median_time(WARM, ROUNDS, X(peer_transpose), p);
    t[4] = median_time(WARM, ROUNDS, X(peer_colours), p);
    printf("  cuSPARSE finds %d colours\n", X(peer_colours_found)(p));
    X(algebra_peer_free)(p);
    t[5] = time_triple(j);
}
#endif

/* --- matrices ------------------------------------------------------------------------------------------- */

/* A, A A, P and P^H A P with descriptors. */
static void make_products(psb_ctxt *ctxt, const char *what, struct job *j)
{
    struct X(triplets) t;
    good(X(matrix_own)(ctxt, what, &t), what);
    good(X(matrix_assemble)(ctxt, &t, &X(csr_mold).mat, &j->desc, &j->whole), what);
    X(triplets_free)(&t);
    X(matrix_prolongator)(j->whole, &j->coarse, &j->p);
    good(X(spcnv)(j->whole, &X(csrg_mold).mat), "CSRG");
    good(X(spcnv)(j->p, &X(csrg_mold).mat), "CSRG");
    good(X(spspmm)(j->whole, j->whole, &X(csrg_mold).mat, &j->c), "product");
    good(X(sprap)(NULL, j->whole, j->p, &X(csrg_mold).mat, &j->pap), "P^H A P");
}

static void free_products(struct job *j)
{
    X(spfree)(j->whole);
    X(spfree)(j->c);
    X(spfree)(j->p);
    X(spfree)(j->pap);
    psb_cdfree(j->desc);
    psb_cdfree(j->coarse);
}

static void run(psb_ctxt *ctxt, const char *what)
{
    static void (*const calls[])(void *) = { square, again, sum, transpose, colours, triple, triple_again };
    double peers[QUANTITIES];
    struct job j;
    char name[64];
    struct X(coo_mat) *s;
    struct X(mat) *rows;
    const psb_epk before = psb_cuda_convert_from(0);
    matrix_name(name, sizeof name, what);
    good(X(matrix_one)(ctxt, what, &s), what);
    good(X(mat_convert)(&s->mat, &X(csr_mold).mat, &rows), "CSR");
    good(X(mat_convert)(&s->mat, &X(csrg_mold).mat, &j.a), "CSRG");
    good(X(mat_scal)(j.a, 1), "CSRG");
    X(mat_free)(&s->mat);
    make_products(ctxt, what, &j);
    printf("%s: type %c, %d rows, %lld entries, %lld in A A, %.1f MB taken\n", what, LETTER, j.a->nrows,
           (long long)j.a->nnz, (long long)X(sp_nnz)(j.c), 1e-6 * bytes_of_square(&j));
    for (int k = 0; k < QUANTITIES; k++)
        peers[k] = NAN;
#ifdef WITH_CUSPARSE
    if (psb_cuda_stream())
        time_peer(&j, peers);
#endif
    for (int k = 0; k < QUANTITIES; k++) {
        const double t = median_time(WARM, ROUNDS, calls[k], &j);
        printf("  %-12s %10.3f ms  cuSPARSE %10.3f ms  ratio %.2f\n", name_of[k], 1e3 * t, 1e3 * peers[k],
               peers[k] / t);
        record(name, LETTER, 1, "CSRG", name_of[k], 1e3 * t, "ms");
        record(name, LETTER, 1, "cuSPARSE", name_of[k], 1e3 * peers[k], "ms");
        fflush(stdout);
    }
    printf("  %d colours\n", colours_found);
    if (X(sp_nnz)(j.c) <= 1 << 26)
        compare_all(&j, rows);
    psb_cuda_convert_from(before);
    free_products(&j);
    X(mat_free)(j.a);
    X(mat_free)(rows);
}

int X(gpu_algebra)(int argc, char **argv)
{
    static const struct flag table[] = { { 0 } };
    read_command(argc, argv, table, help);
    psb_ctxt *ctxt = start_on_device();
    psb_pool_limit(SIZE_MAX);
    for (int i = optind; i < argc; i++)
        run(ctxt, argv[i]);
    finish(ctxt);
    return wrong ? EXIT_FAILURE : EXIT_SUCCESS;
}
