/* check_read.c -- room: test.  Matrices read, distributed and written by all processes; results must be those
 * of the reader of one process. */
#include "suites.h"
#include "config.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "psb_alloc.h"
#include "psb_cuda.h"
#include "psb_util.h"
#include "distributed.h"
#ifdef HAVE_ZLIB
#include <zlib.h>
#endif

enum { PATH = 4096, LINES = 30, TEXT = 1 << 14, NAME = 64 };

static char path[NAME] = "check_read_XXXXXX", second[NAME]; /* the same on all processes */
static const psb_epk blocks[] = { 1, 13, 64, 300, 1 << 20 };
enum { BLOCKS = sizeof blocks / sizeof *blocks };

/* Process 0 writes the file; the barriers separate it from reads before and after. */
static void write_bytes(const char *bytes, size_t n)
{
    GOOD(psb_barrier(ctxt));
    if (me == 0) {
        FILE *f = fopen(path, "wb");
        EXPECT(f && fwrite(bytes, 1, n, f) == n && fclose(f) == 0);
    }
    GOOD(psb_barrier(ctxt));
}

static void put_text(const char *text)
{
    write_bytes(text, strlen(text));
}

static int same(T a, T b)
{
    return memcmp(&a, &b, sizeof a) == 0 || a == b || (isnan(RE(a)) && isnan(RE(b)));
}

/* --- files --- */

/* The properties of a file. */
static const struct kind {
    const char *banner, *eol;
    int symmetric, values, array; /* number of values after the indices */
} kinds[] = {
    { "coordinate real general", "\n", 0, 1, 0 },
    { "coordinate real general", "\r\n", 0, 1, 0 },
    { "coordinate integer symmetric", "\r", 1, 1, 0 },
    { "coordinate real skew-symmetric", "\n", 2, 1, 0 },
    { "coordinate pattern symmetric", "\r\n", 1, 0, 0 },
    { "coordinate complex hermitian", "\n", 2, 2, 0 },
    { "array real general", "\n", 0, 1, 1 },
    { "array complex hermitian", "\r\n", 0, 2, 1 },
    { "array real skew-symmetric", "\n", 0, 1, 1 },
    { "array integer symmetric", "\r", 0, 1, 1 },
};
enum { KINDS = sizeof kinds / sizeof *kinds, ORDER = 6 };

static int is_complex(const struct kind *k)
{
    return k->values == 2;
}

static int stored(const struct kind *k)
{
    if (!k->array)
        return LINES;
    return strstr(k->banner, "general") ? 36 : strstr(k->banner, "skew") ? 15 : 21;
}

/* Indices in the stored triangle, off the diagonal if the matrix is skew-symmetric or Hermitian. */
static void indices(const struct kind *k, struct rng *r, int *i, int *j)
{
    int n = k->array ? ORDER : 41;
    *i = rng_below(r, n);
    *j = rng_below(r, n);
    if (k->symmetric && *i < *j) {
        int l = *i;
        *i = *j;
        *j = l;
    }
    if (k->symmetric == 2 && *i == *j)
        *i = *j < n - 1 ? n - 1 : (*j = 0, n - 1);
}

/* Write the file; `text` replaces line `wrong` of the entries, if there is such a line. */
static void write_file(const struct kind *k, int wrong, const char *text)
{
    static char buf[TEXT];
    struct rng r = { 17 };
    char *p = buf;
    p += sprintf(p, "%%%%MatrixMarket matrix %s%s%% a comment%s", k->banner, k->eol, k->eol);
    p += k->array ? sprintf(p, "%d %d%s", ORDER, ORDER, k->eol) : sprintf(p, "41 41 %d%s", LINES, k->eol);
    for (int l = 0, n = stored(k); l < n; l++) {
        int i, j,
            diagonal = k->array && strstr(k->banner, "hermitian") &&
                       (l == 0 || l == 6 || l == 11 || l == 15 || l == 18 || l == 20);
        indices(k, &r, &i, &j);
        if (l % 7 == 3)
            p += sprintf(p, "%s%% %*s%s", k->eol, rng_below(&r, 40), "", k->eol);
        if (l == wrong) {
            p += sprintf(p, "%s%s", text, k->eol);
            continue;
        }
        if (!k->array)
            p += sprintf(p, "%d %d", i + 1, j + 1);
        for (int v = 0; v < k->values; v++)
            p += sprintf(p, " %d", diagonal && v ? 0 : rng_below(&r, 999) - 499);
        p += sprintf(p, "%s", l == n - 1 ? "" : k->eol);
    }
    put_text(buf);
}

/* --- reading --- */

/* `mine` has the entries of `all` in rows owned by this process, in the same order. */
static void check_owned_rows(const struct X(triplets) *all, const struct X(triplets) *mine, const psb_desc *d)
{
    psb_epk n = 0;
    EXPECT(mine->m == all->m && mine->n == all->n);
    for (psb_epk k = 0; k < all->nnz; k++) {
        if (!psb_is_owned(d, all->ia[k]))
            continue;
        EXPECT(n < mine->nnz && mine->ia[n] == all->ia[k] && mine->ja[n] == all->ja[k] &&
               same(mine->val[n], all->val[k]));
        n += n < mine->nnz;
    }
    EXPECT(n == mine->nnz);
}

static void read_distributed_matrix(const struct X(triplets) *all, enum distribution distribution)
{
    struct X(triplets) mine = { .nnz = -7 };
    psb_desc *d = NULL;
    GOOD(alloc_desc(&d, distribution, (psb_ipk)all->m));
    for (int b = 0; b < BLOCKS; b++) {
        psb_set_read_block(blocks[b]);
        GOOD(X(mm_read_all)(path, d, NULL, NULL, &mine));
        check_owned_rows(all, &mine, d);
        X(triplets_free)(&mine);
    }
    psb_cdfree(d);
}

