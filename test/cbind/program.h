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
#endif
