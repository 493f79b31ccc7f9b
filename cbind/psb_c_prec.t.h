/* psb_c_prec.t.h -- room: cbind.  PSBLAS's C interface for one scalar type: preconditioners.  Included by
 * psb_c_?prec.h. */
PSB_C_BEGIN
typedef struct PSB_C(prec_handle) {
    void *PSB_C_MEMBER(prec);
} PSB_C(prec);

PSB_C(prec) * PSB_C_CREATE(prec)(void);

/* Choose the type: "NONE" or "NOPREC", "DIAG", "BJAC", or any text of psb_prec_parse.  Local. */
psb_i_t PSB_C(precinit)(psb_c_ctxt cctxt, PSB_C(prec) * ph, const char *ptype);
/* Build for matrix a.  Collective. */
psb_i_t PSB_C(precbld)(PSB_C(spmat) * ah, psb_c_descriptor *cdh, PSB_C(prec) * ph);
psb_i_t PSB_C(precfree)(PSB_C(prec) * ph);
PSB_C_END
