/* psb_fileread.c -- tools: the program psb-fileread: a linear system in files, as PSBLAS's fileread
 * solves it. */
#include "config.h"
#include "solve.h"

static const char fileread_about[] =
    "Usage: [mpirun -np N] psb-fileread --matrix FILE [OPTION ...]\n"
    "       [mpirun -np N] psb-fileread [OPTION ...] [INPUT]\n"
    "\n"
    "Solve a linear system in files by a Krylov method, and report times, iterations and\n"
    "residuals.\n"
    "\n"
    "The system:\n"
    "  --matrix FILE     A: Matrix Market or Harwell-Boeing; plain, gzip or xz; a pipe is read\n"
    "                    by the first process\n"
    "  --file-type TYPE  MM or HB: the format of the file; default HB for names such as\n"
    "                    FILE.hb, FILE.rb, FILE.rua, with or without .gz or .xz, else MM\n"
    "  --rhs FILE        b, a Matrix Market file of one column; default: the first right-hand\n"
    "                    side in a Harwell-Boeing file, if it has one, else A times ones\n";

static const char fileread_partition[] =
    "  --partition P     block (default): even blocks of rows; metis: parts of the graph, by\n"
    "                    METIS; owners:FILE: a file that names for each row the process that\n"
    "                    owns it, from 0\n";

static const char fileread_input[] =
    "\n"
    "Without --matrix an input file of PSBLAS is read: INPUT, or standard input.  Each line holds\n"
    "a value, and words that are ignored.  Letter case does not matter; an exponent may be written\n"
    "with d; a name with blanks stands in quotes.\n"
    "  number of entries    5 or more\n"
    "  matrix               name of a file\n"
    "  right-hand side      name of a file, or NONE\n"
    "  type of the file     MM or HB\n"
    "  method               BICGSTAB, CG, CGS, BICG, BICGSTABL, RGMRES, ...\n"
    "  preconditioner       NONE, DIAG, BJAC\n"
    "  storage format       CSR, COO, ...\n"
    "  partition            BLOCK; GRAPH: metis\n"
    "  stopping criterion   1: backward, 2: relative       from 7 entries on; else 1\n"
    "  itmax                                               from 8 entries on; else 500\n"
    "  trace                0 or less: never               from 9 entries on; else -1\n"
    "  restart              0 or less: of the method       from 10 entries on; else 1\n"
    "  tolerance                                           from 11 entries on; else 1e-6\n"
    "Only --type and the options of what comes out go with an input file.\n";

static const struct option fileread_options[] = {
    { "matrix", required_argument, NULL, KEY_MATRIX },
    { "rhs", required_argument, NULL, KEY_RHS },
    { "file-type", required_argument, NULL, KEY_FILE_TYPE },
    { NULL, 0, NULL, 0 },
};

int main(int argc, char **argv)
{
    static const struct solve_program own = {
        .about = fileread_about,
        .partition = fileread_partition,
        .input = fileread_input,
        .own = fileread_options,
        .system = KEY_MATRIX,
    };
    static const struct program program = { "psb-fileread", &own, solve_read, solve_show_help, solve_run };
    return program_main(&program, argc, argv);
}
