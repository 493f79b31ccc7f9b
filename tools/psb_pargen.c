/* psb_pargen.c -- tools: the program psb-pargen: a diffusion equation on a square or a cube, as
 * PSBLAS's programs pde2d and pde3d solve it. */
#include "config.h"
#include "solve.h"

static const char pargen_about[] =
    "Usage: [mpirun -np N] psb-pargen --size NX[,NY[,NZ]] [OPTION ...]\n"
    "       [mpirun -np N] psb-pargen [OPTION ...] [FILE]\n"
    "\n"
    "Solve the equation of PSBLAS's programs pde2d and pde3d by a Krylov method, and report\n"
    "times, iterations and residuals.\n"
    "\n"
    "The equation:\n"
    "  --dims 2|3        on the unit square or the unit cube; default 3\n"
    "  --problem NAME    pde2d or pde3d: the same choice\n"
    "  --size NX[,NY[,NZ]]\n"
    "                    points in each direction, those on the boundary not counted; NX:\n"
    "                    as many in all\n";

static const char pargen_partition[] =
    "  --partition P     block (default): even blocks of rows; 3d: a box of points for each\n"
    "                    process, in two dimensions a rectangle; metis: parts of the graph,\n"
    "                    by METIS; owners:FILE: a file that names for each row the process\n"
    "                    that owns it, from 0\n";

static const char pargen_input[] =
    "\n"
    "Without --size an input file of PSBLAS is read: FILE, or standard input.  Each line holds a\n"
    "value, and words that are ignored.  Letter case does not matter; an exponent may be written\n"
    "with d.\n"
    "  number of entries    3 or more\n"
    "  method               BICGSTAB, CG, CGS, BICG, BICGSTABL, RGMRES, ...\n"
    "  preconditioner       NONE, DIAG, BJAC\n"
    "  storage format       CSR, COO, ...\n"
    "  size                 points in each direction\n"
    "  partition            1: block, 3: 3d                from 4 entries on; else 3\n"
    "  stopping criterion   1: backward, 2: relative       from 5 entries on; else 1\n"
    "  itmax                                               from 6 entries on; else 500\n"
    "  trace                0 or less: never               from 7 entries on; else -1\n"
    "  restart              0 or less: of the method       from 8 entries on; else 1\n"
    "  from 9 entries on    eight lines for BJAC: ILU, ILUT, AINV, INVK or INVT; for ILU, MILU or\n"
    "                       NONE; NONE (no scaling); fill of the factors; fill of the inverse;\n"
    "                       threshold of the factors; threshold of the inverse;\n"
    "                       orthogonalisation (not used)\n"
    "The tolerance is 1e-6.  Only --dims, --problem, --type, the options of what comes out, and\n"
    "this one go with an input file:\n"
    "  --c-input         the file is for PSBLAS's C program: all lines down to the restart,\n"
    "                    but none for the partition, which is block\n";

static const struct option pargen_options[] = {
    { "dims", required_argument, NULL, KEY_DIMS },
    { "problem", required_argument, NULL, KEY_PROBLEM },
    { "size", required_argument, NULL, KEY_SIZE },
    { "c-input", no_argument, NULL, KEY_C_INPUT },
    { NULL, 0, NULL, 0 },
};

int main(int argc, char **argv)
{
    static const struct solve_program own = {
        .about = pargen_about,
        .partition = pargen_partition,
        .input = pargen_input,
        .own = pargen_options,
        .system = KEY_SIZE,
    };
    static const struct program program = { "psb-pargen", &own, solve_read, solve_show_help, solve_run };
    return program_main(&program, argc, argv);
}
