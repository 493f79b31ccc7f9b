/* amg_user.c -- linsolve: levels of multigrid that a function of the caller makes. */
#include "psb_linsolve.h"
#include "psb_type.h"
#include "krylov_inside.t.h"
#include "amg.t.h"

psb_err X(amg_check_type)(const struct X(prec) *p)
{
    PSB_CHECK(p->options.type == PSB_PREC_AMG, PSB_EARG, "argument p is of type %s; expected amg",
              psb_prec_name(p->options.type));
    PSB_CHECK(!p->options.single, PSB_ENOTIMPL,
              "argument p has precision=single; expected multigrid in double precision");
    return PSB_OK;
}

psb_err X(prec_set_coarsening)(struct X(prec) *p,
                               psb_err (*coarsen)(void *, int, const struct X(spmat) *, struct X(spmat) **,
                                                  struct X(spmat) **),
                               void *data)
{
    PSB_NEED_HANDLE(p, "a preconditioner");
    PSB_TRY(X(amg_check_type)(p));
    p->coarsen = coarsen;
    p->coarsen_data = data;
    return PSB_OK;
}

/* m, the `name` that the caller has made, is assembled, and its rows are distributed as d. */
static psb_err check_made(const struct X(spmat) *m, const char *name, const psb_desc *d)
{
    PSB_CHECK(psb_is_live(m) && X(sp_state)(m) == PSB_ASSEMBLED, PSB_EARG,
              "the caller's function coarsen made a %s that is not assembled; expected psb_spasb before",
              name);
    PSB_CHECK(psb_cd_same_rows(m->row, d), PSB_EARG,
              "the caller's function coarsen made a %s whose rows are distributed in another way than "
              "expected: as %s",
              name, *name == 'p' ? "those of the matrix" : "the columns of the prolongator");
    return PSB_OK;
}

static psb_err check_made_level(const struct X(spmat) *a, const struct X(spmat) *p,
                                const struct X(spmat) *coarse)
{
    PSB_CHECK(p || !coarse, PSB_EARG,
              "the caller's function coarsen made a matrix without a prolongator; expected both, or none");
    if (!p)
        return PSB_OK;
    PSB_CHECK(p != a && coarse != a && p != coarse, PSB_EARG,
              "the caller's function coarsen stored a matrix that is in use; expected new ones");
    PSB_TRY(check_made(p, "prolongator", a->row));
    PSB_CHECK(psb_desc_overlap(p->col)->n == 0, PSB_ENOTIMPL,
              "the caller's function coarsen made a prolongator whose columns have several owners; expected "
              "one each");
    if (!coarse)
        return PSB_OK;
    PSB_TRY(check_made(coarse, "matrix", p->col));
    PSB_CHECK(psb_cd_same_rows(coarse->col, p->col), PSB_EARG,
              "the caller's function coarsen made a matrix whose columns are distributed in another way than "
              "its rows; "
              "expected the same way");
    return PSB_OK;
}

psb_err X(amg_ask)(const struct X(prec) *p, int level, const struct X(spmat) *a,
                   struct X(spmat) **prolongator, struct X(spmat) **coarse)
{
    struct X(spmat) *made[2] = { NULL, NULL };
    psb_err e = X(callers_error)(p->coarsen(p->coarsen_data, level, a, &made[0], &made[1]), "coarsen");
    PSB_THEN(e, check_made_level(a, made[0], made[1]));
    e = X(agree_on_count)(psb_cd_ctxt(a->row), !!made[0] + !!made[1],
                          "the number of matrices that the caller's function coarsen made", e);
    if (e != PSB_OK) {
        X(spfree)(made[0]);
        X(spfree)(made[1]);
        return PSB_PASS(e);
    }
    *prolongator = made[0];
    *coarse = made[1];
    return PSB_OK;
}
