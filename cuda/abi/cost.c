/* cost.c -- room: cuda/abi.  The time of a product on a device, forecast from what the matrix is like. */
#include "cost.h"
#include "cost_factors.h"
#include <math.h>
#include <string.h>

static const struct psb_cost_machine *machine = machines;

/* Bytes up to which arrays stay in the cache, and from which they do not; for CSRG, whose loads beyond half
 * of the cache leave nothing in it, from CSRG_LEAVES.  NEAR, FAR: the same for the reach of a group.  The
 * cache of an H100 or H200 has 50 MB. */
static const double STAYS = 25e6, LEAVES = 60e6, CSRG_LEAVES = 35e6, NEAR = 10e6, FAR = 40e6;

/* 0 up to `low`, 1 from `high` on. */
static double ramp(double x, double low, double high)
{
    return fmin(1, fmax(0, (x - low) / (high - low)));
}

void psb_cost_for(double gbs)
{
    enum { N = sizeof machines / sizeof *machines };
    machine = machines;
    for (int i = 1; i < N && gbs > 0; i++)
        if (fabs(log(gbs / machines[i].gbs)) < fabs(log(gbs / machine->gbs)))
            machine = &machines[i];
}

double psb_cost_far(double sectors, double reach)
{
    return sectors * ramp(reach, NEAR, FAR);
}

static double of_all_threads(const struct psb_cost_factors *f, const struct psb_cost_terms *t,
                             double from_memory)
{
    const double arrays = t->bytes * (from_memory * f->bytes + (1 - from_memory) * f->cached);
    const double x = t->sectors * f->sectors + t->misses * f->misses + t->far * f->far;
    return arrays + t->padding * f->padding + t->vectors * f->vectors + t->rows * f->rows + x +
           t->parts * f->parts;
}

double psb_cost_ns(enum psb_costed format, char scalar, const struct psb_cost_terms *t)
{
    static const char order[] = "sdcz";
    const struct psb_cost_factors *f = &machine->factors[format][strchr(order, scalar) - order];
    const double leaves = format == PSB_COST_CSRG ? CSRG_LEAVES : LEAVES,
                 from_memory = ramp(t->bytes + t->padding + t->vectors, STAYS, leaves);
    const double of_chain = t->chain * (f->chain + from_memory * f->far_chain);
    return f->launch + t->second * f->second + fmax(of_all_threads(f, t, from_memory), of_chain);
}
