/* convert.c -- room: cuda/formats.  Conversions between formats whose arrays are on the device: the steps, in order.
 */
#include "gpu_formats.h"
#include "hacks.h"
#include "locality.h"
#include "per_device.h"
#include "per_device.h"
#include "psb_type.h"

/* --- where ---------------------------------------------------------------------------------------------- */

static int refines(const struct X(mat) *a, const struct X(mat) *of)
{
    const struct X(mat_ops) *k = a->ops;
    while (k->super && k != of->ops)
        k = k->super->ops;
    return k == of->ops;
}

static int is_hll(const struct X(mat) *a)
{
    return refines(a, &X(hll_mold).mat);
}

static int is_hdia(const struct X(mat) *a)
{
    return refines(a, &X(hdia_mold).mat);
}

const struct X(mat_ops) *X(host_format)(const struct X(mat) *a)
{
    return X(mat_is_csr)(a) ? X(csr_mold).mat.ops
           : is_hll(a)      ? X(hll_mold).mat.ops
           : is_hdia(a)     ? X(hdia_mold).mat.ops
                            : NULL;
}

/* The copies of a's values that are current; 0 where its format has no part in this. */
static unsigned current(const struct X(mat) *a)
{
    return X(mat_is_csr)(a) ? ((const struct X(csr_mat) *)a)->val.valid
           : is_hll(a)      ? ((const struct X(hll_mat) *)a)->val.valid
           : is_hdia(a)     ? ((const struct X(hdia_mat) *)a)->val.valid
                            : 0;
}

static int is_large(const struct X(mat) *a)
{
    const psb_epk least = psb_cuda_convert_from(-1);
    return a->nnz >= least;
}

int X(is_on_device)(const struct X(mat) *a)
{
    const unsigned now = a->on ? current(a) : 0;
    return now == PSB_DEV || (now & PSB_DEV && is_large(a));
}

/* Is a to be made of b there? */
static int is_worth(const struct X(mat) *a, const struct X(mat) *b)
{
    const int shared = b->on == a->on && current(b) & PSB_DEV;
    if (!a->on)
        return 0;
    if (b->ops == X(coo_mold).mat.ops || X(mat_is_csr)(b))
        return is_large(b) || (shared && current(b) == PSB_DEV);
    return shared && X(is_on_device)(b);
}

/* --- arrays there --------------------------------------------------------------------------------------- */

static psb_err open_values(struct psb_dual *val, int change, void *out)
{
    return change ? psb_dual_update(val, PSB_DEV, out) : psb_dual_read(val, PSB_DEV, out);
}

psb_err X(csr_on_device)(struct X(csr_mat) *a, int change, struct psb_dev_compressed *l)
{
    *l = (struct psb_dev_compressed){ .m = a->mat.nrows };
    PSB_TRY(psb_dual_read(&a->irp, PSB_DEV, &l->off));
    PSB_TRY(psb_dual_read(&a->ja, PSB_DEV, &l->ja));
    return open_values(&a->val, change, &l->val);
}

psb_err X(hll_on_device)(struct X(hll_mat) *a, int change, struct psb_dev_compressed *l)
{
    *l = (struct psb_dev_compressed){ .m = a->mat.nrows, .nhacks = a->nhacks, .rows = a->rows };
    PSB_TRY(psb_dual_read(&a->off, PSB_DEV, &l->off));
    PSB_TRY(psb_dual_read(&a->irn, PSB_DEV, &l->irn));
    PSB_TRY(psb_dual_read(&a->ja, PSB_DEV, &l->ja));
    if (a->row.bytes > 0) {
        PSB_TRY(psb_dual_read(&a->row, PSB_DEV, &l->row));
        PSB_TRY(psb_dual_read(&a->rank, PSB_DEV, &l->rank));
    }
    return open_values(&a->val, change, &l->val);
}

/* Sizes. */
static struct psb_dev_hdia shape(const struct X(hdia_mat) *a)
{
    return (struct psb_dev_hdia){ .m = a->mat.nrows,
                                  .n = a->mat.ncols,
                                  .nhacks = a->nhacks,
                                  .rows = a->rows,
                                  .words = (a->rows + 63) / 64,
                                  .diagonals = (psb_epk)(a->dist.bytes / sizeof(psb_ipk)) };
}

