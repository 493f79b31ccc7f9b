/* psb_format.h -- base: for authors of formats: the matrix class, its first formats, arrays with two copies,
 * and what their kernels use.  Users of the library need psb_base.h only. */
#ifndef PSB_FORMAT_H
#define PSB_FORMAT_H
#include "psb_base.h"
#include "psb_search.h"
#include "psb_simd.h"
#include "psb_team.h"
#include "psb_threads.h"
#include "psb_dual.h"
#include "psb_mat.h"
#include "psb_vec_ops.h"
#define PSB_TEMPLATE         "psb_format.t.h"
#define PSB_INTEGER_TEMPLATE "psb_vec_ops.t.h"
#include "psb_each_type.h"
PSB_BEGIN_C
PSB_SHORT_NAMES(coo_mat);
PSB_SHORT_NAMES(csr_mat);
PSB_SHORT_NAMES(csc_mat);
PSB_END_C
#endif
