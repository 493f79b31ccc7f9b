/* check_mm.h -- test: the parts of suite "mm". */
#ifndef CHECK_MM_H
#define CHECK_MM_H
#include "psb_util.h"
#include "ck.h"
#include "own.h"
#include "psb_type.h"

#define REAL_COO    "%%MatrixMarket matrix coordinate real general\n"
#define COMPLEX_COO "%%MatrixMarket matrix coordinate complex general\n"
#define INTEGER_COO "%%MatrixMarket matrix coordinate integer general\n"
#define ARRAY       "%%MatrixMarket matrix array real general\n"

extern char mm_path[]; /* the file that the tests write */

/* Create the file that mkstemp makes of `path`, run a suite, remove the file; return the exit status. */
int suite_with_file(char *path, Suite *(*make)(void));

/* Write n bytes to this file. */
void write_mm_text(const void *bytes, size_t n);

/* Reading `file` fails with a message that contains `line` and all the words; nothing is stored. */
void check_mm_refused(const char *file, psb_err code, const char *line, const char *words);

/* Check the sizes and entries of t; those are "row column value" or "row column real imaginary", separated by
 * commas, and count from 0. */
void check_mm_entries(const struct X(triplets) *t, psb_lpk m, psb_lpk n, const char *entries);

/* Files that are refused. */
void add_mm_invalid_files(TCase *c);
/* Numbers in a file: rounding, overflow, locales. */
void add_mm_numbers(TCase *c);
/* Dense matrices too large, files that cannot be written, messages. */
void add_mm_wrong_calls(TCase *c);
/* Long and compressed files; no memory. */
void add_mm_long_files(TCase *c);
/* Published matrices. */
void add_mm_published_files(TCase *c);
#endif
