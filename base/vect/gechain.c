/* gechain.c -- room: base/vect.  Several operations on vectors in one pass through memory. */
#include "psb_base.h"
#include "psb_team.h"
#include "psb_threads.h"
#include "reduce.h"
#include <stdio.h>
#include "psb_type.h"
#include "gechain.t.h"
#include "operands.h"

enum { CHUNK = 1024, PIECES = 128 };

/* The vectors of link i are o[3 i] (x), o[3 i + 1] (y) and o[3 i + 2] (z); those that it does not have stand
 * for another one. */
struct chain {
    int n, ndots;
    const struct X(link) *link;
    struct operand o[3 * PSB_MOST_LINKS];
    struct opened w;
    double (*sum)[2 * PSB_MOST_LINKS]; /* of dot products, by piece */
};

/* --- arguments ------------------------------------------------------------------------------------------ */

static psb_err check_links(int n, const struct X(link) *link, const T *dots)
{
    PSB_CHECK(n >= 1 && n <= PSB_MOST_LINKS, PSB_EARG, "argument n is %d; expected 1 <= n <= %d", n,
              PSB_MOST_LINKS);
    PSB_NEED(link, "n links");
    for (int i = 0; i < n; i++) {
        PSB_CHECK(link[i].kind >= PSB_CHAIN_AXPBY && link[i].kind <= PSB_CHAIN_DOT, PSB_EARG,
                  "argument link[%d].kind is %d; expected one of enum psb_chain", i, (int)link[i].kind);
        PSB_CHECK(link[i].kind != PSB_CHAIN_DOT || dots, PSB_EARG,
                  "argument dots is NULL; expected where to store dot products");
    }
    return PSB_OK;
}

/* Set the operands; names are made in `name`. */
static psb_err set_operands(struct chain *c, char (*name)[24])
{
    for (int i = 0; i < c->n; i++) {
        const struct X(link) *s = &c->link[i];
        const struct X(vect) *v[] = { s->x, s->kind == PSB_CHAIN_AXPBY ? s->x : s->y,
                                      s->kind == PSB_CHAIN_DOT ? s->x : s->z };
        for (int l = 0; l < 3; l++) {
            snprintf(name[3 * i + l], sizeof *name, "link[%d].%c", i, "xyz"[l]);
            c->o[3 * i + l] = (struct operand){ .name = name[3 * i + l], .v = v[l] };
        }
        if (s->kind == PSB_CHAIN_DOT)
            c->ndots++;
        else
            c->o[3 * i + 2].use = PSB_USE_UPDATE;
    }
    PSB_TRY(X(operands_check)(c->o, 3 * c->n));
    PSB_CHECK(c->o[0].v->ncols == 1, PSB_EARG, "argument link[0].x has %d columns; expected one",
              c->o[0].v->ncols);
    return PSB_OK;
}

static psb_ctxt *context(int n, const struct X(link) *link)
{
    for (int i = 0; link && i < n && i < PSB_MOST_LINKS; i++)
        if (link[i].x && link[i].x->desc)
            return psb_cd_ctxt(link[i].x->desc);
    return NULL;
}

/* --- on the host: chunk by chunk ------------------------------------------------------------------------ */

/* Links on n rows from row a on, which fit in a cache; dot products are added to sum. */
static void run_chunk(const struct chain *c, psb_epk a, psb_ipk n, double *sum)
{
    const struct X(vec_ops) *ops = c->w.ops;
    double now[2];
    psb_err e = PSB_OK;
    for (int i = 0; i < c->n && e == PSB_OK; i++) {
        const struct X(link) *s = &c->link[i];
        const T *x = c->o[3 * i].p + a, *y = c->o[3 * i + 1].p + a;
        if (s->kind == PSB_CHAIN_AXPBY) {
            e = ops->axpby(n, s->alpha, x, s->beta, c->o[3 * i + 2].p + a);
        } else if (s->kind == PSB_CHAIN_MULTIPLY) {
            e = ops->mlt(n, s->alpha, x, y, s->beta, c->o[3 * i + 2].p + a);
        } else {
            e = ops->dot(n, 1, x, y, now);
            *sum++ += now[0];
            *sum++ += now[1];
        }
    }
}

static void run_part(void *job, int t, int p)
{
    const struct chain *c = job;
    const psb_epk chunks = ((psb_epk)c->w.n + CHUNK - 1) / CHUNK;
    psb_epk i, end, a, b;
    for (psb_thread_range(PIECES, t, p, &i, &end); i < end; i++) {
        psb_thread_range(chunks, (int)i, PIECES, &a, &b);
        for (; a < b; a++) {
            const psb_epk left = c->w.n - a * CHUNK;
            run_chunk(c, a * CHUNK, left < CHUNK ? (psb_ipk)left : CHUNK, c->sum[i]);
        }
    }
}

static void in_one_pass(struct chain *c, double *sum)
{
    double of[PIECES][2 * PSB_MOST_LINKS] = { 0 };
    c->sum = of;
    psb_team(psb_threads((psb_epk)c->w.n * c->n), run_part, c);
    for (int i = 0; i < PIECES; i++)
        for (int d = 0; d < 2 * c->ndots; d++)
            sum[d] += of[i][d];
}

/* --- one by one: on a device, and if rows have several owners ------------------------------------------- */

static psb_err one_by_one(const struct chain *c, double *sum)
{
    for (int i = 0; i < c->n; i++) {
        const struct X(link) *s = &c->link[i];
        if (s->kind == PSB_CHAIN_AXPBY) {
            PSB_TRY(X(geaxpby)(s->alpha, s->x, s->beta, s->z));
        } else if (s->kind == PSB_CHAIN_MULTIPLY) {
            PSB_TRY(X(gemlt2)(s->alpha, s->x, s->y, s->beta, s->z));
        } else {
            PSB_TRY(X(gedot_parts)(s->x, s->y, sum));
            sum += 2;
        }
    }
    return PSB_OK;
}

/* --- for callers ---------------------------------------------------------------------------------------- */

static int runs_in_one_pass(const struct chain *c)
{
    const struct X(vect) *first = c->o[0].v;
    const struct psb_overlap *s = first->desc ? psb_desc_overlap(first->desc) : NULL;
    for (int i = 0; i < 3 * c->n; i++)
        if (X(vect_side)(first, c->o[i].v) != PSB_HOST)
            return 0;
    return !s || !s->counted || c->ndots == 0;
}

static psb_err work(struct chain *c, const T *dots, double *sum)
{
    char name[3 * PSB_MOST_LINKS][24];
    PSB_TRY(check_links(c->n, c->link, dots));
    PSB_TRY(set_operands(c, name));
    if (!runs_in_one_pass(c))
        return one_by_one(c, sum);
    PSB_TRY(X(operands_open)(c->o, 3 * c->n, SLOT(axpby), &c->w));
    in_one_pass(c, sum);
    return PSB_OK;
}

psb_err X(gechain)(int n, const struct X(link) *link, T *dots)
{
    struct chain c = { .n = n, .link = link };
    double sum[2 * PSB_MOST_LINKS] = { 0 };
    psb_err e = work(&c, dots, sum);
    e = psb_reduce(dots ? context(n, link) : NULL, PSB_JOIN_SUM, sum, 2 * c.ndots, e);
    for (int i = 0; i < c.ndots && e == PSB_OK; i++)
        dots[i] = MAKE(sum[2 * i], sum[2 * i + 1]);
    return PSB_PASS(e);
}
