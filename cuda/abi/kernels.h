/* kernels.h -- cuda/abi: the tables of kernels, for the four scalars. */
#ifndef PSB_KERNELS_H
#define PSB_KERNELS_H
#include "psb_format.h"
#include "stored.h"
#include "dev_arrays.h"
#include "algebra.h"
#include "convert.h"
#include "triangle.h"
#include "ldu.h"
#include "raw_place.h"
#define PSB_TEMPLATE "kernels.t.h"
#include "psb_each_type.h"
#endif
