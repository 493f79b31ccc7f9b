/* peers_rsb.c -- test/kernel: LIBRSB, tuned for each number of threads.  Calls follow its manual; only
 * setting the number of threads, and the tuner, which may change it, are called through rsb/librsb.h, which
 * tracks that number. */
#include "psb_base.h"
#include "librsb.h"
#include <rsb.h>
#include <stdlib.h>
#include "psb_type.h"
#include "spmv.h"

struct peer {
    struct rsb_mtx_t *a;
    int threads;
};

static void rsb(rsb_err_t e)
{
    if (e != RSB_ERR_NO_ERROR) {
        rsb_perror(NULL, e);
        exit(EXIT_FAILURE);
    }
}

static psb_err make(const struct problem *p, struct runner *r)
{
    const rsb_type_t type = LETTER == 's' ? RSB_NUMERICAL_TYPE_FLOAT : RSB_NUMERICAL_TYPE_DOUBLE;
    const rsb_flags_t flags = RSB_FLAG_DEFAULT_RSB_MATRIX_FLAGS | RSB_FLAG_SORTED_INPUT;
    const struct X(coo_mat) *a = p->a;
    rsb_err_t e = RSB_ERR_NO_ERROR;
    struct peer *q;
    PSB_TRY(psb_alloc_zero(&q, 1, sizeof *q, "LIBRSB's matrix"));
    q->threads = r->threads;
    PSB_TRY(psb_librsb_threads(q->threads));
    double begun = psb_wtime();
    q->a = rsb_mtx_alloc_from_coo_const(a->val, a->ia, a->ja, (rsb_nnz_idx_t)a->mat.nnz, type, p->rows,
                                        p->cols, 0, 0, flags, &e);
    rsb(e);
    r->convert = psb_wtime() - begun;
    begun = psb_wtime();
    PSB_TRY(psb_librsb_tune(&q->a, opt.tune, &q->threads));
    r->tune = psb_wtime() - begun;
    r->bytes = (double)psb_librsb_bytes(q->a);
    r->a = q;
    return PSB_OK;
}

static psb_err product(const struct problem *p, void *a, enum way w)
{
    const struct peer *q = a;
    const T one = 1, zero = 0;
    const rsb_trans_t op = w == TRANSPOSED ? RSB_TRANSPOSITION_T : RSB_TRANSPOSITION_N;
    PSB_TRY(psb_librsb_threads(q->threads));
    if (w == MANY)
        rsb(rsb_spmm(op, &one, q->a, COLUMNS, RSB_FLAG_WANT_ROW_MAJOR_ORDER, p->x, COLUMNS, &zero, p->y,
                     COLUMNS));
    else
        rsb(rsb_spmv(op, &one, q->a, p->x, 1, &zero, p->y, 1));
    return PSB_OK;
}

static void release(void *a)
{
    struct peer *q = a;
    rsb_mtx_free(q->a);
    psb_free(q);
}

static const struct kind tuned = { "LIBRSB", 7, false, make, product, release };

void X(enter_rsb)(struct field *f, const struct problem *p)
{
    for (int t = 0; t < opt.nteams && p->np == 1; t++)
        X(enter)(f, p, opt.peers,
                 (struct runner){ .name = "LIBRSB", .kind = &tuned, .threads = opt.team[t] });
}
