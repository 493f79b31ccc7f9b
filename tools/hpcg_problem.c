/* hpcg_problem.c -- tools: the problem of the HPCG benchmark: its levels as generated, and optimised. */
#include "config.h"
#include "hpcg.h"
#include "coll.h"
#include "load.h"
#include "psb_alloc.h"
#include "psb_search.h"
#include "psb_testing.h"
#include "stencil.h"

enum { DIAGONAL = 26 };

/* --- the levels as generated --- */

static psb_ipk points_of(const struct hpcg_task *t, int l)
{
    return (t->box[0] >> l) * (t->box[1] >> l) * (t->box[2] >> l);
}

/* The number of the point of local row i, of level l, moved by step, as the index base counts; -1 if the grid
 * has no such point.  *inside: is it in the box of this process? */
static psb_lpk point_at(const struct hpcg_task *t, int l, psb_ipk i, const int step[3], bool *inside)
{
    const psb_ipk nx = t->box[0] >> l, ny = t->box[1] >> l, x[3] = { i % nx, i / nx % ny, i / nx / ny };
    psb_lpk g = 0;
    *inside = true;
    for (int d = 2; d >= 0; d--) {
        const psb_lpk n = t->box[d] >> l, here = x[d] + step[d], at = t->place[d] * n + here;
        if (at < 0 || at >= t->grid[d] * n)
            return -1;
        *inside = *inside && here >= 0 && here < n;
        g = g * t->grid[d] * n + at;
    }
    return g + psb_index_base();
}

static psb_err make_desc(const struct hpcg_task *t, int l, psb_desc **desc)
{
    const psb_ipk m = points_of(t, l);
    psb_lpk *points = NULL;
    bool inside;
    if (t->np == 1)
        return psb_cdall_nl(desc, t->ctxt, m);
    psb_err e = psb_agree(t->ctxt, psb_alloc(&points, (size_t)m, sizeof *points, "points of a box"));
    for (psb_ipk i = 0; e == PSB_OK && i < m; i++)
        points[i] = point_at(t, l, i, (int[3]){ 0 }, &inside);
    PSB_THEN(e, psb_cdall_vl(desc, t->ctxt, m, points));
    psb_free(points);
    return e;
}

/* Insert the entries of row i in columns of other processes. */
static psb_err insert_far(const struct hpcg_task *t, int l, psb_ipk i, struct X(spmat) *a)
{
    psb_lpk row[PSB_NEIGHBOURS], column[PSB_NEIGHBOURS];
    T value[PSB_NEIGHBOURS];
    psb_epk n = 0;
    bool inside;
    for (int k = 0; k < PSB_NEIGHBOURS; k++) {
        row[n] = point_at(t, l, i, (int[3]){ 0 }, &inside);
        column[n] = point_at(t, l, i, (int[3]){ k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1 }, &inside);
        value[n] = -1;
        n += column[n] >= 0 && !inside;
    }
    return n > 0 ? X(spins)(n, row, column, value, a) : PSB_OK;
}

/* Has coordinate `at` of a point of the box, in direction d, neighbours on other processes? */
static bool is_face(const struct hpcg_task *t, int l, int d, psb_ipk at)
{
    return t->grid[d] > 1 && (at == 0 || at == (t->box[d] >> l) - 1);
}

/* *a = a matrix in state BUILD that has all entries: those in columns of this process are a stencil. */
static psb_err begin_matrix(const struct hpcg_task *t, int l, const struct X(mat) *mold, psb_desc *desc,
                            struct X(spmat) **a)
{
    const psb_ipk nx = t->box[0] >> l, ny = t->box[1] >> l, nz = t->box[2] >> l;
    struct psb_stencil s = { .n = { nz, ny, nx }, .m = nx * ny * nz, .has = (1 << PSB_NEIGHBOURS) - 1 };
    for (int q = 0; q < PSB_NEIGHBOURS; q++)
        s.re[q] = q == PSB_NEIGHBOURS / 2 ? DIAGONAL : -1;
    PSB_TRY(X(spall2)(a, desc, desc, 0));
    PSB_TRY(X(mat_stencil)(&s, mold, &(*a)->own));
    for (psb_ipk z = 0; z < nz; z++)
        for (psb_ipk y = 0; y < ny; y++) {
            const bool all = is_face(t, l, 2, z) || is_face(t, l, 1, y);
            for (psb_ipk x = 0; x < nx; x += all ? 1 : nx - 1)
                if (all || t->grid[0] > 1)
                    PSB_TRY(insert_far(t, l, (z * ny + y) * nx + x, *a));
        }
    return PSB_OK;
}

