/* algebra_fake.c -- cuda/kernels: sparse algebra in plain C, for the fake device: the reference for the
 * kernels in CUDA. */
#include "psb_format.h"
#include "kernels.h"
#include "pattern_term.h"
#include <stdlib.h>
#include <string.h>
#include "psb_type.h"

/* --- classes of rows ------------------------------------------------------------------------------------ */

/* Class of each row by its size: c.off[i + 1], or with `summed` c.off[i + 1] - c.off[i]. */
static int class_of(const struct psb_dev_product *p, const psb_epk *limit, psb_ipk i, bool summed)
{
    const psb_epk n = p->c.off[i + 1] - (summed ? p->c.off[i] : 0);
    int k = 0;
    while (n > limit[k])
        k++;
    return k;
}

static void sort_by_class(const struct psb_dev_product *p, const psb_epk *limit, bool summed)
{
    psb_epk *size = p->found + PSB_OF_CLASSES, at = 0;
    memset(size, 0, PSB_ROW_CLASSES * sizeof *size);
    for (psb_ipk i = 0; i < p->c.m; i++)
        size[class_of(p, limit, i, summed)]++;
    for (int k = 1; k < PSB_ROW_CLASSES; k++)
        for (psb_ipk i = 0; i < p->c.m && size[k] > 0; i++)
            if (class_of(p, limit, i, summed) == k)
                p->row[at++] = i;
}

/* --- products ------------------------------------------------------------------------------------------- */

static psb_epk products_of(const struct psb_dev_product *p, psb_ipk i)
{
    psb_epk n = 0;
    for (psb_epk k = p->a.off[i]; k < p->a.off[i + 1]; k++)
        n += p->b.off[p->a.ja[k] + 1] - p->b.off[p->a.ja[k]];
    return n;
}

static psb_err product_bound(const struct psb_dev_product *p)
{
    p->found[PSB_OBSTACLE] = 0;
    for (psb_ipk r = 0; r < p->b.m; r++)
        for (psb_epk e = p->b.off[r] + 1; e < p->b.off[r + 1]; e++)
            p->found[PSB_OBSTACLE] |= p->b.ja[e - 1] == p->b.ja[e];
    for (psb_ipk i = 0; i < p->c.m; i++)
        p->c.off[i + 1] = products_of(p, i) < p->n ? products_of(p, i) : p->n;
    sort_by_class(p, p->limit, 0);
    return PSB_OK;
}

/* The columns of row i, each once, to `list`, unless it is NULL; seen[j] is i for those that are known. */
static psb_epk list_columns(const struct psb_dev_product *p, psb_ipk i, psb_ipk *seen, psb_ipk *list)
{
    psb_epk n = 0;
    for (psb_epk k = p->a.off[i]; k < p->a.off[i + 1]; k++)
        for (psb_epk e = p->b.off[p->a.ja[k]]; e < p->b.off[p->a.ja[k] + 1]; e++) {
            const psb_ipk j = p->b.ja[e];
            if (seen[j] == i)
                continue;
            seen[j] = i;
            if (list)
                list[n] = j;
            n++;
        }
    return n;
}

static psb_err nothing_seen(const struct psb_dev_product *p, psb_ipk **seen)
{
    PSB_TRY(psb_alloc(seen, (size_t)p->n, sizeof **seen, "columns of a product"));
    for (psb_ipk j = 0; j < p->n; j++)
        (*seen)[j] = -1;
    return PSB_OK;
}

static psb_err product_count(const struct psb_dev_product *p, const psb_epk *limit)
{
    psb_ipk *seen;
    PSB_TRY(nothing_seen(p, &seen));
    p->c.off[0] = 0;
    for (psb_ipk i = 0; i < p->c.m; i++)
        p->c.off[i + 1] = p->c.off[i] + list_columns(p, i, seen, NULL);
    psb_free(seen);
    sort_by_class(p, limit, 1);
    p->found[PSB_OF_ENTRIES] = p->c.off[p->c.m];
    return PSB_OK;
}

