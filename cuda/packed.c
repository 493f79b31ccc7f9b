/* packed.c -- room: cuda.  Columns of HLL in as few bytes as they need. */
#include "packed.h"
#include "psb_ext.h"
#include "psb_team.h"
#include <string.h>

struct packing {
    const struct psb_hacks *g;
    const psb_ipk *irn, *ja;
    psb_epk *start;
    struct psb_slot *slot;
    unsigned char *bytes;
};

void psb_packed_free(struct psb_packed *p)
{
    psb_dual_free(&p->start);
    psb_dual_free(&p->slot);
    psb_dual_free(&p->bytes);
}

/* Rows of hack h. */
static psb_ipk lanes(const struct psb_hacks *g, psb_epk h)
{
    const psb_epk left = g->m - h * g->rows;
    return (psb_ipk)(left < g->rows ? left : g->rows);
}

static psb_epk width(const struct psb_hacks *g, psb_epk h)
{
    return (g->off[h + 1] - g->off[h]) / g->rows;
}

/* Slot k of hack h, whose columns begin at ja; how many bytes a lane's d takes is the code. */
static struct psb_slot look_at(const struct packing *q, psb_epk h, psb_epk k, const psb_ipk *ja)
{
    const psb_ipk *irn = q->irn + h * q->g->rows;
    psb_epk least = INT64_MAX, most = INT64_MIN;
    for (psb_ipk l = 0, n = lanes(q->g, h); l < n; l++)
        if (irn[l] > k) {
            const psb_epk d = (psb_epk)ja[l] - l;
            least = d < least ? d : least;
            most = d > most ? d : most;
        }
    const psb_epk range = most < least ? 0 : most - least;
    return (struct psb_slot){ most < least ? 0 : (psb_ipk)least, range == 0            ? 0
                                                                 : range <= UINT8_MAX  ? 1
                                                                 : range <= UINT16_MAX ? 2
                                                                                       : 3 };
}

static psb_epk size_of(const struct psb_slot *s)
{
    static const psb_epk size[] = { 0, 1, 2, 4 };
    return size[s->at_code & 3];
}

/* The slots of hacks, and start[h + 1], what hack h takes. */
static void measure_part(void *job, int t, int p)
{
    const struct packing *q = job;
    psb_epk h, end;
    psb_share(q->g->n, t, p, &h, &end);
    for (; h < end; h++) {
        psb_epk at = 0;
        struct psb_slot *s = q->slot + q->g->off[h] / q->g->rows;
        for (psb_epk k = 0, w = width(q->g, h); k < w; k++) {
            s[k] = look_at(q, h, k, q->ja + q->g->off[h] + k * q->g->rows);
            s[k].at_code |= (uint32_t)at << 2;
            at += size_of(&s[k]);
        }
        q->start[h + 1] = at;
    }
}

static void put_slot(const struct psb_slot *s, unsigned char *to, psb_ipk l, psb_ipk column)
{
    const uint32_t d = (uint32_t)((psb_epk)column - l - s->base);
    switch (s->at_code & 3) {
    case 0:
        break;
    case 1:
        to[l] = (unsigned char)d;
        break;
    case 2:
        ((uint16_t *)to)[l] = (uint16_t)d;
        break;
    default:
        ((uint32_t *)to)[l] = d;
    }
}

static void fill_part(void *job, int t, int p)
{
    const struct packing *q = job;
    psb_epk h, end, rows = q->g->rows;
    psb_share(q->g->n, t, p, &h, &end);
    for (; h < end; h++) {
        const psb_ipk *ja = q->ja + q->g->off[h], *irn = q->irn + h * rows;
        const struct psb_slot *s = q->slot + q->g->off[h] / rows;
        memset(q->bytes + q->start[h] * rows, 0, (size_t)((q->start[h + 1] - q->start[h]) * rows));
        for (psb_epk k = 0, w = width(q->g, h); k < w; k++, ja += rows)
            for (psb_ipk l = 0, n = lanes(q->g, h); l < n; l++)
                if (irn[l] > k)
                    put_slot(&s[k], q->bytes + (q->start[h] + (s[k].at_code >> 2)) * rows, l, ja[l]);
    }
}

static psb_err pack(struct packing *q, const struct psb_device *on, struct psb_packed *p)
{
    const psb_ipk n = q->g->n;
    const psb_epk entries = q->g->off[n];
    const int threads = psb_threads(entries);
    PSB_TRY(psb_dual_init(&p->start, (size_t)n + 1, sizeof *q->start, on, "hacks of packed columns"));
    PSB_TRY(psb_dual_init(&p->slot, (size_t)(entries / (n ? q->g->rows : 1)), sizeof *q->slot, on, "slots"));
    PSB_TRY(psb_dual_write(&p->start, PSB_HOST, &q->start));
    PSB_TRY(psb_dual_write(&p->slot, PSB_HOST, &q->slot));
    psb_team(threads, measure_part, q);
    q->start[0] = 0;
    for (psb_ipk h = 0; h < n; h++)
        q->start[h + 1] += q->start[h];
    PSB_TRY(psb_dual_init(&p->bytes, (size_t)(q->start[n] * q->g->rows), 1, on, "packed columns"));
    PSB_TRY(psb_dual_write(&p->bytes, PSB_HOST, &q->bytes));
    psb_team(threads, fill_part, q);
    return PSB_OK;
}

psb_err psb_pack(const struct psb_hacks *g, const psb_ipk *irn, const psb_ipk *ja,
                 const struct psb_device *on, struct psb_packed *p)
{
    struct packing q = { .g = g, .irn = irn, .ja = ja };
    psb_err e = pack(&q, on, p);
    if (e != PSB_OK)
        psb_packed_free(p);
    return e;
}
