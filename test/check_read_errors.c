/* check_read_errors.c -- test: malformed files, refused arguments and failed allocations of the calls
 * that read, distribute and write. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "psb_util.h"
#include "check_read.h"

/* With blocks of this size all processes return the error of the reader of one process, with the same message
 * and line. */
static void check_refused_in(psb_epk block, const char *file, psb_lpk m)
{
    struct X(triplets) t = { .nnz = -7 };
    char alone[600];
    DESC *d = NULL;
    psb_err e = X(mm_read)(file, NULL, NULL, &t);
    collective_note(e != PSB_OK, __FILE__, __LINE__, "%s is not refused", file);
    const char *what = strstr(psb_errmsg(), file);
    snprintf(alone, sizeof alone, "%.300s", what ? what : psb_errmsg());
    GOOD(psb_part_blocks(ctxt, m, &d));
    psb_set_read_block(block);
    psb_clean_errstack();
    psb_err f = X(mm_read_all)(file, d, NULL, NULL, &t);
    collective_note(f == e && strstr(psb_errmsg(), alone), __FILE__, __LINE__,
                    "blocks of %d: \"%s\"; expected \"%s\"", (int)block, psb_errmsg(), alone);
    EXPECT(t.nnz == -7);
}

/* The sizes of blocks are used in turn, since many files are read. */
static void check_refused(const char *file, psb_lpk m)
{
    static int turn;
    check_refused_in(block_sizes[turn++ % BLOCKS], file, m);
}

TEST(bad_lines)
{
    static const char *const wrong[] = { "0 1 1",          "1 42 1", "3 2",       "x",
                                         "3 2 1 1 1",      "1e 1 1", "2 1 1e999", "1 41 5",
                                         "41 1 7\n41 2 8", "2 2 3 4" };
    const struct file_kind *k = &file_kinds[_i];
    if (has_complex_values(k) && !CPLX)
        return;
    for (int w = 0; w < 10; w++)
        for (int l = 0; l < entries_stored(k); l += 5) {
            struct X(triplets) t;
            write_input_matrix(k, l, wrong[w]);
            if (X(mm_read)(input_path, NULL, NULL, &t) == PSB_OK) /* valid in this kind of file */
                X(triplets_free)(&t);
            else
                check_refused(input_path, k->array ? ORDER : 41);
            GOOD(psb_barrier(ctxt));
        }
}

TEST(wrong_numbers_of_entries)
{
    static const struct {
        const char *text;
        psb_lpk m;
    } wrong[] = {
        { "coordinate real general\n9 9 4\n1 1 1\n\n2 2 2\n% end\n\n", 9 },
        { "coordinate real general\n9 9 4\n1 1 1\n1 2 1\n1 3 1\n1 4 1\n1 5 1\n1 6 x\n", 9 },
        { "array real general\n3 1\n1\n2\n\n3\n4\n", 3 },
        { "coordinate real general\n9 9 9000000000000000000\n1 1 1\n1 2 1\n", 9 },
    };
    for (int w = 0; w < 4; w++) {
        char text[200];
        snprintf(text, sizeof text, "%%%%MatrixMarket matrix %s", wrong[w].text);
        write_input_text(text);
        check_refused_in(block_sizes[_i], input_path, wrong[w].m);
    }
}

TEST(long_lines)
{
    enum { LONG = (1 << 18) + 400 };
    static char text[LONG + 200];
    int n = sprintf(text, "%%%%MatrixMarket matrix coordinate real general\n41 41 2\n1 1 1\n");
    memset(text + n, '%', LONG);
    write_input_bytes(text, (size_t)n + LONG);
    struct X(triplets) t;
    DESC *d = NULL;
    GOOD(alloc_desc(&d, EVEN, 41));
    for (int b = 2; b < BLOCKS; b++) {
        psb_set_read_block(block_sizes[b] * 64);
        BAD(X(mm_read_all)(input_path, d, NULL, NULL, &t), PSB_EIO, ":4: the line has more than");
    }
}

