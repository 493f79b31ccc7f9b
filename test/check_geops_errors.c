/* check_geops_errors.c -- test: wrong arguments of vector operations, and reductions that fail on one
 * process. */
#include "config.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "psb_cuda.h"
#include "check_geops.h"

struct calls {
    struct X(vect) *x, *y, *z, *other; /* other: with more columns */
    T *dot;
    R *res;
    int *ok;
};

/* Every reduction; those that need an order fail for complex vectors. */
static psb_err reduce_by(int i, const struct calls *c)
{
    struct X(vect) *const x[2] = { c->x, c->x }, *const y[2] = { c->y, c->z };
    switch (i) {
    case 0:
        return psb_gedot(c->x, c->y, c->dot);
    case 1:
        return psb_gedots(2, x, y, c->dot);
    case 2:
        return psb_genrm2(c->x, c->res);
    case 3:
        return psb_genrm2_weight(c->x, c->y, c->res);
    case 4:
        return psb_genrm2_weightmask(c->x, c->y, c->z, c->res);
    case 5:
        return psb_geamax(c->x, c->res);
    case 6:
        return psb_geasum(c->x, c->res);
    case 7:
        return psb_genrmi(c->x, c->res);
    case 8:
        return psb_gemin(c->x, c->res);
    case 9:
        return psb_minquotient(c->x, c->y, c->res);
    default:
        return psb_mask(c->x, c->y, c->z, c->ok);
    }
}
enum { REDUCTIONS = 11 };

/* An argument is wrong on the last process: the call fails on all, and then succeeds. */
TEST(wrong_argument_on_one_process)
{
    static T all[3][CELLS], dot[2 * COLS];
    R res[COLS];
    int ok, wrong = me == np - 1;
    DESC *d = rows_with_halo(EVEN);
    fill_three(3, all);
    struct calls good = { .dot = dot, .res = res, .ok = &ok };
    good.x = multivector(d, 3, all[0], places[0]);
    good.y = multivector(d, 3, all[1], places[0]);
    good.z = multivector(d, 3, all[2], places[0]);
    good.other = multivector(d, COLS, all[2], places[0]);
    for (int how = 0; how < 3; how++) {
        struct calls bad = good;
        if (wrong && how == 0)
            bad.dot = NULL, bad.res = NULL, bad.ok = NULL;
        if (wrong && how == 1)
            bad.y = NULL;
        if (wrong && how == 2)
            bad.y = bad.other;
        int takes_y = _i < 2 || _i == 3 || _i == 4 || _i > 8;
        if (how > 0 && !takes_y)
            continue;
        psb_err e = reduce_by(_i, &bad);
        EXPECT(e == (CPLX && _i >= 8 ? PSB_ENOTIMPL : PSB_EARG));
        if (!CPLX || _i < 8)
            GOOD(reduce_by(_i, &good));
    }
    psb_gefree(good.x);
    psb_gefree(good.y);
    psb_gefree(good.z);
    psb_gefree(good.other);
}

/* The device or an allocation of the last process fails at step n. */
TEST(reduction_fails_on_one_process)
{
    enum { WIDE = 200 }; /* columns: more results than fit in the buffer on the stack */
    static T all[3][3 * WIDE], dot[2 * WIDE];
    static R res[WIDE];
    int ok, k = WIDE;
    psb_desc *d = NULL;
    GOOD(psb_cdall_nl(&d, ctxt, 3));
    GOOD(psb_cdasb(d));
    for (int memory = 0; memory < 2; memory++)
        for (int n = 1, failed = 1; failed && n < 50; n++) {
            struct calls c = { .dot = dot, .res = res, .ok = &ok };
            struct X(vect) **v[] = { &c.x, &c.y, &c.z };
            random_vector(3 * k, all[0], 4);
            for (int j = 0; j < 3; j++) {
                GOOD(psb_geall_n(v[j], d, k));
                GOOD(psb_geasb(*v[j], &counting_device_vect));
                GOOD(psb_set_vect(*v[j], 3, all[0]));
            }
            counting_device_fails_in = !memory && me == np - 1 ? n : 0;
            psb_alloc_fail_at(memory && me == np - 1 ? n : 0);
            psb_err e = reduce_by(_i, &c);
            failed = collective_count(e != PSB_OK);
            EXPECT(failed == 0 || failed == np);
            if (CPLX && _i >= 8)
                failed = 0;
            counting_device_fails_in = 0;
            psb_alloc_fail_at(0);
            if (failed)
                GOOD(reduce_by(_i, &c));
            EXPECT(n > 1 || failed || (CPLX && _i >= 8));
            for (int j = 0; j < 3; j++)
                psb_gefree(*v[j]);
        }
    psb_cdfree(d);
    EXPECT(counting_device_blocks == 0);
}

