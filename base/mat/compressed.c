/* compressed.c -- base/mat: compressed rows or columns, called lines: the computations of CSR and
 * CSC. */
#include "psb_format.h"
#include "keys.h"
#include "psb_search.h"
#include "psb_team.h"
#include "psb_threads.h"
#include <string.h>
#include "psb_type.h"

psb_err X(compressed_read)(struct psb_dual *ptr, struct psb_dual *idx, struct psb_dual *val,
                           struct X(compressed) *l)
{
    PSB_TRY(psb_dual_read(ptr, PSB_HOST, &l->ptr));
    PSB_TRY(psb_dual_read(idx, PSB_HOST, &l->idx));
    return PSB_PASS(psb_dual_read(val, PSB_HOST, &l->val));
}

psb_err X(compressed_make)(struct psb_dual *ptr, struct psb_dual *idx, struct psb_dual *val, psb_epk nz,
                           const struct psb_device *on, const char *const *names, struct X(compressed) *l)
{
    PSB_TRY(psb_dual_init(ptr, (size_t)l->n + 1, sizeof *l->ptr, on, names[0]));
    PSB_TRY(psb_dual_init(idx, (size_t)nz, sizeof *l->idx, on, names[1]));
    PSB_TRY(psb_dual_init(val, (size_t)nz, sizeof *l->val, on, names[2]));
    PSB_TRY(psb_dual_write(ptr, PSB_HOST, &l->ptr));
    PSB_TRY(psb_dual_write(idx, PSB_HOST, &l->idx));
    return PSB_PASS(psb_dual_write(val, PSB_HOST, &l->val));
}

/* --- pointers and copies ---------------------------------------------------------------------------- */

struct counting {
    psb_ipk n;
    psb_epk nz;
    const psb_ipk *key;
    psb_epk *ptr;
};

/* Entry k sets the pointers of all lines after the line of entry k - 1, up to its own line. */
static void count_lines_part(void *job, int t, int p)
{
    const struct counting *c = job;
    psb_epk a, b;
    psb_thread_range(c->nz, t, p, &a, &b);
    psb_ipk i = a ? c->key[a - 1] + 1 : 0;
    for (psb_epk k = a; k < b; k++)
        for (; i <= c->key[k]; i++)
            c->ptr[i] = k;
    for (; t == p - 1 && i <= c->n; i++)
        c->ptr[i] = c->nz;
}

void X(compressed_count)(psb_ipk n, psb_epk nz, const psb_ipk *key, psb_epk *ptr)
{
    struct counting c = { n, nz, key, ptr };
    psb_team(psb_threads(nz), count_lines_part, &c);
}

struct copying {
    char *to;
    const char *from;
    size_t n, size;
};

static void copy_part(void *job, int t, int p)
{
    const struct copying *c = job;
    psb_epk a, b;
    psb_thread_range((psb_epk)c->n, t, p, &a, &b);
    if (a < b)
        memcpy(c->to + (size_t)a * c->size, c->from + (size_t)a * c->size, (size_t)(b - a) * c->size);
}

void X(compressed_copy)(void *to, const void *from, size_t n, size_t size)
{
    struct copying c = { to, from, n, size };
    psb_team(psb_threads((psb_epk)n), copy_part, &c);
}

struct numbering {
    psb_ipk lo, hi;
    const psb_epk *ptr;
    psb_ipk *key;
};

static void number_part(void *job, int t, int p)
{
    const struct numbering *q = job;
    const psb_ipk n = q->hi - q->lo;
    const psb_epk first = q->ptr[0];
    psb_epk k, end;
    psb_thread_range(q->ptr[n] - first, t, p, &k, &end);
    for (psb_ipk i = psb_last_up_to(q->ptr, n, first + k); k < end; i++)
        for (psb_epk stop = q->ptr[i + 1] - first; k < stop && k < end; k++)
            q->key[k] = q->lo + i;
}

void X(compressed_keys)(psb_ipk lo, psb_ipk hi, const psb_epk *ptr, psb_ipk *key)
{
    struct numbering q = { lo, hi, ptr, key };
    psb_team(psb_threads(ptr[hi - lo] - ptr[0]), number_part, &q);
}

/* --- transpose -------------------------------------------------------------------------------------- */

struct transposing {
    const struct X(compressed) *from, *to;
    const struct psb_keys *keys;
};

