/* convert.c -- cuda/formats: conversions between formats with arrays on the device: the sequence of
 * steps. */
#include "gpu_formats.h"
#include "locality.h"
#include "per_device.h"
#include "psb_testing.h"
#include "psb_type.h"

const struct X(coo_steps) *X(coo_steps_of)(const struct psb_device *on)
{
    return PSB_KERNELS(X(coo_steps), on);
}

/* --- choice of side --------------------------------------------------------------------------------- */

const struct X(conversions) *X(conversions_of)(const struct X(mat) *a)
{
    return X(mat_dev)(a)->conversions;
}

struct psb_dual *X(device_values)(struct X(mat) *a)
{
    return X(mat_dev)(a)->values(a);
}

/* The valid copies of the values of a; 0 if its format has no conversions. */
static unsigned current(struct X(mat) *a)
{
    return X(conversions_of)(a) ? X(device_values)(a)->valid : 0;
}

static int is_large(const struct X(mat) *a)
{
    return a->nnz >= psb_cuda_convert_from(-1);
}

int X(is_on_device)(const struct X(mat) *a)
{
    const unsigned now = a->on ? current((struct X(mat) *)a) : 0;
    return now == PSB_DEV || (now & PSB_DEV && is_large(a));
}

/* Does the device convert b to a? */
static int is_worth_converting(const struct X(mat) *a, struct X(mat) *b)
{
    const int shared = b->on == a->on && current(b) & PSB_DEV;
    if (!a->on)
        return 0;
    if (b->ops == X(coo_mold).mat.ops || X(mat_is_csr)(b))
        return is_large(b) || (shared && current(b) == PSB_DEV);
    return shared && X(is_on_device)(b);
}

/* --- arrays on the device ------------------------------------------------------------------------------- */

psb_err X(values_on_device)(struct psb_dual *val, bool change, void *out)
{
    return change ? psb_dual_update(val, PSB_DEV, out) : psb_dual_read(val, PSB_DEV, out);
}

psb_err X(csr_on_device)(struct X(csr_mat) *a, bool change, struct psb_dev_compressed *l)
{
    *l = (struct psb_dev_compressed){ .m = a->mat.nrows };
    PSB_TRY(psb_dual_read(&a->irp, PSB_DEV, &l->off));
    PSB_TRY(psb_dual_read(&a->ja, PSB_DEV, &l->ja));
    return X(values_on_device)(&a->val, change, &l->val);
}

psb_err X(found_open)(struct psb_dual *d, const struct psb_device *on, psb_epk **at)
{
    PSB_TRY(psb_dual_init(d, PSB_FOUND, sizeof **at, on, "sizes of a conversion"));
    const psb_err e = psb_dual_write(d, PSB_DEV, at);
    if (e != PSB_OK)
        psb_dual_free(d);
    return e;
}

psb_err X(found_close)(struct psb_dual *d, psb_err e, psb_epk *out)
{
    if (e == PSB_OK)
        e = psb_get(d->on, out, d->dev, d->bytes, d->name);
    psb_dual_free(d);
    return e;
}

/* --- CSRG ----------------------------------------------------------------------------------------------- */

psb_err X(reserve_pointers)(struct X(csr_mat) *a, struct psb_dev_compressed *l)
{
    const psb_epk m = a->mat.nrows;
    *l = (struct psb_dev_compressed){ .m = a->mat.nrows };
    return X(move_on_device)(&a->irp, a->mat.on, m + 1, sizeof *l->off, NULL, "CSR row pointers", &l->off);
}

psb_err X(reserve_entries)(struct X(csr_mat) *a, struct psb_dev_compressed *l)
{
    const psb_epk n = a->mat.nnz;
    PSB_TRY(X(move_on_device)(&a->ja, a->mat.on, n, sizeof *l->ja, NULL, "CSR columns", &l->ja));
    return X(move_on_device)(&a->val, a->mat.on, n, sizeof(T), NULL, "CSR values", &l->val);
}

