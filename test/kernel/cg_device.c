/* cg_device.c -- test/kernel: conjugate gradients with a diagonal preconditioner without a host: two
 * iterations are captured as a CUDA graph, which is launched again and again.
 *
 *     cg_device [SPEC]...          lap7:128 lap7:200 lap7:256, or others that psb_generate knows
 *
 * On several processes each has its rows and its GPU.  For each format: microseconds of an iteration, by
 * graph, by the same calls without a graph, and with scalars on the host; the bytes of an iteration, each
 * vector once in each pass that uses it, the time of these by the bandwidth of a copy in the same run, and
 * the ratio of the times.  x is compared with that of iterations whose scalars are on the host: the same bits
 * on one process. */
#include "psb_cuda_format.h"
#include "psb_util.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "psb_type.h"
#include "cg_graph.h"
#include "matrix.h"

const char *const program = "cg_device";

static void report(psb_ctxt *ctxt, psb_desc *rows, struct X(spmat) *a)
{
    int me;
    psb_info(ctxt, &me, NULL);
    const struct cg_times us = X(cg_times)(ctxt, rows, a);
    const double vector = (double)psb_cd_local_rows(rows) * sizeof(T), rate = copy_bandwidth();
    const double bytes = (double)X(sp_bytes)(a) + CG_VECTORS * vector, ideal = 1e6 * bytes / rate;
    if (me == 0 && isnan(us.graph))
        printf("%-8s not measured: only sums by lsa can be captured\n", X(sp_fmt)(a));
    else if (me == 0)
        printf("%-8s %9.2f %9.2f %9.2f  %8.1f MB  %7.1f GB/s  %9.2f  %6.3f\n", X(sp_fmt)(a), us.graph,
               us.calls, us.host, 1e-6 * bytes, 1e-9 * rate, ideal, us.graph / ideal);
}

static void solve(psb_ctxt *ctxt, const char *spec)
{
    static const char *const format[] = { "hlg", "hdiag", "csrg" };
    const char *reason;
    psb_desc *rows;
    struct X(spmat) *a;
    struct X(triplets) t;
    struct X(scal) *first;
    int me, np;
    psb_info(ctxt, &me, &np);
    good(X(matrix_own)(ctxt, spec, &t), spec);
    good(X(matrix_assemble)(ctxt, &t, X(mat_by_name)("hlg"), &rows, &a), spec);
    X(triplets_free)(&t);
    good(X(scal_new)(&first, rows, &psb_vect_cuda), "scalar"); /* which chooses the transport of sums */
    const char *sums = psb_cd_sums_transport(rows, &reason);
    if (me == 0)
        printf("%s on %d processes, sums by %s%s%s\n%-8s %9s %9s %9s  %11s  %12s  %9s  %6s\n", spec, np,
               np > 1 ? sums : "one device", reason ? ": " : "", reason ? reason : "", "", "graph us",
               "calls us", "host us", "bytes", "copy", "bytes us", "ratio");
    for (int i = 0; i < 3; i++) {
        good(X(spcnv)(a, X(mat_by_name)(format[i])), "format");
        report(ctxt, rows, a);
    }
    X(scal_free)(first);
    X(spfree)(a);
    psb_cdfree(rows);
}

int main(int argc, char **argv)
{
    static const char *const standard[] = { "lap7:128", "lap7:200", "lap7:256" };
    psb_ctxt *ctxt = start(true);
    const bool there = psb_cuda_stream() != NULL;
    for (int i = 1; i < argc && there; i++)
        solve(ctxt, argv[i]);
    for (int i = 0; i < 3 && argc == 1 && there; i++)
        solve(ctxt, standard[i]);
    if (!there)
        puts("skipped: no GPU");
    finish(ctxt);
    return there ? EXIT_SUCCESS : SKIPPED;
}
