/* psb_ext_format.h -- ext: the formats of ext, for authors of formats and for molds with parameters of one's
 * own. */
#ifndef PSB_EXT_FORMAT_H
#define PSB_EXT_FORMAT_H
#include "psb_ext.h"
#include "psb_format.h"
#include "psb_hacks.h"
enum { PSB_BSR_MOST = 32 };    /* rows, and columns, of a block, at most */
enum { PSB_CSRS_BLOCKS = 64 }; /* of rows, at most, in products of a half */

/* Number of entries per row that HYB keeps in ELL.  PSB_HYB_AUTO: the largest number that at least a third of
 * the rows, and at least 4096 rows, have; with fewer than 6144 rows, two thirds of them instead of 4096.
 * (This is Bell and Garland's rule, except that theirs uses 4096 for few rows, too, which keeps a GPU busy
 * but leaves small matrices to COO.)  PSB_HYB_USER: the mold's `width`.  PSB_HYB_MAX: all entries. */
enum psb_hyb { PSB_HYB_AUTO, PSB_HYB_USER, PSB_HYB_MAX };

/* How CSRN stores the numbers of a matrix, rounded to the nearest, ties to even: in the fewest bytes that
 * hold all of them exactly, but for the sign of an imaginary part that is 0; in 1, 2, 2 and 4 bytes; as they
 * are. */
enum psb_values {
    PSB_VALUES_EXACT,
    PSB_VALUES_INT8,
    PSB_VALUES_HALF,     /* binary16: 11 digits, up to 65504 */
    PSB_VALUES_BFLOAT16, /* 8 digits, the range of single precision */
    PSB_VALUES_SINGLE,
    PSB_VALUES_FULL
};

#define PSB_TEMPLATE "psb_ext.t.h"
#include "psb_each_type.h"
PSB_BEGIN_C
PSB_SHORT_NAMES(hll_mat);
PSB_SHORT_NAMES(hdia_mat);
PSB_SHORT_NAMES(bsr_mat);
PSB_SHORT_NAMES(hyb_mat);
PSB_SHORT_NAMES(csrs_mat);
PSB_SHORT_NAMES(csrn_mat);
PSB_END_C
#endif
