/* random.c -- linsolve: vectors of random numbers. */
#include "psb_linsolve.h"
#include "base_inside.h"
#include "psb_team.h"
#include "psb_threads.h"
#include "psb_type.h"
#include "prec_inside.t.h"

/* Number g of the sequence: uniform in [-1, 1).  Source: Steele, Lea and Flood, "Fast splittable pseudorandom
 * number generators", OOPSLA 2014. */
static double random_number(uint64_t g)
{
    uint64_t z = (g + 1) * 0x9e3779b97f4a7c15U;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-52 - 1;
}

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
        const T value = (R)random_number((uint64_t)(psb_loc_to_glob(q->desc, (psb_ipk)i) + q->from));
        for (int j = 0; j < q->ncols; j++)
            q->v[i * q->ncols + j] = value;
    }
}

psb_err X(set_random)(struct X(vect) *v, psb_lpk shift)
{
    struct random_rows q = { v->desc, v->n, v->ncols, shift - psb_index_base(), NULL };
    PSB_TRY(X(host_write)(v, &q.v));
    psb_team(psb_threads(q.n), fill_rows, &q);
    return PSB_OK;
}
