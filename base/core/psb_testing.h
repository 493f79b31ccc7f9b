/* psb_testing.h -- base/core: what tests change in the library.  Not installed; psb_base.h does not include
 * it. */
#ifndef PSB_TESTING_H
#define PSB_TESTING_H
#include "psb_int.h"
#include "psb_lang.h"
PSB_BEGIN_C

/* base/core: let the n-th allocation from now fail (n >= 1), once; 0 cancels this.  Allocations on a device
 * are counted too.  Local. */
void psb_alloc_fail_at(long n);

/* Let allocations of more than `bytes` fail from now on; 0 cancels this.  Local. */
void psb_alloc_fail_above(size_t bytes);

/* Count an allocation that is not made by psb_alloc, e.g. on a device, and return 1 if it is the one that is
 * to fail.  Local. */
int psb_alloc_fails(void);

/* Set the number of elements for each thread, n >= 1 (default 16384), and return the previous one.  Local. */
psb_epk psb_set_thread_grain(psb_epk n);

/* base/par: set the size of a piece of a message, 1 <= bytes <= PSB_PIECE (the default), and return the
 * previous one.  Local. */
size_t psb_set_piece(size_t bytes);

/* Transports: set the most rows of a message for channels made later, on all processes, and return the
 * previous number.  Local. */
psb_ipk psb_halo_piece(psb_ipk rows);

/* util: set the number of bytes that a process reads at a time from a file that all processes read together,
 * 1 <= n <= 2^24 (default 2^20), the same on all processes, and return the previous one; another n changes
 * nothing.  Local. */
psb_epk psb_set_read_block(psb_epk n);

/* cuda: set the smallest number of entries of a matrix that the device converts, copies and scales, and of a
 * batch of entries that the device puts into a matrix whose values it has; return the previous number,
 * initially PSB_CUDA_CONVERT_FROM.  least < 0: no change.  INT64_MAX: the host does this work.  The device
 * converts, copies and scales a smaller matrix too if its values are valid on the device alone.
 * test/kernel/gpu_convert measures which number is best on a machine.  Local. */
enum { PSB_CUDA_CONVERT_FROM = 65536 };
psb_epk psb_cuda_convert_from(psb_epk least);
PSB_END_C
#endif
