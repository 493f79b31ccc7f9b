/* gesums.c -- base/vect: reductions of vectors: sums, norms, extremes. */
#include "vect.h"
#include "coll.h"
#include "join.h"
#include <string.h>
#include "psb_trace.h"
#include "psb_type.h"
#include "operands.h"

/* A reduction to one number for each column: its slot in the table of operations, and how results of
 * processes are combined.  run NULL: the operation has one array. */
struct kind {
    size_t slot;
    enum psb_op op;
    psb_err (*run)(const struct opened *w, const struct operand *o, double *res);
};

/* Call the operation of one array at `slot`. */
static psb_err run_one(size_t slot, const struct opened *w, const struct operand *o, double *res)
{
    psb_err (*f)(psb_ipk n, int k, const T *x, double *res);
    memcpy(&f, (const char *)w->ops + slot, sizeof f);
    return f(w->n, w->k, o[0].p, res);
}

/* Results; on the stack if they are few. */
struct results {
    int n;
    double *v, few[128];
};

static psb_err alloc_results(struct results *s, int n)
{
    s->v = s->few;
    if (n > (int)(sizeof s->few / sizeof *s->few))
        PSB_TRY(psb_alloc(&s->v, (size_t)n, sizeof *s->v, "results of a reduction"));
    s->n = n;
    return PSB_OK;
}

static void free_results(struct results *s)
{
    if (s->v != s->few)
        psb_free(s->v);
}

/* The context of the first vector that has one; NULL: no other process takes part. */
static psb_ctxt *context(const struct operand *o, int m)
{
    for (int i = 0; i < m; i++)
        if (o[i].v && o[i].v->desc)
            return psb_cd_ctxt(o[i].v->desc);
    return NULL;
}

static psb_err check_result(const void *res)
{
    PSB_NEED(res, "where to store the result");
    return PSB_OK;
}

/* Count rows with several owners once: w and o become copies, in *counted, of the rows that count here. */
static psb_err only_counted(struct operand *o, int m, struct opened *w, T **counted)
{
    const struct psb_overlap *s = o[0].v->desc ? psb_desc_overlap(o[0].v->desc) : NULL;
    if (!s || !s->counted)
        return PSB_OK;
    size_t each = (size_t)s->ncounted * (size_t)w->k;
    PSB_TRY(psb_alloc(counted, each * (size_t)m, sizeof **counted, "rows that count"));
    for (int i = 0; i < m; i++) {
        T *to = *counted + (size_t)i * each;
        PSB_TRY(psb_dual_read(&o[i].v->v, PSB_HOST, &o[i].p));
        PSB_TRY(X(vec_host).gth(s->ncounted, s->counted, w->k, o[i].p, to));
        o[i].p = to;
    }
    w->s = PSB_HOST;
    w->ops = &X(vec_host);
    w->n = s->ncounted;
    w->all = (psb_epk)each;
    return PSB_OK;
}

/* Reduce with an earlier error `err`, or PSB_OK.  On success the caller frees s. */
static psb_err reduction(const struct kind *q, struct operand *o, int m, psb_ctxt *ctxt, psb_err err,
                         struct results *s)
{
    struct opened w;
    T *counted = NULL;
    *s = (struct results){ .v = s->few };
    psb_err e = err;
    PSB_THEN(e, X(operands_open)(o, m, q->slot, &w));
    if (e == PSB_OK && q->op == PSB_SUM)
        e = only_counted(o, m, &w, &counted);
    PSB_THEN(e, alloc_results(s, w.k));
    PSB_THEN(e, q->run ? q->run(&w, o, s->v) : run_one(q->slot, &w, o, s->v));
    psb_free(counted);
    e = psb_reduce_in_time(ctxt, q->op, PSB_KIND_d, s->n, s->v, e);
    if (e != PSB_OK)
        free_results(s);
    return e;
}

