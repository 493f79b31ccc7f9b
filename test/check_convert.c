/* check_convert.c -- room: test.  Conversions on the device compared with those on the host, array by array,
 * bit by bit. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "suites.h"
#include "psb_cuda.h"
#include "kernels.h"
#include "dense.h"
#include "sample.h"

static const psb_epk ALWAYS = 0, NEVER = INT64_MAX;

/* bytes of the result of a step */
enum { SIZES = PSB_FOUND * sizeof(psb_epk) };

/* --- molds --- */

enum { MOLDS = 15 };

/* The formats that the device converts to; the mold belongs to the caller. */
static const struct X(mat) *mold(int i)
{
    static struct X(hlg_mat) hll;
    static struct X(hdia_mat) dia;
    static const psb_ipk hack[] = { 32, 1, 31, 33, 64, 32, 32, 32 }, sort[] = { 0, 0, 0, 0, 0, 32, 50, 1000 };
    static const psb_ipk rows[] = { 128, 1, 50, 64 };
    if (i == 0)
        return &X(csrg_mold).mat;
    if (i <= 8) {
        hll = X(hlg_mold);
        hll.hll.hack = hack[i - 1];
        hll.hll.sort = sort[i - 1];
        return &hll.mat;
    }
    if (i <= 10) {
        hll = X(elg_mold);
        hll.hll.limit = i == 9 ? 8 : 0;
        return &hll.mat;
    }
    dia = i == 14 ? X(diag_mold) : X(hdiag_mold);
    if (i < 14)
        dia.hack = rows[i - 11];
    dia.limit = i == 12 ? 0 : 8;
    return &dia.mat;
}

/* --- matrices --- */

static void push(struct X(coo_mat) *a, psb_ipk i, psb_ipk j, T v)
{
    if (j >= 0 && j < a->mat.ncols)
        OK(X(coo_append)(a, 1, &i, &j, &v));
}

/* A sorted m x n band with gaps, zeros and duplicates. */
static struct X(coo_mat) *band(psb_ipk m, psb_ipk n)
{
    struct rng r = { 77 };
    struct X(mat) *new;
    OK(X(mat_new)(&X(coo_mold).mat, m, n, 0, &new));
    struct X(coo_mat) *a = (struct X(coo_mat) *)new;
    OK(X(coo_reserve)(a, 1));
    for (psb_ipk i = 0; i < m; i++)
        for (psb_ipk d = -3; d <= 3; d++)
            if (i % 97 != 5 && d != 2 && (d != -1 || i % 7))
                for (int t = d == 1 && i % 50 == 7 ? 3 : 1; t > 0; t--)
                    push(a, i, i + d, d == 0 && i % 11 == 4 ? 0 : random_scalar(&r));
    return a;
}

enum { ZOO = FEW + 3 };

static struct X(coo_mat) *zoo_matrix(int k)
{
    return k < FEW        ? few(k, 0)
           : k == FEW     ? band(1000, 1000)
           : k == FEW + 1 ? band(700, 900)
                          : band(2100, 300);
}

/* --- comparison --- */

static int arrays_of(struct X(mat) *a, struct psb_dual **list)
{
    const struct X(mat_ops) *k = a->ops;
    while (!k->arrays)
        k = k->super->ops;
    return k->arrays(a, list);
}

static void same_array(struct psb_dual *a, struct psb_dual *b, const char *fmt)
{
    const void *p, *q;
    ck_assert_msg(a->bytes == b->bytes, "%s, %s: %zu bytes and %zu", fmt, b->name, a->bytes, b->bytes);
    ck_assert_str_eq(a->name, b->name);
    if (a->bytes == 0)
        return;
    OK(psb_dual_read(a, PSB_HOST, &p));
    OK(psb_dual_read(b, PSB_HOST, &q));
    if (memcmp(p, q, a->bytes) == 0)
        return;
    size_t i = 0;
    while (((const char *)p)[i] == ((const char *)q)[i])
        i++;
    ck_abort_msg("%s, %s: byte %zu of %zu differs", fmt, b->name, i, a->bytes);
}

