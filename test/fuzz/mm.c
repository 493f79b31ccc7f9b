/* mm.c -- test: fuzz target: a Matrix Market file, plain or compressed, read as real, as complex, and
 * block by block as several processes do; all results must agree. */
#include "config.h"
#include "fuzz.h"
#include <stdlib.h>
#include <string.h>
#include "mm_block.h"
#include "psb_alloc.h"

enum { MOST = 1 << 14, MOST_DENSE = 1 << 16 };

static int same(const struct psb_z_triplets *a, const struct psb_z_triplets *b, psb_epk n)
{
    size_t k = (size_t)n;
    return !n || (!memcmp(a->ia, b->ia, k * sizeof *a->ia) && !memcmp(a->ja, b->ja, k * sizeof *a->ja) &&
                  !memcmp(a->val, b->val, k * sizeof *a->val));
}

/* Read one block as mm_all.c does; *b describes the preceding blocks and is updated. */
static psb_err block(const char *path, psb_epk k, psb_epk size, psb_epk *line, struct psb_z_mm_block *b,
                     int *over)
{
    struct psb_text in;
    struct psb_mm_header a;
    PSB_TRY(psb_mm_open(path, &in, &a));
    psb_epk head = in.line;
    psb_err e = psb_text_skip(&in, k * size);
    in.line = *line = *line < head ? head : *line;
    psb_text_until(&in, (k + 1) * size);
    b->a = &a;
    if (e == PSB_OK)
        e = psb_z_mm_lines(&in, b);
    if (e == PSB_OK && psb_text_is_over(&in)) {
        *over = 1;
        e = psb_mm_enough(&in, &a, b->before + b->found);
    }
    *line = in.line;
    psb_text_close(&in);
    return e;
}

/* Read in blocks, the file gives the same matrix or the same error message. */
static void in_blocks(const char *path, psb_epk size, psb_err e, const struct psb_z_triplets *t)
{
    char whole[600] = "";
    struct psb_z_mm_block b = { .before = 0 };
    psb_epk line = 0;
    psb_err f = PSB_OK;
    int over = 0;
    strncpy(whole, psb_errmsg(), sizeof whole - 1);
    for (psb_epk k = 0; f == PSB_OK && !over; k++) {
        f = block(path, k, size, &line, &b, &over);
        b.before += b.found;
        b.found = 0;
    }
    HOLDS(f == e);
    if (e == PSB_OK)
        HOLDS(b.e.t.nnz == t->nnz && same(&b.e.t, t, t->nnz));
    else
        HOLDS(strstr(psb_errmsg(), strrchr(whole, '/') ? strrchr(whole, '/') : whole) != NULL);
    psb_z_triplets_free(&b.e.t);
}

static void as_real(const char *path, psb_err e, const struct psb_z_triplets *t)
{
    struct psb_d_triplets r;
    struct psb_s_triplets s;
    psb_err f = psb_d_mm_read(path, NULL, NULL, &r);
    HOLDS(f == e || f == PSB_EARG);
    if (f == PSB_OK) {
        HOLDS(r.nnz == t->nnz && r.m == t->m && r.n == t->n);
        psb_d_triplets_free(&r);
    }
    f = psb_s_mm_read(path, NULL, NULL, &s);
    if (f == PSB_OK)
        psb_s_triplets_free(&s);
    fuzz_refusal(f, path);
}

static void as_dense(const char *path, const struct psb_z_triplets *t)
{
    double _Complex *a;
    psb_lpk m, n;
    if (t->n > MOST_DENSE || t->m > MOST_DENSE || t->m * t->n > MOST_DENSE)
        return;
    HOLDS(psb_z_mm_read_array(path, &m, &n, &a) == PSB_OK);
    psb_free(a);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct psb_z_triplets t = { .nnz = 0 };
    if (size > MOST)
        return 0;
    const char *path = fuzz_file(data, size);
    psb_clean_errstack();
    psb_err e = psb_z_mm_read(path, NULL, NULL, &t);
    if (size < 2048 && memcmp(data, "%%", size > 1 ? 2 : 0) == 0 && !strstr(psb_errmsg(), "no regular"))
        in_blocks(path, 23 + (psb_epk)(size % 41), e, &t);
    as_real(path, e, &t);
    if (e == PSB_OK)
        as_dense(path, &t);
    psb_z_triplets_free(&t);
    psb_clean_errstack();
    return 0;
}
