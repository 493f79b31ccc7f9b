/* faces.c -- test/clients: advection and diffusion on a square grid of cells, by finite volumes. Every
 * face is assembled by one process, which may own neither of its cells: contributions to rows of other
 * processes are sent to their owners.  The matrix and the right-hand side are compared with those assembled
 * by rows, and a stationary iteration solves the system.  The exit status is 0 if all agree. */
#include <math.h>
#include <psb_cuda.h>
#include <stdio.h>
#include <stdlib.h>

enum { CELLS = 14 };                       /* cells of an edge */
static const double wind[2] = { 3, -1.5 }; /* times the width of a cell over the diffusion coefficient */

static psb_ctxt *ctxt;

static void must(psb_err e)
{
    if (e != PSB_OK)
        psb_abort(ctxt, psb_errmsg());
}

static psb_lpk cell(int x, int y)
{
    return (psb_lpk)y * CELLS + x;
}

/* The flux through a face out of cell `from` into cell `to`, upwind: to_from u(from) + to_to u(to). */
static void flux(int direction, double *by_from, double *by_to)
{
    const double w = wind[direction];
    *by_from = 1 + (w > 0 ? w : 0);
    *by_to = -1 + (w < 0 ? w : 0);
}

/* The value in the cells outside of the grid. */
static double boundary(int x, int y)
{
    return x < 0 ? 1 : y < 0 ? 0.5 : 0;
}

/* Add the face between (x, y) and its neighbour in a direction; one of them may be outside. */
static void add_face(psb_dspmat *a, psb_dvect *b, int x, int y, int direction)
{
    const int x2 = x + (direction == 0), y2 = y + (direction == 1);
    const int inside = x >= 0 && y >= 0, inside2 = x2 < CELLS && y2 < CELLS;
    const psb_lpk from = cell(x, y), to = cell(x2, y2);
    double by_from, by_to;
    flux(direction, &by_from, &by_to);
    if (inside && inside2) {
        const psb_lpk row[4] = { from, from, to, to }, col[4] = { from, to, from, to };
        const double val[4] = { by_from, by_to, -by_from, -by_to };
        must(psb_spins(4, row, col, val, a));
    } else if (inside) {
        const double rhs = -by_to * boundary(x2, y2);
        must(psb_spins(1, &from, &from, &by_from, a));
        must(psb_geins(1, &from, &rhs, b, PSB_DUPL_ADD));
    } else {
        const double val = -by_to, rhs = by_from * boundary(x, y);
        must(psb_spins(1, &to, &to, &val, a));
        must(psb_geins(1, &to, &rhs, b, PSB_DUPL_ADD));
    }
}

/* Add row i, all faces of the cell. */
static void add_row(psb_dspmat *a, psb_dvect *b, psb_lpk i)
{
    const int x = (int)(i % CELLS), y = (int)(i / CELLS);
    double diagonal = 0, rhs = 0;
    for (int direction = 0; direction < 2; direction++)
        for (int sign = -1; sign <= 1; sign += 2) {
            const int x2 = x + sign * (direction == 0), y2 = y + sign * (direction == 1);
            double by_from, by_to;
            flux(direction, &by_from, &by_to);
            const double here = sign > 0 ? by_from : -by_to, there = sign > 0 ? by_to : -by_from;
            diagonal += here;
            if (x2 >= 0 && x2 < CELLS && y2 >= 0 && y2 < CELLS) {
                const psb_lpk j = cell(x2, y2);
                must(psb_spins(1, &i, &j, &there, a));
            } else {
                rhs -= there * boundary(x2, y2);
            }
        }
    must(psb_spins(1, &i, &i, &diagonal, a));
    must(psb_geins(1, &i, &rhs, b, PSB_DUPL_ADD));
}

/* The system on a descriptor of its own, by faces dealt out to all processes, or by rows. */
struct problem {
    psb_desc *desc;
    psb_dspmat *a;
    psb_dvect *b, *x, *r;
};