psb_err X(hdia_on_device)(struct X(hdia_mat) *a, int change, struct psb_dev_hdia *d)
{
    *d = shape(a);
    PSB_TRY(psb_dual_read(&a->off, PSB_DEV, &d->off));
    PSB_TRY(psb_dual_read(&a->dist, PSB_DEV, &d->dist));
    PSB_TRY(psb_dual_read(&a->bits, PSB_DEV, &d->bits));
    if (change) {
        PSB_TRY(psb_dual_update(&a->zeros, PSB_DEV, &d->zeros));
        PSB_TRY(psb_dual_update(&a->gaps, PSB_DEV, &d->gaps));
    }
    return open_values(&a->val, change, &d->val);
}

/* --- steps ---------------------------------------------------------------------------------------------- */

psb_err X(step)(const struct psb_device *on, enum psb_step s, const struct psb_convert *q)
{
    static psb_err (*const step[PSB_DEVICE_KINDS])(enum psb_step s, const struct psb_convert *q) =
        PSB_PER_DEVICE(step);
    return step[on->kind](s, q);
}

psb_err X(step_found)(const struct psb_device *on, enum psb_step s, struct psb_convert *q, psb_epk *found)
{
    struct psb_dual d;
    PSB_TRY(psb_dual_init(&d, PSB_FOUND, sizeof *found, on, "sizes of a conversion"));
    psb_err e = psb_dual_write(&d, PSB_DEV, &q->found);
    if (e == PSB_OK)
        e = X(step)(on, s, q);
    if (e == PSB_OK)
        e = psb_get(on, found, q->found, d.bytes, d.name);
    psb_dual_free(&d);
    q->found = NULL;
    return e;
}

/* --- CSRG ----------------------------------------------------------------------------------------------- */

static psb_err room_for_rows(struct X(csr_mat) *a, struct psb_dev_compressed *l)
{
    const size_t m = (size_t)a->mat.nrows, n = (size_t)a->mat.nnz;
    const struct psb_device *on = a->mat.on;
    *l = (struct psb_dev_compressed){ .m = a->mat.nrows };
    PSB_TRY(psb_dual_init(&a->irp, m + 1, sizeof *l->off, on, "CSR row pointers"));
    PSB_TRY(psb_dual_init(&a->ja, n, sizeof *l->ja, on, "CSR columns"));
    PSB_TRY(psb_dual_init(&a->val, n, sizeof(T), on, "CSR values"));
    PSB_TRY(psb_dual_write(&a->irp, PSB_DEV, &l->off));
    PSB_TRY(psb_dual_write(&a->ja, PSB_DEV, &l->ja));
    return psb_dual_write(&a->val, PSB_DEV, &l->val);
}

/* dev[0..bytes) = d, from where it is current. */
static psb_err bring(const struct psb_device *on, struct psb_dual *d, void *dev)
{
    struct psb_convert q = { .to.val = dev, .bytes = d->bytes };
    const void *host;
    if (d->on == on && d->valid & PSB_DEV) {
        PSB_TRY(psb_dual_read(d, PSB_DEV, &q.from.val));
        return X(step)(on, PSB_STEP_COPY, &q);
    }
    PSB_TRY(psb_dual_read(d, PSB_HOST, &host));
    return psb_put(on, dev, host, d->bytes, d->name);
}

static psb_err rows_of_rows(struct X(csr_mat) *a, struct X(csr_mat) *b)
{
    struct psb_dev_compressed l;
    const struct psb_device *on = a->mat.on;
    PSB_TRY(room_for_rows(a, &l));
    PSB_TRY(bring(on, &b->irp, l.off));
    PSB_TRY(bring(on, &b->ja, l.ja));
    return bring(on, &b->val, l.val);
}

/* What triplets need there beside what is made of them. */
struct triplets {
    struct psb_dual ia, ja, val, order, rows; /* rows: ia in order */
};

psb_err X(move_on_device)(struct psb_dual *d, const struct psb_device *on, psb_epk n, size_t size,
                      const void *host, const char *name, void *out)
{
    PSB_TRY(psb_dual_init(d, (size_t)n, size, on, name));
    PSB_TRY(psb_dual_write(d, PSB_DEV, out));
    return host ? psb_put(on, d->dev, host, d->bytes, name) : PSB_OK;
}

