/* csrn.c -- ext: CSRN: compressed rows with values in few bytes. */
#include "psb_ext_format.h"
#include "narrow.h"
#include "psb_search.h"
#include "psb_team.h"
#include "psb_threads.h"
#include "psb_type.h"

enum { CSRN_CHUNK = 8, CSRN_THREADS = 64 }; /* columns at once; threads that store values, at most */

static size_t number_size(enum psb_values stored)
{
    static const size_t sizes[] = { 0, 1, 2, 2, sizeof(float), sizeof(R) };
    return sizes[stored];
}

static int csrn_arrays(struct X(mat) *a_, struct psb_dual **list)
{
    struct X(csrn_mat) *a = (struct X(csrn_mat) *)a_;
    list[0] = &a->irp;
    list[1] = &a->ja;
    list[2] = &a->val;
    return 3;
}

psb_err X(csrn_open)(struct X(mat) *a_, enum psb_side s, struct X(csrn_rows) *l)
{
    struct X(csrn_mat) *a = (struct X(csrn_mat) *)a_;
    l->n = a_->nrows;
    l->stored = a->stored;
    l->parts = a->parts;
    PSB_TRY(psb_dual_read(&a->irp, s, &l->ptr));
    PSB_TRY(psb_dual_read(&a->ja, s, &l->idx));
    return psb_dual_read(&a->val, s, &l->val);
}

/* --- numbers ------------------------------------------------------------------------------------------ */

PSB_INLINE R number_at(const void *val, psb_epk k, enum psb_values stored)
{
    switch (stored) {
    case PSB_VALUES_INT8:
        return (R)((const int8_t *)val)[k];
    case PSB_VALUES_HALF:
        return (R)psb_of_half(((const uint16_t *)val)[k]);
    case PSB_VALUES_BFLOAT16:
        return (R)psb_of_bfloat16(((const uint16_t *)val)[k]);
    case PSB_VALUES_SINGLE:
        return (R)((const float *)val)[k];
    default:
        return ((const R *)val)[k];
    }
}

PSB_INLINE T value_at(const void *val, psb_epk k, enum psb_values stored, int parts)
{
    if (parts == 1)
        return number_at(val, k, stored);
    return MAKE(number_at(val, 2 * k, stored), number_at(val, 2 * k + 1, stored));
}

T X(csrn_value)(const void *val, psb_epk k, enum psb_values stored, int parts)
{
    return value_at(val, k, stored, parts);
}

/* The number that is stored for v, if it is in range. */
static double rounded_number(R v, enum psb_values stored)
{
    switch (stored) {
    case PSB_VALUES_INT8:
        return rint((double)v);
    case PSB_VALUES_HALF:
        return psb_round_to((double)v, 11, -14);
    case PSB_VALUES_BFLOAT16:
        return psb_round_to((double)v, 8, -126);
    case PSB_VALUES_SINGLE:
        return (double)(float)v;
    default:
        return (double)v;
    }
}

static bool in_range(double r, enum psb_values stored)
{
    static const double most[] = { 0, 0, 65504, 0x1.fep127, FLT_MAX, DBL_MAX };
    return stored == PSB_VALUES_INT8 ? r >= -128 && r <= 127 : fabs(r) <= most[stored];
}

static void put_number(void *val, psb_epk k, double r, enum psb_values stored)
{
    switch (stored) {
    case PSB_VALUES_INT8:
        ((int8_t *)val)[k] = (int8_t)r;
        break;
    case PSB_VALUES_HALF:
        ((uint16_t *)val)[k] = psb_half_of(r);
        break;
    case PSB_VALUES_BFLOAT16:
        ((uint16_t *)val)[k] = psb_bfloat16_of(r);
        break;
    case PSB_VALUES_SINGLE:
        ((float *)val)[k] = (float)r;
        break;
    default:
        ((R *)val)[k] = (R)r;
    }
}

/* --- build -------------------------------------------------------------------------------------------- */

/* What became of some numbers; entries are -1 if there is none. */
struct narrow_tally {
    psb_epk rounded, beyond, far, nfar; /* number of rounded ones; first entry that is out of range, and that
                                         loses too much; how many do */
};

struct narrowing {
    const struct X(compressed) *from;
    enum psb_values stored;
    int parts;
    double most;
    bool only_exact; /* stop after one that is rounded or out of range */
    void *to;        /* NULL: store nothing */
    struct narrow_tally of[CSRN_THREADS];
};

