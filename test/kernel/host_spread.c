/* host_spread.c -- test/kernel: PSBC's formats on several processes. */
#include "psb_ext_format.h"
#include <math.h>
#include <string.h>
#include "psb_type.h"
#include "host_spmv.h"

static psb_desc *row, *col; /* the same if the matrix is square */
static struct X(vect) *vx, *vy;
static struct X(spmat) *csr;

static psb_err make(const struct problem *p, struct runner *r)
{
    struct X(spmat) *a;
    (void)p;
    PSB_TRY(X(sp_clone)(csr, &a));
    psb_err e = X(spcnv)(a, r->how);
    if (e != PSB_OK) {
        X(spfree)(a);
        return e;
    }
    r->convert = r->tune = NAN;
    r->bytes = (double)X(sp_bytes)(a);
    MPI_Allreduce(MPI_IN_PLACE, &r->bytes, 1, MPI_DOUBLE, MPI_SUM, psb_comm_of(p->ctxt));
    r->a = a;
    return PSB_OK;
}

static void product(const struct problem *p, void *a, enum way w)
{
    (void)p, (void)w;
    good(X(spmv)(1, a, vx, 0, vy, 'N'), "product");
}

static void fetch(const struct problem *p)
{
    const T *y;
    good(X(host_read)(vy, &y), "y");
    memcpy(p->y, y, (size_t)p->rows * sizeof *y);
}

static void release(void *a)
{
    X(spfree)(a);
}

static const struct kind ours = {
    .whose = "ours", .ways = 1U << ONE, .make = make, .product = product, .fetch = fetch, .free = release
};

static void assemble(const struct problem *p)
{
    const struct X(coo_mat) *a = p->a;
    good(psb_cdall_nl(&row, p->ctxt, p->rows), "rows");
    col = row;
    if (p->m != p->n)
        good(psb_cdall_nl(&col, p->ctxt, p->cols), "columns");
    good(X(spall2)(&csr, row, col, a->mat.nnz), "matrix");
    for (psb_epk k = 0; k < a->mat.nnz; k++) {
        const psb_lpk i = p->row0 + a->ia[k], j = a->ja[k];
        good(X(spins)(1, &i, &j, &a->val[k], csr), "entries");
    }
    good(psb_cdasb(row), "rows");
    if (col != row)
        good(psb_cdasb(col), "columns");
    good(X(spasb)(csr, &X(csr_mold).mat, PSB_DUPL_ADD), "matrix");
}

static void make_vectors(const struct problem *p)
{
    good(X(geall)(&vx, col), "x");
    good(X(geasb)(vx, NULL), "x");
    good(X(set_vect)(vx, p->cols, p->x), "x");
    good(X(geall)(&vy, row), "y");
    good(X(geasb)(vy, NULL), "y");
}

void X(enter_spread)(struct field *f, const struct problem *p)
{
    const struct X(mat) *mold;
    assemble(p);
    make_vectors(p);
    X(host_enter)(f, p, opt.formats,
                  (struct runner){ .name = "CSR", .kind = &ours, .how = &X(csr_mold).mat });
    for (int i = 0; (mold = X(mat_format)(i)); i++)
        if (strcmp(mold->ops->fmt, "CSR") != 0 && strcmp(mold->ops->fmt, "RSB") != 0)
            X(host_enter)(f, p, opt.formats,
                          (struct runner){ .name = mold->ops->fmt, .kind = &ours, .how = mold });
    X(host_enter)(f, p, opt.formats,
                  (struct runner){ .name = "AUTO", .kind = &ours, .how = &X(auto_mold).mat });
}

void X(leave_spread)(void)
{
    X(gefree)(vx);
    X(gefree)(vy);
    X(spfree)(csr);
    if (col != row)
        psb_cdfree(col);
    psb_cdfree(row);
}
