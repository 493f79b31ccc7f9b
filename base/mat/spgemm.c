/* spgemm.c -- base/mat: the product of two matrices in compressed rows, row by row.
 *
 * Method: Gustavson, "Two fast algorithms for sparse matrices: multiplication and permuted transposition",
 * ACM TOMS 4, 1978.  The entries of each row are counted; then its columns are found and ordered, and
 * products are added.  A thread has for each column of b a sum and two integers of 32 bits. */
#include "psb_format.h"
#include "mat_inside.h"
#include <string.h>
#include "psb_type.h"

/* The columns of rows that threads have found, one row after the other, and values of the rows that end
 * before entry `values`. */
struct found {
    psb_ipk *idx;
    T *val;
    psb_epk n, cap, values;
    bool too_many; /* there is no memory for them: they are found again, row by row, where they belong */
};

/* Thread t multiplies rows start[t] .. start[t + 1] - 1.  Its parts of `at` and `sum` have for each column
 * the last row found to have it, or its place in the current row, and its sum in the current row; `at` then
 * has room for a list of columns. */
struct multiplying {
    const struct X(factors) *f;
    struct X(compressed) c;
    psb_ipk *start, *at;
    T *sum;
    uint64_t *set;       /* see struct columns */
    struct found *found; /* of each thread; NULL: entries are only counted */
};

/* --- the rows of b that contribute to a row ------------------------------------------------------------- */

static psb_epk sources_end(const struct X(factors) *f, psb_ipk i)
{
    return f->a->ptr[i + 1] + (i < f->nd);
}

/* The row of b that entry k of row i of a, or D after the last one, multiplies. */
static inline psb_ipk source(const struct X(factors) *f, psb_ipk i, psb_epk k)
{
    return k < f->a->ptr[i + 1] ? f->a->idx[k] : f->d + i;
}

static inline T source_factor(const struct X(factors) *f, psb_ipk i, psb_epk k)
{
    if (k == f->a->ptr[i + 1])
        return f->beta;
    return f->alpha == 1 ? f->a->val[k] : f->alpha * f->a->val[k];
}

/* The row of b of which row i of c is a multiple, if there is only one; else -1. */
static psb_ipk only_source(const struct X(factors) *f, psb_ipk i)
{
    const psb_epk k = f->a->ptr[i];
    return sources_end(f, i) - k == 1 ? source(f, i, k) : -1;
}

/* --- shares of threads ---------------------------------------------------------------------------------- */

static void count_work(void *job, int t, int p)
{
    const struct multiplying *q = job;
    const struct X(factors) *f = q->f;
    psb_ipk i, to;
    X(compressed_share)(f->a, t, p, &i, &to);
    for (; i < to; i++) {
        psb_epk n = 0;
        for (psb_epk k = f->a->ptr[i]; k < sources_end(f, i); k++)
            n += f->b->ptr[source(f, i, k) + 1] - f->b->ptr[source(f, i, k)];
        q->c.ptr[i + 1] = n;
    }
}

static void add_up_pointers(struct X(compressed) *c)
{
    c->ptr[0] = 0;
    for (psb_ipk i = 0; i < c->n; i++)
        c->ptr[i + 1] += c->ptr[i];
}

/* Divide the rows among *p threads so that all have about the same number of products.  c.ptr is used. */
static psb_err share_work(struct multiplying *q, int *p)
{
    const struct X(compressed) *a = q->f->a;
    psb_team(psb_threads(a->ptr[a->n]), count_work, q);
    add_up_pointers(&q->c);
    *p = psb_threads(q->c.ptr[a->n]);
    PSB_TRY(psb_alloc(&q->start, (size_t)*p + 1, sizeof *q->start, "shares of a product"));
    for (int t = 0; t <= *p; t++)
        q->start[t] = psb_thread_start(q->c.ptr, a->n, t, *p);
    return PSB_OK;
}

/* Memory for each thread; sums: a sum for each column in q->sum, else two numbers for each in q->at, and one
 * more. */
