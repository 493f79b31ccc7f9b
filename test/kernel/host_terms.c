/* host_terms.c -- room: test/kernel.  The terms from which AUTO forecasts the time of a product on the host
 * (host_cost.h), for fit_auto.py. */
#include "psb_ext.h"
#include "psb_simd.h"
#include "psb_util.h"
#include <getopt.h>
#include <stdlib.h>
#include "host_cost.h"
#include "psb_type.h"
#include "bench.h"
#include "matrix.h"

const char *const program = "host_terms";

static const char help[] =
    "Usage: host_terms_d MATRIX ...     (host_terms_s, _c, _z: other scalars)\n"
    "\n"
    "MATRIX is as for host_spmv.  For each matrix and format a line is printed: matrix,\n"
    "type, vector instructions, format, kind of kernel, entries, and the terms in the\n"
    "order of host_cost.h.\n";

static const struct option table[] = {
    { "help", no_argument, NULL, 'h' },
    { NULL, 0, NULL, 0 },
};

static void no_option(int key, const char *s)
{
    (void)key, (void)s;
}

static void print_terms(const char *name, const char *format, const struct X(compressed) *rows,
                        const struct psb_misses *m)
{
    const double vectors = sizeof(T) * ((double)rows->n + rows->m);
    struct psb_forecast f;
    struct X(mat) *empty;
    const struct X(mat) *mold = X(mat_by_name)(format);
    const struct X(mat_ops) *k = mold->ops;
    while (!k->forecast)
        k = k->super->ops;
    good(X(mat_new)(mold, rows->n, rows->m, rows->ptr[rows->n], &empty), name);
    psb_expect_errors(1);
    if (k->forecast(empty, rows, &f) == PSB_OK) {
        const struct psb_host_terms t = psb_host_terms_of(&f, m, vectors);
        printf("%s\t%c\t%s\t%s\t%d\t%" PRId64
               "\t%.10g\t%.10g\t%.10g\t%.10g\t%.10g\t%.10g\t%.10g\t%.10g\t%.10g\n",
               name, LETTER, psb_simd_name(psb_simd()), format, (int)f.work, rows->ptr[rows->n], t.lines,
               t.steps, t.changes, t.parts, t.near, t.far, t.bytes, t.beyond2, t.beyond3);
    }
    psb_expect_errors(0);
    X(mat_free)(empty);
}

static void print_matrix(psb_ctxt *ctxt, const char *what)
{
    static const char *const formats[] = { "CSR", "ELL", "HLL", "SELL", "HYB", "DIA", "HDIA", "BSR", "BELL" };
    struct X(triplets) t;
    struct X(compressed) rows;
    struct X(coo_mat) *a;
    struct X(mat) *made;
    char name[64];
    matrix_name(name, sizeof name, what);
    good(matrix_read(ctxt, what, &t), what);
    good(matrix_from_rows(&t, 0, (psb_ipk)t.m, &a), what);
    X(triplets_free)(&t);
    good(X(csr_view)(&a->mat, &rows, &made), what);
    const struct psb_misses m = psb_misses_of(rows.ptr[rows.n], rows.idx, sizeof(T));
    for (int i = 0; i < (int)(sizeof formats / sizeof *formats); i++)
        print_terms(name, formats[i], &rows, &m);
    fflush(stdout);
    X(mat_free)(made);
    X(mat_free)(&a->mat);
}

int main(int argc, char **argv)
{
    psb_ctxt *ctxt;
    read_command(argc, argv, table, help, no_option);
    good(psb_init(&ctxt), "MPI");
    good(psb_ext_init(), "formats");
    for (int i = optind; i < argc; i++)
        print_matrix(ctxt, argv[i]);
    psb_exit(ctxt);
    return 0;
}
