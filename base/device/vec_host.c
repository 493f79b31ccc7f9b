/* vec_host.c -- base/device: vector operations on the host. */
#include "psb_format.h"
#include <string.h>
#include "join.h"
#include "psb_column_steps.h"
#include "psb_random.h"
#include "psb_team.h"
#include "psb_type.h"
#include "quotient.t.h"
#include "band.t.h"
#include "strided.t.h"
#include "vec_basic.t.h"

/* The modulus in double; the squares of single-precision numbers neither overflow nor underflow there. */
static double modulus(T a)
{
    double re = (double)RE(a), im = (double)IM(a);
    if (!CPLX)
        return fabs(re);
    return sizeof(R) == sizeof(float) ? sqrt(re * re + im * im) : hypot(re, im);
}

/* --- elementwise operations --------------------------------------------------------------------------- */

static void upd_part(const struct job *j, psb_epk from, psb_epk to)
{
    const T a = j->a, b = j->b, c = j->c, d = j->d, *x = j->x;
    T *y = j->u, *z = j->z;
    for (psb_epk i = from; i < to; i++) {
        y[i] = a * x[i] + b * y[i];
        z[i] = c * y[i] + d * z[i];
    }
}

static psb_err upd_xyz(psb_epk n, T alpha, T beta, T gamma, T delta, const T *x, T *y, T *z)
{
    struct job j = { .a = alpha, .b = beta, .c = gamma, .d = delta, .x = x, .u = y, .z = z };
    if (alpha != 0 && beta != 0 && gamma != 0 && delta != 0)
        return in_parts(n, 1, upd_part, &j);
    PSB_TRY(axpby(n, alpha, x, beta, y));
    return axpby(n, gamma, y, delta, z);
}

/* --- factors that may be scalars in memory -------------------------------------------------------------- */

static T factor(const struct X(vec_factor) *f)
{
    return f->by ? f->value * *f->by : f->value;
}

/* Fill j for z = a x + b y, and return what computes it; a vector with factor 0 is not read. */
static job_part *choose_sum(struct job *j, T a, const T *x, T b, const T *y, T *z)
{
    *j = (struct job){ .a = a, .b = b, .x = x, .y = y, .z = z };
    if (a == 0) {
        j->a = b;
        j->x = y;
    }
    return a != 0 && b != 0 ? axpbyz_part : a != 0 || b != 0 ? scale_part : fill_part;
}

/* Two sums, on a block that stays in the cache. */
struct two_sums {
    job_part *f[PSB_MOST_SUMS];
    struct job j[PSB_MOST_SUMS];
    int m;
    psb_epk n;
};

static void axpbys_part(void *sums, int t, int p)
{
    enum { BLOCK_OF_SUMS = 1024 };
    const struct two_sums *s = sums;
    psb_epk from, to;
    psb_thread_range(s->n, t, p, &from, &to);
    for (psb_epk i = from; i < to; i += BLOCK_OF_SUMS)
        for (int k = 0; k < s->m; k++)
            s->f[k](&s->j[k], i, i + BLOCK_OF_SUMS < to ? i + BLOCK_OF_SUMS : to);
}

static psb_err axpbys(psb_epk n, int m, const struct X(vec_axpby) *sum)
{
    struct two_sums s = { .m = m, .n = n };
    for (int k = 0; k < m; k++)
        s.f[k] = choose_sum(&s.j[k], factor(&sum[k].alpha), sum[k].x, factor(&sum[k].beta), sum[k].y,
                            sum[k].z);
    psb_team(psb_threads(n * m), axpbys_part, &s);
    return PSB_OK;
}

static void axpby_cols_part(const struct job *j, psb_epk from, psb_epk to)
{
    const T *alpha = j->alpha, *beta = j->beta, *x = j->x;
    T *z = j->z;
    const int k = j->k;
    for (psb_epk i = from * k; i < to * k; i += k)
        for (int c = 0; c < k; c++)
            z[i + c] = (alpha[c] == 0 ? 0 : alpha[c] * x[i + c]) +
                       (!beta || beta[c] == 0 ? 0 : beta[c] * z[i + c]);
}

