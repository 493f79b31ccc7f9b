/* gather.c -- base/vect: a vector gathered from all processes, and scattered to them. */
#include "vect.h"
#include "ctxt.h"
#include "coll.h"
#include "psb_type.h"

/* The rows of one process. */
struct piece {
    psb_ipk n;
    psb_lpk *row;
    T *val;
};

/* The data exchanged between the root and the other processes. */
struct transfer {
    psb_ctxt *ctxt;
    MPI_Comm comm;
    MPI_Datatype type; /* a row */
    int me, np, root, k;
    struct piece mine, other; /* other: on root, for the largest piece of another */
};

static psb_err piece_alloc(struct piece *p, psb_ipk n, int k)
{
    p->n = n;
    PSB_TRY(psb_alloc(&p->row, (size_t)n, sizeof *p->row, "gathered rows"));
    return psb_alloc(&p->val, (size_t)n * (size_t)k, sizeof *p->val, "gathered values");
}

static void piece_free(struct piece *p)
{
    psb_free(p->row);
    psb_free(p->val);
}

static psb_err check_gather(const struct transfer *t, const struct X(vect) *x, const T *all, int root)
{
    PSB_CHECK(root >= -1 && root < t->np, PSB_EARG, "argument root is %d; expected -1 <= root < %d", root,
              t->np);
    PSB_CHECK(all || (root >= 0 && t->me != root), PSB_EARG,
              "argument all is NULL; expected an array of %" PRId64 " rows", psb_cd_global_rows(x->desc));
    return PSB_OK;
}

static void transfer_free(struct transfer *t)
{
    piece_free(&t->mine);
    piece_free(&t->other);
    if (t->type != MPI_DATATYPE_NULL)
        MPI_Type_free(&t->type);
}

/* Prepare a transfer, on all processes or on none.  err: an earlier error here, or PSB_OK. */
static psb_err transfer_begin(struct transfer *t, enum psb_call call, const struct X(vect) *x, const T *all,
                              int root, psb_err err)
{
    int most = (int)X(vect_owned)(x);
    PSB_TRY(psb_check_ctxt(psb_cd_ctxt(x->desc)));
    *t = (struct transfer){ .ctxt = psb_cd_ctxt(x->desc), .root = root < 0 ? 0 : root, .k = x->ncols };
    t->comm = psb_comm_of(t->ctxt);
    t->type = MPI_DATATYPE_NULL;
    psb_info(t->ctxt, &t->me, &t->np);
    psb_err e = err == PSB_OK ? check_gather(t, x, all, root) : err;
    PSB_THEN(e, psb_row_type(t->k, TMPI, &t->type));
    PSB_THEN(e, piece_alloc(&t->mine, X(vect_owned)(x), x->ncols));
    for (psb_ipk i = 0; i < t->mine.n && e == PSB_OK; i++)
        t->mine.row[i] = psb_loc_to_glob(x->desc, i) - psb_index_base();
    const psb_err found = psb_max(t->ctxt, 1, &most, -1);
    if (e == PSB_OK && found == PSB_OK && t->me == t->root)
        e = piece_alloc(&t->other, most, t->k);
    e = found == PSB_OK ? psb_agree_call(t->ctxt, call, 0, 0, root, e) : found;
    if (e != PSB_OK)
        transfer_free(t);
    return e;
}

static void copy_row(T *to, const T *from, int k)
{
    for (int j = 0; j < k; j++)
        to[j] = from[j];
}

/* Copy the rows of p to `all`; pick copies them from `all`. */
static void put_rows(const struct piece *p, psb_ipk n, int k, T *all)
{
    for (psb_ipk i = 0; i < n; i++)
        copy_row(all + p->row[i] * k, p->val + (size_t)i * k, k);
}

static void pick_rows(const struct piece *p, psb_ipk n, int k, const T *all)
{
    for (psb_ipk i = 0; i < n; i++)
        copy_row(p->val + (size_t)i * k, all + p->row[i] * k, k);
}