TEST(published_malformed_files)
{
    char file[2 * PATH], folder[PATH], line[4 * PATH];
    const char *given = getenv("CK_SHARED"), *src = getenv("srcdir");
    snprintf(folder, sizeof folder, "%s%s/matrices/malformed",
             given ? given
             : src ? src
                   : ".",
             given ? "" : "/../shared");
    snprintf(file, sizeof file, "%s/INDEX.tsv", folder);
    FILE *f = fopen(file, "r");
    if (!f) {
        if (me == 0)
            printf("skipped: no %s\n", file);
        return;
    }
    while (fgets(line, sizeof line, f)) {
        char *tab = strchr(line, '\t');
        struct psb_mm_header info = { .m = 5 };
        struct X(triplets) t;
        if (!tab || !strstr(line, ".mtx"))
            continue;
        *tab = '\0';
        snprintf(file, sizeof file, "%s/%.200s", folder, line);
        if (psb_mm_info(file, &info) != PSB_OK || info.m > 1000000)
            info.m = 5;
        if (X(mm_read)(file, NULL, NULL, &t) == PSB_OK)
            X(triplets_free)(&t);
        else
            check_refused(file, info.m);
    }
    fclose(f);
}

TEST(wrong_arguments)
{
    struct X(triplets) t;
    struct X(spmat) *a = NULL;
    struct X(vect) *x = NULL;
    psb_desc *none = NULL;
    DESC *d = NULL, *other = NULL, *ready = NULL;
    psb_set_read_block(1 << 20);
    write_input_matrix(&file_kinds[0], -1, NULL);
    GOOD(alloc_desc(&d, EVEN, 41));
    GOOD(alloc_desc(&ready, EVEN, 41));
    GOOD(psb_cdasb(ready));
    GOOD(alloc_desc(&other, EVEN, 40));
    BAD(X(mm_read_all)(NULL, d, NULL, NULL, &t), PSB_EARG, "path is NULL");
    BAD(X(mm_read_all)(input_path, NULL, NULL, NULL, &t), PSB_EARG, "rows is NULL");
    BAD(X(mm_read_all)(input_path, d, NULL, NULL, NULL), PSB_EARG, "mine is NULL");
    BAD(X(mm_read_all)(input_path, d, NULL, NULL, me == np / 2 ? NULL : &t), PSB_EARG, "mine is NULL");
    BAD(X(mm_read_all)(me == np / 2 ? "no/such.mtx" : input_path, d, NULL, NULL, &t), PSB_EIO,
        "cannot be opened");
    BAD(X(mm_read_all)(input_path, other, NULL, NULL, &t), PSB_EARG, "rows has 40 rows; expected the 41");
    BAD(X(mm_mat_read)(NULL, &d, &d, ctxt, input_path), PSB_EARG, "a is NULL");
    BAD(X(mm_mat_read)(&a, NULL, &d, ctxt, input_path), PSB_EARG, "row is NULL");
    BAD(X(mm_mat_read)(&a, &d, NULL, ctxt, input_path), PSB_EARG, "col is NULL");
    BAD(X(mm_mat_read)(&a, &d, &d, NULL, input_path), PSB_EARG, "ctxt is NULL");
    BAD(X(mm_mat_read)(&a, &d, &d, ctxt, NULL), PSB_EARG, "path is NULL");
    BAD(X(mm_mat_read)(&a, &other, &none, ctxt, input_path), PSB_EARG, "row has 40 rows");
    BAD(X(mm_mat_read)(&a, &none, &other, ctxt, input_path), PSB_EARG, "col has 40 rows");
    BAD(X(mm_mat_read)(&a, &ready, &none, ctxt, input_path), PSB_ESTATE, "row is assembled");
    EXPECT(!none && !a);
    BAD(X(mm_vect_read)(NULL, 1, d, input_path), PSB_EARG, "x is NULL");
    BAD(X(mm_vect_read)(&x, 0, d, input_path), PSB_EARG, "n is 0");
    BAD(X(mm_vect_read)(&x, 1, NULL, input_path), PSB_EARG, "desc is NULL");
    BAD(X(mm_vect_read)(&x, 1, d, NULL), PSB_EARG, "path is NULL");
    BAD(X(mm_vect_read)(&x, 1, d, input_path), PSB_EARG, "41 by 41; expected 41 by 1");
    EXPECT(psb_set_read_block(0) == 1 << 20 && psb_set_read_block((1 << 24) + 1) == 1 << 20);
    EXPECT(psb_set_read_block(-1) == 1 << 20 && psb_set_read_block(1 << 20) == 1 << 20);
}

