/* psb_onesided.h -- base/device: one-sided exchanges between the devices of one host: each process
 * stores rows straight into memory of its neighbours, and then a flag, which they wait for. */
#ifndef PSB_ONESIDED_H
#define PSB_ONESIDED_H
#include "psb_err.h"
#include "psb_int.h"
#include <stddef.h>
#include "psb_lang.h"
PSB_BEGIN_C

/* What another process of the host needs to open memory that this one shares. */
struct psb_shared_handle {
    char bytes[64];
};

/* One neighbour, in a table that a device reads.  Packed rows first .. first of the next element - 1 go to
 * its landing buffer, from row `place` on.  Exchanges use the two elements of `landing` and `flag` in turn.
 */
struct psb_peer {
    char *landing[2];
    unsigned *flag[2];
    psb_ipk first, place;
};

/* Counters of a channel, on the device: exchanges put and received; thread blocks of a put that have
 * finished, and of a kernel that waits itself.  late: 1 after a wait with a status has ended by its time
 * limit; later ones do not wait. */
struct psb_channel_counts {
    unsigned put, received, blocks, waiting, late;
};

/* A put: `rows` packed rows of `row` bytes each; packed row i is row idx[i] of `from`, or row i if idx is
 * NULL. peer[0..n], idx, from and counts are on the device.  Rows are stored from row `begin` on, and
 * then from row 0: processes that begin with different neighbours do not all store to the same one. `failed`:
 * no rows are stored, and the flags say that this process failed. */
struct psb_row_put {
    const struct psb_peer *peer;
    int n;
    psb_ipk rows, begin;
    size_t row;
    const psb_ipk *idx;
    const void *from;
    int failed;
    struct psb_channel_counts *counts;
};

/* A wait for the flags of n neighbours, flag[0..n) and flag[n..2n) in turn.  Device and host both access
 * *status, which is 0 before; a wait that fails sets it to k + 1 where neighbour k failed, or to -(k + 1)
 * where it has not come within `seconds`; k = n stands for this process, whose put has not ended.  status
 * NULL: failures are not reported. */
struct psb_arrival {
    const unsigned *flag;
    int n;
    double seconds;
    struct psb_channel_counts *counts;
    volatile int *status;
};

/* A flag is 2 e after exchange e of a process, 2 e + 1 if it failed; the counts begin with 1 and wrap around.
 */
#define PSB_FLAG(e, failed) (2 * (e) + ((failed) != 0))

/* One-sided exchanges of a device.  `put` and `arrive` are ordered with the kernels of the device; neither
 * waits on the host for a GPU. */
struct psb_onesided {
    const char *name;
    /* Fill id with what is the same for two processes if and only if they use the same device of one host;
     * *host is the same for processes of one host. */
    psb_err (*identify)(char id[32], unsigned long long *host);
    /* Allocate *p, `bytes` bytes of the device, all 0, that other processes of the host may open. */
    psb_err (*share)(void **p, size_t bytes, struct psb_shared_handle *h);
    void (*unshare)(void *p, size_t bytes);
    /* Map memory that another process shares; PSB_EDEVICE if this device cannot reach it. */
    psb_err (*open)(const struct psb_shared_handle *h, size_t bytes, void **p);
    void (*close)(void *p, size_t bytes);
    psb_err (*put)(const struct psb_row_put *job);
    psb_err (*arrive)(const struct psb_arrival *job);
};

/* An arrival that has not been waited for: the kernel that reads the rows waits itself, or psb_await does
 * before it.  by NULL: there is nothing to wait for. */
struct psb_awaited {
    const struct psb_onesided *by;
    struct psb_arrival job;
};

/* A put and the arrival after it that have not been made: a kernel does both, or psb_exchange_rows.  by NULL:
 * there is nothing to do. */
struct psb_exchange {
    const struct psb_onesided *by;
    struct psb_row_put put;
    struct psb_arrival arrival;
};

static inline psb_err psb_exchange_rows(const struct psb_exchange *x)
{
    if (!x->by)
        return PSB_OK;
    const psb_err e = x->by->put(&x->put);
    return e == PSB_OK ? x->by->arrive(&x->arrival) : e;
}

static inline psb_err psb_await(const struct psb_awaited *w)
{
    return w && w->by ? w->by->arrive(&w->job) : PSB_OK;
}

PSB_END_C
#endif