static psb_err reserve_rows(struct X(csr_mat) *a, struct psb_dev_compressed *l)
{
    PSB_TRY(X(reserve_pointers)(a, l));
    return X(reserve_entries)(a, l);
}

/* Copy the current values of d to dev. */
static psb_err copy_current(const struct psb_device *on, struct psb_dual *d, void *dev)
{
    const void *from;
    if (d->on == on && d->valid & PSB_DEV) {
        PSB_TRY(psb_dual_read(d, PSB_DEV, &from));
        return PSB_KERNELS(X(coo_steps), on)->copy(dev, from, d->bytes);
    }
    PSB_TRY(psb_dual_read(d, PSB_HOST, &from));
    return psb_put(on, dev, from, d->bytes, d->name);
}

static psb_err rows_of_rows(struct X(csr_mat) *a, struct X(csr_mat) *b)
{
    struct psb_dev_compressed l;
    const struct psb_device *on = a->mat.on;
    PSB_TRY(reserve_rows(a, &l));
    PSB_TRY(copy_current(on, &b->irp, l.off));
    PSB_TRY(copy_current(on, &b->ja, l.ja));
    return copy_current(on, &b->val, l.val);
}

psb_err X(sent_free)(struct X(sent) *t, psb_err e)
{
    psb_dual_free(&t->ia);
    psb_dual_free(&t->ja);
    psb_dual_free(&t->val);
    psb_dual_free(&t->order);
    psb_dual_free(&t->place);
    psb_dual_free(&t->rows);
    return e;
}

psb_err X(move_on_device)(struct psb_dual *d, const struct psb_device *on, psb_epk n, size_t size,
                          const void *host, const char *name, void *out)
{
    PSB_TRY(psb_dual_init(d, (size_t)n, size, on, name));
    PSB_TRY(psb_dual_write(d, PSB_DEV, out));
    return host ? psb_put(on, d->dev, host, d->bytes, name) : PSB_OK;
}

static psb_err count_disorder(const struct psb_device *on, const struct psb_dev_triplets *e, psb_epk *found)
{
    PSB_FIND(on, at, PSB_KERNELS(X(coo_steps), on)->disorder(e, at), found);
    return PSB_OK;
}

/* Order the entries of a, which are in its arrays in any order; *rows = their rows in order. */
static psb_err order_triplets(struct X(csr_mat) *a, const struct psb_dev_compressed *l,
                              struct psb_dev_triplets *e, struct X(sent) *t, psb_ipk **rows)
{
    const struct psb_device *on = a->mat.on;
    psb_epk *order;
    psb_ipk *ja;
    void *val;
    PSB_TRY(X(move_on_device)(&t->ja, on, e->nz, sizeof *ja, NULL, "COO columns", &ja));
    PSB_TRY(X(move_on_device)(&t->val, on, e->nz, sizeof(T), NULL, "COO values", &val));
    PSB_TRY(X(move_on_device)(&t->rows, on, e->nz, sizeof **rows, NULL, "COO rows", rows));
    PSB_TRY(X(move_on_device)(&t->order, on, e->nz, sizeof *order, NULL, "the order of entries", &order));
    PSB_TRY(copy_current(on, &a->ja, ja));
    PSB_TRY(copy_current(on, &a->val, val));
    e->ja = ja;
    e->val = val;
    const struct psb_new_triplets to = { *rows, l->ja, l->val };
    PSB_TRY(PSB_KERNELS(X(coo_steps), on)->order(e, a->mat.nrows, a->mat.ncols, order));
    return PSB_KERNELS(X(coo_steps), on)->gather(e, order, &to);
}

