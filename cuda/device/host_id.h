/* host_id.h -- cuda/device: a number for this host. */
#ifndef PSB_HOST_ID_H
#define PSB_HOST_ID_H
#include "psb_lang.h"
PSB_BEGIN_C

/* Return a number that processes of one host share, and other hosts do not have.  As in NCCL, processes whose
 * environment variable NCCL_HOSTID differs are on different hosts: so one host can play several.  Local. */
unsigned long long psb_host_id(void);
PSB_END_C
#endif