START_TEST(rows_of_each_process)
    {
        for (int k = 0; k < KINDS; k++) {
            struct X(triplets) all = { .m = 0 };
            if (is_complex(&kinds[k]) && !CPLX)
                continue;
            write_file(&kinds[k], -1, NULL);
            GOOD(X(mm_read)(path, NULL, NULL, &all));
            read_distributed_matrix(&all, (enum distribution)_i);
            X(triplets_free)(&all);
        }
    }
END_TEST

START_TEST(empty_matrices)
    {
        static const char *const none[] = { "%%MatrixMarket matrix coordinate real general\n0 0 0\n",
                                            "%%MatrixMarket matrix coordinate real general\n5 3 0",
                                            "%%MatrixMarket matrix array real general\n0 3\n\n%\n" };
        for (int k = 0; k < 3; k++)
            for (int b = 0; b < BLOCKS; b++) {
                struct X(spmat) *a = NULL;
                psb_desc *row = NULL, *col = NULL;
                psb_set_read_block(blocks[b]);
                put_text(none[k]);
                GOOD(X(mm_mat_read)(&a, &row, &col, ctxt, path));
                EXPECT(a && X(sp_nnz)(a) == 0 && psb_cd_global_rows(row) == (k == 1 ? 5 : 0));
                X(spfree)(a);
                if (col != row)
                    psb_cdfree(col);
                psb_cdfree(row);
                GOOD(psb_barrier(ctxt));
            }
    }
END_TEST

struct heard {
    int calls;
    double last;
};

static void record_progress(void *arg, double fraction)
{
    struct heard *h = arg;
    EXPECT(fraction >= h->last && fraction <= 1);
    h->calls++;
    h->last = fraction;
}

START_TEST(progress)
    {
        struct heard h = { 0 };
        struct X(triplets) mine = { .m = 0 };
        psb_desc *d = NULL;
        write_file(&kinds[0], -1, NULL);
        GOOD(alloc_desc(&d, EVEN, 41));
        GOOD(X(mm_read_all)(path, d, record_progress, &h, &mine));
        EXPECT(h.calls >= 1 && h.last == 1);
        X(triplets_free)(&mine);
        psb_cdfree(d);
    }
END_TEST

#ifdef HAVE_ZLIB
START_TEST(compressed_files)
    {
        struct X(triplets) all = { .m = 0 };
        static char text[TEXT];
        write_file(&kinds[1], -1, NULL);
        if (me == 0) {
            FILE *f = fopen(path, "rb");
            size_t n = f ? fread(text, 1, sizeof text, f) : 0;
            EXPECT(f && fclose(f) == 0);
            gzFile z = gzopen(path, "wb");
            EXPECT(z && gzwrite(z, text, (unsigned)n) == (int)n && gzclose(z) == Z_OK);
        }
        GOOD(psb_barrier(ctxt));
        GOOD(X(mm_read)(path, NULL, NULL, &all));
        read_distributed_matrix(&all, (enum distribution)_i);
        X(triplets_free)(&all);
        GOOD(psb_barrier(ctxt));
        EXPECT(me > 0 || truncate(path, 150) == 0);
        GOOD(psb_barrier(ctxt));
        psb_desc *d = NULL;
        GOOD(alloc_desc(&d, EVEN, 41));
        BAD(X(mm_read_all)(path, d, NULL, NULL, &all), PSB_EIO, "gzip data are cut short");
        psb_cdfree(d);
    }
END_TEST
#endif

/* --- errors --- */

/* With blocks of this size all processes return the error of the reader of one process, with the same message
 * and line. */
static void check_refused_in(psb_epk block, const char *file, psb_lpk m)
{
    struct X(triplets) t = { .nnz = -7 };
    char alone[600];
    psb_desc *d = NULL;
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
    psb_cdfree(d);
}

/* The sizes of blocks are used in turn, since many files are read. */
static void check_refused(const char *file, psb_lpk m)
{
    static int turn;
    check_refused_in(blocks[turn++ % BLOCKS], file, m);
}

START_TEST(bad_lines)
    {
        static const char *const wrong[] = { "0 1 1",          "1 42 1", "3 2",       "x",
                                             "3 2 1 1 1",      "1e 1 1", "2 1 1e999", "1 41 5",
                                             "41 1 7\n41 2 8", "2 2 3 4" };
        const struct kind *k = &kinds[_i];
        if (is_complex(k) && !CPLX)
            return;
        for (int w = 0; w < 10; w++)
            for (int l = 0; l < stored(k); l += 5) {
                struct X(triplets) t;
                write_file(k, l, wrong[w]);
                if (X(mm_read)(path, NULL, NULL, &t) == PSB_OK) /* valid in this kind of file */
                    X(triplets_free)(&t);
                else
                    check_refused(path, k->array ? ORDER : 41);
                GOOD(psb_barrier(ctxt));
            }
    }
END_TEST

START_TEST(wrong_numbers_of_entries)
    {
        put_text("%%MatrixMarket matrix coordinate real general\n9 9 4\n1 1 1\n\n2 2 2\n% end\n\n");
        check_refused_in(blocks[_i], path, 9);
        GOOD(psb_barrier(ctxt));
        put_text("%%MatrixMarket matrix coordinate real general\n9 9 4\n1 1 1\n1 2 1\n1 3 1\n1 4 1\n1 5 1\n1 "
                 "6 x\n");
        check_refused_in(blocks[_i], path, 9);
        GOOD(psb_barrier(ctxt));
        put_text("%%MatrixMarket matrix array real general\n3 1\n1\n2\n\n3\n4\n");
        check_refused_in(blocks[_i], path, 3);
        GOOD(psb_barrier(ctxt));
        put_text("%%MatrixMarket matrix coordinate real general\n9 9 9000000000000000000\n1 1 1\n1 2 1\n");
        check_refused_in(blocks[_i], path, 9);
    }
