/* picture_typed.c -- tools: the picture of a matrix, for one scalar. */
#include "config.h"
#include "picture.h"
#include "coll.h"
#include "psb_alloc.h"
#include "spmat.h"
#include "psb_type.h"

static psb_lpk global(const psb_desc *d, psb_ipk l)
{
    return d ? psb_loc_to_glob(d, l) - psb_index_base() : l;
}

void X(picture_add)(struct picture *p, const struct X(coo_mat) *a, const psb_desc *row, const psb_desc *col)
{
    const psb_epk nz = a->mat.nnz;
    for (psb_epk k = 0, begin = 0; k < nz; k++) {
        picture_entry(p, global(row, a->ia[k]), global(col, a->ja[k]));
        if (k + 1 == nz || a->ia[k + 1] != a->ia[k]) {
            picture_row(p, k + 1 - begin);
            begin = k + 1;
        }
    }
    const psb_lpk rows = row ? psb_cd_local_rows(row) : p->m;
    psb_lpk filled = 0;
    for (int k = 1; k < PICTURE_CLASSES; k++)
        filled += p->length[k];
    p->length[0] = rows - filled;
}

static psb_err gather_halo(const struct X(spmat) *a, struct picture *p)
{
    psb_ctxt *ctxt = psb_cd_ctxt(X(sp_row_desc)(a));
    struct halo_size mine;
    int me;
    psb_info(ctxt, &me, &p->processes);
    psb_err e = me == 0 ? psb_alloc(&p->halo, (size_t)p->processes, sizeof *p->halo, "halos") : PSB_OK;
    PSB_TRY(psb_agree(ctxt, e));
    psb_cd_volume(a->col, &mine.sends, &mine.receives, &mine.neighbours);
    PSB_MPI(MPI_Gather(&mine, sizeof mine, MPI_BYTE, p->halo, sizeof mine, MPI_BYTE, 0, psb_comm_of(ctxt)));
    return PSB_OK;
}

static psb_err look(const struct X(spmat) *a, struct picture *p)
{
    psb_ctxt *ctxt = psb_cd_ctxt(a->row);
    struct X(coo_mat) *c = NULL;
    picture_begin(p, psb_cd_global_rows(a->row), psb_cd_global_rows(a->col));
    PSB_TRY(psb_agree(ctxt, X(sp_rows_counted)(a, &c)));
    X(picture_add)(p, c, a->row, a->col);
    X(mat_free)(&c->mat);
    PSB_TRY(psb_sum(ctxt, PICTURE_CELLS * PICTURE_CELLS, p->cell, 0));
    PSB_TRY(psb_sum(ctxt, PICTURE_CLASSES, p->length, 0));
    PSB_TRY(psb_sum(ctxt, PICTURE_CLASSES, p->below, 0));
    PSB_TRY(psb_sum(ctxt, PICTURE_CLASSES, p->above, 0));
    return gather_halo(a, p);
}

psb_err X(picture_of)(const struct X(spmat) *a, struct picture **p)
{
    psb_ctxt *ctxt = psb_cd_ctxt(a->row);
    PSB_TRY(psb_agree(ctxt, psb_alloc_zero(p, 1, sizeof **p, "picture of the matrix")));
    return look(a, *p);
}
