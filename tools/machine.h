/* machine.h -- room: tools.  Where psb-spmv runs, and how fast memory is there. */
#ifndef PSB_MACHINE_H
#define PSB_MACHINE_H
#include "psb_ctxt.h"

enum { MACHINE_TEXT = 128 };

struct machine {
    int processes, hosts;
    char (*host)[MPI_MAX_PROCESSOR_NAME];                          /* process 0: their names, each once */
    char cpu[MACHINE_TEXT], gpu[MACHINE_TEXT], date[MACHINE_TEXT]; /* "" where not known, or not there */
    const char *device;                                            /* psb_cuda's; "none" */
    double host_copy, gpu_copy; /* bytes a second that copies read and write, all together; 0: not there */
};

/* Find out; freed by machine_free.  Collective, after psb_cuda_init.  PSB_ENOMEM, PSB_EMPI, PSB_EDEVICE. */
PSB_MUST_CHECK psb_err machine_look(psb_ctxt *ctxt, struct machine *m);
void machine_free(struct machine *m);

/* The median of x[0..n), n >= 1, which is put in order.  Local. */
double median(double *x, int n);
#endif
