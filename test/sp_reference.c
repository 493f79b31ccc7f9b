/* sp_reference.c -- test: reference matrices for the suites of distributed matrices. */
#include "sp_reference.h"
#include <stdlib.h>
#include "counting_device.h"

static const LR tiny = sizeof(R) == sizeof(float) ? FLT_MIN * FLT_EPSILON : DBL_MIN * DBL_EPSILON;

const enum sample_kind kinds[KINDS] = { SPREAD, DENSE_ROW, DENSE_COL, NOTHING, TWICE };
const T zeros[MOST];

void add_cell(struct cell *c, LC v)
{
    c->v += v;
    c->size += cabsl(v);
    c->n++;
}

struct reference *reference_of(const struct X(coo_mat) *s)
{
    struct reference *d = calloc(1, sizeof *d);
    ck_assert_ptr_nonnull(d);
    for (psb_epk k = 0; k < s->mat.nnz; k++)
        add_cell(&d->at[s->ia[k]][s->ja[k]], (LC)s->val[k]);
    return d;
}

struct want wanted(const struct cell *c, int times)
{
    return (struct want){ c->v, (c->n + times) * (c->size * (CPLX ? 3 : 1) * EPS + 4 * tiny) };
}

int within(T got, const struct cell *c, int times)
{
    struct want w = wanted(c, times);
    return is_right(got, &w);
}

/* The entries of both parts of a in global indices, read without the calls under test. */
struct found {
    T v[MOST][MOST];
    unsigned char has[MOST][MOST];
};

static void collect_part(const struct X(spmat) *a, struct X(mat) *part, const psb_ipk *row, psb_ipk first,
                         struct found *f)
{
    psb_epk n = 0;
    static psb_ipk ia[MOST * MOST], ja[MOST * MOST];
    static T val[MOST * MOST];
    GOOD(X(mat_csget)(part, NULL, MOST * MOST, ia, ja, val, &n));
    for (psb_epk k = 0; k < n; k++) {
        psb_lpk i = psb_loc_to_glob(a->row, row ? row[ia[k]] : ia[k]),
                j = psb_loc_to_glob(a->col, ja[k] + first);
        EXPECT(i >= 0 && i < MOST && j >= 0 && j < MOST);
        if (i < 0 || j < 0)
            continue;
        EXPECT(!f->has[i][j]);
        f->has[i][j] = 1;
        f->v[i][j] = val[k];
    }
}

static struct found *collect(struct X(spmat) *a)
{
    const psb_ipk *bnd = NULL;
    struct found *f = calloc(1, sizeof *f);
    ck_assert_ptr_nonnull(f);
    EXPECT(a && a->state == PSB_ASSEMBLED && a->ad && a->ah);
    GOOD(psb_dual_read(&a->bnd, PSB_HOST, &bnd));
    for (psb_ipk i = 1; i < a->ah->nrows; i++)
        EXPECT(bnd[i - 1] < bnd[i]);
    EXPECT(a->ad->nrows == psb_cd_local_rows(a->row) && a->ad->ncols == psb_cd_local_rows(a->col));
    EXPECT(a->ah->ncols == psb_cd_local_cols(a->col) - psb_cd_local_rows(a->col));
    collect_part(a, a->ad, NULL, 0, f);
    collect_part(a, a->ah, bnd, psb_cd_local_rows(a->col), f);
    return f;
}

void check_matrix(struct X(spmat) *a, const struct reference *d, int times, const char *what)
{
    HEAP struct found *f = collect(a);
    for (psb_ipk l = 0; l < psb_cd_local_rows(a->row); l++) {
        psb_lpk i = psb_loc_to_glob(a->row, l);
        for (int j = 0; j < MOST; j++) {
            const struct cell *c = &d->at[i][j];
            collective_note(f->has[i][j] == (c->n > 0) && within(f->v[i][j], c, times), __FILE__, __LINE__,
                            "%s: %s: entry %d %d is %g %g (stored: %d), expected %Lg %Lg (%d)", what,
                            X(sp_fmt)(a), (int)i, j, (double)RE(f->v[i][j]), (double)IM(f->v[i][j]),
                            f->has[i][j], creall(c->v), cimagl(c->v), c->n);
        }
    }
}

void check_products(struct X(spmat) *a, const struct reference *d, int times)
{
    T x[MOST], y[MOST];
    random_vector(MOST, x, 3);
    random_vector(MOST, y, 4);
    for (int t = 0; t < 2; t++) {
        struct want want[MOST];
        VECT *vx = make_vector(t ? a->row : a->col, x, &psb_vect_cuda),
             *vy = make_vector(t ? a->col : a->row, y, &psb_vect_cuda);
        for (int i = 0; i < MOST; i++) {
            struct cell c = { 0 };
            for (int j = 0; j < MOST; j++) {
                const struct cell *e = t ? &d->at[j][i] : &d->at[i][j];
                c.v += e->v * x[j];
                c.size += (e->n + times + 4) * e->size * cabsl((LC)x[j]);
                c.n += e->n > 0;
            }
            want[i] = wanted(&c, times + 4);
        }
        GOOD(psb_spmv(1, a, vx, 0, vy, t ? 'T' : 'N'));
        check_vector(vy, want, "a product");
    }
}

