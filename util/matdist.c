/* matdist.c -- util: send a matrix or a vector from one process to all. */
#include "config.h"
#include "base_inside.h"
#include "deal.h"
#include "psb_type.h"

enum { BROADCAST_CHUNK = 1 << 17, DEAL_TURN = 1 << 18 }; /* entries of a message; of each process in a turn */

/* Data of process root that pass by in chunks. */
struct passing {
    MPI_Comm comm;
    int root;
    bool here;                /* this process is root, which needs no buffers */
    struct X(triplets) chunk; /* buffers for a chunk received from root */
};

static psb_err open_passing(struct passing *p, const psb_desc *desc, int root)
{
    psb_ctxt *ctxt = psb_cd_ctxt(desc);
    *p = (struct passing){ .comm = psb_comm_of(ctxt), .root = root, .here = psb_rank_of(ctxt) == root };
    return p->here ? PSB_OK : X(triplets_resize)(&p->chunk, BROADCAST_CHUNK);
}

/* --- a matrix --- */

/* Broadcast the entries of *all, and append to *mine those of rows owned here.  If storing fails on this
 * process, it still takes part in the broadcasts. */
static psb_err pass_entries(const struct passing *p, const psb_desc *rows, const struct X(triplets) *all,
                            psb_epk nnz, struct X(growing_triplets) *mine)
{
    psb_err e = PSB_OK;
    for (psb_epk done = 0; done < nnz; done += BROADCAST_CHUNK) {
        const int n = nnz - done < BROADCAST_CHUNK ? (int)(nnz - done) : BROADCAST_CHUNK;
        struct X(triplets) c = p->chunk;
        if (p->here)
            c = (struct X(triplets)){ .ia = all->ia + done, .ja = all->ja + done, .val = all->val + done };
        PSB_MPI(MPI_Bcast(c.ia, n, MPI_INT64_T, p->root, p->comm));
        PSB_MPI(MPI_Bcast(c.ja, n, MPI_INT64_T, p->root, p->comm));
        PSB_MPI(MPI_Bcast(c.val, n, TMPI, p->root, p->comm));
        PSB_THEN(e, X(triplets_reserve)(mine, n));
        for (int k = 0; k < n && e == PSB_OK; k++)
            if (psb_is_owned(rows, c.ia[k] + psb_index_base()))
                X(triplets_append)(&mine->t, c.ia[k], c.ja[k], c.val[k]);
    }
    return e == PSB_OK ? X(triplets_resize)(&mine->t, mine->t.nnz) : e;
}

/* Broadcast the sizes and the number of entries of *all. */
static psb_err broadcast_sizes(psb_ctxt *ctxt, int root, const struct X(triplets) *all, psb_epk size[3])
{
    if (psb_rank_of(ctxt) == root) {
        size[0] = all->m;
        size[1] = all->n;
        size[2] = all->nnz;
    }
    PSB_MPI(MPI_Bcast(size, 3, MPI_INT64_T, root, psb_comm_of(ctxt)));
    return PSB_OK;
}

/* The arguments have been checked. */
static psb_err distribute_entries(const psb_desc *rows, int root, const struct X(triplets) *all,
                                  struct X(triplets) *mine)
{
    struct passing p = { 0 };
    struct X(growing_triplets) new = { .capacity = 0 };
    psb_epk size[3] = { 0 };
    psb_ctxt *ctxt = psb_cd_ctxt(rows);
    psb_err e = psb_agree(ctxt, open_passing(&p, rows, root));
    PSB_THEN(e, broadcast_sizes(ctxt, root, all, size));
    PSB_THEN(e, psb_agree(ctxt, pass_entries(&p, rows, all, size[2], &new)));
    X(triplets_free)(&p.chunk);
    new.t.m = size[0];
    new.t.n = size[1];
    return X(triplets_hand_over)(e, &new.t, mine);
}

/* Check root's *all; other processes' argument is not used. */
static psb_err check_all_on_root(psb_ctxt *ctxt, const psb_desc *rows, int root,
                                 const struct X(triplets) *all)
{
    if (psb_rank_of(ctxt) != root)
        return PSB_OK;
    PSB_CHECK(all, PSB_EARG, "argument all is NULL on process %d; expected the matrix there", root);
    return X(check_triplets)(all, "all", rows);
}

psb_err X(matdist)(const psb_desc *rows, int root, const struct X(triplets) *all, struct X(triplets) *mine)
{
    PSB_NEED_HANDLE(rows, "a descriptor");
    psb_ctxt *ctxt = psb_cd_ctxt(rows);
    psb_err e = mine ? check_all_on_root(ctxt, rows, root, all) : psb_missing_output("mine");
    PSB_TRY(psb_agree_on_root(ctxt, root, e));
    return PSB_PASS(distribute_entries(rows, root, all, mine));
}

