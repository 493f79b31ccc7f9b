/* stencil.h -- base/mat: the rows of a stencil on a grid, computed independently of each other: the same on
 * the host and, in CUDA, on a device.  PSB_EVERYWHERE: how these functions are declared. */
#ifndef PSB_STENCIL_H
#define PSB_STENCIL_H
#include "psb_int.h"
#include <stdbool.h>
#ifndef PSB_EVERYWHERE
#define PSB_EVERYWHERE static inline
#endif

enum { PSB_NEIGHBOURS = 27 };

/* Rows first <= g < first + m of a matrix, and columns: row (i n[1] + j) n[2] + k is that of point (i, j, k).
 * Its entry q, if bit q of `has` is set and the grid has the point, is that of the point at distance q / 9 -
 * 1, q / 3 % 3 - 1, q % 3 - 1; the value is re[q], im[q]. */
struct psb_stencil {
    psb_lpk n[3], first;
    psb_ipk m;
    uint32_t has;
    double re[PSB_NEIGHBOURS], im[PSB_NEIGHBOURS];
};

/* The number of indices below x, of 0 .. n-1, that are in this range with e added, too. */
PSB_EVERYWHERE psb_lpk psb_stencil_below(psb_lpk x, psb_lpk n, int e)
{
    const psb_lpk lo = e < 0, hi = n - (e > 0);
    return (x < lo ? lo : x > hi ? hi : x) - lo;
}

/* The number of points below number g that have neighbour q. */
PSB_EVERYWHERE psb_epk psb_stencil_points(const struct psb_stencil *s, int q, psb_lpk g)
{
    const psb_lpk at[3] = { g / s->n[2] / s->n[1], g / s->n[2] % s->n[1], g % s->n[2] };
    const int e[3] = { q / 9 - 1, q / 3 % 3 - 1, q % 3 - 1 };
    psb_epk n = 0;
    int in = 1;
    for (int d = 0; d < 3; d++) {
        const psb_lpk below = psb_stencil_below(at[d], s->n[d], e[d]);
        n = n * psb_stencil_below(s->n[d], s->n[d], e[d]) + (in ? below : 0);
        in = in && psb_stencil_below(at[d] + 1, s->n[d], e[d]) > below;
    }
    return n;
}

/* The number of the neighbour q of a point less that of the point. */
PSB_EVERYWHERE psb_lpk psb_stencil_shift(const struct psb_stencil *s, int q)
{
    return ((q / 9 - 1) * s->n[1] + q / 3 % 3 - 1) * s->n[2] + q % 3 - 1;
}

/* The number of entries in local rows 0 .. i-1. */
PSB_EVERYWHERE psb_epk psb_stencil_begin(const struct psb_stencil *s, psb_ipk i)
{
    psb_epk n = 0;
    for (int q = 0; q < PSB_NEIGHBOURS; q++) {
        const psb_lpk shift = psb_stencil_shift(s, q), end = s->first + s->m - (shift > 0 ? shift : 0);
        const psb_lpk lo = s->first - (shift < 0 ? shift : 0), hi = s->first + i < end ? s->first + i : end;
        if (s->has >> q & 1 && lo < hi)
            n += psb_stencil_points(s, q, hi) - psb_stencil_points(s, q, lo);
    }
    return n;
}

/* The local column of entry q of local row i; -1 if there is no such entry. */
PSB_EVERYWHERE psb_ipk psb_stencil_column(const struct psb_stencil *s, int q, psb_ipk i)
{
    const psb_lpk g = s->first + i, j = i + psb_stencil_shift(s, q);
    const psb_lpk x = g / s->n[2] / s->n[1] + q / 9 - 1, y = g / s->n[2] % s->n[1] + q / 3 % 3 - 1,
                  z = g % s->n[2] + q % 3 - 1;
    const bool is = s->has >> q & 1 && x >= 0 && x < s->n[0] && y >= 0 && y < s->n[1] && z >= 0 &&
                    z < s->n[2] && j >= 0 && j < s->m;
    return is ? (psb_ipk)j : -1;
}
#endif
