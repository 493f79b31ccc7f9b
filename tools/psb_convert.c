/* psb_convert.c -- tools: the program psb-convert: a matrix from one file format to another. */
#include "config.h"
#include "command_line.h"
#include "conversion.h"
#include "load.h"
#include "page.h"
#include "say.h"
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

static const char convert_help[] =
    "Usage: psb-convert [OPTION ...] IN OUT\n"
    "\n"
    "Convert a sparse matrix from the file IN to another format in the file OUT.\n"
    "\n"
    "  --from FORMAT     of IN, --to FORMAT of OUT: mm, hb, petsc, npz or json; default: by\n"
    "                    the end of the name, from which .gz or .xz is taken first\n"
    "                      mm     .mtx, .mm       Matrix Market\n"
    "                      hb     .rb, .hb, .rua  Harwell-Boeing, Rutherford-Boeing;\n"
    "                                             written as Rutherford-Boeing\n"
    "                      petsc  .petsc, .bin    PETSc's binary files: 32-bit indices, double\n"
    "                                             precision, real or complex\n"
    "                      npz    .npz            SciPy's save_npz; written as CSR; python3\n"
    "                                             with SciPy must be installed\n"
    "                      json   .json           only written: what psb-plot draws\n"
    "  --expand          write both triangles of a symmetric, skew-symmetric or hermitian\n"
    "                    matrix.  Without it a Matrix Market or Harwell-Boeing file that has\n"
    "                    one triangle becomes another that has the lower one; PETSc and SciPy\n"
    "                    always get both\n"
    "  -h, --help        print this\n"
    "  --version         print the version\n"
    "\n"
    "Values are double precision.  Matrix Market files keep the order of entries, and those that\n"
    "stand twice; elsewhere they are ordered, and those that stand twice are added.  Matrix Market\n"
    "and Harwell-Boeing files may be packed by gzip or xz, and are written so if OUT ends so.\n"
    "\n"
    "Status: 0; 1 where something failed; 2 where the command line is wrong.\n";

enum convert_key { KEY_FROM = FIRST_OPTION, KEY_TO, KEY_EXPAND };

static const struct option convert_options[] = {
    { "from", required_argument, NULL, KEY_FROM },    { "to", required_argument, NULL, KEY_TO },
    { "expand", no_argument, NULL, KEY_EXPAND },      { "help", no_argument, NULL, OPTION_HELP },
    { "version", no_argument, NULL, OPTION_VERSION }, { NULL, 0, NULL, 0 },
};

static psb_err read_convert_options(const struct program *p, int argc, char **argv,
                                    const char *given[MOST_OPTIONS])
{
    (void)p;
    PSB_TRY(command_line_read(argc, argv, convert_options, 2, given));
    PSB_CHECK(given[OPERAND_2] || given[OPTION_HELP] || given[OPTION_VERSION], PSB_EARG,
              "expected the names of two files, IN and OUT");
    return PSB_OK;
}

static void show_convert_help(const struct program *p)
{
    (void)p;
    fputs(convert_help, stdout);
}

/* --- formats --- */

static bool ends_with(const char *path, size_t n, const char *ending)
{
    const size_t k = strlen(ending);
    return n > k && strncasecmp(path + n - k, ending, k) == 0;
}

static bool ends_as_kind(const char *path, enum file_kind kind)
{
    static const char *const endings[FILE_KINDS][2] = {
        { ".mtx", ".mm" }, { ".rb", ".hb" }, { ".petsc", ".bin" }, { ".npz", ".npz" }, { ".json", ".json" }
    };
    size_t n = strlen(path);
    if (kind <= FILE_HB && (ends_with(path, n, ".gz") || ends_with(path, n, ".xz")))
        n -= 3;
    return ends_with(path, n, endings[kind][0]) || ends_with(path, n, endings[kind][1]) ||
           (kind == FILE_HB && psb_hb_named(path));
}