/* Columns and values are copied to their final arrays, and moved only if they are not in order. */
static psb_err rows_of_triplets(struct X(csr_mat) *a, const struct X(coo_mat) *b, struct X(sent) *t)
{
    const struct psb_device *on = a->mat.on;
    struct psb_dev_triplets e = { .nz = b->mat.nnz };
    struct psb_dev_compressed l;
    psb_epk found[PSB_FOUND];
    psb_ipk *ia;
    PSB_TRY(reserve_rows(a, &l));
    PSB_TRY(X(move_on_device)(&t->ia, on, e.nz, sizeof *b->ia, b->ia, "COO rows", &ia));
    PSB_TRY(psb_put(on, l.ja, b->ja, a->ja.bytes, "COO columns"));
    PSB_TRY(psb_put(on, l.val, b->val, a->val.bytes, "COO values"));
    e.ia = ia;
    e.ja = l.ja;
    PSB_TRY(count_disorder(on, &e, found));
    if (found[0] > 0)
        PSB_TRY(order_triplets(a, &l, &e, t, &ia));
    return PSB_KERNELS(X(coo_steps), on)->row_begins(l.m, e.nz, ia, l.off);
}

static psb_err rows_of_coo(struct X(csr_mat) *a, const struct X(coo_mat) *b)
{
    struct X(sent) t = { .ia = { 0 } };
    return X(sent_free)(&t, rows_of_triplets(a, b, &t));
}

/* --- assembly --------------------------------------------------------------------------------------- */

/* Copy the entries of b to the device. */
static psb_err send_entries(const struct psb_device *on, const struct X(coo_mat) *b,
                            struct psb_dev_triplets *e, struct X(sent) *t)
{
    PSB_TRY(X(move_on_device)(&t->ia, on, e->nz, sizeof *b->ia, b->ia, "COO rows", &e->ia));
    PSB_TRY(X(move_on_device)(&t->ja, on, e->nz, sizeof *b->ja, b->ja, "COO columns", &e->ja));
    return X(move_on_device)(&t->val, on, e->nz, sizeof *b->val, b->val, "COO values", &e->val);
}

/* *order = the order of the entries, whose rows are at most m and columns less than n, made unless *d has it;
 * NULL if they are in order. */
static psb_err find_order(const struct psb_device *on, const struct psb_dev_triplets *e, psb_ipk m, psb_ipk n,
                          struct psb_dual *d, psb_epk **order)
{
    psb_epk found[PSB_FOUND];
    *order = NULL;
    if (d->valid)
        return psb_dual_read(d, PSB_DEV, order);
    PSB_TRY(count_disorder(on, e, found));
    if (found[0] == 0)
        return PSB_OK;
    PSB_TRY(X(move_on_device)(d, on, e->nz, sizeof **order, NULL, "the order of entries", order));
    return PSB_KERNELS(X(coo_steps), on)->order(e, m, n, *order);
}

/* place: see the step `distinct`; *n is the number of distinct entries. */
static psb_err count_distinct(const struct psb_device *on, const struct psb_dev_triplets *e,
                              const psb_epk *order, psb_epk *place, psb_epk *n)
{
    psb_epk found[PSB_FOUND] = { 0 };
    PSB_FIND(on, at, PSB_KERNELS(X(coo_steps), on)->distinct(e, order, place, at), found);
    *n = found[0];
    return PSB_OK;
}

psb_err X(rows_of_entries)(struct X(csr_mat) *a, struct psb_dev_triplets e, psb_epk left, enum psb_dupl dupl,
                           struct psb_dual *order_, struct psb_dual *place_, struct psb_dual *rows)
{
    const struct psb_device *on = a->mat.on;
    struct psb_dev_compressed l;
    struct psb_new_triplets to;
    psb_epk *order, *place;
    PSB_TRY(find_order(on, &e, a->mat.nrows, a->mat.ncols, order_, &order));
    e.nz -= left;
    PSB_TRY(X(move_on_device)(place_, on, e.nz + 1, sizeof *place, NULL, "places of entries", &place));
    PSB_TRY(count_distinct(on, &e, order, place, &a->mat.nnz));
    if (dupl == PSB_DUPL_ERROR && a->mat.nnz < e.nz)
        return PSB_ENOTIMPL;
    PSB_TRY(reserve_rows(a, &l));
    PSB_TRY(X(move_on_device)(rows, on, a->mat.nnz, sizeof *to.ia, NULL, "COO rows", &to.ia));
    to.ja = l.ja;
    to.val = l.val;
    PSB_TRY(PSB_KERNELS(X(coo_steps), on)->merge(&e, order, place, dupl == PSB_DUPL_OVERWRITE, &to));
    return PSB_KERNELS(X(coo_steps), on)->row_begins(l.m, a->mat.nnz, to.ia, l.off);
}

