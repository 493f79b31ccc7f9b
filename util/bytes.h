/* bytes.h -- room: util.  The bytes of a file, whether it is plain, gzip or xz. */
#ifndef PSB_BYTES_H
#define PSB_BYTES_H
#include "psb_err.h"
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { PSB_CHUNK = 1 << 16 };

/* An open file; bytes_*.c and nobody else look inside. */
struct psb_bytes {
    const char *name; /* for messages */
    FILE *file;
    double size, taken; /* bytes in the file, 0 where unknown; bytes read from it so far */
    const struct psb_packing *how;
    void *state; /* what the packing keeps */
    int regular;
    int inside;                /* a packed stream has begun and not ended */
    const unsigned char *next; /* read and not used yet: `left` bytes of the chunk */
    size_t left;
    unsigned char chunk[PSB_CHUNK];
};

/* A way to pack bytes.  A file holds packed streams one after the other. */
struct psb_packing {
    const char *name, *magic; /* the bytes every file of the kind begins with, `length` of them */
    size_t length;
    const char *lacks; /* the library this build lacks; then the three below are NULL */
    psb_err (*begin)(struct psb_bytes *b);
    /* Turn some of the `left` bytes at `next` into some of the `*room` bytes at `*out`, moving all four;
     * at the end of the stream set inside to 0.  NULL, or what is wrong in words. */
    const char *(*step)(struct psb_bytes *b, char **out, size_t *room);
    void (*end)(struct psb_bytes *b);
};
extern const struct psb_packing psb_packing_gzip, psb_packing_xz;

/* Open the file at `path`, known as `name` in messages; its first bytes, not its name, tell the
 * packing.  Both strings must outlive *b.  Local.  PSB_EIO, *b not set. */
PSB_MUST_CHECK psb_err psb_bytes_open(const char *path, const char *name, struct psb_bytes **b);

/* Store the next bytes at `out`: as many as `room`, or fewer at the end of the file; *got says how many.
 * Local.  PSB_EIO where the file cannot be read, is cut short or damaged. */
PSB_MUST_CHECK psb_err psb_bytes_read(struct psb_bytes *b, char *out, size_t room, size_t *got);

/* Pass by the next n bytes, or those there are.  Local.  PSB_EIO as above. */
PSB_MUST_CHECK psb_err psb_bytes_skip(struct psb_bytes *b, int64_t n);

/* Bytes in the file as it lies there, packed or not; -1 where it is no regular file, so that several
 * processes cannot read it.  Local. */
int64_t psb_bytes_size(const struct psb_bytes *b);

/* The part of the file that was read, 0 .. 1; negative where its size is unknown.  Local. */
double psb_bytes_fraction(const struct psb_bytes *b);

/* Close; NULL is fine.  Local. */
void psb_bytes_close(struct psb_bytes *b);
#endif
