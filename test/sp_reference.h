/* sp_reference.h -- test: reference matrices: dense, in long double, with bounds of the rounding
 * errors. */
#ifndef SP_REFERENCE_H
#define SP_REFERENCE_H
#include "psb_cuda.h"
#include "psb_ext.h"
#include "distributed.h"

typedef long double _Complex LC;
typedef long double LR;

enum { M = 41, N = 37, KINDS = 5 };

/* The kinds of test matrices, and a vector of zeros. */
extern const enum sample_kind kinds[KINDS];
extern const T zeros[MOST];

/* An element: its value, the sum of the moduli of its terms, and the number of terms; n == 0: not stored. */
struct cell {
    LC v;
    LR size;
    int n;
};
void add_cell(struct cell *c, LC v);

/* The value of c and its error bound, where each of the n terms is rounded `times` times; see sample.h. */
struct want wanted(const struct cell *c, int times);
int within(T got, const struct cell *c, int times);

/* A matrix in global indices.  The caller frees it with free(). */
struct reference {
    struct cell at[MOST][MOST];
};
struct reference *reference_of(const struct X(coo_mat) *s);
struct reference *reference_product(const struct reference *a, const struct reference *b);
struct reference *reference_transposed(const struct reference *d, int conjugate);

/* Scale by s, by the elements of `left` by rows and of `right` by columns; NULL: by 1. */
void reference_scale(struct reference *d, LC s, const T *left, const T *right);

/* Remove the entries outside low <= j - i <= high. */
void reference_keep_band(struct reference *d, int low, int high);

/* The sum of row (by_cols: column) i, of moduli if `absolute`. */
struct cell reference_line_sum(const struct reference *d, int i, int by_cols, int absolute);

/* The largest sum of moduli of a row (by_cols: column), and the bound of its rounding error. */
LR reference_norm(const struct reference *d, int by_cols, LR *slack);

/* Make a matrix in state BUILD; every process inserts all entries of s.  Collective. */
struct X(spmat) *matrix_on(psb_desc *row, psb_desc *col, const struct X(coo_mat) *s);

/* An M x n sample; distributions are taken modulo DISTRIBUTIONS.  Collective. */
struct distributed sample_on(enum sample_kind kind, psb_ipk n, int row, int col);

/* Return 0 if e is PSB_EPADDING, else check that it is PSB_OK and return 1. */
int accepted(psb_err e);

/* Assemble w->a in the format of `mold`; return 0 if the format refuses the matrix for padding, else 1. */
int assembled(struct distributed *w, const struct X(mat) *mold);

/* Check that the entries of a's rows on this process are those of d; each term was rounded `times` times. */
void check_matrix(struct X(spmat) *a, const struct reference *d, int times, const char *what);

/* Check products of a and of its transpose with a vector.  Collective. */
void check_products(struct X(spmat) *a, const struct reference *d, int times);

/* Check sums of rows (by_cols: columns) of a, of values and of moduli.  Collective. */
void check_sums(struct X(spmat) *a, const struct reference *d, int by_cols);

/* Check that the local matrix m is rows x cols and has the entries of d. */
void check_whole(struct X(mat) *m, const struct reference *d, int rows, int cols);
#endif
