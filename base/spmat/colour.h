/* colour.h -- base/spmat: colours of the rows of a graph. */
#ifndef PSB_COLOUR_H
#define PSB_COLOUR_H
#include "spmat.h"

/* Colour the rows of s, a matrix in state BUILD on descriptor d, also in state BUILD, with an entry for each
 * edge, in both directions, and for distance 2 on the diagonal; both are assembled here.  rows[0..local rows)
 * = the colours, *ncolours = their number on all processes.  Collective. */
PSB_MUST_CHECK psb_err psb_colour_rows(struct psb_s_spmat *s, psb_desc *d, int distance, psb_ipk *rows,
                                       int *ncolours);

/* The same for a graph: the neighbours of row i here, and perhaps i itself, are the local columns ja[k] of d,
 * ptr[i] <= k < ptr[i+1], each once, in both directions.  Collective. */
PSB_MUST_CHECK psb_err psb_colour_graph(psb_desc *d, const psb_epk *ptr, const psb_ipk *ja, psb_ipk *rows,
                                        int *ncolours);
#endif
