/* coo.c -- base/mat: COO: triplets; every other format can be converted to and from it. */
#include "psb_format.h"
#include "psb_handle.h"
#include "keys.h"
#include "psb_search.h"
#include "psb_team.h"
#include <stdlib.h>
#include <string.h>
#include "psb_type.h"

static void coo_clear(struct X(mat) *a_)
{
    struct X(coo_mat) *a = (struct X(coo_mat) *)a_;
    psb_free(a->ia);
    psb_free(a->ja);
    psb_free(a->val);
    a->ia = a->ja = NULL;
    a->val = NULL;
    a->cap = 0;
}

psb_err X(coo_reserve)(struct X(coo_mat) *a, psb_epk n)
{
    PSB_NEED_HANDLE(a, "a matrix");
    PSB_CHECK(n >= 0, PSB_EARG, "argument n is %" PRId64 "; expected a number of entries >= 0", n);
    if (n <= a->cap && a->ia)
        return PSB_OK;
    PSB_TRY(psb_resize(&a->ia, (size_t)n, sizeof *a->ia, "COO rows"));
    PSB_TRY(psb_resize(&a->ja, (size_t)n, sizeof *a->ja, "COO columns"));
    PSB_TRY(psb_resize(&a->val, (size_t)n, sizeof *a->val, "COO values"));
    a->cap = n;
    return PSB_OK;
}

/* --- order ------------------------------------------------------------------------------------------ */

enum { MOST_THREADS = 64 };

/* Properties of the entries: rows ascend; columns ascend within each row; no duplicates; length of the
 * longest row. */
struct inspection {
    int rows, cols, once;
    psb_epk longest;
};

struct sorting {
    struct X(coo_mat) *a;
    struct inspection seen[MOST_THREADS];
    int twice[MOST_THREADS];
    psb_epk longest;
    psb_ipk *i;
    T *v;
};

static int team(psb_epk n)
{
    int p = psb_threads(n);
    return p < MOST_THREADS ? p : MOST_THREADS;
}

/* The share of thread t of n entries, moved forward to the beginning of a row. */
static void runs(const struct X(coo_mat) *a, int t, int p, psb_epk *from, psb_epk *to)
{
    psb_epk n = a->mat.nnz;
    psb_thread_range(n, t, p, from, to);
    while (*from > 0 && *from < n && a->ia[*from] == a->ia[*from - 1])
        ++*from;
    while (*to > 0 && *to < n && a->ia[*to] == a->ia[*to - 1])
        ++*to;
}

static void inspect_part(void *job, int t, int p)
{
    struct sorting *s = job;
    const psb_ipk *ia = s->a->ia, *ja = s->a->ja;
    struct inspection f = { 1, 1, 1, 0 };
    psb_epk k, end, n = s->a->mat.nnz, e;
    runs(s->a, t, p, &k, &end);
    for (; k < end && f.rows; k = e) {
        for (e = k + 1; e < n && ia[e] == ia[k]; e++) {
            f.cols &= ja[e - 1] <= ja[e];
            f.once &= ja[e - 1] != ja[e];
        }
        f.longest = e - k > f.longest ? e - k : f.longest;
        f.rows = e == n || ia[k] < ia[e];
    }
    s->seen[t] = f;
}

static struct inspection inspect(const struct X(coo_mat) *a)
{
    struct X(coo_mat) view = *a;
    struct sorting s = { .a = &view };
    struct inspection all = { 1, 1, 1, 0 };
    int p = team(a->mat.nnz);
    psb_team(p, inspect_part, &s);
    for (int t = 0; t < p; t++) {
        all.rows &= s.seen[t].rows;
        all.cols &= s.seen[t].cols;
        all.once &= s.seen[t].once;
        all.longest = s.seen[t].longest > all.longest ? s.seen[t].longest : all.longest;
    }
    return all;
}

int X(coo_ordered)(const struct X(coo_mat) *a)
{
    struct inspection f = inspect(a);
    return f.rows && f.cols;
}

