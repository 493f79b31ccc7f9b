/* transport.c -- base/channel: what several transports need. */
#include "transport.h"
#include "coll.h"
#include <string.h>

int psb_ranks_of(const struct psb_neighbours *first, const struct psb_neighbours *then, int *rank)
{
    int n = first->n;
    if (n)
        memcpy(rank, first->rank, (size_t)n * sizeof *rank);
    for (int k = 0; k < then->n; k++)
        if (psb_position(first, then->rank[k]) == first->n)
            rank[n++] = then->rank[k];
    return n;
}

psb_err psb_agree_on_obstacle(psb_ctxt *ctxt, enum psb_obstacle here, enum psb_obstacle *why)
{
    int most = here;
    *why = here;
    PSB_TRY(psb_max(ctxt, 1, &most, -1));
    *why = (enum psb_obstacle)most;
    return PSB_OK;
}
