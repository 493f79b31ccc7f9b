/* legacy.c -- test/cbind: a program for cuSPARSE's deprecated names, in C11 or C++17: without its header, or
 * with -DBESIDE next to it, by the names psb_?_cusparse_...  It solves a tridiagonal system of complex
 * numbers and compresses it, in host memory: PSB_DEVICE=none or fake. */
#ifdef WITH_CUCOMPLEX
#include <cuComplex.h>
typedef cuDoubleComplex number;
#define NUMBER(re) make_cuDoubleComplex(re, 0)
#define REAL(a)    cuCreal(a)
#elif defined(__cplusplus)
#include <complex>
typedef std::complex<double> number;
#define NUMBER(re) number(re, 0)
#define REAL(a)    (a).real()
#else
#include <complex.h>
typedef double _Complex number;
#define NUMBER(re) (number)(re)
#define REAL(a)    creal(a)
#endif
#ifdef BESIDE
#include <cusparse.h>
#include "psbc_cusparse_legacy.h"
#define HANDLE        struct psb_cusparse_handle *
#define DESCR         struct psb_cusparse_descr *
#define create        psb_cusparse_create
#define destroy       psb_cusparse_destroy
#define create_descr  psb_cusparse_create_descr
#define destroy_descr psb_cusparse_destroy_descr
#define set_base      psb_cusparse_set_base
#define gtsv2         psb_z_cusparse_gtsv2
#define nnz_compress  psb_z_cusparse_nnz_compress
#else
#define PSBC_CUSPARSE_NAMES
#include "psbc_cusparse_legacy.h"
#define HANDLE        cusparseHandle_t
#define DESCR         cusparseMatDescr_t
#define create        cusparseCreate
#define destroy       cusparseDestroy
#define create_descr  cusparseCreateMatDescr
#define destroy_descr cusparseDestroyMatDescr
#define set_base      cusparseSetMatIndexBase
#define gtsv2         cusparseZgtsv2
#define nnz_compress  cusparseZnnz_compress
#endif
#include <math.h>
#include <stdio.h>

#define NEED(call) \
    if ((call) != CUSPARSE_STATUS_SUCCESS) \
    return printf("%s\n", #call), 1

int main(void)
{
    number d[4], e[4], b[4];
    const int off[] = { 1, 3, 5 };
    int per_row[2], n = 0;
    HANDLE handle;
    DESCR descr;
    NEED(create(&handle));
    NEED(create_descr(&descr));
    NEED(set_base(descr, CUSPARSE_INDEX_BASE_ONE));
    for (int i = 0; i < 4; i++) {
        d[i] = NUMBER(3 + i);
        e[i] = NUMBER(-1);
        b[i] = NUMBER(2 + i - (i > 0) - (i < 3) + 1);
    }
    NEED(gtsv2(handle, 4, 1, e, d, e, b, 4, NULL));
    NEED(nnz_compress(handle, 2, descr, d, off, per_row, &n, NUMBER(4)));
    NEED(destroy_descr(descr));
    NEED(destroy(handle));
    for (int i = 0; i < 4; i++)
        if (fabs(REAL(b[i]) - 1) > 1e-14)
            return printf("element %d is %g; expected 1\n", i, REAL(b[i])), 1;
    return n == 2 && per_row[0] == 0 && per_row[1] == 2 ? 0 : (printf("%d above 4; expected 2\n", n), 1);
}
