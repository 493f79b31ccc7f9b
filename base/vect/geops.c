/* geops.c -- base/vect: elementwise operations on vectors. */
#include "vect.h"
#include "psb_type.h"
#include "operands.h"

/* The use of a result with this factor: it is overwritten if the factor is 0. */
static enum psb_use by(T factor)
{
    return factor == 0 ? PSB_USE_WRITE : PSB_USE_UPDATE;
}

/* --- sums --------------------------------------------------------------------------------------------- */

psb_err X(geaxpby)(T alpha, const struct X(vect) *x, T beta, struct X(vect) *y)
{
    struct operand o[] = { { .name = "x", .v = x }, { .name = "y", .v = y, .use = by(beta) } };
    struct opened w;
    PSB_TRY(X(operands_open)(o, 2, SLOT(axpby), &w));
    return PSB_PASS(X(operands_close)(&w, __func__, w.ops->axpby(w.all, alpha, o[0].p, beta, o[1].p)));
}

psb_err X(geaxpbyz)(T alpha, const struct X(vect) *x, T beta, const struct X(vect) *y, struct X(vect) *z)
{
    struct operand o[] = { { .name = "x", .v = x },
                           { .name = "y", .v = y },
                           { "z", z, PSB_USE_WRITE, NULL } };
    struct opened w;
    PSB_TRY(X(operands_open)(o, 3, SLOT(axpbyz), &w));
    return PSB_PASS(
        X(operands_close)(&w, __func__, w.ops->axpbyz(w.all, alpha, o[0].p, beta, o[1].p, o[2].p)));
}

static psb_err check_different(const struct operand *o, int m)
{
    for (int i = 0; i < m; i++)
        for (int j = i + 1; j < m; j++)
            PSB_CHECK(!o[i].v || o[i].v != o[j].v, PSB_EARG,
                      "arguments %s and %s are the same vector; expected different ones", o[i].name,
                      o[j].name);
    return PSB_OK;
}

psb_err X(upd_xyz)(T alpha, T beta, T gamma, T delta, const struct X(vect) *x, struct X(vect) *y,
                   struct X(vect) *z)
{
    struct operand o[] = { { .name = "x", .v = x },
                           { "y", y, PSB_USE_UPDATE, NULL }, /* kept if z cannot be opened */
                           { "z", z, by(delta), NULL } };
    struct opened w;
    PSB_TRY(check_different(o, 3));
    PSB_TRY(X(operands_open)(o, 3, SLOT(upd_xyz), &w));
    return PSB_PASS(X(operands_close)(
        &w, __func__, w.ops->upd_xyz(w.all, alpha, beta, gamma, delta, o[0].p, o[1].p, o[2].p)));
}

psb_err X(xyzw)(T a, T b, T c, T d, T e, T f, const struct X(vect) *x, struct X(vect) *y, struct X(vect) *z,
                struct X(vect) *w)
{
    struct operand o[] = { { .name = "x", .v = x },
                           { "y", y, PSB_USE_UPDATE, NULL }, /* kept if a later one cannot be opened */
                           { "z", z, PSB_USE_UPDATE, NULL },
                           { "w", w, by(f), NULL } };
    struct opened q;
    PSB_TRY(check_different(o, 4));
    PSB_TRY(X(operands_open)(o, 4, SLOT(upd_xyz), &q));
    PSB_TRY(q.ops->upd_xyz(q.all, a, b, c, d, o[0].p, o[1].p, o[2].p));
    return PSB_PASS(X(operands_close)(&q, __func__, q.ops->axpby(q.all, e, o[2].p, f, o[3].p)));
}

/* --- many vectors --------------------------------------------------------------------------------------- */

/* y and x[0..m) as operands, y last. */
static void operands_of(int m, struct X(vect) *const *x, T beta, struct X(vect) *y, struct operand *o)
{
    for (int i = 0; i < m; i++)
        o[i] = (struct operand){ .name = "x[]", .v = x[i] };
    o[m] = (struct operand){ "y", y, by(beta), NULL };
}