static void same_arrays(struct X(mat) *a, struct X(mat) *b)
{
    struct psb_dual *p[PSB_MOST_ARRAYS], *q[PSB_MOST_ARRAYS];
    const int n = arrays_of(a, p);
    ck_assert_int_eq(n, arrays_of(b, q));
    ck_assert_ptr_eq(a->ops, b->ops);
    for (int i = 0; i < n; i++)
        same_array(p[i], q[i], a->ops->fmt);
}

/* All arrays that are not empty are valid on the device only. */
static void check_on_device_only(struct X(mat) *a)
{
    struct psb_dual *p[PSB_MOST_ARRAYS];
    for (int n = arrays_of(a, p); n > 0; n--)
        ck_assert_msg(p[n - 1]->valid == PSB_DEV || p[n - 1]->bytes == 0, "%s: %s is valid on %u",
                      a->ops->fmt, p[n - 1]->name, p[n - 1]->valid);
}

/* Convert a on the device or on the host, by the threshold `from`; NULL if the format refuses, with the
 * reason in `why`. */
static struct X(mat) *make(struct X(mat) *a, const struct X(mat) *m, psb_epk from, char *why, unsigned len)
{
    struct X(mat) *b = NULL;
    const psb_epk before = psb_cuda_convert_from(from);
    psb_err e = X(mat_convert)(a, m, &b);
    psb_cuda_convert_from(before);
    ck_assert(e == PSB_OK || e == PSB_EPADDING);
    why[0] = '\0';
    if (e == PSB_OK)
        return b;
    ck_assert_ptr_null(b);
    (void)psb_pop_errmsg(why, len);
    return NULL;
}

/* --- conversions --- */

/* The device's conversion of a equals the host's conversion of s. */
static void check_conversion(struct X(mat) *a, struct X(coo_mat) *s, const struct X(mat) *m)
{
    char why[400], other[400];
    struct X(mat) *b = make(&s->mat, m, NEVER, why, sizeof why);
    struct X(mat) *c = make(a, m, ALWAYS, other, sizeof other);
    ck_assert_msg(!b == !c, "%s: the host says \"%s\", the device \"%s\"", m->ops->fmt, why, other);
    if (b) {
        check_on_device_only(c);
        same_arrays(b, c);
    }
    ck_assert_str_eq(why, other);
    X(mat_free)(b);
    X(mat_free)(c);
}

static struct X(mat) *on_device(struct X(mat) *a, const struct X(mat) *m)
{
    char why[400];
    return make(a, m, ALWAYS, why, sizeof why);
}

START_TEST(triplets_on_device)
    {
        for (int k = ZOO - 1; k >= 0; k -= ck_step(ZOO)) {
            struct X(coo_mat) *s = zoo_matrix(k), *before = zoo_matrix(k);
            check_conversion(&s->mat, s, mold(_i));
            ck_assert(same_entries(s, before));
            X(mat_free)(&s->mat);
            X(mat_free)(&before->mat);
        }
    }
END_TEST

/* From every other format, converted on the host (CSR) or on the device. */
START_TEST(rows_on_device)
    {
        for (int k = ZOO - 1; k >= 0; k -= ck_step(ZOO)) {
            struct X(coo_mat) *s = zoo_matrix(k);
            struct X(mat) *rows = NULL;
            OK(X(mat_convert)(&s->mat, &X(csr_mold).mat, &rows));
            check_conversion(rows, s, mold(_i));
            for (int j = 0; j < MOLDS; j += 1 + (j + k + _i) % 3) {
                struct X(mat) *a = on_device(rows, mold(j));
                if (a) {
                    check_conversion(a, s, mold(_i));
                    check_on_device_only(a);
                }
                X(mat_free)(a);
            }
            X(mat_free)(rows);
            X(mat_free)(&s->mat);
        }
    }
