/* number.h -- room: util.  Numbers read from text: rounded correctly, whatever the locale. */
#ifndef PSB_NUMBER_H
#define PSB_NUMBER_H
#include <locale.h>
#include <stdint.h>

enum psb_scan {
    PSB_SCAN_OK,
    PSB_SCAN_NONE, /* no number here: *p and *x are as they were */
    PSB_SCAN_RANGE /* a number that *x cannot hold: *p is past it */
};

/* Read an integer in decimal at *p, a sign allowed, and move *p past it.  A character that is no
 * part of a number must follow in memory, and 8 that can be read.  Local. */
enum psb_scan psb_scan_int(const char **p, int64_t *x);

/* Read a real number at *p, `1`, `-.5`, `2.e-3`, `inf`, `-Infinity`, `NaN`, and move *p past it; `c` is
 * the "C" locale.  *x is the nearest value, ties to even; a number too small for it becomes 0 or
 * subnormal, one too large gives PSB_SCAN_RANGE and infinity.  Some character that is no part of a
 * number must follow in memory.  Local. */
enum psb_scan psb_scan_double(const char **p, locale_t c, double *x);

/* The same, rounded once, to single precision.  Local. */
enum psb_scan psb_scan_float(const char **p, locale_t c, float *x);

/* If `word`, lower case, stands at *p in whatever case, move *p past it and return 1; else 0.  Local. */
int psb_scan_word(const char **p, const char *word);
#endif
