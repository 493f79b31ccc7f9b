/* bytes.h -- util: the bytes of a file, plain, gzip or xz. */
#ifndef PSB_BYTES_H
#define PSB_BYTES_H
#include "psb_err.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { PSB_CHUNK = 1 << 16 };

/* Bytes to be read, and the space for those written: a step takes some from `in` and writes some at `out`. */
struct psb_stream {
    const unsigned char *in;
    size_t left;
    char *out;
    size_t space;
};

/* An open file; only bytes*.c access its members. */
struct psb_bytes {
    const char *name; /* for messages */
    FILE *file;
    double size, taken; /* bytes in the file, 0 if unknown; bytes read from it so far */
    const struct psb_compression *how;
    void *state; /* of the decompressor */
    bool regular;
    bool inside;         /* a compressed stream has begun and not ended */
    struct psb_stream z; /* z.in: bytes of the chunk that are not used yet */
    unsigned char chunk[PSB_CHUNK];
};

/* A compression format.  A file may contain several compressed streams one after the other. */
struct psb_compression {
    const char *name, *magic; /* the `length` bytes at the beginning of every file in the format */
    size_t length;
    const char *ending; /* of the names of such files */
    const char *lacks;  /* name of the library if this build lacks it; the members below are then NULL */
    const char *(*version)(void); /* of the library */
    psb_err (*begin)(struct psb_bytes *b);
    /* Decompress some of b->z.  At the end of the stream set inside to false.  Returns NULL, or the text of
     * an error. */
    const char *(*step)(struct psb_bytes *b);
    void (*end)(struct psb_bytes *b);
    /* Create *state, which packs one stream.  PSB_ENOMEM, which names `path`. */
    psb_err (*pack_begin)(void **state, const char *path);
    /* Pack some of *z, with `last` up to the end of the stream; there is more to do if no space is left.
     * Return 0, or an errno. */
    int (*pack)(void *state, struct psb_stream *z, bool last);
    void (*pack_end)(void *state);
};
extern const struct psb_compression psb_gzip, psb_xz;

/* Open the file at `path`, called `name` in messages; the compression format is found from its first bytes,
 * not from its name.  Both strings must outlive *b.  Local.  PSB_EIO, *b not set. */
PSB_MUST_CHECK psb_err psb_bytes_open(const char *path, const char *name, struct psb_bytes **b);

/* Store the next bytes at `out`: `space` bytes, or fewer at the end of the file; *got is their number. Local.
 * PSB_EIO if the file cannot be read, is cut short or damaged. */
PSB_MUST_CHECK psb_err psb_bytes_read(struct psb_bytes *b, char *out, size_t space, size_t *got);

/* Skip the next n bytes, or the remaining ones if they are fewer.  Local.  PSB_EIO as above. */
PSB_MUST_CHECK psb_err psb_bytes_skip(struct psb_bytes *b, int64_t n);

/* Returns whether `path` is a pipe, a terminal or another file that is neither regular nor a folder.  Local.
 */
bool psb_bytes_is_pipe(const char *path);

/* If `path` is such a file, read it now, and let this process open the copy instead, one opening at a time,
 * until psb_bytes_drop.  The string must live as long.  One file is kept at a time.  Local.  PSB_EIO. */
PSB_MUST_CHECK psb_err psb_bytes_keep(const char *path);
void psb_bytes_drop(void);

/* Returns the size of the file on disk in bytes, compressed or not; -1 if it is not a regular file, so that
 * several processes cannot read it.  Local. */
int64_t psb_bytes_size(const struct psb_bytes *b);

/* Returns the part of the file that was read, 0 .. 1; negative if its size is unknown.  Local. */
double psb_bytes_fraction(const struct psb_bytes *b);

/* Close the file; b may be NULL.  Local. */
void psb_bytes_close(struct psb_bytes *b);
#endif
