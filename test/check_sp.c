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
#include "counting_device.h"
#include "minimal_format.h"
#include "distributed.h"

typedef long double _Complex LC;
typedef long double LR;

enum { M = 41, N = 37 };
static const LR tiny = sizeof(R) == sizeof(float) ? FLT_MIN * FLT_EPSILON : DBL_MIN * DBL_EPSILON;

/* --- dense matrices --- */

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
            collective_note(f->has[i][j] == (c->n > 0) && within(f->v[i][j], c, times), __FILE__, __LINE__,
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

/* --- worlds --- */

/* The world assembled in that format; 0 where the format refuses it. */
static int assembled(struct distributed *w, const struct X(mat) *mold)
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

/* --- sums and norms --- */

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
    struct X(vect) *v = spread(on, zeros, by_cols ? &psb_vect_cuda : &counting_device_vect);
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
                struct distributed w = distribute(kinds[k], M, N, (enum deal)_i,
                                                  (enum deal)((_i + k) % DEALS));
                struct dense *d = dense_of(w.s);
                if (assembled(&w, X(mat_format)(f))) {
                    check_sums(w.a, d, 0);
                    check_sums(w.a, d, 1);
                    check_norms(w.a, d);
                }
                free(d);
                distributed_free(&w);
            }
        EXPECT(counting_device_blocks == 0);
    }
END_TEST

START_TEST(diagonals)
    {
        for (int f = 0; X(mat_format)(f); f++) {
            struct want want[MOST];
            struct distributed w = distribute(f % 2 ? FULL : SPREAD, M, M, (enum deal)_i, (enum deal)_i);
            struct dense *d = dense_of(w.s);
            if (assembled(&w, X(mat_format)(f))) {
                w.y = spread(w.row, zeros, &psb_vect_cuda);
                for (int i = 0; i < MOST; i++)
                    want[i] = (struct want){ d->at[i][i].v, 0 };
                GOOD(psb_sp_get_diag(w.a, w.y));
                check_vector(w.y, want, "the diagonal");
            }
            free(d);
            distributed_free(&w);
        }
    }
END_TEST

/* NaN and infinity in one entry, on whatever process it is. */
START_TEST(norms_of_what_is_no_number)
    {
        for (int k = 0; k < 2; k++) {
            R got;
            struct distributed w = distribute(SPREAD, M, N, (enum deal)_i, (enum deal)((_i + 1) % DEALS));
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
            distributed_free(&w);
        }
    }
END_TEST

/* --- values changed --- */

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
            struct distributed w = distribute(SPREAD, M, N, (enum deal)_i, (enum deal)((_i + f) % DEALS));
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
            distributed_free(&w);
        }
    }
END_TEST

START_TEST(stored_zeros_are_forgotten)
    {
        for (int f = 0; X(mat_format)(f); f++) {
            struct distributed w = distribute(SPREAD, M, N, (enum deal)_i, (enum deal)((_i + 2) % DEALS));
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
            distributed_free(&w);
        }
    }
END_TEST

/* --- products of several columns --- */

START_TEST(products_of_several_columns)
    {
        enum { K = 3 };
        T x[K][MOST], y[K][MOST];
        for (int j = 0; j < K; j++) {
            random_vector(MOST, x[j], (uint64_t)j + 1);
            random_vector(MOST, y[j], (uint64_t)j + 5);
        }
        for (int f = 0; X(mat_format)(f); f++) {
            struct distributed w = distribute(TWICE, M, N, (enum deal)_i, (enum deal)((_i + f) % DEALS));
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
                distributed_free(&w);
                w = distribute(TWICE, M, N, (enum deal)_i, (enum deal)((_i + f) % DEALS));
            }
            distributed_free(&w);
        }
    }
END_TEST

/* --- two matrices --- */

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

static struct second second(const struct distributed *w, enum sample_kind kind, enum deal deal, int own)
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

static void second_free(struct second *q, const struct distributed *w)
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
                struct distributed w = distribute(kinds[f % KINDS], M, N, EVEN, (enum deal)_i);
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
                distributed_free(&w);
            }
    }
END_TEST

START_TEST(products_of_matrices)
    {
        for (int f = 0; X(mat_format)(f); f++) {
            const struct X(mat) *mold = X(mat_format)(f);
            struct distributed w = distribute(kinds[f % KINDS], M, N, (enum deal)((_i + f) % DEALS),
                                              (enum deal)_i);
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
            distributed_free(&w);
        }
    }
END_TEST

/* A A A on one descriptor: the second product has the first one's columns. */
START_TEST(powers)
    {
        struct distributed w = distribute(SPREAD, M, M, (enum deal)_i, (enum deal)_i);
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
        distributed_free(&w);
    }
END_TEST

START_TEST(sums_of_matrices)
    {
        const T alpha = MAKE(0.5, -1), beta = MAKE(-2, 0.25);
        for (int f = 0; X(mat_format)(f); f++)
            for (int zero = 0; zero < 3; zero++) {
                struct distributed w = { .s = sample(SPREAD, M, N) };
                struct X(coo_mat) *s = sample(zero == 1 ? DENSE_COL : TRIDIAG, M, N);
                const T al = zero == 1 ? 0 : alpha, be = zero == 2 ? 0 : beta;
                struct dense *da = dense_of(w.s), *db = dense_of(s);
                GOOD(deal_out(&w.row, (enum deal)_i, M));
                GOOD(deal_out(&w.col, (enum deal)((_i + f) % DEALS), N));
                w.a = matrix_on(w.row, w.col, w.s);
                struct X(spmat) *b = matrix_on(w.row, w.col, s);
                GOOD(psb_cdasb(w.row));
                GOOD(psb_cdasb(w.col));
                GOOD(psb_spasb(w.a, &X(csr_mold).mat, PSB_DUPL_ADD));
                psb_err e = psb_spasb(b, X(mat_format)(f), PSB_DUPL_ADD);
                if (e == PSB_OK)
                    e = psb_spaxpby(al, w.a, be, b);
                if (e != PSB_EPADDING) {
                    GOOD(e);
                    scale_dense(da, al, NULL, NULL);
                    scale_dense(db, be, NULL, NULL);
                    for (int i = 0; i < MOST * MOST; i++) {
                        struct cell *c = &db->at[0][0] + i, *o = &da->at[0][0] + i;
                        c->v += o->v, c->size += o->size, c->n += o->n;
                    }
                    EXPECT(strcmp(X(sp_fmt)(b), X(mat_format)(f)->ops->fmt) == 0);
                    check_matrix(b, db, 8, "spaxpby");
                    check_works(b, db, 8);
                }
                free(da);
                free(db);
                psb_spfree(b);
                X(mat_free)(&s->mat);
                distributed_free(&w);
            }
    }
END_TEST

START_TEST(matrices_compared)
    {
        int equal = -1;
        for (int f = 0; X(mat_format)(f); f++) {
            struct distributed w = distribute(SPREAD, M, N, (enum deal)_i, (enum deal)((_i + f) % DEALS));
            struct X(spmat) *b = NULL, *l = NULL;
            if (!assembled(&w, X(mat_format)(f))) {
                distributed_free(&w);
                continue;
            }
            GOOD(psb_sp_clone(w.a, &b));
            GOOD(psb_sp_cmp(w.a, b, 0, &equal));
            EXPECT(equal == 1);
            GOOD(psb_spscal(MAKE(1.5, 0), b));
            GOOD(psb_sp_cmp(w.a, b, (R)0.8, &equal)); /* entries are at most sqrt(2) */
            EXPECT(equal == 1);
            GOOD(psb_sp_cmp(w.a, b, (R)0.01, &equal));
            EXPECT(equal == 0);
            GOOD(psb_sp_tril(w.a, 0, &l, NULL));
            GOOD(psb_sp_cmp(l, w.a, (R)0.01, &equal));
            EXPECT(equal == 0);
            GOOD(psb_sp_cmp(l, w.a, 2, &equal));
            EXPECT(equal == 1);
            psb_spfree(b);
            psb_spfree(l);
            distributed_free(&w);
        }
        /* halos that differ, sizes that differ */
        struct distributed w = distribute(SPREAD, M, M, (enum deal)_i, (enum deal)_i),
                           v = distribute(SPREAD, M, N, (enum deal)_i, EVEN);
        struct X(spmat) *t = NULL, *tt = NULL;
        GOOD(psb_spasb(w.a, &X(csr_mold).mat, PSB_DUPL_ADD));
        GOOD(psb_spasb(v.a, &X(csr_mold).mat, PSB_DUPL_ADD));
        GOOD(psb_sp_transp(w.a, &t));
        GOOD(psb_sp_transp(t, &tt));
        GOOD(psb_sp_cmp(w.a, tt, 0, &equal));
        EXPECT(equal == 1);
        GOOD(psb_sp_cmp(w.a, t, (R)0.01, &equal));
        EXPECT(equal == 0);
        GOOD(psb_sp_cmp(w.a, t, 4, &equal));
        EXPECT(equal == 1);
        GOOD(psb_sp_cmp(w.a, v.a, 4, &equal));
        EXPECT(equal == 0);
        psb_spfree(t);
        psb_spfree(tt);
        distributed_free(&v);
        distributed_free(&w);
    }
