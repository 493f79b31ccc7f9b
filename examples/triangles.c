/* triangles.c -- examples: finite elements on a mesh of triangles whose points are numbered at random: a
 * process adds the matrices of its elements, also to rows that other processes own.
 *
 *     $ mpirun -np 2 ./triangles
 *     2048 triangles, 6609 entries: converged, largest u 0.0736
 *
 * -(u_xx + u_yy) = 1 on the unit square, u = 0 on its boundary.  psb_spasb and psb_geasb send contributions
 * to their owners, where they are added up. */
#include <psb_linsolve.h>
#include <psb_util.h>
#include <stdio.h>

enum { EDGE = 33, POINTS = EDGE * EDGE, TRIANGLES = 2 * (EDGE - 1) * (EDGE - 1) };

static void must(psb_err e)
{
    if (e != PSB_OK)
        psb_abort(NULL, psb_errmsg());
}

/* A mesh would be read from a file: here is its number of point (i, j), and the points of triangle t. */
static psb_lpk point(int i, int j)
{
    return (psb_lpk)(i * EDGE + j) * 707 % POINTS;
}

static void triangle(int t, int i[3], int j[3])
{
    const int upper = t % 2, x = t / 2 % (EDGE - 1), y = t / 2 / (EDGE - 1);
    i[0] = x + upper, j[0] = y + upper;
    i[1] = x + 1 - upper, j[1] = y + upper;
    i[2] = x + upper, j[2] = y + 1 - upper;
}

/* Add a linear element with a right angle at its first point, and the sides h, h; points on the boundary have
 * no equation but u = 0. */
static void add_element(int t, psb_dspmat *a, psb_dvect *b)
{
    static const double stiffness[3][3] = { { 1, -0.5, -0.5 }, { -0.5, 0.5, 0 }, { -0.5, 0, 0.5 } };
    const double h = 1.0 / (EDGE - 1), load = h * h / 6;
    int i[3], j[3];
    psb_lpk row[9], col[9];
    double val[9];
    psb_epk n = 0;
    triangle(t, i, j);
    for (int k = 0; k < 3; k++) {
        if (i[k] % (EDGE - 1) == 0 || j[k] % (EDGE - 1) == 0)
            continue;
        const psb_lpk p = point(i[k], j[k]);
        must(psb_geins(1, &p, &load, b, PSB_DUPL_ADD));
        for (int l = 0; l < 3; l++) {
            if (i[l] % (EDGE - 1) == 0 || j[l] % (EDGE - 1) == 0)
                continue;
            row[n] = p;
            col[n] = point(i[l], j[l]);
            val[n++] = stiffness[k][l];
        }
    }
    must(psb_spins(n, row, col, val, a));
}

/* Set u = 0 at the points of the boundary that are owned here. */
static void add_boundary(psb_desc *desc, psb_dspmat *a)
{
    const double one = 1;
    for (int i = 0; i < EDGE; i++)
        for (int j = 0; j < EDGE; j += i % (EDGE - 1) ? EDGE - 1 : 1) {
            const psb_lpk p = point(i, j);
            if (psb_is_owned(desc, p))
                must(psb_spins(1, &p, &p, &one, a));
        }
}

int main(void)
{
    psb_ctxt *ctxt;
    psb_desc *desc;
    psb_dspmat *a;
    psb_dvect *b, *u;
    psb_solve_result res;
    psb_epk entries;
    double largest;
    int me, np;

    must(psb_init(&ctxt));
    psb_info(ctxt, &me, &np);
    must(psb_part_blocks(ctxt, POINTS, &desc));
    must(psb_spall(&a, desc, 7 * psb_cd_local_rows(desc)));
    must(psb_geall(&b, desc));
    must(psb_sp_set_remote(a, PSB_REMOTE_SEND));
    must(psb_ge_set_remote(b, PSB_REMOTE_SEND));
    for (int t = me; t < TRIANGLES; t += np)
        add_element(t, a, b);
    add_boundary(desc, a);
    must(psb_cdasb(desc));
    must(psb_spasb(a, psb_d_mat_by_name("csr"), PSB_DUPL_ADD));
    must(psb_geasb(b, NULL));
    must(psb_geall(&u, desc));
    must(psb_geasb(u, NULL));

    must(psb_solve(a, b, u, "cg, tol=1e-8, prec=diag", &res));
    must(psb_nnz(a, &entries));
    must(psb_geamax(u, &largest));
    if (me == 0)
        printf("%d triangles, %lld entries: %s, largest u %.4f\n", TRIANGLES, (long long)entries,
               psb_outcome_name(res.outcome), largest);

    psb_gefree(u);
    psb_gefree(b);
    psb_spfree(a);
    psb_cdfree(desc);
    psb_exit(ctxt);
    return res.outcome != PSB_CONVERGED;
}
