/* legacy.h -- cbind: what the calls with cuSPARSE's arguments share. */
#ifndef PSB_LEGACY_H
#define PSB_LEGACY_H
#include "psb_cuda.h"
#include "psb_linsolve.h"
#include "psbc_cusparse_legacy.h"
#include <complex.h>

struct psb_cusparse_handle {
    unsigned mark;      /* see psb_handle.h */
    int scalars_on_dev; /* the pointer mode */
    void *stream;
};

struct psb_cusparse_descr {
    unsigned mark;
    int type, fill, diag, base;
};

struct psb_cusparse_info {
    unsigned mark;
    int pivot; /* the first that is missing or 0, counted from the base of the matrix; -1: none */
    bool boosts;
    double tol;
    double complex boost; /* replaces pivots of modulus <= tol, if `boosts` */
    void *kept;           /* of the analysis, freed by free_kept; or NULL */
    void (*free_kept)(void *kept);
};

/* cuSPARSE's number for e, which `call` passes on to the program. */
int psb_legacy_status(psb_err e, const char *call);
#define STATUS(e) psb_legacy_status((e), __func__)

/* The context of the first handle; NULL before.  Local. */
psb_ctxt *psb_legacy_ctxt(void);

/* PSB_EARG unless `handle` is one; the library uses its stream from now on.  Local. */
PSB_MUST_CHECK psb_err psb_legacy_begin(const struct psb_cusparse_handle *handle);

/* PSB_EARG, naming the argument, if value < least.  Local. */
PSB_MUST_CHECK psb_err psb_legacy_least(const char *name, int value, int least);

/* Copy bytes from the caller's array to the host, and back: arrays are on the device, if there is one. */
PSB_MUST_CHECK psb_err psb_legacy_get(void *host, const void *from, size_t bytes, const char *name);
PSB_MUST_CHECK psb_err psb_legacy_put(void *to, const void *host, size_t bytes, const char *name);

/* Copy a scalar of the caller, which is where the pointer mode says. */
PSB_MUST_CHECK psb_err psb_legacy_read(const struct psb_cusparse_handle *handle, const void *from,
                                       size_t bytes, const char *name, void *host);
PSB_MUST_CHECK psb_err psb_legacy_write(const struct psb_cusparse_handle *handle, void *to, size_t bytes,
                                        const char *name, const void *host);

/* `to` keeps p, freed by `release`, in place of what it kept. */
void psb_legacy_keep(struct psb_cusparse_info *to, void *p, void (*release)(void *p));

/* The result of all calls for the size of a buffer: *size = 1. */
int psb_legacy_size(const struct psb_cusparse_handle *handle, size_t *size, const char *call);
int psb_legacy_size_int(const struct psb_cusparse_handle *handle, int *size, const char *call);
#endif
