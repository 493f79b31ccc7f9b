/* matrix_free.c -- test/clients: A x = b without a matrix, with a preconditioner of the program's own; then the same
 * operator made singular, with its null space.  The exit status is 0 if all results are right. */
#include <psb_linsolve.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* A chain of points: (A x)_i = (2 + shift) x_i - x_(i-1) - x_(i+1), the last point next to the first. */
struct chain {
    psb_ipk n, *before, *after; /* rows owned here; the local numbers of their neighbours, some of them in the halo */
    double shift;
};

static psb_err multiply(void *data, const psb_dvect *x, psb_dvect *y, char op)
{
    const struct chain *c = data;
    const double *v;
    double *w;
    (void)op; /* A is symmetric */
    PSB_TRY(psb_host_read(x, &v)); /* with its halo */
    PSB_TRY(psb_host_write(y, &w));
    for (psb_ipk i = 0; i < c->n; i++)
        w[i] = (2 + c->shift) * v[i] - v[c->before[i]] - v[c->after[i]];
    return PSB_OK;
}

static psb_err divide_by_diagonal(void *data, const psb_dvect *x, psb_dvect *y, char op)
{
    const struct chain *c = data;
    (void)op;
    return psb_geaxpby(1 / (2 + c->shift), x, 0, y);
}

static void must(psb_ctxt *ctxt, psb_err e)
{
    if (e != PSB_OK)
        psb_abort(ctxt, psb_errmsg());
}

/* Make c and its descriptor. */
static void make_chain(psb_ctxt *ctxt, psb_lpk n, struct chain *c, psb_desc **desc)
{
    int me, np;
    psb_info(ctxt, &me, &np);
    c->n = (psb_ipk)(n / np + (me < n % np));
    c->before = malloc(sizeof *c->before * (size_t)c->n);
    c->after = malloc(sizeof *c->after * (size_t)c->n);
    must(ctxt, psb_cdall_nl(desc, ctxt, c->n));
    for (psb_ipk i = 0; i < c->n; i++) {
        const psb_lpk g = psb_loc_to_glob(*desc, i), beside[2] = { (g + n - 1) % n, (g + 1) % n };
        must(ctxt, psb_cdins(*desc, 2, NULL, beside));
    }
    must(ctxt, psb_cdasb(*desc));
    for (psb_ipk i = 0; i < c->n; i++) {
        const psb_lpk g = psb_loc_to_glob(*desc, i);
        c->before[i] = psb_glob_to_loc(*desc, (g + n - 1) % n);
        c->after[i] = psb_glob_to_loc(*desc, (g + 1) % n);
    }
}

/* Set b to a smooth function and a constant. */
static void set_right_side(psb_ctxt *ctxt, psb_desc *desc, psb_lpk n, double constant, psb_dvect *b)
{
    double *v;
    must(ctxt, psb_host_update(b, &v));
    for (psb_ipk i = 0; i < psb_cd_local_rows(desc); i++)
        v[i] = constant + cos(8 * atan(1) * (double)psb_loc_to_glob(desc, i) / (double)n);
}

int main(void)
{
    enum { N = 60 };
    const psb_doperator_calls functions = { .apply = multiply };
    const psb_dprec_calls own = { .apply = divide_by_diagonal };
    struct chain c = { .shift = 0.5 };
    psb_ctxt *ctxt = NULL;
    psb_desc *desc = NULL;
    psb_doperator *a = NULL;
    psb_dprec *m = NULL;
    psb_dsolver *s = NULL;
    psb_dnullspace *ones = NULL;
    psb_dvect *b = NULL, *x = NULL;
    psb_solve_result res;
    double sum[2], norm;
    if (psb_init(&ctxt) != PSB_OK)
        return EXIT_FAILURE;
    make_chain(ctxt, N, &c, &desc);
    must(ctxt, psb_geall(&b, desc));
    must(ctxt, psb_geall(&x, desc));
    must(ctxt, psb_geasb(b, NULL));
    must(ctxt, psb_geasb(x, NULL));
    set_right_side(ctxt, desc, N, 1, b);

    must(ctxt, psb_operator_new(&a, desc, &functions, &c));
    must(ctxt, psb_precinit_user(&m, &own, &c));
    must(ctxt, psb_precbld_op(m, a, NULL, NULL));
    must(ctxt, psb_solver_new_op(&s, a, m, "cg, tol=1e-10"));
    must(ctxt, psb_solver_solve(s, b, x, &res));
    must(ctxt, psb_geasum(x, &sum[0]));
    int wrong = res.outcome != PSB_CONVERGED;

    /* without the shift the constants are the null space: that part of b is left out */
    c.shift = 0;
    must(ctxt, psb_nullspace_new(&ones, desc, true, 0, NULL));
    must(ctxt, psb_solver_set_nullspace(s, ones, NULL));
    must(ctxt, psb_solver_update(s));
    must(ctxt, psb_set_scal(0, x));
    must(ctxt, psb_solver_solve(s, b, x, &res));
    must(ctxt, psb_solver_view(s, stdout));
    must(ctxt, psb_operator_apply(a, x, b, 'N'));
    set_right_side(ctxt, desc, N, 0, x);
    must(ctxt, psb_geaxpby(-1.0, x, 1.0, b));
    must(ctxt, psb_genrm2(b, &norm));
    wrong += res.outcome != PSB_CONVERGED || norm > 1e-8;

    psb_solver_free(s);
    psb_nullspace_free(ones);
    psb_precfree(m);
    psb_operator_free(a);
    psb_gefree(x);
    psb_gefree(b);
    psb_cdfree(desc);
    free(c.before);
    free(c.after);
    psb_exit(ctxt);
    return wrong ? EXIT_FAILURE : EXIT_SUCCESS;
}
