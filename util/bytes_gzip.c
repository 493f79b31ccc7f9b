/* bytes_gzip.c -- util: gzip files read and written with zlib. */
#include "config.h"
#include "bytes.h"
#ifdef HAVE_ZLIB
#include "psb_alloc.h"
#include <errno.h>
#include <zlib.h>

/* argument of inflateInit2 and deflateInit2: the widest window, a gzip header */
enum { GZIP_ONLY = 15 + 16 };

/* Let `work`, inflate or deflate, take bytes from s->in and put bytes to s->out. */
static int run_zlib(int (*work)(z_stream *z, int flush), z_stream *z, int flush, struct psb_stream *s)
{
    z->next_in = (Bytef *)s->in;
    z->avail_in = (uInt)s->left;
    z->next_out = (Bytef *)s->out;
    z->avail_out = s->space < PSB_CHUNK ? (uInt)s->space : PSB_CHUNK;
    const int said = work(z, flush);
    s->in = z->next_in;
    s->left = z->avail_in;
    s->space -= (size_t)((char *)z->next_out - s->out);
    s->out = (char *)z->next_out;
    return said;
}

static psb_err gzip_begin(struct psb_bytes *b)
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

static const char *gzip_step(struct psb_bytes *b)
{
    const int said = run_zlib(inflate, b->state, Z_NO_FLUSH, &b->z);
    b->inside = said != Z_STREAM_END;
    if (said == Z_OK || said == Z_STREAM_END)
        return NULL;
    return said == Z_BUF_ERROR ? "are cut short" : said == Z_MEM_ERROR ? "need more memory" : "are damaged";
}

static void gzip_end(struct psb_bytes *b)
{
    if (b->state)
        inflateEnd(b->state);
    psb_free(b->state);
}

static psb_err gzip_pack_begin(void **state, const char *path)
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

static int gzip_pack(void *state, struct psb_stream *z, bool last)
{
    return run_zlib(deflate, state, last ? Z_FINISH : Z_NO_FLUSH, z) == Z_STREAM_ERROR ? EIO : 0;
}

static void gzip_pack_end(void *state)
{
    deflateEnd(state);
    psb_free(state);
}

const struct psb_compression psb_gzip = {
    .name = "gzip",
    .magic = "\x1f\x8b",
    .length = 2,
    .ending = ".gz",
    .version = zlibVersion,
    .begin = gzip_begin,
    .step = gzip_step,
    .end = gzip_end,
    .pack_begin = gzip_pack_begin,
    .pack = gzip_pack,
    .pack_end = gzip_pack_end,
};
#else
const struct psb_compression psb_gzip = {
    .name = "gzip", .magic = "\x1f\x8b", .length = 2, .ending = ".gz", .lacks = "zlib"
};
#endif
