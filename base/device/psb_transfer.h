/* psb_transfer.h -- base/device: copies between host and device, counted by cause, and logged if PSB_LOG
 * contains "transfers". */
#ifndef PSB_TRANSFER_H
#define PSB_TRANSFER_H
#include <stddef.h>
#include "psb_lang.h"
PSB_BEGIN_C

typedef struct psb_transfer_counts {
    long long puts, gets;           /* number of transfers, host to device and device to host */
    long long put_bytes, get_bytes; /* bytes transferred */
} psb_transfer_counts;

/* Return the transfers since the start of the process or the last psb_transfers_reset: all of them (cause
 * NULL), or those of one cause.  Local. */
struct psb_transfer_counts psb_transfers(const char *cause);
void psb_transfers_reset(void);

/* Return the i-th cause in order of first use since then, NULL past the last.  Local. */
const char *psb_transfers_cause(int i);
PSB_END_C
#endif
