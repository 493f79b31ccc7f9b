/* check_sp_colours.c -- test: colours of the rows of distributed matrices. */
#include "check_sp.h"
#include <stdlib.h>
#include <string.h>

/* Colours, and the vector that a call makes of them. */
struct colours {
    struct psb_i_vect *v;
    int n;
};
static void free_colours(struct colours *c)
{
    psb_i_gefree(c->v);
}
#define COLOURS OWNER(free_colours) struct colours

/* The graph of A + A^T, or of its square, as a matrix of bools. */
static void graph_of(const struct reference *d, int n, int distance, bool edge[MOST][MOST])
{
    bool near[MOST][MOST];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            near[i][j] = i == j || d->at[i][j].n > 0 || d->at[j][i].n > 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            edge[i][j] = near[i][j];
            for (int k = 0; k < n && distance == 2; k++)
                edge[i][j] = edge[i][j] || (near[i][k] && near[k][j]);
        }
}

/* Entries of a row in the pattern that is coloured: those of A + A^T, with the diagonal for distance 2. */
static int degree_of(const struct reference *d, bool edge[MOST][MOST], int n, int i, int distance)
{
    int degree = 0;
    for (int j = 0; j < n; j++)
        degree += i == j && distance == 1 ? d->at[i][i].n > 0 : edge[i][j];
    return degree;
}

/* Greedy colouring by ascending row, by descending degree first if `by_degree`; returns the number of
 * colours.
 */
static int greedy_by(const struct reference *d, int n, int distance, bool by_degree, psb_ipk *colour)
{
    bool edge[MOST][MOST];
    int most = 0;
    graph_of(d, n, distance, edge);
    for (int i = 0; i < n; i++)
        colour[i] = -1;
    for (int degree = n; degree >= 0; degree--)
        for (int i = 0; i < n; i++) {
            bool taken[MOST + 1] = { false };
            int c = 0;
            if (degree != (by_degree ? degree_of(d, edge, n, i, distance) : n))
                continue;
            for (int j = 0; j < n; j++)
                if (edge[i][j] && colour[j] >= 0)
                    taken[colour[j]] = true;
            while (taken[c])
                c++;
            colour[i] = c;
            most = c + 1 > most ? c + 1 : most;
        }
    return most;
}

/* The better of the two. */
static int greedy(const struct reference *d, int n, int distance, psb_ipk *colour)
{
    psb_ipk other[MOST];
    const int by_row = greedy_by(d, n, distance, false, colour);
    const int by_degree = greedy_by(d, n, distance, true, other);
    if (by_degree < by_row)
        memcpy(colour, other, sizeof other);
    return by_degree < by_row ? by_degree : by_row;
}

/* The colours of one process, whatever the distribution and the format; with their halo.  By the device where
 * that has the matrix. */
TEST(greedy_colours)
{
    const psb_epk before = psb_cuda_convert_from(0);
    for (int f = 0; f < KINDS + 2; f++) {
        const enum sample_kind kind = f < KINDS ? kinds[f] : f == KINDS ? DIAGONAL : NOTHING;
        const int distance = 1 + (_i + f) % 2;
        DISTRIBUTED w = sample_on(kind, M, _i / 2, _i / 2);
        HEAP struct reference *d = reference_of(w.s);
        psb_ipk want[MOST], got[MOST];
        COLOURS c = { 0 };
        const psb_ipk *v;
        if (!assembled(&w, f % 2 ? X(mat_format)(f) : &X(csrg_mold).mat))
            continue;
        GOOD(psb_sp_colour(w.a, distance, &c.v, &c.n));
        const int n = greedy(d, M, distance, want);
        EXPECT(c.n == n);
        GOOD(psb_i_gather(c.v, got, -1));
        EXPECT(memcmp(got, want, M * sizeof *got) == 0);
        GOOD(psb_i_host_read(c.v, &v));
        for (psb_ipk j = 0; j < psb_cd_local_cols(w.col); j++)
            EXPECT(v[j] == want[psb_loc_to_glob(w.col, j)]);
    }
    psb_cuda_convert_from(before);
}

/* No rows, one row, two that are neighbours. */
TEST(small_graphs)
{
    for (int n = 0; n < 3; n++) {
        DISTRIBUTED w = distribute(FULL, n, n, ONE_HAS_ALL, ONE_HAS_ALL);
        COLOURS c = { .n = -1 };
        GOOD(psb_spasb(w.a, &X(csr_mold).mat, PSB_DUPL_ADD));
        GOOD(psb_sp_colour(w.a, 1, &c.v, &c.n));
        EXPECT(c.n == n);
    }
}

TEST(wrong_colourings)
{
    DISTRIBUTED w = distribute(SPREAD, M, M, UNEVEN, UNEVEN), wide = distribute(SPREAD, M, N, EVEN, EVEN);
    DISTRIBUTED two = distribute(SPREAD, M, M, EVEN, CYCLIC);
    COLOURS c = { .n = -1 };
    BAD(psb_sp_colour(w.a, 1, &c.v, &c.n), PSB_ESTATE, "argument a is not assembled");
    GOOD(psb_spasb(w.a, &X(csr_mold).mat, PSB_DUPL_ADD));
    GOOD(psb_spasb(wide.a, &X(csr_mold).mat, PSB_DUPL_ADD));
    GOOD(psb_spasb(two.a, &X(csr_mold).mat, PSB_DUPL_ADD));
    BAD(psb_sp_colour(wide.a, 1, &c.v, &c.n), PSB_EARG, "41 rows and 37 columns");
    if (np > 1)
        BAD(psb_sp_colour(two.a, 1, &c.v, &c.n), PSB_EARG, "columns distributed as rows");
    BAD(psb_sp_colour(w.a, 3, &c.v, &c.n), PSB_EARG, "argument distance is 3; expected 1 or 2");
    if (np > 1)
        BAD(psb_sp_colour(w.a, me == 0 ? 1 : 2, &c.v, &c.n), PSB_EARG, "expected the same on all");
    BAD(psb_sp_colour(w.a, 1, NULL, &c.n), PSB_EARG, "argument colour is NULL");
    BAD(X(sp_colour)(NULL, 1, &c.v, &c.n), PSB_EARG, "argument a is NULL");
    EXPECT(!c.v && c.n == -1);
}

/* Each allocation that fails, on the last process, is an error on all. */
TEST(colouring_without_memory)
{
    DISTRIBUTED w = distribute(SPREAD, M, M, UNEVEN, UNEVEN);
    int failed = 1;
    GOOD(psb_spasb(w.a, &X(csr_mold).mat, PSB_DUPL_ADD));
    for (long n = 1; n < 1000 && failed; n++) {
        COLOURS c = { 0 };
        psb_alloc_fail_at(me == np - 1 ? n : 0);
        const psb_err e = psb_sp_colour(w.a, 1 + _i, &c.v, &c.n);
        psb_alloc_fail_at(0);
        failed = collective_count(e != PSB_OK);
        EXPECT((failed == 0 || failed == np) && (e == PSB_OK || e == PSB_ENOMEM) && !c.v == (e != PSB_OK));
    }
    EXPECT(!failed);
}

void sp_colours_tests(Suite *s)
{
    TCase *c = collective_tcase(s, "colours");
    ck_add_loop_tests(c, 2 * DISTRIBUTIONS, greedy_colours);
    ck_add_tests(c, small_graphs, wrong_colourings);
    ck_add_loop_tests(c, 2, colouring_without_memory);
}
