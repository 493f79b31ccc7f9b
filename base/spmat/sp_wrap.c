/* sp_wrap.c -- base/spmat: a distributed matrix of local matrices, or of arrays of the caller's rows, without
 * a copy where their layout allows it. */
#include "spmat.h"
#include "coll.h"
#include "desc.h"
#include "psb_search.h"
#include "psb_type.h"

/* --- the parts ------------------------------------------------------------------------------------------ */

static psb_err check_part(const struct X(mat) *m, psb_ipk rows, psb_ipk cols, const char *name)
{
    PSB_CHECK(psb_is_live(m) && X(mat_is_asb)(m), PSB_EARG, "argument %s is %s; expected an assembled matrix",
              name, psb_is_live(m) ? "not assembled" : psb_handle_state(m));
    PSB_CHECK(m->nrows == rows && m->ncols == cols, PSB_EARG, "argument %s is %d x %d; expected %d x %d",
              name, m->nrows, m->ncols, rows, cols);
    return PSB_OK;
}

static psb_err check_parts(const void *a, const psb_desc *row, const psb_desc *col, const struct X(mat) *own,
                           const struct X(mat) *halo, psb_ipk n, const psb_ipk *rows)
{
    const psb_ipk m = psb_cd_local_rows(row);
    PSB_NEED(a, "where to store the matrix");
    PSB_NEED_HANDLE(col, "a descriptor");
    PSB_CHECK(psb_cd_ctxt(row) == psb_cd_ctxt(col), PSB_EARG,
              "arguments row and col belong to two contexts; expected one");
    PSB_CHECK(row->state == PSB_ASSEMBLED && col->state == PSB_ASSEMBLED, PSB_ESTATE,
              "a descriptor is not assembled; expected psb_cdasb before");
    PSB_TRY(check_part(own, m, psb_cd_local_rows(col), "own"));
    PSB_CHECK(halo || n == 0, PSB_EARG, "argument halo is NULL and n is %d; expected 0", n);
    if (!halo)
        return PSB_OK;
    PSB_TRY(check_part(halo, n, psb_cd_local_cols(col) - psb_cd_local_rows(col), "halo"));
    PSB_CHECK(own != halo && own->on == halo->on, PSB_EARG,
              "arguments own and halo are %s; expected two of one device, or of the host",
              own == halo ? "one matrix" : "in two places");
    PSB_CHECK(rows || n == 0, PSB_EARG, "argument rows is NULL; expected %d rows", n);
    for (psb_ipk k = 0; k < n; k++)
        PSB_CHECK(rows[k] >= 0 && rows[k] < m && (k == 0 || rows[k - 1] < rows[k]), PSB_EARG,
                  "argument rows[%d] is %d; expected 0 <= rows < %d, ascending", k, rows[k], m);
    return PSB_OK;
}

/* Create *new with a copy of `rows`; *none is an empty part, if halo is NULL. */
static psb_err begin_with_parts(psb_desc *row, psb_desc *col, const struct X(mat) *own,
                                const struct X(mat) *halo, psb_ipk n, const psb_ipk *rows,
                                struct X(mat) **none, struct X(spmat) **new)
{
    struct X(compressed) l;
    struct X(mat) *empty;
    PSB_TRY(X(sp_begin)(row, col, new));
    if (!halo) {
        PSB_TRY(X(csr_make)(0, psb_cd_local_cols(col) - psb_cd_local_rows(col), 0, &empty, &l));
        l.ptr[0] = 0;
        psb_err e = X(mat_convert_halo)(empty, own, NULL, none);
        X(mat_free)(empty);
        PSB_TRY(e);
        PSB_CHECK(!own->on == !(*none)->on, PSB_EARG,
                  "argument own is %s; expected a format with one for halos", own->ops->fmt);
    }
    return X(sp_boundary)(n, rows, own->on, &(*new)->bnd, &(*new)->part);
}

psb_err X(sp_of_local)(struct X(spmat) **a, psb_desc *row, psb_desc *col, struct X(mat) *own,
                       struct X(mat) *halo, psb_ipk n, const psb_ipk *rows)
{
    struct X(spmat) *new = NULL;
    struct X(mat) *none = NULL;
    PSB_NEED_HANDLE(row, "a descriptor");
    psb_err e = check_parts(a, row, col, own, halo, n, rows);
    PSB_THEN(e, begin_with_parts(row, col, own, halo, n, rows, &none, &new));
    e = psb_agree(row->ctxt, e);
    if (e != PSB_OK) {
        X(mat_free)(none);
        X(spfree)(new);
        return PSB_PASS(e);
    }
    new->ad = own;
    new->ah = halo ? halo : none;
    X(sp_ready)(new);
    *a = new;
    return PSB_OK;
}

