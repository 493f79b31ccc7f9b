/* gechain.t.h -- room: base/vect.  Several operations on vectors in one pass through memory.  Typed sources
 * include this after psb_type.h. */
#ifndef PSB_GECHAIN_H
#define PSB_GECHAIN_H

/* z = alpha x + beta z; z = alpha x y + beta z, elementwise; the sum of conj(x) y. */
enum psb_chain { PSB_CHAIN_AXPBY, PSB_CHAIN_MULTIPLY, PSB_CHAIN_DOT };
enum { PSB_MOST_LINKS = 8 };

struct X(link) {
    enum psb_chain kind;
    T alpha, beta;
    const struct X(vect) *x, *y;
    struct X(vect) *z;
};

/* Compute 1 <= n <= PSB_MOST_LINKS links in this order, for vectors of one column, with the results of
 * psb_geaxpby, psb_gemlt2 and psb_gedot but for the rounding of sums; on the host in one pass, chunk by
 * chunk, so that a vector that several links use is read from memory once.  Product i is stored in dots[i];
 * dots is NULL on all processes if there are none.  After an error the vectors may have changed.  Local
 * without dots; with them, if one process fails, all fail.  Collective. */
PSB_MUST_CHECK psb_err X(gechain)(int n, const struct X(link) *link, T *dots);
#endif
