/* check_vect_errors.c -- test: vectors on one process: a failing device, wrong arguments, no memory.
 */
#include "check_vect.h"

/* --- a failing device --- */

enum { TRIALS = 14 };

static psb_err try_on_device(int i, struct X(vect) *x, struct X(vect) *y, T *sum)
{
    R real;
    psb_ipk zero = 0;
    T val = 1;
    switch (i) {
    case 0:
        return X(gedot)(x, y, sum);
    case 1:
        return X(geaxpby)(1, x, 2, y);
    case 2:
        return X(set_scal)(3, x);
    case 3:
        return X(geaxpbyz)(1, x, 2, y, x);
    case 4:
        return X(gemlt)(x, y);
    case 5:
        return X(gemlt2)(1, x, y, 0, y);
    case 6:
        return X(geabs)(x, y);
    case 7:
        return X(gecmp)(x, 1, y);
    case 8:
        return X(genrm2_weight)(x, y, &real);
    case 9:
        return X(geasum)(x, &real);
    case 10:
        return X(vect_sync)(x);
    case 11:
        PSB_TRY(X(gescal)(1, x)); /* the newest copy is on the device */
        return X(vect_cnv)(x, &psb_vect_cuda);
    case 12:
        return X(geaddconst)(x, 1, y);
    default:
        PSB_TRY(X(vect_sync)(x));
        return X(vect_sct)(1, &zero, &val, 0, x);
    }
}

/* A failed operation changes nothing, on either side. */
TEST(device_fails)
{
    struct rng r = { (uint64_t)_i };
    struct pair p[2];
    for (int n = 1, failed = 1; failed; n++) {
        T sum;
        open_vect_pair(&p[0], &counting_device_vect);
        open_vect_pair(&p[1], &counting_device_vect);
        write_vect_pair(&p[0], &r);
        write_vect_pair(&p[1], &r);
        counting_device_fails_in = n;
        psb_err e = try_on_device(_i, p[0].v, p[1].v, &sum);
        failed = counting_device_fails_in == 0;
        counting_device_fails_in = 0;
        ck_assert(failed ? e == PSB_ENOMEM || e == PSB_EDEVICE : e == PSB_OK);
        ck_assert(failed || n > 1);
        for (int k = 0; k < 2 && failed; k++)
            check_vect_pair(&p[k]);
        X(gefree)(p[0].v);
        X(gefree)(p[1].v);
    }
    ck_assert_int_eq(counting_device_blocks, 0);
}

TEST(assembly_fails)
{
    for (int n = 1, failed = 1; failed; n++) {
        struct pair p;
        const psb_lpk row = 5;
        const T value = 7;
        OK(X(geall)(&p.v, vect_desc));
        OK(X(geins)(1, &row, &value, p.v, PSB_DUPL_OVERWRITE));
        psb_alloc_fail_at(n);
        psb_err e = X(geasb)(p.v, &counting_device_vect);
        psb_alloc_fail_at(0);
        failed = e != PSB_OK;
        ck_assert(e == PSB_OK || e == PSB_ENOMEM);
        ck_assert(failed || n > 1);
        if (failed)
            OK(X(geasb)(p.v, &counting_device_vect));
        fill_vector(ROWS, p.must, 0);
        p.must[row] = value;
        check_vect_pair(&p);
        X(gefree)(p.v);
    }
    ck_assert_int_eq(counting_device_blocks, 0);
}

/* --- arguments --- */