/* One real result for each column. */
static psb_err reals(const struct kind *q, struct operand *o, int m, int global, R *res)
{
    struct results s;
    PSB_TRY(reduction(q, o, m, global ? context(o, m) : NULL, check_result(res), &s));
    for (int j = 0; j < s.n; j++)
        res[j] = (R)s.v[j];
    free_results(&s);
    return PSB_OK;
}

/* --- dot products ------------------------------------------------------------------------------------- */

/* Store the i-th product in s, which is allocated with the first. */
static psb_err one_dot(struct results *s, int i, int m, const struct X(vect) *x, const struct X(vect) *y)
{
    struct operand o[] = { { .name = "x", .v = x }, { .name = "y", .v = y } };
    struct opened w;
    PSB_TRY(X(operands_open)(o, 2, SLOT(dot), &w));
    PSB_CHECK(w.k <= INT32_MAX / 2 / m, PSB_EARG, "argument m is %d; expected fewer products of %d columns",
              m, w.k);
    if (i == 0)
        PSB_TRY(alloc_results(s, 2 * m * w.k));
    PSB_CHECK(s->n == 2 * m * w.k, PSB_EARG, "argument x[%d] has %d columns; expected as many as x[0], %d", i,
              w.k, s->n / 2 / m);
    T *counted = NULL;
    psb_err e = only_counted(o, 2, &w, &counted);
    PSB_THEN(e, w.ops->dot(w.n, w.k, o[0].p, o[1].p, s->v + 2 * i * w.k));
    psb_free(counted);
    return e;
}

psb_err X(gedot_parts)(const struct X(vect) *x, const struct X(vect) *y, double *sum)
{
    struct results s = { .v = s.few };
    PSB_TRY(one_dot(&s, 0, 1, x, y));
    sum[0] = s.v[0];
    sum[1] = s.v[1];
    free_results(&s);
    return PSB_OK;
}

static psb_err check_dots(int m, const struct X(vect) *const *x, const struct X(vect) *const *y, const T *res)
{
    PSB_TRY(check_result(res));
    PSB_CHECK(m >= 0, PSB_EARG, "argument m is %d; expected >= 0", m);
    PSB_CHECK(m == 0 || (x && y), PSB_EARG, "argument %s is NULL; expected %d vectors", x ? "y" : "x", m);
    return PSB_OK;
}

/* All products belong to the context of the first that has one. */
static psb_ctxt *context_of(int m, const struct X(vect) *const *x, const struct X(vect) *const *y)
{
    psb_ctxt *ctxt = NULL;
    for (int i = 0; i < m && !ctxt; i++) {
        struct operand o[] = { { .v = x ? x[i] : NULL }, { .v = y ? y[i] : NULL } };
        ctxt = context(o, 2);
    }
    return ctxt;
}

/* Can v be in the same pass as `first`? */
static bool fits(const struct X(vect) *v, const struct X(vect) *first)
{
    return psb_is_live(v) && v->state == PSB_ASSEMBLED && v->ncols == 1 && v->desc == first->desc &&
           v->v.on == first->v.on && X(vect_owned)(v) == X(vect_owned)(first);
}

/* The number of products, from the first on, that one pass can compute: up to PSB_MOST_DOTS, or up to
 * PSB_MOST_VECTORS if their y is the same; 1 if they need passes of their own. */
static int in_one_pass(int m, const struct X(vect) *const *x, const struct X(vect) *const *y)
{
    const struct X(vect) *first = x[0];
    const struct X(vec_ops) *on = first->v.on ? first->v.on->X(vec) : &X(vec_host);
    int n = 0, same = 0;
    if (!on->epilogue || !on->dots || (first->desc && psb_desc_overlap(first->desc)->counted))
        return 1;
    while (n < m && n < PSB_MOST_DOTS && fits(x[n], first) && fits(y[n], first))
        n++;
    while (n > 0 && same < m && same < PSB_MOST_VECTORS && fits(x[same], first) && y[same] == y[0])
        same++;
    return same > 1 && same > n ? same : n > 1 ? n : 1;
}