static psb_err take_columns_memory(struct multiplying *q, int p, bool sums)
{
    const size_t m = (size_t)q->c.m, threads = (size_t)p;
    return sums ? psb_alloc(&q->sum, m * threads, sizeof *q->sum, "sums of a product")
                : psb_alloc(&q->at, (2 * m + 1) * threads, sizeof *q->at, "columns of a product");
}

/* The numbers of thread t, of which the first of each column are all -1. */
static psb_ipk *no_column(const struct multiplying *q, int t)
{
    psb_ipk *at = q->at + (2 * (size_t)q->c.m + 1) * (size_t)t;
    if (q->c.m)
        memset(at, -1, (size_t)q->c.m * sizeof *at);
    return at;
}

/* --- the pattern ---------------------------------------------------------------------------------------- */

/* The columns of row i in the order in which they are found; returns their number.  at: the last row found to
 * have a column; list: one element more than there are columns. */
static psb_ipk list_columns(const struct X(factors) *f, psb_ipk i, psb_ipk *restrict at,
                            psb_ipk *restrict list)
{
    psb_ipk n = 0;
    for (psb_epk k = f->a->ptr[i]; k < sources_end(f, i); k++) {
        const psb_ipk r = source(f, i, k);
        for (psb_epk e = f->b->ptr[r]; e < f->b->ptr[r + 1]; e++) {
            const psb_ipk j = f->b->idx[e];
            list[n] = j;
            n += at[j] != i;
            at[j] = i;
        }
    }
    return n;
}

/* The same; products are added to sum[j] for column j. */
static psb_ipk sum_columns(const struct X(factors) *f, psb_ipk i, psb_ipk *restrict at,
                           psb_ipk *restrict list, T *restrict sum)
{
    psb_ipk n = 0;
    for (psb_epk k = f->a->ptr[i]; k < sources_end(f, i); k++) {
        const psb_ipk r = source(f, i, k);
        const T v = source_factor(f, i, k);
        for (psb_epk e = f->b->ptr[r]; e < f->b->ptr[r + 1]; e++) {
            const psb_ipk j = f->b->idx[e];
            list[n] = j;
            n += at[j] != i;
            at[j] = i;
            sum[j] += v * f->b->val[e];
        }
    }
    return n;
}

/* A set of columns, empty between uses: bit j of `word`, and a bit in `group` for each word that is not 0; of
 * the words of a group the first has number 64 times that of the group. */
struct columns {
    uint64_t *word, *group;
};

static size_t words_of(psb_ipk m)
{
    return (size_t)m / 64 + 1;
}

/* The set of thread t. */
static struct columns no_columns(const struct multiplying *q, int t)
{
    const size_t words = words_of(q->c.m), groups = words_of((psb_ipk)words);
    if (!q->set)
        return (struct columns){ NULL, NULL };
    uint64_t *word = q->set + (words + groups) * (size_t)t;
    return (struct columns){ .word = word, .group = word + words };
}

/* The position of the lowest bit of x, which is not 0. */
static psb_ipk lowest_bit(uint64_t x)
{
#ifdef __GNUC__
    return __builtin_ctzll(x);
#else
    psb_ipk n = 0;
    for (; !(x & 1); x >>= 1)
        n++;
    return n;
#endif
}

/* Store the n columns of list, n > 0, in ascending order in idx, by a set. */
static void order_by_set(const struct columns *s, psb_ipk n, const psb_ipk *list, psb_ipk *idx)
{
    psb_ipk first = list[0] / 4096, last = first;
    for (psb_ipk k = 0; k < n; k++) {
        const psb_ipk w = list[k] / 64, g = w / 64;
        s->word[w] |= UINT64_C(1) << (list[k] % 64);
        s->group[g] |= UINT64_C(1) << (w % 64);
        first = g < first ? g : first;
        last = g > last ? g : last;
    }
    for (psb_ipk g = first; g <= last; g++) {
        for (uint64_t words = s->group[g]; words; words &= words - 1) {
            const psb_ipk w = 64 * g + lowest_bit(words);
            for (uint64_t bits = s->word[w]; bits; bits &= bits - 1)
                *idx++ = 64 * w + lowest_bit(bits);
            s->word[w] = 0;
        }
        s->group[g] = 0;
    }
}

enum { FEW_COLUMNS = 16 };

