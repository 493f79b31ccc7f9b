/* check_fused.c -- room: test.  psb_spmv_fused in every format, on the host and on a device, with every
 * combination of factors, compared with reference results. */
#include "suites.h"
#include "config.h"
#include <float.h>
#include <stdlib.h>
#include <string.h>
#include "psb_cuda.h"
#include "multivector.h"

enum { M = 50, FACTORS = 4, SETS = 4 };

/* The vectors of a call: x, y, z, and one more. */
enum who { OF_X, OF_Y, OF_Z, OF_U, VECTORS };

static const int sets[SETS][PSB_MOST_DOTS][2] = {
    { { OF_X, OF_Y }, { OF_Y, OF_Y }, { OF_Z, OF_X } },
    { { OF_U, OF_Z }, { OF_Y, OF_U }, { OF_Z, OF_Z } },
    { { OF_Y, OF_X }, { OF_Z, OF_Y }, { OF_U, OF_U } },
    { { OF_X, OF_X }, { OF_Y, OF_Z }, { OF_U, OF_X } },
};

static T scalars[FACTORS];

struct call {
    T alpha, beta, gamma, delta;
    int z, ndots, set;
    char trans;
};

/* The k-th combination of factors. */
static struct call nth_call(int k)
{
    struct call c = { .trans = 'N', .z = k % 5 != 0, .ndots = k % 7 % 4, .set = k % SETS };
    c.alpha = scalars[k % FACTORS];
    c.beta = scalars[k / 4 % FACTORS];
    c.gamma = scalars[k / 16 % FACTORS];
    c.delta = scalars[k / 64 % FACTORS];
    return c;
}
enum { CALLS = 256 };

/* --- comparison of a call --- */

/* Values of the vectors before and (y, z) after a call, on all processes. */
struct values {
    T v[VECTORS][MOST];
};

struct bench {
    struct distributed *w;
    psb_desc *dom, *range;
    psb_ipk n; /* rows of op(A) */
    struct X(vect) *v[VECTORS];
    int parts; /* number of local sums that are rounded before they are added (psb_gedot, shared rows) */
};

static struct bench bench(struct distributed *w, char trans, const struct psb_vmold *place)
{
    struct bench b = { .w = w,
                       .dom = trans == 'N' ? w->col : w->row,
                       .range = trans == 'N' ? w->row : w->col };
    static const T none[MOST];
    b.n = trans == 'N' ? w->s->mat.nrows : w->s->mat.ncols;
    for (int i = 0; i < VECTORS; i++)
        b.v[i] = make_vector(i == OF_X ? b.dom : b.range, none, place);
    return b;
}

static void bench_free(struct bench *b)
{
    for (int i = 0; i < VECTORS; i++)
        psb_gefree(b->v[i]);
}

static int factor(const struct bench *b, const struct call *c, int i, int side)
{
    const int f = sets[c->set][i][side];
    return (f == OF_Z && !c->z) || (f == OF_X && b->dom != b->range) ? OF_U : f;
}

static struct X(epilogue) epilogue_of(const struct bench *b, const struct call *c)
{
    struct X(epilogue) e = { .gamma = c->gamma, .delta = c->delta, .ndots = c->ndots };
    e.z = c->z ? b->v[OF_Z] : NULL;
    for (int i = 0; i < c->ndots; i++) {
        e.dot[i].left = b->v[factor(b, c, i, 0)];
        e.dot[i].right = b->v[factor(b, c, i, 1)];
    }
    return e;
}

/* New vectors; what must not be read is NaN. */
static void prepare(struct bench *b, const struct call *c, struct values *now)
{
    for (int i = 0; i < VECTORS; i++) {
        random_vector(MOST, now->v[i], (uint64_t)i + 1);
        if ((i == OF_Y && c->beta == 0) || (i == OF_Z && c->delta == 0))
            fill_vector(MOST, now->v[i], MAKE(NAN, NAN));
        set_owned(b->v[i], now->v[i]);
    }
}

static struct want sum_of(T a, struct want x, T b, T y)
{
    const long double _Complex p = a == 0 ? 0 : (long double _Complex)a * x.value;
    const long double _Complex q = b == 0 ? 0 : (long double _Complex)b * (long double _Complex)y;
    const long double more = 8 * (long double)EPS * (cabsl(p) + cabsl(q));
    return (struct want){ p + q, cabsl((long double _Complex)a) * x.slack + more };
}

