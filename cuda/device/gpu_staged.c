/* gpu_staged.c -- cuda/device: copies between a GPU and pageable memory, in pieces through pinned
 * buffers: threads copy one piece between host and buffer while another is transferred. */
#include <cuda_runtime_api.h>
#include "gpu.h"
#include "gpu_tuning.h"
#include "tuning.h"
#include "psb_team.h"
#include "psb_threads.h"
#include <string.h>

void psb_cudart_stage_close(struct psb_cudart_staged *s)
{
    for (int i = 0; i < STAGE_PIECES; i++) {
        if (s->done[i])
            cudaEventDestroy(s->done[i]);
        cudaFreeHost(s->piece[i]);
        s->done[i] = NULL;
        s->piece[i] = NULL;
    }
}

static int open_pieces(struct psb_cudart_staged *s)
{
    int code = cudaSuccess;
    for (int i = 0; i < STAGE_PIECES && code == cudaSuccess; i++) {
        if (!s->piece[i])
            code = cudaMallocHost((void **)&s->piece[i], STAGE_PIECE);
        if (code == cudaSuccess && !s->done[i])
            code = cudaEventCreateWithFlags((cudaEvent_t *)&s->done[i], cudaEventDisableTiming);
    }
    return code;
}

bool psb_cudart_stages(const void *host, size_t bytes)
{
    struct cudaPointerAttributes a = { .type = cudaMemoryTypeHost };
    int code = cudaSuccess;
    if (bytes < 2 * (size_t)STAGE_PIECE)
        return false;
    code = cudaPointerGetAttributes(&a, host);
    if (code == cudaSuccess && a.type == cudaMemoryTypeUnregistered)
        code = open_pieces(psb_cudart_staged());
    if (code == cudaSuccess)
        return a.type == cudaMemoryTypeUnregistered;
    cudaGetLastError();
    psb_cudart_stage_close(psb_cudart_staged());
    return false;
}

/* --- by threads --------------------------------------------------------------------------------------- */

struct move {
    char *to;
    const char *from;
    size_t bytes;
};

static void move_part(void *job, int t, int p)
{
    const struct move *m = job;
    psb_epk a, b;
    psb_thread_range((psb_epk)((m->bytes + LINE - 1) / LINE), t, p, &a, &b);
    const size_t from = (size_t)a * LINE, end = (size_t)b * LINE < m->bytes ? (size_t)b * LINE : m->bytes;
    if (a < b)
        memcpy(m->to + from, m->from + from, end - from);
}

static void move(void *to, const void *from, size_t bytes)
{
    struct move m = { to, from, bytes };
    psb_team(psb_threads((psb_epk)(bytes / sizeof(double))), move_part, &m);
}

/* --- pieces ------------------------------------------------------------------------------------------- */

static size_t piece_at(size_t at, size_t bytes)
{
    return bytes - at < STAGE_PIECE ? bytes - at : STAGE_PIECE;
}

/* Record the event of piece i, unless code is an error. */
static int mark(int code, size_t i, cudaStream_t stream)
{
    if (code == cudaSuccess)
        code = cudaEventRecord(psb_cudart_staged()->done[i % STAGE_PIECES], stream);
    return code;
}

/* Wait for all work on the stream; return the first error. */
static int finish(int code, cudaStream_t stream)
{
    const int end = cudaStreamSynchronize(stream);
    return code != cudaSuccess ? code : end;
}

int psb_cudart_stage_put(void *dev, const void *host, size_t bytes, void *stream)
{
    const struct psb_cudart_staged *s = psb_cudart_staged();
    int code = cudaSuccess;
    for (size_t at = 0, i = 0; at < bytes && code == cudaSuccess; at += STAGE_PIECE, i++) {
        char *piece = s->piece[i % STAGE_PIECES];
        const size_t n = piece_at(at, bytes);
        if (i >= STAGE_PIECES)
            code = cudaEventSynchronize(s->done[i % STAGE_PIECES]);
        if (code == cudaSuccess) {
            move(piece, (const char *)host + at, n);
            code = cudaMemcpyAsync((char *)dev + at, piece, n, cudaMemcpyHostToDevice, stream);
        }
        code = mark(code, i, stream);
    }
    return finish(code, stream);
}

/* Start the transfer of piece i of dev to the host, if that piece exists. */
static int fetch(const void *dev, size_t i, size_t bytes, cudaStream_t stream)
{
    const size_t at = i * STAGE_PIECE;
    if (at >= bytes)
        return cudaSuccess;
    const int code = cudaMemcpyAsync(psb_cudart_staged()->piece[i % STAGE_PIECES], (const char *)dev + at,
                                     piece_at(at, bytes), cudaMemcpyDeviceToHost, stream);
    return mark(code, i, stream);
}

int psb_cudart_stage_get(void *host, const void *dev, size_t bytes, void *stream)
{
    const struct psb_cudart_staged *s = psb_cudart_staged();
    int code = cudaSuccess;
    for (size_t i = 0; i < STAGE_PIECES && code == cudaSuccess; i++)
        code = fetch(dev, i, bytes, stream);
    for (size_t at = 0, i = 0; at < bytes && code == cudaSuccess; at += STAGE_PIECE, i++) {
        code = cudaEventSynchronize(s->done[i % STAGE_PIECES]);
        if (code != cudaSuccess)
            break;
        move((char *)host + at, s->piece[i % STAGE_PIECES], piece_at(at, bytes));
        code = fetch(dev, i + STAGE_PIECES, bytes, stream);
    }
    return finish(code, stream);
}
