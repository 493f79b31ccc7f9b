/* check_band.c -- test: banded systems in arrays, on the host and on a device. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif
#include "psb_cuda.h"
#include "check_raw.h"
#include "worst.h"

enum { KINDS = 8, LAYOUTS = 4, MOST_BANDS = 2 * PSB_MOST_WIDTH + 1, UNUSED = 55 };

/* Systems in arrays of `len` elements, with their right-hand sides in x. */
struct systems {
    psb_band b;
    psb_epk len;
    T *diag[MOST_BANDS], *x;
};

static void free_systems(struct systems *p)
{
    for (int d = 0; d < MOST_BANDS; d++)
        free(p->diag[d]);
    free(p->x);
}

#define SYSTEMS OWNER(free_systems) struct systems

static T *filled_array(psb_epk n, T a)
{
    T *x = malloc((size_t)(n + 1) * sizeof *x);
    ck_assert_ptr_nonnull(x);
    for (psb_epk i = 0; i <= n; i++)
        x[i] = a;
    return x;
}

static psb_epk place_of(const psb_band *b, psb_ipk s, psb_ipk i, int c)
{
    return i * b->row + s * b->system + c * b->rhs;
}

static bool is_outside(const psb_band *b, psb_ipk i, int d)
{
    return !b->periodic && (i + d - b->width < 0 || i + d - b->width >= b->n);
}

/* Element d of row i of system s, which does not depend on the layout; d beyond the diagonals: right-hand
 * sides. Without pivoting matrices are diagonally dominant. */
static T value_of(const psb_band *b, psb_ipk s, psb_ipk i, int d)
{
    struct rng r = { (uint64_t)(((psb_epk)s * 100000 + i) * 16 + d) };
    const T v = random_scalar(&r);
    return d == b->width && !b->pivot ? v + 10 : v;
}

/* Systems of a kind: bits of width - 1, pivot, periodic; layout: one after the other, interleaved, each with
 * gaps or not; all elements are multiplied by `scale`. */
static struct systems make_systems(int kind, int layout, psb_ipk n, psb_ipk systems, int nrhs, R scale)
{
    const int gap = layout / 2;
    struct systems p = { .b = { .width = 1 + kind % 2,
                                .pivot = kind / 2 % 2,
                                .periodic = kind / 4,
                                .n = n,
                                .systems = systems,
                                .nrhs = nrhs } };
    psb_band *b = &p.b;
    b->row = layout % 2 ? systems + gap : 1 + gap;
    b->system = layout % 2 ? 1 : n * b->row + gap;
    b->rhs = layout % 2 ? n * b->row + gap : systems * b->system + gap;
    p.len = b->rhs * nrhs;
    for (int d = 0; d <= 2 * b->width; d++)
        p.diag[d] = filled_array(p.len, UNUSED);
    p.x = filled_array(p.len, UNUSED);
    for (psb_ipk s = 0; s < systems; s++)
        for (psb_ipk i = 0; i < n; i++) {
            for (int d = 0; d <= 2 * b->width; d++)
                p.diag[d][place_of(b, s, i, 0)] = is_outside(b, i, d) ? (T)NAN : scale * value_of(b, s, i, d);
            for (int c = 0; c < nrhs; c++)
                p.x[place_of(b, s, i, c)] = scale * value_of(b, s, i, 8 + c);
        }
    return p;
}

/* psb_band_solve of copies of the arrays on the device. */
static psb_err solve_on_device(const struct systems *p)
{
    const struct psb_device *on = psb_cuda_device();
    const size_t bytes = (size_t)p->len * sizeof(T);
    const T *diag[MOST_BANDS] = { NULL };
    void *x, *copy[MOST_BANDS] = { NULL };
    for (int d = 0; d <= 2 * p->b.width; d++) {
        OK(on->alloc(&copy[d], bytes + 8, "a diagonal"));
        OK(on->put(copy[d], p->diag[d], bytes));
        diag[d] = copy[d];
    }
    OK(on->alloc(&x, bytes + 8, "right-hand sides"));
    OK(on->put(x, p->x, bytes));
    const psb_err e = psb_band_solve(&p->b, diag, (T *)x, &psb_vect_cuda);
    OK(on->get(p->x, x, bytes));
    on->free(x);
    for (int d = 0; d <= 2 * p->b.width; d++)
        on->free(copy[d]);
    return e;
}

