/* gpu_problem.c -- test/kernel: the matrix to be timed, x, and the correct op(A) x. */
#include "psb_cuda.h"
#include "psb_util.h"
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "psb_type.h"
#include "gpu_spmv.h"

static const long long FILL_FILES = 50000000;

/* Split WHAT or WHAT*COPIES into `base` and *copies, which is 0 if there is no *COPIES. */
static psb_err split(const char *what, char *base, size_t len, int *copies)
{
    const char *star = strrchr(what, '*');
    const size_t n = star ? (size_t)(star - what) : strlen(what);
    char *end = NULL;
    *copies = 0;
    PSB_CHECK(n > 0 && n < len, PSB_EARG,
              "argument MATRIX is \"%.60s\"; expected a name of 1 to %zu characters", what, len - 1);
    memcpy(base, what, n);
    base[n] = '\0';
    if (!star)
        return PSB_OK;
    long r = strtol(star + 1, &end, 10);
    PSB_CHECK(end > star + 1 && *end == '\0' && r >= 1 && r < 1000000000, PSB_EARG,
              "argument MATRIX is \"%.60s\"; expected a whole number of copies, from 1, after the *", what);
    *copies = (int)r;
    return PSB_OK;
}

psb_err X(gpu_check_name)(const char *what)
{
    char base[1024];
    int copies;
    PSB_TRY(split(what, base, sizeof base, &copies));
    if (matrix_is_generated(base))
        return matrix_parse(base, &(struct psb_gen){ .m = 0 });
    FILE *f = fopen(base, "r");
    PSB_CHECK(f, PSB_EIO, "argument MATRIX is \"%.60s\"; expected a file that can be read, or lap7:100, ...",
              what);
    fclose(f);
    return PSB_OK;
}

/* Returns the number of copies that have at least `fill` entries. */
static int copies_for(psb_epk nnz, long long fill)
{
    const long long r = nnz > 0 ? (fill + nnz - 1) / nnz : 1;
    return r < 1 ? 1 : r < INT_MAX ? (int)r : INT_MAX;
}

static psb_err load_matrix(struct problem *p, psb_ctxt *ctxt, const char *what)
{
    char base[1024];
    struct X(triplets) t;
    PSB_TRY(split(what, base, sizeof base, &p->copies));
    matrix_name(p->name, sizeof p->name, base);
    PSB_TRY(X(matrix_read)(ctxt, base, &t));
    psb_err e = t.m <= INT_MAX ? X(matrix_from_rows)(&t, 0, (psb_ipk)t.m, &p->a)
                               : PSB_FAIL(PSB_EARG, "%s has 2^31 rows and more; expected fewer", base);
    X(triplets_free)(&t);
    PSB_TRY(e);
    const long long fill = opt.fill >= 0 ? opt.fill : matrix_is_generated(base) ? 0 : FILL_FILES;
    if (p->copies == 0)
        p->copies = copies_for(p->a->mat.nnz, fill);
    PSB_TRY(X(matrix_repeat)(&p->a, p->copies));
    p->m = p->a->mat.nrows;
    p->n = p->a->mat.ncols;
    p->nnz = p->a->mat.nnz;
    p->bytes = (double)p->nnz * (sizeof(T) + 4) + 4 * ((double)p->m + 1) +
               (double)sizeof(T) * opt.columns * ((double)p->m + p->n);
    return PSB_OK;
}

static psb_err make_vectors(struct problem *p)
{
    const psb_ipk nx = opt.trans == 'N' ? p->n : p->m, ny = opt.trans == 'N' ? p->m : p->n;
    const psb_lpk all = (psb_lpk)nx * opt.columns;
    T *x;
    PSB_TRY(psb_alloc(&x, (size_t)all, sizeof *x, "x"));
    for (psb_lpk k = 0; k < all; k++)
        x[k] = X(x_at)(k);
    psb_err e = X(vect_bld)(&p->x, nx, opt.columns, x, &psb_vect_cuda);
    psb_free(x);
    PSB_TRY(e);
    PSB_TRY(X(vect_new_n)(&p->y, ny, opt.columns, &psb_vect_cuda));
    PSB_TRY(X(device_read)(p->x, &p->dx));
    return X(device_update)(p->y, &p->dy);
}

psb_err X(gpu_load)(struct problem *p, psb_ctxt *ctxt, const char *what)
{
    *p = (struct problem){ .copies = 0 };
    psb_err e = load_matrix(p, ctxt, what);
    if (e == PSB_OK)
        e = X(right_make)(&p->right, p->a, opt.columns, opt.trans);
    if (e == PSB_OK)
        e = make_vectors(p);
    if (e != PSB_OK)
        X(gpu_unload)(p);
    return e;
}

void X(gpu_unload)(struct problem *p)
{
    if (p->a)
        X(mat_free)(&p->a->mat);
    X(gefree)(p->x);
    X(gefree)(p->y);
    X(right_free)(&p->right);
    *p = (struct problem){ .copies = 0 };
}

psb_err X(gpu_error)(const struct problem *p, struct runner *r)
{
    const T *y;
    T *dy;
    PSB_TRY(X(set_scal)(MAKE(NAN, NAN), p->y));
    PSB_TRY(X(device_update)(p->y, &dy));
    PSB_CHECK(dy == p->dy, PSB_ESTATE, "y has moved on the device; expected it to stay");
    PSB_TRY(r->kind->product(p, r->a));
    PSB_TRY(X(host_read)(p->y, &y));
    r->error = X(right_error)(&p->right, y);
    return PSB_OK;
}
