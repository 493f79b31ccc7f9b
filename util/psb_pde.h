/* psb_pde.h -- room: util.  A convection-diffusion equation on the unit square or cube, as PSBLAS's pde2d and
 * pde3d:
 *
 *     - a1 u_xx - a2 u_yy - a3 u_zz + b1 u_x + b2 u_y + b3 u_z + c u = f  inside,  u = g  on the boundary
 *
 * by centred differences, of second order, on nx by ny by nz points strictly inside, hx = 1 / (nx + 1) apart
 * and so on. Unknown (i, j, k), from 0, has number (i ny + j) nz + k, as in PSBLAS, and is the point ((i+1)
 * hx, (j+1) hy, (k+1) hz), where the coefficients are taken; PSBLAS takes them one step nearer to 0. */
#ifndef PSB_PDE_H
#define PSB_PDE_H
#include "psb_err.h"
#include "psb_int.h"

/* A coefficient at a point; z is 0 in the square. */
typedef double psb_coefficient(double x, double y, double z, void *arg);

struct psb_pde {
    int dims;           /* 2 or 3; 2: nz is 1, a3 and b3 are not used */
    psb_lpk nx, ny, nz; /* >= 1, together at most 10^15 */
    /* NULL is PSBLAS's default: a 1/80; b, c, f 0; g 1 where x == 1, exp(y^2 - z^2) where x == 0 (exp(-y^2)
     * in the square), else 0 */
    psb_coefficient *a1, *a2, *a3, *b1, *b2, *b3, *c, *f, *g;
    void *arg; /* given to each */
};
#endif
