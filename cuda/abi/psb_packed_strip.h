/* psb_packed_strip.h -- room: cuda/abi.  What is packed, as psb_packed.h says; read by C and CUDA. */
#ifndef PSB_PACKED_STRIP_H
#define PSB_PACKED_STRIP_H
#include "psb_int.h"

enum { PSB_STRIP = 32, PSB_CODES = 4 };

/* slots[c] slots of code c, those of a lower code first, from the matrix's number `first` on; their lanes' d
 * begin at byte `at`, lane by lane, slot by slot, 0, 1, 2 or 4 bytes each by the code. */
struct psb_strip {
    psb_epk first, at;
    psb_ipk slots[PSB_CODES];
};

/* Bit l of the mask: lane l has an entry here. */
struct psb_slot {
    psb_ipk base;
    uint32_t mask;
};

/* The m rows of a matrix, on a device; lane l of slot s has its value at val[s * PSB_STRIP + l]. */
struct psb_packed_dev {
    psb_ipk m;
    int narrow; /* val is in single precision */
    const struct psb_strip *strip;
    const struct psb_slot *slot;
    const unsigned char *bytes;
    const void *val;
};
#endif