/* An error on one process is returned on all. */
TEST(wrong_argument_on_one_process)
{
    enum { ROWS = 5, WIDE = 2 };
    int wrong = me == np / 2;
    const char *no = wrong ? NULL : input_path;
    T v[ROWS] = { 1, 2, 3, 4, 5 };
    struct X(spmat) *a = NULL;
    struct X(vect) *x[] = { NULL, NULL }, *y = NULL;
    struct X(triplets) t;
    psb_desc *d = NULL, *given = NULL, *none = NULL;
    write_input_text("%%MatrixMarket matrix coordinate real general\n5 5 1\n1 1 1\n");
    GOOD(alloc_desc(&d, EVEN, ROWS));
    if (np > 1) {
        given = wrong ? d : NULL;
        BAD(X(mm_mat_read)(&a, &none, &given, ctxt, input_path), PSB_EARG, "argument *col is NULL on");
        BAD(X(mm_mat_read)(&a, &given, &none, ctxt, input_path), PSB_EARG, "argument *row is NULL on");
        psb_set_read_block(wrong ? 64 : 1 << 20);
        BAD(X(mm_read_all)(input_path, d, NULL, NULL, &t), PSB_EARG,
            "between 64 and 1048576 on the processes");
        psb_set_read_block(1 << 20);
    }
    BAD(X(mm_read_all)(no, d, NULL, NULL, &t), PSB_EARG, "argument path is NULL; expected the name");
    BAD(X(mm_mat_read)(wrong ? NULL : &a, &none, &none, ctxt, input_path), PSB_EARG,
        "argument a is NULL; exp");
    BAD(X(mm_mat_read)(&a, wrong ? NULL : &none, &none, ctxt, input_path), PSB_EARG,
        "argument row is NULL; exp");
    BAD(X(mm_mat_read)(&a, &none, wrong ? NULL : &none, ctxt, input_path), PSB_EARG,
        "argument col is NULL; exp");
    BAD(X(mm_mat_read)(&a, &none, &none, ctxt, no), PSB_EARG, "argument path is NULL; expected the name");
    BAD(X(hb_mat_read)(me == 0 ? NULL : &a, &none, &none, ctxt, "no/such"), PSB_EARG, "argument a is NULL");
    BAD(X(mm_vect_read)(wrong ? NULL : x, 1, d, input_path), PSB_EARG, "argument x is NULL; expected where");
    BAD(X(mm_vect_read)(x, wrong ? -7 : 1, d, input_path), PSB_EARG,
        "argument n is -7; expected a number of");
    BAD(X(mm_vect_read)(x, 1, d, no), PSB_EARG, "argument path is NULL; expected the name of a file");
    GOOD(psb_cdasb(d));
    for (int k = 0; k < 2; k++) {
        GOOD(X(geall)(&x[k], d));
        GOOD(X(geasb)(x[k], NULL));
    }
    GOOD(X(geall_n)(&y, d, WIDE));
    GOOD(X(geasb)(y, NULL));
    struct X(vect) *hole[] = { x[0], wrong ? NULL : x[1] }, *wide[] = { x[0], wrong ? y : x[1] };
    BAD(X(mm_vect_write)(output_path, x, wrong ? -7 : 2), PSB_EARG, "argument n is -7; expected a number of");
    BAD(X(mm_vect_write)(output_path, hole, 2), PSB_EARG, "argument x[1] is NULL; expected a vector");
    BAD(X(mm_vect_write)(output_path, wide, 2), PSB_EARG, "argument x[1] has 2 columns; expected 1");
    BAD(X(mm_vect_write)(output_path, &y, 1), PSB_EARG, "argument x[0] has 2 columns; expected 1");
    BAD(X(mm_vect_write)(wrong ? NULL : output_path, x, 2), PSB_EARG,
        "argument path is NULL; expected the name");
    if (np > 1)
        BAD(X(mm_vect_write)(output_path, x, wrong ? 1 : 2), PSB_EARG, "expected one value");
    GOOD(X(set_vect)(x[0], psb_cd_local_rows(d), v));
    GOOD(X(mm_vect_write)(output_path, x, 2));
    X(gefree)(x[0]);
    X(gefree)(x[1]);
    X(gefree)(y);
    EXPECT(!a && !none);
    psb_cdfree(d);
}

