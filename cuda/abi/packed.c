/* packed.c -- cuda/abi: store the columns of a matrix in as few bytes as possible. */
#include "psb_packed.h"
#include "gpu_tuning.h"
#include "psb_alloc.h"
#include "psb_team.h"
#include "psb_threads.h"
#include <string.h>

/* A diagonal, the number of rows seen so far that have an entry on it, and in the end their mask. */
struct diagonal {
    psb_epk d;
    psb_ipk rows;
    uint32_t mask;
};

/* The k-th entries of rows that are not on such diagonals: smallest and largest d, mask of the rows. */
struct rest {
    psb_epk least, most;
    uint32_t mask;
};

/* The strip that a thread works on; elements of rest beyond nrest are all zeros. */
struct strip {
    psb_ipk first, n, ndiags, nrest;
    struct diagonal *diag, *merged;
    struct rest *rest;
};

struct job {
    const struct psb_unpacked *q;
    struct psb_strip *strip;
    struct psb_strip_slot *slot;
    unsigned char *bytes;
    psb_ipk *left;
    psb_epk nstrips;
    struct strip *of; /* one per thread */
};

void psb_packed_free(struct psb_packed *p)
{
    psb_dual_free(&p->strip);
    psb_dual_free(&p->slot);
    psb_dual_free(&p->bytes);
    psb_dual_free(&p->left);
}

psb_epk psb_packed_slots(const struct psb_packed *p)
{
    return (psb_epk)(p->slot.bytes / sizeof(struct psb_strip_slot));
}

/* --- diagonals on which most rows have an entry ----------------------------------------------------- */

/* Number of rows that must have an entry on a diagonal. */
static psb_ipk enough(const struct strip *s)
{
    return s->n - s->n / PACKED_ROWS_OF_A_GAP;
}

/* Merge the entries of a row with the diagonals found so far; `left` more rows follow.  Diagonals that can no
 * longer reach the required number of rows are dropped. */
