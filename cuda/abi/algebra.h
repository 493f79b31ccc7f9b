/* algebra.h -- cuda/abi: arguments of products, sums, transposes and parts of matrices in CSR on a device.
 * Included by C and CUDA.  All pointers but `alpha` and `beta` are to device memory; columns ascend in rows.
 */
#ifndef PSB_ALGEBRA_H
#define PSB_ALGEBRA_H
#include "convert.h"
#include "psb_err.h"
#include <stdbool.h>
#include "psb_lang.h"
PSB_BEGIN_C

/* Rows of a product are in classes by a size: an upper bound of their entries, or their number.  A row of
 * class k has at most limit[k] entries, which fit in the table of the class; those of class PSB_WIDE need no
 * table. */
enum { PSB_NO_ENTRIES, PSB_WIDE = 6, PSB_ROW_CLASSES };

/* The numbers that a step of a product finds: the rows of each class; the entries of C; is there a column
 * twice in a row of B, or an entry of A B that C lacks; and work space. */
enum {
    PSB_OF_CLASSES,
    PSB_OF_ENTRIES = PSB_ROW_CLASSES,
    PSB_OBSTACLE,
    PSB_OWN,
    PSB_PRODUCT_FOUND = PSB_OWN + PSB_ROW_CLASSES
};

/* C = A B. */
struct psb_dev_product {
    struct psb_dev_compressed a, b, c;
    psb_ipk n;    /* columns of B and C */
    int lanes;    /* threads that share a row of B: 4, 8, 16 or 32 */
    psb_ipk *row; /* the rows of C by class, from class 1 on */
    psb_epk limit[PSB_ROW_CLASSES], size[PSB_ROW_CLASSES];
    psb_epk *found; /* PSB_PRODUCT_FOUND numbers */
};

/* The first of the rows of class k in p->row. */
static inline psb_epk psb_class_begins(const psb_epk *size, int k)
{
    psb_epk at = 0;
    for (int c = 1; c < k; c++)
        at += size[c];
    return at;
}

/* C = alpha A + beta B. */
struct psb_dev_sum {
    struct psb_dev_compressed a, b, c;
    const void *alpha, *beta; /* scalars in host memory */
};

/* The entries (i, j) of A with imin <= i < imax, jmin <= j < jmax, low <= j - i <= high, and i != j if
 * no_diagonal, as entries (i - di, j - dj) of C. */
struct psb_dev_part {
    struct psb_dev_compressed a, c;
    psb_ipk imin, imax, jmin, jmax, di, dj;
    psb_epk low, high;
    int no_diagonal;
};

/* Row i of C is row rows[i] of A; an entry of column j is one of column place[j], or is left out if that is
 * -1.  rows or place NULL: in the order of A.  With place, rows of A have at most PSB_SELECTED entries. */
enum { PSB_SELECTED = 1024 };
struct psb_dev_selection {
    struct psb_dev_compressed a, c;
    const psb_ipk *rows, *place;
};

/* C is what A keeps: in row i the entries of rank below bound[i], and of those of this rank the first
 * ties[i]; with `diagonal` also those on the diagonal, which count neither here nor there.  The rank is the
 * complement of the bits of the modulus in double precision: the largest first. */
struct psb_dev_pruned {
    struct psb_dev_compressed a, c;
    bool diagonal;
    uint64_t *bound;
    psb_epk *ties;
};

/* The step `colours` of X(algebra_steps) in CUDA, for all types. */
PSB_MUST_CHECK psb_err psb_colours_cuda(const struct psb_dev_compressed *a, psb_epk nz, bool by_degree,
                                        psb_ipk *colour, psb_epk *found);

/* S of the matrix A with the diagonal d: see aggregate.t.h. */
struct psb_dev_smoothing {
    struct psb_dev_compressed a, s;
    const void *d;
    double theta, omega;
};

/* A pass over the rows of S, to[i] for each: see aggregate.h. */
struct psb_dev_rows {
    struct psb_dev_compressed s;
    psb_lpk root;
    const psb_lpk *from, *number;
    psb_lpk *to;
};

/* The choice of a product, for tests: rows with more entries are wide; 0: by the memory for tables. */
struct psb_product_choice {
    psb_epk widest;
};
extern struct psb_product_choice psb_product_choice;
PSB_END_C
#endif
