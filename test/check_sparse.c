/* check_sparse.c -- test: sparse vectors and dense ones in arrays, on the host and on a device. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "psb_cuda.h"
#include "check_raw.h"

enum { DENSE_MOST = 200, SPARSE_MOST = 600, CALLS = 8 };

/* Arrays of one length for all tests, aligned if the struct is; `dot` is a result. */
struct both_vectors {
    T val[SPARSE_MOST], y[DENSE_MOST], dot;
    psb_sparse v;
    psb_ipk idx[SPARSE_MOST];
};

enum order {
    ANY,
    DISTINCT,
    ASCENDING
}; /* of indices: distinct, random; ascending, twice if there are many */

static void make_vectors(psb_ipk n, psb_ipk nnz, int base, enum order kind, struct both_vectors *w)
{
    struct rng r = { (uint64_t)n * 1000 + (uint64_t)nnz };
    psb_ipk order[DENSE_MOST];
    memset(w, 0, sizeof *w);
    w->v = (psb_sparse){ .n = n, .nnz = nnz, .base = base };
    for (psb_ipk i = 0; i < n; i++) {
        const int j = rng_below(&r, i + 1);
        order[i] = order[j];
        order[j] = i;
    }
    for (psb_ipk k = 0; k < SPARSE_MOST; k++) {
        w->idx[k] = k >= nnz            ? -1
                    : kind == ASCENDING ? base + k * n / nnz
                                        : base + (kind == DISTINCT ? order[k] : rng_below(&r, n));
        w->val[k] = random_scalar(&r);
    }
    for (psb_ipk i = 0; i < DENSE_MOST; i++)
        w->y[i] = random_scalar(&r);
}

static const T three = 3;

/* A call by number, on arrays there. */
static psb_err call(int i, const psb_sparse *v, T *val, T *y, T *dot, const struct psb_vmold *mold)
{
    switch (i) {
    case 0:
        return psb_sv_gather(v, y, val, mold);
    case 1:
        return psb_sv_take(v, y, val, mold);
    case 2:
        return psb_sv_scatter(v, val, y, mold);
    case 3:
        return psb_sv_axpby(v, MAKE(2, 1), val, three, y, mold);
    case 4:
        return psb_sv_axpby(v, 2, val, 0, y, mold);
    case 5:
        return psb_sv_rot(v, (R)0.6, MAKE(0.48, 0.64), val, y, mold);
    case 6:
        return psb_sv_dot(v, val, y, 0, dot, mold);
    default:
        return psb_sv_dot(v, val, y, 1, dot, mold);
    }
}

/* The same, written down. */
static void reference(int i, struct both_vectors *w)
{
    double complex sum = 0;
    for (psb_ipk k = 0; k < w->v.n && (i == 3 || i == 4); k++)
        w->y[k] = i == 3 ? three * w->y[k] : 0;
    for (psb_ipk k = 0; k < w->v.nnz; k++) {
        T *const x = w->val + k, *const y = w->y + w->idx[k] - w->v.base, was = *x, old = *y;
        *x = i < 2 ? old : i == 5 ? (R)0.6 * was + MAKE(0.48, 0.64) * old : was;
        *y = i == 1   ? 0
             : i == 2 ? was
             : i == 3 ? old + MAKE(2, 1) * was
             : i == 4 ? old + 2 * was
             : i == 5 ? (R)0.6 * old - CONJ(MAKE(0.48, 0.64)) * was
                      : old;
        sum += (double complex)(i == 7 ? CONJ(was) : was) * old;
    }
    if (i > 5)
        w->dot = MAKE(creal(sum), cimag(sum));
}

/* The call on copies on the device, in the middle of arrays of the device; `check`: of a checked list. */
static psb_err call_checked_there(int i, bool check, struct both_vectors *w)
{
    const struct psb_device *on = psb_cuda_device();
    psb_sparse v = w->v;
    void *p;
    OK(on->alloc(&p, sizeof *w, "theirs"));
    OK(on->put(p, w, sizeof *w));
    struct both_vectors *const there = p;
    v.idx = there->idx;
    psb_err e = check ? psb_sv_check(&v, &psb_vect_cuda) : PSB_OK;
    PSB_THEN(e, call(i, &v, there->val, there->y, &w->dot, &psb_vect_cuda));
    const T dot = w->dot;
    OK(on->get(w, p, sizeof *w));
    w->dot = dot;
    on->free(p);
    return e;
}

static psb_err call_there(int i, struct both_vectors *w)
{
    return call_checked_there(i, false, w);
}

static psb_err call_here(int i, struct both_vectors *w)
{
    psb_sparse v = w->v;
    v.idx = w->idx;
    return call(i, &v, w->val, w->y, &w->dot, NULL);
}

static bool all_near(const T *x, const T *y, psb_ipk n)
{
    for (psb_ipk k = 0; k < n; k++)
        if (!((double)ABS(x[k] - y[k]) <= 1000 * (double)EPS))
            return false;
    return true;
}

