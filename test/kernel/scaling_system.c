/* scaling_system.c -- test/kernel: a distributed matrix, and the phases of its product. */
#include "config.h"
#include "psb_cuda_format.h"
#include "psb_util.h"
#include <math.h>
#include <string.h>
#ifdef WITH_CUDA
#include "cu.h"
#endif
#include "psb_type.h"
#include "scaling.h"

enum { MOST_ROUNDS = 999, BARE_TAG = 7 };

const char *const phase_name[PHASES] = { [PRODUCT] = "product",     [PACK] = "pack",
                                         [EXCHANGE] = "exchange",   [OWNED_PART] = "owned part",
                                         [HALO_PART] = "halo part", [REDUCTION] = "reduction",
                                         [UPDATE] = "update",       [MESSAGES] = "bare messages",
                                         [COPIES] = "bare copies",  [STAGED] = "bare staged" };

/* --- the system ----------------------------------------------------------------------------------------- */

static R x_of(psb_lpk g)
{
    return (R)(1 + g % 17);
}

static R weight_of(psb_lpk g)
{
    return (R)(1 + g % 5);
}

/* Sum over all processes. */
static void add_up(psb_ctxt *ctxt, int n, double *v)
{
    MPI_Allreduce(MPI_IN_PLACE, v, n, MPI_DOUBLE, MPI_SUM, psb_comm_of(ctxt));
}

static void expect(struct system *s, const struct X(triplets) *t)
{
    double v[3] = { 0, 0, (double)t->nnz };
    for (psb_epk k = 0; k < t->nnz; k++) {
        const double term = RE(t->val[k]) * x_of(t->ja[k]) * weight_of(t->ia[k]);
        v[0] += term;
        v[1] += fabs(term);
    }
    add_up(s->ctxt, 3, v);
    s->expected = v[0];
    s->scale = v[1];
    s->entries = (psb_epk)v[2];
}

static void insert(struct system *s, const struct X(triplets) *t)
{
    enum { BLOCK = 1 << 18 };
    good(X(spall)(&s->a, s->desc, t->nnz), "matrix");
    for (psb_epk k = 0; k < t->nnz; k += BLOCK) {
        const psb_epk n = t->nnz - k < BLOCK ? t->nnz - k : BLOCK;
        good(X(spins)(n, t->ia + k, t->ja + k, t->val + k, s->a), "entries");
    }
}

static void make_matrix(struct system *s, const struct source *f, const struct X(mat) *format)
{
    struct X(triplets) t = { 0 };
    source_share(f, s->ctxt, &s->desc, &t);
    expect(s, &t);
    insert(s, &t);
    X(triplets_free)(&t);
    good(psb_cdasb(s->desc), "descriptor");
    good(X(spasb)(s->a, format, PSB_DUPL_ADD), "matrix");
}

static void fill_x(struct system *s)
{
    T *x;
    good(X(host_write)(s->x, &x), "x");
    for (psb_ipk l = 0; l < psb_cd_local_rows(s->desc); l++)
        x[l] = x_of(psb_loc_to_glob(s->desc, l));
}

static void multiply_once(struct system *s)
{
    const T *y;
    s->sum = 0;
    good(X(spmv)(1, s->a, s->x, 0, s->y, 'N'), "product");
    good(X(host_read)(s->y, &y), "y");
    for (psb_ipk l = 0; l < psb_cd_local_rows(s->desc); l++)
        s->sum += RE(y[l]) * weight_of(psb_loc_to_glob(s->desc, l));
    add_up(s->ctxt, 1, &s->sum);
}

int system_differs(struct system *s, int n)
{
    const size_t bytes = (size_t)psb_cd_local_rows(s->desc) * sizeof(T);
    int differ = 0;
    const T *y;
    void *first;
    good(psb_alloc(&first, bytes, 1, "first product"), "memory");
    for (int i = -1; i < n; i++) {
        good(X(spmv)(1, s->a, s->x, 0, s->y, 'N'), "product");
        good(X(host_read)(s->y, &y), "y");
        if (i < 0)
            memcpy(first, y, bytes);
        else
            differ += memcmp(first, y, bytes) != 0;
    }
    psb_free(first);
    MPI_Allreduce(MPI_IN_PLACE, &differ, 1, MPI_INT, MPI_MAX, psb_comm_of(s->ctxt));
    return differ;
}

