/* alloc.c -- base/core: host memory, and the failures that tests ask for. */
#include "config.h"
#include "psb_alloc.h"
#include "psb_testing.h"
#include "tuning.h"
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef HAVE_MADVISE
#include <sys/mman.h>
#endif

static atomic_long fail_in;

void psb_alloc_fail_at(long n)
{
    atomic_store(&fail_in, n);
}

static atomic_size_t fail_above;

void psb_alloc_fail_above(size_t bytes)
{
    atomic_store(&fail_above, bytes);
}

/* Does a test let an allocation of so many bytes fail? */
static bool is_refused(size_t bytes)
{
    const size_t limit = atomic_load(&fail_above);
    return psb_alloc_fails() || (limit && bytes > limit);
}

int psb_alloc_fails(void)
{
    return atomic_load(&fail_in) > 0 && atomic_fetch_sub(&fail_in, 1) == 1;
}

/* Return n * size rounded up to whole cache lines, at least one line; 0 if this overflows. */
static size_t whole_lines(size_t n, size_t size)
{
    if (size && n > (SIZE_MAX - LINE) / size)
        return 0;
    size_t bytes = n * size;
    return bytes ? (bytes + LINE - 1) / LINE * LINE : LINE;
}

/* The bytes of memory that are free on this host; 0: not known. */
static size_t free_bytes(void)
{
#ifdef _SC_AVPHYS_PAGES
    const long pages = sysconf(_SC_AVPHYS_PAGES), bytes = sysconf(_SC_PAGESIZE);
    return pages > 0 && bytes > 0 ? (size_t)pages * (size_t)bytes : 0;
#else
    return 0;
#endif
}

static psb_err no_memory(size_t n, size_t size, const char *what)
{
    return PSB_FAIL(PSB_ENOMEM, "no memory for %s: %zu elements of %zu bytes, %zu bytes free on the host",
                    what, n, size, free_bytes());
}

/* Advise the system to use huge pages for large arrays: one of them needs one TLB entry, and is one range for
 * the prefetchers, instead of 512 small pages.  The system may ignore the advice. */
static void *in_huge_pages(void *p, size_t bytes)
{
#ifdef MADV_HUGEPAGE
    uintptr_t first = ((uintptr_t)p + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
    uintptr_t end = ((uintptr_t)p + bytes) / HUGE_PAGE * HUGE_PAGE;
    if (p && first < end)
        madvise((void *)first, end - first, MADV_HUGEPAGE);
#else
    (void)bytes;
#endif
    return p;
}

static void *aligned_memory(size_t bytes)
{
    if (bytes > SIZE_MAX - HUGE_PAGE)
        return NULL;
    const size_t whole = (bytes + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
    return bytes < 2 * HUGE_PAGE ? aligned_alloc(LINE, bytes)
                                 : in_huge_pages(aligned_alloc(HUGE_PAGE, whole), bytes);
}

psb_err psb_alloc(void *out, size_t n, size_t size, const char *what)
{
    PSB_CHECK(out, PSB_EARG, "argument out is NULL; expected where to store the address of %s", what);
    size_t bytes = whole_lines(n, size);
    void *p = bytes && !is_refused(bytes) ? aligned_memory(bytes) : NULL;
    if (!p)
        return PSB_PASS(no_memory(n, size, what));
    memcpy(out, &p, sizeof p);
    return PSB_OK;
}

psb_err psb_alloc_zero(void *out, size_t n, size_t size, const char *what)
{
    void *p;
    PSB_TRY(psb_alloc(out ? &p : NULL, n, size, what));
    memset(p, 0, n * size);
    memcpy(out, &p, sizeof p);
    return PSB_OK;
}

psb_err psb_copy(void *out, const void *from, size_t n, size_t size, const char *what)
{
    void *p;
    PSB_CHECK(from || !n, PSB_EARG, "argument from is NULL; expected %zu elements to copy, %s", n, what);
    PSB_TRY(psb_alloc(out ? &p : NULL, n, size, what));
    if (n)
        memcpy(p, from, n * size);
    memcpy(out, &p, sizeof p);
    return PSB_OK;
}

psb_err psb_resize(void *inout, size_t n, size_t size, const char *what)
{
    void *old, *p;
    PSB_CHECK(inout, PSB_EARG, "argument inout is NULL; expected where the address of %s is", what);
    memcpy(&old, inout, sizeof old);
    if (!old)
        return PSB_PASS(psb_alloc(inout, n, size, what));
    size_t bytes = whole_lines(n, size);
    p = bytes && !is_refused(bytes) ? in_huge_pages(realloc(old, bytes), bytes) : NULL;
    if (!p)
        return PSB_PASS(no_memory(n, size, what));
    memcpy(inout, &p, sizeof p);
    return PSB_OK;
}

void psb_free(void *p)
{
    free(p);
}
