/* part.c -- util: distributions of rows: even blocks, owners from a file, parts of a graph. */
#include "config.h"
#include "base_inside.h"
#include "psb_part.h"
#include "deal.h"
#include "psb_alloc.h"
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PART_CHUNK = 1 << 20, WORD = 32 }; /* owners in one message; characters of a word */

psb_err psb_blocks_fit(const char *name, const char *what, psb_lpk n, int np)
{
    PSB_CHECK(n / np + (n % np > 0) <= INT32_MAX, PSB_EARG,
              "%s: %" PRId64 " %s on %d process%s; expected less than 2^31 %s on each, so at least "
              "%" PRId64 " processes",
              name, n, what, np, np > 1 ? "es" : "", what, (n - 1) / INT32_MAX + 1);
    return PSB_OK;
}

static psb_err check_count(psb_lpk n)
{
    PSB_CHECK(n >= 0, PSB_EARG, "argument n is %" PRId64 "; expected a number of rows >= 0", n);
    return PSB_OK;
}

psb_err psb_part_blocks(psb_ctxt *ctxt, psb_lpk n, psb_desc **desc)
{
    int me, np;
    PSB_TRY(psb_check_ctxt(ctxt));
    psb_info(ctxt, &me, &np);
    psb_err e = check_count(n);
    PSB_THEN(e, psb_blocks_fit("argument n", "rows", n, np));
    PSB_TRY(psb_agree_on(ctxt, n, -1, e));
    return PSB_PASS(psb_cdall_nl(desc, ctxt, (psb_ipk)(n / np + (me < n % np))));
}

/* --- the file, read by process 0 --- */

struct owners_text {
    FILE *file;
    const char *path;
    psb_lpk line;
};