END_TEST

/* --- parts --- */

static void keep_band(struct dense *d, int low, int high)
{
    for (int i = 0; i < MOST; i++)
        for (int j = 0; j < MOST; j++)
            if (j - i < low || j - i > high)
                d->at[i][j] = (struct cell){ 0 };
}

START_TEST(triangles)
    {
        for (int f = 0; X(mat_format)(f); f++) {
            const int k = f % 5 - 2;
            struct distributed w = distribute(kinds[f % KINDS], M, N, (enum deal)_i,
                                              (enum deal)((_i + f) % DEALS));
            for (int upper = 0; assembled(&w, X(mat_format)(f)) && upper < 2; upper++) {
                struct dense *d[2] = { dense_of(w.s), dense_of(w.s) };
                struct X(spmat) *t[2] = { NULL, NULL };
                psb_err e = upper ? psb_sp_triu(w.a, k, &t[0], &t[1]) : psb_sp_tril(w.a, k, &t[0], &t[1]);
                keep_band(d[0], upper ? k : -MOST, upper ? MOST : k);
                keep_band(d[1], upper ? -MOST : k + 1, upper ? k - 1 : MOST);
                if (e != PSB_EPADDING) {
                    GOOD(e);
                    for (int i = 0; i < 2; i++) {
                        EXPECT(t[i]->row == w.row && t[i]->col == w.col);
                        check_matrix(t[i], d[i], 2, "a triangle");
                    }
                    check_works(t[0], d[0], 2);
                }
                psb_spfree(t[0]);
                psb_spfree(t[1]);
                free(d[0]);
                free(d[1]);
                distributed_free(&w);
                w = distribute(kinds[f % KINDS], M, N, (enum deal)_i, (enum deal)((_i + f) % DEALS));
            }
            distributed_free(&w);
        }
    }
END_TEST

static struct dense *dense_transposed(const struct dense *d, int conjugate)
{
    struct dense *t = calloc(1, sizeof *t);
    ck_assert_ptr_nonnull(t);
    for (int i = 0; i < MOST; i++)
        for (int j = 0; j < MOST; j++) {
            t->at[j][i] = d->at[i][j];
            if (conjugate)
                t->at[j][i].v = conjl(d->at[i][j].v);
        }
    return t;
}

START_TEST(transposes)
    {
        for (int f = 0; X(mat_format)(f); f++) {
            int square = f % 3 == 0;
            struct distributed w = distribute(kinds[f % KINDS], M, square ? M : N, (enum deal)_i,
                                              (enum deal)((_i + (square ? 0 : f)) % DEALS));
            struct dense *d = dense_of(w.s), *t = dense_transposed(d, f % 2);
            struct X(spmat) *b = NULL;
            if (assembled(&w, X(mat_format)(f))) {
                psb_err e = f % 2 ? psb_sp_transc(w.a, &b) : psb_sp_transp(w.a, &b);
                if (e != PSB_EPADDING) {
                    GOOD(e);
                    EXPECT(b->row == w.col);
                    check_matrix(b, t, 2, "a transpose");
                    check_works(b, t, 2);
                }
            }
            psb_spfree(b);
            free(d);
            free(t);
            distributed_free(&w);
        }
        /* a symmetric pattern keeps its descriptor */
        struct distributed w = distribute(TRIDIAG, M, M, (enum deal)_i, (enum deal)_i);
        struct X(spmat) *b = NULL;
        GOOD(psb_spasb(w.a, &X(csr_mold).mat, PSB_DUPL_ADD));
        GOOD(psb_sp_transp(w.a, &b));
        EXPECT(b->row == w.row && b->col == w.row);
        psb_spfree(b);
        distributed_free(&w);
    }
END_TEST

START_TEST(clones)
    {
        for (int f = 0; X(mat_format)(f); f++) {
            struct distributed w = distribute(SPREAD, M, N, (enum deal)_i, (enum deal)((_i + f) % DEALS));
            struct dense *d = dense_of(w.s), *a = dense_of(w.s);
            struct X(spmat) *b = NULL;
            if (assembled(&w, X(mat_format)(f))) {
                GOOD(psb_sp_set_symmetric(w.a, 1));
                GOOD(psb_sp_clone(w.a, &b));
                EXPECT(psb_sp_is_symmetric(b) && !psb_sp_is_triangle(b));
                GOOD(psb_spscal(2, b));
                scale_dense(d, 2, NULL, NULL);
                check_matrix(b, d, 2, "a clone");
                check_matrix(w.a, a, 0, "the cloned");
                distributed_free(&w);
                w = (struct distributed){ 0 };
                check_works(b, d, 2);
                GOOD(psb_sp_cscnv(b, &X(csc_mold).mat));
                check_matrix(b, d, 2, "a clone");
            } else {
                distributed_free(&w);
            }
            psb_spfree(b);
            free(d);
            free(a);
        }
    }
END_TEST

START_TEST(rows_in_global_numbers)
    {
        for (int f = 0; X(mat_format)(f); f++) {
            struct distributed w = distribute(DENSE_ROW, M, N, (enum deal)_i, (enum deal)((_i + f) % DEALS));
            struct dense *d = dense_of(w.s);
            int base = f % 2;
            int there = assembled(&w, X(mat_format)(f));
            GOOD(psb_set_index_base(base));
            for (psb_ipk l = 0; there && l < psb_cd_local_rows(w.row); l++) {
                psb_lpk ia[MOST], ja[MOST], g = psb_loc_to_glob(w.row, l) - base;
                T val[MOST];
                psb_epk n = -1, m = -1;
                int stored = 0;
                for (int j = 0; j < MOST; j++)
                    stored += d->at[g][j].n > 0;
                GOOD(psb_sp_csget(w.a, l, 0, NULL, NULL, NULL, &m));
                GOOD(psb_sp_csget(w.a, l, MOST, ia, ja, val, &n));
                EXPECT(n == stored && m == n);
                for (psb_epk k = 0; k < n; k++)
                    EXPECT(ia[k] == g + base && d->at[g][ja[k] - base].n &&
                           within(val[k], &d->at[g][ja[k] - base], 2));
                if (n > 0) {
                    char text[64];
                    snprintf(text, sizeof text, "the %d entries of row %d", (int)n, (int)l);
                    BAD(psb_sp_csget(w.a, l, n - 1, ia, NULL, NULL, &m), PSB_EARG, text);
                }
            }
            GOOD(psb_set_index_base(0));
            free(d);
            distributed_free(&w);
        }
    }
END_TEST

/* --- collected --- */

static void check_whole(struct X(mat) *m, const struct dense *d, int rows, int cols)
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

START_TEST(collected)
    {
        for (int f = 0; X(mat_format)(f); f++) {
            struct distributed w = distribute(kinds[f % KINDS], M, N, (enum deal)_i,
                                              (enum deal)((_i + f) % DEALS));
            struct dense *d = dense_of(w.s);
            int root = f % (np + 1) - 1;
            struct X(mat) *m = (struct X(mat) *)&w;
            if (assembled(&w, X(mat_format)(f))) {
                psb_err e = psb_spgather(w.a, X(mat_format)(f), &m, root);
                if (e == PSB_EPADDING)
                    GOOD(psb_spgather(w.a, NULL, &m, root));
                else
                    GOOD(e);
                if (root < 0 || root == me)
                    check_whole(m, d, M, N);
                else
                    EXPECT(m == NULL);
                X(mat_free)(m);
                GOOD(psb_spgather(w.a, NULL, me == 0 ? &m : NULL, 0));
                if (me == 0) {
                    EXPECT(strcmp(m->ops->fmt, "COO") == 0);
                    check_whole(m, d, M, N);
                    X(mat_free)(m);
                }
            }
            free(d);
            distributed_free(&w);
        }
    }