/* Columns and values go where they will stay; only where they turn out to be in no order are they moved. */
static psb_err rows_of_triplets(struct X(csr_mat) *a, const struct X(coo_mat) *b, struct triplets *t)
{
    const struct psb_device *on = a->mat.on;
    const psb_epk nz = b->mat.nnz;
    struct psb_convert q = { .nz = nz, .m = a->mat.nrows, .n = a->mat.ncols };
    psb_epk found[PSB_FOUND];
    PSB_TRY(room_for_rows(a, &q.to));
    PSB_TRY(X(move_on_device)(&t->ia, on, nz, sizeof *b->ia, b->ia, "COO rows", &q.ia));
    PSB_TRY(psb_put(on, q.to.ja, b->ja, a->ja.bytes, "COO columns"));
    PSB_TRY(psb_put(on, q.to.val, b->val, a->val.bytes, "COO values"));
    q.ja = q.to.ja;
    PSB_TRY(X(step_found)(on, PSB_STEP_LOOK, &q, found));
    if (found[0] == 0)
        return X(step)(on, PSB_STEP_ROWS, &q);
    PSB_TRY(X(move_on_device)(&t->ja, on, nz, sizeof *b->ja, NULL, "COO columns", &q.ja));
    PSB_TRY(X(move_on_device)(&t->val, on, nz, sizeof *b->val, NULL, "COO values", &q.val));
    PSB_TRY(X(move_on_device)(&t->rows, on, nz, sizeof *b->ia, NULL, "COO rows", &q.to.irn));
    PSB_TRY(X(move_on_device)(&t->order, on, nz, sizeof *q.order, NULL, "the order of entries", &q.order));
    PSB_TRY(bring(on, &a->ja, (void *)q.ja));
    PSB_TRY(bring(on, &a->val, (void *)q.val));
    PSB_TRY(X(step)(on, PSB_STEP_ORDER, &q));
    PSB_TRY(X(step)(on, PSB_STEP_GATHER, &q));
    q.ia = q.to.irn;
    return X(step)(on, PSB_STEP_ROWS, &q);
}

static psb_err rows_of_coo(struct X(csr_mat) *a, const struct X(coo_mat) *b)
{
    struct triplets t = { 0 };
    psb_err e = rows_of_triplets(a, b, &t);
    psb_dual_free(&t.ia);
    psb_dual_free(&t.ja);
    psb_dual_free(&t.val);
    psb_dual_free(&t.order);
    psb_dual_free(&t.rows);
    return e;
}

/* --- assembled ------------------------------------------------------------------------------------------ */

/* What is there while entries in any order become rows. */
struct heap {
    struct psb_dual ia, ja, val, order, place, rows;
};

/* The entries of b, and their order where they come in another. */
static psb_err send(const struct psb_device *on, const struct X(coo_mat) *b, struct psb_convert *q,
                    struct heap *t)
{
    psb_epk found[PSB_FOUND];
    PSB_TRY(X(move_on_device)(&t->ia, on, q->nz, sizeof *b->ia, b->ia, "COO rows", &q->ia));
    PSB_TRY(X(move_on_device)(&t->ja, on, q->nz, sizeof *b->ja, b->ja, "COO columns", &q->ja));
    PSB_TRY(X(move_on_device)(&t->val, on, q->nz, sizeof *b->val, b->val, "COO values", &q->val));
    PSB_TRY(X(step_found)(on, PSB_STEP_LOOK, q, found));
    if (found[0] == 0)
        return PSB_OK;
    PSB_TRY(X(move_on_device)(&t->order, on, q->nz, sizeof *q->order, NULL, "the order of entries", &q->order));
    return X(step)(on, PSB_STEP_ORDER, q);
}

/* Equals are for the host to name where there must be none. */
static psb_err rows_of_heap(struct X(csr_mat) *a, const struct X(coo_mat) *b, enum psb_dupl dupl,
                            struct heap *t)
{
    const struct psb_device *on = a->mat.on;
    struct psb_convert q = {
        .nz = b->mat.nnz, .m = a->mat.nrows, .n = a->mat.ncols, .overwrite = dupl == PSB_DUPL_OVERWRITE
    };
    psb_epk found[PSB_FOUND];
    PSB_TRY(send(on, b, &q, t));
    PSB_TRY(X(move_on_device)(&t->place, on, q.nz + 1, sizeof *q.place, NULL, "places of entries", &q.place));
    PSB_TRY(X(step_found)(on, PSB_STEP_UNLIKE, &q, found));
    if (dupl == PSB_DUPL_ERROR && found[0] < q.nz)
        return PSB_ENOTIMPL;
    a->mat.nnz = found[0];
    PSB_TRY(room_for_rows(a, &q.to));
    PSB_TRY(X(move_on_device)(&t->rows, on, found[0], sizeof *b->ia, NULL, "COO rows", &q.to.irn));
    PSB_TRY(X(step)(on, PSB_STEP_MERGE, &q));
    q.nz = found[0];
    q.ia = q.to.irn;
    return X(step)(on, PSB_STEP_ROWS, &q);
}

