/* levels.h -- cuda/abi: the order in which a device solves a triangle, or factors a matrix.
 *
 * Row i of a square matrix depends on the rows j < i (upper: j > i) in which it has an entry.  Its level is
 * the length of the longest chain of such rows that ends in it.  Rows ordered by their level depend only on
 * rows before them, and rows of one level can be computed at the same time.  Source: Anderson and Saad,
 * "Solving sparse triangular linear systems on parallel computers", Int. J. High Speed Computing 1 (1989). */
#ifndef PSB_LEVELS_H
#define PSB_LEVELS_H
#include "psb_device.h"
#include "psb_int.h"
#include "psb_lang.h"
PSB_BEGIN_C

/* The pattern of n rows and columns in CSR, columns ascending, in device memory. */
struct psb_pattern {
    psb_ipk n;
    const psb_epk *irp;
    const psb_ipk *ja;
};

/* Steps on one kind of device; all pointers but `a` point to device memory. */
struct psb_level_steps {
    /* order[p], p < n: the rows by level, then ascending; place: its inverse */
    psb_err (*order)(const struct psb_pattern *a, int upper, psb_ipk *order, psb_ipk *place);
    /* to[e] = place[ja[e]], e < nnz */
    psb_err (*rename)(psb_epk nnz, const psb_ipk *ja, const psb_ipk *place, psb_ipk *to);
    /* found[0]: the first row with an entry outside of the triangle, or with a diagonal entry in a unit
     * triangle, or without one in another; -1: none */
    psb_err (*check)(const struct psb_pattern *a, int upper, int unit, psb_epk *found);
};
extern const struct psb_level_steps psb_level_steps_fake, psb_level_steps_cuda;

/* The steps for device `on`. */
const struct psb_level_steps *psb_level_steps_of(const struct psb_device *on);
PSB_END_C
#endif
