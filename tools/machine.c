/* machine.c -- tools: the processor, GPU and hosts that a program runs on, and their copy bandwidths. */
#include "config.h"
#include "machine.h"
#include "psb_alloc.h"
#include "coll.h"
#include "psb_cuda.h"
#include "psb_device.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { COPIES = 5, MIB = 1 << 20 };
enum { HOST_ARRAY = 64, GPU_ARRAY = 512, GPU_LEAST = 16 }; /* MiB */

static int by_value(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

double median(double *x, int n)
{
    qsort(x, (size_t)n, sizeof *x, by_value);
    return n % 2 ? x[n / 2] : (x[n / 2 - 1] + x[n / 2]) / 2;
}

/* --- names --- */

static int by_name(const void *a, const void *b)
{
    return strcmp(a, b);
}

/* Set m->host on process 0 to the names of all processes' hosts, each once. */
static psb_err find_hosts(psb_ctxt *ctxt, struct machine *m)
{
    char name[MPI_MAX_PROCESSOR_NAME] = "";
    int me, length;
    psb_info(ctxt, &me, &m->processes);
    psb_err e = PSB_OK;
    if (me == 0)
        e = psb_alloc_zero(&m->host, (size_t)m->processes, sizeof *m->host, "names of hosts");
    PSB_TRY(psb_agree(ctxt, e));
    PSB_MPI(MPI_Get_processor_name(name, &length));
    PSB_MPI(MPI_Gather(name, sizeof name, MPI_CHAR, m->host, sizeof name, MPI_CHAR, 0, psb_comm_of(ctxt)));
    if (me > 0)
        return PSB_OK;
    qsort(m->host, (size_t)m->processes, sizeof *m->host, by_name);
    for (int i = 0; i < m->processes; i++)
        if (i == 0 || strcmp(m->host[m->hosts - 1], m->host[i]) != 0)
            memmove(m->host[m->hosts++], m->host[i], sizeof *m->host);
    return PSB_OK;
}

/* --- copies --- */

/* Set *rate to the bytes per second when all processes copy at once; all pages of a and b were written
 * before. */
static psb_err time_copies(psb_ctxt *ctxt, size_t bytes, const char *a, char *b, double *rate)
{
    double t[COPIES];
    int np;
    psb_info(ctxt, NULL, &np);
    for (int i = 0; i < COPIES; i++) {
        PSB_TRY(psb_barrier(ctxt));
        double begun = psb_wtime();
        memcpy(b, a, bytes);
        t[i] = psb_wtime() - begun;
        PSB_TRY(psb_max(ctxt, 1, &t[i], -1));
    }
    *rate = 2.0 * (double)bytes * np / median(t, COPIES);
    return PSB_OK;
}

static psb_err copy_on_hosts(psb_ctxt *ctxt, double *rate)
{
    char *a = NULL, *b = NULL;
    const size_t bytes = HOST_ARRAY * (size_t)MIB;
    psb_err e = psb_alloc(&a, bytes, 1, "array to copy from");
    PSB_THEN(e, psb_alloc(&b, bytes, 1, "array to copy to"));
    e = psb_agree(ctxt, e);
    if (e == PSB_OK) {
        memset(a, 1, bytes);
        memset(b, 2, bytes);
        e = time_copies(ctxt, bytes, a, b, rate);
    }
    psb_free(a);
    psb_free(b);
    return e;
}

/* Set *rate to the sum over all GPUs.  Each is measured once, by the first process of its node that uses it,
 * with smaller arrays if memory is short. */
static psb_err copy_on_gpus(psb_ctxt *ctxt, double *rate)
{
    const struct psb_device *on = psb_cuda_device();
    MPI_Comm node;
    int place, gpus = 0;
    double seconds;
    size_t bytes = GPU_ARRAY * (size_t)MIB;
    psb_err e = PSB_OK;
    *rate = 0;
    PSB_MPI(MPI_Comm_split_type(psb_comm_of(ctxt), MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node));
    MPI_Comm_rank(node, &place);
    MPI_Comm_free(&node);
    if (on && on != &psb_device_fake)
        e = psb_cuda_getDeviceCount(&gpus);
    if (e == PSB_OK && place < gpus) {
        while ((e = psb_cuda_copy_time(bytes, COPIES, &seconds)) != PSB_OK && bytes > GPU_LEAST * (size_t)MIB)
            bytes /= 2;
        if (e == PSB_OK)
            *rate = 2.0 * (double)bytes / seconds;
    }
    PSB_TRY(psb_agree(ctxt, e));
    return psb_sum(ctxt, 1, rate, -1);
}

/* --- the whole machine --- */

psb_err machine_names(psb_ctxt *ctxt, struct machine *m)
{
    const struct psb_device *on = psb_cuda_device();
    *m = (struct machine){ .device = on ? on->name : "none" };
    char line[256];
    FILE *f = fopen("/proc/cpuinfo", "r");
    while (f && !*m->cpu && fgets(line, sizeof line, f))
        sscanf(line, "model name : %127[^\n]", m->cpu);
    if (f)
        fclose(f);
    time_t now = time(NULL);
    struct tm utc;
    if (gmtime_r(&now, &utc))
        strftime(m->date, MACHINE_TEXT, "%Y-%m-%dT%H:%M:%SZ", &utc);
    psb_err e = find_hosts(ctxt, m);
    PSB_THEN(e, psb_agree(ctxt,
                          on && on != &psb_device_fake ? psb_cuda_DeviceName(m->gpu, MACHINE_TEXT) : PSB_OK));
    if (e != PSB_OK)
        machine_free(m);
    return e;
}

psb_err machine_look(psb_ctxt *ctxt, struct machine *m)
{
    PSB_TRY(machine_names(ctxt, m));
    psb_err e = copy_on_hosts(ctxt, &m->host_copy);
    PSB_THEN(e, copy_on_gpus(ctxt, &m->gpu_copy));
    if (e != PSB_OK)
        machine_free(m);
    return e;
}

void machine_free(struct machine *m)
{
    psb_free(m->host);
    m->host = NULL;
}