static psb_err assemble_rows(struct X(csr_mat) *a, const struct X(coo_mat) *b, enum psb_dupl dupl)
{
    struct heap t = { .ia = { 0 } };
    psb_err e = rows_of_heap(a, b, dupl, &t);
    psb_dual_free(&t.ia);
    psb_dual_free(&t.ja);
    psb_dual_free(&t.val);
    psb_dual_free(&t.order);
    psb_dual_free(&t.place);
    psb_dual_free(&t.rows);
    return e;
}

static psb_err assemble_by(struct X(mat) *a, const struct X(coo_mat) *b, enum psb_dupl dupl,
                           X(make_on_device) *make)
{
    struct X(mat) *rows;
    if (!make)
        return assemble_rows((struct X(csr_mat) *)a, b, dupl);
    PSB_TRY(X(mat_new)(&X(csrg_mold).mat, a->nrows, a->ncols, b->mat.nnz, &rows));
    psb_err e = assemble_rows((struct X(csr_mat) *)rows, b, dupl);
    a->nnz = rows->nnz;
    if (e == PSB_OK)
        e = make(a, (struct X(csr_mat) *)rows);
    X(mat_free)(rows);
    return e;
}

/* What fails there the host does again, and says why. */
psb_err X(assemble_on_device)(struct X(mat) *a, const struct X(coo_mat) *b, enum psb_dupl dupl,
                          X(make_on_device) *make)
{
    if (!a->on || b->mat.nnz < psb_cuda_convert_from(-1))
        return PSB_ENOTIMPL;
    psb_expect_errors(1);
    psb_err e = assemble_by(a, b, dupl, make);
    psb_expect_errors(0);
    return e == PSB_OK ? PSB_OK : PSB_ENOTIMPL;
}

psb_err X(hlg_assemble)(struct X(mat) *a, const struct X(coo_mat) *b, enum psb_dupl dupl)
{
    return X(assemble_on_device)(a, b, dupl, X(make_hlg));
}

psb_err X(hdiag_assemble)(struct X(mat) *a, const struct X(coo_mat) *b, enum psb_dupl dupl)
{
    return X(assemble_on_device)(a, b, dupl, X(make_hdiag));
}

/* b in HLL or HDIA. */
static psb_err rows_of_padded(struct X(csr_mat) *a, struct X(mat) *b)
{
    struct psb_convert q = { .nz = b->nnz };
    if (is_hll(b))
        PSB_TRY(X(hll_on_device)((struct X(hll_mat) *)b, 0, &q.from));
    else
        PSB_TRY(X(hdia_on_device)((struct X(hdia_mat) *)b, 0, &q.dia));
    PSB_TRY(room_for_rows(a, &q.to));
    PSB_TRY(X(step)(a->mat.on, PSB_STEP_CSR_MEASURE, &q));
    return X(step)(a->mat.on, PSB_STEP_CSR_FILL, &q);
}

/* a, empty, takes the entries of b, whatever it is, there. */
static psb_err fill_rows(struct X(mat) *a_, struct X(mat) *b)
{
    struct X(csr_mat) *a = (struct X(csr_mat) *)a_;
    return X(mat_is_csr)(b)                ? rows_of_rows(a, (struct X(csr_mat) *)b)
           : b->ops == X(coo_mold).mat.ops ? rows_of_coo(a, (struct X(coo_mat) *)b)
                                           : rows_of_padded(a, b);
}

/* --- the way there -------------------------------------------------------------------------------------- */

