/* convert_fake.c -- room: cuda/kernels.  The steps of conversions in plain C: the reference for those in CUDA. */
#include "psb_ext.h"
#include "kernels.h"
#include "locality.h"
#include <stdlib.h>
#include <string.h>
#include "psb_type.h"

enum { LONGEST = 1023, WORD = 64 };

/* --- lines ---------------------------------------------------------------------------------------------- */

/* Entries of a row: n, `step` apart, from `at` on. */
struct line {
    psb_epk at, n, step;
};

static struct line line_of(const struct psb_dev_compressed *l, psb_epk i)
{
    if (l->rows == 0)
        return (struct line){ l->off[i], l->off[i + 1] - l->off[i], 1 };
    const psb_epk r = l->rank ? l->rank[i] : i;
    return (struct line){ l->off[r / l->rows] + r % l->rows, l->irn[r], l->rows };
}

static psb_err copy(const struct psb_convert *q)
{
    memcpy(q->to.val, q->from.val, q->bytes);
    return PSB_OK;
}

static psb_err rows(const struct psb_convert *q)
{
    X(compressed_count)(q->to.m, q->nz, q->ia, q->to.off);
    return PSB_OK;
}

/* --- HLL ------------------------------------------------------------------------------------------------ */

static psb_epk length(const struct psb_dev_compressed *l, psb_epk i)
{
    const psb_epk n = l->off[i + 1] - l->off[i];
    return n < LONGEST ? n : LONGEST;
}

/* Rows are put behind those that are as long. */
static psb_err ranks(const struct psb_convert *q)
{
    const psb_epk m = q->to.m;
    for (psb_epk w = 0; w < m; w += q->window) {
        const psb_epk end = w + q->window < m ? w + q->window : m;
        for (psb_epk r = w, at; r < end; r++) {
            for (at = r; at > w && length(&q->from, q->to.row[at - 1]) < length(&q->from, r); at--)
                q->to.row[at] = q->to.row[at - 1];
            q->to.row[at] = (psb_ipk)r;
        }
    }
    for (psb_epk r = 0; r < m; r++)
        q->to.rank[q->to.row[r]] = (psb_ipk)r;
    return PSB_OK;
}

static psb_err hll_measure(const struct psb_convert *q)
{
    const struct psb_dev_compressed *a = &q->to;
    psb_epk widest = 0;
    a->off[0] = 0;
    for (psb_ipk h = 0; h < a->nhacks; h++) {
        psb_epk width = 0;
        for (psb_epk r = h * a->rows; r < a->m && r < (h + 1) * a->rows; r++) {
            const psb_epk i = a->row ? a->row[r] : r, n = q->from.off[i + 1] - q->from.off[i];
            a->irn[r] = n < INT32_MAX ? (psb_ipk)n : INT32_MAX;
            width = a->irn[r] > width ? a->irn[r] : width;
        }
        widest = width > widest ? width : widest;
        a->off[h + 1] = a->off[h] + width * a->rows;
    }
    q->found[0] = a->off[a->nhacks];
    q->found[1] = widest;
    return PSB_OK;
}

static psb_err hll_fill(const struct psb_convert *q)
{
    const struct psb_dev_compressed *a = &q->to;
    T *val = a->val;
    for (psb_epk h = 0; h < a->nhacks; h++)
        for (psb_epk p = a->off[h]; p < a->off[h + 1]; p++) {
            const psb_epk r = h * a->rows + (p - a->off[h]) % a->rows, k = (p - a->off[h]) / a->rows;
            const int is = r < a->m && k < a->irn[r];
            const psb_epk from = is ? q->from.off[a->row ? a->row[r] : r] + k : 0;
            a->ja[p] = is ? q->from.ja[from] : 0;
            val[p] = is ? ((const T *)q->from.val)[from] : 0;
        }
    return PSB_OK;
}

/* --- CSR ------------------------------------------------------------------------------------------------ */

static int has(const struct psb_dev_hdia *a, psb_epk d, psb_epk at)
{
    return (int)(a->bits[d * a->words + at / WORD] >> at % WORD & 1);
}

static psb_epk entries_of_row(const struct psb_dev_hdia *a, psb_epk i)
{
    psb_epk n = 0;
    for (psb_epk d = a->off[i / a->rows]; d < a->off[i / a->rows + 1]; d++)
        n += has(a, d, i % a->rows);
    return n;
}