/* Store the n columns of list in ascending order in idx. */
static void order_columns(const struct columns *s, psb_ipk n, const psb_ipk *list, psb_ipk *idx)
{
    if (n > FEW_COLUMNS) {
        order_by_set(s, n, list, idx);
        return;
    }
    for (psb_ipk k = 0; k < n; k++) {
        psb_ipk at = k;
        for (; at > 0 && idx[at - 1] > list[k]; at--)
            idx[at] = idx[at - 1];
        idx[at] = list[k];
    }
}

/* Where to store n more columns; NULL if there is no memory for them. */
static psb_ipk *room_for(struct found *l, psb_epk n)
{
    const size_t cap = (size_t)(2 * l->cap + n + 1);
    if (l->idx && l->n + n <= l->cap)
        return l->idx + l->n;
    psb_expect_errors(1);
    l->too_many = l->too_many || psb_resize(&l->idx, cap, sizeof *l->idx, "columns of a product") != PSB_OK;
    psb_expect_errors(0);
    if (l->too_many) {
        psb_free(l->idx);
        l->idx = NULL;
        return NULL;
    }
    l->cap = (psb_epk)cap;
    return l->idx + l->n;
}

/* Append the n columns of list, in ascending order, to l, with their sums; each sum becomes -0, which changes
 * no product that is added to it. */
static void keep_row(const struct columns *s, psb_ipk n, const psb_ipk *list, T *sum, struct found *l)
{
    psb_ipk *idx = room_for(l, n);
    const bool keep = idx && l->n + n <= l->values;
    if (idx)
        order_columns(s, n, list, idx);
    for (psb_ipk k = 0; k < n; k++) {
        const psb_ipk j = idx ? idx[k] : list[k];
        if (keep)
            l->val[l->n + k] = sum[j];
        sum[j] = MAKE((R)-0.0, (R)-0.0);
    }
    l->n += n;
}

/* Find row i, and its values where l has room for some. */
static psb_ipk find_row(const struct X(factors) *f, psb_ipk i, const struct columns *s, psb_ipk *at, T *sum,
                        struct found *l)
{
    psb_ipk *list = at + f->b->m;
    const psb_ipk n = l->n < l->values ? sum_columns(f, i, at, list, sum) : list_columns(f, i, at, list);
    keep_row(s, n, list, sum, l);
    return n;
}

/* c.ptr[i + 1] = the number of entries of row i. */
static void count_part(void *job, int t, int p)
{
    struct multiplying *q = job;
    const struct X(factors) *f = q->f;
    T *sum = q->found ? q->sum + (size_t)q->c.m * (size_t)t : NULL;
    psb_ipk *at = no_column(q, t);
    const struct columns s = no_columns(q, t);
    (void)p;
    for (psb_ipk j = 0; sum && j < q->c.m; j++)
        sum[j] = MAKE((R)-0.0, (R)-0.0);
    for (psb_ipk i = q->start[t]; i < q->start[t + 1]; i++) {
        const psb_ipk only = only_source(f, i);
        q->c.ptr[i + 1] = only >= 0  ? f->b->ptr[only + 1] - f->b->ptr[only]
                          : q->found ? find_row(f, i, &s, at, sum, &q->found[t])
                                     : list_columns(f, i, at, at + q->c.m);
    }
}

/* --- values --------------------------------------------------------------------------------------------- */

/* Add the products of row i in column j to sum[j]. */
static void add_products(const struct X(factors) *f, psb_ipk i, T *restrict sum)
{
    for (psb_epk k = f->a->ptr[i]; k < sources_end(f, i); k++) {
        const psb_ipk r = source(f, i, k);
        const T v = source_factor(f, i, k);
        for (psb_epk e = f->b->ptr[r]; e < f->b->ptr[r + 1]; e++)
            sum[f->b->idx[e]] += v * f->b->val[e];
    }
}

/* Add them to val[at[j]] where that is not negative. */
static void add_some_products(const struct X(factors) *f, psb_ipk i, const psb_ipk *at, T *val)
{
    for (psb_epk k = f->a->ptr[i]; k < sources_end(f, i); k++) {
        const psb_ipk r = source(f, i, k);
        const T v = source_factor(f, i, k);
        for (psb_epk e = f->b->ptr[r]; e < f->b->ptr[r + 1]; e++) {
            const psb_ipk place = at[f->b->idx[e]];
            if (place >= 0)
                val[place] += v * f->b->val[e];
        }
    }
}

