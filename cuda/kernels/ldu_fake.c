/* ldu_fake.c -- cuda/kernels: incomplete factors in plain C, for the fake device: the reference for
 * those in CUDA. */
#include "psb_ext_format.h"
#include "kernels.h"
#include "pattern_term.h"
#include "psb_alloc.h"
#include <string.h>
#include "psb_type.h"

/* --- patterns ------------------------------------------------------------------------------------------- */

static psb_err pattern(const struct psb_dev_ldu *a)
{
    uint64_t hash = 0;
    a->found[1] = 0;
    for (psb_ipk i = 0; i < a->n; i++) {
        const psb_epk nl = a->l_irp[i + 1] - a->l_irp[i],
                      nu = a->cholesky ? 0 : a->u_irp[i + 1] - a->u_irp[i];
        a->found[1] = nl + 1 + nu > a->found[1] ? nl + 1 + nu : a->found[1];
        for (psb_epk k = a->a_irp[i]; k < a->a_irp[i + 1]; k++)
            hash += psb_pattern_term(i, a->a_ja[k]);
    }
    a->found[0] = (psb_epk)hash;
    return PSB_OK;
}

/* --- a row ---------------------------------------------------------------------------------------------- */

/* Row i: its columns in the order of L, D and U, and its elements in the making. */
struct row {
    psb_ipk i;
    psb_epk n, nl; /* entries; those below the diagonal, which are the first */
    psb_ipk *ja;
    T *w;
    const T *val; /* of A, and its entries that are used */
    psb_epk nval;
};

/* The place of column j in the row, from `from` on, or -1. */
static psb_epk place_of(const struct row *r, psb_epk from, psb_ipk j)
{
    while (from < r->n && r->ja[from] < j)
        from++;
    return from < r->n && r->ja[from] == j ? from : -1;
}

static struct row open_row(const struct psb_dev_ldu *a, psb_ipk i, T *w, psb_ipk *ja)
{
    const psb_epk first = a->a_irp[i], nl = a->l_irp[i + 1] - a->l_irp[i];
    const psb_epk nu = a->cholesky ? 0 : a->u_irp[i + 1] - a->u_irp[i];
    struct row r = {
        .i = i, .n = nl + 1 + nu, .nl = nl, .ja = ja, .w = w, .val = (const T *)a->a_val + first
    };
    for (psb_epk k = 0; k < r.n; k++) {
        ja[k] = k < nl ? a->l_ja[a->l_irp[i] + k] : k == nl ? i : a->u_ja[a->u_irp[i] + k - nl - 1];
        w[k] = 0;
    }
    for (psb_epk k = first; k < a->a_irp[i + 1] && !(a->cholesky && a->a_ja[k] > i); k++) {
        w[place_of(&r, 0, a->a_ja[k])] = r.val[r.nval];
        r.nval++;
    }
    return r;
}

static R largest(const struct row *r)
{
    R most = 0;
    for (psb_epk k = 0; k < r->nval; k++) {
        const R v = ABS(r->val[k]);
        most = v > most || v != v ? v : most;
    }
    return most;
}

/* The row's pivot is an error, or may be one. */
static void suspect(const struct psb_dev_ldu *a, psb_ipk i)
{
    if (a->found[0] < 0 || i < a->found[0])
        a->found[0] = i;
}

/* d, or the bound that replaces it in its direction. */
static T boosted(const struct psb_dev_ldu *a, const struct row *r, T d)
{
    const R bound = (R)a->tiny * largest(r), size = ABS(d);
    if (!(a->tiny > 0 && bound > 0 && size <= bound))
        return d;
    a->found[1]++;
    return size == 0 || (a->cholesky) ? bound : d / size * bound;
}

/* --- ILU(0) --------------------------------------------------------------------------------------------- */

/* The square of the modulus of a complex pivot, by which it is inverted, may be out of range: the host scales
 * it. */
