/* cbind.h -- cbind: what its sources share.
 *
 * A handle of a program points to a box, which holds the library's object and what PSBLAS remembers in
 * addition. */
#ifndef PSB_CBIND_H
#define PSB_CBIND_H
#include "psb_cuda.h"
#include "psb_linsolve.h"
#include "psb_rsb.h"
#include "psb_util.h"
#include "spmat.h"
#include "psb_krylov_cbind.h"
#include "psb_util_cbind.h"

struct psb_cbind_desc {
    psb_desc *d;
    psb_epk n; /* indices with a local number that the program chose: psb_c_cdins_lidx */
    psb_lpk *ja;
    psb_ipk *lidx;
};

/* The program's local numbers of an assembled descriptor, where they are not the library's: number l of the
 * program is number lib[l] of the library, whose number l is prog[l] of the program; 0 <= l < n. */
struct psb_cbind_numbers {
    psb_ipk n, *lib, *prog;
};

/* The numbers of d, or NULL: they are the same.  Local. */
const struct psb_cbind_numbers *psb_cbind_numbers(const psb_desc *d);

/* A handle has no object, or has one where it should have none: as in PSBLAS the call returns PSB_ERR_ERROR
 * and records no error. */
#define PSB_CBIND_HANDLE ((psb_err)PSB_NERR)

/* Return 0, or a negative number for e, which the psb_c_ call `call` passes on to the program. */
psb_i_t psb_cbind_code(psb_err e, const char *call);
#define CODE(e) psb_cbind_code((e), __func__)

/* Return that number if e is an error. */
/* clang-format off */
#define NEED_OK(e) do { const psb_err e_ = (e); if (e_ != PSB_OK) return CODE(e_); } while (0)
/* clang-format on */

/* `call`, a psb_err, without a record of an error. */
psb_err psb_cbind_quiet(psb_err e);
#define QUIETLY(call) (psb_expect_errors(1), psb_cbind_quiet(call))

/* As CODE, for calls that return a number: `res`, or -1 after an error. */
#define NUMBER(e, res) (CODE(e) == 0 ? (res) : -1)

/* Return PSB_CBIND_HANDLE; for an argument `name` that is no handle at all, record an error and return
 * PSB_EARG. */
psb_err psb_cbind_empty(const void *handle, const char *name, const char *what);

/* psb_agree, in which a process with PSB_CBIND_HANDLE takes part as one with an error.  Collective. */
psb_err psb_cbind_agree(psb_ctxt *ctxt, psb_err mine);

/* The context of a handle; the box of a descriptor.  PSB_EARG if there is none. */
psb_err psb_cbind_ctxt(psb_c_ctxt cctxt, psb_ctxt **ctxt);
psb_err psb_cbind_desc(const psb_c_descriptor *cd, struct psb_cbind_desc **box);

/* Is g, counted from the index base, a row of d?  Local. */
bool psb_cbind_in_range(const psb_desc *d, psb_lpk g);

/* Assemble d unless it is.  Collective. */
psb_err psb_cbind_assembled(psb_desc *d);

/* Open the device (psb_cuda_init), until the last context ends; the default mold of vectors, and that of the
 * name `format`: CPU, HOST, GPU, DEVICE, for which the device is opened.  Collective, but for
 * psb_cbind_vmold. */
psb_err psb_cbind_open_device(psb_ctxt *ctxt);
const struct psb_vmold *psb_cbind_vmold(void);
psb_err psb_cbind_vmold_named(psb_ctxt *ctxt, const char *format, const struct psb_vmold **mold);

/* The format to use where a program names none: PSB_FORMAT, else HLG on a device that PSB_DEVICE names, else
 * CSR. */
const char *psb_cbind_format(void);

/* Set *o for a method's name and PSBLAS's options; most_l: the largest l of BICGSTABL.  Local. */
psb_err psb_cbind_options(psb_ctxt *ctxt, const char *method, const psb_c_SolverOptions *opt, int most_l,
                          struct psb_solve_options *o);

/* Print on process 0, as PSBLAS does, that method m has not converged by the results in opt, if that is so.
 */
void psb_cbind_report(psb_ctxt *ctxt, enum psb_method m, const psb_c_SolverOptions *opt);

/* The letter of an argument `trans`, in upper case; N for none. */
char psb_cbind_letter(const char *trans);

/* Are a and b equal but for case? */
bool psb_cbind_same_word(const char *a, const char *b);
#endif
