/* psb_autog.t.h -- room: cuda/formats.  AUTOG: AUTO among the device formats CSRG, HLG, HLGP, ELG, HYBG,
 * DIAG, HDIAG and BSRG; without a device, AUTO. */
extern const struct X(auto_mat) X(autog_mold);

/* --- inside cuda ------------------------------------------------------------------------------------ */

struct psb_cost_terms;

/* The slot `forecast`: bytes and places of the host format, and the time of a product, see cost.h. */
PSB_MUST_CHECK psb_err X(device_forecast)(struct X(mat) *a, const struct X(compressed) *rows,
                                          struct psb_forecast *f);
/* The terms of that time. */
PSB_MUST_CHECK psb_err X(device_terms)(struct X(mat) *a, const struct X(compressed) *rows,
                                       struct psb_forecast *f, struct psb_cost_terms *t);

/* The slot `device_times` of formats like HLG, of HYBG, of diagonals, of BSRG and of DNSG. */
void X(hlg_times)(const struct X(mat) *a, const struct psb_padded *p, double ns[2]);
void X(hybg_times)(const struct X(mat) *a, const struct psb_padded *p, double ns[2]);
void X(diagonal_times)(const struct X(mat) *a, const struct psb_padded *p, double ns[2]);
void X(bsrg_times)(const struct X(mat) *a, const struct psb_padded *p, double ns[2]);
void X(dnsg_times)(const struct X(mat) *a, const struct psb_padded *p, double ns[2]);
