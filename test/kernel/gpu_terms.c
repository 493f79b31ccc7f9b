/* gpu_terms.c -- room: test/kernel.  The terms from which AUTOG forecasts the time of a product (cost.h), for
 * fit_autog.py. */
#include "psb_cuda.h"
#include "psb_ext.h"
#include "psb_util.h"
#include <getopt.h>
#include <limits.h>
#include <stdlib.h>
#include "cost.h"
#include "psb_type.h"
#include "bench.h"
#include "device_formats.h"
#include "matrix.h"

const char *const program = "gpu_terms";
static long long fill = 50000000;

static const char help[] =
    "Usage: gpu_terms_d [--fill ENTRIES] MATRIX ...     (gpu_terms_s, _c, _z: other scalars)\n"
    "\n"
    "MATRIX is as for gpu_spmv.  A file is repeated until it has ENTRIES, default 50000000.\n"
    "PSB_DEVICE=fake is enough.  For each matrix and format a line is printed: matrix,\n"
    "type, format, entries, and the terms in the order of cost.h.  No format has a limit\n"
    "here.\n";

enum key { FILL = 'A' };

static const struct option table[] = {
    { "fill", required_argument, NULL, FILL },
    { "help", no_argument, NULL, 'h' },
    { NULL, 0, NULL, 0 },
};

static void set_option(int key, const char *s)
{
    if (key == FILL)
        fill = count("fill", s, 1, INT_MAX, "a number of entries");
}

static void print_terms(const char *name, const char *format, const struct X(compressed) *rows)
{
    struct psb_cost_terms t;
    struct psb_forecast f;
    struct X(mat) *empty;
    good(X(mat_new)(X(mat_by_name)(format), rows->n, rows->m, rows->ptr[rows->n], &empty), name);
    set_limit(empty, 0); /* what one machine refuses may have been measured on another */
    psb_expect_errors(1);
    if (X(device_terms)(empty, rows, &f, &t) == PSB_OK)
        printf("%s\t%c\t%s\t%" PRId64
               "\t%.10g\t%.10g\t%.10g\t%.10g\t%.10g\t%.10g\t%.10g\t%.10g\t%.10g\t%.10g\n",
               name, LETTER, format, rows->ptr[rows->n], t.second, t.bytes, t.padding, t.vectors, t.rows,
               t.sectors, t.misses, t.far, t.parts, t.chain);
    psb_expect_errors(0);
    X(mat_free)(empty);
}

static void load(psb_ctxt *ctxt, const char *what, struct X(coo_mat) **a)
{
    struct X(triplets) t;
    good(matrix_read(ctxt, what, &t), what);
    good(matrix_from_rows(&t, 0, (psb_ipk)t.m, a), what);
    X(triplets_free)(&t);
    const psb_epk nnz = (*a)->mat.nnz;
    if (!matrix_is_generated(what) && nnz > 0)
        good(matrix_repeat(a, (int)((fill + nnz - 1) / nnz)), what);
}

static void print_matrix(psb_ctxt *ctxt, const char *what)
{
    static const char *const formats[] = { "CSRG", "HLG", "ELG", "HYBG", "DIAG", "HDIAG", "BSRG", "HLGP" };
    struct X(compressed) rows;
    struct X(coo_mat) *a;
    struct X(mat) *made;
    char name[64];
    matrix_name(name, sizeof name, what);
    load(ctxt, what, &a);
    good(X(csr_view)(&a->mat, &rows, &made), what);
    for (int i = 0; i < (int)(sizeof formats / sizeof *formats); i++)
        print_terms(name, formats[i], &rows);
    fflush(stdout);
    X(mat_free)(made);
    X(mat_free)(&a->mat);
}

int main(int argc, char **argv)
{
    psb_ctxt *ctxt;
    read_command(argc, argv, table, help, set_option);
    good(psb_init(&ctxt), "MPI");
    good(psb_cuda_init(ctxt), "device");
    for (int i = optind; i < argc; i++)
        print_matrix(ctxt, argv[i]);
    psb_exit(ctxt);
    return 0;
}
