/* prec_schwarz.c -- linsolve: additive Schwarz methods: incomplete factors of the block of each
 * process, extended by overlap; block Jacobi is the method without overlap.
 *
 * With R_i the restriction to the extended block of process i, R0_i the same with zeros for the overlap, and
 * F_i the factors, M^-1 is the sum over i of
 *
 *     R_i^T F_i^-1 R_i (AS),   R0_i^T F_i^-1 R_i (RAS),   R_i^T F_i^-1 R0_i (ASH).
 *
 * RAS transposed has the form of ASH, with F_i transposed.  Sources: Cai and Sarkis, SIAM J. Sci. Comput. 21,
 * 1999; Efstathiou and Gander, BIT 43, 2003. */
#include "psb_linsolve.h"
#include "channel.h"
#include "psb_alloc.h"
#include <assert.h>
#include "psb_type.h"
#include "factor_inside.t.h"
#include "operator_inside.t.h"
#include "prec_inside.t.h"
#include "colour_order.t.h"

/* Without overlap `ext`, `one` and `v` are NULL, and f are the factors of the block owned here; with the
 * option order=colour v is on order.desc, which f are on. */
struct schwarz {
    psb_desc *ext; /* the rows owned here, with the overlap as halo */
    struct psb_colour_order order;
    struct X(mat) *one; /* the identity of the rows owned here */
    struct X(factor) *f;
    struct X(vect) *v; /* on ext, for applications */
};

static void free_schwarz(struct X(prec) *p)
{
    struct schwarz *q = p->data;
    X(gefree)(q->v);
    X(factor_free)(q->f);
    X(mat_free)(q->one);
    psb_cdfree(q->ext);
    psb_colour_order_free(&q->order);
    psb_free(q);
}

static size_t schwarz_bytes(const struct X(prec) *p)
{
    const struct schwarz *q = p->data;
    return sizeof *q + X(factor_bytes)(q->f) + X(mat_bytes)(q->one) + X(vect_sizeof)(q->v) +
           (q->ext ? psb_cd_bytes(q->ext) : 0) + psb_colour_order_bytes(&q->order);
}

/* --- the extended block --------------------------------------------------------------------------------- */

/* Append the entries of a part: its row i is row rows[i] of the block, or first + i if rows is NULL, its
 * column j is column to[j], or left out if that is -1. */
static psb_err append_part(struct X(coo_mat) *c, const struct X(mat) *part, const psb_ipk *rows,
                           psb_ipk first, const psb_ipk *to)
{
    struct X(compressed) l;
    struct X(mat) *made;
    PSB_TRY(X(mat_full_rows)(part, &l, &made));
    psb_err e = X(coo_reserve)(c, c->mat.nnz + l.ptr[l.n]);
    for (psb_ipk i = 0; i < l.n && e == PSB_OK; i++)
        for (psb_epk k = l.ptr[i]; k < l.ptr[i + 1]; k++)
            if (to[l.idx[k]] >= 0) {
                c->ia[c->mat.nnz] = rows ? rows[i] : first + i;
                c->ja[c->mat.nnz] = to[l.idx[k]];
                c->val[c->mat.nnz++] = l.val[k];
            }
    X(mat_free)(made);
    return e;
}

/* Fill block, in COO, with the rows owned here and those fetched from other processes, whose columns are
 * those of a's descriptor and then `more`; to: space for the number in ext of each. */
static psb_err fill_block(const struct X(spmat) *a, const psb_desc *ext, const struct X(mat) *fetched,
                          const psb_lpk *more, psb_ipk nmore, psb_ipk *to, struct X(mat) *block)
{
    const psb_desc *desc = X(sp_row_desc)(a);
    const psb_ipk ncols = psb_cd_local_cols(desc);
    struct X(coo_mat) *c = (struct X(coo_mat) *)block;
    const struct X(mat) *own, *halo;
    const psb_ipk *rows;
    assert(block->ops == X(coo_mold).mat.ops);
    for (psb_ipk j = 0; j < ncols; j++)
        to[j] = psb_glob_to_loc(ext, psb_loc_to_glob(desc, j));
    PSB_TRY(psb_glob_to_loc_n(ext, nmore, more, to + ncols));
    PSB_TRY(X(sp_local)(a, &own, &halo, &rows));
    const psb_ipk n = X(mat_get_nrows)(own);
    PSB_TRY(append_part(c, own, NULL, 0, to));
    PSB_TRY(append_part(c, halo, rows, 0, to + n));
    PSB_TRY(append_part(c, fetched, NULL, n, to));
    return X(mat_asb)(block, PSB_DUPL_ADD);
}

