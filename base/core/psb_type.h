/* psb_type.h -- base/core: the scalar type that a source is compiled for: the last include of every
 * typed source.  The Makefile sets -DPSB_TYPE=s|d|c|z, or i|l; the default is d. */
#ifndef PSB_TYPE
#define PSB_TYPE d
#endif
#define PSB_NOW PSB_TYPE
#include "psb_names.h"
