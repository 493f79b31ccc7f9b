/* autog.c -- room: cuda/formats.  AUTOG: choose the best device format; the forecasts of these formats. */
#include "gpu_formats.h"
#include "cost.h"
#include "locality.h"
#include <math.h>
#include <string.h>
#include "psb_type.h"

static const double ENTRY = sizeof(T) + sizeof(psb_ipk);

static psb_epk length(const struct X(compressed) *rows, psb_ipk i)
{
    return rows->ptr[i + 1] - rows->ptr[i];
}

static psb_epk longest(const struct X(compressed) *rows)
{
    psb_epk most = 0;
    for (psb_ipk i = 0; i < rows->n; i++)
        most = length(rows, i) > most ? length(rows, i) : most;
    return most;
}

/* --- terms of each format ------------------------------------------------------------------------------- */

/* Set the terms beyond bytes, vectors, rows and sectors.  a is empty but for the sizes that the host format's
 * forecast f has set; x: how the rows read x. */
typedef psb_err set_terms(struct X(mat) *a, const struct X(compressed) *rows, const struct psb_forecast *f,
                          const struct psb_reading *x, struct psb_cost_terms *t);

/* The share of reads of x that the first-level cache does not serve. */
typedef double misses_of(psb_ipk m, const psb_epk *irp, const psb_ipk *ja, size_t size);

/* The bytes that columns in 16 bits save (see psb_csrg.t.h). */
static double saved_by_deltas(const struct X(compressed) *rows, const struct psb_reading *x)
{
    const enum psb_tiling tiling = psb_tiling_of(sizeof(T), rows->n, rows->ptr, x->scattered > 0);
    const psb_epk all = rows->ptr[rows->n];
    const psb_epk near = (psb_epk)(psb_share_near(rows->n, rows->ptr, rows->idx,
                                                  PSB_TILE_ROWS(sizeof(T), tiling),
                                                  PSB_TILE_ENTRIES(sizeof(T), tiling)) *
                                   (double)all);
    return psb_many_near(near, all) ? (double)near * (sizeof(psb_ipk) - sizeof(uint16_t)) : 0;
}

/* A row of several tiles, here coalesced ones, has its sums added by a second kernel. */
static psb_err of_csr(struct X(mat) *a, const struct X(compressed) *rows, const struct psb_forecast *f,
                      const struct psb_reading *x, struct psb_cost_terms *t)
{
    (void)a, (void)f;
    t->second = longest(rows) > PSB_TILE_ENTRIES(sizeof(T), PSB_TILES_COALESCED);
    t->bytes -= saved_by_deltas(rows, x);
    return PSB_OK;
}

static void split_padding(double places, double nnz, double bytes, struct psb_cost_terms *t)
{
    t->padding = (places - nnz) * bytes;
    t->bytes -= t->padding;
}

/* Places of the groups of `group` rows, each up to its longest row. */
static double places_of_groups(const psb_ipk *irn, psb_ipk m, psb_ipk group)
{
    double places = 0;
    for (psb_ipk i = 0; i < m; i += group) {
        psb_ipk longest = 0;
        for (psb_ipk k = i; k < m && k < i + group; k++)
            longest = irn[k] > longest ? irn[k] : longest;
        places += (double)group * longest;
    }
    return places;
}

/* Padding that shares a sector with entries is read with them: count it as bytes. */
static void count_sectors(const psb_ipk *irn, psb_ipk m, double nnz, struct psb_cost_terms *t)
{
    enum { SECTOR = 32, VALUES = SECTOR / sizeof(T), INDICES = SECTOR / sizeof(psb_ipk) };
    const double values = places_of_groups(irn, m, VALUES) - nnz,
                 indices = places_of_groups(irn, m, INDICES) - nnz,
                 read = fmin(t->padding, values * sizeof(T) + indices * sizeof(psb_ipk));
    t->padding -= read;
    t->bytes += read;
}

/* widest, chain: the longest row, and the longest chain if the rows of a warp share entries. */
static void set_ragged(const struct X(mat) *a, double places, psb_epk widest, psb_epk chain,
                       struct psb_cost_terms *t)
{
    const int ragged = places / fmax(1, (double)a->nnz) > HLL_RAGGED;
    t->parts = ragged ? a->nrows : 0;
    t->chain = (double)(ragged ? chain : widest);
}

