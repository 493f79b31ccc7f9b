/* random.c -- linsolve: vectors of random numbers. */
#include "psb_linsolve.h"
#include "base_inside.h"
#include "psb_random.h"
#include "psb_team.h"
#include "psb_threads.h"
#include <string.h>
#include "psb_type.h"
#include "prec_inside.t.h"

struct random_rows {
    const psb_desc *desc;
    psb_ipk n;
    int ncols;
    psb_lpk from; /* the number of global row 0 */
    T *v;
};

static void fill_rows(void *job, int t, int p)
{
    const struct random_rows *q = job;
    psb_epk i, end;
    for (psb_thread_range(q->n, t, p, &i, &end); i < end; i++) {
        const T value = (R)psb_random_number((uint64_t)(psb_loc_to_glob(q->desc, (psb_ipk)i) + q->from));
        for (int j = 0; j < q->ncols; j++)
            q->v[i * q->ncols + j] = value;
    }
}

/* Rows that follow each other are made where v is. */
psb_err X(set_random)(struct X(vect) *v, psb_lpk shift)
{
    const struct psb_device *on = v->v.on;
    struct random_rows q = { v->desc, X(vect_owned)(v), v->ncols, shift - psb_index_base(), NULL };
    const bool in_order = psb_cd_is_replicated(v->desc) || strcmp(psb_cd_kind(v->desc), "block") == 0;
    if (on && on->X(vec)->random && in_order && q.n > 0) {
        PSB_TRY(X(vect_open)(v, PSB_DEV, 1, &q.v));
        return PSB_PASS(on->X(vec)->random(q.n, q.ncols, psb_loc_to_glob(v->desc, 0) + q.from, q.v));
    }
    q.n = v->n;
    PSB_TRY(X(host_write)(v, &q.v));
    psb_team(psb_threads(q.n), fill_rows, &q);
    return PSB_OK;
}