/* --- arguments --- */

/* Each operation with `bad` in the place of each argument in turn. */
static void check_alike_of(struct X(vect) *x, struct X(vect) *y, struct X(vect) *bad, psb_err code,
                           const char *what)
{
    struct X(vect) *const good[] = { x, y, x };
    for (int t = 0; t < 2 * GEOPS; t++) {
        const enum geop op = (enum geop)(t / 2);
        const char *names = geops[op].arguments;
        const int checks = t % 2 || (op != DIV && op != DIV2 && op != INV);
        for (int j = 0; op != SCAL && names[j]; j++) {
            struct X(vect) *v[3];
            char text[64];
            for (int i = 0, next = !names[2] && j == 0; i < 3; i++)
                v[i] = i == j ? bad : good[next++];
            snprintf(text, sizeof text, code == PSB_EARG && bad ? "%.0s%s" : "argument %.1s %s", names + j,
                     what);
            const psb_err e = call_geop(op, checks, 1, v);
            collective_note(e == code && strstr(psb_errmsg(), text), __FILE__, __LINE__,
                            "%s: %s: %s; expected %s: %s", geops[op].name, psb_strerror(e), psb_errmsg(),
                            psb_strerror(code), text);
        }
    }
}

/* The same for reductions and their local variants. */
static void check_mismatched_reductions(struct X(vect) *x, struct X(vect) *y, struct X(vect) *bad,
                                        psb_err code, const char *what)
{
    T dot[2 * 3];
    R res[3];
    struct X(vect) *const good[] = { x, y }, *const second[] = { x, bad };
    const char *argument[] = { "x", "y", "w", "id", "c", "m" };
    char text[6][64];
    int ok;
    for (int i = 0; i < 6; i++)
        snprintf(text[i], sizeof text[i], code == PSB_EARG && bad ? "%.0s%s" : "argument %s %s", argument[i],
                 what);
    for (int local = 0; local < 2; local++) {
        BAD(local ? psb_gedot_local(bad, y, dot) : psb_gedot(bad, y, dot), code, text[0]);
        BAD(local ? psb_gedot_local(x, bad, dot) : psb_gedot(x, bad, dot), code, text[1]);
        BAD(local ? psb_gedots_local(2, second, good, dot) : psb_gedots(2, second, good, dot), code, text[0]);
        BAD(local ? psb_gedots_local(2, good, second, dot) : psb_gedots(2, good, second, dot), code, text[1]);
        BAD(local ? psb_genrm2_weight_local(bad, y, res) : psb_genrm2_weight(bad, y, res), code, text[0]);
        BAD(local ? psb_genrm2_weight_local(x, bad, res) : psb_genrm2_weight(x, bad, res), code, text[2]);
        BAD(local ? psb_genrm2_weightmask_local(bad, y, x, res) : psb_genrm2_weightmask(bad, y, x, res), code,
            text[0]);
        BAD(local ? psb_genrm2_weightmask_local(x, bad, y, res) : psb_genrm2_weightmask(x, bad, y, res), code,
            text[2]);
        BAD(local ? psb_genrm2_weightmask_local(x, y, bad, res) : psb_genrm2_weightmask(x, y, bad, res), code,
            text[3]);
        if (CPLX)
            continue;
        BAD(local ? psb_minquotient_local(bad, y, res) : psb_minquotient(bad, y, res), code, text[0]);
        BAD(local ? psb_minquotient_local(x, bad, res) : psb_minquotient(x, bad, res), code, text[1]);
        BAD(local ? psb_mask_local(bad, x, y, &ok) : psb_mask(bad, x, y, &ok), code, text[4]);
        BAD(local ? psb_mask_local(x, bad, y, &ok) : psb_mask(x, bad, y, &ok), code, text[0]);
        BAD(local ? psb_mask_local(x, y, bad, &ok) : psb_mask(x, y, bad, &ok), code, text[5]);
    }
}

/* Reductions of one vector. */
static psb_err (*const of_one[])(const struct X(vect) *, R *) = {
    X(genrm2),       X(genrm2_local), X(geamax),       X(geamax_local), X(genrmi),
    X(genrmi_local), X(geasum),       X(geasum_local), X(gemin),        X(gemin_local),
};
enum { OF_ONE = CPLX ? 8 : 10 };