static psb_err of_hll(struct X(mat) *a, const struct X(compressed) *rows, const struct psb_forecast *f,
                      const struct psb_reading *x, struct psb_cost_terms *t)
{
    const psb_ipk *irn;
    (void)x;
    PSB_TRY(psb_dual_read(&((struct X(hll_mat) *)a)->irn, PSB_HOST, &irn));
    split_padding(f->places, (double)a->nnz, ENTRY, t);
    count_sectors(irn, a->nrows, (double)a->nnz, t);
    set_ragged(a, f->places, longest(rows), psb_longest_chain(irn, a->nrows), t);
    return PSB_OK;
}

/* The rows of a sample of strips. */
enum { SAMPLED = 128 };
struct sample {
    psb_epk entries, first[SAMPLED * PSB_STRIP];
    psb_ipk n, length[SAMPLED * PSB_STRIP];
};

/* Multiples of the golden ratio, without their whole parts, have no period that could be that of a grid; the
 * largest of them is below 1 - 1/SAMPLED, so that the last strip, which may have fewer rows, is not taken. */
static void take_strips(const struct X(compressed) *rows, struct sample *s)
{
    const double golden = 0.6180339887498949;
    const psb_epk strips = ((psb_epk)rows->n + PSB_STRIP - 1) / PSB_STRIP;
    s->entries = s->n = 0;
    for (int g = 0; g < SAMPLED && g < strips; g++) {
        const psb_epk h = strips <= SAMPLED ? g : (psb_epk)((double)strips * fmod(g * golden, 1));
        for (psb_epk i = h * PSB_STRIP; i < rows->n && i < (h + 1) * PSB_STRIP; i++) {
            s->first[s->n] = rows->ptr[i];
            s->length[s->n] = (psb_ipk)length(rows, (psb_ipk)i);
            s->entries += s->length[s->n++];
        }
    }
}

/* How many times the warp of a strip waits for loads: of the header, the slots and x, and then of values and
 * x for four slots at a time (packed_kernels.cu). */
static double waits_of_strip(double slots)
{
    return 3 + 2 * ceil(slots / 4);
}

/* The waits of all strips, of which `at_once` are processed together, or those of the longest row. */
static double chain_of_strips(double strips, double slots, psb_epk widest)
{
    const double at_once = 5000;
    return fmax(strips / at_once * waits_of_strip(slots / fmax(1, strips)), waits_of_strip((double)widest));
}

/* columns: the bytes of all columns. */
static void set_packed(const struct X(mat) *a, double slots, double columns, psb_epk widest,
                       struct psb_cost_terms *t)
{
    const double strips = ceil((double)a->nrows / PSB_STRIP);
    t->parts = slots;
    t->bytes = columns + strips * sizeof(struct psb_strip) +
               slots * (sizeof(struct psb_strip_slot) + PSB_STRIP * sizeof(T));
    t->chain = chain_of_strips(strips, slots, widest);
}

/* The columns are packed for a sample of strips; a sample without entries says nothing. */
static psb_err of_packed(struct X(mat) *a, const struct X(compressed) *rows, const struct psb_forecast *f,
                         const struct psb_reading *x, struct psb_cost_terms *t)
{
    struct sample s;
    struct psb_packed_sizes of;
    take_strips(rows, &s);
    if (s.entries == 0)
        return PSB_PASS(of_hll(a, rows, f, x, t));
    PSB_TRY(psb_packed_measure(&(struct psb_unpacked){ s.n, 1, s.first, s.length, rows->idx }, &of));
    const double all = (double)a->nnz / (double)s.entries;
    set_packed(a, all * (double)of.slots, all * (double)of.bytes, longest(rows), t);
    return PSB_OK;
}

/* The entries in COO, `beyond` ELL, need a kernel of their own. */
static void set_hyb(const struct X(hyb_mat) *h, double places, double beyond, struct psb_cost_terms *t)
{
    split_padding(places, (double)h->mat.nnz, ENTRY, t);
    t->parts = beyond;
    t->second = beyond > 0;
    t->chain = (double)h->most;
}

