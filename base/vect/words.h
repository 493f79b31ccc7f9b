/* words.h -- room: base/vect.  Neighbours agree on an exchange before they send rows that cannot be refused.
 *
 * Each process tells each neighbour what it is about to send, or that it failed.  Who hears this in time
 * confirms it, and who does not hear it in time says so: a neighbour that comes later learns that nobody
 * waits any more. Rows are sent where both have confirmed.  Words are numbered, so that those of an exchange
 * that is over are dropped. */
#ifndef PSB_WORDS_H
#define PSB_WORDS_H
#include "psb_err.h"
#include "psb_lang.h"
#include "psb_mpi.h"
PSB_BEGIN_C

struct psb_words;

/* What became of an exchange with a neighbour: both send, it failed, or one of the two came too late. */
enum psb_word { PSB_WORD_AGREED, PSB_WORD_FAILED, PSB_WORD_LATE };

/* *w = words for exchanges with n neighbours of comm; no other messages have this tag.  Local. */
PSB_MUST_CHECK psb_err psb_words_new(MPI_Comm comm, int tag, int n, const int *rank, struct psb_words **w);
void psb_words_free(struct psb_words *w);

/* answer[j] = what became of this exchange with neighbour j, if this process is about to send `what` > 0, the
 * same number as the neighbours.  A neighbour is late if its words do not come within `seconds`.  Collective
 * over neighbours. */
PSB_MUST_CHECK psb_err psb_words_agree(struct psb_words *w, unsigned long long what, double seconds,
                                       enum psb_word *answer);

/* Tell all neighbours that this process failed in this exchange, and wait for nothing.  Collective over
 * neighbours. */
PSB_MUST_CHECK psb_err psb_words_refuse(struct psb_words *w);

PSB_END_C
#endif
