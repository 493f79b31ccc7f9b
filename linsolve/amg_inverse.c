/* amg_inverse.c -- linsolve: the dense inverse of the coarsest matrix of multigrid: one product solves there,
 * on the host and on devices, op N, T and C.
 *
 * LAPACK is not called even where it is found: its bits depend on its build and its threads, while every
 * process must make the same rows in every run, and the library would have two inverses; exchanges of
 * variables are 50 lines, and find the rank of a singular matrix. */
#include "psb_linsolve.h"
#include "psb_alloc.h"
#include "psb_type.h"
#include "amg.t.h"

/* The place of the largest element of a, n x n by rows, in rows and columns without a partner (-1), or that
 * of the largest one on the diagonal if it has half the size, as in all positive semidefinite matrices; -1 if
 * all are 0. */
static psb_lpk choose_pivot(psb_ipk n, const T *a, const psb_ipk *column_of, const psb_ipk *row_of)
{
    psb_lpk best[2] = { -1, -1 }; /* of all, on the diagonal */
    R most[2] = { 0, 0 };
    for (psb_lpk i = 0; i < n; i++)
        for (psb_lpk j = 0; j < n && column_of[i] < 0; j++) {
            const R size = row_of[j] < 0 ? ABS(a[i * n + j]) : 0;
            for (int k = 0; k < 1 + (i == j); k++)
                if (size > most[k]) {
                    best[k] = i * n + j;
                    most[k] = size;
                }
        }
    return best[2 * most[1] >= most[0]];
}

/* Exchange y_r and x_c in y = A x: a becomes the matrix of the new system. */
static void exchange_variables(psb_ipk n, T *a, psb_ipk r, psb_ipk c)
{
    T *pivot_row = a + (psb_lpk)r * n;
    const T inv = 1 / pivot_row[c];
    for (psb_ipk j = 0; j < n; j++)
        pivot_row[j] = j == c ? inv : -inv * pivot_row[j];
    for (psb_ipk i = 0; i < n; i++) {
        T *row = a + (psb_lpk)i * n;
        const T f = row[c];
        for (psb_ipk j = 0; j < n && i != r && f != 0; j++)
            row[j] = j == c ? f * inv : row[j] + f * pivot_row[j];
    }
}

/* Invert a by exchanges of the largest element, while that is not a rounding error: then x_c, c =
 * column_of[r], is row r of a times the y of the partners of its columns.  For a positive semidefinite matrix
 * all are on the diagonal, so that the result is symmetric.  Source: Rutishauser, "Lectures on numerical
 * mathematics", 1990, chapter 2. */
static void invert_by_exchange(psb_ipk n, T *a, psb_ipk *column_of, psb_ipk *row_of)
{
    const R least = (R)(n + 300) * EPS; /* what products of levels leave of 0 */
    R first = 0;
    for (psb_ipk i = 0; i < n; i++)
        column_of[i] = row_of[i] = -1;
    for (psb_ipk step = 0; step < n; step++) {
        const psb_lpk at = choose_pivot(n, a, column_of, row_of);
        if (at < 0 || !(ABS(a[at]) > least * first))
            return;
        if (ABS(a[at]) > first)
            first = ABS(a[at]);
        const psb_ipk r = (psb_ipk)(at / n), c = (psb_ipk)(at % n);
        exchange_variables(n, a, r, c);
        column_of[r] = c;
        row_of[c] = r;
    }
}

/* s[i] = the power of 2 by which rows and columns are multiplied: diagonals become 1 to 4, or, where they are
 * far smaller than other elements, the largest of these. */
static void find_scales(psb_ipk n, const T *a, R *s)
{
    for (psb_lpk i = 0; i < n; i++) {
        R size = ABS(a[i * n + i]), most = 0;
        for (psb_lpk j = 0; j < n; j++)
            most = (R)fmax(most, fmax(ABS(a[i * n + j]), ABS(a[j * n + i])));
        size = size > EPS * most ? size : most;
        s[i] = size > 0 ? (R)ldexp(1, -(int)floor(ilogb((double)size) / 2.0)) : 1;
    }
}

static void scale_both_sides(psb_ipk n, const R *s, T *a)
{
    for (psb_lpk i = 0; i < n; i++)
        for (psb_lpk j = 0; j < n; j++)
            a[i * n + j] = a[i * n + j] * s[i] * s[j];
}

/* Insert the rows owned here of the inverse, into inv. */
static psb_err insert_inverse(psb_ipk n, const T *a, const R *s, const psb_ipk *column_of,
                              const psb_ipk *row_of, struct X(spmat) *inv)
{
    const psb_lpk base = psb_index_base();
    for (psb_ipk l = 0; l < psb_cd_local_rows(inv->row); l++) {
        const psb_lpk g = psb_loc_to_glob(inv->row, l), r = row_of[g - base];
        for (psb_ipk j = 0; j < n && r >= 0; j++)
            if (column_of[j] >= 0) {
                const T v = a[r * n + column_of[j]] * s[g - base] * s[j];
                PSB_TRY(X(spins)(1, &g, &(psb_lpk){ j + base }, &v, inv));
            }
    }
    return PSB_OK;
}

static psb_err fill_inverse(const struct X(mat) *all, struct X(spmat) *inv)
{
    const psb_ipk n = X(mat_get_nrows)(all);
    psb_ipk *column_of = NULL, *row_of = NULL;
    T *a = NULL;
    R *s = NULL;
    psb_err e = psb_alloc(&a, (size_t)n * (size_t)n, sizeof *a, "inverse");
    PSB_THEN(e, psb_alloc(&s, (size_t)n, sizeof *s, "inverse"));
    PSB_THEN(e, psb_alloc(&column_of, (size_t)n, sizeof *column_of, "inverse"));
    PSB_THEN(e, psb_alloc(&row_of, (size_t)n, sizeof *row_of, "inverse"));
    PSB_THEN(e, X(mat_to_dense)(all, a, n, PSB_BY_ROWS));
    if (e == PSB_OK) {
        find_scales(n, a, s);
        scale_both_sides(n, s, a);
        invert_by_exchange(n, a, column_of, row_of);
    }
    PSB_THEN(e, insert_inverse(n, a, s, column_of, row_of, inv));
    psb_free(a);
    psb_free(s);
    psb_free(column_of);
    psb_free(row_of);
    return e;
}

psb_err X(amg_inverse)(const struct X(spmat) *a, struct X(spmat) **inv)
{
    psb_ctxt *ctxt = psb_cd_ctxt(a->row);
    struct X(mat) *all = NULL;
    struct X(spmat) *new = NULL;
    psb_desc *d = NULL;
    psb_err e = psb_agree(ctxt, psb_cdcpy(&d, a->row));
    PSB_THEN(e, X(spgather)(a, NULL, &all, -1));
    if (e == PSB_OK) {
        e = psb_cd_reinit(d);
        PSB_THEN(e, X(spall)(&new, d, 0));
        PSB_THEN(e, fill_inverse(all, new));
        e = psb_agree(ctxt, e);
    }
    PSB_THEN(e, psb_cdasb(d));
    PSB_THEN(e, X(spasb)(new, &X(csr_mold).mat, PSB_DUPL_ADD));
    X(mat_free)(all);
    psb_cdfree(d);
    if (e == PSB_OK)
        *inv = new;
    else
        X(spfree)(new);
    return PSB_PASS(e);
}