END_TEST

/* What stands in the file, entry by entry. */
static void check_file(FILE *f, const struct dense *d, int m, int n)
{
    char line[200];
    int rows = 0, cols = 0, nz = 0, found = 0, stored = 0;
    rewind(f);
    EXPECT(fgets(line, sizeof line, f) && strstr(line, "%%MatrixMarket matrix coordinate ") == line);
    EXPECT(strstr(line, CPLX ? "complex general" : "real general") != NULL);
    EXPECT(fgets(line, sizeof line, f) && strcmp(line, "% a header\n") == 0);
    EXPECT(fgets(line, sizeof line, f) && sscanf(line, "%d %d %d", &rows, &cols, &nz) == 3);
    EXPECT(rows == m && cols == n);
    while (fgets(line, sizeof line, f)) {
        int i = 0, j = 0;
        double re = 0, im = 0;
        EXPECT(sscanf(line, "%d %d %lf %lf", &i, &j, &re, &im) == (CPLX ? 4 : 3));
        EXPECT(i >= 1 && i <= m && j >= 1 && j <= n);
        if (i < 1 || i > m || j < 1 || j > n)
            return;
        EXPECT(d->at[i - 1][j - 1].n && within(MAKE(re, im), &d->at[i - 1][j - 1], 2));
        found++;
    }
    for (int i = 0; i < MOST * MOST; i++)
        stored += (&d->at[0][0])[i].n > 0;
    EXPECT(found == stored && nz == stored);
}

START_TEST(printed)
    {
        for (int k = 0; k < KINDS; k++) {
            struct distributed w = distribute(kinds[k], M, N, (enum deal)_i, (enum deal)((_i + k) % DEALS));
            struct dense *d = dense_of(w.s);
            FILE *f = me == 0 ? tmpfile() : NULL;
            GOOD(psb_spasb(w.a, &X(csr_mold).mat, PSB_DUPL_ADD));
            GOOD(psb_sp_print(w.a, f, "a header"));
            if (f)
                check_file(f, d, M, N);
            if (f)
                fclose(f);
            free(d);
            distributed_free(&w);
        }
    }
END_TEST

/* More entries on each process than go in one message; a stream that takes nothing. */
START_TEST(much_is_printed)
    {
        enum { ROWS = 3000 };
        psb_desc *d = NULL;
        struct X(spmat) *a = NULL;
        FILE *f = me == 0 ? tmpfile() : NULL;
        GOOD(psb_cdall_nl(&d, ctxt, ROWS));
        GOOD(psb_spall(&a, d, 2 * ROWS));
        for (psb_lpk i = me * ROWS; i < (me + 1) * ROWS; i++) {
            psb_lpk ia[] = { i, i }, ja[] = { i, (i + ROWS) % (ROWS * np) };
            T val[] = { (R)i, (R)-i };
            GOOD(psb_spins(2, ia, ja, val, a));
        }
        GOOD(psb_cdasb(d));
        GOOD(psb_spasb(a, &X(csr_mold).mat, PSB_DUPL_ADD));
        GOOD(psb_sp_print(a, f, NULL));
        if (f) {
            char line[200];
            long lines = 0, right = 0, nz = 0;
            rewind(f);
            EXPECT(fgets(line, sizeof line, f) && fgets(line, sizeof line, f));
            EXPECT(sscanf(line, "%*d %*d %ld", &nz) == 1);
            for (long i, j; fgets(line, sizeof line, f); lines++) {
                double v;
                right += sscanf(line, "%ld %ld %lf", &i, &j, &v) == 3 &&
                         (np == 1 ? v == 0 : v == (i == j ? (double)(i - 1) : (double)(1 - i)));
            }
            EXPECT(lines == nz && right == lines && nz == (np == 1 ? 1 : 2) * (long)np * ROWS);
            fclose(f);
        }
        f = me == 0 ? fopen("/dev/full", "w") : NULL;
        if (collective_count(f != NULL)) {
            BAD(psb_sp_print(a, f, NULL), PSB_EIO, "cannot write a matrix");
            GOOD(psb_barrier(ctxt));
        }
        if (f)
            fclose(f);
        psb_spfree(a);
        psb_cdfree(d);
    }
END_TEST

/* --- triangular solve --- */

/* A triangle in local numbers over what is owned here, its rows and columns of absolute sum less than 1
 * beside the diagonal 2 (unit: 1): the inverse has a norm of at most 1 (unit: 1 / (1 - 1/2)), the matrix one
 * of at most 3. */
struct solving {
    psb_desc *d;
    struct X(spmat) *t;
    LC l[MOST][MOST]; /* local numbers */
    psb_ipk n;
};

static struct solving solving(enum deal deal, int upper, int unit, const struct X(mat) *mold, int *there)
{
    struct solving s = { 0 };
    struct rng r = { 23 };
    GOOD(deal_out(&s.d, deal, M));
    GOOD(psb_cdasb(s.d));
    GOOD(psb_spall(&s.t, s.d, 0));
    s.n = psb_cd_local_rows(s.d);
    for (psb_ipk i = 0; i < s.n; i++)
        for (psb_ipk j = 0; j < s.n; j++) {
            psb_lpk gi = psb_loc_to_glob(s.d, i), gj = psb_loc_to_glob(s.d, j);
            T v = i == j ? 2 : random_scalar(&r) / (R)(3 * M);
            if (i == j && unit)
                s.l[i][i] = 1;
            if ((upper ? j < i : j > i) || (i == j && unit) || (i != j && rng_below(&r, 3) == 0))
                continue;
            GOOD(psb_spins(1, &gi, &gj, &v, s.t));
            s.l[i][j] = v;
        }
    psb_err e = psb_spasb(s.t, mold, PSB_DUPL_ADD);
    *there = e == PSB_OK;
    if (e == PSB_EPADDING)
        return s;
    GOOD(e);
    GOOD(psb_sp_set_triangle(s.t, 1));
    GOOD(upper ? psb_sp_set_upper(s.t, 1) : psb_sp_set_lower(s.t, 1));
    GOOD(psb_sp_set_unit(s.t, unit));
    EXPECT(psb_sp_is_triangle(s.t) && psb_sp_is_upper(s.t) == upper && psb_sp_is_lower(s.t) == !upper &&
           psb_sp_is_unit(s.t) == unit);
    return s;
}

static LC op_of(const struct solving *s, char trans, psb_ipk i, psb_ipk j)
{
    return trans == 'N' ? s->l[i][j] : trans == 'T' ? s->l[j][i] : conjl(s->l[j][i]);
}

/* z = op(T)^-1 z in long double. */
static void solve_dense(const struct solving *s, int upper, char trans, LC *z)
{
    int back = trans == 'N' ? upper : !upper;
    for (psb_ipk k = 0; k < s->n; k++) {
        psb_ipk i = back ? s->n - 1 - k : k;
        for (psb_ipk j = 0; j < s->n; j++)
            if (j != i)
                z[i] -= back == (j > i) ? op_of(s, trans, i, j) * z[j] : 0;
        z[i] /= op_of(s, trans, i, i);
    }
}

static void try_solve(struct solving *s, int upper, char trans, char scale, int k, int in_place, T beta)
{
    static T x[MOST * 3], y[MOST * 3], got[MOST * 3];
    T d[MOST];
    const T alpha = MAKE(0.75, -0.5);
    struct X(vect) *vx = NULL, *vy = NULL, *vd = NULL;
    psb_ipk n = s->n;
    random_vector(MOST * 3, x, 1);
    random_vector(MOST * 3, y, 2);
    random_vector(MOST, d, 3);
    if (beta == 0)
        fill_vector(MOST * 3, y, MAKE(NAN, NAN));
    GOOD(psb_geall_n(&vx, s->d, k));
    GOOD(psb_geall_n(&vy, s->d, k));
    GOOD(psb_geall(&vd, s->d));
    GOOD(psb_geasb(vx, &psb_vect_cuda));
    GOOD(psb_geasb(vy, &counting_device_vect));
    GOOD(psb_geasb(vd, &psb_vect_host));
    GOOD(psb_set_vect(vx, n, x));
    GOOD(psb_set_vect(vy, n, y));
    GOOD(psb_set_vect(vd, n, d));
    GOOD(psb_spsm(alpha, s->t, vx, beta, in_place ? vx : vy, trans, scale, scale == 'U' ? NULL : vd));
    GOOD(psb_get_vect(in_place ? vx : vy, n, got));
    for (int c = 0; c < k; c++) {
        LC z[MOST];
        LR most = 0;
        for (psb_ipk i = 0; i < n; i++) {
            z[i] = (scale == 'R' ? (LC)d[i] : 1) * x[i * k + c];
            most = fmaxl(most, cabsl(z[i]));
        }
        solve_dense(s, upper, trans, z);
        for (psb_ipk i = 0; i < n; i++) {
            const T *old = in_place ? x : y;
            LC w = alpha * (scale == 'L' ? (LC)d[i] : 1) * z[i] + (beta == 0 ? 0 : (LC)beta * old[i * k + c]);
            LR size = 2 * most + 2 * cabsl((LC)beta);
            struct want want = { w, 6 * (n + 8) * size * (CPLX ? 3 : 1) * EPS };
            EXPECT(is_right(got[i * k + c], &want));
        }
    }
    psb_gefree(vx);
    psb_gefree(vy);
    psb_gefree(vd);
}

