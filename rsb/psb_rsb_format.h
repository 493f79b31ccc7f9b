/* psb_rsb_format.h -- rsb: the format RSB, for molds with parameters of one's own. */
#ifndef PSB_RSB_FORMAT_H
#define PSB_RSB_FORMAT_H
#include "psb_format.h"
#include "psb_rsb.h"
#define PSB_TEMPLATE "psb_rsb.t.h"
#include "psb_each_type.h"
#endif
