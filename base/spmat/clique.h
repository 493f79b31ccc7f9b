/* clique.h -- base/spmat: a lower bound of the colours of a graph, on the host and on a device. */
#ifndef PSB_CLIQUE_H
#define PSB_CLIQUE_H
#include "psb_int.h"
#include <stdbool.h>
#ifndef PSB_EVERYWHERE
#define PSB_EVERYWHERE static inline
#endif

enum { PSB_CLIQUE_MOST = 64, PSB_CLIQUE_ROW = 512 }; /* rows; entries of the first row that are looked at */

PSB_EVERYWHERE bool psb_are_neighbours(const psb_epk *ptr, const psb_ipk *ja, psb_ipk i, psb_ipk j)
{
    psb_epk k = ptr[i], end = ptr[i + 1];
    while (k < end) {
        const psb_epk half = k + (end - k) / 2;
        if (ja[half] < j)
            k = half + 1;
        else
            end = half;
    }
    return i != j && k < ptr[i + 1] && ja[k] == j;
}

/* Return the size of a set of rows, neighbours of each other, around the row in the middle of m: they need as
 * many colours.  The neighbours of row i are ja[k], ptr[i] <= k < ptr[i+1], ascending; those from m on are
 * left out.  Local. */
PSB_EVERYWHERE int psb_clique(psb_ipk m, const psb_epk *ptr, const psb_ipk *ja)
{
    const psb_ipk middle = m / 2;
    psb_ipk set[PSB_CLIQUE_MOST] = { middle };
    int n = 1;
    if (m == 0)
        return 0;
    const psb_epk row = ptr[middle + 1] - ptr[middle], most = row < PSB_CLIQUE_ROW ? row : PSB_CLIQUE_ROW;
    for (psb_epk k = ptr[middle]; k < ptr[middle] + most && n < PSB_CLIQUE_MOST; k++) {
        bool all = ja[k] < m;
        for (int i = 0; i < n && all; i++)
            all = psb_are_neighbours(ptr, ja, ja[k], set[i]);
        if (all)
            set[n++] = ja[k];
    }
    return n;
}
#endif