END_TEST

START_TEST(clones_on_device)
    {
        for (int k = ZOO - 1; k >= 0; k -= ck_step(ZOO)) {
            struct X(coo_mat) *s = zoo_matrix(k);
            struct X(mat) *a = on_device(&s->mat, mold(_i)), *b = NULL;
            if (a) {
                psb_transfers_reset();
                OK(X(mat_clone)(a, &b));
                ck_assert_int_eq(psb_transfers(NULL).puts + psb_transfers(NULL).gets, 0);
                check_on_device_only(a);
                check_on_device_only(b);
                same_arrays(a, b);
            }
            X(mat_free)(a);
            X(mat_free)(b);
            X(mat_free)(&s->mat);
        }
    }
END_TEST

/* In place, from sorted and from unsorted triplets. */
START_TEST(in_place_on_device)
    {
        for (int k = ZOO - 1; k >= 0; k -= ck_step(ZOO))
            for (int ordered = 0; ordered < 2; ordered++) {
                struct X(coo_mat) *s = zoo_matrix(k), *c = zoo_matrix(k);
                char why[400];
                if (ordered)
                    OK(X(mat_set_sorted)(&c->mat, PSB_BY_ROWS));
                struct X(mat) *a = &c->mat, *b = make(&s->mat, mold(_i), NEVER, why, sizeof why);
                const psb_epk before = psb_cuda_convert_from(ALWAYS);
                psb_err e = X(mat_cscnv)(&a, mold(_i));
                psb_cuda_convert_from(before);
                ck_assert(b ? e == PSB_OK : e == PSB_EPADDING);
                if (b) {
                    check_on_device_only(a);
                    same_arrays(b, a);
                } else {
                    (void)psb_pop_errmsg(NULL, 0);
                    ck_assert(same_entries(c, s));
                }
                X(mat_free)(a);
                X(mat_free)(b);
                X(mat_free)(&s->mat);
            }
    }
END_TEST

/* --- transfers and failures --- */

/* Conversions between formats on the device transfer sizes only, and HDIAG the starts of its hacks, at most
 * one a row, once; a conversion on the host leaves nothing on the device. */
START_TEST(only_sizes_are_transferred)
    {
        struct X(coo_mat) *s = band(1000, 1000);
        char why[400];
        struct X(mat) *a = on_device(&s->mat, &X(csrg_mold).mat), *h = NULL;
        psb_transfers_reset();
        struct X(mat) *b = on_device(a, mold(_i));
        const struct psb_transfers t = psb_transfers(NULL), hacks = psb_transfers("HDIA hacks");
        ck_assert_ptr_nonnull(b);
        ck_assert_int_eq(t.puts, 0);
        ck_assert_int_le(hacks.get_bytes, (1000 + 1) * (int)sizeof(psb_epk));
        ck_assert_int_le(t.get_bytes - hacks.get_bytes, 2 * SIZES);
        h = make(&s->mat, mold(_i), NEVER, why, sizeof why);
        struct psb_dual *list[PSB_MOST_ARRAYS];
        for (int n = arrays_of(h, list); n > 0; n--)
            ck_assert(!(list[n - 1]->valid & PSB_DEV));
        X(mat_free)(h);
        X(mat_free)(a);
        X(mat_free)(b);
        X(mat_free)(&s->mat);
    }
END_TEST

/* A product determines whether x is read in order, and which columns fit in 16 bits; for that it transfers
 * the row pointers of CSR, but no columns and no values. */