/* *block = the block owned here or, if there is overlap, the extended one, which is *made and freed by the
 * caller. With overlap: collective; an error of this process only is returned by it alone, after all
 * messages. */
static psb_err open_block(const struct X(spmat) *a, const struct schwarz *q, const struct X(mat) **block,
                          struct X(mat) **made)
{
    psb_desc *ext = q->ext;
    struct X(mat) *fetched;
    psb_lpk *more;
    psb_ipk nmore, *to = NULL;
    *made = NULL;
    if (!ext && !q->order.desc)
        return X(sp_local)(a, block, NULL, NULL);
    if (!ext) {
        const psb_err e = X(order_own)(a, &q->order, made);
        *block = *made;
        return e;
    }
    PSB_TRY(X(sphalo)(ext, a, NULL, &fetched, &more, &nmore));
    const size_t ncols = (size_t)psb_cd_local_cols(X(sp_row_desc)(a)) + (size_t)nmore;
    psb_err e = psb_alloc(&to, ncols, sizeof *to, "columns of overlap");
    if (e == PSB_OK)
        e = X(mat_all)(psb_cd_local_cols(ext), psb_cd_local_cols(ext), 0, made);
    if (e == PSB_OK)
        e = fill_block(a, ext, fetched, more, nmore, to, *made);
    X(mat_free)(fetched);
    psb_free(more);
    psb_free(to);
    *block = *made;
    return e;
}

/* The descriptor of its rows. */
static const psb_desc *rows_of_block(const struct X(prec) *p, const struct schwarz *q)
{
    return q->ext ? q->ext : q->order.desc ? q->order.desc : p->desc;
}

/* --- new values ----------------------------------------------------------------------------------------- */

static psb_err renew_schwarz(struct X(prec) *p, const struct X(operator) *op)
{
    struct schwarz *q = p->data;
    const struct X(mat) *block;
    struct X(mat) *made;
    psb_err e = open_block(op->a, q, &block, &made);
    if (e == PSB_OK)
        e = X(factor_prepare)(q->f, block, rows_of_block(p, q));
    X(mat_free)(made);
    PSB_TRY(psb_agree(psb_cd_ctxt(p->desc), e));
    X(factor_take)(q->f);
    return PSB_OK;
}

/* --- building ------------------------------------------------------------------------------------------- */

/* On a device triangles that are solved are in the format that solves, unless the caller has named one: it
 * keeps their patterns. */
static const struct X(mat) *mold_of_factors(const struct X(prec) *p)
{
    const struct X(mat) *solver = X(mat_dev)(p->mold)->solver;
    return solver && !p->asked && p->options.sweeps == 0 ? solver : p->mold;
}

static psb_err make_schwarz_factors(const struct X(prec) *p, const struct X(spmat) *a, struct schwarz *q)
{
    const struct X(mat) *block;
    struct X(mat) *made;
    psb_err e = open_block(a, q, &block, &made);
    if (e == PSB_OK)
        e = X(factor_bld)(block, &p->options.factor, rows_of_block(p, q), mold_of_factors(p), &p->where,
                          &q->f);
    if (e == PSB_OK && p->options.sweeps == 0)
        e = X(factor_plan)(q->f);
    X(mat_free)(made);
    return e;
}

