/* dns.c -- ext: dense matrices. */
#include "psb_ext_format.h"
#include "psb_team.h"
#include <stdint.h>
#include <string.h>
#include "psb_type.h"

enum {
    DNS_SMALL = 1 << 16,
    DNS_WORD = 64,
    DNS_SUMS = 8
}; /* values never refused; bits of a word; partial sums */

/* The arrays on the host. */
struct dense {
    psb_ipk m, n, layers;
    psb_epk words;
    uint64_t *bits;
    T *val;
};

static void dns_set_sizes(const struct X(dns_mat) *a, struct dense *s)
{
    s->m = a->mat.nrows;
    s->n = a->mat.ncols;
    s->layers = a->layers;
    s->words = ((psb_epk)s->n + DNS_WORD - 1) / DNS_WORD;
}

static psb_err open_dense(struct X(mat) *a_, struct dense *s)
{
    struct X(dns_mat) *a = (struct X(dns_mat) *)a_;
    dns_set_sizes(a, s);
    PSB_TRY(psb_dual_read(&a->bits, PSB_HOST, &s->bits));
    return psb_dual_read(&a->val, PSB_HOST, &s->val);
}

static int dns_arrays(struct X(mat) *a_, struct psb_dual **list)
{
    struct X(dns_mat) *a = (struct X(dns_mat) *)a_;
    list[0] = &a->bits;
    list[1] = &a->val;
    return 2;
}

/* Number of row i of layer l, counting all rows of earlier layers. */
static inline psb_epk row_of(const struct dense *s, psb_ipk l, psb_ipk i)
{
    return (psb_epk)l * s->m + i;
}

static inline bool dns_is_entry(const struct dense *s, psb_epk row, psb_ipk j)
{
    return (s->bits[row * s->words + j / DNS_WORD] >> j % DNS_WORD & 1);
}

/* --- build ------------------------------------------------------------------------------------------ */

/* Largest number of entries with the same row and column. */
static psb_ipk most_equals(const struct X(compressed) *b)
{
    psb_ipk most = b->ptr[b->n] > 0;
    for (psb_ipk i = 0; i < b->n; i++) {
        psb_ipk times = 1;
        for (psb_epk k = b->ptr[i] + 1; k < b->ptr[i + 1]; k++) {
            times = b->idx[k] == b->idx[k - 1] ? times + 1 : 1;
            most = times > most ? times : most;
        }
    }
    return most;
}

struct dns_filling {
    const struct dense *s;
    const struct X(compressed) *b;
};

static void clear_rows(const struct dense *s, psb_ipk from, psb_ipk to)
{
    for (psb_ipk l = 0; l < s->layers && from < to; l++) {
        psb_epk row = row_of(s, l, from);
        memset(s->bits + row * s->words, 0, (size_t)((to - from) * s->words) * sizeof *s->bits);
        memset(s->val + row * s->n, 0, (size_t)((to - from) * (psb_epk)s->n) * sizeof *s->val);
    }
}

static void dns_fill_part(void *job, int t, int p)
{
    const struct dns_filling *q = job;
    const struct dense *s = q->s;
    const struct X(compressed) *b = q->b;
    psb_epk from, end;
    psb_thread_range(b->n, t, p, &from, &end);
    clear_rows(s, (psb_ipk)from, (psb_ipk)end);
    for (psb_ipk i = (psb_ipk)from, l = 0; i < end; i++)
        for (psb_epk k = b->ptr[i]; k < b->ptr[i + 1]; k++) {
            const psb_ipk j = b->idx[k];
            l = k > b->ptr[i] && j == b->idx[k - 1] ? l + 1 : 0;
            const psb_epk row = row_of(s, l, i);
            s->bits[row * s->words + j / DNS_WORD] |= UINT64_C(1) << j % DNS_WORD;
            s->val[row * s->n + j] = b->val[k];
        }
}

/* Set the sizes, and register the arrays. */
static psb_err dns_plan(struct X(dns_mat) *a, const struct X(compressed) *b, struct dense *s)
{
    a->layers = most_equals(b);
    dns_set_sizes(a, s);
    const double rows = (double)s->layers * s->m, values = rows * s->n;
    const size_t n = (size_t)s->layers * (size_t)s->m;
    PSB_TRY(X(check_padding)(&a->mat, a->limit, values * sizeof(T) + rows * 8.0 * (double)s->words,
                             values <= DNS_SMALL, "%d x %d places", s->m, s->n));
    PSB_TRY(psb_dual_init(&a->bits, n * (size_t)s->words, sizeof *s->bits, a->mat.on, "DNS bits"));
    return psb_dual_init(&a->val, n * (size_t)s->n, sizeof *s->val, a->mat.on, "DNS values");
}

