/* halo.c -- test/kernel: the halo exchange and bare messages of the same sizes, in one run.
 *
 *     mpirun -n P halo [ROUNDS]
 *
 * A grid is distributed in slabs, as lap7 is in blocks of rows: every process sends its first plane to the
 * previous process and its last plane to the next one.  `slab`: the rows of a plane are contiguous;
 * `strided`: they are every eighth row and must be packed.  psb_halo_start and psb_halo_end are compared with
 * MPI_Irecv, MPI_Isend and MPI_Waitall from buffers that are ready.  Rounds alternate; a time is that of the
 * slowest process; the ratio is the median of the rounds' ratios. */
#include "psb_base.h"
#include <stdlib.h>
#include "bench.h"

const char *const program = "halo";

enum { STRIDE = 8, PLANES = 4, MOST_ROUNDS = 1000 };

/* One size: elements for each neighbour, a vector, and the buffers of the bare messages. */
struct bench {
    psb_ctxt *ctxt;
    int me, np, reps;
    psb_ipk n;
    psb_desc *desc;
    psb_dvect *x;
    double *out[2], *in[2];
};

static double time_halo(const struct bench *b)
{
    double t = psb_wtime();
    for (int i = 0; i < b->reps; i++) {
        good(psb_halo_start(b->x, 'N'), "halo");
        good(psb_halo_end(b->x), "halo");
    }
    return psb_wtime() - t;
}

static double time_bare(const struct bench *b)
{
    MPI_Comm comm = psb_comm_of(b->ctxt);
    double t = psb_wtime();
    for (int i = 0; i < b->reps; i++) {
        MPI_Request req[4];
        int m = 0;
        for (int s = 0; s < 2; s++) {
            int other = s ? b->me + 1 : b->me - 1;
            if (other >= 0 && other < b->np) {
                MPI_Irecv(b->in[s], b->n, MPI_DOUBLE, other, 7, comm, &req[m++]);
                MPI_Isend(b->out[s], b->n, MPI_DOUBLE, other, 7, comm, &req[m++]);
            }
        }
        MPI_Waitall(m, req, MPI_STATUSES_IGNORE);
    }
    return psb_wtime() - t;
}

/* Returns the seconds of one exchange on the slowest process. */
static double time_one(const struct bench *b, double (*timed)(const struct bench *))
{
    good(psb_barrier(b->ctxt), "halo");
    return slowest(b->ctxt, timed(b)) / b->reps;
}

/* Insert the plane of process `other` next to this process's slab as halo indices. */
static void use_plane(struct bench *b, int other, psb_ipk stride)
{
    psb_lpk rows = (psb_lpk)b->n * PLANES * stride, first = other * rows;
    if (other < 0 || other >= b->np)
        return;
    if (other < b->me)
        first += rows - (psb_lpk)b->n * stride;
    for (psb_ipk i = 0; i < b->n; i++) {
        psb_lpk g = first + i * stride;
        good(psb_cdins(b->desc, 1, NULL, &g), "halo");
    }
}

static void open_bench(struct bench *b, psb_ipk stride)
{
    good(psb_cdall_nl(&b->desc, b->ctxt, b->n * PLANES * stride), "halo");
    use_plane(b, b->me - 1, stride);
    use_plane(b, b->me + 1, stride);
    good(psb_cdasb(b->desc), "halo");
    good(psb_geall(&b->x, b->desc), "halo");
    good(psb_geasb(b->x, NULL), "halo");
    good(psb_set_scal(1, b->x), "halo");
    for (int s = 0; s < 2; s++) {
        good(psb_alloc_zero(&b->out[s], (size_t)b->n, sizeof(double), "messages"), "halo");
        good(psb_alloc_zero(&b->in[s], (size_t)b->n, sizeof(double), "messages"), "halo");
    }
}

static void close_bench(struct bench *b)
{
    psb_gefree(b->x);
    psb_cdfree(b->desc);
    for (int s = 0; s < 2; s++) {
        psb_free(b->out[s]);
        psb_free(b->in[s]);
    }
}

static void run(psb_ctxt *ctxt, size_t bytes, psb_ipk stride, int rounds)
{
    static double halo[MOST_ROUNDS], bare[MOST_ROUNDS], ratio[MOST_ROUNDS];
    struct bench b = { .ctxt = ctxt, .n = (psb_ipk)(bytes / sizeof(double)) };
    psb_info(ctxt, &b.me, &b.np);
    b.reps = bytes < 65536 ? 50 : 10;
    open_bench(&b, stride);
    for (int r = -2; r < rounds; r++) { /* the first two warm up */
        double t[2];
        for (int k = 0; k < 2; k++)
            t[(k + r) & 1] = time_one(&b, (k + r) & 1 ? time_bare : time_halo);
        if (r >= 0) {
            halo[r] = t[0];
            bare[r] = t[1];
            ratio[r] = t[0] / t[1];
        }
    }
    if (b.me == 0)
        printf("%-8s %10zu %12.2f %12.2f %8.2f\n", stride == 1 ? "slab" : "strided", bytes,
               1e6 * median_of(halo, rounds), 1e6 * median_of(bare, rounds), median_of(ratio, rounds));
    close_bench(&b);
}

int main(int argc, char **argv)
{
    const int rounds = argument(argc, argv, 1, 1, MOST_ROUNDS, 41);
    psb_ctxt *ctxt = start(false);
    int np, me;
    psb_info(ctxt, &me, &np);
    if (me == 0)
        printf("halo exchange, %d processes, median of %d rounds\n%-8s %10s %12s %12s %8s\n", np, rounds,
               "planes", "bytes", "psb us", "bare us", "ratio");
    for (psb_ipk stride = 1; stride <= STRIDE; stride += STRIDE - 1)
        for (size_t bytes = 1024; bytes <= 1048576; bytes *= 4)
            run(ctxt, bytes, stride, rounds);
    finish(ctxt);
    return EXIT_SUCCESS;
}
