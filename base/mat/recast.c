/* recast.c -- base/mat: matrices from those of another scalar. */
#include "psb_format.h"
#include "psb_handle.h"
#include "psb_type.h"

#define PSB_FROM s
#include "recast.t.h"
#define PSB_FROM d
#include "recast.t.h"
#define PSB_FROM c
#include "recast.t.h"
#define PSB_FROM z
#include "recast.t.h"
