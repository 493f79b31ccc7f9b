/* scaling.c -- test/kernel: strong and weak scaling of products, by phases.
 *
 *     mpirun -n P scaling [--place PLACE] [--format NAME] [--weak] [--partition NAME] [--fill N] [--rounds N]
 *         [--batch N] [--same N] [--tsv FILE] MATRIX ...
 *
 * MATRIX is a specification of psb_gen.h, as lap7:200, or a file.  The rows of a generated one are
 * distributed in even blocks over P processes; with --weak the grid of lap7 or lap27 is P times as long in z.
 * A file's matrix is repeated along the diagonal until there are N entries; each copy is distributed over all
 * processes, in even blocks or by METIS.
 *
 * Printed are the times of phases of a product, on the slowest process; of the product on process 0 alone, of
 * the whole matrix, or with --weak of one share; the efficiency; bare exchanges of the same sizes.  A sum
 * over the product's rows is compared with that of the entries, and with --same N the bits of N further
 * products with those of the first one; a difference ends the program with status 1.  scaling_model.py reads
 * the file of --tsv. */
#include "config.h"
#include "psb_cuda_format.h"
#include "psb_util.h"
#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>
#include "psb_type.h"
#include "scaling.h"

const char *const program = "scaling";
static const char help[] =
    "usage: mpirun -n P scaling [OPTION ...] MATRIX ...\n"
    "  MATRIX          lap7:NX, lap7:NX,NY,NZ, lap27:..., or another matrix of psb_gen.h; or a file\n"
    "  --place PLACE   host (default), fake, cuda: where matrix and vectors are\n"
    "  --format NAME   storage format, or AUTOG; default CSR on the host, HLG on a device\n"
    "  --weak          P times as many points in z\n"
    "  --partition P   of the rows in a file: block (even blocks; default) or metis\n"
    "  --fill N        repeat a file's matrix until it has N entries, 0 to 2000000000 (50000000)\n"
    "  --rounds N      medians of so many rounds, 1 to 999 (21)\n"
    "  --batch N       repetitions in a round, 1 to 1000000 (20)\n"
    "  --same N        compare the bits of N products with those of the first, 0 to 1000000 (0)\n"
    "  --tsv FILE      append the results to FILE, as results/README.md says\n";

static struct {
    const char *place, *format;
    bool weak, metis;
    int fill, rounds, batch, same;
} opt = { .place = "host", .fill = 50000000, .rounds = 21, .batch = 20 };

static void set_place(const char *s)
{
    if (!*s || !stands_in(s, "host,fake,cuda"))
        refuse("place", s, "host, fake or cuda");
    opt.place = s;
}

static void set_partition(const char *s)
{
    if (!*s || !stands_in(s, "block,metis"))
        refuse("partition", s, "block or metis");
    opt.metis = stands_in("metis", s);
}

static const struct flag table[] = {
    { "place", .set = set_place },
    { "format", .text = &opt.format },
    { "weak", .on = &opt.weak },
    { "partition", .set = set_partition },
    { "fill", .number = &opt.fill, 0, 2000000000 },
    { "rounds", .number = &opt.rounds, 1, 999 },
    { "batch", .number = &opt.batch, 1, 1000000 },
    { "same", .number = &opt.same, 0, 1000000 },
    { 0 },
};

/* --- one matrix ----------------------------------------------------------------------------------------- */

static const struct X(mat) *find_format(void)
{
    const char *name = opt.format ? opt.format : strcmp(opt.place, "host") == 0 ? "CSR" : "HLG";
    for (int i = 0; X(mat_format)(i); i++)
        if (strcasecmp(X(mat_format)(i)->ops->fmt, name) == 0)
            return X(mat_format)(i);
    if (strcasecmp(name, "AUTOG") == 0)
        return &X(autog_mold).mat;
    refuse("format", name, "the name of a storage format");
}

/* The grid of *f, `times` as long in z. */
static void extend(struct source *f, int times, const char *spec)
{
    struct psb_gen *g = &f->g;
    if (f->copies || (g->kind != PSB_GEN_LAP7 && g->kind != PSB_GEN_LAP27))
        stop(spec, "with --weak the matrix is lap7 or lap27");
    g->nz *= times;
    g->m *= times;
    good(psb_gen_check(g), spec);
}

/* What is measured of a matrix. */
struct result {
    const char *spec, *partition, *format, *halo_format, *transport;
    int np, neighbours;
    psb_lpk rows;
    psb_epk entries;
    psb_lpk sent; /* most rows that a process sends */
    double sum, expected;
    double alone; /* seconds of the product on one process */
    double seconds[PHASES];
    double efficiency;
    bool right;
    int differ; /* products of --same with other bits than the first, on any process */
};

/* Wait until process 0 is there too, without the load of MPI_Barrier. */
static void wait_idly(psb_ctxt *ctxt)
{
    MPI_Request q;
    int here = 0;
    MPI_Ibarrier(psb_comm_of(ctxt), &q);
    while (!here) {
        MPI_Test(&q, &here, MPI_STATUS_IGNORE);
        usleep(2000);
    }
}

