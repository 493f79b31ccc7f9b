/* gpu_coo.c -- test/kernel: assembly of a distributed matrix from arrays of entries on the device; --help
 * describes it. */
#include "psb_cuda_format.h"
#include "psb_util.h"
#include <getopt.h>
#include <stdlib.h>
#include "psb_type.h"
#include "bench.h"
#include "matrix.h"

static const char help[] =
    "mpiexec -n P gpu_coo [OPTION]... MATRIX...\n"
    "\n"
    "Assemble MATRIX (lap7:200, another of psb_gen.h, or a Matrix Market file) from its entries on the\n"
    "device, in random order (psb_sp_coo), then give it new values (psb_sp_coo_again): milliseconds, and "
    "the\n"
    "same over a copy of the bytes of the entries, two global indices and a value each.\n"
    "\n"
    "  --type T        s, d, c or z (d)\n"
    "  --format NAME   CSRG\n";

enum { ROUNDS = 5 };
static const char *format = "CSRG";
static const struct flag table[] = { { "format", .text = &format }, { 0 } };

/* The same order of the entries in every run. */
static void shuffle(struct X(triplets) *t)
{
    uint64_t r = 88172645463325252u;
    for (psb_epk k = t->nnz - 1; k > 0; k--) {
        r ^= r << 13, r ^= r >> 7, r ^= r << 17;
        const psb_epk l = (psb_epk)(r % (uint64_t)(k + 1));
        const psb_lpk i = t->ia[k], j = t->ja[k];
        const T v = t->val[k];
        t->ia[k] = t->ia[l], t->ja[k] = t->ja[l], t->val[k] = t->val[l];
        t->ia[l] = i, t->ja[l] = j, t->val[l] = v;
    }
}

static void *sent(const void *from, size_t bytes)
{
    void *p;
    good(psb_cuda_device()->alloc(&p, bytes, "entries"), "entries");
    good(psb_cuda_device()->put(p, from, bytes), "entries");
    return p;
}

static double since(double begin)
{
    good(psb_cuda_device()->sync(), "device");
    return now() - begin;
}

static void run(psb_ctxt *ctxt, const char *what)
{
    const struct X(mat) *mold = X(mat_by_name)(format);
    char name[64];
    struct X(triplets) t;
    double made[ROUNDS], again[ROUNDS], copy = 0;
    int me, np;
    if (!mold)
        refuse("format", format, "the name of a format");
    psb_info(ctxt, &me, &np);
    matrix_name(name, sizeof name, what);
    good(X(matrix_own)(ctxt, what, &t), what);
    shuffle(&t);
    const size_t n = (size_t)t.nnz, bytes = n * (2 * sizeof(psb_lpk) + sizeof(T));
    psb_lpk *ia = sent(t.ia, n * sizeof *ia), *ja = sent(t.ja, n * sizeof *ja);
    T *val = sent(t.val, n * sizeof *val);
    if (psb_cuda_copy_time(bytes, 9, &copy) != PSB_OK)
        psb_clean_errstack(); /* the fake device */
    for (int r = -1; r < ROUNDS; r++) {
        psb_desc *d;
        struct X(spmat) *a;
        good(psb_part_blocks(ctxt, t.m, &d), "descriptor");
        double begin = now();
        good(psb_sp_coo(&a, d, d, &psb_vect_cuda, t.nnz, ia, ja, val, mold, PSB_DUPL_ADD), name);
        made[r < 0 ? 0 : r] = since(begin);
        begin = now();
        good(psb_sp_coo_again(a, &psb_vect_cuda, t.nnz, val), name);
        again[r < 0 ? 0 : r] = since(begin);
        psb_spfree(a);
        psb_cdfree(d);
    }
    const double first = median_of(made, ROUNDS), second = median_of(again, ROUNDS);
    if (me == 0)
        printf(
            "%s, %s, type %c, %d processes: %zu entries on process 0; ms: assembly %.3f, again %.3f, copy of "
            "their bytes %.3f; over it %.1f and %.1f\n",
            name, format, LETTER, np, n, 1e3 * first, 1e3 * second, 1e3 * copy, first / copy, second / copy);
    const struct {
        const char *quantity, *unit;
        double value;
    } of[] = { { "assembly", "ms", 1e3 * first },
               { "values again", "ms", 1e3 * second },
               { "assembly over a copy", "ratio", first / copy },
               { "values again over a copy", "ratio", second / copy } };
    for (size_t i = 0; i < sizeof of / sizeof *of && me == 0; i++)
        record(name, LETTER, np, format, of[i].quantity, of[i].value, of[i].unit);
    psb_cuda_device()->free(ia);
    psb_cuda_device()->free(ja);
    psb_cuda_device()->free(val);
    X(triplets_free)(&t);
}

int X(gpu_coo)(int argc, char **argv)
{
    read_command(argc, argv, table, help);
    psb_ctxt *ctxt = start_on_device();
    for (int i = optind; i < argc; i++)
        run(ctxt, argv[i]);
    finish(ctxt);
    return EXIT_SUCCESS;
}