static psb_err axpby_cols(psb_ipk n, int k, const T *alpha, const T *x, const T *beta, T *y)
{
    struct job j = { .alpha = alpha, .beta = beta, .x = x, .z = y, .k = k };
    return in_parts(n, k, axpby_cols_part, &j);
}

/* A block of y stays in the cache while all x are added to it. */
static void maxpby_part(const struct job *j, psb_epk from, psb_epk to)
{
    enum { BLOCK_OF_Y = 8192 };
    for (psb_epk at = from; at < to; at += BLOCK_OF_Y) {
        const psb_epk n = to - at < BLOCK_OF_Y ? to - at : BLOCK_OF_Y;
        T *y = j->z + at;
        for (psb_epk i = 0; i < n && j->b != 1; i++)
            y[i] = j->b == 0 ? 0 : j->b * y[i];
        for (int l = 0; l < j->k; l++) {
            const T a = j->alpha[l], *x = j->many[l] + at;
            for (psb_epk i = 0; i < n && a != 0; i++)
                y[i] = a * x[i] + y[i];
        }
    }
}

static psb_err maxpby(psb_epk n, int m, const T *alpha, const T *const *x, T beta, T *y)
{
    return in_parts(n, 1, maxpby_part, &(struct job){ .alpha = alpha, .b = beta, .many = x, .k = m, .z = y });
}

/* Sums that stay in registers. */
enum { BLOCK_LANES = 8 };

/* w columns of a row of y, from y and m on. */
PSB_INLINE void block_lanes(int k, int w, const T *x, const T *m, T b, T *y)
{
    T sum[BLOCK_LANES];
    for (int l = 0; l < w; l++)
        sum[l] = b == 0 ? 0 : b * y[l];
    for (int i = 0; i < k; i++)
#pragma GCC unroll 8
        for (int l = 0; l < w; l++)
            sum[l] += x[i] * m[i * k + l];
    for (int l = 0; l < w; l++)
        y[l] = sum[l];
}

static void block_axpy_part(const struct job *j, psb_epk from, psb_epk to)
{
    const int k = j->k;
    for (psb_epk r = from; r < to; r++) {
        const T *x = j->x + r * k;
        T *y = j->z + r * k;
        int c = 0;
        for (; c + BLOCK_LANES <= k; c += BLOCK_LANES)
            block_lanes(k, BLOCK_LANES, x, j->alpha + c, j->b, y + c);
        if (c < k)
            block_lanes(k, k - c, x, j->alpha + c, j->b, y + c);
    }
}

static psb_err block_axpy(psb_ipk n, int k, const T *x, const T *c, T beta, T *y)
{
    return in_parts(n, k, block_axpy_part, &(struct job){ .k = k, .x = x, .alpha = c, .b = beta, .z = y });
}

static void mlt_part(const struct job *j, psb_epk from, psb_epk to)
{
    const T a = j->a, b = j->b, *x = j->x, *y = j->y;
    T *z = j->z;
    for (psb_epk i = from; i < to && b == 0; i++)
        z[i] = a == 1 ? x[i] * y[i] : a * x[i] * y[i];
    for (psb_epk i = from; i < to && b != 0; i++)
        z[i] = a * x[i] * y[i] + b * z[i];
}

static psb_err mlt(psb_epk n, T alpha, const T *x, const T *y, T beta, T *z)
{
    if (alpha == 0)
        return scale(n, beta, z, z);
    return in_parts(n, 1, mlt_part, &(struct job){ .a = alpha, .b = beta, .x = x, .y = y, .z = z });
}

/* Element i of the result. */
/* clang-format off */
#define ELEMENTS(part, value) static void part(const struct job *j, psb_epk from, psb_epk to) \
    { for (psb_epk i = from; i < to; i++) j->z[i] = (value); }
/* clang-format on */
ELEMENTS(div_part, j->x[i] / j->y[i])
ELEMENTS(inv_part, 1 / j->x[i])
ELEMENTS(abs_part, (R)modulus(j->x[i]))

static psb_err divide(psb_epk n, const T *x, const T *y, T *z)
{
    return in_parts(n, 1, div_part, &(struct job){ .x = x, .y = y, .z = z });
}

static psb_err invert(psb_epk n, const T *x, T *y)
{
    return in_parts(n, 1, inv_part, &(struct job){ .x = x, .z = y });
}

