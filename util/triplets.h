/* triplets.h -- util: matrices as lists of entries, for each scalar. */
#ifndef PSB_TRIPLETS_H
#define PSB_TRIPLETS_H
#include "psb_util.h"
#define PSB_TEMPLATE "triplets.t.h"
#include "psb_each_type.h"
#endif
