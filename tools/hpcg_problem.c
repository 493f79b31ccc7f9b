/* hpcg_problem.c -- tools: the problem of the HPCG benchmark: its levels as generated, and optimised. */
#include "config.h"
#include "hpcg.h"
#include "coll.h"
#include "load.h"
#include "psb_alloc.h"
#include <stdio.h>

/* --- the levels as generated --- */

/* *points = the numbers of the points of the box of this process, as the index base counts. */
static psb_err list_box(const struct hpcg_task *t, int l, psb_lpk **points, psb_ipk *n)
{
    psb_lpk lo[3], end[3], *list;
    *n = 1;
    for (int d = 0; d < 3; d++) {
        lo[d] = (psb_lpk)t->place[d] * (t->box[d] >> l);
        end[d] = lo[d] + (t->box[d] >> l);
        *n *= t->box[d] >> l;
    }
    PSB_TRY(psb_alloc(&list, (size_t)*n, sizeof *list, "points of a box"));
    *points = list;
    const psb_lpk nx = (psb_lpk)t->grid[0] * (t->box[0] >> l), ny = (psb_lpk)t->grid[1] * (t->box[1] >> l);
    for (psb_lpk z = lo[2]; z < end[2]; z++)
        for (psb_lpk y = lo[1]; y < end[1]; y++)
            for (psb_lpk x = lo[0]; x < end[0]; x++)
                *list++ = (z * ny + y) * nx + x + psb_index_base();
    return PSB_OK;
}

static psb_err generate_level(const struct hpcg_task *t, int l, struct hpcg_level *v)
{
    struct psb_gen gen;
    const struct X(entries) from = { .gen = &gen };
    char spec[96];
    psb_lpk n[3], *points = NULL;
    psb_ipk m = 0;
    for (int d = 0; d < 3; d++)
        n[d] = (psb_lpk)t->grid[d] * (t->box[d] >> l);
    snprintf(spec, sizeof spec, "lap27:%" PRId64 ",%" PRId64 ",%" PRId64, n[0], n[1], n[2]);
    psb_err e = psb_gen_parse(spec, &gen);
    PSB_THEN(e, list_box(t, l, &points, &m));
    e = psb_agree(t->ctxt, e);
    PSB_THEN(e, psb_cdall_vl(&v->desc, t->ctxt, m, points));
    psb_free(points);
    PSB_THEN(e, X(load_assemble)(v->desc, v->desc, &from, &X(csr_mold).mat, &v->a));
    PSB_TRY(e);
    v->rows = n[0] * n[1] * n[2];
    return X(load_count)(v->a, &v->entries);
}

/* Insert ones at the points with even coordinates of level l; row i of `coarse` is the i-th of them. */
static psb_err insert_points(const struct hpcg_task *t, int l, psb_desc *coarse, struct X(spmat) *to)
{
    const psb_ipk nx = t->box[0] >> (l + 1), ny = t->box[1] >> (l + 1);
    for (psb_ipk i = 0; i < psb_cd_local_rows(coarse); i++) {
        const psb_ipk z = i / nx / ny, y = i / nx % ny, x = i % nx, j = ((4 * z * ny + 2 * y) * nx + x) * 2;
        PSB_TRY(X(spins_local)(1, &i, &j, &(T){ 1 }, to));
    }
    return PSB_OK;
}

static psb_err make_injection(const struct hpcg_task *t, int l, struct hpcg_level *v, psb_desc *coarse)
{
    psb_err e = X(spall2)(&v->inject, coarse, v->desc, psb_cd_local_rows(coarse));
    PSB_THEN(e, insert_points(t, l, coarse, v->inject));
    PSB_TRY(psb_agree(t->ctxt, e));
    return X(spasb)(v->inject, &X(csr_mold).mat, PSB_DUPL_ADD);
}

/* --- what both problems have --- */

static psb_err make_vectors(struct hpcg_problem *q)
{
    struct hpcg_level *v = q->level;
    PSB_TRY(X(vects_like)(v->a, &q->b, &q->x));
    PSB_TRY(X(vects_like)(v->a, &q->z, &q->r));
    PSB_TRY(X(vects_like)(v->a, &q->p, &q->ap));
    for (int l = 1; l < LEVELS; l++)
        PSB_TRY(X(vects_like)(v[l].a, &v[l].x, &v[l].r));
    PSB_TRY(psb_agree(q->task->ctxt, X(set_scal)(1, q->x)));
    return X(spmv)(1, v->a, q->x, 0, q->b, 'N');
}

