/* vec_cuda.h -- room: cuda/device.  Tables that work on a GPU. */
#ifndef PSB_VEC_CUDA_H
#define PSB_VEC_CUDA_H
#include "psb_cuda.h"
extern const struct psb_s_vec_ops psb_s_vec_cuda;
extern const struct psb_d_vec_ops psb_d_vec_cuda;
extern const struct psb_c_vec_ops psb_c_vec_cuda;
extern const struct psb_z_vec_ops psb_z_vec_cuda;
extern const struct psb_s_kernels psb_s_kernels_cuda;
extern const struct psb_d_kernels psb_d_kernels_cuda;
extern const struct psb_c_kernels psb_c_kernels_cuda;
extern const struct psb_z_kernels psb_z_kernels_cuda;
#endif
