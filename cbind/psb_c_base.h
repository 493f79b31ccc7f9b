/* psb_c_base.h -- cbind: PSBLAS's C interface: what does not depend on the scalar type.
 *
 * Source-compatible with the C interface of PSBLAS 3; docs/cbind.md says what differs.  A handle is a struct
 * with one pointer, NULL until the object exists; the calls psb_c_new_... allocate handles by malloc, and the
 * program frees them by free after it has freed the object.  Calls that return psb_i_t return 0, or a
 * negative number after an error, which the message tells.  A call with a handle that has no object, or that
 * allocates one for a handle that has one, returns PSB_ERR_ERROR and is no error.  The error action is, as in
 * PSBLAS, to print the message and abort; psb_c_seterraction_ret changes that.  Global indices count from
 * psb_c_get_index_base(), 0 unless it is set.
 *
 * With -DPSB_GEINS_OVERWRITES psb_c_?geins replaces values, as before PSBLAS 3.8, instead of adding.
 */
#ifndef PSB_C_BASE__
#define PSB_C_BASE__
#include "psb_config.h"
#include "psb_types.h"
#include "psb_c_names.h"
#include "psb_dupl.h"
PSB_C_BEGIN

#define PSB_ERR_SUCCESS       0
#define PSB_ERR_ERROR         -1
#define PSB_ERR_MODE_MISMATCH -2

typedef struct PSB_C_DESCRIPTOR {
    void *descriptor;
} psb_c_descriptor;

typedef struct PSB_C_CTXT {
    psb_i_t *ctxt;
} psb_c_ctxt;

/* --- errors -------------------------------------------------------------------------------------------- */

/* Abort, after printing the messages, if an error is recorded on any process.  Collective. */
void psb_c_check_error(psb_c_ctxt cctxt);

/* Print the newest message and remove all; remove all.  Local. */
psb_i_t psb_c_error(void);
psb_i_t psb_c_clean_errstack(void);
void psb_c_print_errmsg(void);

/* Remove the newest message and return it, to be freed by free; NULL if there is none.  Local. */
char *psb_c_pop_errmsg(void);

/* Remove the newest message and copy at most len bytes of it; return 1, or 0 if there is none.  Local. */
psb_i_t psb_c_f2c_errmsg(char *cmesg, psb_i_t len);

/* Return the code of the newest error, 0 if there is none.  Local. */
psb_i_t psb_c_get_errstatus(void);

/* What happens when an error is recorded: return only; print; print and abort, the default.  Local. */
void psb_c_seterraction_ret(void);
void psb_c_seterraction_print(void);
void psb_c_seterraction_abort(void);

/* --- contexts ------------------------------------------------------------------------------------------ */

psb_c_ctxt *psb_c_new_ctxt(void);
void psb_c_delete_ctxt(psb_c_ctxt *cctxt);

/* Start a context of all processes, and MPI unless it has been started; of those of a Fortran communicator.
 * Collective. */
void psb_c_init(psb_c_ctxt *cctxt);
void psb_c_init_from_fint(psb_c_ctxt *cctxt, psb_i_t f_comm);

/* End a context; psb_c_exit also ends MPI if psb_c_init started it and no other context is left.  Collective.
 */
void psb_c_exit(psb_c_ctxt cctxt);
void psb_c_exit_ctxt(psb_c_ctxt cctxt);
void psb_c_abort(psb_c_ctxt cctxt);
void psb_c_barrier(psb_c_ctxt cctxt);
void psb_c_info(psb_c_ctxt cctxt, psb_i_t *iam, psb_i_t *np);

/* Store the communicator as Fortran's MPI names it.  Local. */
void psb_c_get_i_ctxt(psb_c_ctxt cctxt, psb_i_t *ictxt, psb_i_t *info);
bool psb_c_cmp_ctxt(psb_c_ctxt cctxt1, psb_c_ctxt cctxt2);
psb_d_t psb_c_wtime(void);

psb_i_t psb_c_get_index_base(void);
void psb_c_set_index_base(psb_i_t base);

/* Use the GPU of this process, or GPU number `device` of its node, for formats and vectors that are asked for
 * on it; release it; count GPUs, 0 while none is in use.  Collective; collective; local; local. */
