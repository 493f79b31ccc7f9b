/* pieces.h -- base/par: long messages sent in pieces. */
#ifndef PSB_PIECES_H
#define PSB_PIECES_H
#include "psb_ctxt.h"

/* The largest message in bytes: a longer one is sent in pieces of this size. */
enum { PSB_PIECE = 1 << 24 };

/* Return the size of a piece in bytes.  Local. */
size_t psb_piece(void);

/* Return the number of pieces of a message of `bytes` bytes.  Local. */
size_t psb_pieces(size_t bytes);

/* Return the length in bytes of the piece that begins at offset `at` < bytes.  Local. */
int psb_piece_length(size_t bytes, size_t at);

/* Return PSB_PIECE bytes in which a message that is dropped can be received.  Open MPI 4 writes beyond a
 * buffer that truncates a long message, so the whole message must fit.  Local. */
void *psb_nowhere(void);

/* Send (receive) `bytes` bytes at p in pieces on the inner communicator, and wait until they have left
 * (arrived).  PSB_EMPI.  Local. */
PSB_MUST_CHECK psb_err psb_send_pieces(psb_ctxt *c, const void *p, size_t bytes, int to, int tag);
PSB_MUST_CHECK psb_err psb_recv_pieces(psb_ctxt *c, void *p, size_t bytes, int from, int tag);

/* Receive `bytes` bytes in pieces and drop them.  Local. */
void psb_drop_pieces(psb_ctxt *c, size_t bytes, int from, int tag);
#endif
