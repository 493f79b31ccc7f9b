/* sp_mult.c -- base/spmat: a product of distributed sparse matrices, whose rows the host collects; it
 * multiplies them, or the device that has the matrices.
 *
 * op(A) = A: each process fetches the rows of B that its halo columns need, and multiplies its rows.  Else it
 * multiplies its rows, transposed, and sends the rows of the result that others own to their owners, who add
 * them in rank order: the transpose of A is not formed. */
#include "spmat.h"
#include "columns.h"
#include "coll.h"
#include "psb_testing.h"
#include "psb_type.h"
#include "sp_mult.t.h"

/* C = alpha op(A) B + beta D in progress. */
struct row_product {
    T alpha, beta;
    const struct X(spmat) *a, *b, *d; /* d: may be NULL */
    char op;                          /* of a */
    struct X(compressed) l[3];        /* the rows of a, b and d here */
    struct X(mat) *made[3];
    struct psb_columns cols;    /* numbers of columns: those of b, then further ones */
    psb_ipk *of_d;              /* local column of d -> number */
    struct X(compressed) right; /* rows of b, rows fetched, rows of d */
    struct X(mat) *right_made;
    unsigned char *used;       /* number -> does C have this column here? */
    const struct X(mat) *mold; /* of the device that multiplies, or NULL */
};

static void end_product(struct row_product *q)
{
    for (int i = 0; i < 3; i++)
        X(mat_free)(q->made[i]);
    X(mat_free)(q->right_made);
    psb_columns_free(&q->cols);
    psb_free(q->of_d);
    psb_free(q->used);
}

/* Give numbers to the columns of d. */
static psb_err number_columns_of_d(struct row_product *q)
{
    PSB_TRY(psb_alloc(&q->of_d, (size_t)q->l[2].m, sizeof *q->of_d, "columns of a product"));
    for (psb_ipk j = 0; j < q->l[2].m; j++)
        PSB_TRY(psb_columns_add(&q->cols, psb_loc_to_glob(q->d->col, j) - psb_index_base(), &q->of_d[j]));
    return PSB_OK;
}

/* The rows here of the three matrices. */
static psb_err open_factors(struct row_product *q)
{
    const struct X(spmat) *of[3] = { q->a, q->b, q->d };
    q->cols.d = q->b->col;
    for (int i = 0; i < 3 && of[i]; i++)
        PSB_TRY(X(sp_joined)(of[i], &q->l[i], &q->made[i]));
    return q->d ? number_columns_of_d(q) : PSB_OK;
}

/* --- rows and their columns ----------------------------------------------------------------------------- */

/* Append the rows of `from`, columns by `number` unless it is NULL, as rows *i and up of `to`. */
static void append_lines(const struct X(compressed) *from, const psb_ipk *number,
                         const struct X(compressed) *to, psb_ipk *i)
{
    const psb_epk shift = to->ptr[*i], nz = from->ptr[from->n];
    for (psb_ipk r = 0; r < from->n; r++)
        to->ptr[++*i] = from->ptr[r + 1] + shift;
    for (psb_epk k = 0; k < nz; k++)
        to->idx[shift + k] = number ? number[from->idx[k]] : from->idx[k];
    X(compressed_copy)(to->val + shift, from->val, (size_t)nz, sizeof *to->val);
}

/* q->right = the rows of b, of blk, and of d; without a copy if there are only those of b. */
static psb_err stack_rows(struct row_product *q, const struct X(mat) *blk)
{
    struct X(compressed) far;
    struct X(mat) *made;
    psb_ipk i = 0;
    q->right = q->l[1];
    if (!q->d && blk->nrows == 0)
        return PSB_OK;
    PSB_TRY(X(csr_view)(blk, &far, &made));
    const psb_epk nz = q->l[1].ptr[q->l[1].n] + blk->nnz + (q->d ? q->l[2].ptr[q->l[2].n] : 0);
    psb_err e = X(csr_make)(q->l[1].n + far.n + q->l[2].n, psb_columns_count(&q->cols), nz, &q->right_made,
                            &q->right);
    if (e == PSB_OK) {
        q->right.ptr[0] = 0;
        append_lines(&q->l[1], NULL, &q->right, &i);
        append_lines(&far, NULL, &q->right, &i);
        if (q->d)
            append_lines(&q->l[2], q->of_d, &q->right, &i);
    }
    X(mat_free)(made);
    return e;
}

