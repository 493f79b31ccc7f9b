/* gram.c -- linsolve: small dense matrices, of the scalar products of columns. */
#include "gram.h"
#include "psb_vec_types.h"
#include <math.h>
#include <string.h>

void psb_gram_multiply(int k, const double complex *a, const double complex *b, double complex *c)
{
    for (int i = 0; i < k; i++)
        for (int j = 0; j < k; j++) {
            double complex sum = 0;
            for (int l = 0; l < k; l++)
                sum += a[i * k + l] * b[l * k + j];
            c[i * k + j] = sum;
        }
}

void psb_gram_adjoint(int k, const double complex *a, double complex *to)
{
    for (int i = 0; i < k; i++)
        for (int j = 0; j < k; j++)
            to[j * k + i] = conj(a[i * k + j]);
}

/* The column of whose diagonal element, first[j], the largest part is left; -1: none has more than `least`.
 * Store in *left the smallest part. */
static int next_pivot(int k, const double complex *g, const double *first, double least, double *smallest)
{
    int pivot = -1;
    *smallest = 0;
    for (int j = 0; j < k; j++) {
        const double left = first[j] == 0 ? 0 : creal(g[j * k + j]) / fabs(first[j]);
        if (left > least) {
            pivot = j;
            least = left;
        }
        *smallest = fmin(*smallest, left);
    }
    return pivot;
}

/* Row r of u eliminates column p of g. */
static void eliminate(int k, int r, int p, double complex *g, double complex *u)
{
    const double root = sqrt(creal(g[p * k + p]));
    double complex *row = u + r * k;
    for (int j = 0; j < k; j++)
        row[j] = j == p ? root : g[p * k + j] / root;
    for (int i = 0; i < k; i++)
        for (int j = 0; j < k; j++)
            g[i * k + j] = i == p || j == p ? 0 : g[i * k + j] - conj(row[i]) * row[j];
}

/* t = the inverse of the triangle that the columns pivot[0..n) of u make. */
static void invert_triangle(int k, int n, const int *pivot, const double complex *u, double complex *t)
{
    memset(t, 0, (size_t)k * (size_t)k * sizeof *t);
    for (int c = 0; c < n; c++)
        for (int r = c; r >= 0; r--) {
            double complex sum = r == c;
            for (int l = r + 1; l <= c; l++)
                sum -= u[r * k + pivot[l]] * t[pivot[l] * k + c];
            t[pivot[r] * k + c] = sum / creal(u[r * k + pivot[r]]);
        }
}

int psb_gram_factor(int k, double least, double complex *g, double complex *u, double complex *t)
{
    double first[PSB_MOST_BLOCK], smallest;
    int pivot[PSB_MOST_BLOCK], rank = 0;
    memset(u, 0, (size_t)k * (size_t)k * sizeof *u);
    for (int j = 0; j < k; j++) {
        first[j] = creal(g[j * k + j]);
        if (!isfinite(first[j]))
            return PSB_GRAM_NOT_FINITE;
    }
    for (int p; (p = next_pivot(k, g, first, least, &smallest)) >= 0 && smallest >= -least; rank++) {
        pivot[rank] = p;
        eliminate(k, rank, p, g, u);
    }
    invert_triangle(k, rank, pivot, u, t);
    return smallest < -least ? PSB_GRAM_INDEFINITE : rank;
}