END_TEST

START_TEST(long_lines)
    {
        enum { LONG = (1 << 18) + 400 };
        static char text[LONG + 200];
        int n = sprintf(text, "%%%%MatrixMarket matrix coordinate real general\n41 41 2\n1 1 1\n");
        memset(text + n, '%', LONG);
        write_bytes(text, (size_t)n + LONG);
        struct X(triplets) t;
        psb_desc *d = NULL;
        GOOD(alloc_desc(&d, EVEN, 41));
        for (int b = 2; b < BLOCKS; b++) {
            psb_set_read_block(blocks[b] * 64);
            BAD(X(mm_read_all)(path, d, NULL, NULL, &t), PSB_EIO, ":4: the line has more than");
        }
        psb_cdfree(d);
    }
END_TEST

START_TEST(published_malformed_files)
    {
        char file[2 * PATH], folder[PATH], line[4 * PATH];
        const char *given = getenv("PSB_SHARED"), *src = getenv("srcdir");
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
            struct psb_mm_info info = { .m = 5 };
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
END_TEST

START_TEST(wrong_arguments)
    {
        struct X(triplets) t;
        struct X(spmat) *a = NULL;
        struct X(vect) *x = NULL;
        psb_desc *d = NULL, *other = NULL, *none = NULL, *ready = NULL;
        psb_set_read_block(1 << 20);
        write_file(&kinds[0], -1, NULL);
        GOOD(alloc_desc(&d, EVEN, 41));
        GOOD(alloc_desc(&ready, EVEN, 41));
        GOOD(psb_cdasb(ready));
        GOOD(alloc_desc(&other, EVEN, 40));
        BAD(X(mm_read_all)(NULL, d, NULL, NULL, &t), PSB_EARG, "path is NULL");
        BAD(X(mm_read_all)(path, NULL, NULL, NULL, &t), PSB_EARG, "rows is NULL");
        BAD(X(mm_read_all)(path, d, NULL, NULL, NULL), PSB_EARG, "mine is NULL");
        BAD(X(mm_read_all)(path, d, NULL, NULL, me == np / 2 ? NULL : &t), PSB_EARG, "mine is NULL");
        BAD(X(mm_read_all)(me == np / 2 ? "no/such.mtx" : path, d, NULL, NULL, &t), PSB_EIO,
            "cannot be opened");
        BAD(X(mm_read_all)(path, other, NULL, NULL, &t), PSB_EARG, "rows has 40 rows; expected the 41");
        BAD(X(mm_mat_read)(NULL, &d, &d, ctxt, path), PSB_EARG, "a is NULL");
        BAD(X(mm_mat_read)(&a, NULL, &d, ctxt, path), PSB_EARG, "row is NULL");
        BAD(X(mm_mat_read)(&a, &d, NULL, ctxt, path), PSB_EARG, "col is NULL");
        BAD(X(mm_mat_read)(&a, &d, &d, NULL, path), PSB_EARG, "ctxt is NULL");
        BAD(X(mm_mat_read)(&a, &d, &d, ctxt, NULL), PSB_EARG, "path is NULL");
        BAD(X(mm_mat_read)(&a, &other, &none, ctxt, path), PSB_EARG, "row has 40 rows");
        BAD(X(mm_mat_read)(&a, &none, &other, ctxt, path), PSB_EARG, "col has 40 rows");
        BAD(X(mm_mat_read)(&a, &ready, &none, ctxt, path), PSB_ESTATE, "row is assembled");
        EXPECT(!none && !a);
        BAD(X(mm_vect_read)(NULL, 1, d, path), PSB_EARG, "x is NULL");
        BAD(X(mm_vect_read)(&x, 0, d, path), PSB_EARG, "n is 0");
        BAD(X(mm_vect_read)(&x, 1, NULL, path), PSB_EARG, "desc is NULL");
        BAD(X(mm_vect_read)(&x, 1, d, NULL), PSB_EARG, "path is NULL");
        BAD(X(mm_vect_read)(&x, 1, d, path), PSB_EARG, "41 by 41; expected 41 by 1");
        EXPECT(psb_set_read_block(0) == 1 << 20 && psb_set_read_block((1 << 24) + 1) == 1 << 20);
        EXPECT(psb_set_read_block(-1) == 1 << 20 && psb_set_read_block(1 << 20) == 1 << 20);
        psb_cdfree(d);
        psb_cdfree(ready);
        psb_cdfree(other);
    }
END_TEST

/* Allocations fail on one process: all fail, until an n larger than the number of allocations. */
START_TEST(allocation_fails_on_one_process)
    {
        int who = np / 2, more = 1;
        psb_desc *d = NULL;
        psb_set_read_block(64);
        write_file(&kinds[_i ? 6 : 3], -1, NULL);
        GOOD(alloc_desc(&d, _i == 1 ? SHUFFLED : EVEN, _i ? ORDER : 41));
        for (int n = 1; more && n < 500; n++) {
            struct X(triplets) t = { .nnz = -7 };
            psb_alloc_fail_at(me == who ? n : 0);
            psb_err e = X(mm_read_all)(path, d, NULL, NULL, &t);
            psb_alloc_fail_at(0);
            EXPECT(e == PSB_OK || (e == PSB_ENOMEM && t.nnz == -7));
            int failed = collective_count(e != PSB_OK);
            EXPECT(failed == 0 || failed == np);
            more = failed > 0;
            if (e == PSB_OK)
                X(triplets_free)(&t);
        }
        EXPECT(!more);
        psb_cdfree(d);
    }
END_TEST

/* --- matrices and vectors --- */

/* Check that the file `written` begins with the bytes `magic` and holds the matrix of the file `path`. */
static void check_files(const char *written, const char *magic)
{
    T *want = NULL, *got = NULL;
    psb_lpk m, n, p, q;
    char first[8] = "";
    FILE *f = fopen(written, "rb");
    EXPECT(f && fread(first, 1, strlen(magic), f) == strlen(magic) && strcmp(first, magic) == 0);
    if (f)
        fclose(f);
    GOOD(X(mm_read_array)(path, &m, &n, &want));
    GOOD(X(mm_read_array)(written, &p, &q, &got));
    EXPECT(m == p && n == q);
    for (psb_lpk k = 0; k < m * n && m == p && n == q; k++)
        EXPECT(same(want[k], got[k]));
    psb_free(want);
    psb_free(got);
    GOOD(psb_barrier(ctxt));
}

/* Write the assembled matrix, and compare with the original file through the reader of one process. */
static void check_against_file(struct X(spmat) *a)
{
    GOOD(X(mm_sp_write)(second, a, PSB_MM_GENERAL, "two\nlines"));
    GOOD(psb_barrier(ctxt));
    check_files(second, "%%Matr");
}

static enum psb_mm_symmetry symmetry_of(const struct kind *k)
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
        struct psb_mm_info info = { 0 };
        snprintf(name, sizeof name, "%s%s", second, endings[i]);
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

START_TEST(assembled_matrices)
    {
        for (int k = 0; k < KINDS; k++) {
            struct X(spmat) *a = NULL;
            psb_desc *row = NULL, *col = NULL;
            if (is_complex(&kinds[k]) && !CPLX)
                continue;
            psb_set_read_block(blocks[k % BLOCKS]);
            write_file(&kinds[k], -1, NULL);
            if (_i < DISTRIBUTIONS)
                GOOD(alloc_desc(&row, (enum distribution)_i, kinds[k].array ? ORDER : 41));
            GOOD(X(mm_mat_read)(&a, &row, &col, ctxt, path));
            EXPECT(row && col == row);
            BAD(X(mm_sp_write)(second, a, PSB_MM_GENERAL, NULL), PSB_ESTATE, "not assembled");
            GOOD(psb_cdasb(row));
            GOOD(X(spasb)(a, X(mat_format)(k % 3), PSB_DUPL_ADD));
            check_against_file(a);
            check_packed(a, symmetry_of(&kinds[k]));
            X(spfree)(a);
            psb_cdfree(row);
        }
    }
END_TEST

START_TEST(write_errors)
    {
        struct X(spmat) *a = NULL;
        psb_desc *row = NULL, *col = NULL;
        write_file(&kinds[0], -1, NULL);
        GOOD(X(mm_mat_read)(&a, &row, &col, ctxt, path));
        GOOD(psb_cdasb(row));
        GOOD(X(spasb)(a, &X(csr_mold).mat, PSB_DUPL_ADD));
        BAD(X(mm_sp_write)(NULL, a, PSB_MM_GENERAL, NULL), PSB_EARG, "path is NULL");
        BAD(X(mm_sp_write)(second, NULL, PSB_MM_GENERAL, NULL), PSB_EARG, "a is NULL");
        BAD(X(mm_sp_write)("no/such.mtx", a, PSB_MM_GENERAL, NULL), PSB_EIO,
            "no/such.mtx: cannot be written");
        BAD(X(mm_sp_write)(second, a, PSB_MM_SYMMETRIC, NULL), PSB_EARG,
            "argument a is not symmetric; expected a matrix equal to its transpose");
        BAD(X(mm_sp_write)(second, a, PSB_MM_SKEW, NULL), PSB_EARG, "equal to its negative transpose");
        BAD(X(mm_sp_write)(second, a, PSB_MM_HERMITIAN, NULL), PSB_EARG,
            CPLX ? "equal to its conjugate transpose" : "is PSB_MM_HERMITIAN and the matrix is real");
        BAD(X(mm_sp_write)(second, a, (enum psb_mm_symmetry)7, NULL), PSB_EARG,
            "argument symmetry is 7; expected 0");
        if (np > 1)
            BAD(X(mm_sp_write)(second, a, me ? PSB_MM_SKEW : PSB_MM_GENERAL, NULL), PSB_EARG,
                "argument symmetry is 2 on one process and 0 on another");
        if (access("/dev/full", W_OK) == 0)
            BAD(X(mm_sp_write)("/dev/full", a, PSB_MM_GENERAL, NULL), PSB_EIO,
                "/dev/full: cannot be written");
        X(spfree)(a);
        psb_cdfree(row);
    }
END_TEST

START_TEST(vectors)
    {
        enum { COLUMNS = 3 };
        struct X(vect) *x[COLUMNS] = { NULL }, *y[1] = { NULL };
        psb_desc *d = NULL, *e = NULL;
        T *all = NULL;
        psb_lpk m, n;
        psb_set_read_block(40);
        put_text("%%MatrixMarket matrix array real general\n5 "
                 "3\n1\n2\n-0\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n1e-40\n.1\n");
        GOOD(alloc_desc(&d, (enum distribution)_i, 5));
        GOOD(alloc_desc(&e, (enum distribution)_i, 5));
        BAD(X(mm_vect_read)(x, 2, d, path), PSB_EARG, "5 by 3; expected 5 by 2");
        GOOD(X(mm_vect_read)(x, COLUMNS, d, path));
        BAD(X(mm_vect_write)(second, x, COLUMNS), PSB_ESTATE, "x[0] is not assembled");
        GOOD(psb_cdasb(d));
        GOOD(psb_cdasb(e));
        for (int k = 0; k < COLUMNS; k++)
            GOOD(X(geasb)(x[k], NULL));
        GOOD(X(mm_vect_write)(second, x, COLUMNS));
        GOOD(X(geall)(&y[0], e));
        GOOD(X(geasb)(y[0], NULL));
        struct X(vect) *two[] = { x[0], y[0] }, *hole[] = { x[0], NULL };
        BAD(X(mm_vect_write)(second, two, 2), PSB_EARG, "x[1] lies on another");
        BAD(X(mm_vect_write)(second, hole, 2), PSB_EARG, "x[1] is NULL");
        BAD(X(mm_vect_write)(second, NULL, 2), PSB_EARG, "x is NULL");
        BAD(X(mm_vect_write)(second, x, 0), PSB_EARG, "n is 0");
        BAD(X(mm_vect_write)(NULL, x, 1), PSB_EARG, "path is NULL");
        BAD(X(mm_vect_write)("no/such.mtx", x, 1), PSB_EIO, "no/such.mtx");
        GOOD(psb_barrier(ctxt));
        GOOD(X(mm_read_array)(second, &m, &n, &all));
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
        put_text("%%MatrixMarket matrix coordinate real general\n5 1 3\n2 1 1\n5 1 4\n2 1 2\n");
        GOOD(alloc_desc(&d, (enum distribution)_i, 5));
        GOOD(X(mm_vect_read)(x, 1, d, path));
        GOOD(psb_cdasb(d));
        GOOD(X(geasb)(x[0], NULL));
        T got[5] = { 0 };
        GOOD(X(gather)(x[0], got, -1));
        EXPECT(got[0] == 0 && got[1] == 3 && got[2] == 0 && got[3] == 0 && got[4] == 4);
        X(gefree)(x[0]);
        psb_cdfree(d);
    }
END_TEST

/* --- distribution from one process --- */

START_TEST(distribution_from_one_process)
    {
        struct X(triplets) all = { .m = 0 }, mine = { .m = 0 };
        struct X(spmat) *a = NULL;
        psb_desc *row = NULL, *col = NULL, *d = NULL;
        int root = np - 1;
        write_file(&kinds[3], -1, NULL);
        GOOD(X(mm_read)(path, NULL, NULL, &all));
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
        X(triplets_free)(&mine);
        X(triplets_free)(&all);
        psb_cdfree(d);
    }
END_TEST

/* An error on one process is returned on all. */
START_TEST(wrong_argument_on_one_process)
    {
        enum { ROWS = 5, WIDE = 2 };
        int wrong = me == np / 2;
        const char *no = wrong ? NULL : path;
        T v[ROWS] = { 1, 2, 3, 4, 5 };
        struct X(spmat) *a = NULL;
        struct X(vect) *x[] = { NULL, NULL }, *y = NULL;
        struct X(triplets) t;
        psb_desc *d = NULL, *given = NULL, *none = NULL;
        put_text("%%MatrixMarket matrix coordinate real general\n5 5 1\n1 1 1\n");
        GOOD(alloc_desc(&d, EVEN, ROWS));
        if (np > 1) {
            given = wrong ? d : NULL;
            BAD(X(mm_mat_read)(&a, &none, &given, ctxt, path), PSB_EARG, "argument *col is NULL on");
            BAD(X(mm_mat_read)(&a, &given, &none, ctxt, path), PSB_EARG, "argument *row is NULL on");
            psb_set_read_block(wrong ? 64 : 1 << 20);
            BAD(X(mm_read_all)(path, d, NULL, NULL, &t), PSB_EARG, "between 64 and 1048576 on the processes");
            psb_set_read_block(1 << 20);
        }
        BAD(X(mm_read_all)(no, d, NULL, NULL, &t), PSB_EARG, "argument path is NULL; expected the name");
        BAD(X(mm_mat_read)(wrong ? NULL : &a, &none, &none, ctxt, path), PSB_EARG, "argument a is NULL; exp");
        BAD(X(mm_mat_read)(&a, wrong ? NULL : &none, &none, ctxt, path), PSB_EARG,
            "argument row is NULL; exp");
        BAD(X(mm_mat_read)(&a, &none, wrong ? NULL : &none, ctxt, path), PSB_EARG,
            "argument col is NULL; exp");
        BAD(X(mm_mat_read)(&a, &none, &none, ctxt, no), PSB_EARG, "argument path is NULL; expected the name");
        BAD(X(hb_mat_read)(me == 0 ? NULL : &a, &none, &none, ctxt, "no/such"), PSB_EARG,
            "argument a is NULL");
        BAD(X(mm_vect_read)(wrong ? NULL : x, 1, d, path), PSB_EARG, "argument x is NULL; expected where");
        BAD(X(mm_vect_read)(x, wrong ? -7 : 1, d, path), PSB_EARG, "argument n is -7; expected a number of");
        BAD(X(mm_vect_read)(x, 1, d, no), PSB_EARG, "argument path is NULL; expected the name of a file");
        GOOD(psb_cdasb(d));
        for (int k = 0; k < 2; k++) {
            GOOD(X(geall)(&x[k], d));
            GOOD(X(geasb)(x[k], NULL));
        }
        GOOD(X(geall_n)(&y, d, WIDE));
        GOOD(X(geasb)(y, NULL));
        struct X(vect) *hole[] = { x[0], wrong ? NULL : x[1] }, *wide[] = { x[0], wrong ? y : x[1] };
        BAD(X(mm_vect_write)(second, x, wrong ? -7 : 2), PSB_EARG, "argument n is -7; expected a number of");
        BAD(X(mm_vect_write)(second, hole, 2), PSB_EARG, "argument x[1] is NULL; expected a vector");
        BAD(X(mm_vect_write)(second, wide, 2), PSB_EARG, "argument x[1] has 2 columns; expected 1");
        BAD(X(mm_vect_write)(second, &y, 1), PSB_EARG, "argument x[0] has 2 columns; expected 1");
        BAD(X(mm_vect_write)(wrong ? NULL : second, x, 2), PSB_EARG,
            "argument path is NULL; expected the name");
        if (np > 1)
            BAD(X(mm_vect_write)(second, x, wrong ? 1 : 2), PSB_EARG, "expected one value");
        GOOD(X(set_vect)(x[0], psb_cd_local_rows(d), v));
        GOOD(X(mm_vect_write)(second, x, 2));
        X(gefree)(x[0]);
        X(gefree)(x[1]);
        X(gefree)(y);
        EXPECT(!a && !none);
        psb_cdfree(d);
    }
END_TEST

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

START_TEST(wrong_triplets)
    {
        int root = np / 2;
        psb_lpk ia[] = { 0, 4, 2 }, far[] = { 0, 99, 2 }, below[] = { 0, 4, -1 }, six[] = { 0, 4, 6 };
        T v[] = { 1, 2, 3 }, x[5] = { 0 }, y[5] = { 0 };
        struct X(triplets) good = { 5, 7, 3, ia, six, v }, mine = { .nnz = -7 };
        struct {
            struct X(triplets) t;
            const char *words;
        } bad[] = {
            { { -7, 7, 3, ia, six, v }, "->m is -7; expected a number of rows >= 0" },
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
              "0 <= column < 6" }
        };
        psb_desc *d = NULL, *r = NULL;
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
        BAD(X(vecdist)(d, root, x, owns ? NULL : y), PSB_EARG, "argument mine is NULL; expected room for");
        GOOD(X(vecdist)(d, root, me == root ? x : NULL, owns ? y : NULL));
        EXPECT(mine.nnz == -7);
        psb_cdfree(d);
        psb_cdfree(r);
    }
