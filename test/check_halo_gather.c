/* check_halo_gather.c -- test: vectors of several columns, gathered and scattered. */
#include "config.h"
#include "psb_cuda.h"
#include "check_halo.h"

TEST(gather_and_scatter)
{
    static T got[CELLS], zero[CELLS];
    const T *all = numbers();
    DESC *d = rows_with_halo((enum distribution)_i);
    for (int k = 1; k <= 3; k += 2)
        for (int root = -1; root < np; root++) {
            int mine = root < 0 || root == me;
            VECT *x = multivector(d, k, zero, places[(root + 1) % PLACES]);
            GOOD(psb_scatter(x, mine ? all : NULL, root));
            check_exact(x, all, "scatter");
            fill_vector(CELLS, got, 0);
            GOOD(psb_gather(x, mine ? got : NULL, root));
            for (int i = 0; i < CELLS; i++)
                EXPECT(got[i] == (mine && i < ROWS * k ? all[i] : 0));
        }
}

/* --- rows by a list --- */

/* Rows of a vector: each once; some repeated; the first one again and again. */
enum repetition { EACH_ONCE, SOME_REPEATED, THE_FIRST };

static psb_ipk some_rows(psb_ipk rows, enum repetition how, psb_ipk *idx)
{
    struct rng r = { 5 };
    for (psb_ipk i = 0; i < rows; i++)
        idx[i] = how == EACH_ONCE ? rows - 1 - i : how == THE_FIRST ? 0 : rng_below(&r, rows);
    return rows - rows / 3;
}

/* The owned rows are those of the array `must`, bit by bit. */
static void check_listed(const struct X(vect) *x, psb_ipk rows, int k, const T *must, const char *what)
{
    static T got[CELLS];
    GOOD(psb_get_vect(x, rows, got));
    for (psb_epk i = 0; i < (psb_epk)rows * k; i++)
        EXPECT_SAYING(got[i] == must[i], "%s: element %d is %g, expected %g", what, (int)i,
                      (double)RE(got[i]), (double)RE(must[i]));
}

static void only_there(struct X(vect) *x)
{
    T *p;
    if (x->v.on)
        GOOD(psb_device_update(x, &p));
}

/* Gather rows of x, change them and put them back, by arrays, by vectors, and by global rows. */
static void try_lists(psb_desc *d, int k, const struct psb_vmold *place, enum repetition how)
{
    static T all[CELLS], must[CELLS], buf[CELLS], from[CELLS];
    const psb_ipk rows = psb_cd_local_rows(d);
    psb_ipk idx[ROWS];
    psb_lpk g[ROWS];
    random_vector(CELLS, all, 4);
    random_vector(CELLS, from, 9);
    VECT *x = multivector(d, k, all, place), *b = NULL, *many = NULL;
    psb_ivect *list = NULL;
    const psb_ipk n = some_rows(rows, how, idx);
    GOOD(psb_vect_new_n(&b, n, k, place));
    GOOD(psb_vect_new_n(&many, rows + 2, k, place));
    GOOD(psb_vect_bld(&list, n, 1, idx, NULL));
    for (psb_ipk i = 0; i < n; i++)
        g[i] = psb_loc_to_glob(d, idx[i]);
    GOOD(psb_get_vect(x, rows, must));
    only_there(x);
    for (int way = 0; way < 3; way++) {
        fill_vector(CELLS, buf, 0);
        GOOD(way == 0   ? psb_vect_gth(x, n, idx, buf)
             : way == 1 ? psb_getelems(x, n, g, buf)
                        : psb_vect_gthv(x, list, b));
        EXPECT(n < 2 || !x->v.on || psb_vect_is_dev(x));
        if (way == 2)
            GOOD(psb_get_vect(b, n, buf));
        for (psb_ipk i = 0; i < n; i++)
            for (int j = 0; j < k; j++)
                EXPECT(buf[i * k + j] == must[idx[i] * k + j]);
    }
    GOOD(psb_vect_gthv(x, list, many)); /* a longer vector: the rest stays */
    check_listed(many, n, k, buf, "gthv");
    GOOD(psb_set_vect(b, n, from));
    only_there(b);
    for (int way = 0; way < 5; way++) {
        const T beta = way == 1 || way == 4 ? 1 : 0;
        only_there(x);
        GOOD(way == 0   ? psb_vect_sct(n, idx, from, beta, x)
             : way == 1 ? psb_vect_ins(n, idx, from, x, PSB_DUPL_ADD)
             : way == 2 ? psb_setelems(n, g, from, x, PSB_DUPL_OVERWRITE)
                        : psb_vect_sctv(list, b, beta, x));
        if (n > 1 && how != THE_FIRST && place == &psb_vect_cuda)
            EXPECT(psb_vect_is_dev(x));
        for (psb_ipk i = 0; i < n; i++)
            for (int j = 0; j < k; j++)
                must[idx[i] * k + j] = (beta == 0 ? 0 : must[idx[i] * k + j]) + from[i * k + j];
        check_listed(x, rows, k, must, "rows put back");
    }
    psb_gefree(list);
}

