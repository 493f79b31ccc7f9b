/* algebra_fake.c -- cuda/kernels: sparse algebra in plain C, for the fake device: the reference for the
 * kernels in CUDA. */
#include "psb_format.h"
#include "clique.h"
#include "kernels.h"
#include "pattern_term.h"
#include <math.h>
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

/* --- selections ----------------------------------------------------------------------------------------- */

static psb_ipk selected_place(const struct psb_dev_selection *s, psb_epk k)
{
    return s->place ? s->place[s->a.ja[k]] : s->a.ja[k];
}

/* Row i of C: returns its number of entries, and stores them at `to`, in order, unless that is < 0. */
static psb_epk select_row(const struct psb_dev_selection *s, psb_ipk i, psb_epk to)
{
    const psb_ipk r = s->rows ? s->rows[i] : i;
    psb_epk n = 0;
    for (psb_epk k = s->a.off[r]; k < s->a.off[r + 1]; k++) {
        const psb_ipk j = selected_place(s, k);
        if (j < 0)
            continue;
        psb_epk at = to + n++;
        for (; to >= 0 && at > to && s->c.ja[at - 1] > j; at--) {
            s->c.ja[at] = s->c.ja[at - 1];
            ((T *)s->c.val)[at] = ((T *)s->c.val)[at - 1];
        }
        if (to >= 0) {
            s->c.ja[at] = j;
            ((T *)s->c.val)[at] = ((const T *)s->a.val)[k];
        }
    }
    return n;
}

static psb_err select_rows(const struct psb_dev_selection *s, psb_epk *found)
{
    found[1] = 0;
    s->c.off[0] = 0;
    for (psb_ipk i = 0; i < s->c.m; i++) {
        const psb_ipk r = s->rows ? s->rows[i] : i;
        found[1] |= s->place && s->a.off[r + 1] - s->a.off[r] > PSB_SELECTED;
        s->c.off[i + 1] = s->c.off[i] + select_row(s, i, -1);
    }
    found[0] = s->c.off[s->c.m];
    return PSB_OK;
}

