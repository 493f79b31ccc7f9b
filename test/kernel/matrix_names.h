/* matrix_names.h -- test/kernel: the names of matrices. */
#ifndef MATRIX_NAMES_H
#define MATRIX_NAMES_H
#include "psb_gen.h"
#include <stddef.h>

/* Store a short name: lap7:100, or the name of a file without directory and ending. */
void matrix_name(char *name, size_t len, const char *what);

/* Returns whether the matrix is generated, not a file. */
int matrix_is_generated(const char *what);

/* Parse the name of a generated matrix: those of psb_gen.h; uniform:M:K, which is uniform:M,K; power:M, which
 * is powerrows:M,15,32768; block:NX, which is elasticity:NX. */
PSB_MUST_CHECK psb_err matrix_parse(const char *what, struct psb_gen *g);
#endif