static psb_err generate_level(const struct hpcg_task *t, int l, const struct X(mat) *mold,
                              struct hpcg_level *v)
{
    PSB_TRY(make_desc(t, l, &v->desc));
    PSB_TRY(psb_agree(t->ctxt, begin_matrix(t, l, mold, v->desc, &v->a)));
    PSB_TRY(psb_cdasb(v->desc));
    PSB_TRY(X(spasb)(v->a, mold, PSB_DUPL_ADD));
    v->rows = 1;
    for (int d = 0; d < 3; d++)
        v->rows *= (psb_lpk)t->grid[d] * (t->box[d] >> l);
    return X(load_count)(v->a, &v->entries);
}

/* The local row, on level l, of row i of the next coarser level. */
static psb_ipk finer_row(const struct hpcg_task *t, int l, psb_ipk i)
{
    const psb_ipk nx = t->box[0] >> (l + 1), ny = t->box[1] >> (l + 1);
    return ((4 * (i / nx / ny) * ny + 2 * (i / nx % ny)) * nx + i % nx) * 2;
}

/* *own = m rows, of n columns, with value[j], NULL: 1, in column j = point[i] of row i; point NULL: i. */
static psb_err make_listed(const psb_ipk *point, psb_ipk m, psb_ipk n, const T *value,
                           const struct X(mat) *mold, struct X(mat) **own)
{
    struct X(compressed) c;
    struct X(mat) *new;
    PSB_TRY(X(csr_make)(m, n, m, &new, &c));
    for (psb_ipk i = 0; i < m; i++) {
        c.ptr[i] = i;
        c.idx[i] = point ? point[i] : i;
        c.val[i] = value ? value[c.idx[i]] : 1;
    }
    c.ptr[m] = m;
    const psb_err e = X(mat_in_format)(&new, mold);
    return X(mat_made)(e, new, own);
}

/* *a = make_listed on these descriptors, which are assembled.  err: an earlier error of this process. */
static psb_err assemble_listed(const psb_ipk *point, psb_desc *row, psb_desc *col, const T *value,
                               const struct X(mat) *mold, psb_err err, struct X(spmat) **a)
{
    struct X(spmat) *new = NULL;
    PSB_THEN(err, X(spall2)(&new, row, col, 0));
    PSB_THEN(err, make_listed(point, psb_cd_local_rows(row), psb_cd_local_rows(col), value, mold, &new->own));
    err = psb_agree(psb_cd_ctxt(row), err);
    PSB_THEN(err, X(spasb)(new, mold, PSB_DUPL_ADD));
    if (err == PSB_OK)
        *a = new;
    else
        X(spfree)(new);
    return err;
}

/* Compressed rows where mold stores a matrix. */
static const struct X(mat) *plain_rows(const struct X(mat) *mold)
{
    const struct X(mat) *its = X(mat_dev)(mold)->transposed;
    return its && X(mat_dev)(its)->device() ? its : &X(csr_mold).mat;
}

static psb_err make_vectors(struct hpcg_problem *q)
{
    struct hpcg_level *v = q->level;
    PSB_TRY(X(vects_like)(v->a, &q->b, &q->x));
    PSB_TRY(X(vects_like)(v->a, &q->z, &q->r));
    PSB_TRY(X(vects_like)(v->a, &q->p, &q->ap));
    for (int l = 1; l < LEVELS; l++)
        PSB_TRY(X(vects_like)(v[l].a, &v[l].x, &v[l].r));
    return PSB_OK;
}

/* b = A times ones. */
static psb_err set_right_hand_side(struct hpcg_problem *q)
{
    PSB_TRY(psb_agree(q->task->ctxt, X(set_scal)(1, q->x)));
    return psb_agree(q->task->ctxt, X(spmv)(1, q->level->a, q->x, 0, q->b, 'N'));
}

