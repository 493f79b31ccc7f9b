/* shared.h -- room: test.  The matrices beside the source tree: what the indices of their folders say. */
#ifndef SHARED_H
#define SHARED_H
#include <stdio.h>

enum { SHARED_PATH = 4096, SHARED_LINE = 1 << 16 };

/* Where they are: $PSB_SHARED/matrices, or ../shared/matrices seen from the source tree. */
const char *shared_folder(void);

/* Open the index of one of their folders, its first line read; NULL, which is said, where there is none. */
FILE *shared_index(const char *folder);

/* The next line of an index, its first `n` columns in col; 0 at the end. */
int shared_row(FILE *f, char line[SHARED_LINE], int n, char *col[]);
#endif
