/* vec_host.c -- room: base/device.  Vector operations on the host. */
#include "psb_base.h"
#include "reduce.h"
#include "psb_type.h"

/* The modulus, in double, where nothing of single precision leaves the range. */
static double modulus(T a)
{
    double re = (double)RE(a), im = (double)IM(a);
    if (!CPLX)
        return fabs(re);
    return sizeof(R) == sizeof(float) ? sqrt(re * re + im * im) : hypot(re, im);
}

/* --- in parts ----------------------------------------------------------------------------------------- */

/* What an operation works on: factors, arrays read, an array written (upd_xyz: two), a list of rows. */
struct job {
    T a, b, c, d;
    const T *x, *y;
    T *u, *z;
    const psb_ipk *idx;
    int k;
};

typedef void job_part(const struct job *j, psb_epk from, psb_epk to);

/* Elements, or rows, 0 .. n-1, each worth `each` elements.  A region of one thread costs as much as a short
 * message: there is none. */
static psb_err in_parts(psb_epk n, int each, job_part *f, const struct job *j)
{
    int p = psb_threads(n * each);
    if (p == 1) {
        f(j, 0, n);
        return PSB_OK;
    }
#pragma omp parallel for num_threads(p)
    for (int t = 0; t < p; t++) {
        psb_epk from, to;
        psb_thread_range(n, t, p, &from, &to);
        f(j, from, to);
    }
    return PSB_OK;
}

/* --- element by element ------------------------------------------------------------------------------- */

static void fill_part(const struct job *j, psb_epk from, psb_epk to)
{
    for (psb_epk i = from; i < to; i++)
        j->z[i] = j->a;
}

static psb_err fill(psb_epk n, T a, T *x)
{
    return in_parts(n, 1, fill_part, &(struct job){ .a = a, .z = x });
}

static void scale_part(const struct job *j, psb_epk from, psb_epk to)
{
    const T a = j->a, *x = j->x;
    T *z = j->z;
    for (psb_epk i = from; i < to; i++)
        z[i] = a * x[i];
}

static psb_err scale(psb_epk n, T alpha, const T *x, T *y)
{
    if (alpha == 0)
        return fill(n, 0, y);
    if (alpha == 1 && x == y)
        return PSB_OK;
    return in_parts(n, 1, scale_part, &(struct job){ .a = alpha, .x = x, .z = y });
}

static void axpbyz_part(const struct job *j, psb_epk from, psb_epk to)
{
    const T a = j->a, b = j->b, *x = j->x, *y = j->y;
    T *z = j->z;
    for (psb_epk i = from; i < to; i++)
        z[i] = a * x[i] + b * y[i];
}

static psb_err axpbyz(psb_epk n, T alpha, const T *x, T beta, const T *y, T *z)
{
    if (alpha == 0)
        return scale(n, beta, y, z);
    if (beta == 0)
        return scale(n, alpha, x, z);
    return in_parts(n, 1, axpbyz_part, &(struct job){ .a = alpha, .b = beta, .x = x, .y = y, .z = z });
}

static psb_err axpby(psb_epk n, T alpha, const T *x, T beta, T *y)
{
    return axpbyz(n, alpha, x, beta, y, y);
}

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

static void div_part(const struct job *j, psb_epk from, psb_epk to)
{
    for (psb_epk i = from; i < to; i++)
        j->z[i] = j->x[i] / j->y[i];
}

static psb_err divide(psb_epk n, const T *x, const T *y, T *z)
{
    return in_parts(n, 1, div_part, &(struct job){ .x = x, .y = y, .z = z });
}

static void inv_part(const struct job *j, psb_epk from, psb_epk to)
{
    for (psb_epk i = from; i < to; i++)
        j->z[i] = 1 / j->x[i];
}

static psb_err invert(psb_epk n, const T *x, T *y)
{
    return in_parts(n, 1, inv_part, &(struct job){ .x = x, .z = y });
}