START_TEST(products_transfer_no_values)
    {
        struct X(coo_mat) *s = band(1000, 1000);
        struct X(mat) *a = on_device(&s->mat, mold(_i));
        struct X(vect) *x, *y;
        struct want *w = calloc(1000, sizeof *w);
        T *v = malloc(1000 * sizeof *v);
        const T *got;
        random_vector(1000, v, 5);
        sample_product(s, 'N', 1, v, 0, v, w);
        OK(X(vect_bld)(&x, 1000, 1, v, &psb_vect_cuda));
        OK(X(vect_new_n)(&y, 1000, 1, &psb_vect_cuda));
        psb_transfers_reset();
        OK(X(mat_vect_mv)(1, a, x, 0, y, 'N'));
        ck_assert_int_eq(psb_transfers("CSR columns").gets + psb_transfers("HLL columns").gets, 0);
        ck_assert_int_eq(psb_transfers("CSR values").gets + psb_transfers("HLL values").gets, 0);
        ck_assert_int_eq(psb_transfers("HDIA values").gets + psb_transfers("HDIA bits").gets, 0);
        ck_assert_int_le(psb_transfers(NULL).get_bytes, 8 * 1001 + 2 * SIZES);
        OK(X(host_read)(y, &got));
        ck_assert_int_eq(first_wrong(1000, got, w), 1000);
        X(gefree)(x);
        X(gefree)(y);
        X(mat_free)(a);
        X(mat_free)(&s->mat);
        free(w);
        free(v);
    }
END_TEST

/* For every failing allocation: either the host converts, or there is an error; the source is intact. */
START_TEST(conversion_allocation_fails)
    {
        char why[400];
        for (int k = FEW - 3; k <= FEW; k++) {
            struct X(coo_mat) *s = zoo_matrix(k), *same = zoo_matrix(k);
            struct X(mat) *want = make(&s->mat, mold(_i), NEVER, why, sizeof why);
            const psb_epk before = psb_cuda_convert_from(ALWAYS);
            for (long n = 1; n < 60; n += ck_step(60)) {
                struct X(mat) *a = NULL;
                psb_alloc_fail_at(n);
                psb_err e = X(mat_convert)(&s->mat, mold(_i), &a);
                psb_alloc_fail_at(0);
                ck_assert(e == PSB_OK || e == PSB_ENOMEM || e == PSB_EPADDING);
                ck_assert(same_entries(s, same));
                if (e == PSB_OK)
                    same_arrays(a, want);
                else
                    (void)psb_pop_errmsg(NULL, 0);
                X(mat_free)(a);
            }
            psb_cuda_convert_from(before);
            X(mat_free)(want);
            X(mat_free)(&s->mat);
            X(mat_free)(&same->mat);
        }
    }
END_TEST

/* --- operations on values --- */

/* A matrix in the i-th format, converted on the host and on the device; 0 if the format refuses. */
static int host_and_device_copies(int k, int i, struct X(mat) **h, struct X(mat) **d)
{
    char why[400];
    struct X(coo_mat) *s = zoo_matrix(k);
    *h = make(&s->mat, mold(i), NEVER, why, sizeof why);
    *d = on_device(&s->mat, mold(i));
    X(mat_free)(&s->mat);
    return *h != NULL;
}

START_TEST(get_diag_on_device)
    {
        T a[2200], b[2200];
        for (int k = ZOO - 1; k >= 0; k -= ck_step(ZOO)) {
            struct X(mat) *h, *d;
            if (!host_and_device_copies(k, _i, &h, &d))
                continue;
            const psb_ipk n = h->nrows < h->ncols ? h->nrows : h->ncols;
            for (int unit = 0; unit < 2; unit++) {
                h->is.triangle = h->is.unit = d->is.triangle = d->is.unit = (unsigned char)unit;
                psb_transfers_reset();
                OK(X(mat_get_diag)(d, b));
                ck_assert_int_eq(psb_transfers(NULL).puts, 0);
                ck_assert_int_eq(psb_transfers(NULL).get_bytes, (long long)n * (long long)sizeof(T));
                check_on_device_only(d);
                OK(X(mat_get_diag)(h, a));
                ck_assert(n == 0 || memcmp(a, b, (size_t)n * sizeof *a) == 0);
            }
            X(mat_free)(h);
            X(mat_free)(d);
        }
    }
