/* report.h -- room: tools.  What psb-spmv found out: as a table, and as JSON. */
#ifndef PSB_REPORT_H
#define PSB_REPORT_H
#include "machine.h"
#include "options.h"
#include "psb_dual.h"
#include "psb_int.h"

enum { MOST_FORMATS = 64, MOST_CAUSES = 8, REASON = 400 };

/* What crossed the bus for one cause. */
struct crossing {
    const char *cause;
    struct psb_transfers t;
};

/* One format.  Seconds, bytes, and numbers a second, of all processes together. */
struct result {
    const char *asked, *format; /* by name; the same, or what AUTO took on process 0 */
    char refused[REASON];       /* why; then nothing of the rest is there */
    const char *where;          /* its products ran: "host", or a device's name */
    double bytes, conversion, product, flops, rate, copy;
    double error, bound;                  /* error < 0: not checked */
    int wrong;                            /* error > bound */
    struct crossing crossed[MOST_CAUSES]; /* during the timed products */
    int ncrossed;
};

struct report {
    const struct options *options;
    struct machine machine;
    char type;
    psb_lpk rows, cols;
    psb_epk entries;
    struct result result[MOST_FORMATS];
    int nresults;
};

/* Let k->crossed be what has crossed the bus since psb_transfers_reset, all processes together: the causes
 * that process 0 knows of, and "others".  Collective.  PSB_EMPI. */
PSB_MUST_CHECK psb_err count_crossings(psb_ctxt *ctxt, struct result *k);

/* Print to stdout what stands above the table; one result; what stands below.  Local. */
void report_head(const struct report *r);
void report_result(const struct report *r, const struct result *k);
void report_foot(const struct report *r);

/* Write everything as JSON at `path`.  Local.  PSB_EIO. */
PSB_MUST_CHECK psb_err report_json(const struct report *r, const char *path);
#endif