END_TEST

START_TEST(harwell_boeing)
    {
        char rua[PATH], mtx[PATH];
        const char *src = getenv("srcdir");
        struct X(spmat) *a = NULL;
        psb_desc *row = NULL, *col = NULL;
        T *want = NULL, *got = NULL;
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
        GOOD(X(mm_sp_write)(second, a, PSB_MM_GENERAL, NULL));
        GOOD(psb_barrier(ctxt));
        GOOD(X(mm_read_array)(mtx, &m, &n, &want));
        GOOD(X(mm_read_array)(second, &m, &n, &got));
        for (psb_lpk k = 0; k < m * n && want && got; k++)
            EXPECT(want[k] == got[k]);
        psb_free(want);
        psb_free(got);
        X(spfree)(a);
        psb_cdfree(row);
        psb_cdfree(col);
    }
END_TEST

/* --- files of one process --- */

START_TEST(triplets_of_one_process)
    {
        R third = (R)1 / 3, tiny = (R)(sizeof(R) == sizeof(float) ? 1e-45 : 5e-324);
        psb_lpk ia[] = { 2, 0, 1, 1 }, ja[] = { 0, 3, 1, 1 };
        T val[] = { MAKE(third, -third), MAKE(-0.0, tiny), MAKE(TMAX, 2), MAKE(INFINITY, -INFINITY) };
        T whole[] = { 3, -4, 0, 5 };
        struct X(triplets) t = { .m = 3, .n = 4, .nnz = 4, .ia = ia, .ja = ja, .val = val }, u;
        char mine[2 * NAME];
        snprintf(mine, sizeof mine, "%s-%d", path, me); /* a different file on each process */
        GOOD(X(mm_write)(mine, &t, CPLX ? PSB_MM_COMPLEX : PSB_MM_REAL, "a title"));
        for (int field = PSB_MM_REAL; field <= PSB_MM_PATTERN; field++) {
            int as_complex = field == PSB_MM_COMPLEX && !CPLX;
            if (field == PSB_MM_INTEGER)
                t.val = whole;
            if (field == PSB_MM_REAL && CPLX)
                BAD(X(mm_write)(mine, &t, PSB_MM_REAL, NULL), PSB_EARG, "entry 0");
            GOOD(X(mm_write)(mine, &t,
                             field == PSB_MM_REAL && CPLX ? PSB_MM_COMPLEX : (enum psb_mm_field)field, NULL));
            if (as_complex) {
                BAD(X(mm_read)(mine, NULL, NULL, &u), PSB_EARG, "complex");
                continue;
            }
            GOOD(X(mm_read)(mine, NULL, NULL, &u));
            EXPECT(u.m == 3 && u.n == 4 && u.nnz == 4);
            for (int k = 0; k < 4; k++)
                EXPECT(u.ia[k] == ia[k] && u.ja[k] == ja[k] &&
                       same(u.val[k], field == PSB_MM_PATTERN ? (T)1 : t.val[k]));
            X(triplets_free)(&u);
        }
        t.val = val;
        BAD(X(mm_write)(mine, &t, PSB_MM_INTEGER, NULL), PSB_EARG, "entry 0");
        BAD(X(mm_write)(NULL, &t, PSB_MM_PATTERN, NULL), PSB_EARG, "path is NULL");
        BAD(X(mm_write)(mine, NULL, PSB_MM_PATTERN, NULL), PSB_EARG, "t is NULL");
        BAD(X(mm_write)(mine, &t, (enum psb_mm_field)7, NULL), PSB_EARG, "field is 7");
        BAD(X(mm_write)("no/such.mtx", &t, PSB_MM_PATTERN, NULL), PSB_EIO, "no/such.mtx");
        t.m = 2;
        BAD(X(mm_write)(mine, &t, PSB_MM_PATTERN, NULL), PSB_EARG, "entry 0 is at (2, 0)");
        t.n = -1;
        BAD(X(mm_write)(mine, &t, PSB_MM_PATTERN, NULL), PSB_EARG,
            "argument t->n is -1; expected a number of columns >= 0");
        unlink(mine);
    }