/* Call X(deal) as often as the process with most entries needs.  An error on this process does not stop the
 * others. */
static psb_err deal_in_turns(const psb_desc *rows, const struct X(triplets) *t, struct X(growing_triplets) *g)
{
    psb_ctxt *ctxt = psb_cd_ctxt(rows);
    psb_epk mine = t->nnz, most = mine;
    psb_err e = PSB_OK;
    PSB_TRY(psb_max(ctxt, 1, &most, -1));
    for (psb_epk done = 0; done < most; done += DEAL_TURN) {
        psb_epk at = done < mine ? done : mine;
        struct X(triplets) some = { .nnz = mine - at < DEAL_TURN ? mine - at : DEAL_TURN,
                                    .ia = t->ia + at,
                                    .ja = t->ja + at,
                                    .val = t->val + at };
        psb_err f = X(deal)(rows, &some, X(take_growing), g);
        e = e != PSB_OK ? e : f;
    }
    PSB_THEN(e, X(triplets_resize)(&g->t, g->t.nnz));
    return psb_agree(ctxt, e);
}

psb_err X(redist)(const psb_desc *rows, struct X(triplets) *t)
{
    struct X(growing_triplets) g = { .capacity = 0 };
    PSB_NEED_HANDLE(rows, "a descriptor");
    PSB_TRY(psb_agree(psb_cd_ctxt(rows), X(check_triplets)(t, "t", rows)));
    PSB_TRY(psb_desc_single_owners(rows));
    psb_err e = deal_in_turns(rows, t, &g);
    g.t.m = t->m;
    g.t.n = t->n;
    if (e == PSB_OK)
        X(triplets_free)(t);
    return PSB_PASS(X(triplets_hand_over)(e, &g.t, t));
}

static psb_err distribute_and_insert(psb_desc *row, psb_desc *col, int root, const struct X(triplets) *all,
                                     struct X(spmat) **a)
{
    struct X(triplets) mine = { 0 };
    PSB_TRY(distribute_entries(row, root, all, &mine));
    psb_err e = X(spall2)(a, row, col, mine.nnz);
    PSB_THEN(e, X(take_insert)(*a, &mine));
    X(triplets_free)(&mine);
    return psb_agree(psb_cd_ctxt(row), e);
}

psb_err X(sp_matdist)(struct X(spmat) **a, psb_desc **row, psb_desc **col, psb_ctxt *ctxt, int root,
                      const struct X(triplets) *all)
{
    psb_desc *rd = row ? *row : NULL, *cd = col ? *col : NULL;
    psb_epk size[3];
    struct X(spmat) *new = NULL;
    PSB_TRY(psb_check_ctxt(ctxt));
    const char *missing = !a ? "a" : !row ? "row" : !col ? "col" : NULL;
    psb_err e = missing ? psb_missing_output(missing) : check_all_on_root(ctxt, NULL, root, all);
    PSB_TRY(psb_agree_on_root(ctxt, root, e));
    PSB_TRY(psb_agree(ctxt, broadcast_sizes(ctxt, root, all, size)));
    e = psb_describe(ctxt, "the matrix", size[0], size[1], &rd, &cd);
    PSB_THEN(e, distribute_and_insert(rd, cd, root, all, &new));
    return PSB_PASS(X(matrix_hand_over)(e, new, rd, cd, a, row, col));
}

/* --- a vector --- */

static psb_err pass_elements(const struct passing *p, const psb_desc *desc, const T *all, T *mine)
{
    psb_lpk m = psb_cd_global_rows(desc);
    for (psb_lpk done = 0; done < m; done += BROADCAST_CHUNK) {
        int n = m - done < BROADCAST_CHUNK ? (int)(m - done) : BROADCAST_CHUNK;
        T *v = p->here ? (T *)all + done : p->chunk.val;
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
              "argument mine is NULL; expected an array of %d elements", psb_cd_local_rows(desc));
    PSB_CHECK(all || m == 0 || psb_rank_of(psb_cd_ctxt(desc)) != root, PSB_EARG,
              "argument all is NULL on process %d; expected an array of %" PRId64 " elements there", root, m);
    return PSB_OK;
}

psb_err X(vecdist)(const psb_desc *desc, int root, const T *all, T *mine)
{
    struct passing p = { 0 };
    PSB_NEED_HANDLE(desc, "a descriptor");
    psb_err e = check_vector(desc, root, all, mine);
    PSB_THEN(e, open_passing(&p, desc, root));
    e = psb_agree_on_root(psb_cd_ctxt(desc), root, e);
    PSB_THEN(e, pass_elements(&p, desc, all, mine));
    X(triplets_free)(&p.chunk);
    return PSB_PASS(e);
}