/* Part c of entry k. */
static void narrow_number(const struct narrowing *q, psb_epk k, int c, struct narrow_tally *t)
{
    const R v = c ? IM(q->from->val[k]) : RE(q->from->val[k]);
    const double r = rounded_number(v, q->stored);
    if (!in_range(r, q->stored) && (isfinite(v) || q->stored == PSB_VALUES_INT8)) {
        t->beyond = t->beyond < 0 ? k : t->beyond;
        return;
    }
    union {
        double d;
        float f;
        uint16_t h;
        int8_t i;
    } place;
    put_number(&place, 0, r, q->stored);
    const R back = number_at(&place, 0, q->stored);
    t->rounded += memcmp(&back, &v, sizeof v) != 0;
    if (fabs((double)back - (double)v) > q->most * fabs((double)v)) {
        t->far = t->far < 0 ? k : t->far;
        t->nfar++;
    }
    if (q->to)
        put_number(q->to, q->parts * k + c, r, q->stored);
}

static void narrow_part(void *job, int t, int p)
{
    struct narrowing *q = job;
    struct narrow_tally s = { 0, -1, -1, 0 };
    psb_epk k, end;
    for (psb_thread_range(q->from->ptr[q->from->n], t, p, &k, &end); k < end; k++)
        for (int c = 0; c < q->parts && !(q->only_exact && (s.rounded > 0 || s.beyond >= 0)); c++)
            narrow_number(q, k, c, &s);
    q->of[t] = s;
}

static struct narrow_tally narrow_all(struct narrowing *q)
{
    struct narrow_tally all = { 0, -1, -1, 0 };
    int p = psb_threads(q->from->ptr[q->from->n]);
    p = p < CSRN_THREADS ? p : CSRN_THREADS;
    psb_team(p, narrow_part, q);
    for (int t = 0; t < p; t++) {
        all.rounded += q->of[t].rounded;
        all.beyond = all.beyond < 0 ? q->of[t].beyond : all.beyond;
        all.far = all.far < 0 ? q->of[t].far : all.far;
        all.nfar += q->of[t].nfar;
    }
    return all;
}

static bool all_real(const struct X(compressed) *l)
{
    for (psb_epk k = 0; k < l->ptr[l->n] && CPLX; k++)
        if (IM(l->val[k]) != 0)
            return false;
    return true;
}

/* The fewest bytes that hold all values of q exactly. */
static enum psb_values smallest_exact(struct narrowing *q)
{
    q->only_exact = true;
    for (q->stored = PSB_VALUES_INT8; q->stored < PSB_VALUES_FULL; q->stored++) {
        const struct narrow_tally t = narrow_all(q);
        if (t.rounded == 0 && t.beyond < 0)
            break;
    }
    q->only_exact = false;
    return q->stored;
}

/* Check that q, with the tally t, may be stored. */
static psb_err check_narrow(const struct narrowing *q, const struct narrow_tally *t)
{
    static const char *const names[] = { "",         "an integer of 8 bits", "half precision",
                                         "bfloat16", "single precision",     "its own precision" };
    const psb_epk k = t->beyond >= 0 ? t->beyond : t->far;
    if (k < 0)
        return PSB_OK;
    const T v = q->from->val[k];
    const psb_ipk i = psb_last_up_to(q->from->ptr, q->from->n, k), j = q->from->idx[k];
    PSB_CHECK(t->beyond < 0, PSB_EARG, "row %d, column %d is %g %g, which is out of the range of %s", i, j,
              (double)RE(v), (double)IM(v), names[q->stored]);
    return PSB_FAIL(PSB_EARG,
                    "%" PRId64 " of %" PRId64
                    " numbers lose more than %g of their modulus in %s, the first in row %d, column %d: "
                    "%g %g; expected none, as the mold's most says",
                    t->nfar, q->from->ptr[q->from->n] * q->parts, q->most, names[q->stored], i, j,
                    (double)RE(v), (double)IM(v));
}

