/* plain.h -- room: test.  The least that a format needs: the root answers everything else. */
#ifndef PLAIN_H
#define PLAIN_H
#include "psb_base.h"
#include "psb_type.h"

/* Ordered triplets. */
struct triplet {
    psb_ipk i, j;
    T v;
};

struct plain_mat {
    struct X(mat) mat;
    struct triplet *entry; /* nnz of them */
};
extern const struct plain_mat plain_mold; /* "PLAIN" */
#endif