static void check_other_arguments(struct X(vect) *x, struct X(vect) *build)
{
    struct X(vect) *new = NULL;
    T val[2] = { 1, 1 };
    psb_ipk idx[2] = { 0, ROWS }, below = -1;
    FAILS(X(vect_new_n)(NULL, 1, 1, NULL), PSB_EARG, "argument x ");
    FAILS(X(vect_new_n)(&new, -1, 1, NULL), PSB_EARG, "argument n is -1");
    FAILS(X(vect_new_n)(&new, 1, 0, NULL), PSB_EARG, "argument k is 0");
    FAILS(X(vect_bld)(NULL, 1, 1, val, NULL), PSB_EARG, "argument x ");
    FAILS(X(vect_bld)(&new, -1, 1, val, NULL), PSB_EARG, "argument n is -1");
    FAILS(X(vect_bld)(&new, 1, 0, val, NULL), PSB_EARG, "argument k is 0");
    FAILS(X(vect_bld)(&new, 1, 1, NULL, NULL), PSB_EARG, "argument from ");
    FAILS(X(geall_n)(NULL, vect_desc, 1), PSB_EARG, "argument x ");
    FAILS(X(geall_n)(&new, NULL, 1), PSB_EARG, "argument desc ");
    FAILS(X(geall_n)(&new, vect_desc, -3), PSB_EARG, "argument k is -3");
    FAILS(X(vect_ins)(1, idx, val, NULL, PSB_DUPL_ADD), PSB_EARG, "argument x ");
    FAILS(X(vect_ins)(-1, idx, val, x, PSB_DUPL_ADD), PSB_EARG, "argument n is -1");
    FAILS(X(vect_ins)(1, NULL, val, x, PSB_DUPL_ADD), PSB_EARG, "argument idx ");
    FAILS(X(vect_ins)(1, idx, NULL, x, PSB_DUPL_ADD), PSB_EARG, "argument val ");
    FAILS(X(vect_ins)(2, idx, val, x, PSB_DUPL_ADD), PSB_EARG, "argument idx[1] is 37");
    FAILS(X(vect_ins)(1, &below, val, x, PSB_DUPL_ADD), PSB_EARG, "argument idx[0] is -1");
    FAILS(X(vect_ins)(1, idx, val, x, PSB_DUPL_ERROR), PSB_EARG, "argument dupl ");
    FAILS(X(vect_clone)(NULL, &new), PSB_EARG, "argument x ");
    FAILS(X(vect_clone)(x, NULL), PSB_EARG, "argument y ");
    FAILS(X(vect_cnv)(NULL, NULL), PSB_EARG, "argument x ");
    FAILS(X(vect_sync)(NULL), PSB_EARG, "argument x ");
    FAILS(X(vect_zero)(NULL), PSB_EARG, "argument x ");
    FAILS(X(vect_get_entry)(NULL, 0, val), PSB_EARG, "argument x ");
    FAILS(X(vect_get_entry)(x, ROWS, val), PSB_EARG, "argument i is 37");
    FAILS(X(vect_get_entry)(x, -1, val), PSB_EARG, "argument i is -1");
    FAILS(X(vect_get_entry)(x, 0, NULL), PSB_EARG, "argument val ");
    FAILS(X(vect_gth)(NULL, 1, idx, val), PSB_EARG, "argument x ");
    FAILS(X(vect_gth)(x, -1, idx, val), PSB_EARG, "argument n is -1");
    FAILS(X(vect_gth)(x, 1, NULL, val), PSB_EARG, "argument idx ");
    FAILS(X(vect_gth)(x, 1, idx, NULL), PSB_EARG, "argument buf ");
    FAILS(X(vect_gth)(x, 2, idx, val), PSB_EARG, "argument idx[1] is 37");
    FAILS(X(vect_sct)(1, idx, val, 1, NULL), PSB_EARG, "argument x ");
    FAILS(X(vect_sct)(-1, idx, val, 1, x), PSB_EARG, "argument n is -1");
    FAILS(X(vect_sct)(1, NULL, val, 1, x), PSB_EARG, "argument idx ");
    FAILS(X(vect_sct)(1, idx, NULL, 1, x), PSB_EARG, "argument buf ");
    FAILS(X(vect_sct)(2, idx, val, 1, x), PSB_EARG, "argument idx[1] is 37");
    FAILS(X(vect_gth)(x, 1, &below, val), PSB_EARG, "argument idx[0] is -1; expected 0 <= idx < 37");
    FAILS(X(vect_sct)(1, &below, val, 1, x), PSB_EARG, "argument idx[0] is -1; expected 0 <= idx < 37");
    FAILS(X(get_vect)(NULL, 1, val), PSB_EARG, "argument x ");
    FAILS(X(get_vect)(x, -1, val), PSB_EARG, "argument n is -1; expected 0 <= n <= 37");
    FAILS(X(set_vect)(NULL, 1, val), PSB_EARG, "argument x is NULL");
    FAILS(X(set_vect)(x, ROWS + 1, val), PSB_EARG, "argument n is 38; expected 0 <= n <= 37");
    FAILS(X(set_vect)(x, 1, NULL), PSB_EARG, "argument from is NULL; expected an array of 1 rows");
    FAILS(X(get_vect)(x, 1, NULL), PSB_EARG, "argument to is NULL");
    FAILS(X(getelem)(NULL, 1, val), PSB_EARG, "argument x is NULL");
    FAILS(X(getelem)(x, 1, val), PSB_EARG, "argument x is local");
    FAILS(X(halo_start)(build, 'N'), PSB_ESTATE, "not assembled");
    ck_assert_ptr_null(new);
    ck_assert(X(vect_get_nrows)(x) == ROWS && X(vect_get_ncols)(x) == 1);
    ck_assert(X(vect_sizeof)(x) == ROWS * sizeof(T));
    ck_assert(X(vect_get_nrows)(NULL) == 0 && X(vect_get_ncols)(NULL) == 0 && X(vect_sizeof)(NULL) == 0);
    ck_assert(!X(vect_is_host)(NULL) && !X(vect_is_dev)(NULL) && !X(vect_is_sync)(NULL));
}

