/* check_others.c -- test: arrays of others: distributed vectors over memory of the caller. */
#include "check_sp.h"
#include <string.h>

/* Memory of n elements where vectors of `mold` are; it poses as the caller's. */
static T *their_memory(const struct psb_vmold *mold, psb_epk n)
{
    const struct psb_device *on = mold->device ? mold->device() : NULL;
    void *p;
    GOOD(on ? on->alloc(&p, (size_t)(n + 1) * sizeof(T), "theirs") : psb_alloc(&p, (size_t)n, sizeof(T), "t"));
    return p;
}

static void free_their_memory(const struct psb_vmold *mold, T *p)
{
    if (mold->device && mold->device())
        mold->device()->free(p);
    else
        psb_free(p);
}

static const struct psb_vmold *const sides[] = { &psb_vect_host, &psb_vect_cuda };

/* y = A x in memory of the caller has the bits of y = A x elsewhere, and is written there.  The memory of the
 * fake device can be read. */
TEST(vectors_over_memory)
{
    for (int s = 0; s < 2; s++) {
        T x[MOST], was[MOST] = { 0 };
        DISTRIBUTED w = sample_on(SPREAD, M, _i, _i);
        const struct X(mat) *mold = s ? X(mat_by_name)("hlg") : &X(csr_mold).mat;
        const psb_ipk nx = psb_cd_local_cols(w.col), rows = psb_cd_local_rows(w.row);
        VECT *vx = NULL, *vy = NULL;
        GOOD(psb_spasb(w.a, mold, PSB_DUPL_ADD));
        random_vector(MOST, x, 3);
        w.x = make_vector(w.col, x, sides[s]);
        w.y = make_vector(w.row, x, sides[s]);
        T *px = their_memory(sides[s], nx), *py = their_memory(sides[s], psb_cd_local_cols(w.row) + 5);
        for (psb_ipk i = 0; i < psb_cd_local_rows(w.col); i++)
            px[i] = x[psb_loc_to_glob(w.col, i)];
        for (psb_ipk i = 0; i < rows; i++)
            py[i] = x[psb_loc_to_glob(w.row, i)];
        GOOD(psb_ge_wrap(&vx, w.col, 1, sides[s], nx, px));
        GOOD(psb_ge_wrap(&vy, w.row, 1, sides[s], psb_cd_local_cols(w.row) + 5, py));
        GOOD(psb_spmv(2, w.a, w.x, -1, w.y, 'N'));
        GOOD(psb_spmv(2, w.a, vx, -1, vy, 'N'));
        GOOD(psb_get_vect(w.y, rows, was));
        EXPECT(memcmp(py, was, (size_t)rows * sizeof *was) == 0);
        GOOD(psb_vect_cnv(vy, sides[!s])); /* leaves the memory, with its values */
        GOOD(psb_vect_zero(vy));
        EXPECT(memcmp(py, was, (size_t)rows * sizeof *was) == 0);
        psb_gefree(vx);
        psb_gefree(vy);
        vx = vy = NULL;
        free_their_memory(sides[s], px);
        free_their_memory(sides[s], py);
    }
}

/* Refused on one process: no process has a vector. */
TEST(refused_memory)
{
    T p[2 * MOST];
    VECT *v = NULL;
    DESC *early = NULL;
    DISTRIBUTED w = sample_on(SPREAD, M, UNEVEN, UNEVEN);
    const psb_ipk n = psb_cd_local_cols(w.col);
    const int bad = me == np - 1;
    BAD(psb_ge_wrap(&v, w.col, 2, NULL, bad ? 2 * n - 1 : 2 * n, p), PSB_EARG, "expected at least");
    BAD(psb_ge_wrap(&v, w.col, 1, NULL, n + 1, bad ? NULL : p), PSB_EARG, "argument memory is NULL");
    BAD(psb_ge_wrap(&v, w.col, bad ? 0 : 1, NULL, n, p), PSB_EARG, "argument k is 0");
    GOOD(alloc_desc(&early, UNEVEN, M));
    BAD(psb_ge_wrap(&v, early, 1, NULL, n, p), PSB_ESTATE, "expected psb_cdasb before psb_ge_wrap");
    psb_ipk i[MOST] = { 0 };
    struct psb_i_vect *vi = NULL;
    BAD(psb_ge_wrap(&vi, w.col, 1, &psb_vect_cuda, n, i), PSB_ENOTIMPL, "has no vectors of integers");
    GOOD(psb_ge_wrap(&vi, w.col, 1, NULL, n, i));
    psb_gefree(vi);
    EXPECT(!v);
}

void others_tests(Suite *s)
{
    TCase *c = collective_tcase(s, "arrays of others");
    ck_add_loop_tests(c, DISTRIBUTIONS, vectors_over_memory);
    ck_add_tests(c, refused_memory);
}
