/* sp_gather.c -- base/spmat: a distributed matrix gathered, and written as text. */
#include "spmat.h"
#include "desc.h"
#include <errno.h>
#include <string.h>
#include "psb_type.h"

/* --- psb_spgather --------------------------------------------------------------------------------------- */

static psb_err check_gather(const struct X(spmat) *a, const void *out, int root)
{
    int me, np;
    PSB_TRY(X(sp_check)(a, "a"));
    psb_info(a->row->ctxt, &me, &np);
    PSB_CHECK(root >= -1 && root < np, PSB_EARG, "argument root is %d; expected -1 <= root < %d", root, np);
    PSB_CHECK(out || (root >= 0 && root != me), PSB_EARG,
              "argument all is NULL; expected where to store the matrix");
    PSB_CHECK(a->row->map->nglob <= INT32_MAX && a->col->map->nglob <= INT32_MAX, PSB_EARG,
              "argument a is %" PRId64 " x %" PRId64 "; expected less than 2^31 rows and columns",
              a->row->map->nglob, a->col->map->nglob);
    return PSB_OK;
}

/* Gather the entries of all processes in `to`, which is NULL on processes that receive nothing. */
static psb_err gather_entries(psb_ctxt *ctxt, const struct X(coo_mat) *c, struct X(coo_mat) *to,
                              const psb_epk *count, int root)
{
    psb_epk n = c->mat.nnz;
    PSB_TRY(psb_gatherv(ctxt, n, c->ia, to ? to->ia : (psb_ipk *)NULL, count, root));
    PSB_TRY(psb_gatherv(ctxt, n, c->ja, to ? to->ja : (psb_ipk *)NULL, count, root));
    return psb_gatherv(ctxt, n, c->val, to ? to->val : (T *)NULL, count, root);
}

/* Space for the whole matrix. */
static psb_err alloc_gathered(const struct X(spmat) *a, const psb_epk *count, int np, struct X(mat) **to)
{
    psb_epk nz = 0;
    for (int p = 0; p < np; p++)
        nz += count[p];
    PSB_TRY(X(mat_all)((psb_ipk)a->row->map->nglob, (psb_ipk)a->col->map->nglob, nz, to));
    (*to)->nnz = nz;
    return PSB_OK;
}

/* *to = the whole matrix as triplets, on processes that receive it; c has the local entries, count space for
 * np numbers on processes that receive the matrix. */
static psb_err gather_matrix(const struct X(spmat) *a, const struct X(coo_mat) *c, psb_epk *count, int root,
                             struct X(mat) **to)
{
    psb_ctxt *ctxt = a->row->ctxt;
    psb_epk mine = c->mat.nnz;
    int np;
    psb_info(ctxt, NULL, &np);
    PSB_TRY(psb_gather(ctxt, 1, &mine, count, root));
    PSB_TRY(psb_agree(ctxt, count ? alloc_gathered(a, count, np, to) : PSB_OK));
    return gather_entries(ctxt, c, (struct X(coo_mat) *)*to, count, root);
}

/* *out = *all in the format of mold, or itself. */
static psb_err finish_gathered(struct X(mat) **all, const struct X(mat) *mold, struct X(mat) **out)
{
    PSB_TRY(X(mat_asb)(*all, PSB_DUPL_ADD));
    if (mold)
        return X(mat_convert)(*all, mold, out);
    *out = *all;
    *all = NULL;
    return PSB_OK;
}

psb_err X(spgather)(const struct X(spmat) *a, const struct X(mat) *mold, struct X(mat) **all, int root)
{
    struct X(coo_mat) *c = NULL;
    struct X(mat) *to = NULL, *out = NULL;
    psb_epk *count = NULL;
    int me, np;
    PSB_NEED_HANDLE(a, "a matrix");
    psb_ctxt *ctxt = a->row->ctxt;
    psb_info(ctxt, &me, &np);
    psb_err e = check_gather(a, all, root);
    PSB_THEN(e, X(sp_rows_counted)(a, &c));
    if (e == PSB_OK && (root < 0 || root == me))
        e = psb_alloc(&count, (size_t)np, sizeof *count, "entries of processes");
    e = psb_agree(ctxt, e);
    if (e == PSB_OK) {
        /* Local numbers become global ones. */
        const psb_lpk base = psb_index_base();
        for (psb_epk k = 0; k < c->mat.nnz; k++) {
            c->ia[k] = (psb_ipk)(psb_loc_to_glob(a->row, c->ia[k]) - base);
            c->ja[k] = (psb_ipk)(psb_loc_to_glob(a->col, c->ja[k]) - base);
        }
        e = gather_matrix(a, c, count, root, &to);
    }
    PSB_THEN(e, psb_agree(ctxt, to ? finish_gathered(&to, mold, &out) : PSB_OK));
    if (e == PSB_OK && all)
        *all = out;
    else
        X(mat_free)(out);
    X(mat_free)((struct X(mat) *)c);
    X(mat_free)(to);
    psb_free(count);
    return PSB_PASS(e);
}