START_TEST(triangular_solve)
    {
        int there, turn = 0;
        for (int f = 0; X(mat_format)(f); f++)
            for (int kind = 0; kind < 4; kind++) {
                int upper = kind & 1, unit = kind >> 1;
                struct solving s = solving((enum deal)_i, upper, unit, X(mat_format)(f), &there);
                for (int t = 0; there && t < 9; t++, turn++)
                    try_solve(&s, upper, "NTC"[t % 3], "ULR"[t / 3], turn % 4 == 0 ? 3 : 1, turn % 5 == 0,
                              turn % 2 ? MAKE(0.5, 0.25) : 0);
                psb_spfree(s.t);
                psb_cdfree(s.d);
            }
        EXPECT(counting_device_blocks == 0);
    }
END_TEST

/* What a unit triangle does not store is there in whatever is computed. */
START_TEST(unit_triangles)
    {
        int there;
        for (int upper = 0; upper < 2; upper++) {
            struct want want[MOST];
            struct solving s = solving((enum deal)_i, upper, 1, &X(csr_mold).mat, &there);
            struct dense *d = calloc(1, sizeof *d);
            struct X(spmat) *c = NULL, *t = NULL, *two = NULL;
            psb_epk stored = s.t->ad->nnz, nz = 0;
            ck_assert_ptr_nonnull(d);
            for (psb_ipk i = 0; i < s.n; i++)
                for (psb_ipk j = 0; j < s.n; j++)
                    if (s.l[i][j] != 0)
                        add_cell(&d->at[psb_loc_to_glob(s.d, i)][psb_loc_to_glob(s.d, j)], s.l[i][j]);
            struct dense *dd = dense_product(d, d), *dt = dense_transposed(d, 0);
            struct X(vect) *v = spread(s.d, zeros, &psb_vect_host);
            check_matrix(s.t, d, 0, "a unit triangle");
            GOOD(psb_nnz(s.t, &nz));
            GOOD(psb_sum(ctxt, 1, &stored, -1));
            EXPECT(nz == stored);
            for (int i = 0; i < MOST; i++) {
                struct cell sum = line_sum(d, i, 0, 0);
                want[i] = wanted(&sum, 4);
            }
            GOOD(psb_sp_rowsum(s.t, v));
            check_vector(v, want, "sums of rows");
            GOOD(psb_spspmm(s.t, s.t, NULL, &c));
            check_matrix(c, dd, 8, "a square");
            GOOD(psb_sp_transp(s.t, &t));
            EXPECT(psb_sp_is_triangle(t) && psb_sp_is_unit(t) && psb_sp_is_upper(t) == !upper);
            check_matrix(t, dt, 0, "a transpose");
            GOOD(psb_sp_clone(s.t, &two));
            GOOD(psb_spaxpby(1, s.t, 1, two));
            scale_dense(d, 2, NULL, NULL);
            check_matrix(two, d, 4, "a sum");
            EXPECT(psb_sp_is_triangle(two) && !psb_sp_is_unit(two) && psb_sp_is_upper(two) == upper);
            GOOD(psb_spscal(2, s.t));
            check_matrix(s.t, d, 4, "a multiple");
            EXPECT(!psb_sp_is_unit(s.t));
            GOOD(psb_spaxpby(1, t, 1, two));
            EXPECT(!psb_sp_is_triangle(two));
            psb_gefree(v);
            psb_spfree(c);
            psb_spfree(t);
            psb_spfree(two);
            psb_spfree(s.t);
            psb_cdfree(s.d);
            free(d);
            free(dd);
            free(dt);
        }
    }
END_TEST

/* The same of rows that are fetched: what lies below the diagonal, and ones that are not stored. */
START_TEST(unit_triangles_multiplied)
    {
        struct distributed w = distribute(TRIDIAG, M, M, (enum deal)_i, (enum deal)_i);
        struct dense *a = dense_of(w.s), *d = dense_of(w.s);
        struct X(spmat) *l = NULL, *c = NULL;
        keep_band(d, -MOST, -1);
        for (int i = 0; i < M; i++)
            add_cell(&d->at[i][i], 1);
        struct dense *ad = dense_product(a, d), *dd = dense_product(d, d);
        GOOD(psb_spasb(w.a, &X(csr_mold).mat, PSB_DUPL_ADD));
        GOOD(psb_sp_tril(w.a, -1, &l, NULL));
        GOOD(psb_sp_set_triangle(l, 1));
        GOOD(psb_sp_set_unit(l, 1));
        check_matrix(l, d, 0, "a unit triangle");
        check_works(l, d, 0);
        GOOD(psb_spspmm(w.a, l, NULL, &c));
        check_matrix(c, ad, 8, "a product");
        psb_spfree(c);
        GOOD(psb_spspmm(l, l, NULL, &c));
        check_matrix(c, dd, 8, "a product");
        psb_spfree(c);
        psb_spfree(l);
        free(a);
        free(d);
        free(ad);
        free(dd);
        distributed_free(&w);
    }
END_TEST

/* The same matrix on columns of which every process uses all. */
START_TEST(compared_on_another_halo)
    {
        int equal = -1;
        psb_desc *wide = NULL;
        struct distributed w = distribute(SPREAD, M, N, (enum deal)_i, (enum deal)((_i + 1) % DEALS));
        const psb_lpk i = 7, j = 5;
        GOOD(psb_spasb(w.a, &X(csr_mold).mat, PSB_DUPL_ADD));
        GOOD(psb_cdall_like(&wide, w.col));
        for (psb_lpk g = N - 1; g >= 0; g--)
            GOOD(psb_cdins(wide, 1, NULL, &g));
        GOOD(psb_cdasb(wide));
        for (int more = 0; more < 2; more++) {
            const T one = 1;
            struct X(spmat) *b = matrix_on(w.row, wide, w.s);
            if (more)
                GOOD(psb_spins(1, &i, &j, &one, b));
            GOOD(psb_spasb(b, &X(csr_mold).mat, PSB_DUPL_ADD));
            GOOD(psb_sp_cmp(w.a, b, 0, &equal));
            EXPECT(equal == !more);
            GOOD(psb_sp_cmp(b, w.a, 0, &equal));
            EXPECT(equal == !more);
            psb_spfree(b);
        }
        psb_cdfree(wide);
        distributed_free(&w);
    }
END_TEST

/* --- rows with several owners --- */

/* All own all; or each process its share, and a third of the next one's. */
static psb_desc *several_own(int all)
{
    psb_desc *d = NULL;
    psb_lpk row[MOST];
    psb_ipk n = 0;
    if (all) {
        GOOD(psb_cdall_repl(&d, ctxt, M));
        return d;
    }
    for (int i = 0; i < M; i++)
        if (i % np == me || (i % np == (me + 1) % np && i % 3 == 0))
            row[n++] = i;
    GOOD(psb_cdall_vl(&d, ctxt, n, row));
    return d;
}

