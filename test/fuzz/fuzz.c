/* fuzz.c -- test: common parts of the targets. */
#include "config.h" /* for memfd_create */
#include "fuzz.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

const char *fuzz_file(const uint8_t *data, size_t size)
{
    static char path[64];
    static int fd = -1;
    if (fd < 0)
        fd = memfd_create("input", 0);
    HOLDS(fd >= 0 && ftruncate(fd, 0) == 0);
    for (size_t done = 0; done < size;) {
        ssize_t n = pwrite(fd, data + done, size - done, (off_t)done);
        HOLDS(n > 0);
        done += (size_t)n;
    }
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    return path;
}

void fuzz_holds(int yes, const char *what, const char *file, int line)
{
    if (yes)
        return;
    fprintf(stderr, "%s:%d: does not hold: %s; the last error: %s\n", file, line, what, psb_errmsg());
    abort();
}

void fuzz_refusal(psb_err e, const char *path)
{
    HOLDS(e == PSB_OK || e == PSB_EIO || e == PSB_EARG);
    HOLDS(e == PSB_OK || strstr(psb_errmsg(), path));
    psb_clean_errstack();
}
