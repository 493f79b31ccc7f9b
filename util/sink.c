/* sink.c -- util: a text file being written, packed if the ending of its name asks for it. */
#include "config.h"
#include "sink.h"
#include "psb_alloc.h"
#include <errno.h>
#include <stdarg.h>
#include <string.h>

enum { LONGEST_PRINT = 1100 }; /* bytes of a line */

static psb_err start_sink(struct psb_sink *s)
{
    static const struct psb_compression *const all[] = { &psb_gzip, &psb_xz };
    const size_t length = strlen(s->path);
    for (int i = 0; i < 2; i++) {
        const size_t n = strlen(all[i]->ending);
        if (length > n && strcmp(s->path + length - n, all[i]->ending) == 0)
            s->how = all[i];
    }
    if (s->how) {
        PSB_CHECK(!s->how->lacks, PSB_ENOTIMPL, "%s: a %s file, and this build lacks %s", s->path,
                  s->how->name, s->how->lacks);
        PSB_TRY(psb_alloc(&s->chunk, PSB_CHUNK, 1, "text to pack"));
        PSB_TRY(s->how->pack_begin(&s->state, s->path));
    }
    s->file = fopen(s->path, "w");
    PSB_CHECK(s->file, PSB_EIO, "%s: cannot be written: %s", s->path, strerror(errno));
    return PSB_OK;
}

static void stop_sink(struct psb_sink *s)
{
    if (s->state)
        s->how->pack_end(s->state);
    psb_free(s->chunk);
    s->file = NULL;
}

psb_err psb_sink_open(struct psb_sink *s, const char *path)
{
    *s = (struct psb_sink){ .path = path };
    psb_err e = start_sink(s);
    if (e != PSB_OK)
        stop_sink(s);
    return PSB_PASS(e);
}

/* Pack the chunk, and write what is packed. */
static void pack_chunk(struct psb_sink *s, bool last)
{
    char out[PSB_CHUNK / 4];
    struct psb_stream z = { .in = (unsigned char *)s->chunk, .left = s->n };
    do {
        z.out = out;
        z.space = sizeof out;
        if (!s->why)
            s->why = s->how->pack(s->state, &z, last);
        if (!s->why)
            s->why = fwrite(out, 1, sizeof out - z.space, s->file) < sizeof out - z.space ? errno : 0;
    } while (!s->why && z.space == 0);
    s->n = 0;
}

void psb_sink_write(struct psb_sink *s, const void *p, size_t n)
{
    const char *from = p;
    if (s->why)
        return;
    if (!s->how) {
        s->why = fwrite(p, 1, n, s->file) < n ? errno : 0;
        return;
    }
    for (size_t some; n > 0; from += some, n -= some) {
        some = n < PSB_CHUNK - s->n ? n : PSB_CHUNK - s->n;
        memcpy(s->chunk + s->n, from, some);
        s->n += some;
        if (s->n == PSB_CHUNK)
            pack_chunk(s, false);
    }
}

void psb_sink_print(struct psb_sink *s, const char *fmt, ...)
{
    char line[LONGEST_PRINT];
    va_list args;
    va_start(args, fmt);
    int n = vsnprintf(line, sizeof line, fmt, args);
    va_end(args);
    psb_sink_write(s, line, n < LONGEST_PRINT ? (size_t)n : LONGEST_PRINT - 1);
}

psb_err psb_sink_close(struct psb_sink *s, psb_err before)
{
    if (s->how)
        pack_chunk(s, true);
    if (fclose(s->file) != 0 && !s->why)
        s->why = errno;
    const int why = s->why;
    stop_sink(s);
    PSB_TRY(before);
    PSB_CHECK(!why, PSB_EIO, "%s: cannot be written: %s", s->path, strerror(why));
    return PSB_OK;
}
