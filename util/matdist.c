/* matdist.c -- room: util.  Send a matrix or a vector from one process to all. */
#include "config.h"
#include "ctxt.h"
#include "deal.h"
#include "psb_alloc.h"
#include "psb_type.h"

enum { CHUNK = 1 << 17 }; /* entries or elements in one message */

/* Buffers for a chunk received from root. */
struct passing {
    MPI_Comm comm;
    int root, here; /* here: this process is root, which needs no buffers */
    psb_lpk *ia, *ja;
    T *val;
};

static int am_root(const psb_ctxt *ctxt, int root)
{
    int me;
    psb_info(ctxt, &me, NULL);
    return me == root;
}

static psb_err open_passing(struct passing *p, const psb_desc *desc, int root)
{
    psb_ctxt *ctxt = psb_cd_ctxt(desc);
    *p = (struct passing){ .comm = psb_comm_of(ctxt), .root = root, .here = am_root(ctxt, root) };
    if (p->here)
        return PSB_OK;
    PSB_TRY(psb_alloc(&p->ia, CHUNK, sizeof *p->ia, "row indices passing"));
    PSB_TRY(psb_alloc(&p->ja, CHUNK, sizeof *p->ja, "column indices passing"));
    return psb_alloc(&p->val, CHUNK, sizeof *p->val, "values passing");
}

static void close_passing(struct passing *p)
{
    psb_free(p->ia);
    psb_free(p->ja);
    psb_free(p->val);
}

/* --- a matrix --- */

static psb_err set_room(struct X(triplets) *t, psb_epk n)
{
    PSB_TRY(psb_resize(&t->ia, (size_t)n, sizeof *t->ia, "row indices received"));
    PSB_TRY(psb_resize(&t->ja, (size_t)n, sizeof *t->ja, "column indices received"));
    return psb_resize(&t->val, (size_t)n, sizeof *t->val, "values received");
}

/* Broadcast n entries of *all from entry `done` on; *c points to them on this process. */
static psb_err broadcast_entries(const struct passing *p, int n, const struct X(triplets) *all, psb_epk done,
                                 struct X(triplets) *c)
{
    *c = (struct X(triplets)){ .nnz = n, .ia = p->ia, .ja = p->ja, .val = p->val };
    if (p->here) {
        c->ia = all->ia + done;
        c->ja = all->ja + done;
        c->val = all->val + done;
    }
    PSB_MPI(MPI_Bcast(c->ia, n, MPI_INT64_T, p->root, p->comm));
    PSB_MPI(MPI_Bcast(c->ja, n, MPI_INT64_T, p->root, p->comm));
    PSB_MPI(MPI_Bcast(c->val, n, TMPI, p->root, p->comm));
    return PSB_OK;
}

/* Append to *mine, which has room for *room entries, the entries of chunk *c in rows owned here. */
static psb_err keep_entries(const struct X(triplets) *c, const psb_desc *rows, struct X(triplets) *mine,
                            psb_epk *room)
{
    if (*room - mine->nnz < c->nnz) {
        psb_epk more = 2 * *room + CHUNK;
        PSB_TRY(set_room(mine, more));
        *room = more;
    }
    for (psb_epk k = 0; k < c->nnz; k++)
        if (psb_is_owned(rows, c->ia[k] + psb_index_base())) {
            mine->ia[mine->nnz] = c->ia[k];
            mine->ja[mine->nnz] = c->ja[k];
            mine->val[mine->nnz++] = c->val[k];
        }
    return PSB_OK;
}

/* If storing fails on this process, it still takes part in the broadcasts. */
static psb_err entries(const struct passing *p, const psb_desc *rows, const struct X(triplets) *all,
                       psb_epk nnz, struct X(triplets) *mine)
{
    psb_err e = PSB_OK;
    psb_epk room = 0;
    struct X(triplets) chunk;
    for (psb_epk done = 0; done < nnz; done += CHUNK) {
        int n = nnz - done < CHUNK ? (int)(nnz - done) : CHUNK;
        PSB_TRY(broadcast_entries(p, n, all, done, &chunk));
        if (e == PSB_OK)
            e = keep_entries(&chunk, rows, mine, &room);
    }
    return e == PSB_OK ? set_room(mine, mine->nnz) : e;
}

