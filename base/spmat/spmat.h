/* spmat.h -- base/spmat: the inside of distributed matrices. */
#ifndef PSB_SPMAT_INSIDE_H
#define PSB_SPMAT_INSIDE_H
#include "vect.h"
struct psb_columns;
#define PSB_TEMPLATE "spmat.t.h"
#include "psb_each_type.h"
#endif