/* Allocate s before the first of m products of one column; i: the product to come. */
static psb_err need_results(struct results *s, int i, int m)
{
    if (i == 0)
        return alloc_results(s, 2 * m);
    PSB_CHECK(s->n == 2 * m, PSB_EARG, "argument x[%d] has 1 column; expected as many as x[0], %d", i,
              s->n / 2 / m);
    return PSB_OK;
}

/* Store products i .. i + n - 1 of m, which one pass can compute, with the bits of one_dot. */
static psb_err some_dots(struct results *s, int i, int n, int m, const struct X(vect) *const *x,
                         const struct X(vect) *const *y)
{
    struct operand o[2 * PSB_MOST_DOTS];
    struct X(vec_epilogue) t = { .ndots = n };
    struct opened w;
    for (int d = 0; d < n; d++) {
        o[2 * d] = (struct operand){ .name = "x[]", .v = x[d] };
        o[2 * d + 1] = (struct operand){ .name = "y[]", .v = y[d] };
    }
    PSB_TRY(X(operands_open)(o, 2 * n, SLOT(epilogue), &w));
    PSB_TRY(need_results(s, i, m));
    for (int d = 0; d < n; d++) {
        t.left[d] = o[2 * d].p;
        t.right[d] = o[2 * d + 1].p;
    }
    return w.ops->epilogue(w.n, o[0].p, &t, s->v + 2 * i);
}

/* The same if there are more than PSB_MOST_DOTS, all with one y. */
static psb_err many_dots(struct results *s, int i, int n, int m, const struct X(vect) *const *x,
                         const struct X(vect) *y)
{
    struct operand o[PSB_MOST_VECTORS + 1] = { { .name = "y[]", .v = y } };
    const T *left[PSB_MOST_VECTORS];
    struct opened w;
    for (int d = 0; d < n; d++)
        o[d + 1] = (struct operand){ .name = "x[]", .v = x[d] };
    PSB_TRY(X(operands_open)(o, n + 1, SLOT(dots), &w));
    PSB_TRY(need_results(s, i, m));
    for (int d = 0; d < n; d++)
        left[d] = o[d + 1].p;
    return w.ops->dots(w.n, n, left, o[0].p, s->v + 2 * i);
}

/* name: of the call */
static psb_err dots(const char *name, int m, const struct X(vect) *const *x, const struct X(vect) *const *y,
                    int global, T *res)
{
    struct results s = { .v = s.few };
    const struct psb_range range = psb_range_begin(NULL, name, "");
    psb_err e = check_dots(m, x, y, res);
    for (int i = 0, n; i < m && e == PSB_OK; i += n) {
        n = psb_is_live(x[i]) ? in_one_pass(m - i, x + i, y + i) : 1;
        e = n > PSB_MOST_DOTS ? many_dots(&s, i, n, m, x + i, y[i])
            : n > 1           ? some_dots(&s, i, n, m, x + i, y + i)
                              : one_dot(&s, i, m, x[i], y[i]);
    }
    e = psb_reduce_in_time(global ? context_of(m, x, y) : NULL, PSB_SUM, PSB_KIND_d, s.n, s.v, e);
    for (int j = 0; j < s.n / 2 && e == PSB_OK; j++)
        res[j] = MAKE(s.v[2 * j], s.v[2 * j + 1]);
    free_results(&s);
    psb_range_end(&range);
    return e;
}

psb_err X(gedot)(const struct X(vect) *x, const struct X(vect) *y, T *res)
{
    return PSB_PASS(dots(__func__, 1, &x, &y, 1, res));
}

psb_err X(gedot_local)(const struct X(vect) *x, const struct X(vect) *y, T *res)
{
    return PSB_PASS(dots(__func__, 1, &x, &y, 0, res));
}

psb_err X(gedots)(int m, struct X(vect) *const *x, struct X(vect) *const *y, T *res)
{
    return PSB_PASS(
        dots(__func__, m, (const struct X(vect) *const *)x, (const struct X(vect) *const *)y, 1, res));
}

