/* bytes_xz.c -- room: util.  xz files read and written with liblzma. */
#include "config.h"
#include "bytes.h"
#ifdef HAVE_LZMA
#include "psb_alloc.h"
#include <errno.h>
#include <lzma.h>

enum { MOST_MEMORY = 1 << 30 }; /* xz -9 needs 65 MiB; a damaged header may request any size */

static psb_err begin(struct psb_bytes *b)
{
    if (!b->state) {
        lzma_stream *s;
        PSB_TRY(psb_alloc(&s, 1, sizeof *s, "xz state"));
        *s = (lzma_stream)LZMA_STREAM_INIT;
        b->state = s;
    }
    PSB_CHECK(lzma_stream_decoder(b->state, MOST_MEMORY, 0) == LZMA_OK, PSB_ENOMEM,
              "%s: liblzma cannot start", b->name);
    return PSB_OK;
}

static const char *step(struct psb_bytes *b, char **out, size_t *room)
{
    lzma_stream *s = b->state;
    s->next_in = b->next;
    s->avail_in = b->left;
    s->next_out = (uint8_t *)*out;
    s->avail_out = *room;
    lzma_ret said = lzma_code(s, LZMA_RUN);
    b->next = s->next_in;
    b->left = s->avail_in;
    *room = s->avail_out;
    *out = (char *)s->next_out;
    b->inside = said != LZMA_STREAM_END;
    if (said == LZMA_OK || said == LZMA_STREAM_END)
        return NULL;
    return said == LZMA_BUF_ERROR                                  ? "are cut short"
           : said == LZMA_MEM_ERROR || said == LZMA_MEMLIMIT_ERROR ? "need more memory"
                                                                   : "are damaged";
}

static void end(struct psb_bytes *b)
{
    if (b->state)
        lzma_end(b->state);
    psb_free(b->state);
}

static psb_err pack_begin(void **state, const char *path)
{
    lzma_stream *s;
    PSB_TRY(psb_alloc(&s, 1, sizeof *s, "xz state"));
    *s = (lzma_stream)LZMA_STREAM_INIT;
    if (lzma_easy_encoder(s, LZMA_PRESET_DEFAULT, LZMA_CHECK_CRC64) != LZMA_OK) {
        psb_free(s);
        return PSB_FAIL(PSB_ENOMEM, "%s: liblzma cannot start", path);
    }
    *state = s;
    return PSB_OK;
}

static int pack(void *state, const void *p, size_t n, int last, FILE *to)
{
    lzma_stream *s = state;
    unsigned char out[PSB_CHUNK / 4];
    s->next_in = p;
    s->avail_in = n;
    do {
        s->next_out = out;
        s->avail_out = sizeof out;
        lzma_ret said = lzma_code(s, last ? LZMA_FINISH : LZMA_RUN);
        if (said != LZMA_OK && said != LZMA_STREAM_END && said != LZMA_BUF_ERROR)
            return said == LZMA_MEM_ERROR ? ENOMEM : EIO;
        size_t made = sizeof out - s->avail_out;
        if (fwrite(out, 1, made, to) < made)
            return errno;
    } while (s->avail_out == 0);
    return 0;
}

static void pack_end(void *state)
{
    lzma_end(state);
    psb_free(state);
}

const struct psb_packing psb_packing_xz = {
    .name = "xz",
    .magic = "\xfd\x37\x7a\x58\x5a\0",
    .length = 6,
    .ending = ".xz",
    .begin = begin,
    .step = step,
    .end = end,
    .pack_begin = pack_begin,
    .pack = pack,
    .pack_end = pack_end,
};
#else
const struct psb_packing psb_packing_xz = {
    .name = "xz", .magic = "\xfd\x37\x7a\x58\x5a\0", .length = 6, .ending = ".xz", .lacks = "liblzma"
};
#endif
