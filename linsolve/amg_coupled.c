/* amg_coupled.c -- linsolve: aggregates of rows of several processes, for multigrid: those that one process
 * with all rows would make. */
#include "psb_linsolve.h"
#include "psb_alloc.h"
#include <stdlib.h>
#include "coll.h"
#include "psb_type.h"
#include "aggregate.t.h"
#include "amg.t.h"

/* A column and its number among all rows. */
struct named {
    psb_lpk name;
    psb_ipk column;
};

/* `rows`: S with the entries of a row in the order of names; v: of integers, with the halo of d. */
struct coupled {
    psb_desc *d;
    struct psb_l_vect *v;
    psb_lpk *name;
    struct X(mat) *made;
    struct X(compressed) rows;
};

static psb_err share_rows(void *with, psb_lpk *v, bool *open)
{
    const struct coupled *q = with;
    psb_err e = psb_l_set_vect(q->v, q->rows.n, v);
    e = X(first_error)(e, psb_l_halo(q->v, 'N'));
    PSB_THEN(e, psb_l_get_vect(q->v, q->rows.m, v));
    return psb_reduce(psb_cd_ctxt(q->d), PSB_MAX, PSB_KIND_b, 1, open, e);
}

static psb_err rows_before(void *with, psb_ipk n, psb_lpk *first)
{
    *first = n;
    return psb_exscan_sum(psb_cd_ctxt(((const struct coupled *)with)->d), 1, first);
}

static int compare_names(const void *a_, const void *b_)
{
    const struct named *a = a_, *b = b_;
    return (a->name > b->name) - (a->name < b->name);
}

/* Order the entries of q->rows by the names of their columns: those of t, in order; place: workspace. */
static psb_err order_by_names(const struct coupled *q, const struct named *t, psb_ipk *place)
{
    const struct X(compressed) *l = &q->rows;
    for (psb_ipk j = 0; j < l->m; j++)
        place[t[j].column] = j;
    for (psb_epk k = 0; k < l->ptr[l->n]; k++)
        l->idx[k] = place[l->idx[k]];
    PSB_TRY(X(compressed_order)(l));
    for (psb_epk k = 0; k < l->ptr[l->n]; k++)
        l->idx[k] = t[l->idx[k]].column;
    return PSB_OK;
}

static psb_err copy_by_names(const struct X(compressed) *s, struct coupled *q)
{
    struct named *t = NULL;
    psb_ipk *place = NULL;
    psb_err e = X(csr_make)(s->n, s->m, s->ptr[s->n], &q->made, &q->rows);
    PSB_THEN(e, psb_alloc(&t, (size_t)s->m, sizeof *t, "aggregates"));
    PSB_THEN(e, psb_alloc(&place, (size_t)s->m, sizeof *place, "aggregates"));
    if (e == PSB_OK) {
        X(compressed_copy)(q->rows.ptr, s->ptr, (size_t)s->n + 1, sizeof *s->ptr);
        X(compressed_copy)(q->rows.idx, s->idx, (size_t)s->ptr[s->n], sizeof *s->idx);
        X(compressed_copy)(q->rows.val, s->val, (size_t)s->ptr[s->n], sizeof *s->val);
        for (psb_ipk j = 0; j < s->m; j++)
            t[j] = (struct named){ q->name[j], j };
        qsort(t, (size_t)s->m, sizeof *t, compare_names);
        e = order_by_names(q, t, place);
    }
    psb_free(t);
    psb_free(place);
    return e;
}

static psb_err open_coupled(const struct X(compressed) *s, struct coupled *q)
{
    PSB_TRY(psb_alloc(&q->name, (size_t)s->m, sizeof *q->name, "aggregates"));
    for (psb_ipk j = 0; j < s->m; j++)
        q->name[j] = psb_loc_to_glob(q->d, j) - psb_index_base();
    PSB_TRY(copy_by_names(s, q));
    return psb_l_geall(&q->v, q->d);
}

/* The columns of[i]; list: workspace. */
static psb_err use_columns(const struct coupled *q, const psb_lpk *of, psb_lpk *list, psb_desc *coarse)
{
    psb_ipk n = 0;
    for (psb_ipk i = 0; i < q->rows.n; i++)
        if (of[i] >= 0)
            list[n++] = of[i] + psb_index_base();
    return psb_cdins(coarse, n, NULL, list);
}

/* Create *coarse, of n rows here, with the columns of[i]; of[i] = their local numbers.  What follows in `of`
 * is workspace. */
static psb_err new_columns(const struct coupled *q, psb_ipk n, psb_lpk *of, psb_desc **coarse)
{
    psb_ctxt *ctxt = psb_cd_ctxt(q->d);
    PSB_TRY(psb_cdall_nl(coarse, ctxt, n));
    PSB_TRY(psb_agree(ctxt, use_columns(q, of, of + q->rows.m, *coarse)));
    PSB_TRY(psb_cdasb(*coarse));
    for (psb_ipk i = 0; i < q->rows.n; i++)
        if (of[i] >= 0)
            of[i] = psb_glob_to_loc(*coarse, of[i] + psb_index_base());
    return PSB_OK;
}

psb_err X(amg_coupled)(psb_desc *d, const struct X(compressed) *s, psb_lpk *of, psb_desc **coarse)
{
    struct coupled q = { .d = d };
    psb_ipk n;
    psb_err e = psb_agree(psb_cd_ctxt(d), open_coupled(s, &q));
    const struct psb_row_owners others = { &q, q.name, share_rows, rows_before };
    PSB_THEN(e, psb_l_geasb(q.v, NULL));
    PSB_THEN(e, X(aggregate_rows)(&q.rows, &others, of, &n));
    PSB_THEN(e, new_columns(&q, n, of, coarse));
    psb_l_gefree(q.v);
    psb_free(q.name);
    X(mat_free)(q.made);
    return PSB_PASS(e);
}