/* Broadcast the sizes and the number of entries. */
static psb_err broadcast_head(const struct passing *p, const struct X(triplets) *all, psb_epk head[3])
{
    if (p->here) {
        head[0] = all->m;
        head[1] = all->n;
        head[2] = all->nnz;
    }
    PSB_MPI(MPI_Bcast(head, 3, MPI_INT64_T, p->root, p->comm));
    return PSB_OK;
}

/* The arguments have been checked. */
static psb_err distribute(const psb_desc *rows, int root, const struct X(triplets) *all,
                          struct X(triplets) *mine)
{
    struct passing p = { 0 };
    struct X(triplets) new = { 0 };
    psb_epk head[3];
    psb_err e = psb_agree(psb_cd_ctxt(rows), open_passing(&p, rows, root));
    if (e == PSB_OK)
        e = broadcast_head(&p, all, head);
    if (e == PSB_OK)
        e = psb_agree(psb_cd_ctxt(rows), entries(&p, rows, all, head[2], &new));
    close_passing(&p);
    if (e != PSB_OK) {
        X(triplets_free)(&new);
        return e;
    }
    new.m = head[0];
    new.n = head[1];
    *mine = new;
    return PSB_OK;
}

/* Check root's *all; other processes' argument is not used. */
static psb_err check_all(psb_ctxt *ctxt, const psb_desc *rows, int root, const struct X(triplets) *all)
{
    if (!am_root(ctxt, root))
        return PSB_OK;
    PSB_CHECK(all, PSB_EARG, "argument all is NULL on process %d; expected the matrix there", root);
    return X(check_triplets)(all, "all", rows);
}

psb_err X(matdist)(const psb_desc *rows, int root, const struct X(triplets) *all, struct X(triplets) *mine)
{
    PSB_NEED_HANDLE(rows, "a descriptor");
    psb_ctxt *ctxt = psb_cd_ctxt(rows);
    psb_err e = mine ? check_all(ctxt, rows, root, all) : psb_no_place("mine");
    PSB_TRY(psb_agree_on_root(ctxt, root, e));
    return PSB_PASS(distribute(rows, root, all, mine));
}

/* Call X(deal) as often as the process with most entries needs.  An error on this process does not stop the
 * others. */
static psb_err deal_in_turns(const psb_desc *rows, const struct X(triplets) *t, struct X(growing) *g)
{
    psb_ctxt *ctxt = psb_cd_ctxt(rows);
    enum { TURN = 1 << 18 };
    psb_epk mine = t->nnz, most;
    psb_err e = PSB_OK;
    PSB_MPI(MPI_Allreduce(&mine, &most, 1, MPI_INT64_T, MPI_MAX, psb_comm_of(ctxt)));
    for (psb_epk done = 0; done < most; done += TURN) {
        psb_epk at = done < mine ? done : mine;
        struct X(triplets) some = {
            .nnz = mine - at < TURN ? mine - at : TURN, .ia = t->ia + at, .ja = t->ja + at, .val = t->val + at
        };
        psb_err f = X(deal)(rows, &some, X(grow), g);
        e = e != PSB_OK ? e : f;
    }
    if (e == PSB_OK)
        e = X(grow_to)(g, g->t.nnz);
    return psb_agree(ctxt, e);
}

psb_err X(redist)(const psb_desc *rows, struct X(triplets) *t)
{
    struct X(growing) g = { .room = 0 };
    PSB_NEED_HANDLE(rows, "a descriptor");
    PSB_TRY(psb_agree(psb_cd_ctxt(rows), X(check_triplets)(t, "t", rows)));
    PSB_TRY(psb_desc_single_owners(rows));
    psb_err e = deal_in_turns(rows, t, &g);
    if (e != PSB_OK) {
        X(triplets_free)(&g.t);
        return PSB_PASS(e);
    }
    g.t.m = t->m;
    g.t.n = t->n;
    X(triplets_free)(t);
    *t = g.t;
    return PSB_OK;
}

