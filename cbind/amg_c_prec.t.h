/* amg_c_prec.t.h -- cbind: AMG4PSBLAS's C interface for one scalar type.  Included by amg_cbind.h. */
#define AMG_C(name) PSB_C_CAT3(amg_c_, PSB_C_NOW, name)
PSB_C_BEGIN
typedef struct AMG_C(prec_handle) {
    void *PSB_C_MEMBER(prec);
} AMG_C(prec);

/* Allocate a handle; free the preconditioner, if there is one, and its handle.  Local. */
AMG_C(prec) * AMG_C(prec_new)(void);
psb_i_t AMG_C(prec_delete)(AMG_C(prec) * p);

/* Choose the type: "NONE", "DIAG" (with the aliases that AMG4PSBLAS has), "BJAC", "AS", "ML".  A handle that
 * has one keeps it, and 0 is returned.  Local. */
psb_i_t AMG_C(precinit)(psb_c_ctxt cctxt, AMG_C(prec) * ph, const char *ptype);

/* Set an option to a whole number, a real one, a word; upper or lower case.  docs/cbind.md lists those that
 * have an effect; for another name or value the message tells what there is.  The next build uses it.
 * _idx: idx is not used; _pos: pos "PRE" or "POST", for SMOOTHER_SWEEPS alone; _lev: on levels ilev to ilmax,
 * 1 the finest, for SMOOTHER_TYPE, SUB_..., INV_FILLIN and POLY_DEGREE, others on all levels, that is, 1 to at
 * least MAX_LEVS; _opt: all of these (pos NULL: both).  Local. */
psb_i_t AMG_C(precseti)(AMG_C(prec) * ph, const char *what, psb_i_t val);
psb_i_t AMG_C(precsetr)(AMG_C(prec) * ph, const char *what, double val);
psb_i_t AMG_C(precsetc)(AMG_C(prec) * ph, const char *what, const char *val);
psb_i_t AMG_C(preccseti_idx)(AMG_C(prec) * ph, const char *what, psb_i_t val, psb_i_t idx);
psb_i_t AMG_C(preccsetr_idx)(AMG_C(prec) * ph, const char *what, double val, psb_i_t idx);
psb_i_t AMG_C(preccsetc_idx)(AMG_C(prec) * ph, const char *what, const char *val, psb_i_t idx);
psb_i_t AMG_C(preccseti_pos)(AMG_C(prec) * ph, const char *what, psb_i_t val, const char *pos);
psb_i_t AMG_C(preccsetr_pos)(AMG_C(prec) * ph, const char *what, double val, const char *pos);
psb_i_t AMG_C(preccsetc_pos)(AMG_C(prec) * ph, const char *what, const char *val, const char *pos);
psb_i_t AMG_C(preccseti_lev)(AMG_C(prec) * ph, const char *what, psb_i_t val, psb_i_t ilev, psb_i_t ilmax);
psb_i_t AMG_C(preccsetr_lev)(AMG_C(prec) * ph, const char *what, double val, psb_i_t ilev, psb_i_t ilmax);
psb_i_t AMG_C(preccsetc_lev)(AMG_C(prec) * ph, const char *what, const char *val, psb_i_t ilev,
                             psb_i_t ilmax);
psb_i_t AMG_C(preccseti_opt)(AMG_C(prec) * ph, const char *what, psb_i_t val, psb_i_t ilev, psb_i_t ilmax,
                             const char *pos, psb_i_t idx);
psb_i_t AMG_C(preccsetr_opt)(AMG_C(prec) * ph, const char *what, double val, psb_i_t ilev, psb_i_t ilmax,
                             const char *pos, psb_i_t idx);
psb_i_t AMG_C(preccsetc_opt)(AMG_C(prec) * ph, const char *what, const char *val, psb_i_t ilev, psb_i_t ilmax,
                             const char *pos, psb_i_t idx);

/* Build for matrix a, which must outlive it; _opt: in format afmt, with vectors on chfmt, "GPU" or "DEVICE",
 * "CPU" or "HOST".  hierarchy_build builds all; smoothers_build next builds nothing, but for a format, or
 * if options were set.  Collective. */
psb_i_t AMG_C(precbld)(PSB_C(spmat) * ah, psb_c_descriptor *cdh, AMG_C(prec) * ph);
psb_i_t AMG_C(precbld_opt)(PSB_C(spmat) * ah, psb_c_descriptor *cdh, AMG_C(prec) * ph, const char *afmt);
psb_i_t AMG_C(hierarchy_build)(PSB_C(spmat) * ah, psb_c_descriptor *cdh, AMG_C(prec) * ph);
psb_i_t AMG_C(smoothers_build)(PSB_C(spmat) * ah, psb_c_descriptor *cdh, AMG_C(prec) * ph);
psb_i_t AMG_C(smoothers_build_opt)(PSB_C(spmat) * ah, psb_c_descriptor *cdh, AMG_C(prec) * ph,
                                   const char *afmt, const char *chfmt);

/* x = M^-1 b; _opt: or its transpose, "T", or conjugate transpose, "C".  Collective. */
psb_i_t AMG_C(precapply)(AMG_C(prec) * ph, PSB_C(vector) * bh, PSB_C(vector) * xh, psb_c_descriptor *cdh);
psb_i_t AMG_C(precapply_opt)(AMG_C(prec) * ph, PSB_C(vector) * bh, PSB_C(vector) * xh, psb_c_descriptor *cdh,
                             const char *ctrans);
psb_i_t AMG_C(precfree)(AMG_C(prec) * ph);

/* Print on process 0 what was built: options, levels, complexities; allocate_wrk: no effect, since the first
 * application allocates.  PSB_ERR_ERROR if nothing was built.  Local. */
psb_i_t AMG_C(descr)(AMG_C(prec) * ph);
psb_i_t AMG_C(allocate_wrk)(AMG_C(prec) * ph, const char *chfmt);

/* As psb_c_?krylov.  Collective. */
psb_i_t AMG_C(krylov)(const char *method, PSB_C(spmat) * ah, AMG_C(prec) * ph, PSB_C(vector) * bh,
                      PSB_C(vector) * xh, psb_c_descriptor *cdh, psb_c_SolverOptions *opt);
PSB_C_END
#undef AMG_C