static psb_err solve(const struct systems *p)
{
    const T *diag[MOST_BANDS];
    memcpy(diag, p->diag, sizeof diag);
    return psb_band_solve(&p->b, diag, p->x, NULL);
}

/* Check the solution x of system s for right-hand side c, which depends on no layout, by the residual. */
static void solution_is(const struct systems *p, psb_ipk s, int c, R scale)
{
    const psb_band *b = &p->b;
    const psb_ipk n = b->n;
    double most_x = 0, most_b = 0, most_a = 0, most_r = 0;
    for (psb_ipk i = 0; i < n; i++) {
        double complex r = value_of(b, s, i, 8 + c);
        double sum = 0;
        most_b = fmax(most_b, cabs(r));
        most_x = fmax(most_x, (double)ABS(p->x[place_of(b, s, i, c)]));
        for (int d = 0; d <= 2 * b->width; d++)
            if (!is_outside(b, i, d)) {
                const psb_ipk j = ((i + d - b->width) % n + n) % n;
                const double complex v = value_of(b, s, i, d);
                r -= v * p->x[place_of(b, s, j, c)];
                sum += cabs(v);
            }
        most_a = fmax(most_a, sum);
        most_r = worse(most_r, cabs(r));
    }
    if (!(most_r <= 100 * (double)EPS * (most_a * most_x + most_b)))
        ck_abort_msg("n %d, width %d, pivot %d, periodic %d, scale %g: residual %g", n, b->width, b->pivot,
                     b->periodic, (double)scale, most_r);
}

static const psb_ipk lengths[] = { 0, 1, 2, 3, 4, 5, 6, 17, 64 };
enum { LENGTHS = sizeof lengths / sizeof *lengths };

/* The bits of solutions are the same in every layout, on the host and on the device; what is not an element
 * does not change. */
static void same_in_all_layouts(int kind, psb_ipk n, psb_ipk systems, int nrhs)
{
    SYSTEMS want = make_systems(kind, 0, n, systems, nrhs, 1);
    OK(solve(&want));
    for (psb_ipk s = 0; s < systems; s++)
        for (int c = 0; c < nrhs; c++)
            solution_is(&want, s, c, 1);
    for (int layout = 0; layout < 2 * LAYOUTS; layout++) {
        SYSTEMS p = make_systems(kind, layout % LAYOUTS, n, systems, nrhs, 1);
        HEAP T *was = filled_array(p.len, UNUSED);
        psb_transfers_reset();
        OK(layout < LAYOUTS ? solve(&p) : solve_on_device(&p));
        ck_assert(layout < LAYOUTS || psb_transfers("a diagonal").puts == 0);
        for (psb_ipk s = 0; s < systems; s++)
            for (int c = 0; c < nrhs; c++)
                for (psb_ipk i = 0; i < n; i++) {
                    T *const v = p.x + place_of(&p.b, s, i, c);
                    ck_assert(memcmp(v, want.x + place_of(&want.b, s, i, c), sizeof *v) == 0);
                    *v = UNUSED;
                }
        ck_assert(memcmp(p.x, was, (size_t)p.len * sizeof *was) == 0);
    }
}

TEST(bands_of_all_layouts)
{
    for (int k = 0; k < LENGTHS; k++)
        same_in_all_layouts(_i, lengths[k], 33, 2);
}

/* Both sides of the lengths from which on systems are solved in other ways: from both ends, in parts, with
 * triangles in shared memory or not. */
