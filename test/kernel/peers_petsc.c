/* peers_petsc.c -- test/kernel: PETSc's AIJ and SELL on one process and on several; double only, as in
 * Debian's build. */
#include "psb_base.h"
#include "petsc.h"
#include "psb_type.h"
#include "spmv.h"

struct peer {
    Mat a;
    Vec x, y;
};

static void start_petsc(void)
{
    PetscBool begun;
    petsc(PetscInitialized(&begun));
    if (!begun)
        petsc(PetscInitializeNoArguments());
}

/* Copy the indices in PETSc's types, in arrays that PETSc may change. */
static psb_err indices(const struct problem *p, PetscInt **i, PetscInt **j)
{
    const size_t n = (size_t)p->a->mat.nnz;
    PSB_TRY(psb_alloc(i, n, sizeof **i, "PETSc's rows"));
    PSB_TRY(psb_alloc(j, n, sizeof **j, "PETSc's columns"));
    for (size_t k = 0; k < n; k++) {
        (*i)[k] = (PetscInt)(p->row0 + p->a->ia[k]);
        (*j)[k] = (PetscInt)p->a->ja[k];
    }
    return PSB_OK;
}

static psb_err make_aij(const struct problem *p, struct runner *r)
{
    struct peer *q;
    PetscInt *i, *j;
    start_petsc();
    PSB_TRY(psb_alloc_zero(&q, 1, sizeof *q, "PETSc's matrix"));
    PSB_TRY(indices(p, &i, &j));
    double begun = psb_wtime();
    q->a = petsc_matrix(p->rows, p->cols, p->m, p->n);
    petsc(MatSetPreallocationCOO(q->a, p->a->mat.nnz, i, j));
    petsc(MatSetValuesCOO(q->a, p->a->val, INSERT_VALUES));
    r->convert = psb_wtime() - begun;
    petsc(MatCreateVecs(q->a, &q->x, &q->y));
    psb_free(i);
    psb_free(j);
    r->a = q;
    return PSB_OK;
}

/* The conversion from AIJ is timed. */
static psb_err make_sell(const struct problem *p, struct runner *r)
{
    PSB_TRY(make_aij(p, r));
    struct peer *q = r->a;
    Mat sell;
    double begun = psb_wtime();
    petsc(MatConvert(q->a, p->np > 1 ? MATMPISELL : MATSEQSELL, MAT_INITIAL_MATRIX, &sell));
    r->convert = psb_wtime() - begun;
    petsc(MatDestroy(&q->a));
    q->a = sell;
    return PSB_OK;
}

static psb_err product(const struct problem *p, void *a, enum way w)
{
    struct peer *q = a;
    Vec from = w == ONE ? q->x : q->y, to = w == ONE ? q->y : q->x;
    petsc(VecPlaceArray(from, p->x));
    petsc(VecPlaceArray(to, p->y));
    petsc(w == ONE ? MatMult(q->a, from, to) : MatMultTranspose(q->a, from, to));
    petsc(VecResetArray(from));
    petsc(VecResetArray(to));
    return PSB_OK;
}

static void release(void *a)
{
    struct peer *q = a;
    petsc(MatDestroy(&q->a));
    petsc(VecDestroy(&q->x));
    petsc(VecDestroy(&q->y));
    psb_free(q);
}

static const struct kind aij = { "PETSc", 1U << ONE | 1U << TRANSPOSED, false, make_aij, product, release };
/* PETSc 3.18: the transposed product of SELL is wrong unless the number of rows is a multiple of 8. */
static const struct kind sell = { "PETSc", 1U << ONE, false, make_sell, product, release };

/* PETSc uses no threads: it takes part in runs with one thread. */
void X(enter_petsc)(struct field *f, const struct problem *p)
{
    X(enter)(f, p, opt.peers, (struct runner){ .name = "PETSc-AIJ", .kind = &aij, .threads = 1 });
    X(enter)(f, p, opt.peers, (struct runner){ .name = "PETSc-SELL", .kind = &sell, .threads = 1 });
}
