/* aggregate.c -- base/mat: smoothing matrices and aggregates of rows, for multigrid. */
#include "psb_format.h"
#include "psb_type.h"
#include "aggregate.t.h"
#include "quotient.t.h"

/* --- the smoothing matrix ------------------------------------------------------------------------------- */

/* |v|, where every operation is rounded, so that devices compute the same. */
static double modulus_of(T v)
{
    const double re = fabs((double)RE(v)), im = fabs((double)IM(v)), most = re > im ? re : im;
    const double share = most > 0 ? (re > im ? im : re) / most : 0;
    return CPLX ? most * sqrt(1 + share * share) : re;
}

/* The number of entries of row i of S, whose columns are stored in idx unless that is NULL. */
static psb_epk couplings_of(const struct X(smoothing) *q, psb_ipk i, psb_ipk *idx)
{
    const double own = sqrt(modulus_of(q->d[i]));
    psb_epk n = 0;
    for (psb_epk k = q->a.ptr[i]; k < q->a.ptr[i + 1]; k++) {
        const psb_ipk j = q->a.idx[k];
        if (j != i && !(modulus_of(q->a.val[k]) > q->theta * (own * sqrt(modulus_of(q->d[j])))))
            continue;
        if (idx)
            idx[n] = j;
        n++;
    }
    return n;
}

static void lengths_part(void *job, int t, int p)
{
    const struct X(smoothing) *q = job;
    psb_ipk i, to;
    X(compressed_share)(&q->a, t, p, &i, &to);
    for (; i < to; i++)
        q->s.ptr[i + 1] = couplings_of(q, i, NULL);
}

void X(smoothing_lengths)(const struct X(smoothing) *q)
{
    struct X(smoothing) job = *q;
    q->s.ptr[0] = 0;
    psb_team(psb_threads(q->a.ptr[q->a.n]), lengths_part, &job);
    for (psb_ipk i = 0; i < q->a.n; i++)
        q->s.ptr[i + 1] += q->s.ptr[i];
}

static void pattern_part(void *job, int t, int p)
{
    const struct X(smoothing) *q = job;
    psb_ipk i, to;
    X(compressed_share)(&q->a, t, p, &i, &to);
    for (; i < to; i++)
        (void)couplings_of(q, i, q->s.idx + q->s.ptr[i]);
}

void X(smoothing_pattern)(const struct X(smoothing) *q)
{
    struct X(smoothing) job = *q;
    psb_team(psb_threads(q->a.ptr[q->a.n]), pattern_part, &job);
}

/* Row i of F has the element d on the diagonal. */
static T lumped_diagonal(const struct X(smoothing) *q, psb_ipk i)
{
    psb_epk e = q->s.ptr[i];
    T d = 0;
    for (psb_epk k = q->a.ptr[i]; k < q->a.ptr[i + 1]; k++) {
        const bool kept = e < q->s.ptr[i + 1] && q->s.idx[e] == q->a.idx[k];
        if (!kept || q->a.idx[k] == i)
            d += q->a.val[k];
        e += kept;
    }
    return modulus_of(d) > 0.1 * modulus_of(q->d[i]) ? d : q->d[i];
}

static void values_part(void *job, int t, int p)
{
    const struct X(smoothing) *q = job;
    psb_ipk i, to;
    X(compressed_share)(&q->a, t, p, &i, &to);
    for (; i < to; i++) {
        const T d = lumped_diagonal(q, i);
        psb_epk e = q->s.ptr[i];
        for (psb_epk k = q->a.ptr[i]; k < q->a.ptr[i + 1] && e < q->s.ptr[i + 1]; k++)
            if (q->s.idx[e] == q->a.idx[k]) {
                q->s.val[e] = q->a.idx[k] == i ? 1 - q->omega : -q->omega * X(quotient)(q->a.val[k], d);
                e++;
            }
    }
}

void X(smoothing_values)(const struct X(smoothing) *q)
{
    struct X(smoothing) job = *q;
    psb_team(psb_threads(q->a.ptr[q->a.n]), values_part, &job);
}

/* --- aggregates ----------------------------------------------------------------------------------------- */

static double weight_of(T v)
{
    return fabs((double)RE(v)) + fabs((double)IM(v));
}

/* How much row i is coupled to the aggregate of its entry k. */
static double coupling_of(const struct X(compressed) *s, psb_ipk i, psb_epk k, const psb_lpk *of)
{
    double sum = 0;
    if (s->ptr[i + 1] - s->ptr[i] > PSB_JOINS_BY_SUM)
        return weight_of(s->val[k]);
    for (psb_epk e = s->ptr[i]; e < s->ptr[i + 1]; e++)
        if (s->idx[e] < s->m && of[s->idx[e]] == of[s->idx[k]])
            sum += weight_of(s->val[e]);
    return sum;
}

