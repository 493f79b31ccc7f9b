/* hlgp.c -- cuda/formats: HLGP: HLL with packed columns on the device, and optionally values in single
 * precision. */
#include "gpu_formats.h"
#include "gpu_tuning.h"
#include "psb_team.h"
#include "psb_threads.h"
#include <string.h>
#include "per_device.h"
#include "psb_testing.h"
#include "psb_type.h"

/* --- packed columns --------------------------------------------------------------------------------- */

/* A walk over the entries of a row, which is lane `lane` of a strip; slot and left point to the first of the
 * strip. */
struct row_walk {
    const struct psb_strip_slot *slot;
    const psb_ipk *left;
    psb_ipk lane, plain, next;
};

/* The slot of the next entry of the walk, which is in column j. */
static psb_ipk walked_slot(struct row_walk *w, psb_ipk j)
{
    const psb_epk d = (psb_epk)j - w->lane;
    while (w->next < w->plain && w->slot[w->next].base < d)
        w->next++;
    return w->next < w->plain && w->slot[w->next].base == d ? w->next++ : *w->left++;
}

/* The position of entry 0 of row i in ja. */
static psb_epk first_unpacked(const struct psb_packing *q, psb_ipk i)
{
    return q->off[i / q->rows] + i % q->rows;
}

/* A diagonal, the number of rows seen so far that have an entry on it, and in the end their mask. */
struct strip_diagonal {
    psb_epk d;
    psb_ipk rows;
    uint32_t mask;
};

/* The k-th entries of rows that are not on such diagonals: smallest and largest d, mask of the rows. */
struct strip_rest {
    psb_epk least, most;
    uint32_t mask;
};

/* The strip that a thread works on; elements of rest beyond nrest are all zeros. */
struct packing_strip {
    psb_ipk first, n, ndiags, nrest;
    struct strip_diagonal *diag, *merged;
    struct strip_rest *rest;
};

struct packing {
    const struct psb_packing *q;
    struct packing_strip *of; /* one per thread */
};

static void packed_free(struct psb_packed *p)
{
    psb_dual_free(&p->strip);
    psb_dual_free(&p->slot);
    psb_dual_free(&p->bytes);
    psb_dual_free(&p->left);
}

/* Number of rows that must have an entry on a diagonal. */
static psb_ipk enough(const struct packing_strip *s)
{
    return s->n - s->n / PACKED_ROWS_OF_A_GAP;
}

/* Merge the entries of a row with the diagonals found so far; `left` more rows follow.  Diagonals that can no
 * longer reach the required number of rows are dropped. */
static void merge_row(struct packing_strip *s, psb_ipk lane, psb_ipk n, psb_epk step, const psb_ipk *ja,
                      psb_ipk left)
{
    struct strip_diagonal *to = s->merged;
    psb_ipk i = 0, k = 0;
    while (i < s->ndiags || k < n) {
        const psb_epk d = k < n ? (psb_epk)ja[k * step] - lane : INT64_MAX;
        struct strip_diagonal x = { d, 0, 0 };
        if (i < s->ndiags && s->diag[i].d <= d)
            x = s->diag[i++];
        if (x.d == d) {
            x.rows++;
            do
                k++;
            while (k < n && (psb_epk)ja[k * step] - lane == d);
        }
        if (x.rows + left >= enough(s))
            *to++ = x;
    }
    s->ndiags = (psb_ipk)(to - s->merged);
    to = s->diag;
    s->diag = s->merged;
    s->merged = to;
}

static void find_diagonals(const struct psb_packing *q, struct packing_strip *s)
{
    s->ndiags = 0;
    for (psb_ipk l = 0; l < s->n; l++) {
        const psb_ipk i = s->first + l;
        merge_row(s, l, q->irn[i], q->rows, q->ja + first_unpacked(q, i), s->n - 1 - l);
    }
}

static void include(struct strip_rest *r, psb_epk d, psb_ipk lane)
{
    if (r->mask == 0 || d < r->least)
        r->least = d;
    if (r->mask == 0 || d > r->most)
        r->most = d;
    r->mask |= UINT32_C(1) << lane;
}

