/* bytes_xz.c -- util: xz files read and written with liblzma. */
#include "config.h"
#include "bytes.h"
#ifdef HAVE_LZMA
#include "psb_alloc.h"
#include <errno.h>
#include <lzma.h>

enum { MOST_XZ_MEMORY = 1 << 30 }; /* xz -9 needs 65 MiB; a damaged header may request any size */

/* Take bytes from z->in and put bytes to z->out. */
static lzma_ret run_lzma(lzma_stream *s, lzma_action action, struct psb_stream *z)
{
    s->next_in = z->in;
    s->avail_in = z->left;
    s->next_out = (uint8_t *)z->out;
    s->avail_out = z->space;
    const lzma_ret said = lzma_code(s, action);
    z->in = s->next_in;
    z->left = s->avail_in;
    z->out = (char *)s->next_out;
    z->space = s->avail_out;
    return said;
}

static psb_err xz_begin(struct psb_bytes *b)
{
    if (!b->state) {
        lzma_stream *s;
        PSB_TRY(psb_alloc(&s, 1, sizeof *s, "xz state"));
        *s = (lzma_stream)LZMA_STREAM_INIT;
        b->state = s;
    }
    PSB_CHECK(lzma_stream_decoder(b->state, MOST_XZ_MEMORY, 0) == LZMA_OK, PSB_ENOMEM,
              "%s: liblzma cannot start", b->name);
    return PSB_OK;
}

static const char *xz_step(struct psb_bytes *b)
{
    const lzma_ret said = run_lzma(b->state, LZMA_RUN, &b->z);
    b->inside = said != LZMA_STREAM_END;
    if (said == LZMA_OK || said == LZMA_STREAM_END)
        return NULL;
    if (said == LZMA_BUF_ERROR)
        return "are cut short";
    return said == LZMA_MEM_ERROR || said == LZMA_MEMLIMIT_ERROR ? "need more memory" : "are damaged";
}

static void xz_end(struct psb_bytes *b)
{
    if (b->state)
        lzma_end(b->state);
    psb_free(b->state);
}

static psb_err xz_pack_begin(void **state, const char *path)
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

static int xz_pack(void *state, struct psb_stream *z, bool last)
{
    const lzma_ret said = run_lzma(state, last ? LZMA_FINISH : LZMA_RUN, z);
    if (said == LZMA_OK || said == LZMA_STREAM_END || said == LZMA_BUF_ERROR)
        return 0;
    return said == LZMA_MEM_ERROR ? ENOMEM : EIO;
}

static void xz_pack_end(void *state)
{
    lzma_end(state);
    psb_free(state);
}

const struct psb_compression psb_xz = {
    .name = "xz",
    .magic = "\xfd\x37\x7a\x58\x5a\0",
    .length = 6,
    .ending = ".xz",
    .version = lzma_version_string,
    .begin = xz_begin,
    .step = xz_step,
    .end = xz_end,
    .pack_begin = xz_pack_begin,
    .pack = xz_pack,
    .pack_end = xz_pack_end,
};
#else
const struct psb_compression psb_xz = {
    .name = "xz", .magic = "\xfd\x37\x7a\x58\x5a\0", .length = 6, .ending = ".xz", .lacks = "liblzma"
};
#endif
