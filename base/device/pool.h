/* pool.h -- base/device: threads whose work on a device has an order of its own. */
#ifndef PSB_POOL_OF_THREAD_H
#define PSB_POOL_OF_THREAD_H
#include <stdbool.h>

/* true: the calling thread is one from now on, and memory that it gives (psb_device_give) is kept for it;
 * false: its work has ended, and that memory becomes the process's.  Local. */
void psb_pool_of_thread(bool own);
#endif
