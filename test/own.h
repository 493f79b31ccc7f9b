/* own.h -- test: more variables that own what they hold, beside those of ck.h. */
#ifndef OWN_H
#define OWN_H
#include <string.h>
#include "ck.h"
#include "psb_type.h"

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