/* Mark the columns of rows r of l for which has[r] is set; has NULL: of all. */
static void mark_columns(const struct X(compressed) *l, const unsigned char *has, unsigned char *used)
{
    for (psb_ipk r = 0; r < l->n; r++)
        for (psb_epk k = l->ptr[r]; (!has || has[r]) && k < l->ptr[r + 1]; k++)
            used[l->idx[k]] = 1;
}

/* Are all columns owned here, which have the same numbers everywhere? */
static bool has_own_columns(const struct row_product *q)
{
    return psb_columns_count(&q->cols) == q->cols.d->map->nrow;
}

/* q->used: the columns of the rows of q->right that contribute; of all rows of z, if it is not NULL.  Only
 * those of others are asked for. */
static psb_err find_used(struct row_product *q, const struct X(compressed) *z)
{
    unsigned char *has;
    if (has_own_columns(q))
        return PSB_OK;
    PSB_TRY(psb_alloc_zero(&q->used, (size_t)psb_columns_count(&q->cols), 1, "columns of a product"));
    if (z) {
        mark_columns(z, NULL, q->used);
        return PSB_OK;
    }
    PSB_TRY(psb_alloc_zero(&has, (size_t)q->right.n, 1, "rows of a product"));
    for (psb_epk k = 0; k < q->l[0].ptr[q->l[0].n]; k++)
        has[q->l[0].idx[k]] = 1;
    for (psb_ipk r = q->l[0].m; r < q->right.n; r++)
        has[r] = 1;
    mark_columns(&q->right, has, q->used);
    psb_free(has);
    return PSB_OK;
}

/* *l = rows with the pattern of `from`, the arrays of *made. */
static psb_err copy_pattern(const struct X(compressed) *from, struct X(mat) **made, struct X(compressed) *l)
{
    PSB_TRY(X(csr_make)(from->n, from->m, from->ptr[from->n], made, l));
    X(compressed_copy)(l->ptr, from->ptr, (size_t)from->n + 1, sizeof *from->ptr);
    X(compressed_copy)(l->idx, from->idx, (size_t)from->ptr[from->n], sizeof *from->idx);
    return PSB_OK;
}

/* Renumber the columns of l, numbers of q->cols, by map, and drop those of -1. */
static void apply_numbers(struct X(compressed) *l, const psb_ipk *map)
{
    psb_epk k = 0, to = 0;
    for (psb_ipk i = 0; i < l->n; i++) {
        for (const psb_epk end = l->ptr[i + 1]; k < end; k++)
            if (map[l->idx[k]] >= 0) {
                l->idx[to] = map[l->idx[k]];
                l->val[to++] = l->val[k];
            }
        l->ptr[i + 1] = to;
    }
}

/* Give the columns of *l their local numbers in d, which owns those that b's columns own.  *made NULL: the
 * arrays of l are not to be changed, and are copied to *made if a number changes. */
static psb_err use_local_numbers(const struct row_product *q, const psb_desc *d, struct X(compressed) *l,
                                 struct X(mat) **made)
{
    const psb_ipk own = q->cols.d->map->nrow, n = psb_columns_count(&q->cols);
    psb_ipk *map;
    bool same = true;
    l->m = psb_cd_local_cols(d);
    if (has_own_columns(q))
        return PSB_OK;
    PSB_TRY(psb_alloc(&map, (size_t)n, sizeof *map, "columns of a product"));
    for (psb_ipk j = 0; j < n; j++) {
        const psb_ipk slot = j < own ? j : psb_desc_slot_of(d, psb_columns_global(&q->cols, j));
        map[j] = slot < 0 ? -1 : psb_desc_slot_to_loc(d, slot);
        same &= map[j] == j;
    }
    psb_err e = PSB_OK;
    if (!same && !*made) {
        const struct X(compressed) from = *l;
        e = copy_pattern(&from, made, l);
        if (e == PSB_OK)
            X(compressed_copy)(l->val, from.val, (size_t)from.ptr[from.n], sizeof *l->val);
    }
    if (e == PSB_OK && !same) {
        apply_numbers(l, map);
        e = X(compressed_order)(l);
    }
    psb_free(map);
    return e;
}

