/* bytes.c -- test: fuzz target: a file that may be compressed by gzip or xz, read in pieces of
 * different sizes and with parts skipped; the contents must be the same. */
#include "fuzz.h"
#include "bytes.h"

enum { MOST_OUT = 1 << 20 }; /* a few bytes may decompress to gigabytes */

/* Read up to MOST_OUT bytes, `piece` at a time; return their number and a checksum. */
static psb_err read_through(const char *path, size_t piece, size_t skip, size_t *length, uint64_t *sum)
{
    static char buf[1 << 12];
    struct psb_bytes *b;
    size_t got = 1;
    PSB_TRY(psb_bytes_open(path, path, &b));
    psb_err e = psb_bytes_skip(b, (int64_t)skip);
    for (*length = skip, *sum = 0; e == PSB_OK && got > 0 && *length < MOST_OUT;) {
        e = psb_bytes_read(b, buf, piece, &got);
        for (size_t k = 0; e == PSB_OK && k < got; k++)
            *sum = *sum * 31 + (unsigned char)buf[k];
        *length += e == PSB_OK ? got : 0;
    }
    HOLDS(psb_bytes_fraction(b) <= 1);
    psb_bytes_close(b);
    return e;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t n[3];
    uint64_t sum[3];
    const char *path = fuzz_file(data, size);
    psb_err e = read_through(path, 4096, 0, &n[0], &sum[0]);
    psb_err f = read_through(path, 1 + size % 97, 0, &n[1], &sum[1]);
    HOLDS(e == PSB_OK || e == PSB_EIO || e == PSB_ENOMEM);
    if (n[0] < MOST_OUT && n[1] < MOST_OUT)
        HOLDS(e == f && (e != PSB_OK || (n[0] == n[1] && sum[0] == sum[1])));
    size_t skip = n[0] / 2;
    if (e == PSB_OK && n[0] < MOST_OUT) {
        HOLDS(read_through(path, 4096, skip, &n[2], &sum[2]) == PSB_OK);
        HOLDS(n[2] == n[0]);
    }
    psb_clean_errstack();
    return 0;
}
