/* check_mm_long.c -- test: Matrix Market files: long and compressed files, allocation failures. */
#include "config.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "check_mm.h"
#ifdef HAVE_ZLIB
#include <zlib.h>
#endif
#ifdef HAVE_LZMA
#include <lzma.h>
#endif

/* A file with n entries (k, k, k), in memory. */
static char *diagonal(int n, size_t *length)
{
    char *text = malloc(100 + (size_t)n * 40), *p = text;
    ck_assert_ptr_nonnull(text);
    p += sprintf(p, "%s%d %d %d\r\n", REAL_COO, n, n, n);
    for (int k = 1; k <= n; k++)
        p += sprintf(p, "%d %d %d%s", k, k, k, k % 3 ? "\n" : "\r\n");
    *length = (size_t)(p - text);
    return text;
}

static void is_diagonal(int n)
{
    TRIPLETS t = { 0 };
    ck_assert_msg(X(mm_read)(mm_path, NULL, NULL, &t) == PSB_OK, "%s", psb_errmsg());
    ck_assert_int_eq(t.nnz, n);
    for (int k = 0; k < n; k++)
        ck_assert(t.ia[k] == k && t.ja[k] == k && t.val[k] == (R)(k + 1));
}

struct reported {
    int calls;
    double last;
};

static void record_progress(void *arg, double fraction)
{
    struct reported *h = arg;
    ck_assert(fraction >= h->last && fraction <= 1);
    h->calls++;
    h->last = fraction;
}

TEST(long_file_and_progress)
{
    enum { N = 60000 };
    size_t length;
    HEAP char *text = diagonal(N, &length);
    write_mm_text(text, length);
    is_diagonal(N);

    struct reported h = { 0 };
    struct X(triplets) t;
    ck_assert_int_eq(X(mm_read)(mm_path, record_progress, &h, &t), PSB_OK);
    ck_assert(h.calls > 2 && h.last == 1);
    X(triplets_free)(&t);

    text[length - 3] = 'x'; /* the message contains the number of the last line */
    write_mm_text(text, length);
    check_mm_refused(mm_path, PSB_EIO, ":60002:", "x");
}

#ifdef HAVE_ZLIB
TEST(gzip_files)
{
    enum { N = 60000 };
    size_t length, half;
    char *text = diagonal(N, &length);
    for (int part = 0; part < 2; part++) { /* two gzip members in one file */
        gzFile f = gzopen(mm_path, part ? "ab" : "wb");
        half = length / 2;
        ck_assert_int_gt(gzwrite(f, part ? text + half : text, (unsigned)(part ? length - half : half)), 0);
        ck_assert_int_eq(gzclose(f), Z_OK);
    }
    free(text);
    is_diagonal(N);
    FILE *f = fopen(mm_path, "rb");
    fseek(f, 0, SEEK_END);
    long packed = ftell(f);
    fclose(f);
    ck_assert_int_eq(truncate(mm_path, packed - 5), 0);
    check_mm_refused(mm_path, PSB_EIO, "", "gzip data are cut short");
    ck_assert_int_eq(truncate(mm_path, 1000), 0);
    check_mm_refused(mm_path, PSB_EIO, "", "gzip data are cut short");
    write_mm_text("\x1f\x8b rubbish", 10);
    check_mm_refused(mm_path, PSB_EIO, "", "gzip data are damaged");
}
#else
TEST(gzip_without_library)
{
    write_mm_text("\x1f\x8b", 2);
    check_mm_refused(mm_path, PSB_EIO, "", "zlib");
}
#endif

#ifdef HAVE_LZMA
TEST(xz_files)
{
    enum { N = 60000 };
    size_t length, packed = 0, capacity = 1 << 21;
    char *text = diagonal(N, &length);
    HEAP uint8_t *out = malloc(capacity);
    ck_assert_ptr_nonnull(out);
    for (int part = 0; part < 2; part++)
        ck_assert_int_eq(
            lzma_easy_buffer_encode(1, LZMA_CHECK_CRC64, NULL, (uint8_t *)text + part * (length / 2),
                                    part ? length - length / 2 : length / 2, out, &packed, capacity),
            LZMA_OK);
    free(text);
    write_mm_text(out, packed);
    is_diagonal(N);
    write_mm_text(out, packed - 5);
    check_mm_refused(mm_path, PSB_EIO, "", "xz data are cut short");
    write_mm_text(out, 1000);
    check_mm_refused(mm_path, PSB_EIO, "", "xz data are cut short");
    memset(out + 500, 0, 50);
    write_mm_text(out, packed);
    check_mm_refused(mm_path, PSB_EIO, "", "xz data are damaged");
}
#else
TEST(xz_without_library)
{
    write_mm_text("\xfd\x37\x7a\x58\x5a\0", 6);
    check_mm_refused(mm_path, PSB_EIO, "", "liblzma");
}
#endif

TEST(allocation_fails)
{
    size_t length;
    TRIPLETS t = { .nnz = -7 };
    char *text = diagonal(5000, &length);
    write_mm_text(text, length);
    free(text);
    int failures = 0;
    for (psb_err e = PSB_ENOMEM; e != PSB_OK; failures += e != PSB_OK) {
        psb_alloc_fail_at(failures + 1);
        e = X(mm_read)(mm_path, NULL, NULL, &t);
        ck_assert(e == PSB_OK || (e == PSB_ENOMEM && t.nnz == -7));
    }
    psb_alloc_fail_at(0);
    ck_assert_int_ge(failures, 8); /* two buffers, and three arrays that grow and are trimmed */
}

void add_mm_long_files(TCase *c)
{
    ck_add_tests(c, long_file_and_progress);
#ifdef HAVE_ZLIB
    ck_add_tests(c, gzip_files);
#else
    ck_add_tests(c, gzip_without_library);
#endif
#ifdef HAVE_LZMA
    ck_add_tests(c, xz_files);
#else
    ck_add_tests(c, xz_without_library);
#endif
    ck_add_tests(c, allocation_fails);
}
