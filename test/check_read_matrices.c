/* check_read_matrices.c -- test: distributed matrices and vectors read, distributed from one process,
 * and written. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "psb_util.h"
#include "check_read.h"

/* Check that the file `written` begins with the bytes `magic` and holds the matrix of the file `input_path`.
 */
static void check_files(const char *written, const char *magic)
{
    T *want = NULL, *got = NULL;
    psb_lpk m, n, p, q;
    char first[8] = "";
    FILE *f = fopen(written, "rb");
    EXPECT(f && fread(first, 1, strlen(magic), f) == strlen(magic) && strcmp(first, magic) == 0);
    if (f)
        fclose(f);
    GOOD(X(mm_read_array)(input_path, &m, &n, &want));
    GOOD(X(mm_read_array)(written, &p, &q, &got));
    EXPECT(m == p && n == q);
    for (psb_lpk k = 0; k < m * n && m == p && n == q; k++)
        EXPECT(same_value(want[k], got[k]));
    psb_free(want);
    psb_free(got);
    GOOD(psb_barrier(ctxt));
}

void check_against_file(struct X(spmat) *a)
{
    GOOD(X(mm_sp_write)(output_path, a, PSB_MM_GENERAL, "two\nlines"));
    GOOD(psb_barrier(ctxt));
    check_files(output_path, "%%Matr");
}

static enum psb_mm_symmetry symmetry_of(const struct file_kind *k)
{
    return strstr(k->banner, "skew")        ? PSB_MM_SKEW
           : strstr(k->banner, "symmetric") ? PSB_MM_SYMMETRIC
           : strstr(k->banner, "hermitian") ? PSB_MM_HERMITIAN
                                            : PSB_MM_GENERAL;
}

/* The same with half of the entries of a symmetric matrix, and packed. */
static void check_packed(struct X(spmat) *a, enum psb_mm_symmetry symmetry)
{
    static const char *const endings[] = { "", ".gz", ".xz" }, *const magic[] = { "%%Matr", "\x1f\x8b",
                                                                                  "\xfd\x37zXZ" };
    for (int i = 0; i < 3; i++) {
        char name[NAME + 4];
        struct psb_mm_header info = { 0 };
        snprintf(name, sizeof name, "%s%s", output_path, endings[i]);
        psb_err e = X(mm_sp_write)(name, a, symmetry, "a title");
        if (e == PSB_ENOTIMPL && strstr(psb_errmsg(), "and this build lacks"))
            continue;
        GOOD(e);
        GOOD(psb_barrier(ctxt));
        check_files(name, magic[i]);
        GOOD(psb_mm_info(name, &info));
        EXPECT(info.symmetry == symmetry && !info.array);
        GOOD(psb_barrier(ctxt));
        if (me == 0 && i > 0)
            unlink(name);
    }
}

TEST(assembled_matrices)
{
    for (int k = 0; k < KINDS; k++) {
        SPMAT *a = NULL;
        psb_desc *row = NULL, *col = NULL;
        if (has_complex_values(&file_kinds[k]) && !CPLX)
            continue;
        psb_set_read_block(block_sizes[k % BLOCKS]);
        write_input_matrix(&file_kinds[k], -1, NULL);
        if (_i < DISTRIBUTIONS)
            GOOD(alloc_desc(&row, (enum distribution)_i, file_kinds[k].array ? ORDER : 41));
        GOOD(X(mm_mat_read)(&a, &row, &col, ctxt, input_path));
        EXPECT(row && col == row);
        BAD(X(mm_sp_write)(output_path, a, PSB_MM_GENERAL, NULL), PSB_ESTATE, "not assembled");
        GOOD(psb_cdasb(row));
        GOOD(X(spasb)(a, X(mat_format)(k % 3), PSB_DUPL_ADD));
        check_against_file(a);
        check_packed(a, symmetry_of(&file_kinds[k]));
        psb_cdfree(row);
    }
}

/* Each row of a replicated matrix is written once; a file is not read into one by several processes. */
TEST(replicated)
{
    psb_lpk ia[] = { 0, 2, 4 }, ja[] = { 1, 2, 0 };
    T val[] = { 1, 2, 3 };
    const struct X(triplets) all = { .m = 5, .n = 5, .nnz = 3, .ia = ia, .ja = ja, .val = val };
    struct X(triplets) mine = all;
    SPMAT *a = NULL;
    struct X(vect) *x[1] = { NULL };
    psb_desc *d = NULL, *col = NULL;
    write_input_text("%%MatrixMarket matrix array real general\n5 1\n1\n2\n3\n4\n5\n");
    GOOD(psb_cdall_repl(&d, ctxt, 5));
    if (np > 1) {
        BAD(X(mm_vect_read)(x, 1, d, input_path), PSB_ENOTIMPL, "expected one owner a row");
        BAD(X(redist)(d, &mine), PSB_ENOTIMPL, "expected one owner a row");
    }
    write_input_text("%%MatrixMarket matrix coordinate real general\n5 5 3\n1 2 1\n3 3 2\n5 1 3\n");
    if (np > 1)
        BAD(X(mm_mat_read)(&a, &d, &col, ctxt, input_path), PSB_ENOTIMPL, "expected one owner a row");
    GOOD(X(sp_matdist)(&a, &d, &col, ctxt, 0, &all));
    GOOD(psb_cdasb(d));
    GOOD(X(spasb)(a, &X(csr_mold).mat, PSB_DUPL_ADD));
    check_against_file(a);
    psb_cdfree(d);
}

