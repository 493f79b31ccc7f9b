/* sink.h -- util: a text file being written, packed if the ending of its name asks for it. */
#ifndef PSB_SINK_H
#define PSB_SINK_H
#include "bytes.h"

/* An open file. */
struct psb_sink {
    const char *path; /* for messages */
    FILE *file;
    const struct psb_compression *how; /* NULL: plain */
    void *state;                       /* of the compression */
    int why;                           /* the errno of the first failure, or 0 */
    size_t n;                          /* bytes in chunk, not packed yet */
    char *chunk;                       /* PSB_CHUNK bytes; NULL for a plain file */
};

/* Create the file at `path`, packed by gzip or xz if its name ends with .gz or .xz; the string must outlive
 * *s. PSB_EIO if it cannot be created, PSB_ENOTIMPL if this build lacks the library; then *s needs no
 * closing.  Local. */
PSB_MUST_CHECK psb_err psb_sink_open(struct psb_sink *s, const char *path);

/* Write n bytes at p; a line as printf does, at most 1100 bytes.  A failure is kept for psb_sink_close.
 * Local. */
void psb_sink_write(struct psb_sink *s, const void *p, size_t n);
void psb_sink_print(struct psb_sink *s, const char *fmt, ...) PSB_PRINTF(2, 3);

/* Close the file.  `before` is an earlier error, or PSB_OK; it is returned.  PSB_EIO if something could not
 * be written.  Local. */
PSB_MUST_CHECK psb_err psb_sink_close(struct psb_sink *s, psb_err before);
#endif