/* --- rows in CSR ---------------------------------------------------------------------------------------- */

enum { CSR_BATCH = 2048 }; /* entries that are inserted at a time */

static psb_err check_csr_rows(const struct psb_rows_given *r, psb_ipk m, const void *val)
{
    PSB_NEED(r, "the caller's rows");
    PSB_CHECK((r->off_bits == 32 || r->off_bits == 64) && (r->idx_bits == 32 || r->idx_bits == 64), PSB_EARG,
              "argument r has %d bits of an offset and %d of an index; expected 32 or 64", r->off_bits,
              r->idx_bits);
    PSB_CHECK(r->off, PSB_EARG, "argument r->off is NULL; expected %d offsets", m + 1);
    PSB_CHECK(psb_int_at(r->off, r->off_bits, 0) == 0, PSB_EARG,
              "argument r->off[0] is %" PRId64 "; expected 0", psb_int_at(r->off, r->off_bits, 0));
    for (psb_ipk i = 0; i < m; i++)
        PSB_CHECK(psb_int_at(r->off, r->off_bits, i) <= psb_int_at(r->off, r->off_bits, (psb_epk)i + 1),
                  PSB_EARG, "argument r->off[%d] is %" PRId64 " after %" PRId64 "; expected at least that",
                  i + 1, psb_int_at(r->off, r->off_bits, (psb_epk)i + 1), psb_int_at(r->off, r->off_bits, i));
    PSB_CHECK((r->idx && val) || psb_int_at(r->off, r->off_bits, m) == 0, PSB_EARG,
              "argument %s is NULL; expected %" PRId64 " entries", r->idx ? "val" : "r->idx",
              psb_int_at(r->off, r->off_bits, m));
    return PSB_OK;
}

/* Check the columns; *as_is: they are ascending local numbers of owned columns, of 32 bits. */
static psb_err check_row_columns(const struct psb_rows_given *r, psb_ipk m, const psb_desc *col, int *as_is)
{
    const psb_ipk n = psb_cd_local_rows(col), all = psb_cd_local_cols(col);
    const bool global_is_local = col->map->one_run && col->map->lo + psb_index_base() == 0;
    *as_is = r->idx_bits == 32 && (!r->global || global_is_local);
    PSB_CHECK(r->global || col->state == PSB_ASSEMBLED, PSB_ESTATE,
              "the column descriptor is not assembled; expected psb_cdasb before, for local columns");
    for (psb_ipk i = 0; i < m; i++)
        for (psb_epk k = psb_int_at(r->off, r->off_bits, i), first = k;
             k < psb_int_at(r->off, r->off_bits, (psb_epk)i + 1); k++) {
            const psb_epk j = psb_int_at(r->idx, r->idx_bits, k);
            if (r->global)
                PSB_TRY(psb_desc_check_one(col, k, j, "r->idx"));
            PSB_CHECK(r->global || (j >= 0 && j < all), PSB_EARG,
                      "argument r->idx[%" PRId64 "] is %" PRId64 "; expected 0 <= idx < %d", k, j, all);
            *as_is &= j < n && (k == first || psb_int_at(r->idx, 32, k - 1) < j);
        }
    return PSB_OK;
}

static psb_err insert_rows(const struct psb_rows_given *r, const T *val, struct X(spmat) *a)
{
    const psb_ipk m = psb_cd_local_rows(a->row);
    psb_lpk ia[CSR_BATCH], ja[CSR_BATCH];
    psb_epk k = 0, n = 0;
    for (psb_ipk i = 0; i < m; i++)
        for (const psb_epk end = psb_int_at(r->off, r->off_bits, (psb_epk)i + 1); k < end; k++) {
            const psb_epk j = psb_int_at(r->idx, r->idx_bits, k);
            ia[n] = psb_loc_to_glob(a->row, i);
            ja[n++] = r->global ? j : psb_loc_to_glob(a->col, (psb_ipk)j);
            if (n == CSR_BATCH) {
                PSB_TRY(X(spins)(n, ia, ja, val + k + 1 - n, a));
                n = 0;
            }
        }
    return X(spins)(n, ia, ja, val + (k - n), a);
}

