/* vendor_cusparse.c -- cuda/kernels: cuSPARSE: CSR, one column and several; handles, descriptors and
 * buffers are kept for the next product.  The library is loaded at first use, so that programs also start
 * without it. */
#define DISABLE_CUSPARSE_DEPRECATED
#include <cuda_runtime_api.h>
#include <cusparse.h>
#include <dlfcn.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <string.h>
#include "psb_base.h"
#include "psb_cuda_device.h"
#include "gpu.h"
#include "vendor.h"

/* --- the library -------------------------------------------------------------------------------------- */

#define TEXT_OF(x) #x
#define TEXT(x)    TEXT_OF(x)
#define SONAME     "libcusparse.so." TEXT(CUSPARSE_VER_MAJOR)

static struct {
    void *library;
#define CALL(name) __typeof__(&cusparse##name) name;
#include "cusparse_calls.h"
#undef CALL
} cusparse;

static psb_err find(const char *name, void *to)
{
    void *p = dlsym(cusparse.library, name);
    PSB_CHECK(p, PSB_ENOTIMPL, "the mold's vendor is 1, and %s has no %s; expected a newer one", SONAME,
              name);
    memcpy(to, &p, sizeof p);
    return PSB_OK;
}

static psb_err find_all(void)
{
#define CALL(name) PSB_TRY(find("cusparse" #name, &cusparse.name));
#include "cusparse_calls.h"
#undef CALL
    return PSB_OK;
}

static psb_err load_library(void)
{
    cusparse.library = dlopen(SONAME, RTLD_NOW);
    if (!cusparse.library)
        cusparse.library = dlopen(CUSPARSE_DIR "/" SONAME, RTLD_NOW);
    PSB_CHECK(cusparse.library, PSB_ENOTIMPL, "the mold's vendor is 1, and %s cannot be loaded: %s", SONAME,
              dlerror());
    psb_err e = find_all();
    if (e != PSB_OK) {
        dlclose(cusparse.library);
        cusparse.library = NULL;
    }
    return e;
}

static psb_err load(void)
{
    static atomic_flag loading = ATOMIC_FLAG_INIT;
    while (atomic_flag_test_and_set_explicit(&loading, memory_order_acquire))
        continue;
    const psb_err e = cusparse.library ? PSB_OK : load_library();
    atomic_flag_clear_explicit(&loading, memory_order_release);
    return e;
}

/* --- a matrix ----------------------------------------------------------------------------------------- */

struct psb_vendor {
    cusparseHandle_t handle;
    cusparseSpMatDescr_t a;
    const void *ja, *val; /* addresses for which `a` was made */
    int *irp;             /* on the device */
    psb_ipk k;
    cusparseDnVecDescr_t x, y;   /* for one column */
    cusparseDnMatDescr_t xs, ys; /* for k columns */
    void *buffer;
    cudaDataType type;
    alignas(16) char alpha[16];
    alignas(16) char beta[16];
};

static const cusparseOperation_t plain = CUSPARSE_OPERATION_NON_TRANSPOSE;
static const cusparseSpMVAlg_t one_alg = CUSPARSE_SPMV_CSR_ALG1;
static const cusparseSpMMAlg_t many_alg = CUSPARSE_SPMM_CSR_ALG3;

static psb_err sp(cusparseStatus_t s, const char *what)
{
    PSB_CHECK(s == CUSPARSE_STATUS_SUCCESS, PSB_EDEVICE, "%s: %s", what, cusparse.GetErrorString(s));
    return PSB_OK;
}

#define SP(call) PSB_TRY(sp(call, #call))

static cudaDataType type_of(char letter)
{
    switch (letter) {
    case 's':
        return CUDA_R_32F;
    case 'd':
        return CUDA_R_64F;
    case 'c':
        return CUDA_C_32F;
    default:
        return CUDA_C_64F;
    }
}

static size_t size_of(cudaDataType type)
{
    return type == CUDA_R_32F ? 4 : type == CUDA_C_64F ? 16 : 8;
}

/* Copy the row pointers as 32-bit integers: cuSPARSE accepts 64-bit row pointers only with 64-bit columns. */
static psb_err put_pointers(struct psb_vendor *v, const struct psb_vendor_csr *a)
{
    const struct psb_device *on = psb_cuda_device();
    const size_t bytes = ((size_t)a->m + 1) * sizeof(int);
    int *irp;
    PSB_TRY(psb_alloc(&irp, (size_t)a->m + 1, sizeof *irp, "row pointers for cuSPARSE"));
    for (psb_epk i = 0; i <= a->m; i++)
        irp[i] = (int)a->irp[i];
    psb_err e = on->alloc((void **)&v->irp, bytes, "row pointers for cuSPARSE");
    if (e == PSB_OK)
        e = psb_put(on, v->irp, irp, bytes, "row pointers for cuSPARSE");
    psb_free(irp);
    return e;
}

static psb_err open_matrix(struct psb_vendor *v, const struct psb_vendor_csr *a)
{
    PSB_TRY(put_pointers(v, a));
    SP(cusparse.Create(&v->handle));
    return sp(cusparse.CreateCsr(&v->a, a->m, a->n, a->nnz, v->irp, (void *)(uintptr_t)a->ja,
                                 (void *)(uintptr_t)a->val, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                                 CUSPARSE_INDEX_BASE_ZERO, v->type),
              "cusparseCreateCsr");
}

