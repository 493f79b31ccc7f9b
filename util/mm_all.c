/* mm_all.c -- util: Matrix Market files read by all processes together. */
#include "config.h"
#include "base_inside.h"
#include "deal.h"
#include "mm_block.h"
#include "psb_alloc.h"
#include "psb_type.h"

/* What a process found in its block of a round. */
struct block_summary {
    psb_epk lines, entries;
    psb_epk triangle; /* triangle of the first off-diagonal entry of symmetric storage, else 0 */
    psb_epk over;     /* nothing follows */
    psb_epk wrong;    /* the block has an error, or reading failed before */
};
enum { SUMMARY_WORDS = sizeof(struct block_summary) / sizeof(psb_epk) };

/* The totals of the text before a block. */
struct text_before {
    psb_epk lines, entries;
    int triangle;
};

struct shared_file {
    psb_ctxt *ctxt;
    int me, np;
    int readers; /* the processes that read: all, or process 0 if the file can be read only once */
    const char *path;
    struct psb_text in;
    struct psb_mm_header a;
    const psb_desc *rows;
    X(taker) take; /* receives the entries that arrive, with arg */
    void *arg;
    psb_epk number;                  /* this process's block in this round */
    struct X(mm_block) b;            /* its contents */
    struct text_before before, mine; /* totals before this round, and before this process's block */
    struct block_summary *share;     /* one for each process in this round */
    psb_err late;                    /* error on this process after the last round */
};

/* --- one block --- */

static psb_err read_block(struct psb_text *in, psb_epk number, struct X(mm_block) *b)
{
    psb_epk size = psb_read_block();
    PSB_TRY(psb_text_skip(in, number * size));
    psb_text_until(in, (number + 1) * size);
    return X(mm_lines)(in, b);
}

/* Read this process's block.  With several readers the line of an error in the text is not known yet: set
 * *noted. One alone reports the error at once. */
static psb_err read_own_block(struct shared_file *r, struct block_summary *s, bool *noted)
{
    psb_epk line = r->in.line;
    psb_err e = r->late;
    r->b.e.t.nnz = r->b.found = 0;
    r->b.before = r->readers > 1 ? -1 : r->before.entries;
    r->b.triangle = r->readers > 1 ? 0 : r->before.triangle;
    r->in.wrong = r->readers > 1 ? noted : NULL;
    if (e == PSB_OK && r->me < r->readers)
        e = read_block(&r->in, r->number, &r->b);
    r->in.wrong = NULL;
    *s = (struct block_summary){ .lines = r->in.line - line,
                                 .entries = r->b.found,
                                 .triangle = r->me < r->readers ? r->b.triangle : 0,
                                 .over = r->me < r->readers && psb_text_is_over(&r->in),
                                 .wrong = e != PSB_OK };
    return e;
}

/* This process's block has an error: read the block again, now that the totals before it are known, and
 * report it. */
static psb_err report_block_error(const struct shared_file *r)
{
    struct psb_text in;
    struct psb_mm_header a;
    struct X(mm_block) b = { .a = &r->a, .before = r->mine.entries, .triangle = r->mine.triangle };
    PSB_TRY(psb_mm_open(r->path, &in, &a));
    psb_err e = psb_text_skip(&in, r->number * psb_read_block());
    in.line = r->mine.lines;
    PSB_THEN(e, read_block(&in, r->number, &b));
    PSB_THEN(e, PSB_FAIL(PSB_EIO, "%s: the file changes while it is read", in.name));
    X(triplets_free)(&b.e.t);
    psb_text_close(&in);
    return e;
}

/* Set the positions of the entries of an array.  *noted: an entry may not have the position it got. */
static psb_err place_block(struct shared_file *r, bool *noted)
{
    if (!r->a.array || r->b.before >= 0)
        return PSB_OK;
    r->in.wrong = noted;
    psb_err e = X(mm_set_positions)(&r->in, &r->b, r->mine.entries);
    r->in.wrong = NULL;
    return *noted ? report_block_error(r) : e;
}

/* --- one round --- */

/* Add up the blocks of the round.  Returns the process of the first block with an error, or np. */
static int add_up_blocks(struct shared_file *r, bool *over)
{
    struct text_before *p = &r->before;
    int q;
    for (q = 0; q < r->np; q++) {
        const struct block_summary *s = &r->share[q];
        if (q == r->me)
            r->mine = *p;
        const bool other = s->triangle && p->triangle && s->triangle != p->triangle;
        if (s->wrong || other || s->entries > r->a.stored - p->entries)
            return q;
        p->lines += s->lines;
        p->entries += s->entries;
        p->triangle = p->triangle ? p->triangle : (int)s->triangle;
        *over |= s->over != 0;
    }
    return q;
}