/* *irp = the m + 1 offsets, of 32 bits, in 64. */
static psb_err widen_offsets(const struct psb_rows_given *r, psb_ipk m, struct psb_dual *irp)
{
    psb_epk *off;
    PSB_TRY(psb_dual_init(irp, (size_t)m + 1, sizeof *off, NULL, "offsets from outside"));
    PSB_TRY(psb_dual_write(irp, PSB_HOST, &off));
    for (psb_ipk i = 0; i <= m; i++)
        off[i] = psb_int_at(r->off, 32, i);
    return PSB_OK;
}

/* *a = a matrix in CSR that uses idx and val, and off if that has 64 bits. */
static psb_err borrow_rows(const struct psb_rows_given *r, T *val, psb_ipk m, psb_ipk n, struct X(mat) **a)
{
    const psb_epk nz = psb_int_at(r->off, r->off_bits, m);
    struct X(mat) *new;
    PSB_TRY(X(mat_new)(&X(csr_mold).mat, m, n, nz, &new));
    struct X(csr_mat) *c = (struct X(csr_mat) *)new;
    psb_err e = r->off_bits == 32 ? widen_offsets(r, m, &c->irp)
                                  : psb_dual_lend(&c->irp, (size_t)m + 1, sizeof(psb_epk), NULL,
                                                  "offsets from outside", PSB_HOST, r->off);
    PSB_THEN(e, psb_dual_lend(&c->ja, (size_t)nz, sizeof(psb_ipk), NULL, "indices from outside", PSB_HOST,
                              r->idx));
    PSB_THEN(e, psb_dual_lend(&c->val, (size_t)nz, sizeof *val, NULL, "values from outside", PSB_HOST, val));
    new->is.state = PSB_MAT_ASB;
    return X(mat_made)(e, new, a);
}

/* The matrix without a copy, or converted at once. */
static psb_err wrap_rows(struct X(spmat) **a, psb_desc *row, psb_desc *col, const struct psb_rows_given *r,
                         T *val, const struct X(mat) *mold)
{
    struct X(mat) *own = NULL;
    psb_err e = borrow_rows(r, val, psb_cd_local_rows(row), psb_cd_local_rows(col), &own);
    PSB_THEN(e, X(mat_in_format)(&own, mold));
    e = psb_agree(row->ctxt, e);
    PSB_THEN(e, X(sp_of_local)(a, row, col, own, NULL, 0, NULL));
    if (e != PSB_OK)
        X(mat_free)(own);
    return e;
}

/* The matrix of copies of the entries. */
static psb_err copy_given_rows(struct X(spmat) **a, psb_desc *row, psb_desc *col,
                               const struct psb_rows_given *r, const T *val, const struct X(mat) *mold)
{
    struct X(spmat) *new = NULL;
    psb_err e = X(spall2)(&new, row, col, psb_int_at(r->off, r->off_bits, psb_cd_local_rows(row)));
    PSB_THEN(e, insert_rows(r, val, new));
    e = psb_agree(row->ctxt, e);
    PSB_THEN(e, X(sp_cdasb)(row, col));
    PSB_THEN(e, X(spasb)(new, mold, PSB_DUPL_ADD));
    if (e == PSB_OK)
        *a = new;
    else
        X(spfree)(new);
    return e;
}

psb_err X(sp_csr)(struct X(spmat) **a, psb_desc *row, psb_desc *col, const struct psb_rows_given *r, T *val,
                  const struct X(mat) *mold)
{
    int as_is = 1;
    PSB_NEED_HANDLE(row, "a descriptor");
    psb_err e = X(sp_check_new)(a, row, col, mold);
    PSB_THEN(e, check_csr_rows(r, psb_cd_local_rows(row), val));
    PSB_THEN(e, check_row_columns(r, psb_cd_local_rows(row), col, &as_is));
    PSB_TRY(psb_reduce(row->ctxt, PSB_MIN, PSB_KIND_i, 1, &as_is, e));
    if (!as_is)
        return PSB_PASS(copy_given_rows(a, row, col, r, val, mold));
    PSB_TRY(X(sp_cdasb)(row, col));
    return PSB_PASS(wrap_rows(a, row, col, r, val, mold));
}