/* v->point and v->inject of level l, whose rows and those of the coarser level may be ordered. */
static psb_err inject(const struct hpcg_task *t, int l, const struct X(mat) *mold, struct hpcg_level *v)
{
    const psb_ipk m = psb_cd_local_rows(v[1].desc), *from = NULL, *to = NULL;
    psb_err e = v->natural ? psb_dual_read(&v->order.from, PSB_HOST, &from) : PSB_OK;
    if (v->natural)
        PSB_THEN(e, psb_dual_read(&v[1].order.to, PSB_HOST, &to));
    if (!v->point)
        PSB_THEN(e, psb_alloc(&v->point, (size_t)m, sizeof *v->point, "points of a coarser grid"));
    for (psb_ipk i = 0; e == PSB_OK && i < m; i++) {
        const psb_ipk j = finer_row(t, l, to ? to[i] : i);
        v->point[i] = from ? from[j] : j;
    }
    return assemble_listed(v->point, v[1].desc, v->desc, NULL, mold, e, &v->inject);
}

psb_err hpcg_generate(const struct hpcg_task *t, struct hpcg_problem *q)
{
    const struct X(mat) *mold = plain_rows(X(mat_by_name)(t->format));
    *q = (struct hpcg_problem){ .task = t };
    for (int l = 0; l < LEVELS; l++) {
        struct hpcg_level *v = &q->level[l];
        PSB_TRY(generate_level(t, l, mold, v));
        if (l > 0)
            PSB_TRY(inject(t, l - 1, mold, v - 1));
    }
    return make_vectors(q);
}

/* --- the reference problem --- */

static psb_err make_smoother(const struct hpcg_task *t, const char *text, const struct X(mat) *mold,
                             struct hpcg_level *v)
{
    PSB_TRY(psb_agree(t->ctxt, X(precinit)(&v->smooth, text)));
    v->smooth->order = v->natural ? &v->order : NULL;
    return X(precbld)(v->smooth, v->a, mold, NULL);
}

/* *to = a on the host; NULL, if a is NULL. */
static psb_err copy_matrix(const struct hpcg_task *t, const struct X(spmat) *a, struct X(spmat) **to)
{
    *to = NULL;
    if (!a)
        return PSB_OK;
    PSB_TRY(psb_agree(t->ctxt, X(sp_clone)(a, to)));
    return X(spcnv)(*to, &X(csr_mold).mat);
}

psb_err hpcg_reference(const struct hpcg_problem *from, struct hpcg_problem *q)
{
    struct X(vect) *unused;
    *q = (struct hpcg_problem){ .task = from->task, .is_reference = true };
    q->borrows = plain_rows(X(mat_by_name)(from->task->format)) == &X(csr_mold).mat;
    for (int l = 0; l < LEVELS; l++) {
        const struct hpcg_level *k = &from->level[l];
        struct hpcg_level *v = &q->level[l];
        v->desc = k->desc;
        if (q->borrows) {
            v->a = k->a;
            v->inject = k->inject;
        } else {
            PSB_TRY(copy_matrix(q->task, k->a, &v->a));
            PSB_TRY(copy_matrix(q->task, k->inject, &v->inject));
        }
        PSB_TRY(make_smoother(q->task, "gs(direction=symmetric, order=rows)", NULL, v));
        PSB_TRY(X(vects_like)(v->a, &unused, &v->w));
        X(gefree)(unused);
    }
    PSB_TRY(make_vectors(q));
    return set_right_hand_side(q);
}

/* --- the optimised problem --- */

/* Convert a to the format of mold or, if that refuses, to compressed rows. */
static psb_err convert(struct X(spmat) *a, const struct X(mat) *mold)
{
    psb_expect_errors(1);
    const psb_err e = X(spcnv)(a, mold);
    psb_expect_errors(0);
    return e == PSB_OK ? e : X(spcnv)(a, plain_rows(mold));
}

/* The rows of a at the points of the coarser grid: parts in compressed rows, *n of them with entries in
 * columns of other processes, bnd[0..*n). */
