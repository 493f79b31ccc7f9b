/* convert_cuda.c -- room: cuda/kernels.  The steps of conversions on a GPU, with the memory they need. */
#include "kernels.h"
#include "psb_cuda_device.h"
#include "launchers.h"
#include "gpu.h"
#include "psb_type.h"

/* Launch a step twice: without memory, which returns the size it needs; then with that memory. */
static psb_err launch(enum psb_step s, struct psb_convert q)
{
    static const char what[] = "conversion on the device";
    const struct psb_device *on = psb_cuda_device();
    struct psb_step_room room = { 0 };
    void *own = NULL;
    PSB_TRY(psb_cudart_ok(X(step_dev)(s, &q, &room, psb_cudart_stream()), what));
    if (room.bytes > 0)
        PSB_TRY(on->alloc(&own, room.bytes, "room for a conversion"));
    room.at = own ? own : &room; /* a step that asked for no memory does not use it */
    psb_err e = psb_cudart_ok(X(step_dev)(s, &q, &room, psb_cudart_stream()), what);
    if (own)
        on->free(own);
    return e;
}

/* --- COO and CSR ------------------------------------------------------------------------------------ */

static psb_err copy(void *to, const void *from, size_t bytes)
{
    return launch(PSB_STEP_COPY,
                  (struct psb_convert){ .to.val = to, .from.val = (void *)from, .bytes = bytes });
}

static psb_err row_begins(psb_ipk m, psb_epk nz, const psb_ipk *ia, psb_epk *off)
{
    return launch(PSB_STEP_ROW_BEGINS,
                  (struct psb_convert){ .to = { .m = m, .off = off }, .nz = nz, .ia = ia });
}

/* The arguments of a step that reads the entries e. */
static struct psb_convert reading(const struct psb_dev_triplets *e)
{
    return (struct psb_convert){ .nz = e->nz, .ia = e->ia, .ja = e->ja, .val = e->val };
}

static psb_err disorder(const struct psb_dev_triplets *e, psb_epk *found)
{
    struct psb_convert q = reading(e);
    q.found = found;
    return launch(PSB_STEP_DISORDER, q);
}

static psb_err order(const struct psb_dev_triplets *e, psb_ipk m, psb_ipk n, psb_epk *to)
{
    struct psb_convert q = reading(e);
    q.m = m;
    q.n = n;
    q.order = to;
    return launch(PSB_STEP_ORDER, q);
}

static psb_err order_by_place(psb_epk nz, const psb_epk *place, psb_epk below, psb_epk *to)
{
    return launch(PSB_STEP_ORDER_BY_PLACE,
                  (struct psb_convert){ .nz = nz, .place = (psb_epk *)place, .widest = below, .order = to });
}

static psb_err distinct(const struct psb_dev_triplets *e, const psb_epk *by, psb_epk *place, psb_epk *found)
{
    struct psb_convert q = reading(e);
    q.order = (psb_epk *)by;
    q.place = place;
    q.found = found;
    return launch(PSB_STEP_DISTINCT, q);
}

static psb_err merge(const struct psb_dev_triplets *e, const psb_epk *by, const psb_epk *place, int overwrite,
                     const struct psb_new_triplets *to)
{
    struct psb_convert q = reading(e);
    q.order = (psb_epk *)by;
    q.place = (psb_epk *)place;
    q.overwrite = overwrite;
    q.to = (struct psb_dev_compressed){ .irn = to->ia, .ja = to->ja, .val = to->val };
    return launch(PSB_STEP_MERGE, q);
}

static psb_err gather(const struct psb_dev_triplets *e, const psb_epk *by, const struct psb_new_triplets *to)
{
    struct psb_convert q = reading(e);
    q.order = (psb_epk *)by;
    q.to = (struct psb_dev_compressed){ .irn = to->ia, .ja = to->ja, .val = to->val };
    return launch(PSB_STEP_GATHER, q);
}

