/* peers_petsc.c -- room: test/kernel.  PETSc's AIJ and SELL, on one process; double only, as Debian builds
 * it. */
#include "psb_base.h"
#include <petscmat.h>
#include <stdlib.h>
#include "psb_type.h"
#include "peers.h"

struct peer_mat {
    Mat a;
    Vec x, y;
    PetscInt *i; /* row pointers, which AIJ keeps */
};

static void good(PetscErrorCode e)
{
    if (e != 0)
        MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
}

static void start(void)
{
    PetscBool begun;
    good(PetscInitialized(&begun));
    if (!begun)
        good(PetscInitializeNoArguments());
}

static psb_err make_aij(const struct X(lines) *l, void **out)
{
    struct peer_mat *p;
    start();
    PSB_TRY(psb_alloc_zero(&p, 1, sizeof *p, "PETSc matrix"));
    PSB_TRY(psb_alloc(&p->i, (size_t)l->n + 1, sizeof *p->i, "PETSc rows"));
    for (psb_ipk i = 0; i <= l->n; i++)
        p->i[i] = (PetscInt)l->ptr[i];
    good(MatCreateSeqAIJ(PETSC_COMM_SELF, l->n, l->m, 0, NULL, &p->a));
    good(MatSeqAIJSetPreallocationCSR(p->a, p->i, l->idx, l->val));
    good(VecCreateSeqWithArray(PETSC_COMM_SELF, 1, l->m, NULL, &p->x));
    good(VecCreateSeqWithArray(PETSC_COMM_SELF, 1, l->n, NULL, &p->y));
    *out = p;
    return PSB_OK;
}

static psb_err make_sell(const struct X(lines) *l, void **out)
{
    PSB_TRY(make_aij(l, out));
    good(MatConvert(((struct peer_mat *)*out)->a, MATSEQSELL, MAT_INPLACE_MATRIX,
                    &((struct peer_mat *)*out)->a));
    return PSB_OK;
}

static void product(void *a, const T *x, T *y, char trans)
{
    struct peer_mat *p = a;
    Vec from = trans == 'N' ? p->x : p->y, to = trans == 'N' ? p->y : p->x;
    good(VecPlaceArray(from, x));
    good(VecPlaceArray(to, y));
    good(trans == 'N' ? MatMult(p->a, from, to) : MatMultTranspose(p->a, from, to));
    good(VecResetArray(from));
    good(VecResetArray(to));
}

static void release(void *a)
{
    struct peer_mat *p = a;
    good(MatDestroy(&p->a));
    good(VecDestroy(&p->x));
    good(VecDestroy(&p->y));
    psb_free(p->i);
    psb_free(p);
}

static const struct peer aij = { "PETSc AIJ", make_aij, product, release };
static const struct peer sell = { "PETSc SELL", make_sell, product, release };
const struct peer *const X(petsc_peers)[] = { &aij, &sell, NULL };
