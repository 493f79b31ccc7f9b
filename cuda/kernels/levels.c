/* levels.c -- cuda/kernels: rows by level, and the steps of it in plain C, for the fake device. */
#include "levels.h"
#include "algebra.h"
#include "ldu.h"
#include "per_device.h"
#include "psb_alloc.h"
#include "triangle.h"
#include <string.h>

struct psb_solve_choice psb_solve_choice;
struct psb_ldu_choice psb_ldu_choice;
struct psb_product_choice psb_product_choice;

/* --- in plain C ----------------------------------------------------------------------------------------- */

/* level[i] for all rows; returns the largest. */
static psb_ipk find_levels(const struct psb_pattern *a, int upper, psb_ipk *level)
{
    psb_ipk most = 0;
    for (psb_ipk p = 0; p < a->n; p++) {
        const psb_ipk i = upper ? a->n - 1 - p : p;
        level[i] = 0;
        for (psb_epk e = a->irp[i]; e < a->irp[i + 1]; e++) {
            const psb_ipk j = a->ja[e];
            if ((upper ? j > i : j < i) && level[j] >= level[i])
                level[i] = level[j] + 1;
        }
        most = level[i] > most ? level[i] : most;
    }
    return most;
}

static psb_err fake_order(const struct psb_pattern *a, int upper, psb_ipk *order, psb_ipk *place)
{
    psb_ipk *level, *next;
    PSB_TRY(psb_alloc(&level, 2 * (size_t)a->n + 2, sizeof *level, "levels of rows"));
    next = level + a->n;
    const psb_ipk most = find_levels(a, upper, level);
    memset(next, 0, ((size_t)most + 2) * sizeof *next);
    for (psb_ipk i = 0; i < a->n; i++)
        next[level[i] + 1]++;
    for (psb_ipk l = 0; l <= most; l++)
        next[l + 1] += next[l];
    for (psb_ipk i = 0; i < a->n; i++) {
        place[i] = next[level[i]]++;
        order[place[i]] = i;
    }
    psb_free(level);
    return PSB_OK;
}

static psb_err fake_rename(psb_epk nnz, const psb_ipk *ja, const psb_ipk *place, psb_ipk *to)
{
    for (psb_epk e = 0; e < nnz; e++)
        to[e] = place[ja[e]];
    return PSB_OK;
}

static psb_err fake_check(const struct psb_pattern *a, int upper, int unit, psb_epk *found)
{
    found[0] = -1;
    for (psb_ipk i = 0; i < a->n && found[0] < 0; i++) {
        const psb_epk first = a->irp[i], end = a->irp[i + 1];
        const psb_ipk outer = first < end ? a->ja[upper ? first : end - 1] : -1;
        if ((outer >= 0 && (upper ? outer < i : outer > i)) || unit == (outer == i))
            found[0] = i;
    }
    return PSB_OK;
}

const struct psb_level_steps psb_level_steps_fake = { fake_order, fake_rename, fake_check };

const struct psb_level_steps *psb_level_steps_of(const struct psb_device *on)
{
    return PSB_KERNELS(psb_level_steps, on);
}
