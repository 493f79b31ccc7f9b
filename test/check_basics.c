/* check_basics.c -- test: memory, the basic data structures of descriptors, numbers, the environment, the
 * version. */
#include "config.h"
#include "env.h"
#include "lines.h"
#include "number.h"
#include "psb_log_lines.h"
#include "psb_simd.h"
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "check_err.h"
#include "hash.h"
#include "map.h"
#include "psb_search.h"
#include "psb_version.h"

/* --- memory --- */

TEST(sizes_that_overflow)
{
    int x, *p = &x, *q = NULL;
    const size_t n[] = { SIZE_MAX, SIZE_MAX / 8 + 1, SIZE_MAX / 8, SIZE_MAX / 16 + 1,
                         (SIZE_MAX - 100000) / 8 };
    for (int k = 0; k < 5; k++) {
        FAILS(psb_alloc(&p, n[k], 8, "a giant"), PSB_ENOMEM, "a giant");
        FAILS(psb_alloc_zero(&p, n[k], 16, "a giant"), PSB_ENOMEM, "16 bytes");
        FAILS(psb_resize(&q, n[k], 8, "a giant"), PSB_ENOMEM, "8 bytes");
    }
    ck_assert_ptr_eq(p, &x);
    ck_assert_ptr_null(q);
}

TEST(wrong_arguments_of_memory)
{
    char c = 'c', *p = &c;
    FAILS(psb_alloc(NULL, 1, 1, "text"), PSB_EARG, "argument out is NULL; expected where to store the");
    FAILS(psb_alloc_zero(NULL, 1, 1, "text"), PSB_EARG, "argument out is NULL; expected where to store");
    FAILS(psb_copy(NULL, &c, 1, 1, "text"), PSB_EARG, "argument out is NULL; expected where to store");
    FAILS(psb_copy(&p, NULL, 3, 1, "text"), PSB_EARG, "argument from is NULL; expected 3 elements to copy");
    FAILS(psb_copy(&p, &c, SIZE_MAX, 8, "a giant"), PSB_ENOMEM, "a giant");
    FAILS(psb_resize(NULL, 1, 1, "text"), PSB_EARG, "argument inout is NULL; expected where the address");
    ck_assert_ptr_eq(p, &c);
    OK(psb_copy(&p, NULL, 0, 1, "nothing"));
    psb_free(p);
    psb_epk was = psb_set_thread_grain(-5); /* set to 1 */
    ck_assert_int_eq(psb_set_thread_grain(was), 1);
    ck_assert_int_eq(psb_threads(-1), 1);
}

TEST(memory)
{
    char *p, *q = NULL;
    for (size_t n = 0; n < 200; n++) {
        OK(psb_alloc(&p, n, 3, "bytes"));
        ck_assert_uint_eq((uintptr_t)p % 64, 0);
        memset(p, 1, 3 * n);
        psb_free(p);
        OK(psb_alloc_zero(&p, n, 3, "bytes"));
        for (size_t i = 0; i < 3 * n; i++)
            ck_assert_int_eq(p[i], 0);
        psb_free(p);
        OK(psb_resize(&q, n, 3, "bytes"));
        memset(q + (n ? 3 * (n - 1) : 0), (int)n, n ? 3 : 0);
    }
    for (size_t i = 0; i < 3 * 199; i++)
        ck_assert_int_eq((unsigned char)q[i], (int)(i / 3 + 1));
    psb_free(q);
    psb_free(NULL);
}

TEST(requested_allocation_failures)
{
    char *p, *q = NULL;
    OK(psb_resize(&q, 3, 1, "kept"));
    memcpy(q, "ab", 3);
    psb_alloc_fail_at(2);
    OK(psb_alloc(&p, 1, 1, "first"));
    FAILS(psb_resize(&q, 100, 1, "second"), PSB_ENOMEM, "second: 100 elements of 1 bytes");
    ck_assert_str_eq(q, "ab");
    OK(psb_resize(&q, 100, 1, "third"));
    ck_assert_str_eq(q, "ab");
    psb_alloc_fail_at(1);
    psb_alloc_fail_at(0);
    psb_free(p);
    OK(psb_alloc(&p, 1, 1, "fourth"));
    psb_free(p);
    psb_free(q);
}

/* --- hash tables --- */

/* Keys far apart, and keys at one stride. */
static psb_lpk key(int i)
{
    return i % 3 ? (psb_lpk)i * ((psb_lpk)1 << 32) : i;
}