static psb_err absolute(psb_epk n, const T *x, T *y)
{
    return in_parts(n, 1, abs_part, &(struct job){ .x = x, .z = y });
}

static void cmp_part(const struct job *j, psb_epk from, psb_epk to)
{
    const double c = (double)RE(j->a);
    for (psb_epk i = from; i < to; i++)
        j->z[i] = modulus(j->x[i]) >= c;
}

static psb_err compare(psb_epk n, R c, const T *x, T *z)
{
    return in_parts(n, 1, cmp_part, &(struct job){ .a = c, .x = x, .z = z });
}

static void addconst_part(const struct job *j, psb_epk from, psb_epk to)
{
    const T b = j->b, *x = j->x;
    T *z = j->z;
    for (psb_epk i = from; i < to; i++)
        z[i] = x[i] + b;
}

static psb_err addconst(psb_epk n, T b, const T *x, T *z)
{
    return in_parts(n, 1, addconst_part, &(struct job){ .b = b, .x = x, .z = z });
}

static int broken(R c, R x)
{
    if (c == 0)
        return 0;
    if (fabs((double)c) >= 1.5)
        return !(c > 0 ? x > 0 : x < 0);
    return !(c > 0 ? x >= 0 : x <= 0);
}

ELEMENTS(mask_part, broken(RE(j->x[i]), RE(j->y[i])))

static psb_err mask(psb_epk n, const T *c, const T *x, T *m)
{
    return in_parts(n, 1, mask_part, &(struct job){ .x = c, .y = x, .z = m });
}

/* --- reductions ---------------------------------------------------------------------------------------
 *
 * Rows are divided into blocks, and blocks into pieces whose number depends only on the number of rows; a
 * thread computes whole pieces.  So results do not depend on the number of threads, and the error of a sum
 * grows at most with rows / BLOCK.  Up to LANES columns are reduced at a time; a single column is treated as
 * LANES interleaved ones, so that consecutive additions do not depend on each other. */

enum { BLOCK = 512, PIECES = 128, LANES = 8 };

/* n rows of k elements, of which the first w are reduced. */
struct rows {
    psb_epk n;
    int k, w;
    const T *x, *y, *z; /* NULL: not used */
};

/* Results of up to LANES columns. */
struct result {
    double re[LANES], im[LANES]; /* im: for dot products only */
};

struct reduction {
    enum psb_join join;
    void (*over)(const struct rows *r, struct result *s); /* add the rows to *s */
};

/* Add one element to column j; the elements of arrays that a reduction does not use are 0. */
typedef void element(struct result *s, int j, T x, T y, T z);

PSB_INLINE void one_element(const struct rows *r, struct result *s, psb_epk l, int j, int arrays, element *f)
{
    f(s, j, r->x[l + j], arrays > 1 ? r->y[l + j] : 0, arrays > 2 ? r->z[l + j] : 0);
}

/* For w == LANES the inner loop is unrolled, so that the sums stay in registers. */
PSB_INLINE void each(const struct rows *r, struct result *s, int arrays, element *f)
{
    struct rows q = *r;
    struct result t = *s;
    for (psb_epk i = 0; i < q.n && q.w == LANES; i++)
#pragma GCC unroll 8
        for (int j = 0; j < LANES; j++)
            one_element(&q, &t, i * q.k, j, arrays, f);
    for (psb_epk i = 0; i < q.n && q.w < LANES; i++)
        for (int j = 0; j < q.w; j++)
            one_element(&q, s, i * q.k, j, arrays, f);
    if (q.w == LANES)
        *s = t;
}

PSB_INLINE void dot_element(struct result *s, int j, T x, T y, T z)
{
    double xr = (double)RE(x), xi = (double)IM(x), yr = (double)RE(y), yi = (double)IM(y);
    (void)z;
    s->re[j] += CPLX ? xr * yr + xi * yi : xr * yr;
    if (CPLX)
        s->im[j] += xr * yi - xi * yr;
}

PSB_INLINE void sumsq_element(struct result *s, int j, T x, T y, T z)
{
    double re = (double)RE(x), im = (double)IM(x);
    (void)y, (void)z;
    s->re[j] += CPLX ? re * re + im * im : re * re;
}

