/* prune.c -- base/mat: entries below a threshold are dropped: by value, by share, by count per row, relative
 * to the diagonal or to the row. */
#include "psb_format.h"
#include "psb_handle.h"
#include "coll.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "psb_type.h"
#include "prune.t.h"

psb_err X(prune_check)(enum psb_prune rule, R t)
{
    PSB_CHECK(rule >= PSB_PRUNE_VALUE && rule <= PSB_PRUNE_ROW, PSB_EARG,
              "argument rule is %d; expected one of enum psb_prune", (int)rule);
    PSB_CHECK(t >= 0, PSB_EARG, "argument t is %g; expected a threshold >= 0", (double)t);
    PSB_CHECK(rule != PSB_PRUNE_SHARE || t <= 100, PSB_EARG,
              "argument t is %g; expected a share, 0 to 100 percent", (double)t);
    PSB_CHECK(rule != PSB_PRUNE_COUNT || (double)t == floor((double)t), PSB_EARG,
              "argument t is %g; expected a number of entries, whole", (double)t);
    return PSB_OK;
}

void X(prune_flags)(enum psb_prune rule, struct X(mat) *a)
{
    a->is.unit = 0; /* its diagonal is stored now */
    a->is.symmetric = a->is.symmetric && rule == PSB_PRUNE_VALUE;
}

/* --- which entries stay --------------------------------------------------------------------------------- */

/* OPEN: not decided yet. */
enum { GOES, STAYS, OPEN };

struct choice {
    const struct X(pruning) *p;
    struct X(coo_mat) *c;
    unsigned char *of; /* for each entry */
};

static psb_lpk row_number(const struct choice *q, psb_epk k)
{
    return q->p->row ? q->p->row[q->c->ia[k]] : q->c->ia[k];
}

static psb_lpk column_number(const struct choice *q, psb_epk k)
{
    return q->p->col ? q->p->col[q->c->ja[k]] : q->c->ja[k];
}

/* |val| as a number whose order is that of moduli; NaN is the largest. */
static uint64_t modulus_key(T val)
{
    const double m = (double)ABS(val);
    uint64_t key;
    memcpy(&key, &m, sizeof key);
    return key & INT64_MAX;
}

/* The 2-norm of entries from .. end-1, scaled by the largest so that no square overflows. */
static R row_norm(const struct X(coo_mat) *c, psb_epk from, psb_epk end)
{
    R most = 0, sum = 0;
    for (psb_epk k = from; k < end; k++)
        most = ABS(c->val[k]) > most || ABS(c->val[k]) != ABS(c->val[k]) ? ABS(c->val[k]) : most;
    for (psb_epk k = from; k < end && most > 0; k++)
        sum += (ABS(c->val[k]) / most) * (ABS(c->val[k]) / most);
    return most > 0 && sum == sum ? most * (R)sqrt((double)sum) : most;
}

/* Decide on entries from .. end-1, a row, by a bound of their moduli; NaN stays. */
static void keep_above_bound(const struct choice *q, psb_epk from, psb_epk end)
{
    const struct X(coo_mat) *c = q->c;
    R bound = q->p->t;
    if (q->p->rule == PSB_PRUNE_ROW && bound > 0)
        bound *= row_norm(c, from, end);
    if (q->p->rule == PSB_PRUNE_DIAGONAL && bound > 0) {
        R diagonal = 0;
        for (psb_epk k = from; k < end; k++)
            diagonal = row_number(q, k) == column_number(q, k) ? ABS(c->val[k]) : diagonal;
        bound *= diagonal;
    }
    for (psb_epk k = from; k < end; k++)
        if (q->of[k] == OPEN)
            q->of[k] = ABS(c->val[k]) <= bound ? GOES : STAYS;
}

/* An entry of a row, to be sorted: the largest first, of equal ones the one in the lower column. */
struct ranked {
    uint64_t key;
    psb_lpk col;
    psb_epk at;
};

static int by_rank(const void *a_, const void *b_)
{
    const struct ranked *a = a_, *b = b_;
    if (a->key != b->key)
        return a->key > b->key ? -1 : 1;
    return (a->col > b->col) - (a->col < b->col);
}

static void keep_largest(const struct choice *q, psb_epk from, psb_epk end, struct ranked *list)
{
    size_t n = 0;
    for (psb_epk k = from; k < end; k++)
        if (q->of[k] == OPEN)
            list[n++] = (struct ranked){ modulus_key(q->c->val[k]), column_number(q, k), k };
    if ((double)n > (double)q->p->t)
        qsort(list, n, sizeof *list, by_rank);
    for (size_t i = 0; i < n; i++)
        q->of[list[i].at] = (double)i < (double)q->p->t ? STAYS : GOES;
}

/* All rules but PSB_PRUNE_SHARE. */
static psb_err choose_by_rows(const struct choice *q)
{
    const struct X(coo_mat) *c = q->c;
    struct ranked *list = NULL;
    psb_epk longest = 0, end;
    for (psb_epk k = 0; k < c->mat.nnz; k = end) {
        for (end = k + 1; end < c->mat.nnz && c->ia[end] == c->ia[k]; end++)
            ;
        longest = end - k > longest ? end - k : longest;
    }
    if (q->p->rule == PSB_PRUNE_COUNT)
        PSB_TRY(psb_alloc(&list, (size_t)longest, sizeof *list, "entries of a row"));
    for (psb_epk k = 0; k < c->mat.nnz; k = end) {
        for (end = k + 1; end < c->mat.nnz && c->ia[end] == c->ia[k]; end++)
            ;
        if (q->p->rule == PSB_PRUNE_COUNT)
            keep_largest(q, k, end, list);
        else
            keep_above_bound(q, k, end);
    }
    psb_free(list);
    return PSB_OK;
}

