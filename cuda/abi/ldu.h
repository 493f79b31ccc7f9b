/* ldu.h -- cuda/abi: arguments of incomplete factors on a device.  Included by C and CUDA. */
#ifndef PSB_LDU_H
#define PSB_LDU_H
#include "gpu_tuning.h"
#include "psb_int.h"
#include "psb_lang.h"
PSB_BEGIN_C

/* Incomplete factors L D U, or L D L^H, of A, n rows in CSR: see X(dev_ldu) in psb_mat.t.h.  All pointers are
 * to device memory; values have the format's scalar type. */
struct psb_dev_ldu {
    psb_ipk n;
    psb_epk nnz; /* entries of U, or of L for `cholesky` */
    int cholesky;
    const psb_ipk *order; /* the rows, each after those that it needs; NULL: as stored */
    const psb_epk *a_irp, *l_irp, *u_irp;
    const psb_ipk *a_ja, *l_ja, *u_ja; /* u_irp and u_ja are NULL for `cholesky` */
    const void *a_val;
    void *l, *u, *inv;             /* values to be written */
    const void *known, *known_inv; /* values that rows read of each other: of U, or of L for `cholesky`; of
                                      the inverse of D.  NULL: u or l, and inv, of rows before in the order */
    void *row;       /* a scalar for each entry of L, D and U; may be NULL, as the next, if no */
    psb_ipk *row_ja; /* row has more of them than psb_ldu_fits(lanes) */
    psb_epk *found;  /* PSB_FOUND numbers: results, and work space */
    double tiny;
    int lanes; /* that compute a row: 4, 8, 16 or 32; or 64 or 128, a block of threads, for ILU */
};

/* The entries of a row for which so many lanes have memory. */
static inline int psb_ldu_fits(int lanes)
{
    return lanes * (lanes > 32 ? LDU_SHARED_BLOCK : LDU_SHARED);
}

/* The choices of a factorisation, for tests and measurements; 0: it chooses. */
struct psb_ldu_choice {
    int lanes; /* as above */
    int warps; /* on a multiprocessor */
};
extern struct psb_ldu_choice psb_ldu_choice;
PSB_END_C
#endif
