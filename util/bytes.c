/* bytes.c -- util: the bytes of a file, plain, gzip or xz. */
#include "config.h"
#include "bytes.h"
#include "psb_alloc.h"
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

static psb_err refill_chunk(struct psb_bytes *b)
{
    if (b->z.left)
        return PSB_OK;
    b->z.in = b->chunk;
    b->z.left = fread(b->chunk, 1, PSB_CHUNK, b->file);
    b->taken += (double)b->z.left;
    PSB_CHECK(b->z.left || !ferror(b->file), PSB_EIO, "%s: cannot be read: %s", b->name, strerror(errno));
    return PSB_OK;
}

static psb_err plain_begin(struct psb_bytes *b)
{
    (void)b;
    return PSB_OK;
}

/* A plain file has no streams: the bytes in the chunk count as a complete one, so the file may end
 * anywhere. */
static const char *plain_step(struct psb_bytes *b)
{
    const size_t n = b->z.left < b->z.space ? b->z.left : b->z.space;
    memcpy(b->z.out, b->z.in, n);
    b->z.in += n;
    b->z.left -= n;
    b->z.out += n;
    b->z.space -= n;
    b->inside = false;
    return NULL;
}

static void plain_end(struct psb_bytes *b)
{
    (void)b;
}

static const struct psb_compression plain = {
    .name = "plain", .magic = "", .begin = plain_begin, .step = plain_step, .end = plain_end
};

/* --- files that can be read only once --- */

static struct {
    const char *path;
    FILE *file; /* NULL: nothing is kept */
} kept_pipe;

bool psb_bytes_is_pipe(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && !S_ISREG(about.st_mode) && !S_ISDIR(about.st_mode);
}

/* Append the rest of the file `from` to the file `to`.  Returns the errno of a failure, or 0. */
static int copy_rest(FILE *from, FILE *to)
{
    char chunk[PSB_CHUNK];
    for (size_t n; (n = fread(chunk, 1, sizeof chunk, from)) > 0;)
        if (fwrite(chunk, 1, n, to) < n)
            return errno;
    return ferror(from) || fflush(to) != 0 ? errno : 0;
}

psb_err psb_bytes_keep(const char *path)
{
    if (kept_pipe.file || !psb_bytes_is_pipe(path))
        return PSB_OK;
    FILE *from = fopen(path, "rb"), *to = from ? tmpfile() : NULL;
    const int why = from && to ? copy_rest(from, to) : errno;
    if (from)
        fclose(from);
    if (!why) {
        kept_pipe.path = path;
        kept_pipe.file = to;
    } else if (to) {
        fclose(to);
    }
    PSB_CHECK(!why, PSB_EIO, "%s: cannot be read%s: %s", path, from && to ? "" : " into a temporary file",
              strerror(why));
    return PSB_OK;
}

void psb_bytes_drop(void)
{
    if (kept_pipe.file)
        fclose(kept_pipe.file);
    kept_pipe.file = NULL;
}

/* --- all files --- */

/* Open the file, and find its compression from its first bytes. */
static psb_err open_compressed(struct psb_bytes *b, const char *path)
{
    const struct psb_compression *const all[] = { &psb_gzip, &psb_xz, &plain }, *const *how = all;
    struct stat about;
    const bool kept = kept_pipe.file && strcmp(path, kept_pipe.path) == 0;
    if (kept)
        rewind(kept_pipe.file);
    b->file = kept ? kept_pipe.file : fopen(path, "rb");
    PSB_CHECK(b->file, PSB_EIO, "%s: cannot be opened: %s", b->name, strerror(errno));
    b->regular = fstat(fileno(b->file), &about) == 0 && S_ISREG(about.st_mode);
    b->size = b->regular ? (double)about.st_size : 0;
    PSB_TRY(refill_chunk(b));
    while (b->z.left < (*how)->length || memcmp(b->z.in, (*how)->magic, (*how)->length))
        how++;
    PSB_CHECK(!(*how)->lacks, PSB_EIO, "%s: a %s file, and this build lacks %s", b->name, (*how)->name,
              (*how)->lacks);
    b->how = *how;
    return PSB_OK;
}

psb_err psb_bytes_open(const char *path, const char *name, struct psb_bytes **b)
{
    struct psb_bytes *new;
    PSB_TRY(psb_alloc(&new, 1, sizeof *new, "file buffer"));
    *new = (struct psb_bytes){ .name = name, .how = &plain };
    psb_err e = open_compressed(new, path);
    if (e == PSB_OK)
        *b = new;
    else
        psb_bytes_close(new);
    return PSB_PASS(e);
}

psb_err psb_bytes_read(struct psb_bytes *b, char *out, size_t space, size_t *got)
{
    b->z.out = out;
    b->z.space = space;
    while (b->z.space) {
        PSB_TRY(refill_chunk(b));
        if (!b->inside) {
            if (!b->z.left)
                break;
            PSB_TRY(b->how->begin(b));
            b->inside = true;
        }
        const char *wrong = b->how->step(b);
        PSB_CHECK(!wrong, PSB_EIO, "%s: the %s data %s", b->name, b->how->name, wrong);
    }
    *got = space - b->z.space;
    return PSB_OK;
}

psb_err psb_bytes_skip(struct psb_bytes *b, int64_t n)
{
    char dropped[PSB_CHUNK];
    size_t got = 1;
    if (b->how == &plain && b->regular && n > (int64_t)b->z.left) {
        n -= (int64_t)b->z.left;
        b->z.left = 0;
        b->taken += (double)n;
        PSB_CHECK(fseeko(b->file, (off_t)n, SEEK_CUR) == 0, PSB_EIO, "%s: cannot be read: %s", b->name,
                  strerror(errno));
        return PSB_OK;
    }
    for (; n > 0 && got > 0; n -= (int64_t)got)
        PSB_TRY(psb_bytes_read(b, dropped, n < PSB_CHUNK ? (size_t)n : PSB_CHUNK, &got));
    return PSB_OK;
}

int64_t psb_bytes_size(const struct psb_bytes *b)
{
    return b->regular ? (int64_t)b->size : -1;
}

double psb_bytes_fraction(const struct psb_bytes *b)
{
    return b->size > 0 ? (b->taken < b->size ? b->taken / b->size : 1) : -1;
}

void psb_bytes_close(struct psb_bytes *b)
{
    if (!b)
        return;
    b->how->end(b);
    if (b->file && b->file != kept_pipe.file)
        fclose(b->file);
    psb_free(b);
}
