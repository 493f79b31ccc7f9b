/* check_sp_renum.c -- test: orders of graphs; matrices and vectors renumbered by them. */
#include "config.h"
#include "check_sp.h"
#include <stdlib.h>
#include <string.h>
#include "psb_util.h"

enum { SIDE = 7, POINTS = SIDE * SIDE };

/* --- orders of graphs --- */

/* A pattern, to be freed by graph_free. */
struct graph {
    psb_ipk n;
    psb_epk ptr[POINTS + 1];
    psb_ipk idx[8 * POINTS];
};

/* A grid, of which only one of (i, j) and (j, i) is stored, in two components, with vertex i named name[i].
 */
static struct graph grid(const psb_ipk *name)
{
    struct graph g = { .n = POINTS };
    psb_ipk vertex[POINTS];
    for (psb_ipk i = 0; i < POINTS; i++)
        vertex[name[i]] = i;
    for (psb_ipk v = 0; v < POINTS; v++) {
        const psb_ipk i = vertex[v], x = i % SIDE, y = i / SIDE;
        psb_epk k = g.ptr[v];
        g.idx[k++] = v; /* the diagonal, and an entry that is repeated */
        if (x + 1 < SIDE && x != 2)
            g.idx[k++] = name[i + 1], g.idx[k++] = name[i + 1];
        if (y > 0)
            g.idx[k++] = name[i - SIDE];
        g.ptr[v + 1] = k;
    }
    return g;
}

static void shuffle(psb_ipk n, psb_ipk *perm, uint64_t seed)
{
    struct rng r = { seed };
    for (psb_ipk i = 0; i < n; i++) {
        const int j = rng_below(&r, i + 1);
        perm[i] = perm[j];
        perm[j] = i;
    }
}

static psb_ipk bandwidth(const struct graph *g, const psb_ipk *perm)
{
    psb_ipk most = 0;
    for (psb_ipk i = 0; i < g->n; i++)
        for (psb_epk k = g->ptr[i]; k < g->ptr[i + 1]; k++)
            most = abs(perm[i] - perm[g->idx[k]]) > most ? abs(perm[i] - perm[g->idx[k]]) : most;
    return most;
}

static bool is_permutation(psb_ipk n, const psb_ipk *perm)
{
    bool seen[POINTS] = { false };
    for (psb_ipk i = 0; i < n; i++) {
        if (perm[i] < 0 || perm[i] >= n || seen[perm[i]])
            return false;
        seen[perm[i]] = true;
    }
    return true;
}

TEST(orders)
{
    psb_ipk name[POINTS], perm[POINTS], again[POINTS];
    shuffle(POINTS, name, (uint64_t)_i + 1);
    const struct graph g = grid(name);
    GOOD(psb_order_rcm(g.n, g.ptr, g.idx, perm));
    EXPECT(is_permutation(g.n, perm));
    EXPECT(bandwidth(&g, perm) <= SIDE); /* levels of the larger part have at most 4 vertices, of 7 x 4 */
    /* The order of columns does not matter. */
    struct graph h = g;
    for (psb_ipk i = 0; i < h.n; i++)
        for (psb_epk k = h.ptr[i], l = h.ptr[i + 1] - 1; k < l; k++, l--) {
            const psb_ipk j = h.idx[k];
            h.idx[k] = h.idx[l];
            h.idx[l] = j;
        }
    GOOD(psb_order_rcm(h.n, h.ptr, h.idx, again));
    EXPECT(memcmp(perm, again, sizeof perm) == 0);
    psb_err e = psb_order_nd(g.n, g.ptr, g.idx, perm);
    if (e != PSB_ENOTIMPL) {
        GOOD(e);
        EXPECT(is_permutation(g.n, perm));
        GOOD(psb_order_nd(g.n, g.ptr, g.idx, again));
        EXPECT(memcmp(perm, again, sizeof perm) == 0);
    } else {
        EXPECT(strstr(psb_errmsg(), "METIS") != NULL);
    }
    GOOD(psb_order_rcm(0, (psb_epk[]){ 0 }, NULL, NULL));
    GOOD(psb_order_rcm(3, (psb_epk[]){ 0, 0, 0, 0 }, NULL, perm)); /* no entries */
    EXPECT(is_permutation(3, perm));
}

TEST(a_path_is_ordered_end_to_end)
{
    psb_ipk name[POINTS], perm[POINTS];
    struct graph g = { .n = POINTS };
    shuffle(POINTS, name, 5);
    psb_ipk vertex[POINTS];
    for (psb_ipk i = 0; i < POINTS; i++)
        vertex[name[i]] = i;
    for (psb_ipk v = 0; v < POINTS; v++) {
        g.ptr[v + 1] = g.ptr[v];
        if (vertex[v] + 1 < POINTS)
            g.idx[g.ptr[v + 1]++] = name[vertex[v] + 1];
    }
    GOOD(psb_order_rcm(g.n, g.ptr, g.idx, perm));
    EXPECT(bandwidth(&g, perm) == 1);
}