/* Sort each row by columns; a is ordered by rows. */
static void sort_part(void *job, int t, int p)
{
    struct sorting *s = job;
    struct X(coo_mat) *a = s->a;
    psb_epk k, end, e, own = t * s->longest;
    int twice = 0;
    runs(a, t, p, &k, &end);
    for (; k < end; k = e) {
        for (e = k + 1; e < end && a->ia[e] == a->ia[k]; e++)
            ;
        twice |= X(sort_entries)(a->ja + k, a->val + k, e - k, s->i + own, s->v + own);
    }
    s->twice[t] = twice;
}

/* Order a by columns within rows; a is ordered by rows of at most `longest` entries; *twice = whether it has
 * duplicates.  On error a is unchanged. */
static psb_err sort_rows(struct X(coo_mat) *a, psb_epk longest, int *twice)
{
    struct sorting s = { .a = a, .longest = longest > PSB_SHORT_SORT ? longest : 0 };
    int p = team(a->mat.nnz);
    PSB_TRY(psb_alloc(&s.i, (size_t)s.longest * (size_t)p, sizeof *s.i, "sort"));
    psb_err e = psb_alloc(&s.v, (size_t)s.longest * (size_t)p, sizeof *s.v, "sort");
    if (e == PSB_OK) {
        *twice = 0;
        psb_team(p, sort_part, &s);
        for (int t = 0; t < p; t++)
            *twice |= s.twice[t];
    }
    psb_free(s.i);
    psb_free(s.v);
    return e;
}

/* key[k] of entry k increases with its row. */
struct moving {
    const struct X(coo_mat) *from;
    struct X(coo_mat) *to;
    const psb_ipk *key;
    const struct psb_keys *keys;
};

static void move_part(void *job, int t, int p)
{
    const struct moving *q = job;
    const struct X(coo_mat) *a = q->from;
    psb_epk *next = psb_keys_next(q->keys, t), k, end;
    for (psb_thread_range(a->mat.nnz, t, p, &k, &end); k < end; k++) {
        psb_epk at = next[q->key[k]]++;
        q->to->ia[at] = a->ia[k];
        q->to->ja[at] = a->ja[k];
        q->to->val[at] = a->val[k];
    }
}

/* Copy the entries of a to b, which is large enough, ordered by their keys below n; those of a key keep their
 * order.
 */
static psb_err by_keys(struct X(coo_mat) *b, const struct X(coo_mat) *a, psb_ipk n, const psb_ipk *key)
{
    struct psb_keys keys;
    struct moving q = { a, b, key, &keys };
    PSB_TRY(psb_keys_begin(n, a->mat.nnz, key, NULL, &keys));
    psb_team(keys.p, move_part, &q);
    psb_keys_end(&keys);
    return PSB_OK;
}

static int ascending(const void *a, const void *b)
{
    const psb_ipk i = *(const psb_ipk *)a, j = *(const psb_ipk *)b;
    return (i > j) - (i < j);
}

/* key[0..nnz) = the rank of each entry's row among the rows that have entries, which are listed behind;
 * return their number. */
static psb_ipk rank_rows(const struct X(coo_mat) *a, psb_ipk *key)
{
    const psb_epk nz = a->mat.nnz;
    psb_ipk *rows = key + nz, n = 0;
    memcpy(rows, a->ia, (size_t)nz * sizeof *rows);
    qsort(rows, (size_t)nz, sizeof *rows, ascending);
    for (psb_epk k = 0; k < nz; k++)
        if (n == 0 || rows[k] != rows[n - 1])
            rows[n++] = rows[k];
    for (psb_epk k = 0; k < nz; k++)
        key[k] = (psb_ipk)psb_first_from(rows, 1, n, a->ia[k]);
    return n;
}

/* If rows are more than so many times the entries, memory for each row would be too much. */
enum { FAR_FEWER = 16 };

/* The same ordered by rows. */
static psb_err coo_by_rows(struct X(coo_mat) *b, const struct X(coo_mat) *a)
{
    psb_ipk *key;
    if (a->mat.nnz > a->mat.nrows / FAR_FEWER)
        return by_keys(b, a, a->mat.nrows, a->ia);
    PSB_TRY(psb_alloc(&key, 2 * (size_t)a->mat.nnz, sizeof *key, "sort"));
    psb_err e = by_keys(b, a, rank_rows(a, key), key);
    psb_free(key);
    return e;
}