END_TEST

START_TEST(scaling_on_device)
    {
        T by[2200];
        random_vector(2200, by, 9);
        by[3] = 0;
        for (int k = ZOO - 1; k >= 0; k -= ck_step(ZOO))
            for (int how = 0; how < 4; how++) {
                struct X(mat) *h, *d;
                if (!host_and_device_copies(k, _i, &h, &d))
                    continue;
                psb_transfers_reset();
                if (how < 2) {
                    OK(X(mat_scal)(d, how ? by[0] : 0));
                    OK(X(mat_scal)(h, how ? by[0] : 0));
                } else {
                    OK(X(mat_scalv)(d, by, how == 2 ? 'L' : 'R'));
                    OK(X(mat_scalv)(h, by, how == 2 ? 'L' : 'R'));
                }
                ck_assert_int_eq(psb_transfers(NULL).gets, 0);
                ck_assert_int_le(psb_transfers(NULL).puts, how / 2);
                check_on_device_only(d);
                same_arrays(h, d);
                X(mat_free)(h);
                X(mat_free)(d);
            }
    }
END_TEST

/* New values for entries of s; how == 0: in order, 1: in reverse order, 2: random entries, some repeated.
 * Returns their number. */
static psb_epk batch(const struct X(coo_mat) *s, int how, psb_ipk *ia, psb_ipk *ja, T *val)
{
    struct rng r = { 31 };
    const psb_epk n = s->mat.nnz, most = how == 2 ? 2 * n : n;
    for (psb_epk k = 0; k < most; k++) {
        const psb_epk e = how == 0 ? k : how == 1 ? n - 1 - k : rng_below(&r, (int)n);
        ia[k] = s->ia[e];
        ja[k] = s->ja[e];
        val[k] = random_scalar(&r);
    }
    return most;
}

START_TEST(refill_on_device)
    {
        const psb_epk before = psb_cuda_convert_from(ALWAYS);
        for (int k = ZOO - 1; k >= 0; k -= ck_step(ZOO)) {
            struct X(coo_mat) *s = zoo_matrix(k);
            const size_t room = 2 * (size_t)s->mat.nnz + 1;
            psb_ipk *ia = malloc(room * sizeof *ia), *ja = malloc(room * sizeof *ja);
            T *val = malloc(room * sizeof *val);
            struct X(mat) *h, *d;
            OK(X(mat_set_sorted)(&s->mat, PSB_BY_ROWS));
            if (host_and_device_copies(k, _i, &h, &d)) {
                for (int how = 0; how < 6; how++) {
                    const enum psb_dupl dupl = how < 3 ? PSB_DUPL_ADD : PSB_DUPL_OVERWRITE;
                    const psb_epk n = batch(s, how % 3, ia, ja, val);
                    psb_transfers_reset();
                    OK(X(mat_csput)(d, n, ia, ja, val, dupl));
                    ck_assert_int_le(psb_transfers(NULL).get_bytes, SIZES);
                    check_on_device_only(d);
                    OK(X(mat_csput)(h, n, ia, ja, val, dupl));
                    if (how == 3) {
                        OK(X(mat_zero_vals)(h));
                        OK(X(mat_zero_vals)(d));
                        check_on_device_only(d);
                    }
                }
                same_arrays(h, d);
                X(mat_free)(h);
                X(mat_free)(d);
            }
            X(mat_free)(&s->mat);
            free(ia);
            free(ja);
            free(val);
        }
        psb_cuda_convert_from(before);
    }
END_TEST

/* On a full device a clone copies nothing to it, and there is no memory for a diagonal or for factors: the
 * host does the work. */
