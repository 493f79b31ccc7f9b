/* ck.c -- test: common parts of all suites. */
#include "config.h"
#include "ck.h"
#include "psb_cuda.h"
#include "psb_rsb.h"
#include <locale.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

uint64_t rng_next(struct rng *r)
{
    uint64_t z = r->state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

int rng_below(struct rng *r, int n)
{
    return (int)(rng_next(r) % (uint64_t)n);
}

double rng_real(struct rng *r)
{
    return (double)(rng_next(r) >> 11) * 0x1p-52 - 1;
}

void ck_free(void *where)
{
    void *block;
    memcpy(&block, where, sizeof block);
    free(block);
}

void ck_free_desc(psb_desc **desc)
{
    psb_cdfree(*desc);
}

void ck_ok(psb_err e, const char *call, const char *file, int line)
{
    if (e != PSB_OK)
        ck_abort_msg("%s:%d: %s: %s", file, line, call, psb_errmsg());
}

void ck_fails(psb_err e, psb_err code, const char *call, const char *file, int line, const char *fmt, ...)
{
    char in[400];
    va_list args;
    va_start(args, fmt);
    vsnprintf(in, sizeof in, fmt, args);
    va_end(args);
    if (e != code)
        ck_abort_msg("%s:%d: %s: %s; expected %s", file, line, call, psb_strerror(e), psb_strerror(code));
    if (!strstr(psb_errmsg(), in))
        ck_abort_msg("%s:%d: %s: \"%s\"; expected \"%s\" in it", file, line, call, psb_errmsg(), in);
}

long ck_allocations(void)
{
    long left = 0;
    for (void *p; psb_alloc(&p, 1, 1, "counting") == PSB_OK; left++)
        psb_free(p);
    return CK_NEVER - left - 1;
}

static FILE *collected;
static int real_stderr;

void ck_stderr_begin(void)
{
    fflush(stderr);
    collected = tmpfile();
    real_stderr = dup(2);
    ck_assert(collected && real_stderr >= 0 && dup2(fileno(collected), 2) >= 0);
}

const char *ck_stderr_end(void)
{
    static char text[4001];
    fflush(stderr);
    dup2(real_stderr, 2);
    close(real_stderr);
    rewind(collected);
    text[fread(text, 1, sizeof text - 1, collected)] = '\0';
    fclose(collected);
    return text;
}

/* --- decimal comma --- */

/* The file LC_NUMERIC of a locale as glibc stores it: "," is the decimal point. */
static const unsigned char comma[] = {
    0x14, 0x11, 0x03, 0x20, 6, 0, 0, 0,   32, 0, 0, 0,   34, 0, 0, 0, 35, 0, 0, 0,   36,  0,   0,   0,   40,
    0,    0,    0,    44,   0, 0, 0, ',', 0,  0, 0, ',', 0,  0, 0, 0, 0,  0, 0, 'U', 'T', 'F', '-', '8', 0,
};

bool ck_decimal_comma(void)
{
    char dir[] = "/tmp/ck_XXXXXX", folder[64], file[80];
    if (!mkdtemp(dir))
        return false;
    snprintf(folder, sizeof folder, "%s/xx_COMMA", dir);
    snprintf(file, sizeof file, "%s/LC_NUMERIC", folder);
    FILE *f = mkdir(folder, 0700) == 0 ? fopen(file, "wb") : NULL;
    const bool written = f && fwrite(comma, 1, sizeof comma, f) == sizeof comma;
    const bool closed = f && fclose(f) == 0;
    setenv("LOCPATH", dir, 1);
    const bool found = written && closed && setlocale(LC_NUMERIC, "xx_COMMA");
    unsetenv("LOCPATH");
    unlink(file);
    rmdir(folder);
    rmdir(dir);
    if (!found || *localeconv()->decimal_point != ',')
        printf("skipped: the C library does not take a locale with a decimal comma from a file\n");
    return found;
}

/* --- running a suite --- */

/* defined by LeakSanitizer in a build with it */
extern void __lsan_disable(void) __attribute__((weak));
extern void __lsan_enable(void) __attribute__((weak));
extern void __lsan_do_leak_check(void) __attribute__((weak));

void ck_mpi_init(void)
{
    if (__lsan_disable)
        __lsan_disable();
    MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &(int){ 0 });
    if (__lsan_enable)
        __lsan_enable();
}

psb_err ck_init(psb_ctxt **ctxt)
{
    const char *grain = getenv("CK_GRAIN");
    if (grain)
        psb_set_thread_grain(atoi(grain));
    PSB_TRY(psb_init(ctxt));
    PSB_TRY(psb_rsb_init());
    atexit(psb_rsb_exit);
    PSB_TRY(psb_cuda_init(*ctxt));
    if (psb_cuda_device() || getenv("PSB_DEVICE"))
        return PSB_OK;
    psb_cuda_exit();
    setenv("PSB_DEVICE", "fake", 1);
    return psb_cuda_init(*ctxt);
}

int ck_end(psb_ctxt *ctxt, int failed)
{
    psb_cuda_exit();
    psb_exit(ctxt);
    MPI_Finalize();
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

static void start_clock(void)
{
    const char *limit = getenv("CK_DEFAULT_TIMEOUT");
    alarm(limit ? (unsigned)atoi(limit) : 300); /* a hang ends the program as a failure */
}

static void stop_clock(void)
{
    alarm(0);
    psb_alloc_fail_at(0);
    psb_alloc_fail_above(0);
    psb_clean_errstack();
}

int ck_run(Suite *s)
{
    SRunner *r = srunner_create(s);
    srunner_set_fork_status(r, CK_NOFORK);
    srunner_run_all(r, CK_ENV);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    if (__lsan_do_leak_check && !failed)
        __lsan_do_leak_check();
    return failed;
}

int ck_step(int n)
{
    const char *zoo = getenv("CHECK_ZOO");
    const int step = zoo ? atoi(zoo) : 1, most = (n + 3) / 4;
    return step <= 1 ? 1 : ((step < most ? step : most) - 1) | 1; /* odd, because sizes and kinds alternate */
}

/* Add turns 0, step, 2 step, ... below n that belong to this slice. */
static void add_turns(TCase *c, const TTest *t, int n, int step)
{
    const char *slice = getenv("CHECK_SLICE");
    int k = 0, slices = 1;
    if (slice && (sscanf(slice, "%d/%d", &k, &slices) != 2 || k < 0 || k >= slices)) {
        fprintf(stderr, "CHECK_SLICE is \"%s\"; expected K/N, 0 <= K < N\n", slice);
        exit(EXIT_FAILURE);
    }
    for (int i = k * step; i < n; i += slices * step)
        tcase_add_loop_test(c, t, i, i + 1);
}

void ck_add(TCase *c, int n, int step, const TTest *const *tests)
{
    for (; *tests; tests++)
        if (step == 0)
            tcase_add_test(c, *tests);
        else
            add_turns(c, *tests, n, step);
}

TCase *ck_tcase(Suite *s, const char *name)
{
    TCase *c = tcase_create(name);
    tcase_add_checked_fixture(c, start_clock, stop_clock);
    suite_add_tcase(s, c);
    return c;
}
