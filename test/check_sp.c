/* check_sp.c -- room: test.  What distributed matrices can do beside products of a vector, for one scalar, on
 * as many processes as there are: beside a dense matrix in long double, for all ways of dealing out rows and
 * all formats. */
#include "suites.h"
#include "config.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "psb_cuda.h"
#include "psb_ext.h"
#include "other.h"
#include "plain.h"
#include "world.h"

typedef long double _Complex LC;
typedef long double LR;

enum { M = 41, N = 37 };
static const LR tiny = sizeof(R) == sizeof(float) ? FLT_MIN * FLT_EPSILON : DBL_MIN * DBL_EPSILON;

/* --- dense matrices ------------------------------------------------------------------------------------- */

/* An element: its value, the sum of the sizes it is made of, how many there are of those; 0: not stored. */
struct cell {
    LC v;
    LR size;
    int n;
};
struct dense {
    struct cell at[MOST][MOST];
};

static void add_cell(struct cell *c, LC v)
{
    c->v += v;
    c->size += cabsl(v);
    c->n++;
}

static struct dense *dense_of(const struct X(coo_mat) *s)
{
    struct dense *d = calloc(1, sizeof *d);
    ck_assert_ptr_nonnull(d);
    for (psb_epk k = 0; k < s->mat.nnz; k++)
        add_cell(&d->at[s->ia[k]][s->ja[k]], (LC)s->val[k]);
    return d;
}

/* As is said in sample.h: n terms, each rounded `times` times, and n sums. */
static struct want wanted(const struct cell *c, int times)
{
    return (struct want){ c->v, (c->n + times) * (c->size * (CPLX ? 3 : 1) * EPS + 4 * tiny) };
}

static int within(T got, const struct cell *c, int times)
{
    struct want w = wanted(c, times);
    return is_right(got, &w);
}

/* Rows and columns of a in global numbers: what the parts hold, read without the calls to be tested. */
struct found {
    T v[MOST][MOST];
    unsigned char has[MOST][MOST];
};

static void take_part(const struct X(spmat) *a, struct X(mat) *part, const psb_ipk *row, psb_ipk first,
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

static struct found *found_in(struct X(spmat) *a)
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
    take_part(a, a->ad, NULL, 0, f);
    take_part(a, a->ah, bnd, psb_cd_local_rows(a->col), f);
    return f;
}

/* Are the rows here those of d?  `times`: how often a term was rounded. */
static void check_matrix(struct X(spmat) *a, const struct dense *d, int times, const char *what)
{
    struct found *f = found_in(a);
    for (psb_ipk l = 0; l < psb_cd_local_rows(a->row); l++) {
        psb_lpk i = psb_loc_to_glob(a->row, l);
        for (int j = 0; j < MOST; j++) {
            const struct cell *c = &d->at[i][j];
            together_note(f->has[i][j] == (c->n > 0) && within(f->v[i][j], c, times), __FILE__, __LINE__,
                          "%s: %s: entry %d %d is %g %g (stored: %d), expected %Lg %Lg (%d)", what,
                          X(sp_fmt)(a), (int)i, j, (double)RE(f->v[i][j]), (double)IM(f->v[i][j]),
                          f->has[i][j], creall(c->v), cimagl(c->v), c->n);
        }
    }
    free(f);
}

/* Do products work that a matrix of these entries gives? */
static void check_works(struct X(spmat) *a, const struct dense *d, int times)
{
    T x[MOST], y[MOST];
    random_vector(MOST, x, 3);
    random_vector(MOST, y, 4);
    for (int t = 0; t < 2; t++) {
        struct want want[MOST];
        struct X(vect) *vx = spread(t ? a->row : a->col, x, &psb_vect_cuda),
                       *vy = spread(t ? a->col : a->row, y, &psb_vect_cuda);
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
        psb_gefree(vx);
        psb_gefree(vy);
    }
}

