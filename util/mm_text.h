/* mm_text.h -- room: util.  The parts of a Matrix Market file that know no scalar. */
#ifndef PSB_MM_TEXT_H
#define PSB_MM_TEXT_H
#include "psb_mm.h"
#include "textfile.h"

/* Open the file and read its banner and size line; `in` is then before the first entry.  Local.
 * PSB_EIO, PSB_ENOMEM; nothing is then left open. */
PSB_MUST_CHECK psb_err psb_mm_open(const char *path, struct psb_text *in, struct psb_mm_info *info);

/* Go to entry k, counted from 0; *p is its first character.  Local.  PSB_EIO where the file ends first. */
PSB_MUST_CHECK psb_err psb_mm_entry(struct psb_text *in, const struct psb_mm_info *info, psb_epk k,
                                    const char **p);

/* Read an index between 1 and `max` at *p, move *p past it; *x is the index from 0.  Local.  PSB_EIO. */
PSB_MUST_CHECK psb_err psb_mm_index(const struct psb_text *in, const char **p, const char *what, psb_lpk max,
                                    psb_lpk *x);

/* All entries were read; nothing may follow.  Local.  PSB_EIO. */
PSB_MUST_CHECK psb_err psb_mm_end(struct psb_text *in, const struct psb_mm_info *info);
#endif