TEST(rows_by_lists)
{
    DESC *d = rows_with_halo((enum distribution)_i);
    for (int p = 0; p < PLACES; p++)
        for (int k = 1; k <= 3; k += 2)
            for (int how = EACH_ONCE; how <= THE_FIRST; how++)
                try_lists(d, k, places[p], (enum repetition)how);
}

TEST(wrong_lists)
{
    static T all[CELLS];
    DESC *d = rows_with_halo(EVEN);
    VECT *x = multivector(d, 2, all, NULL), *b = NULL, *one = NULL;
    psb_ivect *list = NULL, *two = NULL;
    const psb_lpk end = ROWS;
    const psb_ipk below[] = { 0, -1 };
    GOOD(psb_vect_bld(&list, 2, 1, below, NULL));
    GOOD(psb_vect_new_n(&two, 2, 2, NULL));
    GOOD(psb_vect_new_n(&b, 1, 2, NULL));
    GOOD(psb_vect_new_n(&one, 2, 1, NULL));
    BAD(psb_vect_gthv(x, list, b), PSB_EARG, "argument buf has 1 rows, columns: 2; expected at least 2 rows");
    BAD(psb_vect_gthv(x, list, one), PSB_EARG, "argument buf has 2 rows, columns: 1");
    BAD(psb_vect_gthv(x, two, b), PSB_EARG, "argument idx has 2 columns; expected one");
    BAD(psb_vect_gthv(x, list, x), PSB_EARG, "argument buf is x");
    BAD(psb_vect_gthv(x, NULL, b), PSB_EARG, "argument idx is NULL");
    BAD(psb_vect_sctv(NULL, b, 0, x), PSB_EARG, "argument idx is NULL");
    BAD(X(vect_sctv)(list, NULL, 0, x), PSB_EARG, "argument buf is NULL");
    BAD(X(vect_gthv)(NULL, list, b), PSB_EARG, "argument x is NULL");
    psb_gefree(b);
    b = NULL;
    GOOD(psb_vect_new_n(&b, 2, 2, NULL));
    BAD(psb_vect_gthv(x, list, b), PSB_EARG, "argument idx[1] is -1");
    BAD(psb_getelems(x, 1, &end, all), PSB_EARG, "argument g[0] is 50; expected a row owned here");
    BAD(psb_getelems(x, -1, &end, all), PSB_EARG, "argument n is -1");
    BAD(psb_getelems(x, 1, NULL, all), PSB_EARG, "argument g is NULL");
    BAD(psb_getelems(x, 1, &end, NULL), PSB_EARG, "argument val is NULL");
    BAD(psb_getelems(b, 1, &end, all), PSB_EARG, "argument x is local");
    BAD(psb_setelems(1, &end, all, x, PSB_DUPL_ADD), PSB_EARG, "argument g[0] is 50");
    BAD(psb_setelems(0, &end, all, x, PSB_DUPL_ERROR), PSB_EARG, "argument dupl ");
    psb_gefree(list);
    psb_gefree(two);
}

