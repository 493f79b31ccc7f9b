/* prec_image.c -- test: preconditioners and matrices as dense matrices. */
#include "prec_image.h"
#include <stdlib.h>

static T *zeros(psb_ipk n)
{
    T *a = calloc((size_t)n * (size_t)n, sizeof *a);
    if (!a)
        abort();
    return a;
}

T *matrix_image(const struct problem *p)
{
    const psb_ipk n = p->n;
    MAT *all = NULL;
    T *a = zeros(n);
    GOOD(X(spgather)(p->a, NULL, &all, -1));
    const struct X(coo_mat) *c = (const struct X(coo_mat) *)all;
    for (psb_epk e = 0; all && e < all->nnz; e++)
        a[c->ia[e] * n + c->ja[e]] += c->val[e];
    return a;
}

T *prec_image(const struct problem *p, const struct X(prec) *m, char trans, const struct psb_vmold *vmold)
{
    const psb_ipk n = p->n;
    VECT *x = NULL, *y = NULL;
    T *image = image_identity(n);
    GOOD(X(geall_n)(&x, p->desc, n));
    GOOD(X(geall_n)(&y, p->desc, n));
    GOOD(X(geasb)(x, vmold));
    GOOD(X(geasb)(y, vmold));
    GOOD(X(scatter)(x, image, -1));
    GOOD(X(set_scal)((T)NAN, y));
    GOOD(X(precapply)(m, x, y, trans));
    GOOD(X(gather)(y, image, -1));
    return image;
}

T *image_identity(psb_ipk n)
{
    T *a = zeros(n);
    for (psb_ipk i = 0; i < n; i++)
        a[i * n + i] = 1;
    return a;
}

T *image_product(psb_ipk n, const T *a, const T *b)
{
    T *c = zeros(n);
    for (psb_ipk i = 0; i < n; i++)
        for (psb_ipk k = 0; k < n; k++)
            for (psb_ipk j = 0; j < n && a[i * n + k] != 0; j++)
                c[i * n + j] += a[i * n + k] * b[k * n + j];
    return c;
}

T *image_sum(psb_ipk n, T alpha, const T *a, T beta, const T *b)
{
    T *c = zeros(n);
    for (psb_ipk e = 0; e < n * n; e++)
        c[e] = alpha * a[e] + beta * b[e];
    return c;
}

T *image_op(psb_ipk n, const T *a, char trans)
{
    T *c = zeros(n);
    for (psb_ipk i = 0; i < n; i++)
        for (psb_ipk j = 0; j < n; j++)
            c[i * n + j] = trans == 'N' ? a[i * n + j] : trans == 'T' ? a[j * n + i] : CONJ(a[j * n + i]);
    return c;
}

/* Gauss-Jordan elimination. */
T *image_inverse(psb_ipk n, const T *a)
{
    HEAP T *u = image_op(n, a, 'N');
    T *c = image_identity(n);
    for (psb_ipk k = 0; k < n; k++) {
        const T pivot = u[k * n + k];
        for (psb_ipk j = 0; j < n; j++) {
            u[k * n + j] /= pivot;
            c[k * n + j] /= pivot;
        }
        for (psb_ipk i = 0; i < n; i++) {
            const T f = i == k ? 0 : u[i * n + k];
            for (psb_ipk j = 0; j < n && f != 0; j++) {
                u[i * n + j] -= f * u[k * n + j];
                c[i * n + j] -= f * c[k * n + j];
            }
        }
    }
    return c;
}

T *image_factors(psb_ipk n, const T *a, psb_ipk m, const psb_ipk *ord, int full)
{
    T *f = image_op(n, a, 'N');
    for (psb_ipk i = 0; i < m; i++)
        for (psb_ipk k = 0; k < i; k++) {
            T *row = f + ord[i] * n;
            const T *up = f + ord[k] * n;
            row[ord[k]] /= up[ord[k]];
            for (psb_ipk j = k + 1; j < m; j++)
                if (full || a[ord[i] * n + ord[j]] != 0)
                    row[ord[j]] -= row[ord[k]] * up[ord[j]];
        }
    return f;
}

double image_distance(psb_ipk n, const T *a, const T *b)
{
    double apart = 0, most = 0;
    for (psb_ipk e = 0; e < n * n; e++) {
        const double d = (double)ABS(a[e] - b[e]);
        apart = isnan(d) || d > apart ? d : apart;
        most = fmax(most, (double)ABS(b[e]));
    }
    return apart / (most > 0 ? most : 1);
}

struct X(prec) *built(const struct problem *p, const char *text, const struct X(mat) *mold,
                      const struct psb_vmold *vmold)
{
    struct X(prec) *m = NULL;
    GOOD(X(precinit)(&m, text));
    GOOD(X(precbld)(m, p->a, mold, vmold));
    return m;
}

double prec_distance(const struct problem *p, const char *text, const T *want)
{
    PREC *m = built(p, text, NULL, NULL);
    HEAP T *got = prec_image(p, m, 'N', NULL);
    return image_distance(p->n, got, want);
}

double prec_asymmetry(const struct problem *p, const char *text)
{
    PREC *m = built(p, text, NULL, NULL);
    HEAP T *image = prec_image(p, m, 'N', NULL), *adjoint = image_op(p->n, image, 'C');
    return image_distance(p->n, image, adjoint);
}