START_TEST(no_memory_on_device)
    {
        struct X(mat) *h, *d, *c;
        T got[1000], want[1000], by[1000];
        const psb_epk before = psb_cuda_convert_from(ALWAYS);
        if (psb_cuda_device() == &psb_device_fake && host_and_device_copies(FEW, _i, &h, &d)) {
            OK(X(mat_sync)(d));
            psb_cuda_fake_limit(1);
            OK(X(mat_clone)(d, &c));
            same_arrays(h, c);
            OK(X(mat_get_diag)(h, want));
            OK(X(mat_get_diag)(d, got));
            ck_assert(memcmp(got, want, (size_t)(h->nrows < h->ncols ? h->nrows : h->ncols) * sizeof(T)) ==
                      0);
            random_vector(h->nrows, by, 7);
            OK(X(mat_scalv)(h, by, 'L'));
            OK(X(mat_scalv)(d, by, 'L'));
            same_arrays(h, d);
            X(mat_free)(c);
            X(mat_free)(h);
            X(mat_free)(d);
        }
        psb_cuda_fake_limit(0);
        psb_cuda_convert_from(before);
    }
END_TEST

/* A missing entry is named and nothing changes.  If an allocation fails, nothing changes or the host does the
 * work. */
START_TEST(failed_refills)
    {
        struct X(mat) *h, *d;
        psb_ipk ia[300], ja[300];
        T val[300];
        const psb_epk before = psb_cuda_convert_from(ALWAYS);
        ck_assert(host_and_device_copies(FEW, _i, &h, &d));
        for (psb_ipk k = 0; k < 300; k++) {
            ia[k] = ja[k] = k + 6;
            val[k] = 1;
        }
        ia[120] = ja[120] = 5;
        FAILS(X(mat_csput)(d, 300, ia, ja, val, PSB_DUPL_ADD), PSB_EARG,
              "entry 96, row 102, column 102, is not in the pattern");
        ia[96] = ja[96] = ia[193] = ja[193] = ia[290] = ja[290] = 98;
        FAILS(X(mat_csput)(d, 300, ia, ja, val, PSB_DUPL_ADD), PSB_EARG,
              "entry 120, row 5, column 5, is not in the pattern");
        check_on_device_only(d);
        ia[120] = ja[120] = 99;
        for (int n = 1; n < 20; n++) {
            psb_alloc_fail_at(n);
            psb_err e = X(mat_csput)(d, 300, ia, ja, val, PSB_DUPL_OVERWRITE);
            psb_alloc_fail_at(0);
            if (n == 1)
                OK(X(mat_csput)(h, 300, ia, ja, val, PSB_DUPL_OVERWRITE));
            ck_assert(e == PSB_OK || e == PSB_ENOMEM);
            if (e == PSB_OK)
                same_arrays(h, d);
        }
        X(mat_free)(h);
        X(mat_free)(d);
        psb_cuda_convert_from(before);
    }
END_TEST

/* --- distributed matrices --- */

static psb_ctxt *ctxt;

/* The band s as a distributed matrix on one process. */
static struct X(spmat) *distributed_band(const struct X(coo_mat) *s, psb_desc **desc, psb_lpk *ia,
                                         psb_lpk *ja, int i)
{
    struct X(spmat) *a;
    OK(psb_cdall_nl(desc, ctxt, s->mat.nrows));
    for (psb_epk k = 0; k < s->mat.nnz; k++) {
        ia[k] = s->ia[k];
        ja[k] = s->ja[k];
    }
    OK(X(spall)(&a, *desc, s->mat.nnz));
    OK(X(spins)(s->mat.nnz, ia, ja, s->val, a));
    OK(psb_cdasb(*desc));
    OK(X(spasb)(a, mold(i), PSB_DUPL_OVERWRITE));
    return a;
}

