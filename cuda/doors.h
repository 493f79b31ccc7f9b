/* doors.h -- room: cuda.  All doors between C and CUDA, read by both. */
#ifndef PSB_DOORS_H
#define PSB_DOORS_H
#include "psb_int.h"
#ifdef __cplusplus
extern "C" {
#endif
#define PSB_TEMPLATE "vec_doors.t.h"
#include "psb_each_type.h"
#define PSB_TEMPLATE "ell_doors.t.h"
#include "psb_each_type.h"
#ifdef __cplusplus
}
#endif
#endif
