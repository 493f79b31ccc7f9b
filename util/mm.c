/* mm.c -- room: util.  Matrix Market files read by one process. */
#include "config.h"
#include "mm_block.h"
#include "psb_alloc.h"
#include "psb_type.h"

void X(triplets_free)(struct X(triplets) *t)
{
    if (!t)
        return;
    psb_free(t->ia);
    psb_free(t->ja);
    psb_free(t->val);
    *t = (struct X(triplets)){ .m = 0 };
}

static psb_err cut_to_length(struct X(triplets) *t)
{
    size_t n = (size_t)t->nnz;
    PSB_TRY(psb_resize(&t->ia, n, sizeof *t->ia, "row indices"));
    PSB_TRY(psb_resize(&t->ja, n, sizeof *t->ja, "column indices"));
    return psb_resize(&t->val, n, sizeof *t->val, "values");
}

static psb_err entries(struct psb_text *in, struct X(mm_block) *b)
{
    PSB_TRY(X(mm_fits)(in, b->a));
    PSB_TRY(X(mm_lines)(in, b));
    PSB_TRY(psb_mm_enough(in, b->a, b->found));
    return cut_to_length(&b->t);
}

static psb_err read_file(const char *path, void (*progress)(void *arg, double fraction), void *arg,
                         struct X(triplets) *t)
{
    struct psb_text in;
    struct psb_mm_header a;
    struct X(mm_block) b = { .a = &a };
    PSB_TRY(psb_mm_open(path, &in, &a));
    in.progress = progress;
    in.arg = arg;
    b.t.m = a.m;
    b.t.n = a.n;
    psb_err e = entries(&in, &b);
    psb_text_close(&in);
    if (e != PSB_OK) {
        X(triplets_free)(&b.t);
        return e;
    }
    *t = b.t;
    return PSB_OK;
}

psb_err X(mm_read)(const char *path, void (*progress)(void *arg, double fraction), void *arg,
                   struct X(triplets) *t)
{
    PSB_NEED(path, "the name of a file");
    PSB_NEED(t, "where to store the matrix");
    PSB_TRY(read_file(path, progress, arg, t));
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
    PSB_CHECK(m && n && val, PSB_EARG, "argument %s is NULL; expected where to store it",
              !m   ? "m"
              : !n ? "n"
                   : "val");
    struct X(triplets) t;
    PSB_TRY(read_file(path, NULL, NULL, &t));
    psb_err e = densify(path, &t, val);
    if (e == PSB_OK) {
        *m = t.m;
        *n = t.n;
    }
    X(triplets_free)(&t);
    return PSB_PASS(e);
}