/* Number the n columns of a row of c, or forget their numbers. */
static void number_columns(psb_ipk n, const psb_ipk *idx, psb_ipk *at, bool forget)
{
    for (psb_ipk k = 0; k < n; k++)
        at[idx[k]] = forget ? -1 : k;
}

static void copy_multiple(const struct multiplying *q, psb_ipk i, psb_ipk r)
{
    const struct X(compressed) *b = q->f->b;
    const psb_epk first = b->ptr[r], n = b->ptr[r + 1] - first, to = q->c.ptr[i];
    const T v = source_factor(q->f, i, q->f->a->ptr[i]);
    memcpy(q->c.idx + to, b->idx + first, (size_t)n * sizeof *b->idx);
    for (psb_epk k = 0; k < n; k++)
        q->c.val[to + k] = v * b->val[first + k];
}

/* The values of row i, whose columns are known.  Sums begin with -0, which changes no product. */
static void sum_row(const struct multiplying *q, psb_ipk i, T *sum)
{
    const struct X(compressed) *c = &q->c;
    for (psb_epk k = c->ptr[i]; k < c->ptr[i + 1]; k++)
        sum[c->idx[k]] = MAKE((R)-0.0, (R)-0.0);
    add_products(q->f, i, sum);
    for (psb_epk k = c->ptr[i]; k < c->ptr[i + 1]; k++)
        c->val[k] = sum[c->idx[k]];
}

/* Row i was found from entry *at of l on, unless l has too many; *at becomes that of the next one. */
static void compute_row(const struct multiplying *q, psb_ipk i, const struct found *l, psb_epk *at, T *sum)
{
    const psb_epk to = q->c.ptr[i], n = q->c.ptr[i + 1] - to;
    if (n > 0)
        memcpy(q->c.idx + to, l->idx + *at, (size_t)n * sizeof *l->idx);
    if (*at + n > l->values)
        sum_row(q, i, sum);
    else if (n > 0)
        memcpy(q->c.val + to, l->val + *at, (size_t)n * sizeof *l->val);
    *at += n;
}

static void compute_part(void *job, int t, int p)
{
    struct multiplying *q = job;
    T *sum = q->sum + (size_t)q->c.m * (size_t)t;
    const struct found *l = &q->found[t];
    psb_ipk *at = l->too_many ? no_column(q, t) : NULL;
    const struct columns s = no_columns(q, t);
    psb_epk next = 0;
    (void)p;
    for (psb_ipk i = q->start[t]; i < q->start[t + 1]; i++) {
        const psb_ipk only = only_source(q->f, i);
        if (only >= 0) {
            copy_multiple(q, i, only);
        } else if (!l->too_many) {
            compute_row(q, i, l, &next, sum);
        } else {
            psb_ipk *list = at + q->c.m;
            order_columns(&s, list_columns(q->f, i, at, list), list, q->c.idx + q->c.ptr[i]);
            sum_row(q, i, sum);
        }
    }
}

static void compute_known_part(void *job, int t, int p)
{
    struct multiplying *q = job;
    (void)p;
    for (psb_ipk i = q->start[t]; i < q->start[t + 1]; i++)
        sum_row(q, i, q->sum + (size_t)q->c.m * (size_t)t);
}

static void compute_masked_part(void *job, int t, int p)
{
    struct multiplying *q = job;
    const struct X(compressed) *c = &q->c;
    psb_ipk *at = no_column(q, t);
    (void)p;
    for (psb_ipk i = q->start[t]; i < q->start[t + 1]; i++) {
        const psb_ipk n = (psb_ipk)(c->ptr[i + 1] - c->ptr[i]);
        for (psb_epk k = c->ptr[i]; k < c->ptr[i + 1]; k++)
            c->val[k] = 0;
        number_columns(n, c->idx + c->ptr[i], at, false);
        add_some_products(q->f, i, at, c->val + c->ptr[i]);
        number_columns(n, c->idx + c->ptr[i], at, true);
    }
}

