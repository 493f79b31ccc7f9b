/* psb_pde.h -- util: a convection-diffusion equation on the unit square or cube, like pde2d and
 * pde3d of PSBLAS:
 *
 *     - a1 u_xx - a2 u_yy - a3 u_zz + b1 u_x + b2 u_y + b3 u_z + c u = f  inside,  u = g  on the boundary
 *
 * discretised by second-order centred differences on nx by ny by nz interior points, with spacing
 * hx = 1 / (nx + 1), and hy, hz likewise.  Unknown (i, j, k), counted from 0, has number (i ny + j) nz + k,
 * as in PSBLAS, and is at the point ((i+1) hx, (j+1) hy, (k+1) hz).  The coefficients are evaluated at that
 * point; PSBLAS evaluates them one grid step closer to 0. */
#ifndef PSB_PDE_H
#define PSB_PDE_H
#include "psb_err.h"
#include "psb_int.h"
#include "psb_lang.h"
PSB_BEGIN_C

/* Returns a coefficient at a point; z is 0 for the square. */
typedef double psb_coefficient(double x, double y, double z, void *arg);

typedef struct psb_pde {
    int dims;           /* 2 or 3; 2: nz is 1, a3 and b3 are not used */
    psb_lpk nx, ny, nz; /* each >= 1, product at most 10^15 */
    /* NULL selects the default of PSBLAS: a 1/80; b, c, f 0; g 1 where x == 1, exp(y^2 - z^2) where x == 0
     * (exp(-y^2) for the square), else 0 */
    psb_coefficient *a1, *a2, *a3, *b1, *b2, *b3, *c, *f, *g;
    void *arg; /* last argument of every coefficient */
} psb_pde;
PSB_END_C
#endif