static double product_alone(const struct source *f)
{
    struct system s;
    psb_ctxt *self;
    double seconds[PHASES];
    good(psb_init_comm(&self, MPI_COMM_SELF), "one process");
    system_make(&s, self, f, find_format());
    system_time(&s, opt.rounds, opt.batch, seconds);
    system_free(&s);
    psb_exit(self);
    return seconds[PRODUCT];
}

static void describe(const struct system *s, struct result *r)
{
    psb_ipk sent;
    psb_lpk most[2];
    psb_cd_volume(s->desc, &sent, NULL, &r->neighbours);
    most[0] = sent;
    most[1] = r->neighbours;
    good(psb_max(s->ctxt, 2, most, -1), "sizes");
    r->sent = most[0];
    r->neighbours = (int)most[1];
    r->rows = psb_cd_global_rows(s->desc);
    r->entries = s->entries;
    r->format = s->a->ad->ops->fmt;
    r->halo_format = s->a->ah->ops->fmt;
    r->transport = psb_cd_transport(s->desc, NULL);
    r->sum = s->sum;
    r->expected = s->expected;
    r->right = fabs(s->sum - s->expected) <= 1e-12 * s->scale;
}

static struct result measure(psb_ctxt *ctxt, const char *spec)
{
    struct result r = { .spec = spec, .partition = opt.metis ? "metis" : "block" };
    struct source all, one;
    struct system s;
    int me;
    psb_info(ctxt, &me, &r.np);
    source_open(&all, spec, opt.fill, opt.metis);
    one = all;
    if (opt.weak)
        extend(&all, r.np, spec);
    if (me == 0)
        r.alone = product_alone(&one);
    wait_idly(ctxt);
    system_make(&s, ctxt, &all, find_format());
    describe(&s, &r);
    r.differ = system_differs(&s, opt.same);
    system_time(&s, opt.rounds, opt.batch, r.seconds);
    system_free(&s);
    source_close(&all);
    r.efficiency = r.alone / r.seconds[PRODUCT] / (opt.weak ? 1 : r.np);
    return r;
}

/* --- output --------------------------------------------------------------------------------------------- */

static void print_text(const struct result *r)
{
    printf("%s %s on %d processes, %s, %s, halo part %s, halo %s, partition %s: ", r->spec,
           opt.weak ? "each" : "in all", r->np, opt.place, r->format, r->halo_format, r->transport,
           r->partition);
    printf("%lld rows, %lld entries; a process sends up to %lld rows to %d neighbours\n", (long long)r->rows,
           (long long)r->entries, (long long)r->sent, r->neighbours);
    printf("  %-24s %12.2f us\n", "product on one process", 1e6 * r->alone);
    for (int p = 0; p < PHASES; p++)
        printf("  %-24s %12.2f us\n", phase_name[p], 1e6 * r->seconds[p]);
    printf("  %-24s %12.3f\n", "efficiency", r->efficiency);
    if (opt.same > 0)
        printf("  %-24s %12d of %d\n", "products that differ", r->differ, opt.same);
    if (!r->right)
        printf("  WRONG: the sum is %.17g, expected %.17g\n", r->sum, r->expected);
}

static void write_lines(const struct result *r)
{
    char matrix[200], method[80];
    snprintf(matrix, sizeof matrix, "%s%s", r->spec, opt.weak ? " each" : "");
    snprintf(method, sizeof method, "%s by %s", r->format, r->transport);
    const struct {
        const char *name;
        double value;
        const char *unit;
    } all[] = {
        { "rows", (double)r->rows, "rows" },
        { "entries", (double)r->entries, "entries" },
        { "rows sent", (double)r->sent, "rows" },
        { "neighbours", r->neighbours, "processes" },
        { "sum", r->sum, "-" },
        { "sum of entries", r->expected, "-" },
        { "efficiency", r->efficiency, "ratio" },
        { "product on one process", 1e6 * r->alone, "us" },
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        record(matrix, LETTER, r->np, method, all[i].name, all[i].value, all[i].unit);
    for (int p = 0; p < PHASES; p++)
        record(matrix, LETTER, r->np, method, phase_name[p], 1e6 * r->seconds[p], "us");
}

int main(int argc, char **argv)
{
    int me, wrong = 0;
    read_command(argc, argv, table, help);
    setenv("PSB_DEVICE", strcmp(opt.place, "host") == 0 ? "none" : opt.place, 1);
    psb_ctxt *ctxt = start(true);
    psb_info(ctxt, &me, NULL);
    for (int i = optind; i < argc; i++) {
        const struct result r = measure(ctxt, argv[i]);
        wrong += !r.right + (r.differ > 0);
        if (me == 0) {
            print_text(&r);
            write_lines(&r);
        }
    }
    finish(ctxt);
    return wrong ? EXIT_FAILURE : EXIT_SUCCESS;
}