/* The dot product of the present values; sums are computed in double. */
static struct want dot_of(const struct bench *b, const T *l, const T *r)
{
    long double _Complex sum = 0;
    long double size = 0;
    for (int i = 0; i < b->n; i++) {
        sum += conjl((long double _Complex)l[i]) * (long double _Complex)r[i];
        size += cabsl((long double _Complex)l[i]) * cabsl((long double _Complex)r[i]);
    }
    return (struct want){ sum, (4 * (b->n + 4) * DBL_EPSILON + b->parts * EPS) * size +
                                   2 * (long double)EPS * cabsl(sum) };
}

static void check_dots(const struct bench *b, const struct call *c, struct values *now, const T *dots,
                       const char *what)
{
    for (int i = 0; i < c->ndots; i++) {
        const struct want w = dot_of(b, now->v[factor(b, c, i, 0)], now->v[factor(b, c, i, 1)]);
        collective_note(is_right(dots[i], &w), __FILE__, __LINE__,
                        "%s: product %d of %d is %g %g, expected %Lg %Lg within %Lg", what, i, c->ndots,
                        (double)RE(dots[i]), (double)IM(dots[i]), creall(w.value), cimagl(w.value), w.slack);
    }
    for (int i = c->ndots; i < PSB_MOST_DOTS; i++)
        EXPECT(dots[i] == sentinel);
    EXPECT(same_bits(dots, PSB_MOST_DOTS * sizeof *dots));
}

static void run(struct bench *b, const struct call *c, struct values *now, T *dots)
{
    const struct X(epilogue) e = epilogue_of(b, c);
    prepare(b, c, now);
    fill_vector(PSB_MOST_DOTS, dots, sentinel);
    GOOD(psb_spmv_fused(c->alpha, b->w->a, b->v[OF_X], c->beta, b->v[OF_Y], c->trans, &e,
                        c->ndots ? dots : NULL));
}

static void check_call(struct bench *b, const struct call *c)
{
    struct values now;
    struct want y[MOST], z[MOST];
    T dots[PSB_MOST_DOTS], again[PSB_MOST_DOTS];
    char what[160];
    snprintf(what, sizeof what, "%s, op %c, set %d, alpha %g, beta %g, gamma %g, delta %g",
             X(sp_fmt)(b->w->a), c->trans, c->set, (double)RE(c->alpha), (double)RE(c->beta),
             (double)RE(c->gamma), (double)RE(c->delta));
    run(b, c, &now, again);
    run(b, c, &now, dots);
    EXPECT(memcmp(dots, again, sizeof dots) == 0);
    sample_product(b->w->s, c->trans, c->alpha, now.v[OF_X], c->beta, now.v[OF_Y], y);
    for (int i = 0; i < b->n; i++)
        z[i] = c->z ? sum_of(c->gamma, y[i], c->delta, now.v[OF_Z][i])
                    : (struct want){ (long double _Complex)now.v[OF_Z][i], 0 };
    check_vector(b->v[OF_Y], y, what);
    check_vector(b->v[OF_Z], z, what);
    GOOD(psb_gather(b->v[OF_Y], now.v[OF_Y], -1));
    GOOD(psb_gather(b->v[OF_Z], now.v[OF_Z], -1));
    check_dots(b, c, &now, dots, what);
}

/* --- formats, factors, places --- */

static const enum distribution distributions[] = { EVEN, ONE_HAS_ALL, FIRST_EMPTY, RANDOM };
enum { SOME_DISTRIBUTIONS = 4 };

/* Calls from, from + step, ... with the matrix in this format, if it accepts the matrix. */
static void check_format(struct distributed *w, const struct X(mat) *mold, const struct psb_vmold *place,
                         int from, int step)
{
    psb_err e = psb_spcnv(w->a, mold);
    if (e == PSB_EPADDING || e == PSB_ENOTIMPL)
        return;
    GOOD(e);
    struct bench b = bench(w, 'N', place);
    for (int k = from; k < CALLS; k += step) {
        const struct call c = nth_call(k);
        check_call(&b, &c);
    }
    bench_free(&b);
}

static struct distributed assembled(enum sample_kind kind, psb_ipk m, psb_ipk n, enum distribution row,
                                    enum distribution col)
{
    struct distributed w = distribute(kind, m, n, row, col);
    GOOD(psb_spasb(w.a, &X(csr_mold).mat, PSB_DUPL_ADD));
    return w;
}

