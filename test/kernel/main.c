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

/* Remove --type TYPE from the arguments, and return the last TYPE. */
static char take_type(int *argc, char **argv)
{
    int n = 1;
    const char *type = "d";
    for (int i = 1; i < *argc; i++)
        if (strcmp(argv[i], "--type") == 0)
            type = i + 1 < *argc ? argv[++i] : "";
        else
            argv[n++] = argv[i];
    if (strlen(type) != 1 || !strchr("sdcz", *type))
        refuse("type", type, "s, d, c or z");
    argv[ *argc = n] = NULL;
    return *type;
}

int main(int argc, char **argv)
{
    switch (take_type(&argc, argv)) {
    case 's':
        return RUN(s, PROGRAM)(argc, argv);
    case 'd':
        return RUN(d, PROGRAM)(argc, argv);
    case 'c':
        return RUN(c, PROGRAM)(argc, argv);
    default:
        return RUN(z, PROGRAM)(argc, argv);
    }
}
