/* sp_mult.c -- base/spmat: products of distributed sparse matrices.
 *
 * op(A) = A: each process fetches the rows of B that its halo columns need, and multiplies its rows.  Else it
 * multiplies its rows, transposed, and sends the rows of the result that others own to their owners, who add
 * them in rank order: the transpose of A is not formed. */
#include "spmat.h"
#include "columns.h"
#include "coll.h"
#include "psb_type.h"

/* C = alpha op(A) B + beta D. */
struct product {
    T alpha, beta;
    const struct X(spmat) *a, *b, *d; /* d: may be NULL */
    char op;                          /* of a */
    const struct X(plan) *plan;       /* of the matrix to be computed anew, or NULL */
    uint64_t print[3];                /* fingerprints of a, b, d, as given */
    struct X(compressed) l[3];        /* the rows of a, b and d here */
    struct X(mat) *made[3];
    struct psb_columns cols;    /* numbers of columns: those of b, then further ones */
    psb_ipk *of_d;              /* local column of d -> number */
    struct X(compressed) right; /* rows of b, rows fetched, rows of d */
    struct X(mat) *right_made;
    unsigned char *used; /* number -> does C have this column here? */
};

static void end_product(struct product *q)
{
    for (int i = 0; i < 3; i++)
        X(mat_free)(q->made[i]);
    X(mat_free)(q->right_made);
    psb_columns_free(&q->cols);
    psb_free(q->of_d);
    psb_free(q->used);
}

/* Give numbers to the columns of d. */
static psb_err number_columns_of_d(struct product *q)
{
    PSB_TRY(psb_alloc(&q->of_d, (size_t)q->l[2].m, sizeof *q->of_d, "columns of a product"));
    for (psb_ipk j = 0; j < q->l[2].m; j++)
        PSB_TRY(psb_columns_add(&q->cols, psb_loc_to_glob(q->d->col, j) - psb_index_base(), &q->of_d[j]));
    return PSB_OK;
}

/* The rows here of the three matrices. */
static psb_err open_factors(struct product *q)
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
static psb_err stack_rows(struct product *q, const struct X(mat) *blk)
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
static bool has_own_columns(const struct product *q)
{
    return psb_columns_count(&q->cols) == q->cols.d->map->nrow;
}

/* q->used: the columns of the rows of q->right that contribute; of all rows of z, if it is not NULL.  Only
 * those of others are asked for. */
static psb_err find_used(struct product *q, const struct X(compressed) *z)
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