/* --- the product of two matrices here ------------------------------------------------------------------- */

/* *left = alpha A and the factors beta of D, in CSR. */
static psb_err join_factors(const struct X(factors) *f, struct X(mat) **left)
{
    struct X(compressed) l;
    psb_epk at = 0;
    PSB_TRY(X(csr_make)(f->a->n, f->b->n, f->a->ptr[f->a->n] + f->nd, left, &l));
    l.ptr[0] = 0;
    for (psb_ipk i = 0; i < l.n; i++) {
        for (psb_epk k = f->a->ptr[i]; k < f->a->ptr[i + 1]; k++) {
            l.idx[at] = f->a->idx[k];
            l.val[at++] = f->alpha == 1 ? f->a->val[k] : f->alpha * f->a->val[k];
        }
        if (i < f->nd) {
            l.idx[at] = f->d + i;
            l.val[at++] = f->beta;
        }
        l.ptr[i + 1] = at;
    }
    return PSB_OK;
}

/* *m = the rows l in the format of mold. */
static psb_err copy_rows(const struct X(compressed) *l, const struct X(mat) *mold, struct X(mat) **m)
{
    struct X(compressed) to;
    PSB_TRY(copy_pattern(l, m, &to));
    X(compressed_copy)(to.val, l->val, (size_t)l->ptr[l->n], sizeof *l->val);
    return X(mat_cscnv)(m, mold);
}

const struct X(mat) *X(sp_mult_mold)(const struct X(sp_operands) *o)
{
    const struct X(mat) *a = o->a->ad, *b = o->b->ad;
    return a->on && a->on == b->on && PSB_DEVICE_DOES(a, spspmm) && PSB_DEVICE_DOES(b, spspmm)
               ? X(mat_dev)(a)->transposed
               : NULL;
}

/* c->rows in CSR on the device of the mold: without the device, PSB_ENOTIMPL. */
static psb_err multiply_there(const struct X(factors) *f, const struct X(mat) *mold, struct X(sp_product) *c)
{
    struct X(mat) *left = NULL, *right = NULL, *mask = NULL, *all = NULL;
    psb_err e = join_factors(f, &left);
    PSB_THEN(e, X(mat_cscnv)(&left, mold));
    PSB_THEN(e, copy_rows(f->b, mold, &right));
    const struct X(mat_dev_storage) *by = e == PSB_OK ? X(mat_dev)(left)->storage : NULL;
    PSB_THEN(e, by->spspmm(left, right, NULL, c->masked ? &all : &c->rows));
    if (c->masked) {
        PSB_THEN(e, copy_rows(c->known, mold, &mask));
        PSB_THEN(e, by->masked(all, mask, NULL, &c->rows));
    }
    X(mat_free)(left);
    X(mat_free)(right);
    X(mat_free)(mask);
    X(mat_free)(all);
    return e;
}

/* Let the device of a and b make c->rows, for a known pattern on the device, else in CSR on the host, where
 * its columns are renumbered; false: it declines, and the host does the work. */
static bool multiply_by_device(const struct row_product *q, const struct X(factors) *f, bool stays,
                               struct X(sp_product) *c)
{
    if (!q->mold || c->values_alone)
        return false;
    psb_expect_errors(1);
    psb_err e = multiply_there(f, q->mold, c);
    if (!stays)
        PSB_THEN(e, X(mat_cscnv)(&c->rows, &X(csr_mold).mat));
    psb_expect_errors(0);
    if (e != PSB_OK) {
        X(mat_free)(c->rows);
        c->rows = NULL;
    }
    c->ordered = c->ordered || (e == PSB_OK && stays);
    return e == PSB_OK;
}

/* --- op(A) = A ------------------------------------------------------------------------------------------ */

/* Make q->right, and with `describe` find its columns; collective, but for a later error. */
static psb_err fetch_factor(struct row_product *q, bool describe)
{
    struct X(coo_mat) *blk = NULL;
    PSB_TRY(X(sp_fetch_rows)(q->a->col, q->b, &q->cols, &blk));
    psb_err e = stack_rows(q, &blk->mat);
    if (describe)
        PSB_THEN(e, find_used(q, NULL));
    X(mat_free)(&blk->mat);
    return e;
}