END_TEST

START_TEST(local_matrices)
    {
        char mine[2 * NAME];
        snprintf(mine, sizeof mine, "%s-%d", path, me);
        struct X(coo_mat) *s = sample(SPREAD, 9, 7);
        T *got = NULL, want[63] = { 0 };
        psb_lpk m, n;
        for (psb_epk k = 0; k < s->mat.nnz; k++)
            want[s->ia[k] + 9 * s->ja[k]] += s->val[k];
        for (int f = 0; X(mat_format)(f); f++) {
            struct X(mat) *a = NULL;
            GOOD(X(mat_convert)(&s->mat, X(mat_format)(f), &a));
            GOOD(X(mm_mat_write)(mine, a, PSB_MM_GENERAL, NULL));
            GOOD(X(mm_read_array)(mine, &m, &n, &got));
            EXPECT(m == 9 && n == 7);
            for (int k = 0; k < 63 && got; k++)
                EXPECT(same(got[k], want[k]));
            psb_free(got);
            X(mat_free)(a);
        }
        BAD(X(mm_mat_write)(mine, &s->mat, PSB_MM_SKEW, NULL), PSB_EARG,
            "argument a is 9 by 7; expected a square");
        BAD(X(mm_mat_write)(NULL, &s->mat, PSB_MM_GENERAL, NULL), PSB_EARG, "path is NULL");
        BAD(X(mm_mat_write)(mine, NULL, PSB_MM_GENERAL, NULL), PSB_EARG, "a is NULL");
        BAD(X(mm_mat_write)("no/such.mtx", &s->mat, PSB_MM_GENERAL, NULL), PSB_EIO, "no/such.mtx");
        X(mat_free)(&s->mat);
        unlink(mine);
    }
