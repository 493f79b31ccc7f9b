/* psb_c_base.t.h -- cbind: PSBLAS's C interface for one scalar type.  Included by psb_c_?base.h. */
PSB_C_BEGIN
typedef struct PSB_C(vector_handle) {
    void *PSB_C_MEMBER(vector);
} PSB_C(vector);

typedef struct PSB_C(spmat_handle) {
    void *PSB_C_MEMBER(spmat);
} PSB_C(spmat);

/* --- vectors -------------------------------------------------------------------------------------------- */

PSB_C(vector) * PSB_C_CREATE(vector)(void);

/* Allocate a vector of zeros; _remote: rows of other processes that are inserted are sent to them.
 * Collective. */
psb_i_t PSB_C(geall)(PSB_C(vector) * xh, psb_c_descriptor *cdh);
psb_i_t PSB_C(geall_remote)(PSB_C(vector) * xh, psb_c_descriptor *cdh);
psb_i_t PSB_C(geall_remote_options)(PSB_C(vector) * xh, psb_c_descriptor *cdh, psb_i_t bldmode, psb_i_t dupl);

/* Insert as the vector was allocated (by default values are added); add; replace; insert by `mode`,
 * PSB_ADD_VALUES or PSB_INSERT_VALUES, which may not change before the next assembly: PSB_ERR_MODE_MISMATCH.
 * Rows out of range are ignored.  Local. */
psb_i_t PSB_C(geins)(psb_i_t nz, const psb_l_t *irw, const PSB_C_SCALAR *val, PSB_C(vector) * xh,
                     psb_c_descriptor *cdh);
psb_i_t PSB_C(geins_add)(psb_i_t nz, const psb_l_t *irw, const PSB_C_SCALAR *val, PSB_C(vector) * xh,
                         psb_c_descriptor *cdh);
psb_i_t PSB_C(geins_overwrite)(psb_i_t nz, const psb_l_t *irw, const PSB_C_SCALAR *val, PSB_C(vector) * xh,
                               psb_c_descriptor *cdh);
psb_i_t PSB_C(geins_options)(psb_i_t nz, const psb_l_t *irw, const PSB_C_SCALAR *val, PSB_C(vector) * xh,
                             psb_c_descriptor *cdh, psb_i_t mode);
psb_i_t PSB_C(geins_v)(psb_i_t nz, const psb_l_t *irw, const PSB_C_SCALAR *val, PSB_C(vector) * xh,
                       psb_c_descriptor *cdh, psb_i_t mode);

/* Assemble, and update the halo; _format: on "GPU" or "DEVICE", "CPU" or "HOST", which another word means
 * too. Collective; geasb and geasb_options of a vector that has been assembled before, and keeps no rows for
 * other processes, over the processes that exchange halos with this one, so local where there is no halo. */
psb_i_t PSB_C(geasb)(PSB_C(vector) * xh, psb_c_descriptor *cdh);
psb_i_t PSB_C(geasb_options)(PSB_C(vector) * xh, psb_c_descriptor *cdh, psb_i_t dupl);
psb_i_t PSB_C(geasb_options_format)(PSB_C(vector) * xh, psb_c_descriptor *cdh, psb_i_t dupl,
                                    const char *format);

/* Open an assembled vector for insertion, all 0 if `clear`; after gereinit, rows of other processes are sent
 * to them. Local. */
psb_i_t PSB_C(gereinit)(PSB_C(vector) * xh, psb_c_descriptor *cdh, bool clear);
psb_i_t PSB_C(vect_reinit)(PSB_C(vector) * xh, bool clear);
psb_i_t PSB_C(gefree)(PSB_C(vector) * xh, psb_c_descriptor *cdh);

/* Read the element of global row `index`, owned here or in the halo; set one that is owned.  Local. */
PSB_C_SCALAR PSB_C(getelem)(PSB_C(vector) * xh, psb_l_t index, psb_c_descriptor *cd);
psb_i_t PSB_C(setelem)(psb_l_t index, PSB_C_SCALAR val, PSB_C(vector) * xh, psb_c_descriptor *cd);