static psb_err select_points(const psb_ipk *point, const struct X(spmat) *a, psb_ipk m,
                             struct X(mat) *part[2], psb_ipk *n, psb_ipk **bnd)
{
    struct psb_dual rows, some;
    const psb_ipk *at;
    psb_ipk *to, *of;
    PSB_TRY(psb_alloc(bnd, (size_t)a->ah->nrows, sizeof **bnd, "boundary rows"));
    PSB_TRY(psb_dual_init(&rows, (size_t)m, sizeof *to, a->ad->on, "points of a coarser grid"));
    psb_err e = psb_dual_init(&some, (size_t)a->ah->nrows, sizeof *to, a->ah->on, "boundary rows");
    PSB_THEN(e, psb_dual_write(&rows, PSB_HOST, &to));
    PSB_THEN(e, psb_dual_write(&some, PSB_HOST, &of));
    PSB_THEN(e, psb_dual_read(&a->bnd, PSB_HOST, &at));
    for (psb_ipk i = 0; i < m && e == PSB_OK; i++) {
        const psb_epk k = psb_first_from(at, 1, a->ah->nrows, point[i]);
        to[i] = point[i];
        if (k < a->ah->nrows && at[k] == point[i]) {
            of[*n] = (psb_ipk)k;
            (*bnd)[(*n)++] = i;
        }
    }
    PSB_THEN(e, X(mat_select)(a->ad, m, &rows, a->ad->ncols, NULL, &part[0]));
    PSB_THEN(e, X(mat_select)(a->ah, *n, &some, a->ah->ncols, NULL, &part[1]));
    psb_dual_free(&rows);
    psb_dual_free(&some);
    return e;
}

static psb_err make_fused(struct hpcg_level *v, const struct X(mat) *mold)
{
    struct X(mat) *part[2] = { NULL };
    psb_ipk n = 0, *bnd = NULL;
    psb_err e = select_points(v->point, v->a, psb_cd_local_rows(v[1].desc), part, &n, &bnd);
    e = psb_agree(psb_cd_ctxt(v->desc), e);
    PSB_THEN(e, X(sp_of_local)(&v->fused, v[1].desc, v->desc, part[0], part[1], n, bnd));
    if (e != PSB_OK) {
        X(mat_free)(part[0]);
        X(mat_free)(part[1]);
    }
    psb_free(bnd);
    return e == PSB_OK ? convert(v->fused, mold) : e;
}

static void free_vectors(struct hpcg_problem *q)
{
    struct X(vect) **const vect[] = { &q->b, &q->x, &q->r, &q->z, &q->p, &q->ap };
    for (size_t i = 0; i < sizeof vect / sizeof *vect; i++) {
        X(gefree)(*vect[i]);
        *vect[i] = NULL;
    }
    for (int l = 0; l < LEVELS; l++) {
        struct hpcg_level *v = &q->level[l];
        X(gefree)(v->x);
        X(gefree)(v->r);
        X(gefree)(v->w);
        v->x = v->r = v->w = NULL;
    }
}

/* The matrix of a level in the order of its colours. */
static psb_err order_level(struct hpcg_level *v)
{
    struct X(spmat) *a;
    PSB_TRY(X(colour_order_bld)(v->a, &v->order));
    PSB_TRY(X(sp_ordered)(v->a, &v->order, &a));
    X(spfree)(v->a);
    v->a = a;
    v->natural = v->desc;
    v->desc = v->order.desc;
    return PSB_OK;
}

/* The levels and vectors of q in the order of colours. */
static psb_err order_problem(struct hpcg_problem *q)
{
    const struct X(mat) *mold = plain_rows(X(mat_by_name)(q->task->format));
    struct hpcg_level *v = q->level;
    for (int l = 0; l < LEVELS; l++)
        PSB_TRY(order_level(&v[l]));
    for (int l = 0; l < LEVELS - 1; l++) {
        X(spfree)(v[l].inject);
        v[l].inject = NULL;
        PSB_TRY(inject(q->task, l, mold, &v[l]));
    }
    free_vectors(q);
    return make_vectors(q);
}

psb_err hpcg_optimise(struct hpcg_problem *q)
{
    const struct hpcg_task *t = q->task;
    const struct X(mat) *mold = X(mat_by_name)(t->format);
    if (t->coloured)
        PSB_TRY(order_problem(q));
    for (int l = 0; l < LEVELS; l++) {
        struct hpcg_level *v = &q->level[l];
        if (v->inject)
            PSB_TRY(make_fused(v, mold));
        PSB_TRY(make_smoother(
            t, t->coloured ? "gs(direction=symmetric, halo=once)" : "gs(direction=symmetric, order=rows)",
            mold, v));
        PSB_TRY(convert(v->a, mold));
    }
    return set_right_hand_side(q);
}

