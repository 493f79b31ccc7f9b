/* operands.h -- base/vect: check and open the vectors of one call together.  Typed sources include
 * this after psb_type.h. */
#ifndef PSB_OPERANDS_H
#define PSB_OPERANDS_H
#include <stdbool.h>

enum psb_use { PSB_USE_READ, PSB_USE_WRITE, PSB_USE_UPDATE }; /* WRITE: every owned element is overwritten */

struct operand {
    const char *name;        /* of the argument */
    const struct X(vect) *v; /* not const for the caller unless `use` is PSB_USE_READ */
    enum psb_use use;
    T *p; /* address of its elements, once opened */
};

/* Side and sizes of a call: rows, columns, elements. */
struct opened {
    enum psb_side s;
    const struct X(vec_ops) *ops;
    psb_ipk n;
    int k;
    psb_epk all;
    const struct psb_device *on; /* NULL: the host */
    double since, bytes;         /* of the record of the call; since 0: none */
};

/* Check that o[0..m) are assembled vectors of the same sizes and descriptor, and that those to be changed are
 * in no halo exchange.  Local. */
psb_err X(operands_check)(const struct operand *o, int m);

/* Check o[0..m), choose the side (the device that holds all of them, if its table has a function at offset
 * `slot`, else the host) and open them on that side.  Local. */
psb_err X(operands_open)(struct operand *o, int m, size_t slot, struct opened *w);

/* Record the call, named `name`, after its work; return e.  Local. */
psb_err X(operands_close)(const struct opened *w, const char *name, psb_err e);

/* Add v to the n operands o unless it is one of them; return their number.  Return the address of the
 * elements of v, one of the n operands opened; NULL if it is none.  Local. */
int X(operands_add)(struct operand *o, int n, const char *name, const struct X(vect) *v, enum psb_use use);
T *X(operands_find)(const struct operand *o, int n, const struct X(vect) *v);

#define SLOT(name) offsetof(struct X(vec_ops), name)
#endif