PSB_INLINE void wsumsq_element(struct result *s, int j, T x, T y, T z)
{
    double v = modulus(x) * modulus(y);
    (void)z;
    s->re[j] += v * v;
}

PSB_INLINE void masked_element(struct result *s, int j, T x, T y, T z)
{
    double v = modulus(x) * modulus(y);
    s->re[j] += z != 0 ? v * v : 0;
}

PSB_INLINE void asum_element(struct result *s, int j, T x, T y, T z)
{
    (void)y, (void)z;
    s->re[j] += modulus(x);
}

/* NaN is kept and passed on: comparisons with it are false, and v + was is then NaN. */
PSB_INLINE void amax_element(struct result *s, int j, T x, T y, T z)
{
    double v = modulus(x), was = s->re[j];
    (void)y, (void)z;
    s->re[j] = v > was ? v : v <= was ? was : v + was;
}

PSB_INLINE void keep_least(struct result *s, int j, double v)
{
    double was = s->re[j];
    s->re[j] = v < was ? v : v >= was ? was : v + was;
}

PSB_INLINE void min_element(struct result *s, int j, T x, T y, T z)
{
    (void)y, (void)z;
    keep_least(s, j, (double)RE(x));
}

PSB_INLINE void minquotient_element(struct result *s, int j, T x, T y, T z)
{
    (void)z;
    if (y != 0)
        keep_least(s, j, (double)(RE(x) / RE(y)));
}

/* The elements of `arrays` arrays reduced by name_element. */
/* clang-format off */
#define OVER(name, arrays) \
    static void over_##name(const struct rows *r, struct result *s) { each(r, s, arrays, name##_element); }
/* clang-format on */
OVER(dot, 2)
OVER(sumsq, 1)
OVER(wsumsq, 2)
OVER(masked, 3)
OVER(asum, 1)
OVER(amax, 1)
OVER(min, 1)
OVER(minquotient, 2)

static void begin(const struct reduction *q, struct result *s)
{
    *s = (struct result){ 0 };
    for (int j = 0; j < LANES && q->join == PSB_JOIN_MIN; j++)
        s->re[j] = INFINITY;
}

static void join(const struct reduction *q, int w, struct result *s, const double *re, const double *im)
{
    for (int j = 0; j < w; j++) {
        s->re[j] = psb_join(q->join, s->re[j], re[j]);
        s->im[j] += im[j];
    }
}

/* Rows first .. first + n - 1. */
static struct rows part(const struct rows *r, psb_epk first, psb_epk n)
{
    struct rows p = { .n = n, .k = r->k, .w = r->w, .x = r->x + first * r->k };
    p.y = r->y ? r->y + first * r->k : NULL;
    p.z = r->z ? r->z + first * r->k : NULL;
    return p;
}

/* Reduce one block: a single column as LANES interleaved ones, then the remaining rows. */
static void one_block(const struct reduction *q, struct rows r, struct result *s)
{
    begin(q, s);
    if (r.k == 1 && r.n >= LANES) {
        struct rows wide = r;
        wide.n = r.n / LANES;
        wide.k = wide.w = LANES;
        q->over(&wide, s);
        for (int d = LANES / 2; d > 0; d /= 2)
            join(q, d, s, s->re + d, s->im + d);
        r = part(&r, wide.n * LANES, r.n % LANES);
    }
    q->over(&r, s);
}

/* Reduce blocks a .. b - 1. */
static void one_piece(const struct reduction *q, const struct rows *r, psb_epk a, psb_epk b, struct result *s)
{
    struct result t;
    begin(q, s);
    for (psb_epk i = a * BLOCK; i < r->n && i < b * BLOCK; i += BLOCK) {
        one_block(q, part(r, i, r->n - i < BLOCK ? r->n - i : BLOCK), &t);
        join(q, r->w, s, t.re, t.im);
    }
}

static psb_epk blocks_of(psb_epk n)
{
    return (n + BLOCK - 1) / BLOCK;
}

static int pieces_of(psb_epk n)
{
    return blocks_of(n) < PIECES ? (int)blocks_of(n) : PIECES;
}

/* A reduction of up to LANES columns, and its results by piece. */
struct reducing {
    const struct reduction *q;
    const struct rows *r;
    struct result of[PIECES];
};