/* Divide the entries of row `lane` into those on diagonals and the remaining ones. */
static void divide_row(struct packing_strip *s, psb_ipk lane, psb_ipk n, psb_epk step, const psb_ipk *ja)
{
    psb_ipk i = 0, rest = 0;
    for (psb_ipk k = 0; k < n; k++) {
        const psb_epk d = (psb_epk)ja[k * step] - lane;
        while (i < s->ndiags && s->diag[i].d < d)
            i++;
        if (i < s->ndiags && s->diag[i].d == d)
            s->diag[i++].mask |= UINT32_C(1) << lane;
        else
            include(&s->rest[rest++], d, lane);
    }
    s->nrest = rest > s->nrest ? rest : s->nrest;
}

/* Remaining entries use at least one byte, since slots of 0 bytes are diagonals. */
static int code_of(const struct strip_rest *r)
{
    const psb_epk range = r->most - r->least;
    return range <= UINT8_MAX ? 1 : range <= UINT16_MAX ? 2 : 3;
}

/* Analyse strip h of the matrix: its diagonals and remaining entries; *out = numbers of slots and bytes. */
static void analyse(const struct psb_packing *q, psb_epk h, struct packing_strip *s, struct psb_strip *out)
{
    s->first = (psb_ipk)(h * PSB_STRIP);
    s->n = q->m - s->first < PSB_STRIP ? q->m - s->first : PSB_STRIP;
    find_diagonals(q, s);
    memset(s->rest, 0, (size_t)s->nrest * sizeof *s->rest);
    s->nrest = 0;
    for (psb_ipk l = 0; l < s->n; l++) {
        const psb_ipk i = s->first + l;
        divide_row(s, l, q->irn[i], q->rows, q->ja + first_unpacked(q, i));
    }
    *out = (struct psb_strip){ .slots[0] = s->ndiags };
    for (psb_ipk r = 0; r < s->nrest; r++)
        out->slots[code_of(&s->rest[r])]++;
}

static psb_epk bytes_of(const struct psb_strip *s)
{
    return PSB_STRIP * ((psb_epk)s->slots[1] + 2 * (psb_epk)s->slots[2] + 4 * (psb_epk)s->slots[3]);
}

static psb_epk slots_of(const struct psb_strip *s)
{
    return (psb_epk)s->slots[0] + s->slots[1] + s->slots[2] + s->slots[3];
}

static void measure_part(void *job, int t, int p)
{
    const struct packing *j = job;
    psb_epk h, end;
    psb_thread_range(j->q->strips, t, p, &h, &end);
    for (; h < end; h++)
        analyse(j->q, h, &j->of[t], &j->q->strip[h]);
}

/* Write the slots of a strip, and `left`, the slots of the remaining entries. */
static void put_slots(const struct packing_strip *s, const struct psb_strip *h, struct psb_strip_slot *slot,
                      psb_ipk *left)
{
    psb_ipk at[PSB_CODES] = { 0, h->slots[0], h->slots[0] + h->slots[1],
                              h->slots[0] + h->slots[1] + h->slots[2] };
    for (psb_ipk i = 0; i < s->ndiags; i++) {
        slot[i] = (struct psb_strip_slot){ (psb_ipk)s->diag[i].d, s->diag[i].mask };
        left[i] = 0;
    }
    for (psb_ipk r = 0; r < s->nrest; r++) {
        left[s->ndiags + r] = at[code_of(&s->rest[r])]++;
        slot[left[s->ndiags + r]] = (struct psb_strip_slot){ (psb_ipk)s->rest[r].least, s->rest[r].mask };
    }
}

/* Write d of lane l in slot k of the strip, whose bytes begin at `to`. */
static void put_d(const struct psb_strip *h, unsigned char *to, psb_ipk k, psb_ipk l, uint32_t d)
{
    if ((k -= h->slots[0]) < 0)
        return;
    if (k < h->slots[1]) {
        to[(psb_epk)k * PSB_STRIP + l] = (unsigned char)d;
        return;
    }
    to += (psb_epk)h->slots[1] * PSB_STRIP;
    if ((k -= h->slots[1]) < h->slots[2]) {
        ((uint16_t *)to)[(psb_epk)k * PSB_STRIP + l] = (uint16_t)d;
        return;
    }
    to += (psb_epk)h->slots[2] * PSB_STRIP * 2;
    ((uint32_t *)to)[(psb_epk)(k - h->slots[2]) * PSB_STRIP + l] = d;
}