START_TEST(every_format)
    {
        static const enum sample_kind kind[] = { SPREAD, DENSE_ROW, TRIDIAG, FULL, NOTHING };
        const struct X(mat) *mold;
        const enum distribution distribution = distributions[_i % SOME_DISTRIBUTIONS];
        struct distributed w = assembled(kind[_i / SOME_DISTRIBUTIONS], M, M, distribution, distribution);
        for (int i = 0; (mold = X(mat_format)(i)); i++)
            for (int place = 0; place < 2; place++)
                check_format(&w, mold, places[place], 1 + (i + place) % 37, 97);
        distributed_free(&w);
    }
END_TEST

START_TEST(every_factor)
    {
        const enum distribution distribution = distributions[_i / 6];
        const struct X(mat) *const mold[] = { &X(csr_mold).mat,  &X(csrg_mold).mat,  &X(hlg_mold).hll.mat,
                                              &X(csrg_mold).mat, &X(hdiag_mold).mat, &X(csrg_mold).mat };
        const int place[] = { 0, 1, 1, 2, 1, 3 };
        struct distributed w = assembled(SPREAD, M, M, distribution, distribution);
        check_format(&w, mold[_i % 6], places[place[_i % 6]], 0, np > 2 ? 5 : 1);
        distributed_free(&w);
    }
END_TEST

/* Rectangular, with different distributions of rows and columns; op T and C. */
START_TEST(rectangular_matrices)
    {
        static const psb_ipk sizes[][2] = { { M, M }, { M, 13 }, { 7, M }, { 1, 1 } };
        for (int k = 0; k < 4; k++) {
            struct distributed w = assembled(SPREAD, sizes[k][0], sizes[k][1], EVEN, distributions[_i]);
            GOOD(psb_spcnv(w.a, &X(csrg_mold).mat));
            for (int at = 0; at < 6; at++) {
                struct call c = nth_call(85 * k + 7 * at + 3);
                c.trans = "NTC"[at % 3];
                struct bench b = bench(&w, c.trans, places[at / 3]);
                check_call(&b, &c);
                bench_free(&b);
            }
            distributed_free(&w);
        }
    }
END_TEST

/* Some vectors are not on the device of the matrix. */
START_TEST(vectors_on_host_and_device)
    {
        struct distributed w = assembled(SPREAD, M, M, ONE_HAS_ALL, ONE_HAS_ALL);
        GOOD(psb_spcnv(w.a, &X(csrg_mold).mat));
        for (int k = 0; k < 16; k++) {
            struct call c = nth_call(11 * k + 1);
            struct bench b = bench(&w, 'N', &psb_vect_cuda);
            c.z = 1;
            c.ndots = 3;
            for (int i = 0; i < VECTORS; i++)
                if (k >> i & 1)
                    GOOD(X(vect_cnv)(b.v[i], places[k % 2 ? 0 : 2]));
            check_call(&b, &c);
            bench_free(&b);
        }
        distributed_free(&w);
    }
END_TEST

/* If all data is on a device and no column has another owner, the fused kernel of the format is called. */
static int fused_calls;

static psb_err count_fused_call(T alpha, struct X(mat) *a, const T *x, T beta, T *y,
                                const struct X(vec_epilogue) *t, double *sum)
{
    fused_calls++;
    return X(csrg_mold).mat.ops->csmv_fused_dev(alpha, a, x, beta, y, t, sum);
}

START_TEST(fused_kernel_of_the_format)
    {
        struct X(mat_ops) ops = *X(csrg_mold).mat.ops;
        struct X(csrg_mat) mold = X(csrg_mold);
        struct distributed w = assembled(SPREAD, M, M, ONE_HAS_ALL, ONE_HAS_ALL);
        const struct call c = nth_call(77), idle = nth_call(76);
        ops.csmv_fused_dev = count_fused_call;
        mold.mat.ops = &ops;
        GOOD(psb_spcnv(w.a, &mold.mat));
        struct bench b = bench(&w, 'N', &psb_vect_cuda);
        const int mine = psb_cd_local_rows(w.row) > 0;
        fused_calls = 0;
        check_call(&b, &c);
        EXPECT(fused_calls == 2 * mine);
        check_call(&b, &idle); /* alpha is 0: the kernel is not called */
        GOOD(X(vect_cnv)(b.v[OF_Y], NULL));
        check_call(&b, &c);
        EXPECT(fused_calls == 2 * mine);
        bench_free(&b);
        GOOD(psb_spcnv(w.a, &X(csr_mold).mat)); /* before `ops` goes out of scope */
        distributed_free(&w);
    }
END_TEST

