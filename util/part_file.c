/* part_file.c -- room: util.  Who owns which row: even blocks, or as a file says. */
#include "config.h"
#include "psb_part.h"
#include "psb_alloc.h"
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK = 1 << 20, WORD = 32 }; /* owners in one message; characters of a word */

psb_err psb_part_blocks(psb_ctxt *ctxt, psb_lpk n, psb_desc **desc)
{
    int me, np;
    psb_info(ctxt, &me, &np);
    psb_lpk mine = n / np + (me < n % np);
    PSB_CHECK((n + np - 1) / np <= INT32_MAX, PSB_EARG,
              "%" PRId64 " rows on %d process%s; expected less than 2^31 rows on each, so at least %" PRId64
              " processes",
              n, np, np > 1 ? "es" : "", (n - 1) / INT32_MAX + 1);
    return psb_cdall_nl(desc, ctxt, (psb_ipk)mine);
}

/* --- the file, on process 0 --------------------------------------------------------------------------- */

struct scan {
    FILE *file;
    const char *path;
    psb_lpk line;
};

/* Let `word` be the next one, its beginning where it is long; "" at the end of the file. */
static psb_err next_word(struct scan *s, char word[WORD])
{
    int c, comment = 0, n = 0;
    while ((c = getc(s->file)) != EOF) {
        comment = c != '\n' && (comment || c == '%' || c == '#');
        if (!comment && !isspace(c)) {
            if (n < WORD - 1)
                word[n++] = isprint(c) ? (char)c : '?';
        } else if (n > 0) {
            ungetc(c, s->file);
            break;
        } else if (c == '\n') {
            s->line++;
        }
    }
    word[n] = '\0';
    PSB_CHECK(!ferror(s->file), PSB_EIO, "%s: cannot be read: %s", s->path, strerror(errno));
    return PSB_OK;
}

static psb_err next_owner(struct scan *s, psb_lpk row, psb_lpk n, int np, int *owner)
{
    char word[WORD], *end;
    PSB_TRY(next_word(s, word));
    PSB_CHECK(*word, PSB_EIO, "%s:%" PRId64 ": owners of %" PRId64 " rows; the matrix has %" PRId64, s->path,
              s->line, row, n);
    long p = strtol(word, &end, 10);
    PSB_CHECK(strlen(word) < WORD - 1 && !*end && p >= 0 && p < np, PSB_EIO,
              "%s:%" PRId64 ": the owner of row %" PRId64 " is %s; expected a process, 0..%d", s->path,
              s->line, row + 1, word, np - 1);
    *owner = (int)p;
    return PSB_OK;
}

static psb_err read_owners(struct scan *s, psb_lpk n, int np, int *owner)
{
    char word[WORD];
    for (psb_lpk i = 0; i < n; i++)
        PSB_TRY(next_owner(s, i, n, np, &owner[i]));
    PSB_TRY(next_word(s, word));
    PSB_CHECK(!*word, PSB_EIO, "%s:%" PRId64 ": more owners than the %" PRId64 " rows of the matrix", s->path,
              s->line, n);
    return PSB_OK;
}

static psb_err read_file(const char *path, psb_lpk n, int np, int **owner)
{
    struct scan s = { .path = path, .line = 1 };
    PSB_TRY(psb_alloc(owner, (size_t)n, sizeof **owner, "owners of rows"));
    s.file = fopen(path, "r");
    PSB_CHECK(s.file, PSB_EIO, "%s: cannot be opened: %s", path, strerror(errno));
    psb_err e = read_owners(&s, n, np, *owner);
    fclose(s.file);
    return e;
}

/* --- all processes ------------------------------------------------------------------------------------ */

struct list {
    psb_lpk *row, n, room;
};

/* Append to the list the rows from `first` on, n of them, that are mine. */
static psb_err keep(struct list *l, int me, psb_lpk first, int n, const int *owner)
{
    if (l->room - l->n < n) {
        psb_lpk more = 2 * l->room + n;
        PSB_TRY(psb_resize(&l->row, (size_t)more, sizeof *l->row, "rows owned"));
        l->room = more;
    }
    for (int i = 0; i < n; i++)
        if (owner[i] == me)
            l->row[l->n++] = first + i;
    return PSB_OK;
}

/* `owner`: of all rows on process 0, room for a chunk elsewhere. */
static psb_err share(psb_ctxt *ctxt, psb_lpk n, int *owner, struct list *l)
{
    int me;
    psb_err e = PSB_OK;
    psb_info(ctxt, &me, NULL);
    for (psb_lpk done = 0; done < n; done += CHUNK) {
        int count = n - done < CHUNK ? (int)(n - done) : CHUNK, *chunk = me == 0 ? owner + done : owner;
        PSB_MPI(MPI_Bcast(chunk, count, MPI_INT, 0, psb_comm_of(ctxt)));
        if (e == PSB_OK)
            e = keep(l, me, done, count, chunk);
    }
    PSB_TRY(e);
    PSB_CHECK(l->n <= INT32_MAX, PSB_EARG, "process %d owns %" PRId64 " rows; expected less than 2^31", me,
              l->n);
    return PSB_OK;
}

psb_err psb_part_file(psb_ctxt *ctxt, psb_lpk n, const char *path, psb_desc **desc)
{
    int me, np, *owner = NULL;
    struct list l = { 0 };
    psb_info(ctxt, &me, &np);
    psb_err e = me == 0 ? read_file(path, n, np, &owner)
                        : psb_alloc(&owner, CHUNK, sizeof *owner, "owners of rows");
    e = psb_agree(ctxt, e);
    if (e == PSB_OK)
        e = psb_agree(ctxt, share(ctxt, n, owner, &l));
    if (e == PSB_OK)
        e = psb_cdall_vl(desc, ctxt, (psb_ipk)l.n, l.row);
    psb_free(owner);
    psb_free(l.row);
    return e;
}
