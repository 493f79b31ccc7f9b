/* spmv_petsc.c -- tools: products by PETSc, for psb-spmv --compare petsc. */
#include "config.h"
#include "spmv_petsc.h"

#ifdef COMPARE_PETSC
#include <petscmat.h>
#include "psb_alloc.h"

struct petsc {
    Mat a;
    Vec x, y, more; /* on the columns, on the rows; on those of the result */
};

static psb_err petsc(PetscErrorCode e)
{
    const char *text = NULL;
    if (e == 0)
        return PSB_OK;
    PetscErrorMessage(e, &text, NULL);
    return PSB_FAIL(e == PETSC_ERR_MEM ? PSB_ENOMEM : PSB_ESTATE, "PETSc: %s", text ? text : "an error");
}

char petsc_scalar(void)
{
    const bool single = sizeof(PetscReal) == sizeof(float), real = sizeof(PetscScalar) == sizeof(PetscReal);
    return real ? (single ? 's' : 'd') : single ? 'c' : 'z';
}

static psb_err start(void)
{
    PetscBool begun;
    PSB_TRY(petsc(PetscInitialized(&begun)));
    if (begun)
        return PSB_OK;
    PSB_TRY(petsc(PetscInitializeNoArguments()));
    return petsc(PetscPushErrorHandler(PetscIgnoreErrorHandler, NULL));
}

/* Copy the indices in PETSc's types, to arrays that PETSc may change. */
static psb_err copy_indices(const struct petsc_entries *t, PetscInt **i, PetscInt **j)
{
    PSB_TRY(psb_alloc(i, (size_t)t->nz, sizeof **i, "PETSc's rows"));
    PSB_TRY(psb_alloc(j, (size_t)t->nz, sizeof **j, "PETSc's columns"));
    for (psb_epk k = 0; k < t->nz; k++) {
        PSB_CHECK(t->ia[k] < PETSC_MAX_INT && t->ja[k] < PETSC_MAX_INT && t->nz < PETSC_MAX_INT, PSB_ENOTIMPL,
                  "PETSc has indices of %zu bits", 8 * sizeof(PetscInt));
        (*i)[k] = (PetscInt)t->ia[k];
        (*j)[k] = (PetscInt)t->ja[k];
    }
    return PSB_OK;
}

static psb_err make_aij(struct petsc *p, const struct petsc_entries *t, PetscInt *i, PetscInt *j)
{
    PSB_TRY(petsc(MatCreate(PETSC_COMM_WORLD, &p->a)));
    PSB_TRY(petsc(MatSetSizes(p->a, t->rows, t->cols, PETSC_DETERMINE, PETSC_DETERMINE)));
    PSB_TRY(petsc(MatSetType(p->a, MATAIJ)));
    PSB_TRY(petsc(MatSetPreallocationCOO(p->a, t->nz, i, j)));
    PSB_TRY(petsc(MatSetValuesCOO(p->a, t->val, INSERT_VALUES)));
    return petsc(MatCreateVecs(p->a, &p->x, &p->y));
}

static psb_err to_sell(struct petsc *p, int np)
{
    Mat sell;
    PSB_TRY(petsc(MatConvert(p->a, np > 1 ? MATMPISELL : MATSEQSELL, MAT_INITIAL_MATRIX, &sell)));
    PSB_TRY(petsc(MatDestroy(&p->a)));
    p->a = sell;
    return PSB_OK;
}

psb_err petsc_new(psb_ctxt *ctxt, const struct petsc_entries *t, bool sell, struct petsc **p)
{
    PetscInt *i = NULL, *j = NULL;
    int np;
    psb_info(ctxt, NULL, &np);
    *p = NULL;
    psb_err e = psb_alloc_zero(p, 1, sizeof **p, "PETSc's matrix");
    PSB_THEN(e, copy_indices(t, &i, &j));
    e = psb_agree(ctxt, e);
    PSB_THEN(e, start());
    PSB_THEN(e, make_aij(*p, t, i, j));
    PSB_THEN(e, sell ? to_sell(*p, np) : PSB_OK);
    psb_free(i);
    psb_free(j);
    return psb_agree(ctxt, e);
}

