/* trace.c -- base/device: the log of kernels. */
#include "psb_trace.h"
#include "env.h"
#include "errcall.h"
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { LINES = 128 };

/* Products of one format on one device with one op. */
static struct {
    const char *fmt, *where;
    char op;
    long long times, columns, bytes;
} line[LINES];
static int nlines;
static atomic_flag busy = ATOMIC_FLAG_INIT;

static void print_table(void)
{
    for (int i = 0; i < nlines; i++)
        psb_log_line(PSB_LOGS_KERNELS, "kernels: %s on %s, op %c: %lld products, %lld columns, %lld bytes",
                     line[i].fmt, line[i].where, line[i].op, line[i].times, line[i].columns, line[i].bytes);
}

/* Return the line of a product; products for which the table is too short share its last line. */
static int find_line(const char *fmt, const char *where, char op)
{
    int i = 0;
    while (i < nlines && (line[i].op != op || strcmp(line[i].fmt, fmt) || strcmp(line[i].where, where)))
        i++;
    if (i == LINES)
        return LINES - 1;
    if (i == nlines) {
        line[nlines].fmt = nlines < LINES - 1 ? fmt : "others";
        line[nlines].where = where;
        line[nlines++].op = op;
    }
    return i;
}

void psb_log_kernel(const char *fmt, const char *where, char op, psb_ipk k, size_t bytes)
{
    psb_log_line(PSB_LOGS_KERNELS, "kernel: %s on %s, op %c, columns %d: %zu bytes", fmt, where, op, k,
                 bytes);
    while (atomic_flag_test_and_set(&busy))
        continue;
    if (nlines == 0)
        atexit(print_table);
    const int i = find_line(fmt, where, op);
    line[i].times++;
    line[i].columns += k;
    line[i].bytes += (long long)bytes;
    atomic_flag_clear(&busy);
}

static const char *name_of(const struct psb_device *on)
{
    return on ? on->name : "host";
}

/* A hint, the first time that it is due.  The log comes first: a program may ask for hints later. */
/* clang-format off */
#define HINT(...) do { static atomic_flag said = ATOMIC_FLAG_INIT; \
    if (psb_logs(PSB_LOGS_HINTS) && !atomic_flag_test_and_set(&said)) \
        psb_log_line(PSB_LOGS_HINTS, "hint: " __VA_ARGS__); } while (0)
/* clang-format on */

void psb_hint_places(const char *fmt, const struct psb_device *a, const struct psb_device *x,
                     const struct psb_device *y)
{
    HINT("a product runs on the host: the matrix (%s) is on %s, x on %s, y on %s; psb_vects_like creates "
         "vectors that fit a matrix",
         fmt, name_of(a), name_of(x), name_of(y));
}

void psb_hint_no_device(const char *fmt)
{
    static atomic_flag said = ATOMIC_FLAG_INIT;
    const bool asked = psb_logs(PSB_LOGS_HINTS), unasked = !psb_env("PSB_DEVICE") && psb_err_leads();
    if ((asked || unasked) && !atomic_flag_test_and_set(&said))
        psb_log_line(PSB_LOGS_HINTS, "hint: the format %s computes on the host, since there is no device%s",
                     fmt, unasked ? " (PSB_DEVICE=none: without this line)" : "");
}

void psb_hint_padding(const char *fmt, double bytes, double csr)
{
    HINT("a matrix in %s takes %.4g MB, %.3g times the %.4g MB of CSR; its products are likely to be slower",
         fmt, 1e-6 * bytes, bytes / csr, 1e-6 * csr);
}

void psb_hint_launch(const char *fmt, long long entries)
{
    HINT("a matrix of %lld entries in %s is on the device; one core multiplies it in the time of a launch",
         entries, fmt);
}