/* Every call does what it says; the device has the bits of the host; other elements keep theirs. */
TEST(sparse_vectors)
{
    static const psb_ipk sizes[][2] = { { 0, 0 },     { 1, 0 },    { 1, 1 },     { 2, 2 },
                                        { 200, 200 }, { 200, 37 }, { 200, 600 }, { 1, 3 } };
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
        for (int base = 0; base < 2; base++)
            for (enum order kind = ANY; kind <= ASCENDING; kind++) {
                struct both_vectors first, want, here, there, again;
                const psb_ipk n = sizes[k][0], nnz = sizes[k][1];
                const bool distinct = kind != ANY && nnz <= n;
                if (kind == DISTINCT && nnz > n)
                    continue;
                make_vectors(n, nnz, base, kind, &first);
                want = here = there = again = first;
                reference(_i, &want);
                OK(call_here(_i, &here));
                psb_transfers_reset();
                OK(call_there(_i, &there));
                ck_assert(!distinct || psb_transfers("dense elements").gets == 0);
                ck_assert(nnz <= n || _i == 0 || _i > 5 || psb_transfers("dense elements").gets > 0);
                ck_assert(all_near(here.val, want.val, SPARSE_MOST) && all_near(here.y, want.y, DENSE_MOST));
                ck_assert(all_near(&here.dot, &want.dot, 1) && all_near(&there.dot, &want.dot, 1));
                OK(call_checked_there(_i, true, &again));
                ck_assert(memcmp(&again, &there, sizeof there) == 0);
                ck_assert(memcmp(here.val, there.val, sizeof here.val) == 0);
                ck_assert(memcmp(here.y, there.y, sizeof here.y) == 0);
                ck_assert(memcmp(here.y + n, first.y + n, (size_t)(DENSE_MOST - n) * sizeof(T)) == 0);
            }
}

/* Arguments that are refused change nothing. */
TEST(wrong_sparse_vectors)
{
    static const psb_ipk wrong[] = { -1, 21, INT32_MAX, INT32_MIN };
    struct both_vectors first, w;
    for (int k = 0; k < 4; k++)
        for (int there = 0; there < 2; there++) {
            make_vectors(20, 10, 1, DISTINCT, &first);
            first.idx[7] = wrong[k];
            first.idx[9] = wrong[k];
            w = first;
            if (wrong[k] == 21)
                w.idx[7] = first.idx[7] = 0;
            FAILS(there ? call_there(_i, &w) : call_here(_i, &w), PSB_EARG,
                  "argument v->idx[7] is %d; expected 1 <= idx < 21", w.idx[7]);
            ck_assert(memcmp(&w, &first, sizeof w) == 0);
        }
    make_vectors(20, 10, 0, DISTINCT, &w);
    psb_sparse v = w.v;
    FAILS(call(_i, &v, w.val, w.y, &w.dot, NULL), PSB_EARG, "argument v->idx is NULL; expected 10 indices");
    v.idx = w.idx;
    FAILS(call(_i, NULL, w.val, w.y, &w.dot, NULL), PSB_EARG, "argument v is NULL");
    FAILS(call(_i, &v, NULL, w.y, &w.dot, NULL), PSB_EARG, "argument val is NULL");
    FAILS(call(_i, &v, w.val, NULL, &w.dot, NULL), PSB_EARG, "argument y is NULL");
    if (_i > 5)
        FAILS(call(_i, &v, w.val, w.y, NULL, NULL), PSB_EARG, "argument dot is NULL");
    v.base = 2;
    FAILS(call(_i, &v, w.val, w.y, &w.dot, NULL), PSB_EARG, "argument v->base is 2; expected 0 or 1");
    v.base = 0;
    v.nnz = -1;
    FAILS(call(_i, &v, w.val, w.y, &w.dot, NULL), PSB_EARG, "argument v has n 20, nnz -1");
}

/* What psb_sv_check finds, here and there. */
TEST(checked_places)
{
    static const psb_ipk lists[][3] = { { 1, 2, 5 }, { 5, 1, 2 }, { 1, 5, 5 }, { 0, 1, 2 }, { 1, 2, 6 } };
    static const psb_sparse_order want[] = { PSB_SV_ASCENDING, PSB_SV_DISTINCT, PSB_SV_ANY };
    const struct psb_device *on = psb_cuda_device();
    void *there;
    OK(on->alloc(&there, sizeof *lists, "a list"));
    for (int k = 0; k < 5; k++)
        for (int far = 0; far < 2; far++) {
            psb_sparse v = { .n = 5, .nnz = 3, .base = 1, .idx = lists[k], .order = PSB_SV_ASCENDING };
            OK(on->put(there, lists[k], sizeof *lists));
            if (far)
                v.idx = there;
            const psb_err e = psb_sv_check(&v, far ? &psb_vect_cuda : NULL);
            if (k < 3)
                OK(e);
            else
                FAILS(e, PSB_EARG, "argument v->idx[%d] is %d; expected 1 <= idx < 6", k == 3 ? 0 : 2,
                      k == 3 ? 0 : 6);
            ck_assert_int_eq(v.order, k < 3 ? want[k] : PSB_SV_UNCHECKED);
        }
    on->free(there);
    psb_sparse v = { .order = 4 };
    T x = 0;
    FAILS(psb_sv_gather(&v, &x, &x, NULL), PSB_EARG, "argument v->order is 4");
    OK(psb_sv_check(&v, NULL));
    ck_assert_int_eq(v.order, PSB_SV_ASCENDING);
    FAILS(psb_sv_check(NULL, NULL), PSB_EARG, "argument v is NULL");
}

