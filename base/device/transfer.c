/* transfer.c -- base/device: copies between host and device, counted by cause. */
#include "psb_transfer.h"
#include "psb_trace.h"
#include <stdatomic.h>
#include <string.h>

enum { CAUSES = 64 };

static struct {
    const char *name;
    struct psb_transfer_counts t;
} causes[CAUSES];
static atomic_flag counting = ATOMIC_FLAG_INIT;

/* Return the counters of a cause; causes for which the table is too short share its last line. */
static struct psb_transfer_counts *counters_of(const char *name)
{
    int i = 0;
    while (i < CAUSES - 1 && causes[i].name && strcmp(causes[i].name, name) != 0)
        i++;
    if (!causes[i].name)
        causes[i].name = i < CAUSES - 1 ? name : "others";
    return &causes[i].t;
}

enum way { TO_DEVICE, TO_HOST };
static const char *const ways[] = { [TO_DEVICE] = "to device", [TO_HOST] = "to host" };

static void begin_counting(void)
{
    while (atomic_flag_test_and_set_explicit(&counting, memory_order_acquire))
        continue;
}

static void end_counting(void)
{
    atomic_flag_clear_explicit(&counting, memory_order_release);
}

static void count_transfer(enum way way, size_t bytes, const char *cause)
{
    begin_counting();
    struct psb_transfer_counts *t = counters_of(cause);
    *(way == TO_DEVICE ? &t->puts : &t->gets) += 1;
    *(way == TO_DEVICE ? &t->put_bytes : &t->get_bytes) += (long long)bytes;
    end_counting();
    if (psb_logs(PSB_LOGS_TRANSFERS))
        psb_log_line(PSB_LOGS_TRANSFERS, "transfer: %s %zu bytes: %s", ways[way], bytes, cause);
}

void psb_count_get(size_t bytes, const char *cause)
{
    count_transfer(TO_HOST, bytes, cause);
}

static psb_err check_transfer(const struct psb_device *on, const void *dev, const void *host,
                              const char *cause)
{
    PSB_NEED(on, "a device");
    PSB_NEED(dev, "where the bytes are");
    PSB_NEED(host, "where the bytes are");
    PSB_NEED(cause, "what the copy is for");
    return PSB_OK;
}

static psb_err transfer(const struct psb_device *on, enum way way, bool async, void *to, const void *from,
                        size_t bytes, const char *cause)
{
    if (!bytes)
        return PSB_OK;
    PSB_TRY(check_transfer(on, way == TO_DEVICE ? to : from, way == TO_DEVICE ? from : to, cause));
    psb_err (*const copy[2][2])(void *, const void *, size_t) = {
        [TO_DEVICE] = { on->put, on->put_async }, [TO_HOST] = { on->get, on->get_async }
    };
    count_transfer(way, bytes, cause);
    struct psb_range range = psb_range_begin(on, cause, ways[way]);
    psb_err e = copy[way][async](to, from, bytes);
    range.bytes = (double)bytes;
    psb_range_end(&range);
    return e;
}

psb_err psb_put(const struct psb_device *on, void *dev, const void *host, size_t bytes, const char *cause)
{
    return PSB_PASS(transfer(on, TO_DEVICE, false, dev, host, bytes, cause));
}

psb_err psb_put_async(const struct psb_device *on, void *dev, const void *host, size_t bytes,
                      const char *cause)
{
    return PSB_PASS(transfer(on, TO_DEVICE, true, dev, host, bytes, cause));
}

psb_err psb_get(const struct psb_device *on, void *host, const void *dev, size_t bytes, const char *cause)
{
    return PSB_PASS(transfer(on, TO_HOST, false, host, dev, bytes, cause));
}

psb_err psb_get_async(const struct psb_device *on, void *host, const void *dev, size_t bytes,
                      const char *cause)
{
    return PSB_PASS(transfer(on, TO_HOST, true, host, dev, bytes, cause));
}

struct psb_transfer_counts psb_transfers(const char *cause)
{
    struct psb_transfer_counts sum = { 0 };
    begin_counting();
    for (int i = 0; i < CAUSES && causes[i].name; i++)
        if (!cause || strcmp(causes[i].name, cause) == 0) {
            sum.puts += causes[i].t.puts;
            sum.gets += causes[i].t.gets;
            sum.put_bytes += causes[i].t.put_bytes;
            sum.get_bytes += causes[i].t.get_bytes;
        }
    end_counting();
    return sum;
}

void psb_transfers_reset(void)
{
    begin_counting();
    memset(causes, 0, sizeof causes);
    end_counting();
}

const char *psb_transfers_cause(int i)
{
    return i >= 0 && i < CAUSES ? causes[i].name : NULL;
}
