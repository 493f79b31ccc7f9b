/* gen_pde.c -- util: matrices of psb_pde.h; each process generates its own rows. */
#include "config.h"
#include "deal.h"
#include "desc.h"
#include "spmat.h"
#include "stencil.h"
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

/* Set the weights at the point s->x. */
static void weigh(const struct psb_pde *p, struct stencil *s)
{
    const psb_lpk n[3] = { p->nx, p->ny, p->nz };
    psb_coefficient *const a[3] = { p->a1, p->a2, p->a3 }, *const b[3] = { p->b1, p->b2, p->b3 };
    s->centre = coefficient(p, p->c, 0, s->x);
    for (int d = 0; d < p->dims; d++) {
        double per_h = (double)(n[d] + 1), second = coefficient(p, a[d], 1.0 / 80, s->x) * per_h * per_h;
        double first = coefficient(p, b[d], 0, s->x) * per_h / 2;
        s->before[d] = -second - first;
        s->behind[d] = -second + first;
        s->centre += 2 * second;
    }
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
    weigh(p, &s);
    for (int d = 0; d < p->dims; d++)
        rhs += append_neighbour(p, &s, d, false, k[d] > 0, i, i - step[d], t);
    X(triplets_append)(t, i, i, MAKE(s.centre, 0));
    for (int d = p->dims - 1; d >= 0; d--)
        rhs += append_neighbour(p, &s, d, true, k[d] + 1 < n[d], i, i + step[d], t);
    return rhs;
}

static psb_err check_equation(const struct psb_pde *p, const psb_desc *rows)
{
    PSB_NEED(p, "an equation");
    PSB_NEED_HANDLE(rows, "a descriptor");
    PSB_CHECK(p->dims == 2 || p->dims == 3, PSB_EARG, "argument p->dims is %d; expected 2 or 3", p->dims);
    PSB_CHECK(p->nx >= 1 && p->ny >= 1 && p->nz >= 1 && p->ny <= most_points / p->nx &&
                  p->nz <= most_points / (p->nx * p->ny),
              PSB_EARG,
              "argument p has %" PRId64 " by %" PRId64 " by %" PRId64
              " points; expected each >= 1, together at most 10^15",
              p->nx, p->ny, p->nz);
    PSB_CHECK(p->dims == 3 || p->nz == 1, PSB_EARG, "argument p->nz is %" PRId64 "; expected 1 in the square",
              p->nz);
    return psb_check_rows(rows, "rows", p->nx * p->ny * p->nz, "the equation");
}

