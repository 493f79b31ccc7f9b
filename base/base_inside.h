/* base_inside.h -- base: what the other libraries use besides psb_base.h: collective calls, records for other
 * processes, hash tables, numbers as text, the environment.  Not installed. */
#ifndef PSB_BASE_INSIDE_H
#define PSB_BASE_INSIDE_H
#include "coll.h"
#include "env.h"
#include "group.h"
#include "hash.h"
#include "number.h"
#endif