/* --- worlds --------------------------------------------------------------------------------------------- */

/* The world assembled in that format; 0 where the format refuses it. */
static int assembled(struct world *w, const struct X(mat) *mold)
{
    psb_err e = psb_spasb(w->a, mold, PSB_DUPL_ADD);
    if (e == PSB_EPADDING)
        return 0;
    GOOD(e);
    return e == PSB_OK;
}

static const enum sample_kind kinds[] = { SPREAD, DENSE_ROW, DENSE_COL, NOTHING, TWICE };
enum { KINDS = sizeof kinds / sizeof *kinds };

static const T zeros[MOST];

/* --- sums and norms ------------------------------------------------------------------------------------- */

static struct cell line_sum(const struct dense *d, int i, int by_cols, int absolute)
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

static LR largest(const struct dense *d, int by_cols, LR *slack)
{
    LR most = 0;
    *slack = 0;
    for (int i = 0; i < MOST; i++) {
        struct cell c = line_sum(d, i, by_cols, 1);
        struct want w = wanted(&c, 4);
        most = fmaxl(most, creall(c.v));
        *slack = fmaxl(*slack, w.slack);
    }
    return most;
}

static void check_sums(struct X(spmat) *a, const struct dense *d, int by_cols)
{
    struct want want[2][MOST];
    psb_desc *on = by_cols ? a->col : a->row;
    struct X(vect) *v = spread(on, zeros, by_cols ? &psb_vect_cuda : &other_vect);
    for (int absolute = 0; absolute < 2; absolute++) {
        for (int i = 0; i < MOST; i++) {
            struct cell c = line_sum(d, i, by_cols, absolute);
            want[absolute][i] = wanted(&c, 4);
        }
        GOOD(by_cols    ? absolute ? psb_sp_aclsum(a, v) : psb_sp_colsum(a, v)
                : absolute ? psb_sp_arwsum(a, v)
                        : psb_sp_rowsum(a, v));
        check_vector(v, want[absolute], by_cols ? "sums of columns" : "sums of rows");
    }
    psb_gefree(v);
}

static void check_norms(struct X(spmat) *a, const struct dense *d)
{
    LR slack, most;
    R got = -1;
    psb_epk nz = -1, stored = 0;
    most = largest(d, 0, &slack);
    GOOD(psb_spnrmi(a, &got));
    EXPECT(fabsl(got - most) <= slack);
    most = largest(d, 1, &slack);
    GOOD(psb_spnrm1(a, &got));
    EXPECT(fabsl(got - most) <= slack);
    most = slack = 0;
    for (int i = 0; i < MOST; i++)
        for (int j = 0; j < MOST; j++) {
            struct want w = wanted(&d->at[i][j], 2);
            most = fmaxl(most, cabsl(d->at[i][j].v));
            slack = fmaxl(slack, w.slack);
            stored += d->at[i][j].n > 0;
        }
    GOOD(psb_sp_maxval(a, &got));
    EXPECT(fabsl(got - most) <= slack);
    GOOD(psb_nnz(a, &nz));
    EXPECT(nz == stored);
}

START_TEST(sums_and_norms)
    {
        for (int k = 0; k < KINDS; k++)
            for (int f = 0; X(mat_format)(f); f++) {
                struct world w = world(kinds[k], M, N, (enum deal)_i, (enum deal)((_i + k) % DEALS));
                struct dense *d = dense_of(w.s);
                if (assembled(&w, X(mat_format)(f))) {
                    check_sums(w.a, d, 0);
                    check_sums(w.a, d, 1);
                    check_norms(w.a, d);
                }
                free(d);
                world_free(&w);
            }
        EXPECT(other_blocks == 0);
    }
END_TEST

