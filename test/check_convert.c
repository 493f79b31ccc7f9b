/* check_convert.c -- test: conversions on the device compared with those on the host, array by array,
 * bit by bit. */
#include <string.h>
#include "suites.h"
#include "psb_cuda.h"
#include "check_convert.h"

/* --- molds --- */

const struct X(mat) *device_mold(int i)
{
    static struct X(hlg_mat) hll;
    static struct X(hdia_mat) dia;
    static const psb_ipk hack[] = { 32, 1, 31, 33, 64, 32, 32, 32 }, sort[] = { 0, 0, 0, 0, 0, 32, 50, 1000 };
    static const psb_ipk rows[] = { 128, 1, 50, 64 };
    if (i > DIAG && i < MOLDS) {
        static struct X(hlgp_mat) packed;
        packed = X(hlgp_mold);
        packed.hll.hack = i == DIAG + 1 ? 32 : 33;
        return &packed.mat;
    }
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
    if (i >= MOLDS) {
        static struct X(hyb_mat) hyb;
        static const enum psb_hyb partition[] = { PSB_HYB_AUTO, PSB_HYB_MAX, PSB_HYB_USER, PSB_HYB_USER };
        static struct X(bsrg_mat) bsr;
        static const psb_ipk block[][2] = { { 0, 0 }, { 1, 1 }, { 2, 2 }, { 5, 3 }, { 1, 8 } };
        hyb = X(hybg_mold);
        bsr = X(bsrg_mold);
        i -= MOLDS;
        if (i >= 6) {
            bsr.bsr.block_rows = block[i - 6][0];
            bsr.bsr.block_cols = block[i - 6][1];
            bsr.bsr.by_cols = i < 9;
            return &bsr.mat;
        }
        hyb.partition = partition[i % 4];
        hyb.width = i - 2;
        return i == 5 ? &X(cscg_mold).mat : i == 4 ? &X(coog_mold).mat : &hyb.mat;
    }
    dia = i == DIAG ? X(diag_mold) : X(hdiag_mold);
    if (i < DIAG)
        dia.hack = rows[i - 11];
    dia.limit = i == 12 ? 0 : 8;
    return &dia.mat;
}

/* --- matrices --- */

struct X(coo_mat) *band_matrix(psb_ipk m, psb_ipk n)
{
    struct rng r = { 77 };
    struct X(coo_mat) *a = new_coo(m, n);
    for (psb_ipk i = 0; i < m; i++)
        for (psb_ipk d = -3; d <= 3; d++)
            if (i % 97 != 5 && d != 2 && (d != -1 || i % 7))
                for (int t = d == 1 && i % 50 == 7 ? 3 : 1; t > 0; t--)
                    coo_put(a, i, i + d, d == 0 && i % 11 == 4 ? 0 : random_scalar(&r));
    return a;
}

struct X(coo_mat) *conversion_sample(int k)
{
    return k < FEW        ? few(k, 0)
           : k == FEW     ? band_matrix(1000, 1000)
           : k == FEW + 1 ? band_matrix(700, 900)
                          : band_matrix(2100, 300);
}

/* --- comparison --- */

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

void check_same_arrays(struct X(mat) *a, struct X(mat) *b)
{
    struct psb_dual *p[PSB_MOST_ARRAYS], *q[PSB_MOST_ARRAYS];
    const int n = X(mat_arrays)(a, p);
    ck_assert_int_eq(n, X(mat_arrays)(b, q));
    ck_assert_ptr_eq(a->ops, b->ops);
    for (int i = 0; i < n; i++)
        same_array(p[i], q[i], a->ops->fmt);
}

void check_on_device_only(struct X(mat) *a)
{
    struct psb_dual *p[PSB_MOST_ARRAYS];
    for (int n = X(mat_arrays)(a, p); n > 0; n--)
        ck_assert_msg(p[n - 1]->valid == PSB_DEV || p[n - 1]->bytes == 0, "%s: %s is valid on %u",
                      a->ops->fmt, p[n - 1]->name, p[n - 1]->valid);
}

struct X(mat) *convert_by_threshold(struct X(mat) *a, const struct X(mat) *m, psb_epk from, char *why,
                                    unsigned len)
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
    MAT *b = convert_by_threshold(&s->mat, m, NEVER, why, sizeof why),
        *c = convert_by_threshold(a, m, ALWAYS, other, sizeof other);
    ck_assert_msg(!b == !c, "%s: the host says \"%s\", the device \"%s\"", m->ops->fmt, why, other);
    if (b) {
        check_on_device_only(c);
        check_same_arrays(b, c);
    }
    ck_assert_str_eq(why, other);
}