/* The format of the file at `path`: that which the option `name` gives, else by the ending. */
static psb_err find_kind(const char *name, const char *given, const char *path, enum file_kind *kind)
{
    static const char *const names[] = { "mm", "hb", "petsc", "npz", "json" };
    int k = 0;
    while (k < FILE_KINDS && !(given ? strcmp(given, names[k]) == 0 : ends_as_kind(path, (enum file_kind)k)))
        k++;
    PSB_CHECK(k < FILE_KINDS || !given, PSB_EARG, "%s is \"%.80s\"; expected mm, hb, petsc, npz or json",
              name, given);
    PSB_CHECK(k < FILE_KINDS, PSB_EARG, "%s: its ending names no format; expected %s", path, name);
    *kind = (enum file_kind)k;
    return PSB_OK;
}

/* --- SciPy's files, by way of PETSc's --- */

/* Arguments: the file read, the file written, one for a reason, and which of the first two is SciPy's. */
static const char scipy_script[] =
    "import sys\n"
    "try:\n"
    "  import numpy as np, scipy.sparse as sp\n"
    "except ImportError:\n"
    "  sys.exit(127)\n"
    "source, target, why, npz = sys.argv[1:]\n"
    "try:\n"
    "  if source == npz:\n"
    "    a = sp.csr_matrix(sp.load_npz(source))\n"
    "    a.sum_duplicates()\n"
    "    if max(a.nnz, *a.shape) >= 2**31:\n"
    "      raise ValueError('2^31 rows, columns or entries, or more')\n"
    "    with open(target, 'wb') as f:\n"
    "      np.array([1211216, *a.shape, a.nnz], '>i4').tofile(f)\n"
    "      np.diff(a.indptr).astype('>i4').tofile(f)\n"
    "      a.indices.astype('>i4').tofile(f)\n"
    "      a.data.astype('>c16' if np.iscomplexobj(a.data) else '>f8').tofile(f)\n"
    "  else:\n"
    "    with open(source, 'rb') as f:\n"
    "      m, n, nz = np.fromfile(f, '>i4', 4)[1:]\n"
    "      ptr = np.append(0, np.cumsum(np.fromfile(f, '>i4', m)))\n"
    "      idx = np.fromfile(f, '>i4', nz).astype('i4')\n"
    "      val = np.frombuffer(f.read(), '>f8').astype('f8')\n"
    "    val = val.view('c16') if len(val) > nz else val\n"
    "    with open(target, 'wb') as f:\n"
    "      sp.save_npz(f, sp.csr_matrix((val, idx, ptr), (m, n)))\n"
    "except Exception as e:\n"
    "  open(why, 'w').write(str(e))\n"
    "  sys.exit(1)\n";

/* A folder for what lies between: matrices in PETSc's format, and why a script has failed. */
static struct between {
    char dir[256], in[300], out[300], why[300];
} between;

static void remove_between(void)
{
    unlink(between.in);
    unlink(between.out);
    unlink(between.why);
    rmdir(between.dir);
}