static psb_err of_hyb(struct X(mat) *a, const struct X(compressed) *rows, const struct psb_forecast *f,
                      const struct psb_reading *x, struct psb_cost_terms *t)
{
    struct X(hyb_mat) *h = (struct X(hyb_mat) *)a;
    const psb_epk most = h->most;
    const psb_ipk *irn;
    double beyond = 0;
    (void)x;
    PSB_TRY(psb_dual_read(&h->ell.irn, PSB_HOST, &irn));
    for (psb_ipk i = 0; i < rows->n; i++)
        beyond += (double)(length(rows, i) > most ? length(rows, i) - most : 0);
    set_hyb(h, f->places, beyond, t);
    count_sectors(irn, a->nrows, (double)a->nnz - beyond, t);
    return PSB_OK;
}

/* A thread waits for each group of diagonals that it loads at once. */
static double diagonal_chain(psb_epk longest)
{
    return ceil((double)longest / DIAGONALS_AT_ONCE(sizeof(T)));
}

/* x is read like the values. */
static psb_err of_diagonals(struct X(mat) *a, const struct X(compressed) *rows, const struct psb_forecast *f,
                            const struct psb_reading *x, struct psb_cost_terms *t)
{
    struct X(hdia_mat) *d = (struct X(hdia_mat) *)a;
    const psb_epk *off;
    (void)rows, (void)x;
    PSB_TRY(psb_dual_read(&d->off, PSB_HOST, &off));
    t->parts = f->places / fmax(1, (double)d->rows);
    t->chain = diagonal_chain(X(hdia_longest)(d, off));
    return PSB_OK;
}

/* Single entries without padding have the kernel of CSRG. */
static int is_csr(const struct X(bsr_mat) *b)
{
    return b->r * b->c == 1 && !b->padded;
}

/* Blocks that the lanes of a kernel of squares load at once (`tuning` in bsr_kernels.cu). */
static double squares_at_once(psb_ipk r)
{
    if (r == 2)
        return sizeof(T) == 4 ? 16 : 4;
    if (r == 3)
        return CPLX ? 10 : 15;
    return sizeof(T) == 16 ? 4 : 12;
}

/* How many times a lane waits for loads, at most `longest` blocks in a block row: a lane of other blocks has
 * a row of every n-th block, and loads four of its values at once. */
static double chain_of_blocks(const struct X(bsr_mat) *b, double places, double longest)
{
    if (psb_blocks_are_square(b->r, b->c, b->by_cols))
        return longest / squares_at_once(b->r);
    const int n = psb_lanes_of_blocks(b->r, (psb_epk)(places / (b->r * b->c)), b->n) / b->r;
    return longest * ceil(b->c / 4.) / n;
}

/* The parts are blocks of 4 x 4, columns of 3 x 3 or 2 x 2, or the values of others: what a lane loads in a
 * row. */
static void set_blocks(const struct X(bsr_mat) *b, double places, double longest, struct psb_cost_terms *t)
{
    const int square = psb_blocks_are_square(b->r, b->c, b->by_cols);
    split_padding(places, (double)b->mat.nnz, sizeof(T), t);
    t->parts = !square ? places : b->r == 4 ? places / 16 : places / b->r;
    t->chain = chain_of_blocks(b, places, longest);
}

/* The blocks of the longest row count as full: so the factors were fitted. */
static psb_err of_blocks(struct X(mat) *a, const struct X(compressed) *rows, const struct psb_forecast *f,
                         const struct psb_reading *x, struct psb_cost_terms *t)
{
    const struct X(bsr_mat) *b = (const struct X(bsr_mat) *)a;
    if (is_csr(b))
        return PSB_PASS(of_csr(a, rows, f, x, t));
    set_blocks(b, f->places, (double)longest(rows) / b->c, t);
    return PSB_OK;
}

/* --- forecasts ---------------------------------------------------------------------------------------- */

/* Device formats: how they count, the host format with the same arrays, and the terms.  HLGP has a penalty,
 * also in fit_autog.py, because it is packed on the host, and again whenever values change. */