static void fill_part(void *job, int t, int p)
{
    const struct packing *j = job;
    const struct psb_packing *q = j->q;
    struct packing_strip *s = &j->of[t];
    struct psb_strip again;
    psb_epk h, end;
    psb_thread_range(q->strips, t, p, &h, &end);
    for (; h < end; h++) {
        const struct psb_strip *to = &q->strip[h];
        struct psb_strip_slot *slot = q->slot + to->first;
        psb_ipk *left = q->left + to->first;
        analyse(q, h, s, &again);
        put_slots(s, to, slot, left);
        memset(q->bytes + to->at, 0, (size_t)bytes_of(to));
        for (psb_ipk l = 0; l < s->n; l++) {
            const psb_ipk i = s->first + l;
            const psb_ipk *ja = q->ja + first_unpacked(q, i);
            struct row_walk w = { slot, left + s->ndiags, l, s->ndiags, 0 };
            for (psb_ipk k = 0; k < q->irn[i]; k++, ja += q->rows) {
                const psb_ipk at = walked_slot(&w, *ja);
                put_d(to, q->bytes + to->at, at, l, (uint32_t)((psb_epk)*ja - l - slot[at].base));
            }
        }
    }
}

/* A diagonal with enough entries has one in the first rows: this bounds the number of diagonals. */
static psb_err strips_begin(struct packing_strip *s, int n, psb_ipk longest)
{
    const size_t most = (size_t)(PSB_STRIP / PACKED_ROWS_OF_A_GAP + 1) * (size_t)longest;
    for (int t = 0; t < n; t++) {
        PSB_TRY(psb_alloc_zero(&s[t].diag, most, sizeof *s->diag, "diagonals of a strip"));
        PSB_TRY(psb_alloc_zero(&s[t].merged, most, sizeof *s->merged, "diagonals of a strip"));
        PSB_TRY(psb_alloc_zero(&s[t].rest, (size_t)longest, sizeof *s->rest, "remaining entries of a strip"));
    }
    return PSB_OK;
}

static void strips_end(struct packing_strip *s, int n)
{
    for (int t = 0; s && t < n; t++) {
        psb_free(s[t].diag);
        psb_free(s[t].merged);
        psb_free(s[t].rest);
    }
    psb_free(s);
}

/* Run `part` by several threads, each with memory for a strip. */
static psb_err by_strips(const struct psb_packing *q, void (*part)(void *, int, int))
{
    struct packing j = { .q = q };
    psb_ipk longest = 1;
    psb_epk entries = 0;
    for (psb_ipk i = 0; i < q->m; i++) {
        longest = q->irn[i] > longest ? q->irn[i] : longest;
        entries += q->irn[i];
    }
    const int threads = psb_threads(entries);
    psb_err e = psb_alloc_zero(&j.of, (size_t)threads, sizeof *j.of, "strips");
    PSB_THEN(e, strips_begin(j.of, threads, longest));
    if (e == PSB_OK)
        psb_team(threads, part, &j);
    strips_end(j.of, threads);
    return e;
}

static psb_err packed_measure(const struct psb_packing *q, psb_epk *found)
{
    PSB_TRY(by_strips(q, measure_part));
    found[0] = found[1] = 0;
    for (psb_epk h = 0; h < q->strips; h++) {
        q->strip[h].first = found[0];
        q->strip[h].at = found[1];
        found[0] += slots_of(&q->strip[h]);
        found[1] += bytes_of(&q->strip[h]);
    }
    return PSB_OK;
}

static psb_err packed_fill(const struct psb_packing *q)
{
    return by_strips(q, fill_part);
}

/* --- the format ------------------------------------------------------------------------------------- */

static psb_err check_mold(const struct X(hlgp_mat) *a)
{
    PSB_CHECK(a->hll.sort <= 1, PSB_EARG, "the mold's sort is %d; expected 0 or 1", a->hll.sort);
    PSB_CHECK(a->narrow == 0 || a->narrow == 1, PSB_EARG, "the mold's narrow is %d; expected 0 or 1",
              a->narrow);
    return PSB_OK;
}

