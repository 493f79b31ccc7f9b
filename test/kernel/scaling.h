/* scaling.h -- test/kernel: the parts of the program scaling: a distributed matrix, and the phases of
 * its product.  For typed sources, after psb_type.h. */
#ifndef SCALING_H
#define SCALING_H
#include "bench.h"
#include "psb_gen.h"
#include "spmat.h"

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

/* A matrix to distribute by rows: a generated one, in even blocks; or the one that was read from a file,
 * `copies` times along the diagonal, each copy distributed alike: in even blocks, or in parts by METIS. */
struct source {
    struct psb_gen g;
    struct X(triplets) t; /* of one copy; on every process */
    int copies;           /* 0: generated */
    bool metis;
};

/* Parse or read the matrix `what`; copies of a file's matrix have at least `fill` entries.  Local. */
void source_open(struct source *f, const char *what, int fill, bool metis);
void source_close(struct source *f);

/* Make the descriptor of its rows, and the entries in those of this process; the caller frees both.
 * Collective. */
void source_share(const struct source *f, psb_ctxt *ctxt, psb_desc **rows, struct X(triplets) *t);

/* A matrix on the processes of a context, y = A x, and buffers for what neighbours exchange. */
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

/* Distribute *f over the processes of the context, and multiply once.  Collective. */
void system_make(struct system *s, psb_ctxt *ctxt, const struct source *f, const struct X(mat) *format);
void system_free(struct system *s);

/* Multiply n times more, and return how many products have other bits than the first, on any process.
 * Collective. */
int system_differs(struct system *s, int n);

/* Store the seconds of each phase on the slowest process: medians of `rounds` rounds, each of `batch`
 * repetitions of every phase.  Collective. */
void system_time(struct system *s, int rounds, int batch, double seconds[PHASES]);
#endif