static void close_columns(struct psb_vendor *v)
{
    if (v->x)
        cusparse.DestroyDnVec(v->x);
    if (v->y)
        cusparse.DestroyDnVec(v->y);
    if (v->xs)
        cusparse.DestroyDnMat(v->xs);
    if (v->ys)
        cusparse.DestroyDnMat(v->ys);
    if (v->buffer)
        psb_cuda_device()->free(v->buffer);
    v->x = v->y = NULL;
    v->xs = v->ys = NULL;
    v->buffer = NULL;
    v->k = 0;
}

static psb_err open_one(struct psb_vendor *v, const struct psb_vendor_csr *a, void *x, void *y)
{
    size_t bytes;
    SP(cusparse.CreateDnVec(&v->x, a->n, x, v->type));
    SP(cusparse.CreateDnVec(&v->y, a->m, y, v->type));
    SP(cusparse.SpMV_bufferSize(v->handle, plain, v->alpha, v->a, v->x, v->beta, v->y, v->type, one_alg,
                                &bytes));
    PSB_TRY(psb_cuda_device()->alloc(&v->buffer, bytes, "buffer of cuSPARSE"));
    return sp(cusparse.SpMV_preprocess(v->handle, plain, v->alpha, v->a, v->x, v->beta, v->y, v->type,
                                       one_alg, v->buffer),
              "cusparseSpMV_preprocess");
}

static psb_err open_many(struct psb_vendor *v, const struct psb_vendor_csr *a, psb_ipk k, void *x, void *y)
{
    size_t bytes;
    SP(cusparse.CreateDnMat(&v->xs, a->n, k, k, x, v->type, CUSPARSE_ORDER_ROW));
    SP(cusparse.CreateDnMat(&v->ys, a->m, k, k, y, v->type, CUSPARSE_ORDER_ROW));
    SP(cusparse.SpMM_bufferSize(v->handle, plain, plain, v->alpha, v->a, v->xs, v->beta, v->ys, v->type,
                                many_alg, &bytes));
    PSB_TRY(psb_cuda_device()->alloc(&v->buffer, bytes, "buffer of cuSPARSE"));
    return sp(cusparse.SpMM_preprocess(v->handle, plain, plain, v->alpha, v->a, v->xs, v->beta, v->ys,
                                       v->type, many_alg, v->buffer),
              "cusparseSpMM_preprocess");
}

/* Make the descriptors of x and y, k columns, or point existing ones to these arrays. */
static psb_err point(struct psb_vendor *v, const struct psb_vendor_csr *a, psb_ipk k, void *x, void *y)
{
    if (v->k == k && k == 1) {
        SP(cusparse.DnVecSetValues(v->x, x));
        return sp(cusparse.DnVecSetValues(v->y, y), "cusparseDnVecSetValues");
    }
    if (v->k == k) {
        SP(cusparse.DnMatSetValues(v->xs, x));
        return sp(cusparse.DnMatSetValues(v->ys, y), "cusparseDnMatSetValues");
    }
    close_columns(v);
    psb_err e = k == 1 ? open_one(v, a, x, y) : open_many(v, a, k, x, y);
    if (e != PSB_OK)
        close_columns(v);
    else
        v->k = k;
    return e;
}

static psb_err multiply(struct psb_vendor *v, const struct psb_vendor_csr *a, psb_ipk k, const void *x,
                        void *y)
{
    SP(cusparse.SetStream(v->handle, psb_cudart_stream()));
    PSB_TRY(point(v, a, k, (void *)(uintptr_t)x, y));
    if (k == 1)
        return sp(
            cusparse.SpMV(v->handle, plain, v->alpha, v->a, v->x, v->beta, v->y, v->type, one_alg, v->buffer),
            "cusparseSpMV");
    return sp(cusparse.SpMM(v->handle, plain, plain, v->alpha, v->a, v->xs, v->beta, v->ys, v->type, many_alg,
                            v->buffer),
              "cusparseSpMM");
}

static psb_err open(char letter, const struct psb_vendor_csr *a, struct psb_vendor **v)
{
    struct psb_vendor *new;
    PSB_CHECK(a->nnz <= INT32_MAX, PSB_ENOTIMPL,
              "the mold's vendor is 1, cuSPARSE, and the matrix has %" PRId64 " entries; expected at most %d",
              a->nnz, INT32_MAX);
    PSB_TRY(load());
    PSB_TRY(psb_alloc_zero(&new, 1, sizeof *new, "cuSPARSE"));
    new->type = type_of(letter);
    new->ja = a->ja;
    new->val = a->val;
    psb_err e = open_matrix(new, a);
    if (e != PSB_OK) {
        psb_vendor_free(new);
        return e;
    }
    *v = new;
    return PSB_OK;
}

psb_err psb_vendor_csmm(struct psb_vendor **v, char letter, const struct psb_vendor_csr *a, psb_ipk k,
                        const void *alpha, const void *x, const void *beta, void *y)
{
    if (*v && ((*v)->ja != a->ja || (*v)->val != a->val)) {
        psb_vendor_free(*v);
        *v = NULL;
    }
    if (!*v)
        PSB_TRY(open(letter, a, v));
    memcpy((*v)->alpha, alpha, size_of((*v)->type));
    memcpy((*v)->beta, beta, size_of((*v)->type));
    return multiply(*v, a, k, x, y);
}

void psb_vendor_free(struct psb_vendor *v)
{
    if (!v)
        return;
    close_columns(v);
    if (v->a)
        cusparse.DestroySpMat(v->a);
    if (v->handle)
        cusparse.Destroy(v->handle);
    if (v->irp)
        psb_cuda_device()->free(v->irp);
    psb_free(v);
}