static psb_err csr_measure(const struct psb_convert *q)
{
    q->to.off[0] = 0;
    for (psb_ipk i = 0; i < q->to.m; i++)
        q->to.off[i + 1] = q->to.off[i] + (q->from.m ? line_of(&q->from, i).n : entries_of_row(&q->dia, i));
    return PSB_OK;
}

static void put(const struct psb_dev_compressed *to, psb_epk k, psb_ipk j, T v)
{
    to->ja[k] = j;
    ((T *)to->val)[k] = v;
}

static void take_line(const struct psb_convert *q, psb_ipk i)
{
    const struct line l = line_of(&q->from, i);
    for (psb_epk k = 0, p = l.at; k < l.n; k++, p += l.step)
        put(&q->to, q->to.off[i] + k, q->from.ja[p], ((const T *)q->from.val)[p]);
}

static void take_diagonals(const struct psb_convert *q, psb_ipk i)
{
    const struct psb_dev_hdia *a = &q->dia;
    const psb_epk h = i / a->rows, at = i % a->rows;
    for (psb_epk d = a->off[h], k = q->to.off[i]; d < a->off[h + 1]; d++)
        if (has(a, d, at))
            put(&q->to, k++, i + a->dist[d], ((const T *)a->val)[d * a->rows + at]);
}

static psb_err csr_fill(const struct psb_convert *q)
{
    for (psb_ipk i = 0; i < q->to.m; i++)
        if (q->from.m)
            take_line(q, i);
        else
            take_diagonals(q, i);
    return PSB_OK;
}

/* --- locality ------------------------------------------------------------------------------------------- */

static psb_err locality(const struct psb_convert *q)
{
    struct psb_dev_compressed l = q->from;
    struct psb_locality s = { 0 };
    l.rank = NULL; /* rows as they are stored */
    for (int g = 0; g < PSB_GROUPS; g++) {
        const psb_ipk from = psb_group(l.m, g);
        for (psb_ipk i = from; i < l.m && i - from < PSB_GROUP_ROWS; i++) {
            const struct line r = line_of(&l, i);
            psb_locality_row(&s, r.n, r.step, l.ja + r.at);
        }
        psb_locality_group(&s);
    }
    q->found[0] = s.entries;
    q->found[1] = s.sectors;
    q->found[2] = s.reach;
    return PSB_OK;
}

/* --- HDIA ----------------------------------------------------------------------------------------------- */

/* Which of equals in its row entry k is, from 0 on. */
static psb_epk rank_of(const struct psb_dev_compressed *b, psb_epk i, psb_epk k)
{
    psb_epk r = 0;
    while (k - r > b->off[i] && b->ja[k - r - 1] == b->ja[k])
        r++;
    return r;
}

/* Has row i that diagonal, r + 1 times? */
static int meets(const struct psb_dev_compressed *b, psb_epk i, psb_epk dist, psb_epk r)
{
    const psb_epk n = b->off[i + 1] - b->off[i], j = i + dist;
    const psb_ipk *ja = b->ja + b->off[i];
    const psb_epk k = j < 0 ? n : psb_first_from(ja, 1, n, (psb_ipk)j) + r;
    return k < n && ja[k] == j;
}

/* Is entry k of row i the first of the hack on its diagonal, as far as the row before tells? */
static int is_new(const struct psb_convert *q, psb_epk i, psb_epk k, psb_epk r)
{
    return i % q->dia.rows == 0 || !meets(&q->from, i - 1, q->from.ja[k] - i, r);
}

static psb_err hdia_count(const struct psb_convert *q)
{
    const struct psb_dev_compressed *b = &q->from;
    q->found[1] = 0;
    q->place[0] = 0;
    for (psb_epk i = 0; i < b->m; i++) {
        q->place[i + 1] = q->place[i];
        for (psb_epk k = b->off[i]; k < b->off[i + 1]; k++) {
            const psb_epk r = rank_of(b, i, k);
            q->place[i + 1] += is_new(q, i, k, r);
            q->found[1] = r + 1 > q->found[1] ? r + 1 : q->found[1];
        }
    }
    q->found[0] = q->place[b->m];
    return PSB_OK;
}

