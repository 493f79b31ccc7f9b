/* psb_packed_strip.h -- cuda/abi: packed columns, as psb_packed.h describes; included by C and
 * CUDA. */
#ifndef PSB_PACKED_STRIP_H
#define PSB_PACKED_STRIP_H
#include "psb_int.h"
#include "psb_moved.h"

enum { PSB_STRIP = 32, PSB_CODES = 4 };

/* slots[c] slots of code c, in the order of codes, from slot `first` of the matrix on.  Their d begin at byte
 * `at`: slot by slot, and lane by lane, each in 0, 1, 2 or 4 bytes, by the code. */
struct psb_strip {
    psb_epk first, at;
    psb_ipk slots[PSB_CODES];
};

/* Bit l of the mask: lane l has an entry in this slot. */
struct psb_strip_slot {
    psb_ipk base;
    uint32_t mask;
};

/* The m rows of a matrix, in device memory; the value of lane l of slot s is val[s * PSB_STRIP + l]. */
struct psb_packed_dev {
    psb_ipk m;
    int narrow; /* val is in single precision */
    const struct psb_strip *strip;
    const struct psb_strip_slot *slot;
    const unsigned char *bytes;
    const void *val;
    struct psb_moved moved;
    float stays; /* the share that stays in the cache between products; set at the launch */
};
#endif
