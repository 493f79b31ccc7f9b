/* native.c -- test/cbind: the equation of pde3d.c, solved by the library's own calls.
 *   native METHOD PRECONDITIONER POINTS CRITERION RESTART */
#include "psb_linsolve.h"
#include "pde.h"
#include <stdlib.h>
#include "psb_type.h"

struct system {
    psb_desc *d;
    struct X(spmat) *a;
    struct X(vect) *x, *b, *r;
};

static psb_err assemble(psb_ctxt *ctxt, int n, struct system *s)
{
    int me, np;
    psb_info(ctxt, &me, &np);
    const psb_lpk all = (psb_lpk)n * n * n, first = all * me / np, last = all * (me + 1) / np;
    PSB_TRY(psb_cdall_nl(&s->d, ctxt, (psb_ipk)(last - first)));
    PSB_TRY(X(spall)(&s->a, s->d, 7 * (last - first)));
    PSB_TRY(X(geall)(&s->x, s->d));
    PSB_TRY(X(geall)(&s->b, s->d));
    PSB_TRY(X(geall)(&s->r, s->d));
    for (psb_lpk g = first; g < last; g++) {
        psb_lpk row[7] = { g, g, g, g, g, g, g }, col[7];
        double val[7], rhs;
        T v[7], f;
        const int count = pde_row(g, n, col, val, &rhs);
        for (int k = 0; k < count; k++)
            v[k] = (T)val[k];
        f = (T)rhs;
        PSB_TRY(X(spins)(count, row, col, v, s->a));
        PSB_TRY(X(geins)(1, &g, &f, s->b, PSB_DUPL_OVERWRITE));
    }
    PSB_TRY(psb_cdasb(s->d));
    PSB_TRY(X(spasb)(s->a, X(mat_by_name)("CSR"), PSB_DUPL_ADD));
    PSB_TRY(X(geasb)(s->x, NULL));
    PSB_TRY(X(geasb)(s->b, NULL));
    return X(geasb)(s->r, NULL);
}

static psb_err solve(psb_ctxt *ctxt, char **argv, struct system *s)
{
    struct psb_solve_options o = psb_solve_defaults;
    struct psb_solve_result res;
    struct X(prec) *p = NULL;
    R norm;
    int me;
    PSB_TRY(assemble(ctxt, atoi(argv[3]), s));
    PSB_TRY(psb_solve_parse(argv[1], &o));
    o.stop = (enum psb_stop)atoi(argv[4]);
    o.restart = atoi(argv[5]);
    o.tol = sizeof(R) == sizeof(double) ? 1e-9 : 1e-6;
    PSB_TRY(X(precinit)(&p, argv[2]));
    PSB_TRY(X(precbld)(p, s->a, NULL, NULL));
    PSB_TRY(X(krylov)(s->a, p, s->b, s->x, &o, &res));
    X(precfree)(p);
    PSB_TRY(X(geaxpby)(1, s->b, 0, s->r));
    PSB_TRY(X(spmv)(-1, s->a, s->x, 1, s->r, 'N'));
    PSB_TRY(X(genrm2)(s->r, &norm));
    psb_info(ctxt, &me, NULL);
    if (me == 0)
        printf("iterations %d error %.17g residual %.17g\n", res.iterations, res.residual, (double)norm);
    return PSB_OK;
}

int main(int argc, char **argv)
{
    psb_ctxt *ctxt;
    struct system s = { 0 };
    if (argc != 6 || psb_init(&ctxt) != PSB_OK)
        return 2;
    psb_err e = solve(ctxt, argv, &s);
    psb_print_errmsg();
    X(gefree)(s.x);
    X(gefree)(s.b);
    X(gefree)(s.r);
    X(spfree)(s.a);
    psb_cdfree(s.d);
    psb_exit(ctxt);
    return e != PSB_OK;
}
