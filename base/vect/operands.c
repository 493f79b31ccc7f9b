/* operands.c -- base/vect: check and open the vectors of one call together. */
#include "vect.h"
#include "psb_trace.h"
#include <string.h>
#include "psb_type.h"
#include "operands.h"

psb_err X(operands_check)(const struct operand *o, int m)
{
    for (int i = 0; i < m; i++)
        PSB_CHECK(psb_is_live(o[i].v), PSB_EARG, "argument %s is %s; expected a vector", o[i].name,
                  psb_handle_state(o[i].v));
    for (int i = 1; i < m; i++) {
        const struct X(vect) *x = o[0].v, *y = o[i].v;
        PSB_CHECK(x->desc == y->desc, PSB_EARG,
                  "arguments %s and %s are on different descriptors; expected two vectors of one descriptor",
                  o[0].name, o[i].name);
        PSB_CHECK(X(vect_owned)(x) == X(vect_owned)(y) && x->ncols == y->ncols, PSB_EARG,
                  "arguments %s (%d rows, columns: %d) and %s (%d, %d) differ; expected as many of each",
                  o[0].name, x->n, x->ncols, o[i].name, y->n, y->ncols);
    }
    for (int i = 0; i < m; i++) {
        PSB_CHECK(o[i].v->state == PSB_ASSEMBLED, PSB_ESTATE,
                  "argument %s is not assembled; expected psb_geasb before", o[i].name);
        if (o[i].use != PSB_USE_READ)
            PSB_TRY(X(vect_check_idle)(o[i].v));
    }
    return PSB_OK;
}

int X(operands_add)(struct operand *o, int n, const char *name, const struct X(vect) *v, enum psb_use use)
{
    int k = 0;
    while (k < n && o[k].v != v)
        k++;
    if (k == n)
        o[n++] = (struct operand){ name, v, use, NULL };
    return n;
}

T *X(operands_find)(const struct operand *o, int n, const struct X(vect) *v)
{
    for (int i = 0; i < n && v; i++)
        if (o[i].v == v)
            return o[i].p;
    return NULL;
}

static enum psb_side side_of(const struct operand *o, int m, size_t slot)
{
    void (*f)(void);
    for (int i = 0; i < m; i++)
        if (X(vect_side)(o[0].v, o[i].v) == PSB_HOST)
            return PSB_HOST;
    memcpy(&f, (const char *)o[0].v->v.on->X(vec) + slot, sizeof f);
    return f ? PSB_DEV : PSB_HOST;
}

/* Vectors that are read are opened first: one may also be written. */
psb_err X(operands_open)(struct operand *o, int m, size_t slot, struct opened *w)
{
    PSB_TRY(X(operands_check)(o, m));
    w->since = psb_recording() ? psb_clock() : 0;
    w->bytes = 0;
    w->s = side_of(o, m, slot);
    w->ops = X(vec)(w->s, o[0].v->v.on);
    w->n = X(vect_owned)(o[0].v);
    w->k = o[0].v->ncols;
    w->all = (psb_epk)w->n * w->k;
    for (int i = 0; i < m; i++)
        if (o[i].use == PSB_USE_READ)
            PSB_TRY(psb_dual_read(&o[i].v->v, w->s, &o[i].p));
    for (int i = 0; i < m; i++)
        if (o[i].use != PSB_USE_READ)
            PSB_TRY(X(vect_open)((struct X(vect) *)o[i].v, w->s, o[i].use == PSB_USE_WRITE, &o[i].p));
    for (int i = 0; i < m && w->since > 0; i++)
        w->bytes += (o[i].use == PSB_USE_UPDATE ? 2. : 1.) * (double)w->all * sizeof(T);
    w->on = w->s == PSB_DEV ? o[0].v->v.on : NULL;
    return PSB_OK;
}

psb_err X(operands_close)(const struct opened *w, const char *name, psb_err e)
{
    if (w->since > 0 && e == PSB_OK)
        psb_record(
            &(struct psb_range){ .on = w->on, .of = name, .what = "", .since = w->since, .bytes = w->bytes });
    return PSB_PASS(e);
}