static void reduce_part(void *job, int t, int p)
{
    struct reducing *g = job;
    const int pieces = pieces_of(g->r->n);
    psb_epk i, end, a, b;
    for (psb_thread_range(pieces, t, p, &i, &end); i < end; i++) {
        psb_thread_range(blocks_of(g->r->n), (int)i, pieces, &a, &b);
        one_piece(g->q, g->r, a, b, &g->of[i]);
    }
}

/* Reduce all columns; res has `parts` numbers for each. */
static psb_err reduce(const struct reduction *q, struct rows r, double *res, int parts)
{
    for (int j = 0; j < r.k; j += LANES) {
        struct rows now = r;
        struct result s;
        struct reducing g;
        now.w = r.k - j < LANES ? r.k - j : LANES;
        now.x = r.x + j;
        now.y = r.y ? r.y + j : NULL;
        now.z = r.z ? r.z + j : NULL;
        g.q = q;
        g.r = &now;
        psb_team(psb_threads(now.n * now.w), reduce_part, &g);
        begin(q, &s);
        for (int i = 0; i < pieces_of(now.n); i++)
            join(q, now.w, &s, g.of[i].re, g.of[i].im);
        for (int l = 0; l < now.w; l++) {
            res[(j + l) * parts] = s.re[l];
            if (parts > 1)
                res[(j + l) * parts + 1] = s.im[l];
        }
    }
    return PSB_OK;
}

static const struct reduction products = { PSB_JOIN_SUM, over_dot };

static psb_err dot(psb_ipk n, int k, const T *x, const T *y, double *sum)
{
    return reduce(&products, (struct rows){ .n = n, .k = k, .x = x, .y = y }, sum, 2);
}

/* Reductions of one array. */
/* clang-format off */
#define OF_ONE(f, over, join) static psb_err f(psb_ipk n, int k, const T *x, double *res) \
    { static const struct reduction q = { join, over }; \
      return reduce(&q, (struct rows){ .n = n, .k = k, .x = x }, res, 1); }
/* clang-format on */
OF_ONE(sumsq, over_sumsq, PSB_JOIN_SUM)
OF_ONE(asum, over_asum, PSB_JOIN_SUM)
OF_ONE(amax, over_amax, PSB_JOIN_MAX)
OF_ONE(least, over_min, PSB_JOIN_MIN)

static psb_err wsumsq(psb_ipk n, int k, const T *x, const T *w, const T *id, double *sum)
{
    static const struct reduction weighted = { PSB_JOIN_SUM, over_wsumsq };
    static const struct reduction masked = { PSB_JOIN_SUM, over_masked };
    return reduce(id ? &masked : &weighted, (struct rows){ .n = n, .k = k, .x = x, .y = w, .z = id }, sum, 1);
}

static psb_err minquotient(psb_ipk n, int k, const T *x, const T *y, double *res)
{
    static const struct reduction q = { PSB_JOIN_MIN, over_minquotient };
    return reduce(&q, (struct rows){ .n = n, .k = k, .x = x, .y = y }, res, 1);
}

/* --- all products of columns ---------------------------------------------------------------------------- */

/* Products in one pass: those of 8 columns. */
enum { GRAM = 64 };

/* Products first .. first + m - 1 of k k, by rows; `of` receives them by piece. */
struct gram {
    psb_epk n;
    int k, first, m;
    const T *x, *y;
    double (*of)[2 * GRAM];
};

/* Add the products of x, a column of n rows, and w columns from y on. */
PSB_INLINE void gram_lanes(psb_epk n, int k, int w, const T *x, const T *y, double *sum)
{
    struct result s = { 0 };
    for (psb_epk r = 0; r < n; r++)
#pragma GCC unroll 8
        for (int l = 0; l < w; l++)
            dot_element(&s, l, x[r * k], y[r * k + l], 0);
    for (int l = 0; l < w; l++) {
        sum[2 * l] += s.re[l];
        sum[2 * l + 1] += s.im[l];
    }
}

