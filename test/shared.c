/* shared.c -- room: test.  The matrices beside the source tree. */
#include "shared.h"
#include <stdlib.h>
#include <string.h>

const char *shared_folder(void)
{
    static char folder[SHARED_PATH];
    const char *given = getenv("PSB_SHARED"), *src = getenv("srcdir");
    if (given)
        snprintf(folder, sizeof folder, "%s/matrices", given);
    else
        snprintf(folder, sizeof folder, "%s/../shared/matrices", src ? src : ".");
    return folder;
}

FILE *shared_index(const char *folder)
{
    static char name[SHARED_PATH + 64], line[SHARED_LINE];
    snprintf(name, sizeof name, "%s/%s/INDEX.tsv", shared_folder(), folder);
    FILE *f = fopen(name, "r");
    if (f && fgets(line, sizeof line, f))
        return f;
    if (f)
        fclose(f);
    printf("skipped: no shared matrices at %s\n", shared_folder());
    return NULL;
}

int shared_row(FILE *f, char line[SHARED_LINE], int n, char *col[])
{
    if (!fgets(line, SHARED_LINE, f))
        return 0;
    for (int k = 0; k < n; k++) {
        col[k] = line;
        line += strcspn(line, "\t\n");
        *line++ = '\0';
    }
    return 1;
}