psb_lpk X(aggregate_joined)(const struct X(compressed) *s, psb_ipk i, const psb_lpk *of)
{
    psb_lpk best = of[i];
    double most = 0;
    for (psb_epk k = s->ptr[i]; of[i] < 0 && k < s->ptr[i + 1]; k++) {
        const psb_lpk other = s->idx[k] < s->m ? of[s->idx[k]] : -1;
        const double sum = other >= 0 ? coupling_of(s, i, k, of) : 0;
        if (sum > most) {
            most = sum;
            best = other;
        }
    }
    return best;
}

/* A pass over the rows: to[i] for each row i, from `from`. */
struct row_pass {
    enum psb_row_pass what;
    const struct X(compressed) *s;
    const struct psb_row_owners *others;
    psb_lpk root;
    const psb_lpk *from, *number;
    psb_lpk *to;
};

static void pass_part(void *job, int t, int p)
{
    const struct row_pass *q = job;
    const struct psb_graph g = { q->s->m, q->s->ptr, q->s->idx, q->others ? q->others->name : NULL };
    psb_ipk i, to;
    X(compressed_share)(q->s, t, p, &i, &to);
    for (; i < to; i++)
        q->to[i] = q->what == PSB_ROWS_JOIN
                       ? X(aggregate_joined)(q->s, i, q->from)
                       : psb_row_result(q->what, &g, i, q->root, q->from, q->number, q->to);
}

/* *open: is any row open after pass DECIDE? */
static psb_err all_rows(struct row_pass *q, enum psb_row_pass what, const psb_lpk *from, psb_lpk *to,
                        bool *open)
{
    q->what = what;
    q->from = from;
    q->to = to;
    psb_team(psb_threads(q->s->ptr[q->s->n]), pass_part, q);
    *open = false;
    for (psb_ipk i = 0; what == PSB_ROWS_DECIDE && i < q->s->n && !*open; i++)
        *open = psb_row_is_open(to[i], q->root);
    return q->others ? q->others->share(q->others->with, to, open) : PSB_OK;
}

/* Rounds, until no row is open. */
static psb_err find_roots(struct row_pass *q, psb_lpk root, psb_lpk *key, psb_lpk *hop)
{
    bool open;
    q->root = root;
    PSB_TRY(all_rows(q, PSB_ROWS_OPEN, NULL, hop, &open));
    do {
        PSB_TRY(all_rows(q, PSB_ROWS_HOP, key, hop, &open));
        PSB_TRY(all_rows(q, PSB_ROWS_DECIDE, hop, key, &open));
    } while (open);
    return PSB_OK;
}

/* number[i] = the number of root i, plus 1, among all; *n: of those here. */
static psb_err number_roots(const struct row_pass *q, const psb_lpk *key, psb_lpk *number, psb_ipk *n)
{
    psb_lpk first = 0;
    bool open = false;
    *n = 0;
    for (psb_ipk i = 0; i < q->s->n; i++)
        *n += key[i] >= PSB_ROOT_LATER;
    if (q->others)
        PSB_TRY(q->others->before(q->others->with, *n, &first));
    for (psb_ipk i = 0; i < q->s->n; i++) {
        first += key[i] >= PSB_ROOT_LATER;
        number[i] = first;
    }
    return q->others ? q->others->share(q->others->with, number, &open) : PSB_OK;
}

psb_err X(aggregate_rows)(const struct X(compressed) *s, const struct psb_row_owners *others, psb_lpk *of,
                          psb_ipk *n)
{
    struct row_pass q = { .s = s, .others = others, .number = of };
    psb_lpk *const key = of + s->m, *const hop = key + s->m;
    bool open;
    PSB_TRY(all_rows(&q, PSB_ROWS_BEGIN, NULL, key, &open));
    PSB_TRY(find_roots(&q, PSB_ROOT, key, hop));
    PSB_TRY(all_rows(&q, PSB_ROWS_TAKEN, key, hop, &open));
    PSB_TRY(all_rows(&q, PSB_ROWS_AGAIN, hop, key, &open));
    PSB_TRY(find_roots(&q, PSB_ROOT_LATER, key, hop));
    PSB_TRY(number_roots(&q, key, of, n));
    PSB_TRY(all_rows(&q, PSB_ROWS_NEAREST, key, hop, &open));
    return PSB_PASS(all_rows(&q, PSB_ROWS_JOIN, hop, of, &open));
}