/* --- the largest of all entries, on all processes ------------------------------------------------------- */

/* What entries are ordered by, ascending, one after the other: moduli, the largest first; rows; columns. */
enum criterion { BY_MODULUS, BY_ROW, BY_COLUMN, CRITERIA };

static uint64_t criterion_of(const struct choice *q, enum criterion by, psb_epk k)
{
    return by == BY_MODULUS ? ~modulus_key(q->c->val[k])
                            : (uint64_t)(by == BY_ROW ? row_number(q, k) : column_number(q, k));
}

/* *at = the number such that fewer than *left open entries are below it, and *left or more are not above it;
 * *left becomes the number of those at it that are needed, of *equal.  The number is found byte by byte. */
static psb_err find_last(const struct choice *q, enum criterion by, psb_lpk *left, uint64_t *at,
                         psb_lpk *equal)
{
    *at = 0;
    for (int shift = 56; shift >= 0; shift -= 8) {
        psb_lpk count[256] = { 0 };
        int b = 0;
        for (psb_epk k = 0; k < q->c->mat.nnz; k++) {
            const uint64_t key = q->of[k] == OPEN ? criterion_of(q, by, k) : 0;
            if (q->of[k] == OPEN && (shift == 56 || key >> (shift + 8) == *at))
                count[key >> shift & 255]++;
        }
        if (q->p->ctxt)
            PSB_TRY(psb_sum(q->p->ctxt, 256, count, -1));
        while (b < 255 && count[b] < *left)
            *left -= count[b++];
        *at = *at << 8 | (uint64_t)b;
        *equal = count[b];
    }
    return PSB_OK;
}

static psb_err choose_share(const struct choice *q)
{
    psb_lpk left, equal = 0, open = 0;
    for (psb_epk k = 0; k < q->c->mat.nnz; k++)
        open += q->of[k] == OPEN;
    if (q->p->ctxt)
        PSB_TRY(psb_sum(q->p->ctxt, 1, &open, -1));
    equal = open;
    left = (psb_lpk)ceil((double)open * (double)q->p->t / 100);
    for (int by = BY_MODULUS; by < CRITERIA && left > 0 && left < equal; by++) {
        uint64_t last;
        PSB_TRY(find_last(q, (enum criterion)by, &left, &last, &equal));
        for (psb_epk k = 0; k < q->c->mat.nnz; k++) {
            const uint64_t key = q->of[k] == OPEN ? criterion_of(q, (enum criterion)by, k) : last;
            if (key != last)
                q->of[k] = key < last ? STAYS : GOES;
        }
    }
    for (psb_epk k = 0; k < q->c->mat.nnz; k++) /* one entry stored several times, or all that are open */
        if (q->of[k] == OPEN)
            q->of[k] = left-- > 0 ? STAYS : GOES;
    return PSB_OK;
}

/* --- the calls ------------------------------------------------------------------------------------------ */

psb_err X(coo_prune)(const struct X(pruning) *p, psb_err err, struct X(coo_mat) *c)
{
    struct choice q = { .p = p, .c = c };
    psb_epk kept = 0;
    psb_err e = err;
    PSB_THEN(e, psb_alloc(&q.of, (size_t)c->mat.nnz, sizeof *q.of, "choice of entries"));
    for (psb_epk k = 0; k < (e == PSB_OK ? c->mat.nnz : 0); k++)
        q.of[k] = p->diagonal && row_number(&q, k) == column_number(&q, k) ? STAYS : OPEN;
    if (p->ctxt)
        e = psb_agree(p->ctxt, e);
    PSB_THEN(e, p->rule == PSB_PRUNE_SHARE ? choose_share(&q) : choose_by_rows(&q));
    for (psb_epk k = 0; k < (e == PSB_OK ? c->mat.nnz : 0); k++)
        if (q.of[k] == STAYS) {
            c->ia[kept] = c->ia[k];
            c->ja[kept] = c->ja[k];
            c->val[kept++] = c->val[k];
        }
    if (e == PSB_OK)
        c->mat.nnz = kept;
    psb_free(q.of);
    return PSB_PASS(e);
}

/* psb_mat_prune by the device of a; PSB_ENOTIMPL without a message leaves it to the host. */
static psb_err prune_on_device(struct X(mat) *a, const struct X(pruning) *p)
{
    struct X(mat) *new = NULL;
    if (!PSB_DEVICE_DOES(a, prune))
        return PSB_ENOTIMPL;
    PSB_TRY(X(mat_dev)(a)->storage->prune(a, p->rule, p->t, p->diagonal, a, &new));
    if (new->nnz == a->nnz) {
        X(mat_free)(new);
    } else {
        X(mat_become)(a, new);
        X(prune_flags)(p->rule, a);
    }
    return PSB_OK;
}

psb_err X(mat_prune)(struct X(mat) *a, enum psb_prune rule, R t, bool keep_diagonal)
{
    const struct X(pruning) p = { .rule = rule, .t = t, .diagonal = keep_diagonal };
    struct X(coo_mat) *c;
    PSB_NEED_HANDLE(a, "a matrix");
    PSB_TRY(X(prune_check)(rule, t));
    psb_err e = prune_on_device(a, &p);
    if (e != PSB_ENOTIMPL)
        return PSB_PASS(e);
    PSB_TRY(X(mat_entries)(a, 0, a->nrows, &c));
    const psb_epk all = c->mat.nnz;
    e = X(coo_prune)(&p, PSB_OK, c);
    if (e == PSB_OK && c->mat.nnz < all) {
        e = X(mat_replace)(a, c);
        if (e == PSB_OK)
            X(prune_flags)(rule, a);
    }
    X(mat_free)(&c->mat);
    return PSB_PASS(e);
}
