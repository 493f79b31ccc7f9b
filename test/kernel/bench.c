/* bench.c -- test/kernel: command lines, names of matrices, clocks, medians, and files of results. */
#include "bench.h"
#include "psb_cuda_format.h"
#include "psb_ext_format.h"
#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

void stop(const char *what, const char *why)
{
    fprintf(stderr, "%s: %s: %s\n", program, what, why);
    exit(EXIT_FAILURE);
}

void good(psb_err e, const char *what)
{
    if (e != PSB_OK)
        stop(what, psb_errmsg());
}

/* --- results --- */

static struct {
    const char *path;
    int argc;
    char **argv;
    FILE *to;
} results;

static FILE *open_results(void)
{
    FILE *to = fopen(results.path, "a");
    if (!to)
        refuse("tsv", results.path, "a file that can be written");
    setvbuf(to, NULL, _IOLBF, BUFSIZ);
    fseek(to, 0, SEEK_END);
    return to;
}

static void begin_results(void)
{
    results.to = open_results();
    if (ftell(results.to) > 0)
        return;
    fprintf(results.to, "# commit: not recorded\n# command: %s", program);
    for (int i = 1; i < results.argc; i++)
        fprintf(results.to, " %s", results.argv[i]);
    fputs("\n# machine: not recorded\n# driver: not recorded\n# clock: not recorded\n", results.to);
    fputs("matrix\ttype\tprocesses\tmethod\tquantity\tvalue\tunit\n", results.to);
}

void record(const char *matrix, char type, int processes, const char *method, const char *quantity,
            double value, const char *unit)
{
    if (!results.path || isnan(value))
        return;
    if (!results.to)
        begin_results();
    fprintf(results.to, value >= 1e5 ? "%s\t%c\t%d\t%s\t%s\t%.0f\t%s\n" : "%s\t%c\t%d\t%s\t%s\t%.6g\t%s\n",
            matrix, type, processes, method, quantity, value, unit);
}

/* --- the command line --- */

static _Noreturn void point_to_help(void)
{
    fprintf(stderr, "%s: --help says how it is used\n", program);
    exit(2);
}

static void set_flag(const struct flag *f, const char *s)
{
    if (f->on)
        *f->on = true;
    else if (f->text)
        *f->text = s;
    else if (f->set)
        f->set(s);
    else if (*f->number = number(f->name, &s, f->least, f->most), *s)
        refuse(f->name, optarg, "a whole number");
}

void read_command(int argc, char **argv, const struct flag *table, const char *help)
{
    enum { MOST = 16 };
    struct option all[MOST + 3] = { { "help", no_argument, NULL, 'h' },
                                    { "tsv", required_argument, NULL, 't' } };
    for (int i = 0; i < MOST && table[i].name; i++)
        all[i + 2] = (struct option){ table[i].name, table[i].on ? no_argument : required_argument, NULL,
                                      1000 + i };
    for (int key; (key = getopt_long(argc, argv, "h", all, NULL)) != -1;) {
        if (key == '?')
            point_to_help();
        if (key == 'h') {
            fputs(help, stdout);
            exit(EXIT_SUCCESS);
        }
        if (key == 't')
            results.path = optarg;
        else
            set_flag(&table[key - 1000], optarg);
    }
    results.argc = argc;
    results.argv = argv;
    if (results.path)
        fclose(open_results()); /* refuses what cannot be written */
    if (optind == argc) {
        fprintf(stderr, "%s: there is no argument MATRIX; expected lap7:100, a file, ...\n", program);
        point_to_help();
    }
}

void refuse(const char *name, const char *said, const char *expected)
{
    fprintf(stderr, "%s: --%s is \"%s\"; expected %s\n", program, name, said, expected);
    exit(2);
}

int number(const char *name, const char **s, int least, int most)
{
    char *end, expected[80];
    errno = 0;
    long long n = strtoll(*s, &end, 10);
    snprintf(expected, sizeof expected, "a whole number from %d to %d", least, most);
    if (end == *s || errno || n < least || n > most || (*end && *end != ','))
        refuse(name, *s, expected);
    *s = end;
    return (int)n;
}

int argument(int argc, char **argv, int k, int least, int most, int usual)
{
    char *end, why[80];
    if (k >= argc)
        return usual;
    const long n = strtol(argv[k], &end, 10);
    if (end != argv[k] && !*end && n >= least && n <= most)
        return (int)n;
    snprintf(why, sizeof why, "\"%.20s\"; expected a whole number from %d to %d", argv[k], least, most);
    stop("argument", why);
}