psb_err X(gedots_local)(int m, struct X(vect) *const *x, struct X(vect) *const *y, T *res)
{
    return PSB_PASS(
        dots(__func__, m, (const struct X(vect) *const *)x, (const struct X(vect) *const *)y, 0, res));
}

psb_err X(vect_gram)(const struct X(vect) *x, const struct X(vect) *y, double complex *g)
{
    struct operand o[] = { { .name = "x", .v = x }, { .name = "y", .v = y } };
    struct opened w = { .k = 0 };
    double *sum = (double *)g;
    T *counted = NULL;
    psb_err e = X(operands_open)(o, 2, SLOT(gram), &w);
    PSB_THEN(e, only_counted(o, 2, &w, &counted));
    PSB_THEN(e, w.ops->gram(w.n, w.k, o[0].p, o[1].p, sum));
    psb_free(counted);
    return PSB_PASS(psb_reduce_in_time(context(o, 2), PSB_SUM, PSB_KIND_d, 2 * w.k * w.k, sum, e));
}

/* --- 2-norms ------------------------------------------------------------------------------------------ */

static psb_err run_wsumsq(const struct opened *w, const struct operand *o, double *res)
{
    return w->ops->wsumsq(w->n, w->k, o[0].p, o[1].p, NULL, res);
}

static psb_err run_wmsumsq(const struct opened *w, const struct operand *o, double *res)
{
    return w->ops->wsumsq(w->n, w->k, o[0].p, o[1].p, o[2].p, res);
}

static const struct kind sums_of_squares[] = {
    { SLOT(sumsq), PSB_SUM, NULL },
    { SLOT(wsumsq), PSB_SUM, run_wsumsq },
    { SLOT(wsumsq), PSB_SUM, run_wmsumsq },
};

static double modulus(T a)
{
    return CPLX ? hypot((double)RE(a), (double)IM(a)) : fabs((double)RE(a));
}

/* |x|, |w x|, or 0 where id is 0. */
static double weighted(const struct operand *o, int m, psb_epk i)
{
    if (m > 2 && o[2].p[i] == 0)
        return 0;
    return modulus(o[0].p[i]) * (m > 1 ? modulus(o[1].p[i]) : 1);
}

/* For columns whose squares leave the range of double: the largest element, then the sum of the squares of
 * elements divided by it.  Rare, hence on the host and without threads. */
static psb_err scaled(struct operand *o, int m, psb_ctxt *ctxt, double *norm)
{
    struct opened w = { .n = X(vect_owned)(o[0].v), .k = o[0].v->ncols };
    const int k = w.k;
    T *counted = NULL;
    double *top = NULL, *sum = NULL;
    psb_err e = psb_alloc_zero(&top, (size_t)k * 2, sizeof *top, "norms");
    for (int i = 0; i < m && e == PSB_OK; i++)
        e = psb_dual_read(&o[i].v->v, PSB_HOST, &o[i].p);
    PSB_THEN(e, only_counted(o, m, &w, &counted));
    const psb_epk all = e == PSB_OK ? (psb_epk)w.n * k : 0;
    for (psb_epk i = 0; i < all; i++)
        top[i % k] = psb_join(PSB_JOIN_MAX, top[i % k], weighted(o, m, i));
    e = psb_reduce_in_time(ctxt, PSB_MAX, PSB_KIND_d, e == PSB_OK ? k : 0, top, e);
    sum = e == PSB_OK ? top + k : NULL;
    for (psb_epk i = 0; sum && i < all; i++) {
        const double t = top[i % k], v = weighted(o, m, i) / t;
        sum[i % k] += t > 0 && t <= DBL_MAX ? v * v : 0;
    }
    PSB_THEN(e, psb_reduce_in_time(ctxt, PSB_SUM, PSB_KIND_d, k, sum, PSB_OK));
    for (int j = 0; j < k && e == PSB_OK; j++)
        norm[j] = top[j] > 0 && top[j] <= DBL_MAX ? top[j] * sqrt(sum[j]) : top[j];
    psb_free(top);
    psb_free(counted);
    return e;
}