/* The calls that return addresses, on either side. */
static void check_access_arguments(struct X(vect) *x)
{
    T *p = NULL;
    const T *q = NULL;
    psb_err (*const read[])(const struct X(vect) *, const T **) = { X(host_read), X(device_read) };
    psb_err (*const change[])(struct X(vect) *, T **) = { X(host_write), X(host_update), X(device_write),
                                                          X(device_update) };
    for (int k = 0; k < 2; k++) {
        FAILS(read[k](NULL, &q), PSB_EARG, "argument x is NULL; expected a vector");
        FAILS(read[k](x, NULL), PSB_EARG, "argument p is NULL; expected where to store the address");
    }
    for (int k = 0; k < 4; k++) {
        FAILS(change[k](NULL, &p), PSB_EARG, "argument x is NULL; expected a vector");
        FAILS(change[k](x, NULL), PSB_EARG, "argument p is NULL; expected where to store the address");
    }
    FAILS(X(device_read)(x, &q), PSB_ESTATE, "no device copy");
    ck_assert(!p && !q);
}

TEST(wrong_arguments)
{
    VECT *x = NULL, *y = NULL, *build = NULL;
    T val = 1;
    R norm;
    psb_lpk row = ROWS;
    OK(X(vect_new)(&x, ROWS, NULL));
    OK(X(vect_new)(&y, ROWS + 1, NULL));
    OK(X(geall)(&build, vect_desc));
    FAILS(X(vect_new)(NULL, 1, NULL), PSB_EARG, "argument x ");
    FAILS(X(vect_new)(&x, -1, NULL), PSB_EARG, "argument n is -1");
    FAILS(X(geall)(NULL, vect_desc), PSB_EARG, "argument x ");
    FAILS(X(geall)(&x, NULL), PSB_EARG, "argument desc ");
    FAILS(X(geins)(1, &row, &val, NULL, PSB_DUPL_ADD), PSB_EARG, "argument x ");
    FAILS(X(geins)(1, NULL, &val, build, PSB_DUPL_ADD), PSB_EARG, "argument irw ");
    FAILS(X(geins)(1, &row, NULL, build, PSB_DUPL_ADD), PSB_EARG, "argument val ");
    FAILS(X(geins)(-1, &row, &val, build, PSB_DUPL_ADD), PSB_EARG, "argument n is -1");
    FAILS(X(geins)(1, &row, &val, build, PSB_DUPL_ADD), PSB_EARG, "argument irw[0] is 37");
    row = -1;
    FAILS(X(geins)(1, &row, &val, build, PSB_DUPL_ADD), PSB_EARG, "argument irw[0] is -1");
    FAILS(X(geins)(1, &row, &val, build, PSB_DUPL_ERROR), PSB_EARG, "argument dupl ");
    FAILS(X(geins)(0, NULL, NULL, x, PSB_DUPL_ADD), PSB_ESTATE, "BUILD");
    FAILS(X(geasb)(NULL, NULL), PSB_EARG, "argument x is NULL");
    FAILS(X(geasb)(x, NULL), PSB_EARG, "argument x is local");
    FAILS(X(set_scal)(1, NULL), PSB_EARG, "argument x ");
    FAILS(X(get_vect)(x, ROWS + 1, &val), PSB_EARG, "argument n is 38");
    FAILS(X(set_vect)(x, -1, &val), PSB_EARG, "argument n is -1");
    FAILS(X(getelem)(build, ROWS, &val), PSB_EARG, "argument g is 37");
    FAILS(X(getelem)(build, 0, NULL), PSB_EARG, "argument val ");
    FAILS(X(geaxpby)(1, x, 1, y), PSB_EARG, "x (37 rows, columns: 1) and y (38, 1) differ");
    FAILS(X(geaxpby)(1, x, 1, NULL), PSB_EARG, "argument y ");
    FAILS(X(geaxpby)(1, build, 1, build), PSB_ESTATE, "not assembled");
    FAILS(X(gedot)(x, x, NULL), PSB_EARG, "argument res ");
    FAILS(X(genrm2)(NULL, &norm), PSB_EARG, "argument x ");
    FAILS(X(halo)(x, 'N'), PSB_EARG, "argument x is local");
    FAILS(X(halo)(build, 'N'), PSB_ESTATE, "not assembled");
    FAILS(X(gather)(x, &val, 0), PSB_EARG, "argument x is local");
    check_access_arguments(x);
    check_other_arguments(x, build);
    X(gefree)(NULL);
}

TEST(allocation_fails)
{
    VECT *x = NULL;
    psb_err e = PSB_ENOMEM;
    int n = 1;
    for (; e != PSB_OK; n++) {
        psb_alloc_fail_at(n);
        x = NULL;
        e = X(vect_new)(&x, ROWS, vect_places[_i]);
        psb_alloc_fail_at(0);
        ck_assert(e == PSB_OK ? x != NULL : e == PSB_ENOMEM && x == NULL);
    }
    ck_assert_int_gt(n, 2);
}

void add_vect_errors(TCase *c)
{
    ck_add_sampled_tests(c, TRIALS, device_fails);
    ck_add_tests(c, assembly_fails, wrong_arguments);
    ck_add_sampled_tests(c, 3, allocation_fails);
}
