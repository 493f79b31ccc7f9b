/* transfers.c -- room: tools.  Transfers between host and device, summed over all processes. */
#include "config.h"
#include "report.h"
#include <string.h>

enum { NAME = 64 };

/* Set *sum on process 0 to the sum of t over all processes. */
static psb_err add_up(psb_ctxt *ctxt, struct psb_transfer_counts t, struct psb_transfer_counts *sum)
{
    long long mine[] = { t.puts, t.gets, t.put_bytes, t.get_bytes }, all[4] = { 0 };
    PSB_MPI(MPI_Reduce(mine, all, 4, MPI_LONG_LONG, MPI_SUM, 0, psb_comm_of(ctxt)));
    *sum = (struct psb_transfer_counts){ all[0], all[1], all[2], all[3] };
    return PSB_OK;
}

/* Set name on all processes to the i-th cause known to process 0, or to "" past the last. */
static psb_err name_cause(psb_ctxt *ctxt, int i, char name[NAME])
{
    const char *cause = psb_transfers_cause(i);
    strncpy(name, cause ? cause : "", NAME - 1);
    name[NAME - 1] = '\0';
    PSB_MPI(MPI_Bcast(name, NAME, MPI_CHAR, 0, psb_comm_of(ctxt)));
    return PSB_OK;
}

static void subtract(struct psb_transfer_counts *a, const struct psb_transfer_counts *b)
{
    a->puts -= b->puts;
    a->gets -= b->gets;
    a->put_bytes -= b->put_bytes;
    a->get_bytes -= b->get_bytes;
}

psb_err count_transfers(psb_ctxt *ctxt, struct result *k)
{
    struct psb_transfer_counts rest;
    char name[NAME];
    k->ntransfers = 0;
    PSB_TRY(add_up(ctxt, psb_transfers(NULL), &rest));
    for (int i = 0; i < MOST_CAUSES - 1; i++) {
        PSB_TRY(name_cause(ctxt, i, name));
        if (!*name)
            break;
        struct cause_transfers *c = &k->transfers[k->ntransfers++];
        c->cause = psb_transfers_cause(i);
        PSB_TRY(add_up(ctxt, psb_transfers(name), &c->t));
        subtract(&rest, &c->t);
    }
    if (rest.puts + rest.gets > 0)
        k->transfers[k->ntransfers++] = (struct cause_transfers){ "others", rest };
    return PSB_OK;
}