/* Allocate `out` and fill it with the entries of a in order; *twice as above. */
static psb_err sorted(const struct X(coo_mat) *a, struct X(coo_mat) *out, int *twice)
{
    struct X(coo_mat) b = X(coo_mold);
    b.mat.nrows = a->mat.nrows;
    b.mat.ncols = a->mat.ncols;
    b.mat.nnz = a->mat.nnz;
    psb_err e = X(coo_reserve)(&b, a->mat.nnz);
    if (e == PSB_OK)
        e = coo_by_rows(&b, a);
    if (e == PSB_OK)
        e = sort_rows(&b, inspect(&b).longest, twice);
    if (e != PSB_OK) {
        coo_clear(&b.mat);
        return e;
    }
    out->ia = b.ia;
    out->ja = b.ja;
    out->val = b.val;
    out->cap = b.cap;
    return PSB_OK;
}

static int same(const struct X(coo_mat) *a, psb_epk k, psb_epk l)
{
    return a->ia[k] == a->ia[l] && a->ja[k] == a->ja[l];
}

/* Merge adjacent duplicates; a is ordered. */
static void merge_duplicates(struct X(coo_mat) *a, enum psb_dupl dupl)
{
    psb_epk n = 0;
    for (psb_epk k = 0; k < a->mat.nnz; k++) {
        if (n > 0 && same(a, n - 1, k)) {
            a->val[n - 1] = dupl == PSB_DUPL_ADD ? a->val[n - 1] + a->val[k] : a->val[k];
            continue;
        }
        a->ia[n] = a->ia[k];
        a->ja[n] = a->ja[k];
        a->val[n++] = a->val[k];
    }
    a->mat.nnz = n;
}

/* at: the row and column of the first adjacent duplicates. */
static void find_equals(const struct X(coo_mat) *a, psb_ipk at[2])
{
    psb_epk k = 0;
    while (!same(a, k, k + 1))
        k++;
    at[0] = a->ia[k];
    at[1] = a->ja[k];
}

/* coo_order through a copy. */
static psb_err order_copy(struct X(coo_mat) *a, enum psb_dupl dupl, psb_ipk at[2])
{
    struct X(coo_mat) b = *a;
    int twice;
    PSB_TRY(sorted(a, &b, &twice));
    if (twice && dupl == PSB_DUPL_ERROR) {
        find_equals(&b, at);
        coo_clear(&b.mat);
        return PSB_OK;
    }
    coo_clear(&a->mat);
    *a = b;
    if (twice)
        merge_duplicates(a, dupl);
    return PSB_OK;
}

psb_err X(coo_order)(struct X(coo_mat) *a, enum psb_dupl dupl, psb_ipk at[2])
{
    struct inspection f = inspect(a);
    int twice = !f.once;
    at[0] = -1;
    if (!f.rows || (!f.cols && dupl == PSB_DUPL_ERROR))
        return PSB_PASS(order_copy(a, dupl, at));
    if (!f.cols)
        PSB_TRY(sort_rows(a, f.longest, &twice));
    if (twice && dupl == PSB_DUPL_ERROR)
        find_equals(a, at);
    else if (twice)
        merge_duplicates(a, dupl);
    return PSB_OK;
}

psb_err X(coo_fix)(struct X(coo_mat) *a, enum psb_dupl dupl)
{
    psb_ipk at[2];
    PSB_NEED_HANDLE(a, "a matrix");
    PSB_TRY(psb_dupl_check(dupl));
    PSB_TRY(X(coo_order)(a, dupl, at));
    PSB_CHECK(at[0] < 0, PSB_EARG, "local row %d, column %d has more than one entry; expected one", at[0],
              at[1]);
    return PSB_OK;
}

