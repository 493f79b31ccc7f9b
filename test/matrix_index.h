/* matrix_index.h -- test: the published matrices outside the source tree, and the index files of their
 * folders. */
#ifndef MATRIX_INDEX_H
#define MATRIX_INDEX_H
#include <stdio.h>

enum { MATRIX_INDEX_PATH = 4096, MATRIX_INDEX_LINE = 1 << 16 };

/* The folder of the matrices: $CK_SHARED/matrices if set, else $srcdir/../shared/matrices. */
const char *matrix_index_folder(void);

/* Open INDEX.tsv of a subfolder and skip its header; if there is none, print "skipped" and return NULL. */
FILE *matrix_index_open(const char *folder);

/* Read the next line and set col[0..n-1] to its first n columns; return 0 at the end of the file. */
int matrix_index_row(FILE *f, char line[MATRIX_INDEX_LINE], int n, char *col[]);
#endif
