/* vec_cuda.h -- room: cuda/kernels.  The operations on vectors of a GPU. */
#ifndef PSB_VEC_CUDA_H
#define PSB_VEC_CUDA_H
#include "psb_base.h"
extern const struct psb_s_vec_ops psb_s_vec_cuda;
extern const struct psb_d_vec_ops psb_d_vec_cuda;
extern const struct psb_c_vec_ops psb_c_vec_cuda;
extern const struct psb_z_vec_ops psb_z_vec_cuda;
#endif
