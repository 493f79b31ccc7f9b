/* librsb_none.c -- room: rsb.  Without LIBRSB no matrix can be made, so the other functions are never
 * called. */
#include "librsb.h"

int psb_librsb_found(void)
{
    return 0;
}

psb_err psb_librsb_open(void)
{
    return PSB_OK;
}

void psb_librsb_close(void)
{
}

static psb_err off(void)
{
    return PSB_FAIL(PSB_ENOTIMPL, "RSB is off: this library was built without LIBRSB (Debian: librsb-dev)");
}

psb_err psb_librsb_check(const char *fmt, psb_ipk m, psb_ipk n, psb_epk nz)
{
    (void)fmt, (void)m, (void)n, (void)nz;
    return off();
}

psb_err psb_librsb_make(char type, psb_ipk m, psb_ipk n, psb_epk nz, const psb_ipk *ia, const psb_ipk *ja,
                        const void *val, struct rsb_mtx_t **a)
{
    (void)type, (void)m, (void)n, (void)nz, (void)ia, (void)ja, (void)val, (void)a;
    return off();
}

psb_err psb_librsb_copy(char type, const struct rsb_mtx_t *a, struct rsb_mtx_t **b)
{
    (void)type, (void)a, (void)b;
    return off();
}

void psb_librsb_free(struct rsb_mtx_t *a)
{
    (void)a;
}

size_t psb_librsb_bytes(const struct rsb_mtx_t *a)
{
    (void)a;
    return 0;
}

psb_err psb_librsb_tune(struct rsb_mtx_t **a, int rounds, int *threads)
{
    (void)a, (void)rounds, (void)threads;
    return off();
}

psb_err psb_librsb_threads(int n)
{
    (void)n;
    return off();
}

psb_err psb_librsb_entries(const struct rsb_mtx_t *a, psb_ipk *ia, psb_ipk *ja, void *val)
{
    (void)a, (void)ia, (void)ja, (void)val;
    return off();
}

psb_err psb_librsb_look(const struct rsb_mtx_t *a, int n, const psb_ipk *ia, const psb_ipk *ja, void *val,
                        int *all)
{
    (void)a, (void)n, (void)ia, (void)ja, (void)val, (void)all;
    return off();
}

psb_err psb_librsb_put(struct rsb_mtx_t *a, int n, const psb_ipk *ia, const psb_ipk *ja, const void *val,
                       int add)
{
    (void)a, (void)n, (void)ia, (void)ja, (void)val, (void)add;
    return off();
}

psb_err psb_librsb_zero(struct rsb_mtx_t *a, const void *zero)
{
    (void)a, (void)zero;
    return off();
}

psb_err psb_librsb_csmm(const struct rsb_mtx_t *a, psb_ipk k, const void *alpha, const void *x,
                        const void *beta, void *y, char trans)
{
    (void)a, (void)k, (void)alpha, (void)x, (void)beta, (void)y, (void)trans;
    return off();
}