/* 1 <= m <= PSB_MOST_VECTORS */
static psb_err add_few(int m, const T *alpha, struct X(vect) *const *x, T beta, struct X(vect) *y)
{
    struct operand o[PSB_MOST_VECTORS + 1];
    struct opened w;
    const T *from[PSB_MOST_VECTORS];
    operands_of(m, x, beta, y, o);
    PSB_TRY(X(operands_open)(o, m + 1, SLOT(axpby), &w));
    for (int i = 0; i < m; i++)
        from[i] = o[i].p;
    if (w.ops->maxpby)
        return X(operands_close)(&w, "psb_gemaxpy", w.ops->maxpby(w.all, m, alpha, from, beta, o[m].p));
    for (int i = 0; i < m; i++)
        PSB_TRY(w.ops->axpby(w.all, alpha[i], from[i], i == 0 ? beta : 1, o[m].p));
    return X(operands_close)(&w, "psb_gemaxpy", PSB_OK);
}

psb_err X(vect_maxpby)(int m, const T *alpha, struct X(vect) *const *x, T beta, struct X(vect) *y)
{
    struct operand o[2];
    PSB_CHECK(m >= 0, PSB_EARG, "argument m is %d; expected >= 0", m);
    PSB_CHECK(m == 0 || (alpha && x), PSB_EARG, "argument %s is NULL; expected %d of them",
              alpha ? "x" : "alpha", m);
    operands_of(0, x, beta, y, o);
    PSB_TRY(X(operands_check)(o, 1));
    for (int i = 0; i < m; i++) {
        operands_of(1, x + i, beta, y, o);
        PSB_CHECK(x[i] != y, PSB_EARG, "arguments x[%d] and y are the same vector; expected two", i);
        PSB_TRY(X(operands_check)(o, 2));
    }
    if (m == 0)
        return PSB_PASS(beta == 1 ? PSB_OK : X(gescal)(beta, y));
    for (int i = 0; i < m; i += PSB_MOST_VECTORS)
        PSB_TRY(add_few(m - i < PSB_MOST_VECTORS ? m - i : PSB_MOST_VECTORS, alpha + i, x + i,
                        i == 0 ? beta : 1, y));
    return PSB_OK;
}

psb_err X(gemaxpy)(int m, const T *alpha, struct X(vect) *const *x, struct X(vect) *y)
{
    return PSB_PASS(X(vect_maxpby)(m, alpha, x, 1, y));
}

psb_err X(vect_block_axpy)(const struct X(vect) *x, const T *c, T beta, struct X(vect) *y)
{
    struct operand o[] = { { .name = "x", .v = x }, { "y", y, by(beta), NULL } };
    struct opened w;
    PSB_TRY(X(operands_open)(o, 2, SLOT(block_axpy), &w));
    return PSB_PASS(X(operands_close)(&w, __func__, w.ops->block_axpy(w.n, w.k, o[0].p, c, beta, o[1].p)));
}

psb_err X(gescal)(T alpha, struct X(vect) *x)
{
    struct operand o[] = { { "x", x, by(alpha), NULL } };
    struct opened w;
    PSB_TRY(X(operands_open)(o, 1, SLOT(axpby), &w));
    return PSB_PASS(X(operands_close)(&w, __func__, w.ops->axpby(w.all, 0, o[0].p, alpha, o[0].p)));
}

psb_err X(geaddconst)(const struct X(vect) *x, T b, struct X(vect) *z)
{
    struct operand o[] = { { .name = "x", .v = x }, { "z", z, PSB_USE_WRITE, NULL } };
    struct opened w;
    PSB_TRY(X(operands_open)(o, 2, SLOT(addconst), &w));
    return PSB_PASS(X(operands_close)(&w, __func__, w.ops->addconst(w.all, b, o[0].p, o[1].p)));
}

/* --- factors for each column --------------------------------------------------------------------------- */

static bool all_equal(int k, const T *f)
{
    int j = 1;
    while (j < k && f[j] == f[0])
        j++;
    return j >= k;
}

psb_err X(geaxpby_cols)(const T *alpha, const struct X(vect) *x, const T *beta, struct X(vect) *y)
{
    struct operand o[] = { { .name = "x", .v = x }, { "y", y, PSB_USE_UPDATE, NULL } };
    struct opened w;
    PSB_NEED(alpha, "a factor for each column");
    PSB_NEED(beta, "a factor for each column");
    PSB_TRY(X(operands_check)(o, 2));
    if (all_equal(y->ncols, alpha) && all_equal(y->ncols, beta))
        return PSB_PASS(X(geaxpby)(*alpha, x, *beta, y));
    PSB_TRY(X(operands_open)(o, 2, SLOT(axpby_cols), &w));
    return PSB_PASS(
        X(operands_close)(&w, __func__, w.ops->axpby_cols(w.n, w.k, alpha, o[0].p, beta, o[1].p)));
}