TEST(vectors_that_do_not_match)
{
    static T all[3][CELLS];
    fill_three(3, all);
    DESC *d = rows_with_halo(EVEN), *d2 = rows_with_halo(CYCLIC);
    struct X(vect) *x = multivector(d, 3, all[0], places[0]), *y = multivector(d, 3, all[1], places[1]),
                   *narrow = multivector(d, 1, all[1], places[0]),
                   *strange = multivector(d2, 3, all[1], places[0]), *build = NULL, *local = NULL;
    GOOD(psb_geall_n(&build, d, 3));
    GOOD(psb_vect_new_n(&local, x->n, 3, NULL));
    static const char elsewhere[] = "are on different descriptors; expected two vectors of one descriptor";
    const struct {
        struct X(vect) *bad;
        psb_err code;
        const char *alike, *reductions;
    } how[] = { { NULL, PSB_EARG, "is NULL", "is NULL; expected a vector" },
                { narrow, PSB_EARG, "differ", "differ; expected as many of each" },
                { strange, PSB_EARG, "differ", elsewhere },
                { local, PSB_EARG, "differ", elsewhere },
                { build, PSB_ESTATE, "is not assembled", "is not assembled; expected psb_geasb before" } };
    for (int i = 0; i < 5; i++) {
        check_alike_of(x, y, how[i].bad, how[i].code, how[i].alike);
        check_mismatched_reductions(x, y, how[i].bad, how[i].code, how[i].reductions);
    }
    for (int i = 0; i < OF_ONE; i++) {
        R res[3];
        BAD(of_one[i](NULL, res), PSB_EARG, "argument x is NULL; expected a vector");
        BAD(of_one[i](build, res), PSB_ESTATE, "argument x is not assembled; expected psb_geasb before");
    }
    BAD(psb_gescal(1, (struct X(vect) *)NULL), PSB_EARG, "argument x is NULL");
    BAD(psb_gescal(1, build), PSB_ESTATE, "argument x is not assembled");
    const T factor[] = { 1, 2, 3 }, *none = NULL;
    BAD(psb_geaxpby_cols(none, x, factor, y), PSB_EARG, "argument alpha is NULL; expected a factor for each");
    BAD(psb_geaxpby_cols(factor, x, none, y), PSB_EARG, "argument beta is NULL; expected a factor for each");
    BAD(psb_geaxpby_cols(factor, narrow, factor, y), PSB_EARG, "differ; expected as many of each");
    BAD(psb_geaxpby_cols(factor, x, factor, build), PSB_ESTATE, "argument y is not assembled");
    BAD(psb_gescal_cols(none, x), PSB_EARG, "argument alpha is NULL; expected a factor for each");
    BAD(psb_gescal_cols(factor, build), PSB_ESTATE, "_gescal_cols: ");
    BAD(psb_xyzw(1, 1, 1, 1, 1, 1, x, y, x, narrow), PSB_EARG, "arguments x and z are the same vector");
    BAD(psb_xyzw(1, 1, 1, 1, 1, 1, x, y, narrow, narrow), PSB_EARG, "arguments z and w are the same");
    BAD(psb_xyzw(1, 1, 1, 1, 1, 1, x, y, build, narrow), PSB_EARG, "_xyzw: ");
    BAD(psb_upd_xyz(1, 1, 1, 1, x, x, y), PSB_EARG, "x and y are the same vector");
    BAD(psb_upd_xyz(1, 1, 1, 1, x, y, x), PSB_EARG, "x and z are the same vector");
    BAD(psb_upd_xyz(1, 1, 1, 1, x, y, y), PSB_EARG, "y and z are the same vector");
    check_exact(x, all[0], "refused");
    check_exact(y, all[1], "refused");
    struct X(vect) *all_of_them[] = { x, y, narrow, strange, build, local };
    for (int i = 0; i < 6; i++)
        psb_gefree(all_of_them[i]);
}