/* Allocate the arrays of t and fill them with a transposed, through row pointers unless entries are few. */
static psb_err transpose(const struct X(coo_mat) *a, struct X(coo_mat) *t)
{
    if (a->mat.nnz <= ((psb_epk)a->mat.nrows + a->mat.ncols) / FAR_FEWER) {
        struct X(coo_mat) turned = *a;
        int twice;
        turned.mat.nrows = a->mat.ncols;
        turned.mat.ncols = a->mat.nrows;
        turned.ia = a->ja;
        turned.ja = a->ia;
        return sorted(&turned, t, &twice);
    }
    struct X(compressed) from = { a->mat.nrows, a->mat.ncols, NULL, a->ja, a->val };
    struct X(compressed) to = { a->mat.ncols, a->mat.nrows, NULL, NULL, NULL };
    PSB_TRY(X(coo_reserve)(t, a->mat.nnz));
    to.idx = t->ja;
    to.val = t->val;
    PSB_TRY(psb_alloc(&from.ptr, (size_t)from.n + 1, sizeof *from.ptr, "row pointers"));
    psb_err e = psb_alloc(&to.ptr, (size_t)to.n + 1, sizeof *to.ptr, "column pointers");
    if (e == PSB_OK) {
        X(compressed_count)(from.n, a->mat.nnz, a->ia, from.ptr);
        e = X(compressed_transpose)(&from, &to);
        if (e == PSB_OK)
            X(compressed_keys)(0, to.n, to.ptr, t->ia);
        psb_free(to.ptr);
    }
    psb_free(from.ptr);
    return e;
}

psb_err X(coo_transposed)(const struct X(coo_mat) *a, struct X(coo_mat) **t)
{
    struct X(mat) *new;
    PSB_NEED_HANDLE(a, "a matrix");
    PSB_NEED(t, "where to store the matrix");
    PSB_TRY(X(mat_new)(&X(coo_mold).mat, a->mat.ncols, a->mat.nrows, a->mat.nnz, &new));
    return PSB_PASS(X(coo_made)(transpose(a, (struct X(coo_mat) *)new), new, t));
}

void X(coo_weave)(struct X(coo_mat) *b, psb_epk n, const struct X(coo_mat) *t)
{
    for (psb_epk r = t->mat.nnz; r > 0;) {
        psb_epk to = n + r - 1;
        psb_ipk i = t->ia[r - 1], j = t->ja[r - 1];
        int stays = n > 0 && (b->ia[n - 1] > i || (b->ia[n - 1] == i && b->ja[n - 1] > j));
        const struct X(coo_mat) *from = stays ? b : t;
        psb_epk k = stays ? --n : --r;
        b->ia[to] = from->ia[k];
        b->ja[to] = from->ja[k];
        b->val[to] = from->val[k];
    }
}

/* --- the class -------------------------------------------------------------------------------------- */

static size_t coo_bytes(const struct X(mat) *a)
{
    return (size_t)a->nnz * (sizeof(T) + 2 * sizeof(psb_ipk));
}

static psb_err coo_trim(struct X(mat) *a_)
{
    struct X(coo_mat) *a = (struct X(coo_mat) *)a_;
    size_t n = (size_t)a_->nnz;
    a->cap = a_->nnz;
    PSB_TRY(psb_resize(&a->ia, n, sizeof *a->ia, "COO rows"));
    PSB_TRY(psb_resize(&a->ja, n, sizeof *a->ja, "COO columns"));
    return psb_resize(&a->val, n, sizeof *a->val, "COO values");
}

static enum psb_order coo_slot_order(const struct X(mat) *a_)
{
    const struct X(coo_mat) *a = (const struct X(coo_mat) *)a_;
    struct X(coo_mat) transposed = *a;
    transposed.ia = a->ja;
    transposed.ja = a->ia;
    return X(coo_ordered)(a) ? PSB_BY_ROWS : X(coo_ordered)(&transposed) ? PSB_BY_COLS : PSB_UNSORTED;
}

/* Append entries from..to-1 of b to a, which is large enough. */
static void append(struct X(coo_mat) *a, const struct X(coo_mat) *b, psb_epk from, psb_epk to)
{
    size_t n = (size_t)(to - from);
    psb_epk at = a->mat.nnz;
    X(compressed_copy)(a->ia + at, b->ia + from, n, sizeof *a->ia);
    X(compressed_copy)(a->ja + at, b->ja + from, n, sizeof *a->ja);
    X(compressed_copy)(a->val + at, b->val + from, n, sizeof *a->val);
    a->mat.nnz += to - from;
}

