/* mm_block.h -- room: util.  The entries in consecutive lines of a Matrix Market file, for each scalar. */
#ifndef PSB_MM_BLOCK_H
#define PSB_MM_BLOCK_H
#include "mm_text.h"
#include "psb_util.h"
#define PSB_TEMPLATE "mm_block.t.h"
#include "psb_each_type.h"
#endif
