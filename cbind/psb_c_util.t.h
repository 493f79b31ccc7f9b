/* psb_c_util.t.h -- room: cbind.  PSBLAS's C interface for one scalar type: Matrix Market files.  Included by
 * psb_c_?util.h. */
PSB_C_BEGIN
/* Write the rows of this process in local numbers.  Local. */
psb_i_t PSB_C(mm_mat_write)(PSB_C(spmat) * ah, char *matrixtitle, char *filename);
/* Write the whole matrix as A-np-N.mtx, the whole vector as v-np-N.mtx, N the number of processes.
 * Collective. */
psb_i_t PSB_C(global_mat_write)(PSB_C(spmat) * ah, psb_c_descriptor *cdh);
psb_i_t PSB_C(global_vec_write)(PSB_C(vector) * vh, psb_c_descriptor *cdh);
PSB_C_END