/* --- calls ---------------------------------------------------------------------------------------------- */

static void end_product(struct multiplying *q, int p)
{
    for (int t = 0; q->found && t < p; t++)
        psb_free(q->found[t].idx), psb_free(q->found[t].val);
    psb_free(q->found);
    psb_free(q->c.ptr);
    psb_free(q->start);
    psb_free(q->at);
    psb_free(q->sum);
    psb_free(q->set);
}

/* Begin the product with *p threads; c.ptr is allocated. */
static psb_err begin_product(const struct X(factors) *f, struct multiplying *q, int *p)
{
    *q = (struct multiplying){ .f = f, .c = { .n = f->a->n, .m = f->b->m } };
    PSB_TRY(psb_alloc(&q->c.ptr, (size_t)q->c.n + 1, sizeof *q->c.ptr, "row pointers of a product"));
    return share_work(q, p);
}

/* What threads need to keep rows: values of as many entries as a and b have together. */
static psb_err begin_search(struct multiplying *q, int p)
{
    const struct X(compressed) *a = q->f->a, *b = q->f->b;
    const psb_epk each = (a->ptr[a->n] + b->ptr[b->n]) / p;
    const size_t words = words_of(q->c.m);
    PSB_TRY(psb_alloc_zero(&q->set, (words + words_of((psb_ipk)words)) * (size_t)p, sizeof *q->set,
                           "columns of a product"));
    PSB_TRY(psb_alloc_zero(&q->found, (size_t)p, sizeof *q->found, "columns of a product"));
    psb_expect_errors(1);
    for (int t = 0; t < p; t++)
        if (psb_alloc(&q->found[t].val, (size_t)each, sizeof(T), "values of a product") == PSB_OK)
            q->found[t].values = each;
    psb_expect_errors(0);
    return take_columns_memory(q, p, true);
}

/* Count the entries of c, and if `find` is set find their columns. */
static psb_err count_entries(const struct X(factors) *f, bool find, struct multiplying *q, int *p)
{
    PSB_TRY(begin_product(f, q, p));
    PSB_TRY(take_columns_memory(q, *p, false));
    if (find)
        PSB_TRY(begin_search(q, *p));
    psb_team(*p, count_part, q);
    add_up_pointers(&q->c);
    return PSB_OK;
}

static psb_err compute_values(struct multiplying *q, int p, struct X(mat) **c)
{
    struct X(compressed) l;
    const psb_epk *ptr = q->c.ptr;
    PSB_TRY(X(csr_make)(q->c.n, q->c.m, ptr[q->c.n], c, &l));
    X(compressed_copy)(l.ptr, ptr, (size_t)l.n + 1, sizeof *ptr);
    q->c.idx = l.idx;
    q->c.val = l.val;
    psb_team(p, compute_part, q);
    return PSB_OK;
}

psb_err X(spgemm_new)(const struct X(factors) *f, struct X(mat) **c)
{
    struct multiplying q;
    int p = 0;
    psb_err e = count_entries(f, true, &q, &p);
    PSB_THEN(e, compute_values(&q, p, c));
    end_product(&q, p);
    return PSB_PASS(e);
}

psb_err X(spgemm_size)(const struct X(factors) *f, psb_epk *nz)
{
    struct multiplying q;
    int p = 0;
    psb_err e = count_entries(f, false, &q, &p);
    if (e == PSB_OK)
        *nz = q.c.ptr[q.c.n];
    end_product(&q, p);
    return PSB_PASS(e);
}

psb_err X(spgemm_into)(const struct X(factors) *f, const struct X(compressed) *c, bool masked)
{
    struct multiplying q;
    int p = 0;
    psb_err e = begin_product(f, &q, &p);
    PSB_THEN(e, take_columns_memory(&q, p, !masked));
    if (e == PSB_OK) {
        psb_free(q.c.ptr);
        q.c = *c;
        psb_team(p, masked ? compute_masked_part : compute_known_part, &q);
        q.c.ptr = NULL;
    }
    end_product(&q, p);
    return PSB_PASS(e);
}
