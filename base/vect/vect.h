/* vect.h -- base/vect: the inside of vectors. */
#ifndef PSB_VECT_INSIDE_H
#define PSB_VECT_INSIDE_H
#include "desc_inside.h"
#include "psb_format.h"
#include "psb_handle.h"
struct psb_remote;
#define PSB_TEMPLATE         "scal.t.h"
#define PSB_INTEGER_TEMPLATE "vect.t.h"
#include "psb_each_type.h"
#endif
