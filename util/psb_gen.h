/* psb_gen.h -- util: text specifications of generated matrices.
 *
 *     lap7:NX, lap7:NX,NY,NZ      Laplacian on a grid of NX by NY by NZ points (NX alone: a cube), x fastest:
 *                                 6 on the diagonal, -1 for each of the 6 neighbours along the axes
 *     lap27:NX, lap27:NX,NY,NZ    26 on the diagonal, -1 for each of the 26 points around
 *     uniform:M,K                 M by M, K entries in every row: the columns are divided into K strips of
 *                                 even width, and one column is drawn from each strip, uniformly
 *     powerlaw:M,K                M by M, about K entries per row.  Row length l has density ~ 1/l^2 for
 *                                 a <= l <= M, with a such that the mean is K; l is rounded up or down at
 *                                 random, possibly to 0, keeping the mean.  The columns are drawn with
 *                                 probability ~ 1/(j + 1) for column j, one from each of l strips of equal
 *                                 probability; a column already used is replaced by the next free one
 *     powerrows:M,K,MOST          the same row lengths, but l <= MOST; columns as in uniform, from l
 *                                 strips of even width
 *     banded:M,K, banded:M,L,U    M by M, all entries on L diagonals below the main one and U above it;
 *                                 K: both
 *     elasticity:NX, elasticity:NX,NY,NZ
 *                                 linear elasticity, lambda = mu = 1, trilinear brick elements on a grid
 *                                 of NX by NY by NZ points inside a fixed boundary, x fastest,
 *                                 3 unknowns per point: 3 by 3 blocks, 81 entries in a row of an interior
 *                                 point, some of them zero; symmetric positive definite; every value is an
 *                                 integer, 72 times the stiffness
 *     pde2d:NX, pde2d:NX,NY       the equation of psb_pde.h with its default coefficients on the unit square,
 *     pde3d:NX, pde3d:NX,NY,NZ    on the unit cube; symmetric positive definite
 *
 * Values of uniform, powerlaw, powerrows and banded are uniformly distributed over (-1, 1): odd multiples of
 * 2^-23, the same numbers for all four scalars; complex scalars have an imaginary part of the same kind.
 * Values of the Laplacians and of elasticity are multiplied by 1 + i/2 for complex scalars; those of pde2d
 * and pde3d are real.
 *
 * Random numbers depend only on the row and on their position in it: splitmix64 is seeded for each row, so
 * the matrix does not depend on which process generates which rows.  Method: Steele, Lea, Flood, Fast
 * splittable pseudorandom number generators, OOPSLA 2014. */
#ifndef PSB_GEN_H
#define PSB_GEN_H
#include "psb_err.h"
#include "psb_int.h"
#include "psb_lang.h"
PSB_BEGIN_C

enum psb_gen_kind {
    PSB_GEN_LAP7,
    PSB_GEN_LAP27,
    PSB_GEN_UNIFORM,
    PSB_GEN_POWERLAW,
    PSB_GEN_BANDED,
    PSB_GEN_ELASTICITY,
    PSB_GEN_PDE2D,
    PSB_GEN_PDE3D,
    PSB_GEN_POWERROWS
};

typedef struct psb_gen {
    enum psb_gen_kind kind;
    psb_lpk nx, ny, nz; /* the grid */
    psb_lpk m;          /* rows, and columns */
    psb_lpk k;          /* mean number of entries per row; banded: diagonals below the main one */
    psb_lpk upper;      /* banded: diagonals above the main one; powerrows: MOST */
    double least;       /* powerlaw and powerrows: a */
} psb_gen;

/* Parse `spec`, in one of the forms above: integers NX, NY, NZ, M, K, L, U >= 1, at most 10^15 rows in all,
 * K <= MOST <= M, and K, L, U < M for banded.  Local.  PSB_EARG, and *g is not set; the message gives spec
 * and what was expected. */
PSB_MUST_CHECK psb_err psb_gen_parse(const char *spec, struct psb_gen *g);

/* Check that *g is a value that psb_gen_parse can produce.  Local.  PSB_EARG names the wrong member. */
PSB_MUST_CHECK psb_err psb_gen_check(const struct psb_gen *g);
PSB_END_C
#endif
