/* psb_config.h -- cbind: what this implementation of PSBLAS's C interface has. */
#ifndef PSB_CONFIG_H_
#define PSB_CONFIG_H_

/* The version of PSBLAS whose interface this is; docs/cbind.md lists what later versions added. */
#define PSB_VERSION_MAJOR      3
#define PSB_VERSION_MINOR      9
#define PSB_VERSION_PATCHLEVEL 0

#define PSB_HAVE_CUDA 1 /* the calls psb_c_cuda_...; whether there is a GPU is known at run time */
#define PSB_IPK4      1
#define PSB_LPK8      1
#endif