static const struct forecaster {
    const char *fmt;
    enum psb_costed as;
    const struct X(mat) *host;
    set_terms *set;
    misses_of *misses; /* NULL: x is read like the values */
    double penalty;    /* the forecast is multiplied by it */
} forecasters[] = {
    { "CSRG", PSB_COST_CSRG, &X(csr_mold).mat, of_csr, psb_misses_by_rows, 1 },
    { "HLG", PSB_COST_HLG, &X(hll_mold).mat, of_hll, psb_misses_by_steps, 1 },
    { "HLGP", PSB_COST_HLGP, &X(hll_mold).mat, of_packed, psb_misses_by_steps, 1.04 },
    { "ELG", PSB_COST_ELG, &X(hll_mold).mat, of_hll, psb_misses_by_steps, 1 },
    { "HYBG", PSB_COST_HYBG, &X(hyb_mold).mat, of_hyb, psb_misses_by_steps, 1 },
    { "DIAG", PSB_COST_DIAG, &X(hdia_mold).mat, of_diagonals, NULL, 1 },
    { "HDIAG", PSB_COST_HDIAG, &X(hdia_mold).mat, of_diagonals, NULL, 1 },
    { "BSRG", PSB_COST_BSRG, &X(bsr_mold).mat, of_blocks, psb_misses_by_rows, 1 },
};

/* The forecaster of a's format, or of the nearest one above it that has one. */
static const struct forecaster *forecaster_of(const struct X(mat) *a)
{
    enum { N = sizeof forecasters / sizeof *forecasters };
    for (const struct X(mat_ops) *k = a->ops;; k = k->super->ops)
        for (int i = 0; i < N; i++)
            if (strcmp(k->fmt, forecasters[i].fmt) == 0)
                return &forecasters[i];
}

/* Returns how the rows read x. */
static struct psb_reading set_sectors(const struct X(compressed) *rows, misses_of *misses,
                                      struct psb_cost_terms *t)
{
    struct psb_locality l = { 0 };
    psb_locality_all(&l, rows->n, rows->ptr, rows->idx);
    if (l.entries > 0)
        t->sectors = (double)l.sectors / (double)l.entries * (double)rows->ptr[rows->n];
    t->misses = (double)rows->ptr[rows->n] * misses(rows->n, rows->ptr, rows->idx, sizeof(T));
    t->far = psb_cost_far(t->sectors, (double)l.reach * PSB_SECTOR * sizeof(T) / PSB_GROUPS);
    t->sectors = fmin(t->sectors, t->misses);
    return psb_reading_over(&l);
}

psb_err X(device_terms)(struct X(mat) *a, const struct X(compressed) *rows, struct psb_forecast *f,
                        struct psb_cost_terms *t)
{
    const struct forecaster *q = forecaster_of(a);
    struct psb_reading x = { 0 };
    PSB_TRY(q->host->ops->forecast(a, rows, f));
    *t = (struct psb_cost_terms){ .bytes = f->bytes,
                                  .vectors = sizeof(T) * ((double)a->nrows + a->ncols),
                                  .rows = a->nrows };
    if (q->misses)
        x = set_sectors(rows, q->misses, t);
    return PSB_PASS(q->set(a, rows, f, &x, t));
}

/* BSRG without blocks has the kernel of CSRG.  HYBG with all entries in ELL is counted as ELG; it differs for
 * scattered matrices (docs/decisions). */
static enum psb_costed costed_as(const struct X(mat) *a, const struct psb_cost_terms *t)
{
    const enum psb_costed as = forecaster_of(a)->as;
    if (t->parts > 0)
        return as;
    return as == PSB_COST_BSRG ? PSB_COST_CSRG : as == PSB_COST_HYBG ? PSB_COST_ELG : as;
}

psb_err X(device_forecast)(struct X(mat) *a, const struct X(compressed) *rows, struct psb_forecast *f)
{
    struct psb_cost_terms t;
    PSB_TRY(X(device_terms)(a, rows, f, &t));
    f->ns = forecaster_of(a)->penalty * psb_cost_ns(costed_as(a, &t), LETTER, &t);
    return PSB_OK;
}

/* --- times from sizes alone, to refuse a matrix --------------------------------------------------------- */

