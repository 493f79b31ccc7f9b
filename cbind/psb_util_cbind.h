/* psb_util_cbind.h -- cbind: PSBLAS's C interface: files, and conversions of indices. */
#ifndef PSB_UTIL_CBIND_
#define PSB_UTIL_CBIND_
#include "psb_base_cbind.h"
PSB_C_BEGIN

/* Point ijk[0..modes) of a box of sizes[0..modes), and its number, where the first coordinate changes
 * fastest; numbers and coordinates count from base.  The remainders of the division are stored for a number
 * outside the box, and a point outside has a number too.  PSB_ERR_ERROR, and no error, if a size is 0. Local.
 */
psb_i_t psb_c_i_idx2ijk(psb_i_t ijk[], psb_i_t idx, psb_i_t sizes[], psb_i_t modes, psb_i_t base);
psb_i_t psb_c_l_idx2ijk(psb_i_t ijk[], psb_l_t idx, psb_i_t sizes[], psb_i_t modes, psb_i_t base);
psb_i_t psb_c_i_ijk2idx(psb_i_t ijk[], psb_i_t sizes[], psb_i_t modes, psb_i_t base);
psb_l_t psb_c_l_ijk2idx(psb_i_t ijk[], psb_i_t sizes[], psb_i_t modes, psb_i_t base);

/* Split n >= 0 indices from base into np >= 1 even blocks: block p is v[p] <= i < v[p+1]; v has indexsize >=
 * np + 1 elements.  PSB_ERR_ERROR, and no error, for other arguments.  Local. */
psb_i_t psb_c_dist1didx(psb_i_t n, psb_i_t np, psb_i_t base, psb_i_t indexsize, psb_i_t v[]);
PSB_C_END
#endif