TEST(wrong_arguments_of_gather_and_scatter)
{
    int last = me == np - 1;
    DESC *d = rows_with_halo(EVEN);
    struct X(vect) *none = NULL;
    VECT *local = NULL, *build = NULL;
    static T all[CELLS];
    random_vector(CELLS, all, 1);
    VECT *x = multivector(d, 2, all, NULL);
    GOOD(psb_vect_new(&local, 3, NULL));
    GOOD(psb_geall(&build, d));
    BAD(psb_scatter(none, all, 0), PSB_EARG, "argument x is NULL");
    BAD(psb_scatter(local, all, 0), PSB_EARG, "argument x is local");
    BAD(psb_scatter(build, all, 0), PSB_ESTATE, "argument x is not assembled");
    BAD(psb_scatter(x, last ? NULL : all, -1), PSB_EARG, "argument all is NULL");
    BAD(psb_scatter(x, last ? NULL : all, np - 1), PSB_EARG, "argument all is NULL");
    BAD(psb_scatter(x, all, last ? np : 0), PSB_EARG, "argument root is");
    BAD(psb_scatter(x, all, last ? -2 : 0), PSB_EARG, "argument root is -2");
    BAD(psb_gather(none, all, 0), PSB_EARG, "argument x is NULL");
    BAD(psb_gather(local, all, 0), PSB_EARG, "argument x is local");
    BAD(psb_gather(x, last ? NULL : all, -1), PSB_EARG, "argument all is NULL");
    BAD(psb_gather(x, all, last ? np : 0), PSB_EARG, "argument root is");
    BAD(psb_gather(x, all, last ? -2 : 0), PSB_EARG, "argument root is -2; expected -1 <= root < ");
    if (np > 1) {
        BAD(psb_gather(x, all, last ? 1 : 0), PSB_EARG, "argument root is 0 on process 0 and 1 on process ");
        BAD(psb_scatter(x, all, last ? -1 : 0), PSB_EARG,
            "argument root is 0 on process 0 and -1 on process ");
    }
    GOOD(psb_scatter(x, all, 0));
    check_exact(x, all, "refused");
}

TEST(gather_and_scatter_fail_on_one_process)
{
    static T got[CELLS];
    const T *all = numbers();
    psb_desc *d = rows_with_halo(UNEVEN);
    int n = 1;
    for (int failed = 1; failed && n < 50; n++) {
        VECT *x = multivector(d, 3, all, &counting_device_vect);
        GOOD(psb_gescal(1, x));
        psb_alloc_fail_at(me == np - 1 ? n : 0);
        counting_device_fails_in = me == np - 1 ? n : 0;
        psb_err e = _i ? psb_scatter(x, all, np - 1) : psb_gather(x, got, -1);
        psb_alloc_fail_at(0);
        counting_device_fails_in = 0;
        failed = collective_count(e != PSB_OK);
        EXPECT(failed == 0 || failed == np);
        GOOD(_i ? psb_scatter(x, all, 0) : psb_gather(x, got, np - 1));
        check_exact(x, all, "afterwards");
    }
    EXPECT(n > 3 && n < 50);
    psb_cdfree(d);
    EXPECT(counting_device_blocks == 0);
}

void add_gathers(TCase *c)
{
    ck_add_loop_tests(c, DISTRIBUTIONS, gather_and_scatter, rows_by_lists);
}

void add_wrong_gathers(TCase *c)
{
    ck_add_tests(c, wrong_arguments_of_gather_and_scatter, wrong_lists);
    ck_add_loop_tests(c, 2, gather_and_scatter_fail_on_one_process);
}
