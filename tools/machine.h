/* machine.h -- tools: the machine that a program runs on, and its copy bandwidths. */
#ifndef PSB_MACHINE_H
#define PSB_MACHINE_H
#include "psb_ctxt.h"

enum { MACHINE_TEXT = 128 };

struct machine {
    int processes, hosts;
    char (*host)[MPI_MAX_PROCESSOR_NAME]; /* process 0: names of the hosts, each once */
    char cpu[MACHINE_TEXT], gpu[MACHINE_TEXT], date[MACHINE_TEXT]; /* "" if unknown or absent */
    const char *device;                                            /* from psb_cuda; "none" */
    double host_copy, gpu_copy; /* bytes per second read and written by copies, all processes; 0: none */
};

/* Fill *m, machine_names without the bandwidths, which stay 0; the caller frees it with machine_free.
 * Collective, after psb_cuda_init.  PSB_ENOMEM, PSB_EMPI, PSB_EDEVICE. */
PSB_MUST_CHECK psb_err machine_names(psb_ctxt *ctxt, struct machine *m);
PSB_MUST_CHECK psb_err machine_look(psb_ctxt *ctxt, struct machine *m);
void machine_free(struct machine *m);

/* Returns the median of x[0..n), n >= 1, and sorts x.  Local. */
double median(double *x, int n);
#endif