static psb_err rows_of(struct transfer *t, int rank, int *n)
{
    MPI_Status status;
    PSB_MPI(MPI_Recv(t->other.row, t->other.n, MPI_INT64_T, rank, PSB_TAG_GATHER, t->comm, &status));
    MPI_Get_count(&status, MPI_INT64_T, n);
    return PSB_OK;
}

/* --- gather ------------------------------------------------------------------------------------------- */

static psb_err to_root(struct transfer *t, T *all)
{
    if (t->me == t->root) {
        put_rows(&t->mine, t->mine.n, t->k, all);
        for (int r = 0, n; r < t->np; r++)
            if (r != t->me) {
                PSB_TRY(rows_of(t, r, &n));
                PSB_MPI(MPI_Recv(t->other.val, n, t->type, r, PSB_TAG_GATHER, t->comm, MPI_STATUS_IGNORE));
                put_rows(&t->other, n, t->k, all);
            }
        return PSB_OK;
    }
    PSB_MPI(MPI_Send(t->mine.row, t->mine.n, MPI_INT64_T, t->root, PSB_TAG_GATHER, t->comm));
    PSB_MPI(MPI_Send(t->mine.val, t->mine.n, t->type, t->root, PSB_TAG_GATHER, t->comm));
    return PSB_OK;
}

static psb_err to_all(const struct transfer *t, T *all, psb_lpk n)
{
    enum { STEP = 1 << 26 }; /* MPI counts in int */
    for (psb_lpk i = 0; i < n; i += STEP)
        PSB_MPI(MPI_Bcast(all + i * t->k, n - i < STEP ? (int)(n - i) : STEP, t->type, t->root, t->comm));
    return PSB_OK;
}

psb_err X(gather)(const struct X(vect) *x, T *all, int root)
{
    const T *p = NULL;
    struct transfer t;
    PSB_TRY(X(vect_check_distributed)(x, "x"));
    psb_err e = psb_dual_read(&x->v, PSB_HOST, &p);
    PSB_TRY(transfer_begin(&t, PSB_CALL_GATHER, x, all, root, e));
    for (psb_epk i = 0; i < (psb_epk)t.mine.n * t.k; i++)
        t.mine.val[i] = p[i];
    e = to_root(&t, all);
    if (e == PSB_OK && root < 0)
        e = to_all(&t, all, psb_cd_global_rows(x->desc));
    transfer_free(&t);
    return PSB_PASS(e);
}

/* --- scatter ------------------------------------------------------------------------------------------ */

static psb_err from_root(struct transfer *t, const T *all)
{
    if (t->me == t->root) {
        pick_rows(&t->mine, t->mine.n, t->k, all);
        for (int r = 0, n; r < t->np; r++)
            if (r != t->me) {
                PSB_TRY(rows_of(t, r, &n));
                pick_rows(&t->other, n, t->k, all);
                PSB_MPI(MPI_Send(t->other.val, n, t->type, r, PSB_TAG_GATHER, t->comm));
            }
        return PSB_OK;
    }
    PSB_MPI(MPI_Send(t->mine.row, t->mine.n, MPI_INT64_T, t->root, PSB_TAG_GATHER, t->comm));
    PSB_MPI(MPI_Recv(t->mine.val, t->mine.n, t->type, t->root, PSB_TAG_GATHER, t->comm, MPI_STATUS_IGNORE));
    return PSB_OK;
}

static psb_err check_target(const struct X(vect) *x)
{
    PSB_CHECK(x->state == PSB_ASSEMBLED, PSB_ESTATE,
              "argument x is not assembled; expected psb_geasb before");
    return X(vect_check_idle)(x);
}

psb_err X(scatter)(struct X(vect) *x, const T *all, int root)
{
    struct transfer t;
    PSB_TRY(X(vect_check_distributed)(x, "x"));
    PSB_TRY(transfer_begin(&t, PSB_CALL_SCATTER, x, all, root, check_target(x)));
    psb_err e = PSB_OK;
    if (root < 0)
        pick_rows(&t.mine, t.mine.n, t.k, all);
    else
        e = from_root(&t, all);
    PSB_THEN(e, X(set_vect)(x, t.mine.n, t.mine.val));
    transfer_free(&t);
    return PSB_PASS(psb_agree(psb_cd_ctxt(x->desc), e));
}