struct distributed sample_on(enum sample_kind kind, psb_ipk n, int row, int col)
{
    return distribute(kind, M, n, (enum distribution)(row % DISTRIBUTIONS),
                      (enum distribution)(col % DISTRIBUTIONS));
}

int accepted(psb_err e)
{
    if (e != PSB_EPADDING)
        GOOD(e);
    return e == PSB_OK;
}

int assembled(struct distributed *w, const struct X(mat) *mold)
{
    return accepted(psb_spasb(w->a, mold, PSB_DUPL_ADD));
}

struct cell reference_line_sum(const struct reference *d, int i, int by_cols, int absolute)
{
    struct cell c = { 0 };
    for (int j = 0; j < MOST; j++) {
        const struct cell *e = by_cols ? &d->at[j][i] : &d->at[i][j];
        c.v += absolute ? cabsl(e->v) : e->v;
        c.size += e->size;
        c.n += e->n;
    }
    return c;
}

LR reference_norm(const struct reference *d, int by_cols, LR *slack)
{
    LR most = 0;
    *slack = 0;
    for (int i = 0; i < MOST; i++) {
        struct cell c = reference_line_sum(d, i, by_cols, 1);
        struct want w = wanted(&c, 4);
        most = fmaxl(most, creall(c.v));
        *slack = fmaxl(*slack, w.slack);
    }
    return most;
}

void check_sums(struct X(spmat) *a, const struct reference *d, int by_cols)
{
    struct want want[2][MOST];
    psb_desc *on = by_cols ? a->col : a->row;
    VECT *v = make_vector(on, zeros, by_cols ? &psb_vect_cuda : &counting_device_vect);
    for (int absolute = 0; absolute < 2; absolute++) {
        for (int i = 0; i < MOST; i++) {
            struct cell c = reference_line_sum(d, i, by_cols, absolute);
            want[absolute][i] = wanted(&c, 4);
        }
        GOOD(by_cols    ? absolute ? psb_sp_aclsum(a, v) : psb_sp_colsum(a, v)
                : absolute ? psb_sp_arwsum(a, v)
                        : psb_sp_rowsum(a, v));
        check_vector(v, want[absolute], by_cols ? "sums of columns" : "sums of rows");
    }
}

void reference_scale(struct reference *d, LC s, const T *left, const T *right)
{
    for (int i = 0; i < MOST; i++)
        for (int j = 0; j < MOST; j++) {
            LC f = s * (left ? (LC)left[i] : 1) * (right ? (LC)right[j] : 1);
            d->at[i][j].v *= f;
            d->at[i][j].size *= cabsl(f);
        }
}

struct X(spmat) *matrix_on(psb_desc *row, psb_desc *col, const struct X(coo_mat) *s)
{
    struct X(spmat) *a = NULL;
    GOOD(psb_spall2(&a, row, col, 0));
    GOOD(insert_all(a, s));
    return a;
}

struct reference *reference_product(const struct reference *a, const struct reference *b)
{
    struct reference *c = calloc(1, sizeof *c);
    ck_assert_ptr_nonnull(c);
    for (int i = 0; i < MOST; i++)
        for (int k = 0; k < MOST; k++)
            for (int j = 0; j < MOST && a->at[i][k].n; j++)
                if (b->at[k][j].n) {
                    struct cell *to = &c->at[i][j];
                    to->v += a->at[i][k].v * b->at[k][j].v;
                    to->size += a->at[i][k].size * b->at[k][j].size;
                    to->n += a->at[i][k].n + b->at[k][j].n;
                }
    return c;
}

void reference_keep_band(struct reference *d, int low, int high)
{
    for (int i = 0; i < MOST; i++)
        for (int j = 0; j < MOST; j++)
            if (j - i < low || j - i > high)
                d->at[i][j] = (struct cell){ 0 };
}

struct reference *reference_transposed(const struct reference *d, int conjugate)
{
    struct reference *t = calloc(1, sizeof *t);
    ck_assert_ptr_nonnull(t);
    for (int i = 0; i < MOST; i++)
        for (int j = 0; j < MOST; j++) {
            t->at[j][i] = d->at[i][j];
            if (conjugate)
                t->at[j][i].v = conjl(d->at[i][j].v);
        }
    return t;
}

void check_whole(struct X(mat) *m, const struct reference *d, int rows, int cols)
{
    static psb_ipk ia[MOST * MOST], ja[MOST * MOST];
    static T val[MOST * MOST];
    psb_epk n = 0, stored = 0;
    EXPECT(m && m->nrows == rows && m->ncols == cols);
    if (!m)
        return;
    GOOD(X(mat_csget)(m, NULL, MOST * MOST, ia, ja, val, &n));
    for (int i = 0; i < MOST * MOST; i++)
        stored += (&d->at[0][0])[i].n > 0;
    EXPECT(n == stored);
    for (psb_epk k = 0; k < n; k++)
        EXPECT(within(val[k], &d->at[ia[k]][ja[k]], 2) && d->at[ia[k]][ja[k]].n);
}
