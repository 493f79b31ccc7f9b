/* clique.h -- base/spmat: a lower bound of the colours of a graph: the same function for C and CUDA. */
#ifndef PSB_CLIQUE_H
#define PSB_CLIQUE_H
#include "psb_int.h"
#include <stdbool.h>
#ifdef __CUDACC__
#define PSB_OF_CLIQUE static __host__ __device__ inline
#else
#define PSB_OF_CLIQUE static inline
#endif

enum { PSB_CLIQUE_MOST = 64, PSB_CLIQUE_ROW = 64 }; /* rows; entries of a row that are looked at */

PSB_OF_CLIQUE bool psb_are_neighbours(const psb_epk *ptr, const psb_ipk *ja, psb_ipk i, psb_ipk j)
{
    psb_epk k = ptr[i];
    const psb_epk end = ptr[i + 1] - k > PSB_CLIQUE_ROW ? k + PSB_CLIQUE_ROW : ptr[i + 1];
    while (k < end && ja[k] != j)
        k++;
    return i != j && k < end;
}

/* Return the size of a set of rows, neighbours of each other, around the row in the middle of m: they need as
 * many colours.  The neighbours of row i are ja[k], ptr[i] <= k < ptr[i+1]; those from m on are left out.
 * Local. */
PSB_OF_CLIQUE int psb_clique(psb_ipk m, const psb_epk *ptr, const psb_ipk *ja)
{
    const psb_ipk middle = m / 2;
    psb_ipk set[PSB_CLIQUE_MOST] = { middle };
    int n = m > 0;
    for (psb_epk k = m > 0 ? ptr[middle] : 0, end = m > 0 ? ptr[middle + 1] : 0;
         k < end && k - ptr[middle] < PSB_CLIQUE_ROW && n < PSB_CLIQUE_MOST; k++) {
        bool all = ja[k] < m;
        for (int i = 0; i < n && all; i++)
            all = psb_are_neighbours(ptr, ja, ja[k], set[i]);
        if (all)
            set[n++] = ja[k];
    }
    return n;
}
#endif
