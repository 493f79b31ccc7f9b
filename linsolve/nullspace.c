/* nullspace.c -- linsolve: null spaces of singular matrices, and their projection out of vectors of a solve.
 */
#include "psb_linsolve.h"
#include "psb_alloc.h"
#include "base_inside.h"
#include "psb_type.h"
#include "krylov_inside.t.h"
#include "amg.t.h"

/* --- a basis -------------------------------------------------------------------------------------------- */

void X(nullspace_free)(struct X(nullspace) *q)
{
    if (!psb_may_free(q, "psb_nullspace_free"))
        return;
    for (int i = 0; i < q->n; i++)
        X(gefree)(q->v[i]);
    psb_free(q->v);
    psb_desc_release(q->desc);
    psb_retire(q, sizeof *q);
}

/* Make vector i a unit vector orthogonal to those before it; `name`: what it is, for errors. */
static psb_err orthonormalise(const struct X(nullspace) *q, int i, const char *name)
{
    R norm;
    PSB_TRY(X(normalise_vector)(q->v[i], 0, &norm));
    PSB_CHECK(norm > 0 && isfinite((double)norm) && isfinite((double)(1 / norm)), PSB_EARG,
              "argument %s has the norm %g; expected a finite one that is not 0", name, (double)norm);
    PSB_TRY(X(orthogonalise_vector)(i, q->v, 2, NULL));
    PSB_TRY(X(normalise_vector)(q->v[i], 100 * (R)EPS, &norm));
    PSB_CHECK(norm > 0, PSB_EARG,
              "argument %s depends on the vectors before it; expected independent vectors", name);
    return PSB_OK;
}

psb_err X(agree_on_count)(psb_ctxt *ctxt, int n, const char *what, psb_err err)
{
    int most[2] = { n, -n };
    PSB_TRY(psb_reduce(ctxt, PSB_MAX, PSB_KIND_i, 2, most, err));
    PSB_CHECK(most[0] == -most[1], PSB_EARG,
              "%s is %d on one process and %d on another; expected the same on all", what, -most[1], most[0]);
    return PSB_OK;
}

static psb_err copy_vectors(struct X(nullspace) *q, bool constant, int n, struct X(vect) *const *v)
{
    PSB_TRY(psb_alloc_zero(&q->v, (size_t)(n + constant), sizeof *q->v, "null space"));
    for (int i = 0; i < n + constant; i++) {
        PSB_TRY(X(geall)(&q->v[i], q->desc));
        q->n = i + 1;
    }
    for (int i = 0; i < n; i++) {
        char name[20];
        snprintf(name, sizeof name, "v[%d]", i);
        PSB_TRY(X(prec_check_vector)(v[i], name, q->desc, "of the null space"));
        PSB_CHECK(v[i]->ncols == 1, PSB_EARG, "argument v[%d] has %d columns; expected one", i, v[i]->ncols);
    }
    return PSB_OK;
}

static psb_err open_nullspace(struct X(nullspace) **q, psb_desc *desc, bool constant, int n,
                              struct X(vect) *const *v)
{
    struct X(nullspace) *new;
    PSB_NEED(q, "where to store the null space");
    PSB_CHECK(psb_cd_state(desc) == PSB_ASSEMBLED, PSB_ESTATE,
              "argument desc is not assembled; expected psb_cdasb before");
    PSB_CHECK(n >= 0 && (n > 0 || constant), PSB_EARG, "argument n is %d; expected a vector, or constants",
              n);
    PSB_CHECK(v || n == 0, PSB_EARG, "argument v is NULL; expected %d vectors", n);
    PSB_TRY(psb_alloc_zero(&new, 1, sizeof *new, "null space"));
    *q = new;
    new->unknowns = 1;
    PSB_TRY(psb_desc_hold(desc, "desc"));
    new->desc = desc;
    return copy_vectors(new, constant, n, v);
}

static psb_err fill_nullspace(struct X(nullspace) *q, int n, struct X(vect) *const *v)
{
    for (int i = 0; i < q->n; i++) {
        char name[20] = "constant";
        if (i < n)
            snprintf(name, sizeof name, "v[%d]", i);
        PSB_TRY(X(geasb)(q->v[i], NULL));
        const psb_err e = i < n ? X(vect_copy)(v[i], q->v[i]) : X(set_scal)(1, q->v[i]);
        PSB_TRY(psb_agree(psb_cd_ctxt(q->desc), e));
        PSB_TRY(orthonormalise(q, i, name));
    }
    return PSB_OK;
}

psb_err X(nullspace_new)(struct X(nullspace) **q, psb_desc *desc, bool constant, int n,
                         struct X(vect) *const *v)
{
    struct X(nullspace) *new = NULL;
    PSB_NEED_HANDLE(desc, "a descriptor");
    psb_err e = X(agree_on_count)(psb_cd_ctxt(desc), n, "argument n",
                                  open_nullspace(q ? &new : NULL, desc, constant, n, v));
    if (e == PSB_OK)
        e = X(agree_on_count)(psb_cd_ctxt(desc), constant, "argument constant", PSB_OK);
    if (e == PSB_OK)
        e = fill_nullspace(new, n, v);
    if (e != PSB_OK) {
        X(nullspace_free)(new);
        return PSB_PASS(e);
    }
    *q = new;
    return PSB_OK;
}

/* --- rigid bodies --------------------------------------------------------------------------------------- */

/* Element i of mode m: a translation, or a rotation, which turns axis a to axis b. */
static T rigid_element(int dim, int m, const T *node, int i)
{
    static const int axes[3][2] = { { 0, 1 }, { 1, 2 }, { 2, 0 } };
    if (m < dim)
        return i == m;
    const int a = axes[m - dim][0], b = axes[m - dim][1];
    return i == a ? -node[b] : i == b ? node[a] : 0;
}

