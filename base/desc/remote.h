/* remote.h -- base/desc: entries of rows owned elsewhere, kept until they are sent to their owners. */
#ifndef PSB_REMOTE_H
#define PSB_REMOTE_H
#include "coll.h"
#include "psb_desc.h"

/* Records of `size` bytes each; the first member of a record is its global row, counted from 0. */
struct psb_remote {
    size_t size;
    psb_epk n, cap;
    char *rec;
};

/* Check a mode for rows distributed by d: PSB_EARG for an unknown one, PSB_ENOTIMPL for PSB_REMOTE_SEND if a
 * row has several owners.  Local. */
PSB_MUST_CHECK psb_err psb_remote_check(const psb_desc *d, enum psb_remote_mode mode);

/* PSB_EARG for g, element k of the argument `name`, a row owned elsewhere, in mode PSB_REMOTE_REFUSE; PSB_OK
 * in other modes.  `call` is the one that sets the mode.  Local. */
PSB_MUST_CHECK psb_err psb_remote_refuse(enum psb_remote_mode mode, psb_epk k, psb_lpk g, const char *name,
                                         const char *call);

/* Allocate space for n more records.  Local. */
PSB_MUST_CHECK psb_err psb_remote_reserve(struct psb_remote *r, psb_epk n);

/* Add a record, for which space was reserved.  Local. */
void psb_remote_push(struct psb_remote *r, const void *rec);

/* Send every record to the owner of its row, the lowest of several; the records for this process are received
 * in (*in)[0..*nin), one message for each sender, freed by psb_msgs_free.  r keeps its records.  Collective.
 */
PSB_MUST_CHECK psb_err psb_remote_send(const struct psb_remote *r, const psb_desc *d, struct psb_msg **in,
                                       int *nin);

/* Store in *r a new copy of `of`; `of` NULL leaves *r as it is.  Local. */
PSB_MUST_CHECK psb_err psb_remote_copy(struct psb_remote **r, const struct psb_remote *of);

void psb_remote_free(struct psb_remote *r);
#endif
