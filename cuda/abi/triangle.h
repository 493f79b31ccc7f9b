/* triangle.h -- cuda/abi: arguments of triangular solves on a device.  Included by C and CUDA. */
#ifndef PSB_TRIANGLE_H
#define PSB_TRIANGLE_H
#include "psb_int.h"
#include "psb_lang.h"
PSB_BEGIN_C

/* A triangle of n rows in CSR, in device memory; values have the format's scalar type. */
struct psb_dev_triangle {
    psb_ipk n;
    int upper, unit;
    const psb_epk *irp;
    const psb_ipk *order, *column; /* rows by level; the place in `order` of the row of each entry's column */
    const void *val;
    void *work; /* PSB_SOLVE_HEAD bytes, and a scalar for each row and column of x */
    int rows;   /* the class of row lengths: PSB_ROWS_... */
};

/* Rows by their mean number of entries: a thread, which looks at few entries or at more at once, or a warp
 * solves a row. */
enum { PSB_ROWS_SHORT = 1, PSB_ROWS_MEDIUM, PSB_ROWS_LONG };

enum { PSB_SOLVE_HEAD = 16 };

/* The choices of a solve, for tests and measurements; 0: the solve chooses. */
struct psb_solve_choice {
    int rows;  /* as above */
    int warps; /* on a multiprocessor */
    int lead;  /* a warp begins to read x when the row `lead` places before the last one it needs is solved */
};
extern struct psb_solve_choice psb_solve_choice;
PSB_END_C
#endif
