/* bytes.c -- room: util.  The bytes of a file, plain, gzip or xz. */
#include "config.h"
#include "bytes.h"
#include "psb_alloc.h"
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

static psb_err refill(struct psb_bytes *b)
{
    if (b->left)
        return PSB_OK;
    b->next = b->chunk;
    b->left = fread(b->chunk, 1, PSB_CHUNK, b->file);
    b->taken += (double)b->left;
    PSB_CHECK(b->left || !ferror(b->file), PSB_EIO, "%s: cannot be read: %s", b->name, strerror(errno));
    return PSB_OK;
}

static psb_err plain_begin(struct psb_bytes *b)
{
    (void)b;
    return PSB_OK;
}

/* A plain file has no streams: the bytes in the chunk count as a complete one, so the file may end
 * anywhere. */
static const char *plain_step(struct psb_bytes *b, char **out, size_t *room)
{
    size_t n = b->left < *room ? b->left : *room;
    memcpy(*out, b->next, n);
    b->next += n;
    b->left -= n;
    *out += n;
    *room -= n;
    b->inside = 0;
    return NULL;
}

static void plain_end(struct psb_bytes *b)
{
    (void)b;
}

static const struct psb_packing plain = {
    .name = "plain", .magic = "", .begin = plain_begin, .step = plain_step, .end = plain_end
};

static const struct psb_packing *packing(const struct psb_bytes *b)
{
    const struct psb_packing *const all[] = { &psb_packing_gzip, &psb_packing_xz, &plain };
    const struct psb_packing *const *a = all;
    while (b->left < (*a)->length || memcmp(b->next, (*a)->magic, (*a)->length))
        a++;
    return *a;
}

/* --- files that can be read only once --- */

static struct {
    const char *path;
    FILE *file; /* NULL: nothing is kept */
} kept;

int psb_bytes_is_pipe(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && !S_ISREG(about.st_mode) && !S_ISDIR(about.st_mode);
}

/* Append the rest of the file `from` to the file `to`.  Returns the errno of a failure, or 0. */
static int copy(FILE *from, FILE *to)
{
    char chunk[PSB_CHUNK];
    for (size_t n; (n = fread(chunk, 1, sizeof chunk, from)) > 0;)
        if (fwrite(chunk, 1, n, to) < n)
            return errno;
    return ferror(from) || fflush(to) != 0 ? errno : 0;
}

psb_err psb_bytes_keep(const char *path)
{
    if (kept.file || !psb_bytes_is_pipe(path))
        return PSB_OK;
    FILE *from = fopen(path, "rb"), *to = from ? tmpfile() : NULL;
    const int why = from && to ? copy(from, to) : errno;
    if (from)
        fclose(from);
    if (!why) {
        kept.path = path;
        kept.file = to;
    } else if (to) {
        fclose(to);
    }
    PSB_CHECK(!why, PSB_EIO, "%s: cannot be read%s: %s", path, from && to ? "" : " into a temporary file",
              strerror(why));
    return PSB_OK;
}

void psb_bytes_drop(void)
{
    if (kept.file)
        fclose(kept.file);
    kept.file = NULL;
}

static FILE *open_file(const char *path)
{
    if (!kept.file || strcmp(path, kept.path) != 0)
        return fopen(path, "rb");
    rewind(kept.file);
    return kept.file;
}

/* --- all files --- */

static psb_err find_packing(struct psb_bytes *b, const char *path)
{
    struct stat about;
    b->file = open_file(path);
    PSB_CHECK(b->file, PSB_EIO, "%s: cannot be opened: %s", b->name, strerror(errno));
    b->regular = fstat(fileno(b->file), &about) == 0 && S_ISREG(about.st_mode);
    b->size = b->regular ? (double)about.st_size : 0;
    PSB_TRY(refill(b));
    const struct psb_packing *how = packing(b);
    PSB_CHECK(!how->lacks, PSB_EIO, "%s: a %s file, and this build lacks %s", b->name, how->name, how->lacks);
    b->how = how;
    return PSB_OK;
}

psb_err psb_bytes_open(const char *path, const char *name, struct psb_bytes **b)
{
    struct psb_bytes *new;
    PSB_TRY(psb_alloc(&new, 1, sizeof *new, "file buffer"));
    *new = (struct psb_bytes){ .name = name, .how = &plain };
    psb_err e = find_packing(new, path);
    if (e != PSB_OK) {
        psb_bytes_close(new);
        return PSB_PASS(e);
    }
    *b = new;
    return PSB_OK;
}

psb_err psb_bytes_read(struct psb_bytes *b, char *out, size_t room, size_t *got)
{
    size_t wanted = room;
    while (room) {
        PSB_TRY(refill(b));
        if (!b->inside) {
            if (!b->left)
                break;
            PSB_TRY(b->how->begin(b));
            b->inside = 1;
        }
        const char *wrong = b->how->step(b, &out, &room);
        PSB_CHECK(!wrong, PSB_EIO, "%s: the %s data %s", b->name, b->how->name, wrong);
    }
    *got = wanted - room;
    return PSB_OK;
}

psb_err psb_bytes_skip(struct psb_bytes *b, int64_t n)
{
    char dropped[PSB_CHUNK];
    size_t got = 1;
    if (b->how == &plain && b->regular && n > (int64_t)b->left) {
        n -= (int64_t)b->left;
        b->left = 0;
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
    if (b->file && b->file != kept.file)
        fclose(b->file);
    psb_free(b);
}