/* Assembled, scaled, refilled, and assembled again: values are transferred back only when read. */
START_TEST(distributed_matrix_on_device)
    {
        struct X(coo_mat) *s = band(1000, 1000);
        const size_t n = (size_t)s->mat.nnz;
        psb_lpk *ia = malloc(n * sizeof *ia), *ja = malloc(n * sizeof *ja);
        T *twice = malloc(n * sizeof *twice);
        psb_desc *desc;
        struct X(mat) *h = NULL;
        const psb_epk before = psb_cuda_convert_from(ALWAYS);
        for (size_t k = 0; k < n; k++)
            twice[k] = 2 * s->val[k];
        struct X(spmat) *a = distributed_band(s, &desc, ia, ja, _i);
        check_on_device_only(a->ad);
        psb_transfers_reset();
        OK(X(spscal)(3, a));
        ck_assert_int_eq(psb_transfers(NULL).puts + psb_transfers(NULL).gets, 0);
        OK(X(sprn)(a, 1));
        ck_assert_int_eq(psb_transfers(NULL).gets, psb_transfers("boundary rows").gets);
        OK(X(spins)((psb_epk)n, ia, ja, twice, a));
        OK(X(spasb)(a, NULL, PSB_DUPL_OVERWRITE));
        check_on_device_only(a->ad);
        psb_cuda_convert_from(NEVER);
        for (size_t k = 0; k < n; k++)
            s->val[k] = twice[k];
        OK(X(coo_fix)(s, PSB_DUPL_OVERWRITE));
        OK(X(mat_convert)(&s->mat, mold(_i), &h));
        same_arrays(h, a->ad);
        psb_cuda_convert_from(before);
        X(mat_free)(h);
        X(spfree)(a);
        psb_cdfree(desc);
        X(mat_free)(&s->mat);
        free(ia);
        free(ja);
        free(twice);
    }
END_TEST

/* Assemble s on one process; return the error if it is refused. */
static psb_err assemble(const struct X(coo_mat) *s, int i, enum psb_dupl dupl, psb_epk from, psb_desc **desc,
                        struct X(spmat) **a)
{
    const size_t n = (size_t)s->mat.nnz;
    psb_lpk *ia = malloc((n + 1) * sizeof *ia), *ja = malloc((n + 1) * sizeof *ja);
    const psb_epk before = psb_cuda_convert_from(from);
    for (size_t k = 0; k < n; k++) {
        ia[k] = s->ia[k];
        ja[k] = s->ja[k];
    }
    OK(psb_cdall_nl(desc, ctxt, s->mat.nrows));
    OK(X(spall)(a, *desc, 0));
    OK(X(spins)(s->mat.nnz, ia, ja, s->val, *a));
    OK(psb_cdasb(*desc));
    psb_err e = X(spasb)(*a, mold(i), dupl);
    psb_cuda_convert_from(before);
    free(ia);
    free(ja);
    return e;
}

/* Unsorted entries with duplicates: the result, or the error if duplicates are not allowed. */
START_TEST(assembly_on_device)
    {
        static const enum psb_dupl dupls[] = { PSB_DUPL_ADD, PSB_DUPL_OVERWRITE, PSB_DUPL_ERROR };
        for (int k = ZOO - 1; k >= 0; k -= ck_step(ZOO)) {
            struct X(coo_mat) *s = zoo_matrix(k);
            for (int d = 0; d < 3 && s->mat.nrows == s->mat.ncols; d++) {
                psb_desc *p, *q;
                struct X(spmat) *a, *b;
                psb_err e = assemble(s, _i, dupls[d], NEVER, &p, &a);
                char why[400];
                if (e != PSB_OK)
                    (void)psb_pop_errmsg(why, sizeof why);
                psb_transfers_reset();
                psb_err f = assemble(s, _i, dupls[d], ALWAYS, &q, &b);
                ck_assert_int_eq(e, f);
                ck_assert_int_eq(psb_transfers("COO rows").puts, s->mat.nnz > 0);
                if (e == PSB_OK)
                    ck_assert_int_eq(psb_transfers("CSR values").puts, 0);
                if (e == PSB_OK) {
                    check_on_device_only(b->ad);
                    same_arrays(a->ad, b->ad);
                    same_arrays(a->ah, b->ah);
                    ck_assert_int_eq(a->ad->nnz, b->ad->nnz);
                } else {
                    ck_assert_str_eq(why, psb_errmsg());
                    psb_clean_errstack();
                }
                X(spfree)(a);
                X(spfree)(b);
                psb_cdfree(p);
                psb_cdfree(q);
            }
            X(mat_free)(&s->mat);
        }
    }
