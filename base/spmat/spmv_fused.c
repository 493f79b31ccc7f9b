/* spmv_fused.c -- room: base/spmat.  A product, a sum of two vectors and dot products in one pass. */
#include "psb_base.h"
#include "channel.h"
#include "reduce.h"
#include "psb_type.h"
#include "operands.h"

/* --- arguments ---------------------------------------------------------------------------------------- */

static psb_err check_dots(const struct X(vect) *y, const struct X(epilogue) *e)
{
    static const char *const name[PSB_MOST_DOTS][2] = { { "e->dot[0].left", "e->dot[0].right" },
                                                        { "e->dot[1].left", "e->dot[1].right" },
                                                        { "e->dot[2].left", "e->dot[2].right" } };
    for (int i = 0; i < 2 * e->ndots; i++) {
        const struct X(vect) *v = i % 2 ? e->dot[i / 2].right : e->dot[i / 2].left;
        PSB_TRY(X(sp_check_side)(v, y->desc, name[i / 2][i % 2]));
        PSB_CHECK(v->ncols == 1, PSB_EARG, "argument %s has %d columns; expected one", name[i / 2][i % 2],
                  v->ncols);
    }
    return PSB_OK;
}

static psb_err check_z(const struct X(vect) *x, const struct X(vect) *y, const struct X(vect) *z)
{
    PSB_CHECK(z != x && z != y, PSB_EARG, "arguments e->z and %s are the same vector; expected two",
              z == x ? "x" : "y");
    return X(sp_check_vect)(z, y->desc, "e->z");
}

static psb_err check(const struct X(vect) *x, const struct X(vect) *y, const struct X(epilogue) *e,
                     const T *dots)
{
    PSB_CHECK(x->ncols == 1, PSB_EARG, "arguments x and y have %d columns; expected one", x->ncols);
    PSB_NEED(e, "what follows the product");
    PSB_CHECK(e->ndots >= 0 && e->ndots <= PSB_MOST_DOTS, PSB_EARG,
              "argument e->ndots is %d; expected 0 <= ndots <= %d", e->ndots, PSB_MOST_DOTS);
    PSB_CHECK(dots || e->ndots == 0, PSB_EARG,
              "argument dots is NULL; expected where to store %d dot products", e->ndots);
    PSB_TRY(X(vect_check_idle)(y));
    if (e->z)
        PSB_TRY(check_z(x, y, e->z));
    return check_dots(y, e);
}

/* --- operands ----------------------------------------------------------------------------------------- */

enum { MOST_OPERANDS = 2 + 2 * PSB_MOST_DOTS };

/* The vectors of a call, each once: y, z, then the factors of dot products. */
struct vectors {
    struct operand o[MOST_OPERANDS];
    int n;
};

static void add_vector(struct vectors *v, const char *name, const struct X(vect) *x, enum psb_use use)
{
    for (int i = 0; i < v->n; i++)
        if (v->o[i].v == x)
            return;
    v->o[v->n++] = (struct operand){ name, x, use, NULL };
}

static struct vectors vectors_of(struct X(vect) *y, enum psb_use use, const struct X(epilogue) *e, int ndots)
{
    struct vectors v = { .n = 0 };
    add_vector(&v, "y", y, use);
    if (e->z)
        add_vector(&v, "e->z", e->z, e->delta == 0 ? PSB_USE_WRITE : PSB_USE_UPDATE);
    for (int i = 0; i < ndots; i++) {
        add_vector(&v, "e->dot[].left", e->dot[i].left, PSB_USE_READ);
        add_vector(&v, "e->dot[].right", e->dot[i].right, PSB_USE_READ);
    }
    return v;
}

static T *place_of(const struct vectors *v, const struct X(vect) *x)
{
    for (int i = 0; i < v->n; i++)
        if (v->o[i].v == x)
            return v->o[i].p;
    return NULL;
}

/* The epilogue e on the arrays of the opened vectors. */
static struct X(vec_epilogue) epilogue_of(const struct vectors *v, const struct X(epilogue) *e, int ndots,
                                          struct psb_dual *room)
{
    struct X(vec_epilogue) t = { .gamma = e->gamma, .delta = e->delta, .ndots = ndots, .room = room };
    t.z = e->z ? place_of(v, e->z) : NULL;
    for (int i = 0; i < ndots; i++) {
        t.left[i] = place_of(v, e->dot[i].left);
        t.right[i] = place_of(v, e->dot[i].right);
    }
    return t;
}

/* --- one pass or two ---------------------------------------------------------------------------------- */

/* Does this process count all its rows in sums over all processes? */
static int counts_all(const struct X(vect) *y)
{
    return !psb_desc_overlap(y->desc)->counted;
}