/* Each process reads a block, and deals its entries.  An error in the text is that of the first block with
 * one, and is reported on all processes. */
static psb_err read_round(struct shared_file *r, bool *over)
{
    bool noted = false;
    struct block_summary mine;
    psb_err e = read_own_block(r, &mine, &noted);
    PSB_MPI(MPI_Allgather(&mine, SUMMARY_WORDS, MPI_INT64_T, r->share, SUMMARY_WORDS, MPI_INT64_T,
                          psb_comm_of(r->ctxt)));
    const int q = add_up_blocks(r, over);
    if (r->me < q)
        e = place_block(r, &noted);
    else if (r->me == q && (e == PSB_OK || noted))
        e = report_block_error(r);
    if (q < r->np)
        return psb_agree(r->ctxt, r->me <= q ? e : PSB_OK);
    if (e != PSB_OK)
        r->b.e.t.nnz = 0;
    psb_err f = X(deal)(r->rows, &r->b.e.t, r->take, r->arg);
    r->late = e != PSB_OK ? e : f;
    return PSB_OK;
}

/* Read the entries and send them to the owners of their rows in `rows`.  Collective. */
static psb_err read_entries(struct shared_file *r, const psb_desc *rows, X(taker) take, void *arg)
{
    bool over = false;
    r->take = take;
    r->arg = arg;
    r->rows = rows;
    PSB_TRY(psb_desc_single_owners(rows));
    for (r->number = r->me; !over; r->number += r->readers)
        PSB_TRY(read_round(r, &over));
    r->in.line = r->before.lines;
    return psb_agree(r->ctxt, r->late != PSB_OK ? r->late : psb_mm_enough(&r->in, &r->a, r->before.entries));
}

/* --- the file --- */

static void close_shared(struct shared_file *r)
{
    psb_text_close(&r->in);
    X(triplets_free)(&r->b.e.t);
    psb_free(r->share);
}

static psb_err open_here(struct shared_file *r)
{
    PSB_CHECK(r->path, PSB_EARG, "argument path is NULL; expected the name of a file");
    r->in.name = r->path;
    if (r->me < r->readers) {
        PSB_TRY(psb_mm_open(r->path, &r->in, &r->a));
        PSB_TRY(X(mm_fits)(&r->in, 1, &r->a));
    }
    return psb_alloc(&r->share, (size_t)r->np, sizeof *r->share, "shares of a file");
}

static psb_err check_same_blocks(psb_ctxt *ctxt)
{
    psb_epk ends[] = { psb_read_block(), -psb_read_block() };
    PSB_TRY(psb_max(ctxt, 2, ends, -1));
    PSB_CHECK(ends[0] == -ends[1], PSB_EARG,
              "psb_read_block() is %" PRId64 " here, between %" PRId64 " and %" PRId64
              " on the processes; expected the same on all",
              psb_read_block(), -ends[1], ends[0]);
    return PSB_OK;
}

/* Process 0, which reads alone, tells the others what the header says. */
static psb_err share_header(struct shared_file *r)
{
    PSB_MPI(MPI_Bcast(&r->a, sizeof r->a, MPI_BYTE, 0, psb_comm_of(r->ctxt)));
    PSB_MPI(MPI_Bcast(&r->in.line, 1, MPI_INT64_T, 0, psb_comm_of(r->ctxt)));
    return PSB_OK;
}

/* Open the file and read its header on every process; close_shared if this succeeds.  e is an earlier error
 * of this process.  Collective. */
static psb_err open_shared(struct shared_file *r, psb_ctxt *ctxt, const char *path, psb_err e)
{
    *r = (struct shared_file){ .ctxt = ctxt, .path = path, .b.a = &r->a };
    psb_info(ctxt, &r->me, &r->np);
    r->readers = r->me == 0 && path && psb_bytes_is_pipe(path) ? 1 : r->np;
    PSB_TRY(psb_bcast(ctxt, 1, &r->readers, 0));
    e = psb_agree(ctxt, e != PSB_OK ? e : open_here(r));
    PSB_THEN(e, check_same_blocks(ctxt));
    if (e == PSB_OK && r->readers < r->np)
        e = share_header(r);
    if (e != PSB_OK)
        close_shared(r);
    r->before.lines = r->in.line;
    return e;
}

/* The number of entries to expect on this process: not more than the file can hold, whatever its header
 * says. */
static psb_epk expected_entries(const struct shared_file *r)
{
    int64_t bytes = r->readers < r->np ? -1 : psb_bytes_size(r->in.from);
    psb_epk n = r->a.stored < bytes ? r->a.stored : bytes < 0 ? 0 : bytes;
    return n / r->np * (r->a.symmetry == PSB_MM_GENERAL ? 1 : 2);
}