/* --- psb_sp_print --------------------------------------------------------------------------------------- */

enum { PIECE = 2048 };

/* An entry in global numbers, from 0. */
struct entry {
    psb_lpk i, j;
    T v;
};

struct printing {
    const struct X(spmat) *a;
    struct X(coo_mat) *c; /* the rows here */
    psb_epk next;         /* of them */
    struct entry *piece;  /* PIECE of them */
    FILE *to;
};

/* The next entries here; how many. */
static int next_piece(struct printing *p)
{
    const psb_lpk base = psb_index_base();
    int n = 0;
    for (; n < PIECE && p->next < p->c->mat.nnz; n++, p->next++) {
        p->piece[n].i = psb_loc_to_glob(p->a->row, p->c->ia[p->next]) - base;
        p->piece[n].j = psb_loc_to_glob(p->a->col, p->c->ja[p->next]) - base;
        p->piece[n].v = p->c->val[p->next];
    }
    return n;
}

static int print_piece(const struct printing *p, int n)
{
    for (int k = 0; k < n; k++)
        if (X(print_entry)(p->to, p->piece[k].i, p->piece[k].j, p->piece[k].v) < 0)
            return -1;
    return 0;
}

/* Print the entries of process 0, then those of the others, piece by piece; a failure sets *bad. */
static psb_err print_all(struct printing *p, MPI_Comm comm, int np, int *bad)
{
    for (int n = PIECE; n == PIECE && !*bad;)
        *bad |= print_piece(p, n = next_piece(p)) < 0;
    for (int r = 1; r < np; r++)
        for (int n = PIECE; n == PIECE;) {
            /* Process 0 asks for a piece, or with go == 0 ends the exchange. */
            const int go = !*bad;
            MPI_Status status;
            int bytes = 0;
            PSB_MPI(MPI_Send(&go, 1, MPI_INT, r, PSB_TAG_PRINT, comm));
            if (go) {
                PSB_MPI(MPI_Recv(p->piece, PIECE * (int)sizeof *p->piece, MPI_BYTE, r, PSB_TAG_PRINT, comm,
                                 &status));
                MPI_Get_count(&status, MPI_BYTE, &bytes);
            }
            n = bytes / (int)sizeof *p->piece;
            *bad |= print_piece(p, n) < 0;
        }
    *bad |= fflush(p->to) != 0;
    return PSB_OK;
}

static psb_err print_matrix(struct printing *p, psb_epk nz, const char *header)
{
    int me, np, bad;
    psb_ctxt *ctxt = p->a->row->ctxt;
    psb_info(ctxt, &me, &np);
    if (me > 0) {
        const MPI_Comm comm = psb_comm_of(ctxt);
        int go = 1, n = PIECE;
        while (go && n == PIECE) {
            PSB_MPI(MPI_Recv(&go, 1, MPI_INT, 0, PSB_TAG_PRINT, comm, MPI_STATUS_IGNORE));
            if (!go)
                break;
            n = next_piece(p);
            PSB_MPI(MPI_Send(p->piece, n * (int)sizeof *p->piece, MPI_BYTE, 0, PSB_TAG_PRINT, comm));
        }
        return PSB_OK;
    }
    errno = 0;
    bad = X(print_head)(p->to, p->a->row->map->nglob, p->a->col->map->nglob, nz, header) < 0;
    PSB_TRY(print_all(p, psb_comm_of(ctxt), np, &bad));
    PSB_CHECK(!bad, PSB_EIO, "cannot write a matrix: %s", strerror(errno));
    return PSB_OK;
}

static psb_err prepare_print(struct printing *p, const struct X(spmat) *a)
{
    PSB_TRY(X(sp_check)(a, "a"));
    int me;
    psb_info(a->row->ctxt, &me, NULL);
    PSB_CHECK(p->to || me > 0, PSB_EARG, "argument to is NULL; expected a stream");
    PSB_TRY(X(sp_rows_counted)(a, &p->c));
    return psb_alloc_zero(&p->piece, PIECE, sizeof *p->piece, "entries written");
}

psb_err X(sp_print)(const struct X(spmat) *a, FILE *to, const char *header)
{
    struct printing p = { .a = a, .to = to };
    PSB_NEED_HANDLE(a, "a matrix");
    psb_ctxt *ctxt = a->row->ctxt;
    psb_err e = psb_agree(ctxt, prepare_print(&p, a));
    psb_epk nz = e == PSB_OK ? p.c->mat.nnz : 0;
    PSB_THEN(e, psb_sum(ctxt, 1, &nz, -1));
    PSB_THEN(e, psb_agree(ctxt, print_matrix(&p, nz, header)));
    X(mat_free)((struct X(mat) *)p.c);
    psb_free(p.piece);
    return PSB_PASS(e);
}