/* A descriptor like b's columns whose halo is the used columns that others own. */
static psb_err describe_columns(const struct product *q, psb_desc **d)
{
    psb_desc *new;
    PSB_TRY(psb_cdall_like(&new, q->cols.d));
    psb_err e = PSB_OK;
    for (psb_ipk l = q->cols.d->map->nrow; l < psb_columns_count(&q->cols) && e == PSB_OK; l++)
        if (q->used[l]) {
            const psb_lpk g = psb_columns_global(&q->cols, l);
            e = psb_desc_use(new, 1, &g);
        }
    if (e == PSB_OK)
        *d = new;
    else
        psb_cdfree(new);
    return e;
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
static psb_err use_local_numbers(const struct product *q, const psb_desc *d, struct X(compressed) *l,
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

/* --- op(A) = A ------------------------------------------------------------------------------------------ */

/* The result: its column descriptor, given or made here; its pattern, if that is known; its rows here. */
struct result {
    psb_desc *col;
    const struct X(compressed) *known;
    bool masked, values_alone; /* values_alone: known has the arrays of a matrix, to which new values go */
    struct X(mat) *rows;
    T *values;    /* in place of rows, if values_alone is set */
    bool ordered; /* columns have local numbers */
};

/* Make q->right, and with `describe` find its columns; collective, but for a later error. */
static psb_err fetch_factor(struct product *q, bool describe)
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
static psb_err compute_known(const struct X(factors) *f, struct result *c)
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

static psb_err multiply_rows(struct product *q, struct result *c)
{
    PSB_TRY(use_local_numbers(q, c->col, &q->right, &q->right_made));
    const struct X(factors) f = {
        .a = &q->l[0], .b = &q->right, .alpha = q->alpha, .beta = q->beta, .d = q->l[0].m, .nd = q->l[2].n
    };
    return c->known ? compute_known(&f, c) : X(spgemm_new)(&f, &c->rows);
}

/* --- op(A) transposed ----------------------------------------------------------------------------------- */

/* Does no other process have rows of op(A) B for this one, or this one for others? */
static bool is_alone(const struct product *q)
{
    const psb_desc *d = q->a->col;
    return psb_desc_nhalo(d) == 0 && d->plan.send.n == 0;
}

/* *t = op of the rows of a, in CSR. */
static psb_err turn_rows(const struct product *q, struct X(mat) **turned, struct X(compressed) *t)
{
    PSB_TRY(X(csr_make)(q->l[0].m, q->l[0].n, q->l[0].ptr[q->l[0].n], turned, t));
    PSB_TRY(X(compressed_transpose)(&q->l[0], t));
    for (psb_epk k = 0; CPLX && q->op == 'C' && k < (*turned)->nnz; k++)
        t->val[k] = CONJ(t->val[k]);
    return PSB_OK;
}

/* c->rows = op of the rows of a, times those of b: a row for each local column of a, columns in numbers; or
 * values for the known pattern, if other processes have no part in it. */
static psb_err multiply_transposed(struct product *q, struct result *c)
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
    PSB_THEN(e, known ? compute_known(&f, c) : X(spgemm_new)(&f, &c->rows));
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
static psb_err return_rows(struct product *q, struct X(mat) **z, psb_err err)
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
static psb_err multiply_and_return(struct product *q, struct result *c)
{
    struct X(compressed) l;
    PSB_TRY(return_rows(q, &c->rows, multiply_transposed(q, c)));
    if (c->col)
        return PSB_OK;
    PSB_TRY(X(compressed_open)(c->rows, &l));
    return find_used(q, &l);
}

/* Local numbers for the columns of c->rows. */
static psb_err order_result(struct product *q, struct result *c)
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
static psb_err compute(struct product *q, struct result *c)
{
    psb_ctxt *ctxt = q->a->row->ctxt;
    PSB_TRY(psb_agree(ctxt, open_factors(q)));
    psb_err e = q->op == 'N' ? fetch_factor(q, !c->col) : multiply_and_return(q, c);
    if (!c->col) {
        psb_desc *d = NULL;
        PSB_THEN(e, describe_columns(q, &d));
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

/* --- arguments ------------------------------------------------------------------------------------------ */

/* The arguments of a call. */
struct operands {
    const struct X(spmat) *a, *b, *d, *mask;
    char transa, transb;
};

static psb_desc *rows_of(const struct X(spmat) *a, char trans)
{
    return trans == 'N' ? a->row : a->col;
}

static psb_desc *columns_of(const struct X(spmat) *a, char trans)
{
    return trans == 'N' ? a->col : a->row;
}

/* Check that m, unless it is NULL, is distributed as the product is. */
static psb_err check_like_product(const struct operands *o, const struct X(spmat) *m, const char *name)
{
    if (!m)
        return PSB_OK;
    PSB_TRY(X(sp_check)(m, name));
    const psb_desc *row = rows_of(o->a, o->transa), *col = columns_of(o->b, o->transb);
    PSB_CHECK(psb_cd_global_rows(m->row) == psb_cd_global_rows(row) &&
                  psb_cd_global_rows(m->col) == psb_cd_global_rows(col),
              PSB_EARG,
              "argument %s is %" PRId64 " x %" PRId64 "; expected %" PRId64 " x %" PRId64
              ", as the product is",
              name, psb_cd_global_rows(m->row), psb_cd_global_rows(m->col), psb_cd_global_rows(row),
              psb_cd_global_rows(col));
    PSB_CHECK(psb_cd_same_rows(m->row, row) && psb_cd_same_rows(m->col, col), PSB_EARG,
              "argument %s is distributed in another way than the product; expected the same way", name);
    return PSB_OK;
}

static psb_err check_operands(const struct operands *o)
{
    PSB_TRY(X(sp_check)(o->a, "a"));
    PSB_TRY(X(sp_check)(o->b, "b"));
    PSB_TRY(X(check_trans)(o->transa));
    PSB_TRY(X(check_trans)(o->transb));
    const psb_desc *col = columns_of(o->a, o->transa), *row = rows_of(o->b, o->transb);
    PSB_CHECK(psb_cd_global_rows(col) == psb_cd_global_rows(row), PSB_EARG,
              "argument b has %" PRId64 " %s; expected %" PRId64 ", the %s of a", psb_cd_global_rows(row),
              o->transb == 'N' ? "rows" : "columns", psb_cd_global_rows(col),
              o->transa == 'N' ? "columns" : "rows");
    PSB_CHECK(psb_cd_same_rows(col, row), PSB_EARG,
              "argument b has %s distributed in another way than the %s of a; expected the same way",
              o->transb == 'N' ? "rows" : "columns", o->transa == 'N' ? "columns" : "rows");
    if (o->transa != 'N')
        PSB_TRY(psb_desc_one_owner(o->a->row, o->a->col));
    PSB_TRY(check_like_product(o, o->d, "d"));
    return check_like_product(o, o->mask, "mask");
}

/* Find the patterns of the operands, which are to be those of the plan. */
static psb_err know_patterns(struct product *q, const struct operands *o)
{
    const struct X(spmat) *of[3] = { o->a, o->b, o->d };
    for (int i = 0; i < 3 && of[i]; i++)
        PSB_TRY(X(sp_fingerprint)(of[i], &q->print[i]));
    for (int i = 0; i < 3 && q->plan; i++)
        PSB_CHECK(q->print[i] == q->plan->print[i], PSB_ESTATE,
                  "argument %c has another pattern than the one that c was made with; expected the same",
                  "abd"[i]);
    return PSB_OK;
}

/* *t = op(a), by trans 'T' or 'C'.  Collective. */
static psb_err transposed_copy(const struct X(spmat) *a, char trans, struct X(spmat) **t)
{
    return trans == 'T' ? X(sp_transp)(a, t) : X(sp_transc)(a, t);
}

/* Compute the product of operands that have been checked.  B, and with a mask A, is transposed first.
 * Collective, but for a later error. */
static psb_err multiply(struct product *q, const struct operands *o, struct result *c)
{
    struct X(spmat) *at = NULL, *bt = NULL;
    psb_err e = o->transb == 'N' ? PSB_OK : transposed_copy(o->b, o->transb, &bt);
    if (o->transa != 'N' && c->masked)
        PSB_THEN(e, transposed_copy(o->a, o->transa, &at));
    q->a = at ? at : o->a;
    q->b = bt ? bt : o->b;
    q->d = o->d;
    q->op = at ? 'N' : o->transa;
    PSB_THEN(e, compute(q, c));
    end_product(q);
    X(spfree)(at);
    X(spfree)(bt);
    return e;
}

/* --- on a device ---------------------------------------------------------------------------------------- */

/* Can the product be computed without other processes?  err: of the checks of the arguments.  Collective. */
static psb_err all_near(psb_ctxt *ctxt, const struct operands *o, bool *near, psb_err err)
{
    *near = err == PSB_OK && !o->mask && X(sp_is_near)(o->a) && X(sp_is_near)(o->b) && X(sp_is_near)(o->d);
    return psb_reduce(ctxt, PSB_MIN, PSB_KIND_b, 1, near, err);
}

static struct X(near_product) near_product(const struct product *q, const struct operands *o)
{
    return (struct X(near_product)){ q->alpha, q->beta, o->a, o->b, o->d, o->transa, o->transb };
}

/* Let devices make c->rows, in the format of mold, and its descriptor, if those of all processes can.
 * Collective. */
static psb_err multiply_on_device(const struct product *q, const struct operands *o,
                                  const struct X(mat) *mold, struct result *c, bool *done)
{
    const struct X(near_product) p = near_product(q, o);
    psb_ctxt *ctxt = o->a->row->ctxt;
    psb_desc *d = NULL;
    *done = X(spgemm_near)(&p, mold, &c->rows);
    psb_err e = psb_reduce(ctxt, PSB_MIN, PSB_KIND_b, 1, done, PSB_OK);
    if (!*done) {
        X(mat_free)(c->rows);
        c->rows = NULL;
        return e;
    }
    PSB_THEN(e, psb_agree(ctxt, psb_cdall_like(&d, columns_of(o->b, o->transb))));
    PSB_THEN(e, psb_cdasb(d));
    if (e == PSB_OK)
        c->col = d;
    else
        psb_cdfree(d);
    return e;
}

/* --- results -------------------------------------------------------------------------------------------- */

/* Keep in c, which has been made, what psb_spgemm_again needs. */
static psb_err keep_plan(const struct product *q, const struct operands *o, struct X(spmat) *c)
{
    uint64_t print;
    PSB_TRY(X(sp_fingerprint)(c, &print));
    PSB_TRY(psb_alloc_zero(&c->plan, 1, sizeof *c->plan, "plan of a product"));
    *c->plan = (struct X(plan)){ .transa = o->transa,
                                 .transb = o->transb,
                                 .masked = o->mask != NULL,
                                 .print = { q->print[0], q->print[1], q->print[2] },
                                 .result = print };
    return PSB_OK;
}

/* *new = the matrix of c->rows on these descriptors; mold NULL: in their format. */
static psb_err make_result(const struct product *q, const struct operands *o, psb_desc *row, struct result *c,
                           const struct X(mat) *mold, struct X(spmat) **new)
{
    PSB_TRY(X(sp_of_near)(row, c->col, &c->rows, mold ? mold : c->rows, NULL, new));
    return keep_plan(q, o, *new);
}

/* The row descriptor of the product: its column descriptor if that distributes the rows on all processes.
 * err: as in psb_reduce.  Collective. */
static psb_err choose_rows(const struct operands *o, psb_err err, const struct result *c, psb_desc **row)
{
    psb_desc *const usual = o->mask ? o->mask->row : rows_of(o->a, o->transa);
    int differs = err == PSB_OK && (o->mask || !psb_cd_same_rows(usual, c->col));
    PSB_TRY(psb_reduce(usual->ctxt, PSB_MAX, PSB_KIND_i, 1, &differs, err));
    *row = differs ? usual : c->col;
    return PSB_OK;
}

/* Take descriptor and pattern of `of` for c. */
static psb_err open_pattern(const struct X(spmat) *of, struct X(compressed) *l, struct X(mat) **made,
                            struct result *c)
{
    PSB_TRY(X(sp_joined)(of, l, made));
    c->known = l;
    c->col = of->col;
    return PSB_OK;
}

psb_err X(spgemm)(T alpha, const struct X(spmat) *a, char transa, const struct X(spmat) *b, char transb,
                  T beta, const struct X(spmat) *d, const struct X(spmat) *mask, const struct X(mat) *mold,
                  struct X(spmat) **c)
{
    const struct operands o = { a, b, d, mask, transa, transb };
    struct product q = { .alpha = alpha, .beta = beta };
    struct result r = { .masked = mask != NULL };
    struct X(compressed) l;
    struct X(mat) *made = NULL;
    struct X(spmat) *new = NULL;
    psb_desc *row = NULL;
    bool near, done = false;
    PSB_CHECK(psb_is_live(a) || psb_is_live(b), PSB_EARG, "argument a is %s; expected a matrix",
              psb_handle_state(a));
    psb_ctxt *ctxt = (psb_is_live(a) ? a : b)->row->ctxt;
    psb_err e = check_operands(&o);
    PSB_THEN(e, c ? PSB_OK : PSB_FAIL(PSB_EARG, "argument c is NULL; expected where to store the matrix"));
    if (mask)
        PSB_THEN(e, open_pattern(mask, &l, &made, &r));
    PSB_THEN(e, know_patterns(&q, &o));
    e = all_near(ctxt, &o, &near, e);
    if (near)
        PSB_THEN(e, multiply_on_device(&q, &o, mold, &r, &done));
    if (e == PSB_OK)
        e = choose_rows(&o, done ? PSB_OK : multiply(&q, &o, &r), &r, &row);
    PSB_THEN(e, psb_agree(ctxt, make_result(&q, &o, row, &r, mold, &new)));
    if (!mask)
        psb_cdfree(r.col); /* the matrix keeps it */
    X(mat_free)(r.rows);
    X(mat_free)(made);
    if (e == PSB_OK)
        *c = new;
    else
        X(spfree)(new);
    return PSB_PASS(e);
}

psb_err X(spspmm)(const struct X(spmat) *a, const struct X(spmat) *b, const struct X(mat) *mold,
                  struct X(spmat) **c)
{
    return PSB_PASS(X(spgemm)(1, a, 'N', b, 'N', 0, NULL, NULL, mold, c));
}

/* --- new values ----------------------------------------------------------------------------------------- */

/* Check that c may be computed anew from these operands. */
static psb_err check_patterns(struct product *q, const struct operands *o, const struct X(spmat) *c)
{
    uint64_t print;
    PSB_TRY(check_operands(o));
    PSB_TRY(check_like_product(o, c, "c"));
    PSB_TRY(know_patterns(q, o));
    PSB_TRY(X(sp_fingerprint)(c, &print));
    PSB_CHECK(print == c->plan->result, PSB_ESTATE,
              "argument c has another pattern than it was made with; expected the same");
    return PSB_OK;
}

/* Let devices compute c anew, in place or as *rows, if those of all processes can.  Collective. */
static psb_err again_on_device(const struct product *q, const struct operands *o, struct X(spmat) *c,
                               struct X(mat) **rows, bool *done)
{
    const struct X(near_product) p = near_product(q, o);
    psb_ctxt *ctxt = c->row->ctxt;
    *done = X(spgemm_near_again)(&p, c->ad) || X(spgemm_near)(&p, c->ad, rows);
    psb_err e = psb_reduce(ctxt, PSB_MIN, PSB_KIND_b, 1, done, PSB_OK);
    if (!*done) {
        X(mat_free)(*rows);
        *rows = NULL;
    }
    return e;
}

/* The same on the host: *values are those of c->ad, if its arrays are all of c.  Collective, but for a later
 * error. */
static psb_err again_on_host(struct product *q, const struct operands *o, const struct X(spmat) *c,
                             struct X(mat) **rows, T **values)
{
    struct result r = { .masked = c->plan->masked };
    struct X(compressed) l;
    struct X(mat) *made = NULL;
    psb_err e = psb_agree(c->row->ctxt, open_pattern(c, &l, &made, &r));
    r.values_alone = !made && c->ad->ops == X(csr_mold).mat.ops;
    PSB_THEN(e, multiply(q, o, &r));
    X(mat_free)(made);
    *rows = r.rows;
    *values = r.values;
    return e;
}

/* Let these be the values of a, which is CSR. */
static psb_err renew_values(struct X(mat) *a, T *values)
{
    struct psb_dual *d = &((struct X(csr_mat) *)a)->val, new;
    PSB_TRY(psb_dual_init(&new, (size_t)a->nnz, sizeof *values, d->on, d->name));
    psb_dual_adopt(&new, values);
    new.changes = d->changes + 1;
    psb_dual_free(d);
    *d = new;
    return PSB_OK;
}

static psb_err check_again(const struct X(spmat) *c)
{
    PSB_TRY(X(sp_check)(c, "c"));
    PSB_CHECK(c->plan, PSB_ESTATE, "argument c is no result of psb_spgemm or psb_sprap; expected one");
    return PSB_OK;
}

psb_err X(spgemm_again)(T alpha, const struct X(spmat) *a, const struct X(spmat) *b, T beta,
                        const struct X(spmat) *d, struct X(spmat) *c)
{
    struct product q = { .alpha = alpha, .beta = beta };
    struct X(mat) *rows = NULL;
    struct X(spmat) new = { 0 };
    T *values = NULL;
    bool near, done = false;
    PSB_NEED_HANDLE(c, "a matrix");
    PSB_TRY(psb_agree(c->row->ctxt, check_again(c)));
    const struct operands o = { a, b, d, c->plan->masked ? c : NULL, c->plan->transa, c->plan->transb };
    q.plan = c->plan;
    psb_err e = check_patterns(&q, &o, c);
    e = all_near(c->row->ctxt, &o, &near, e);
    if (e == PSB_OK && near)
        e = again_on_device(&q, &o, c, &rows, &done);
    if (e == PSB_OK && !done)
        e = again_on_host(&q, &o, c, &rows, &values);
    if (rows)
        PSB_THEN(e, X(sp_split_csr)(&rows, psb_cd_local_rows(c->col), c->ad, c->ah, &new));
    X(mat_free)(rows);
    e = psb_agree(c->row->ctxt, e);
    if (e == PSB_OK && values) {
        e = renew_values(c->ad, values);
        values = NULL;
    }
    psb_free(values);
    if (e != PSB_OK) {
        X(sp_drop_parts)(&new);
    } else if (new.ad) {
        X(mat_same_pattern)(c->ad, new.ad);
        X(mat_same_pattern)(c->ah, new.ah);
        X(sp_move_parts)(c, &new);
    }
    return PSB_PASS(e);
}

/* --- R A P ---------------------------------------------------------------------------------------------- */

psb_err X(sprap)(const struct X(spmat) *r, const struct X(spmat) *a, const struct X(spmat) *p,
                 const struct X(mat) *mold, struct X(spmat) **c)
{
    struct X(spmat) *ap = NULL, *new = NULL;
    psb_err e = X(spgemm)(1, a, 'N', p, 'N', 0, NULL, NULL, NULL, c ? &ap : NULL); /* NULL: an error of all */
    PSB_THEN(e, X(spgemm)(1, r ? r : p, r ? 'N' : 'C', ap, 'N', 0, NULL, NULL, mold, &new));
    if (e == PSB_OK) {
        new->plan->inner = ap;
        *c = new;
    } else {
        X(spfree)(ap);
    }
    return PSB_PASS(e);
}

static psb_err check_rap(const struct X(spmat) *r, const struct X(spmat) *c)
{
    PSB_TRY(check_again(c));
    PSB_CHECK(c->plan->inner, PSB_ESTATE, "argument c is no result of psb_sprap; expected one");
    PSB_CHECK(!r == (c->plan->transa == 'C'), PSB_ESTATE, "argument r is %s; expected it as for psb_sprap",
              r ? "a matrix" : "NULL");
    return PSB_OK;
}

psb_err X(sprap_again)(const struct X(spmat) *r, const struct X(spmat) *a, const struct X(spmat) *p,
                       struct X(spmat) *c)
{
    PSB_NEED_HANDLE(c, "a matrix");
    PSB_TRY(psb_agree(c->row->ctxt, check_rap(r, c)));
    struct X(spmat) *const ap = c->plan->inner;
    PSB_TRY(X(spgemm_again)(1, a, p, 0, NULL, ap));
    return PSB_PASS(X(spgemm_again)(1, r ? r : p, ap, 0, NULL, c));
}