static void abs_part(const struct job *j, psb_epk from, psb_epk to)
{
    for (psb_epk i = from; i < to; i++)
        j->z[i] = (R)modulus(j->x[i]);
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

static void mask_part(const struct job *j, psb_epk from, psb_epk to)
{
    for (psb_epk i = from; i < to; i++)
        j->z[i] = broken(RE(j->x[i]), RE(j->y[i]));
}

static psb_err mask(psb_epk n, const T *c, const T *x, T *m)
{
    return in_parts(n, 1, mask_part, &(struct job){ .x = c, .y = x, .z = m });
}

/* --- rows by a list ----------------------------------------------------------------------------------- */

static void gth_part(const struct job *j, psb_epk from, psb_epk to)
{
    const psb_ipk *idx = j->idx;
    const T *x = j->x;
    T *buf = j->z;
    for (psb_epk i = from; i < to && j->k == 1; i++)
        buf[i] = x[idx[i]];
    for (psb_epk i = from; i < to && j->k > 1; i++)
        for (int l = 0; l < j->k; l++)
            buf[i * j->k + l] = x[(psb_epk)idx[i] * j->k + l];
}

static psb_err gth(psb_ipk n, const psb_ipk *idx, int k, const T *x, T *buf)
{
    return in_parts(n, k, gth_part, &(struct job){ .idx = idx, .k = k, .x = x, .z = buf });
}

static void sct_part(const struct job *j, psb_epk from, psb_epk to)
{
    const psb_ipk *idx = j->idx;
    const T *buf = j->x;
    T *y = j->z;
    for (psb_epk i = from; i < to && j->k == 1; i++)
        y[idx[i]] += buf[i];
    for (psb_epk i = from; i < to && j->k > 1; i++)
        for (int l = 0; l < j->k; l++)
            y[(psb_epk)idx[i] * j->k + l] += buf[i * j->k + l];
}

static psb_err scatter_add(psb_ipk n, const psb_ipk *idx, int k, const T *buf, T *y)
{
    return in_parts(n, k, sct_part, &(struct job){ .idx = idx, .k = k, .x = buf, .z = y });
}

/* --- over the rows ------------------------------------------------------------------------------------
 *
 * Rows come in blocks, blocks in pieces whose number depends on the rows alone; a thread has whole pieces.
 * The error of a sum grows with the rows / BLOCK at most.  Up to LANES columns go at a time; a single column
 * is looked at as LANES of them, so that the sums do not wait for each other. */

enum { BLOCK = 512, PIECES = 128, LANES = 8 };

/* Some rows, k elements apart, of which w are looked at. */
struct rows {
    psb_epk n;
    int k, w;
    const T *x, *y, *z; /* those not needed are NULL */
};

/* Results of up to LANES columns. */
struct result {
    double re[LANES], im[LANES]; /* im: of the dot product alone */
};

struct reduction {
    enum psb_join join;
    void (*over)(const struct rows *r, struct result *s); /* joins the rows to what s holds */
};

/* One element joined to column j; arrays that a reduction does not have give 0. */
typedef void element(struct result *s, int j, T x, T y, T z);

#if defined(__GNUC__)
#define INLINE static inline __attribute__((always_inline))
#else
#define INLINE static inline
#endif

INLINE void one_element(const struct rows *r, struct result *s, psb_epk l, int j, int arrays, element *f)
{
    f(s, j, r->x[l + j], arrays > 1 ? r->y[l + j] : 0, arrays > 2 ? r->z[l + j] : 0);
}

/* The full width is unrolled: then its sums stay in registers. */
INLINE void each(const struct rows *r, struct result *s, int arrays, element *f)
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

INLINE void dot_element(struct result *s, int j, T x, T y, T z)
{
    double xr = (double)RE(x), xi = (double)IM(x), yr = (double)RE(y), yi = (double)IM(y);
    (void)z;
    s->re[j] += CPLX ? xr * yr + xi * yi : xr * yr;
    if (CPLX)
        s->im[j] += xr * yi - xi * yr;
}

static void over_dot(const struct rows *r, struct result *s)
{
    each(r, s, 2, dot_element);
}

INLINE void sumsq_element(struct result *s, int j, T x, T y, T z)
{
    double re = (double)RE(x), im = (double)IM(x);
    (void)y, (void)z;
    s->re[j] += CPLX ? re * re + im * im : re * re;
}

static void over_sumsq(const struct rows *r, struct result *s)
{
    each(r, s, 1, sumsq_element);
}

INLINE void wsumsq_element(struct result *s, int j, T x, T y, T z)
{
    double v = modulus(x) * modulus(y);
    (void)z;
    s->re[j] += v * v;
}

INLINE void masked_element(struct result *s, int j, T x, T y, T z)
{
    double v = modulus(x) * modulus(y);
    s->re[j] += z != 0 ? v * v : 0;
}

static void over_wsumsq(const struct rows *r, struct result *s)
{
    each(r, s, 2, wsumsq_element);
}

static void over_masked(const struct rows *r, struct result *s)
{
    each(r, s, 3, masked_element);
}

INLINE void asum_element(struct result *s, int j, T x, T y, T z)
{
    (void)y, (void)z;
    s->re[j] += modulus(x);
}

static void over_asum(const struct rows *r, struct result *s)
{
    each(r, s, 1, asum_element);
}

/* A NaN stays, and comes in: what is compared with one is false. */
INLINE void amax_element(struct result *s, int j, T x, T y, T z)
{
    double v = modulus(x), was = s->re[j];
    (void)y, (void)z;
    s->re[j] = v > was ? v : v <= was ? was : v + was;
}

static void over_amax(const struct rows *r, struct result *s)
{
    each(r, s, 1, amax_element);
}

INLINE void take_less(struct result *s, int j, double v)
{
    double was = s->re[j];
    s->re[j] = v < was ? v : v >= was ? was : v + was;
}

INLINE void min_element(struct result *s, int j, T x, T y, T z)
{
    (void)y, (void)z;
    take_less(s, j, (double)RE(x));
}

static void over_min(const struct rows *r, struct result *s)
{
    each(r, s, 1, min_element);
}

INLINE void minquotient_element(struct result *s, int j, T x, T y, T z)
{
    (void)z;
    if (y != 0)
        take_less(s, j, (double)(RE(x) / RE(y)));
}

static void over_minquotient(const struct rows *r, struct result *s)
{
    each(r, s, 2, minquotient_element);
}

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

static struct rows part(const struct rows *r, psb_epk first, psb_epk n)
{
    struct rows p = { .n = n, .k = r->k, .w = r->w, .x = r->x + first * r->k };
    p.y = r->y ? r->y + first * r->k : NULL;
    p.z = r->z ? r->z + first * r->k : NULL;
    return p;
}

/* One block: a single column folded into LANES, and what is left over. */
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

static void one_piece(const struct reduction *q, const struct rows *r, psb_epk a, psb_epk b, struct result *s)
{
    struct result t;
    begin(q, s);
    for (psb_epk i = a * BLOCK; i < r->n && i < b * BLOCK; i += BLOCK) {
        one_block(q, part(r, i, r->n - i < BLOCK ? r->n - i : BLOCK), &t);
        join(q, r->w, s, t.re, t.im);
    }
}

/* Piece p of `pieces`. */
static void nth_piece(const struct reduction *q, const struct rows *r, int p, int pieces, struct result *s)
{
    psb_epk a, b;
    psb_thread_range((r->n + BLOCK - 1) / BLOCK, p, pieces, &a, &b);
    one_piece(q, r, a, b, s);
}

static void few_columns(const struct reduction *q, const struct rows *r, struct result *s)
{
    struct result of[PIECES];
    psb_epk blocks = (r->n + BLOCK - 1) / BLOCK;
    int pieces = blocks < PIECES ? (int)blocks : PIECES, threads = psb_threads(r->n * r->w);
    if (threads == 1) {
        for (int p = 0; p < pieces; p++)
            nth_piece(q, r, p, pieces, &of[p]);
    } else {
#pragma omp parallel for num_threads(threads)
        for (int p = 0; p < pieces; p++)
            nth_piece(q, r, p, pieces, &of[p]);
    }
    begin(q, s);
    for (int p = 0; p < pieces; p++)
        join(q, r->w, s, of[p].re, of[p].im);
}

/* All columns; `parts`: numbers a column. */
static psb_err reduce(const struct reduction *q, struct rows r, double *res, int parts)
{
    struct result s;
    for (int j = 0; j < r.k; j += LANES) {
        struct rows now = r;
        now.w = r.k - j < LANES ? r.k - j : LANES;
        now.x = r.x + j;
        now.y = r.y ? r.y + j : NULL;
        now.z = r.z ? r.z + j : NULL;
        few_columns(q, &now, &s);
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

static psb_err sumsq(psb_ipk n, int k, const T *x, double *sum)
{
    static const struct reduction q = { PSB_JOIN_SUM, over_sumsq };
    return reduce(&q, (struct rows){ .n = n, .k = k, .x = x }, sum, 1);
}

static psb_err wsumsq(psb_ipk n, int k, const T *x, const T *w, const T *id, double *sum)
{
    static const struct reduction weighted = { PSB_JOIN_SUM, over_wsumsq };
    static const struct reduction masked = { PSB_JOIN_SUM, over_masked };
    return reduce(id ? &masked : &weighted, (struct rows){ .n = n, .k = k, .x = x, .y = w, .z = id }, sum, 1);
}

static psb_err asum(psb_ipk n, int k, const T *x, double *res)
{
    static const struct reduction q = { PSB_JOIN_SUM, over_asum };
    return reduce(&q, (struct rows){ .n = n, .k = k, .x = x }, res, 1);
}

static psb_err amax(psb_ipk n, int k, const T *x, double *res)
{
    static const struct reduction q = { PSB_JOIN_MAX, over_amax };
    return reduce(&q, (struct rows){ .n = n, .k = k, .x = x }, res, 1);
}

static psb_err least(psb_ipk n, int k, const T *x, double *res)
{
    static const struct reduction q = { PSB_JOIN_MIN, over_min };
    return reduce(&q, (struct rows){ .n = n, .k = k, .x = x }, res, 1);
}

static psb_err minquotient(psb_ipk n, int k, const T *x, const T *y, double *res)
{
    static const struct reduction q = { PSB_JOIN_MIN, over_minquotient };
    return reduce(&q, (struct rows){ .n = n, .k = k, .x = x, .y = y }, res, 1);
}

/* --- what follows a product ---------------------------------------------------------------------------- */

/* The sum's part, NULL where there is none, and what it works on; the rows. */
struct ending {
    psb_epk n;
    const struct X(tail) *t;
    job_part *f;
    struct job j;
};

static struct ending ending_of(psb_ipk n, const T *y, const struct X(tail) *t)
{
    struct ending e = { .n = n, .t = t, .j = { .a = t->gamma, .b = t->delta, .x = y, .y = t->z, .z = t->z } };
    if (!t->z)
        return e;
    e.f = t->gamma != 0 && t->delta != 0   ? axpbyz_part
          : t->gamma == 0 && t->delta == 0 ? fill_part
                                           : scale_part;
    if (t->gamma == 0) {
        e.j.a = t->delta;
        e.j.x = t->z;
    }
    return e;
}

/* Blocks are the ones of dot, so the bits are. */
static void nth_of_ending(const struct ending *e, int p, int pieces, double *sum)
{
    psb_epk a, b;
    psb_thread_range((e->n + BLOCK - 1) / BLOCK, p, pieces, &a, &b);
    for (psb_epk i = a * BLOCK; i < e->n && i < b * BLOCK; i += BLOCK) {
        struct rows r = { .n = e->n - i < BLOCK ? e->n - i : BLOCK, .k = 1, .w = 1 };
        if (e->f)
            e->f(&e->j, i, i + r.n);
        for (int d = 0; d < e->t->ndots; d++) {
            struct result s;
            r.x = e->t->left[d] + i;
            r.y = e->t->right[d] + i;
            one_block(&products, r, &s);
            sum[2 * d] += s.re[0];
            sum[2 * d + 1] += s.im[0];
        }
    }
}

static psb_err epilogue(psb_ipk n, const T *y, const struct X(tail) *t, double *sum)
{
    const struct ending e = ending_of(n, y, t);
    double of[PIECES][2 * PSB_MOST_DOTS] = { { 0 } };
    const psb_epk blocks = (e.n + BLOCK - 1) / BLOCK;
    const int pieces = blocks < PIECES ? (int)blocks : PIECES, threads = psb_threads(e.n * (t->ndots + 1));
    if (threads == 1) {
        for (int p = 0; p < pieces; p++)
            nth_of_ending(&e, p, pieces, of[p]);
    } else {
#pragma omp parallel for num_threads(threads)
        for (int p = 0; p < pieces; p++)
            nth_of_ending(&e, p, pieces, of[p]);
    }
    for (int d = 0; d < 2 * t->ndots; d++) {
        sum[d] = 0;
        for (int p = 0; p < pieces; p++)
            sum[d] += of[p][d];
    }
    return PSB_OK;
}

const struct X(vec_ops) X(vec_host) = {
    .fill = fill,
    .axpby = axpby,
    .gth = gth,
    .scatter_add = scatter_add,
    .axpbyz = axpbyz,
    .upd_xyz = upd_xyz,
    .mlt = mlt,
    .div = divide,
    .inv = invert,
    .abs = absolute,
    .cmp = compare,
    .addconst = addconst,
    .mask = mask,
    .dot = dot,
    .sumsq = sumsq,
    .wsumsq = wsumsq,
    .asum = asum,
    .amax = amax,
    .min = least,
    .minquotient = minquotient,
    .epilogue = epilogue,
};
