/* fortran.h -- util: Fortran formats of numbers in columns. */
#ifndef PSB_FORTRAN_H
#define PSB_FORTRAN_H
#include <stdbool.h>

enum { PSB_FIELD_WIDTH = 128, PSB_FORMAT_FIELDS = 256 }; /* no field is wider, no line has more */

/* One number in a line. */
struct psb_field {
    short skip, width; /* columns before it that are not read; its columns */
    short digits;      /* digits after a point that is not written */
    short scale[2];    /* a number without exponent is 10^scale times the value; [1]: in later lines */
};

/* The fields of a line.  Later lines begin with field `again`, before which `outside` columns fewer are
 * skipped. */
struct psb_format {
    int n, again, outside;
    bool real; /* the fields hold real numbers, else integers */
    struct psb_field field[PSB_FORMAT_FIELDS];
};

/* Set *f to the format in `text`, in upper case and without blanks: I, F, E, ES, EN, D and G fields, all for
 * integers or all for reals, X, scale factors P, groups and repeat counts, as the Fortran standard has them.
 * Returns false if it is none, and *f is not to be used.  Local. */
bool psb_format_read(const char *text, struct psb_format *f);
#endif
