/* solve_boxes.c -- tools: a box of the grid's points for each process. */
#include "config.h"
#include "solve.h"
#include "coll.h"
#include "psb_alloc.h"

/* The points first[d] <= i < end[d] of the box of this process, for each direction d. */
struct box {
    psb_lpk first[3], end[3];
};

/* Lengths of boxes differ by at most 1, the longer ones first. */
static psb_err find_box(psb_ctxt *ctxt, const struct psb_pde *pde, struct box *b)
{
    const psb_lpk n[3] = { pde->nx, pde->ny, pde->nz };
    int me, np, parts[3] = { 0, 0, pde->dims == 2 ? 1 : 0 };
    psb_info(ctxt, &me, &np);
    PSB_MPI(MPI_Dims_create(np, 3, parts));
    const int place[3] = { me / (parts[1] * parts[2]), me / parts[2] % parts[1], me % parts[2] };
    for (int d = 0; d < 3; d++) {
        const psb_lpk each = n[d] / parts[d], longer = n[d] % parts[d], k = place[d];
        b->first[d] = k * each + (k < longer ? k : longer);
        b->end[d] = b->first[d] + each + (k < longer);
    }
    return PSB_OK;
}

/* Store the numbers of the points of the box, ascending, as the index base counts, in a new array *points. */
static psb_err list_points(const struct psb_pde *pde, const struct box *b, psb_lpk **points, psb_ipk *n)
{
    psb_lpk all = 1, *list;
    for (int d = 0; d < 3; d++)
        all *= b->end[d] - b->first[d];
    PSB_CHECK(all <= INT32_MAX, PSB_EARG,
              "a box has %" PRId64 " points; expected less than 2^31: more processes", all);
    PSB_TRY(psb_alloc(&list, (size_t)all, sizeof *list, "points of a box"));
    *points = list;
    *n = (psb_ipk)all;
    for (psb_lpk i = b->first[0]; i < b->end[0]; i++)
        for (psb_lpk j = b->first[1]; j < b->end[1]; j++)
            for (psb_lpk k = b->first[2]; k < b->end[2]; k++)
                *list++ = (i * pde->ny + j) * pde->nz + k + psb_index_base();
    return PSB_OK;
}

psb_err solve_boxes(psb_ctxt *ctxt, const struct psb_pde *pde, psb_desc **rows)
{
    struct box b;
    psb_lpk *points = NULL;
    psb_ipk n = 0;
    PSB_TRY(find_box(ctxt, pde, &b));
    psb_err e = psb_agree(ctxt, list_points(pde, &b, &points, &n));
    PSB_THEN(e, psb_cdall_vl(rows, ctxt, n, points));
    psb_free(points);
    return e;
}
