/* psb_dnsg.t.h -- cuda/formats: DNS with a second copy of its arrays on the device. */
extern const struct X(dns_mat) X(dnsg_mold); /* limit 8 */