END_TEST

/* If an allocation fails, the host assembles or the matrix is unchanged. */
START_TEST(assembly_allocation_fails)
    {
        struct X(coo_mat) *s = band(300, 300);
        psb_desc *p, *q;
        struct X(spmat) *a, *b;
        OK(assemble(s, _i, PSB_DUPL_ADD, NEVER, &p, &a));
        OK(assemble(s, _i, PSB_DUPL_ADD, ALWAYS, &q, &b));
        X(spfree)(b);
        const psb_epk before = psb_cuda_convert_from(ALWAYS);
        for (int n = 1; n < 60; n += ck_step(60)) {
            OK(X(spall)(&b, q, 0));
            for (psb_epk k = 0; k < s->mat.nnz; k++) {
                const psb_lpk i = s->ia[k], j = s->ja[k];
                OK(X(spins)(1, &i, &j, &s->val[k], b));
            }
            psb_alloc_fail_at(n);
            psb_err e = X(spasb)(b, mold(_i), PSB_DUPL_ADD);
            psb_alloc_fail_at(0);
            if (e != PSB_OK) {
                ck_assert_int_eq(e, PSB_ENOMEM);
                psb_clean_errstack();
                OK(X(spasb)(b, mold(_i), PSB_DUPL_ADD));
            }
            same_arrays(a->ad, b->ad);
            X(spfree)(b);
        }
        psb_cuda_convert_from(before);
        X(spfree)(a);
        psb_cdfree(p);
        psb_cdfree(q);
        X(mat_free)(&s->mat);
    }
END_TEST

START_TEST(threshold_of_entries)
    {
        ck_assert_int_eq(psb_cuda_convert_from(-1), PSB_CUDA_CONVERT_FROM);
        ck_assert_int_eq(psb_cuda_convert_from(5), PSB_CUDA_CONVERT_FROM);
        ck_assert_int_eq(psb_cuda_convert_from(-1), 5);
        ck_assert_int_eq(psb_cuda_convert_from(PSB_CUDA_CONVERT_FROM), 5);
    }
END_TEST

int check_convert(void)
{
    ck_mpi_init();
    OK(ck_init(&ctxt));
    Suite *s = suite_create("conversions on the device");
    TCase *t = ck_tcase(s, "on the device"), *once = ck_tcase(s, "single tests");
    ck_add_loop_test(t, triplets_on_device, MOLDS);
    ck_add_loop_test(t, rows_on_device, MOLDS);
    ck_add_loop_test(t, clones_on_device, MOLDS);
    ck_add_loop_test(t, in_place_on_device, MOLDS);
    ck_add_loop_test(t, only_sizes_are_transferred, MOLDS - 1);
    ck_add_loop_test(t, products_transfer_no_values, MOLDS);
    ck_add_loop_test(t, conversion_allocation_fails, MOLDS);
    ck_add_loop_test(t, get_diag_on_device, MOLDS);
    ck_add_loop_test(t, scaling_on_device, MOLDS);
    ck_add_loop_test(t, refill_on_device, MOLDS);
    ck_add_loop_test(t, no_memory_on_device, MOLDS);
    ck_add_loop_test(t, failed_refills, MOLDS);
    ck_add_loop_test(t, distributed_matrix_on_device, MOLDS);
    ck_add_loop_test(t, assembly_on_device, MOLDS);
    ck_add_loop_test(t, assembly_allocation_fails, MOLDS);
    tcase_add_test(once, threshold_of_entries);
    return ck_end(ctxt, ck_run(s));
}
