/* psb_twosided.h -- base/device: messages between devices, in the order of their streams: both sides
 * call, and neither waits on the host for the other's data. */
#ifndef PSB_TWOSIDED_H
#define PSB_TWOSIDED_H
#include "psb_err.h"
#include "psb_lang.h"
#include <stddef.h>
#include "psb_mpi.h"
PSB_BEGIN_C

/* What is sent to process `rank` of a group, and received from it; memory of the device. 0 bytes: nothing. */
struct psb_device_message {
    int rank;
    const void *out;
    size_t out_bytes;
    void *in;
    size_t in_bytes;
};

struct psb_twosided {
    const char *name;
    /* Why this process cannot send messages, or NULL. */
    const char *(*obstacle)(void);
    /* *group = the processes of comm, which all have the device in use; it is kept until comm is freed, the
     * device is closed, or messages do not come.  PSB_EMPI if they do not find each other within `seconds`.
     * Collective. */
    psb_err (*join)(MPI_Comm comm, double seconds, void **group);
    /* An error unless the group can exchange messages now: not after the device was closed, or messages did
     * not come (PSB_EMPI), nor while a graph is captured (PSB_ENOTIMPL). */
    psb_err (*check_open)(const void *group);
    /* Send and receive m[0..n), after the kernels and puts so far; kernels launched later run beside.  The
     * group is open.  PSB_EMPI if messages do not come within `seconds`, from this call or from the next wait
     * for the device. */
    psb_err (*exchange)(void *group, const struct psb_device_message *m, int n, double seconds);
    /* Kernels launched later wait for the messages of all exchanges so far.  PSB_EMPI, once, if some of the
     * group did not come and no call has reported it. */
    psb_err (*complete)(void *group);
};

PSB_END_C
#endif
