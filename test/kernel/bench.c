/* bench.c -- test/kernel: command lines, medians, and the file of results. */
#include "bench.h"
#include <errno.h>
#include <getopt.h>
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

static _Noreturn void point_to_help(void)
{
    fprintf(stderr, "%s: --help says how it is used\n", program);
    exit(2);
}

void read_command(int argc, char **argv, const struct option *table, const char *help,
                  void (*set)(int key, const char *s))
{
    for (int key; (key = getopt_long(argc, argv, "h", table, NULL)) != -1;) {
        if (key == '?')
            point_to_help();
        if (key != 'h') {
            set(key, optarg);
            continue;
        }
        fputs(help, stdout);
        exit(EXIT_SUCCESS);
    }
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

long long number(const char *name, const char **s, long long least, long long most, const char *expected)
{
    char *end;
    errno = 0;
    long long n = strtoll(*s, &end, 10);
    if (end == *s || errno || n < least || n > most)
        refuse(name, *s, expected);
    *s = end;
    return n;
}

long long count(const char *name, const char *s, long long least, long long most, const char *expected)
{
    const char *end = s;
    long long n = number(name, &end, least, most, expected);
    if (*end)
        refuse(name, s, expected);
    return n;
}

int stands_in(const char *name, const char *list)
{
    size_t n = strlen(name);
    for (const char *s = list; s; s = strchr(s, ',') ? strchr(s, ',') + 1 : NULL)
        if (strcspn(s, ",") == n && strncasecmp(s, name, n) == 0)
            return 1;
    return list == NULL;
}

static int by_value(const void *a, const void *b)
{
    double s = *(const double *)a, t = *(const double *)b;
    return (s > t) - (s < t);
}

double median_of(const double *x, int n)
{
    double t[999];
    memcpy(t, x, (size_t)n * sizeof *t);
    qsort(t, (size_t)n, sizeof *t, by_value);
    return (t[(n - 1) / 2] + t[n / 2]) / 2;
}

FILE *open_tsv(const char *path, const char *columns)
{
    FILE *to = fopen(path, "a");
    if (!to)
        refuse("tsv", path, "a file that can be written");
    fseek(to, 0, SEEK_END);
    if (ftell(to) == 0)
        fputs(columns, to);
    return to;
}
