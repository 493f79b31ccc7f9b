/* hb.c -- test: fuzz target: a Harwell-Boeing file, its matrix and its right-hand sides. */
#include "fuzz.h"
#include "psb_alloc.h"

static void sides(const char *path, char which)
{
    double _Complex *val;
    psb_lpk m, n;
    psb_err e = psb_z_hb_read_rhs(path, which, &m, &n, &val);
    fuzz_refusal(e, path);
    if (e == PSB_OK)
        psb_free(val);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct psb_z_triplets t;
    struct psb_s_triplets s;
    const char *path = fuzz_file(data, size);
    psb_err e = psb_z_hb_read(path, &t);
    fuzz_refusal(e, path);
    for (psb_epk k = 0; e == PSB_OK && k < t.nnz; k++)
        HOLDS(t.ia[k] >= 0 && t.ia[k] < t.m && t.ja[k] >= 0 && t.ja[k] < t.n);
    if (e == PSB_OK)
        psb_z_triplets_free(&t);
    e = psb_s_hb_read(path, &s);
    fuzz_refusal(e, path);
    if (e == PSB_OK)
        psb_s_triplets_free(&s);
    sides(path, 'F');
    sides(path, 'G');
    sides(path, 'X');
    return 0;
}
