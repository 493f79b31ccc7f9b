/* amg_inverse.c -- linsolve: the dense inverse of the coarsest matrix of multigrid: one product solves there,
 * on the host and on devices, op N, T and C. */
#include "psb_linsolve.h"
#include "psb_alloc.h"
#include "psb_type.h"
#include "amg.t.h"

/* The place of the largest element of a, n x n by rows, in rows and columns without a partner (-1). */
static psb_lpk largest_element(psb_ipk n, const T *a, const psb_ipk *column_of, const psb_ipk *row_of)
{
    psb_lpk best = -1;
    R most = -1;
    for (psb_ipk i = 0; i < n; i++)
        for (psb_ipk j = 0; j < n && column_of[i] < 0; j++)
            if (row_of[j] < 0 && ABS(a[(psb_lpk)i * n + j]) > most) {
                best = (psb_lpk)i * n + j;
                most = ABS(a[best]);
            }
    return best;
}

/* The place of the largest element of the diagonal in such rows and columns, if no other one in its row and
 * column is twice as large, as in all positive definite matrices; -1 if there is none. */
static psb_lpk largest_on_diagonal(psb_ipk n, const T *a, const psb_ipk *column_of, const psb_ipk *row_of)
{
    psb_lpk best = -1;
    R most = 0;
    for (psb_ipk i = 0; i < n; i++)
        if (column_of[i] < 0 && row_of[i] < 0 && ABS(a[(psb_lpk)i * n + i]) > most) {
            best = i;
            most = ABS(a[(psb_lpk)i * n + i]);
        }
    for (psb_ipk j = 0; j < n && best >= 0; j++)
        if ((row_of[j] < 0 && ABS(a[best * n + j]) > 2 * most) ||
            (column_of[j] < 0 && ABS(a[(psb_lpk)j * n + best]) > 2 * most))
            return -1;
    return best < 0 ? -1 : best * n + best;
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

/* Invert a by exchanges, each of the largest element of its diagonal if that is large, else of the largest of
 * all, while that is not a rounding error: then x_c, c = column_of[r], is row r of a times the y of the
 * partners of its columns.  For a positive semidefinite matrix all are on the diagonal, so that the result is
 * symmetric.  Source: Rutishauser, "Lectures on
 * numerical mathematics", 1990, chapter 2. */
static void invert_by_exchange(psb_ipk n, T *a, psb_ipk *column_of, psb_ipk *row_of)
{
    R first = 0;
    for (psb_ipk i = 0; i < n; i++)
        column_of[i] = row_of[i] = -1;
    for (psb_ipk step = 0; step < n; step++) {
        psb_lpk at = largest_on_diagonal(n, a, column_of, row_of);
        if (at < 0 || !(ABS(a[at]) > (R)n * EPS * first))
            at = largest_element(n, a, column_of, row_of);
        if (at < 0 || !(ABS(a[at]) > (R)n * EPS * first))
            return;
        if (ABS(a[at]) > first)
            first = ABS(a[at]);
        const psb_ipk r = (psb_ipk)(at / n), c = (psb_ipk)(at % n);
        exchange_variables(n, a, r, c);
        column_of[r] = c;
        row_of[c] = r;
    }
}

/* Insert the rows owned here of the inverse, into inv. */
static psb_err insert_inverse(psb_ipk n, const T *a, const psb_ipk *column_of, const psb_ipk *row_of,
                              struct X(spmat) *inv)
{
    const psb_lpk base = psb_index_base();
    for (psb_ipk l = 0; l < psb_cd_local_rows(inv->row); l++) {
        const psb_lpk g = psb_loc_to_glob(inv->row, l);
        const psb_ipk r = row_of[g - base];
        for (psb_ipk j = 0; j < n && r >= 0; j++)
            if (column_of[j] >= 0)
                PSB_TRY(X(spins)(1, &g, &(psb_lpk){ j + base }, &a[(psb_lpk)r * n + column_of[j]], inv));
    }
    return PSB_OK;
}

static psb_err fill_inverse(const struct X(mat) *all, struct X(spmat) *inv)
{
    const psb_ipk n = X(mat_get_nrows)(all);
    psb_ipk *column_of = NULL, *row_of = NULL;
    T *a = NULL;
    psb_err e = psb_alloc(&a, (size_t)n * (size_t)n, sizeof *a, "inverse");
    PSB_THEN(e, psb_alloc(&column_of, (size_t)n, sizeof *column_of, "inverse"));
    PSB_THEN(e, psb_alloc(&row_of, (size_t)n, sizeof *row_of, "inverse"));
    PSB_THEN(e, X(mat_to_dense)(all, a, n, PSB_BY_ROWS));
    if (e == PSB_OK)
        invert_by_exchange(n, a, column_of, row_of);
    PSB_THEN(e, insert_inverse(n, a, column_of, row_of, inv));
    psb_free(a);
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
