/* matrix_names.c -- test/kernel: the names of matrices. */
#include "matrix_names.h"
#include <stdio.h>
#include <string.h>

int matrix_is_generated(const char *what)
{
    return !strchr(what, '/') && strchr(what, ':');
}

void matrix_name(char *name, size_t len, const char *what)
{
    const char *last = strrchr(what, '/');
    const char *begin = last ? last + 1 : what, *end = strstr(begin, ".mtx");
    int n = end ? (int)(end - begin) : (int)strlen(begin);
    snprintf(name, len, "%.*s", n, begin);
}

/* Write the name as psb_gen_parse expects it. */
static void in_full(char *spec, size_t len, const char *what)
{
    char *colon;
    long long m;
    int end = 0;
    snprintf(spec, len, "%s", what);
    if (strncmp(what, "block:", 6) == 0)
        snprintf(spec, len, "elasticity:%s", what + 6);
    if (sscanf(what, "power:%lld%n", &m, &end) == 1 && what[end] == '\0')
        snprintf(spec, len, "powerrows:%lld,%d,%lld", m, m < 15 ? (int)m : 15, m < 32768 ? m : 32768);
    if ((colon = strchr(spec, ':')) && (colon = strchr(colon + 1, ':')))
        *colon = ',';
}

psb_err matrix_parse(const char *what, struct psb_gen *g)
{
    char spec[128];
    in_full(spec, sizeof spec, what);
    return psb_gen_parse(spec, g);
}