TEST(bands_near_thresholds)
{
    static const psb_ipk sizes[][3] = { { 15, 65, 1 },  { 16, 65, 2 },  { 17, 31, 3 },
                                        { 18, 33, 2 },  { 100, 65, 1 }, { 257, 64, 1 },
                                        { 511, 65, 1 }, { 512, 65, 1 }, { 1600, 64, 1 } };
    const psb_ipk *const n = sizes[_i];
    for (int kind = 0; kind < KINDS; kind++) {
        SYSTEMS p = make_systems(kind, 1, n[0], n[1], (int)n[2], 1);
        SYSTEMS q = make_systems(kind, 1, n[0], n[1], (int)n[2], 1);
        OK(solve(&p));
        OK(solve_on_device(&q));
        ck_assert(memcmp(p.x, q.x, (size_t)p.len * sizeof *p.x) == 0);
        solution_is(&p, n[1] - 1, (int)n[2] - 1, 1);
    }
}

/* A row and column of zeros is named: at the ends, in the middle, beside it. */
TEST(singular_bands_from_both_ends)
{
    const psb_ipk rows[] = { 0, 1, 14, 15, 16, 17, 18, 30, 31 };
    for (int there = 0; there < 2; there++)
        for (int k = 0; k < 9; k++) {
            SYSTEMS want = make_systems(_i, 1, 32, 70, 1, 1), p = make_systems(_i, 1, 32, 70, 1, 1);
            OK(solve(&want));
            for (int d = 0; d <= 2 * p.b.width; d++)
                for (psb_ipk i = 0; i < 32; i++)
                    if (i == rows[k] || i + d - p.b.width == rows[k])
                        p.diag[d][place_of(&p.b, 50, i, 0)] = 0;
            FAILS(there ? solve_on_device(&p) : solve(&p), PSB_EPIVOT,
                  "the pivot of row %d in system 50 is 0", rows[k]);
            for (psb_epk e = 0; e < p.len; e++)
                ck_assert(e % 70 == 50 || memcmp(p.x + e, want.x + e, sizeof *p.x) == 0);
        }
}

/* Systems in parts: one part more or less, parts of one and two rows, groups of one block, a system, several
 * and many ones. */
TEST(long_bands)
{
    enum { PART = 23, JOINED = 8 };
    static const psb_ipk many[] = { 512, PART * 23, PART * 23 + 1, PART * JOINED * 3 + 2,
                                    PART * JOINED * JOINED + 1 };
    for (int k = 0; k < 5; k++) {
        same_in_all_layouts(2 * _i, many[k], 1, 1);
        same_in_all_layouts(2 * _i, many[k], k ? 35 : 3, k ? 1 : 2);
    }
    SYSTEMS p = make_systems(2 * _i, 1, 520, 260, 1, 1), q = make_systems(2 * _i, 1, 520, 260, 1, 1);
    OK(solve(&p));
    OK(solve_on_device(&q));
    ck_assert(memcmp(p.x, q.x, (size_t)p.len * sizeof *p.x) == 0);
}

/* Few systems on a device, huge and tiny elements, systems with parts and without. */
TEST(bands_of_all_scales)
{
    const R huge = sizeof(R) == sizeof(float) ? (R)0x1p110 : (R)0x1p1000;
    const R scales[] = { 1, huge, 1 / huge };
    for (int k = 0; k < 6; k++) {
        SYSTEMS p = make_systems(_i, 1, k / 3 ? 1200 : 300, 3, 1, scales[k % 3]);
        SYSTEMS q = make_systems(_i, 1, k / 3 ? 1200 : 300, 3, 1, scales[k % 3]);
        OK(solve(&p));
        OK(solve_on_device(&q));
        ck_assert(memcmp(p.x, q.x, (size_t)p.len * sizeof *p.x) == 0);
        for (psb_ipk s = 0; s < 3; s++)
            solution_is(&p, s, 0, scales[k % 3]);
    }
}