/* Terms of an array of these bytes. */
static struct psb_cost_terms of_sizes(const struct X(mat) *a, double bytes, double sectors)
{
    return (struct psb_cost_terms){ .bytes = bytes,
                                    .vectors = sizeof(T) * ((double)a->nrows + a->ncols),
                                    .rows = a->nrows,
                                    .sectors = sectors,
                                    .misses = sectors };
}

/* Which columns fit in 16 bits is not known: all count with 32. */
static double csrg_ns(const struct X(mat) *a, double sectors)
{
    const double bytes = (double)a->nnz * ENTRY + 8 * ((double)a->nrows + 1);
    const struct psb_cost_terms t = of_sizes(a, bytes, sectors);
    return psb_cost_ns(PSB_COST_CSRG, LETTER, &t);
}

/* t: the terms of a, which counts like `as`. */
static void set_times(const struct X(mat) *a, enum psb_costed as, const struct psb_cost_terms *t,
                      double ns[2])
{
    ns[0] = psb_cost_ns(as, LETTER, t);
    ns[1] = csrg_ns(a, t->sectors);
}

/* Columns are not known; in most matrices a sector serves four entries, and is read once. */
static double shared_sectors(const struct X(mat) *a)
{
    return (double)a->nnz / 4;
}

/* How the columns of HLGP would be packed is not known: it counts with a slot for each PSB_STRIP places of
 * HLL, and with a byte for each column. */
void X(hlg_times)(const struct X(mat) *a, const struct psb_padded *p, double ns[2])
{
    const enum psb_costed as = forecaster_of(a)->as;
    struct psb_cost_terms t = of_sizes(a, p->bytes, shared_sectors(a));
    if (as == PSB_COST_HLGP) {
        set_packed(a, p->places / PSB_STRIP, p->places, p->longest, &t);
    } else {
        split_padding(p->places, (double)a->nnz, ENTRY, &t);
        set_ragged(a, p->places, p->longest, p->chain, &t);
    }
    set_times(a, as, &t, ns);
}

void X(hybg_times)(const struct X(mat) *a, const struct psb_padded *p, double ns[2])
{
    struct psb_cost_terms t = of_sizes(a, p->bytes, shared_sectors(a));
    const double beyond = p->places - (double)a->nrows * (double)p->longest;
    set_hyb((const struct X(hyb_mat) *)a, p->places, beyond, &t);
    set_times(a, costed_as(a, &t), &t, ns);
}

void X(bsrg_times)(const struct X(mat) *a, const struct psb_padded *p, double ns[2])
{
    const struct X(bsr_mat) *b = (const struct X(bsr_mat) *)a;
    struct psb_cost_terms t = of_sizes(a, p->bytes, shared_sectors(a));
    if (!is_csr(b))
        set_blocks(b, p->places, (double)p->longest, &t);
    set_times(a, costed_as(a, &t), &t, ns);
}

/* No factors have been fitted for DNSG.  Its lanes go through their shares of a row as those of HLG go
 * through whole rows, four values at once; but padding is read like entries, in order, and x as well. */
void X(dnsg_times)(const struct X(mat) *a, const struct psb_padded *p, double ns[2])
{
    const double lanes = 32;
    struct psb_cost_terms t = of_sizes(a, p->bytes, 0);
    t.chain = (double)p->longest / lanes;
    ns[0] = psb_cost_ns(PSB_COST_HLG, LETTER, &t);
    ns[1] = csrg_ns(a, shared_sectors(a));
}

/* Along diagonals neighbouring rows read neighbouring elements of x, in CSRG too. */
void X(diagonal_times)(const struct X(mat) *a, const struct psb_padded *p, double ns[2])
{
    struct psb_cost_terms t = of_sizes(a, p->bytes, 0);
    t.parts = p->places / fmax(1, (double)((const struct X(hdia_mat) *)a)->rows);
    t.chain = diagonal_chain(p->longest);
    set_times(a, costed_as(a, &t), &t, ns);
}

static const struct X(mat_ops) ops = {
    .super = &X(auto_mold).mat,
    .fmt = "AUTOG",
    .size = sizeof(struct X(auto_mat)),
    .choose = X(auto_choose),
    .transposed = &X(csrg_mold).mat, /* for the columns of other processes */
};

const struct X(auto_mat) X(autog_mold) = { .mat.ops = &ops, .mirrors = 1 };
