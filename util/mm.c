/* mm.c -- util: Matrix Market files read by one process. */
#include "config.h"
#include "mm_block.h"
#include "psb_alloc.h"
#include "psb_type.h"

static psb_err read_mm(const char *path, void (*progress)(void *arg, double fraction), void *arg,
                       struct X(triplets) *t)
{
    struct psb_text in;
    struct psb_mm_header a;
    struct X(mm_block) b = { .a = &a };
    PSB_TRY(psb_mm_open(path, &in, &a));
    in.progress = progress;
    in.arg = arg;
    psb_err e = X(mm_fits)(&in, 1, &a);
    PSB_THEN(e, X(mm_lines)(&in, &b));
    PSB_THEN(e, psb_mm_enough(&in, &a, b.found));
    PSB_THEN(e, X(triplets_resize)(&b.e.t, b.e.t.nnz));
    psb_text_close(&in);
    b.e.t.m = a.m;
    b.e.t.n = a.n;
    return X(triplets_hand_over)(e, &b.e.t, t);
}

psb_err X(mm_read)(const char *path, void (*progress)(void *arg, double fraction), void *arg,
                   struct X(triplets) *t)
{
    PSB_NEED(path, "the name of a file");
    PSB_NEED(t, "where to store the matrix");
    PSB_TRY(read_mm(path, progress, arg, t));
    if (progress)
        progress(arg, 1);
    return PSB_OK;
}

static psb_err densify(const char *path, const struct X(triplets) *t, T **val)
{
    PSB_CHECK(!t->n || t->m <= INT64_MAX / t->n, PSB_EARG,
              "%s: %" PRId64 " by %" PRId64
              " entries are too many for a dense matrix; expected less than 2^63",
              path, t->m, t->n);
    T *a;
    PSB_TRY(psb_alloc_zero(&a, (size_t)(t->m * t->n), sizeof *a, "dense matrix"));
    for (psb_epk k = 0; k < t->nnz; k++) {
        T *at = &a[t->ia[k] + t->ja[k] * t->m];
        *at = *at == 0 ? t->val[k] : *at + t->val[k]; /* 0 + -0 would lose the sign */
    }
    *val = a;
    return PSB_OK;
}

psb_err X(mm_read_array)(const char *path, psb_lpk *m, psb_lpk *n, T **val)
{
    PSB_NEED(path, "the name of a file");
    PSB_NEED(m, "where to store it");
    PSB_NEED(n, "where to store it");
    PSB_NEED(val, "where to store it");
    struct X(triplets) t;
    PSB_TRY(read_mm(path, NULL, NULL, &t));
    psb_err e = densify(path, &t, val);
    if (e == PSB_OK) {
        *m = t.m;
        *n = t.n;
    }
    X(triplets_free)(&t);
    return PSB_PASS(e);
}
