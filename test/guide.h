/* guide.h -- the objects that the examples in C of docs/guide.md and other pages name. */
#include <psb_cuda.h>
#include <psb_ext_format.h>
#include <psb_linsolve.h>
#include <psb_util.h>
#include <stdlib.h>

extern psb_ctxt *ctxt;
extern psb_desc *desc, *more, *ext;
extern psb_dspmat *a, *b;
extern psb_dvect *x, *y, *z, *p, *q, *r, *d, *rhs, *x2, *b2;
extern psb_dsolver *s;
extern psb_doperator *op;
extern psb_dnullspace *ones;
extern psb_solve_result res;
extern psb_request *req;
extern double alpha, beta, dot, norm, one, value, *all, *val;
extern char trans;
extern void *data;
extern int root, dest, tag;
extern psb_ipk m, n, *col_ind;
extern psb_epk nnz;
extern psb_lpk j;
extern int *row_ptr;
void work_on_something_else(void);