psb_err X(gescal_cols)(const T *alpha, struct X(vect) *x)
{
    struct operand o[] = { { "x", x, PSB_USE_UPDATE, NULL } };
    struct opened w;
    PSB_NEED(alpha, "a factor for each column");
    PSB_TRY(X(operands_check)(o, 1));
    if (all_equal(x->ncols, alpha))
        return PSB_PASS(X(gescal)(*alpha, x));
    PSB_TRY(X(operands_open)(o, 1, SLOT(axpby_cols), &w));
    return PSB_PASS(
        X(operands_close)(&w, __func__, w.ops->axpby_cols(w.n, w.k, alpha, o[0].p, NULL, o[0].p)));
}

/* --- products and quotients ---------------------------------------------------------------------------- */

psb_err X(gemlt)(const struct X(vect) *x, struct X(vect) *y)
{
    struct operand o[] = { { .name = "x", .v = x }, { "y", y, PSB_USE_UPDATE, NULL } };
    struct opened w;
    PSB_TRY(X(operands_open)(o, 2, SLOT(mlt), &w));
    return PSB_PASS(X(operands_close)(&w, __func__, w.ops->mlt(w.all, 1, o[0].p, o[1].p, 0, o[1].p)));
}

psb_err X(gemlt2)(T alpha, const struct X(vect) *x, const struct X(vect) *y, T beta, struct X(vect) *z)
{
    struct operand o[] = { { .name = "x", .v = x }, { .name = "y", .v = y }, { "z", z, by(beta), NULL } };
    struct opened w;
    PSB_TRY(X(operands_open)(o, 3, SLOT(mlt), &w));
    return PSB_PASS(X(operands_close)(&w, __func__, w.ops->mlt(w.all, alpha, o[0].p, o[1].p, beta, o[2].p)));
}

/* The check runs on the host: for a vector on a device it costs a transfer. */
static psb_err check_divisor(struct operand *o)
{
    const T *p;
    psb_ipk n = X(vect_owned)(o->v);
    int k = o->v->ncols;
    PSB_TRY(psb_dual_read(&o->v->v, PSB_HOST, &p));
    for (psb_ipk i = 0; i < n; i++)
        for (int j = 0; j < k; j++)
            PSB_CHECK(p[(size_t)i * k + j] != 0, PSB_EARG,
                      "argument %s is 0 in row %" PRId64 ", column %d; expected no 0 to divide by", o->name,
                      o->v->desc ? psb_loc_to_glob(o->v->desc, i) : i, j);
    return PSB_OK;
}

/* z = x / y, z one of them or a third. */
static psb_err divide(struct operand *o, int m, int checked)
{
    struct opened w;
    if (checked) {
        PSB_TRY(X(operands_check)(o, m));
        PSB_TRY(check_divisor(&o[1]));
    }
    PSB_TRY(X(operands_open)(o, m, SLOT(div), &w));
    return w.ops->div(w.all, o[0].p, o[1].p, o[m == 2 ? 0 : 2].p);
}

static psb_err divide2(struct X(vect) *x, const struct X(vect) *y, int checked)
{
    struct operand o[] = { { "x", x, PSB_USE_UPDATE, NULL }, { .name = "y", .v = y } };
    return divide(o, 2, checked);
}

static psb_err divide3(const struct X(vect) *x, const struct X(vect) *y, struct X(vect) *z, int checked)
{
    struct operand o[] = { { .name = "x", .v = x },
                           { .name = "y", .v = y },
                           { "z", z, PSB_USE_WRITE, NULL } };
    return divide(o, 3, checked);
}

psb_err X(gediv)(struct X(vect) *x, const struct X(vect) *y)
{
    return PSB_PASS(divide2(x, y, 0));
}

psb_err X(gediv_check)(struct X(vect) *x, const struct X(vect) *y)
{
    return PSB_PASS(divide2(x, y, 1));
}

psb_err X(gediv2)(const struct X(vect) *x, const struct X(vect) *y, struct X(vect) *z)
{
    return PSB_PASS(divide3(x, y, z, 0));
}

psb_err X(gediv2_check)(const struct X(vect) *x, const struct X(vect) *y, struct X(vect) *z)
{
    return PSB_PASS(divide3(x, y, z, 1));
}

