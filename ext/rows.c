/* rows.c -- ext: rows of a format, listed by several threads. */
#include "psb_ext_format.h"
#include "psb_team.h"
#include "psb_type.h"

/* Rows lo .. hi-1, and their destination. */
struct listing {
    const struct X(listing) *q;
    psb_ipk lo, hi;
    psb_epk *ptr;
    struct X(coo_mat) *to;
};

static void count_rows_part(void *job, int t, int p)
{
    const struct listing *j = job;
    psb_epk i, end;
    for (psb_thread_range(j->hi - j->lo, t, p, &i, &end); i < end; i++)
        j->ptr[i + 1] = j->q->count(j->q->of, j->lo + (psb_ipk)i);
}

static void list_rows_part(void *job, int t, int p)
{
    const struct listing *j = job;
    const psb_ipk n = j->hi - j->lo, end = psb_thread_start(j->ptr, n, t + 1, p);
    for (psb_ipk i = psb_thread_start(j->ptr, n, t, p); i < end; i++)
        j->q->list(j->q->of, j->lo + i, j->to->ja + j->ptr[i], j->to->val + j->ptr[i]);
}

psb_err X(list_rows)(const struct X(listing) *q, psb_epk work, psb_ipk lo, psb_ipk hi, psb_epk *ptr,
                     struct X(coo_mat) *b)
{
    struct listing j = { q, lo, hi, ptr, b };
    const psb_ipk n = hi - lo;
    if (b)
        PSB_TRY(psb_alloc(&j.ptr, (size_t)n + 1, sizeof *j.ptr, "rows"));
    j.ptr[0] = 0;
    psb_team(psb_threads(work), count_rows_part, &j);
    for (psb_ipk i = 0; i < n; i++)
        j.ptr[i + 1] += j.ptr[i];
    if (!b)
        return PSB_OK;
    psb_err e = X(coo_reserve)(b, j.ptr[n]);
    if (e == PSB_OK) {
        psb_team(psb_threads(j.ptr[n]), list_rows_part, &j);
        X(compressed_keys)(lo, hi, j.ptr, b->ia);
        b->mat.nnz = j.ptr[n];
    }
    psb_free(j.ptr);
    return e;
}