/* Broadcast the sizes of *all. */
static psb_err broadcast_sizes(psb_ctxt *ctxt, int root, const struct X(triplets) *all, psb_lpk size[2])
{
    int here = am_root(ctxt, root);
    size[0] = here ? all->m : 0;
    size[1] = here ? all->n : 0;
    PSB_MPI(MPI_Bcast(size, 2, MPI_INT64_T, root, psb_comm_of(ctxt)));
    return PSB_OK;
}

static psb_err dist_and_insert(psb_desc *row, psb_desc *col, int root, const struct X(triplets) *all,
                               struct X(spmat) **a)
{
    struct X(triplets) mine = { 0 };
    PSB_TRY(distribute(row, root, all, &mine));
    psb_err e = X(spall2)(a, row, col, mine.nnz);
    if (e == PSB_OK)
        e = X(insert)(&mine, *a);
    X(triplets_free)(&mine);
    return psb_agree(psb_cd_ctxt(row), e);
}

psb_err X(sp_matdist)(struct X(spmat) **a, psb_desc **row, psb_desc **col, psb_ctxt *ctxt, int root,
                      const struct X(triplets) *all)
{
    psb_desc *rd = row ? *row : NULL, *cd = col ? *col : NULL;
    psb_lpk size[2];
    struct X(spmat) *new = NULL;
    PSB_TRY(psb_check_ctxt(ctxt));
    const char *missing = !a ? "a" : !row ? "row" : !col ? "col" : NULL;
    PSB_TRY(
        psb_agree_on_root(ctxt, root, missing ? psb_no_place(missing) : check_all(ctxt, NULL, root, all)));
    PSB_TRY(psb_agree(ctxt, broadcast_sizes(ctxt, root, all, size)));
    psb_err e = psb_describe(ctxt, "the matrix", size[0], size[1], &rd, &cd);
    if (e == PSB_OK)
        e = dist_and_insert(rd, cd, root, all, &new);
    if (e != PSB_OK) {
        X(spfree)(new);
        psb_undescribe(rd, *row, cd, *col);
        return PSB_PASS(e);
    }
    *a = new;
    *row = rd;
    *col = cd;
    return PSB_OK;
}

/* --- a vector --- */

static psb_err elements(const struct passing *p, const psb_desc *desc, const T *all, T *mine)
{
    psb_lpk m = psb_cd_global_rows(desc);
    for (psb_lpk done = 0; done < m; done += CHUNK) {
        int n = m - done < CHUNK ? (int)(m - done) : CHUNK;
        T *v = p->here ? (T *)all + done : p->val;
        PSB_MPI(MPI_Bcast(v, n, TMPI, p->root, p->comm));
        for (int k = 0; k < n; k++)
            if (psb_is_owned(desc, done + k + psb_index_base()))
                mine[psb_glob_to_loc(desc, done + k + psb_index_base())] = v[k];
    }
    return PSB_OK;
}

static psb_err check_vector(const psb_desc *desc, int root, const T *all, const T *mine)
{
    psb_lpk m = psb_cd_global_rows(desc);
    PSB_CHECK(mine || psb_cd_local_rows(desc) == 0, PSB_EARG,
              "argument mine is NULL; expected room for %d elements", psb_cd_local_rows(desc));
    PSB_CHECK(all || m == 0 || !am_root(psb_cd_ctxt(desc), root), PSB_EARG,
              "argument all is NULL on process %d; expected an array of %" PRId64 " elements there", root, m);
    return PSB_OK;
}

psb_err X(vecdist)(const psb_desc *desc, int root, const T *all, T *mine)
{
    struct passing p = { 0 };
    PSB_NEED_HANDLE(desc, "a descriptor");
    psb_err e = check_vector(desc, root, all, mine);
    if (e == PSB_OK)
        e = open_passing(&p, desc, root);
    e = psb_agree_on_root(psb_cd_ctxt(desc), root, e);
    if (e == PSB_OK)
        e = elements(&p, desc, all, mine);
    close_passing(&p);
    return PSB_PASS(e);
}
