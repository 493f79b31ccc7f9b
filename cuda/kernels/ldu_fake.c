/* ldu_fake.c -- cuda/kernels: incomplete factors in plain C, for the fake device: the reference for
 * those in CUDA. */
#include "psb_ext_format.h"
#include "kernels.h"
#include "psb_alloc.h"
#include <string.h>
#include "psb_type.h"

/* --- patterns ------------------------------------------------------------------------------------------- */

static bool same_columns(const psb_ipk *a, const psb_ipk *b, psb_epk n)
{
    for (psb_epk k = 0; k < n; k++)
        if (a[k] != b[k])
            return false;
    return true;
}

static bool same_row(const struct psb_dev_ldu *a, psb_ipk i)
{
    const psb_epk n = a->a_irp[i + 1] - a->a_irp[i], nl = a->l_irp[i + 1] - a->l_irp[i];
    const psb_ipk *ja = a->a_ja + a->a_irp[i];
    if (n <= nl || ja[nl] != i || !same_columns(ja, a->l_ja + a->l_irp[i], nl))
        return false;
    return a->cholesky || (a->u_irp[i + 1] - a->u_irp[i] == n - nl - 1 &&
                           same_columns(ja + nl + 1, a->u_ja + a->u_irp[i], n - nl - 1));
}

static psb_err compare(const struct psb_dev_ldu *a)
{
    a->found[0] = a->found[1] = -1;
    for (psb_ipk i = a->n - 1; i >= 0; i--) {
        const psb_epk n = a->a_irp[i + 1] - a->a_irp[i];
        a->found[1] = n > a->found[1] ? n : a->found[1];
        if (!same_row(a, i))
            a->found[0] = i;
    }
    return PSB_OK;
}

/* --- a row ---------------------------------------------------------------------------------------------- */

/* Row i of A, and its elements in the making. */
struct row {
    psb_ipk i;
    psb_epk n, nl; /* entries; those below the diagonal, which are the first */
    const psb_ipk *ja;
    const T *val;
    T *w;
};

static struct row open_row(const struct psb_dev_ldu *a, psb_ipk i, T *w)
{
    const psb_epk first = a->a_irp[i];
    struct row r = { i,
                     a->a_irp[i + 1] - first,
                     a->l_irp[i + 1] - a->l_irp[i],
                     a->a_ja + first,
                     (const T *)a->a_val + first,
                     w };
    for (psb_epk k = 0; k < r.n; k++)
        w[k] = r.val[k];
    return r;
}

/* The place of column j in the row, from `from` on, or -1. */
static psb_epk place_of(const struct row *r, psb_epk from, psb_ipk j)
{
    while (from < r->n && r->ja[from] < j)
        from++;
    return from < r->n && r->ja[from] == j ? from : -1;
}

static R largest(const struct row *r, psb_epk n)
{
    R most = 0;
    for (psb_epk k = 0; k < n; k++) {
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
static T boosted(const struct psb_dev_ldu *a, const struct row *r, psb_epk n, T d)
{
    const R bound = (R)a->tiny * largest(r, n), size = ABS(d);
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
    const T inv = 1 / boosted(a, r, r->n, r->w[r->nl]);
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
    const R imaginary = IM(r->val[r->nl]), size = imaginary < 0 ? -imaginary : imaginary;
    d = RE(boosted(a, r, r->nl + 1, d));
    ((T *)a->inv)[r->i] = 1 / d;
    if (!(d > 0 && d - d == 0) || (size != 0 && !(size <= 2 * EPS * largest(r, r->nl + 1))))
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
    PSB_TRY(psb_alloc(&w, (size_t)a->n, sizeof *w, "row of factors"));
    a->found[0] = a->found[1] = -1;
    for (psb_ipk p = 0; p < a->n; p++) {
        const struct row r = open_row(a, a->order ? a->order[p] : p, w);
        if (a->cholesky)
            ic_row(a, &r);
        else
            ilu_row(a, &r);
    }
    psb_free(w);
    return PSB_OK;
}

static psb_err zero(size_t bytes, void *p)
{
    memset(p, 0, bytes);
    return PSB_OK;
}

const struct X(ldu_kernels) X(ldu_kernels_fake) = { .compare = compare, .values = values, .zero = zero };