/* Copy the entries whose positions psb_keys assigned to thread t. */
static void transpose_part(void *job, int t, int p)
{
    const struct transposing *q = job;
    const struct X(compressed) from = *q->from, to = *q->to;
    psb_epk *next = psb_keys_next(q->keys, t), k, end;
    psb_thread_range(from.ptr[from.n], t, p, &k, &end);
    for (psb_ipk i = psb_last_up_to(from.ptr, from.n, k); k < end; i++)
        for (psb_epk stop = from.ptr[i + 1] < end ? from.ptr[i + 1] : end; k < stop; k++) {
            psb_epk at = next[from.idx[k]]++;
            to.idx[at] = i;
            to.val[at] = from.val[k];
        }
}

psb_err X(compressed_transpose)(const struct X(compressed) *l, const struct X(compressed) *t)
{
    struct psb_keys keys;
    struct transposing q = { l, t, &keys };
    PSB_TRY(psb_keys_begin(t->n, l->ptr[l->n], l->idx, t->ptr, &keys));
    psb_team(keys.p, transpose_part, &q);
    psb_keys_end(&keys);
    return PSB_OK;
}

/* --- entries ---------------------------------------------------------------------------------------- */

psb_err X(compressed_walk)(struct X(compressed) *l, struct psb_dual *val, bool change, int by_cols,
                           X(visit) *visit, void *job)
{
    enum { BLOCK = 512 };
    psb_ipk line[BLOCK], i = 0;
    psb_epk nz = l->ptr[l->n];
    if (change)
        PSB_TRY(psb_dual_update(val, PSB_HOST, &l->val));
    for (psb_epk k = 0, n; k < nz; k += n) {
        n = nz - k < BLOCK ? nz - k : BLOCK;
        for (psb_epk e = 0; e < n; e++) {
            while (l->ptr[i + 1] <= k + e)
                i++;
            line[e] = i;
        }
        visit(job, n, by_cols ? l->idx + k : line, by_cols ? line : l->idx + k, l->val + k);
    }
    return PSB_OK;
}

struct line_scaling {
    const struct X(compressed) *l;
    T s;
    const T *along, *across;
};

static void scale_part(void *job, int t, int p)
{
    const struct line_scaling *q = job;
    const struct X(compressed) *l = q->l;
    psb_ipk i, end;
    X(compressed_share)(l, t, p, &i, &end);
    for (; i < end; i++) {
        const T s = q->along ? q->along[i] : q->s;
        for (psb_epk k = l->ptr[i]; k < l->ptr[i + 1]; k++)
            l->val[k] = (q->across ? q->across[l->idx[k]] : s) * l->val[k];
    }
}

psb_err X(compressed_scale)(struct X(compressed) *l, struct psb_dual *val, T s, const T *along,
                            const T *across)
{
    struct line_scaling q = { l, s, along, across };
    PSB_TRY(psb_dual_update(val, PSB_HOST, &l->val));
    psb_team(psb_threads(l->ptr[l->n]), scale_part, &q);
    return PSB_OK;
}

struct diagonal {
    const struct X(compressed) *l;
    psb_ipk n;
    T ones, *d;
};

static void diag_part(void *job, int t, int p)
{
    const struct diagonal *q = job;
    const struct X(compressed) *l = q->l;
    psb_epk i, end;
    psb_thread_range(q->n, t, p, &i, &end);
    for (; i < end; i++) {
        psb_epk last = l->ptr[i + 1], k = l->ptr[i];
        k += psb_first_from(l->idx + k, 1, last - k, (psb_ipk)i);
        for (q->d[i] = q->ones; k < last && l->idx[k] == i; k++)
            q->d[i] += l->val[k];
    }
}

void X(compressed_diag)(const struct X(compressed) *l, psb_ipk n, int ones, T *d)
{
    struct diagonal q = { l, n, ones, d };
    psb_team(psb_threads(n), diag_part, &q);
}

psb_err X(zero_values)(struct psb_dual *val)
{
    T *p;
    PSB_TRY(psb_dual_write(val, PSB_HOST, &p));
    if (val->bytes)
        memset(p, 0, val->bytes);
    return PSB_OK;
}

/* --- entries by position ---------------------------------------------------------------------------- */

/* Lines, whether they are rows or columns, and the position where the next entry is expected. */
struct placing {
    const struct X(compressed) *l;
    int by_cols;
    psb_epk next;
};

/* Position of the first entry with index j in line i; -1 if there is none. */
static psb_epk search_line(const struct X(compressed) *l, psb_ipk i, psb_ipk j)
{
    psb_epk from = l->ptr[i], end = l->ptr[i + 1], k = from + psb_first_from(l->idx + from, 1, end - from, j);
    return k < end && l->idx[k] == j ? k : -1;
}

/* Is entry k the first entry of its line with this index? */
static int is_first_entry(const struct X(compressed) *l, psb_ipk i, psb_ipk j, psb_epk k)
{
    return k >= l->ptr[i] && k < l->ptr[i + 1] && l->idx[k] == j && (k == l->ptr[i] || l->idx[k - 1] != j);
}