static psb_ipk total(const struct psb_neighbours *n)
{
    return n->n ? n->start[n->n] : 0;
}

static size_t bytes_of(const struct psb_neighbours *n)
{
    return (size_t)total(n) * sizeof(T);
}

static void make_buffers(struct system *s)
{
    const struct psb_halo *h = psb_desc_halo(s->desc);
    const size_t out = bytes_of(&h->send), in = bytes_of(&h->recv), most = out > in ? out : in;
    if (s->on) {
        good(s->on->alloc_host(&s->out, out), "messages");
        good(s->on->alloc_host(&s->in, in), "messages");
        good(s->on->alloc((void **)&s->packed, most, "packed rows"), "packed rows");
    } else {
        good(psb_alloc_zero(&s->out, out, 1, "messages"), "messages");
        good(psb_alloc_zero(&s->in, in, 1, "messages"), "messages");
        good(psb_alloc_zero(&s->packed, most, 1, "packed rows"), "packed rows");
    }
}

void system_make(struct system *s, psb_ctxt *ctxt, const struct source *f, const struct X(mat) *format)
{
    *s = (struct system){ .ctxt = ctxt };
    make_matrix(s, f, format);
    s->on = s->a->ad->on;
    good(X(vects_like)(s->a, &s->x, &s->y), "vectors");
    make_buffers(s);
    fill_x(s);
    multiply_once(s);
}

void system_free(struct system *s)
{
    if (s->on) {
        s->on->free_host(s->out);
        s->on->free_host(s->in);
        s->on->free(s->packed);
    } else {
        psb_free(s->out);
        psb_free(s->in);
        psb_free(s->packed);
    }
    X(gefree)(s->x);
    X(gefree)(s->y);
    X(spfree)(s->a);
    psb_cdfree(s->desc);
}

/* --- phases --------------------------------------------------------------------------------------------- */

static enum psb_side side_of(const struct system *s)
{
    return s->on ? PSB_DEV : PSB_HOST;
}

static psb_err pack(struct system *s)
{
    struct psb_halo *h = psb_desc_halo(s->desc);
    const psb_ipk *idx;
    const T *x;
    PSB_TRY(psb_dual_move(&h->idx, s->on));
    PSB_TRY(psb_dual_read(&h->idx, side_of(s), &idx));
    PSB_TRY(psb_dual_read(&s->x->v, side_of(s), &x));
    return total(&h->send) ? X(vec)(side_of(s), s->on)->gth(total(&h->send), idx, 1, x, s->packed) : PSB_OK;
}

/* The product over the owned columns, or, for `halo`, over the halo columns. */
static psb_err part_of_product(struct system *s, bool halo)
{
    const enum psb_side side = side_of(s);
    const psb_ipk *rows;
    const T *x;
    T *y, *part;
    PSB_TRY(psb_dual_read(&s->x->v, side, &x));
    PSB_TRY(psb_dual_update(&s->y->v, side, &y));
    if (!halo)
        return X(mat_mm_on)(side, 1, s->a->ad, 1, x, 0, y, 'N');
    PSB_TRY(psb_dual_read(&s->a->bnd, side, &rows));
    PSB_TRY(psb_dual_write(&s->a->part, side, &part));
    return X(mat_mm_add)(side, 1, s->a->ah, 1, x + psb_cd_local_rows(s->desc), NULL, rows, y, part);
}