static psb_err product(struct petsc *p, char trans, Vec from, Vec to)
{
    return petsc(trans == 'N'   ? MatMult(p->a, from, to)
                 : trans == 'T' ? MatMultTranspose(p->a, from, to)
                                : MatMultHermitianTranspose(p->a, from, to));
}

static psb_err add_product(struct petsc *p, char trans, Vec from, Vec to)
{
    return petsc(trans == 'N'   ? MatMultAdd(p->a, from, to, to)
                 : trans == 'T' ? MatMultTransposeAdd(p->a, from, to, to)
                                : MatMultHermitianTransposeAdd(p->a, from, to, to));
}

static psb_err multiply(struct petsc *p, PetscScalar alpha, char trans, Vec from, PetscScalar beta, Vec to)
{
    if (beta == 0) {
        PSB_TRY(product(p, trans, from, to));
        return alpha == 1 ? PSB_OK : petsc(VecScale(to, alpha));
    }
    if (alpha == 1 && beta == 1)
        return add_product(p, trans, from, to);
    if (!p->more)
        PSB_TRY(petsc(VecDuplicate(to, &p->more)));
    PSB_TRY(product(p, trans, from, p->more));
    return petsc(VecAXPBY(to, alpha, beta, p->more));
}

psb_err petsc_multiply(struct petsc *p, int n, const void *alpha, char trans, const void *x, const void *beta,
                       void *y)
{
    Vec from = trans == 'N' ? p->x : p->y, to = trans == 'N' ? p->y : p->x;
    PSB_TRY(petsc(VecPlaceArray(from, x)));
    PSB_TRY(petsc(VecPlaceArray(to, y)));
    psb_err e = PSB_OK;
    for (int i = 0; i < n; i++)
        PSB_THEN(e, multiply(p, *(const PetscScalar *)alpha, trans, from, *(const PetscScalar *)beta, to));
    PSB_THEN(e, petsc(VecResetArray(from)));
    PSB_THEN(e, petsc(VecResetArray(to)));
    return e;
}

psb_err petsc_bytes(struct petsc *p, double *bytes)
{
    MatInfo info;
    PetscInt m;
    PSB_TRY(petsc(MatGetInfo(p->a, MAT_GLOBAL_SUM, &info)));
    PSB_TRY(petsc(MatGetSize(p->a, &m, NULL)));
    const double kept = info.nz_allocated > info.nz_used ? info.nz_allocated
                                                         : info.nz_used; /* with padding */
    *bytes = kept * (double)(sizeof(PetscScalar) + sizeof(PetscInt)) + (double)m * (double)sizeof(PetscInt);
    return PSB_OK;
}

void petsc_free(struct petsc *p)
{
    if (!p)
        return;
    VecDestroy(&p->x);
    VecDestroy(&p->y);
    VecDestroy(&p->more);
    MatDestroy(&p->a);
    psb_free(p);
}

void petsc_end(void)
{
    PetscBool begun;
    if (PetscInitialized(&begun) == 0 && begun)
        PetscFinalize();
}
#else
static psb_err none(void)
{
    return PSB_FAIL(PSB_ENOTIMPL, "this program was built without PETSc");
}

char petsc_scalar(void)
{
    return 0;
}

psb_err petsc_new(psb_ctxt *ctxt, const struct petsc_entries *t, bool sell, struct petsc **p)
{
    (void)ctxt, (void)t, (void)sell, (void)p;
    return none();
}

psb_err petsc_multiply(struct petsc *p, int n, const void *alpha, char trans, const void *x, const void *beta,
                       void *y)
{
    (void)p, (void)n, (void)alpha, (void)trans, (void)x, (void)beta, (void)y;
    return none();
}

psb_err petsc_bytes(struct petsc *p, double *bytes)
{
    (void)p, (void)bytes;
    return none();
}

void petsc_free(struct petsc *p)
{
    (void)p;
}

void petsc_end(void)
{
}
#endif