/* Any number of threads computes the same bits. */
static void same_by_threads(int kind, psb_ipk n, psb_ipk systems, int nrhs)
{
    const psb_epk grain = psb_set_thread_grain(1);
    SYSTEMS want = make_systems(kind, 1, n, systems, nrhs, 1);
    OK(solve(&want));
    for (int threads = 2; threads <= 30; threads += 7) {
        SYSTEMS p = make_systems(kind, 1, n, systems, nrhs, 1);
#ifdef _OPENMP
        omp_set_num_threads(threads);
#endif
        OK(solve(&p));
        ck_assert(memcmp(p.x, want.x, (size_t)p.len * sizeof *p.x) == 0);
    }
#ifdef _OPENMP
    omp_set_num_threads(1);
#endif
    psb_set_thread_grain(grain);
}

TEST(bands_by_threads)
{
    same_by_threads(_i, 20, 7, 3);
    same_by_threads(_i, 1500, 1, 1);
    same_by_threads(_i, 600, 3, 2);
}

/* Rows `last` and the one before of system s become equal, and couple to no other row; without pivoting the
 * first of them becomes 0 in the diagonal. */
static void make_singular(const struct systems *p, psb_ipk s, psb_ipk last)
{
    const int w = p->b.width;
    for (psb_ipk i = last - 1; i <= last; i++)
        for (int d = 0; d <= 2 * w; d++)
            p->diag[d][place_of(&p->b, s, i, 0)] = i + d - w == last || i + d - w == last - 1 ? 1 : 0;
}

/* The first singular system is named; the others are solved. */
TEST(singular_bands)
{
    const int kind = _i % 4; /* none is periodic */
    for (int there = 0; there < 2; there++)
        for (psb_ipk systems = 50; systems <= 70; systems += 20) {
            SYSTEMS want = make_systems(kind, 1, 9, systems, 2, 1);
            SYSTEMS p = make_systems(kind, 1, 9, systems, 2, 1);
            OK(solve(&want));
            make_singular(&p, 41, 8);
            make_singular(&p, 47, 1);
            FAILS(there ? solve_on_device(&p) : solve(&p), PSB_EPIVOT,
                  "the pivot of row 8 in system 41 is 0");
            for (psb_ipk s = 0; s < systems; s++)
                for (psb_ipk i = 0; i < 9; i++) {
                    const psb_epk at = place_of(&p.b, s, i, 1);
                    ck_assert(s == 41 || s == 47 || memcmp(p.x + at, want.x + at, sizeof *p.x) == 0);
                }
        }
    SYSTEMS p = make_systems(kind, 0, 1, 1, 1, 1);
    p.diag[p.b.width][0] = 0;
    FAILS(solve(&p), PSB_EPIVOT, p.b.pivot ? "a matrix that is not singular" : "b->pivot, if not singular");
    SYSTEMS q = make_systems(4 + kind, 0, 5, 1, 1, 1);
    for (int d = 0; d < MOST_BANDS && q.diag[d]; d++)
        memset(q.diag[d], 0, 5 * sizeof(T));
    FAILS(solve(&q), PSB_EPIVOT, "the pivot of row 0 in system 0 is 0");
}

/* A long system that is singular is named, and a row of it; with other systems that are not.  Without
 * pivoting the row is the one whose pivot is 0. */
TEST(singular_long_bands)
{
    const int kind = 2 * (_i % 2);
    const psb_ipk rows[] = { 1, 22, 23, 24, 46, 184, 400, 598 };
    for (int there = 0; there < 2; there++)
        for (int k = 0; k < 8; k++) {
            SYSTEMS want = make_systems(kind, _i / 2, 600, 3, 2, 1);
            SYSTEMS p = make_systems(kind, _i / 2, 600, 3, 2, 1);
            OK(solve(&want));
            for (int d = 0; d < 3; d++) {
                p.diag[d][place_of(&p.b, 1, rows[k], 0)] = 0;
                p.diag[d][place_of(&p.b, 2, rows[k] / 2, 0)] = 0;
            }
            FAILS(there ? solve_on_device(&p) : solve(&p), PSB_EPIVOT, "in system 1 is 0");
            for (psb_ipk i = 0; i < 600; i++) {
                const psb_epk at = place_of(&p.b, 0, i, 1);
                ck_assert(memcmp(p.x + at, want.x + at, sizeof *p.x) == 0);
            }
        }
}

