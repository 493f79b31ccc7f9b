/* own.h -- test: variables that own what they hold, which is freed at the end of their scope, the last
 * declared first: `DESC *d = NULL;` is `psb_desc *d = NULL;` and a psb_cdfree(d) wherever the scope ends. */
#ifndef OWN_H
#define OWN_H
#include <stdlib.h>
#include <string.h>
#include "psb_base.h"
#include "psb_type.h"

#ifndef OWNER
#define OWNER(release) __attribute__((cleanup(release)))
#define HEAP           OWNER(free_heap) /* HEAP T *x = malloc(n); */
#define DESC           OWNER(free_desc) psb_desc
#define MAT            OWNER(free_mat) struct X(mat)
#define COO            OWNER(free_coo) struct X(coo_mat)
#define VECT           OWNER(free_vect) struct X(vect)
#define SPMAT          OWNER(free_spmat) struct X(spmat)
#define DENSE          OWNER(dense_free) struct dense
#define DISTRIBUTED    OWNER(distributed_free) struct distributed

static inline void free_heap(void *variable)
{
    void *block;
    memcpy(&block, variable, sizeof block);
    free(block);
}

static inline void free_desc(psb_desc **d)
{
    psb_cdfree(*d);
}

static inline void free_mat(struct X(mat) **a)
{
    X(mat_free)(*a);
}

static inline void free_coo(struct X(coo_mat) **a)
{
    X(mat_free)(*a ? &(*a)->mat : NULL);
}

static inline void free_vect(struct X(vect) **x)
{
    X(gefree)(*x);
}

static inline void free_spmat(struct X(spmat) **a)
{
    X(spfree)(*a);
}
#endif

#define PSB_HEAP   OWNER(free_psb_heap) /* memory of psb_alloc */
#define TRIPLETS   OWNER(X(triplets_free)) struct X(triplets)
#define PROBLEM    OWNER(problem_free) struct problem
#define RAW_ARRAYS OWNER(raw_arrays_free) struct X(raw_arrays)
#define PREC       OWNER(free_prec) struct X(prec) /* solve_problem.h */
#define DVECT      OWNER(free_dvect) psb_dvect
#define ZVECT      OWNER(free_zvect) psb_zvect
#define ZSPMAT     OWNER(free_zspmat) psb_zspmat

static inline void free_psb_heap(void *variable)
{
    void *block;
    memcpy(&block, variable, sizeof block);
    psb_free(block);
}

static inline void free_dvect(psb_dvect **x)
{
    psb_gefree(*x);
}

static inline void free_zvect(psb_zvect **x)
{
    psb_gefree(*x);
}

static inline void free_zspmat(psb_zspmat **a)
{
    psb_spfree(*a);
}
#endif