struct X(mat) *convert_on_device(struct X(mat) *a, const struct X(mat) *m)
{
    char why[400];
    return convert_by_threshold(a, m, ALWAYS, why, sizeof why);
}

TEST(triplets_on_device)
{
    for (int k = ZOO - 1; k >= 0; k -= ck_step(ZOO)) {
        COO *s = conversion_sample(k), *before = conversion_sample(k);
        check_conversion(&s->mat, s, device_mold(_i));
        ck_assert(same_entries(s, before));
    }
}

/* From every other format, converted on the host (CSR) or on the device. */
TEST(rows_on_device)
{
    for (int k = ZOO - 1; k >= 0; k -= ck_step(ZOO)) {
        COO *s = conversion_sample(k);
        MAT *rows = NULL;
        OK(X(mat_convert)(&s->mat, &X(csr_mold).mat, &rows));
        check_conversion(rows, s, device_mold(_i));
        for (int j = 0; j < CONVERTED; j += 1 + (j + k + _i) % 3) {
            MAT *a = convert_on_device(rows, device_mold(j));
            if (a) {
                check_conversion(a, s, device_mold(_i));
                if (_i < MOLDS) /* the host reads the row pointers for others */
                    check_on_device_only(a);
            }
        }
    }
}

TEST(clones_on_device)
{
    for (int k = ZOO - 1; k >= 0; k -= ck_step(ZOO)) {
        COO *s = conversion_sample(k);
        MAT *a = convert_on_device(&s->mat, device_mold(_i)), *b = NULL;
        if (a) {
            psb_transfers_reset();
            OK(X(mat_clone)(a, &b));
            ck_assert_int_eq(psb_transfers(NULL).puts + psb_transfers(NULL).gets, 0);
            check_on_device_only(a);
            check_on_device_only(b);
            check_same_arrays(a, b);
        }
    }
}

/* In place, from sorted and from unsorted triplets. */
TEST(in_place_on_device)
{
    for (int k = ZOO - 1; k >= 0; k -= ck_step(ZOO))
        for (int ordered = 0; ordered < 2; ordered++) {
            COO *s = conversion_sample(k);
            struct X(coo_mat) *c = conversion_sample(k);
            char why[400];
            if (ordered)
                OK(X(mat_set_sorted)(&c->mat, PSB_BY_ROWS));
            MAT *a = &c->mat, *b = convert_by_threshold(&s->mat, device_mold(_i), NEVER, why, sizeof why);
            const psb_epk before = psb_cuda_convert_from(ALWAYS);
            psb_err e = X(mat_cscnv)(&a, device_mold(_i));
            psb_cuda_convert_from(before);
            ck_assert(b ? e == PSB_OK : e == PSB_EPADDING);
            if (b) {
                check_on_device_only(a);
                check_same_arrays(b, a);
            } else {
                (void)psb_pop_errmsg(NULL, 0);
                ck_assert(same_entries(c, s));
            }
        }
}

/* --- packed columns --- */

/* Packed on the host and on the device, and again with new values. */
TEST(packed_on_device)
{
    for (int k = ZOO - 1; k >= 0; k -= ck_step(ZOO)) {
        COO *s = conversion_sample(k);
        struct X(hlgp_mat) m = *(const struct X(hlgp_mat) *)device_mold(DIAG + 1 + _i % 2);
        char why[400];
        m.narrow = _i / 2;
        MAT *h = convert_by_threshold(&s->mat, &m.mat, NEVER, why, sizeof why),
            *d = convert_on_device(&s->mat, &m.mat);
        VECT *x = NULL, *y = NULL;
        OK(X(vect_new_n)(&x, s->mat.ncols, 1, &psb_vect_cuda));
        OK(X(vect_new_n)(&y, s->mat.nrows, 1, &psb_vect_cuda));
        for (int times = 0; h && h->on && s->mat.nnz > 0 && times < 2; times++) {
            struct X(hlgp_mat) *p = (struct X(hlgp_mat) *)h, *q = (struct X(hlgp_mat) *)d;
            OK(X(mat_vect_mv)(1, h, x, 0, y, 'N'));
            OK(X(mat_vect_mv)(1, d, x, 0, y, 'N'));
            check_on_device_only(d);
            same_array(&p->packed.strip, &q->packed.strip, "HLGP");
            same_array(&p->packed.slot, &q->packed.slot, "HLGP");
            same_array(&p->packed.bytes, &q->packed.bytes, "HLGP");
            same_array(&p->packed.left, &q->packed.left, "HLGP");
            same_array(&p->val, &q->val, "HLGP");
            OK(X(mat_scal)(h, 3));
            OK(X(mat_scal)(d, 3));
        }
    }
}

