/* allocated.c -- test/kernel: counts the memory of psb_alloc, which alone requests aligned blocks. */
#include "allocated.h"
#include <stdlib.h> /* __GLIBC__ */

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED
#endif

#if defined(__GLIBC__) && !defined(SANITIZED)
#include <malloc.h>
#include <stdint.h>
struct allocated allocated = { .counted = 1 };

enum { BLOCKS = 1 << 16 };
static void *block[BLOCKS]; /* open addressing; a freed block leaves `gone` */
static char gone;

void *__libc_memalign(size_t line, size_t bytes);
void *__libc_realloc(void *p, size_t bytes);
void __libc_free(void *p);

static void **place_of(void *p, void *end)
{
    size_t i = ((uintptr_t)p >> 6) * 2654435761u % BLOCKS;
    while (block[i] && block[i] != p && !(end && block[i] == end))
        i = (i + 1) % BLOCKS;
    return &block[i];
}

static void *record(void *p)
{
    if (p) {
        *place_of(p, &gone) = p;
        allocated.held += malloc_usable_size(p);
        if (allocated.held > allocated.peak)
            allocated.peak = allocated.held;
    }
    return p;
}

static int forget(void *p)
{
    void **at = p ? place_of(p, NULL) : NULL;
    if (!at || !*at)
        return 0;
    *at = &gone;
    allocated.held -= malloc_usable_size(p);
    return 1;
}

void *aligned_alloc(size_t line, size_t bytes)
{
    return record(__libc_memalign(line, bytes));
}

void *realloc(void *p, size_t bytes)
{
    int ours = forget(p);
    void *q = __libc_realloc(p, bytes);
    return ours ? record(q ? q : p) == q ? q : NULL : q;
}

void free(void *p)
{
    (void)forget(p);
    __libc_free(p);
}
#else
struct allocated allocated;
#endif