TEST(vectors)
{
    enum { COLUMNS = 3 };
    struct X(vect) *x[COLUMNS] = { NULL }, *y[1] = { NULL };
    psb_desc *d = NULL, *e = NULL;
    T *all = NULL;
    psb_lpk m, n;
    psb_set_read_block(40);
    write_input_text("%%MatrixMarket matrix array real general\n5 "
                     "3\n1\n2\n-0\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n1e-40\n.1\n");
    GOOD(alloc_desc(&d, (enum distribution)_i, 5));
    GOOD(alloc_desc(&e, (enum distribution)_i, 5));
    BAD(X(mm_vect_read)(x, 2, d, input_path), PSB_EARG, "5 by 3; expected 5 by 2");
    GOOD(X(mm_vect_read)(x, COLUMNS, d, input_path));
    BAD(X(mm_vect_write)(output_path, x, COLUMNS), PSB_ESTATE, "x[0] is not assembled");
    GOOD(psb_cdasb(d));
    GOOD(psb_cdasb(e));
    for (int k = 0; k < COLUMNS; k++)
        GOOD(X(geasb)(x[k], NULL));
    GOOD(X(mm_vect_write)(output_path, x, COLUMNS));
    GOOD(X(geall)(&y[0], e));
    GOOD(X(geasb)(y[0], NULL));
    struct X(vect) *two[] = { x[0], y[0] }, *hole[] = { x[0], NULL };
    BAD(X(mm_vect_write)(output_path, two, 2), PSB_EARG, "x[1] lies on another");
    BAD(X(mm_vect_write)(output_path, hole, 2), PSB_EARG, "x[1] is NULL");
    BAD(X(mm_vect_write)(output_path, NULL, 2), PSB_EARG, "x is NULL");
    BAD(X(mm_vect_write)(output_path, x, 0), PSB_EARG, "n is 0");
    BAD(X(mm_vect_write)(NULL, x, 1), PSB_EARG, "path is NULL");
    BAD(X(mm_vect_write)("no/such.mtx", x, 1), PSB_EIO, "no/such.mtx");
    GOOD(psb_barrier(ctxt));
    GOOD(X(mm_read_array)(output_path, &m, &n, &all));
    EXPECT(m == 5 && n == 3);
    for (int k = 0; k < 13 && all; k++)
        EXPECT(k == 2 ? RE(all[k]) == 0 && signbit(RE(all[k])) : all[k] == (R)(k + 1));
    EXPECT(all && all[13] == (R)1e-40 && all[14] == (sizeof(R) == 4 ? (R)0.1f : (R)0.1));
    psb_free(all);
    for (int k = 0; k < COLUMNS; k++)
        X(gefree)(x[k]);
    X(gefree)(y[0]);
    psb_cdfree(d);
    psb_cdfree(e);
    GOOD(psb_barrier(ctxt));
    write_input_text("%%MatrixMarket matrix coordinate real general\n5 1 3\n2 1 1\n5 1 4\n2 1 2\n");
    GOOD(alloc_desc(&d, (enum distribution)_i, 5));
    GOOD(X(mm_vect_read)(x, 1, d, input_path));
    GOOD(psb_cdasb(d));
    GOOD(X(geasb)(x[0], NULL));
    T got[5] = { 0 };
    GOOD(X(gather)(x[0], got, -1));
    EXPECT(got[0] == 0 && got[1] == 3 && got[2] == 0 && got[3] == 0 && got[4] == 4);
    X(gefree)(x[0]);
    psb_cdfree(d);
}

