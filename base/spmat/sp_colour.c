/* sp_colour.c -- base/spmat: the colours of the rows of a distributed matrix. */
#include "spmat.h"
#include "coll.h"
#include "colour.h"
#include "desc.h"
#include "psb_team.h"
#include "psb_testing.h"
#include "pattern_term.h"
#include <stdatomic.h>
#include <limits.h>
#include "psb_type.h"

static psb_err check_colouring(const struct X(spmat) *a, int distance, struct psb_i_vect *const *colour,
                               const int *ncolours)
{
    PSB_CHECK(a->state == PSB_ASSEMBLED, PSB_ESTATE, "argument a is %s; expected psb_spasb before",
              psb_not_assembled(a->state));
    PSB_CHECK(psb_cd_same_rows(a->row, a->col), PSB_EARG,
              "argument a has %" PRId64 " rows and %" PRId64
              " columns, distributed in another way; expected a square matrix, columns distributed as rows",
              psb_cd_global_rows(a->row), psb_cd_global_rows(a->col));
    PSB_TRY(psb_desc_single_owners(a->row));
    PSB_CHECK(distance == 1 || distance == 2, PSB_EARG, "argument distance is %d; expected 1 or 2", distance);
    PSB_NEED(colour, "where to store the colours");
    PSB_NEED(ncolours, "where to store the number of colours");
    return PSB_OK;
}

/* Insert the pattern of A + A^T into s, and with `ones` the diagonal. */
static psb_err insert_pattern(const struct X(spmat) *a, bool ones, struct psb_s_spmat *s)
{
    enum { MANY = 1024 };
    psb_lpk i[MANY], j[MANY];
    float one[MANY];
    struct X(coo_mat) *c;
    psb_err e = PSB_OK;
    for (int k = 0; k < MANY; k++)
        one[k] = 1;
    PSB_TRY(X(sp_rows)(a, &c));
    for (psb_epk k = 0; k < c->mat.nnz && e == PSB_OK; k += MANY) {
        const psb_epk n = c->mat.nnz - k < MANY ? c->mat.nnz - k : MANY;
        e = psb_loc_to_glob_n(a->row, n, c->ia + k, i);
        PSB_THEN(e, psb_loc_to_glob_n(a->col, n, c->ja + k, j));
        PSB_THEN(e, psb_s_spins(n, i, j, one, s));
        PSB_THEN(e, psb_s_spins(n, j, i, one, s));
    }
    for (psb_ipk r = 0; ones && r < psb_cd_local_rows(a->row) && e == PSB_OK; r++) {
        *i = psb_loc_to_glob(a->row, r);
        e = psb_s_spins(1, i, i, one, s);
    }
    X(mat_free)(&c->mat);
    return e;
}

static psb_err make_pattern(const struct X(spmat) *a, int distance, psb_desc **d, struct psb_s_spmat **s)
{
    PSB_TRY(psb_cdall_like(d, a->row));
    PSB_TRY(psb_s_spall(s, *d, 2 * X(sp_nnz)(a) + (distance == 2 ? a->ad->nrows : 0)));
    PSB_TRY(psb_s_sp_set_remote(*s, PSB_REMOTE_SEND));
    return insert_pattern(a, distance == 2, *s);
}

/* --- a symmetric pattern, which is its own graph -------------------------------------------------------- */

/* sum: over the entries (i, j) here of a term of (i, j), less that of (j, i). */
struct comparing {
    struct X(compressed) l;
    psb_lpk *glob; /* of local columns */
    _Atomic uint64_t sum;
    atomic_bool twice;
};

static uint64_t term_of(psb_lpk i, psb_lpk j)
{
    const uint64_t low = psb_pattern_term((psb_ipk)i, (psb_ipk)j);
    return psb_pattern_term((psb_ipk)((psb_lpk)low ^ i >> 32), (psb_ipk)((psb_lpk)(low >> 32) ^ j >> 32));
}

static void compare_part(void *job, int t, int p)
{
    struct comparing *q = job;
    uint64_t sum = 0;
    psb_ipk i, to;
    X(compressed_share)(&q->l, t, p, &i, &to);
    for (; i < to; i++)
        for (psb_epk k = q->l.ptr[i]; k < q->l.ptr[i + 1]; k++) {
            const psb_lpk g = q->glob[i], h = q->glob[q->l.idx[k]];
            sum += g == h ? 0 : term_of(g, h) - term_of(h, g);
            if (k > q->l.ptr[i] && q->l.idx[k] <= q->l.idx[k - 1])
                atomic_store(&q->twice, true);
        }
    atomic_fetch_add(&q->sum, sum);
}

