/* picture.h -- tools: a matrix as a picture of at most 256 by 256 cells, its lengths of rows and its bands;
 * the halo of each process. */
#ifndef PSB_PICTURE_H
#define PSB_PICTURE_H
#include "psb_util.h"

/* Classes of lengths: 0, 1, .. 63 by themselves, from there on four classes between powers of 2. */
enum { PICTURE_CELLS = 256, PICTURE_EXACT = 64, PICTURE_CLASSES = PICTURE_EXACT + 4 * 57 };

/* What a process exchanges for a vector: elements, and with how many processes. */
struct halo_size {
    psb_ipk sends, receives;
    int neighbours;
};

struct picture {
    psb_lpk m, n;
    int rows, cols;                                         /* cells in each direction */
    psb_epk cell[PICTURE_CELLS * PICTURE_CELLS];            /* entries of each cell, by rows */
    psb_epk length[PICTURE_CLASSES];                        /* rows, by their numbers of entries */
    psb_epk below[PICTURE_CLASSES], above[PICTURE_CLASSES]; /* entries, by their distance from the diagonal;
                                                               that itself is above */
    int processes;
    struct halo_size *halo; /* process 0: of each process */
};

/* Set *p to a picture of an m by n matrix without entries.  Local. */
void picture_begin(struct picture *p, psb_lpk m, psb_lpk n);

/* Add an entry in row i, column j, counted from 0; a row with so many entries.  Local. */
void picture_entry(struct picture *p, psb_lpk i, psb_lpk j);
void picture_row(struct picture *p, psb_epk entries);

/* Free the arrays of *p, and p, which may be NULL.  Local. */
void picture_free(struct picture *p);

/* Write the picture of the matrix called `name` to the file at `path`, as JSON.  Local.  PSB_EIO;
 * PSB_ENOTIMPL in builds without jansson. */
PSB_MUST_CHECK psb_err picture_write(const struct picture *p, const char *name, const char *path);

#define PSB_TEMPLATE "picture.t.h"
#include "psb_each_type.h"
#endif