static int ascending(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static psb_err hdia_meet(const struct psb_convert *q)
{
    const struct psb_dev_compressed *b = &q->from;
    psb_epk n = 0, unlike = 0;
    for (psb_epk i = 0; i < b->m; i++)
        for (psb_epk k = b->off[i]; k < b->off[i + 1]; k++) {
            const psb_epk r = rank_of(b, i, k), hack = i / q->dia.rows, dist = b->ja[k] - i + q->m;
            if (is_new(q, i, k, r))
                q->key[n++] = (((uint64_t)hack << q->dist_bits | (uint64_t)dist) << q->rank_bits) |
                              (uint64_t)r;
        }
    if (n > 0)
        qsort(q->key, (size_t)n, sizeof *q->key, ascending);
    for (psb_epk k = 0; k < n; k++)
        if (k == 0 || q->key[k] != q->key[k - 1])
            q->key[unlike++] = q->key[k];
    q->found[0] = unlike;
    q->found[1] = 0;
    return PSB_OK;
}

static psb_err hdia_list(const struct psb_convert *q)
{
    const uint64_t mask = (UINT64_C(1) << q->dist_bits) - 1;
    psb_epk d = 0;
    for (psb_epk h = 0; h < q->dia.nhacks; h++) {
        q->dia.off[h] = d;
        for (; d < q->nz && (psb_epk)(q->key[d] >> (q->dist_bits + q->rank_bits)) == h; d++)
            q->dia.dist[d] = (psb_ipk)((psb_epk)(q->key[d] >> q->rank_bits & mask) - q->m);
    }
    q->dia.off[q->dia.nhacks] = d;
    return PSB_OK;
}

static psb_epk entries_of(const struct psb_dev_hdia *a, psb_epk d)
{
    psb_epk n = 0;
    for (psb_epk at = 0; at < a->rows; at++)
        n += has(a, d, at);
    return n;
}

/* Rows of hack h whose entry on that diagonal lies within the matrix. */
static psb_epk within(const struct psb_dev_hdia *a, psb_epk h, psb_epk dist)
{
    psb_epk n = 0;
    for (psb_epk i = h * a->rows; i < a->m && i < (h + 1) * a->rows; i++)
        n += i + dist >= 0 && i + dist < a->n;
    return n;
}

/* zeros and gaps, from bits and values. */
static void look_at_diagonals(const struct psb_dev_hdia *a)
{
    const T *val = a->val;
    for (psb_epk h = 0; h < a->nhacks; h++)
        for (psb_epk d = a->off[h]; d < a->off[h + 1]; d++) {
            a->zeros[d] = 0;
            for (psb_epk at = 0; at < a->rows; at++)
                a->zeros[d] += has(a, d, at) && val[d * a->rows + at] == 0;
            a->gaps[d] = entries_of(a, d) == within(a, h, a->dist[d]) ? PSB_NO_GAPS
                         : a->zeros[d]                                ? PSB_GAPS_BY_BITS
                                                                      : PSB_ZEROS_ARE_GAPS;
        }
}

/* The first diagonal of that distance in the hack of row i; the hack's end, or another, where there is none.
 */
static psb_epk diagonal_of(const struct psb_dev_hdia *a, psb_epk i, psb_epk dist)
{
    const psb_epk from = a->off[i / a->rows], end = a->off[i / a->rows + 1];
    return from + psb_first_from(a->dist + from, 1, end - from, (psb_ipk)dist);
}

static psb_err hdia_fill(const struct psb_convert *q)
{
    const struct psb_dev_compressed *b = &q->from;
    const struct psb_dev_hdia *a = &q->dia;
    T *val = a->val;
    memset(a->bits, 0, (size_t)(a->diagonals * a->words) * sizeof *a->bits);
    memset(a->val, 0, (size_t)(a->diagonals * a->rows) * sizeof *val);
    for (psb_epk i = 0; i < b->m; i++)
        for (psb_epk k = b->off[i]; k < b->off[i + 1]; k++) {
            const psb_epk d = diagonal_of(a, i, b->ja[k] - i) + rank_of(b, i, k), at = i % a->rows;
            a->bits[d * a->words + at / WORD] |= UINT64_C(1) << at % WORD;
            val[d * a->rows + at] = ((const T *)b->val)[k];
        }
    look_at_diagonals(a);
    return PSB_OK;
}

/* --- values --------------------------------------------------------------------------------------------- */

/* Where entry i, j stands, the first of equals; -1: nowhere. */
static psb_epk place_of(const struct psb_convert *q, psb_ipk i, psb_ipk j)
{
    if (q->to.m) {
        const struct line l = line_of(&q->to, i);
        const psb_epk k = psb_first_from(q->to.ja + l.at, l.step, l.n, j), p = l.at + k * l.step;
        return k < l.n && q->to.ja[p] == j ? p : -1;
    }
    const struct psb_dev_hdia *a = &q->dia;
    const psb_epk d = diagonal_of(a, i, j - i);
    const int is = d < a->off[i / a->rows + 1] && a->dist[d] == j - i && has(a, d, i % a->rows);
    return is ? d * a->rows + i % a->rows : -1;
}

static psb_err find(const struct psb_convert *q)
{
    q->found[0] = -1;
    q->found[1] = 0;
    for (psb_epk k = 0; k < q->nz; k++) {
        q->place[k] = place_of(q, q->ia[k], q->ja[k]);
        if (q->place[k] < 0 && q->found[0] < 0)
            q->found[0] = k;
        q->found[1] |= k > 0 && q->place[k] <= q->place[k - 1];
    }
    return PSB_OK;
}

/* Merge runs of w, then of 2 w, and so on: equals stay in order. */
static psb_err sort_by(psb_epk n, psb_epk *order, int (*after)(const struct psb_convert *, psb_epk, psb_epk),
                       const struct psb_convert *q)
{
    psb_epk *other;
    PSB_TRY(psb_alloc(&other, (size_t)n, sizeof *other, "order"));
    for (psb_epk k = 0; k < n; k++)
        order[k] = k;
    for (psb_epk w = 1; w < n; w *= 2) {
        for (psb_epk lo = 0; lo < n; lo += 2 * w) {
            const psb_epk mid = lo + w < n ? lo + w : n, hi = mid + w < n ? mid + w : n;
            for (psb_epk a = lo, b = mid, to = lo; to < hi; to++)
                other[to] = b == hi || (a < mid && !after(q, order[a], order[b])) ? order[a++] : order[b++];
        }
        memcpy(order, other, (size_t)n * sizeof *order);
    }
    psb_free(other);
    return PSB_OK;
}

static int stands_behind(const struct psb_convert *q, psb_epk k, psb_epk l)
{
    return q->place[k] > q->place[l];
}

static int belongs_behind(const struct psb_convert *q, psb_epk k, psb_epk l)
{
    return q->ia[k] > q->ia[l] || (q->ia[k] == q->ia[l] && q->ja[k] > q->ja[l]);
}

static psb_err by_place(const struct psb_convert *q)
{
    return sort_by(q->nz, q->order, stands_behind, q);
}

static psb_err order(const struct psb_convert *q)
{
    return sort_by(q->nz, q->order, belongs_behind, q);
}

static psb_err look(const struct psb_convert *q)
{
    q->found[0] = q->found[1] = 0;
    for (psb_epk k = 1; k < q->nz; k++)
        q->found[0] += belongs_behind(q, k - 1, k);
    return PSB_OK;
}

static psb_err gather(const struct psb_convert *q)
{
    for (psb_epk k = 0; k < q->nz; k++) {
        q->to.irn[k] = q->ia[q->order[k]];
        put(&q->to, k, q->ja[q->order[k]], ((const T *)q->val)[q->order[k]]);
    }
    return PSB_OK;
}

static psb_epk come(const struct psb_convert *q, psb_epk k)
{
    return q->order ? q->order[k] : k;
}

static psb_err unlike(const struct psb_convert *q)
{
    q->place[0] = 0;
    for (psb_epk k = 0; k < q->nz; k++)
        q->place[k + 1] = q->place[k] + (k == 0 || belongs_behind(q, come(q, k), come(q, k - 1)));
    q->found[0] = q->place[q->nz];
    q->found[1] = 0;
    return PSB_OK;
}

static psb_err merge(const struct psb_convert *q)
{
    for (psb_epk k = 0; k < q->nz; k++) {
        const psb_epk e = come(q, k), to = q->place[k + 1] - 1;
        const T v = ((const T *)q->val)[e], before = ((const T *)q->to.val)[to];
        q->to.irn[to] = q->ia[e];
        put(&q->to, to, q->ja[e], q->place[k] == q->place[k + 1] && !q->overwrite ? before + v : v);
    }
    return PSB_OK;
}

static psb_err put_values(const struct psb_convert *q)
{
    T *to = q->to.m ? q->to.val : q->dia.val;
    for (psb_epk e = 0; e < q->nz; e++) {
        const psb_epk k = q->order ? q->order[e] : e;
        X(put_value)(to + q->place[k], ((const T *)q->val)[k],
                     q->overwrite ? PSB_DUPL_OVERWRITE : PSB_DUPL_ADD);
    }
    if (!q->to.m)
        look_at_diagonals(&q->dia);
    return PSB_OK;
}

static T sum_of_line(const struct psb_dev_compressed *l, psb_ipk i, T sum)
{
    const struct line r = line_of(l, i);
    for (psb_epk k = psb_first_from(l->ja + r.at, r.step, r.n, i), p = r.at + k * r.step;
         k < r.n && l->ja[p] == i; k++, p += r.step)
        sum += ((const T *)l->val)[p];
    return sum;
}

static T sum_of_diagonals(const struct psb_dev_hdia *a, psb_ipk i, T sum)
{
    for (psb_epk d = diagonal_of(a, i, 0); d < a->off[i / a->rows + 1] && a->dist[d] == 0; d++)
        if (has(a, d, i % a->rows))
            sum += ((const T *)a->val)[d * a->rows + i % a->rows];
    return sum;
}

static psb_err diagonal(const struct psb_convert *q)
{
    for (psb_ipk i = 0; i < q->n; i++)
        ((T *)q->d)[i] = q->to.m ? sum_of_line(&q->to, i, q->ones) : sum_of_diagonals(&q->dia, i, q->ones);
    return PSB_OK;
}

static void scale_one(const struct psb_convert *q, psb_ipk i, psb_ipk j, T *v)
{
    *v = q->left    ? ((const T *)q->left)[i] * *v
         : q->right ? *v * ((const T *)q->right)[j]
                    : *(const T *)q->by * *v;
}

static psb_err scale(const struct psb_convert *q)
{
    const struct psb_dev_hdia *a = &q->dia;
    for (psb_ipk i = 0; i < q->to.m; i++) {
        const struct line l = line_of(&q->to, i);
        for (psb_epk k = 0, p = l.at; k < l.n; k++, p += l.step)
            scale_one(q, i, q->to.ja[p], (T *)q->to.val + p);
    }
    if (q->to.m)
        return PSB_OK;
    for (psb_ipk i = 0; i < a->m; i++)
        for (psb_epk d = a->off[i / a->rows]; d < a->off[i / a->rows + 1]; d++)
            if (has(a, d, i % a->rows))
                scale_one(q, i, i + a->dist[d], (T *)a->val + d * a->rows + i % a->rows);
    look_at_diagonals(a);
    return PSB_OK;
}

static psb_err zero(const struct psb_convert *q)
{
    memset(q->to.m ? q->to.val : q->dia.val, 0, q->bytes);
    if (!q->to.m)
        look_at_diagonals(&q->dia);
    return PSB_OK;
}

psb_err X(step_fake)(enum psb_step s, const struct psb_convert *q)
{
    static psb_err (*const steps[PSB_STEPS])(const struct psb_convert *q) = {
        [PSB_STEP_COPY] = copy,
        [PSB_STEP_ROWS] = rows,
        [PSB_STEP_RANKS] = ranks,
        [PSB_STEP_HLL_MEASURE] = hll_measure,
        [PSB_STEP_HLL_FILL] = hll_fill,
        [PSB_STEP_CSR_MEASURE] = csr_measure,
        [PSB_STEP_CSR_FILL] = csr_fill,
        [PSB_STEP_LOCALITY] = locality,
        [PSB_STEP_HDIA_COUNT] = hdia_count,
        [PSB_STEP_HDIA_MEET] = hdia_meet,
        [PSB_STEP_HDIA_LIST] = hdia_list,
        [PSB_STEP_HDIA_FILL] = hdia_fill,
        [PSB_STEP_FIND] = find,
        [PSB_STEP_BY_PLACE] = by_place,
        [PSB_STEP_PUT] = put_values,
        [PSB_STEP_DIAGONAL] = diagonal,
        [PSB_STEP_SCALE] = scale,
        [PSB_STEP_ZERO] = zero,
        [PSB_STEP_LOOK] = look,
        [PSB_STEP_ORDER] = order,
        [PSB_STEP_UNLIKE] = unlike,
        [PSB_STEP_MERGE] = merge,
        [PSB_STEP_GATHER] = gather,
    };
    return steps[s](q);
}
