/* intrinsics.c -- test/kernel: kernels in AVX-512 intrinsics with gather instructions, compared with
 * the library's kernels, which use no intrinsics: y = A x on one thread in CSR, SELL and HLL, both in turns,
 * each result checked. */
#include "config.h"
#include "psb_ext_format.h"
#include "psb_util.h"
#include "bench.h"
#include <stdlib.h>
#include "psb_type.h"
#include "matrix.h"

const char *const program = "intrinsics";

#if defined __x86_64__ && defined __GNUC__
#include <immintrin.h>
#define AVX512 __attribute__((target("avx512f,avx512vl,avx512dq,fma")))

enum { ROUNDS = 9, LANES = 8 };

struct hand {
    const psb_epk *ptr; /* pointers of CSR's rows or of hacks */
    const psb_ipk *idx, *irn, *row;
    const double *val;
    psb_ipk m;
    psb_epk hack;
};

/* add_all: sum + val times the gathered x, in all lanes; add: only in the lanes of `which`. */
AVX512 static inline __m512d add_all(__m512d sum, const double *val, const psb_ipk *idx, const double *x)
{
    const __m256i at = _mm256_loadu_si256((const __m256i *)idx);
    return _mm512_fmadd_pd(_mm512_loadu_pd(val), _mm512_i32gather_pd(at, x, 8), sum);
}

AVX512 static inline __m512d add(__m512d sum, __mmask8 which, const double *val, const psb_ipk *idx,
                                 const double *x)
{
    const __m256i at = _mm256_maskz_loadu_epi32(which, idx);
    const __m512d xs = _mm512_mask_i32gather_pd(_mm512_setzero_pd(), which, at, x, 8);
    return _mm512_mask3_fmadd_pd(_mm512_maskz_loadu_pd(which, val), xs, sum, which);
}

AVX512 static void csr(const struct hand *a, const double *x, double *y)
{
    for (psb_ipk i = 0; i < a->m; i++) {
        __m512d sum = _mm512_setzero_pd();
        psb_epk k = a->ptr[i], end = a->ptr[i + 1];
        for (; end - k >= LANES; k += LANES)
            sum = add_all(sum, a->val + k, a->idx + k, x);
        if (k < end)
            sum = add(sum, (__mmask8)((1 << (end - k)) - 1), a->val + k, a->idx + k, x);
        y[i] = _mm512_reduce_add_pd(sum);
    }
}

/* Multiply eight rows at a time, which are whole hacks or parts of them. */
AVX512 static void hll(const struct hand *a, const double *x, double *y)
{
    for (psb_ipk r = 0; r < a->m; r += LANES) {
        const __mmask8 rows = (__mmask8)(a->m - r < LANES ? (1 << (a->m - r)) - 1 : -1);
        const __m256i length = _mm256_maskz_loadu_epi32(rows, a->irn + r);
        psb_epk p = a->ptr[r / a->hack] + r % a->hack;
        __m512d sum = _mm512_setzero_pd();
        __mmask8 which;
        for (int k = 0; (which = _mm256_cmpgt_epi32_mask(length, _mm256_set1_epi32(k))); k++, p += a->hack)
            sum = which == 0xff ? add_all(sum, a->val + p, a->idx + p, x)
                                : add(sum, which, a->val + p, a->idx + p, x);
        if (a->row)
            _mm512_mask_i32scatter_pd(y, rows, _mm256_maskz_loadu_epi32(rows, a->row + r), sum, 8);
        else
            _mm512_mask_storeu_pd(y + r, rows, sum);
    }
}

static psb_err open_csr(struct psb_d_mat *a_, struct hand *h)
{
    struct psb_d_csr_mat *a = (struct psb_d_csr_mat *)a_;
    *h = (struct hand){ .m = a_->nrows };
    PSB_TRY(psb_dual_read(&a->irp, PSB_HOST, &h->ptr));
    PSB_TRY(psb_dual_read(&a->ja, PSB_HOST, &h->idx));
    return psb_dual_read(&a->val, PSB_HOST, &h->val);
}