/* The rows of a block stay in the cache while the products of their columns are added. */
static void gram_block(const struct gram *g, psb_epk from, psb_epk n, double *sum)
{
    const int k = g->k;
    for (int e = 0, w; e < g->m; e += w) {
        const int i = (g->first + e) / k, j = (g->first + e) % k;
        const T *x = g->x + from * k + i, *y = g->y + from * k + j;
        w = g->m - e < k - j ? g->m - e : k - j;
        w = w < LANES ? w : LANES;
        if (w == LANES)
            gram_lanes(n, k, LANES, x, y, sum + 2 * e);
        else
            gram_lanes(n, k, w, x, y, sum + 2 * e);
    }
}

static void gram_part(void *job, int t, int p)
{
    struct gram *g = job;
    const int pieces = pieces_of(g->n);
    psb_epk i, end, a, b;
    for (psb_thread_range(pieces, t, p, &i, &end); i < end; i++) {
        memset(g->of[i], 0, sizeof g->of[i]);
        psb_thread_range(blocks_of(g->n), (int)i, pieces, &a, &b);
        for (a *= BLOCK, b *= BLOCK; a < g->n && a < b; a += BLOCK)
            gram_block(g, a, g->n - a < BLOCK ? g->n - a : BLOCK, g->of[i]);
    }
}

static psb_err gram(psb_ipk n, int k, const T *x, const T *y, double *sum)
{
    double of[PIECES][2 * GRAM];
    struct gram g = { .n = n, .k = k, .x = x, .y = y, .of = of };
    for (g.first = 0; g.first < k * k; g.first += g.m) {
        g.m = k * k - g.first < GRAM ? k * k - g.first : GRAM;
        psb_team(psb_threads(g.n * g.m), gram_part, &g);
        for (int e = 0; e < 2 * g.m; e++) {
            double *to = &sum[2 * g.first + e];
            *to = 0;
            for (int i = 0; i < pieces_of(n); i++)
                *to += of[i][e];
        }
    }
    return PSB_OK;
}

/* --- several dot products in one pass, the epilogue of a product ---------------------------------------- */

/* A pass over n rows: f computes z, and mlt_part u, NULL if there is none; then the dot products of left[i]
 * and right[i], or the one `right` if `step` is 0; `of` receives them by piece. */
struct ending {
    psb_epk n;
    int ndots, step;
    const T *const *left, *const *right;
    job_part *f;
    struct job j, u;
    double (*of)[2 * PSB_MOST_VECTORS];
};

/* Add products of rows i .. i + n - 1 by the blocks of dot: so the sums have the bits that dot gives. */
static void end_rows(const struct ending *e, psb_epk i, psb_epk n, double *sum)
{
    if (e->f)
        e->f(&e->j, i, i + n);
    if (e->u.z)
        mlt_part(&e->u, i, i + n);
    for (int d = 0; d < e->ndots; d++)
        for (psb_epk at = i; at < i + n; at += BLOCK) {
            const T *x = e->left[d] + at, *y = e->right[d * e->step] + at;
            const psb_epk m = i + n - at < BLOCK ? i + n - at : BLOCK;
            const struct rows r = { .n = m, .k = 1, .w = 1, .x = x, .y = y };
            struct result s;
            one_block(&products, r, &s);
            sum[2 * d] += s.re[0];
            sum[2 * d + 1] += s.im[0];
        }
}

/* ROWS_AT_ONCE of all vectors stay in the cache; so many of each are read in a row, which is prefetched. */
static void end_part(void *job, int t, int p)
{
    enum { ROWS_AT_ONCE = 8 * BLOCK };
    struct ending *e = job;
    const int pieces = pieces_of(e->n);
    psb_epk i, end, a, b;
    for (psb_thread_range(pieces, t, p, &i, &end); i < end; i++) {
        memset(e->of[i], 0, 2 * (size_t)e->ndots * sizeof(double));
        psb_thread_range(blocks_of(e->n), (int)i, pieces, &a, &b);
        b = b * BLOCK < e->n ? b * BLOCK : e->n;
        for (a *= BLOCK; a < b; a += ROWS_AT_ONCE)
            end_rows(e, a, b - a < ROWS_AT_ONCE ? b - a : ROWS_AT_ONCE, e->of[i]);
    }
}