/* Make a->val, which holds nothing, of the values of `rows`. */
static psb_err csrn_store(struct X(csrn_mat) *a, const struct X(compressed) *rows)
{
    struct narrowing q = { .from = rows, .most = a->most, .parts = all_real(rows) ? 1 : 2 };
    q.stored = a->values ? a->values : smallest_exact(&q);
    const struct narrow_tally t = narrow_all(&q);
    PSB_TRY(check_narrow(&q, &t));
    a->stored = q.stored;
    a->parts = q.parts;
    a->rounded = t.rounded;
    PSB_TRY(psb_dual_init(&a->val, (size_t)(rows->ptr[rows->n] * a->parts), number_size(a->stored), a->mat.on,
                          "CSRN values"));
    PSB_TRY(psb_dual_write(&a->val, PSB_HOST, &q.to));
    narrow_all(&q);
    return PSB_OK;
}

static psb_err csrn_build(struct X(mat) *a_, const struct X(compressed) *rows)
{
    struct X(csrn_mat) *a = (struct X(csrn_mat) *)a_;
    const size_t n = (size_t)rows->ptr[rows->n];
    psb_epk *ptr;
    psb_ipk *idx;
    PSB_CHECK(a->values >= PSB_VALUES_EXACT && a->values <= PSB_VALUES_FULL, PSB_EARG,
              "the mold's values is %d; expected one of enum psb_values", (int)a->values);
    PSB_CHECK(a->most >= 0, PSB_EARG, "the mold's most is %g; expected >= 0", a->most);
    PSB_TRY(csrn_store(a, rows));
    PSB_TRY(psb_dual_init(&a->irp, (size_t)rows->n + 1, sizeof *ptr, a->mat.on, "CSRN row pointers"));
    PSB_TRY(psb_dual_init(&a->ja, n, sizeof *idx, a->mat.on, "CSRN columns"));
    PSB_TRY(psb_dual_write(&a->irp, PSB_HOST, &ptr));
    PSB_TRY(psb_dual_write(&a->ja, PSB_HOST, &idx));
    X(compressed_copy)(ptr, rows->ptr, (size_t)rows->n + 1, sizeof *ptr);
    X(compressed_copy)(idx, rows->idx, n, sizeof *idx);
    return PSB_OK;
}

/* --- entries ------------------------------------------------------------------------------------------ */

static psb_epk csrn_count(const void *of, psb_ipk i)
{
    const struct X(csrn_rows) *l = of;
    return l->ptr[i + 1] - l->ptr[i];
}

static void csrn_list(const void *of, psb_ipk i, psb_ipk *ja, T *val)
{
    const struct X(csrn_rows) *l = of;
    for (psb_epk k = l->ptr[i]; k < l->ptr[i + 1]; k++) {
        *ja++ = l->idx[k];
        *val++ = value_at(l->val, k, l->stored, l->parts);
    }
}

static psb_err csrn_rows(struct X(mat) *a, psb_ipk lo, psb_ipk hi, psb_epk *ptr, struct X(coo_mat) *b)
{
    struct X(csrn_rows) l;
    PSB_TRY(X(csrn_open)(a, PSB_HOST, &l));
    return X(list_rows)(&(struct X(listing)){ &l, csrn_count, csrn_list }, hi - lo, lo, hi, ptr, b);
}

/* --- changes of values: those of the scalar type are made, changed, and stored anew --------------------- */

/* *l = the rows of a, with its values in *val. */
static psb_err with_full_values(struct X(csrn_mat) *a, struct psb_dual *val, struct X(compressed) *l)
{
    const void *from;
    l->n = a->mat.nrows;
    l->m = a->mat.ncols;
    PSB_TRY(psb_dual_read(&a->val, PSB_HOST, &from));
    PSB_TRY(psb_dual_init(val, (size_t)a->mat.nnz, sizeof(T), NULL, "CSRN values"));
    PSB_TRY(psb_dual_write(val, PSB_HOST, &l->val));
    for (psb_epk k = 0; k < a->mat.nnz; k++)
        l->val[k] = value_at(from, k, a->stored, a->parts);
    return X(compressed_read)(&a->irp, &a->ja, val, l);
}

static psb_err store_again(struct X(csrn_mat) *a, const struct X(compressed) *l)
{
    struct X(csrn_mat) new = *a;
    new.val = (struct psb_dual){ .bytes = 0 };
    const psb_err e = csrn_store(&new, l);
    if (e == PSB_OK) {
        a->stored = new.stored;
        a->parts = new.parts;
        a->rounded = new.rounded;
        psb_dual_swap(&a->val, &new.val);
    }
    psb_dual_free(&new.val);
    return e;
}