static psb_err product_classify(const struct psb_dev_product *p)
{
    p->found[PSB_OBSTACLE] = 0;
    sort_by_class(p, p->limit, 1);
    return PSB_OK;
}

static int by_column(const void *a, const void *b)
{
    const psb_ipk i = *(const psb_ipk *)a, j = *(const psb_ipk *)b;
    return (i > j) - (i < j);
}

/* The sums of a row begin with -0, which changes no number that is added to it. */
static void row_values(const struct psb_dev_product *p, psb_ipk i)
{
    const psb_epk first = p->c.off[i], n = p->c.off[i + 1] - first;
    const T *a = p->a.val, *b = p->b.val;
    T *c = (T *)p->c.val + first;
    for (psb_epk k = 0; k < n; k++)
        c[k] = MAKE(-0.0, -0.0);
    for (psb_epk k = p->a.off[i]; k < p->a.off[i + 1]; k++)
        for (psb_epk e = p->b.off[p->a.ja[k]]; e < p->b.off[p->a.ja[k] + 1]; e++) {
            const psb_epk at = psb_first_from(p->c.ja + first, 1, n, p->b.ja[e]);
            if (at < n && p->c.ja[first + at] == p->b.ja[e])
                c[at] += a[k] * b[e];
            else
                p->found[PSB_OBSTACLE] = 1;
        }
}

static psb_err product_values(const struct psb_dev_product *p)
{
    for (psb_epk r = 0; r < psb_class_begins(p->size, PSB_ROW_CLASSES); r++)
        row_values(p, p->row[r]);
    return PSB_OK;
}

static psb_err product_entries(const struct psb_dev_product *p)
{
    psb_ipk *seen;
    PSB_TRY(nothing_seen(p, &seen));
    for (psb_epk r = 0; r < psb_class_begins(p->size, PSB_ROW_CLASSES); r++) {
        psb_ipk *list = p->c.ja + p->c.off[p->row[r]];
        const psb_epk n = list_columns(p, p->row[r], seen, list);
        qsort(list, (size_t)n, sizeof *list, by_column);
    }
    psb_free(seen);
    return product_values(p);
}

const struct X(product_steps) X(product_steps_fake) = {
    .bound = product_bound,
    .count = product_count,
    .classify = product_classify,
    .entries = product_entries,
    .values = product_values,
};

/* --- sums ----------------------------------------------------------------------------------------------- */

/* Merge row i of A and B: returns its number of entries, and stores them at `to` of C unless that is < 0. */
static psb_epk merge_row(const struct psb_dev_sum *s, psb_ipk i, psb_epk to)
{
    const T alpha = *(const T *)s->alpha, beta = *(const T *)s->beta;
    psb_epk n = 0, k = s->a.off[i], l = s->b.off[i];
    while (k < s->a.off[i + 1] || l < s->b.off[i + 1]) {
        const psb_ipk ja = k < s->a.off[i + 1] ? s->a.ja[k] : INT32_MAX,
                      jb = l < s->b.off[i + 1] ? s->b.ja[l] : INT32_MAX, j = ja < jb ? ja : jb;
        const T v = ja == j && to >= 0 && alpha != 0 ? alpha * ((const T *)s->a.val)[k] : 0,
                w = jb == j && to >= 0 && beta != 0 ? beta * ((const T *)s->b.val)[l] : 0;
        if (to >= 0) {
            s->c.ja[to + n] = j;
            ((T *)s->c.val)[to + n] = jb != j ? v : ja != j ? w : v + w;
        }
        k += ja == j;
        l += jb == j;
        n++;
    }
    return n;
}

static bool has_twice(const struct psb_dev_compressed *l, psb_ipk i)
{
    for (psb_epk k = l->off[i] + 1; k < l->off[i + 1]; k++)
        if (l->ja[k - 1] == l->ja[k])
            return true;
    return false;
}