TEST(hash)
{
    enum { N = 5000 };
    struct psb_hash h = { 0 };
    ck_assert_int_eq(psb_hash_get(&h, 5), -1);
    for (int i = 0; i < N; i++) {
        OK(psb_hash_reserve(&h, 1));
        ck_assert_int_eq(psb_hash_get(&h, key(i)), -1);
        ck_assert_int_eq(psb_hash_put(&h, key(i), i), i);
        ck_assert_int_eq(psb_hash_put(&h, key(i), i + 1), i);
    }
    ck_assert_uint_eq(h.n, N);
    ck_assert_uint_le(h.cap, 8 * N);
    for (int i = 0; i < N; i++)
        ck_assert_int_eq(psb_hash_get(&h, key(i)), i);
    ck_assert_int_eq(psb_hash_get(&h, key(N)), -1);
    ck_assert_int_eq(psb_hash_get(&h, -1), -1);
    psb_hash_free(&h);
    ck_assert_int_eq(psb_hash_get(&h, 0), -1);
}

TEST(hash_allocation_fails)
{
    struct psb_hash h = { 0 };
    OK(psb_hash_reserve(&h, 1));
    psb_hash_put(&h, 42, 7);
    for (int n = 1; n <= 2; n++) {
        psb_alloc_fail_at(n);
        FAILS(psb_hash_reserve(&h, 1000), PSB_ENOMEM, "hash");
        ck_assert_int_eq(psb_hash_get(&h, 42), 7);
    }
    OK(psb_hash_reserve(&h, 1000));
    ck_assert_int_eq(psb_hash_get(&h, 42), 7);
    psb_hash_free(&h);
}

TEST(grouped_by_process)
{
    enum { N = 500, RANKS = 9 };
    static const int far[RANKS] = { 0, 3, 255, 256, 70000, 70001, 1 << 24, (1 << 24) + 1, INT32_MAX };
    struct rng r = { (uint64_t)_i };
    struct psb_group g;
    int rank[N] = { 0 }, value[N] = { 0 }, *packed;
    struct psb_msg *msg;
    psb_ipk n = _i ? N : 0;
    for (int i = 0; i < n; i++) {
        rank[i] = far[_i == 1 ? i * RANKS / N : rng_below(&r, RANKS)]; /* _i == 1: ranks already in order */
        value[i] = 7 * i;
    }
    OK(psb_group_by(&g, n, rank));
    ck_assert_int_eq(g.n, n ? RANKS : 0);
    ck_assert_int_eq(g.start[0], 0);
    ck_assert_int_eq(g.start[g.n], n);
    OK(psb_group_pack(&g, value, sizeof *value, &packed, &msg));
    for (int k = 0; k < g.n; k++) {
        ck_assert_int_eq(g.rank[k], far[k]);
        ck_assert_int_eq(msg[k].rank, far[k]);
        ck_assert_ptr_eq(msg[k].data, packed + g.start[k]);
        ck_assert_uint_eq(msg[k].bytes, (size_t)(g.start[k + 1] - g.start[k]) * sizeof *packed);
        for (psb_ipk p = g.start[k]; p < g.start[k + 1]; p++) {
            ck_assert_int_eq(rank[g.order[p]], far[k]);
            ck_assert_int_eq(packed[p], 7 * g.order[p]);
            ck_assert(p == g.start[k] || g.order[p - 1] < g.order[p]);
        }
    }
    psb_free(packed);
    psb_free(msg);
    psb_group_free(&g);
}

/* The directory of 10^15 rows has a chunk for every row, whatever the number of processes. */
TEST(directory_of_many_rows)
{
    const psb_lpk n = INT64_C(1000000000000000);
    static const int np[] = { 1, 2, 3, 7, 466000, 1000000 };
    for (int i = 0; i < 6; i++) {
        psb_lpk chunk = psb_dir_chunk(n, np[i]);
        ck_assert_int_lt((n - 1) / chunk, np[i]);
        ck_assert(chunk <= n / np[i] + 1);
    }
}

/* A block of 2^31 - 1 rows that ends at 10^15. */
TEST(rows_near_10_15)
{
    const psb_lpk n = INT64_C(1000000000000000);
    struct psb_map m = { .nglob = n, .nrow = INT32_MAX, .one_run = 1, .lo = n - INT32_MAX };
    ck_assert_int_eq(psb_map_g2l(&m, n - 1), INT32_MAX - 1);
    ck_assert_int_eq(psb_map_g2l(&m, n - INT32_MAX), 0);
    ck_assert_int_eq(psb_map_g2l(&m, n - INT32_MAX - 1), -1);
    ck_assert_int_eq(psb_map_g2l(&m, n), -1);
    ck_assert_int_eq(psb_map_g2l(&m, 0), -1);
    ck_assert_int_eq(psb_map_g2l(&m, -1), -1);
}