/* Long systems without a diagonal: the inner rows of a part are singular for themselves, the matrix is not,
 * unless it has an odd number of rows.  x: 1, 2, 3, 1, 2, 3, ... */
TEST(long_bands_without_a_diagonal)
{
    for (psb_ipk n = 4000; n < 4048; n++) {
        SYSTEMS p = make_systems(2, 0, n, 1, 1, 1);
        for (psb_ipk i = 0; i < n; i++) {
            p.diag[0][i] = p.diag[2][i] = 1;
            p.diag[1][i] = 0;
            p.x[i] = (i > 0 ? 1 + (i - 1) % 3 : 0) + (i < n - 1 ? 1 + (i + 1) % 3 : 0);
        }
        if (n % 2) {
            FAILS(solve(&p), PSB_EPIVOT, "a matrix that is not singular");
            continue;
        }
        OK(solve(&p));
        for (psb_ipk i = 0; i < n; i++)
            ck_assert(p.x[i] == 1 + i % 3);
    }
}

/* A matrix that needs exchanges. */
TEST(bands_without_a_diagonal)
{
    const T one[] = { 1, 1, 1, 1 }, nil[] = { 0, 0, 0, 0 }, *const diag[] = { one, nil, one };
    psb_band b = { .width = 1, .n = 4, .systems = 1, .nrhs = 1, .row = 1 };
    T x[] = { 2, 4, 6, 8 };
    FAILS(psb_band_solve(&b, diag, x, NULL), PSB_EPIVOT, "b->pivot");
    memcpy(x, (T[]){ 2, 4, 6, 8 }, sizeof x);
    b.pivot = 1;
    OK(psb_band_solve(&b, diag, x, NULL));
    ck_assert(x[0] == -4 && x[1] == 2 && x[2] == 8 && x[3] == 4);
}

TEST(wrong_bands)
{
    SYSTEMS p = make_systems(0, 0, 4, 3, 2, 1);
    const T *diag[MOST_BANDS];
    const psb_band good = p.b;
    memcpy(diag, p.diag, sizeof diag);
    const struct {
        psb_band b;
        const char *what;
    } wrong[] = {
        { .b = { .width = 0 }, "argument b->width is 0; expected 1 <= width <= 2" },
        { .b = { .width = 3 }, "argument b->width is 3" },
        { .b = { .width = 1, .n = -1 }, "argument b has n -1" },
        { .b = { .width = 1, .systems = -2 }, "systems -2" },
        { .b = { .width = 1, .nrhs = -3 }, "nrhs -3" },
        { .b = { .width = 1, .n = 4, .systems = 3, .nrhs = 1, .row = 1, .system = 3 },
          "b->system is 3; exp" },
        { .b = { .width = 1, .n = 4, .systems = 3, .nrhs = 1, .row = 2, .system = 1 },
          "b->row is 2; expected" },
        { .b = { .width = 1, .n = 4, .systems = 1, .nrhs = 1 }, "b->row is 0" },
        { .b = { .width = 1, .n = 4, .systems = 1, .nrhs = 1, .row = -1 }, "b->row is -1" },
        { .b = { .width = 1, .n = 4, .systems = 1, .nrhs = 2, .row = 1, .rhs = 3 }, "b->rhs is 3; expected" },
        { .b = { .width = 1, .n = 4, .systems = 1, .nrhs = 2, .row = 1, .rhs = INT64_MAX / 2 }, "b->rhs is" },
    };
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++)
        FAILS(psb_band_solve(&wrong[k].b, diag, p.x, NULL), PSB_EARG, "%s", wrong[k].what);
    FAILS(psb_band_solve(NULL, diag, p.x, NULL), PSB_EARG, "argument b is NULL");
    FAILS(psb_band_solve(&good, NULL, p.x, NULL), PSB_EARG, "argument diag is NULL");
    FAILS(psb_band_solve(&good, diag, (T *)NULL, NULL), PSB_EARG, "argument x is NULL");
    const uintptr_t half = sizeof(T) / 2;
    FAILS(psb_band_solve(&good, diag, (T *)((uintptr_t)p.x + half), &psb_vect_cuda), PSB_EARG,
          "argument x is at");
    diag[1] = (T *)((uintptr_t)diag[1] + half);
    FAILS(psb_band_solve(&good, diag, p.x, &psb_vect_cuda), PSB_EARG, "argument diag[1] is at");
    diag[2] = NULL;
    diag[1] = p.diag[1];
    FAILS(psb_band_solve(&good, diag, p.x, NULL), PSB_EARG, "argument diag[2] is NULL; expected 3 diagonals");
    SYSTEMS first = make_systems(0, 0, 4, 3, 2, 1);
    ck_assert(memcmp(p.x, first.x, (size_t)p.len * sizeof *p.x) == 0);
    OK(psb_band_solve(&(psb_band){ .width = 1 }, NULL, (T *)NULL, NULL));
}

