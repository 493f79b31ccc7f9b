/* mat_inside.h -- base/mat: shared by the files of the matrix class. */
#ifndef PSB_MAT_INSIDE_H
#define PSB_MAT_INSIDE_H

/* Check that argument a has as many rows as columns. */
#define NEED_SQUARE(a) \
    PSB_CHECK((a)->nrows == (a)->ncols, PSB_EARG, "argument %s is %d x %d; expected a square matrix", #a, \
              (a)->nrows, (a)->ncols)

/* Is (i, j), i within the block, in the part c? */
static inline bool psb_cut_has(const struct psb_cut *c, psb_ipk i, psb_ipk j)
{
    const long off = (long)j - i;
    return j >= c->block.jmin && j < c->block.jmax && off >= c->low && off <= c->high &&
           (off != 0 || !c->no_diagonal);
}
#endif