static psb_err rows_of_host_entries(struct X(csr_mat) *a, const struct X(coo_mat) *b, enum psb_dupl dupl)
{
    struct X(sent) t = { .ia = { 0 } };
    struct psb_dev_triplets e = { .nz = b->mat.nnz };
    psb_err err = send_entries(a->mat.on, b, &e, &t);
    PSB_THEN(err, X(rows_of_entries)(a, e, 0, dupl, &t.order, &t.place, &t.rows));
    return X(sent_free)(&t, err);
}

/* --- entries by global indices ----------------------------------------------------------------------- */

/* *d: n elements of `size` bytes, those of `from` on the device, then `more` of the host. */
static psb_err append(struct psb_dual *d, const struct psb_device *on, psb_epk n, psb_epk nmore, size_t size,
                      const void *from, const void *more, const char *name, void *out)
{
    PSB_TRY(X(move_on_device)(d, on, n + nmore, size, NULL, name, out));
    PSB_TRY(PSB_KERNELS(X(coo_steps), on)->copy(d->dev, from, (size_t)n * size));
    return psb_put(on, (char *)d->dev + (size_t)n * size, more, (size_t)nmore * size, name);
}

/* The entries of c and those of other processes, in new arrays if there are such. */
static psb_err join_entries(const struct X(dev_coo) *c, struct psb_dev_triplets *e, struct X(sent) *t)
{
    *e = (struct psb_dev_triplets){ .nz = c->nz + c->more, .val = c->val };
    PSB_TRY(psb_dual_read(&c->i, PSB_DEV, &e->ia));
    PSB_TRY(psb_dual_read(&c->j, PSB_DEV, &e->ja));
    if (c->more == 0)
        return PSB_OK;
    PSB_TRY(append(&t->ia, c->on, c->nz, c->more, sizeof *e->ia, e->ia, c->more_i, "COO rows", &e->ia));
    PSB_TRY(append(&t->ja, c->on, c->nz, c->more, sizeof *e->ja, e->ja, c->more_j, "COO columns", &e->ja));
    return append(&t->val, c->on, c->nz, c->more, sizeof(T), e->val, c->more_val, "COO values", &e->val);
}

static psb_err rows_of_split(struct X(csr_mat) *a, struct X(dev_coo) *c, enum psb_dupl dupl)
{
    struct X(sent) t = { .ia = { 0 } };
    struct psb_dev_triplets e;
    if (c->more > 0)
        psb_dual_free(&c->made.order);
    psb_err err = join_entries(c, &e, &t);
    PSB_THEN(err,
             X(rows_of_entries)(a, e, c->nrest + c->nfar, dupl, &c->made.order, &c->made.place, &t.rows));
    c->made.n = c->nz + c->more - c->nrest - c->nfar;
    return X(sent_free)(&t, err);
}

