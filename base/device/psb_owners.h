/* psb_owners.h -- room: base/device.  How the values of a row with several owners are combined. */
#ifndef PSB_OWNERS_H
#define PSB_OWNERS_H

/* What psb_ovrl stores in a row with several owners: the value it has; the sum over the owners; that sum
 * divided by their number, or by its square root; the sum on the lowest owner and 0 on the others. */
typedef enum psb_ovrl { PSB_OVRL_NONE, PSB_OVRL_SUM, PSB_OVRL_AVG, PSB_OVRL_SQRT, PSB_OVRL_ZERO } psb_ovrl;
#endif
