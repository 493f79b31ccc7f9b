/* check_fused_large.c -- test: psb_spmv_fused of matrices larger than a thread block: exact results,
 * and transfers. */
#include <string.h>
#include "psb_cuda.h"
#include "check_fused.h"

enum { HERE = 2500, BAND = 3 };

/* Each process uses only the rows and columns it owns; with several processes the last owns none.  Values are
 * integers, so that sums are exact. */
static psb_ipk rows_here(void)
{
    return np > 1 && me == np - 1 ? 0 : HERE + 31 * me;
}

static T entry(psb_ipk i, psb_ipk j)
{
    const int v = 1 + (i + 2 * j) % 3;
    return CPLX ? MAKE(v, (i + j) % 2) : v;
}

static T element(psb_ipk i, int of)
{
    const int v = (i * (of + 2) + of) % 5 - 2;
    return CPLX ? MAKE(v, (i + of) % 3 - 1) : v;
}

/* Row 3 is empty; rows 7 and n - 1 are full if `full`. */
static int entries_of(psb_ipk i, psb_ipk n, int full)
{
    return i == 3 ? 0 : full && (i == 7 || i == n - 1) ? n : n - i < BAND ? n - i : BAND;
}

static psb_ipk column_of(psb_ipk i, psb_ipk n, int full, int k)
{
    return full && (i == 7 || i == n - 1) ? k : i + k;
}

static struct X(spmat) *large(psb_desc **d, int full)
{
    struct X(spmat) *a = NULL;
    const psb_ipk n = rows_here();
    GOOD(psb_cdall_nl(d, ctxt, n));
    GOOD(psb_cdasb(*d));
    GOOD(psb_spall(&a, *d, 0));
    for (psb_ipk i = 0; i < n; i++)
        for (int k = 0; k < entries_of(i, n, full); k++) {
            const psb_ipk j = column_of(i, n, full, k);
            const T v = entry(i, j);
            GOOD(psb_spins_local(1, &i, &j, &v, a));
        }
    GOOD(psb_spasb(a, &X(csr_mold).mat, PSB_DUPL_ADD));
    return a;
}

static void fill_large(struct X(vect) *x, int of)
{
    T *p;
    GOOD(psb_host_write(x, &p));
    for (psb_ipk i = 0; i < rows_here(); i++)
        p[i] = element(i, of);
}

/* Check y = 2 A x - y, z = y - z, <x,y>, <u,z>, <u,u> exactly. */
static void check_large(struct X(spmat) *a, struct X(vect) *const *v, int full)
{
    const psb_ipk n = rows_here();
    const T *p[VECTORS];
    T dots[3];
    double sum[6] = { 0 };
    int wrong = 0;
    const struct X(epilogue) e = full_epilogue(v, 1, -1);
    for (int i = 0; i < VECTORS; i++)
        fill_large(v[i], i);
    GOOD(psb_spmv_fused(2, a, v[OF_X], -1, v[OF_Y], 'N', &e, dots));
    for (int i = 0; i < VECTORS; i++)
        GOOD(psb_host_read(v[i], &p[i]));
    for (psb_ipk i = 0; i < n; i++) {
        T s = 0;
        for (int k = 0; k < entries_of(i, n, full); k++)
            s += entry(i, column_of(i, n, full, k)) * element(column_of(i, n, full, k), OF_X);
        const T y = 2 * s - element(i, OF_Y), z = y - element(i, OF_Z);
        const T f[3][2] = { { p[OF_X][i], y }, { p[OF_U][i], z }, { p[OF_U][i], p[OF_U][i] } };
        wrong += p[OF_Y][i] != y || p[OF_Z][i] != z;
        for (int d = 0; d < 3; d++) {
            const double _Complex q = conj((double _Complex)f[d][0]) * (double _Complex)f[d][1];
            sum[2 * d] += creal(q);
            sum[2 * d + 1] += cimag(q);
        }
    }
    MPI_Allreduce(MPI_IN_PLACE, sum, 6, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    EXPECT_SAYING(wrong == 0, "%s: %d elements are wrong", X(sp_fmt)(a), wrong);
    for (int d = 0; d < 3; d++)
        EXPECT_SAYING(dots[d] == MAKE(sum[2 * d], sum[2 * d + 1]), "%s: product %d is %g %g, expected %g %g",
                      X(sp_fmt)(a), d, (double)RE(dots[d]), (double)IM(dots[d]), sum[2 * d], sum[2 * d + 1]);
}

/* With all data in place only the sums are transferred. */
static void check_transfers(struct X(spmat) *a, struct X(vect) *const *v)
{
    T dots[3], dot;
    const struct X(epilogue) e = full_epilogue(v, 1, -1);
    struct X(epilogue) one = { .ndots = 1, .dot = { { v[OF_X], v[OF_Y] } } },
                       none = { .gamma = 1, .delta = 1, .z = v[OF_Z], .ndots = 0, .dot = { { 0 } } };
    GOOD(psb_spmv_fused(1, a, v[OF_X], 1, v[OF_Y], 'N', &e, dots));
    psb_transfers_reset();
    GOOD(psb_spmv_fused(1, a, v[OF_X], 1, v[OF_Y], 'N', &e, dots));
    struct psb_transfer_counts t = psb_transfers(NULL);
    EXPECT_SAYING(t.puts == 0 && t.gets <= 1 && t.get_bytes <= 48,
                  "%s: %lld times up, %lld times down, %lld bytes", X(sp_fmt)(a), t.puts, t.gets,
                  t.get_bytes);
    psb_transfers_reset();
    GOOD(psb_spmv_fused(1, a, v[OF_X], 0, v[OF_Y], 'N', &one, &dot));
    t = psb_transfers(NULL);
    EXPECT(t.puts == 0 && t.gets <= 1 && t.get_bytes <= 16);
    psb_transfers_reset();
    GOOD(psb_spmv_fused(1, a, v[OF_X], 0, v[OF_Y], 'N', &none, NULL));
    t = psb_transfers(NULL);
    EXPECT(t.puts == 0 && t.gets == 0);
    EXPECT(X(vect_is_dev)(v[OF_Y]) || rows_here() == 0);
}

TEST(large_matrices)
{
    const int full = _i;
    DESC *d = NULL;
    SPMAT *a = large(&d, full);
    struct X(vect) *v[VECTORS];
    const struct X(mat) *mold;
    for (int i = 0; i < VECTORS; i++) {
        v[i] = NULL;
        GOOD(psb_geall(&v[i], d));
        GOOD(psb_geasb(v[i], &psb_vect_cuda));
    }
    check_large(a, v, full);
    for (int i = 0; (mold = X(mat_format)(i)); i++) {
        if (!X(mat_dev)(mold)->csmm || strcmp(mold->ops->fmt, "DNSG") == 0)
            continue;
        psb_err e = psb_spcnv(a, mold);
        if (e == PSB_EPADDING)
            continue;
        GOOD(e);
        check_large(a, v, full);
        check_transfers(a, v);
    }
    for (int i = 0; i < VECTORS; i++)
        psb_gefree(v[i]);
}

void add_fused_large(TCase *c)
{
    ck_add_sampled_tests(c, 2, large_matrices);
}