TEST(distribution_from_one_process)
{
    TRIPLETS all = { .m = 0 }, mine = { .m = 0 };
    struct X(spmat) *a = NULL;
    psb_desc *row = NULL, *col = NULL, *d = NULL;
    int root = np - 1;
    write_input_matrix(&file_kinds[3], -1, NULL);
    GOOD(X(mm_read)(input_path, NULL, NULL, &all));
    if (_i < DISTRIBUTIONS)
        GOOD(alloc_desc(&row, (enum distribution)_i, 41));
    GOOD(X(sp_matdist)(&a, &row, &col, ctxt, root, me == root ? &all : NULL));
    EXPECT(col == row);
    GOOD(psb_cdasb(row));
    GOOD(X(spasb)(a, &X(csr_mold).mat, PSB_DUPL_ADD));
    check_against_file(a);
    X(spfree)(a);
    psb_cdfree(row);
    row = col = NULL;
    a = NULL;
    BAD(X(sp_matdist)(NULL, &row, &col, ctxt, 0, &all), PSB_EARG, "a is NULL");
    BAD(X(sp_matdist)(&a, NULL, &col, ctxt, 0, &all), PSB_EARG, "row is NULL");
    BAD(X(sp_matdist)(&a, &row, NULL, ctxt, 0, &all), PSB_EARG, "col is NULL");
    BAD(X(sp_matdist)(&a, &row, &col, NULL, 0, &all), PSB_EARG, "ctxt is NULL");
    BAD(X(sp_matdist)(&a, &row, &col, ctxt, np, &all), PSB_EARG, "root is");
    BAD(X(sp_matdist)(&a, &row, &col, ctxt, 0, NULL), PSB_EARG, "all is NULL on process 0");
    EXPECT(!a && !row && !col);
    /* each process inserts some of the entries */
    enum distribution distribution = (enum distribution)(_i % DISTRIBUTIONS);
    GOOD(alloc_desc(&d, distribution, 41));
    psb_epk from = all.nnz * me / np, to = all.nnz * (me + 1) / np;
    mine.m = mine.n = 41;
    GOOD(psb_alloc(&mine.ia, (size_t)(to - from), sizeof *mine.ia, "test"));
    GOOD(psb_alloc(&mine.ja, (size_t)(to - from), sizeof *mine.ja, "test"));
    GOOD(psb_alloc(&mine.val, (size_t)(to - from), sizeof *mine.val, "test"));
    for (psb_epk k = from; k < to; k++, mine.nnz++) {
        mine.ia[mine.nnz] = all.ia[k];
        mine.ja[mine.nnz] = all.ja[k];
        mine.val[mine.nnz] = all.val[k];
    }
    BAD(X(redist)(NULL, &mine), PSB_EARG, "rows is NULL");
    BAD(X(redist)(d, NULL), PSB_EARG, "t is NULL");
    mine.m = 40;
    BAD(X(redist)(d, &mine), PSB_EARG, "rows has 41 rows; expected the 40");
    mine.m = 41;
    GOOD(X(redist)(d, &mine));
    check_owned_rows(&all, &mine, d);
    mine.ia[0] = mine.nnz ? 41 : 0;
    if (collective_count(mine.nnz > 0) > 0)
        BAD(X(redist)(d, &mine), PSB_EARG, "out of range");
    psb_cdfree(d);
}

TEST(harwell_boeing)
{
    char rua[PATH], mtx[PATH];
    const char *src = getenv("srcdir");
    SPMAT *a = NULL;
    DESC *row = NULL, *col = NULL;
    PSB_HEAP T *want = NULL, *got = NULL;
    psb_lpk m, n;
    snprintf(rua, sizeof rua, "%s/test/data/random.rua", src ? src : ".");
    snprintf(mtx, sizeof mtx, "%s/test/data/random.mtx", src ? src : ".");
    BAD(X(hb_mat_read)(&a, &row, &col, ctxt, "no/such.rua"), PSB_EIO, "no/such.rua");
    BAD(X(hb_mat_read)(&a, &row, &col, ctxt, NULL), PSB_EARG, "path is NULL");
    BAD(X(hb_mat_read)(&a, &row, &col, NULL, rua), PSB_EARG, "ctxt is NULL");
    BAD(X(hb_mat_read)(NULL, &row, &col, ctxt, rua), PSB_EARG, "a is NULL");
    BAD(X(hb_mat_read)(&a, NULL, &col, ctxt, rua), PSB_EARG, "row is NULL");
    BAD(X(hb_mat_read)(&a, &row, NULL, ctxt, rua), PSB_EARG, "col is NULL");
    GOOD(X(hb_mat_read)(&a, &row, &col, ctxt, rua));
    EXPECT(row != col && psb_cd_global_rows(row) == 23 && psb_cd_global_rows(col) == 17);
    GOOD(psb_cdasb(row));
    GOOD(psb_cdasb(col));
    GOOD(X(spasb)(a, &X(csr_mold).mat, PSB_DUPL_ERROR));
    GOOD(X(mm_sp_write)(output_path, a, PSB_MM_GENERAL, NULL));
    GOOD(psb_barrier(ctxt));
    GOOD(X(mm_read_array)(mtx, &m, &n, &want));
    GOOD(X(mm_read_array)(output_path, &m, &n, &got));
    for (psb_lpk k = 0; k < m * n && want && got; k++)
        EXPECT(want[k] == got[k]);
}

void add_read_matrices(TCase *c)
{
    ck_add_loop_tests(c, DISTRIBUTIONS + 1, assembled_matrices);
    ck_add_tests(c, replicated);
    ck_add_loop_tests(c, DISTRIBUTIONS, vectors);
    ck_add_loop_tests(c, DISTRIBUTIONS + 1, distribution_from_one_process);
    ck_add_tests(c, harwell_boeing);
}
