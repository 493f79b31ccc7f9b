/* hb_text.h -- util: the parts of reading Harwell-Boeing files that do not depend on the scalar. */
#ifndef PSB_HB_TEXT_H
#define PSB_HB_TEXT_H
#include "fortran.h"
#include "psb_hb.h"
#include "textfile.h"

struct psb_hb {
    struct psb_text in;
    struct psb_hb_header info;
    psb_epk lines_rhs;  /* lines of right-hand sides that the header declares */
    psb_epk values_end; /* number of the last line of the matrix; set by the caller */
    struct psb_format ptr, ind, val, rhs;
    const struct psb_format *f; /* format of the field read last */
    int later;                  /* the line is not the first of its format; -1 before the first one */
    bool in_words;              /* the fields of the line do not keep to the columns of the format */
    int k, number;              /* the next field in the format; fields of the line read so far */
    const char *p, *eol;        /* rest of the line, and its end */
};

/* Open the file and read its header; h->in is then before the column pointers.  Local.  PSB_EIO, PSB_ENOMEM;
 * after an error nothing is open. */
PSB_MUST_CHECK psb_err psb_hb_open(const char *path, struct psb_hb *h);

/* Begin fields of format f on a new line.  Local.  PSB_EIO if the current line has more. */
PSB_MUST_CHECK psb_err psb_hb_begin(struct psb_hb *h, const struct psb_format *f);

/* The next field is on a new line if the rest of the current one is blank.  Local. */
void psb_hb_next_block(struct psb_hb *h);

/* Read an integer between least and most; `what` names it.  Local.  PSB_EIO. */
PSB_MUST_CHECK psb_err psb_hb_integer(struct psb_hb *h, const char *what, int64_t least, int64_t most,
                                      int64_t *x);

/* Store the next field in `text`, a real number in the syntax of psb_scan_double: exponent E, and a point
 * where the format implies one.  Local.  PSB_EIO. */
PSB_MUST_CHECK psb_err psb_hb_real(struct psb_hb *h, const char *what, char text[PSB_FIELD_WIDTH + 32]);

/* Check that the right-hand sides have as many lines as declared, and that only blank lines follow; without
 * any, that only blank lines follow the matrix.  Local.  PSB_EIO. */
PSB_MUST_CHECK psb_err psb_hb_end(struct psb_hb *h);
#endif
