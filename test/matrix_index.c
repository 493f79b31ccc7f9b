/* matrix_index.c -- test: the published matrices outside the source tree. */
#include "matrix_index.h"
#include <stdlib.h>
#include <string.h>

const char *matrix_index_folder(void)
{
    static char folder[MATRIX_INDEX_PATH];
    const char *given = getenv("CK_SHARED"), *src = getenv("srcdir");
    if (given)
        snprintf(folder, sizeof folder, "%s/matrices", given);
    else
        snprintf(folder, sizeof folder, "%s/../shared/matrices", src ? src : ".");
    return folder;
}

FILE *matrix_index_open(const char *folder)
{
    static char name[MATRIX_INDEX_PATH + 64], line[MATRIX_INDEX_LINE];
    snprintf(name, sizeof name, "%s/%s/INDEX.tsv", matrix_index_folder(), folder);
    FILE *f = fopen(name, "r");
    if (f && fgets(line, sizeof line, f))
        return f;
    if (f)
        fclose(f);
    printf("skipped: no shared matrices at %s\n", matrix_index_folder());
    return NULL;
}

int matrix_index_row(FILE *f, char line[MATRIX_INDEX_LINE], int n, char *col[])
{
    if (!fgets(line, MATRIX_INDEX_LINE, f))
        return 0;
    for (int k = 0; k < n; k++) {
        col[k] = line;
        line += strcspn(line, "\t\n");
        *line++ = '\0';
    }
    return 1;
}
