/* check_read_front.c -- test: reading, writing, distribution and generation by the calls without type
 * letters. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include "psb_util.h"
#include "check_read.h"

/* Reading, writing and generating on one process. */
static void untyped_calls_of_one_process(const char *mine, const char *rua)
{
    struct X(triplets) t = { .m = 0 }, u = { .m = 0 };
    const struct X(triplets) *read_only = &t;
    COO *s = sample(SPREAD, 9, 7);
    psb_lpk m = 0, n = 0;
    T x[] = { 1, 2, 3, 4, 5, 6 }, *val = NULL;
    GOOD(psb_hb_read(rua, &t));
    GOOD(psb_mm_write(mine, read_only, CPLX ? PSB_MM_COMPLEX : PSB_MM_REAL, NULL));
    GOOD(psb_mm_read(mine, NULL, NULL, &u));
    EXPECT(t.m == 23 && u.m == 23 && u.n == 17 && u.nnz == t.nnz && same_value(u.val[3], t.val[3]));
    psb_triplets_free(&t);
    psb_triplets_free(&u);
    BAD(psb_hb_read_rhs(rua, 'F', &m, &n, &val), PSB_EARG, "no full right-hand sides");
    GOOD(psb_mm_write_array(mine, 2, 3, (const T *)x));
    GOOD(psb_mm_read_array(mine, &m, &n, &val));
    EXPECT(m == 2 && n == 3 && val[5] == 6);
    psb_free(val);
    GOOD(psb_mm_mat_write(mine, &s->mat, PSB_MM_GENERAL, NULL));
    GOOD(psb_mm_read(mine, NULL, NULL, &t));
    EXPECT(t.m == 9 && t.n == 7 && t.nnz == s->mat.nnz);
    psb_triplets_free(&t);
}

static void front_of_generators(void)
{
    struct psb_gen g;
    struct psb_pde p = { .dims = 2, .nx = 3, .ny = 2, .nz = 1 };
    TRIPLETS t = { .m = 0 }, u = { .m = 0 };
    DESC *d = NULL;
    T rhs[6];
    GOOD(psb_part_blocks(ctxt, 6, &d));
    GOOD(psb_gen_parse("pde2d:3,2", &g));
    GOOD(psb_generate(&g, d, NULL, NULL, &t));
    GOOD(psb_gen_pde(&p, d, &u, rhs));
    GOOD(psb_redist(d, &u));
    EXPECT(t.m == 6 && t.nnz == u.nnz);
    for (psb_epk k = 0; k < t.nnz && k < u.nnz; k++)
        EXPECT(t.ja[k] == u.ja[k] && same_value(t.val[k], u.val[k]));
}

/* Distribution from process 0, and reading by all. */
static void untyped_calls_of_all(const char *rua)
{
    struct X(triplets) all = { .m = 0 }, mine = { .m = 0 }, read = { .m = 0 };
    struct X(spmat) *a[3] = { NULL };
    psb_desc *d = NULL, *row[3] = { NULL }, *col[3] = { NULL };
    VECT *x = NULL;
    T v[41], mine_v[41];
    write_input_matrix(&file_kinds[0], -1, NULL);
    GOOD(psb_mm_read(input_path, NULL, NULL, &all));
    GOOD(psb_part_blocks(ctxt, 41, &d));
    GOOD(psb_mm_read_all(input_path, d, NULL, NULL, &read));
    GOOD(psb_matdist(d, 0, &all, &mine));
    check_owned_rows(&all, &mine, d);
    check_owned_rows(&all, &read, d);
    GOOD(psb_mm_mat_read(&a[0], &row[0], &col[0], ctxt, input_path));
    GOOD(psb_sp_matdist(&a[1], &row[1], &col[1], ctxt, 0, &all));
    GOOD(psb_hb_mat_read(&a[2], &row[2], &col[2], ctxt, rua));
    for (int k = 0; k < 3; k++) {
        psb_lpk m = k < 2 ? 41 : 23;
        GOOD(psb_cdasb(row[k]));
        if (col[k] != row[k])
            GOOD(psb_cdasb(col[k]));
        GOOD(psb_spasb(a[k], &X(csr_mold).mat, PSB_DUPL_ADD));
        EXPECT(psb_cd_global_rows(row[k]) == m);
        if (k < 2)
            check_against_file(a[k]);
        GOOD(psb_mm_sp_write(output_path, a[k], PSB_MM_GENERAL, NULL));
        GOOD(psb_barrier(ctxt));
        psb_spfree(a[k]);
        if (col[k] != row[k])
            psb_cdfree(col[k]);
        psb_cdfree(row[k]);
    }
    for (int k = 0; k < 41; k++)
        v[k] = (R)k;
    GOOD(psb_vecdist(d, 0, v, mine_v));
    for (psb_ipk l = 0; l < psb_cd_local_rows(d); l++)
        EXPECT(mine_v[l] == (R)psb_loc_to_glob(d, l));
    psb_triplets_free(&all);
    psb_triplets_free(&mine);
    psb_triplets_free(&read);
    psb_cdfree(d);
    write_input_text("%%MatrixMarket matrix array real general\n5 1\n1\n2\n3\n4\n5\n");
    d = NULL;
    GOOD(psb_part_blocks(ctxt, 5, &d));
    GOOD(psb_mm_vect_read(&x, 1, d, input_path));
    GOOD(psb_cdasb(d));
    GOOD(psb_geasb(x, NULL));
    GOOD(psb_mm_vect_write(output_path, &x, 1));
    GOOD(psb_gather(x, v, -1));
    EXPECT(v[0] == 1 && v[4] == 5);
    psb_cdfree(d);
}

TEST(untyped_calls)
{
    char mine[2 * NAME], rua[PATH];
    const char *src = getenv("srcdir");
    snprintf(mine, sizeof mine, "%s-%d", input_path, me);
    snprintf(rua, sizeof rua, "%s/test/data/random.rua", src ? src : ".");
    untyped_calls_of_one_process(mine, rua);
    front_of_generators();
    untyped_calls_of_all(rua);
    unlink(mine);
}

void add_untyped_reading(TCase *c)
{
    ck_add_tests(c, untyped_calls);
}