/* Is the product that of ad alone, on the device that holds all vectors and offers the epilogue? */
static int in_one(T alpha, const struct X(spmat) *a, const struct X(vect) *x, const struct X(vect) *y,
                  char trans, const struct X(epilogue) *e)
{
    const struct psb_device *on = y->v.on;
    if (trans != 'N' || alpha == 0 || a->ah->nrows > 0 || !counts_all(y) ||
        X(mat_side)(a->ad, trans, x, y) == PSB_HOST || !on->X(vec)->epilogue)
        return 0;
    for (int i = 0; i < e->ndots; i++)
        if (e->dot[i].left->v.on != on || e->dot[i].right->v.on != on)
            return 0;
    return !e->z || e->z->v.on == on;
}

static psb_err one_pass(T alpha, const struct X(spmat) *a, const struct X(vect) *x, T beta, struct X(vect) *y,
                        const struct X(epilogue) *e, double *sum)
{
    struct vectors v = vectors_of(y, beta == 0 ? PSB_USE_WRITE : PSB_USE_UPDATE, e, e->ndots);
    struct opened w;
    const T *px;
    psb_err err = psb_dual_read(&x->v, PSB_DEV, &px);
    if (err == PSB_OK)
        err = X(operands_open)(v.o, v.n, SLOT(epilogue), &w);
    PSB_TRY(X(halo_begin)(x, PSB_DEV, 'N', err)); /* what others receive */
    const T *landed;
    PSB_TRY(X(halo_finish)(x, &landed)); /* no columns here need it */
    struct X(vec_epilogue) t = epilogue_of(&v, e, e->ndots, (struct psb_dual *)&a->sums);
    return X(mat_mv_fused)(alpha, a->ad, px, beta, v.o[0].p, &t, sum);
}

/* The epilogue after a complete product.  If rows have several owners, dot products are computed one by one.
 */
static psb_err second_pass(struct X(vect) *y, const struct X(epilogue) *e, double *sum)
{
    const int ndots = counts_all(y) ? e->ndots : 0;
    struct vectors v = vectors_of(y, PSB_USE_READ, e, ndots);
    struct opened w;
    if (e->z || ndots > 0) {
        PSB_TRY(X(operands_open)(v.o, v.n, SLOT(epilogue), &w));
        struct X(vec_epilogue) t = epilogue_of(&v, e, ndots, NULL);
        PSB_TRY(w.ops->epilogue(w.n, v.o[0].p, &t, sum));
    }
    for (int i = 0; i < e->ndots && ndots == 0; i++)
        PSB_TRY(X(gedot_parts)(e->dot[i].left, e->dot[i].right, sum + 2 * i));
    return PSB_OK;
}

static psb_err work(T alpha, const struct X(spmat) *a, const struct X(vect) *x, T beta, struct X(vect) *y,
                    char trans, const struct X(epilogue) *e, double *sum)
{
    if (in_one(alpha, a, x, y, trans, e))
        return one_pass(alpha, a, x, beta, y, e, sum);
    PSB_TRY(X(spmv)(alpha, a, x, beta, y, trans));
    return second_pass(y, e, sum);
}

/* --- for callers -------------------------------------------------------------------------------------- */

/* The context of the first argument that has one. */
static psb_ctxt *context(const struct X(spmat) *a, const struct X(vect) *x, const struct X(vect) *y)
{
    const struct X(vect) *v = y && y->desc ? y : x;
    return a ? psb_cd_ctxt(a->row) : v && v->desc ? psb_cd_ctxt(v->desc) : NULL;
}

psb_err X(spmv_fused)(T alpha, const struct X(spmat) *a, const struct X(vect) *x, T beta, struct X(vect) *y,
                      char trans, const struct X(epilogue) *e, T *dots)
{
    double sum[2 * PSB_MOST_DOTS] = { 0 };
    const int sums = e ? e->ndots != 0 : dots != NULL; /* with dot products all processes reduce */
    psb_err err = X(spmv_check)(a, x, y, trans);
    if (err == PSB_OK)
        err = check(x, y, e, dots);
    if (err != PSB_OK)
        err = X(spmv_decline)(alpha, a, x, y, trans, err);
    else
        err = work(alpha, a, x, beta, y, trans, e, sum);
    if (err == PSB_OK && sums) /* the sums have waited for the exchange */
        err = psb_channel_check(psb_desc_halo(a->col)->channel);
    if (sums)
        err = psb_reduce(context(a, x, y), PSB_JOIN_SUM, sum, err == PSB_OK ? 2 * e->ndots : 0, err);
    if (err != PSB_OK && sums && psb_is_live(a) && psb_cd_state(a->col) == PSB_ASSEMBLED)
        psb_channel_settle(psb_desc_halo(a->col)->channel); /* all processes know of the failure */
    for (int i = 0; err == PSB_OK && i < e->ndots; i++)
        dots[i] = MAKE(sum[2 * i], sum[2 * i + 1]);
    return PSB_PASS(err);
}
