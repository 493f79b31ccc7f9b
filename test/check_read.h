/* check_read.h -- test: the parts of suite read, and the files that they read. */
#ifndef CHECK_READ_H
#define CHECK_READ_H
#include "distributed.h"

enum { PATH = 4096, NAME = 64 };            /* space for the names of given files, of new files */
enum { KINDS = 10, ORDER = 6, BLOCKS = 5 }; /* ORDER: the rows of a matrix in array format; others have 41 */

/* Names of the files that tests read and write; the same on all processes. */
extern char input_path[NAME], output_path[NAME];

/* Arguments of psb_set_read_block. */
extern const psb_epk block_sizes[BLOCKS];

/* The properties of a file. */
struct file_kind {
    const char *banner, *eol;
    int symmetric, values, array; /* number of values after the indices */
};
extern const struct file_kind file_kinds[KINDS];

/* Return whether files of this kind have complex values. */
int has_complex_values(const struct file_kind *k);
/* Return the number of entries in a file of this kind. */
int entries_stored(const struct file_kind *k);

/* Process 0 writes the input file; barriers separate it from reads before and after.  Collective. */
void write_input_bytes(const char *bytes, size_t n);
void write_input_text(const char *text);
/* Write a matrix of this kind; `text` replaces line `wrong` of the entries, if there is such a line. */
void write_input_matrix(const struct file_kind *k, int wrong, const char *text);

/* Return whether a and b have the same bits, are equal or are both NaN. */
int same_value(T a, T b);

/* Check that `mine` has the entries of `all` in rows owned by this process, in the same order. */
void check_owned_rows(const struct X(triplets) *all, const struct X(triplets) *mine, const psb_desc *d);

/* Write the assembled matrix, and compare with the input file through the reader of one process. */
void check_against_file(struct X(spmat) *a);

/* Distributed matrices and vectors. */
void add_read_matrices(TCase *c);
/* Files that one process writes and reads. */
void add_files_of_one_process(TCase *c);
/* Calls without type letters. */
void add_untyped_reading(TCase *c);
/* The test case of errors. */
void add_read_errors(Suite *s);
#endif
