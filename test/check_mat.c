/* check_mat.c -- test: properties, text and assembly of every format. */
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "check_mat.h"

const char *name_of(int i)
{
    return X(mat_format)(i)->ops->fmt;
}

const char *not_square(const struct dense *d)
{
    static char words[80];
    snprintf(words, sizeof words, "argument a is %d x %d; expected a square matrix", (int)d->m, (int)d->n);
    return words;
}

/* --- properties --- */

TEST(copies_and_their_flags)
{
    for (int k = FEW - 1; k >= 0; k -= ck_step(FEW)) {
        COO *s = few(k, 1);
        MAT *a = in_format(s, _i), *b = NULL;
        DENSE d = dense_of_coo(s);
        OK(X(mat_set_triangle)(a, 1));
        OK(X(mat_set_upper)(a, 1));
        if (d.m == d.n)
            OK(X(mat_set_symmetric)(a, 1));
        else {
            FAILS(X(mat_set_symmetric)(a, 1), PSB_EARG, not_square(&d));
            OK(X(mat_set_symmetric)(a, 0));
        }
        OK(X(mat_clone)(a, &b));
        ck_assert_ptr_eq(b->ops, a->ops);
        dense_is(b, &d, "clone");
        OK(X(mat_trim)(b));
        dense_is(b, &d, "trimmed");
        for (int to = 0; X(mat_format)(to); to++) {
            OK(X(mat_cscnv)(&b, X(mat_format)(to)));
            ck_assert_ptr_eq(b->ops, X(mat_format)(to)->ops);
            ck_assert(X(mat_is_upper)(b) && X(mat_is_symmetric)(b) == (d.m == d.n) && !X(mat_is_unit)(b) &&
                      X(mat_is_asb)(b));
            dense_is(b, &d, "cscnv");
        }
        OK(X(mat_cscnv)(&b, a)); /* a matrix can be a mold */
        ck_assert_ptr_eq(b->ops, a->ops);
        dense_is(b, &d, "cscnv");
        dense_is(a, &d, "the cloned matrix");
    }
}

TEST(properties)
{
    COO *s = sample(SPREAD, 20, 33);
    MAT *a = in_format(s, _i);
    ck_assert_str_eq(X(mat_get_fmt)(a), name_of(_i));
    ck_assert_int_eq(X(mat_get_nrows)(a), 20);
    ck_assert_int_eq(X(mat_get_ncols)(a), 33);
    ck_assert_int_eq(X(mat_get_nzeros)(a), s->mat.nnz);
    ck_assert(X(mat_is_sorted)(a));
    ck_assert_int_eq(X(mat_is_by_cols)(a), X(mat_refines)(a, &X(csc_mold).mat));
    ck_assert_int_eq(X(mat_is_by_rows)(a), !X(mat_refines)(a, &X(csc_mold).mat));
    ck_assert(X(mat_is_asb)(a) && !X(mat_is_bld)(a) && !X(mat_is_upd)(a) && !X(mat_is_null)(a));
    ck_assert(!X(mat_is_triangle)(a) && !X(mat_is_upper)(a) && !X(mat_is_lower)(a) && !X(mat_is_unit)(a));
    ck_assert(!X(mat_is_symmetric)(a));
    OK(X(mat_set_triangle)(a, 7));
    ck_assert(X(mat_is_triangle)(a) && X(mat_is_lower)(a) && !X(mat_is_upper)(a));
    OK(X(mat_set_lower)(a, 0));
    ck_assert(X(mat_is_upper)(a) && !X(mat_is_lower)(a));
    OK(X(mat_set_lower)(a, 1));
    ck_assert(!X(mat_is_upper)(a) && X(mat_is_lower)(a));
    OK(X(mat_set_unit)(a, 1));
    ck_assert(X(mat_is_unit)(a));
    OK(X(mat_set_triangle)(a, 0));
    ck_assert(!X(mat_is_lower)(a) && !X(mat_is_upper)(a));
    OK(X(mat_set_state)(a, PSB_MAT_UPD));
    ck_assert(X(mat_is_upd)(a));
    OK(X(mat_set_state)(a, PSB_MAT_NULL));
    ck_assert(X(mat_is_null)(a) && X(mat_is_null)(NULL));
    if (a->ops == X(coo_mold).mat.ops)
        OK(X(mat_set_state)(a, PSB_MAT_BLD));
    else
        FAILS(X(mat_set_state)(a, PSB_MAT_BLD), PSB_EARG, "argument state is PSB_MAT_BLD");
    ck_assert_uint_gt(X(mat_bytes)(a), 0);
}