static psb_err csrn_walk(struct X(mat) *a, bool change, X(visit) *visit, void *job)
{
    struct psb_dual val = { .bytes = 0 };
    struct X(compressed) l;
    psb_err e = with_full_values((struct X(csrn_mat) *)a, &val, &l);
    PSB_THEN(e, X(compressed_walk)(&l, &val, change, 0, visit, job));
    if (change)
        PSB_THEN(e, store_again((struct X(csrn_mat) *)a, &l));
    psb_dual_free(&val);
    return e;
}

static psb_err csrn_csput(struct X(mat) *a, psb_epk nz, const psb_ipk *ia, const psb_ipk *ja, const T *v,
                          enum psb_dupl dupl)
{
    struct psb_dual val = { .bytes = 0 };
    struct X(compressed) l;
    psb_err e = with_full_values((struct X(csrn_mat) *)a, &val, &l);
    PSB_THEN(e, X(compressed_put)(&l, &val, nz, ia, ja, v, dupl, 0));
    if (v)
        PSB_THEN(e, store_again((struct X(csrn_mat) *)a, &l));
    psb_dual_free(&val);
    return e;
}

/* --- products: `stored` and `parts` are constants in every call ---------------------------------------- */

/* y of row i, columns c .. c+w-1. */
PSB_INLINE void gather_row(const struct X(product) *q, psb_ipk i, psb_ipk c, psb_ipk w,
                           enum psb_values stored, int parts)
{
    const struct X(csrn_rows) *l = q->of;
    T sum[CSRN_CHUNK] = { 0 }, *y = q->y + (psb_epk)i * q->k + c;
    for (psb_epk k = l->ptr[i]; k < l->ptr[i + 1]; k++) {
        const T *x = q->x + (psb_epk)l->idx[k] * q->k + c;
        if (parts == 1) {
            const R v = number_at(l->val, k, stored);
            for (psb_ipk j = 0; j < w; j++)
                sum[j] += v * x[j];
        } else {
            const T v = value_at(l->val, k, stored, parts);
            for (psb_ipk j = 0; j < w; j++)
                sum[j] += v * x[j];
        }
    }
    for (psb_ipk j = 0; j < w; j++)
        y[j] = q->beta == 0 ? q->alpha * sum[j] : q->alpha * sum[j] + q->beta * y[j];
}

PSB_INLINE void gather_as(const struct X(product) *q, psb_ipk lo, psb_ipk hi, enum psb_values stored,
                          int parts)
{
    for (psb_ipk i = lo; i < hi; i++)
        if (q->k == 1)
            gather_row(q, i, 0, 1, stored, parts);
        else
            for (psb_ipk c = 0; c < q->k; c += CSRN_CHUNK)
                gather_row(q, i, c, q->k - c < CSRN_CHUNK ? q->k - c : CSRN_CHUNK, stored, parts);
}

PSB_INLINE void gather_parts(const struct X(product) *q, psb_ipk lo, psb_ipk hi, int parts)
{
    switch (((const struct X(csrn_rows) *)q->of)->stored) {
    case PSB_VALUES_INT8:
        gather_as(q, lo, hi, PSB_VALUES_INT8, parts);
        break;
    case PSB_VALUES_HALF:
        gather_as(q, lo, hi, PSB_VALUES_HALF, parts);
        break;
    case PSB_VALUES_BFLOAT16:
        gather_as(q, lo, hi, PSB_VALUES_BFLOAT16, parts);
        break;
    case PSB_VALUES_SINGLE:
        gather_as(q, lo, hi, PSB_VALUES_SINGLE, parts);
        break;
    default:
        gather_as(q, lo, hi, PSB_VALUES_FULL, parts);
    }
}

static void csrn_gather(const struct X(product) *q, psb_ipk lo, psb_ipk hi)
{
    if (CPLX && ((const struct X(csrn_rows) *)q->of)->parts == 2)
        gather_parts(q, lo, hi, 2);
    else
        gather_parts(q, lo, hi, 1);
}