psb_i_t psb_c_cuda_init(psb_c_ctxt *cctxt);
psb_i_t psb_c_cuda_init_opt(psb_c_ctxt *cctxt, psb_m_t device);
void psb_c_cuda_exit(void);
psb_m_t psb_c_cuda_getDeviceCount(void);

/* Copy v[0..n) of process root to all; hbcast: a string, whose buffers are large enough.  Collective. */
void psb_c_mbcast(psb_c_ctxt cctxt, psb_i_t n, psb_m_t *v, psb_i_t root);
void psb_c_ibcast(psb_c_ctxt cctxt, psb_i_t n, psb_i_t *v, psb_i_t root);
void psb_c_lbcast(psb_c_ctxt cctxt, psb_i_t n, psb_l_t *v, psb_i_t root);
void psb_c_ebcast(psb_c_ctxt cctxt, psb_i_t n, psb_e_t *v, psb_i_t root);
void psb_c_sbcast(psb_c_ctxt cctxt, psb_i_t n, psb_s_t *v, psb_i_t root);
void psb_c_dbcast(psb_c_ctxt cctxt, psb_i_t n, psb_d_t *v, psb_i_t root);
void psb_c_cbcast(psb_c_ctxt cctxt, psb_i_t n, psb_c_t *v, psb_i_t root);
void psb_c_zbcast(psb_c_ctxt cctxt, psb_i_t n, psb_z_t *v, psb_i_t root);
void psb_c_hbcast(psb_c_ctxt cctxt, const char *v, psb_i_t root);

/* --- descriptors ---------------------------------------------------------------------------------------- */

psb_c_descriptor *psb_c_new_descriptor(void);
void psb_c_delete_descriptor(psb_c_descriptor *cd);

/* Make the descriptor from the owner of each row; this process's rows, in any order, and with given local
 * numbers; their number; all rows everywhere.  A descriptor that the handle has is freed first.
 * PSB_ERR_ERROR, and no error, if ng or n is not positive, or nl negative.  Collective. */
psb_i_t psb_c_cdall_vg(psb_l_t ng, psb_i_t *vg, psb_c_ctxt cctxt, psb_c_descriptor *cd);
psb_i_t psb_c_cdall_vl(psb_i_t nl, psb_l_t *vl, psb_c_ctxt cctxt, psb_c_descriptor *cd);
psb_i_t psb_c_cdall_vl_opt(psb_i_t nl, psb_l_t *vl, psb_c_ctxt cctxt, psb_c_descriptor *cd);
psb_i_t psb_c_cdall_vl_lidx(psb_i_t nl, psb_l_t *vl, psb_i_t *lidx, psb_c_ctxt cctxt, psb_c_descriptor *cd);
psb_i_t psb_c_cdall_nl(psb_i_t nl, psb_c_ctxt cctxt, psb_c_descriptor *cd);
psb_i_t psb_c_cdall_repl(psb_l_t n, psb_c_ctxt cctxt, psb_c_descriptor *cd);

/* Declare that row ia[k] uses index ja[k], ignoring rows of other processes and what is out of range; that
 * this process uses ja[k], under local number lidx[k].  Local. */
psb_i_t psb_c_cdins(psb_i_t nz, const psb_l_t *ia, const psb_l_t *ja, psb_c_descriptor *cd);
psb_i_t psb_c_cdins_lidx(psb_i_t nz, const psb_l_t *ja, const psb_i_t *lidx, psb_c_descriptor *cd);

/* Assemble; format: "GPU" or "DEVICE", "CPU" or "HOST", which another word means too.  Collective. */
psb_i_t psb_c_cdasb(psb_c_descriptor *cd);
psb_i_t psb_c_cdasb_format(psb_c_descriptor *cd, const char *format);
psb_i_t psb_c_cdfree(psb_c_descriptor *cd);

/* Return 0 if the handle has a descriptor, else PSB_ERR_ERROR.  Local. */
psb_i_t psb_c_cd_check_addr(psb_c_descriptor *cd);

