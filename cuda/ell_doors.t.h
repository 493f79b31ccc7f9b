/* ell_doors.t.h -- room: cuda.  The door between C and CUDA for ELL; see vec_doors.t.h. */
int X(ell_csmm_dev)(psb_ipk nrows, psb_epk ld, const psb_ipk *irn, const psb_ipk *ja, const void *val,
                    psb_ipk k, const void *alpha, const void *x, const void *beta, void *y, void *stream);
