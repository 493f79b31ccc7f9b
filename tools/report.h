/* report.h -- tools: the results of psb-spmv, printed as a table and as JSON. */
#ifndef PSB_REPORT_H
#define PSB_REPORT_H
#include "machine.h"
#include "options.h"
#include "picture.h"
#include "psb_transfer.h"
#include "psb_int.h"

enum { MOST_FORMATS = 64, MOST_CAUSES = 8, REASON = 400 };

/* Transfers between host and device for one cause. */
struct cause_transfers {
    const char *cause;
    struct psb_transfer_counts t;
};

/* The result of one format.  Seconds, bytes, and rates per second, over all processes together. */
struct result {
    const char *asked, *format; /* names; format: asked, or AUTO's choice on process 0 */
    char refused[REASON];       /* the reason; the members below are then not set */
    const char *where;          /* where the products ran: "host", or the name of a device */
    const char *halo;           /* see psb_cd_transport */
    char halo_reason[REASON];   /* why not another transport, or "" */
    double bytes, conversion, product, flops, rate, copy;
    double error, bound;                           /* error < 0: not checked */
    bool wrong;                                    /* error > bound */
    struct cause_transfers transfers[MOST_CAUSES]; /* during the timed products */
    int ntransfers;
};

struct report {
    const struct options *options;
    struct machine machine;
    char type;
    psb_lpk rows, cols;
    psb_epk entries;
    struct picture *picture; /* for --report, else NULL */
    struct result result[MOST_FORMATS];
    int nresults;
};

/* Set k->transfers to the transfers since psb_transfers_reset, over all processes together: the causes known
 * to process 0, and "others".  Collective.  PSB_EMPI. */
PSB_MUST_CHECK psb_err count_transfers(psb_ctxt *ctxt, struct result *k);

/* Print to stdout the text above the table; one result; the text below the table.  Local. */
void report_head(const struct report *r);
void report_result(const struct report *r, const struct result *k);
void report_foot(const struct report *r);

/* Write the files that the options --json, --csv and --report name.  Local.  PSB_EIO. */
PSB_MUST_CHECK psb_err report_files(const struct report *r);
#endif
