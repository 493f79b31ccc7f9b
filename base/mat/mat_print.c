/* mat_print.c -- base/mat: write a matrix as text. */
#include "psb_format.h"
#include "psb_handle.h"
#include "mat_inside.h"
#include "number.h"
#include <errno.h>
#include <string.h>
#include "psb_type.h"

/* Write comment lines; returns < 0 on failure, as fprintf. */
static int print_header(FILE *to, const char *header)
{
    while (*header) {
        int n = (int)strcspn(header, "\n");
        if (fprintf(to, "%% %.*s\n", n, header) < 0)
            return -1;
        header += n + (header[n] == '\n');
    }
    return 0;
}

int X(print_entry)(FILE *to, psb_lpk i, psb_lpk j, T v)
{
    enum { DIGITS = sizeof(R) == sizeof(float) ? 9 : 17 }; /* enough for a number to be read back unchanged */
    char re[PSB_NUMBER], im[PSB_NUMBER];
    psb_print_number(re, DIGITS, (double)RE(v));
    psb_print_number(im, DIGITS, (double)IM(v));
    return fprintf(to, "%" PRId64 " %" PRId64 " %s%s%s\n", i + 1, j + 1, re, CPLX ? " " : "", CPLX ? im : "");
}

int X(print_head)(FILE *to, psb_lpk m, psb_lpk n, psb_epk nz, const char *header)
{
    if (fprintf(to, "%%%%MatrixMarket matrix coordinate %s general\n", CPLX ? "complex" : "real") < 0)
        return -1;
    if (header && print_header(to, header) < 0)
        return -1;
    return fprintf(to, "%" PRId64 " %" PRId64 " %" PRId64 "\n", m, n, nz);
}

static int print_all(FILE *to, const struct X(coo_mat) *t, const char *header)
{
    if (X(print_head)(to, t->mat.nrows, t->mat.ncols, t->mat.nnz, header) < 0)
        return -1;
    for (psb_epk k = 0; k < t->mat.nnz; k++)
        if (X(print_entry)(to, t->ia[k], t->ja[k], t->val[k]) < 0)
            return -1;
    return fflush(to);
}

psb_err X(mat_print)(const struct X(mat) *a, FILE *to, const char *header)
{
    struct X(coo_mat) *t;
    PSB_NEED_HANDLE(a, "a matrix");
    PSB_NEED(to, "a stream");
    PSB_TRY(X(mat_entries)(a, 0, a->nrows, &t));
    errno = 0;
    int failed = print_all(to, t, header) < 0;
    X(mat_free)(&t->mat);
    PSB_CHECK(!failed, PSB_EIO, "cannot write a matrix: %s", strerror(errno));
    return PSB_OK;
}

psb_err X(mat_print_path)(const struct X(mat) *a, const char *path, const char *header)
{
    PSB_NEED_HANDLE(a, "a matrix");
    PSB_NEED(path, "the name of a file");
    FILE *to = fopen(path, "w");
    PSB_CHECK(to, PSB_EIO, "argument path is \"%s\": %s", path, strerror(errno));
    psb_err e = X(mat_print)(a, to, header);
    int failed = fclose(to) != 0;
    PSB_TRY(e);
    PSB_CHECK(!failed, PSB_EIO, "cannot write \"%s\": %s", path, strerror(errno));
    return PSB_OK;
}
