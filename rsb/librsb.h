/* librsb.h -- rsb: interface to LIBRSB, defined in librsb.c, or in librsb_none.c if the build does not
 * have it.  Scalars are passed by address; a type is one of the letters s, d, c and z.  Errors of LIBRSB
 * become PSB_ENOMEM or PSB_ESTATE, with its message. */
#ifndef LIBRSB_H
#define LIBRSB_H
#include "psb_format.h"
#include <stdbool.h>
struct rsb_mtx_t;

bool psb_librsb_found(void);

/* Return the version of LIBRSB; NULL in a build without it. */
const char *psb_librsb_version(void);

/* Start LIBRSB unless it is running; stop it if it is running. */
PSB_MUST_CHECK psb_err psb_librsb_open(void);
void psb_librsb_close(void);

/* Check that LIBRSB runs (PSB_ESTATE) and can hold a matrix of these sizes (PSB_ENOTIMPL). */
PSB_MUST_CHECK psb_err psb_librsb_check(const char *fmt, psb_ipk m, psb_ipk n, psb_epk nz);

/* *a = a new matrix of nz >= 1 entries, ordered by rows and by columns within each row, without
 * duplicates. */
PSB_MUST_CHECK psb_err psb_librsb_make(char type, psb_ipk m, psb_ipk n, psb_epk nz, const psb_ipk *ia,
                                       const psb_ipk *ja, const void *val, struct rsb_mtx_t **a);
PSB_MUST_CHECK psb_err psb_librsb_copy(char type, const struct rsb_mtx_t *a, struct rsb_mtx_t **b);
void psb_librsb_free(struct rsb_mtx_t *a);
size_t psb_librsb_bytes(const struct rsb_mtx_t *a);

/* Replace *a by the result of the autotuner for products of one column; if *threads is 0, set it to the best
 * number of threads found. */
PSB_MUST_CHECK psb_err psb_librsb_tune(struct rsb_mtx_t **a, int rounds, int *threads);

/* Set the number of threads of LIBRSB; no effect inside a parallel region, which keeps its own number. */
PSB_MUST_CHECK psb_err psb_librsb_threads(int n);

/* Copy all entries to the arrays, which are long enough. */
PSB_MUST_CHECK psb_err psb_librsb_entries(const struct rsb_mtx_t *a, psb_ipk *ia, psb_ipk *ja, void *val);

/* Read entry ia[k], ja[k] into val[k], k < n; *all = whether all of them are stored. */
PSB_MUST_CHECK psb_err psb_librsb_look(const struct rsb_mtx_t *a, int n, const psb_ipk *ia, const psb_ipk *ja,
                                       void *val, bool *all);

/* put: add val[k] to the stored entry ia[k], ja[k], or replace its value.  zero: set all values to 0; `zero`
 * points to a 0 of the scalar type. */
PSB_MUST_CHECK psb_err psb_librsb_put(struct rsb_mtx_t *a, int n, const psb_ipk *ia, const psb_ipk *ja,
                                      const void *val, bool add);
PSB_MUST_CHECK psb_err psb_librsb_zero(struct rsb_mtx_t *a, const void *zero);

/* The slot `csmm`. */
PSB_MUST_CHECK psb_err psb_librsb_csmm(const struct rsb_mtx_t *a, psb_ipk k, const void *alpha, const void *x,
                                       const void *beta, void *y, char trans);
#endif
