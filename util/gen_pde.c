/* gen_pde.c -- util: matrices of psb_pde.h; each process generates its own rows. */
#include "config.h"
#include "deal.h"
#include "psb_type.h"

static const psb_lpk most_points = INT64_C(1000000000000000);

static double coefficient(const struct psb_pde *p, psb_coefficient *what, double otherwise, const double x[3])
{
    return what ? what(x[0], x[1], x[2], p->arg) : otherwise;
}

static double boundary_value(const struct psb_pde *p, const double x[3])
{
    if (p->g)
        return p->g(x[0], x[1], x[2], p->arg);
    if (x[0] == 1)
        return 1;
    return x[0] == 0 ? exp(p->dims == 2 ? -x[1] * x[1] : x[1] * x[1] - x[2] * x[2]) : 0;
}

/* The stencil of a row: the weights of the neighbours before and after in each direction, and of the
 * point. */
struct stencil {
    double x[3], before[3], behind[3], centre;
};

/* Process a neighbour in direction d: append an entry at column j or, if the neighbour is on the boundary,
 * return its contribution to the right-hand side. */
static double append_neighbour(const struct psb_pde *p, const struct stencil *s, int d, bool behind,
                               bool inside, psb_lpk i, psb_lpk j, struct X(triplets) *t)
{
    double w = behind ? s->behind[d] : s->before[d], x[3] = { s->x[0], s->x[1], s->x[2] };
    if (inside) {
        X(triplets_append)(t, i, j, MAKE(w, 0));
        return 0;
    }
    x[d] = behind;
    return -w * boundary_value(p, x);
}

/* Append row i, columns ascending.  Returns the right-hand side. */
static double append_row(const struct psb_pde *p, psb_lpk i, struct X(triplets) *t)
{
    const psb_lpk n[3] = { p->nx, p->ny, p->nz }, step[3] = { p->ny * p->nz, p->nz, 1 };
    const psb_lpk k[3] = { i / step[0], i / step[1] % n[1], i % n[2] };
    struct stencil s = { .centre = 0 };
    for (int d = 0; d < p->dims; d++)
        s.x[d] = (double)(k[d] + 1) / (double)(n[d] + 1);
    double rhs = coefficient(p, p->f, 0, s.x);
    psb_coefficient *const a[3] = { p->a1, p->a2, p->a3 }, *const b[3] = { p->b1, p->b2, p->b3 };
    s.centre = coefficient(p, p->c, 0, s.x);
    for (int d = 0; d < p->dims; d++) {
        double per_h = (double)(n[d] + 1), second = coefficient(p, a[d], 1.0 / 80, s.x) * per_h * per_h;
        double first = coefficient(p, b[d], 0, s.x) * per_h / 2;
        s.before[d] = -second - first;
        s.behind[d] = -second + first;
        s.centre += 2 * second;
    }
    for (int d = 0; d < p->dims; d++)
        rhs += append_neighbour(p, &s, d, false, k[d] > 0, i, i - step[d], t);
    X(triplets_append)(t, i, i, MAKE(s.centre, 0));
    for (int d = p->dims - 1; d >= 0; d--)
        rhs += append_neighbour(p, &s, d, true, k[d] + 1 < n[d], i, i + step[d], t);
    return rhs;
}

psb_err X(gen_pde_rows)(const struct psb_pde *p, const psb_desc *rows, psb_ipk lo, psb_ipk hi,
                        struct X(triplets) *t, T *rhs)
{
    struct X(triplets) new = { .nnz = 0 };
    PSB_NEED(p, "an equation");
    PSB_NEED_HANDLE(rows, "a descriptor");
    PSB_NEED(t, "where to store the matrix");
    PSB_CHECK(p->dims == 2 || p->dims == 3, PSB_EARG, "argument p->dims is %d; expected 2 or 3", p->dims);
    PSB_CHECK(p->nx >= 1 && p->ny >= 1 && p->nz >= 1 && p->ny <= most_points / p->nx &&
                  p->nz <= most_points / (p->nx * p->ny),
              PSB_EARG,
              "argument p has %" PRId64 " by %" PRId64 " by %" PRId64
              " points; expected each >= 1, together at most 10^15",
              p->nx, p->ny, p->nz);
    PSB_CHECK(p->dims == 3 || p->nz == 1, PSB_EARG, "argument p->nz is %" PRId64 "; expected 1 in the square",
              p->nz);
    PSB_TRY(psb_check_rows(rows, "rows", p->nx * p->ny * p->nz, "the equation"));
    new.m = new.n = psb_cd_global_rows(rows);
    psb_err e = X(triplets_resize)(&new, (psb_epk)(hi - lo) * (2 * p->dims + 1));
    for (psb_ipk l = lo; l < hi && e == PSB_OK; l++) {
        double b = append_row(p, psb_loc_to_glob(rows, l) - psb_index_base(), &new);
        if (rhs)
            rhs[l - lo] = MAKE(b, 0);
    }
    PSB_THEN(e, X(triplets_resize)(&new, new.nnz));
    return PSB_PASS(X(triplets_hand_over)(e, &new, t));
}

psb_err X(gen_pde)(const struct psb_pde *p, const psb_desc *rows, struct X(triplets) *t, T *rhs)
{
    PSB_NEED_HANDLE(rows, "a descriptor");
    return PSB_PASS(X(gen_pde_rows)(p, rows, 0, psb_cd_local_rows(rows), t, rhs));
}