static psb_err messages(struct system *s)
{
    enum { MOST = 4096 };
    static MPI_Request q[MOST];
    const struct psb_halo *h = psb_desc_halo(s->desc);
    const MPI_Comm comm = psb_comm_of(s->ctxt);
    const psb_ipk *start = h->recv.start;
    int n = 0;
    PSB_CHECK(h->recv.n + h->send.n <= MOST, PSB_ENOTIMPL, "%d neighbours", h->recv.n + h->send.n);
    for (int k = 0; k < h->recv.n; k++)
        MPI_Irecv((T *)s->in + start[k], start[k + 1] - start[k], TMPI, h->recv.rank[k], BARE_TAG, comm,
                  &q[n++]);
    start = h->send.start;
    for (int k = 0; k < h->send.n; k++)
        MPI_Isend((T *)s->out + start[k], start[k + 1] - start[k], TMPI, h->send.rank[k], BARE_TAG, comm,
                  &q[n++]);
    PSB_MPI(MPI_Waitall(n, q, MPI_STATUSES_IGNORE));
    return PSB_OK;
}

static psb_err to_host(struct system *s)
{
    PSB_TRY(s->on->get_async(s->out, s->packed, bytes_of(&psb_desc_halo(s->desc)->send)));
    return s->on->sync();
}

static psb_err to_device(struct system *s)
{
    PSB_TRY(s->on->put_async(s->packed, s->in, bytes_of(&psb_desc_halo(s->desc)->recv)));
    return s->on->sync();
}

/* Copies to and from the host, with messages between them for STAGED. */
static psb_err copy_both_ways(struct system *s, bool staged)
{
    PSB_TRY(s->on ? to_host(s) : PSB_OK);
    PSB_TRY(staged ? messages(s) : PSB_OK);
    return s->on ? to_device(s) : PSB_OK;
}

static psb_err run_phase(struct system *s, enum phase p)
{
    T dot;
    switch (p) {
    case PRODUCT:
        return X(spmv)(1, s->a, s->x, 0, s->y, 'N');
    case PACK:
        return pack(s);
    case EXCHANGE:
        return X(halo)(s->x, 'N');
    case OWNED_PART:
    case HALO_PART:
        return part_of_product(s, p == HALO_PART);
    case REDUCTION:
        return X(gedot)(s->x, s->x, &dot);
    case UPDATE:
        return X(geaxpby)((R)0.5, s->x, (R)0.5, s->y);
    case MESSAGES:
        return messages(s);
    default:
        return copy_both_ways(s, p == STAGED);
    }
}

/* --- times ---------------------------------------------------------------------------------------------- */

/* Begin, and end, a measurement of the work on the device: by its events on a GPU, else by the host's clock.
 */
#ifdef WITH_CUDA
static cudaEvent_t event[2];

static void record_event(int i)
{
    if (!event[i])
        cu(cudaEventCreate(&event[i]), "event");
    cu(cudaEventRecord(event[i], psb_cuda_stream()), "event");
}
#endif

static double begin(const struct system *s)
{
    good(psb_cuda_DeviceSync(), "device");
    good(psb_barrier(s->ctxt), "barrier");
#ifdef WITH_CUDA
    if (s->on && psb_cuda_stream())
        record_event(0);
#endif
    return psb_wtime();
}

static double end(const struct system *s, double begun)
{
#ifdef WITH_CUDA
    float ms;
    if (s->on && psb_cuda_stream()) {
        record_event(1);
        cu(cudaEventSynchronize(event[1]), "event");
        cu(cudaEventElapsedTime(&ms, event[0], event[1]), "event");
        return 1e-3 * (double)ms;
    }
#endif
    (void)s;
    return now() - begun;
}

static double time_of(struct system *s, enum phase p, int batch)
{
    const double begun = begin(s);
    for (int i = 0; i < batch; i++)
        good(run_phase(s, p), phase_name[p]);
    return slowest(s->ctxt, end(s, begun)) / batch;
}

void system_time(struct system *s, int rounds, int batch, double seconds[PHASES])
{
    static double t[PHASES][MOST_ROUNDS];
    for (int r = -1; r < rounds; r++) /* the first round warms up */
        for (int p = 0; p < PHASES; p++) {
            const double now = time_of(s, (enum phase)p, batch);
            if (r >= 0)
                t[p][r] = now;
        }
    for (int p = 0; p < PHASES; p++)
        seconds[p] = median_of(t[p], rounds);
}
