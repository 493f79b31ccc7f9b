/* scaling.h -- room: test/kernel.  The parts of the program scaling: a distributed matrix, and the phases of
 * its product.  For typed sources, after psb_type.h. */
#ifndef SCALING_H
#define SCALING_H
#include "bench.h"
#include "psb_gen.h"

/* What is timed; of a product but for REDUCTION, one dot product, and UPDATE, y = a x + b y.  MESSAGES,
 * COPIES and STAGED move as many bytes between the same neighbours without the library: messages from and to
 * the host; copies between host and device; copies, messages, copies one after the other. */
enum phase {
    PRODUCT,
    PACK,
    EXCHANGE,
    OWNED_PART,
    HALO_PART,
    REDUCTION,
    UPDATE,
    MESSAGES,
    COPIES,
    STAGED,
    PHASES
};
extern const char *const phase_name[PHASES];

/* A matrix on the processes of a context, y = A x, and room for what neighbours exchange. */
struct system {
    psb_ctxt *ctxt;
    psb_desc *desc;
    struct X(spmat) *a;
    struct X(vect) *x, *y;
    const struct psb_device *on; /* or NULL */
    psb_epk entries;             /* of all processes */
    double sum, expected;        /* over all rows of y, with weights */
    double scale;                /* the sum of the absolute values of its terms */
    void *out, *in;              /* on the host, pinned if there is a device */
    T *packed;                   /* on the device, or the host */
};

/* Distribute the rows of *g in even blocks over the processes of the context, and multiply once.  Collective.
 */
void system_make(struct system *s, psb_ctxt *ctxt, const struct psb_gen *g, const struct X(mat) *format);
void system_free(struct system *s);

/* Multiply n times more, and return how many products have other bits than the first, on any process.
 * Collective. */
int system_differs(struct system *s, int n);

/* Store the seconds of each phase on the slowest process: medians of `rounds` rounds, each of `batch`
 * repetitions of every phase.  Collective. */
void system_time(struct system *s, int rounds, int batch, double seconds[PHASES]);
#endif
