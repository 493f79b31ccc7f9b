/* geops.c -- room: base.  What distributed vectors compute. */
#include "psb_base.h"
#include <string.h>
#include "psb_type.h"

/* The elements an operation works on: those owned. */
static psb_ipk owned(const struct X(vect) *x)
{
    return x->desc ? psb_cd_local_rows(x->desc) : x->n;
}

static psb_err check_alike(const struct X(vect) *x, const struct X(vect) *y)
{
    PSB_CHECK(x, PSB_EARG, "argument x is NULL; expected a vector");
    PSB_CHECK(y, PSB_EARG, "argument y is NULL; expected a vector");
    PSB_CHECK(x->desc == y->desc && owned(x) == owned(y), PSB_EARG,
              "arguments x (%d elements) and y (%d) differ; expected two vectors of one descriptor", x->n,
              y->n);
    PSB_CHECK(x->state == PSB_ASSEMBLED && y->state == PSB_ASSEMBLED, PSB_ESTATE,
              "argument %s is not assembled; expected psb_geasb before",
              x->state == PSB_ASSEMBLED ? "y" : "x");
    return PSB_OK;
}

psb_err X(geaxpby)(T alpha, struct X(vect) *x, T beta, struct X(vect) *y)
{
    const T *px;
    T *py;
    PSB_TRY(check_alike(x, y));
    enum psb_side s = X(vect_side)(x, y);
    if (x == y) {
        PSB_TRY(psb_dual_update(&y->v, s, &py));
        return X(vec)(s, y->v.on)->axpby(owned(y), 0, py, alpha + beta, py);
    }
    PSB_TRY(psb_dual_read(&x->v, s, &px));
    PSB_TRY(X(vect_open)(y, s, beta == 0, &py));
    return X(vec)(s, y->v.on)->axpby(owned(y), alpha, px, beta, py);
}

/* --- reductions: one message, sums and failures together --------------------------------------------- */

/* The descriptor of x, or of y where x has none; NULL: nobody else takes part. */
static const psb_desc *common(const struct X(vect) *x, const struct X(vect) *y)
{
    return x && x->desc ? x->desc : y ? y->desc : NULL;
}

/* sum[0..n) over all processes of d; where one failed, all do.  n <= 2. */
static psb_err reduce(const psb_desc *d, double *sum, int n, psb_err mine)
{
    double in[3] = { 0 }, out[3];
    if (!d)
        return mine;
    memcpy(in, sum, (size_t)n * sizeof *in);
    in[n] = mine != PSB_OK;
    psb_ctxt *ctxt = psb_cd_ctxt(d);
    PSB_MPI(MPI_Allreduce(in, out, n + 1, MPI_DOUBLE, MPI_SUM, psb_comm_of(ctxt)));
    if (out[n] != 0)
        return psb_agree(ctxt, mine);
    memcpy(sum, out, (size_t)n * sizeof *sum);
    return PSB_OK;
}

static psb_err local_dot(struct X(vect) *x, struct X(vect) *y, T *sum)
{
    const T *px, *py;
    PSB_TRY(check_alike(x, y));
    enum psb_side s = X(vect_side)(x, y);
    PSB_TRY(psb_dual_read(&x->v, s, &px));
    PSB_TRY(psb_dual_read(&y->v, s, &py));
    return X(vec)(s, x->v.on)->dot(owned(x), px, py, sum);
}

static psb_err no_result(void)
{
    return PSB_FAIL(PSB_EARG, "argument res is NULL; expected where to store the result");
}

psb_err X(gedot)(struct X(vect) *x, struct X(vect) *y, T *res)
{
    T sum = 0;
    psb_err e = res ? local_dot(x, y, &sum) : no_result();
    double parts[2] = { (double)RE(sum), (double)IM(sum) };
    PSB_TRY(reduce(common(x, y), parts, 2, e));
    *res = MAKE(parts[0], parts[1]);
    return PSB_OK;
}

static psb_err local_sumsq(struct X(vect) *x, double *sum)
{
    const T *px;
    PSB_TRY(check_alike(x, x));
    enum psb_side s = X(vect_side)(x, x);
    PSB_TRY(psb_dual_read(&x->v, s, &px));
    return X(vec)(s, x->v.on)->sumsq(owned(x), px, sum);
}

/* The largest part of an element, NaN where one is; on the host, for the rare case that needs it. */
static psb_err local_amax(struct X(vect) *x, const T **px, double *amax)
{
    *amax = 0;
    PSB_TRY(psb_dual_read(&x->v, PSB_HOST, px));
    for (psb_ipk i = 0; i < owned(x); i++) {
        double re = fabs((double)RE((*px)[i])), im = fabs((double)IM((*px)[i]));
        *amax = re > *amax || isnan(re) ? re : *amax;
        *amax = im > *amax || isnan(im) ? im : *amax;
    }
    return PSB_OK;
}

/* The norm where squares leave the range: scaled by the largest element. */
static psb_err scaled_nrm2(struct X(vect) *x, double *norm)
{
    const T *px;
    double amax, sum = 0, bad;
    psb_err e = local_amax(x, &px, &amax);
    bad = e == PSB_OK && isnan(amax);
    PSB_TRY(reduce(x->desc, &bad, 1, e));
    if (x->desc)
        PSB_MPI(
            MPI_Allreduce(MPI_IN_PLACE, &amax, 1, MPI_DOUBLE, MPI_MAX, psb_comm_of(psb_cd_ctxt(x->desc))));
    if (bad > 0 || amax == 0 || isinf(amax)) {
        *norm = bad > 0 ? NAN : amax;
        return PSB_OK;
    }
    for (psb_ipk i = 0; i < owned(x); i++) {
        double re = (double)RE(px[i]) / amax, im = (double)IM(px[i]) / amax;
        sum += re * re + im * im;
    }
    PSB_TRY(reduce(x->desc, &sum, 1, PSB_OK));
    *norm = amax * sqrt(sum);
    return PSB_OK;
}

