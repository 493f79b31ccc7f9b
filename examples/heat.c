/* heat.c -- examples: a time loop: the matrix gets new values in the same pattern in every step, and solver
 * and preconditioner are kept.
 *
 *     $ mpirun -np 2 ./heat
 *     step  0: heat 10.000000, hottest 1.0000
 *     step 10: heat 10.000000, hottest 0.6779
 *     step 20: heat 10.000000, hottest 0.5326
 *     step 30: heat 10.000000, hottest 0.4541
 *     step 40: heat 10.000000, hottest 0.4030
 *
 * u_t = (k(u) u_x)_x on a rod of 100 cells with insulated ends; k = 1 + u^2 is taken from the step before:
 * u_i + dt (k_l (u_i - u_(i-1)) + k_r (u_i - u_(i+1))) = u_i of the step before. */
#include <psb_linsolve.h>
#include <psb_util.h>
#include <stdio.h>

enum { CELLS = 100, STEPS = 40 };
static const double dt = 1.0;

static void must(psb_err e)
{
    if (e != PSB_OK)
        psb_abort(NULL, psb_errmsg());
}

/* Insert the rows owned here.  u has the local elements of the step before, halo included; NULL: only the
 * pattern counts. */
static void insert(psb_dspmat *a, const double *u)
{
    psb_desc *desc = psb_sp_row_desc(a);
    for (psb_ipk l = 0; l < psb_cd_local_rows(desc); l++) {
        const psb_lpk i = psb_loc_to_glob(desc, l);
        double diagonal = 1;
        for (psb_lpk j = i - 1; j <= i + 1; j += 2) {
            if (j < 0 || j >= CELLS)
                continue;
            const double mean = u ? (u[l] + u[psb_glob_to_loc(desc, j)]) / 2 : 0;
            const double flow = -dt * (1 + mean * mean);
            must(psb_spins(1, &i, &j, &flow, a));
            diagonal -= flow;
        }
        must(psb_spins(1, &i, &i, &diagonal, a));
    }
}

static void print_step(int me, int step, psb_dvect *u)
{
    double heat, hottest;
    must(psb_geasum(u, &heat));
    must(psb_geamax(u, &hottest));
    if (me == 0)
        printf("step %2d: heat %.6f, hottest %.4f\n", step, heat, hottest);
}

int main(void)
{
    psb_ctxt *ctxt;
    psb_desc *desc;
    psb_dspmat *a;
    psb_dvect *u, *before;
    psb_dsolver *solver;
    psb_solve_result res;
    const double *values, one = 1;
    int me;

    must(psb_init(&ctxt));
    psb_info(ctxt, &me, NULL);
    must(psb_part_blocks(ctxt, CELLS, &desc));
    must(psb_spall(&a, desc, 3 * psb_cd_local_rows(desc)));
    insert(a, NULL);
    must(psb_cdasb(desc));
    must(psb_spasb(a, psb_d_mat_by_name("csr"), PSB_DUPL_ADD));
    must(psb_vects_like(a, &u, &before));
    must(psb_solver_new(&solver, a, "cg, tol=1e-10, prec=bjac(ic0)"));

    /* ten hot cells */
    must(psb_gereinit(u, 1));
    for (psb_lpk i = 40; i < 50; i++)
        if (psb_is_owned(desc, i))
            must(psb_geins(1, &i, &one, u, PSB_DUPL_OVERWRITE));
    must(psb_geasb(u, NULL));
    print_step(me, 0, u);

    for (int step = 1; step <= STEPS; step++) {
        must(psb_halo(u, 'N'));
        must(psb_host_read(u, &values));
        must(psb_sprn(a, 1)); /* all values are 0, and are added to */
        insert(a, values);
        must(psb_spasb(a, NULL, PSB_DUPL_ADD));
        must(psb_solver_update(solver));
        must(psb_geaxpby(1, u, 0, before));
        must(psb_solver_solve(solver, before, u, &res)); /* u is the guess, too */
        if (res.outcome != PSB_CONVERGED)
            psb_abort(ctxt, psb_outcome_name(res.outcome));
        if (step % 10 == 0)
            print_step(me, step, u);
    }

    psb_solver_free(solver);
    psb_gefree(u);
    psb_gefree(before);
    psb_spfree(a);
    psb_cdfree(desc);
    psb_exit(ctxt);
    return 0;
}