TEST(wrong_arguments_of_reductions)
{
    static T all[3][CELLS];
    T dot[2 * 3] = { 9 };
    R res[3] = { 9 };
    int ok = 9;
    fill_three(3, all);
    DESC *d = rows_with_halo(EVEN);
    VECT *x = multivector(d, 3, all[0], places[0]), *narrow = multivector(d, 1, all[1], places[0]);
    struct X(vect) *const xs[2] = { x, narrow }, *const ys[2] = { x, NULL }, *const same[2] = { x, narrow };
    BAD(psb_gedot(x, x, NULL), PSB_EARG, "argument res is NULL");
    BAD(psb_gedot_local(x, x, NULL), PSB_EARG, "argument res is NULL");
    BAD(psb_gedots(-1, xs, xs, dot), PSB_EARG, "argument m is -1");
    BAD(X(gedots)(1, NULL, xs, dot), PSB_EARG, "argument x is NULL");
    BAD(psb_gedots(1, xs, NULL, dot), PSB_EARG, "argument y is NULL");
    BAD(psb_gedots(1, xs, xs, NULL), PSB_EARG, "argument res is NULL");
    BAD(psb_gedots(2, ys, xs, dot), PSB_EARG, "argument x is NULL");
    BAD(psb_gedots(2, xs, same, dot), PSB_EARG, "argument x[1] has 1 columns");
    BAD(psb_gedots_local(2, xs, ys, dot), PSB_EARG, "argument y is NULL");
    BAD(psb_gedots_local(-1, xs, xs, dot), PSB_EARG, "argument m is -1; expected >= 0");
    BAD(X(gedots_local)(1, NULL, xs, dot), PSB_EARG, "argument x is NULL; expected 1 vectors");
    BAD(psb_gedots_local(1, xs, NULL, dot), PSB_EARG, "argument y is NULL; expected 1 vectors");
    BAD(psb_gedots_local(1, xs, xs, NULL), PSB_EARG, "argument res is NULL");
    BAD(psb_gedots_local(INT32_MAX / 2, xs, xs, dot), PSB_EARG, "argument m is 1073741823; expected fewer");
    for (int i = 0; i < OF_ONE; i++)
        BAD(of_one[i](x, NULL), PSB_EARG, "argument res is NULL; expected where to store the result");
    psb_err (*const of_two[])(const struct X(vect) *, const struct X(vect) *,
                              R *) = { X(genrm2_weight), X(genrm2_weight_local), X(minquotient),
                                       X(minquotient_local) };
    for (int i = 0; i < (CPLX ? 2 : 4); i++)
        BAD(of_two[i](x, x, NULL), PSB_EARG, "argument res is NULL");
    for (int local = 0; local < 2; local++) {
        BAD(local ? psb_genrm2_weightmask_local(x, x, x, NULL) : psb_genrm2_weightmask(x, x, x, NULL),
            PSB_EARG, "argument res is NULL");
        if (!CPLX)
            BAD(local ? psb_mask_local(x, x, x, NULL) : psb_mask(x, x, x, NULL), PSB_EARG,
                "argument ok is NULL");
    }
    EXPECT(dot[0] == 9 && res[0] == 9 && ok == 9);
    check_exact(x, all[0], "refused");
}

TEST(wrong_arguments_of_sums)
{
    static T all[CELLS];
    const T one[2] = { 1, 1 };
    DESC *d = rows_with_halo(EVEN);
    VECT *x = multivector(d, 1, all, NULL), *y = multivector(d, 1, all, NULL),
         *wide = multivector(d, 2, all, NULL);
    struct X(vect) *const two[] = { x, y }, *const unlike[] = { x, wide }, *const none[] = { x, NULL };
    struct X(vect) *no_vector = NULL;
    BAD(psb_gemaxpy(-1, one, two, x), PSB_EARG, "argument m is -1");
    BAD(psb_gemaxpy(1, NULL, two, y), PSB_EARG, "argument alpha is NULL");
    BAD(X(gemaxpy)(1, one, NULL, y), PSB_EARG, "argument x is NULL");
    BAD(psb_gemaxpy(1, one, two, no_vector), PSB_EARG, "argument y is NULL");
    BAD(psb_gemaxpy(2, one, two, y), PSB_EARG, "arguments x[1] and y are the same vector");
    BAD(psb_gemaxpy(2, one, unlike, y), PSB_EARG, "argument");
    BAD(psb_gemaxpy(2, one, none, y), PSB_EARG, "argument x[] is NULL");
    check_exact(y, all, "refused");
}

void add_wrong_vector_operations(TCase *c)
{
    ck_add_loop_tests(c, REDUCTIONS, wrong_argument_on_one_process, reduction_fails_on_one_process);
    ck_add_tests(c, vectors_that_do_not_match, wrong_arguments_of_sums, wrong_arguments_of_reductions);
}