static psb_err make_smoother(const struct hpcg_task *t, const char *text, struct hpcg_level *v)
{
    PSB_TRY(psb_agree(t->ctxt, X(precinit)(&v->smooth, text)));
    return X(precbld)(v->smooth, v->a, NULL, NULL);
}

psb_err hpcg_generate(const struct hpcg_task *t, struct hpcg_problem *q)
{
    struct X(vect) *unused;
    *q = (struct hpcg_problem){ .task = t };
    for (int l = 0; l < LEVELS; l++) {
        struct hpcg_level *v = &q->level[l];
        PSB_TRY(generate_level(t, l, v));
        if (l > 0)
            PSB_TRY(make_injection(t, l - 1, v - 1, v->desc));
        PSB_TRY(make_smoother(t, "gs(direction=symmetric, order=rows)", v));
        PSB_TRY(X(vects_like)(v->a, &unused, &v->w));
        X(gefree)(unused);
    }
    return make_vectors(q);
}

/* --- the optimised problem --- */

/* Insert the rows of a at the points of the coarser grid. */
static psb_err insert_rows_at_points(const struct hpcg_level *v, psb_desc *coarse, struct X(spmat) *to)
{
    for (psb_ipk i = 0; i < psb_cd_local_rows(coarse); i++) {
        psb_ipk j;
        psb_epk n;
        psb_lpk row[27], column[27];
        T value[27];
        PSB_TRY(X(sp_csget)(v->inject, i, 1, row, column, value, &n));
        j = psb_glob_to_loc(v->desc, column[0]);
        PSB_TRY(X(sp_csget)(v->a, j, 27, row, column, value, &n));
        for (psb_epk k = 0; k < n; k++)
            row[k] = psb_loc_to_glob(coarse, i);
        PSB_TRY(X(spins)(n, row, column, value, to));
    }
    return PSB_OK;
}

/* Compressed rows where mold stores a matrix. */
static const struct X(mat) *plain_rows(const struct X(mat) *mold)
{
    const struct X(mat) *its = X(mat_dev)(mold)->transposed;
    return its && X(mat_dev)(its)->device() ? its : &X(csr_mold).mat;
}

/* Convert a to the format of mold or, if that refuses, to compressed rows. */
static psb_err convert(struct X(spmat) *a, const struct X(mat) *mold)
{
    psb_expect_errors(1);
    const psb_err e = X(spcnv)(a, mold);
    psb_expect_errors(0);
    return e == PSB_OK ? e : X(spcnv)(a, plain_rows(mold));
}

static psb_err make_fused(const struct hpcg_level *from, const struct X(mat) *mold, psb_desc *coarse,
                          struct hpcg_level *v)
{
    psb_err e = X(spall2)(&v->fused, coarse, v->desc, psb_cd_local_rows(coarse) * (psb_epk)27);
    PSB_THEN(e, insert_rows_at_points(from, coarse, v->fused));
    PSB_TRY(psb_agree(psb_cd_ctxt(coarse), e));
    PSB_TRY(X(spasb)(v->fused, &X(csr_mold).mat, PSB_DUPL_ADD));
    return convert(v->fused, mold);
}

static psb_err convert_level(const struct hpcg_level *from, const struct X(mat) *mold, struct hpcg_level *v)
{
    PSB_TRY(X(sp_clone)(from->a, &v->a));
    PSB_TRY(convert(v->a, mold));
    if (!from->inject)
        return PSB_OK;
    PSB_TRY(X(sp_clone)(from->inject, &v->inject));
    return X(spcnv)(v->inject, plain_rows(mold));
}