START_TEST(rows_that_several_own)
    {
        int all = _i, equal = -1;
        psb_desc *d = several_own(all);
        struct X(coo_mat) *s = sample(SPREAD, M, M);
        struct X(spmat) *a = matrix_on(d, d, s), *c = NULL, *t = NULL;
        struct dense *da = dense_of(s), *dc = dense_product(da, da), *dt = dense_transposed(da, 0);
        struct X(mat) *m = NULL;
        psb_epk nz = -1;
        LR slack, most = largest(da, 0, &slack);
        R norm = -1;
        GOOD(psb_cdasb(d));
        GOOD(psb_spasb(a, &X(csr_mold).mat, PSB_DUPL_ADD));
        check_sums(a, da, 0);
        GOOD(psb_nnz(a, &nz));
        EXPECT(nz == s->mat.nnz);
        GOOD(psb_spnrmi(a, &norm));
        EXPECT(fabsl(norm - most) <= slack);
        GOOD(psb_spspmm(a, a, NULL, &c));
        check_matrix(c, dc, 8, "a product");
        GOOD(psb_sp_cmp(a, a, 0, &equal));
        EXPECT(equal == 1);
        GOOD(psb_spgather(a, NULL, &m, -1));
        check_whole(m, da, M, M);
        X(mat_free)(m);
        if (all || np == 1) {
            check_sums(a, da, 1);
            most = largest(da, 1, &slack);
            GOOD(psb_spnrm1(a, &norm));
            EXPECT(fabsl(norm - most) <= slack);
            GOOD(psb_sp_transp(a, &t));
            check_matrix(t, dt, 2, "a transpose");
        } else {
            struct X(vect) *v = spread(d, zeros, &psb_vect_host);
            BAD(psb_sp_colsum(a, v), PSB_ENOTIMPL, "owned by several processes");
            BAD(psb_sp_aclsum(a, v), PSB_ENOTIMPL, "owned by several processes");
            BAD(psb_spnrm1(a, &norm), PSB_ENOTIMPL, "owned by several processes");
            BAD(psb_sp_transp(a, &t), PSB_ENOTIMPL, "owned by several processes");
            psb_gefree(v);
        }
        if (all) { /* rows that all own beside columns that one owns each */
            psb_desc *one = NULL;
            struct X(spmat) *mixed = NULL;
            GOOD(deal_out(&one, IN_TURN, M));
            mixed = matrix_on(d, one, s);
            GOOD(psb_cdasb(one));
            GOOD(psb_spasb(mixed, &X(csr_mold).mat, PSB_DUPL_ADD));
            BAD(psb_spnrm1(mixed, &norm), PSB_ENOTIMPL, "the rows are replicated, the columns are not");
            GOOD(psb_nnz(mixed, &nz));
            EXPECT(nz == s->mat.nnz);
            psb_spfree(mixed);
            psb_cdfree(one);
        }
        psb_spfree(a);
        psb_spfree(c);
        psb_spfree(t);
        psb_cdfree(d);
        X(mat_free)(&s->mat);
        free(da);
        free(dc);
        free(dt);
    }
END_TEST

/* --- errors --- */

enum { SMALL = 13 };

/* What calls work on, and what they give. */
struct set {
    struct distributed w;
    struct X(spmat) *b; /* a's descriptors, another pattern */
    struct X(spmat) *c, *c2;
    struct X(mat) *m;
    psb_lpk *more;
    FILE *f;
    psb_epk nz;
    psb_ipk n;
    int equal;
    R r;
};

static struct set set(const struct X(mat) *mold)
{
    T x[MOST];
    struct set s = {
        .w = distribute(SPREAD, SMALL, SMALL, UNEVEN, UNEVEN), .nz = -1, .n = -1, .equal = -1, .r = -1
    };
    struct X(coo_mat) *t = sample(DIAGONAL, SMALL, SMALL);
    s.b = matrix_on(s.w.row, s.w.col, t);
    X(mat_free)(&t->mat);
    if (mold) {
        GOOD(psb_spasb(s.w.a, mold, PSB_DUPL_ADD));
        GOOD(psb_spasb(s.b, mold, PSB_DUPL_ADD));
    }
    random_vector(MOST, x, 7);
    s.w.x = spread(s.w.col, x, &psb_vect_cuda);
    s.w.y = spread(s.w.row, x, &psb_vect_cuda);
    if (me == 0)
        s.f = fopen("/dev/null", "w");
    return s;
}

static void forget_results(struct set *s)
{
    psb_spfree(s->c);
    psb_spfree(s->c2);
    X(mat_free)(s->m);
    psb_free(s->more);
    s->c = s->c2 = NULL;
    s->m = NULL;
    s->more = NULL;
    s->nz = s->n = s->equal = -1;
    s->r = -1;
}

static int has_results(const struct set *s)
{
    return s->c || s->c2 || s->m || s->more || s->nz != -1 || s->n != -1 || s->equal != -1 || s->r != -1;
}

static void set_free(struct set *s)
{
    forget_results(s);
    psb_spfree(s->b);
    distributed_free(&s->w);
    if (s->f)
        fclose(s->f);
}

/* The calls; `wrong`: with an argument that is. */
static psb_err call_nnz(struct set *s, int wrong)
{
    return psb_nnz(s->w.a, wrong ? NULL : &s->nz);
}

static psb_err call_spnrmi(struct set *s, int wrong)
{
    return psb_spnrmi(s->w.a, wrong ? NULL : &s->r);
}

static psb_err call_spnrm1(struct set *s, int wrong)
{
    return psb_spnrm1(s->w.a, wrong ? NULL : &s->r);
}

static psb_err call_maxval(struct set *s, int wrong)
{
    return psb_sp_maxval(s->w.a, wrong ? NULL : &s->r);
}

static psb_err call_colsum(struct set *s, int wrong)
{
    return psb_sp_colsum(s->w.a, wrong ? NULL : s->w.x);
}

static psb_err call_aclsum(struct set *s, int wrong)
{
    return psb_sp_aclsum(s->w.a, wrong ? NULL : s->w.x);
}

static psb_err call_scal(struct set *s, int wrong)
{
    return psb_spscal(2, wrong ? s->c : s->w.a);
}

static psb_err call_scal_left(struct set *s, int wrong)
{
    return psb_spscalv(s->w.y, s->w.a, wrong ? 'l' : 'L');
}

static psb_err call_scal_right(struct set *s, int wrong)
{
    return psb_spscalv(wrong ? NULL : s->w.x, s->w.a, 'R');
}

static psb_err call_clean_zeros(struct set *s, int wrong)
{
    return psb_sp_clean_zeros(wrong ? s->c : s->w.a);
}

static psb_err call_halo(struct set *s, int wrong)
{
    return psb_sphalo(s->w.col, s->w.a, &X(csc_mold).mat, wrong ? NULL : &s->m, &s->more, &s->n);
}

static psb_err call_product(struct set *s, int wrong)
{
    return psb_spspmm(s->w.a, s->b, s->w.a->ad, wrong ? NULL : &s->c);
}

static psb_err call_sum(struct set *s, int wrong)
{
    return psb_spaxpby(2, wrong ? NULL : s->b, 3, s->w.a);
}

static psb_err call_compare(struct set *s, int wrong)
{
    return psb_sp_cmp(s->w.a, s->b, wrong ? -1 : 1, &s->equal);
}

static psb_err call_tril(struct set *s, int wrong)
{
    return psb_sp_tril(s->w.a, 0, wrong ? NULL : &s->c, &s->c2);
}

static psb_err call_transp(struct set *s, int wrong)
{
    return psb_sp_transp(s->w.a, wrong ? NULL : &s->c);
}

static psb_err call_gather(struct set *s, int wrong)
{
    return psb_spgather(s->w.a, &X(csr_mold).mat, &s->m, wrong ? np : np - 1);
}

static psb_err call_gather_all(struct set *s, int wrong)
{
    return psb_spgather(s->w.a, NULL, wrong ? NULL : &s->m, -1);
}

static psb_err call_print(struct set *s, int wrong)
{
    return psb_sp_print(s->w.a, wrong ? NULL : s->f, "header");
}

static psb_err (*const calls[])(struct set *, int wrong) = {
    call_nnz,    call_spnrmi,  call_spnrm1,     call_maxval,     call_colsum,
    call_aclsum, call_scal,    call_scal_left,  call_scal_right, call_clean_zeros,
    call_halo,   call_product, call_sum,        call_compare,    call_tril,
    call_transp, call_gather,  call_gather_all, call_print,
};
enum { CALLS = sizeof calls / sizeof *calls };

