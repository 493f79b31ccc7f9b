/* librsb.h -- room: rsb.  The door to LIBRSB: librsb.c, or librsb_none.c where there is none.  Scalars pass
 * by address; a type is the letter s, d, c or z.  LIBRSB's failures are PSB_ENOMEM or PSB_ESTATE, in its
 * words. */
#ifndef LIBRSB_H
#define LIBRSB_H
#include "psb_base.h"
struct rsb_mtx_t;

int psb_librsb_found(void);

/* Start it, if it does not run; stop it, if it does. */
PSB_MUST_CHECK psb_err psb_librsb_open(void);
void psb_librsb_close(void);

/* Does it run, and can it hold a matrix of these sizes?  PSB_ESTATE, PSB_ENOTIMPL. */
PSB_MUST_CHECK psb_err psb_librsb_check(const char *fmt, psb_ipk m, psb_ipk n, psb_epk nz);

/* A new *a of nz >= 1 entries, ordered by rows and by columns within, no two at one place. */
PSB_MUST_CHECK psb_err psb_librsb_make(char type, psb_ipk m, psb_ipk n, psb_epk nz, const psb_ipk *ia,
                                       const psb_ipk *ja, const void *val, struct rsb_mtx_t **a);
PSB_MUST_CHECK psb_err psb_librsb_copy(char type, const struct rsb_mtx_t *a, struct rsb_mtx_t **b);
void psb_librsb_free(struct rsb_mtx_t *a);
size_t psb_librsb_bytes(const struct rsb_mtx_t *a);

/* Let *a be what the tuner finds best for products of one column; so are *threads, if they are 0. */
PSB_MUST_CHECK psb_err psb_librsb_tune(struct rsb_mtx_t **a, int rounds, int *threads);

/* The threads it uses from now on; no change inside a parallel region, where it has one. */
PSB_MUST_CHECK psb_err psb_librsb_threads(int n);

/* All entries, into arrays of their number. */
PSB_MUST_CHECK psb_err psb_librsb_entries(const struct rsb_mtx_t *a, psb_ipk *ia, psb_ipk *ja, void *val);

/* val[k], k < n, takes the entry ia[k], ja[k]; *all: are they all there? */
PSB_MUST_CHECK psb_err psb_librsb_look(const struct rsb_mtx_t *a, int n, const psb_ipk *ia, const psb_ipk *ja,
                                       void *val, int *all);

/* Entries that are there take val[k], added or instead; all take 0, which is at `zero`. */
PSB_MUST_CHECK psb_err psb_librsb_put(struct rsb_mtx_t *a, int n, const psb_ipk *ia, const psb_ipk *ja,
                                      const void *val, int add);
PSB_MUST_CHECK psb_err psb_librsb_zero(struct rsb_mtx_t *a, const void *zero);

/* As the slot csmm. */
PSB_MUST_CHECK psb_err psb_librsb_csmm(const struct rsb_mtx_t *a, psb_ipk k, const void *alpha, const void *x,
                                       const void *beta, void *y, char trans);
#endif
