/* ilu_levels.c -- linsolve: ILU(k): the pattern by levels of fill.  Source: Saad, "Iterative methods
 * for sparse linear systems", 2003, section 10.3.3. */
#include "psb_linsolve.h"
#include "psb_alloc.h"
#include "psb_type.h"
#include "factor_inside.t.h"

/* The levels of the current row, and the rows before it. */
struct levels {
    psb_ipk n, most; /* entries of a level > most are dropped */
    psb_ipk *next;   /* see list_insert */
    psb_ipk *level;  /* of the columns of the row; most + 1 of all others */
    struct X(growing) l, u;
};

/* Eliminating column c of row i adds the columns of row c of U. */
static void add_fill(struct levels *s, psb_ipk i)
{
    for (psb_ipk c = s->next[s->n]; c < i; c = s->next[c]) {
        psb_ipk from = c;
        for (psb_epk e = s->u.ptr[c]; e < s->u.ptr[c + 1]; e++) {
            const psb_ipk j = s->u.idx[e], level = s->level[c] + s->u.level[e] + 1;
            if (level > s->most)
                continue;
            if (level < s->level[j])
                s->level[j] = level;
            from = X(list_insert)(s->next, from, j);
        }
    }
}

/* Move the row to L and U. */
static psb_err store_level_row(struct levels *s, psb_ipk i)
{
    psb_epk count = 0;
    for (psb_ipk c = s->next[s->n]; c < s->n; c = s->next[c])
        count++;
    PSB_TRY(X(growing_need)(&s->l, count));
    PSB_TRY(X(growing_need)(&s->u, count));
    for (psb_ipk c = s->next[s->n]; c < s->n; c = s->next[c]) {
        if (c < i)
            s->l.idx[s->l.nnz++] = c;
        if (c > i) {
            s->u.level[s->u.nnz] = s->level[c];
            s->u.idx[s->u.nnz++] = c;
        }
        s->level[c] = s->most + 1;
    }
    s->l.ptr[i + 1] = s->l.nnz;
    s->u.ptr[i + 1] = s->u.nnz;
    return PSB_OK;
}

static psb_err make_level_rows(struct levels *s, struct X(ldu) *f)
{
    PSB_TRY(psb_alloc(&s->next, (size_t)s->n + 1, sizeof *s->next, "columns of a row"));
    PSB_TRY(psb_alloc(&s->level, (size_t)s->n, sizeof *s->level, "levels of a row"));
    PSB_TRY(X(growing_begin)(&s->l, s->n, f->a.ptr[s->n], 0));
    PSB_TRY(X(growing_begin)(&s->u, s->n, f->a.ptr[s->n], GROWING_LEVELS));
    for (psb_ipk i = 0; i < s->n; i++)
        s->level[i] = s->most + 1;
    for (psb_ipk i = 0; i < s->n; i++) {
        X(list_row)(&f->a, i, true, s->next);
        for (psb_ipk c = s->next[s->n]; c < s->n; c = s->next[c])
            s->level[c] = 0;
        add_fill(s, i);
        PSB_TRY(store_level_row(s, i));
    }
    return X(growing_end)(&s->l, &s->u, f);
}

static psb_err level_pattern(struct X(ldu) *f)
{
    /* no level exceeds n */
    struct levels s = { .n = f->n, .most = f->o->fill < f->n ? f->o->fill : f->n };
    psb_err e = make_level_rows(&s, f);
    psb_free(s.next);
    psb_free(s.level);
    X(growing_free)(&s.l);
    X(growing_free)(&s.u);
    return e;
}

const struct X(factor_kind)
    X(factor_iluk) = { .pattern = level_pattern, .values = X(ldu_values), .on_dev = true };