/* The matrix and the vectors are what they were, and nothing came out. */
static void check_intact(struct set *s)
{
    T x[MOST];
    struct want want[MOST];
    struct dense *d = dense_of(s->w.s);
    random_vector(MOST, x, 7);
    for (int i = 0; i < MOST; i++)
        want[i] = (struct want){ x[i], 0 };
    check_matrix(s->w.a, d, 0, "after an error");
    check_works(s->w.a, d, 0);
    check_vector(s->w.x, want, "after an error");
    check_vector(s->w.y, want, "after an error");
    EXPECT(!has_results(s));
    free(d);
}

/* Allocation n of the last process fails in call i, on all processes; it works when tried again.  Did it? */
static int without_memory(int i, const struct X(mat) *mold, int n)
{
    struct set s = set(mold);
    psb_alloc_fail_at(me == np - 1 ? n : 0);
    psb_err e = calls[i](&s, 0);
    psb_alloc_fail_at(0);
    int failed = collective_count(e != PSB_OK);
    EXPECT(failed == 0 || failed == np);
    EXPECT(e == PSB_OK || e == PSB_ENOMEM || e == PSB_EMPI);
    if (failed) {
        check_intact(&s);
        GOOD(calls[i](&s, 0));
    }
    set_free(&s);
    return failed > 0;
}

START_TEST(one_process_has_no_memory)
    {
        const struct X(mat) *molds[] = { &X(csr_mold).mat, &X(elg_mold).mat, &minimal_mold.mat };
        int n = 1;
        int call = np > 4 ? _i : _i / 3; /* many processes are slow */
        while (without_memory(call, molds[_i % 3], n) && n < 400)
            n++;
        EXPECT(n < 400);
        EXPECT(n > 1 || calls[call] == call_nnz || calls[call] == call_maxval);
    }
END_TEST

/* The last process has a wrong argument; then all have. */
START_TEST(one_process_is_wrong)
    {
        int alone = calls[_i] != call_scal && calls[_i] != call_clean_zeros;
        struct set s = set(&X(csr_mold).mat);
        for (int who = alone ? np - 1 : -1; who >= -1; who -= np)
            if (calls[_i] != call_print || who < 1) {
                int wrong = who < 0 || me == who;
                psb_err e = calls[_i](&s, calls[_i] == call_print ? me == 0 : wrong);
                EXPECT(e == PSB_EARG);
                check_intact(&s);
            }
        GOOD(calls[_i](&s, 0));
        set_free(&s);
    }
END_TEST

START_TEST(matrices_must_be_assembled)
    {
        struct set s = set(NULL);
        BAD(calls[_i](&s, 0), PSB_ESTATE, " is not assembled; expected psb_spasb before");
        GOOD(psb_spasb(s.w.a, &X(csr_mold).mat, PSB_DUPL_ADD));
        GOOD(psb_spasb(s.b, &X(csr_mold).mat, PSB_DUPL_ADD));
        check_intact(&s);
        GOOD(calls[_i](&s, 0));
        set_free(&s);
    }
END_TEST

/* Calls that are local: only this process learns of it. */
static psb_err local_call(int i, struct set *s)
{
    psb_lpk ia[MOST], ja[MOST];
    T val[MOST];
    switch (i) {
    case 0:
        return psb_sp_get_diag(s->w.a, s->w.y);
    case 1:
        return psb_sp_rowsum(s->w.a, s->w.y);
    case 2:
        return psb_sp_arwsum(s->w.a, s->w.y);
    case 3:
        return psb_sp_clone(s->w.a, &s->c);
    default:
        return psb_cd_local_rows(s->w.row) ? psb_sp_csget(s->w.a, 0, MOST, ia, ja, val, &s->nz) : PSB_OK;
    }
}

START_TEST(no_memory_for_a_local_call)
    {
        for (int k = 0; k < 2; k++)
            for (int n = 1, failed = 1; failed && n < 100; n++) {
                struct set s = set(k ? &X(elg_mold).mat : &minimal_mold.mat);
                psb_alloc_fail_at(n);
                psb_err e = local_call(_i, &s);
                psb_alloc_fail_at(0);
                EXPECT(e == PSB_OK || e == PSB_ENOMEM);
                failed = collective_count(e != PSB_OK);
                if (e == PSB_ENOMEM)
                    EXPECT(!has_results(&s));
                if (failed == np)
                    check_intact(&s);
                GOOD(e == PSB_OK ? PSB_OK : local_call(_i, &s));
                EXPECT(n < 99);
                set_free(&s);
            }
    }
END_TEST

START_TEST(no_memory_for_a_solve)
    {
        for (int n = 1, failed = 1, there; failed && n < 100; n++) {
            struct solving s = solving(EVEN, 0, 0, &minimal_mold.mat, &there);
            T x[MOST], was[MOST], is[MOST];
            random_vector(MOST, x, 5);
            struct X(vect) *vx = spread(s.d, x, &psb_vect_cuda), *vy = spread(s.d, x, &psb_vect_cuda);
            GOOD(psb_get_vect(vy, s.n, was));
            psb_alloc_fail_at(n);
            psb_err e = psb_spsm(1, s.t, vx, 1, vy, 'N', 'L', vx);
            psb_alloc_fail_at(0);
            EXPECT(e == PSB_OK || e == PSB_ENOMEM);
            failed = collective_count(e != PSB_OK);
            GOOD(psb_get_vect(vy, s.n, is));
            EXPECT(e == PSB_OK || memcmp(was, is, (size_t)s.n * sizeof *is) == 0);
            EXPECT(n < 99);
            psb_gefree(vx);
            psb_gefree(vy);
            psb_spfree(s.t);
            psb_cdfree(s.d);
        }
    }
END_TEST

/* --- messages --- */

START_TEST(no_matrix)
    {
        struct set s = set(&X(csr_mold).mat);
        struct X(spmat) *none = NULL;
        BAD(psb_nnz(none, &s.nz), PSB_EARG, "argument a is NULL");
        BAD(psb_spnrmi(none, &s.r), PSB_EARG, "argument a is NULL");
        BAD(psb_spnrm1(none, &s.r), PSB_EARG, "argument a is NULL");
        BAD(psb_sp_maxval(none, &s.r), PSB_EARG, "argument a is NULL");
        BAD(psb_sp_get_diag(none, s.w.y), PSB_EARG, "argument a is NULL");
        BAD(psb_sp_rowsum(none, s.w.y), PSB_EARG, "argument a is NULL");
        BAD(psb_sp_arwsum(none, s.w.y), PSB_EARG, "argument a is NULL");
        BAD(psb_sp_colsum(none, s.w.x), PSB_EARG, "argument a is NULL");
        BAD(psb_sp_aclsum(none, s.w.x), PSB_EARG, "argument a is NULL");
        BAD(psb_spscal(1, none), PSB_EARG, "argument a is NULL");
        BAD(psb_spscalv(s.w.y, none, 'L'), PSB_EARG, "argument a is NULL");
        BAD(psb_sp_clean_zeros(none), PSB_EARG, "argument a is NULL");
        BAD(psb_sphalo(s.w.col, none, NULL, &s.m, &s.more, &s.n), PSB_EARG, "argument b is NULL");
        BAD(psb_sphalo(NULL, s.b, NULL, &s.m, &s.more, &s.n), PSB_EARG, "argument desc is NULL");
        BAD(psb_sphalo(NULL, none, NULL, &s.m, &s.more, &s.n), PSB_EARG, "argument desc is NULL");
        BAD(psb_spspmm(none, s.b, NULL, &s.c), PSB_EARG, "argument a is NULL");
        BAD(psb_spspmm(s.b, none, NULL, &s.c), PSB_EARG, "argument b is NULL");
        BAD(psb_spspmm(none, none, NULL, &s.c), PSB_EARG, "argument a is NULL");
        BAD(psb_spaxpby(1, none, 1, s.b), PSB_EARG, "argument a is NULL");
        BAD(psb_spaxpby(1, s.b, 1, none), PSB_EARG, "argument b is NULL");
        BAD(psb_sp_cmp(none, s.b, 1, &s.equal), PSB_EARG, "argument a is NULL");
        BAD(psb_sp_cmp(s.b, none, 1, &s.equal), PSB_EARG, "argument b is NULL");
        BAD(psb_sp_cmp(none, none, 1, &s.equal), PSB_EARG, "argument a is NULL");
        BAD(psb_sp_clone(none, &s.c), PSB_EARG, "argument a is NULL");
        BAD(psb_sp_tril(none, 0, &s.c, NULL), PSB_EARG, "argument a is NULL");
        BAD(psb_sp_triu(none, 0, &s.c, NULL), PSB_EARG, "argument a is NULL");
        BAD(psb_sp_transp(none, &s.c), PSB_EARG, "argument a is NULL");
        BAD(psb_sp_transc(none, &s.c), PSB_EARG, "argument a is NULL");
        BAD(psb_sp_csget(none, 0, 0, NULL, NULL, NULL, &s.nz), PSB_EARG, "argument a is NULL");
        BAD(psb_spgather(none, NULL, &s.m, 0), PSB_EARG, "argument a is NULL");
        BAD(psb_sp_print(none, stdout, NULL), PSB_EARG, "argument a is NULL");
        BAD(psb_spsm(1, none, s.w.x, 0, s.w.y, 'N', 'U', NULL), PSB_EARG, "argument t is NULL");
        BAD(psb_sp_set_triangle(none, 1), PSB_EARG, "argument a is NULL");
        BAD(psb_sp_set_upper(none, 1), PSB_EARG, "argument a is NULL");
        BAD(psb_sp_set_lower(none, 1), PSB_EARG, "argument a is NULL");
        BAD(psb_sp_set_unit(none, 1), PSB_EARG, "argument a is NULL");
        BAD(psb_sp_set_symmetric(none, 1), PSB_EARG, "argument a is NULL");
        EXPECT(!psb_sp_is_triangle(none) && !psb_sp_is_upper(none) && !psb_sp_is_lower(none) &&
               !psb_sp_is_unit(none) && !psb_sp_is_symmetric(none));
        check_intact(&s);
        set_free(&s);
    }