/* Every call rejects *t of process root, on all processes. */
static void check_refused_on_all(const psb_desc *d, int root, struct X(triplets) *t, const char *words)
{
    struct X(triplets) mine = { .nnz = -7 };
    struct X(spmat) *a = NULL;
    psb_desc *row = NULL, *col = NULL;
    BAD(X(matdist)(d, root, t, &mine), PSB_EARG, words);
    BAD(X(sp_matdist)(&a, &row, &col, ctxt, root, t), PSB_EARG, words);
    EXPECT(mine.nnz == -7 && !a && !row && !col);
}

TEST(wrong_triplets)
{
    int root = np / 2;
    psb_lpk ia[] = { 0, 4, 2 }, far[] = { 0, 99, 2 }, below[] = { 0, 4, -1 }, six[] = { 0, 4, 6 };
    T v[] = { 1, 2, 3 }, x[5] = { 0 }, y[5] = { 0 };
    struct X(triplets) good = { 5, 7, 3, ia, six, v }, mine = { .nnz = -7 };
    struct {
        struct X(triplets) t;
        const char *words;
    } bad[] = { { { -7, 7, 3, ia, six, v }, "->m is -7; expected a number of rows >= 0" },
                { { 5, -7, 3, ia, six, v }, "->n is -7; expected a number of columns >= 0" },
                { { 5, 7, -7, ia, six, v }, "->nnz is -7; expected a number of entries >= 0" },
                { { 5, 7, 3, NULL, six, v }, "->ia is NULL; expected an array of 3 entries" },
                { { 5, 7, 3, ia, NULL, v }, "->ja is NULL; expected an array of 3 entries" },
                { { 5, 7, 3, ia, six, NULL }, "->val is NULL; expected an array of 3 entries" },
                { { 5, 7, 3, far, six, v }, ": entry 1 is at (99, 4), out of range; expected 0 <= row < 5" },
                { { 5, 7, 3, below, six, v }, ": entry 2 is at (-1, 6), out of range; expected 0 <= row" },
                { { 5, 7, 3, ia, below, v }, ": entry 2 is at (2, -1), out of range; expected 0 <= row" },
                { { 5, 6, 3, ia, six, v },
                  ": entry 2 is at (2, 6), out of range; expected 0 <= row < 5, "
                  "0 <= column < 6" } };
    DESC *d = NULL, *r = NULL;
    GOOD(alloc_desc(&d, UNEVEN, 5));
    GOOD(alloc_desc(&r, UNEVEN, 6));
    for (int k = 0; k < (int)(sizeof bad / sizeof *bad); k++) {
        char words[120];
        snprintf(words, sizeof words, "argument all%s", bad[k].words);
        check_refused_on_all(d, root, me == root ? &bad[k].t : &good, words);
        snprintf(words, sizeof words, "argument t%s", bad[k].words);
        BAD(X(redist)(d, me == root ? &bad[k].t : &good), PSB_EARG, words);
    }
    check_refused_on_all(d, root, me == root ? NULL : &good, "argument all is NULL on process");
    check_refused_on_all(d, -1, &good, "argument root is -1; expected a process, 0 <= root <");
    check_refused_on_all(d, np, &good, "argument root is");
    if (np > 1)
        check_refused_on_all(d, me == root, &good, "expected one value");
    BAD(X(redist)(d, me == root ? NULL : &good), PSB_EARG, "argument t is NULL; expected entries");
    BAD(X(redist)(NULL, &good), PSB_EARG, "argument rows is NULL; expected a descriptor");
    BAD(X(redist)(r, &good), PSB_EARG, "argument rows has 6 rows; expected the 5 of argument t");
    BAD(X(matdist)(r, root, &good, &mine), PSB_EARG, "rows has 6 rows; expected the 5 of argument all");
    BAD(X(matdist)(NULL, root, &good, &mine), PSB_EARG, "argument rows is NULL; expected a descriptor");
    BAD(X(matdist)(d, root, &good, me == root ? NULL : &mine), PSB_EARG,
        "argument mine is NULL; expected where to store it");
    BAD(X(vecdist)(d, -1, x, y), PSB_EARG, "argument root is -1; expected a process, 0 <= root <");
    BAD(X(vecdist)(d, np, x, y), PSB_EARG, "argument root is");
    if (np > 1)
        BAD(X(vecdist)(d, me == root, x, y), PSB_EARG, "expected one value");
    int owns = psb_cd_local_rows(d) > 0;
    BAD(X(vecdist)(NULL, root, x, y), PSB_EARG, "argument desc is NULL; expected a descriptor");
    BAD(X(vecdist)(d, root, me == root ? NULL : x, y), PSB_EARG, "argument all is NULL on process");
    BAD(X(vecdist)(d, root, x, owns ? NULL : y), PSB_EARG, "argument mine is NULL; expected an array of");
    GOOD(X(vecdist)(d, root, me == root ? x : NULL, owns ? y : NULL));
    EXPECT(mine.nnz == -7);
}