static psb_err locality(const struct psb_dev_compressed *a, psb_epk *found)
{
    return launch(PSB_STEP_LOCALITY, (struct psb_convert){ .from = *a, .found = found });
}

const struct X(coo_steps) X(coo_steps_cuda) = {
    .copy = copy,
    .row_begins = row_begins,
    .disorder = disorder,
    .order = order,
    .order_by_place = order_by_place,
    .distinct = distinct,
    .merge = merge,
    .gather = gather,
    .locality = locality,
};

/* --- values --------------------------------------------------------------------------------------------- */

static struct psb_convert finding(const struct psb_find *q)
{
    return (
        struct psb_convert){ .nz = q->nz, .ia = q->ia, .ja = q->ja, .place = q->place, .found = q->found };
}

static struct psb_convert putting(const struct psb_put *q)
{
    return (struct psb_convert){ .nz = q->nz,
                                 .place = (psb_epk *)q->place,
                                 .order = (psb_epk *)q->order,
                                 .val = q->val,
                                 .overwrite = q->overwrite };
}

static struct psb_convert adding(const struct psb_diagonal *q)
{
    return (struct psb_convert){ .n = q->n, .ones = q->ones, .d = q->d };
}

static struct psb_convert scaling(const struct psb_factors *q)
{
    return (struct psb_convert){ .by = q->by, .left = q->left, .right = q->right };
}

static psb_err on_compressed(enum psb_step s, struct psb_convert q, const struct psb_dev_compressed *a)
{
    q.to = *a;
    return launch(s, q);
}

static psb_err on_hdia(enum psb_step s, struct psb_convert q, const struct psb_dev_hdia *a)
{
    q.dia = *a;
    return launch(s, q);
}

static psb_err compressed_find(const struct psb_dev_compressed *a, const struct psb_find *q)
{
    return on_compressed(PSB_STEP_FIND, finding(q), a);
}

static psb_err compressed_put(const struct psb_dev_compressed *a, const struct psb_put *q)
{
    return on_compressed(PSB_STEP_PUT, putting(q), a);
}

static psb_err compressed_diagonal(const struct psb_dev_compressed *a, const struct psb_diagonal *q)
{
    return on_compressed(PSB_STEP_DIAGONAL, adding(q), a);
}

static psb_err compressed_scale(const struct psb_dev_compressed *a, const struct psb_factors *q)
{
    return on_compressed(PSB_STEP_SCALE, scaling(q), a);
}

static psb_err compressed_zero(const struct psb_dev_compressed *a, size_t bytes)
{
    return on_compressed(PSB_STEP_ZERO, (struct psb_convert){ .bytes = bytes }, a);
}

const struct X(compressed_steps) X(compressed_steps_cuda) = {
    .find = compressed_find,
    .put = compressed_put,
    .diagonal = compressed_diagonal,
    .scale = compressed_scale,
    .zero = compressed_zero,
};

static psb_err hdia_find(const struct psb_dev_hdia *a, const struct psb_find *q)
{
    return on_hdia(PSB_STEP_FIND, finding(q), a);
}

static psb_err hdia_put(const struct psb_dev_hdia *a, const struct psb_put *q)
{
    return on_hdia(PSB_STEP_PUT, putting(q), a);
}

static psb_err hdia_diagonal(const struct psb_dev_hdia *a, const struct psb_diagonal *q)
{
    return on_hdia(PSB_STEP_DIAGONAL, adding(q), a);
}

static psb_err hdia_scale(const struct psb_dev_hdia *a, const struct psb_factors *q)
{
    return on_hdia(PSB_STEP_SCALE, scaling(q), a);
}

static psb_err hdia_zero(const struct psb_dev_hdia *a, size_t bytes)
{
    return on_hdia(PSB_STEP_ZERO, (struct psb_convert){ .bytes = bytes }, a);
}

/* --- HLL ------------------------------------------------------------------------------------------------ */