/* Set `word` to the next word, cut if it is long; "" at the end of the file. */
static psb_err next_word(struct owners_text *s, char word[WORD])
{
    int c, n = 0;
    bool comment = false;
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

static psb_err read_owners(struct owners_text *s, psb_lpk n, int np, int *owner)
{
    char word[WORD];
    for (psb_lpk i = 0; i < n; i++) {
        int64_t p;
        PSB_TRY(next_word(s, word));
        PSB_CHECK(*word, PSB_EIO, "%s:%" PRId64 ": owners of %" PRId64 " rows; the matrix has %" PRId64,
                  s->path, s->line, i, n);
        PSB_CHECK(strlen(word) < WORD - 1 && psb_read_integer(word, &p) && p >= 0 && p < np, PSB_EIO,
                  "%s:%" PRId64 ": the owner of row %" PRId64 " is %s; expected a process, 0..%d", s->path,
                  s->line, i + 1, word, np - 1);
        owner[i] = (int)p;
    }
    PSB_TRY(next_word(s, word));
    PSB_CHECK(!*word, PSB_EIO, "%s:%" PRId64 ": more owners than the %" PRId64 " rows of the matrix", s->path,
              s->line, n);
    return PSB_OK;
}

psb_err psb_part_owners(const char *path, psb_lpk n, int np, int *vg)
{
    struct owners_text s = { .path = path, .line = 1 };
    PSB_NEED(path, "the name of a file");
    PSB_CHECK(vg || n <= 0, PSB_EARG, "argument vg is NULL; expected an array of %" PRId64 " owners", n);
    PSB_TRY(check_count(n));
    PSB_CHECK(np >= 1, PSB_EARG, "argument np is %d; expected a number of processes >= 1", np);
    s.file = fopen(path, "r");
    PSB_CHECK(s.file, PSB_EIO, "%s: cannot be opened: %s", path, strerror(errno));
    psb_err e = read_owners(&s, n, np, vg);
    fclose(s.file);
    return PSB_PASS(e);
}

/* --- all processes --- */

struct row_list {
    psb_lpk *row, n, capacity;
};

/* Append to the list those of the n rows from `first` on that this process owns. */
static psb_err keep_rows(struct row_list *l, int me, psb_lpk first, int n, const int *owner)
{
    if (l->capacity - l->n < n) {
        psb_lpk more = 2 * l->capacity + n;
        PSB_TRY(psb_resize(&l->row, (size_t)more, sizeof *l->row, "rows owned"));
        l->capacity = more;
    }
    for (int i = 0; i < n; i++)
        if (owner[i] == me)
            l->row[l->n++] = first + i;
    return PSB_OK;
}

/* Broadcast `owner`, which holds all rows on process 0 and a chunk elsewhere, and list this process's rows.
 */
static psb_err list_own_rows(psb_ctxt *ctxt, psb_lpk n, int *owner, struct row_list *l)
{
    psb_err e = PSB_OK;
    const int me = psb_rank_of(ctxt);
    for (psb_lpk done = 0; done < n; done += PART_CHUNK) {
        int count = n - done < PART_CHUNK ? (int)(n - done) : PART_CHUNK;
        int *chunk = me == 0 ? owner + done : owner;
        PSB_MPI(MPI_Bcast(chunk, count, MPI_INT, 0, psb_comm_of(ctxt)));
        PSB_THEN(e, keep_rows(l, me, done, count, chunk));
    }
    PSB_TRY(e);
    PSB_CHECK(l->n <= INT32_MAX, PSB_EARG, "process %d owns %" PRId64 " rows; expected less than 2^31", me,
              l->n);
    return PSB_OK;
}

/* Make a descriptor of n rows, the same n on all processes, from `owner` as in list_own_rows; e is an earlier
 * error of this process. */
static psb_err make_by_owners(psb_ctxt *ctxt, psb_lpk n, int *owner, psb_err e, psb_desc **desc)
{
    struct row_list l = { 0 };
    e = psb_agree_on(ctxt, n, -1, e);
    PSB_THEN(e, psb_agree(ctxt, list_own_rows(ctxt, n, owner, &l)));
    if (e == PSB_OK) {
        int base = psb_index_from_0();
        e = psb_cdall_vl(desc, ctxt, (psb_ipk)l.n, l.row);
        psb_err f = psb_set_index_base(base);
        e = e != PSB_OK ? e : f;
    }
    psb_free(l.row);
    return e;
}

static psb_err alloc_owners(int me, psb_lpk n, int **owner)
{
    PSB_TRY(check_count(n));
    return psb_alloc(owner, me == 0 ? (size_t)n : PART_CHUNK, sizeof **owner, "owners of rows");
}

psb_err psb_part_file(psb_ctxt *ctxt, psb_lpk n, const char *path, psb_desc **desc)
{
    int me, np, *owner = NULL;
    PSB_TRY(psb_check_ctxt(ctxt));
    psb_info(ctxt, &me, &np);
    psb_err e = alloc_owners(me, n, &owner);
    if (e == PSB_OK && me == 0)
        e = psb_part_owners(path, n, np, owner);
    e = make_by_owners(ctxt, n, owner, e, desc);
    psb_free(owner);
    return PSB_PASS(e);
}

/* --- a graph --- */

/* Send indices to process 0, in messages of a few MiB. */
static psb_err send_indices(MPI_Comm comm, psb_epk n, const psb_lpk *i)
{
    for (psb_epk done = 0; done < n; done += PART_CHUNK)
        PSB_MPI(MPI_Send(i + done, n - done < PART_CHUNK ? (int)(n - done) : PART_CHUNK, MPI_INT64_T, 0,
                         PSB_TAG_INDICES, comm));
    return PSB_OK;
}

static psb_err receive_indices(MPI_Comm comm, int from, psb_epk n, psb_lpk *i)
{
    for (psb_epk done = 0; done < n; done += PART_CHUNK)
        PSB_MPI(MPI_Recv(i + done, n - done < PART_CHUNK ? (int)(n - done) : PART_CHUNK, MPI_INT64_T, from,
                         PSB_TAG_INDICES, comm, MPI_STATUS_IGNORE));
    return PSB_OK;
}

/* The entries of all processes, on process 0. */
struct all_entries {
    psb_epk *count; /* of each process */
    psb_lpk *ia, *ja;
    psb_epk n;
};

static psb_err alloc_entries(struct all_entries *all, int np)
{
    for (int p = 0; p < np; p++)
        all->n += all->count[p];
    PSB_TRY(psb_alloc(&all->ia, (size_t)all->n, sizeof *all->ia, "indices of a graph"));
    return psb_alloc(&all->ja, (size_t)all->n, sizeof *all->ja, "indices of a graph");
}

static psb_err collect_entries(psb_ctxt *ctxt, psb_epk nz, const psb_lpk *ia, const psb_lpk *ja,
                               struct all_entries *all)
{
    int me, np;
    MPI_Comm comm = psb_comm_of(ctxt);
    psb_info(ctxt, &me, &np);
    PSB_MPI(MPI_Gather(&nz, 1, MPI_INT64_T, all->count, 1, MPI_INT64_T, 0, comm));
    PSB_TRY(psb_agree(ctxt, me == 0 ? alloc_entries(all, np) : PSB_OK));
    if (me > 0) {
        PSB_TRY(send_indices(comm, nz, ia));
        return send_indices(comm, nz, ja);
    }
    for (psb_epk k = 0; k < nz; k++) {
        all->ia[k] = ia[k];
        all->ja[k] = ja[k];
    }
    for (psb_epk p = 1, at = nz; p < np; at += all->count[p++]) {
        PSB_TRY(receive_indices(comm, (int)p, all->count[p], all->ia + at));
        PSB_TRY(receive_indices(comm, (int)p, all->count[p], all->ja + at));
    }
    return PSB_OK;
}

static psb_err check_own_entries(psb_epk nz, const psb_lpk *ia, const psb_lpk *ja, psb_desc **desc)
{
    PSB_NEED(desc, "where to store the descriptor");
    PSB_CHECK(nz >= 0, PSB_EARG, "argument nz is %" PRId64 "; expected a number of entries >= 0", nz);
    PSB_CHECK(nz == 0 || (ia && ja), PSB_EARG, "argument %s is NULL; expected %" PRId64 " indices",
              ia ? "ja" : "ia", nz);
    return PSB_OK;
}

psb_err psb_part_graph(psb_ctxt *ctxt, psb_lpk n, psb_epk nz, const psb_lpk *ia, const psb_lpk *ja,
                       psb_desc **desc)
{
    int me, np, *owner = NULL;
    struct all_entries all = { 0 };
    PSB_TRY(psb_check_ctxt(ctxt));
    psb_info(ctxt, &me, &np);
    psb_err e = check_own_entries(nz, ia, ja, desc);
    PSB_THEN(e, alloc_owners(me, n, &owner));
    PSB_THEN(e, psb_alloc(&all.count, (size_t)np, sizeof *all.count, "numbers of entries"));
    e = psb_agree(ctxt, e);
    PSB_THEN(e, collect_entries(ctxt, nz, ia, ja, &all));
    if (e == PSB_OK && me == 0)
        e = psb_part_metis(n, all.n, all.ia, all.ja, np, owner);
    e = make_by_owners(ctxt, n, owner, e, desc);
    psb_free(all.count);
    psb_free(all.ia);
    psb_free(all.ja);
    psb_free(owner);
    return PSB_PASS(e);
}