static void assemble(struct problem *p, int by_faces)
{
    const psb_lpk n = (psb_lpk)CELLS * CELLS;
    int me, np, face = 0;
    psb_info(ctxt, &me, &np);
    must(psb_cdall_nl(&p->desc, ctxt, (psb_ipk)(n / np + (me < n % np))));
    must(psb_spall(&p->a, p->desc, 5 * n / np));
    must(psb_geall(&p->b, p->desc));
    must(psb_geall(&p->x, p->desc));
    must(psb_geall(&p->r, p->desc));
    const enum psb_remote_mode mode = by_faces ? PSB_REMOTE_SEND : PSB_REMOTE_REFUSE;
    must(psb_sp_set_remote(p->a, mode));
    must(psb_ge_set_remote(p->b, mode));
    for (int k = -1; k < CELLS && by_faces; k++)
        for (int l = 0; l < CELLS; l++) {
            if (face++ % np == me)
                add_face(p->a, p->b, k, l, 0);
            if (face++ % np == me)
                add_face(p->a, p->b, l, k, 1);
        }
    for (psb_lpk i = 0; i < n && !by_faces; i++)
        if (psb_is_owned(p->desc, i))
            add_row(p->a, p->b, i);
    must(psb_cdasb(p->desc));
    must(psb_spasb(p->a, psb_d_mat_by_name(by_faces ? "hll" : "csr"), PSB_DUPL_ADD));
    must(psb_geasb(p->b, NULL));
    must(psb_geasb(p->x, NULL));
    must(psb_geasb(p->r, NULL));
}

/* Jacobi iterations from x = 0; the norm of b - A x relative to that of b. */
static double solve(struct problem *p, int steps)
{
    double norm, norm_b;
    psb_dvect *diagonal;
    must(psb_vect_clone(p->x, &diagonal));
    must(psb_sp_get_diag(p->a, diagonal));
    must(psb_set_scal(0, p->x));
    for (int k = 0; k <= steps; k++) {
        must(psb_geaxpby(1, p->b, 0, p->r));
        must(psb_spmv(-1, p->a, p->x, 1, p->r, 'N'));
        must(psb_genrm2(p->r, &norm));
        must(psb_gediv(p->r, diagonal));
        must(psb_geaxpby(1, p->r, 1, p->x));
    }
    must(psb_genrm2(p->b, &norm_b));
    psb_gefree(diagonal);
    return norm / norm_b;
}

/* The norm of x - y relative to that of y; x becomes x - y. */
static double distance(psb_dvect *x, psb_dvect *y)
{
    double *to, diff, norm;
    const psb_ipk n = psb_vect_get_nrows(x);
    const double *from;
    must(psb_host_read(y, &from));
    must(psb_host_update(x, &to));
    for (psb_ipk i = 0; i < n; i++)
        to[i] -= from[i];
    must(psb_genrm2(x, &diff));
    must(psb_genrm2(y, &norm));
    return diff / norm;
}

static void discard(struct problem *p)
{
    psb_spfree(p->a);
    psb_gefree(p->b);
    psb_gefree(p->x);
    psb_gefree(p->r);
    psb_cdfree(p->desc);
}

int main(void)
{
    struct problem faces, rows;
    int me;
    must(psb_init(&ctxt));
    must(psb_cuda_init(ctxt));
    psb_info(ctxt, &me, NULL);
    assemble(&faces, 1);
    assemble(&rows, 0);
    psb_epk entries = 0, expected = 0;
    must(psb_nnz(faces.a, &entries));
    must(psb_nnz(rows.a, &expected));
    const double residual = solve(&faces, 400), residual2 = solve(&rows, 400);
    const double x = distance(faces.x, rows.x), b = distance(faces.b, rows.b);
    if (me == 0)
        printf("faces: %lld entries, residual %.1e and %.1e, x differs by %.1e, b by %.1e\n",
               (long long)entries, residual, residual2, x, b);
    const int right = entries == expected && entries == 5 * CELLS * CELLS - 4 * CELLS && residual < 1e-8 &&
                      residual2 < 1e-8 && x < 1e-10 && b < 1e-13;
    discard(&faces);
    discard(&rows);
    psb_cuda_exit();
    psb_exit(ctxt);
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
