/* librsb.c -- rsb: the calls of LIBRSB that are used. */
#include "librsb.h"
#include <rsb.h>
#ifdef _OPENMP
#include <omp.h>
#endif
_Static_assert(sizeof(rsb_coo_idx_t) == sizeof(psb_ipk) && (rsb_coo_idx_t)-1 < 0,
               "LIBRSB's indices are others");

enum { MOST_THREADS = 128 }; /* RSB_CONST_MAX_SUPPORTED_THREADS */

static bool runs;
static int threads; /* number of threads set; 0: unknown */

static psb_err error_of(rsb_err_t e, const char *what)
{
    char why[200] = "";
    if (e == RSB_ERR_NO_ERROR)
        return PSB_OK;
    rsb_strerror_r(e, why, sizeof why);
    return PSB_FAIL(e == RSB_ERR_ENOMEM ? PSB_ENOMEM : PSB_ESTATE, "LIBRSB, %s: %s", what, why);
}

bool psb_librsb_found(void)
{
    return true;
}

const char *psb_librsb_version(void)
{
    return RSB_LIBRSB_VER_STRING;
}

psb_err psb_librsb_open(void)
{
    if (!runs)
        PSB_TRY(error_of(rsb_lib_init(RSB_NULL_INIT_OPTIONS), "start"));
    runs = true;
    return PSB_OK;
}

void psb_librsb_close(void)
{
    if (runs)
        rsb_lib_exit(RSB_NULL_EXIT_OPTIONS);
    runs = false;
    threads = 0;
}

psb_err psb_librsb_check(const char *fmt, psb_ipk m, psb_ipk n, psb_epk nz)
{
    const psb_ipk most = RSB_MAX_MATRIX_DIM;
    const psb_epk entries = RSB_MAX_MATRIX_NNZ;
    PSB_CHECK(runs, PSB_ESTATE, "%s: LIBRSB does not run; expected psb_rsb_init before", fmt);
    PSB_CHECK(m <= most && n <= most, PSB_ENOTIMPL,
              "%s: the matrix is %d x %d; LIBRSB holds up to %d rows or columns", fmt, m, n, most);
    PSB_CHECK(nz <= entries, PSB_ENOTIMPL,
              "%s: the matrix has %" PRId64 " entries; LIBRSB holds up to %" PRId64, fmt, nz, entries);
    return PSB_OK;
}

static rsb_type_t type_of(char type)
{
    return type == 's'   ? RSB_NUMERICAL_TYPE_FLOAT
           : type == 'd' ? RSB_NUMERICAL_TYPE_DOUBLE
           : type == 'c' ? RSB_NUMERICAL_TYPE_FLOAT_COMPLEX
                         : RSB_NUMERICAL_TYPE_DOUBLE_COMPLEX;
}

psb_err psb_librsb_make(char type, psb_ipk m, psb_ipk n, psb_epk nz, const psb_ipk *ia, const psb_ipk *ja,
                        const void *val, struct rsb_mtx_t **a)
{
    const rsb_flags_t flags = RSB_FLAG_DEFAULT_RSB_MATRIX_FLAGS | RSB_FLAG_SORTED_INPUT;
    rsb_err_t e = RSB_ERR_NO_ERROR;
    struct rsb_mtx_t *new = rsb_mtx_alloc_from_coo_const(val, ia, ja, (rsb_nnz_idx_t)nz, type_of(type), m, n,
                                                         0, 0, flags, &e);
    PSB_TRY(error_of(new ? RSB_ERR_NO_ERROR : e == RSB_ERR_NO_ERROR ? RSB_ERR_ENOMEM : e, "a new matrix"));
    *a = new;
    return PSB_OK;
}

psb_err psb_librsb_copy(char type, const struct rsb_mtx_t *a, struct rsb_mtx_t **b)
{
    struct rsb_mtx_t *new = NULL;
    PSB_TRY(
        error_of(rsb_mtx_clone(&new, type_of(type), RSB_TRANSPOSITION_N, NULL, a, RSB_FLAG_IDENTICAL_FLAGS),
                 "a copy"));
    *b = new;
    return PSB_OK;
}

void psb_librsb_free(struct rsb_mtx_t *a)
{
    rsb_mtx_free(a);
}

size_t psb_librsb_bytes(const struct rsb_mtx_t *a)
{
    size_t n = 0;
    rsb_mtx_get_info(a, RSB_MIF_TOTAL_SIZE__TO__SIZE_T, &n);
    return n;
}

psb_err psb_librsb_tune(struct rsb_mtx_t **a, int rounds, int *best)
{
    rsb_int_t n = 0;
    rsb_err_t e = rsb_tune_spmm(a, NULL, *best ? NULL : &n, rounds, 0, RSB_TRANSPOSITION_N, NULL, NULL, 1,
                                RSB_FLAG_WANT_COLUMN_MAJOR_ORDER, NULL, 0, NULL, NULL, 0);
    threads = 0; /* the tuner may have changed the number of threads */
    PSB_TRY(error_of(e, "tuning"));
    *best = *best ? *best : n;
    return PSB_OK;
}

psb_err psb_librsb_threads(int n)
{
    rsb_int_t want = n < MOST_THREADS ? n : MOST_THREADS;
#ifdef _OPENMP
    if (omp_in_parallel())
        return PSB_OK;
#endif
    if (want != threads)
        PSB_TRY(error_of(rsb_lib_set_opt(RSB_IO_WANT_EXECUTING_THREADS, &want), "threads"));
    threads = want;
    return PSB_OK;
}

psb_err psb_librsb_entries(const struct rsb_mtx_t *a, psb_ipk *ia, psb_ipk *ja, void *val)
{
    return error_of(rsb_mtx_get_coo(a, val, ia, ja, RSB_FLAG_C_INDICES_INTERFACE), "entries");
}

psb_err psb_librsb_look(const struct rsb_mtx_t *a, int n, const psb_ipk *ia, const psb_ipk *ja, void *val,
                        bool *all)
{
    rsb_err_t e = rsb_mtx_get_vals(a, val, ia, ja, n, RSB_FLAG_C_INDICES_INTERFACE);
    *all = e != RSB_ERR_ELEMENT_NOT_FOUND;
    return *all ? error_of(e, "values") : PSB_OK;
}

psb_err psb_librsb_put(struct rsb_mtx_t *a, int n, const psb_ipk *ia, const psb_ipk *ja, const void *val,
                       bool add)
{
    rsb_flags_t how = add ? RSB_FLAG_DUPLICATES_SUM : RSB_FLAG_DUPLICATES_KEEP_LAST;
    return error_of(rsb_mtx_set_vals(a, val, ia, ja, n, RSB_FLAG_C_INDICES_INTERFACE | how), "new values");
}

psb_err psb_librsb_zero(struct rsb_mtx_t *a, const void *zero)
{
    return error_of(rsb_mtx_upd_vals(a, RSB_ELOPF_MUL, zero), "zeros");
}

psb_err psb_librsb_csmm(const struct rsb_mtx_t *a, psb_ipk k, const void *alpha, const void *x,
                        const void *beta, void *y, char trans)
{
    rsb_trans_t op = trans == 'N'   ? RSB_TRANSPOSITION_N
                     : trans == 'T' ? RSB_TRANSPOSITION_T
                                    : RSB_TRANSPOSITION_C;
    if (k == 1)
        return error_of(rsb_spmv(op, alpha, a, x, 1, beta, y, 1), "product");
    return error_of(rsb_spmm(op, alpha, a, k, RSB_FLAG_WANT_ROW_MAJOR_ORDER, x, k, beta, y, k), "product");
}