static psb_err build(struct X(mat) *a, const struct X(compressed) *rows)
{
    PSB_TRY(check_mold((const struct X(hlgp_mat) *)a));
    return X(hll_mold).mat.ops->storage.build(a, rows);
}

static psb_err hlgp_from_csr(struct X(mat) *a, struct X(csr_mat) *b)
{
    PSB_TRY(check_mold((const struct X(hlgp_mat) *)a));
    return X(hll_from_csr)((struct X(hll_mat) *)a, b, INT32_MAX);
}

static void hlgp_clear(struct X(mat) *a_)
{
    struct X(hlgp_mat) *a = (struct X(hlgp_mat) *)a_;
    packed_free(&a->packed);
    psb_dual_free(&a->val);
}

/* --- device arrays in addition to those of HLL ------------------------------------------------------ */

static void move_row(const struct psb_packing *q, const struct psb_strip *s, psb_ipk i)
{
    const psb_ipk lane = i % PSB_STRIP;
    const T *from = q->from;
    psb_epk at = first_unpacked(q, i);
    struct row_walk w = { q->slot + s->first, q->left + s->first + s->slots[0], lane, s->slots[0], 0 };
    for (psb_ipk k = 0; k < q->irn[i]; k++, at += q->rows) {
        const psb_epk to = (s->first + walked_slot(&w, q->ja[at])) * PSB_STRIP + lane;
        if (q->narrow)
            ((X(narrow) *)q->to)[to] = (X(narrow))from[at];
        else
            ((T *)q->to)[to] = from[at];
    }
}

/* Fill whole strips; values of lanes without an entry are 0. */
static void move_part(void *job, int t, int p)
{
    const struct psb_packing *q = job;
    const size_t size = q->narrow ? sizeof(X(narrow)) : sizeof(T);
    psb_epk h, end;
    psb_thread_range(q->strips, t, p, &h, &end);
    for (; h < end; h++) {
        const struct psb_strip *s = &q->strip[h];
        memset((char *)q->to + (size_t)(s->first * PSB_STRIP) * size, 0,
               (size_t)(slots_of(s) * PSB_STRIP) * size);
        for (psb_epk i = h * PSB_STRIP; i < q->m && i < (h + 1) * PSB_STRIP; i++)
            move_row(q, s, (psb_ipk)i);
    }
}

static psb_err packed_move(const struct psb_packing *q)
{
    psb_team(psb_threads(q->size), move_part, (void *)q);
    return PSB_OK;
}

static int is_narrow(const struct X(hlgp_mat) *a)
{
    return a->narrow && sizeof(T) > sizeof(X(narrow));
}

/* Measure the strips of q, on side s, by k, and fill the arrays *p, which are all zeros or freed. */
static psb_err pack_columns(struct psb_packed *p, const struct psb_device *on, enum psb_side s,
                            const struct X(packed_kernels) *k, struct psb_packing *q)
{
    psb_epk found[PSB_FOUND] = { 0 };
    PSB_TRY(psb_dual_init(&p->strip, (size_t)q->strips, sizeof *q->strip, on, "strips of packed columns"));
    PSB_TRY(psb_dual_write(&p->strip, s, &q->strip));
    if (s == PSB_DEV)
        PSB_FIND(on, at, k->measure(q, at), found);
    else
        PSB_TRY(k->measure(q, found));
    const size_t slots = (size_t)found[0], bytes = (size_t)found[1];
    PSB_TRY(psb_dual_init(&p->slot, slots, sizeof *q->slot, on, "slots of packed columns"));
    PSB_TRY(psb_dual_init(&p->left, slots, sizeof *q->left, on, "slots of the remaining entries"));
    PSB_TRY(psb_dual_init(&p->bytes, bytes, 1, on, "packed columns"));
    PSB_TRY(psb_dual_write(&p->slot, s, &q->slot));
    PSB_TRY(psb_dual_write(&p->left, s, &q->left));
    PSB_TRY(psb_dual_write(&p->bytes, s, &q->bytes));
    return k->fill(q);
}

