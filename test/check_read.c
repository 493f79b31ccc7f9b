/* check_read.c -- test: matrices read by all processes: the results must be those of the reader of one
 * process. */
#include "config.h"
#include "suites.h"
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "psb_util.h"
#include "check_read.h"
#ifdef HAVE_ZLIB
#include <zlib.h>
#endif

enum { LINES = 30, TEXT = 1 << 14 };

char input_path[NAME] = "check_read_XXXXXX", output_path[NAME];
const psb_epk block_sizes[BLOCKS] = { 1, 13, 64, 300, 1 << 20 };

void write_input_bytes(const char *bytes, size_t n)
{
    GOOD(psb_barrier(ctxt));
    if (me == 0) {
        FILE *f = fopen(input_path, "wb");
        EXPECT(f && fwrite(bytes, 1, n, f) == n && fclose(f) == 0);
    }
    GOOD(psb_barrier(ctxt));
}

void write_input_text(const char *text)
{
    write_input_bytes(text, strlen(text));
}

int same_value(T a, T b)
{
    return memcmp(&a, &b, sizeof a) == 0 || a == b || (isnan(RE(a)) && isnan(RE(b)));
}

/* --- files --- */

const struct file_kind file_kinds[KINDS] = {
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

int has_complex_values(const struct file_kind *k)
{
    return k->values == 2;
}

int entries_stored(const struct file_kind *k)
{
    if (!k->array)
        return LINES;
    return strstr(k->banner, "general") ? 36 : strstr(k->banner, "skew") ? 15 : 21;
}

/* Indices in the stored triangle, off the diagonal if the matrix is skew-symmetric or Hermitian. */
static void indices(const struct file_kind *k, struct rng *r, int *i, int *j)
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

void write_input_matrix(const struct file_kind *k, int wrong, const char *text)
{
    static char buf[TEXT];
    struct rng r = { 17 };
    char *p = buf;
    p += sprintf(p, "%%%%MatrixMarket matrix %s%s%% a comment%s", k->banner, k->eol, k->eol);
    p += k->array ? sprintf(p, "%d %d%s", ORDER, ORDER, k->eol) : sprintf(p, "41 41 %d%s", LINES, k->eol);
    for (int l = 0, n = entries_stored(k); l < n; l++) {
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
    write_input_text(buf);
}

/* --- reading --- */

void check_owned_rows(const struct X(triplets) *all, const struct X(triplets) *mine, const psb_desc *d)
{
    psb_epk n = 0;
    EXPECT(mine->m == all->m && mine->n == all->n);
    for (psb_epk k = 0; k < all->nnz; k++) {
        if (!psb_is_owned(d, all->ia[k]))
            continue;
        EXPECT(n < mine->nnz && mine->ia[n] == all->ia[k] && mine->ja[n] == all->ja[k] &&
               same_value(mine->val[n], all->val[k]));
        n += n < mine->nnz;
    }
    EXPECT(n == mine->nnz);
}

static void read_distributed_matrix(const struct X(triplets) *all, enum distribution distribution)
{
    struct X(triplets) mine = { .nnz = -7 };
    DESC *d = NULL;
    GOOD(alloc_desc(&d, distribution, (psb_ipk)all->m));
    for (int b = 0; b < BLOCKS; b++) {
        psb_set_read_block(block_sizes[b]);
        GOOD(X(mm_read_all)(input_path, d, NULL, NULL, &mine));
        check_owned_rows(all, &mine, d);
        X(triplets_free)(&mine);
    }
}

TEST(rows_of_each_process)
{
    for (int k = 0; k < KINDS; k++) {
        TRIPLETS all = { .m = 0 };
        if (has_complex_values(&file_kinds[k]) && !CPLX)
            continue;
        write_input_matrix(&file_kinds[k], -1, NULL);
        GOOD(X(mm_read)(input_path, NULL, NULL, &all));
        read_distributed_matrix(&all, (enum distribution)_i);
    }
}

TEST(empty_matrices)
{
    static const char *const none[] = { "%%MatrixMarket matrix coordinate real general\n0 0 0\n",
                                        "%%MatrixMarket matrix coordinate real general\n5 3 0",
                                        "%%MatrixMarket matrix array real general\n0 3\n\n%\n" };
    for (int k = 0; k < 3; k++)
        for (int b = 0; b < BLOCKS; b++) {
            struct X(spmat) *a = NULL;
            psb_desc *row = NULL, *col = NULL;
            psb_set_read_block(block_sizes[b]);
            write_input_text(none[k]);
            GOOD(X(mm_mat_read)(&a, &row, &col, ctxt, input_path));
            EXPECT(a && X(sp_nnz)(a) == 0 && psb_cd_global_rows(row) == (k == 1 ? 5 : 0));
            X(spfree)(a);
            if (col != row)
                psb_cdfree(col);
            psb_cdfree(row);
            GOOD(psb_barrier(ctxt));
        }
}

/* --- pipes, which process 0 reads --- */

static char pipe_path[NAME];

/* Write the input file to the pipe. */
static void *fill_pipe(void *unused)
{
    char text[TEXT];
    FILE *from = fopen(input_path, "rb"), *to = fopen(pipe_path, "wb");
    size_t n = from ? fread(text, 1, sizeof text, from) : 0;
    if (to) {
        fwrite(text, 1, n, to);
        fclose(to); /* fails if the reader has stopped at an error */
    }
    if (from)
        fclose(from);
    return unused;
}

static psb_err read_pipe(psb_err (*read)(void *arg), void *arg)
{
    pthread_t writer;
    EXPECT(me > 0 || pthread_create(&writer, NULL, fill_pipe, NULL) == 0);
    const psb_err e = read(arg);
    EXPECT(me > 0 || pthread_join(writer, NULL) == 0);
    return e;
}

struct piped {
    psb_desc *d, *row, *col;
    struct X(triplets) mine;
    struct X(spmat) *a;
};

static psb_err read_entries(void *arg)
{
    struct piped *p = arg;
    return X(mm_read_all)(pipe_path, p->d, NULL, NULL, &p->mine);
}

static psb_err read_matrix(void *arg)
{
    struct piped *p = arg;
    return X(mm_mat_read)(&p->a, &p->row, &p->col, ctxt, pipe_path);
}

TEST(pipes)
{
    void (*was)(int) = signal(SIGPIPE, SIG_IGN);
    const struct file_kind *kind = &file_kinds[_i];
    struct piped p = { .d = NULL };
    struct X(triplets) all = { .m = 0 };
    if (has_complex_values(kind) && !CPLX)
        return;
    snprintf(pipe_path, sizeof pipe_path, "%.50s-pipe", input_path);
    psb_set_read_block(block_sizes[_i % BLOCKS]);
    EXPECT(me > 0 || mkfifo(pipe_path, 0600) == 0);
    write_input_matrix(kind, -1, NULL);
    GOOD(X(mm_read)(input_path, NULL, NULL, &all));
    GOOD(alloc_desc(&p.d, CYCLIC, (psb_ipk)all.m));
    GOOD(read_pipe(read_entries, &p));
    check_owned_rows(&all, &p.mine, p.d);
    X(triplets_free)(&p.mine);
    GOOD(read_pipe(read_matrix, &p));
    GOOD(psb_cdasb(p.row));
    GOOD(X(spasb)(p.a, &X(csr_mold).mat, PSB_DUPL_ADD));
    check_against_file(p.a);
    X(spfree)(p.a);
    psb_cdfree(p.row);
    p = (struct piped){ .d = p.d };
    write_input_matrix(kind, 14, "no entry");
    GOOD(X(mm_read)(input_path, NULL, NULL, &p.mine) == PSB_OK ? PSB_EARG : PSB_OK);
    char *line = strchr(strcpy((char[600]){ 0 }, psb_errtext()), ':');
    BAD(read_pipe(read_entries, &p), PSB_EIO, line ? line : "");
    psb_cdfree(p.d);
    X(triplets_free)(&all);
    EXPECT(me > 0 || unlink(pipe_path) == 0);
    GOOD(psb_barrier(ctxt));
    signal(SIGPIPE, was);
}

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

TEST(progress)
{
    struct heard h = { 0 };
    TRIPLETS mine = { .m = 0 };
    DESC *d = NULL;
    write_input_matrix(&file_kinds[0], -1, NULL);
    GOOD(alloc_desc(&d, EVEN, 41));
    GOOD(X(mm_read_all)(input_path, d, record_progress, &h, &mine));
    EXPECT(h.calls >= 1 && h.last == 1);
}

#ifdef HAVE_ZLIB
TEST(compressed_files)
{
    struct X(triplets) all = { .m = 0 };
    static char text[TEXT];
    write_input_matrix(&file_kinds[1], -1, NULL);
    if (me == 0) {
        FILE *f = fopen(input_path, "rb");
        size_t n = f ? fread(text, 1, sizeof text, f) : 0;
        EXPECT(f && fclose(f) == 0);
        gzFile z = gzopen(input_path, "wb");
        EXPECT(z && gzwrite(z, text, (unsigned)n) == (int)n && gzclose(z) == Z_OK);
    }
    GOOD(psb_barrier(ctxt));
    GOOD(X(mm_read)(input_path, NULL, NULL, &all));
    read_distributed_matrix(&all, (enum distribution)_i);
    X(triplets_free)(&all);
    GOOD(psb_barrier(ctxt));
    EXPECT(me > 0 || truncate(input_path, 150) == 0);
    GOOD(psb_barrier(ctxt));
    DESC *d = NULL;
    GOOD(alloc_desc(&d, EVEN, 41));
    BAD(X(mm_read_all)(input_path, d, NULL, NULL, &all), PSB_EIO, "gzip data are cut short");
}
#endif

static Suite *reading(void)
{
    int fd = me == 0 ? mkstemp(input_path) : -1;
    if (fd >= 0)
        close(fd);
    MPI_Bcast(input_path, sizeof input_path, MPI_CHAR, 0, MPI_COMM_WORLD);
    snprintf(output_path, sizeof output_path, "%.50s-out", input_path);
    Suite *s = suite_create("collective reading");
    TCase *c = collective_tcase(s, "valid input");
    ck_add_loop_tests(c, DISTRIBUTIONS, rows_of_each_process);
    ck_add_tests(c, empty_matrices);
    ck_add_loop_tests(c, KINDS, pipes);
    ck_add_tests(c, progress);
#ifdef HAVE_ZLIB
    ck_add_loop_tests(c, DISTRIBUTIONS, compressed_files);
#endif
    add_read_matrices(c);
    add_files_of_one_process(c);
    add_untyped_reading(c);
    add_read_errors(s);
    return s;
}

int check_read(void)
{
    const int status = run_suite(0, reading);
    if (me == 0) {
        unlink(input_path);
        unlink(output_path);
    }
    return status;
}
