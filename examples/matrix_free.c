/* matrix_free.c -- examples: A x = b without a matrix, with a preconditioner of the program's own; then the
 * same operator made singular, with its null space.
 *
 *     $ mpirun -np 2 ./matrix_free
 *     shifted:  converged, length of x 18.8390
 *     singular: converged, length of x 499.9198
 *
 * In C++ both are made of function objects: psb::make_operator and psb::make_preconditioner. */
#include <psb_linsolve.h>
#include <psb_util.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 60 };

/* A ring of N points: (A x)_i = (2 + shift) x_i - x_(i-1) - x_(i+1). */
struct ring {
    psb_ipk n, *before,
        *after; /* points owned here; the local numbers of their neighbours, some of them in the halo */
    double shift;
};

static psb_err multiply(void *data, const psb_dvect *x, psb_dvect *y, char op)
{
    const struct ring *c = data;
    const double *v;
    double *w;
    (void)op;                      /* A is symmetric */
    PSB_TRY(psb_host_read(x, &v)); /* with its halo, which is exchanged before */
    PSB_TRY(psb_host_write(y, &w));
    for (psb_ipk i = 0; i < c->n; i++)
        w[i] = (2 + c->shift) * v[i] - v[c->before[i]] - v[c->after[i]];
    return PSB_OK;
}

static psb_err divide_by_diagonal(void *data, const psb_dvect *x, psb_dvect *y, char op)
{
    const struct ring *c = data;
    (void)op;
    return psb_geaxpby(1 / (2 + c->shift), x, 0, y);
}

static void must(psb_err e)
{
    if (e != PSB_OK)
        psb_abort(NULL, psb_errmsg());
}

/* Make c and its descriptor, which has the halo that multiply needs. */
static void make_ring(psb_ctxt *ctxt, struct ring *c, psb_desc **desc)
{
    must(psb_part_blocks(ctxt, N, desc));
    c->n = psb_cd_local_rows(*desc);
    c->before = malloc(sizeof *c->before * (size_t)(2 * c->n + 1));
    if (!c->before)
        psb_abort(ctxt, "out of memory");
    c->after = c->before + c->n;
    for (psb_ipk i = 0; i < c->n; i++) {
        const psb_lpk g = psb_loc_to_glob(*desc, i), beside[2] = { (g + N - 1) % N, (g + 1) % N };
        must(psb_cdins(*desc, 2, NULL, beside));
    }
    must(psb_cdasb(*desc));
    for (psb_ipk i = 0; i < c->n; i++) {
        const psb_lpk g = psb_loc_to_glob(*desc, i);
        c->before[i] = psb_glob_to_loc(*desc, (g + N - 1) % N);
        c->after[i] = psb_glob_to_loc(*desc, (g + 1) % N);
    }
}

/* Solve from x = 0, and print. */
static void solve(const char *what, psb_dsolver *s, const psb_dvect *b, psb_dvect *x, int me)
{
    psb_solve_result res;
    double length;
    must(psb_set_scal(0, x));
    must(psb_solver_solve(s, b, x, &res));
    must(psb_genrm2(x, &length));
    if (me == 0)
        printf("%-9s %s, length of x %.4f\n", what, psb_outcome_name(res.outcome), length);
}

int main(void)
{
    const psb_doperator_calls functions = { .apply = multiply };
    const psb_dprec_calls own = { .apply = divide_by_diagonal };
    struct ring c = { .shift = 0.5 };
    psb_ctxt *ctxt;
    psb_desc *desc;
    psb_doperator *a;
    psb_dprec *m;
    psb_dsolver *s;
    psb_dnullspace *ones;
    psb_dvect *b, *x;
    double *values;
    int me;

    must(psb_init(&ctxt));
    psb_info(ctxt, &me, NULL);
    make_ring(ctxt, &c, &desc);
    must(psb_geall(&b, desc));
    must(psb_geall(&x, desc));
    must(psb_geasb(b, NULL));
    must(psb_geasb(x, NULL));
    must(psb_host_write(b, &values));
    for (psb_ipk i = 0; i < c.n; i++)
        values[i] = 1 + cos(8 * atan(1) * (double)psb_loc_to_glob(desc, i) / N);

    must(psb_operator_new(&a, desc, &functions, &c));
    must(psb_precinit_user(&m, &own, &c));
    must(psb_precbld_op(m, a, NULL, NULL));
    must(psb_solver_new_op(&s, a, m, "cg, tol=1e-10"));
    solve("shifted:", s, b, x, me);

    /* without the shift the constants are the null space: that part of b is left out */
    c.shift = 0;
    must(psb_nullspace_new(&ones, desc, true, 0, NULL));
    must(psb_solver_set_nullspace(s, ones, NULL));
    must(psb_solver_update(s));
    solve("singular:", s, b, x, me);

    psb_solver_free(s);
    psb_nullspace_free(ones);
    psb_precfree(m);
    psb_operator_free(a);
    psb_gefree(x);
    psb_gefree(b);
    psb_cdfree(desc);
    free(c.before);
    psb_exit(ctxt);
    return 0;
}
