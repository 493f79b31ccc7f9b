/* bilu.c -- linsolve: ILU(0) and IC(0) of square blocks.
 *
 * A block is stored where A has an entry in it, and on the diagonal.  In that pattern, of full blocks, the
 * scalar factors are those of the blocks: eliminating the rows of a block one after the other multiplies by
 * the inverse of the diagonal block, whose own factors are exact, and fill is dropped by blocks. */
#include "psb_linsolve.h"
#include "psb_alloc.h"
#include "psb_type.h"
#include "factor_inside.t.h"

struct blocks {
    psb_ipk n, block, many; /* rows; rows of a block; rows of blocks */
    psb_ipk *next;          /* the blocks of a row of blocks: see list_insert */
    struct X(growing) l, u; /* u is not used by the kind of Cholesky */
};

/* The first scalar row of block row q; n behind the last one. */
static psb_ipk first_row(const struct blocks *s, psb_ipk q)
{
    return q < s->many ? q * s->block : s->n;
}

/* List the blocks of block row q; without those right of the diagonal unless `upper`. */
static void list_blocks(struct blocks *s, const struct X(compressed) *a, psb_ipk q, bool upper)
{
    s->next[s->many] = s->many;
    X(list_insert)(s->next, s->many, q);
    for (psb_ipk i = first_row(s, q); i < first_row(s, q + 1); i++) {
        psb_ipk last = s->many;
        for (psb_epk k = a->ptr[i]; k < a->ptr[i + 1] && (upper || a->idx[k] < i); k++)
            last = X(list_insert)(s->next, last, a->idx[k] / s->block);
    }
}

static void append_columns(struct X(growing) *g, psb_ipk from, psb_ipk to)
{
    for (psb_ipk j = from; j < to; j++)
        g->idx[g->nnz++] = j;
}

/* Append scalar row i of block row q to U: what is right of the diagonal in its block, and the blocks right
 * of that; or to L, the same on the left. */
static psb_err append_row(struct blocks *s, psb_ipk q, psb_ipk i, bool upper)
{
    struct X(growing) *g = upper ? &s->u : &s->l;
    const psb_ipk begin = s->next[upper ? q : s->many], end = upper ? s->many : q;
    psb_epk count = s->block;
    for (psb_ipk b = begin; b < end; b = s->next[b])
        count += s->block;
    PSB_TRY(X(growing_need)(g, count));
    if (upper)
        append_columns(g, i + 1, first_row(s, q + 1));
    for (psb_ipk b = begin; b < end; b = s->next[b])
        append_columns(g, first_row(s, b), first_row(s, b + 1));
    if (!upper)
        append_columns(g, first_row(s, q), i);
    g->ptr[i + 1] = g->nnz;
    return PSB_OK;
}

static psb_err make_block_rows(struct blocks *s, struct X(ldu) *f, bool cholesky)
{
    PSB_TRY(psb_alloc(&s->next, (size_t)s->many + 1, sizeof *s->next, "blocks of a row"));
    PSB_TRY(X(growing_begin)(&s->l, s->n, f->a.ptr[s->n], 0));
    PSB_TRY(X(growing_begin)(&s->u, s->n, cholesky ? 0 : f->a.ptr[s->n], 0));
    for (psb_ipk q = 0; q < s->many; q++) {
        list_blocks(s, &f->a, q, !cholesky);
        for (psb_ipk i = first_row(s, q); i < first_row(s, q + 1); i++) {
            PSB_TRY(append_row(s, q, i, false));
            if (!cholesky)
                PSB_TRY(append_row(s, q, i, true));
        }
    }
    return X(growing_end)(&s->l, cholesky ? NULL : &s->u, f);
}

static psb_err block_pattern(struct X(ldu) *f, bool cholesky)
{
    const psb_ipk block = f->o->block;
    struct blocks s = { .n = f->n, .block = block, .many = f->n / block + (f->n % block != 0) };
    psb_err e = make_block_rows(&s, f, cholesky);
    psb_free(s.next);
    X(growing_free)(&s.l);
    X(growing_free)(&s.u);
    return e;
}

static psb_err bilu_pattern(struct X(ldu) *f)
{
    return block_pattern(f, false);
}

static psb_err bic_pattern(struct X(ldu) *f)
{
    return block_pattern(f, true);
}

const struct X(factor_kind)
    X(factor_bilu0) = { .pattern = bilu_pattern, .values = X(ldu_values), .on_dev = true };
const struct X(factor_kind)
    X(factor_bic0) = { .pattern = bic_pattern, .values = X(ldl_values), .on_dev = true };
