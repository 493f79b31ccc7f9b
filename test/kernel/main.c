/* main.c -- test/kernel: the program PROGRAM, whose typed sources are compiled for each scalar: runs that of
 * option
 * --type s, d, c or z, default d. */
#include "bench.h"
#include <string.h>

#define STRING_OF(name)      #name
#define NAME_OF(name)        STRING_OF(name)
#define FOR_TYPE(type, name) psb_##type##_##name
#define RUN(type, name)      FOR_TYPE(type, name)

const char *const program = NAME_OF(PROGRAM);

int RUN(s, PROGRAM)(int argc, char **argv);
int RUN(d, PROGRAM)(int argc, char **argv);
int RUN(c, PROGRAM)(int argc, char **argv);
int RUN(z, PROGRAM)(int argc, char **argv);

/* Remove --type TYPE from the arguments, and return the place of the last TYPE in "sdcz". */
static int take_type(int *argc, char **argv)
{
    static const char types[] = "sdcz";
    int n = 1;
    const char *type = "d";
    for (int i = 1; i < *argc; i++)
        if (strcmp(argv[i], "--type") == 0)
            type = i + 1 < *argc ? argv[++i] : "";
        else
            argv[n++] = argv[i];
    if (strlen(type) != 1 || !strchr(types, *type))
        refuse("type", type, "s, d, c or z");
    argv[n] = NULL;
    *argc = n;
    return (int)(strchr(types, *type) - types);
}

int main(int argc, char **argv)
{
    static int (*const run[])(int, char **) = { RUN(s, PROGRAM), RUN(d, PROGRAM), RUN(c, PROGRAM),
                                                RUN(z, PROGRAM) };
    return run[take_type(&argc, argv)](argc, argv);
}
