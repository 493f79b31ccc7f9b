/* psb_type.h -- room: base/core.  The scalar this file is compiled for.  Always the last include.
 * The Makefile says which, -DPSB_TYPE=s|d|c|z; double if nobody says. */
#ifndef PSB_TYPE
#define PSB_TYPE d
#endif
#define PSB_NOW PSB_TYPE
#include "psb_names.h"
