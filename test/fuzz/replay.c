/* replay.c -- test: calls a target with the files named on the command line. */
#include "fuzz.h"
#include <stdio.h>
#include <stdlib.h>

static void feed(const char *path)
{
    FILE *f = fopen(path, "rb");
    HOLDS(f && fseek(f, 0, SEEK_END) == 0);
    long size = ftell(f);
    HOLDS(size >= 0 && fseek(f, 0, SEEK_SET) == 0);
    uint8_t *data = malloc((size_t)size + 1);
    HOLDS(data && fread(data, 1, (size_t)size, f) == (size_t)size);
    fclose(f);
    LLVMFuzzerTestOneInput(data, (size_t)size);
    free(data);
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        fprintf(stderr, "%s\n", argv[i]);
        feed(argv[i]);
    }
    printf("%d files\n", argc - 1);
    return argc > 1 ? EXIT_SUCCESS : EXIT_FAILURE;
}