/* y += rows lo .. hi-1, transposed, times alpha x. */
static void csrn_scatter(const struct X(product) *q, psb_ipk lo, psb_ipk hi, T *y)
{
    const struct X(csrn_rows) *l = q->of;
    for (psb_ipk i = lo; i < hi; i++)
        for (psb_epk e = l->ptr[i]; e < l->ptr[i + 1]; e++) {
            const T v = value_at(l->val, e, l->stored, l->parts), *x = q->x + (psb_epk)i * q->k;
            T *to = y + (psb_epk)l->idx[e] * q->k;
            for (psb_ipk c = 0; c < q->k; c++)
                to[c] += (q->conjugate ? CONJ(v) : v) * (q->alpha * x[c]);
        }
}

static psb_ipk csrn_first_row(const void *of, int t, int p)
{
    const struct X(csrn_rows) *l = of;
    return t < p ? psb_thread_start(l->ptr, l->n, t, p) : l->n;
}

static psb_err csrn_csmm(T alpha, struct X(mat) *a, psb_ipk k, const T *x, T beta, T *y, char trans)
{
    static const struct X(product_kernels) kernels = { { csrn_gather, csrn_gather, csrn_gather },
                                                       { csrn_gather, csrn_gather, csrn_gather },
                                                       { csrn_scatter, csrn_scatter, csrn_scatter },
                                                       { csrn_scatter, csrn_scatter, csrn_scatter } };
    struct X(csrn_rows) l;
    PSB_TRY(X(csrn_open)(a, PSB_HOST, &l));
    const struct X(product) q = { &l, csrn_first_row, &kernels, k, alpha, x, beta, y, trans == 'C' };
    return X(product_csmm)(&q, trans != 'N', a->nnz, a->ncols);
}

static const struct X(mat_ops) csrn_ops = {
    .super = &X(root_mold),
    .fmt = "CSRN",
    .size = sizeof(struct X(csrn_mat)),
    .storage = { .arrays = csrn_arrays, .build = csrn_build },
    .entries = { .walk = csrn_walk, .rows = csrn_rows, .csput = csrn_csput },
    .products.csmm = csrn_csmm,
};

const struct X(csrn_mat) X(csrn_mold) = { .mat.ops = &csrn_ops, .most = INFINITY };

/* --- names of the kinds of numbers ---------------------------------------------------------------------- */

static psb_err csrn_kind(const struct X(mat) *mold, struct X(mat) *a, const struct X(mat) **chosen)
{
    static const struct X(csrn_mat) molds[] = {
        { .mat.ops = &csrn_ops, .values = PSB_VALUES_INT8, .most = INFINITY },
        { .mat.ops = &csrn_ops, .values = PSB_VALUES_HALF, .most = INFINITY },
        { .mat.ops = &csrn_ops, .values = PSB_VALUES_BFLOAT16, .most = INFINITY },
        { .mat.ops = &csrn_ops, .values = PSB_VALUES_SINGLE, .most = INFINITY },
    };
    (void)a;
    *chosen = &molds[((const struct X(csrn_mat) *)mold)->values - PSB_VALUES_INT8].mat;
    return PSB_OK;
}

enum { CSRN_SIZE = sizeof(struct X(csrn_mat)) };
static const struct X(mat_ops) csrn_named[] = {
    { .super = &X(csrn_mold).mat, .fmt = "CSRN-INT8", .size = CSRN_SIZE, .storage.choose = csrn_kind },
    { .super = &X(csrn_mold).mat, .fmt = "CSRN-HALF", .size = CSRN_SIZE, .storage.choose = csrn_kind },
    { .super = &X(csrn_mold).mat, .fmt = "CSRN-BFLOAT16", .size = CSRN_SIZE, .storage.choose = csrn_kind },
    { .super = &X(csrn_mold).mat, .fmt = "CSRN-SINGLE", .size = CSRN_SIZE, .storage.choose = csrn_kind },
};
const struct X(csrn_mat) X(csrn_int8_mold) = { .mat.ops = &csrn_named[0], .values = PSB_VALUES_INT8 };
const struct X(csrn_mat) X(csrn_half_mold) = { .mat.ops = &csrn_named[1], .values = PSB_VALUES_HALF };
const struct X(csrn_mat) X(csrn_bfloat16_mold) = { .mat.ops = &csrn_named[2], .values = PSB_VALUES_BFLOAT16 };
const struct X(csrn_mat) X(csrn_single_mold) = { .mat.ops = &csrn_named[3], .values = PSB_VALUES_SINGLE };