bool stands_in(const char *name, const char *list)
{
    size_t n = strlen(name);
    for (const char *s = list; s; s = strchr(s, ',') ? strchr(s, ',') + 1 : NULL)
        if (strcspn(s, ",") == n && strncasecmp(s, name, n) == 0)
            return true;
    return list == NULL;
}

void next_name(const char **list, char *name, size_t len)
{
    const size_t n = strcspn(*list, ",");
    snprintf(name, len, "%.*s", (int)n, *list);
    *list = (*list)[n] ? *list + n + 1 : NULL;
}

/* --- matrices --- */

bool matrix_is_generated(const char *what)
{
    return !strchr(what, '/') && strchr(what, ':');
}

void matrix_name(char *name, size_t len, const char *what)
{
    const char *last = strrchr(what, '/');
    const char *begin = last ? last + 1 : what, *end = strstr(begin, ".mtx");
    snprintf(name, len, "%.*s", end ? (int)(end - begin) : (int)strlen(begin), begin);
}

psb_err matrix_parse(const char *what, struct psb_gen *g)
{
    char spec[128], *colon;
    long long m;
    int end = 0;
    snprintf(spec, sizeof spec, "%s", what);
    if (strncmp(what, "block:", 6) == 0)
        snprintf(spec, sizeof spec, "elasticity:%s", what + 6);
    if (sscanf(what, "power:%lld%n", &m, &end) == 1 && what[end] == '\0')
        snprintf(spec, sizeof spec, "powerrows:%lld,%d,%lld", m, m < 15 ? (int)m : 15, m < 32768 ? m : 32768);
    if ((colon = strchr(spec, ':')) && (colon = strchr(colon + 1, ':')))
        *colon = ',';
    return psb_gen_parse(spec, g);
}

psb_lpk block_start(psb_lpk m, int k, int np)
{
    return m / np * k + (k < m % np ? k : m % np);
}

/* --- the machine --- */

psb_ctxt *start(bool device)
{
    psb_ctxt *ctxt;
    good(psb_init(&ctxt), "MPI");
    good(device ? psb_cuda_init(ctxt) : psb_ext_init(), "formats");
    return ctxt;
}

psb_ctxt *start_on_device(void)
{
    char name[256] = "the fake device: times mean nothing";
    psb_ctxt *ctxt = start(true);
    int me;
    psb_info(ctxt, &me, NULL);
    if (!psb_cuda_device())
        stop("device", "there is no GPU; PSB_DEVICE=fake tries this program without");
    if (psb_cuda_stream())
        good(psb_cuda_DeviceName(name, sizeof name), "device");
    if (me == 0)
        printf("one %s\n", name);
    return ctxt;
}

void finish(psb_ctxt *ctxt)
{
    psb_cuda_exit();
    psb_exit(ctxt);
}

double now(void)
{
    good(psb_cuda_DeviceSync(), "device");
    return psb_wtime();
}

double slowest(psb_ctxt *ctxt, double mine)
{
    MPI_Allreduce(MPI_IN_PLACE, &mine, 1, MPI_DOUBLE, MPI_MAX, psb_comm_of(ctxt));
    return mine;
}

double median_time(int warm, int rounds, void (*run)(void *arg), void *arg)
{
    double t[1000];
    for (int i = -warm; i < rounds; i++) {
        const double begun = now();
        run(arg);
        if (i >= 0)
            t[i] = now() - begun;
    }
    return median_of(t, rounds);
}

static int by_value(const void *a, const void *b)
{
    double s = *(const double *)a, t = *(const double *)b;
    return (s > t) - (s < t);
}

double median_of(const double *x, int n)
{
    double t[1000];
    memcpy(t, x, (size_t)n * sizeof *t);
    qsort(t, (size_t)n, sizeof *t, by_value);
    return (t[(n - 1) / 2] + t[n / 2]) / 2;
}

double copy_bandwidth(void)
{
    const size_t half = (size_t)1 << 30;
    double seconds;
    if (!psb_cuda_stream())
        return NAN;
    good(psb_cuda_copy_time(half, 20, &seconds), "copies");
    return 2 * (double)half / seconds;
}