static psb_err open_schwarz(struct X(prec) *p, int overlap)
{
    struct schwarz *q;
    PSB_TRY(X(prec_check_owners)(p));
    PSB_CHECK(overlap == 0 || !psb_cd_is_replicated(p->desc), PSB_ENOTIMPL,
              "option overlap is %d; expected 0 for a replicated descriptor", overlap);
    PSB_TRY(psb_alloc_zero(&q, 1, sizeof *q, "preconditioner"));
    p->data = q;
    return overlap ? X(unit_identity)(psb_cd_local_rows(p->desc), p->mold, &q->one) : PSB_OK;
}

static psb_err build_schwarz(struct X(prec) *p, const struct X(operator) *op)
{
    const int overlap = p->options.type == PSB_PREC_BJAC ? 0 : p->options.overlap;
    PSB_TRY(psb_agree(psb_cd_ctxt(p->desc), open_schwarz(p, overlap)));
    struct schwarz *q = p->data;
    if (overlap)
        PSB_TRY(X(cdbldext)(op->a, overlap - 1, PSB_EXT_HALO, &q->ext));
    if (p->options.coloured)
        PSB_TRY(X(colour_order_bld)(op->a, &q->order));
    return psb_agree(psb_cd_ctxt(p->desc), make_schwarz_factors(p, op->a, q));
}

/* --- application ---------------------------------------------------------------------------------------- */

static psb_err apply_coloured(const struct X(prec) *p, const struct X(vect) *x, struct X(vect) *y, char trans)
{
    struct schwarz *q = p->data;
    PSB_TRY(X(prec_work)(p, q->order.desc, x->ncols, &q->v));
    PSB_TRY(X(permute_rows)(&q->order.to, x, q->v));
    PSB_TRY(X(factor_solve)(q->f, q->v, q->v, trans, p->options.sweeps));
    return X(permute_rows)(&q->order.from, q->v, y);
}

static psb_err apply_schwarz(const struct X(prec) *p, const struct X(vect) *x, struct X(vect) *y, char trans)
{
    struct schwarz *q = p->data;
    const enum psb_prec_type type = p->options.type;
    if (q->order.desc)
        return apply_coloured(p, x, y, trans);
    if (!q->ext)
        return X(factor_solve)(q->f, x, y, trans, p->options.sweeps);
    const bool reads = type != (trans == 'N' ? PSB_PREC_ASH : PSB_PREC_RAS); /* the overlap, else 0 there */
    const bool adds = type != (trans == 'N' ? PSB_PREC_RAS : PSB_PREC_ASH);
    PSB_TRY(X(prec_work)(p, q->ext, x->ncols, &q->v));
    psb_err e = reads ? PSB_OK : X(vect_zero)(q->v);
    if (e == PSB_OK)
        e = X(mat_vect_mv)(1, q->one, x, 0, q->v, 'N');
    if (reads)
        e = X(first_error)(e, X(halo)(q->v, 'N'));
    e = X(first_error)(e, X(factor_solve)(q->f, q->v, q->v, trans, p->options.sweeps));
    if (adds)
        e = X(first_error)(e, X(halo)(q->v, 'T'));
    return X(first_error)(e, X(mat_vect_mv)(1, q->one, q->v, 0, y, 'N'));
}

static void decline_schwarz(const struct X(prec) *p, int k, char trans, psb_err e)
{
    const struct schwarz *q = p->data;
    const int exchanges = p->options.type == PSB_PREC_AS ? 2 : 1;
    (void)trans;
    if ((!q->ext && !q->order.desc) || X(prec_decline_work)(p, k, q->v, e))
        return;
    for (int i = 0; q->ext && i < exchanges; i++)
        X(halo_refuse)(q->ext);
}

static void settle_schwarz(const struct X(prec) *p)
{
    const struct schwarz *q = p->data;
    if (q->ext)
        psb_channel_settle(psb_desc_halo(q->ext)->channel);
}

const struct X(prec_ops) X(prec_schwarz) = { .build = build_schwarz,
                                             .renew = renew_schwarz,
                                             .apply = apply_schwarz,
                                             .decline = decline_schwarz,
                                             .settle = settle_schwarz,
                                             .bytes = schwarz_bytes,
                                             .free = free_schwarz,
                                             .entries = true };