/* Number of arrays that change with the values and are not empty: those of values; diagonals also have arrays
 * about zeros and gaps. */
static int arrays_of_values(const struct X(mat) *a)
{
    struct psb_dual *list[PSB_MOST_ARRAYS];
    int n = 0;
    for (int i = X(mat_arrays)(a, list) - 1; i >= 0; i--)
        n += list[i]->bytes > 0 && (strstr(list[i]->name, "values") || strstr(list[i]->name, "zeros") ||
                                    strstr(list[i]->name, "gaps"));
    return n;
}

TEST(locations)
{
    COO *s = sample(SPREAD, 20, 33);
    MAT *a = in_format(s, _i);
    DENSE d = dense_of_coo(s);
    ck_assert(X(mat_is_host)(a));
    ck_assert_int_eq(X(mat_is_dev)(a), 0);
    ck_assert_int_eq(X(mat_is_sync)(a), a->on == NULL);
    OK(X(mat_sync)(a));
    ck_assert(X(mat_is_host)(a) && X(mat_is_sync)(a));
    ck_assert_int_eq(X(mat_is_dev)(a), a->on != NULL);
    psb_transfers_reset();
    OK(X(mat_zero_vals)(a));
    OK(X(mat_csput)(a, s->mat.nnz, s->ia, s->ja, s->val, PSB_DUPL_ADD));
    ck_assert_int_eq(psb_transfers(NULL).gets, 0);
    ck_assert_int_eq(X(mat_is_dev)(a), 0);
    ck_assert_int_eq(X(mat_is_sync)(a), a->on == NULL);
    OK(X(mat_sync)(a)); /* only the values are transferred, not the pattern */
    ck_assert_int_eq(psb_transfers(NULL).puts, a->on ? arrays_of_values(a) : 0);
    dense_is(a, &d, "refilled");
    ck_assert(!X(mat_is_host)(NULL) && !X(mat_is_dev)(NULL) && !X(mat_is_sync)(NULL));
}

static void check_equality(struct X(mat) *a, struct X(mat) *b, R tol, int want)
{
    int equal = -1;
    OK(X(mat_cmpmat)(a, b, tol, &equal));
    ck_assert_msg(equal == want, "%s and %s, tolerance %g: equal is %d", a->ops->fmt, b->ops->fmt,
                  (double)tol, equal);
}

TEST(comparisons)
{
    for (int k = FEW - 1; k >= 0; k -= ck_step(FEW)) {
        COO *s = few(k, 1);
        MAT *a = in_format(s, _i), *b = NULL;
        int equal = -1;
        OK(X(mat_cmpval)(a, MAKE(0.1, 0), 4, &equal));
        ck_assert_int_eq(equal, 1);
        for (int to = 0; X(mat_format)(to); to++) {
            MAT *c = NULL;
            OK(X(mat_convert)(a, X(mat_format)(to), &c));
            check_equality(a, c, 0, 1);
        }
        if (!s->mat.nnz)
            continue;
        const psb_epk e = s->mat.nnz / 2;
        const T shift = (R)0.5, nan = MAKE(NAN, 0);
        OK(X(mat_cmpval)(a, s->val[e], 0, &equal));
        ck_assert_int_eq(equal, s->mat.nnz == 1);
        OK(X(mat_clone)(a, &b));
        OK(X(mat_csput)(b, 1, &s->ia[e], &s->ja[e], &shift, PSB_DUPL_ADD));
        check_equality(a, b, (R)0.625, 1);
        check_equality(a, b, (R)0.375, 0);
        OK(X(mat_csput)(b, 1, &s->ia[e], &s->ja[e], &nan, PSB_DUPL_ADD));
        check_equality(a, b, TMAX, 0);
    }
}

/* --- text --- */