psb_err hpcg_optimise(const struct hpcg_problem *from, struct hpcg_problem *q)
{
    const struct hpcg_task *t = from->task;
    const struct X(mat) *mold = X(mat_by_name)(t->format);
    *q =
        (struct hpcg_problem){ .task = t, .optimised = true, .borrows = X(mat_is_csr)(mold) && !t->coloured };
    for (int l = 0; l < LEVELS; l++) {
        const struct hpcg_level *k = &from->level[l];
        struct hpcg_level *v = &q->level[l];
        *v = (struct hpcg_level){ .desc = k->desc, .rows = k->rows, .entries = k->entries };
        if (q->borrows) {
            v->a = k->a;
            v->inject = k->inject;
        } else {
            PSB_TRY(convert_level(k, mold, v));
        }
        if (k->inject)
            PSB_TRY(make_fused(k, mold, k[1].desc, v));
        PSB_TRY(make_smoother(
            t, t->coloured ? "gs(direction=symmetric, halo=once)" : "gs(direction=symmetric, order=rows)",
            v));
    }
    return make_vectors(q);
}

/* --- the enlarged diagonal of TestCG --- */

/* The factor of local row i. */
static double enlargement(const psb_desc *d, psb_ipk i, bool undo)
{
    const psb_lpk g = psb_loc_to_glob(d, i) - psb_index_base();
    const double f = 1e6 * (g < 9 ? (double)(g + 2) : 1);
    return undo ? 1 : f;
}

static psb_err enlarge_here(struct hpcg_problem *q, bool undo)
{
    struct hpcg_level *v = &q->level[0];
    const psb_ipk n = psb_cd_local_rows(v->desc);
    psb_ipk *row = NULL, coarse = 0;
    T *b, *value = NULL;
    psb_err e = psb_alloc(&row, (size_t)n, sizeof *row, "rows");
    PSB_THEN(e, psb_alloc(&value, (size_t)n, sizeof *value, "diagonal"));
    PSB_THEN(e, X(host_update)(q->b, &b));
    for (psb_ipk i = 0; i < n && e == PSB_OK; i++) {
        const double f = enlargement(v->desc, i, false);
        row[i] = i;
        value[i] = 26 * enlargement(v->desc, i, undo);
        b[i] = undo ? b[i] / f : b[i] * f;
    }
    PSB_THEN(e, X(sp_csput)(n, row, row, value, v->a, PSB_DUPL_OVERWRITE));
    for (; v->fused && e == PSB_OK && coarse < psb_cd_local_rows(v[1].desc); coarse++) {
        psb_lpk at[2];
        psb_epk one;
        T unit;
        PSB_THEN(e, X(sp_csget)(v->inject, coarse, 1, &at[0], &at[1], &unit, &one));
        PSB_THEN(e, X(sp_csput)(1, &coarse, &(psb_ipk){ psb_glob_to_loc(v->desc, at[1]) },
                                &value[psb_glob_to_loc(v->desc, at[1])], v->fused, PSB_DUPL_OVERWRITE));
    }
    psb_free(row);
    psb_free(value);
    return e;
}

psb_err hpcg_enlarge(struct hpcg_problem *q, bool undo)
{
    PSB_TRY(psb_agree(q->task->ctxt, enlarge_here(q, undo)));
    return X(precupd)(q->level[0].smooth, q->level[0].a);
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
    if (!q->borrows)
        *bytes += (double)X(sp_bytes)(v->a) + (double)X(sp_bytes)(v->inject) + (double)psb_cd_bytes(v->desc);
    for (size_t i = 0; i < sizeof vect / sizeof *vect; i++)
        *bytes += (double)X(vect_sizeof)(vect[i]);
    return psb_sum(q->task->ctxt, 1, bytes, -1);
}

void hpcg_free(struct hpcg_problem *q)
{
    struct X(vect) *const vect[] = { q->b, q->x, q->r, q->z, q->p, q->ap };
    for (int l = 0; l < LEVELS; l++) {
        struct hpcg_level *v = &q->level[l];
        X(precfree)(v->smooth);
        X(spfree)(v->fused);
        X(gefree)(v->x);
        X(gefree)(v->r);
        X(gefree)(v->w);
        if (!q->borrows) {
            X(spfree)(v->a);
            X(spfree)(v->inject);
        }
        if (!q->optimised)
            psb_cdfree(v->desc);
    }
    for (int i = 0; i < 6; i++)
        X(gefree)(vect[i]);
}