/* --- vector instructions, version --- */

TEST(instruction_levels)
{
    enum psb_simd_level most = psb_simd();
    ck_assert_str_eq(psb_simd_name(PSB_SIMD_PLAIN), "plain");
    ck_assert_str_eq(psb_simd_name(PSB_SIMD_AVX512), "avx512");
    ck_assert_str_eq(psb_simd_name((enum psb_simd_level)7), "?");
    ck_assert_str_eq(psb_simd_name((enum psb_simd_level) - 1), "?");
    ck_assert_int_eq(psb_set_simd(PSB_SIMD_PLAIN), PSB_OK);
    ck_assert_int_eq(psb_simd(), PSB_SIMD_PLAIN);
    FAILS(psb_set_simd((enum psb_simd_level)7), PSB_EARG, "argument s is 7; expected 0 <= s < 3");
    ck_assert_int_eq(psb_simd(), PSB_SIMD_PLAIN);
    ck_assert_int_eq(psb_set_simd(most), PSB_OK);
    ck_assert_int_eq(psb_simd(), most);
}

TEST(requested_instruction_level)
{
    setenv("PSB_SIMD", "plain", 1);
    ck_assert_int_eq(psb_simd_check(), PSB_OK);
    ck_assert_int_eq(psb_simd(), PSB_SIMD_PLAIN);
    setenv("PSB_SIMD", "", 1);
    ck_assert_int_eq(psb_simd_check(), PSB_OK);
    setenv("PSB_SIMD", "sse", 1);
    FAILS(psb_simd_check(), PSB_EARG, "PSB_SIMD is \"sse\"; expected plain, avx2 or avx512");
}

/* --- numbers and the environment --- */

TEST(numbers_of_text)
{
    static const struct {
        const char *text;
        double x;
    } good[] = {
        { "1.5", 1.5 },       { "-2.e-3", -.002 }, { "+.25", .25 },
        { "1e-320", 1e-320 }, { "17", 17 },        { "0.1000000000000000055511151231257827021", .1 }
    };
    static const char *const bad[] = { "",     " ",     " 5",    "5 ",   "1,5", "1.5x",
                                       "x1.5", "1.5 2", "1e999", "0x10", "." };
    const bool comma = _i && ck_decimal_comma();
    char text[PSB_NUMBER];
    double x = 7;
    int64_t n = 7;
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++)
        ck_assert_msg(!psb_read_number(bad[k], &x) && !psb_read_integer(bad[k], &n), "%s", bad[k]);
    ck_assert(x == 7 && n == 7);
    for (size_t k = 0; k < sizeof good / sizeof *good; k++)
        ck_assert_msg(psb_read_number(good[k].text, &x) && x == good[k].x, "%s", good[k].text);
    ck_assert(psb_read_integer("-9223372036854775808", &n) && n == INT64_MIN);
    ck_assert(!psb_read_integer("9223372036854775808", &n) && !psb_read_integer("1.0", &n));
    ck_assert_int_eq(psb_print_number(text, 6, -1234.5), 7);
    ck_assert_str_eq(text, "-1234.5");
    ck_assert_int_eq(psb_print_number(text, 17, 0.1), 19);
    ck_assert_str_eq(text, "0.10000000000000001");
    ck_assert_int_eq(psb_print_number(text, 3, 1.25e-9), 8);
    ck_assert_str_eq(text, "1.25e-09");
    psb_print_number(text, 3, -INFINITY);
    ck_assert_str_eq(text, "-inf");
    psb_print_shortest(text, 0.1);
    ck_assert_str_eq(text, "0.1");
    psb_print_shortest(text, 1e22);
    ck_assert_str_eq(text, "1e+22");
    psb_print_shortest(text, 1.0 / 3);
    ck_assert(psb_read_number(text, &x) && x == 1.0 / 3);
    ck_assert(!comma || *localeconv()->decimal_point == ',');
}