static psb_err coo_from_coo(struct X(mat) *a_, const struct X(coo_mat) *b)
{
    struct X(coo_mat) *a = (struct X(coo_mat) *)a_;
    PSB_TRY(X(coo_reserve)(a, b->mat.nnz));
    a_->nnz = 0;
    append(a, b, 0, b->mat.nnz);
    return PSB_OK;
}

static psb_err coo_move_from_coo(struct X(mat) *a_, struct X(coo_mat) *b)
{
    struct X(coo_mat) *a = (struct X(coo_mat) *)a_;
    a->ia = b->ia;
    a->ja = b->ja;
    a->val = b->val;
    a->cap = b->cap;
    b->ia = b->ja = NULL;
    b->val = NULL;
    b->mat.nnz = b->cap = 0;
    return PSB_OK;
}

static psb_err coo_to_coo(struct X(mat) *a_, struct X(coo_mat) *b)
{
    struct X(coo_mat) *a = (struct X(coo_mat) *)a_;
    int twice;
    return X(coo_ordered)(a) ? coo_from_coo(&b->mat, a) : sorted(a, b, &twice);
}

static psb_err coo_copy(struct X(mat) *a, struct X(mat) *b)
{
    return coo_from_coo(a, (struct X(coo_mat) *)b);
}

/* --- entries ---------------------------------------------------------------------------------------- */

static psb_err coo_walk(struct X(mat) *a_, bool change, X(visit) *visit, void *job)
{
    struct X(coo_mat) *a = (struct X(coo_mat) *)a_;
    (void)change;
    if (a_->nnz)
        visit(job, a_->nnz, a->ia, a->ja, a->val);
    return PSB_OK;
}

struct coo_spot {
    const struct X(coo_mat) *a;
    psb_ipk i, j;
};

PSB_INLINE int is_before(const void *of, psb_epk e)
{
    const struct coo_spot *s = of;
    const psb_ipk i = s->a->ia[e];
    return i < s->i || (i == s->i && s->a->ja[e] < s->j);
}

/* The first entry of a, which is ordered, at or after row i, column j. */
static psb_epk lower_bound(const struct X(coo_mat) *a, psb_ipk i, psb_ipk j)
{
    const struct coo_spot s = { a, i, j };
    return psb_first(0, a->mat.nnz, is_before, &s);
}

static psb_err coo_slot_rows(struct X(mat) *a_, psb_ipk lo, psb_ipk hi, psb_epk *ptr, struct X(coo_mat) *b)
{
    const struct X(coo_mat) *a = (const struct X(coo_mat) *)a_;
    if (ptr || !X(coo_ordered)(a))
        return X(root_mold).ops->entries.rows(a_, lo, hi, ptr, b);
    psb_epk from = lower_bound(a, lo, 0), to = lower_bound(a, hi, 0);
    PSB_TRY(X(coo_reserve)(b, to - from));
    b->mat.nnz = 0;
    append(b, a, from, to);
    return PSB_OK;
}

psb_err X(coo_append)(struct X(coo_mat) *a, psb_epk nz, const psb_ipk *ia, const psb_ipk *ja, const T *val)
{
    PSB_NEED_HANDLE(a, "a matrix");
    PSB_TRY(X(need_entries)(nz, ia, ja, val));
    const struct X(coo_mat) more = {
        .mat.nnz = nz, .ia = (psb_ipk *)ia, .ja = (psb_ipk *)ja, .val = (T *)val
    };
    psb_epk need = a->mat.nnz + nz;
    if (need > a->cap)
        PSB_TRY(X(coo_reserve)(a, need > 2 * a->cap ? need : 2 * a->cap));
    append(a, &more, 0, nz);
    return PSB_OK;
}

psb_epk X(coo_place)(void *of, psb_ipk i, psb_ipk j)
{
    const struct X(coo_mat) *a = of;
    psb_epk p = lower_bound(a, i, j);
    return p < a->mat.nnz && a->ia[p] == i && a->ja[p] == j ? p : -1;
}