psb_err X(genrm2)(struct X(vect) *x, R *res)
{
    double sum = 0, norm = 0;
    psb_err e = res ? local_sumsq(x, &sum) : no_result();
    PSB_TRY(reduce(common(x, NULL), &sum, 1, e));
    if (sum > DBL_MIN / DBL_EPSILON && sum <= DBL_MAX)
        norm = sqrt(sum);
    else
        PSB_TRY(scaled_nrm2(x, &norm));
    *res = (R)norm;
    return PSB_OK;
}

/* --- collecting ------------------------------------------------------------------------------------- */

enum { TAG_GATHER = 110 };

struct piece {
    psb_ipk n;
    psb_lpk *row;
    T *val;
};

static psb_err piece_alloc(struct piece *p, psb_ipk n)
{
    p->n = n;
    PSB_TRY(psb_alloc(&p->row, (size_t)n, sizeof *p->row, "gathered rows"));
    return psb_alloc(&p->val, (size_t)n, sizeof *p->val, "gathered values");
}

static void piece_free(struct piece *p)
{
    psb_free(p->row);
    psb_free(p->val);
}

static psb_err check_root(int root, int np)
{
    PSB_CHECK(root >= -1 && root < np, PSB_EARG, "argument root is %d; expected -1 <= root < %d", root, np);
    return PSB_OK;
}

static psb_err piece_of_me(struct X(vect) *x, struct piece *p)
{
    PSB_TRY(piece_alloc(p, owned(x)));
    for (psb_ipk i = 0; i < p->n; i++)
        p->row[i] = psb_loc_to_glob(x->desc, i);
    return X(get_vect)(x, p->n, p->val);
}

static void lay_out(const struct piece *p, psb_ipk n, T *all)
{
    for (psb_ipk i = 0; i < n; i++)
        all[p->row[i]] = p->val[i];
}

/* The pieces of all others, one by one through `p`, which holds the largest. */
static psb_err collect(psb_ctxt *ctxt, struct piece *p, T *all)
{
    int me, np;
    psb_info(ctxt, &me, &np);
    for (int r = 0; r < np; r++) {
        MPI_Status status;
        int n;
        if (r == me)
            continue;
        PSB_MPI(MPI_Recv(p->row, p->n, MPI_INT64_T, r, TAG_GATHER, psb_comm_of(ctxt), &status));
        MPI_Get_count(&status, MPI_INT64_T, &n);
        PSB_MPI(MPI_Recv(p->val, p->n, TMPI, r, TAG_GATHER, psb_comm_of(ctxt), MPI_STATUS_IGNORE));
        lay_out(p, n, all);
    }
    return PSB_OK;
}

static psb_err to_root(psb_ctxt *ctxt, struct piece *mine, struct piece *room, T *all, int root)
{
    int me;
    psb_info(ctxt, &me, NULL);
    if (me == root) {
        lay_out(mine, mine->n, all);
        return collect(ctxt, room, all);
    }
    PSB_MPI(MPI_Send(mine->row, mine->n, MPI_INT64_T, root, TAG_GATHER, psb_comm_of(ctxt)));
    PSB_MPI(MPI_Send(mine->val, mine->n, TMPI, root, TAG_GATHER, psb_comm_of(ctxt)));
    return PSB_OK;
}

static psb_err to_all(psb_ctxt *ctxt, T *all, psb_lpk n)
{
    enum { STEP = 1 << 26 }; /* MPI counts in int */
    for (psb_lpk i = 0; i < n; i += STEP)
        PSB_MPI(MPI_Bcast(all + i, n - i < STEP ? (int)(n - i) : STEP, TMPI, 0, psb_comm_of(ctxt)));
    return PSB_OK;
}

psb_err X(gather)(struct X(vect) *x, T *all, int root)
{
    int me, np;
    PSB_CHECK(x && x->desc, PSB_EARG, "argument x is %s; expected a distributed vector",
              x ? "local" : "NULL");
    psb_ctxt *ctxt = psb_cd_ctxt(x->desc);
    psb_info(ctxt, &me, &np);
    int to = root < 0 ? 0 : root;

    struct piece mine = { 0 }, room = { 0 };
    int most = (int)owned(x);
    psb_err e = check_root(root, np);
    if (e == PSB_OK)
        e = piece_of_me(x, &mine);
    if (e == PSB_OK && !all && (root < 0 || me == root))
        e = PSB_FAIL(PSB_EARG, "argument all is NULL; expected room for %" PRId64 " elements",
                     psb_cd_global_rows(x->desc));
    PSB_MPI(MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_INT, MPI_MAX, psb_comm_of(ctxt)));
    if (e == PSB_OK && me == to)
        e = piece_alloc(&room, most);
    e = psb_agree(ctxt, e);
    if (e == PSB_OK)
        e = to_root(ctxt, &mine, &room, all, to);
    if (e == PSB_OK && root < 0)
        e = to_all(ctxt, all, psb_cd_global_rows(x->desc));
    piece_free(&mine);
    piece_free(&room);
    return e;
}