/* --- the enlarged diagonal of TestCG --- */

/* Multiply b, and set value[i] to what is added to the diagonal of local row i. */
static psb_err enlarge_here(struct hpcg_problem *q, bool undo, T *value)
{
    const psb_desc *d = q->level[0].desc;
    T *b;
    PSB_TRY(X(host_update)(q->b, &b));
    for (psb_ipk i = 0; i < psb_cd_local_rows(d); i++) {
        const psb_lpk g = psb_loc_to_glob(d, i) - psb_index_base();
        const double f = 1e6 * (g < 9 ? (double)(g + 2) : 1);
        value[i] = DIAGONAL * (undo ? 1 - f : f - 1);
        b[i] = undo ? b[i] / f : b[i] * f;
    }
    return PSB_OK;
}

/* a = a + the values at the places of level l, as make_listed has them. */
static psb_err add_listed(const struct hpcg_problem *q, const psb_ipk *point, const T *value, psb_err err,
                          struct X(spmat) *a)
{
    const struct X(mat) *mold = plain_rows(X(mat_by_name)(q->task->format));
    struct X(spmat) *more = NULL;
    psb_err e = assemble_listed(point, X(sp_row_desc)(a), X(sp_col_desc)(a), value, mold, err, &more);
    PSB_THEN(e, X(spaxpby)(1, more, 1, a));
    X(spfree)(more);
    return e;
}

psb_err hpcg_enlarge(struct hpcg_problem *q, bool undo)
{
    struct hpcg_level *v = &q->level[0];
    T *value = NULL;
    psb_err e = psb_alloc(&value, (size_t)psb_cd_local_rows(v->desc), sizeof *value, "diagonal");
    PSB_THEN(e, enlarge_here(q, undo, value));
    e = add_listed(q, NULL, value, e, v->a);
    if (e == PSB_OK && v->fused)
        e = add_listed(q, v->point, value, e, v->fused);
    psb_free(value);
    return e == PSB_OK ? X(precupd)(v->smooth, v->a) : e;
}

/* --- memory --- */

psb_err hpcg_bytes(const struct hpcg_problem *q, int l, double *bytes)
{
    const struct hpcg_level *v = &q->level[l];
    const struct X(vect) *const vect[] = { v->x,
                                           v->r,
                                           v->w,
                                           l ? NULL : q->b,
                                           l ? NULL : q->x,
                                           l ? NULL : q->r,
                                           l ? NULL : q->z,
                                           l ? NULL : q->p,
                                           l ? NULL : q->ap };
    *bytes = (double)X(sp_bytes)(v->fused) + (double)X(prec_bytes)(v->smooth);
    *bytes += (double)psb_colour_order_bytes(&v->order);
    if (!q->borrows)
        *bytes += (double)X(sp_bytes)(v->a) + (double)X(sp_bytes)(v->inject) +
                  (double)psb_cd_bytes(v->natural ? v->natural : v->desc);
    for (size_t i = 0; i < sizeof vect / sizeof *vect; i++)
        *bytes += (double)X(vect_sizeof)(vect[i]);
    return psb_sum(q->task->ctxt, 1, bytes, -1);
}

void hpcg_free(struct hpcg_problem *q)
{
    free_vectors(q);
    for (int l = 0; l < LEVELS; l++) {
        struct hpcg_level *v = &q->level[l];
        X(precfree)(v->smooth);
        X(spfree)(v->fused);
        if (!q->borrows) {
            X(spfree)(v->a);
            X(spfree)(v->inject);
        }
        if (!q->is_reference)
            psb_free(v->point);
    }
    for (int l = 0; l < LEVELS && !q->is_reference; l++) {
        struct hpcg_level *v = &q->level[l];
        if (v->desc != v->order.desc)
            psb_cdfree(v->desc);
        psb_colour_order_free(&v->order);
        psb_cdfree(v->natural);
    }
    *q = (struct hpcg_problem){ .task = q->task };
}