/* Make the pass e; sum[2d], sum[2d+1]: dot product d. */
static void end_all(struct ending *e, double *sum)
{
    double of[PIECES][2 * PSB_MOST_VECTORS];
    e->of = of;
    psb_team(psb_threads(e->n * (e->ndots + 1)), end_part, e);
    for (int d = 0; d < 2 * e->ndots; d++) {
        sum[d] = 0;
        for (int i = 0; i < pieces_of(e->n); i++)
            sum[d] += of[i][d];
    }
}

static psb_err dots(psb_ipk n, int m, const T *const *x, const T *y, double *sum)
{
    end_all(&(struct ending){ .n = n, .ndots = m, .left = x, .right = &y }, sum);
    return PSB_OK;
}

static T accepted_ratio(struct psb_column *c, T a, T b, const char *what)
{
    const T q = c->active && b != 0 ? X(quotient)(a, b) : 0;
    return psb_accept_ratio(c, b == 0, (double)ABS(b), (double)ABS(q), what) ? q : 0;
}

static void do_step(struct psb_column *c, const struct X(vec_step) *s)
{
    const T a = *s->a, b = s->b ? *s->b : 0;
    switch (s->kind) {
    case PSB_STEP_DIVIDE:
        *s->to = b == 0 ? 0 : a / b;
        break;
    case PSB_STEP_RATIO:
        *s->to = accepted_ratio(c, a, b, s->what);
        break;
    case PSB_STEP_POSITIVE:
        psb_demand_positive(c, (double)RE(a), s->what);
        break;
    case PSB_STEP_COPY:
        *s->to = a;
        break;
    case PSB_STEP_NEGATE:
        *s->to = -a;
        break;
    case PSB_STEP_ROOT:
        *s->to = (R)sqrt((double)RE(a));
        break;
    case PSB_STEP_MULTIPLY:
        *s->to = a * b;
        break;
    case PSB_STEP_LESS_PRODUCT:
        *s->to = a - b * *s->to;
        break;
    case PSB_STEP_KEEP:
        c->alpha = (double)RE(a);
        c->beta = (double)RE(b);
        break;
    case PSB_STEP_TEST_FIRST:
    case PSB_STEP_TEST:
        psb_test_column(c, (double)RE(a), s->kind == PSB_STEP_TEST_FIRST);
        break;
    }
}

static psb_err do_steps(const struct X(vec_steps) *s)
{
    struct psb_column none = { .active = true };
    for (int i = 0; i < s->n; i++)
        do_step(s->column ? s->column : &none, &s->step[i]);
    return PSB_OK;
}

static psb_err epilogue(psb_ipk n, const T *y, const struct X(vec_epilogue) *t, double *sum)
{
    struct ending e = { .n = n, .ndots = t->ndots, .step = 1, .left = t->left, .right = t->right };
    double s[2 * PSB_MOST_DOTS];
    e.f = t->z ? choose_sum(&e.j, factor(&t->gamma), y, factor(&t->delta), t->z, t->z) : NULL;
    e.u = (struct job){ .a = 1, .x = t->d, .y = t->z ? t->z : y, .z = t->u };
    end_all(&e, s);
    /* Store the sums where they are asked for. */
    for (int i = 0; i < t->ndots && t->to[0]; i++)
        *t->to[i] = MAKE(s[2 * i], s[2 * i + 1]);
    double *parts = t->stay ? t->stay : sum;
    for (int d = 0; d < 2 * t->ndots && !t->to[0]; d++)
        parts[d] = t->part == PSB_SUM_LAST ? parts[d] + s[d] : s[d];
    return t->ndots > 0 && t->to[0] ? do_steps(&t->steps) : PSB_OK;
}

/* --- scalars ------------------------------------------------------------------------------------------- */

/* Part `part` of entry i, over all processes in rank order. */
static double total(const struct X(vec_totals) *t, int i, int part)
{
    const int at = 2 * i + part;
    double s = 0;
    for (int k = 0; k <= t->count; k++)
        s += k == t->before ? t->mine[at] : t->others[(k < t->before ? k : k - 1) * t->width + at];
    return s;
}

static psb_err totals(const struct X(vec_totals) *t)
{
    PSB_TRY(psb_exchange_rows(&t->exchange));
    for (int i = 0; i < t->n; i++)
        *t->to[i] = MAKE(total(t, i, 0), total(t, i, 1));
    return do_steps(&t->steps);
}

/* --- single precision ----------------------------------------------------------------------------------- */