static psb_err dns_build(struct X(mat) *a_, const struct X(compressed) *b)
{
    struct X(dns_mat) *a = (struct X(dns_mat) *)a_;
    struct dense s;
    PSB_TRY(dns_plan(a, b, &s));
    PSB_TRY(psb_dual_write(&a->bits, PSB_HOST, &s.bits));
    PSB_TRY(psb_dual_write(&a->val, PSB_HOST, &s.val));
    psb_team(psb_threads((psb_epk)s.layers * s.m * s.n), dns_fill_part, &(struct dns_filling){ &s, b });
    return PSB_OK;
}

static psb_err dns_weigh(struct X(mat) *a, const struct X(compressed) *rows, double *bytes)
{
    struct dense s;
    PSB_TRY(dns_plan((struct X(dns_mat) *)a, rows, &s));
    *bytes = (double)X(mat_bytes)(a);
    return PSB_OK;
}

/* --- entries ------------------------------------------------------------------------------------------ */

static psb_epk dns_row_length(const void *of, psb_ipk i)
{
    const struct dense *s = of;
    psb_epk n = 0;
    for (psb_ipk l = 0; l < s->layers; l++)
        for (psb_epk w = 0; w < s->words; w++)
            for (uint64_t b = s->bits[row_of(s, l, i) * s->words + w]; b; b &= b - 1)
                n++;
    return n;
}

static void dns_list_row(const void *of, psb_ipk i, psb_ipk *ja, T *val)
{
    const struct dense *s = of;
    for (psb_ipk j = 0; j < s->n; j++)
        for (psb_ipk l = 0; l < s->layers && dns_is_entry(s, row_of(s, l, i), j); l++) {
            *ja++ = j;
            *val++ = s->val[row_of(s, l, i) * s->n + j];
        }
}

static psb_err dns_rows(struct X(mat) *a, psb_ipk lo, psb_ipk hi, psb_epk *ptr, struct X(coo_mat) *b)
{
    struct dense s;
    PSB_TRY(open_dense(a, &s));
    return X(list_rows)(&(struct X(listing)){ &s, dns_row_length, dns_list_row },
                        (psb_epk)(hi - lo) * s.words, lo, hi, ptr, b);
}

/* Visit row i of a layer, which is row number `row` of row_of, in runs of entries. */
static void walk_row(const struct dense *s, psb_epk row, psb_ipk i, X(visit) *visit, void *job)
{
    enum { RUN = 256 };
    psb_ipk ia[RUN], ja[RUN];
    for (psb_ipk j = 0, n; j < s->n; j += n + (n == 0)) {
        for (n = 0; n < RUN && j + n < s->n && dns_is_entry(s, row, j + n); n++) {
            ia[n] = i;
            ja[n] = j + n;
        }
        if (n > 0)
            visit(job, n, ia, ja, s->val + row * s->n + j);
    }
}

static psb_err dns_walk(struct X(mat) *a, bool change, X(visit) *visit, void *job)
{
    struct dense s;
    PSB_TRY(open_dense(a, &s));
    if (change)
        PSB_TRY(psb_dual_update(&((struct X(dns_mat) *)a)->val, PSB_HOST, &s.val));
    for (psb_ipk l = 0; l < s.layers; l++)
        for (psb_ipk i = 0; i < s.m; i++)
            walk_row(&s, row_of(&s, l, i), i, visit, job);
    return PSB_OK;
}

static psb_err dns_zero_vals(struct X(mat) *a)
{
    return X(zero_values)(&((struct X(dns_mat) *)a)->val);
}

static psb_epk dns_place(void *of, psb_ipk i, psb_ipk j)
{
    const struct dense *s = of;
    return s->layers > 0 && dns_is_entry(s, i, j) ? (psb_epk)i * s->n + j : -1;
}

static psb_err dns_csput(struct X(mat) *a, psb_epk nz, const psb_ipk *ia, const psb_ipk *ja, const T *val,
                         enum psb_dupl dupl)
{
    struct dense s;
    PSB_TRY(open_dense(a, &s));
    return X(put_entries)(dns_place, &s, X(put_values), &((struct X(dns_mat) *)a)->val, nz, ia, ja, val,
                          dupl);
}

