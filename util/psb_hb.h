/* psb_hb.h -- room: util.  What the head of a Harwell-Boeing file says. */
#ifndef PSB_HB_H
#define PSB_HB_H
#include "psb_mm.h"

struct psb_hb_info {
    struct psb_mm_info mm; /* sizes, field, symmetry; `array` is 0 */
    char title[73], key[9];
    psb_lpk nrhs;        /* right-hand sides, each of m numbers; 0: none, or none that is full */
    int guess, solution; /* as many starting guesses, solutions, follow */
};

/* Read the head of the Harwell-Boeing file at `path`, plain, gzip or xz; hb.t.h says what is accepted. Local.
 * PSB_EIO, *info not set, where the file cannot be read or the head is wrong. */
PSB_MUST_CHECK psb_err psb_hb_info(const char *path, struct psb_hb_info *info);

/* Does the file's name say that it is Harwell-Boeing or Rutherford-Boeing: .hb, .rb, or the three letters of
 * a type as in .rua, perhaps with .gz or .xz behind?  Local. */
int psb_hb_named(const char *path);
#endif
