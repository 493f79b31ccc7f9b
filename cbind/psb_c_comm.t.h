/* psb_c_comm.t.h -- room: cbind.  PSBLAS's C interface for one scalar type: halo, overlap, gather, scatter.
 * Included by psb_c_?comm.h.  Collective. */
PSB_C_BEGIN
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
PSB_C_END