TEST(write_errors)
{
    SPMAT *a = NULL;
    psb_desc *row = NULL, *col = NULL;
    write_input_matrix(&file_kinds[0], -1, NULL);
    GOOD(X(mm_mat_read)(&a, &row, &col, ctxt, input_path));
    GOOD(psb_cdasb(row));
    GOOD(X(spasb)(a, &X(csr_mold).mat, PSB_DUPL_ADD));
    BAD(X(mm_sp_write)(NULL, a, PSB_MM_GENERAL, NULL), PSB_EARG, "path is NULL");
    BAD(X(mm_sp_write)(output_path, NULL, PSB_MM_GENERAL, NULL), PSB_EARG, "a is NULL");
    BAD(X(mm_sp_write)("no/such.mtx", a, PSB_MM_GENERAL, NULL), PSB_EIO, "no/such.mtx: cannot be written");
    BAD(X(mm_sp_write)(output_path, a, PSB_MM_SYMMETRIC, NULL), PSB_EARG,
        "argument a is not symmetric, because of its entry in row");
    BAD(X(mm_sp_write)(output_path, a, PSB_MM_SKEW, NULL), PSB_EARG, "equal to its negative transpose");
    BAD(X(mm_sp_write)(output_path, a, PSB_MM_HERMITIAN, NULL), PSB_EARG,
        CPLX ? "equal to its conjugate transpose" : "is PSB_MM_HERMITIAN and the matrix is real");
    BAD(X(mm_sp_write)(output_path, a, (enum psb_mm_symmetry)7, NULL), PSB_EARG,
        "argument symmetry is 7; expected 0");
    if (np > 1)
        BAD(X(mm_sp_write)(output_path, a, me ? PSB_MM_SKEW : PSB_MM_GENERAL, NULL), PSB_EARG,
            "argument symmetry is 2 on one process and 0 on another");
    if (access("/dev/full", W_OK) == 0)
        BAD(X(mm_sp_write)("/dev/full", a, PSB_MM_GENERAL, NULL), PSB_EIO, "/dev/full: cannot be written");
    psb_cdfree(row);
}

