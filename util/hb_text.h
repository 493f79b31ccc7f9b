/* hb_text.h -- room: util.  The parts of a Harwell-Boeing file that know no scalar. */
#ifndef PSB_HB_TEXT_H
#define PSB_HB_TEXT_H
#include "psb_hb.h"
#include "textfile.h"

enum { PSB_HB_WIDTH = 128 }; /* no field is wider */

/* What a Fortran format as (10I8) or (1P,4E20.13) says. */
struct psb_hb_format {
    int repeat, width; /* fields a line, characters a field */
    int digits;        /* behind a point that is not written */
    int scale;         /* of a number written without exponent */
    int real;
};

struct psb_hb {
    struct psb_text in;
    struct psb_hb_info info;
    psb_epk lines_rhs; /* lines of right-hand sides */
    struct psb_hb_format ptr, ind, val, rhs;
    const struct psb_hb_format *f; /* of the field last read, */
    int in_words;                  /* the fields of the line do not keep to its columns */
    int k;                         /* the number of the next one in its line, */
    const char *p, *eol;           /* the line from there on, and its end */
};

/* Open the file and read its head; h->in is then before the column pointers.  Local.  PSB_EIO, PSB_ENOMEM;
 * nothing is then left open. */
PSB_MUST_CHECK psb_err psb_hb_open(const char *path, struct psb_hb *h);

/* The following fields have format f and begin on a new line.  Local.  PSB_EIO where the line begun has more.
 */
PSB_MUST_CHECK psb_err psb_hb_begin(struct psb_hb *h, const struct psb_hb_format *f);

/* Read an integer between least and most; `what` names it.  Local.  PSB_EIO. */
PSB_MUST_CHECK psb_err psb_hb_integer(struct psb_hb *h, const char *what, int64_t least, int64_t most,
                                      int64_t *x);

/* Let `text` be the next field, a real number as psb_scan_double understands it: exponent E, a point where
 * the format means one.  Local.  PSB_EIO. */
PSB_MUST_CHECK psb_err psb_hb_real(struct psb_hb *h, const char *what, char text[PSB_HB_WIDTH + 32]);

/* Nothing may follow but blank lines.  Local.  PSB_EIO. */
PSB_MUST_CHECK psb_err psb_hb_end(struct psb_hb *h);
#endif