/* By way of rows there: b's own, or others made of them. */
static psb_err attempt(struct X(mat) *a, struct X(mat) *b, X(make_on_device) *make)
{
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

/* Errors are said at a second attempt: what the device has no room for, or does not offer, is none. */
psb_err X(convert_on_device)(struct X(mat) *a, struct X(mat) *b, X(make_on_device) *make,
                         psb_err (*host)(struct X(mat) *a, struct X(mat) *b))
{
    if (!is_worth(a, b))
        return host(a, b);
    psb_expect_errors(1);
    psb_err e = attempt(a, b, make);
    psb_expect_errors(0);
    if (e == PSB_OK)
        return e;
    X(mat_empty)(a);
    return e == PSB_ENOMEM || e == PSB_ENOTIMPL ? host(a, b) : attempt(a, b, make);
}

/* Those that are nowhere yet stay so. */
static psb_err copy_arrays(struct X(mat) *a, struct X(mat) *b)
{
    struct psb_dual *from[PSB_MOST_ARRAYS], *to[PSB_MOST_ARRAYS];
    const struct X(mat_ops) *k = b->ops;
    void *dev;
    while (!k->arrays)
        k = k->super->ops;
    const int n = k->arrays(b, from);
    (void)k->arrays(a, to);
    for (int i = 0; i < n; i++) {
        const size_t size = from[i]->size ? from[i]->size : 1;
        PSB_TRY(psb_dual_init(to[i], from[i]->bytes / size, size, a->on, from[i]->name));
        if (!from[i]->valid)
            continue;
        PSB_TRY(psb_dual_write(to[i], PSB_DEV, &dev));
        PSB_TRY(bring(a->on, from[i], dev));
    }
    return PSB_OK;
}

psb_err X(copy_on_device)(struct X(mat) *a, struct X(mat) *b, psb_err (*host)(struct X(mat) *a, struct X(mat) *b))
{
    if (!X(is_on_device)(b))
        return host(a, b);
    psb_expect_errors(1);
    psb_err e = copy_arrays(a, b);
    psb_expect_errors(0);
    if (e == PSB_OK)
        return e;
    X(mat_empty)(a);
    return e == PSB_ENOMEM ? host(a, b) : copy_arrays(a, b);
}

/* --- HLG, ELG ------------------------------------------------------------------------------------------- */

psb_err X(make_hlg)(struct X(mat) *a_, struct X(csr_mat) *b)
{
    struct X(hll_mat) *a = (struct X(hll_mat) *)a_;
    const struct psb_device *on = a_->on;
    struct psb_convert q = { .from.m = a_->nrows, .window = a->sort };
    struct psb_hacks g;
    psb_epk found[PSB_FOUND];
    PSB_TRY(X(hll_lay_out)(a, &g));
    q.to = (struct psb_dev_compressed){ .m = g.m, .nhacks = g.n, .rows = g.rows };
    PSB_TRY(psb_dual_read(&b->irp, PSB_DEV, &q.from.off));
    PSB_TRY(psb_dual_write(&a->off, PSB_DEV, &q.to.off));
    PSB_TRY(psb_dual_write(&a->irn, PSB_DEV, &q.to.irn));
    if (a->row.bytes > 0) {
        PSB_TRY(psb_dual_write(&a->row, PSB_DEV, &q.to.row));
        PSB_TRY(psb_dual_write(&a->rank, PSB_DEV, &q.to.rank));
        PSB_TRY(X(step)(on, PSB_STEP_RANKS, &q));
    }
    PSB_TRY(X(step_found)(on, PSB_STEP_HLL_MEASURE, &q, found));
    PSB_TRY(X(hll_check)(a, found[0], found[1]));
    PSB_TRY(X(hll_room)(a, found[0]));
    PSB_TRY(X(csr_on_device)(b, 0, &q.from));
    PSB_TRY(psb_dual_write(&a->ja, PSB_DEV, &q.to.ja));
    PSB_TRY(psb_dual_write(&a->val, PSB_DEV, &q.to.val));
    q.widest = found[1];
    return X(step)(on, PSB_STEP_HLL_FILL, &q);
}

psb_err X(hlg_from_fmt)(struct X(mat) *a, struct X(mat) *b)
{
    return X(convert_on_device)(a, b, X(make_hlg), X(root_mold).ops->from_fmt);
}

psb_err X(hlg_take)(struct X(mat) *a, struct X(coo_mat) *b)
{
    return X(hlg_from_fmt)(a, &b->mat);
}

psb_err X(hlg_copy)(struct X(mat) *a_, struct X(mat) *b_)
{
    struct X(hll_mat) *a = (struct X(hll_mat) *)a_, *b = (struct X(hll_mat) *)b_;
    a->rows = b->rows;
    a->nhacks = b->nhacks;
    return X(copy_on_device)(a_, b_, X(root_mold).ops->copy);
}

/* --- HDIAG, DIAG ---------------------------------------------------------------------------------------- */

/* Bits that n > 0 needs; none for 0. */
static int bits_of(psb_epk n)
{
    int bits = 0;
    for (; n > 0; n /= 2)
        bits++;
    return bits;
}

/* What stands there while diagonals are found. */
struct meeting {
    struct psb_dual place, key;
};

/* The diagonals of all hacks of a, which has its sizes. */
static psb_err meet(struct X(hdia_mat) *a, struct psb_convert *q, struct meeting *t)
{
    const struct psb_device *on = a->mat.on;
    psb_epk found[PSB_FOUND];
    PSB_TRY(psb_dual_init(&t->place, (size_t)a->mat.nrows + 1, sizeof *q->place, on, "diagonals of rows"));
    PSB_TRY(psb_dual_write(&t->place, PSB_DEV, &q->place));
    PSB_TRY(X(step_found)(on, PSB_STEP_HDIA_COUNT, q, found));
    q->nz = found[0];
    q->dist_bits = bits_of((psb_epk)a->mat.nrows + a->mat.ncols);
    q->rank_bits = bits_of(found[1] - 1);
    PSB_CHECK(q->dist_bits + q->rank_bits + bits_of(a->nhacks) <= 64, PSB_ENOTIMPL,
              "diagonals that do not fit in 64 bits");
    PSB_TRY(psb_dual_init(&t->key, (size_t)q->nz, sizeof *q->key, on, "diagonals"));
    PSB_TRY(psb_dual_write(&t->key, PSB_DEV, &q->key));
    PSB_TRY(X(step_found)(on, PSB_STEP_HDIA_MEET, q, found));
    q->nz = found[0];
    PSB_TRY(X(hdia_check)(a, q->nz));
    PSB_TRY(X(hdia_room)(a, q->nz));
    q->dia.diagonals = q->nz;
    PSB_TRY(psb_dual_write(&a->off, PSB_DEV, &q->dia.off));
    PSB_TRY(psb_dual_write(&a->dist, PSB_DEV, &q->dia.dist));
    return X(step)(on, PSB_STEP_HDIA_LIST, q);
}

psb_err X(make_hdiag)(struct X(mat) *a_, struct X(csr_mat) *b)
{
    struct X(hdia_mat) *a = (struct X(hdia_mat) *)a_;
    struct psb_convert q = { .m = a_->nrows, .n = a_->ncols };
    struct meeting t = { .place = { 0 } };
    struct psb_hacks g;
    PSB_TRY(X(hdia_lay_out)(a, &g));
    PSB_TRY(X(csr_on_device)(b, 0, &q.from));
    q.dia = shape(a);
    psb_err e = meet(a, &q, &t);
    psb_dual_free(&t.place);
    psb_dual_free(&t.key);
    PSB_TRY(e);
    PSB_TRY(psb_dual_write(&a->zeros, PSB_DEV, &q.dia.zeros));
    PSB_TRY(psb_dual_write(&a->gaps, PSB_DEV, &q.dia.gaps));
    PSB_TRY(psb_dual_write(&a->bits, PSB_DEV, &q.dia.bits));
    PSB_TRY(psb_dual_write(&a->val, PSB_DEV, &q.dia.val));
    return X(step)(a_->on, PSB_STEP_HDIA_FILL, &q);
}

psb_err X(hdiag_from_fmt)(struct X(mat) *a, struct X(mat) *b)
{
    return X(convert_on_device)(a, b, X(make_hdiag), X(root_mold).ops->from_fmt);
}

psb_err X(hdiag_take)(struct X(mat) *a, struct X(coo_mat) *b)
{
    return X(hdiag_from_fmt)(a, &b->mat);
}

psb_err X(hdiag_copy)(struct X(mat) *a_, struct X(mat) *b_)
{
    struct X(hdia_mat) *a = (struct X(hdia_mat) *)a_, *b = (struct X(hdia_mat) *)b_;
    a->rows = b->rows;
    a->nhacks = b->nhacks;
    return X(copy_on_device)(a_, b_, X(root_mold).ops->copy);
}

/* --- locality ------------------------------------------------------------------------------------------- */

psb_err X(scattered_on_device)(const struct psb_device *on, const struct psb_dev_compressed *l, psb_ipk *scattered)
{
    struct psb_convert q = { .from = *l };
    psb_epk found[PSB_FOUND];
    PSB_TRY(X(step_found)(on, PSB_STEP_LOCALITY, &q, found));
    *scattered = psb_few_meet(psb_group_rows(l->m), found[0], found[1], found[2]);
    return PSB_OK;
}