psb_err X(mm_read_all)(const char *path, const psb_desc *rows, void (*progress)(void *arg, double fraction),
                       void *arg, struct X(triplets) *mine)
{
    struct shared_file r;
    struct X(growing_triplets) g = { .capacity = 0 };
    PSB_NEED_HANDLE(rows, "a descriptor");
    PSB_TRY(open_shared(&r, psb_cd_ctxt(rows), path, mine ? PSB_OK : psb_missing_output("mine")));
    r.in.progress = progress;
    r.in.arg = arg;
    psb_err e = psb_check_rows(rows, "rows", r.a.m, r.in.name);
    PSB_THEN(e, X(triplets_grow)(&g, expected_entries(&r)));
    e = psb_agree(r.ctxt, e);
    PSB_THEN(e, read_entries(&r, rows, X(take_growing), &g));
    PSB_THEN(e, psb_agree(r.ctxt, X(triplets_resize)(&g.t, g.t.nnz)));
    close_shared(&r);
    g.t.m = r.a.m;
    g.t.n = r.a.n;
    if (e == PSB_OK && progress)
        progress(arg, 1);
    return PSB_PASS(X(triplets_hand_over)(e, &g.t, mine));
}

psb_err X(mm_mat_read)(struct X(spmat) **a, psb_desc **row, psb_desc **col, psb_ctxt *ctxt, const char *path)
{
    struct shared_file r;
    struct X(spmat) *new = NULL;
    psb_desc *rd = row ? *row : NULL, *cd = col ? *col : NULL;
    const char *missing = !a ? "a" : !row ? "row" : !col ? "col" : NULL;
    PSB_TRY(psb_check_ctxt(ctxt));
    PSB_TRY(open_shared(&r, ctxt, path, missing ? psb_missing_output(missing) : PSB_OK));
    psb_err e = psb_describe(ctxt, r.in.name, r.a.m, r.a.n, &rd, &cd);
    PSB_THEN(e, psb_agree(ctxt, X(spall2)(&new, rd, cd, expected_entries(&r))));
    PSB_THEN(e, read_entries(&r, rd, X(take_insert), new));
    close_shared(&r);
    return PSB_PASS(X(matrix_hand_over)(e, new, rd, cd, a, row, col));
}

/* --- vectors --- */

struct columns_read {
    struct X(vect) **x;
    enum psb_dupl dupl;
};

static psb_err insert_columns(void *arg, const struct X(triplets) *t)
{
    const struct columns_read *c = arg;
    for (psb_epk k = 0, n; k < t->nnz; k += n) { /* entries of one column at a time */
        for (n = 1; k + n < t->nnz && t->ja[k + n] == t->ja[k];)
            n++;
        int base = psb_index_from_0();
        psb_err e = X(geins)(n, t->ia + k, t->val + k, c->x[t->ja[k]], c->dupl);
        PSB_TRY(psb_set_index_base(base));
        PSB_TRY(e);
    }
    return PSB_OK;
}

static psb_err make_columns(const struct shared_file *r, psb_ipk n, psb_desc *desc, struct X(vect) ***x)
{
    PSB_CHECK(r->a.m == psb_cd_global_rows(desc) && r->a.n == n, PSB_EARG,
              "%s: the file is %" PRId64 " by %" PRId64 "; expected %" PRId64 " by %d", r->in.name, r->a.m,
              r->a.n, psb_cd_global_rows(desc), n);
    PSB_TRY(psb_alloc_zero(x, (size_t)n, sizeof **x, "vectors"));
    for (psb_ipk k = 0; k < n; k++)
        PSB_TRY(X(geall)(&(*x)[k], desc));
    return PSB_OK;
}

static psb_err check_columns(struct X(vect) **x, psb_ipk n)
{
    PSB_NEED(x, "where to store it");
    PSB_CHECK(n >= 1, PSB_EARG, "argument n is %d; expected a number of vectors >= 1", n);
    return PSB_OK;
}

psb_err X(mm_vect_read)(struct X(vect) **x, psb_ipk n, psb_desc *desc, const char *path)
{
    struct shared_file r;
    struct columns_read c = { .x = NULL };
    PSB_NEED_HANDLE(desc, "a descriptor");
    PSB_TRY(open_shared(&r, psb_cd_ctxt(desc), path, check_columns(x, n)));
    c.dupl = r.a.array ? PSB_DUPL_OVERWRITE : PSB_DUPL_ADD;
    psb_err e = psb_agree(r.ctxt, make_columns(&r, n, desc, &c.x));
    PSB_THEN(e, read_entries(&r, desc, insert_columns, &c));
    close_shared(&r);
    for (psb_ipk k = 0; c.x && k < n; k++)
        if (e == PSB_OK)
            x[k] = c.x[k];
        else
            X(gefree)(c.x[k]);
    psb_free(c.x);
    return PSB_PASS(e);
}
