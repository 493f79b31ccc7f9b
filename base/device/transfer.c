/* transfer.c -- room: base/device.  Every copy between host and device, counted by cause. */
#include "psb_dual.h"
#include "psb_trace.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CAUSES = 64 };

static struct {
    const char *name;
    struct psb_transfers t;
} causes[CAUSES];

/* The counters of a cause; whatever comes after the table is full shares its last line. */
static struct psb_transfers *of(const char *name)
{
    int i = 0;
    while (i < CAUSES - 1 && causes[i].name && strcmp(causes[i].name, name) != 0)
        i++;
    if (!causes[i].name)
        causes[i].name = i < CAUSES - 1 ? name : "others";
    return &causes[i].t;
}

static void log_line(const char *way, size_t bytes, const char *cause)
{
    static int on = -1;
    if (on < 0) {
        const char *v = getenv("PSB_LOG");
        on = v && strstr(v, "transfers");
    }
    if (on)
        fprintf(stderr, "psb: transfer: %s %zu bytes: %s\n", way, bytes, cause);
}

static void count_put(size_t bytes, const char *cause)
{
    struct psb_transfers *t = of(cause);
    t->puts++;
    t->put_bytes += (long long)bytes;
    log_line("to device", bytes, cause);
}

void psb_count_get(size_t bytes, const char *cause)
{
    struct psb_transfers *t = of(cause);
    t->gets++;
    t->get_bytes += (long long)bytes;
    log_line("to host", bytes, cause);
}

static psb_err check(const struct psb_device *on, const void *dev, const void *host, const char *cause)
{
    const char *missing = !on ? "on" : !dev ? "dev" : !host ? "host" : !cause ? "cause" : NULL;
    PSB_CHECK(!missing, PSB_EARG, "argument %s is NULL; expected %s", missing,
              !on             ? "a device"
              : !dev || !host ? "where the bytes are"
                              : "what the copy is for");
    return PSB_OK;
}

psb_err psb_put(const struct psb_device *on, void *dev, const void *host, size_t bytes, const char *cause)
{
    if (!bytes)
        return PSB_OK;
    PSB_TRY(check(on, dev, host, cause));
    count_put(bytes, cause);
    psb_range_begin(on, cause, "to device");
    psb_err e = on->put(dev, host, bytes);
    psb_range_end(on);
    return e;
}

psb_err psb_put_async(const struct psb_device *on, void *dev, const void *host, size_t bytes,
                      const char *cause)
{
    if (!bytes)
        return PSB_OK;
    PSB_TRY(check(on, dev, host, cause));
    count_put(bytes, cause);
    psb_range_begin(on, cause, "to device");
    psb_err e = on->put_async(dev, host, bytes);
    psb_range_end(on);
    return e;
}

psb_err psb_get(const struct psb_device *on, void *host, const void *dev, size_t bytes, const char *cause)
{
    if (!bytes)
        return PSB_OK;
    PSB_TRY(check(on, dev, host, cause));
    psb_count_get(bytes, cause);
    psb_range_begin(on, cause, "to host");
    psb_err e = on->get(host, dev, bytes);
    psb_range_end(on);
    return e;
}

psb_err psb_get_async(const struct psb_device *on, void *host, const void *dev, size_t bytes,
                      const char *cause)
{
    if (!bytes)
        return PSB_OK;
    PSB_TRY(check(on, dev, host, cause));
    psb_count_get(bytes, cause);
    psb_range_begin(on, cause, "to host");
    psb_err e = on->get_async(host, dev, bytes);
    psb_range_end(on);
    return e;
}

struct psb_transfers psb_transfers(const char *cause)
{
    struct psb_transfers sum = { 0 };
    for (int i = 0; i < CAUSES && causes[i].name; i++)
        if (!cause || strcmp(causes[i].name, cause) == 0) {
            sum.puts += causes[i].t.puts;
            sum.gets += causes[i].t.gets;
            sum.put_bytes += causes[i].t.put_bytes;
            sum.get_bytes += causes[i].t.get_bytes;
        }
    return sum;
}

void psb_transfers_reset(void)
{
    memset(causes, 0, sizeof causes);
}

const char *psb_transfers_cause(int i)
{
    return i >= 0 && i < CAUSES ? causes[i].name : NULL;
}
