/* minimal_format.h -- test: A format with only the mandatory slots; the root class implements the
 * others. */
#ifndef MINIMAL_FORMAT_H
#define MINIMAL_FORMAT_H
#include "psb_format.h"
#include "psb_type.h"

/* One entry; entries are in row-major order. */
struct triplet {
    psb_ipk i, j;
    T v;
};

struct minimal_mat {
    struct X(mat) mat;
    struct triplet *entry; /* nnz entries */
};
extern const struct minimal_mat minimal_mold; /* "MINIMAL" */
#endif