/* Local rows, halo included; a copy of them, to be freed by free; a copy to v.  Local. */
psb_i_t PSB_C(vect_get_nrows)(PSB_C(vector) * xh);
PSB_C_SCALAR *PSB_C(vect_get_cpy)(PSB_C(vector) * xh);
psb_i_t PSB_C(vect_f_get_cpy)(PSB_C_SCALAR *v, PSB_C(vector) * xh);

/* Return the elements themselves.  They may be written at any time: the address stays valid, and shows the
 * current values, until the vector is assembled, freed, or moved to another descriptor by psb_c_?halo or
 * psb_c_?ovrl.  A vector on a device is copied in each later call that uses it. Local. */
PSB_C_SCALAR *PSB_C(vect_f_get_pnt)(PSB_C(vector) * xh);

/* Set all elements, halo included; the local rows first to last, counted from the index base, and the first
 * n, as far as they exist.  Local. */
psb_i_t PSB_C(vect_zero)(PSB_C(vector) * xh);
psb_i_t PSB_C(vect_set_scal)(PSB_C(vector) * xh, PSB_C_SCALAR val);
psb_i_t PSB_C(vect_set_scal_bound)(PSB_C(vector) * xh, PSB_C_SCALAR val, psb_i_t first, psb_i_t last);
psb_i_t PSB_C(vect_set_vect)(PSB_C(vector) * xh, PSB_C_SCALAR *val, psb_i_t n);
psb_i_t PSB_C(vect_set_entry)(PSB_C(vector) * xh, psb_i_t index, PSB_C_SCALAR val);
PSB_C_SCALAR PSB_C(vect_get_entry)(PSB_C(vector) * xh, psb_i_t index);

/* Make y, which is replaced, a copy of x.  Local. */
psb_i_t PSB_C(vect_clone)(PSB_C(vector) * xh, PSB_C(vector) * yh);

/* --- matrices ------------------------------------------------------------------------------------------- */

PSB_C(spmat) * PSB_C_CREATE(spmat)(void);
psb_i_t PSB_C(spall)(PSB_C(spmat) * mh, psb_c_descriptor *cdh);
psb_i_t PSB_C(spall_remote)(PSB_C(spmat) * mh, psb_c_descriptor *cdh);

/* Insert entries.  Ignored: rows of other processes (unless spall_remote) and out of range, columns that an
 * assembled descriptor does not have, and, after sprn, entries that are not stored.  Local. */
psb_i_t PSB_C(spins)(psb_i_t nz, const psb_l_t *irw, const psb_l_t *icl, const PSB_C_SCALAR *val,
                     PSB_C(spmat) * mh, psb_c_descriptor *cdh);

/* Assemble in the format of the environment variable PSB_FORMAT, or CSR; in format afmt.  An assembled matrix
 * is converted.  Collective. */
psb_i_t PSB_C(spasb)(PSB_C(spmat) * mh, psb_c_descriptor *cdh);
psb_i_t PSB_C(spasb_opt)(PSB_C(spmat) * mh, psb_c_descriptor *cdh, const char *afmt, psb_i_t upd,
                         psb_i_t dupl);
psb_i_t PSB_C(spfree)(PSB_C(spmat) * mh, psb_c_descriptor *cdh);

/* Open an assembled matrix for new values, 0 if `clear`; spasb ends that.  No effect on one that is open.
 * Local. */
psb_i_t PSB_C(sprn)(PSB_C(spmat) * mh, psb_c_descriptor *cdh, bool clear);

psb_i_t PSB_C(mat_get_nrows)(PSB_C(spmat) * mh);
psb_i_t PSB_C(mat_get_ncols)(PSB_C(spmat) * mh);
psb_l_t PSB_C(nnz)(PSB_C(spmat) * mh, psb_c_descriptor *cdh);

/* The value of an entry whose row is owned here; 0 if it is not stored.  Local. */
PSB_C_SCALAR PSB_C(matgetelem)(PSB_C(spmat) * ah, psb_l_t rowindex, psb_l_t colindex, psb_c_descriptor *cdh);

bool PSB_C(is_matupd)(PSB_C(spmat) * mh, psb_c_descriptor *cdh);
bool PSB_C(is_matasb)(PSB_C(spmat) * mh, psb_c_descriptor *cdh);
bool PSB_C(is_matbld)(PSB_C(spmat) * mh, psb_c_descriptor *cdh);