/* Make a->val of the packed columns and the values of a, on side s, by k. */
static psb_err move_values(struct X(hlgp_mat) *a, enum psb_side s, const struct X(packed_kernels) *k,
                           struct psb_packing *q)
{
    const size_t n = a->packed.slot.bytes / sizeof *q->slot * PSB_STRIP;
    PSB_TRY(psb_dual_read(&a->packed.strip, s, &q->strip));
    PSB_TRY(psb_dual_read(&a->packed.slot, s, &q->slot));
    PSB_TRY(psb_dual_read(&a->packed.left, s, &q->left));
    PSB_TRY(psb_dual_read(&a->hll.val, s, &q->from));
    psb_dual_free(&a->val);
    PSB_TRY(psb_dual_init(&a->val, n, q->narrow ? sizeof(X(narrow)) : sizeof(T), a->mat.on,
                          "values of packed columns"));
    PSB_TRY(psb_dual_write(&a->val, s, &q->to));
    q->to_bytes = a->val.bytes;
    PSB_TRY(k->move(q));
    a->values_at = a->hll.val.changes;
    return PSB_OK;
}

static psb_err pack_on(struct X(hlgp_mat) *a, enum psb_side s)
{
    const struct X(packed_kernels) *k = s == PSB_DEV ? PSB_KERNELS(X(packed_kernels), a->mat.on)
                                                     : &X(packed_kernels_fake);
    struct psb_packing q = { .m = a->mat.nrows,
                             .rows = a->hll.rows,
                             .size = (psb_epk)(a->hll.ja.bytes / sizeof(psb_ipk)),
                             .strips = ((psb_epk)a->mat.nrows + PSB_STRIP - 1) / PSB_STRIP,
                             .narrow = is_narrow(a) };
    psb_err e = PSB_OK;
    PSB_TRY(psb_dual_read(&a->hll.off, s, &q.off));
    PSB_TRY(psb_dual_read(&a->hll.irn, s, &q.irn));
    PSB_TRY(psb_dual_read(&a->hll.ja, s, &q.ja));
    if (a->packed_at != a->hll.ja.changes) {
        packed_free(&a->packed);
        e = pack_columns(&a->packed, a->mat.on, s, k, &q);
        if (e == PSB_OK)
            a->packed_at = a->hll.ja.changes;
        else
            packed_free(&a->packed);
    }
    PSB_THEN(e, move_values(a, s, k, &q));
    return e;
}

/* Where the matrix was made; if the device lacks memory, the host packs. */
static psb_err hlgp_make(struct X(hlgp_mat) *a)
{
    if (a->packed_at == a->hll.ja.changes && a->values_at == a->hll.val.changes)
        return PSB_OK;
    if (X(is_on_device)(&a->mat)) {
        psb_expect_errors(1);
        const psb_err e = pack_on(a, PSB_DEV);
        psb_expect_errors(0);
        if (e == PSB_OK)
            return e;
    }
    return pack_on(a, PSB_HOST);
}

static psb_err hlgp_open(struct X(hlgp_mat) *a, struct psb_packed_dev *d)
{
    d->m = a->mat.nrows;
    d->narrow = is_narrow(a);
    PSB_TRY(hlgp_make(a));
    d->moved = psb_moved_of(a->mat.nrows, a->mat.ncols, sizeof(T),
                            a->packed.bytes.bytes + a->packed.slot.bytes + a->val.bytes);
    PSB_TRY(psb_dual_read(&a->packed.strip, PSB_DEV, &d->strip));
    PSB_TRY(psb_dual_read(&a->packed.slot, PSB_DEV, &d->slot));
    PSB_TRY(psb_dual_read(&a->packed.bytes, PSB_DEV, &d->bytes));
    return psb_dual_read(&a->val, PSB_DEV, &d->val);
}

/* --- kernels of the fake device --------------------------------------------------------------------- */

/* The number packed at d in 0, 1, 2 or 4 bytes. */
static psb_epk unpacked_number(const unsigned char *d, int size)
{
    uint16_t two;
    uint32_t four;
    switch (size) {
    case 0:
        return 0;
    case 1:
        return *d;
    case 2:
        memcpy(&two, d, sizeof two);
        return two;
    default:
        memcpy(&four, d, sizeof four);
        return four;
    }
}