TEST(too_few_processes)
{
    static const char *const sizes[] = { "90000000000 5", "5 90000000000" }, *const message[] = {
        ": 90000000000 rows on ", ": 90000000000 columns on "
    };
    for (int k = 0; k < 2; k++) {
        struct X(spmat) *a = NULL;
        psb_desc *row = NULL, *col = NULL;
        char text[100], words[PATH];
        snprintf(text, sizeof text, "%%%%MatrixMarket matrix coordinate real general\n%s 0\n", sizes[k]);
        write_input_text(text);
        snprintf(words, sizeof words, "%s%s", input_path, message[k]);
        BAD(X(mm_mat_read)(&a, &row, &col, ctxt, input_path), PSB_EARG, words);
        EXPECT(!a && !row && !col);
    }
}

/* Ones on the diagonal, and one entry more, which is named as the caller counts. */
TEST(entry_that_breaks_symmetry)
{
    static const char message[] = "because of its entry in row 3, column 6; expected a matrix equal to its ";
    SPMAT *a = NULL;
    MAT *all = NULL;
    DESC *d = NULL;
    GOOD(psb_part_blocks(ctxt, 10, &d));
    GOOD(psb_set_index_base(1));
    GOOD(X(spall)(&a, d, 0));
    for (psb_lpk g = 1; g <= 10; g++) {
        const psb_lpk ia[] = { g, 3 }, ja[] = { g, 6 };
        const T val[] = { 1, 7 };
        if (psb_is_owned(d, g))
            GOOD(X(spins)(g == 3 ? 2 : 1, ia, ja, val, a));
    }
    GOOD(psb_cdasb(d));
    GOOD(X(spasb)(a, &X(csr_mold).mat, PSB_DUPL_ADD));
    BAD(X(mm_sp_write)(output_path, a, PSB_MM_SYMMETRIC, NULL), PSB_EARG, message);
    GOOD(psb_set_index_base(0));
    BAD(X(mm_sp_write)(output_path, a, PSB_MM_SYMMETRIC, NULL), PSB_EARG, "entry in row 2, column 5; exp");
    GOOD(X(spgather)(a, &X(csr_mold).mat, &all, -1));
    BAD(X(mm_mat_write)(output_path, all, PSB_MM_SYMMETRIC, NULL), PSB_EARG, "entry in row 2, column 5; exp");
}

/* Allocations fail on one process: all fail, until an n larger than the number of allocations. */
TEST(allocation_fails_on_one_process)
{
    int who = np / 2, more = 1;
    DESC *d = NULL;
    psb_set_read_block(64);
    write_input_matrix(&file_kinds[_i ? 6 : 3], -1, NULL);
    GOOD(alloc_desc(&d, _i == 1 ? SHUFFLED : EVEN, _i ? ORDER : 41));
    for (int n = 1; more && n < 500; n++) {
        struct X(triplets) t = { .nnz = -7 };
        psb_alloc_fail_at(me == who ? n : 0);
        psb_err e = X(mm_read_all)(input_path, d, NULL, NULL, &t);
        psb_alloc_fail_at(0);
        EXPECT(e == PSB_OK || (e == PSB_ENOMEM && t.nnz == -7));
        int failed = collective_count(e != PSB_OK);
        EXPECT(failed == 0 || failed == np);
        more = failed > 0;
        if (e == PSB_OK)
            X(triplets_free)(&t);
    }
    EXPECT(!more);
}

void add_read_errors(Suite *s)
{
    TCase *c = collective_tcase(s, "errors");
    ck_add_loop_tests(c, KINDS, bad_lines);
    ck_add_loop_tests(c, BLOCKS, wrong_numbers_of_entries);
    ck_add_tests(c, long_lines, published_malformed_files, wrong_arguments, wrong_argument_on_one_process,
                 wrong_triplets, write_errors, entry_that_breaks_symmetry, too_few_processes);
    ck_add_loop_tests(c, 3, allocation_fails_on_one_process);
}
