/* base_inside.h -- base: what the other libraries use besides psb_base.h: collective calls, descriptors,
 * records for other processes, handles, hash tables, numbers as text, the environment.  Not installed. */
#ifndef PSB_BASE_INSIDE_H
#define PSB_BASE_INSIDE_H
#include "desc_inside.h"
#include "env.h"
#include "group.h"
#include "hash.h"
#include "number.h"
#include "psb_handle.h"
#endif