END_TEST

/* A vector that is NULL, on another descriptor, wide, or not assembled. */
START_TEST(wrong_vectors)
    {
        struct set s = set(&X(csr_mold).mat);
        psb_desc *other = NULL;
        GOOD(psb_cdall_like(&other, s.w.row));
        GOOD(psb_cdasb(other));
        struct X(vect) *bad[4] = { NULL, spread(other, zeros, &psb_vect_host), NULL, NULL };
        GOOD(psb_geall_n(&bad[2], s.w.row, 2));
        GOOD(psb_geasb(bad[2], NULL));
        GOOD(psb_geall(&bad[3], s.w.row));
        for (int i = 0; i < 4; i++) {
            static const char *const text[] = { "argument d is NULL", "argument d lies on another descriptor",
                                                "argument d has 2 columns", "argument d is not assembled" };
            psb_err code = i == 3 ? PSB_ESTATE : PSB_EARG;
            BAD(psb_sp_get_diag(s.w.a, bad[i]), code, text[i]);
            BAD(psb_sp_rowsum(s.w.a, bad[i]), code, text[i]);
            BAD(psb_sp_arwsum(s.w.a, bad[i]), code, text[i]);
            BAD(psb_sp_colsum(s.w.a, bad[i]), code, text[i]);
            BAD(psb_sp_aclsum(s.w.a, bad[i]), code, text[i]);
            BAD(psb_spscalv(bad[i], s.w.a, 'L'), code, text[i]);
            BAD(psb_spscalv(bad[i], s.w.a, 'R'), code, text[i]);
        }
        GOOD(psb_halo_start(s.w.x, 'N'));
        BAD(psb_sp_colsum(s.w.a, s.w.x), PSB_ESTATE, "");
        GOOD(psb_halo_end(s.w.x));
        check_intact(&s);
        for (int i = 0; i < 4; i++)
            psb_gefree(bad[i]);
        psb_cdfree(other);
        set_free(&s);
    }
END_TEST

START_TEST(wrong_arguments)
    {
        struct set s = set(&X(csr_mold).mat);
        struct distributed w = distribute(SPREAD, SMALL + 1, SMALL, EVEN, LAST_EMPTY);
        psb_desc *build = NULL;
        char text[64];
        GOOD(psb_spasb(w.a, &X(csr_mold).mat, PSB_DUPL_ADD));
        GOOD(psb_cdall_like(&build, s.w.row));
        BAD(psb_nnz(s.b, NULL), PSB_EARG, "argument nz is NULL");
        BAD(psb_spnrmi(s.b, NULL), PSB_EARG, "argument res is NULL");
        BAD(psb_spnrm1(s.b, NULL), PSB_EARG, "argument res is NULL");
        BAD(psb_sp_maxval(s.b, NULL), PSB_EARG, "argument res is NULL");
        BAD(psb_sp_get_diag(w.a, NULL), PSB_EARG, "argument d is NULL");
        struct X(vect) *v = spread(w.row, zeros, &psb_vect_host);
        psb_err e = psb_sp_get_diag(w.a, v); /* sizes differ: on all processes */
        EXPECT(e == PSB_EARG && strstr(psb_errmsg(), "columns dealt out in another way"));
        psb_gefree(v);
        BAD(psb_spscalv(s.w.y, s.w.a, 'X'), PSB_EARG, "argument side is 'X'");
        BAD(psb_sphalo(build, s.b, NULL, &s.m, &s.more, &s.n), PSB_ESTATE, "argument desc is not assembled");
        BAD(psb_sphalo(w.row, s.b, NULL, &s.m, &s.more, &s.n), PSB_EARG, "dealt out in another way");
        BAD(psb_sphalo(s.w.col, s.b, NULL, NULL, &s.more, &s.n), PSB_EARG, "argument blk is NULL");
        BAD(psb_sphalo(s.w.col, s.b, NULL, &s.m, NULL, &s.n), PSB_EARG, "argument more is NULL");
        BAD(psb_sphalo(s.w.col, s.b, NULL, &s.m, &s.more, NULL), PSB_EARG, "argument n is NULL");
        snprintf(text, sizeof text, "argument b has %d rows; expected %d, the columns of a", SMALL + 1,
                 SMALL);
        BAD(psb_spspmm(s.b, w.a, NULL, &s.c), PSB_EARG, text);
        if (np > 1)
            BAD(psb_spspmm(w.a, s.b, NULL, &s.c), PSB_EARG, "argument b has rows dealt out in another way");
        BAD(psb_spspmm(s.b, s.b, NULL, NULL), PSB_EARG, "argument c is NULL");
        BAD(psb_spaxpby(1, w.a, 1, s.b), PSB_EARG, "argument b lies on other descriptors than a");
        BAD(psb_sp_cmp(s.b, s.b, -1, &s.equal), PSB_EARG, "argument tol is -1");
        BAD(psb_sp_cmp(s.b, s.b, (R)NAN, &s.equal), PSB_EARG, "argument tol is");
        BAD(psb_sp_cmp(s.b, s.b, 1, NULL), PSB_EARG, "argument equal is NULL");
        BAD(psb_sp_clone(s.b, NULL), PSB_EARG, "argument b is NULL");
        BAD(psb_sp_tril(s.b, 0, NULL, NULL), PSB_EARG, "argument l is NULL");
        BAD(psb_sp_triu(s.b, 0, NULL, &s.c), PSB_EARG, "argument u is NULL");
        BAD(psb_sp_triu(s.b, INT64_MAX, &s.c, NULL), PSB_EARG, "argument k is 9223372036854775807");
        BAD(psb_sp_tril(s.b, INT64_MIN, &s.c, NULL), PSB_EARG, "argument k is -9223372036854775808");
        BAD(psb_sp_transp(s.b, NULL), PSB_EARG, "argument b is NULL");
        BAD(psb_sp_transc(s.b, NULL), PSB_EARG, "argument b is NULL");
        BAD(psb_sp_csget(s.b, -1, 0, NULL, NULL, NULL, &s.nz), PSB_EARG, "argument i is -1");
        BAD(psb_sp_csget(s.b, MOST, 0, NULL, NULL, NULL, &s.nz), PSB_EARG, "argument i is 64");
        if (psb_cd_local_rows(s.w.row))
            BAD(psb_sp_csget(s.b, 0, 0, NULL, NULL, NULL, NULL), PSB_EARG, "argument nz is NULL");
        BAD(psb_spgather(s.b, NULL, &s.m, -2), PSB_EARG, "argument root is -2");
        BAD(psb_spgather(s.b, NULL, &s.m, np), PSB_EARG, "argument root is");
        BAD(psb_spgather(s.b, NULL, NULL, -1), PSB_EARG, "argument all is NULL");
        BAD(psb_spgather(s.b, NULL, NULL, 0), PSB_EARG, "argument all is NULL");
        if (np > 1)
            BAD(psb_spgather(s.b, NULL, &s.m, me == np - 1), PSB_EARG,
                "argument root is 0 on process 0 and 1");
        BAD(psb_sp_print(s.b, NULL, NULL), PSB_EARG, "argument to is NULL");
        check_intact(&s);
        psb_cdfree(build);
        distributed_free(&w);
        set_free(&s);
    }