/* Go to a state: open for new values (sprn); assembled (spasb); BUILD, PSB_ERR_ERROR once the matrix is
 * assembled.  Collective. */
psb_i_t PSB_C(set_matupd)(PSB_C(spmat) * mh, psb_c_descriptor *cdh);
psb_i_t PSB_C(set_matasb)(PSB_C(spmat) * mh, psb_c_descriptor *cdh);
psb_i_t PSB_C(set_matbld)(PSB_C(spmat) * mh, psb_c_descriptor *cdh);

/* Make b, which is replaced, a copy of a; PSB_ERR_ERROR if a is not assembled.  Local. */
psb_i_t PSB_C(copy_mat)(PSB_C(spmat) * ah, PSB_C(spmat) * bh, psb_c_descriptor *cdh);

/* Write the rows of this process, in local numbers, as Matrix Market file `name`.  Local. */
psb_i_t PSB_C(mat_name_print)(PSB_C(spmat) * mh, char *name);

/* --- products ------------------------------------------------------------------------------------------- */

/* y = alpha op(A) x + beta y.  Collective. */
psb_i_t PSB_C(spmm)(PSB_C_SCALAR alpha, PSB_C(spmat) * ah, PSB_C(vector) * xh, PSB_C_SCALAR beta,
                    PSB_C(vector) * yh, psb_c_descriptor *cdh);
psb_i_t PSB_C(spmm_opt)(PSB_C_SCALAR alpha, PSB_C(spmat) * ah, PSB_C(vector) * xh, PSB_C_SCALAR beta,
                        PSB_C(vector) * yh, psb_c_descriptor *cdh, char *trans, bool doswap);
/* y = alpha T^-1 x + beta y with the triangle owned here.  Collective. */
psb_i_t PSB_C(spsm)(PSB_C_SCALAR alpha, PSB_C(spmat) * th, PSB_C(vector) * xh, PSB_C_SCALAR beta,
                    PSB_C(vector) * yh, psb_c_descriptor *cdh);

/* A = alpha A; A = alpha A + I; A = alpha A + beta B.  Collective. */
psb_i_t PSB_C(spscal)(PSB_C_SCALAR alpha, PSB_C(spmat) * ah, psb_c_descriptor *cdh);
psb_i_t PSB_C(spscalpid)(PSB_C_SCALAR alpha, PSB_C(spmat) * ah, psb_c_descriptor *cdh);
psb_i_t PSB_C(spaxpby)(PSB_C_SCALAR alpha, PSB_C(spmat) * ah, PSB_C_SCALAR beta, PSB_C(spmat) * bh,
                       psb_c_descriptor *cdh);

/* Are all entries of A - B, or of A - val where A stores one, at most tol in modulus?  Collective. */
bool PSB_C(gecmpmat)(PSB_C(spmat) * ah, PSB_C(spmat) * bh, PSB_C_REAL tol, psb_c_descriptor *cdh);
bool PSB_C(gecmpmat_val)(PSB_C(spmat) * ah, PSB_C_SCALAR val, PSB_C_REAL tol, psb_c_descriptor *cdh);

/* --- computations on vectors ----------------------------------------------------------------------------
 * Vectors may be on other descriptors than cdh if those own the same rows.  -1 after an error. */

/* Sum of conj(x) y; 2-norm, also of x w, and where id is not 0; largest modulus; sum of moduli; genrmi:
 * sum of moduli of a vector, or infinity norm of a matrix, whichever the handle holds.  Collective. */
PSB_C_SCALAR PSB_C(gedot)(PSB_C(vector) * xh, PSB_C(vector) * yh, psb_c_descriptor *cdh);
PSB_C_REAL PSB_C(genrm2)(PSB_C(vector) * xh, psb_c_descriptor *cdh);
PSB_C_REAL PSB_C(genrm2_weight)(PSB_C(vector) * xh, PSB_C(vector) * wh, psb_c_descriptor *cdh);
PSB_C_REAL PSB_C(genrm2_weightmask)(PSB_C(vector) * xh, PSB_C(vector) * wh, PSB_C(vector) * idvh,
                                    psb_c_descriptor *cdh);
