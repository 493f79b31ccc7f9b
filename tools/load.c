/* load.c -- tools: the sizes of a matrix in a file, and the distribution of its rows. */
#include "config.h"
#include "load.h"
#include "bytes.h"
#include "coll.h"
#include "command_line.h"
#include "deal.h"
#include "say.h"
#include <string.h>

static psb_err read_sizes(const char *path, bool is_hb, struct psb_mm_header *info)
{
    struct psb_hb_header hb;
    PSB_TRY(psb_bytes_keep(path));
    if (!is_hb)
        return psb_mm_info(path, info);
    PSB_TRY(psb_hb_info(path, &hb));
    *info = hb.mm;
    return PSB_OK;
}

psb_err load_sizes(psb_ctxt *ctxt, const char *path, bool hb, struct psb_mm_header *info)
{
    int me, np;
    psb_info(ctxt, &me, &np);
    PSB_TRY(psb_agree(ctxt, me == 0 ? read_sizes(path, hb, info) : PSB_OK));
    PSB_MPI(MPI_Bcast(info, sizeof *info, MPI_BYTE, 0, psb_comm_of(ctxt)));
    PSB_TRY(psb_blocks_fit(path, "rows", info->m, np));
    return psb_blocks_fit(path, "columns", info->n, np);
}

void load_end(void)
{
    psb_bytes_drop();
}

bool load_by_metis(const char *partition)
{
    return strcmp(partition, "metis") == 0;
}

psb_err load_rows(psb_ctxt *ctxt, const char *partition, psb_lpk n, psb_desc **row)
{
    if (strcmp(partition, "block") == 0 || load_by_metis(partition))
        return psb_part_blocks(ctxt, n, row);
    const char *named = owners_file(partition), *file = named ? named : partition;
    PSB_CHECK(*file, PSB_EARG, "--partition is \"%s\"; expected block, metis or owners:FILE", partition);
    psb_err e = psb_part_file(ctxt, n, file, row);
    if (e == PSB_EIO && !named)
        e = PSB_FAIL(e, "--partition: %s; expected block, metis or owners:FILE", say_why());
    return e;
}