END_TEST

/* a + its transpose; minus it; plus its conjugate transpose. */
static struct X(mat) *with_symmetry(struct X(mat) *a, enum psb_mm_symmetry symmetry)
{
    struct X(mat) *t = NULL, *sum = NULL;
    GOOD(symmetry == PSB_MM_HERMITIAN ? X(mat_transc)(a, &t) : X(mat_transp)(a, &t));
    GOOD(X(mat_spaxpby)(1, a, symmetry == PSB_MM_SKEW ? -1 : 1, t, &X(csr_mold).mat, &sum));
    X(mat_free)(t);
    return sum;
}

START_TEST(half_of_a_local_matrix)
    {
        char mine[2 * NAME];
        snprintf(mine, sizeof mine, "%s-%d", path, me);
        struct X(coo_mat) *s = sample(SPREAD, 9, 9);
        for (int symmetry = PSB_MM_SYMMETRIC; symmetry <= (CPLX ? PSB_MM_HERMITIAN : PSB_MM_SKEW);
             symmetry++) {
            struct X(mat) *a = with_symmetry(&s->mat, (enum psb_mm_symmetry)symmetry);
            struct psb_mm_info info = { 0 };
            T *want = NULL, *got = NULL;
            psb_lpk m, n;
            GOOD(X(mm_mat_write)(mine, a, PSB_MM_GENERAL, NULL));
            GOOD(X(mm_read_array)(mine, &m, &n, &want));
            GOOD(X(mm_mat_write)(mine, a, (enum psb_mm_symmetry)symmetry, "half"));
            GOOD(X(mm_read_array)(mine, &m, &n, &got));
            GOOD(psb_mm_info(mine, &info));
            EXPECT((int)info.symmetry == symmetry && info.stored < a->nnz);
            for (int k = 0; k < 81; k++)
                EXPECT(same(want[k], got[k]));
            BAD(X(mm_mat_write)(mine, a, symmetry == PSB_MM_SKEW ? PSB_MM_SYMMETRIC : PSB_MM_SKEW, NULL),
                PSB_EARG, "argument a is not ");
            psb_free(want);
            psb_free(got);
            X(mat_free)(a);
        }
        X(mat_free)(&s->mat);
        unlink(mine);
    }