/* Copy the entries of c that are not in the block, the last ones in order, to the host. */
static psb_err fetch_rest(struct X(dev_coo) *c, const psb_epk *last, struct X(sent) *t)
{
    struct psb_taken q = { c->nrest, last, c->ia, c->ja, .val = c->val };
    const size_t n = (size_t)c->nrest, bytes = n * sizeof *q.to_i;
    PSB_TRY(psb_alloc(&c->rest, n, sizeof *c->rest, "entries outside"));
    PSB_TRY(psb_alloc(&c->rest_i, n, sizeof *c->rest_i, "entries outside"));
    PSB_TRY(psb_alloc(&c->rest_j, n, sizeof *c->rest_j, "entries outside"));
    PSB_TRY(psb_alloc(&c->rest_val, n, sizeof *c->rest_val, "entries outside"));
    PSB_TRY(X(move_on_device)(&t->ia, c->on, q.n, sizeof *q.to_i, NULL, "entries outside", &q.to_i));
    PSB_TRY(X(move_on_device)(&t->ja, c->on, q.n, sizeof *q.to_j, NULL, "entries outside", &q.to_j));
    PSB_TRY(X(move_on_device)(&t->val, c->on, q.n, sizeof(T), NULL, "entries outside", &q.to_val));
    PSB_TRY(PSB_KERNELS(X(coo_steps), c->on)->take(&q));
    PSB_TRY(psb_get(c->on, c->rest, last, n * sizeof *last, "entries outside"));
    PSB_TRY(psb_get(c->on, c->rest_i, q.to_i, bytes, "entries outside"));
    PSB_TRY(psb_get(c->on, c->rest_j, q.to_j, bytes, "entries outside"));
    return psb_get(c->on, c->rest_val, q.to_val, n * sizeof(T), "entries outside");
}

static psb_err refuse_entry(const struct X(dev_coo) *c, psb_epk k)
{
    psb_lpk i, j;
    PSB_TRY(psb_get(c->on, &i, c->ia + k, sizeof i, "an index"));
    PSB_TRY(psb_get(c->on, &j, c->ja + k, sizeof j, "an index"));
    const bool row = i < c->base || i - c->base >= c->rows;
    return PSB_FAIL(
        PSB_EARG, "argument %s[%" PRId64 "] is %" PRId64 "; expected %" PRId64 " <= %s < %" PRId64,
        row ? "ia" : "ja", k, row ? i : j, c->base, row ? "ia" : "ja", (row ? c->rows : c->cols) + c->base);
}

/* *bad = the first entry outside of the matrix, or -1. */
static psb_err split_entries(struct X(dev_coo) *c, psb_epk *bad)
{
    struct psb_own_block q = { .nz = c->nz, .ia = c->ia, .ja = c->ja, .base = c->base, .m = c->m, .n = c->n };
    struct psb_dev_triplets e = { .nz = c->nz };
    struct X(sent) t = { .ia = { 0 } };
    psb_epk found[PSB_FOUND] = { 0 }, *order;
    q.rows = c->rows;
    q.cols = c->cols;
    q.first_row = c->first_row;
    q.first_col = c->first_col;
    PSB_TRY(X(move_on_device)(&c->i, c->on, c->nz, sizeof *q.i, NULL, "COO rows", &q.i));
    PSB_TRY(X(move_on_device)(&c->j, c->on, c->nz, sizeof *q.j, NULL, "COO columns", &q.j));
    PSB_FIND(c->on, at, (q.found = at, PSB_KERNELS(X(coo_steps), c->on)->split(&q)), found);
    *bad = found[0];
    c->nrest = found[1];
    if (*bad >= 0 || c->nrest == 0)
        return PSB_OK;
    e.ia = q.i;
    e.ja = q.j;
    PSB_TRY(
        X(move_on_device)(&c->made.order, c->on, c->nz, sizeof *order, NULL, "the order of entries", &order));
    PSB_TRY(PSB_KERNELS(X(coo_steps), c->on)->order(&e, c->m ? c->m : 1, c->n, order));
    return X(sent_free)(&t, fetch_rest(c, order + (c->nz - c->nrest), &t));
}

static psb_err split_or_decline(struct X(dev_coo) *c)
{
    psb_epk bad = -1;
    psb_expect_errors(1);
    const psb_err e = split_entries(c, &bad);
    psb_expect_errors(0);
    if (bad >= 0)
        return refuse_entry(c, bad);
    return e == PSB_OK ? PSB_OK : PSB_ENOTIMPL;
}