static psb_err sum_rows(const struct psb_dev_sum *s, psb_epk *found)
{
    found[1] = 0;
    s->c.off[0] = 0;
    for (psb_ipk i = 0; i < s->c.m; i++) {
        s->c.off[i + 1] = s->c.off[i] + merge_row(s, i, -1);
        found[1] |= has_twice(&s->a, i) || has_twice(&s->b, i);
    }
    found[0] = s->c.off[s->c.m];
    return PSB_OK;
}

static psb_err sum_entries(const struct psb_dev_sum *s)
{
    for (psb_ipk i = 0; i < s->c.m; i++)
        (void)merge_row(s, i, s->c.off[i]);
    return PSB_OK;
}

/* --- parts ---------------------------------------------------------------------------------------------- */

/* Row i of C: returns its number of entries, and stores them at `to` unless that is < 0. */
static psb_epk cut_row(const struct psb_dev_part *p, psb_ipk i, psb_epk to)
{
    const psb_ipk from = i + p->di;
    psb_epk n = 0;
    if (from < p->imin || from >= p->imax)
        return 0;
    for (psb_epk k = p->a.off[from]; k < p->a.off[from + 1]; k++) {
        const psb_ipk j = p->a.ja[k];
        const psb_epk far = (psb_epk)j - from;
        if (j < p->jmin || j >= p->jmax || far < p->low || far > p->high || (far == 0 && p->no_diagonal))
            continue;
        if (to >= 0) {
            p->c.ja[to + n] = j - p->dj;
            ((T *)p->c.val)[to + n] = ((const T *)p->a.val)[k];
        }
        n++;
    }
    return n;
}

static psb_err part_rows(const struct psb_dev_part *p, psb_epk *found)
{
    found[1] = 0;
    p->c.off[0] = 0;
    for (psb_ipk i = 0; i < p->c.m; i++)
        p->c.off[i + 1] = p->c.off[i] + cut_row(p, i, -1);
    found[0] = p->c.off[p->c.m];
    return PSB_OK;
}

static psb_err part_entries(const struct psb_dev_part *p)
{
    for (psb_ipk i = 0; i < p->c.m; i++)
        (void)cut_row(p, i, p->c.off[i]);
    return PSB_OK;
}

/* --- transposes ----------------------------------------------------------------------------------------- */

/* t->off[j + 1] is the place of the next entry of column j while entries are placed. */
static psb_err transpose_rows(const struct psb_dev_compressed *a, psb_epk nz, bool conjugate,
                              const struct psb_dev_compressed *t)
{
    psb_epk sum = 0;
    memset(t->off, 0, ((size_t)t->m + 1) * sizeof *t->off);
    for (psb_epk k = 0; k < nz; k++)
        t->off[a->ja[k] + 1]++;
    for (psb_ipk j = 1; j <= t->m; j++) {
        const psb_epk n = t->off[j];
        t->off[j] = sum;
        sum += n;
    }
    for (psb_ipk i = 0; i < a->m; i++)
        for (psb_epk k = a->off[i]; k < a->off[i + 1]; k++) {
            const psb_epk to = t->off[a->ja[k] + 1]++;
            const T v = ((const T *)a->val)[k];
            t->ja[to] = i;
            ((T *)t->val)[to] = conjugate ? CONJ(v) : v;
        }
    return PSB_OK;
}

static psb_err pattern_sum(const struct psb_dev_compressed *a, psb_epk *found)
{
    uint64_t sum = 0;
    for (psb_ipk i = 0; i < a->m; i++)
        for (psb_epk k = a->off[i]; k < a->off[i + 1]; k++)
            sum += psb_pattern_term(i, a->ja[k]);
    found[0] = (psb_epk)sum;
    return PSB_OK;
}

const struct X(algebra_steps) X(algebra_steps_fake) = {
    .sum_rows = sum_rows,
    .sum = sum_entries,
    .part_rows = part_rows,
    .part = part_entries,
    .transpose = transpose_rows,
    .pattern_sum = pattern_sum,
};