static struct dense read_text(FILE *f, const char *const *comments)
{
    char line[256];
    int m, n, nz, i, j;
    double re, im = 0;
    ck_assert_ptr_nonnull(fgets(line, sizeof line, f));
    ck_assert_str_eq(line, CPLX ? "%%MatrixMarket matrix coordinate complex general\n"
                                : "%%MatrixMarket matrix coordinate real general\n");
    for (; *comments; comments++) {
        ck_assert_ptr_nonnull(fgets(line, sizeof line, f));
        ck_assert_str_eq(line, *comments);
    }
    ck_assert_int_eq(fscanf(f, "%d %d %d", &m, &n, &nz), 3);
    struct dense d = dense_new(m, n);
    for (; nz > 0; nz--) {
        ck_assert_int_eq(fscanf(f, "%d %d %lf", &i, &j, &re), 3);
        if (CPLX)
            ck_assert_int_eq(fscanf(f, "%lf", &im), 1);
        dense_put(&d, i - 1, j - 1, MAKE(re, im));
    }
    ck_assert_int_eq(fscanf(f, " %c", line), EOF);
    return d;
}

TEST(text)
{
    static const char *const none[] = { NULL }, *const two[] = { "% one\n", "% two\n", NULL };
    for (int k = FEW - 1; k >= 0; k -= ck_step(FEW)) {
        COO *s = few(k, 1);
        MAT *a = in_format(s, _i);
        FILE *f = tmpfile();
        ck_assert_ptr_nonnull(f);
        OK(X(mat_print)(a, f, k % 2 ? "one\ntwo" : k % 3 ? NULL : ""));
        rewind(f);
        DENSE d = read_text(f, k % 2 ? two : none);
        dense_is(a, &d, "read from its text");
        fclose(f);
    }
}

TEST(text_in_a_file)
{
    static const char *const one[] = { "% in a file\n", NULL };
    COO *s = sample(SPREAD, 7, 9);
    MAT *a = in_format(s, _i);
    char path[64];
    snprintf(path, sizeof path, "check_mat_%c_%d.mtx", LETTER, _i);
    (void)ck_decimal_comma(); /* the text is the same */
    psb_err e = X(mat_print_path)(a, path, "in a file\n");
    setlocale(LC_NUMERIC, "C");
    OK(e);
    FILE *f = fopen(path, "r");
    ck_assert_ptr_nonnull(f);
    DENSE d = read_text(f, one);
    dense_is(a, &d, "read from its text");
    fclose(f);
    remove(path);
    FAILS(X(mat_print_path)(a, "/no/such/place", NULL), PSB_EIO, "argument path is \"/no/such/place\"");
    FAILS(X(mat_print_path)(a, NULL, NULL), PSB_EARG, "argument path ");
    FAILS(X(mat_print_path)(NULL, path, NULL), PSB_EARG, "argument a ");
    FAILS(X(mat_print)(NULL, stdout, NULL), PSB_EARG, "argument a ");
    FAILS(X(mat_print)(a, NULL, NULL), PSB_EARG, "argument to ");
    f = fopen("/dev/full", "w");
    if (f) {
        FAILS(X(mat_print)(a, f, NULL), PSB_EIO, "cannot write a matrix");
        fclose(f);
        FAILS(X(mat_print_path)(a, "/dev/full", NULL), PSB_EIO, "cannot write");
    }
}

/* --- assembly --- */

