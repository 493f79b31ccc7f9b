/* bytes_gzip.c -- room: util.  gzip files read and written with zlib. */
#include "config.h"
#include "bytes.h"
#ifdef HAVE_ZLIB
#include "psb_alloc.h"
#include <errno.h>
#include <zlib.h>

/* argument of inflateInit2 and deflateInit2: the widest window, a gzip header */
enum { GZIP_ONLY = 15 + 16 };

static psb_err begin(struct psb_bytes *b)
{
    if (b->state)
        return inflateReset(b->state) == Z_OK ? PSB_OK : PSB_FAIL(PSB_EIO, "%s: zlib fails", b->name);
    z_stream *z;
    PSB_TRY(psb_alloc_zero(&z, 1, sizeof *z, "gzip state"));
    if (inflateInit2(z, GZIP_ONLY) != Z_OK) {
        psb_free(z);
        return PSB_FAIL(PSB_ENOMEM, "%s: zlib cannot start", b->name);
    }
    b->state = z;
    return PSB_OK;
}

static const char *step(struct psb_bytes *b, char **out, size_t *room)
{
    z_stream *z = b->state;
    z->next_in = (Bytef *)b->next;
    z->avail_in = (uInt)b->left;
    z->next_out = (Bytef *)*out;
    z->avail_out = *room < PSB_CHUNK ? (uInt)*room : PSB_CHUNK;
    int said = inflate(z, Z_NO_FLUSH);
    b->next = z->next_in;
    b->left = z->avail_in;
    *room -= (size_t)((char *)z->next_out - *out);
    *out = (char *)z->next_out;
    b->inside = said != Z_STREAM_END;
    if (said == Z_OK || said == Z_STREAM_END)
        return NULL;
    return said == Z_BUF_ERROR ? "are cut short" : said == Z_MEM_ERROR ? "need more memory" : "are damaged";
}

static void end(struct psb_bytes *b)
{
    if (b->state)
        inflateEnd(b->state);
    psb_free(b->state);
}

static psb_err pack_begin(void **state, const char *path)
{
    z_stream *z;
    PSB_TRY(psb_alloc_zero(&z, 1, sizeof *z, "gzip state"));
    if (deflateInit2(z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, GZIP_ONLY, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
        psb_free(z);
        return PSB_FAIL(PSB_ENOMEM, "%s: zlib cannot start", path);
    }
    *state = z;
    return PSB_OK;
}

static int pack(void *state, const void *p, size_t n, int last, FILE *to)
{
    z_stream *z = state;
    unsigned char out[PSB_CHUNK / 4];
    z->next_in = (Bytef *)p;
    z->avail_in = (uInt)n;
    do {
        z->next_out = out;
        z->avail_out = sizeof out;
        if (deflate(z, last ? Z_FINISH : Z_NO_FLUSH) == Z_STREAM_ERROR)
            return EIO;
        size_t made = sizeof out - z->avail_out;
        if (fwrite(out, 1, made, to) < made)
            return errno;
    } while (z->avail_out == 0);
    return 0;
}

static void pack_end(void *state)
{
    deflateEnd(state);
    psb_free(state);
}

const struct psb_packing psb_packing_gzip = {
    .name = "gzip",
    .magic = "\x1f\x8b",
    .length = 2,
    .ending = ".gz",
    .begin = begin,
    .step = step,
    .end = end,
    .pack_begin = pack_begin,
    .pack = pack,
    .pack_end = pack_end,
};
#else
const struct psb_packing psb_packing_gzip = {
    .name = "gzip", .magic = "\x1f\x8b", .length = 2, .ending = ".gz", .lacks = "zlib"
};
#endif