/* gamma == 0: y is not read, even if it has become NaN. */
START_TEST(y_with_nan)
    {
        const struct X(mat) *const mold[] = { &X(csr_mold).mat, &X(csrg_mold).mat, &X(hlg_mold).hll.mat,
                                              &X(hdiag_mold).mat, &X(bsrg_mold).mat };
        struct distributed w = assembled(SPREAD, M, M, ONE_HAS_ALL, ONE_HAS_ALL);
        struct bench b = bench(&w, 'N', places[_i > 0]);
        struct X(epilogue) e = { .gamma = 0,
                                 .delta = -1,
                                 .z = b.v[OF_Z],
                                 .ndots = 2,
                                 .dot = { { b.v[OF_Z], b.v[OF_U] }, { b.v[OF_Y], b.v[OF_U] } } };
        struct want z[MOST];
        T nan[MOST], all[MOST], dots[2] = { sentinel, 0 };
        GOOD(psb_spcnv(w.a, mold[_i]));
        fill_vector(MOST, nan, MAKE(NAN, NAN));
        random_vector(MOST, all, 3);
        set_owned(b.v[OF_X], nan);
        set_owned(b.v[OF_Z], all);
        set_owned(b.v[OF_U], all);
        for (int i = 0; i < M; i++)
            z[i] = (struct want){ -(long double _Complex)all[i], 0 };
        GOOD(psb_spmv_fused(1, w.a, b.v[OF_X], 0, b.v[OF_Y], 'N', &e, dots));
        check_vector(b.v[OF_Z], z, "-z");
        EXPECT(RE(dots[0]) < 0 && isnan(RE(dots[1])));
        bench_free(&b);
        distributed_free(&w);
    }
END_TEST

/* Rows with several owners are counted once. */
START_TEST(rows_with_several_owners)
    {
        psb_lpk row[MOST];
        psb_ipk n = 0;
        struct distributed w = { .s = sample(SPREAD, M, M) };
        for (int i = 0; i < M; i++)
            if (_i || i % np == me || (i % np == (me + 1) % np && i % 3 == 0))
                row[n++] = i;
        if (_i)
            GOOD(psb_cdall_repl(&w.row, ctxt, M));
        else
            GOOD(psb_cdall_vl(&w.row, ctxt, n, row));
        w.col = w.row;
        GOOD(psb_spall(&w.a, w.row, 0));
        GOOD(insert_all(w.a, w.s));
        GOOD(psb_cdasb(w.row));
        GOOD(psb_spasb(w.a, &X(csrg_mold).mat, PSB_DUPL_ADD));
        for (int k = 0; k < 12; k++) {
            struct call c = nth_call(21 * k + 5);
            c.trans = k % 3 == 2 ? 'T' : 'N';
            struct bench b = bench(&w, c.trans, places[k % 2]);
            b.parts = np;
            check_call(&b, &c);
            bench_free(&b);
        }
        distributed_free(&w);
    }
END_TEST

/* --- matrices larger than a thread block --- */

enum { HERE = 2500, BAND = 3 };

/* Each process uses only the rows and columns it owns; with several processes the last owns none.  Values are
 * integers, so that sums are exact. */
static psb_ipk rows_here(void)
{
    return np > 1 && me == np - 1 ? 0 : HERE + 31 * me;
}

static T entry(psb_ipk i, psb_ipk j)
{
    const int v = 1 + (i + 2 * j) % 3;
    return CPLX ? MAKE(v, (i + j) % 2) : v;
}

static T element(psb_ipk i, int of)
{
    const int v = (i * (of + 2) + of) % 5 - 2;
    return CPLX ? MAKE(v, (i + of) % 3 - 1) : v;
}

/* Row 3 is empty; rows 7 and n - 1 are full if `full`. */
static int entries_of(psb_ipk i, psb_ipk n, int full)
{
    return i == 3 ? 0 : full && (i == 7 || i == n - 1) ? n : n - i < BAND ? n - i : BAND;
}

static psb_ipk column_of(psb_ipk i, psb_ipk n, int full, int k)
{
    return full && (i == 7 || i == n - 1) ? k : i + k;
}

static struct X(spmat) *large(psb_desc **d, int full)
{
    struct X(spmat) *a = NULL;
    const psb_ipk n = rows_here();
    GOOD(psb_cdall_nl(d, ctxt, n));
    GOOD(psb_cdasb(*d));
    GOOD(psb_spall(&a, *d, 0));
    for (psb_ipk i = 0; i < n; i++)
        for (int k = 0; k < entries_of(i, n, full); k++) {
            const psb_ipk j = column_of(i, n, full, k);
            const T v = entry(i, j);
            GOOD(psb_spins_local(1, &i, &j, &v, a));
        }
    GOOD(psb_spasb(a, &X(csr_mold).mat, PSB_DUPL_ADD));
    return a;
}

