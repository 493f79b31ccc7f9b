/* psb_gen.h -- room: util.  Which matrix to generate, said in a few words.
 *
 *     lap7:NX, lap7:NX,NY,NZ      Laplacian on a grid of NX by NY by NZ points (NX alone: a cube), x fastest:
 *                                 6 on the diagonal, -1 for each of the 6 neighbours along the axes
 *     lap27:NX, lap27:NX,NY,NZ    26 on the diagonal, -1 for each of the 26 points around
 *     uniform:M,K                 M by M, K entries in every row: the columns are cut into K even strips, and
 *                                 one column is drawn from each, all of a strip alike
 *     powerlaw:M,K                M by M, about K entries a row.  A row has l entries with density ~ 1/l^2
 *                                 for a <= l <= M, a such that the mean is K; l is rounded up or down at
 *                                 random, to 0 too, so that the mean stays.  Its columns are drawn with
 *                                 probability ~ 1/(j + 1) for column j, from l even strips of that
 *                                 distribution; one that is taken gives way to the next that is free
 *     powerrows:M,K,MOST          the same lengths of rows, but l <= MOST; columns as in uniform, from l
 *                                 even strips
 *     banded:M,K, banded:M,L,U    M by M, full within L diagonals below the main one and U above it (K: both)
 *     elasticity:NX, elasticity:NX,NY,NZ
 *                                 linear elasticity, lambda = mu = 1, by trilinear bricks on a grid of NX by
 *                                 NY by NZ points whose surroundings are fixed, x fastest, 3 unknowns a
 *                                 point: blocks of 3 by 3, 81 entries in the row of a point inside, zeros
 *                                 among them; symmetric positive definite; every value is an integer, 72
 *                                 times the stiffness
 *     pde2d:NX, pde2d:NX,NY       the equation of psb_pde.h with its default coefficients on the unit square,
 *     pde3d:NX, pde3d:NX,NY,NZ    on the unit cube; symmetric positive definite
 *
 * Values of uniform, powerlaw, powerrows and banded are spread evenly over (-1, 1): odd multiples of 2^-23,
 * the same numbers for all four scalars, and for complex ones such an imaginary part too.  Values of a
 * Laplacian and of elasticity are multiplied by 1 + i/2 for complex scalars, those of pde2d and pde3d are
 * real.
 *
 * Random numbers are a function of the row and of their place in it, splitmix64 begun anew for each row, so
 * that the matrix does not depend on who generates which rows.  Method: Steele, Lea, Flood, Fast splittable
 * pseudorandom number generators, OOPSLA 2014. */
#ifndef PSB_GEN_H
#define PSB_GEN_H
#include "psb_err.h"
#include "psb_int.h"

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

struct psb_gen {
    enum psb_gen_kind kind;
    psb_lpk nx, ny, nz; /* the grid */
    psb_lpk m;          /* rows, and columns */
    psb_lpk k;          /* entries a row, on average; diagonals below the main one, of banded, */
    psb_lpk upper;      /* and above it; of powerrows: MOST */
    double least;       /* of powerlaw and powerrows: a */
};

/* Understand `spec`, one of the lines above: whole numbers, NX, NY, NZ, M, K, L, U >= 1, at most 10^15 rows
 * in all, K <= MOST <= M, and K, L, U < M for bands.  Local.  PSB_EARG, *g not set, names spec and what was
 * expected. */
PSB_MUST_CHECK psb_err psb_gen_parse(const char *spec, struct psb_gen *g);

/* Is *g what psb_gen_parse makes?  Local.  PSB_EARG names what is not. */
PSB_MUST_CHECK psb_err psb_gen_check(const struct psb_gen *g);
#endif