/* Vectors of several tiles of a device, ascending with holes. */
TEST(long_sparse_vectors)
{
    enum { N = 20011 };
    const psb_ipk nnz = N / 3;
    HEAP psb_ipk *idx = malloc(N * sizeof *idx);
    HEAP T *y = malloc(N * sizeof *y), *val = malloc(N * sizeof *val), *got = malloc(N * sizeof *got);
    const struct psb_device *on = psb_cuda_device();
    struct rng r = { 5 };
    void *p[3];
    ck_assert(idx && y && val && got);
    for (psb_ipk k = 0; k < N; k++) {
        idx[k] = _i ? k : 2 * k + (k > nnz / 2) * (N - 2 * nnz - 1);
        y[k] = random_scalar(&r);
        val[k] = random_scalar(&r);
    }
    const void *const from[] = { idx, val, y };
    psb_sparse v = { .n = N, .nnz = _i ? _i : nnz, .idx = idx }, there = v;
    for (int a = 0; a < 3; a++) {
        OK(on->alloc(&p[a], N * sizeof(T), "theirs"));
        OK(on->put(p[a], from[a], N * (a ? sizeof(T) : sizeof *idx)));
    }
    there.idx = p[0];
    OK(psb_sv_check(&there, &psb_vect_cuda));
    ck_assert_int_eq(there.order, PSB_SV_ASCENDING);
    for (int beta = 0; beta < 3; beta++) {
        OK(psb_sv_axpby(&v, MAKE(2, 1), val, (R)beta / 4, y, NULL));
        OK(psb_sv_axpby(&there, MAKE(2, 1), (T *)p[1], (R)beta / 4, (T *)p[2], &psb_vect_cuda));
        OK(on->get(got, p[2], N * sizeof *got));
        ck_assert(memcmp(got, y, N * sizeof *got) == 0);
    }
    for (int a = 0; a < 3; a++)
        on->free(p[a]);
}

/* Arrays of a device that are not aligned are refused. */
TEST(sparse_vectors_at_odd_addresses)
{
    const struct psb_device *on = psb_cuda_device();
    psb_sparse v = { .n = 1, .nnz = 1 };
    T dot;
    void *p;
    OK(on->alloc(&p, 4 * sizeof(T), "theirs"));
    v.idx = p;
    T *const val = (T *)p + 1, *const y = (T *)p + 2;
    const uintptr_t half = sizeof(T) / 2;
    FAILS(call(_i, &v, (T *)((uintptr_t)val + half), y, &dot, &psb_vect_cuda), PSB_EARG,
          "argument val is at");
    FAILS(call(_i, &v, val, (T *)((uintptr_t)y + half), &dot, &psb_vect_cuda), PSB_EARG, "argument y is at");
    v.idx = (psb_ipk *)((uintptr_t)p + 2);
    FAILS(call(_i, &v, val, y, &dot, &psb_vect_cuda), PSB_EARG, "argument v->idx is at");
    on->free(p);
}

/* Allocations fail, on the host and on the device. */
TEST(memory_for_sparse_vectors)
{
    for (int twice = 0; twice < 2; twice++) {
        struct both_vectors first, w;
        make_vectors(20, 10, 0, twice ? ANY : DISTINCT, &first);
        psb_err e = PSB_ENOMEM;
        for (int n = 2; e != PSB_OK; n++) { /* the first one is of the test */
            w = first;
            psb_alloc_fail_at(n);
            e = call_there(_i, &w);
            psb_alloc_fail_at(0);
            ck_assert(e == PSB_OK || (e == PSB_ENOMEM && memcmp(&w, &first, sizeof w) == 0));
        }
    }
}

void add_sparse_vectors(TCase *c)
{
    ck_add_loop_tests(c, CALLS, sparse_vectors, wrong_sparse_vectors, sparse_vectors_at_odd_addresses,
                      memory_for_sparse_vectors);
    ck_add_loop_tests(c, 3, long_sparse_vectors);
    ck_add_tests(c, checked_places);
}
