/* psb_dnsg.t.h -- room: cuda/formats.  DNS whose arrays have their second copy on the device. */
extern const struct X(dns_mat) X(dnsg_mold); /* limit 8 */