psb_err X(gen_pde_rows)(const struct psb_pde *p, const psb_desc *rows, psb_ipk lo, psb_ipk hi,
                        struct X(triplets) *t, T *rhs)
{
    struct X(triplets) new = { .nnz = 0 };
    PSB_TRY(check_equation(p, rows));
    PSB_NEED(t, "where to store the matrix");
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

/* --- the matrix --------------------------------------------------------------------------------------- */

enum { ROWS_AT_ONCE = 1 << 14, MOST_OF_A_ROW = 7 };

/* The rows here as a stencil with the same weights at all points.  Returns whether they are such. */
static bool is_stencil(const struct psb_pde *p, const psb_desc *rows, struct psb_stencil *s)
{
    struct stencil w = { .centre = 0 };
    if (p->a1 || p->a2 || p->a3 || p->b1 || p->b2 || p->b3 || p->c || !rows->map->one_run)
        return false;
    *s = (struct psb_stencil){ .n = { p->nx, p->ny, p->nz }, .first = rows->map->lo, .m = rows->map->nrow };
    s->has = 1 << 13;
    weigh(p, &w);
    s->re[13] = w.centre;
    for (int d = 0, far = 9; d < p->dims; d++, far /= 3) {
        s->has |= 1 << (13 - far) | 1 << (13 + far);
        s->re[13 - far] = w.before[d];
        s->re[13 + far] = w.behind[d];
    }
    return true;
}

/* The number of rows from row g on without a neighbour on the boundary, as far as they are on one line. */
static psb_lpk rows_inside(const struct psb_pde *p, psb_lpk g)
{
    const psb_lpk n[3] = { p->nx, p->ny, p->nz }, line = n[p->dims - 1], k = g % line;
    bool inside = k > 0 && k + 1 < line;
    g /= line;
    for (int d = p->dims - 2; d >= 0; g /= n[d--])
        inside = inside && g % n[d] > 0 && g % n[d] + 1 < n[d];
    return inside ? line - 1 - k : 0;
}

static void set_rhs(const struct psb_pde *p, const struct psb_stencil *s, T *rhs)
{
    psb_lpk ia[MOST_OF_A_ROW], ja[MOST_OF_A_ROW];
    T val[MOST_OF_A_ROW];
    for (psb_lpk l = 0; l < s->m; l++)
        rhs[l] = 0;
    for (psb_lpk l = 0; l < s->m; l++) {
        struct X(triplets) t = { .ia = ia, .ja = ja, .val = val };
        l += p->f ? 0 : rows_inside(p, s->first + l);
        if (l < s->m)
            rhs[l] = MAKE(append_row(p, s->first + l, &t), 0);
    }
}

/* Insert the entries in columns of other processes, which only the first and the last rows have. */
static psb_err insert_far(const struct psb_pde *p, const struct psb_stencil *s, struct X(spmat) *a)
{
    const psb_lpk reach = s->n[1] * s->n[2];
    for (psb_lpk l = 0; l < s->m; l++) {
        psb_lpk ia[MOST_OF_A_ROW], ja[MOST_OF_A_ROW];
        T val[MOST_OF_A_ROW];
        struct X(triplets) t = { .ia = ia, .ja = ja, .val = val };
        l = l >= reach && l < s->m - reach ? s->m - reach : l;
        (void)append_row(p, s->first + l, &t);
        const psb_epk n = t.nnz;
        t.nnz = 0;
        for (psb_epk k = 0; k < n; k++)
            if (ja[k] < s->first || ja[k] >= s->first + s->m)
                X(triplets_append)(&t, ia[k], ja[k], val[k]);
        if (t.nnz > 0)
            PSB_TRY(X(take_insert)(a, &t));
    }
    return PSB_OK;
}

static psb_err insert_rows(const struct psb_pde *p, const psb_desc *rows, T *rhs, struct X(spmat) *a)
{
    const psb_ipk m = psb_cd_local_rows(rows);
    for (psb_ipk lo = 0, hi; lo < m; lo = hi) {
        struct X(triplets) t;
        hi = m - lo < ROWS_AT_ONCE ? m : lo + ROWS_AT_ONCE;
        PSB_TRY(X(gen_pde_rows)(p, rows, lo, hi, &t, rhs ? rhs + lo : NULL));
        psb_err e = X(take_insert)(a, &t);
        X(triplets_free)(&t);
        PSB_TRY(e);
    }
    return PSB_OK;
}

/* *a = a matrix in state BUILD that has all entries. */
static psb_err begin_matrix(const struct psb_pde *p, psb_desc *rows, const struct X(mat) *mold, T *rhs,
                            struct X(spmat) **a)
{
    struct psb_stencil s;
    struct X(mat) *own = NULL;
    if (is_stencil(p, rows, &s))
        PSB_TRY(X(mat_stencil)(&s, mold, &own));
    psb_err e = X(spall2)(a, rows, rows, own ? 0 : (psb_epk)rows->map->nrow * (2 * p->dims + 1));
    if (e != PSB_OK || !own) {
        X(mat_free)(own);
        PSB_THEN(e, insert_rows(p, rows, rhs, *a));
        return e;
    }
    (*a)->own = own;
    if (rhs)
        set_rhs(p, &s, rhs);
    return insert_far(p, &s, *a);
}

psb_err X(sp_gen_pde)(struct X(spmat) **a, const struct psb_pde *p, psb_desc *rows, const struct X(mat) *mold,
                      T *rhs)
{
    struct X(spmat) *new = NULL;
    PSB_NEED_HANDLE(rows, "a descriptor");
    psb_ctxt *const ctxt = psb_cd_ctxt(rows);
    psb_err e = X(sp_check_new)(a, rows, rows, mold);
    PSB_THEN(e, check_equation(p, rows));
    PSB_TRY(psb_agree(ctxt, e));
    e = psb_agree(ctxt, begin_matrix(p, rows, mold, rhs, &new));
    PSB_THEN(e, X(sp_cdasb)(rows, rows));
    PSB_THEN(e, X(spasb)(new, mold, PSB_DUPL_ADD));
    if (e == PSB_OK)
        *a = new;
    else
        X(spfree)(new);
    return PSB_PASS(e);
}
