/* program.h -- test/cbind: what the programs here share.  They use PSBLAS's headers only, and compile
 * as C11 and C++17, with -DSCALAR=s, d, c or z. */
#ifndef PROGRAM_H
#define PROGRAM_H
#include "psb_base_cbind.h"
#include "psb_krylov_cbind.h"
#include "psb_prec_cbind.h"
#include "psb_util_cbind.h"
#include <math.h>
#include <string.h>
#ifndef SCALAR
#define SCALAR d
#endif
#define JOIN_(a, b, c) a##b##c
#define JOIN(a, b, c)  JOIN_(a, b, c)
#define P(name)        JOIN(psb_c_, SCALAR, name)     /* psb_c_dgeall */
#define NEW(name)      JOIN(psb_c_new_, SCALAR, name) /* psb_c_new_dvector */
#define SOLVE          JOIN(psb_c_, SCALAR, krylov)
typedef JOIN(psb_, SCALAR, _t) scalar;

static psb_i_t program_me, program_np, program_wrong;
static psb_c_ctxt *program_ctxt;

#define NEED(condition) need((condition) != 0, #condition, __FILE__, __LINE__)
static inline void need(int holds, const char *condition, const char *file, int line)
{
    if (!holds && program_wrong++ < 20)
        fprintf(stderr, "%s:%d: on process %d: not %s\n", file, line, program_me, condition);
}

static inline void begin(void)
{
    program_ctxt = psb_c_new_ctxt();
    psb_c_init(program_ctxt);
    psb_c_info(*program_ctxt, &program_me, &program_np);
}

/* End MPI; return the exit status. */
static inline int end(void)
{
    psb_c_exit(*program_ctxt);
    psb_c_delete_ctxt(program_ctxt);
    return program_wrong > 0;
}

/* The rows first <= g < last that process p of np owns. */
static inline void block(psb_l_t n, int p, int np, psb_l_t *first, psb_l_t *last)
{
    *first = n * p / np;
    *last = n * (p + 1) / np;
}

/* Is a == b, up to rounding in single precision? */
static inline int near(scalar a, double b)
{
    const psb_z_t difference = a - (scalar)b;
#ifdef __cplusplus
    return std::abs(difference) <= 1e-5 * (1 + fabs(b));
#else
    return cabs(difference) <= 1e-5 * (1 + fabs(b));
#endif
}

/* --- a system of rows first <= g < last here --- */

static psb_c_descriptor *cd;
static psb_l_t first, last;

/* Free an object and its handle. */
static inline void drop(P(vector) * x)
{
    NEED(P(gefree)(x, cd) == 0);
    free(x);
}

static inline void drop_matrix(P(spmat) * a)
{
    NEED(P(spfree)(a, cd) == 0);
    free(a);
}

static inline void drop_prec(P(prec) * p)
{
    NEED(P(precfree)(p) == 0);
    free(p);
}

static inline void drop_descriptor(psb_c_descriptor *d)
{
    NEED(psb_c_cdfree(d) == 0);
    psb_c_delete_descriptor(d);
}

/* A vector of a g + b in row g. */
static inline P(vector) * line(double a, double b)
{
    P(vector) *x = NEW(vector)();
    NEED(P(geall)(x, cd) == 0);
    for (psb_l_t g = first; g < last; g++) {
        const scalar v = (scalar)(a * (double)g + b);
        NEED(P(geins)(1, &g, &v, x, cd) == 0);
    }
    NEED(P(geasb)(x, cd) == 0);
    return x;
}

/* Is a g g + b g + c in row g of x, for the rows from <= g < to that are owned here? */
static inline int is(P(vector) * x, psb_l_t from, psb_l_t to, double a, double b, double c)
{
    int good = 1;
    for (psb_l_t g = from < first ? first : from; g < to && g < last; g++)
        good = good && near(P(getelem)(x, g, cd), a * (double)(g * g) + b * (double)g + c);
    return good;
}

#endif
