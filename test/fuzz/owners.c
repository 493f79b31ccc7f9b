/* owners.c -- test: fuzz target: a file of owners.  The first two bytes are the numbers of rows and
 * processes. */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    int vg[256];
    if (size < 2)
        return 0;
    psb_lpk n = data[0];
    int np = 1 + data[1];
    const char *path = fuzz_file(data + 2, size - 2);
    psb_err e = psb_part_owners(path, n, np, vg);
    for (psb_lpk i = 0; e == PSB_OK && i < n; i++)
        HOLDS(vg[i] >= 0 && vg[i] < np);
    fuzz_refusal(e, path);
    return 0;
}
