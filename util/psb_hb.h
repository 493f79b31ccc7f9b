/* psb_hb.h -- util: the header of a Harwell-Boeing file. */
#ifndef PSB_HB_H
#define PSB_HB_H
#include "psb_mm.h"
#include "psb_lang.h"
PSB_BEGIN_C

typedef struct psb_hb_header {
    struct psb_mm_header mm; /* sizes, field, symmetry; `array` is 0 */
    char title[73], key[9];
    psb_lpk nrhs;         /* right-hand sides, each of m numbers; 0: none, or none stored in full */
    bool guess, solution; /* the file has nrhs starting guesses; solutions */
} psb_hb_header;

/* Read the header of the Harwell-Boeing file at `path`, plain, gzip or xz; psb_hb.t.h says what is accepted.
 * Local. PSB_EIO, and *info is not set, if the file cannot be read or the header is wrong. */
PSB_MUST_CHECK psb_err psb_hb_info(const char *path, struct psb_hb_header *info);

/* Returns whether the file name has an extension of Harwell-Boeing or Rutherford-Boeing: .hb, .rb, or the
 * three letters of a type as in .rua, optionally followed by .gz or .xz.  Local. */
bool psb_hb_named(const char *path);
PSB_END_C
#endif
