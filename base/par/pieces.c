/* pieces.c -- base/par: long messages sent in pieces. */
#include "pieces.h"
#include "ctxt.h"
#include "psb_testing.h"

static size_t piece = PSB_PIECE;
static char nowhere[PSB_PIECE]; /* takes no memory until it is written */

void *psb_nowhere(void)
{
    return nowhere;
}

size_t psb_piece(void)
{
    return piece;
}

size_t psb_set_piece(size_t bytes)
{
    size_t was = piece;
    piece = bytes;
    return was;
}

size_t psb_pieces(size_t bytes)
{
    return bytes / piece + (bytes % piece != 0);
}

int psb_piece_length(size_t bytes, size_t at)
{
    return (int)(bytes - at < piece ? bytes - at : piece);
}

psb_err psb_send_pieces(psb_ctxt *c, const void *p, size_t bytes, int to, int tag)
{
    for (size_t at = 0; at < bytes; at += piece)
        PSB_MPI(MPI_Send((const char *)p + at, psb_piece_length(bytes, at), MPI_BYTE, to, tag, c->inner));
    psb_count(c, psb_pieces(bytes), bytes);
    return PSB_OK;
}

psb_err psb_recv_pieces(psb_ctxt *c, void *p, size_t bytes, int from, int tag)
{
    for (size_t at = 0; at < bytes; at += piece)
        PSB_MPI(MPI_Recv((char *)p + at, psb_piece_length(bytes, at), MPI_BYTE, from, tag, c->inner,
                         MPI_STATUS_IGNORE));
    return PSB_OK;
}

void psb_drop_pieces(psb_ctxt *c, size_t bytes, int from, int tag)
{
    for (size_t at = 0; at < bytes; at += piece)
        MPI_Recv(nowhere, psb_piece_length(bytes, at), MPI_BYTE, from, tag, c->inner, MPI_STATUS_IGNORE);
}