TEST(orders_by_colours)
{
    const psb_ipk colour[] = { 2, 0, 1, 0, 2, 4 }, right[] = { 3, 0, 2, 1, 4, 5 };
    psb_ipk perm[6];
    GOOD(psb_order_colours(6, colour, perm));
    EXPECT(memcmp(perm, right, sizeof right) == 0);
    BAD(psb_order_colours(-1, colour, perm), PSB_EARG, "argument n is -1");
    BAD(psb_order_colours(4, colour, NULL), PSB_EARG, "argument perm is NULL");
    BAD(psb_order_colours(4, NULL, perm), PSB_EARG, "argument colour is NULL");
    BAD(psb_order_colours(2, colour, perm), PSB_EARG, "argument colour[0] is 2; expected 0 <= colour < 2");
}

TEST(wrong_graphs)
{
    const psb_epk ptr[] = { 0, 2, 3 }, falling[] = { 0, 2, 1 }, below[] = { -1, 0, 0 };
    const psb_ipk idx[] = { 0, 1, 1 }, far[] = { 0, 1, 2 };
    psb_ipk perm[2];
    BAD(psb_order_rcm(-1, ptr, idx, perm), PSB_EARG, "argument n is -1");
    BAD(psb_order_rcm(2, NULL, idx, perm), PSB_EARG, "argument ptr is NULL");
    BAD(psb_order_rcm(2, below, idx, perm), PSB_EARG, "argument ptr[0] is -1");
    BAD(psb_order_rcm(2, falling, idx, perm), PSB_EARG, "expected that ptr ascends");
    BAD(psb_order_rcm(2, ptr, NULL, perm), PSB_EARG, "argument idx is NULL");
    BAD(psb_order_rcm(2, ptr, far, perm), PSB_EARG, "argument idx[2] is 2; expected 0 <= idx < 2");
    BAD(psb_order_rcm(2, ptr, idx, NULL), PSB_EARG, "argument perm is NULL");
    BAD(psb_order_nd(2, ptr, far, perm), PSB_EARG, "argument idx[2] is 2");
}

/* --- matrices --- */

static struct X(mat) *local_sample(enum sample_kind kind, const struct X(mat) *mold)
{
    struct X(coo_mat) *s = sample(kind, M, M);
    struct X(mat) *a = NULL;
    if (X(mat_asb)(&s->mat, PSB_DUPL_ADD) == PSB_OK && X(mat_convert)(&s->mat, mold, &a) != PSB_OK)
        a = NULL; /* padding */
    X(mat_free)(&s->mat);
    return a;
}

TEST(local_matrix)
{
    static const char *const algs[] = { "rcm", "RCM", "none", "id", "nd" };
    for (int f = 0; X(mat_format)(f); f++) {
        const char *const alg = algs[f % 5];
        MAT *a = local_sample(_i ? SPREAD : TRIDIAG, X(mat_format)(f));
        psb_ipk perm[M];
        static T was[M * M], is[M * M];
        if (!a)
            continue;
        GOOD(psb_mat_to_dense(a, was, M, PSB_BY_ROWS));
        psb_err e = psb_mat_renum(alg, a, perm);
        if (e == PSB_EPADDING || (e == PSB_ENOTIMPL && strcmp(alg, "nd") == 0))
            continue;
        GOOD(e);
        EXPECT(is_permutation(M, perm));
        GOOD(psb_mat_to_dense(a, is, M, PSB_BY_ROWS));
        for (int i = 0; i < M; i++)
            for (int j = 0; j < M; j++)
                EXPECT(is[perm[i] * M + perm[j]] == was[i * M + j]);
        GOOD(psb_mat_renum("rcm", a, NULL));
    }
    MAT *a = local_sample(SPREAD, &X(csr_mold).mat), *wide = NULL;
    GOOD(X(mat_all)(2, 3, 0, &wide));
    BAD(psb_mat_renum("gps", a, NULL), PSB_EARG, "argument alg is 'gps'; expected rcm, nd, none or id");
    BAD(psb_mat_renum(NULL, a, NULL), PSB_EARG, "argument alg is NULL");
    BAD(psb_mat_renum("rcm", wide, NULL), PSB_EARG, "argument a is 2 x 3; expected a square matrix");
    BAD(X(mat_renum)("rcm", NULL, NULL), PSB_EARG, "argument a is NULL");
}