/* Did all squares stay in the range of double?  Squares of floats, and of products of two, always do. */
static bool is_safe(double sum)
{
    return sizeof(R) == sizeof(float) || (sum > DBL_MIN / DBL_EPSILON && sum <= DBL_MAX);
}

static const struct kind largest_modulus = { SLOT(amax), PSB_MAX, NULL };

/* The norm of a column of zeros, or with elements that are not finite, is the largest modulus, found where x
 * is.  *rest = whether there are other columns. */
static psb_err norms_of_extremes(struct operand *x, psb_ctxt *ctxt, double *norm, bool *rest)
{
    struct results top;
    PSB_TRY(reduction(&largest_modulus, x, 1, ctxt, PSB_OK, &top));
    *rest = false;
    for (int j = 0; j < top.n; j++)
        if (top.v[j] > 0 && top.v[j] <= DBL_MAX)
            *rest = true;
        else
            norm[j] = top.v[j];
    free_results(&top);
    return PSB_OK;
}

/* The norms of x, of w x, or of w x where id is not 0: of the first m of these. */
static psb_err norms(int m, const struct X(vect) *x, const struct X(vect) *w, const struct X(vect) *id,
                     int global, R *res)
{
    struct operand o[] = { { .name = "x", .v = x }, { .name = "w", .v = w }, { .name = "id", .v = id } };
    struct results s;
    psb_ctxt *ctxt = global ? context(o, m) : NULL;
    bool good = true;
    PSB_TRY(reduction(&sums_of_squares[m - 1], o, m, ctxt, check_result(res), &s));
    for (int j = 0; j < s.n; j++) {
        good = good && is_safe(s.v[j]);
        s.v[j] = sqrt(s.v[j]);
    }
    psb_err e = PSB_OK;
    bool rest = !good;
    if (rest && m == 1)
        e = norms_of_extremes(o, ctxt, s.v, &rest);
    if (rest)
        PSB_THEN(e, scaled(o, m, ctxt, s.v));
    for (int j = 0; j < s.n && e == PSB_OK; j++)
        res[j] = (R)s.v[j];
    free_results(&s);
    return e;
}

psb_err X(genrm2)(const struct X(vect) *x, R *res)
{
    return PSB_PASS(norms(1, x, NULL, NULL, 1, res));
}

psb_err X(genrm2_local)(const struct X(vect) *x, R *res)
{
    return PSB_PASS(norms(1, x, NULL, NULL, 0, res));
}

psb_err X(genrm2_weight)(const struct X(vect) *x, const struct X(vect) *w, R *res)
{
    return PSB_PASS(norms(2, x, w, NULL, 1, res));
}

psb_err X(genrm2_weight_local)(const struct X(vect) *x, const struct X(vect) *w, R *res)
{
    return PSB_PASS(norms(2, x, w, NULL, 0, res));
}

psb_err X(genrm2_weightmask)(const struct X(vect) *x, const struct X(vect) *w, const struct X(vect) *id,
                             R *res)
{
    return PSB_PASS(norms(3, x, w, id, 1, res));
}

psb_err X(genrm2_weightmask_local)(const struct X(vect) *x, const struct X(vect) *w, const struct X(vect) *id,
                                   R *res)
{
    return PSB_PASS(norms(3, x, w, id, 0, res));
}

/* --- sums and extremes of moduli ------------------------------------------------------------------------ */

static const struct kind sum_of_moduli = { SLOT(asum), PSB_SUM, NULL };

static psb_err of_one(const struct kind *q, const struct X(vect) *x, int global, R *res)
{
    struct operand o[] = { { .name = "x", .v = x } };
    return reals(q, o, 1, global, res);
}

psb_err X(geasum)(const struct X(vect) *x, R *res)
{
    return PSB_PASS(of_one(&sum_of_moduli, x, 1, res));
}

psb_err X(geasum_local)(const struct X(vect) *x, R *res)
{
    return PSB_PASS(of_one(&sum_of_moduli, x, 0, res));
}

