/* own.h -- test: variables whose objects are freed at the end of their block, the last declared first. */
#ifndef OWN_H
#define OWN_H
#include <stdlib.h>
#include "psb_base.h"
#include "psb_type.h"

/* `own_desc *d = NULL;` is `psb_desc *d = NULL;`, and a psb_cdfree(d) where the block of d ends, by return
 * and continue too. */
#define own_desc       __attribute__((cleanup(free_own_desc))) psb_desc
#define own_vect       __attribute__((cleanup(X(free_own_vect)))) struct X(vect)
#define own_spmat      __attribute__((cleanup(X(free_own_spmat)))) struct X(spmat)
#define own_mat        __attribute__((cleanup(X(free_own_mat)))) struct X(mat)
#define own_coo        __attribute__((cleanup(X(free_own_coo)))) struct X(coo_mat)
#define own_triplets   __attribute__((cleanup(X(triplets_free)))) struct X(triplets)
#define own_dense      __attribute__((cleanup(dense_free))) struct dense
#define own_system     __attribute__((cleanup(distributed_free))) struct distributed
#define own_problem    __attribute__((cleanup(problem_free))) struct problem
#define own_raw_arrays __attribute__((cleanup(raw_arrays_free))) struct X(raw_arrays)
#define own_prec       __attribute__((cleanup(X(free_own_prec)))) struct X(prec) /* solve_problem.h */
#define own_dvect      __attribute__((cleanup(free_own_dvect))) psb_dvect
#define own_zvect      __attribute__((cleanup(free_own_zvect))) psb_zvect
#define own_zspmat     __attribute__((cleanup(free_own_zspmat))) psb_zspmat

/* A pointer to memory of malloc, calloc or psb_alloc: `own_memory T *x = malloc(...);` */
#define own_memory     __attribute__((cleanup(free_own_memory)))
#define own_psb_memory __attribute__((cleanup(free_own_psb_memory)))

static inline void free_own_desc(psb_desc **d)
{
    psb_cdfree(*d);
}

static inline void X(free_own_vect)(struct X(vect) **x)
{
    psb_gefree(*x);
}

static inline void free_own_dvect(psb_dvect **x)
{
    psb_gefree(*x);
}

static inline void free_own_zvect(psb_zvect **x)
{
    psb_gefree(*x);
}

static inline void free_own_zspmat(psb_zspmat **a)
{
    psb_spfree(*a);
}

static inline void X(free_own_spmat)(struct X(spmat) **a)
{
    psb_spfree(*a);
}

static inline void X(free_own_mat)(struct X(mat) **a)
{
    X(mat_free)(*a);
}

static inline void X(free_own_coo)(struct X(coo_mat) **a)
{
    if (*a)
        X(mat_free)(&(*a)->mat);
}

static inline void free_own_memory(void *variable)
{
    free(*(void *const *)variable);
}

static inline void free_own_psb_memory(void *variable)
{
    psb_free(*(void *const *)variable);
}
#endif
