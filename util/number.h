/* number.h -- room: util.  Parser of numbers, rounded correctly in every locale. */
#ifndef PSB_NUMBER_H
#define PSB_NUMBER_H
#include <locale.h>
#include <stdint.h>

enum psb_scan {
    PSB_SCAN_OK,
    PSB_SCAN_NONE, /* no number: *p and *x are unchanged */
    PSB_SCAN_RANGE /* *x cannot hold the number; *p is past it */
};

/* Read a decimal integer, optionally signed, at *p and move *p past it.  A character that is not part of a
 * number must follow in memory, and 8 readable characters.  Local. */
enum psb_scan psb_scan_int(const char **p, int64_t *x);

/* Read a real number at *p, such as `1`, `-.5`, `2.e-3`, `inf`, `-Infinity`, `NaN`, and move *p past it; `c`
 * is the "C" locale.  *x is the nearest value, ties to even; a number too small for *x becomes 0 or
 * subnormal, one too large gives PSB_SCAN_RANGE and infinity.  A character that is not part of a number must
 * follow in memory.  Local. */
enum psb_scan psb_scan_double(const char **p, locale_t c, double *x);

/* The same, rounded once, to single precision.  Local. */
enum psb_scan psb_scan_float(const char **p, locale_t c, float *x);

/* If `word`, in lower case, is at *p in any case, move *p past it and return 1; else return 0.  Local. */
int psb_scan_word(const char **p, const char *word);
#endif