/* Compute values for the known pattern, if right has the local numbers of its columns. */
static psb_err compute_known(const struct X(factors) *f, struct X(sp_product) *c)
{
    struct X(compressed) l = *c->known;
    c->ordered = true;
    if (c->values_alone) {
        PSB_TRY(psb_alloc(&c->values, (size_t)l.ptr[l.n], sizeof *c->values, "values of a product"));
        l.val = c->values;
    } else {
        PSB_TRY(copy_pattern(c->known, &c->rows, &l));
    }
    return X(spgemm_into)(f, &l, c->masked);
}

static psb_err multiply_rows(struct row_product *q, struct X(sp_product) *c)
{
    PSB_TRY(use_local_numbers(q, c->col, &q->right, &q->right_made));
    const struct X(factors) f = {
        .a = &q->l[0], .b = &q->right, .alpha = q->alpha, .beta = q->beta, .d = q->l[0].m, .nd = q->l[2].n
    };
    if (multiply_by_device(q, &f, true, c))
        return PSB_OK;
    return c->known ? compute_known(&f, c) : X(spgemm_new)(&f, &c->rows);
}

/* --- op(A) transposed ----------------------------------------------------------------------------------- */

/* Does no other process have rows of op(A) B for this one, or this one for others? */
static bool is_alone(const struct row_product *q)
{
    const psb_desc *d = q->a->col;
    return psb_desc_nhalo(d) == 0 && d->plan.send.n == 0;
}

/* *t = op of the rows of a, in CSR. */
static psb_err turn_rows(const struct row_product *q, struct X(mat) **turned, struct X(compressed) *t)
{
    PSB_TRY(X(csr_make)(q->l[0].m, q->l[0].n, q->l[0].ptr[q->l[0].n], turned, t));
    PSB_TRY(X(compressed_transpose)(&q->l[0], t));
    for (psb_epk k = 0; CPLX && q->op == 'C' && k < (*turned)->nnz; k++)
        t->val[k] = CONJ(t->val[k]);
    return PSB_OK;
}

/* c->rows = op of the rows of a, times those of b: a row for each local column of a, columns in numbers; or
 * values for the known pattern, if other processes have no part in it. */
static psb_err multiply_transposed(struct row_product *q, struct X(sp_product) *c)
{
    struct X(compressed) t;
    struct X(mat) *turned = NULL, *none = NULL;
    const bool known = c->known && is_alone(q);
    psb_err e = turn_rows(q, &turned, &t);
    PSB_THEN(e, X(mat_all)(0, 0, 0, &none));
    PSB_THEN(e, stack_rows(q, none));
    if (known)
        PSB_THEN(e, use_local_numbers(q, c->col, &q->right, &q->right_made));
    else if (q->d) /* its columns have the numbers of b's, and further ones */
        PSB_THEN(e, X(compressed_order)(&q->right));
    const struct X(factors) f = {
        .a = &t, .b = &q->right, .alpha = q->alpha, .beta = q->beta, .d = q->l[0].n, .nd = q->l[2].n
    };
    if (e == PSB_OK && !multiply_by_device(q, &f, known, c))
        e = known ? compute_known(&f, c) : X(spgemm_new)(&f, &c->rows);
    X(mat_free)(turned);
    X(mat_free)(none);
    return e;
}

/* *here = the rows of z that are owned here; *there = the others, numbered as the halo.  z NULL: none. */
static psb_err part_rows(const struct X(mat) *z, psb_ipk own, struct X(coo_mat) **here,
                         struct X(coo_mat) **there)
{
    PSB_TRY(X(mat_entries)(z, own, z->nrows, there));
    PSB_TRY(X(mat_entries)(z, 0, own, here));
    (*here)->mat.nrows = own;
    for (psb_epk k = 0; k < (*there)->mat.nnz; k++)
        (*there)->ia[k] -= own;
    return PSB_OK;
}

/* Send the rows of *z that others own to them, and add what they send; alone: both are none, and *z stays.
 * Collective, but for a later error. */
