/* host_cost.c -- room: ext.  The time of a product on the host, forecast from what the kernel does. */
#include "host_cost.h"
#include "psb_simd.h"
#include <stdint.h>
#include <string.h>
#include "host_factors.h"

enum { LINE = 64, NEAR_LINES = 512, FAR_LINES = 1 << 14 }; /* bytes; lines that each cache holds */

struct psb_misses psb_misses_of(psb_epk nz, const psb_ipk *idx, size_t size)
{
    static const psb_ipk none = -1;
    psb_ipk near[NEAR_LINES], far[FAR_LINES];
    struct psb_misses m = { 0, 0 };
    for (int i = 0; i < NEAR_LINES; i++)
        near[i] = none;
    for (int i = 0; i < FAR_LINES; i++)
        far[i] = none;
    for (psb_epk k = 0; k < nz; k++) {
        const psb_ipk line = (psb_ipk)((size_t)idx[k] * size / LINE);
        if (near[line % NEAR_LINES] == line)
            continue;
        near[line % NEAR_LINES] = line;
        m.near++;
        m.far += far[line % FAR_LINES] != line;
        far[line % FAR_LINES] = line;
    }
    return m;
}

/* 0 up to `low`, 1 from `high` on. */
static double ramp(double x, double low, double high)
{
    return x <= low ? 0 : x >= high ? 1 : (x - low) / (high - low);
}

struct psb_host_terms psb_host_terms_of(const struct psb_forecast *f, const struct psb_misses *m,
                                        double vectors)
{
    const double bytes = f->bytes + vectors;
    return (struct psb_host_terms){ .lines = f->lines,
                                    .steps = f->steps,
                                    .changes = f->changes,
                                    .parts = f->parts,
                                    .near = m->near,
                                    .far = m->far,
                                    .bytes = bytes,
                                    .beyond2 = bytes * ramp(bytes, 1e6, 3e6),
                                    .beyond3 = bytes * ramp(bytes, 8e6, 24e6) };
}

struct psb_host_ns psb_host_ns_of(const struct psb_forecast *f, char scalar, const struct psb_misses *m,
                                  double vectors)
{
    static const char scalars[] = "sdcz";
    if (f->work == PSB_WORK_OWN)
        return (struct psb_host_ns){ .core = f->ns };
    const struct psb_host_terms t = psb_host_terms_of(f, m, vectors);
    const struct psb_host_factors *c =
        &factors[psb_cpu_vendor()][psb_simd()][strchr(scalars, scalar) - scalars][f->work];
    return (struct psb_host_ns){ c->lines * t.lines + c->steps * t.steps + c->changes * t.changes +
                                     c->parts * t.parts,
                                 c->near * t.near + c->far * t.far,
                                 c->bytes * t.bytes + c->beyond2 * t.beyond2 + c->beyond3 * t.beyond3 };
}