static psb_err fill_stencil(struct X(mat) *a, const struct psb_stencil *s)
{
    struct psb_dev_compressed l;
    if (a->nnz < psb_cuda_convert_from(-1))
        return PSB_ENOTIMPL;
    psb_expect_errors(1);
    psb_err e = reserve_rows((struct X(csr_mat) *)a, &l);
    PSB_THEN(e, PSB_KERNELS(X(coo_steps), a->on)->stencil(s, &l));
    psb_expect_errors(0);
    return e == PSB_OK ? PSB_OK : PSB_ENOTIMPL;
}

static psb_err refill_rows(struct X(mat) *a, const struct psb_sources *s, psb_epk nz, const T *val,
                           const T *more, bool overwrite)
{
    struct psb_refill q = { .n = s->n, .nz = nz, .val = val, .more = more, .overwrite = overwrite };
    T *to;
    if (s->order.valid)
        PSB_TRY(psb_dual_read(&s->order, PSB_DEV, &q.order));
    PSB_TRY(psb_dual_read(&s->place, PSB_DEV, &q.place));
    PSB_TRY(psb_dual_write(&((struct X(csr_mat) *)a)->val, PSB_DEV, &to));
    return PSB_KERNELS(X(coo_steps), a->on)->refill(&q, to);
}

/* --- assembly in any format -------------------------------------------------------------------------- */

/* From the entries of c, or if that is NULL from those of b. */
static psb_err assemble(struct X(mat) *a, const struct X(coo_mat) *b, struct X(dev_coo) *c,
                        enum psb_dupl dupl)
{
    X(make_on_device) *from_csr = X(conversions_of)(a)->from_csr;
    struct X(mat) *rows = a;
    if (from_csr)
        PSB_TRY(X(mat_new)(&X(csrg_mold).mat, a->nrows, a->ncols, c ? c->nz : b->mat.nnz, &rows));
    psb_err e = c ? rows_of_split((struct X(csr_mat) *)rows, c, dupl)
                  : rows_of_host_entries((struct X(csr_mat) *)rows, b, dupl);
    if (!from_csr)
        return e;
    a->nnz = rows->nnz;
    if (e == PSB_OK)
        e = from_csr(a, (struct X(csr_mat) *)rows);
    X(mat_free)(rows);
    return e;
}

static psb_err assemble_or_not(struct X(mat) *a, const struct X(coo_mat) *b, struct X(dev_coo) *c,
                               enum psb_dupl dupl)
{
    psb_expect_errors(1);
    psb_err e = assemble(a, b, c, dupl);
    psb_expect_errors(0);
    return e == PSB_OK ? PSB_OK : PSB_ENOTIMPL;
}

static psb_err assemble_split(struct X(mat) *a, struct X(dev_coo) *c, enum psb_dupl dupl)
{
    return assemble_or_not(a, NULL, c, dupl);
}

/* If the device fails, the host repeats the work and reports the error. */
static psb_err assemble_or_decline(struct X(mat) *a, const struct X(coo_mat) *b, enum psb_dupl dupl)
{
    if (!a->on || b->mat.nnz < psb_cuda_convert_from(-1))
        return PSB_ENOTIMPL;
    return assemble_or_not(a, b, NULL, dupl);
}

static psb_err rows_of_others(struct X(csr_mat) *a, struct X(mat) *b)
{
    struct psb_dev_compressed l;
    PSB_TRY(reserve_rows(a, &l));
    return X(conversions_of)(b)->to_csr(b, &l);
}

/* Fill a, which is empty, with the entries of b. */
static psb_err fill_rows(struct X(mat) *a_, struct X(mat) *b)
{
    struct X(csr_mat) *a = (struct X(csr_mat) *)a_;
    return X(mat_is_csr)(b)                ? rows_of_rows(a, (struct X(csr_mat) *)b)
           : b->ops == X(coo_mold).mat.ops ? rows_of_coo(a, (struct X(coo_mat) *)b)
                                           : rows_of_others(a, b);
}

/* --- conversion ------------------------------------------------------------------------------------- */

