/* sp_gemm.c -- base/spmat: psb_spgemm, psb_sprap, and both again. */
#include "spmat.h"
#include "coll.h"
#include "psb_trace.h"
#include "psb_type.h"
#include "sp_mult.t.h"

/* --- arguments ------------------------------------------------------------------------------------------ */

static psb_desc *rows_of(const struct X(spmat) *a, char trans)
{
    return trans == 'N' ? a->row : a->col;
}

static psb_desc *columns_of(const struct X(spmat) *a, char trans)
{
    return trans == 'N' ? a->col : a->row;
}

/* Check that m, unless it is NULL, is distributed as the product is. */
static psb_err check_like_product(const struct X(sp_operands) *o, const struct X(spmat) *m, const char *name)
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

static psb_err check_operands(const struct X(sp_operands) *o)
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

/* Find the patterns of a, b and d, which are to be those of the plan, unless it is NULL. */
static psb_err know_patterns(const struct X(sp_operands) *o, const struct X(plan) *plan, uint64_t print[3])
{
    const struct X(spmat) *of[3] = { o->a, o->b, o->d };
    for (int i = 0; i < 3 && of[i]; i++)
        PSB_TRY(X(sp_fingerprint)(of[i], &print[i]));
    for (int i = 0; i < 3 && plan; i++)
        PSB_CHECK(print[i] == plan->print[i], PSB_ESTATE,
                  "argument %c has another pattern than the one that c was made with; expected the same",
                  "abd"[i]);
    return PSB_OK;
}

/* --- on a device ---------------------------------------------------------------------------------------- */

/* Can the product be computed without other processes?  err: of the checks of the arguments.  Collective. */
static psb_err all_near(psb_ctxt *ctxt, const struct X(sp_operands) *o, bool *near, psb_err err)
{
    *near = err == PSB_OK && X(sp_is_near)(o->mask) && X(sp_is_near)(o->a) && X(sp_is_near)(o->b) &&
            X(sp_is_near)(o->d);
    return psb_reduce(ctxt, PSB_MIN, PSB_KIND_b, 1, near, err);
}

/* Let devices make c->rows, in the format of mold, and its descriptor, unless it is that of a mask, if those
 * of all processes can.  Collective. */
