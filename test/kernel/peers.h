/* peers.h -- room: test/kernel.  Other libraries' formats, beside which ours are timed: each is made of
 * sorted rows and multiplies.  For typed sources, after psb_type.h. */
#ifndef PSB_PEERS_H
#define PSB_PEERS_H

/* A matrix that multiplies: y = op(A) x; made, and freed. */
struct peer {
    const char *name;
    psb_err (*make)(const struct X(lines) *l, void **a);
    void (*product)(void *a, const T *x, T *y, char trans);
    void (*free)(void *a);
};

/* NULL-terminated. */
extern const struct peer *const X(petsc_peers)[];
#endif