TEST(values_of_the_environment)
{
    static const char *const choices[] = { "near", "far", "none" };
    const bool comma = ck_decimal_comma();
    double x = 3;
    int64_t n = 3;
    int k = 3;
    ck_assert(comma || *localeconv()->decimal_point == '.');
    unsetenv("PSB_HALO_TIMEOUT");
    ck_assert(!psb_env("PSB_HALO_TIMEOUT"));
    ck_assert(psb_env_real("PSB_HALO_TIMEOUT", "seconds", 10, &x) == PSB_OK && x == 3);
    setenv("PSB_HALO_TIMEOUT", "2.5", 1);
    ck_assert(psb_env_real("PSB_HALO_TIMEOUT", "seconds", 10, &x) == PSB_OK && x == 2.5);
    static const char *const wrong[] = { "2,5", "0", "10.1", "nan", "x", "2.5s" };
    for (int i = 0; i < 6; i++) {
        setenv("PSB_HALO_TIMEOUT", wrong[i], 1);
        FAILS(psb_env_real("PSB_HALO_TIMEOUT", "seconds", 10, &x), PSB_EARG, "expected 0 < seconds <= 10");
    }
    setenv("PSB_FAKE_BYTES", "", 1);
    ck_assert(psb_env_count("PSB_FAKE_BYTES", "bytes", &n) == PSB_OK && n == 3);
    setenv("PSB_FAKE_BYTES", "12345678901234", 1);
    ck_assert(psb_env_count("PSB_FAKE_BYTES", "bytes", &n) == PSB_OK && n == 12345678901234);
    setenv("PSB_FAKE_BYTES", "-1", 1);
    FAILS(psb_env_count("PSB_FAKE_BYTES", "bytes", &n), PSB_EARG, "\"-1\"; expected a number of bytes >= 1");
    setenv("PSB_HALO", "far", 1);
    ck_assert(psb_env_choice("PSB_HALO", choices, 3, &k) == PSB_OK && k == 1);
    setenv("PSB_HALO", "fa", 1);
    FAILS(psb_env_choice("PSB_HALO", choices, 3, &k), PSB_EARG,
          "PSB_HALO is \"fa\"; expected near, far or none");
    ck_assert(x == 2.5 && n == 12345678901234 && k == 1);
}

/* Levels and kinds; what is wrong changes nothing. */
TEST(items_of_the_log)
{
    unsetenv("PSB_LOG");
    OK(psb_log_set(NULL));
    ck_assert(!psb_logs(~0));
    OK(psb_log_set("transfers, halo,,"));
    ck_assert(psb_log_bits == (PSB_LOGS_TRANSFERS | PSB_LOGS_HALOS));
    FAILS(psb_log_set("call,kernel"), PSB_EARG,
          "items has the item kernel, which is not known; is kernels meant?");
    FAILS(psb_log_set("everything"), PSB_EARG, "not known; expected off, error, hint, call, debug, errors, ");
    FAILS(psb_log_set("call,file:"), PSB_EARG, "items has the item file; expected file:FILE");
    ck_assert(psb_log_bits == (PSB_LOGS_TRANSFERS | PSB_LOGS_HALOS));
    OK(psb_log_set("error"));
    ck_assert(psb_log_bits == PSB_LOGS_ERRORS);
    OK(psb_log_set("hint"));
    ck_assert(psb_log_bits == (PSB_LOGS_ERRORS | PSB_LOGS_HINTS));
    OK(psb_log_set("call"));
    ck_assert(psb_logs(PSB_LOGS_ERRORS) && psb_logs(PSB_LOGS_CALLS) && !psb_logs(PSB_LOGS_TRANSFERS));
    OK(psb_log_set("debug"));
    ck_assert(psb_logs(PSB_LOGS_HINTS) && psb_logs(PSB_LOGS_KERNELS) && !psb_logs(PSB_LOGS_SUMMARY));
    OK(psb_log_set("debug,off"));
    ck_assert(psb_log_bits == PSB_LOGS_SILENCE);
    setenv("PSB_LOG", "halos,formats", 1);
    OK(psb_log_set(NULL));
    ck_assert(psb_log_bits == PSB_LOGS_FORMATS);
    unsetenv("PSB_LOG");
    OK(psb_log_set(NULL));
}

/* Names and items that are not known: one line each, and once. */
TEST(hints_about_the_environment)
{
    static const char want[] =
        "psb: hint: PSB_LOG has the item kernel, which is not known; is kernels meant?\n"
        "psb: hint: PSB_LOG has the item file; expected file:FILE\n"
        "psb: hint: the environment variable PSB_DEVISE is not read; is PSB_DEVICE meant?\n"
        "psb: hint: the environment variable psb_log is not read; is PSB_LOG meant?\n"
        "psb: hint: the environment variable PSB_HALOTIMEOUT is not read; is PSB_HALO_TIMEOUT meant?\n"
        "psb: hint: the environment variable PSB_LOG_LEVEL is not read; psb-info --environment lists those "
        "that are\n";
    static char *const variables[] = { "PSB_LOG=halo,kernel,file",
                                       "PSB_DEVISE=cuda",
                                       "psb_log=halo",
                                       "PSB_HALOTIMEOUT=3",
                                       "PSB_FORMAT=CSR",
                                       "PSB_LOG_LEVEL=3",
                                       "psb_device_of_mine=",
                                       "PSB_HALO=auto",
                                       "PBS_DEVICE=3",
                                       "PATH=/bin",
                                       "PSBC=x",
                                       NULL };
    char **was = environ;
    ck_stderr_begin();
    environ = (char **)variables;
    psb_env_hints();
    psb_env_hints();
    environ = was;
    ck_assert_str_eq(ck_stderr_end(), want);
}