bool psb_c_cd_is_asb(psb_c_descriptor *cd);
bool psb_c_is_owned(psb_l_t gindex, psb_c_descriptor *cd);
psb_i_t psb_c_cd_get_local_rows(psb_c_descriptor *cd);
psb_i_t psb_c_cd_get_local_cols(psb_c_descriptor *cd);
psb_l_t psb_c_cd_get_global_rows(psb_c_descriptor *cd);
psb_l_t psb_c_cd_get_global_cols(psb_c_descriptor *cd);

/* Store the global indices of the first nidx local rows (owned), or local rows and halo.  Local. */
psb_i_t psb_c_cd_get_global_indices(psb_l_t idx[], psb_i_t nidx, bool owned, psb_c_descriptor *cd);

/* Return the local number, from the index base, of a global index; -1 if it is not here, or not owned
 * although cowned is true.  Local. */
psb_i_t psb_c_g2l(psb_c_descriptor *cdh, psb_l_t gindex, bool cowned);

/* --- values of arguments -------------------------------------------------------------------------------- */

/* upd of psb_c_?spasb_opt; the value has no effect: the library finds the fast way itself */
#define psb_upd_srch_ 98764
#define psb_upd_perm_ 98765
#define psb_upd_def_  psb_upd_srch_
#define PSB_UPD_DFLT  psb_upd_def_

/* dupl: what happens to values of one place; def: as they were inserted, add for matrices */
#define psb_dupl_add_   PSB_DUPL_ADD
#define psb_dupl_ovwrt_ PSB_DUPL_OVERWRITE
#define psb_dupl_err_   PSB_DUPL_ERROR
#define psb_dupl_def_   3
#define PSB_DUPL_DEF    psb_dupl_def_

/* mode of psb_c_?geins_options */
#define PSB_ADD_VALUES    1
#define PSB_INSERT_VALUES 2

#ifdef PSB_GEINS_OVERWRITES
#define psb_c_sgeins psb_c_sgeins_overwrite
#define psb_c_dgeins psb_c_dgeins_overwrite
#define psb_c_cgeins psb_c_cgeins_overwrite
#define psb_c_zgeins psb_c_zgeins_overwrite
#endif

/* bldmode: rows of other processes are dropped, or sent to them by the assembly */
#define psb_matbld_noremote_ 0
#define psb_matbld_remote_   1
#define PSB_MATBLD_NOREMOTE  psb_matbld_noremote_
#define PSB_MATBLD_REMOTE    psb_matbld_remote_

/* afmt: any registered format, as "CSR", "HLL", "HLG" */
#define PSB_AFMT_CSR "CSR"
#define PSB_AFMT_CSC "CSC"
#define PSB_AFMT_COO "COO"
#define PSB_AFMT_RSB "RSB"

#define psb_NoTrans_   "N"
#define psb_Trans_     "T"
#define psb_ConjTrans_ "C"

/* mode of psb_c_?halo_opt */
#define psb_swap_send_ 1
#define psb_swap_recv_ 2
#define psb_swap_sync_ 4
#define psb_swap_mpi_  8

/* update of psb_c_?ovrl_opt */
#define psb_none_        0
#define psb_sum_         1
#define psb_avg_         2
#define psb_square_root_ 3
#define psb_setzero_     4

/* --- options of Krylov methods ------------------------------------------------------------------------- */

typedef struct psb_c_solveroptions {
    int iter;   /* on exit: iterations made */
    int itmax;  /* most iterations */
    int itrace; /* print the residual every itrace iterations; <= 0: never */
    int irst;  /* RGMRES, GCR: vectors between restarts; BICGSTABL: l, at most 8 counts, 4 in single precision
                */
    int istop; /* 1: backward error; 2: |r| / |b|; 3: |r| / |r0| */
    double eps; /* tolerance */
    double err; /* on exit: the criterion's value, computed from b - A x */
    void *s1;   /* vectors to scale by: not offered, NULL */
    void *s2;
} psb_c_SolverOptions;

/* itmax 1000, itrace 0, istop 2, irst 10, eps 1e-6, s1 and s2 NULL; print options to stderr.  Local. */
int psb_c_DefaultSolverOptions(psb_c_SolverOptions *opt);
int psb_c_PrintSolverOptions(psb_c_SolverOptions opt);
PSB_C_END
#endif