END_TEST

/* --- untyped calls --- */

/* Reading, writing and generating on one process. */
static void untyped_calls_of_one_process(const char *mine, const char *rua)
{
    struct X(triplets) t = { .m = 0 }, u = { .m = 0 };
    const struct X(triplets) *read_only = &t;
    struct X(coo_mat) *s = sample(SPREAD, 9, 7);
    psb_lpk m = 0, n = 0;
    T x[] = { 1, 2, 3, 4, 5, 6 }, *val = NULL;
    GOOD(psb_hb_read(rua, &t));
    GOOD(psb_mm_write(mine, read_only, CPLX ? PSB_MM_COMPLEX : PSB_MM_REAL, NULL));
    GOOD(psb_mm_read(mine, NULL, NULL, &u));
    EXPECT(t.m == 23 && u.m == 23 && u.n == 17 && u.nnz == t.nnz && same(u.val[3], t.val[3]));
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
    X(mat_free)(&s->mat);
}

static void front_of_generators(void)
{
    struct psb_gen g;
    struct psb_pde p = { .dims = 2, .nx = 3, .ny = 2, .nz = 1 };
    struct X(triplets) t = { .m = 0 }, u = { .m = 0 };
    psb_desc *d = NULL;
    T rhs[6];
    GOOD(psb_part_blocks(ctxt, 6, &d));
    GOOD(psb_gen_parse("pde2d:3,2", &g));
    GOOD(psb_generate(&g, d, NULL, NULL, &t));
    GOOD(psb_gen_pde(&p, d, &u, rhs));
    GOOD(psb_redist(d, &u));
    EXPECT(t.m == 6 && t.nnz == u.nnz);
    for (psb_epk k = 0; k < t.nnz && k < u.nnz; k++)
        EXPECT(t.ja[k] == u.ja[k] && same(t.val[k], u.val[k]));
    psb_triplets_free(&t);
    psb_triplets_free(&u);
    psb_cdfree(d);
}