static void remove_and_end(int signal_number)
{
    remove_between();
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

static psb_err make_between(void)
{
    static const int ends[] = { SIGINT, SIGTERM, SIGHUP };
    struct between *b = &between;
    for (int i = 0; i < 3; i++)
        if (signal(ends[i], remove_and_end) == SIG_IGN)
            signal(ends[i], SIG_IGN);
    snprintf(b->dir, sizeof b->dir, "%s/psb-convert.XXXXXX", or_else(getenv("TMPDIR"), "/tmp"));
    PSB_CHECK(mkdtemp(b->dir), PSB_EIO, "%s: cannot be made: %s", b->dir, strerror(errno));
    snprintf(b->in, sizeof b->in, "%s/in", b->dir);
    snprintf(b->out, sizeof b->out, "%s/out", b->dir);
    snprintf(b->why, sizeof b->why, "%s/why", b->dir);
    return PSB_OK;
}

/* Run the script by the first Python that has SciPy; `file` is the one that is not in between. */
static psb_err run_scipy(const char *source, const char *target, const char *file)
{
    static const char *const pythons[] = { "python3", "/usr/bin/python3" };
    char text[300] = "nothing";
    int status = 127;
    for (int k = 0; k < 2 && status == 127; k++)
        status = page_run(
            (const char *const[]){ pythons[k], "-c", scipy_script, source, target, between.why, file, NULL });
    PSB_CHECK(status != 127, PSB_EIO, "%s: needs python3 with SciPy (Debian: python3-scipy)", file);
    FILE *f = status == 0 ? NULL : fopen(between.why, "r");
    if (f) {
        if (!fgets(text, sizeof text, f))
            *text = '\0';
        fclose(f);
    }
    PSB_CHECK(status == 0, PSB_EIO, "%s: SciPy says: %s", file, text);
    return PSB_OK;
}

/* --- the work --- */

static psb_err convert_files(psb_ctxt *ctxt, struct conversion *c)
{
    PSB_TRY(c->from == FILE_PETSC ? petsc_header(c->in, c->name, &c->header)
                                  : load_sizes(ctxt, c->in, c->from == FILE_HB, &c->header));
    return c->header.field == PSB_MM_COMPLEX ? psb_z_convert(c) : psb_d_convert(c);
}

/* The same where one of the files is SciPy's: one of PETSc's format stands for it. */
static psb_err convert_by_scipy(psb_ctxt *ctxt, const struct conversion *c)
{
    struct conversion step = *c;
    if (c->from == FILE_NPZ) {
        PSB_TRY(run_scipy(c->in, between.in, c->in));
        step.from = FILE_PETSC;
        step.in = between.in;
    }
    if (c->to == FILE_NPZ) {
        step.to = FILE_PETSC;
        step.out = between.out;
    }
    PSB_TRY(convert_files(ctxt, &step));
    return c->to == FILE_NPZ ? run_scipy(between.out, c->out, c->out) : PSB_OK;
}

static psb_err convert_any(psb_ctxt *ctxt, struct conversion *c)
{
    if (c->from != FILE_NPZ && c->to != FILE_NPZ)
        return convert_files(ctxt, c);
    PSB_TRY(make_between());
    psb_err e = convert_by_scipy(ctxt, c);
    remove_between();
    return e;
}

static psb_err check_task(psb_ctxt *ctxt, const char *const given[MOST_OPTIONS], struct conversion *c)
{
    int np;
    psb_info(ctxt, NULL, &np);
    PSB_CHECK(np == 1, PSB_EARG, "%d processes; expected one", np);
    PSB_TRY(find_kind("--from", given[KEY_FROM], c->in, &c->from));
    PSB_TRY(find_kind("--to", given[KEY_TO], c->out, &c->to));
    PSB_CHECK(c->from != FILE_JSON, PSB_EARG, "%s: json is only written", c->in);
    return PSB_OK;
}

static int run_convert(const struct program *p, psb_ctxt *ctxt, const char *given[MOST_OPTIONS])
{
    struct conversion c = { .in = given[OPERAND], .out = given[OPERAND_2], .name = given[OPERAND] };
    struct file_option files[] = { { .name = "IN", .path = c.in },
                                   { .name = "OUT", .path = c.out, .output = true },
                                   { .name = NULL } };
    (void)p;
    c.expand = given[KEY_EXPAND] != NULL;
    if (check_task(ctxt, given, &c) != PSB_OK)
        return complain(MISUSED);
    psb_err e = check_outputs(ctxt, files);
    if (e == PSB_EARG)
        return complain(MISUSED);
    PSB_THEN(e, convert_any(ctxt, &c));
    return e == PSB_OK ? EXIT_SUCCESS : complain(FAILED);
}

int main(int argc, char **argv)
{
    static const struct program program = { .name = "psb-convert",
                                            .read = read_convert_options,
                                            .show_help = show_convert_help,
                                            .run = run_convert };
    return program_main(&program, argc, argv);
}
