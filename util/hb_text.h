/* hb_text.h -- room: util.  The parts of reading Harwell-Boeing files that do not depend on the scalar. */
#ifndef PSB_HB_TEXT_H
#define PSB_HB_TEXT_H
#include "psb_hb.h"
#include "textfile.h"

enum { PSB_HB_WIDTH = 128 }; /* no field is wider */

/* A Fortran format such as (10I8) or (1P,4E20.13). */
struct psb_hb_format {
    int repeat, width; /* fields in a line, characters in a field */
    int digits;        /* digits after a point that is not written */
    int scale;         /* scale factor of numbers written without exponent */
    int real;
};

struct psb_hb {
    struct psb_text in;
    struct psb_hb_header info;
    psb_epk lines_rhs; /* lines of right-hand sides */
    struct psb_hb_format ptr, ind, val, rhs;
    const struct psb_hb_format *f; /* format of the field read last */
    int in_words;                  /* the fields of the line do not keep to the columns of the format */
    int k;                         /* number of the next field in its line */
    const char *p, *eol;           /* rest of the line, and its end */
};

/* Open the file and read its header; h->in is then before the column pointers.  Local.  PSB_EIO, PSB_ENOMEM;
 * after an error nothing is open. */
PSB_MUST_CHECK psb_err psb_hb_open(const char *path, struct psb_hb *h);

/* Begin fields of format f on a new line.  Local.  PSB_EIO if the current line has more. */
PSB_MUST_CHECK psb_err psb_hb_begin(struct psb_hb *h, const struct psb_hb_format *f);

/* The next field is on a new line if the rest of the current one is blank.  Local. */
void psb_hb_next_block(struct psb_hb *h);

/* Read an integer between least and most; `what` names it.  Local.  PSB_EIO. */
PSB_MUST_CHECK psb_err psb_hb_integer(struct psb_hb *h, const char *what, int64_t least, int64_t most,
                                      int64_t *x);

/* Store the next field in `text`, a real number in the syntax of psb_scan_double: exponent E, and a point
 * where the format implies one.  Local.  PSB_EIO. */
PSB_MUST_CHECK psb_err psb_hb_real(struct psb_hb *h, const char *what, char text[PSB_HB_WIDTH + 32]);

/* Only blank lines may follow.  Local.  PSB_EIO. */
PSB_MUST_CHECK psb_err psb_hb_end(struct psb_hb *h);
#endif
