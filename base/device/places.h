/* places.h -- base/device: the places of sparse vectors. */
#ifndef PLACES_H
#define PLACES_H
#include "psb_format.h"

/* Check the members of v but the list; then the list, of which idx is a copy that is current on the device of
 * idx, if it has one: *order as for the slot sparse_check. */
PSB_MUST_CHECK psb_err psb_sparse_members(const struct psb_sparse *v);
PSB_MUST_CHECK psb_err psb_sparse_list(const struct psb_sparse *v, bool distinct, struct psb_dual *idx,
                                       psb_sparse_order *order);
#endif
