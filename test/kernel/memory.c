/* memory.c -- test/kernel: memory of the host at its peak while a matrix is assembled and converted.
 *
 *     OMP_NUM_THREADS=1 mpirun -n P memory [SPEC [FORMAT ...]]
 *
 * SPEC as for psb-spmv --generate; default lap7:60.  Without FORMAT: all formats of the host.  The rows are
 * generated and inserted a thousand at a time.  Bytes are those of the library's own arrays, which are
 * counted as they are allocated, so that they are the same in every run; maxima over all processes.  Each
 * step is also given as a multiple of what it must hold: the assembly in CSR, of the bytes of CSR; a
 * conversion, of those of CSR and of the format.  Exit status 1 if an assembly takes more than 1.6 times, or
 * a conversion more than 1.1 times as much. */
#include "psb_ext_format.h"
#include "psb_util.h"
#include "allocated.h"
#include <stdlib.h>
#include "bench.h"

const char *const program = "memory";

enum { PIECE = 1000 };               /* rows */
static const double ROUNDING = 12e6; /* large arrays are rounded up to huge pages, six of them */

static int me, exceeded;
static size_t base; /* bytes held that do not count */
static psb_ctxt *ctxt;

static psb_dspmat *inserted(const struct psb_gen *g, psb_desc *d)
{
    psb_dspmat *a;
    good(psb_d_spall(&a, d, 0), "memory");
    for (psb_ipk lo = 0, hi, m = psb_cd_local_rows(d); lo < m; lo = hi) {
        struct psb_d_triplets t;
        hi = m - lo < PIECE ? m : lo + PIECE;
        good(psb_d_generate_rows(g, d, lo, hi, &t), "memory");
        good(psb_d_spins(t.nnz, t.ia, t.ja, t.val, a), "memory");
        psb_d_triplets_free(&t);
    }
    return a;
}

/* Start a step; what is held beyond `from` counts. */
static void begin(size_t from)
{
    base = from;
    allocated.peak = allocated.held;
}

/* Print a step, which must hold `least` bytes and may hold `most` times as many. */
static void report(const char *step, size_t least, double most)
{
    const double peak = (double)(allocated.peak - base), held = (double)(allocated.held - base);
    double v[] = { peak, held, peak / (double)least, peak > most * (double)least + ROUNDING };
    good(psb_max(ctxt, 4, v, 0), "memory");
    if (me == 0)
        printf("%-10s %10.2f %10.2f %8.2f%s\n", step, v[0] / 1e6, v[1] / 1e6, v[2],
               v[3] ? "  more than expected" : "");
    exceeded |= me == 0 && v[3] > 0;
}

static psb_dspmat *assembled(const struct psb_gen *g, psb_desc *d)
{
    const size_t before = allocated.held;
    psb_dspmat *a = inserted(g, d);
    good(psb_cdasb(d), "memory");
    good(psb_d_sp_trim(a), "memory");
    begin(before + psb_cd_bytes(d));
    good(psb_d_spasb(a, &psb_d_csr_mold.mat, PSB_DUPL_ADD), "memory");
    report("assembly", psb_d_sp_bytes(a), 1.6);
    return a;
}

static void convert(const psb_dspmat *csr, const char *format)
{
    const struct psb_d_mat *mold = psb_d_mat_by_name(format);
    psb_dspmat *a;
    good(mold ? PSB_OK : PSB_FAIL(PSB_EARG, "there is no format %s", format), "memory");
    begin(allocated.held);
    good(psb_d_sp_clone(csr, &a), "memory");
    allocated.peak = allocated.held;
    const size_t source = psb_d_sp_bytes(a);
    if (psb_d_spcnv(a, mold) == PSB_OK)
        report(format, source + psb_d_sp_bytes(a), 1.1);
    else if (me == 0)
        printf("%-10s %s\n", format, psb_errmsg());
    psb_clean_errstack();
    psb_d_spfree(a);
}

static void convert_all(const psb_dspmat *csr)
{
    const struct psb_d_mat *mold;
    for (int i = 0; (mold = psb_d_mat_format(i)); i++)
        if (!mold->ops->storage.choose && !mold->on)
            convert(csr, mold->ops->fmt);
}

/* Measure a matrix in the formats named, or in all. */
static void measure(const char *spec, int nformats, char **formats)
{
    struct psb_gen g;
    psb_desc *d;
    good(psb_gen_parse(spec, &g), "memory");
    good(psb_part_blocks(ctxt, g.m, &d), "memory");
    if (me == 0)
        printf("%s\n%-10s %10s %10s %8s\n", spec, "step", "peak MB", "after", "times");
    psb_dspmat *a = assembled(&g, d);
    for (int i = 0; i < nformats; i++)
        convert(a, formats[i]);
    if (nformats == 0)
        convert_all(a);
    psb_d_spfree(a);
    psb_cdfree(d);
}

int main(int argc, char **argv)
{
    ctxt = start(false);
    psb_info(ctxt, &me, NULL);
    if (allocated.counted)
        measure(argc > 1 ? argv[1] : "lap7:60", argc > 2 ? argc - 2 : 0, argv + 2);
    else if (me == 0)
        printf("skipped: this build does not count memory\n");
    finish(ctxt);
    return allocated.counted ? exceeded : SKIPPED;
}
