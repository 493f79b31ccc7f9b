/* psb_int.h -- base/core: integer types. */
#ifndef PSB_INT_H
#define PSB_INT_H
#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>

typedef int32_t psb_ipk; /* a local index */
typedef int64_t psb_lpk; /* a global index */
typedef int64_t psb_epk; /* a count of entries, or an offset into them */
#endif