START_TEST(diagonals)
    {
        for (int f = 0; X(mat_format)(f); f++) {
            struct want want[MOST];
            struct world w = world(f % 2 ? FULL : SPREAD, M, M, (enum deal)_i, (enum deal)_i);
            struct dense *d = dense_of(w.s);
            if (assembled(&w, X(mat_format)(f))) {
                w.y = spread(w.row, zeros, &psb_vect_cuda);
                for (int i = 0; i < MOST; i++)
                    want[i] = (struct want){ d->at[i][i].v, 0 };
                GOOD(psb_sp_get_diag(w.a, w.y));
                check_vector(w.y, want, "the diagonal");
            }
            free(d);
            world_free(&w);
        }
    }
END_TEST

/* NaN and infinity in one entry, on whatever process it is. */
START_TEST(norms_of_what_is_no_number)
    {
        for (int k = 0; k < 2; k++) {
            R got;
            struct world w = world(SPREAD, M, N, (enum deal)_i, (enum deal)((_i + 1) % DEALS));
            psb_lpk i = 7, j = 5;
            T v = k ? MAKE(INFINITY, 0) : MAKE(NAN, 0);
            GOOD(psb_cd_reinit(w.col));
            GOOD(psb_spins(1, &i, &j, &v, w.a));
            GOOD(psb_cdasb(w.col));
            GOOD(psb_spasb(w.a, &X(csr_mold).mat, PSB_DUPL_OVERWRITE));
            GOOD(psb_spnrmi(w.a, &got));
            EXPECT(k ? isinf(got) : isnan(got));
            GOOD(psb_spnrm1(w.a, &got));
            EXPECT(k ? isinf(got) : isnan(got));
            GOOD(psb_sp_maxval(w.a, &got));
            EXPECT(k ? isinf(got) : isnan(got));
            world_free(&w);
        }
    }
END_TEST

/* --- values changed ------------------------------------------------------------------------------------- */

static void scale_dense(struct dense *d, LC s, const T *left, const T *right)
{
    for (int i = 0; i < MOST; i++)
        for (int j = 0; j < MOST; j++) {
            LC f = s * (left ? (LC)left[i] : 1) * (right ? (LC)right[j] : 1);
            d->at[i][j].v *= f;
            d->at[i][j].size *= cabsl(f);
        }
}

START_TEST(scaled)
    {
        T left[MOST], right[MOST];
        const T s = MAKE(-1.25, 0.5);
        random_vector(MOST, left, 8);
        random_vector(MOST, right, 9);
        for (int f = 0; X(mat_format)(f); f++) {
            struct world w = world(SPREAD, M, N, (enum deal)_i, (enum deal)((_i + f) % DEALS));
            struct dense *d = dense_of(w.s);
            if (assembled(&w, X(mat_format)(f))) {
                w.x = spread(w.col, right, &psb_vect_cuda);
                w.y = spread(w.row, left, &psb_vect_cuda);
                check_works(w.a, d, 0); /* a device has a copy of the values as they were */
                GOOD(psb_spscal(s, w.a));
                scale_dense(d, s, NULL, NULL);
                check_matrix(w.a, d, 4, "spscal");
                GOOD(psb_spscalv(w.y, w.a, 'L'));
                scale_dense(d, 1, left, NULL);
                check_matrix(w.a, d, 8, "spscalv L");
                GOOD(psb_spscalv(w.x, w.a, 'R'));
                scale_dense(d, 1, NULL, right);
                check_matrix(w.a, d, 12, "spscalv R");
                check_works(w.a, d, 12);
            }
            free(d);
            world_free(&w);
        }
    }
END_TEST