static psb_err ranks(const struct psb_dev_compressed *from, psb_ipk window,
                     const struct psb_dev_compressed *a)
{
    return launch(PSB_STEP_RANKS, (struct psb_convert){ .from = *from, .to = *a, .window = window });
}

static psb_err measure(const struct psb_dev_compressed *from, const struct psb_dev_compressed *a,
                       psb_epk *found)
{
    return launch(PSB_STEP_HLL_MEASURE, (struct psb_convert){ .from = *from, .to = *a, .found = found });
}

static psb_err fill(const struct psb_dev_compressed *from, psb_epk widest, const struct psb_dev_compressed *a)
{
    return launch(PSB_STEP_HLL_FILL, (struct psb_convert){ .from = *from, .to = *a, .widest = widest });
}

static psb_err row_lengths(const struct psb_dev_compressed *a, const struct psb_dev_compressed *to)
{
    return launch(PSB_STEP_CSR_MEASURE, (struct psb_convert){ .from = *a, .to = *to });
}

static psb_err to_csr(const struct psb_dev_compressed *a, const struct psb_dev_compressed *to)
{
    return launch(PSB_STEP_CSR_FILL, (struct psb_convert){ .from = *a, .to = *to });
}

const struct X(hll_steps) X(hll_steps_cuda) = {
    .ranks = ranks,
    .measure = measure,
    .fill = fill,
    .row_lengths = row_lengths,
    .to_csr = to_csr,
};

/* --- HDIA ----------------------------------------------------------------------------------------------- */

static psb_err hdia_count(const struct psb_dev_compressed *from, const struct psb_dev_hdia *a, psb_epk *place,
                          psb_epk *found)
{
    return launch(PSB_STEP_HDIA_COUNT,
                  (struct psb_convert){ .from = *from, .dia = *a, .place = place, .found = found });
}

static struct psb_convert with_keys(const struct psb_hdia_keys *k, const struct psb_dev_hdia *a)
{
    return (struct psb_convert){ .dia = *a,
                                 .m = a->m,
                                 .n = a->n,
                                 .nz = k->n,
                                 .key = k->key,
                                 .dist_bits = k->dist_bits,
                                 .rank_bits = k->rank_bits };
}

static psb_err hdia_collect(const struct psb_dev_compressed *from, const struct psb_dev_hdia *a,
                            psb_epk *place, const struct psb_hdia_keys *keys, psb_epk *found)
{
    struct psb_convert q = with_keys(keys, a);
    q.from = *from;
    q.place = place;
    q.found = found;
    return launch(PSB_STEP_HDIA_COLLECT, q);
}

static psb_err hdia_list(const struct psb_hdia_keys *keys, const struct psb_dev_hdia *a)
{
    return launch(PSB_STEP_HDIA_LIST, with_keys(keys, a));
}

static psb_err hdia_fill(const struct psb_dev_compressed *from, const struct psb_dev_hdia *a)
{
    return launch(PSB_STEP_HDIA_FILL, (struct psb_convert){ .from = *from, .dia = *a });
}

static psb_err hdia_row_lengths(const struct psb_dev_hdia *a, const struct psb_dev_compressed *to)
{
    return launch(PSB_STEP_CSR_MEASURE, (struct psb_convert){ .dia = *a, .to = *to });
}

static psb_err hdia_to_csr(const struct psb_dev_hdia *a, const struct psb_dev_compressed *to)
{
    return launch(PSB_STEP_CSR_FILL, (struct psb_convert){ .dia = *a, .to = *to });
}

const struct X(hdia_steps) X(hdia_steps_cuda) = {
    .count = hdia_count,
    .collect = hdia_collect,
    .list = hdia_list,
    .fill = hdia_fill,
    .row_lengths = hdia_row_lengths,
    .to_csr = hdia_to_csr,
    .find = hdia_find,
    .put = hdia_put,
    .diagonal = hdia_diagonal,
    .scale = hdia_scale,
    .zero = hdia_zero,
};
