/* psb_transfer.h -- base/device: copies between host and device, counted by cause, and logged if PSB_LOG
 * contains "transfers". */
#ifndef PSB_TRANSFER_H
#define PSB_TRANSFER_H
#include "psb_device.h"
PSB_BEGIN_C

typedef struct psb_transfer_counts {
    long long puts, gets;           /* number of transfers, host to device and device to host */
    long long put_bytes, get_bytes; /* bytes transferred */
} psb_transfer_counts;

/* Copy `bytes` bytes by the function of device `on` and count the transfer under `cause`, a constant string.
 * PSB_EARG if a pointer is NULL and bytes > 0.  Local. */
PSB_MUST_CHECK psb_err psb_put(const struct psb_device *on, void *dev, const void *host, size_t bytes,
                               const char *cause);
PSB_MUST_CHECK psb_err psb_get(const struct psb_device *on, void *host, const void *dev, size_t bytes,
                               const char *cause);
PSB_MUST_CHECK psb_err psb_put_async(const struct psb_device *on, void *dev, const void *host, size_t bytes,
                                     const char *cause);
PSB_MUST_CHECK psb_err psb_get_async(const struct psb_device *on, void *host, const void *dev, size_t bytes,
                                     const char *cause);

/* Count under `cause` a transfer to the host that a device makes itself, e.g. of the result of a reduction.
 * Local. */
void psb_count_get(size_t bytes, const char *cause);

/* Return the transfers since the start of the process or the last psb_transfers_reset: all of them (cause
 * NULL), or those of one cause.  Local. */
struct psb_transfer_counts psb_transfers(const char *cause);
void psb_transfers_reset(void);

/* Return the i-th cause in order of first use since then, NULL past the last.  Local. */
const char *psb_transfers_cause(int i);
PSB_END_C
#endif
