/* psb_util.h -- room: util.  Everything the room `util` offers. */
#ifndef PSB_UTIL_H
#define PSB_UTIL_H
#include "psb_err.h"
#include "psb_int.h"
#include "psb_base.h"
#include "psb_mm.h"
#include "psb_hb.h"
#include "psb_gen.h"
#include "psb_pde.h"
#include "psb_part.h"
#define PSB_TEMPLATE "mm.t.h"
#include "psb_each_type.h"
#define PSB_TEMPLATE "mm_all.t.h"
#include "psb_each_type.h"
#define PSB_TEMPLATE "hb.t.h"
#include "psb_each_type.h"
#define PSB_TEMPLATE "matdist.t.h"
#include "psb_each_type.h"
#define PSB_TEMPLATE "gen.t.h"
#include "psb_each_type.h"
#define PSB_TEMPLATE "gen_pde.t.h"
#include "psb_each_type.h"
#endif