/* Convert through CSR on the device: b itself, or a temporary matrix. */
static psb_err attempt(struct X(mat) *a, struct X(mat) *b)
{
    X(make_on_device) *make = X(conversions_of)(a)->from_csr;
    struct X(mat) *rows;
    if (!make)
        return fill_rows(a, b);
    if (X(mat_is_csr)(b) && b->on == a->on)
        return make(a, (struct X(csr_mat) *)b);
    PSB_TRY(X(mat_new)(&X(csrg_mold).mat, b->nrows, b->ncols, b->nnz, &rows));
    psb_err e = fill_rows(rows, b);
    if (e == PSB_OK)
        e = make(a, (struct X(csr_mat) *)rows);
    X(mat_free)(rows);
    return e;
}

/* The first attempt records no error.  If the device has not enough memory, or does not offer the work, the
 * host does it; other errors are recorded by a second attempt. */
static psb_err attempt_twice(psb_err (*work)(struct X(mat) *, struct X(mat) *), struct X(mat) *a,
                             struct X(mat) *b)
{
    psb_expect_errors(1);
    psb_err e = work(a, b);
    psb_expect_errors(0);
    if (e == PSB_OK)
        return e;
    X(mat_empty)(a);
    return e == PSB_ENOMEM || e == PSB_ENOTIMPL ? PSB_ENOTIMPL : work(a, b);
}

static psb_err convert_or_decline(struct X(mat) *a, struct X(mat) *b)
{
    return is_worth_converting(a, b) ? attempt_twice(attempt, a, b) : PSB_ENOTIMPL;
}

/* Arrays without valid values are only registered. */
static psb_err copy_arrays(struct X(mat) *a, struct X(mat) *b)
{
    struct psb_dual *from[PSB_MOST_ARRAYS], *to[PSB_MOST_ARRAYS];
    void *dev;
    const int n = X(mat_arrays)(b, from);
    (void)X(mat_arrays)(a, to);
    if (X(conversions_of)(a)->copy_sizes)
        X(conversions_of)(a)->copy_sizes(a, b);
    for (int i = 0; i < n; i++) {
        const size_t size = from[i]->size ? from[i]->size : 1;
        PSB_TRY(psb_dual_init(to[i], from[i]->bytes / size, size, a->on, from[i]->name));
        if (!from[i]->valid)
            continue;
        PSB_TRY(psb_dual_write(to[i], PSB_DEV, &dev));
        PSB_TRY(copy_current(a->on, from[i], dev));
    }
    return PSB_OK;
}

static psb_err copy_or_decline(struct X(mat) *a, struct X(mat) *b)
{
    return X(is_on_device)(b) ? attempt_twice(copy_arrays, a, b) : PSB_ENOTIMPL;
}

const struct X(mat_dev_storage) X(device_storage) = {
    .convert = convert_or_decline,
    .copy = copy_or_decline,
    .assemble = assemble_or_decline,
    .split = split_or_decline,
    .assemble_split = assemble_split,
    .stencil = fill_stencil,
    .refill = refill_rows,
    .get_diag = X(device_diag),
    .scale = X(device_scale),
    .zero_vals = X(device_zero),
    .csput = X(device_put),
    .spspmm = X(device_spspmm),
    .spspmm_again = X(device_spspmm_again),
    .spaxpby = X(device_spaxpby),
    .transp = X(device_transp),
    .cut = X(device_cut),
    .select = X(device_select),
    .smoothing = X(device_smoothing),
    .aggregate = X(device_aggregate),
    .pattern_sum = X(device_pattern_sum),
    .colours = X(device_colours),
    .couplings = X(device_couplings),
    .prune = X(device_prune),
    .masked = X(device_masked),
    .kron = X(device_kron),
};

/* --- locality ------------------------------------------------------------------------------------------- */

psb_err X(reading_on_device)(const struct psb_device *on, const struct psb_dev_compressed *a,
                             struct psb_reading *x)
{
    psb_epk found[PSB_FOUND] = { 0 };
    PSB_FIND(on, at, PSB_KERNELS(X(coo_steps), on)->locality(a, at), found);
    *x = psb_reading_of(psb_group_rows(a->m), found[0], found[1], found[2]);
    return PSB_OK;
}
