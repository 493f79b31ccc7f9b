/* transfers.c -- tools: transfers between host and device, summed over all processes. */
#include "config.h"
#include "report.h"
#include "psb_coll.h"
#include <stdio.h>

enum { CAUSE_NAME = 64 };

/* Replace *t on process 0 by the sum over all processes. */
static psb_err sum_counts(psb_ctxt *ctxt, struct psb_transfer_counts *t)
{
    long long all[] = { t->puts, t->gets, t->put_bytes, t->get_bytes };
    PSB_TRY(psb_sum(ctxt, 4, all, 0));
    *t = (struct psb_transfer_counts){ all[0], all[1], all[2], all[3] };
    return PSB_OK;
}

psb_err count_transfers(psb_ctxt *ctxt, struct result *k)
{
    struct psb_transfer_counts rest = psb_transfers(NULL);
    k->ntransfers = 0;
    PSB_TRY(sum_counts(ctxt, &rest));
    for (int i = 0; i < MOST_CAUSES - 1; i++) {
        const char *cause = psb_transfers_cause(i);
        char name[CAUSE_NAME] = "";
        snprintf(name, sizeof name, "%s", cause ? cause : "");
        PSB_TRY(psb_bcast(ctxt, CAUSE_NAME, name, 0));
        if (!*name)
            break;
        struct cause_transfers *c = &k->transfers[k->ntransfers++];
        c->cause = cause;
        c->t = psb_transfers(name);
        PSB_TRY(sum_counts(ctxt, &c->t));
        rest.puts -= c->t.puts;
        rest.gets -= c->t.gets;
        rest.put_bytes -= c->t.put_bytes;
        rest.get_bytes -= c->t.get_bytes;
    }
    if (rest.puts + rest.gets > 0)
        k->transfers[k->ntransfers++] = (struct cause_transfers){ "others", rest };
    return PSB_OK;
}
