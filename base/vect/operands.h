/* operands.h -- room: base/vect.  The vectors of one call, checked and opened together.  For typed sources, after
 * psb_type.h. */
#ifndef PSB_OPERANDS_H
#define PSB_OPERANDS_H

enum psb_use { PSB_USE_READ, PSB_USE_WRITE, PSB_USE_UPDATE }; /* WRITE: every owned element is overwritten */

struct operand {
    const char *name; /* of the argument */
    struct X(vect) *v;
    enum psb_use use;
    T *p; /* where it lies, once opened */
};

/* Where a call runs: rows, columns, elements. */
struct opened {
    enum psb_side s;
    const struct X(vec_ops) *ops;
    psb_ipk n;
    int k;
    psb_epk all;
};

/* Are they vectors, alike, assembled, and those to be changed not under way? */
psb_err X(operands_check)(const struct operand *o, int m);

/* Check them, choose the side: the device that all share if its table has the slot at that offset, else the
 * host; and open them there. */
psb_err X(operands_open)(struct operand *o, int m, size_t slot, struct opened *w);

#define SLOT(name) offsetof(struct X(vec_ops), name)
#endif