/* Row i times a column of x. */
static T packed_row(const struct psb_packed_dev *a, psb_epk i, psb_ipk k, const T *x)
{
    static const int size[PSB_CODES] = { 0, 1, 2, 4 };
    const struct psb_strip *s = &a->strip[i / PSB_STRIP];
    const psb_epk lane = i % PSB_STRIP;
    const unsigned char *d = a->bytes + s->at;
    psb_epk at = s->first;
    T sum = 0;
    for (int code = 0; code < PSB_CODES; code++)
        for (psb_ipk n = s->slots[code]; n > 0; n--, at++, d += PSB_STRIP * size[code])
            if (a->slot[at].mask >> lane & 1) {
                const psb_epk p = at * PSB_STRIP + lane;
                const psb_epk j = a->slot[at].base + lane +
                                  unpacked_number(d + lane * size[code], size[code]);
                sum += (a->narrow ? ((const X(narrow) *)a->val)[p] : ((const T *)a->val)[p]) * x[j * k];
            }
    return sum;
}

static psb_err packed_csmm(const struct psb_packed_dev *a, psb_ipk k, T alpha, const T *x, T beta, T *y)
{
    for (psb_epk i = 0; i < a->m; i++)
        for (psb_ipk c = 0; c < k; c++) {
            const T sum = packed_row(a, i, k, x + c);
            y[i * k + c] = beta == 0 ? alpha * sum : alpha * sum + beta * y[i * k + c];
        }
    return PSB_OK;
}

static psb_err packed_fused(const struct psb_packed_dev *a, T alpha, const T *x, T beta, T *y,
                            const struct X(vec_epilogue) *t, double *partial, double *sum)
{
    (void)partial;
    if (t->from)
        memcpy(y, t->from, (size_t)a->m * sizeof *y);
    PSB_TRY(packed_csmm(a, 1, alpha, x, beta, y));
    return X(vec_host).epilogue(a->m, y, t, sum);
}

const struct X(packed_kernels) X(packed_kernels_fake) = {
    .measure = packed_measure,
    .fill = packed_fill,
    .move = packed_move,
    .csmm = packed_csmm,
    .fused = packed_fused,
};

static psb_err hlgp_csmm(T alpha, struct X(mat) *a, psb_ipk k, const T *x, T beta, T *y)
{
    struct psb_packed_dev d = { 0 };
    PSB_TRY(hlgp_open((struct X(hlgp_mat) *)a, &d));
    return PSB_KERNELS(X(packed_kernels), a->on)->csmm(&d, k, alpha, x, beta, y);
}

static psb_err hlgp_csmv_fused(T alpha, struct X(mat) *a, const T *x, T beta, T *y,
                               const struct X(vec_epilogue) *t, double *sum)
{
    struct psb_packed_dev d = { 0 };
    double *partial;
    PSB_TRY(hlgp_open((struct X(hlgp_mat) *)a, &d));
    PSB_TRY(X(epilogue_scratch)(t, a, a->nrows / SUMMED_ROWS + 1, &partial));
    return PSB_KERNELS(X(packed_kernels), a->on)->fused(&d, alpha, x, beta, y, t, partial, sum);
}

static const struct X(conversions) hlgp_conversions = {
    .from_csr = hlgp_from_csr,
    .to_csr = X(hll_to_csr),
    .copy_sizes = X(hll_copy_sizes),
    .compressed = X(hll_on_device),
    .entries = &X(compressed_values),
};

static const struct X(mat_dev_ops) hlgp_dev = {
    .device = psb_cuda_device,
    .clear = hlgp_clear,
    .storage = &X(device_storage),
    .conversions = &hlgp_conversions,
    .csmm = hlgp_csmm,
    .csmv_fused = hlgp_csmv_fused,
    .fuses_from = true,
    .transposed = &X(csrg_mold).mat,
    .solver = &X(csrg_mold).mat,
    .values = X(hll_values),
};

static const struct X(mat_ops) hlgp_ops = {
    .super = &X(hll_mold).mat,
    .fmt = "HLGP",
    .size = sizeof(struct X(hlgp_mat)),
    .storage.build = build,
    .dev = &hlgp_dev,
};

const struct X(hlgp_mat) X(hlgp_mold) = { .hll = { .mat.ops = &hlgp_ops, .hack = 32, .limit = 2 } };