static void finish_ilu(const struct psb_dev_ldu *a, const struct row *r)
{
    const R moderate = sizeof(R) == sizeof(float) ? (R)0x1p60 : (R)0x1p500;
    const T inv = 1 / boosted(a, r, r->w[r->nl]);
    T *u = (T *)a->u + a->u_irp[r->i];
    ((T *)a->inv)[r->i] = inv;
    if (!(inv != 0 && inv - inv == 0) || (CPLX && !(ABS(inv) > 1 / moderate && ABS(inv) < moderate)))
        suspect(a, r->i);
    for (psb_epk k = r->nl + 1; k < r->n; k++)
        u[k - r->nl - 1] = r->w[k] * inv;
}

static void ilu_row(const struct psb_dev_ldu *a, const struct row *r)
{
    const T *known = a->known ? a->known : a->u, *inv = a->known_inv ? a->known_inv : a->inv;
    T *l = (T *)a->l + a->l_irp[r->i];
    for (psb_epk k = 0; k < r->nl; k++) {
        const psb_ipk c = r->ja[k];
        const T m = r->w[k];
        l[k] = m * inv[c];
        for (psb_epk e = a->u_irp[c]; e < a->u_irp[c + 1]; e++) {
            const psb_epk at = place_of(r, k + 1, a->u_ja[e]);
            if (at >= 0)
                r->w[at] -= m * known[e];
        }
    }
    finish_ilu(a, r);
}

/* --- IC(0) ---------------------------------------------------------------------------------------------- */

static void finish_ic(const struct psb_dev_ldu *a, const struct row *r, R d)
{
    const R imaginary = IM(r->w[r->nl]), size = imaginary < 0 ? -imaginary : imaginary;
    d = RE(boosted(a, r, d));
    ((T *)a->inv)[r->i] = 1 / d;
    if (!(d > 0 && d - d == 0) || (size != 0 && !(size <= 2 * EPS * largest(r))))
        suspect(a, r->i);
}

static void ic_row(const struct psb_dev_ldu *a, const struct row *r)
{
    const T *known = a->known ? a->known : a->l, *inv = a->known_inv ? a->known_inv : a->inv;
    T *l = (T *)a->l + a->l_irp[r->i];
    R d = RE(r->w[r->nl]);
    for (psb_epk k = 0; k < r->nl; k++) {
        const psb_ipk c = r->ja[k];
        T sum = r->w[k];
        for (psb_epk e = a->l_irp[c + 1] - 1; e >= a->l_irp[c]; e--) {
            const psb_epk at = place_of(r, 0, a->l_ja[e]);
            if (at >= 0)
                sum -= r->w[at] * CONJ(known[e]);
        }
        r->w[k] = sum;
        l[k] = sum * inv[c];
        d -= RE(l[k] * CONJ(sum));
    }
    finish_ic(a, r, d);
}

/* --- all rows ------------------------------------------------------------------------------------------- */

static psb_err values(const struct psb_dev_ldu *a)
{
    T *w;
    psb_ipk *ja = NULL;
    PSB_TRY(psb_alloc(&w, (size_t)a->n, sizeof *w, "row of factors"));
    const psb_err e = psb_alloc(&ja, (size_t)a->n, sizeof *ja, "columns of a row");
    a->found[0] = a->found[1] = -1;
    for (psb_ipk p = 0; p < a->n && e == PSB_OK; p++) {
        const struct row r = open_row(a, a->order ? a->order[p] : p, w, ja);
        if (a->cholesky)
            ic_row(a, &r);
        else
            ilu_row(a, &r);
    }
    psb_free(w);
    psb_free(ja);
    return e;
}

static psb_err zero(size_t bytes, void *p)
{
    memset(p, 0, bytes);
    return PSB_OK;
}

const struct X(ldu_kernels) X(ldu_kernels_fake) = { .pattern = pattern, .values = values, .zero = zero };
