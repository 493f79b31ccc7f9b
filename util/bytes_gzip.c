/* bytes_gzip.c -- room: util.  Decompression of gzip files with zlib. */
#include "config.h"
#include "bytes.h"
#ifdef HAVE_ZLIB
#include "psb_alloc.h"
#include <zlib.h>

enum { GZIP_ONLY = 15 + 16 }; /* argument of inflateInit2: the widest window, a gzip header */

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

const struct psb_packing psb_packing_gzip = {
    .name = "gzip", .magic = "\x1f\x8b", .length = 2, .begin = begin, .step = step, .end = end
};
#else
const struct psb_packing psb_packing_gzip = {
    .name = "gzip", .magic = "\x1f\x8b", .length = 2, .lacks = "zlib"
};
#endif