/* y = x times the factors of k columns. */
struct rounding {
    psb_ipk n;
    int k;
    const R *factor;
    const void *x;
    void *y;
};

static void narrow_part(void *rounding, int t, int p)
{
    const struct rounding *q = rounding;
    const T *x = q->x;
    TS *y = q->y;
    psb_epk from, to;
    psb_thread_range(q->n, t, p, &from, &to);
    for (psb_epk i = from * q->k; i < to * q->k; i += q->k)
        for (int j = 0; j < q->k; j++)
            y[i + j] = (TS)(q->factor[j] * x[i + j]);
}

static psb_err narrow(psb_ipk n, int k, const R *factor, const T *x, TS *y)
{
    psb_team(psb_threads((psb_epk)n * k), narrow_part, &(struct rounding){ n, k, factor, x, y });
    return PSB_OK;
}

static void widen_part(void *rounding, int t, int p)
{
    const struct rounding *q = rounding;
    const TS *x = q->x;
    T *y = q->y;
    psb_epk from, to;
    psb_thread_range(q->n, t, p, &from, &to);
    for (psb_epk i = from * q->k; i < to * q->k; i += q->k)
        for (int j = 0; j < q->k; j++)
            y[i + j] = q->factor[j] * (T)x[i + j];
}

static psb_err widen(psb_ipk n, int k, const R *factor, const TS *x, T *y)
{
    psb_team(psb_threads((psb_epk)n * k), widen_part, &(struct rounding){ n, k, factor, x, y });
    return PSB_OK;
}

struct random {
    psb_ipk n;
    int k;
    psb_lpk from;
    T *x;
};

static void random_part(void *job, int t, int p)
{
    const struct random *q = job;
    psb_epk i, end;
    for (psb_thread_range(q->n, t, p, &i, &end); i < end; i++)
        for (int j = 0; j < q->k; j++)
            q->x[i * q->k + j] = (R)psb_random_number((uint64_t)(q->from + i));
}

static psb_err random_rows(psb_ipk n, int k, psb_lpk from, T *x)
{
    psb_team(psb_threads((psb_epk)n * k), random_part, &(struct random){ n, k, from, x });
    return PSB_OK;
}

/* --- rows with several owners ------------------------------------------------------------------------- */

static psb_err join_owners(const struct X(vec_owners) *t)
{
    for (psb_ipk i = 0; i < t->n; i++)
        for (int j = 0; j < t->k; j++) {
            const psb_ipk *start = t->start + i;
            T *x = t->x + (size_t)t->loc[i] * (size_t)t->k + j, sum = 0;
            for (psb_ipk o = start[0]; o < start[1]; o++)
                sum += t->place[o] < 0 ? *x : t->in[(size_t)t->place[o] * (size_t)t->k + (size_t)j];
            const R f = PSB_OWNERS_FACTOR(R, t->op, start[1] - start[0], t->place[start[0]] < 0);
            *x = f == 0 ? 0 : sum * f;
        }
    return PSB_OK;
}

const struct X(vec_ops) X(vec_host) = {
    .fill = fill,
    .axpby = axpby,
    .gth = gth,
    .scatter_add = scatter_add,
    .scatter = scatter,
    .axpbyz = axpbyz,
    .upd_xyz = upd_xyz,
    .axpbys = axpbys,
    .axpby_cols = axpby_cols,
    .narrow = narrow,
    .widen = widen,
    .random = random_rows,
    .maxpby = maxpby,
    .block_axpy = block_axpy,
    .mlt = mlt,
    .div = divide,
    .inv = invert,
    .abs = absolute,
    .cmp = compare,
    .addconst = addconst,
    .mask = mask,
    .join_owners = join_owners,
    .band = solve_band,
    .sparse_check = check_sparse,
    .sparse = sparse,
    .lay = lay,
    .spmm = spmm,
    .spsm = spsm,
    .sddmm = sddmm,
    .dot = dot,
    .dots = dots,
    .gram = gram,
    .sumsq = sumsq,
    .wsumsq = wsumsq,
    .asum = asum,
    .amax = amax,
    .min = least,
    .minquotient = minquotient,
    .epilogue = epilogue,
    .totals = totals,
    .steps = do_steps,
};