static psb_err compare_sides(const struct X(spmat) *a, struct comparing *q)
{
    PSB_TRY(psb_alloc(&q->glob, (size_t)q->l.m, sizeof *q->glob, "global numbers"));
    for (psb_ipk j = 0; j < q->l.m; j++)
        q->glob[j] = psb_loc_to_glob(a->col, j);
    psb_team(psb_threads(q->l.ptr[q->l.n]), compare_part, q);
    psb_free(q->glob);
    return PSB_OK;
}

/* Colour the pattern of a if it is symmetric, by fingerprints; else *n = -1. */
static psb_err colour_itself(const struct X(spmat) *a, psb_ipk *rows, int *n)
{
    struct comparing q = { .sum = 0 };
    struct X(mat) *made = NULL;
    psb_err e = X(sp_joined)(a, &q.l, &made);
    PSB_THEN(e, compare_sides(a, &q));
    psb_lpk sum[2] = { (psb_lpk)(uint32_t)q.sum, (psb_lpk)(q.sum >> 32) };
    psb_lpk twice = q.twice;
    e = psb_reduce(a->row->ctxt, PSB_SUM, PSB_KIND_OF(sum), 2, sum, e);
    PSB_THEN(e, psb_max(a->row->ctxt, 1, &twice, -1));
    const bool is = twice == 0 && (uint64_t)sum[0] + ((uint64_t)sum[1] << 32) == 0;
    *n = -1;
    if (is)
        PSB_THEN(e, psb_colour_graph(a->col, q.l.ptr, q.l.idx, rows, n));
    X(mat_free)(made);
    return e;
}

static psb_err colour_on_host(const struct X(spmat) *a, int distance, psb_ipk *rows, int *n)
{
    psb_desc *d = NULL;
    struct psb_s_spmat *s = NULL;
    *n = -1;
    if (distance == 1)
        PSB_TRY(colour_itself(a, rows, n));
    if (*n >= 0)
        return PSB_OK;
    psb_err e = psb_agree(a->row->ctxt, make_pattern(a, distance, &d, &s));
    PSB_THEN(e, psb_colour_rows(s, d, distance, rows, n));
    psb_s_spfree(s);
    psb_cdfree(d);
    return e;
}

/* --- on a device ---------------------------------------------------------------------------------------- */

/* *one = the unit matrix of the size of a, in CSR for the device of a. */
static psb_err unit_like(const struct X(mat) *a, struct X(mat) **one)
{
    struct X(compressed) l;
    struct X(mat) *rows;
    PSB_TRY(X(csr_make)(a->nrows, a->nrows, a->nrows, &rows, &l));
    for (psb_ipk i = 0; i <= a->nrows; i++)
        l.ptr[i] = i;
    for (psb_ipk i = 0; i < a->nrows; i++) {
        l.idx[i] = i;
        l.val[i] = 1;
    }
    const psb_err e = X(mat_convert)(rows, X(mat_dev)(a)->transposed, one);
    X(mat_free)(rows);
    return e;
}

/* *g = a matrix with the pattern of A + A^T, or for distance 2 of the square of A + A^T + I. */
static psb_err make_graph(struct X(mat) *a, int distance, struct X(mat) **g)
{
    const struct X(mat_dev_storage) *by = X(mat_dev)(a)->storage;
    struct X(mat) *t = NULL, *both = NULL, *one = NULL, *sum = NULL;
    psb_err e = by->transp(a, false, NULL, &t);
    PSB_THEN(e, by->spaxpby(1, a, 1, t, NULL, distance == 1 ? g : &both));
    if (distance == 2) {
        PSB_THEN(e, unit_like(a, &one));
        PSB_THEN(e, by->spaxpby(1, both, 1, one, NULL, &sum));
        PSB_THEN(e, by->spspmm(sum, sum, NULL, g));
    }
    X(mat_free)(t);
    X(mat_free)(both);
    X(mat_free)(one);
    X(mat_free)(sum);
    return e;
}

/* Let the device of a colour its graph, *made if that is not NULL: n[0] colours, not fewer than n[1]; else
 * make it if it is not a itself.  false: it declines. */
static bool colour_by(struct X(mat) *a, int distance, bool by_degree, struct X(mat) **made,
                      struct psb_dual *colour, psb_ipk n[2])
{
    const struct X(mat_dev_storage) *by = X(mat_dev)(a)->storage;
    psb_err e = PSB_OK;
    n[0] = a->nrows == 0 ? 0 : -1;
    psb_expect_errors(1);
    if (n[0] < 0 && !*made && distance == 1)
        e = by->colours(a, by_degree, colour, n);
    if (n[0] < 0 && !*made)
        PSB_THEN(e, make_graph(a, distance, made));
    if (n[0] < 0) {
        psb_dual_free(colour);
        PSB_THEN(e, by->colours(*made, by_degree, colour, n));
    }
    psb_expect_errors(0);
    return e == PSB_OK && n[0] >= 0;
}