psb_err X(geinv)(const struct X(vect) *x, struct X(vect) *y)
{
    struct operand o[] = { { .name = "x", .v = x }, { "y", y, PSB_USE_WRITE, NULL } };
    struct opened w;
    PSB_TRY(X(operands_open)(o, 2, SLOT(inv), &w));
    return PSB_PASS(X(operands_close)(&w, __func__, w.ops->inv(w.all, o[0].p, o[1].p)));
}

psb_err X(geinv_check)(const struct X(vect) *x, struct X(vect) *y)
{
    struct operand o[] = { { .name = "x", .v = x }, { "y", y, PSB_USE_WRITE, NULL } };
    PSB_TRY(X(operands_check)(o, 2));
    PSB_TRY(check_divisor(&o[0]));
    return PSB_PASS(X(geinv)(x, y));
}

/* --- comparisons --------------------------------------------------------------------------------------- */

psb_err X(geabs)(const struct X(vect) *x, struct X(vect) *y)
{
    struct operand o[] = { { .name = "x", .v = x }, { "y", y, PSB_USE_WRITE, NULL } };
    struct opened w;
    PSB_TRY(X(operands_open)(o, 2, SLOT(abs), &w));
    return PSB_PASS(X(operands_close)(&w, __func__, w.ops->abs(w.all, o[0].p, o[1].p)));
}

psb_err X(gecmp)(const struct X(vect) *x, R c, struct X(vect) *z)
{
    struct operand o[] = { { .name = "x", .v = x }, { "z", z, PSB_USE_WRITE, NULL } };
    struct opened w;
    PSB_TRY(X(operands_open)(o, 2, SLOT(cmp), &w));
    return PSB_PASS(X(operands_close)(&w, __func__, w.ops->cmp(w.all, c, o[0].p, o[1].p)));
}

/* --- sums with scalars as factors ----------------------------------------------------------------------- */

enum { MOST_IN_SUMS = 3 * PSB_MOST_SUMS };

/* The vectors of the sums, each once, those that are written first. */
static int operands_of_sums(int m, const struct X(axpby) *sum, struct operand *o)
{
    int n = 0;
    for (int i = 0; i < m; i++)
        n = X(operands_add)(o, n, "sum[].z", sum[i].z, PSB_USE_UPDATE);
    for (int i = 0; i < m; i++) {
        if (sum[i].alpha != 0)
            n = X(operands_add)(o, n, "sum[].x", sum[i].x, PSB_USE_READ);
        if (sum[i].beta != 0)
            n = X(operands_add)(o, n, "sum[].y", sum[i].y, PSB_USE_READ);
    }
    return n;
}

psb_err X(geaxpbys)(int m, const struct X(axpby) *sum)
{
    struct operand o[MOST_IN_SUMS];
    struct X(vec_axpby) t[PSB_MOST_SUMS];
    struct opened w;
    PSB_CHECK(m >= 0 && m <= PSB_MOST_SUMS, PSB_EARG, "argument m is %d; expected 0 <= m <= %d", m,
              PSB_MOST_SUMS);
    if (m == 0)
        return PSB_OK;
    PSB_NEED(sum, "the sums");
    const int n = operands_of_sums(m, sum, o);
    PSB_TRY(X(operands_check)(o, n));
    for (int i = 0; i < m; i++) {
        if (sum[i].alpha_by)
            PSB_TRY(X(scal_check)(sum[i].alpha_by, o[0].v->desc, "sum[].alpha_by"));
        if (sum[i].beta_by)
            PSB_TRY(X(scal_check)(sum[i].beta_by, o[0].v->desc, "sum[].beta_by"));
    }
    PSB_TRY(X(operands_open)(o, n, SLOT(axpbys), &w));
    for (int i = 0; i < m; i++) {
        const struct psb_device *on = o[0].v->v.on;
        t[i] = (struct X(vec_axpby)){ .z = X(operands_find)(o, n, sum[i].z) };
        t[i].x = sum[i].alpha == 0 ? NULL : X(operands_find)(o, n, sum[i].x);
        t[i].y = sum[i].beta == 0 ? NULL : X(operands_find)(o, n, sum[i].y);
        PSB_TRY(X(scal_factor)(sum[i].alpha, sum[i].alpha_by, w.s, on, &t[i].alpha));
        PSB_TRY(X(scal_factor)(sum[i].beta, sum[i].beta_by, w.s, on, &t[i].beta));
    }
    return PSB_PASS(X(operands_close)(&w, __func__, w.ops->axpbys(w.all, m, t)));
}