START_TEST(stored_zeros_are_forgotten)
    {
        for (int f = 0; X(mat_format)(f); f++) {
            struct world w = world(SPREAD, M, N, (enum deal)_i, (enum deal)((_i + 2) % DEALS));
            struct dense *d = dense_of(w.s);
            for (psb_epk k = 0; k < w.s->mat.nnz; k++) /* an entry less itself is 0 */
                if ((w.s->ia[k] + w.s->ja[k]) % 3 == 0) {
                    psb_lpk i = w.s->ia[k], j = w.s->ja[k];
                    T minus = -w.s->val[k];
                    GOOD(psb_spins(1, &i, &j, &minus, w.a));
                    d->at[i][j] = (struct cell){ 0 };
                }
            if (assembled(&w, X(mat_format)(f))) {
                GOOD(psb_sp_clean_zeros(w.a));
                check_matrix(w.a, d, 2, "clean_zeros");
                check_works(w.a, d, 0);
            }
            free(d);
            world_free(&w);
        }
    }
END_TEST

/* --- products of several columns ------------------------------------------------------------------------ */

START_TEST(products_of_several_columns)
    {
        enum { K = 3 };
        T x[K][MOST], y[K][MOST];
        for (int j = 0; j < K; j++) {
            random_vector(MOST, x[j], (uint64_t)j + 1);
            random_vector(MOST, y[j], (uint64_t)j + 5);
        }
        for (int f = 0; X(mat_format)(f); f++) {
            struct world w = world(TWICE, M, N, (enum deal)_i, (enum deal)((_i + f) % DEALS));
            struct want want[MOST];
            const T alpha = MAKE(0.75, -0.5), beta = f % 2 ? MAKE(-0.5, 1) : 0;
            for (int t = 0; assembled(&w, X(mat_format)(f)) && t < 3; t++) {
                psb_desc *from = t ? w.row : w.col, *to = t ? w.col : w.row;
                struct X(vect) *vx = NULL, *vy = NULL;
                GOOD(psb_geall_n(&vx, from, K));
                GOOD(psb_geall_n(&vy, to, K));
                GOOD(psb_geasb(vx, t % 2 ? &psb_vect_host : &psb_vect_cuda));
                GOOD(psb_geasb(vy, &psb_vect_cuda));
                T room[MOST * K];
                for (psb_ipk l = 0; l < psb_cd_local_rows(from); l++)
                    for (int j = 0; j < K; j++)
                        room[l * K + j] = x[j][psb_loc_to_glob(from, l)];
                GOOD(psb_set_vect(vx, psb_cd_local_rows(from), room));
                for (psb_ipk l = 0; l < psb_cd_local_rows(to); l++)
                    for (int j = 0; j < K; j++)
                        room[l * K + j] = beta == 0 ? MAKE(NAN, NAN) : y[j][psb_loc_to_glob(to, l)];
                GOOD(psb_set_vect(vy, psb_cd_local_rows(to), room));
                GOOD(psb_spmm(alpha, w.a, vx, beta, vy, "NTC"[t]));
                GOOD(psb_get_vect(vy, psb_cd_local_rows(to), room));
                for (int j = 0; j < K; j++) {
                    sample_product(w.s, "NTC"[t], alpha, x[j], beta, y[j], want);
                    for (psb_ipk l = 0; l < psb_cd_local_rows(to); l++)
                        EXPECT(is_right(room[l * K + j], &want[psb_loc_to_glob(to, l)]));
                }
                psb_gefree(vx);
                psb_gefree(vy);
                world_free(&w);
                w = world(TWICE, M, N, (enum deal)_i, (enum deal)((_i + f) % DEALS));
            }
            world_free(&w);
        }
    }
END_TEST

/* --- two matrices --------------------------------------------------------------------------------------- */

enum { P = 29 };

/* Every process inserts all entries. */
static struct X(spmat) *matrix_on(psb_desc *row, psb_desc *col, const struct X(coo_mat) *s)
{
    struct X(spmat) *a = NULL;
    GOOD(psb_spall2(&a, row, col, 0));
    GOOD(insert_all(a, s));
    return a;
}

/* B, N x P, its rows dealt out as the columns of w, on a descriptor of its own or that of w. */
struct second {
    struct X(coo_mat) *s;
    psb_desc *row, *col;
    struct X(spmat) *b;
};