/* Positions of all entries by rows: those of row i are at[] from first[i] on. */
struct in_rows {
    const struct X(coo_mat) *a;
    psb_epk *first, *at;
};

/* coo_place in a matrix that is not ordered. */
static psb_epk place_in_rows(void *of, psb_ipk i, psb_ipk j)
{
    const struct in_rows *q = of;
    psb_epk p = q->first[i], end = q->first[i + 1];
    while (p < end && q->a->ja[q->at[p]] != j)
        p++;
    return p < end ? q->at[p] : -1;
}

/* On error there is nothing to free. */
static psb_err find_rows(const struct X(coo_mat) *a, struct in_rows *q)
{
    psb_ipk m = a->mat.nrows;
    q->a = a;
    PSB_TRY(psb_alloc_zero(&q->first, (size_t)m + 2, sizeof *q->first, "entries by rows"));
    psb_err e = psb_alloc(&q->at, (size_t)a->mat.nnz, sizeof *q->at, "entries by rows");
    if (e != PSB_OK) {
        psb_free(q->first);
        return e;
    }
    for (psb_epk k = 0; k < a->mat.nnz; k++)
        q->first[a->ia[k] + 2]++;
    for (psb_ipk i = 0; i < m; i++)
        q->first[i + 2] += q->first[i + 1];
    for (psb_epk k = 0; k < a->mat.nnz; k++)
        q->at[q->first[a->ia[k] + 1]++] = k;
    return PSB_OK;
}

static psb_err put(void *to, psb_epk nz, const psb_epk *pos, const T *v, enum psb_dupl dupl)
{
    struct X(coo_mat) *a = to;
    for (psb_epk k = 0; k < nz; k++)
        X(put_value)(a->val + pos[k], v[k], dupl);
    return PSB_OK;
}

/* If the entries are few, look for each by bisection.  A match proves that the entry is stored, even if the
 * matrix is not ordered, and avoids a search through all entries. */
static int are_found(struct X(coo_mat) *a, psb_epk nz, const psb_ipk *ia, const psb_ipk *ja)
{
    enum { FEW = 32 };
    psb_epk k = 0;
    if (nz > a->mat.nnz / FEW)
        return 0;
    while (k < nz && X(coo_place)(a, ia[k], ja[k]) >= 0)
        k++;
    return k == nz;
}

static psb_err coo_csput(struct X(mat) *a_, psb_epk nz, const psb_ipk *ia, const psb_ipk *ja, const T *val,
                         enum psb_dupl dupl)
{
    struct X(coo_mat) *a = (struct X(coo_mat) *)a_;
    struct in_rows q;
    if (are_found(a, nz, ia, ja) || X(coo_ordered)(a))
        return X(put_entries)(X(coo_place), a, put, a, nz, ia, ja, val, dupl);
    PSB_TRY(find_rows(a, &q));
    psb_err e = X(put_entries)(place_in_rows, &q, put, a, nz, ia, ja, val, dupl);
    psb_free(q.first);
    psb_free(q.at);
    return e;
}

/* --- products --------------------------------------------------------------------------------------- */

static psb_err coo_csmm(T alpha, struct X(mat) *a, psb_ipk k, const T *x, T beta, T *y, char trans)
{
    return X(coo_csmm)((const struct X(coo_mat) *)a, k, alpha, x, beta, y, trans);
}

static const struct X(mat_ops) coo_ops = {
    .super = &X(root_mold),
    .fmt = "COO",
    .size = sizeof(struct X(coo_mat)),
    .storage = { .clear = coo_clear,
                 .bytes = coo_bytes,
                 .trim = coo_trim,
                 .order = coo_slot_order,
                 .from_coo = coo_from_coo,
                 .move_from_coo = coo_move_from_coo,
                 .to_coo = coo_to_coo,
                 .copy = coo_copy },
    .entries = { .walk = coo_walk, .rows = coo_slot_rows, .csput = coo_csput },
    .products.csmm = coo_csmm,
};

const struct X(coo_mat) X(coo_mold) = { .mat.ops = &coo_ops };