/* --- products: over all values, and again over entries only if the result, or x, is not finite ------ */

static inline bool is_finite(T v)
{
    return v - v == 0;
}

/* The product of a row of the matrix and column c of x. */
static T dns_sum_row(const struct dense *s, psb_ipk i, psb_ipk k, const T *x, bool by_bits)
{
    T part[DNS_SUMS] = { 0 };
    for (psb_ipk l = 0; l < s->layers; l++) {
        const psb_epk row = row_of(s, l, i);
        const T *val = s->val + row * s->n;
        psb_ipk j = 0;
        if (!by_bits)
            for (; j + DNS_SUMS <= s->n; j += DNS_SUMS)
                for (psb_ipk u = 0; u < DNS_SUMS; u++)
                    part[u] += val[j + u] * x[(psb_epk)(j + u) * k];
        for (; j < s->n; j++)
            if (!by_bits || dns_is_entry(s, row, j))
                part[0] += val[j] * x[(psb_epk)j * k];
    }
    for (psb_ipk u = 1; u < DNS_SUMS; u++)
        part[0] += part[u];
    return part[0];
}

static void dns_gather(const struct X(product) *q, psb_ipk lo, psb_ipk hi)
{
    for (psb_ipk i = lo; i < hi; i++)
        for (psb_ipk c = 0; c < q->k; c++) {
            T sum = dns_sum_row(q->of, i, q->k, q->x + c, 0), *y = q->y + (psb_epk)i * q->k + c;
            if (!is_finite(sum))
                sum = dns_sum_row(q->of, i, q->k, q->x + c, 1);
            *y = q->beta == 0 ? q->alpha * sum : q->alpha * sum + q->beta * *y;
        }
}

/* y += a row of values times x, k columns; entries only, unless x is finite. */
static void scatter_row(const struct X(product) *q, psb_epk row, const T *x, bool finite, T *y)
{
    const struct dense *s = q->of;
    const T *val = s->val + row * s->n;
    for (psb_ipk j = 0; j < s->n; j++)
        if (finite || dns_is_entry(s, row, j))
            for (psb_ipk c = 0; c < q->k; c++)
                y[(psb_epk)j * q->k + c] += q->alpha * (q->conjugate ? CONJ(val[j]) : val[j]) * x[c];
}

static void dns_scatter(const struct X(product) *q, psb_ipk lo, psb_ipk hi, T *y)
{
    const struct dense *s = q->of;
    for (psb_ipk i = lo; i < hi; i++) {
        const T *x = q->x + (psb_epk)i * q->k;
        bool finite = 1;
        for (psb_ipk c = 0; c < q->k; c++)
            finite &= is_finite(q->alpha * x[c]);
        for (psb_ipk l = 0; l < s->layers; l++)
            scatter_row(q, row_of(s, l, i), x, finite, y);
    }
}

static psb_ipk dns_first_row(const void *of, int t, int p)
{
    psb_epk from, to;
    psb_thread_range(((const struct dense *)of)->m, t < p ? t : p - 1, p, &from, &to);
    return (psb_ipk)(t < p ? from : to);
}

static psb_err dns_csmm(T alpha, struct X(mat) *a, psb_ipk k, const T *x, T beta, T *y, char trans)
{
    static const struct X(product_kernels) kernels = { { dns_gather, dns_gather, dns_gather },
                                                       { dns_gather, dns_gather, dns_gather },
                                                       { dns_scatter, dns_scatter, dns_scatter },
                                                       { dns_scatter, dns_scatter, dns_scatter } };
    struct dense s;
    PSB_TRY(open_dense(a, &s));
    const struct X(product) q = { &s, dns_first_row, &kernels, k, alpha, x, beta, y, trans == 'C' };
    return X(product_csmm)(&q, trans != 'N', (psb_epk)s.layers * s.m * s.n, s.n);
}

static const struct X(mat_ops) dns_ops = {
    .super = &X(root_mold),
    .fmt = "DNS",
    .size = sizeof(struct X(dns_mat)),
    .storage = { .arrays = dns_arrays, .build = dns_build, .weigh = dns_weigh },
    .entries = { .walk = dns_walk, .rows = dns_rows, .zero_vals = dns_zero_vals, .csput = dns_csput },
    .products.csmm = dns_csmm,
};

const struct X(dns_mat) X(dns_mold) = { .mat.ops = &dns_ops, .limit = 8 };