static psb_err multiply_on_device(const struct X(sp_operands) *o, const struct X(mat) *mold,
                                  struct X(sp_product) *c, bool *done)
{
    psb_ctxt *ctxt = o->a->row->ctxt;
    psb_desc *d = NULL;
    *done = X(spgemm_near)(o, mold, &c->rows);
    psb_err e = psb_reduce(ctxt, PSB_MIN, PSB_KIND_b, 1, done, PSB_OK);
    if (!*done) {
        X(mat_free)(c->rows);
        c->rows = NULL;
        return e;
    }
    if (o->mask) {
        c->col = o->mask->col;
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
static psb_err keep_plan(const struct X(sp_operands) *o, const uint64_t print[3], struct X(spmat) *c)
{
    uint64_t result;
    PSB_TRY(X(sp_fingerprint)(c, &result));
    PSB_TRY(psb_alloc_zero(&c->plan, 1, sizeof *c->plan, "plan of a product"));
    *c->plan = (struct X(plan)){ .transa = o->transa,
                                 .transb = o->transb,
                                 .masked = o->mask != NULL,
                                 .print = { print[0], print[1], print[2] },
                                 .result = result };
    return PSB_OK;
}

/* *new = the matrix of c->rows on these descriptors; mold NULL: in their format. */
static psb_err make_result(const struct X(sp_operands) *o, const uint64_t print[3], psb_desc *row,
                           struct X(sp_product) *c, const struct X(mat) *mold, struct X(spmat) **new)
{
    PSB_TRY(X(sp_of_near)(row, c->col, &c->rows, mold ? mold : c->rows, NULL, new));
    return keep_plan(o, print, *new);
}

/* The row descriptor of the product: its column descriptor if that distributes the rows on all processes.
 * err: as in psb_reduce.  Collective. */
static psb_err choose_rows(const struct X(sp_operands) *o, psb_err err, const struct X(sp_product) *c,
                           psb_desc **row)
{
    psb_desc *const usual = o->mask ? o->mask->row : rows_of(o->a, o->transa);
    int differs = err == PSB_OK && (o->mask || !psb_cd_same_rows(usual, c->col));
    PSB_TRY(psb_reduce(usual->ctxt, PSB_MAX, PSB_KIND_i, 1, &differs, err));
    *row = differs ? usual : c->col;
    return PSB_OK;
}

/* Take descriptor and pattern of `of` for c. */
static psb_err open_pattern(const struct X(spmat) *of, struct X(compressed) *l, struct X(mat) **made,
                            struct X(sp_product) *c)
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
    const struct X(sp_operands) o = { alpha, beta, a, b, d, mask, transa, transb };
    struct X(sp_product) r = { .masked = mask != NULL };
    struct X(compressed) l;
    struct X(mat) *made = NULL;
    struct X(spmat) *new = NULL;
    psb_desc *row = NULL;
    uint64_t print[3] = { 0 };
    const struct psb_range range = psb_range_begin(NULL, __func__, "");
    bool near, done = false;
    PSB_CHECK(psb_is_live(a) || psb_is_live(b), PSB_EARG, "argument a is %s; expected a matrix",
              psb_handle_state(a));
    psb_ctxt *ctxt = (psb_is_live(a) ? a : b)->row->ctxt;
    psb_err e = check_operands(&o);
    PSB_THEN(e, c ? PSB_OK : PSB_FAIL(PSB_EARG, "argument c is NULL; expected where to store the matrix"));
    PSB_THEN(e, know_patterns(&o, NULL, print));
    e = all_near(ctxt, &o, &near, e);
    if (near)
        PSB_THEN(e, multiply_on_device(&o, mold, &r, &done));
    else if (e == PSB_OK && !mold)
        mold = X(sp_mult_mold)(&o);
    if (mask && !done)
        PSB_THEN(e, psb_agree(ctxt, open_pattern(mask, &l, &made, &r)));
    if (e == PSB_OK)
        e = choose_rows(&o, done ? PSB_OK : X(sp_multiply)(&o, &r), &r, &row);
    PSB_THEN(e, psb_agree(ctxt, make_result(&o, print, row, &r, mold, &new)));
    if (!mask)
        psb_cdfree(r.col); /* the matrix keeps it */
    X(mat_free)(r.rows);
    X(mat_free)(made);
    if (e == PSB_OK)
        *c = new;
    else
        X(spfree)(new);
    psb_range_end(&range);
    return PSB_PASS(e);
}

psb_err X(spspmm)(const struct X(spmat) *a, const struct X(spmat) *b, const struct X(mat) *mold,
                  struct X(spmat) **c)
{
    return PSB_PASS(X(spgemm)(1, a, 'N', b, 'N', 0, NULL, NULL, mold, c));
}

/* --- new values ----------------------------------------------------------------------------------------- */

/* Check that c may be computed anew from these operands. */
static psb_err check_patterns(const struct X(sp_operands) *o, const struct X(spmat) *c)
{
    uint64_t print[3] = { 0 }, result;
    PSB_TRY(check_operands(o));
    PSB_TRY(check_like_product(o, c, "c"));
    PSB_TRY(know_patterns(o, c->plan, print));
    PSB_TRY(X(sp_fingerprint)(c, &result));
    PSB_CHECK(result == c->plan->result, PSB_ESTATE,
              "argument c has another pattern than it was made with; expected the same");
    return PSB_OK;
}

/* Let devices compute c anew, in place or as *rows, if those of all processes can.  Collective. */
static psb_err again_on_device(const struct X(sp_operands) *o, struct X(spmat) *c, struct X(mat) **rows,
                               bool *done)
{
    psb_ctxt *ctxt = c->row->ctxt;
    const bool is_operand = c == o->a || c == o->b || c == o->d;
    *done = (!is_operand && X(spgemm_near_again)(o, c->ad)) || X(spgemm_near)(o, c->ad, rows);
    psb_err e = psb_reduce(ctxt, PSB_MIN, PSB_KIND_b, 1, done, PSB_OK);
    if (!*done) {
        X(mat_free)(*rows);
        *rows = NULL;
    }
    return e;
}

/* The same on the host: *values are those of c->ad, if its arrays are all of c.  Collective, but for a later
 * error. */
static psb_err again_on_host(const struct X(sp_operands) *o, const struct X(spmat) *c, struct X(mat) **rows,
                             T **values)
{
    struct X(sp_product) r = { .masked = c->plan->masked };
    struct X(compressed) l;
    struct X(mat) *made = NULL;
    psb_err e = psb_agree(c->row->ctxt, open_pattern(c, &l, &made, &r));
    r.values_alone = !made && c->ad->ops == X(csr_mold).mat.ops;
    PSB_THEN(e, X(sp_multiply)(o, &r));
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
    struct X(mat) *rows = NULL;
    struct X(spmat) new = { 0 };
    T *values = NULL;
    const struct psb_range range = psb_range_begin(NULL, __func__, "");
    bool near, done = false;
    PSB_NEED_HANDLE(c, "a matrix");
    PSB_TRY(psb_agree(c->row->ctxt, check_again(c)));
    const struct X(sp_operands) o = { alpha,           beta,           a, b, d, c->plan->masked ? c : NULL,
                                      c->plan->transa, c->plan->transb };
    psb_err e = check_patterns(&o, c);
    e = all_near(c->row->ctxt, &o, &near, e);
    if (e == PSB_OK && near)
        e = again_on_device(&o, c, &rows, &done);
    if (e == PSB_OK && !done)
        e = again_on_host(&o, c, &rows, &values);
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
    psb_range_end(&range);
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
