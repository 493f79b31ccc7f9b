/* librsb_none.c -- rsb: without LIBRSB no matrix can be made, so that most of these functions are never
 * called. */
#include "librsb.h"
#pragma GCC diagnostic ignored "-Wunused-parameter"

bool psb_librsb_found(void)
{
    return false;
}

const char *psb_librsb_version(void)
{
    return NULL;
}

psb_err psb_librsb_open(void)
{
    return PSB_OK;
}

void psb_librsb_close(void)
{
}

static psb_err no_librsb(void)
{
    return PSB_FAIL(PSB_ENOTIMPL, "RSB is off: this library was built without LIBRSB (Debian: librsb-dev)");
}

/* clang-format off */
#define LACKING(...) psb_err __VA_ARGS__ { return no_librsb(); }
LACKING(psb_librsb_check(const char *fmt, psb_ipk m, psb_ipk n, psb_epk nz))
LACKING(psb_librsb_make(char type, psb_ipk m, psb_ipk n, psb_epk nz, const psb_ipk *ia, const psb_ipk *ja,
        const void *val, struct rsb_mtx_t **a))
LACKING(psb_librsb_copy(char type, const struct rsb_mtx_t *a, struct rsb_mtx_t **b))
LACKING(psb_librsb_tune(struct rsb_mtx_t **a, int rounds, int *threads))
LACKING(psb_librsb_threads(int n))
LACKING(psb_librsb_entries(const struct rsb_mtx_t *a, psb_ipk *ia, psb_ipk *ja, void *val))
LACKING(psb_librsb_look(const struct rsb_mtx_t *a, int n, const psb_ipk *ia, const psb_ipk *ja, void *val,
        bool *all))
LACKING(psb_librsb_put(struct rsb_mtx_t *a, int n, const psb_ipk *ia, const psb_ipk *ja, const void *val,
        bool add))
LACKING(psb_librsb_zero(struct rsb_mtx_t *a, const void *zero))
LACKING(psb_librsb_csmm(const struct rsb_mtx_t *a, psb_ipk k, const void *alpha, const void *x,
        const void *beta, void *y, char trans))
/* clang-format on */

void psb_librsb_free(struct rsb_mtx_t *a)
{
}

size_t psb_librsb_bytes(const struct rsb_mtx_t *a)
{
    return 0;
}