/* --- transfers and failures --- */

/* Conversions between formats on the device transfer sizes only, HDIAG the starts of its hacks, at most one a
 * row, once, and HYBG and BSRG row pointers and a sample of the columns; a conversion on the host leaves
 * nothing on the device. */
TEST(only_sizes_are_transferred)
{
    COO *s = band_matrix(1000, 1000);
    char why[400];
    MAT *a = convert_on_device(&s->mat, &X(csrg_mold).mat), *h = NULL;
    psb_transfers_reset();
    MAT *b = convert_on_device(a, device_mold(_i));
    const struct psb_transfer_counts t = psb_transfers(NULL);
    const long long rows = psb_transfers("HDIA hacks").get_bytes +
                           psb_transfers("CSR row pointers").get_bytes,
                    sample = psb_transfers("columns of a sample").get_bytes;
    ck_assert(b || _i == DIAG);
    ck_assert_int_eq(t.puts, 0);
    ck_assert_int_le(rows, (1000 + 1) * (int)sizeof(psb_epk));
    ck_assert_int_le(t.get_bytes - rows - sample, 4 * SIZES);
    if (!b)
        return;
    h = convert_by_threshold(&s->mat, device_mold(_i), NEVER, why, sizeof why);
    struct psb_dual *list[PSB_MOST_ARRAYS];
    for (int n = X(mat_arrays)(h, list); n > 0; n--)
        ck_assert(!(list[n - 1]->valid & PSB_DEV));
}

/* A product determines whether x is read in order, and which columns fit in 16 bits; for that it transfers
 * the row pointers of CSR, but no columns and no values. */
TEST(products_transfer_no_values)
{
    COO *s = band_matrix(1000, 1000);
    MAT *a = convert_on_device(&s->mat, device_mold(_i));
    VECT *x = NULL, *y = NULL;
    HEAP struct want *w = new_wants(1000);
    HEAP T *v = new_array(1000);
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
}

/* For every failing allocation: either the host converts, or there is an error; the source is intact. */
TEST(conversion_allocation_fails)
{
    char why[400];
    for (int k = FEW - 3; k <= FEW; k++) {
        COO *s = conversion_sample(k), *same = conversion_sample(k);
        MAT *want = convert_by_threshold(&s->mat, device_mold(_i), NEVER, why, sizeof why);
        const psb_epk before = psb_cuda_convert_from(ALWAYS);
        for (long n = 1; n < 60; n += ck_step(60)) {
            MAT *a = NULL;
            psb_alloc_fail_at(n);
            psb_err e = X(mat_convert)(&s->mat, device_mold(_i), &a);
            psb_alloc_fail_at(0);
            ck_assert(e == PSB_OK || e == PSB_ENOMEM || e == PSB_EPADDING);
            ck_assert(same_entries(s, same));
            if (e == PSB_OK)
                check_same_arrays(a, want);
            else
                (void)psb_pop_errmsg(NULL, 0);
        }
        psb_cuda_convert_from(before);
    }
}

TEST(threshold_of_entries)
{
    ck_assert_int_eq(psb_cuda_convert_from(-1), PSB_CUDA_CONVERT_FROM);
    ck_assert_int_eq(psb_cuda_convert_from(5), PSB_CUDA_CONVERT_FROM);
    ck_assert_int_eq(psb_cuda_convert_from(-1), 5);
    ck_assert_int_eq(psb_cuda_convert_from(PSB_CUDA_CONVERT_FROM), 5);
}

int check_convert(void)
{
    ck_mpi_init();
    OK(ck_init(&ctxt));
    Suite *s = suite_create("conversions on the device");
    TCase *t = ck_tcase(s, "on the device"), *once = ck_tcase(s, "single tests");
    ck_add_loop_tests(t, CONVERTED, triplets_on_device, rows_on_device, clones_on_device, in_place_on_device,
                      only_sizes_are_transferred, products_transfer_no_values, conversion_allocation_fails);
    ck_add_loop_tests(t, 4, packed_on_device);
    add_values_on_device(t);
    add_assembly_on_device(t);
    add_algebra_on_device(t, once);
    ck_add_tests(once, threshold_of_entries);
    return ck_end(ctxt, ck_run(s));
}
