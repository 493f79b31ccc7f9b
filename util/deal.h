/* deal.h -- room: util.  Entries to the owners of their rows. */
#ifndef PSB_DEAL_H
#define PSB_DEAL_H
#include "group.h"
#include "hash.h"
#include "psb_util.h"

#define PSB_TEMPLATE "deal.t.h"
#include "psb_each_type.h"
#endif
