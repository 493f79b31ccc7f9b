/* psb_gen.h -- room: util.  Which matrix to generate, said in a few words.
 *
 *     lap7:NX, lap7:NX,NY,NZ      Laplacian on a grid of NX by NY by NZ points (NX alone: a cube), x fastest:
 *                                 6 on the diagonal, -1 for each of the 6 neighbours along the axes
 *     lap27:NX, lap27:NX,NY,NZ    26 on the diagonal, -1 for each of the 26 points around
 *     uniform:M,K                 M by M, K entries in every row: the columns are cut into K even strips, and
 *                                 one column is drawn from each, all of a strip alike
 *     powerlaw:M,K                M by M, about K entries a row.  A row has l entries with density ~ 1/l^2
 * for a <= l <= M, a such that the mean is K; l is rounded up or down at random, to 0 too, so that the mean
 * stays.  Its columns are drawn with probability ~ 1/(j + 1) for column j, from l even strips of that
 * distribution; one that is taken gives way to the next that is free
 *
 * Values of the last two are spread evenly over (-1, 1): odd multiples of 2^-23, the same numbers for all
 * four scalars, and for complex ones such an imaginary part too.  Values of a Laplacian are multiplied by 1 +
 * i/2 for complex scalars.
 *
 * Random numbers are a function of the row and of their place in it, splitmix64 begun anew for each row, so
 * that the matrix does not depend on who generates which rows.  Method: Steele, Lea, Flood, Fast splittable
 * pseudorandom number generators, OOPSLA 2014. */
#ifndef PSB_GEN_H
#define PSB_GEN_H
#include "psb_err.h"
#include "psb_int.h"

enum psb_gen_kind { PSB_GEN_LAP7, PSB_GEN_LAP27, PSB_GEN_UNIFORM, PSB_GEN_POWERLAW };

struct psb_gen {
    enum psb_gen_kind kind;
    psb_lpk nx, ny, nz; /* a Laplacian's grid */
    psb_lpk m;          /* rows, and columns */
    psb_lpk k;          /* entries a row, of uniform and powerlaw */
    double least;       /* of powerlaw: a */
};

/* Understand `spec`, one of the lines above: whole numbers, NX, NY, NZ, M >= 1, at most 10^15 rows in all,
 * 1 <= K <= M.  Local.  PSB_EARG, *g not set, names spec and what was expected. */
PSB_MUST_CHECK psb_err psb_gen_parse(const char *spec, struct psb_gen *g);
#endif