static void fill_large(struct X(vect) *x, int of)
{
    T *p;
    GOOD(psb_host_write(x, &p));
    for (psb_ipk i = 0; i < rows_here(); i++)
        p[i] = element(i, of);
}

/* Check y = 2 A x - y, z = y - z, <x,y>, <z,u>, <u,u> exactly. */
static void check_large(struct X(spmat) *a, struct X(vect) *const *v, int full)
{
    const psb_ipk n = rows_here();
    const T *p[VECTORS];
    T dots[3];
    double sum[6] = { 0 };
    int wrong = 0;
    struct X(epilogue) e = { .gamma = 1,
                             .delta = -1,
                             .z = v[OF_Z],
                             .ndots = 3,
                             .dot = { { v[OF_X], v[OF_Y] }, { v[OF_Z], v[OF_U] }, { v[OF_U], v[OF_U] } } };
    for (int i = 0; i < VECTORS; i++)
        fill_large(v[i], i);
    GOOD(psb_spmv_fused(2, a, v[OF_X], -1, v[OF_Y], 'N', &e, dots));
    for (int i = 0; i < VECTORS; i++)
        GOOD(psb_host_read(v[i], &p[i]));
    for (psb_ipk i = 0; i < n; i++) {
        T s = 0;
        for (int k = 0; k < entries_of(i, n, full); k++)
            s += entry(i, column_of(i, n, full, k)) * element(column_of(i, n, full, k), OF_X);
        const T y = 2 * s - element(i, OF_Y), z = y - element(i, OF_Z);
        const T f[3][2] = { { p[OF_X][i], y }, { z, p[OF_U][i] }, { p[OF_U][i], p[OF_U][i] } };
        wrong += p[OF_Y][i] != y || p[OF_Z][i] != z;
        for (int d = 0; d < 3; d++) {
            const double _Complex q = conj((double _Complex)f[d][0]) * (double _Complex)f[d][1];
            sum[2 * d] += creal(q);
            sum[2 * d + 1] += cimag(q);
        }
    }
    MPI_Allreduce(MPI_IN_PLACE, sum, 6, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    collective_note(wrong == 0, __FILE__, __LINE__, "%s: %d elements are wrong", X(sp_fmt)(a), wrong);
    for (int d = 0; d < 3; d++)
        collective_note(dots[d] == MAKE(sum[2 * d], sum[2 * d + 1]), __FILE__, __LINE__,
                        "%s: product %d is %g %g, expected %g %g", X(sp_fmt)(a), d, (double)RE(dots[d]),
                        (double)IM(dots[d]), sum[2 * d], sum[2 * d + 1]);
}

/* With all data in place only the sums are transferred. */
static void check_transfers(struct X(spmat) *a, struct X(vect) *const *v)
{
    T dots[3], dot;
    struct X(epilogue) e = { .gamma = 1,
                             .delta = -1,
                             .z = v[OF_Z],
                             .ndots = 3,
                             .dot = { { v[OF_X], v[OF_Y] }, { v[OF_Z], v[OF_U] }, { v[OF_U], v[OF_U] } } };
    struct X(epilogue) one = { .ndots = 1, .dot = { { v[OF_X], v[OF_Y] } } },
                       none = { .gamma = 1, .delta = 1, .z = v[OF_Z], .ndots = 0, .dot = { { 0 } } };
    GOOD(psb_spmv_fused(1, a, v[OF_X], 1, v[OF_Y], 'N', &e, dots));
    psb_transfers_reset();
    GOOD(psb_spmv_fused(1, a, v[OF_X], 1, v[OF_Y], 'N', &e, dots));
    struct psb_transfers t = psb_transfers(NULL);
    collective_note(t.puts == 0 && t.gets <= 1 && t.get_bytes <= 48, __FILE__, __LINE__,
                    "%s: %lld times up, %lld times down, %lld bytes", X(sp_fmt)(a), t.puts, t.gets,
                    t.get_bytes);
    psb_transfers_reset();
    GOOD(psb_spmv_fused(1, a, v[OF_X], 0, v[OF_Y], 'N', &one, &dot));
    t = psb_transfers(NULL);
    EXPECT(t.puts == 0 && t.gets <= 1 && t.get_bytes <= 16);
    psb_transfers_reset();
    GOOD(psb_spmv_fused(1, a, v[OF_X], 0, v[OF_Y], 'N', &none, NULL));
    t = psb_transfers(NULL);
    EXPECT(t.puts == 0 && t.gets == 0);
    EXPECT(X(vect_is_dev)(v[OF_Y]) || rows_here() == 0);
}

START_TEST(large_matrices)
    {
        const int full = _i;
        psb_desc *d = NULL;
        struct X(spmat) *a = large(&d, full);
        struct X(vect) *v[VECTORS];
        const struct X(mat) *mold;
        for (int i = 0; i < VECTORS; i++) {
            v[i] = NULL;
            GOOD(psb_geall(&v[i], d));
            GOOD(psb_geasb(v[i], &psb_vect_cuda));
        }
        check_large(a, v, full);
        for (int i = 0; (mold = X(mat_format)(i)); i++) {
            const struct X(mat_ops) *k = mold->ops;
            while (!k->csmm_dev)
                k = k->super->ops;
            if (k == X(root_mold).ops || strcmp(mold->ops->fmt, "DNSG") == 0)
                continue;
            psb_err e = psb_spcnv(a, mold);
            if (e == PSB_EPADDING)
                continue;
            GOOD(e);
            check_large(a, v, full);
            check_transfers(a, v);
        }
        for (int i = 0; i < VECTORS; i++)
            psb_gefree(v[i]);
        psb_spfree(a);
        psb_cdfree(d);
    }
END_TEST

/* --- errors --- */

START_TEST(wrong_arguments)
    {
        struct distributed w = assembled(SPREAD, M, M, EVEN, EVEN),
                           b2 = distribute(SPREAD, M, M, RANDOM, RANDOM);
        struct bench b = bench(&w, 'N', places[_i]);
        struct X(vect) *x = b.v[OF_X], *y = b.v[OF_Y], *z = b.v[OF_Z], *u = b.v[OF_U];
        struct X(vect) *other = make_vector(b2.row, (T[MOST]){ 0 }, places[_i]), *two = NULL, *raw = NULL;
        struct X(epilogue) good = { .gamma = 1,
                                    .delta = 1,
                                    .z = z,
                                    .ndots = 3,
                                    .dot = { { x, y }, { u, z }, { u, u } } },
                           e;
        T dots[3] = { sentinel, sentinel, sentinel };
        GOOD(psb_geall_n(&two, w.row, 2));
        GOOD(psb_geasb(two, places[_i]));
        GOOD(psb_geall(&raw, w.row));
#define TRY(x_, y_, e_, dots_) X(spmv_fused)(1, w.a, x_, 1, y_, 'N', e_, dots_)
        BAD(X(spmv_fused)(1, NULL, x, 1, y, 'N', &good, dots), PSB_EARG, "argument a is NULL");
        BAD(X(spmv_fused)(1, b2.a, other, 1, other, 'N', &good, dots), PSB_ESTATE,
            "argument a is not assembled");
        BAD(X(spmv_fused)(1, w.a, x, 1, y, 'Q', &good, dots), PSB_EARG, "argument trans is 'Q'");
        BAD(TRY(NULL, y, &good, dots), PSB_EARG, "argument x is NULL");
        BAD(TRY(x, NULL, &good, dots), PSB_EARG, "argument y is NULL");
        BAD(TRY(other, y, &good, dots), PSB_EARG, "argument x lies on another descriptor");
        BAD(TRY(x, other, &good, dots), PSB_EARG, "argument y lies on another descriptor");
        BAD(TRY(raw, y, &good, dots), PSB_ESTATE, "argument x is not assembled");
        BAD(TRY(x, raw, &good, dots), PSB_ESTATE, "argument y is not assembled");
        BAD(TRY(x, x, &good, dots), PSB_EARG, "arguments x and y are the same vector");
        BAD(TRY(x, two, &good, dots), PSB_EARG, "columns: 1");
        BAD(TRY(two, two, &good, dots), PSB_EARG, "same vector");
        BAD(TRY(x, y, NULL, dots), PSB_EARG, "argument e is NULL");
        BAD(TRY(x, y, &good, NULL), PSB_EARG, "argument dots is NULL; expected where to store 3");
        e = good, e.ndots = -1;
        BAD(TRY(x, y, &e, dots), PSB_EARG, "e->ndots is -1; expected 0 <= ndots <= 3");
        e.ndots = 4;
        BAD(TRY(x, y, &e, dots), PSB_EARG, "e->ndots is 4; expected 0 <= ndots <= 3");
        e = good, e.z = x;
        BAD(TRY(x, y, &e, dots), PSB_EARG, "arguments e->z and x are the same vector");
        e.z = y;
        BAD(TRY(x, y, &e, dots), PSB_EARG, "arguments e->z and y are the same vector");
        e.z = other;
        BAD(TRY(x, y, &e, dots), PSB_EARG, "argument e->z lies on another descriptor");
        e.z = raw;
        BAD(TRY(x, y, &e, dots), PSB_ESTATE, "argument e->z is not assembled");
        e.z = two;
        BAD(TRY(x, y, &e, dots), PSB_EARG, "argument e->z has 2 columns");
        for (int i = 0; i < 3; i++) {
            static const char *const name[] = { "e->dot[0].left", "e->dot[1].left", "e->dot[2].left" };
            static const char *const other_name[] = { "e->dot[0].right", "e->dot[1].right",
                                                      "e->dot[2].right" };
            e = good, e.dot[i].left = NULL;
            BAD(TRY(x, y, &e, dots), PSB_EARG, name[i]);
            e.dot[i].left = other;
            BAD(TRY(x, y, &e, dots), PSB_EARG, name[i]);
            e.dot[i].left = two;
            BAD(TRY(x, y, &e, dots), PSB_EARG, "has 2 columns");
            e = good, e.dot[i].right = NULL;
            BAD(TRY(x, y, &e, dots), PSB_EARG, other_name[i]);
            e.dot[i].right = other;
            BAD(TRY(x, y, &e, dots), PSB_EARG, other_name[i]);
            e.dot[i].right = raw;
            BAD(TRY(x, y, &e, dots), PSB_ESTATE, other_name[i]);
        }
        EXPECT(dots[0] == sentinel && dots[1] == sentinel && dots[2] == sentinel);
        GOOD(TRY(x, y, &good, dots));
#undef TRY
        GOOD(psb_halo_start(z, 'N'));
        BAD(psb_spmv_fused(1, w.a, x, 1, y, 'N', &good, dots), PSB_ESTATE, "being exchanged");
        GOOD(psb_halo_end(z));
        GOOD(psb_halo_start(y, 'N'));
        BAD(psb_spmv_fused(1, w.a, x, 1, y, 'N', &good, dots), PSB_ESTATE, "being exchanged");
        GOOD(psb_halo_end(y));
        psb_gefree(other);
        psb_gefree(two);
        psb_gefree(raw);
        bench_free(&b);
        distributed_free(&b2);
        distributed_free(&w);
    }
END_TEST

/* Two columns in x and y. */
START_TEST(vectors_of_two_columns)
    {
        struct distributed w = assembled(SPREAD, M, M, EVEN, EVEN);
        struct X(vect) *x = NULL, *y = NULL;
        struct X(epilogue) e = { .ndots = 0 };
        GOOD(psb_geall_n(&x, w.row, 2));
        GOOD(psb_geasb(x, NULL));
        GOOD(psb_geall_n(&y, w.row, 2));
        GOOD(psb_geasb(y, NULL));
        BAD(psb_spmv_fused(1, w.a, x, 1, y, 'N', &e, NULL), PSB_EARG, "arguments x and y have 2 columns");
        psb_gefree(x);
        psb_gefree(y);
        distributed_free(&w);
    }
END_TEST

/* An argument is wrong on one process: in a call with a product all fail. */
START_TEST(wrong_argument_on_one_process)
    {
        const int who = _i % 2 ? np - 1 : 0;
        struct distributed w = assembled(SPREAD, M, M, EVEN, EVEN);
        struct bench b = bench(&w, 'N', places[_i / 2 % 2]);
        struct X(vect) *x = b.v[OF_X], *y = b.v[OF_Y];
        for (int k = 0; k < 4; k++) {
            struct X(epilogue) e = {
                .gamma = 1, .delta = 1, .z = b.v[OF_Z], .ndots = 1, .dot = { { x, y } }
            };
            T dot = sentinel;
            if (me == who && k == 0)
                e.dot[0].left = NULL;
            if (me == who && k == 1)
                e.z = x;
            if (me == who && k == 2)
                e.ndots = 7;
            psb_err f = psb_spmv_fused(1, w.a, me == who && k == 3 ? y : x, 0, y, 'N', &e, &dot);
            EXPECT(f != PSB_OK && dot == sentinel);
        }
        struct X(epilogue) bare = {
            .gamma = 1, .delta = 1, .z = me == who ? x : b.v[OF_Z], .ndots = 0, .dot = { { NULL, NULL } }
        };
        psb_err f = psb_spmv_fused(1, w.a, x, 0, y, 'N', &bare,
                                   NULL); /* neighbours fail too, and no process is left waiting */
        EXPECT(me != who || f == PSB_EARG);
        struct X(epilogue) e = { .gamma = 1, .delta = 1, .z = b.v[OF_Z], .ndots = 1, .dot = { { x, y } } };
        T dot = sentinel;
        GOOD(psb_spmv_fused(1, w.a, x, 0, y, 'N', &e, &dot));
        EXPECT(dot != sentinel);
        bench_free(&b);
        distributed_free(&w);
    }
END_TEST

/* The n-th allocation fails on one process; return whether there was one. */
static int fails_at_allocation(enum distribution distribution, const struct X(mat) *mold,
                               const struct psb_vmold *place, int who, long n)
{
    struct distributed w = assembled(SPREAD, M, M, distribution, distribution);
    T dots[3] = { sentinel, sentinel, sentinel };
    GOOD(psb_spcnv(w.a, mold));
    struct bench b = bench(&w, 'N', place);
    struct X(epilogue) e = {
        .gamma = 1,
        .delta = 1,
        .z = b.v[OF_Z],
        .ndots = 3,
        .dot = { { b.v[OF_X], b.v[OF_Y] }, { b.v[OF_U], b.v[OF_Z] }, { b.v[OF_U], b.v[OF_U] } }
    };
    psb_alloc_fail_at(me == who ? n : 0);
    psb_err f = psb_spmv_fused(1, w.a, b.v[OF_X], 0, b.v[OF_Y], 'N', &e, dots);
    psb_alloc_fail_at(0);
    const int failed = collective_count(f != PSB_OK);
    EXPECT(failed == 0 || failed == np);
    EXPECT(me != who || f == PSB_OK || f == PSB_ENOMEM);
    EXPECT((f != PSB_OK) == (dots[0] == sentinel));
    GOOD(psb_spmv_fused(1, w.a, b.v[OF_X], 0, b.v[OF_Y], 'N', &e, dots));
    bench_free(&b);
    distributed_free(&w);
    return failed > 0;
}

START_TEST(allocation_fails)
    {
        const struct X(mat) *const mold[] = { &X(csr_mold).mat, &X(csrg_mold).mat, &X(hlg_mold).hll.mat,
                                              &X(hlgp_mold).hll.mat };
        const enum distribution distribution = _i % 2 ? ONE_HAS_ALL : EVEN;
        const int who = distribution == EVEN ? np - 1 : np / 2;
        long n = 1;
        while (n < 60 && fails_at_allocation(distribution, mold[_i / 2], places[_i / 2 > 0], who, n))
            n++;
        EXPECT(n < 60 && (n > 1 || _i / 2 == 0));
    }
END_TEST

static Suite *fused(void)
{
    Suite *s = suite_create("fused products");
    TCase *c = collective_tcase(s, "results");
    ck_add_sampled_test(c, every_format, 5 * SOME_DISTRIBUTIONS);
    ck_add_sampled_test(c, every_factor, 12);
    ck_add_sampled_test(c, rectangular_matrices, SOME_DISTRIBUTIONS);
    tcase_add_test(c, vectors_on_host_and_device);
    tcase_add_test(c, fused_kernel_of_the_format);
    ck_add_sampled_test(c, y_with_nan, 5);
    ck_add_sampled_test(c, rows_with_several_owners, 2);
    ck_add_sampled_test(c, large_matrices, 2);
    c = collective_tcase(s, "errors");
    ck_add_sampled_test(c, wrong_arguments, 2);
    tcase_add_test(c, vectors_of_two_columns);
    ck_add_sampled_test(c, wrong_argument_on_one_process, 4);
    ck_add_sampled_test(c, allocation_fails, 8);
    return s;
}

int check_fused(void)
{
    ck_mpi_init();
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    if (np > 1)
        setenv("PSB_DEVICE", "fake", 0);
    if (ck_init(&ctxt) != PSB_OK) {
        psb_print_errmsg();
        return EXIT_FAILURE;
    }
    psb_info(ctxt, &me, &np);
    scalars[1] = 1, scalars[2] = -1, scalars[3] = MAKE(1.5, 0.25);
    return ck_end(ctxt, collective_count(ck_run(fused())));
}
