/* pde.h -- test/cbind: a convection-diffusion equation on the unit cube, discretised by centred
 * differences. */
#ifndef PDE_H
#define PDE_H
#include <math.h>
#include <stdint.h>

static inline double pde_boundary(double x, double y, double z)
{
    return x == 1 ? 1 : x == 0 ? exp(y * y - z * z) : 0;
}

/* Row g of n^3: columns col and values val of the entries, whose number is returned; the right-hand side in
 * *rhs. */
static inline int pde_row(int64_t g, int n, int64_t *col, double *val, double *rhs)
{
    static const int step[7][3] = { { -1, 0, 0 }, { 0, -1, 0 }, { 0, 0, -1 }, { 0, 0, 0 },
                                    { 0, 0, 1 },  { 0, 1, 0 },  { 1, 0, 0 } };
    const double h = 1.0 / (n + 1), a = 1.0 / 80, b = 1 / sqrt(3.0) / 8;
    const int64_t p[3] = { g / n / n, g / n % n, g % n };
    int count = 0;
    *rhs = 0;
    for (int s = 0; s < 7; s++) {
        const int d = step[s][0] + step[s][1] + step[s][2];
        const int64_t q[3] = { p[0] + step[s][0], p[1] + step[s][1], p[2] + step[s][2] };
        const double v = d == 0 ? 6 * a / (h * h) : -a / (h * h) + d * b / (2 * h);
        int inside = 1;
        for (int m = 0; m < 3; m++)
            inside = inside && q[m] >= 0 && q[m] < n;
        if (inside) {
            col[count] = (q[0] * n + q[1]) * n + q[2];
            val[count++] = v;
        } else
            *rhs -= v * pde_boundary((double)(q[0] + 1) * h, (double)(q[1] + 1) * h, (double)(q[2] + 1) * h);
    }
    return count;
}

#ifdef PROGRAM_H
/* Make cd, a, x and b of the equation on n^3 points, and insert the rows of this process. */
static inline void pde_insert(int n, P(spmat) * a, P(vector) * x, P(vector) * b)
{
    psb_l_t col[7];
    double val[7], rhs;
    cd = psb_c_new_descriptor();
    block((psb_l_t)n * n * n, program_me, program_np, &first, &last);
    NEED(psb_c_cdall_nl((psb_i_t)(last - first), *program_ctxt, cd) == 0);
    NEED(P(spall)(a, cd) == 0 && P(geall)(x, cd) == 0 && P(geall)(b, cd) == 0);
    for (psb_l_t g = first; g < last; g++) {
        const psb_l_t row[7] = { g, g, g, g, g, g, g };
        scalar v[7], f;
        const int count = pde_row(g, n, col, val, &rhs);
        for (int k = 0; k < count; k++)
            v[k] = (scalar)val[k];
        f = (scalar)rhs;
        NEED(P(spins)(count, row, col, v, a, cd) == 0 && P(geins)(1, &g, &f, b, cd) == 0);
    }
}
#endif
#endif