/* Distribution from process 0, and reading by all. */
static void untyped_calls_of_all(const char *rua)
{
    struct X(triplets) all = { .m = 0 }, mine = { .m = 0 }, read = { .m = 0 };
    struct X(spmat) *a[3] = { NULL };
    psb_desc *d = NULL, *row[3] = { NULL }, *col[3] = { NULL };
    struct X(vect) *x = NULL;
    T v[41], mine_v[41];
    write_file(&kinds[0], -1, NULL);
    GOOD(psb_mm_read(path, NULL, NULL, &all));
    GOOD(psb_part_blocks(ctxt, 41, &d));
    GOOD(psb_mm_read_all(path, d, NULL, NULL, &read));
    GOOD(psb_matdist(d, 0, &all, &mine));
    check_owned_rows(&all, &mine, d);
    check_owned_rows(&all, &read, d);
    GOOD(psb_mm_mat_read(&a[0], &row[0], &col[0], ctxt, path));
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
        GOOD(psb_mm_sp_write(second, a[k], PSB_MM_GENERAL, NULL));
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
    put_text("%%MatrixMarket matrix array real general\n5 1\n1\n2\n3\n4\n5\n");
    d = NULL;
    GOOD(psb_part_blocks(ctxt, 5, &d));
    GOOD(psb_mm_vect_read(&x, 1, d, path));
    GOOD(psb_cdasb(d));
    GOOD(psb_geasb(x, NULL));
    GOOD(psb_mm_vect_write(second, &x, 1));
    GOOD(psb_gather(x, v, -1));
    EXPECT(v[0] == 1 && v[4] == 5);
    psb_gefree(x);
    psb_cdfree(d);
}

START_TEST(untyped_calls)
    {
        char mine[2 * NAME], rua[PATH];
        const char *src = getenv("srcdir");
        snprintf(mine, sizeof mine, "%s-%d", path, me);
        snprintf(rua, sizeof rua, "%s/test/data/random.rua", src ? src : ".");
        untyped_calls_of_one_process(mine, rua);
        front_of_generators();
        untyped_calls_of_all(rua);
        unlink(mine);
    }
END_TEST

static Suite *reading(void)
{
    Suite *s = suite_create("collective reading");
    TCase *c = collective_tcase(s, "valid input");
    tcase_add_loop_test(c, rows_of_each_process, 0, DISTRIBUTIONS);
    tcase_add_test(c, empty_matrices);
    tcase_add_test(c, progress);
#ifdef HAVE_ZLIB
    tcase_add_loop_test(c, compressed_files, 0, DISTRIBUTIONS);
#endif
    tcase_add_loop_test(c, assembled_matrices, 0, DISTRIBUTIONS + 1);
    tcase_add_loop_test(c, vectors, 0, DISTRIBUTIONS);
    tcase_add_loop_test(c, distribution_from_one_process, 0, DISTRIBUTIONS + 1);
    tcase_add_test(c, harwell_boeing);
    tcase_add_test(c, triplets_of_one_process);
    tcase_add_test(c, local_matrices);
    tcase_add_test(c, half_of_a_local_matrix);
    tcase_add_test(c, untyped_calls);
    c = collective_tcase(s, "errors");
    tcase_add_loop_test(c, bad_lines, 0, KINDS);
    tcase_add_loop_test(c, wrong_numbers_of_entries, 0, BLOCKS);
    tcase_add_test(c, long_lines);
    tcase_add_test(c, published_malformed_files);
    tcase_add_test(c, wrong_arguments);
    tcase_add_test(c, wrong_argument_on_one_process);
    tcase_add_test(c, wrong_triplets);
    tcase_add_test(c, write_errors);
    tcase_add_loop_test(c, allocation_fails_on_one_process, 0, 3);
    return s;
}

int check_read(void)
{
    ck_mpi_init();
    if (ck_init(&ctxt) != PSB_OK) {
        psb_print_errmsg();
        return EXIT_FAILURE;
    }
    psb_info(ctxt, &me, &np);
    int fd = me == 0 ? mkstemp(path) : -1;
    if (fd >= 0)
        close(fd);
    MPI_Bcast(path, sizeof path, MPI_CHAR, 0, MPI_COMM_WORLD);
    snprintf(second, sizeof second, "%.50s-out", path);
    int failed = collective_count(ck_run(reading()));
    if (me == 0) {
        unlink(path);
        unlink(second);
    }
    return ck_end(ctxt, failed);
}