PSB_C_REAL PSB_C(geamax)(PSB_C(vector) * xh, psb_c_descriptor *cdh);
PSB_C_REAL PSB_C(geasum)(PSB_C(vector) * xh, psb_c_descriptor *cdh);
PSB_C_REAL PSB_C(genrmi)(void *h, psb_c_descriptor *cdh);

/* y = alpha x + beta y; z = alpha x + beta y; y = x y; z = alpha x y + beta z.  Collective. */
psb_i_t PSB_C(geaxpby)(PSB_C_SCALAR alpha, PSB_C(vector) * xh, PSB_C_SCALAR beta, PSB_C(vector) * yh,
                       psb_c_descriptor *cdh);
psb_i_t PSB_C(geaxpbyz)(PSB_C_SCALAR alpha, PSB_C(vector) * xh, PSB_C_SCALAR beta, PSB_C(vector) * yh,
                        PSB_C(vector) * zh, psb_c_descriptor *cdh);
psb_i_t PSB_C(gemlt)(PSB_C(vector) * xh, PSB_C(vector) * yh, psb_c_descriptor *cdh);
psb_i_t PSB_C(gemlt2)(PSB_C_SCALAR alpha, PSB_C(vector) * xh, PSB_C(vector) * yh, PSB_C_SCALAR beta,
                      PSB_C(vector) * zh, psb_c_descriptor *cdh);

/* x = x / y; z = x / y; y = 1 / x.  gediv_check and gediv2_check with flag return 1 on a process where y has
 * a 0, and leave the rows from there on as they are; geinv_check sets 0 where x is 0, and returns 1 if no
 * element of x is 0 on any process, or flag is false, else 0.  Collective. */
psb_i_t PSB_C(gediv)(PSB_C(vector) * xh, PSB_C(vector) * yh, psb_c_descriptor *cdh);
psb_i_t PSB_C(gediv_check)(PSB_C(vector) * xh, PSB_C(vector) * yh, psb_c_descriptor *cdh, bool flag);
psb_i_t PSB_C(gediv2)(PSB_C(vector) * xh, PSB_C(vector) * yh, PSB_C(vector) * zh, psb_c_descriptor *cdh);
psb_i_t PSB_C(gediv2_check)(PSB_C(vector) * xh, PSB_C(vector) * yh, PSB_C(vector) * zh, psb_c_descriptor *cdh,
                            bool flag);
psb_i_t PSB_C(geinv)(PSB_C(vector) * xh, PSB_C(vector) * yh, psb_c_descriptor *cdh);
psb_i_t PSB_C(geinv_check)(PSB_C(vector) * xh, PSB_C(vector) * yh, psb_c_descriptor *cdh, bool flag);

/* y = |x|; z = 1 where |x| >= ch, else 0; z = x + bh.  Collective. */
psb_i_t PSB_C(geabs)(PSB_C(vector) * xh, PSB_C(vector) * yh, psb_c_descriptor *cdh);
psb_i_t PSB_C(gecmp)(PSB_C(vector) * xh, PSB_C_REAL ch, PSB_C(vector) * zh, psb_c_descriptor *cdh);
psb_i_t PSB_C(geaddconst)(PSB_C(vector) * xh, PSB_C_SCALAR bh, PSB_C(vector) * zh, psb_c_descriptor *cdh);

#if PSB_C_ORDERED
/* Which elements of x violate constraint c (psb_?_mask); the smallest element; the smallest x / y.
 * Collective. */
psb_i_t PSB_C(mask)(PSB_C(vector) * ch, PSB_C(vector) * xh, PSB_C(vector) * mh, bool *t,
                    psb_c_descriptor *cdh);
PSB_C_REAL PSB_C(gemin)(PSB_C(vector) * xh, psb_c_descriptor *cdh);
PSB_C_REAL PSB_C(minquotient)(PSB_C(vector) * xh, PSB_C(vector) * yh, psb_c_descriptor *cdh);
#endif

/* --- halo, overlap, gather, scatter: collective -------------------------------------------------------- */

