/* number.h -- base/core: numbers read from text and written as text, the same in every locale. */
#ifndef PSB_NUMBER_H
#define PSB_NUMBER_H
#include <stdbool.h>
#include <stdint.h>

enum psb_scan {
    PSB_SCAN_OK,
    PSB_SCAN_NONE, /* no number: *p and *x are unchanged */
    PSB_SCAN_RANGE /* *x cannot hold the number; *p is past it */
};

/* Read a decimal integer, optionally signed, at *p and move *p past it.  A character that is not part of a
 * number must follow in memory, and 8 readable characters.  Local. */
enum psb_scan psb_scan_int(const char **p, int64_t *x);

/* Read a real number at *p, such as `1`, `-.5`, `2.e-3`, `inf`, `-Infinity`, `NaN`, and move *p past it.
 * *x is the nearest value, ties to even; a number too small for *x becomes 0 or
 * subnormal, one too large gives PSB_SCAN_RANGE and infinity.  A character that is not part of a number must
 * follow in memory.  Local. */
enum psb_scan psb_scan_double(const char **p, double *x);

/* The same, rounded once, to single precision.  Local. */
enum psb_scan psb_scan_float(const char **p, float *x);

/* If `word`, in lower case, is at *p in any case, move *p past it and return true; else return
 * false.  Local. */
bool psb_scan_word(const char **p, const char *word);

/* If the text is one number that *x can hold, and nothing else, store it in *x and return true; else return
 * false.  Local. */
bool psb_read_number(const char *text, double *x);
bool psb_read_integer(const char *text, int64_t *x);

enum { PSB_NUMBER = 40 }; /* bytes of a number as text */

/* Write x as printf's %.*g does in the "C" locale, digits <= 17, and return the number of characters.
 * psb_print_shortest: with the fewest digits from which psb_read_number makes x.  Local. */
int psb_print_number(char text[PSB_NUMBER], int digits, double x);
void psb_print_shortest(char text[PSB_NUMBER], double x);
#endif