/* The same as on the host by the devices, if no process has entries in columns of others, and all devices do;
 * else *n = -1.  *colour is freed by the caller.  Collective. */
static psb_err colour_on_devices(const struct X(spmat) *a, int distance, struct psb_dual *colour, int *n)
{
    struct X(mat) *made = NULL;
    psb_err e = PSB_OK;
    bool can = a->ah->nnz == 0 && PSB_DEVICE_DOES(a->ad, colours) && psb_desc_ascends(a->row);
    psb_ipk least = 2;
    *n = INT_MAX;
    for (int by = 0; by < 2 && *n > least && e == PSB_OK; by++) {
        struct psb_dual its = { 0 };
        psb_ipk q[3] = { 0 }; /* the number of colours; that of some rows; does a device decline */
        can = can && colour_by(a->ad, distance, by == 1, &made, &its, q);
        q[2] = !can;
        e = psb_max(a->row->ctxt, 3, q, -1);
        if (e == PSB_OK && q[2] == 0 && q[0] < *n) {
            psb_dual_free(colour);
            *colour = its;
            its = (struct psb_dual){ 0 };
        }
        *n = q[2] ? -1 : q[0] < *n ? q[0] : *n;
        least = q[1] > least ? q[1] : least;
        psb_dual_free(&its);
    }
    X(mat_free)(made);
    return e;
}

/* *v = the colours, with their halo.  e: an earlier error of this process. */
static psb_err make_colours(psb_desc *d, const psb_ipk *rows, psb_err e, struct psb_i_vect **v)
{
    PSB_THEN(e, psb_i_geall(v, d));
    PSB_TRY(psb_agree(psb_cd_ctxt(d), e));
    PSB_TRY(psb_i_geasb(*v, NULL));
    PSB_TRY(psb_agree(psb_cd_ctxt(d), psb_i_set_vect(*v, psb_cd_local_rows(d), rows)));
    return psb_agree(psb_cd_ctxt(d), psb_i_halo(*v, 'N'));
}

/* The same of colours on a device, which move to *v if there is one process. */
static psb_err adopt_colours(psb_desc *d, struct psb_dual *there, struct psb_i_vect **v)
{
    const psb_ipk *rows = NULL;
    psb_err e = psb_cd_local_rows(d) > 0 ? psb_dual_read(there, PSB_HOST, &rows) : PSB_OK;
    if (psb_np_of(psb_cd_ctxt(d)) > 1)
        return make_colours(d, rows, e, v);
    PSB_THEN(e, psb_i_geall(v, d));
    PSB_THEN(e, psb_i_geasb(*v, NULL));
    PSB_THEN(e, psb_dual_move(there, NULL));
    if (e == PSB_OK && rows) {
        const struct psb_dual was = (*v)->v;
        (*v)->v = *there;
        *there = was;
    }
    return e;
}

psb_err X(sp_colour)(const struct X(spmat) *a, int distance, struct psb_i_vect **colour, int *ncolours)
{
    struct psb_i_vect *v = NULL;
    struct psb_dual there = { 0 };
    psb_ipk *rows = NULL;
    int n, same[2] = { distance, -distance };
    PSB_NEED_HANDLE(a, "a matrix");
    PSB_TRY(psb_reduce(a->row->ctxt, PSB_MAX, PSB_KIND_OF(same), 2, same,
                       check_colouring(a, distance, colour, ncolours)));
    PSB_CHECK(same[0] == -same[1], PSB_EARG,
              "argument distance is %d here and another on another process; expected the same on all",
              distance);
    psb_err e = colour_on_devices(a, distance, &there, &n);
    if (e == PSB_OK && n < 0) {
        e = psb_agree(a->row->ctxt, psb_alloc(&rows, (size_t)a->ad->nrows, sizeof *rows, "colours"));
        PSB_THEN(e, colour_on_host(a, distance, rows, &n));
        PSB_THEN(e, make_colours(a->col, rows, PSB_OK, &v));
    } else if (e == PSB_OK) {
        e = adopt_colours(a->col, &there, &v);
    }
    psb_dual_free(&there);
    psb_free(rows);
    if (e == PSB_OK) {
        *colour = v;
        *ncolours = n;
    } else {
        psb_i_gefree(v);
    }
    return PSB_PASS(e);
}
