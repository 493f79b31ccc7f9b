/* picture.c -- tools: a matrix as a picture of cells, its lengths of rows and its bands. */
#include "config.h"
#include "picture.h"
#include "psb_alloc.h"

static int class_of(psb_epk length)
{
    int power = 6; /* 2^6 is PICTURE_EXACT */
    if (length < PICTURE_EXACT)
        return (int)length;
    while (length >> power > 1)
        power++;
    return PICTURE_EXACT + 4 * (power - 6) + (int)(length >> (power - 2) & 3);
}

void picture_begin(struct picture *p, psb_lpk m, psb_lpk n)
{
    *p = (struct picture){ .m = m, .n = n };
    p->rows = (int)(m < PICTURE_CELLS ? m : PICTURE_CELLS);
    p->cols = (int)(n < PICTURE_CELLS ? n : PICTURE_CELLS);
}

void picture_entry(struct picture *p, psb_lpk i, psb_lpk j)
{
    p->cell[i * p->rows / p->m * p->cols + j * p->cols / p->n]++;
    if (j < i)
        p->below[class_of(i - j)]++;
    else
        p->above[class_of(j - i)]++;
}

void picture_row(struct picture *p, psb_epk entries)
{
    p->length[class_of(entries)]++;
}

void picture_free(struct picture *p)
{
    if (p)
        psb_free(p->halo);
    psb_free(p);
}

#ifdef HAVE_JANSSON
#include "json.h"
#include <stdio.h>

/* The least number in a class. */
static psb_epk least_of(int class)
{
    const int k = class - PICTURE_EXACT;
    return k < 0 ? class : (psb_epk)(4 + k % 4) << (4 + k / 4);
}

/* The classes that are not empty: least, most, count. */
static json_t *classes_json(const psb_epk count[PICTURE_CLASSES])
{
    json_t *all = json_array();
    for (int k = 0; k < PICTURE_CLASSES; k++)
        if (count[k])
            json_array_append_new(all, json_pack("[I,I,I]", (json_int_t)least_of(k),
                                                 (json_int_t)least_of(k + 1) - 1, (json_int_t)count[k]));
    return all;
}

/* A text of numbers for each row of cells. */
static json_t *cells_json(const struct picture *p)
{
    enum { NUMBER = 21 };
    json_t *all = json_array();
    char text[PICTURE_CELLS * NUMBER + 1] = "";
    for (int i = 0; i < p->rows; i++) {
        int n = 0;
        for (int j = 0; j < p->cols; j++)
            n += sprintf(text + n, j ? " %" PRId64 : "%" PRId64, p->cell[i * p->cols + j]);
        json_array_append_new(all, json_string(text));
    }
    return all;
}

static json_t *halo_json(const struct picture *p)
{
    json_t *all = json_array();
    for (int k = 0; k < p->processes; k++)
        json_array_append_new(all, json_pack("{s:i,s:i,s:i,s:i}", "process", k, "sends", p->halo[k].sends,
                                             "receives", p->halo[k].receives, "neighbours",
                                             p->halo[k].neighbours));
    return all;
}

json_t *picture_json(const struct picture *p)
{
    return json_pack("{s:I,s:I,s:o,s:o,s:o,s:o,s:o}", "rows", (json_int_t)p->m, "cols", (json_int_t)p->n,
                     "cells", cells_json(p), "row_lengths", classes_json(p->length), "below",
                     classes_json(p->below), "above", classes_json(p->above), "halo", halo_json(p));
}

psb_err picture_write(const struct picture *p, const char *name, const char *path)
{
    return json_write(json_pack("{s:o,s:o}", "matrix", json_text(name), "picture", picture_json(p)), path);
}
#else
psb_err picture_write(const struct picture *p, const char *name, const char *path)
{
    (void)p;
    (void)name;
    return PSB_FAIL(PSB_ENOTIMPL, "%s: this program was built without jansson (Debian: libjansson-dev)",
                    path);
}
#endif