psb_err X(geamax)(const struct X(vect) *x, R *res)
{
    return PSB_PASS(of_one(&largest_modulus, x, 1, res));
}

psb_err X(geamax_local)(const struct X(vect) *x, R *res)
{
    return PSB_PASS(of_one(&largest_modulus, x, 0, res));
}

psb_err X(genrmi)(const struct X(vect) *x, R *res)
{
    return PSB_PASS(X(geamax)(x, res));
}

psb_err X(genrmi_local)(const struct X(vect) *x, R *res)
{
    return PSB_PASS(X(geamax_local)(x, res));
}

/* --- operations that compare ---------------------------------------------------------------------------- */

static psb_err check_order(const char *what)
{
    PSB_CHECK(!CPLX, PSB_ENOTIMPL, "%s of a complex vector; expected a real one, which has an order", what);
    return PSB_OK;
}

static psb_err run_minquotient(const struct opened *w, const struct operand *o, double *res)
{
    PSB_TRY(w->ops->minquotient(w->n, w->k, o[0].p, o[1].p, res));
    for (int j = 0; j < w->k; j++)
        res[j] = psb_join(PSB_JOIN_MIN, res[j], (double)TMAX);
    return PSB_OK;
}

static const struct kind least = { SLOT(min), PSB_MIN, NULL };
static const struct kind least_quotient = { SLOT(minquotient), PSB_MIN, run_minquotient };

psb_err X(gemin)(const struct X(vect) *x, R *res)
{
    PSB_TRY(check_order("psb_gemin"));
    return PSB_PASS(of_one(&least, x, 1, res));
}

psb_err X(gemin_local)(const struct X(vect) *x, R *res)
{
    PSB_TRY(check_order("psb_gemin"));
    return PSB_PASS(of_one(&least, x, 0, res));
}

static psb_err quotient(const struct X(vect) *x, const struct X(vect) *y, int global, R *res)
{
    struct operand o[] = { { .name = "x", .v = x }, { .name = "y", .v = y } };
    PSB_TRY(check_order("psb_minquotient"));
    return reals(&least_quotient, o, 2, global, res);
}

psb_err X(minquotient)(const struct X(vect) *x, const struct X(vect) *y, R *res)
{
    return PSB_PASS(quotient(x, y, 1, res));
}

psb_err X(minquotient_local)(const struct X(vect) *x, const struct X(vect) *y, R *res)
{
    return PSB_PASS(quotient(x, y, 0, res));
}

static psb_err mark_broken(struct operand *o, const int *ok)
{
    struct opened w;
    PSB_NEED(ok, "where to store the result");
    PSB_TRY(X(operands_open)(o, 3, SLOT(mask), &w));
    return w.ops->mask(w.all, o[0].p, o[1].p, o[2].p);
}

static psb_err constraints(const struct X(vect) *c, const struct X(vect) *x, struct X(vect) *m, int global,
                           int *ok)
{
    struct operand o[] = { { .name = "c", .v = c },
                           { .name = "x", .v = x },
                           { "m", m, PSB_USE_WRITE, NULL } };
    struct operand marks = { .name = "m", .v = m };
    struct results s;
    PSB_TRY(check_order("psb_mask"));
    psb_ctxt *ctxt = global ? context(o, 3) : NULL;
    PSB_TRY(reduction(&largest_modulus, &marks, 1, ctxt, mark_broken(o, ok), &s));
    *ok = 1;
    for (int j = 0; j < s.n; j++)
        *ok = *ok && s.v[j] == 0;
    free_results(&s);
    return PSB_OK;
}

psb_err X(mask)(const struct X(vect) *c, const struct X(vect) *x, struct X(vect) *m, int *ok)
{
    return PSB_PASS(constraints(c, x, m, 1, ok));
}

psb_err X(mask_local)(const struct X(vect) *c, const struct X(vect) *x, struct X(vect) *m, int *ok)
{
    return PSB_PASS(constraints(c, x, m, 0, ok));
}
