/* bilu.c -- room: linsolve.  ILU(0) and IC(0) of square blocks.
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
static psb_ipk first_of(const struct blocks *s, psb_ipk q)
{
    return q < s->many ? q * s->block : s->n;
}

/* List the blocks of block row q; without those right of the diagonal unless `upper`. */
static void list_blocks(struct blocks *s, const struct X(compressed) *a, psb_ipk q, int upper)
{
    s->next[s->many] = s->many;
    X(list_insert)(s->next, s->many, q);
    for (psb_ipk i = first_of(s, q); i < first_of(s, q + 1); i++) {
        psb_ipk last = s->many;
        for (psb_epk k = a->ptr[i]; k < a->ptr[i + 1] && (upper || a->idx[k] < i); k++)
            last = X(list_insert)(s->next, last, a->idx[k] / s->block);
    }
}

/* Append columns from <= j < to. */
static void append(struct X(growing) *g, psb_ipk from, psb_ipk to)
{
    for (psb_ipk j = from; j < to; j++)
        g->idx[g->nnz++] = j;
}

/* Append scalar row i of block row q to L: the blocks left of the diagonal, and what is left of the diagonal
 * in its block. */
static psb_err append_lower(struct blocks *s, psb_ipk q, psb_ipk i)
{
    psb_epk count = i - first_of(s, q);
    for (psb_ipk b = s->next[s->many]; b < q; b = s->next[b])
        count += s->block;
    PSB_TRY(X(growing_need)(&s->l, count));
    for (psb_ipk b = s->next[s->many]; b < q; b = s->next[b])
        append(&s->l, first_of(s, b), first_of(s, b + 1));
    append(&s->l, first_of(s, q), i);
    s->l.ptr[i + 1] = s->l.nnz;
    return PSB_OK;
}

/* The same for U, right of the diagonal. */
static psb_err append_upper(struct blocks *s, psb_ipk q, psb_ipk i)
{
    psb_epk count = first_of(s, q + 1) - i;
    for (psb_ipk b = s->next[q]; b < s->many; b = s->next[b])
        count += s->block;
    PSB_TRY(X(growing_need)(&s->u, count));
    append(&s->u, i + 1, first_of(s, q + 1));
    for (psb_ipk b = s->next[q]; b < s->many; b = s->next[b])
        append(&s->u, first_of(s, b), first_of(s, b + 1));
    s->u.ptr[i + 1] = s->u.nnz;
    return PSB_OK;
}

static psb_err make_rows(struct blocks *s, struct X(ldu) *f, int cholesky)
{
    PSB_TRY(psb_alloc(&s->next, (size_t)s->many + 1, sizeof *s->next, "blocks of a row"));
    PSB_TRY(X(growing_begin)(&s->l, s->n, f->a.ptr[s->n], 0));
    PSB_TRY(X(growing_begin)(&s->u, s->n, cholesky ? 0 : f->a.ptr[s->n], 0));
    for (psb_ipk q = 0; q < s->many; q++) {
        list_blocks(s, &f->a, q, !cholesky);
        for (psb_ipk i = first_of(s, q); i < first_of(s, q + 1); i++) {
            PSB_TRY(append_lower(s, q, i));
            if (!cholesky)
                PSB_TRY(append_upper(s, q, i));
        }
    }
    return X(growing_end)(&s->l, cholesky ? NULL : &s->u, f);
}

static psb_err block_pattern(struct X(ldu) *f, int cholesky)
{
    const psb_ipk block = f->o->block;
    struct blocks s = { .n = f->n, .block = block, .many = f->n / block + (f->n % block != 0) };
    psb_err e = make_rows(&s, f, cholesky);
    psb_free(s.next);
    X(growing_free)(&s.l);
    X(growing_free)(&s.u);
    return e;
}

static psb_err general(struct X(ldu) *f)
{
    return block_pattern(f, 0);
}

static psb_err cholesky(struct X(ldu) *f)
{
    return block_pattern(f, 1);
}

const struct X(factor_kind) X(factor_bilu0) = { .pattern = general, .values = X(ldu_values) };
const struct X(factor_kind) X(factor_bic0) = { .pattern = cholesky, .values = X(ldl_values) };