/* b is a renumbered: the same matrix in global indices; products and vectors agree. */
static void check_renumbered(struct X(spmat) *a, struct X(spmat) *b, const struct reference *d)
{
    static T all[MOST], got[MOST];
    VECT *x = NULL, *y = NULL, *u = NULL, *v = NULL;
    if (!b)
        return;
    psb_desc *const row = psb_sp_row_desc(b);
    EXPECT(row == psb_sp_col_desc(b) && row != psb_sp_row_desc(a));
    EXPECT(psb_cd_local_rows(row) == psb_cd_local_rows(psb_sp_row_desc(a)));
    check_matrix(b, d, 2, "a renumbered matrix");
    check_products(b, d, 2);
    random_vector(M, all, 3);
    GOOD(psb_vects_like(a, &x, &y));
    GOOD(psb_vects_like(b, &u, &v));
    GOOD(psb_scatter(x, all, -1));
    GOOD(psb_vect_renum(x, u));
    GOOD(psb_gather(u, got, -1));
    EXPECT(memcmp(all, got, M * sizeof *all) == 0);
    GOOD(psb_vect_zero(y));
    GOOD(psb_vect_renum(u, y)); /* and back */
    GOOD(psb_gather(y, got, -1));
    EXPECT(memcmp(all, got, M * sizeof *all) == 0);
}

TEST(distributed_matrix)
{
    for (int f = 0; X(mat_format)(f); f++) {
        DISTRIBUTED w = sample_on(kinds[f % KINDS], M, _i, _i);
        HEAP struct reference *d = reference_of(w.s);
        SPMAT *b = NULL, *c = NULL;
        psb_ipk perm[M];
        if (!assembled(&w, X(mat_format)(f)))
            continue;
        if (accepted(psb_sp_renum("rcm", w.a, &b)))
            check_renumbered(w.a, b, d);
        shuffle(psb_cd_local_rows(w.row), perm, (uint64_t)(f + 10 * me));
        if (accepted(psb_sp_renum_by(perm, w.a, &c)))
            check_renumbered(w.a, c, d);
        check_matrix(w.a, d, 2, "the matrix before");
        for (psb_ipk l = 0; c && l < psb_cd_local_rows(w.row); l++)
            EXPECT(psb_loc_to_glob(psb_sp_row_desc(c), perm[l]) == psb_loc_to_glob(w.row, l));
    }
}

TEST(refused_renumberings)
{
    DISTRIBUTED w = sample_on(SPREAD, M, EVEN, EVEN), other = sample_on(SPREAD, N, EVEN, EVEN);
    SPMAT *b = NULL;
    VECT *x = NULL, *y = NULL, *u = NULL, *v = NULL, *local = NULL, *many = NULL;
    const int last = me == np - 1;
    psb_ipk perm[M] = { 0 };
    BAD(psb_sp_renum("rcm", w.a, &b), PSB_ESTATE, "argument a is not assembled");
    GOOD(psb_spasb(w.a, &X(csr_mold).mat, PSB_DUPL_ADD));
    GOOD(psb_spasb(other.a, &X(csr_mold).mat, PSB_DUPL_ADD));
    BAD(X(sp_renum)("rcm", NULL, &b), PSB_EARG, "argument a is NULL");
    BAD(psb_sp_renum(last ? "amd" : "rcm", w.a, &b), PSB_EARG, "argument alg is 'amd'");
    BAD(psb_sp_renum("rcm", other.a, &b), PSB_EARG, "argument a has columns distributed in another way");
    BAD(psb_sp_renum("rcm", w.a, last ? NULL : &b), PSB_EARG, "argument b is NULL");
    BAD(psb_sp_renum_by(perm, w.a, &b), PSB_EARG, "expected a permutation");
    BAD(psb_sp_renum_by(last ? NULL : perm, w.a, &b), PSB_EARG, "argument perm");
    EXPECT(!b);
    GOOD(psb_vects_like(w.a, &x, &y));
    GOOD(psb_vects_like(other.a, &u, &v));
    GOOD(psb_vect_new(&local, M, NULL));
    GOOD(psb_geall_n(&many, w.row, 2));
    BAD(psb_vect_renum(x, many), PSB_ESTATE, "argument y is not assembled");
    GOOD(psb_geasb(many, NULL));
    BAD(psb_vect_renum(x, many), PSB_EARG, "differ in rows or columns");
    BAD(psb_vect_renum(x, local), PSB_EARG, "argument y is local");
    BAD(psb_vect_renum(x, x), PSB_EARG, "argument y is x");
    BAD(X(vect_renum)(NULL, x), PSB_EARG, "argument x is NULL");
    if (np == 1)
        BAD(psb_vect_renum(x, u), PSB_EARG, "differ in rows or columns");
}

void sp_renum_tests(Suite *s)
{
    TCase *c = collective_tcase(s, "renum");
    ck_add_loop_tests(c, 3, orders);
    ck_add_tests(c, a_path_is_ordered_end_to_end, orders_by_colours, wrong_graphs, refused_renumberings);
    ck_add_loop_tests(c, 2, local_matrix);
    ck_add_sampled_tests(c, DISTRIBUTIONS, distributed_matrix);
}