TEST(build)
{
    MAT *a = NULL;
    const psb_ipk i[] = { 2, 0, 2, 1 }, j[] = { 3, 0, 3, 1 }, bad[] = { 0, 0, 4, 0 };
    const T v[] = { 1, 2, 3, 4 };
    FAILS(X(mat_all)(-1, 4, 0, &a), PSB_EARG, "argument m is -1");
    FAILS(X(mat_all)(3, -4, 0, &a), PSB_EARG, "argument n is -4");
    FAILS(X(mat_all)(3, 4, -2, &a), PSB_EARG, "argument nz is -2");
    FAILS(X(mat_all)(3, 4, 0, NULL), PSB_EARG, "argument a ");
    FAILS(X(mat_all)(3, 4, INT64_MAX / 2, &a), PSB_ENOMEM, "no memory");
    ck_assert_ptr_null(a);
    OK(X(mat_all)(3, 4, 0, &a));
    ck_assert(X(mat_is_bld)(a));
    OK(X(mat_csput)(a, 4, i, j, v, PSB_DUPL_ADD));
    OK(X(mat_csput)(a, 4, i, j, v, PSB_DUPL_ADD));
    FAILS(X(mat_csput)(a, 4, i, bad, v, PSB_DUPL_ADD), PSB_EARG, "argument ja[2] is 4");
    ck_assert_int_eq(a->nnz, 8);
    FAILS(X(mat_reinit)(a, 1), PSB_ESTATE, "state BLD");
    FAILS(X(mat_asb)(a, PSB_DUPL_ERROR), PSB_EARG, "more than one entry");
    FAILS(X(mat_asb)(a, (enum psb_dupl)9), PSB_EARG, "argument dupl is 9");
    ck_assert(X(mat_is_bld)(a));
    OK(X(mat_asb)(a, PSB_DUPL_ADD));
    ck_assert(X(mat_is_asb)(a));
    DENSE d = dense_new(3, 4);
    dense_put(&d, 2, 3, 8), dense_put(&d, 0, 0, 4), dense_put(&d, 1, 1, 8);
    dense_is(a, &d, "built");
    size_t before = X(mat_bytes)(a);
    OK(X(mat_trim)(a));
    ck_assert_uint_eq(X(mat_bytes)(a), before);
    dense_is(a, &d, "trimmed");
    OK(X(mat_set_state)(a, PSB_MAT_NULL));
    FAILS(X(mat_asb)(a, PSB_DUPL_ADD), PSB_ESTATE, "state NULL");
    FAILS(X(mat_reinit)(a, 0), PSB_ESTATE, "state NULL");
}

TEST(sorted_triplets)
{
    for (int k = FEW - 1; k >= 0; k -= ck_step(FEW)) {
        COO *s = few(k, 0), *before = few(k, 0);
        for (int by_rows = 0; by_rows < 2; by_rows++) {
            const psb_ipk *major = by_rows ? s->ia : s->ja, *minor = by_rows ? s->ja : s->ia;
            OK(X(mat_set_sorted)(&s->mat, by_rows ? PSB_BY_ROWS : PSB_BY_COLS));
            ck_assert(same_entries(s, before));
            for (psb_epk e = 1; e < s->mat.nnz; e++)
                ck_assert(major[e - 1] < major[e] || (major[e - 1] == major[e] && minor[e - 1] <= minor[e]));
        }
    }
}

TEST(unsorted_triplets)
{
    COO *s = sample(FULL, 4, 3);
    MAT *a = in_format(s, _i);
    int by_cols = X(mat_refines)(a, &X(csc_mold).mat);
    ck_assert_int_eq(X(mat_get_order)(&s->mat), PSB_UNSORTED);
    ck_assert(!X(mat_is_sorted)(&s->mat));
    OK(X(mat_set_sorted)(a, by_cols ? PSB_BY_COLS : PSB_BY_ROWS));
    if (a->ops != X(coo_mold).mat.ops)
        FAILS(X(mat_set_sorted)(a, by_cols ? PSB_BY_ROWS : PSB_BY_COLS), PSB_EARG, name_of(_i));
    FAILS(X(mat_set_sorted)(a, PSB_UNSORTED), PSB_EARG, "argument order is 0");
    FAILS(X(mat_set_sorted)(NULL, PSB_BY_ROWS), PSB_EARG, "argument a ");
}

static Suite *matrices(int n)
{
    Suite *s = suite_create("matrices");
    TCase *c = ck_tcase(s, "properties");
    ck_add_loop_tests(c, n, copies_and_their_flags, properties, locations, comparisons, text, text_in_a_file,
                      unsorted_triplets);
    ck_add_tests(c, build, sorted_triplets);
    add_objects_of_threads(c);
    mat_values_tests(s, n);
    mat_parts_tests(s, n);
    mat_errors_tests(s, n);
    return s;
}

int check_mat(void)
{
    psb_ctxt *ctxt;
    const int n = formats_init(&ctxt);
    return n > 0 ? ck_end(ctxt, ck_run(matrices(n))) : EXIT_FAILURE;
}
