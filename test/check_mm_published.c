/* check_mm_published.c -- test: Matrix Market files: published matrices, outside the source tree. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "matrix_index.h"
#include "check_mm.h"

enum { PATH = MATRIX_INDEX_PATH, LINE = MATRIX_INDEX_LINE };

static int is_complex(const char *file)
{
    struct psb_mm_header a;
    int yes = psb_mm_info(file, &a) == PSB_OK && a.field == PSB_MM_COMPLEX;
    psb_clean_errstack();
    return yes;
}

static const struct {
    const char *file, *line, *words; /* line NULL: the file is read */
} policy[] = {
    { "colpack_mtx-spear-head.mtx", ":15:", "unexpected" },
    { "fmm_overflow_value_gt_complex128.mtx", ":4:", "1E9999" },
    { "fmm_overflow_value_gt_float64.mtx", ":4:", "1E310" },
    { "fmm_overflow_value_gt_int64.mtx", NULL, NULL },
    { "fmm_permissive_banner_one_percent_eye3.mtx", ":1:", "banner" },
    { "fmm_windows_newlines.mtx", NULL, NULL },
    { "morpheus_mat_invalid_banner.mtx", ":1:", "'symmetric'" },
};
enum { NPOLICY = sizeof policy / sizeof *policy };

static void check_policy(const char *name, const char *file)
{
    int k = 0;
    while (k < NPOLICY && strcmp(name, policy[k].file))
        k++;
    ck_assert_msg(k < NPOLICY, "%s: no policy", name);
    TRIPLETS t = { 0 };
    if (policy[k].line) {
        check_mm_refused(file, PSB_EIO, policy[k].line, policy[k].words);
        return;
    }
    ck_assert_msg(X(mm_read)(file, NULL, NULL, &t) == PSB_OK, "%s", psb_errmsg());
    ck_assert_int_eq(t.nnz, 3);
    for (int i = 0; i < 3; i++)
        ck_assert(t.ia[i] == i && t.ja[i] == i);
    ck_assert(t.val[2] == 1 || t.val[2] == (R)19223372036854775808.);
}

/* Return ":7:" if `text` contains "(line 7)", else "". */
static const char *line_in(const char *text, char buf[32])
{
    int line;
    const char *at = strstr(text, "(line ");
    *buf = '\0';
    if (at && sscanf(at, "(line %d)", &line) == 1)
        snprintf(buf, 32, ":%d:", line);
    return buf;
}

TEST(published_malformed_files)
{
    char file[2 * PATH], line[LINE], number[32], *col[3];
    int rows = 0;
    FILE *f = matrix_index_open("malformed");
    for (; f && matrix_index_row(f, line, 3, col); rows++) {
        snprintf(file, sizeof file, "%s/malformed/%s", matrix_index_folder(), col[0]);
        if (!CPLX && is_complex(file))
            check_mm_refused(file, PSB_EARG, ":1:", "complex");
        else if (!strcmp(col[1], "policy"))
            check_policy(col[0], file);
        else
            check_mm_refused(file, PSB_EIO, line_in(col[2], number), "");
    }
    ck_assert(!f || rows >= NPOLICY);
    if (f)
        fclose(f);
}

struct position {
    psb_lpk i, j;
};

static int compare(const void *a_, const void *b_)
{
    const struct position *a = a_, *b = b_;
    return a->i != b->i ? (a->i > b->i) - (a->i < b->i) : (a->j > b->j) - (a->j < b->j);
}

static psb_epk distinct_positions(const struct X(triplets) *t)
{
    struct position *at = malloc(((size_t)t->nnz + 1) * sizeof *at);
    ck_assert_ptr_nonnull(at);
    for (psb_epk k = 0; k < t->nnz; k++)
        at[k] = (struct position){ t->ia[k], t->ja[k] };
    qsort(at, (size_t)t->nnz, sizeof *at, compare);
    psb_epk n = t->nnz > 0;
    for (psb_epk k = 1; k < t->nnz; k++)
        n += compare(&at[k - 1], &at[k]) != 0;
    free(at);
    return n;
}

TEST(published_small_files)
{
    char file[2 * PATH], line[LINE], *col[6];
    int rows = 0;
    FILE *f = matrix_index_open("small");
    while (f && matrix_index_row(f, line, 6, col)) {
        if (!strstr(col[0], ".mtx"))
            continue;
        TRIPLETS t = { 0 };
        snprintf(file, sizeof file, "%s/small/%s", matrix_index_folder(), col[0]);
        rows++;
        if (!CPLX && is_complex(file)) {
            check_mm_refused(file, PSB_EARG, ":1:", "complex");
            continue;
        }
        ck_assert_msg(X(mm_read)(file, NULL, NULL, &t) == PSB_OK, "%s", psb_errmsg());
        ck_assert_msg(t.m == atoll(col[2]) && t.n == atoll(col[3]), "%s", file);
        ck_assert_msg(distinct_positions(&t) == atoll(col[5]), "%s", file);
    }
    ck_assert(!f || rows > 0);
    if (f)
        fclose(f);
}

void add_mm_published_files(TCase *c)
{
    ck_add_tests(c, published_malformed_files, published_small_files);
}