static psb_err check_rigid(int dim, const struct X(vect) *xyz)
{
    PSB_CHECK(dim == 2 || dim == 3, PSB_EARG, "argument dim is %d; expected 2 or 3", dim);
    PSB_TRY(X(prec_check_vector)(xyz, "xyz", xyz->desc, "of the matrix"));
    PSB_CHECK(xyz->ncols == 1, PSB_EARG, "argument xyz has %d columns; expected one", xyz->ncols);
    PSB_CHECK(X(vect_owned)(xyz) % dim == 0, PSB_EARG,
              "argument xyz has %d elements here; expected a multiple of dim, which is %d",
              (int)X(vect_owned)(xyz), dim);
    return PSB_OK;
}

static psb_err fill_rigid(int dim, const struct X(vect) *xyz, int m, struct X(vect) *v)
{
    const T *from;
    T *to;
    PSB_TRY(X(host_read)(xyz, &from));
    PSB_TRY(X(host_write)(v, &to));
    for (psb_ipk i = 0; i < X(vect_owned)(v); i++)
        to[i] = rigid_element(dim, m, from + i - i % dim, i % dim);
    return PSB_OK;
}

psb_err X(nullspace_rigid)(struct X(nullspace) **q, int dim, const struct X(vect) *xyz)
{
    enum { MOST = 6 };
    struct X(vect) *v[MOST] = { NULL };
    PSB_NEED_HANDLE(xyz, "a vector of coordinates");
    PSB_CHECK(xyz->desc, PSB_EARG, "argument xyz is on no descriptor; expected that of the matrix");
    psb_ctxt *ctxt = psb_cd_ctxt(xyz->desc);
    psb_err e = X(agree_on_count)(ctxt, dim, "argument dim", check_rigid(dim, xyz));
    const int n = dim == 2 ? 3 : MOST;
    for (int m = 0; m < n && e == PSB_OK; m++) {
        e = psb_agree(ctxt, X(geall)(&v[m], xyz->desc));
        PSB_THEN(e, X(geasb)(v[m], NULL));
        if (e == PSB_OK)
            e = psb_agree(ctxt, fill_rigid(dim, xyz, m, v[m]));
    }
    PSB_THEN(e, X(nullspace_new)(q, xyz->desc, false, n, v));
    if (e == PSB_OK)
        (*q)->unknowns = dim;
    for (int m = 0; m < MOST; m++)
        X(gefree)(v[m]);
    return PSB_PASS(e);
}

psb_err X(prec_set_near_null)(struct X(prec) *p, const struct X(nullspace) *q)
{
    PSB_NEED_HANDLE(p, "a preconditioner");
    PSB_TRY(X(amg_check_type)(p));
    if (q)
        PSB_NEED_HANDLE(q, "a null space");
    p->near = q;
    return PSB_OK;
}

/* --- solves --------------------------------------------------------------------------------------------- */

psb_err X(kr_check_nullspace)(const struct X(kr) *s)
{
    const struct X(nullspace) *q = s->right, *left = s->left;
    if (!q)
        return PSB_OK;
    PSB_NEED_HANDLE(q, "a null space that outlives its solvers");
    PSB_NEED_HANDLE(left, "a null space that outlives its solvers");
    return PSB_OK;
}

psb_err X(kr_open_nullspace)(struct X(kr) *s)
{
    const struct X(nullspace) *const of[] = { s->left, s->right };
    psb_err e = PSB_OK;
    struct X(vect) *b;
    if (!s->right)
        return PSB_OK;
    struct X(vect) **v = s->null;
    for (int side = 0; side < (s->left == s->right ? 1 : 2); side++) {
        PSB_TRY(X(kr_vectors)(s, of[side]->n, v));
        for (int i = 0; i < of[side]->n && e == PSB_OK && !s->null_filled; i++)
            e = X(spread_vector)(of[side]->v[i], false, v[i]);
        v += of[side]->n;
    }
    s->null_filled = true; /* after an error X(kr_close) resets it */
    PSB_TRY(X(kr_vectors)(s, 1, &b));
    X(kr_note)(s, e);
    X(kr_note)(s, X(geaxpby)(1, s->b, 0, b));
    for (int pass = 0; pass < 2; pass++) { /* the second one: what is left of a b in the null space */
        X(kr_project)(s, false, b);
        for (int j = 0; j < s->k && pass == 0; j++) {
            double square = 0;
            for (int i = 0; i < s->left->n; i++)
                square = hypot(square, (double)ABS(s->null_c[i * s->k + j]));
            s->col[j].removed = square;
        }
    }
    PSB_TRY(X(kr_norms)(s, b, NULL, s->value));
    for (int j = 0; j < s->k; j++)
        s->factor[j] = !(s->value[j] <= 100 * (double)EPS * s->col[j].removed);
    X(kr_note)(s, X(gescal_cols)(s->factor, b));
    s->b = b;
    return PSB_PASS(X(kr_agree)(s, PSB_OK));
}

void X(kr_project)(struct X(kr) *s, bool right, struct X(vect) *y)
{
    if (!s->right)
        return;
    const int n = right ? s->right->n : s->left->n, all = s->left->n + s->right->n;
    struct X(vect) **v = s->null + (right && s->right != s->left ? s->left->n : 0), **same = s->null + all;
    for (int i = 0; i < n; i++)
        same[i] = y;
    const psb_err e = X(kr_dots)(s, n, v, same, s->null_c);
    if (e == PSB_OK)
        X(kr_subtract_all)(s, n, s->null_c, v, s->null_c + all * s->k, y);
    else
        X(kr_note)(s, e);
}
