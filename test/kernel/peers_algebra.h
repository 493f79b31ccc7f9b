/* peers_algebra.h -- test/kernel: cuSPARSE's SpGEMM, csrgeam2, Csr2cscEx2 and csrcolor, for gpu_algebra.  For
 * typed sources. */
#ifndef PEERS_ALGEBRA_H
#define PEERS_ALGEBRA_H
#include "psb_cuda_format.h"
#include "psb_type.h"

/* A matrix in CSRG, as cuSPARSE gets it, with 32-bit indices, and what its calls need. */
struct X(algebra_peer);
struct X(algebra_peer) *X(algebra_peer_make)(struct X(mat) *a);
void X(algebra_peer_free)(struct X(algebra_peer) *p);

/* Compute C = A B by algorithm 1, 2 or 3 into new arrays, and free them.  *bytes = those of C and of the
 * buffers.  false: cuSPARSE refuses. */
bool X(peer_product)(struct X(algebra_peer) *a, const struct X(algebra_peer) *b, int algorithm,
                     size_t *bytes);
/* SpGEMMreuse: analyse; then compute the values of A A. */
void X(peer_reuse)(struct X(algebra_peer) *p);
void X(peer_again)(void *p);
/* 2 A + 3 A, and the transpose of A, into new arrays, which are freed. */
void X(peer_sum)(void *p);
void X(peer_transpose)(void *p);
/* Colour the rows of A, all of them; the number of colours of the last time. */
void X(peer_colours)(void *p);
int X(peer_colours_found)(const struct X(algebra_peer) *p);
#endif
