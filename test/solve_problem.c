/* solve_problem.c -- test: linear systems for the suites of linsolve. */
#include "solve_problem.h"
#include <stdlib.h>

/* Entry of rows `from` to `to`, neighbours on the grid: to > from if `to` comes later. */
static T coupling(enum problem_kind kind, psb_ipk from, psb_ipk to)
{
    double later = to > from;
    if (kind == PROBLEM_CONVECTION)
        return MAKE(later != 0 ? -1.3 : -0.7, later != 0 ? 0.2 : 0.1);
    return MAKE(-1, later != 0 ? 0.25 : -0.25); /* Hermitian */
}

static T diagonal(enum problem_kind kind, psb_ipk i)
{
    if (kind == PROBLEM_INDEFINITE)
        return MAKE(i % 3 == 0 ? -5 : 5.5, 0);
    return MAKE(kind == PROBLEM_HPD ? 4.5 : 4.2, kind == PROBLEM_HPD ? 0 : 0.3);
}

/* The entries of row i of the grid of m by m points: their number, their columns and values. */
static int grid_row(enum problem_kind kind, psb_ipk m, psb_ipk i, psb_lpk *ja, T *val)
{
    const psb_ipk r = i / m, c = i % m;
    const struct {
        int inside;
        psb_ipk j;
    } near[] = { { r > 0, i - m }, { c > 0, i - 1 }, { 1, i }, { c + 1 < m, i + 1 }, { r + 1 < m, i + m } };
    int n = 0;
    for (int k = 0; k < 5; k++)
        if (near[k].inside) {
            ja[n] = near[k].j;
            val[n++] = near[k].j == i ? diagonal(kind, i) : coupling(kind, i, near[k].j);
        }
    return n;
}

static void insert_rows(struct problem *p, enum problem_kind kind, psb_ipk m)
{
    for (psb_ipk l = 0; l < psb_cd_local_rows(p->desc); l++) {
        psb_lpk i = psb_loc_to_glob(p->desc, l), ia[5] = { i, i, i, i, i }, ja[5];
        T val[5];
        int n = grid_row(kind, m, (psb_ipk)i, ja, val);
        GOOD(X(spins)(n, ia, ja, val, p->a));
    }
}

/* b = A want, want a smooth function that differs by column. */
static void set_vectors(struct problem *p, int k, const struct psb_vmold *vmold)
{
    VECT *w = NULL;
    p->want = calloc((size_t)p->n * (size_t)k, sizeof *p->want);
    for (psb_ipk i = 0; i < p->n * k; i++)
        p->want[i] = MAKE(1 + 0.5 * sin(0.3 * i), 0.2 * cos(0.7 * i));
    GOOD(X(geall_n)(&w, p->desc, k));
    GOOD(X(geall_n)(&p->b, p->desc, k));
    GOOD(X(geall_n)(&p->x, p->desc, k));
    GOOD(X(geasb)(w, vmold));
    GOOD(X(geasb)(p->b, vmold));
    GOOD(X(geasb)(p->x, vmold));
    GOOD(X(scatter)(w, p->want, -1));
    GOOD(X(spmm)(1, p->a, w, 0, p->b, 'N'));
}

struct problem make_problem(enum problem_kind kind, psb_ipk m, int k, enum distribution distribution,
                            const struct X(mat) *mold, const struct psb_vmold *vmold)
{
    struct problem p = { .n = m * m };
    GOOD(alloc_desc(&p.desc, distribution, p.n));
    GOOD(X(spall)(&p.a, p.desc, 5 * (psb_epk)p.n));
    insert_rows(&p, kind, m);
    GOOD(psb_cdasb(p.desc));
    GOOD(X(spasb)(p.a, mold ? mold : &X(csr_mold).mat, PSB_DUPL_ADD));
    set_vectors(&p, k, vmold);
    return p;
}

struct problem dense_problem(psb_ipk n, const T *a, const T *b, enum distribution distribution)
{
    struct problem p = { .n = n, .want = calloc((size_t)n, sizeof *p.want) };
    GOOD(alloc_desc(&p.desc, distribution, n));
    GOOD(X(spall)(&p.a, p.desc, 0));
    GOOD(X(geall)(&p.b, p.desc));
    GOOD(X(geall)(&p.x, p.desc));
    for (psb_ipk l = 0; l < psb_cd_local_rows(p.desc); l++) {
        const psb_lpk i = psb_loc_to_glob(p.desc, l);
        for (psb_lpk j = 0; j < n; j++)
            if (a[i * n + j] != 0)
                GOOD(X(spins)(1, &i, &j, &a[i * n + j], p.a));
        GOOD(X(geins)(1, &i, &b[i], p.b, PSB_DUPL_OVERWRITE));
    }
    GOOD(psb_cdasb(p.desc));
    GOOD(X(spasb)(p.a, &X(csr_mold).mat, PSB_DUPL_ADD));
    GOOD(X(geasb)(p.b, NULL));
    GOOD(X(geasb)(p.x, NULL));
    return p;
}

void problem_free(struct problem *p)
{
    X(gefree)(p->x);
    X(gefree)(p->b);
    X(spfree)(p->a);
    psb_cdfree(p->desc);
    free(p->want);
}

double problem_error(const struct problem *p)
{
    double worst = 0;
    const T *x;
    const int k = p->x->ncols;
    GOOD(X(host_read)(p->x, &x));
    for (psb_ipk l = 0; l < psb_cd_local_rows(p->desc); l++)
        for (int j = 0; j < k; j++) {
            double e = (double)ABS(x[l * k + j] - p->want[psb_loc_to_glob(p->desc, l) * k + j]);
            worst = e > worst || isnan(e) ? e : worst;
        }
    GOOD(psb_max(ctxt, 1, &worst, -1));
    return worst;
}
