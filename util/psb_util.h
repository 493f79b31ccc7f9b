/* psb_util.h -- room: util.  Everything the room `util` offers. */
#ifndef PSB_UTIL_H
#define PSB_UTIL_H
#include "psb_err.h"
#include "psb_int.h"
#include "psb_mm.h"
#define PSB_TEMPLATE "mm.t.h"
#include "psb_each_type.h"
#endif
