/* allocated.h -- test/kernel: memory of the library on the host: what it holds, and its peak. */
#ifndef PSB_ALLOCATED_H
#define PSB_ALLOCATED_H
#include <stddef.h>

/* Bytes held; the largest number since `peak` was set, by the program; 0 in both if not counted, as under a
 * sanitizer or without glibc.  For programs with one thread. */
struct allocated {
    size_t held, peak;
    int counted;
};
extern struct allocated allocated;
#endif