static psb_err return_rows(struct row_product *q, struct X(mat) **z, psb_err err)
{
    const bool alone = is_alone(q);
    struct X(mat) *none[2] = { NULL }, *sum = NULL;
    struct X(coo_mat) *here = NULL, *there = NULL;
    if (alone) {
        PSB_THEN(err, X(mat_all)(0, 0, 0, &none[0]));
        PSB_THEN(err, X(mat_all)(0, 0, 0, &none[1]));
        here = (struct X(coo_mat) *)none[0];
        there = (struct X(coo_mat) *)none[1];
    } else {
        PSB_THEN(err, part_rows(*z, psb_cd_local_rows(q->a->col), &here, &there));
    }
    psb_err e = X(sp_return_rows)(q->a->col, there, &q->cols, here, err);
    if (e == PSB_OK && !alone) {
        e = X(coo_fix)(here, PSB_DUPL_ADD);
        PSB_THEN(e, X(mat_convert)(&here->mat, &X(csr_mold).mat, &sum));
        if (e == PSB_OK) {
            X(mat_free)(*z);
            *z = sum;
        }
    }
    X(mat_free)((struct X(mat) *)here);
    X(mat_free)((struct X(mat) *)there);
    return e;
}

/* c->rows in numbers of q->cols, or as c knows it; collective, but for a later error. */
static psb_err multiply_and_return(struct row_product *q, struct X(sp_product) *c)
{
    struct X(compressed) l;
    PSB_TRY(return_rows(q, &c->rows, multiply_transposed(q, c)));
    if (c->col)
        return PSB_OK;
    PSB_TRY(X(compressed_open)(c->rows, &l));
    return find_used(q, &l);
}

/* Local numbers for the columns of c->rows. */
static psb_err order_result(struct row_product *q, struct X(sp_product) *c)
{
    struct X(compressed) l;
    if (c->ordered)
        return PSB_OK;
    PSB_TRY(X(compressed_open)(c->rows, &l));
    PSB_TRY(use_local_numbers(q, c->col, &l, &c->rows));
    c->rows->ncols = l.m;
    return PSB_OK;
}

/* --- both ----------------------------------------------------------------------------------------------- */

/* Compute c->rows, on c->col, which is made if it is NULL.  Collective, but for a later error. */
static psb_err compute(struct row_product *q, struct X(sp_product) *c)
{
    psb_ctxt *ctxt = q->a->row->ctxt;
    PSB_TRY(psb_agree(ctxt, open_factors(q)));
    psb_err e = q->op == 'N' ? fetch_factor(q, !c->col) : multiply_and_return(q, c);
    if (!c->col) {
        psb_desc *d = NULL;
        PSB_THEN(e, psb_columns_describe(&q->cols, q->used, &d));
        e = psb_agree(ctxt, e);
        PSB_THEN(e, psb_cdasb(d));
        if (e == PSB_OK)
            c->col = d;
        else
            psb_cdfree(d);
    }
    PSB_THEN(e, q->op == 'N' ? multiply_rows(q, c) : order_result(q, c));
    return e;
}

/* *t = op(a), by trans 'T' or 'C'.  Collective. */
static psb_err transposed_copy(const struct X(spmat) *a, char trans, struct X(spmat) **t)
{
    return trans == 'T' ? X(sp_transp)(a, t) : X(sp_transc)(a, t);
}

/* B, and with a mask A, is transposed first. */
psb_err X(sp_multiply)(const struct X(sp_operands) *o, struct X(sp_product) *c)
{
    struct X(spmat) *at = NULL, *bt = NULL;
    psb_err e = o->transb == 'N' ? PSB_OK : transposed_copy(o->b, o->transb, &bt);
    if (o->transa != 'N' && c->masked)
        PSB_THEN(e, transposed_copy(o->a, o->transa, &at));
    struct row_product q = { .alpha = o->alpha,
                             .beta = o->beta,
                             .a = at ? at : o->a,
                             .b = bt ? bt : o->b,
                             .d = o->d,
                             .op = at ? 'N' : o->transa,
                             .mold = X(sp_mult_mold)(o) };
    PSB_THEN(e, compute(&q, c));
    end_product(&q);
    X(spfree)(at);
    X(spfree)(bt);
    return PSB_PASS(e);
}