/* After an allocation that fails x is as it was. */
TEST(memory_for_bands)
{
    for (int where = 0; where < 5; where++) { /* 0 and 4: on the host; from 3 on in parts */
        const psb_ipk systems = where == 2 ? 70 : 3, rows = where < 3 ? 5 : 600;
        SYSTEMS first = make_systems(2, 1, rows, systems, 1, 1);
        int n = 0;
        for (psb_err e = PSB_ENOMEM; e != PSB_OK; n += e != PSB_OK) {
            SYSTEMS p = make_systems(2, 1, rows, systems, 1, 1);
            const bool there = where % 4 > 0;
            const int mine = there ? 4 : 0; /* the arrays on the device */
            psb_alloc_fail_at(mine + n + 1);
            e = there ? solve_on_device(&p) : solve(&p);
            psb_alloc_fail_at(0);
            ck_assert(e == PSB_OK || e == PSB_ENOMEM);
            ck_assert(e == PSB_OK || memcmp(p.x, first.x, (size_t)p.len * sizeof *p.x) == 0);
        }
        ck_assert_int_ge(n, 1);
    }
}

/* Rows -a, 1, -c and a, 1, c in turn, the last one known.  With the pivots of Gaussian elimination columns of
 * unknowns that stay grow to 1e4 in a part. */
TEST(long_bands_that_grow)
{
    static const R offs[][2] = { { 1, (R)1.01 }, { (R)0.8, 1 }, { 2, 2 } };
    const psb_ipk n = 2000;
    for (int k = 0; k < 6; k++) {
        SYSTEMS p = make_systems(k < 3 ? 2 : 6, 0, n, 1, 1, 1);
        double most = 0, most_x = 0;
        HEAP T *b = filled_array(n, 0);
        for (psb_ipk i = 0; i < n; i++) {
            for (int d = 0; d < 3; d++)
                p.diag[d][i] = d == 1 ? 1 : offs[k % 3][d / 2] * (R)(i % 2 ? 1 : -1);
            b[i] = p.x[i];
        }
        OK(solve(&p));
        for (psb_ipk i = 0; i < n; i++) {
            T r = b[i];
            for (int d = 0; d < 3; d++)
                if (!is_outside(&p.b, i, d))
                    r -= p.diag[d][i] * p.x[(i + d - 1 + n) % n];
            most = fmax(most, (double)ABS(r));
            most_x = fmax(most_x, (double)ABS(p.x[i]));
        }
        if (!(most <= 100 * (double)EPS * (1 + 5 * most_x)))
            ck_abort_msg("case %d: residual %g for x of %g", k, most, most_x);
    }
}

void add_bands(TCase *c)
{
    ck_add_loop_tests(c, KINDS, bands_of_all_layouts, bands_of_all_scales, bands_by_threads);
    ck_add_loop_tests(c, 9, bands_near_thresholds);
    ck_add_loop_tests(c, KINDS / 2, singular_bands_from_both_ends, long_bands, singular_bands,
                      singular_long_bands);
    ck_add_tests(c, bands_without_a_diagonal, long_bands_without_a_diagonal, long_bands_that_grow,
                 wrong_bands, memory_for_bands);
}