static void merge_row(struct strip *s, psb_ipk lane, psb_ipk n, psb_epk step, const psb_ipk *ja, psb_ipk left)
{
    struct diagonal *to = s->merged;
    psb_ipk i = 0, k = 0;
    while (i < s->ndiags || k < n) {
        const psb_epk d = k < n ? (psb_epk)ja[k * step] - lane : INT64_MAX;
        struct diagonal x = { d, 0, 0 };
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

static void find_diagonals(const struct psb_unpacked *q, struct strip *s)
{
    s->ndiags = 0;
    for (psb_ipk l = 0; l < s->n; l++) {
        const psb_ipk i = s->first + l;
        merge_row(s, l, q->irn[i], q->rows, q->ja + psb_unpacked_first(q, i), s->n - 1 - l);
    }
}

/* --- remaining entries ------------------------------------------------------------------------------ */

static void include(struct rest *r, psb_epk d, psb_ipk lane)
{
    if (r->mask == 0 || d < r->least)
        r->least = d;
    if (r->mask == 0 || d > r->most)
        r->most = d;
    r->mask |= UINT32_C(1) << lane;
}

/* Divide the entries of row `lane` into those on diagonals and the remaining ones. */
static void divide_row(struct strip *s, psb_ipk lane, psb_ipk n, psb_epk step, const psb_ipk *ja)
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
static int code_of(const struct rest *r)
{
    const psb_epk range = r->most - r->least;
    return range <= UINT8_MAX ? 1 : range <= UINT16_MAX ? 2 : 3;
}

/* Analyse strip h of the matrix: its diagonals and remaining entries; *out = numbers of slots and bytes. */
static void analyse(const struct psb_unpacked *q, psb_epk h, struct strip *s, struct psb_strip *out)
{
    s->first = (psb_ipk)(h * PSB_STRIP);
    s->n = q->m - s->first < PSB_STRIP ? q->m - s->first : PSB_STRIP;
    find_diagonals(q, s);
    memset(s->rest, 0, (size_t)s->nrest * sizeof *s->rest);
    s->nrest = 0;
    for (psb_ipk l = 0; l < s->n; l++) {
        const psb_ipk i = s->first + l;
        divide_row(s, l, q->irn[i], q->rows, q->ja + psb_unpacked_first(q, i));
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
    const struct job *j = job;
    psb_epk h, end;
    psb_thread_range(j->nstrips, t, p, &h, &end);
    for (; h < end; h++)
        analyse(j->q, h, &j->of[t], &j->strip[h]);
}

/* --- build ------------------------------------------------------------------------------------------ */

/* Write the slots of a strip, and `left`, the slots of the remaining entries. */
static void put_slots(const struct strip *s, const struct psb_strip *h, struct psb_strip_slot *slot,
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
    const struct job *j = job;
    struct strip *s = &j->of[t];
    struct psb_strip again;
    psb_epk h, end;
    psb_thread_range(j->nstrips, t, p, &h, &end);
    for (; h < end; h++) {
        const struct psb_strip *to = &j->strip[h];
        struct psb_strip_slot *slot = j->slot + to->first;
        psb_ipk *left = j->left + to->first;
        analyse(j->q, h, s, &again);
        put_slots(s, to, slot, left);
        memset(j->bytes + to->at, 0, (size_t)bytes_of(to));
        for (psb_ipk l = 0; l < s->n; l++) {
            const psb_ipk i = s->first + l;
            const psb_ipk *ja = j->q->ja + psb_unpacked_first(j->q, i);
            struct psb_row_walk w = { slot, left + s->ndiags, l, s->ndiags, 0 };
            for (psb_ipk k = 0; k < j->q->irn[i]; k++, ja += j->q->rows) {
                const psb_ipk at = psb_row_walk_slot(&w, *ja);
                put_d(to, j->bytes + to->at, at, l, (uint32_t)((psb_epk)*ja - l - slot[at].base));
            }
        }
    }
}

/* Analyse all strips and set their `first` and `at`. */
static psb_err pack_strips(struct job *j, int threads, const struct psb_device *on, struct psb_packed *p)
{
    psb_epk slots = 0, bytes = 0;
    PSB_TRY(psb_dual_init(&p->strip, (size_t)j->nstrips, sizeof *j->strip, on, "strips of packed columns"));
    PSB_TRY(psb_dual_write(&p->strip, PSB_HOST, &j->strip));
    psb_team(threads, measure_part, j);
    for (psb_epk h = 0; h < j->nstrips; h++) {
        j->strip[h].first = slots;
        j->strip[h].at = bytes;
        slots += slots_of(&j->strip[h]);
        bytes += bytes_of(&j->strip[h]);
    }
    PSB_TRY(psb_dual_init(&p->slot, (size_t)slots, sizeof *j->slot, on, "slots of packed columns"));
    PSB_TRY(psb_dual_init(&p->left, (size_t)slots, sizeof *j->left, NULL, "slots of the remaining entries"));
    PSB_TRY(psb_dual_init(&p->bytes, (size_t)bytes, 1, on, "packed columns"));
    PSB_TRY(psb_dual_write(&p->slot, PSB_HOST, &j->slot));
    PSB_TRY(psb_dual_write(&p->left, PSB_HOST, &j->left));
    PSB_TRY(psb_dual_write(&p->bytes, PSB_HOST, &j->bytes));
    psb_team(threads, fill_part, j);
    return PSB_OK;
}

/* --- work space of threads -------------------------------------------------------------------------- */

/* A diagonal with enough entries has one in the first rows: this bounds the number of diagonals. */
static psb_err strips_begin(struct strip *s, int n, psb_ipk longest)
{
    const size_t most = (size_t)(PSB_STRIP / PACKED_ROWS_OF_A_GAP + 1) * (size_t)longest;
    for (int t = 0; t < n; t++) {
        PSB_TRY(psb_alloc_zero(&s[t].diag, most, sizeof *s->diag, "diagonals of a strip"));
        PSB_TRY(psb_alloc_zero(&s[t].merged, most, sizeof *s->merged, "diagonals of a strip"));
        PSB_TRY(psb_alloc_zero(&s[t].rest, (size_t)longest, sizeof *s->rest, "remaining entries of a strip"));
    }
    return PSB_OK;
}

static void strips_end(struct strip *s, int n)
{
    for (int t = 0; s && t < n; t++) {
        psb_free(s[t].diag);
        psb_free(s[t].merged);
        psb_free(s[t].rest);
    }
    psb_free(s);
}

psb_err psb_pack(const struct psb_unpacked *q, const struct psb_device *on, struct psb_packed *p)
{
    struct job j = { .q = q, .nstrips = ((psb_epk)q->m + PSB_STRIP - 1) / PSB_STRIP };
    psb_ipk longest = 1;
    psb_epk entries = 0;
    for (psb_ipk i = 0; i < q->m; i++) {
        longest = q->irn[i] > longest ? q->irn[i] : longest;
        entries += q->irn[i];
    }
    const int threads = psb_threads(entries);
    psb_err e = psb_alloc_zero(&j.of, (size_t)threads, sizeof *j.of, "strips");
    if (e == PSB_OK)
        e = strips_begin(j.of, threads, longest);
    if (e == PSB_OK)
        e = pack_strips(&j, threads, on, p);
    strips_end(j.of, threads);
    if (e != PSB_OK)
        psb_packed_free(p);
    return e;
}
