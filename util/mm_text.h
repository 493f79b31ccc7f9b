/* mm_text.h -- util: the parts of reading Matrix Market files that do not depend on the scalar. */
#ifndef PSB_MM_TEXT_H
#define PSB_MM_TEXT_H
#include "psb_mm.h"
#include "textfile.h"

/* The words for the values of enum psb_mm_field, and another one for real; of enum psb_mm_symmetry. */
extern const char *const psb_mm_fields[5], *const psb_mm_symmetries[4];

/* Open the file and read its banner and size line; `in` is then before the first entry.  Local.  PSB_EIO,
 * PSB_ENOMEM; after an error nothing is open. */
PSB_MUST_CHECK psb_err psb_mm_open(const char *path, struct psb_text *in, struct psb_mm_header *info);

/* Read an index between 1 and `max` at *p and move *p past it; *x is the index counted from 0.  Local.
 * PSB_EIO. */
PSB_MUST_CHECK psb_err psb_mm_any_index(const struct psb_text *in, const char **p, const char *what,
                                        psb_lpk max, psb_lpk *x);
static inline psb_err psb_mm_index(const struct psb_text *in, const char **p, const char *what, psb_lpk max,
                                   psb_lpk *x)
{
    enum { SURE = 18 }; /* any number of this many digits fits */
    const char *first = psb_blanks(*p), *q = first;
    psb_lpk i = 0;
    for (; *q >= '0' && *q <= '9' && q < first + SURE; q++)
        i = 10 * i + (*q - '0');
    if (!psb_is_gap(*q) || i < 1 || i > max)
        return psb_mm_any_index(in, p, what, max, x);
    *p = q;
    *x = i - 1;
    return PSB_OK;
}

/* Check, at the end of the text, that there were as many entries as declared.  Local.  PSB_EIO. */
PSB_MUST_CHECK psb_err psb_mm_enough(const struct psb_text *in, const struct psb_mm_header *info,
                                     psb_epk found);

/* Check that entry (i, j), counted from 0, of symmetric storage is in the triangle of those before,
 * *triangle: -1 lower, 1 upper, 0 not known yet.  Local.  PSB_EIO. */
PSB_MUST_CHECK psb_err psb_mm_check_triangle(const struct psb_text *in, psb_lpk i, psb_lpk j, int *triangle);
#endif
