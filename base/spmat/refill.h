/* refill.h -- base/spmat: an update of values in progress.  Typed sources include this after psb_type.h. */
#ifndef PSB_REFILL_H
#define PSB_REFILL_H
#include "desc.h"

enum { PSB_FIRST_CAPACITY = 64 }; /* elements that a growing list holds at first */

/* Entries k .. k+n-1 of a psb_spins, which are all entries of rows i .. i+m-1 of the part d, in stored order.
 */
struct row_run {
    psb_epk k, n;
    psb_ipk i, m;
};

/* The parts that receive values (those of the matrix itself if its format can), and the entries of one
 * psb_spins in local numbers. */
struct X(refill) {
    struct X(mat) *d, *h;
    int made;          /* 1: d and h are copies in CSR */
    char *old;         /* rows of d that still have the old values, to be read as 0; or NULL */
    psb_ipk *boundary; /* local row -> row of h, -1 for none */
    struct X(coo_mat) *to_d, *to_h;
    struct row_run *run; /* entries in stored order */
    psb_epk nrun, runs;
    psb_epk far; /* entries of rows owned elsewhere */
};

/* The rows of d in CSR, over columns that are consecutive indices from `first` on. */
struct stored_rows {
    const psb_epk *irp;
    const psb_ipk *ja;
    psb_lpk first;
};

/* Return 1 if d is stored by rows, as CSR is.  Local. */
int X(refill_is_csr)(const struct X(refill) *r);

/* Set row i, if it still has its old values, to 0 in val, and mark it as set.  Local. */
void X(refill_clear_row)(struct X(refill) *r, const psb_epk *irp, psb_ipk i, T *val);

/* Open d's rows for the fast path and return 1; 0 if d or the column map does not allow it.  Local. */
int X(refill_open_rows)(const struct X(spmat) *a, const struct X(refill) *r, struct stored_rows *rows);

/* Add to r's runs the rows inserted from entry *k on, as long as each is complete and in stored order; *k
 * becomes the first entry of another row, or nz.  Local. */
PSB_MUST_CHECK psb_err X(refill_find_runs)(const struct X(spmat) *a, struct X(refill) *r,
                                           const struct stored_rows *rows, psb_epk nz, const psb_lpk *ia,
                                           const psb_lpk *ja, psb_epk *k);

/* Store the values of r's runs, or add them, as `how` says; val as in psb_spins.  Local. */
PSB_MUST_CHECK psb_err X(refill_put_runs)(struct X(refill) *r, const T *val, enum psb_dupl how);
#endif