static psb_err select_entries(const struct psb_dev_selection *s)
{
    for (psb_ipk i = 0; i < s->c.m; i++)
        (void)select_row(s, i, s->c.off[i]);
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

/* --- colours -------------------------------------------------------------------------------------------- */

static psb_epk entry_at(const struct psb_dev_compressed *a, psb_ipk i, psb_ipk j)
{
    return a->off[i] + psb_first_from(a->ja + a->off[i], 1, a->off[i + 1] - a->off[i], j);
}

/* Has each entry (i, j) an entry (j, i), and only one? */
static bool is_symmetric(const struct psb_dev_compressed *a)
{
    for (psb_ipk i = 0; i < a->m; i++)
        for (psb_epk k = a->off[i]; k < a->off[i + 1]; k++) {
            const psb_epk q = entry_at(a, a->ja[k], i), end = a->off[a->ja[k] + 1];
            if (q == end || a->ja[q] != i || (q + 1 < end && a->ja[q + 1] == i))
                return false;
        }
    return true;
}

/* taken[c] = i for the colours c of row i's neighbours; rows without a colour have -1. */
static psb_ipk free_colour(const struct psb_dev_compressed *a, psb_ipk i, const psb_ipk *colour,
                           psb_ipk *taken)
{
    psb_ipk c = 0;
    for (psb_epk k = a->off[i]; k < a->off[i + 1]; k++)
        if (colour[a->ja[k]] >= 0)
            taken[colour[a->ja[k]]] = i;
    while (taken[c] == i)
        c++;
    return c;
}

static psb_err colour_rows(const struct psb_dev_compressed *a, psb_epk nz, bool by_degree, psb_ipk *colour,
                           psb_epk *found)
{
    psb_ipk *taken;
    psb_epk longest = 0;
    (void)nz;
    PSB_TRY(psb_alloc(&taken, (size_t)a->m + 1, sizeof *taken, "colours"));
    memset(taken, -1, ((size_t)a->m + 1) * sizeof *taken);
    for (psb_ipk i = 0; i < a->m; i++) {
        colour[i] = -1;
        longest = a->off[i + 1] - a->off[i] > longest ? a->off[i + 1] - a->off[i] : longest;
    }
    found[0] = 0;
    found[1] = !is_symmetric(a);
    found[2] = psb_clique(a->m, a->off, a->ja);
    for (psb_epk degree = by_degree ? longest : 0; degree >= 0; degree--)
        for (psb_ipk i = 0; i < a->m; i++)
            if (!found[1] && (!by_degree || a->off[i + 1] - a->off[i] == degree)) {
                colour[i] = free_colour(a, i, colour, taken);
                found[0] = colour[i] >= found[0] ? colour[i] + 1 : found[0];
            }
    psb_free(taken);
    return PSB_OK;
}

static psb_err count_couplings(const struct psb_dev_compressed *a, const psb_ipk *colour, int m, psb_epk *w)
{
    memset(w, 0, (size_t)m * (size_t)m * sizeof *w);
    for (psb_ipk i = 0; i < a->m; i++)
        for (psb_epk k = a->off[i]; k < a->off[i + 1]; k++)
            w[colour[i] * m + colour[a->ja[k]]]++;
    return PSB_OK;
}

/* --- entries below a threshold -------------------------------------------------------------------------- */

static uint64_t rank_by(double modulus)
{
    uint64_t bits;
    memcpy(&bits, &modulus, sizeof bits);
    return ~(bits & INT64_MAX);
}

static uint64_t rank_at(const struct psb_dev_pruned *p, psb_epk k)
{
    return rank_by((double)ABS(((const T *)p->a.val)[k]));
}

static bool is_open(const struct psb_dev_pruned *p, psb_ipk i, psb_epk k)
{
    return !p->diagonal || p->a.ja[k] != i;
}

/* The number of open entries of row i of a rank below r. */
static psb_epk count_below(const struct psb_dev_pruned *p, psb_ipk i, uint64_t r)
{
    psb_epk n = 0;
    for (psb_epk k = p->a.off[i]; k < p->a.off[i + 1]; k++)
        n += is_open(p, i, k) && rank_at(p, k) < r;
    return n;
}

/* The 2-norm of row i, scaled by the largest modulus, as prune.c has it. */
static R norm_of(const struct psb_dev_pruned *p, psb_ipk i)
{
    const T *val = p->a.val;
    R most = 0, sum = 0;
    for (psb_epk k = p->a.off[i]; k < p->a.off[i + 1]; k++)
        most = ABS(val[k]) > most || ABS(val[k]) != ABS(val[k]) ? ABS(val[k]) : most;
    for (psb_epk k = p->a.off[i]; k < p->a.off[i + 1] && most > 0; k++)
        sum += (ABS(val[k]) / most) * (ABS(val[k]) / most);
    return most > 0 && sum == sum ? most * (R)sqrt((double)sum) : most;
}

/* The modulus above which entries of row i stay. */
static R least_of(const struct psb_dev_pruned *p, psb_ipk i, enum psb_prune rule, R t)
{
    R diagonal = 0;
    if (rule == PSB_PRUNE_VALUE || !(t > 0))
        return t;
    if (rule == PSB_PRUNE_ROW)
        return t * norm_of(p, i);
    for (psb_epk k = p->a.off[i]; k < p->a.off[i + 1]; k++)
        diagonal = p->a.ja[k] == i ? ABS(((const T *)p->a.val)[k]) : diagonal;
    return t * diagonal;
}

/* The t entries of the lowest ranks stay. */
static void count_off(const struct psb_dev_pruned *p, psb_ipk i, R t)
{
    const psb_epk n = p->a.off[i + 1] - p->a.off[i], most = (double)t < (double)n ? (psb_epk)t : n;
    uint64_t bound = UINT64_C(1) << 63;
    for (int bit = 62; bit >= 0; bit--)
        if (count_below(p, i, bound | UINT64_C(1) << bit) < most)
            bound |= UINT64_C(1) << bit;
    p->bound[i] = most == n ? UINT64_MAX : most > 0 ? bound : 0;
    p->ties[i] = most == n ? INT64_MAX : most > 0 ? most - count_below(p, i, bound) : 0;
}

static psb_err find_bounds(const struct psb_dev_pruned *p, enum psb_prune rule, R t)
{
    for (psb_ipk i = 0; i < p->a.m; i++) {
        const R least = rule == PSB_PRUNE_COUNT ? 0 : least_of(p, i, rule, t);
        p->bound[i] = least == least ? rank_by((double)least) : UINT64_MAX;
        p->ties[i] = least == least ? 0 : INT64_MAX;
        if (rule == PSB_PRUNE_COUNT)
            count_off(p, i, t);
    }
    return PSB_OK;
}

static psb_err share_bound(const struct psb_dev_pruned *p, uint64_t bound, psb_epk left)
{
    for (psb_ipk i = 0; i < p->a.m; i++) {
        p->bound[i] = bound;
        p->ties[i] = left > 0 ? left : 0;
        for (psb_epk k = p->a.off[i]; k < p->a.off[i + 1]; k++)
            left -= is_open(p, i, k) && rank_at(p, k) == bound;
    }
    return PSB_OK;
}

static psb_err count_ranks(const struct psb_dev_pruned *p, int shift, uint64_t begin, psb_epk *count)
{
    memset(count, 0, 256 * sizeof *count);
    for (psb_ipk i = 0; i < p->a.m; i++)
        for (psb_epk k = p->a.off[i]; k < p->a.off[i + 1]; k++)
            if (is_open(p, i, k) && (shift == 56 || rank_at(p, k) >> (shift + 8) == begin))
                count[rank_at(p, k) >> shift & 255]++;
    return PSB_OK;
}

/* Row i of C: returns its number of entries, and stores them at `to` unless that is < 0. */
static psb_epk prune_row(const struct psb_dev_pruned *p, psb_ipk i, psb_epk to)
{
    psb_epk n = 0, ties = p->ties[i];
    for (psb_epk k = p->a.off[i]; k < p->a.off[i + 1]; k++) {
        const uint64_t rank = rank_at(p, k);
        if (is_open(p, i, k) && (rank > p->bound[i] || (rank == p->bound[i] && ties-- <= 0)))
            continue;
        if (to >= 0) {
            p->c.ja[to + n] = p->a.ja[k];
            ((T *)p->c.val)[to + n] = ((const T *)p->a.val)[k];
        }
        n++;
    }
    return n;
}

static psb_err prune_rows(const struct psb_dev_pruned *p, psb_epk *found)
{
    p->c.off[0] = 0;
    for (psb_ipk i = 0; i < p->c.m; i++)
        p->c.off[i + 1] = p->c.off[i] + prune_row(p, i, -1);
    found[0] = p->c.off[p->c.m];
    return PSB_OK;
}

static psb_err prune_entries(const struct psb_dev_pruned *p)
{
    for (psb_ipk i = 0; i < p->c.m; i++)
        (void)prune_row(p, i, p->c.off[i]);
    return PSB_OK;
}

/* --- masks and Kronecker products ----------------------------------------------------------------------- */

/* Sums begin with 0, so that none is -0. */
static psb_err mask_entries(const struct psb_dev_sum *s, psb_epk *found)
{
    found[0] = 0;
    s->c.off[0] = 0;
    for (psb_ipk i = 0; i < s->c.m; i++) {
        s->c.off[i + 1] = s->b.off[i + 1];
        found[0] |= has_twice(&s->b, i);
        for (psb_epk k = s->b.off[i]; k < s->b.off[i + 1]; k++) {
            const psb_epk q = entry_at(&s->a, i, s->b.ja[k]);
            const bool is = q < s->a.off[i + 1] && s->a.ja[q] == s->b.ja[k];
            s->c.ja[k] = s->b.ja[k];
            ((T *)s->c.val)[k] = (is ? ((const T *)s->a.val)[q] : 0) + (T)0;
        }
    }
    return PSB_OK;
}

static psb_err multiply_by_block(const struct psb_dev_compressed *a, psb_ipk k, psb_ipk l, const void *block,
                                 const struct psb_dev_compressed *c, psb_epk *found)
{
    psb_epk at = 0;
    found[0] = 0;
    c->off[0] = 0;
    for (psb_ipk i = 0; i < a->m; i++) {
        found[0] |= has_twice(a, i);
        for (psb_ipk r = 0; r < k; r++) {
            for (psb_epk e = a->off[i]; e < a->off[i + 1]; e++)
                for (psb_ipk s = 0; s < l; s++) {
                    c->ja[at] = a->ja[e] * l + s;
                    ((T *)c->val)[at++] = ((const T *)a->val)[e] * ((const T *)block)[(psb_epk)r * l + s];
                }
            c->off[(psb_epk)i * k + r + 1] = at;
        }
    }
    return PSB_OK;
}

const struct X(algebra_steps) X(algebra_steps_fake) = {
    .sum_rows = sum_rows,
    .sum = sum_entries,
    .part_rows = part_rows,
    .part = part_entries,
    .transpose = transpose_rows,
    .pattern_sum = pattern_sum,
    .colours = colour_rows,
    .bounds = find_bounds,
    .share = share_bound,
    .ranks = count_ranks,
    .prune_rows = prune_rows,
    .prune = prune_entries,
    .masked = mask_entries,
    .kron = multiply_by_block,
    .select_rows = select_rows,
    .select = select_entries,
    .couplings = count_couplings,
};