/* Update the halo of x; with trans "T", add it to the owners' rows.  mode psb_swap_send_ only starts, and
 * psb_swap_recv_ ends an exchange. */
psb_i_t PSB_C(halo)(PSB_C(vector) * xh, psb_c_descriptor *cdh);
psb_i_t PSB_C(halo_opt)(PSB_C(vector) * xh, psb_c_descriptor *cdh, char *trans, psb_i_t mode);

/* Combine the values of rows with several owners, by default the average. */
psb_i_t PSB_C(ovrl)(PSB_C(vector) * xh, psb_c_descriptor *cdh);
psb_i_t PSB_C(ovrl_opt)(PSB_C(vector) * xh, psb_c_descriptor *cdh, psb_i_t update, psb_i_t mode);

/* Set x to gx[0..ng) of process 0. */
psb_i_t PSB_C(vscatter)(psb_l_t ng, PSB_C_SCALAR *gx, PSB_C(vector) * xh, psb_c_descriptor *cdh);

/* Return all of x, or of A, on each process; the array is freed by free, the matrix by spfree and free. */
PSB_C_SCALAR *PSB_C(vgather)(PSB_C(vector) * xh, psb_c_descriptor *cdh);
PSB_C(spmat) * PSB_C(spgather)(PSB_C(spmat) * ah, psb_c_descriptor *cdh);

/* Store all of x in gv; all of A in ga. */
psb_i_t PSB_C(vgather_f)(PSB_C_SCALAR *gv, PSB_C(vector) * xh, psb_c_descriptor *cdh);
psb_i_t PSB_C(spgather_f)(PSB_C(spmat) * ga, PSB_C(spmat) * ah, psb_c_descriptor *cdh);

/* --- preconditioners ----------------------------------------------------------------------------------- */

typedef struct PSB_C(prec_handle) {
    void *PSB_C_MEMBER(prec);
} PSB_C(prec);

PSB_C(prec) * PSB_C_CREATE(prec)(void);

/* Choose the type: "NONE" or "NOPREC", "DIAG", "BJAC", or any text of psb_prec_parse.  Local. */
psb_i_t PSB_C(precinit)(psb_c_ctxt cctxt, PSB_C(prec) * ph, const char *ptype);
/* Build for matrix a.  Collective. */
psb_i_t PSB_C(precbld)(PSB_C(spmat) * ah, psb_c_descriptor *cdh, PSB_C(prec) * ph);
psb_i_t PSB_C(precfree)(PSB_C(prec) * ph);

/* --- Krylov methods ------------------------------------------------------------------------------------ */

/* Solve A x = b with preconditioner p, starting from x.  method: a name of PSB_VALID_KRYLOV_METHODS_STRINGS
 * or of psb_solve_parse, in any case; another one means BICGSTAB, after a warning.  0 also if the method
 * ends before it has converged, by itmax or since it cannot go on: then opt->err > opt->eps, and process 0
 * prints PSBLAS's two lines about it, unless opt->itrace < 0.  Collective. */
int PSB_C(krylov)(const char *method, PSB_C(spmat) * ah, PSB_C(prec) * ph, PSB_C(vector) * bh,
                  PSB_C(vector) * xh, psb_c_descriptor *cdh, psb_c_SolverOptions *opt);

/* The same by x = x + M^-1 (b - A x), M the preconditioner.  Collective. */
int PSB_C(richardson)(PSB_C(spmat) * ah, PSB_C(prec) * ph, PSB_C(vector) * bh, PSB_C(vector) * xh,
                      psb_c_descriptor *cdh, psb_c_SolverOptions *opt);

/* --- Matrix Market files ------------------------------------------------------------------------------- */

/* Write the rows of this process in local numbers.  Local. */
psb_i_t PSB_C(mm_mat_write)(PSB_C(spmat) * ah, char *matrixtitle, char *filename);
/* Write the whole matrix as A-np-N.mtx, the whole vector as v-np-N.mtx, N the number of processes.
 * Collective. */
psb_i_t PSB_C(global_mat_write)(PSB_C(spmat) * ah, psb_c_descriptor *cdh);
psb_i_t PSB_C(global_vec_write)(PSB_C(vector) * vh, psb_c_descriptor *cdh);
PSB_C_END
