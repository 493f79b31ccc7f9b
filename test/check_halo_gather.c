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
    ck_add_loop_tests(c, DISTRIBUTIONS, gather_and_scatter);
}

void add_wrong_gathers(TCase *c)
{
    ck_add_tests(c, wrong_arguments_of_gather_and_scatter);
    ck_add_loop_tests(c, 2, gather_and_scatter_fail_on_one_process);
}