static psb_err open_hll(struct psb_d_mat *a_, struct hand *h)
{
    struct psb_d_hll_mat *a = (struct psb_d_hll_mat *)a_;
    *h = (struct hand){ .m = a_->nrows, .hack = a->rows };
    PSB_TRY(psb_dual_read(&a->off, PSB_HOST, &h->ptr));
    PSB_TRY(psb_dual_read(&a->irn, PSB_HOST, &h->irn));
    PSB_TRY(psb_dual_read(&a->ja, PSB_HOST, &h->idx));
    if (a->row.bytes)
        PSB_TRY(psb_dual_read(&a->row, PSB_HOST, &h->row));
    return psb_dual_read(&a->val, PSB_HOST, &h->val);
}

/* A product of either side, and which one. */
struct turn {
    struct psb_d_mat *a;
    const struct hand *by;
    void (*hand)(const struct hand *a, const double *x, double *y);
    const double *x;
    double *y;
};

static void once(const struct turn *t)
{
    if (t->hand)
        t->hand(t->by, t->x, t->y);
    else
        good(psb_d_mat_csmv(1, t->a, t->x, 0, t->y, 'N'), "a product");
}

/* Returns the milliseconds of one product, from as many as last 20 ms. */
static double milliseconds(const struct turn *t)
{
    int n = 0;
    once(t);
    double begun = psb_wtime(), end;
    do {
        once(t);
        n++;
        end = psb_wtime();
    } while (end - begun < 0.02);
    return 1e3 * (end - begun) / n;
}

/* Print the time of ours, of the intrinsics, and their ratio. */
static void compare(const char *name, struct turn t, const struct right *right)
{
    double ms[2][ROUNDS];
    void (*const hand)(const struct hand *, const double *, double *) = t.hand;
    for (int r = 0; r < ROUNDS; r++)
        for (int b = 0; b < 2; b++) {
            t.hand = b ? hand : NULL;
            ms[b][r] = milliseconds(&t);
            if (!(X(right_error)(right, t.y) <= 1))
                stop(name, "a wrong result");
        }
    const double ours = median_of(ms[0], ROUNDS), theirs = median_of(ms[1], ROUNDS);
    printf("  %s %.4f %.4f %.2f", name, ours, theirs, theirs / ours);
}

static void measure(psb_ctxt *ctxt, const char *what)
{
    const struct psb_d_mat *molds[] = { &psb_d_csr_mold.mat, &psb_d_sell_mold.mat, &psb_d_hll_mold.mat };
    struct psb_d_coo_mat *s;
    struct right right;
    double *x, *y;
    char name[64];
    matrix_name(name, sizeof name, what);
    good(X(matrix_one)(ctxt, what, &s), what);
    good(X(right_make)(&right, s, 1, 'N'), what);
    good(psb_alloc(&x, (size_t)s->mat.ncols, sizeof *x, "x"), what);
    good(psb_alloc_zero(&y, (size_t)s->mat.nrows, sizeof *y, "y"), what);
    for (psb_ipk j = 0; j < s->mat.ncols; j++)
        x[j] = X(x_at)(j);
    printf("%s:", name);
    for (int f = 0; f < 3; f++) {
        struct psb_d_mat *a;
        struct hand h;
        good(psb_d_mat_convert(&s->mat, molds[f], &a), what);
        good(f ? open_hll(a, &h) : open_csr(a, &h), what);
        compare(molds[f]->ops->fmt, (struct turn){ a, &h, f ? hll : csr, x, y }, &right);
        psb_d_mat_free(a);
    }
    putchar('\n');
    psb_free(x);
    psb_free(y);
    X(right_free)(&right);
    psb_d_mat_free(&s->mat);
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        fprintf(stderr,
                "usage: intrinsics MATRIX ...: milliseconds of ours, by hand, and how many times as long\n");
        return 2;
    }
    if (!__builtin_cpu_supports("avx512f") || !__builtin_cpu_supports("avx512vl") ||
        !__builtin_cpu_supports("avx512dq")) {
        printf("skipped: this processor has no AVX-512\n");
        return SKIPPED;
    }
    psb_ctxt *ctxt = start(false);
    psb_threads_allow(0);
    for (int i = 1; i < argc; i++)
        measure(ctxt, argv[i]);
    finish(ctxt);
    return 0;
}
#else
#include <stdio.h>
int main(void)
{
    printf("skipped: no x86-64, or none of GNU C\n");
    return SKIPPED;
}
#endif