static struct second second(const struct world *w, enum sample_kind kind, enum deal deal, int own)
{
    struct second q = { .s = sample(kind, N, P), .row = w->col };
    GOOD(deal_out(&q.col, deal, P));
    if (own)
        GOOD(psb_cdall_like(&q.row, w->col));
    q.b = matrix_on(q.row, q.col, q.s);
    if (own)
        GOOD(psb_cdasb(q.row));
    GOOD(psb_cdasb(q.col));
    return q;
}

static void second_free(struct second *q, const struct world *w)
{
    if (q->row != w->col)
        psb_cdfree(q->row);
    psb_cdfree(q->col);
    psb_spfree(q->b);
    X(mat_free)(&q->s->mat);
}

static struct dense *dense_product(const struct dense *a, const struct dense *b)
{
    struct dense *c = calloc(1, sizeof *c);
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

/* Row h of blk is the row of b that stands at place h of the halo. */
static void check_halo_rows(psb_desc *d, struct X(spmat) *b, struct X(mat) *blk, const psb_lpk *more,
                            psb_ipk n, const struct dense *all)
{
    static psb_ipk ia[MOST * MOST], ja[MOST * MOST];
    static T val[MOST * MOST];
    static unsigned char has[MOST][MOST];
    psb_epk nz = 0;
    psb_ipk first = psb_cd_local_rows(d), known = psb_cd_local_cols(b->col);
    memset(has, 0, sizeof has);
    EXPECT(blk->nrows == psb_cd_local_cols(d) - first && blk->ncols == known + n);
    GOOD(X(mat_csget)(blk, NULL, MOST * MOST, ia, ja, val, &nz));
    for (psb_epk k = 0; k < nz; k++) {
        psb_lpk i = psb_loc_to_glob(d, first + ia[k]),
                j = ja[k] < known ? psb_loc_to_glob(b->col, ja[k]) : more[ja[k] - known];
        EXPECT(!has[i][j] && all->at[i][j].n && within(val[k], &all->at[i][j], 2));
        has[i][j] = 1;
    }
    for (psb_ipk h = first; h < psb_cd_local_cols(d); h++)
        for (int j = 0; j < MOST; j++)
            EXPECT(has[psb_loc_to_glob(d, h)][j] == (all->at[psb_loc_to_glob(d, h)][j].n > 0));
    for (psb_ipk i = 0; i < n; i++)
        EXPECT(psb_glob_to_loc(b->col, more[i]) == -1);
}

START_TEST(rows_of_the_halo)
    {
        for (int f = 0; X(mat_format)(f); f++)
            for (int own = 0; own < 2; own++) {
                const struct X(mat) *mold = X(mat_format)(f);
                struct world w = world(kinds[f % KINDS], M, N, EVEN, (enum deal)_i);
                struct second q = second(&w, SPREAD, (enum deal)((_i + f) % DEALS), own);
                struct dense *b = dense_of(q.s);
                struct X(mat) *blk = NULL;
                psb_lpk *more = NULL;
                psb_ipk n = -1;
                psb_err e = psb_spasb(q.b, mold, PSB_DUPL_ADD);
                if (e != PSB_EPADDING) {
                    GOOD(e);
                    GOOD(psb_sphalo(w.col, q.b, f % 2 ? &X(coo_mold).mat : NULL, &blk, &more, &n));
                    EXPECT(strcmp(X(mat_get_fmt)(blk), f % 2 ? "COO" : "CSR") == 0);
                    check_halo_rows(w.col, q.b, blk, more, n, b);
                }
                X(mat_free)(blk);
                psb_free(more);
                free(b);
                second_free(&q, &w);
                world_free(&w);
            }
    }
END_TEST

START_TEST(products_of_matrices)
    {
        for (int f = 0; X(mat_format)(f); f++) {
            const struct X(mat) *mold = X(mat_format)(f);
            struct world w = world(kinds[f % KINDS], M, N, (enum deal)((_i + f) % DEALS), (enum deal)_i);
            struct second q = second(&w, kinds[f / 2 % KINDS], (enum deal)((_i + 3 * f) % DEALS), f % 2);
            struct dense *a = dense_of(w.s), *b = dense_of(q.s), *ab = dense_product(a, b);
            struct X(spmat) *c = NULL;
            psb_err e = psb_spasb(q.b, mold, PSB_DUPL_ADD);
            if (e == PSB_OK && assembled(&w, mold)) {
                e = psb_spspmm(w.a, q.b, mold, &c);
                if (e == PSB_EPADDING)
                    GOOD(psb_spspmm(w.a, q.b, NULL, &c));
                else
                    GOOD(e);
                EXPECT(c->row == w.row && c->col != q.col);
                check_matrix(c, ab, 8, "a product");
                check_works(c, ab, 8);
                check_matrix(w.a, a, 0, "a factor");
                check_matrix(q.b, b, 0, "a factor");
            }
            psb_spfree(c);
            free(a);
            free(b);
            free(ab);
            second_free(&q, &w);
            world_free(&w);
        }
    }
END_TEST

/* A A A on one descriptor: the second product has the first one's columns. */
START_TEST(powers)
    {
        struct world w = world(SPREAD, M, M, (enum deal)_i, (enum deal)_i);
        struct dense *a = dense_of(w.s), *aa = dense_product(a, a), *aaa = dense_product(aa, a),
                     *a4 = dense_product(aa, aa);
        struct X(spmat) *c = NULL, *left = NULL, *right = NULL, *four = NULL;
        GOOD(psb_spasb(w.a, &X(csr_mold).mat, PSB_DUPL_ADD));
        GOOD(psb_spspmm(w.a, w.a, NULL, &c));
        check_matrix(c, aa, 8, "the square");
        GOOD(psb_spspmm(w.a, c, NULL, &right));
        check_matrix(right, aaa, 16, "a cube");
        GOOD(psb_spspmm(c, w.a, &X(csc_mold).mat, &left));
        check_matrix(left, aaa, 16, "a cube");
        GOOD(psb_spspmm(c, c, NULL, &four));
        psb_spfree(c);
        check_matrix(four, a4, 24, "the fourth power");
        check_works(four, a4, 24);
        psb_spfree(left);
        psb_spfree(right);
        psb_spfree(four);
        free(a);
        free(aa);
        free(aaa);
        free(a4);
        world_free(&w);
    }
END_TEST

/* ------------------------------------------------------------------------------------------------------ */

static Suite *matrices(void)
{
    Suite *s = suite_create("distributed matrices");
    TCase *c = together_tcase(s, "answers");
    tcase_add_loop_test(c, sums_and_norms, 0, DEALS);
    tcase_add_loop_test(c, diagonals, 0, DEALS);
    tcase_add_loop_test(c, norms_of_what_is_no_number, 0, DEALS);
    tcase_add_loop_test(c, scaled, 0, DEALS);
    tcase_add_loop_test(c, stored_zeros_are_forgotten, 0, DEALS);
    tcase_add_loop_test(c, products_of_several_columns, 0, DEALS);
    tcase_add_loop_test(c, rows_of_the_halo, 0, DEALS);
    tcase_add_loop_test(c, products_of_matrices, 0, DEALS);
    tcase_add_loop_test(c, powers, 0, DEALS);
    return s;
}

int check_sp(void)
{
    setenv("PSB_DEVICE", "fake", 1);
    ck_mpi_init();
    if (ck_init(&ctxt) != PSB_OK || X(mat_register)(&plain_mold.mat) != PSB_OK) {
        psb_print_errmsg();
        return EXIT_FAILURE;
    }
    psb_info(ctxt, &me, &np);
    int failed = together_count(ck_run(matrices()));
    psb_cuda_exit();
    psb_exit(ctxt);
    MPI_Finalize();
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
