/* mat_inside.h -- base/mat: shared by the files of the matrix class. */
#ifndef PSB_MAT_INSIDE_H
#define PSB_MAT_INSIDE_H

/* Check that argument a has as many rows as columns. */
#define NEED_SQUARE(a) \
    PSB_CHECK((a)->nrows == (a)->ncols, PSB_EARG, "argument %s is %d x %d; expected a square matrix", #a, \
              (a)->nrows, (a)->ncols)
#endif