/* Try the next position first: entries are mostly given in storage order. */
static psb_epk place(void *of, psb_ipk row, psb_ipk col)
{
    struct placing *q = of;
    psb_ipk i = q->by_cols ? col : row, j = q->by_cols ? row : col;
    psb_epk k = is_first_entry(q->l, i, j, q->next) ? q->next : search_line(q->l, i, j);
    q->next = k + 1;
    return k;
}

psb_err X(compressed_put)(const struct X(compressed) *l, struct psb_dual *val, psb_epk nz, const psb_ipk *ia,
                          const psb_ipk *ja, const T *v, enum psb_dupl dupl, int by_cols)
{
    struct placing q = { l, by_cols, 0 };
    return PSB_PASS(X(put_entries)(place, &q, X(put_values), val, nz, ia, ja, v, dupl));
}

/* --- order ------------------------------------------------------------------------------------------ */

static int sort_short(psb_ipk *idx, T *val, psb_epk n)
{
    int twice = 0;
    for (psb_epk k = 1; k < n; k++) {
        psb_ipk j = idx[k];
        psb_epk p = k;
        if (idx[k - 1] < j)
            continue;
        T v = val[k];
        for (; p > 0 && idx[p - 1] > j; p--) {
            idx[p] = idx[p - 1];
            val[p] = val[p - 1];
        }
        idx[p] = j;
        val[p] = v;
        twice |= p > 0 && idx[p - 1] == j;
    }
    return twice;
}

/* Merge a[0..na) with the nb entries after it, using the scratch arrays i, v of na elements. */
static void merge_halves(psb_ipk *idx, T *val, psb_epk na, psb_epk nb, psb_ipk *i, T *v)
{
    psb_epk a = 0, b = na, to = 0, n = na + nb;
    memcpy(i, idx, (size_t)na * sizeof *i);
    memcpy(v, val, (size_t)na * sizeof *v);
    for (; a < na; to++)
        if (b < n && idx[b] < i[a]) {
            idx[to] = idx[b];
            val[to] = val[b++];
        } else {
            idx[to] = i[a];
            val[to] = v[a++];
        }
}

int X(sort_entries)(psb_ipk *idx, T *val, psb_epk n, psb_ipk *i, T *v)
{
    int twice = 0;
    for (psb_epk k = 0; k < n; k += PSB_SHORT_SORT)
        twice |= sort_short(idx + k, val + k, n - k < PSB_SHORT_SORT ? n - k : PSB_SHORT_SORT);
    if (n <= PSB_SHORT_SORT)
        return twice;
    for (psb_epk w = PSB_SHORT_SORT; w < n; w *= 2)
        for (psb_epk k = 0; n - k > w; k += n - k < 2 * w ? n - k : 2 * w)
            if (idx[k + w - 1] > idx[k + w])
                merge_halves(idx + k, val + k, w, n - k - w < w ? n - k - w : w, i, v);
    twice = 0;
    for (psb_epk k = 1; k < n; k++)
        twice |= idx[k] == idx[k - 1];
    return twice;
}

/* Lines to be sorted; scratch memory for the longest for each thread. */
struct ordering {
    const struct X(compressed) *l;
    psb_epk longest;
    psb_ipk *i;
    T *v;
};

static void order_part(void *job, int t, int p)
{
    const struct ordering *q = job;
    const struct X(compressed) *l = q->l;
    psb_ipk i, end;
    X(compressed_share)(l, t, p, &i, &end);
    for (; i < end; i++)
        X(sort_entries)(l->idx + l->ptr[i], l->val + l->ptr[i], l->ptr[i + 1] - l->ptr[i],
                        q->i + q->longest * t, q->v + q->longest * t);
}

psb_err X(compressed_order)(const struct X(compressed) *l)
{
    struct ordering q = { .l = l };
    const int p = psb_threads(l->ptr[l->n]);
    for (psb_ipk i = 0; i < l->n; i++)
        q.longest = l->ptr[i + 1] - l->ptr[i] > q.longest ? l->ptr[i + 1] - l->ptr[i] : q.longest;
    PSB_TRY(psb_alloc(&q.i, (size_t)q.longest * (size_t)p, sizeof *q.i, "sorted lines"));
    psb_err e = psb_alloc(&q.v, (size_t)q.longest * (size_t)p, sizeof *q.v, "sorted lines");
    if (e == PSB_OK)
        psb_team(p, order_part, &q);
    psb_free(q.i);
    psb_free(q.v);
    return PSB_PASS(e);
}