END_TEST

/* Rows dealt out alike in number, not in kind. */
START_TEST(dealt_out_in_another_way)
    {
        struct distributed w = distribute(SPREAD, SMALL, SMALL, EVEN, EVEN),
                           v = distribute(SPREAD, SMALL, SMALL, SHUFFLED, SHUFFLED);
        struct X(spmat) *c = NULL;
        int equal = -1;
        GOOD(psb_spasb(w.a, &X(csr_mold).mat, PSB_DUPL_ADD));
        GOOD(psb_spasb(v.a, &X(csr_mold).mat, PSB_DUPL_ADD));
        BAD(psb_spspmm(w.a, v.a, NULL, &c), PSB_EARG, "dealt out in another way");
        BAD(psb_sp_cmp(w.a, v.a, 1, &equal), PSB_EARG, "dealt out in another way");
        EXPECT(!c && equal == -1);
        distributed_free(&w);
        distributed_free(&v);
    }
END_TEST

/* 2^31 rows do not go into a local matrix. */
START_TEST(too_large_to_be_collected)
    {
        const psb_ipk n = INT32_MAX / 4;
        psb_desc *d = NULL, *rows = NULL;
        struct X(spmat) *a = NULL;
        struct X(mat) *m = NULL;
        if (np < 7) /* so that the last descriptor is short on each process */
            return;
        GOOD(psb_cdall_nl(&d, ctxt, n));
        GOOD(psb_cdall_nl(&rows, ctxt, 2));
        GOOD(psb_cdasb(d));
        GOOD(psb_cdasb(rows));
        GOOD(psb_spall2(&a, rows, d, 0));
        GOOD(psb_spasb(a, &X(coo_mold).mat, PSB_DUPL_ADD));
        BAD(psb_spgather(a, NULL, &m, 0), PSB_EARG, "expected less than 2^31 rows and columns");
        psb_spfree(a);
        psb_cdfree(d);
        psb_cdfree(rows);
    }
END_TEST

START_TEST(solves_refused)
    {
        int there;
        T x[MOST];
        random_vector(MOST, x, 5);
        struct solving s = solving(EVEN, 0, 0, &X(csr_mold).mat, &there);
        struct set o = set(&X(csr_mold).mat);
        struct X(vect) *v = spread(s.d, x, &psb_vect_host), *wide = NULL, *build = NULL;
        GOOD(psb_geall_n(&wide, s.d, 2));
        GOOD(psb_geasb(wide, NULL));
        GOOD(psb_geall(&build, s.d));
        BAD(psb_spsm(1, s.t, NULL, 0, v, 'N', 'U', NULL), PSB_EARG, "argument x is NULL");
        BAD(psb_spsm(1, s.t, v, 0, NULL, 'N', 'U', NULL), PSB_EARG, "argument y is NULL");
        BAD(psb_spsm(1, s.t, o.w.x, 0, v, 'N', 'U', NULL), PSB_EARG, "argument x lies on another descriptor");
        BAD(psb_spsm(1, s.t, v, 0, o.w.x, 'T', 'U', NULL), PSB_EARG, "argument y lies on another descriptor");
        BAD(psb_spsm(1, s.t, build, 0, v, 'N', 'U', NULL), PSB_ESTATE, "argument x is not assembled");
        BAD(psb_spsm(1, s.t, v, 0, build, 'N', 'U', NULL), PSB_ESTATE, "argument y is not assembled");
        BAD(psb_spsm(1, s.t, v, 0, wide, 'N', 'U', NULL), PSB_EARG, "columns: 1) and y (2) differ");
        BAD(psb_spsm(1, s.t, v, 0, v, 'n', 'U', NULL), PSB_EARG, "argument trans is 'n'");
        BAD(psb_spsm(1, s.t, v, 0, v, 'N', 'D', v), PSB_EARG, "argument scale is 'D'");
        BAD(psb_spsm(1, s.t, v, 0, v, 'N', 'L', NULL), PSB_EARG, "argument d is NULL");
        BAD(psb_spsm(1, s.t, v, 0, v, 'N', 'R', wide), PSB_EARG, "argument d has 2 columns");
        BAD(psb_spsm(1, o.w.a, o.w.x, 0, o.w.y, 'N', 'U', NULL), PSB_EARG, "not marked as a triangle");
        GOOD(psb_sp_set_triangle(o.w.a, 1));
        psb_err e = psb_spsm(1, o.w.a, o.w.x, 0, o.w.y, 'N', 'U', NULL);
        if (o.w.a->ah->nnz)
            BAD(e, PSB_EARG, "in a column owned elsewhere");
        if (s.n > 1) {
            GOOD(psb_sp_set_upper(s.t, 1));
            BAD(psb_spsm(1, s.t, v, 1, v, 'N', 'U', NULL), PSB_EARG, "expected");
            GOOD(psb_sp_set_upper(s.t, 0));
        }
        GOOD(psb_spsm(1, s.t, v, 1, v, 'N', 'U', NULL));
        psb_gefree(v);
        psb_gefree(wide);
        psb_gefree(build);
        psb_spfree(s.t);
        psb_cdfree(s.d);
        set_free(&o);
    }
END_TEST

static Suite *matrices(void)
{
    Suite *s = suite_create("distributed matrices");
    TCase *c = collective_tcase(s, "answers");
    ck_add_sampled_test(c, sums_and_norms, DEALS);
    ck_add_sampled_test(c, diagonals, DEALS);
    ck_add_sampled_test(c, norms_of_what_is_no_number, DEALS);
    ck_add_sampled_test(c, scaled, DEALS);
    ck_add_sampled_test(c, stored_zeros_are_forgotten, DEALS);
    ck_add_sampled_test(c, products_of_several_columns, DEALS);
    ck_add_sampled_test(c, rows_of_the_halo, DEALS);
    ck_add_sampled_test(c, products_of_matrices, DEALS);
    ck_add_sampled_test(c, powers, DEALS);
    ck_add_sampled_test(c, sums_of_matrices, DEALS);
    ck_add_sampled_test(c, matrices_compared, DEALS);
    ck_add_sampled_test(c, triangles, DEALS);
    ck_add_sampled_test(c, transposes, DEALS);
    ck_add_sampled_test(c, clones, DEALS);
    ck_add_sampled_test(c, rows_in_global_numbers, DEALS);
    ck_add_sampled_test(c, collected, DEALS);
    ck_add_sampled_test(c, printed, DEALS);
    tcase_add_test(c, much_is_printed);
    ck_add_sampled_test(c, triangular_solve, DEALS);
    ck_add_sampled_test(c, unit_triangles, DEALS);
    tcase_add_loop_test(c, unit_triangles_multiplied, EVEN, IN_TURN); /* blocks in global order */
    ck_add_sampled_test(c, compared_on_another_halo, DEALS);
    tcase_add_loop_test(c, rows_that_several_own, 0, 2);
    c = collective_tcase(s, "errors");
    tcase_add_loop_test(c, one_process_has_no_memory, 0, np > 4 ? CALLS : 3 * CALLS);
    tcase_add_loop_test(c, one_process_is_wrong, 0, CALLS);
    tcase_add_loop_test(c, matrices_must_be_assembled, 0, CALLS);
    tcase_add_loop_test(c, no_memory_for_a_local_call, 0, 5);
    tcase_add_test(c, no_memory_for_a_solve);
    tcase_add_test(c, no_matrix);
    tcase_add_test(c, wrong_vectors);
    tcase_add_test(c, wrong_arguments);
    tcase_add_test(c, dealt_out_in_another_way);
    tcase_add_test(c, too_large_to_be_collected);
    tcase_add_test(c, solves_refused);
    return s;
}

int check_sp(void)
{
    setenv("PSB_DEVICE", "fake", 1);
    ck_mpi_init();
    if (ck_init(&ctxt) != PSB_OK || X(mat_register)(&minimal_mold.mat) != PSB_OK) {
        psb_print_errmsg();
        return EXIT_FAILURE;
    }
    psb_info(ctxt, &me, &np);
    int failed = collective_count(ck_run(matrices()));
    psb_cuda_exit();
    psb_exit(ctxt);
    MPI_Finalize();
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
