/* mm_block.h -- util: the entries in consecutive lines of a Matrix Market file, for each scalar. */
#ifndef PSB_MM_BLOCK_H
#define PSB_MM_BLOCK_H
#include <complex.h>
#include "mm_text.h"
#include "number.h"
#include "triplets.h"
#define PSB_TEMPLATE "mm_block.t.h"
#include "psb_each_type.h"

/* Read a number of type R. */
#define SCAN_REAL _Generic((R)0, float : psb_scan_float, double : psb_scan_double)
#endif