/* The table is in order, and a name in it is known. */
TEST(table_of_the_environment)
{
    const struct psb_variable *v, *was = NULL;
    for (int i = 0; (v = psb_variable(i)); was = v, i++)
        ck_assert((!was || strcmp(was->name, v->name) < 0) && *v->values && *v->preset && *v->meaning);
    ck_assert(was && strcmp(was->name, "TMPDIR") == 0 && !psb_variable(-1));
}

/* The version is configure's, its numbers are those in its name, and features are found by name. */
TEST(version)
{
    const struct psb_version_info *v = psb_version();
    char name[40];
    int zlib = -1, cuda = -1;
    snprintf(name, sizeof name, "%s %d.%d.%d", PACKAGE_NAME, v->number[0], v->number[1], v->number[2]);
    ck_assert_str_eq(v->name, name);
    ck_assert_str_eq(v->name, PACKAGE_STRING);
    for (const struct psb_feature *f = v->feature; f->name; f++) {
        zlib = strcmp(f->name, "zlib") == 0 ? f->built_in : zlib;
        cuda = strcmp(f->name, "CUDA") == 0 ? f->built_in : cuda;
        ck_assert(*f->purpose && (f->built_in == 0 || f->built_in == 1));
    }
#ifdef HAVE_ZLIB
    ck_assert_int_eq(zlib, 1);
#else
    ck_assert_int_eq(zlib, 0);
#endif
#ifdef HAVE_CUDA
    ck_assert_int_eq(cuda, 1);
#else
    ck_assert_int_eq(cuda, 0);
#endif
}

/* --- searching and sharing --- */

TEST(search_of_sorted_indices)
{
    const psb_ipk idx[] = { INT32_MIN, -7, -7, 0, 3, 3, 3, 9, 11, INT32_MAX };
    enum { N = sizeof idx / sizeof *idx };
    for (psb_epk step = 1; step <= 4; step++)
        for (psb_epk n = 0; (n - 1) * step < N; n++)
            for (int t = 0; t < 3 * N; t++) {
                psb_epk k = 0;
                const psb_epk far = (psb_epk)idx[t / 3] + t % 3 - 1;
                const psb_ipk j = far < INT32_MIN || far > INT32_MAX ? 4 : (psb_ipk)far;
                while (k < n && idx[k * step] < j)
                    k++;
                ck_assert_int_eq(psb_first_from(idx, step, n, j), k);
            }
}

/* No share exceeds the average by more than the heaviest element. */
TEST(weighted_shares)
{
    const psb_epk off[] = { 0, 5, 5, 5, 40, 41, 41, 43 };
    enum { N = 7, HEAVIEST = 36 };
    for (psb_ipk n = 0; n <= N; n++)
        for (int p = 1; p < 60; p++) {
            psb_epk fair = (off[n] + n) / p + 1;
            ck_assert_int_eq(psb_thread_start(off, n, 0, p), 0);
            ck_assert_int_eq(psb_thread_start(off, n, p, p), n);
            for (int t = 0; t < p; t++) {
                psb_ipk a = psb_thread_start(off, n, t, p), b = psb_thread_start(off, n, t + 1, p);
                ck_assert_int_le(a, b);
                ck_assert_int_le(off[b] - off[a] + b - a, fair + HEAVIEST);
            }
        }
    ck_assert_int_eq(psb_thread_start(off, N, 1, 2), 4); /* element 4 begins at weight 44 of 50 */
    ck_assert_int_eq(psb_thread_start(NULL, 0, 0, 3), 0);
}

void add_basics(TCase *c)
{
    ck_add_tests(c, sizes_that_overflow, wrong_arguments_of_memory, memory, requested_allocation_failures,
                 hash, hash_allocation_fails);
    ck_add_loop_tests(c, 5, grouped_by_process);
    ck_add_tests(c, directory_of_many_rows, rows_near_10_15, search_of_sorted_indices, weighted_shares,
                 instruction_levels, requested_instruction_level);
    ck_add_loop_tests(c, 2, numbers_of_text);
    ck_add_tests(c, values_of_the_environment, items_of_the_log, hints_about_the_environment,
                 table_of_the_environment, version);
}
