/* amg.c -- cbind: AMG4PSBLAS's C interface. */
#include "cbind.h"
#include <stdlib.h>
#include "psb_type.h"
#include "amg.h"
#include "amg_cbind.h"
#include "cbind.t.h"
#include "prec_inside.t.h"
#define A(name) PSB_CAT(PSB_CAT(amg_c_, PSB_NOW), name)

/* What a handle points to. */
struct amg_box {
    struct psb_cbind_amg set;
    struct X(prec) *p;
    const struct X(spmat) *a; /* of hierarchy_build, if nothing was set or built since; else NULL */
    char *view;               /* the description of p on process 0, to be freed by free */
};

/* What a call builds: smoothers of the hierarchy that the call before has built are built with it. */
enum amg_part { ALL, HIERARCHY, SMOOTHERS };

A(prec) * A(prec_new)(void)
{
    return calloc(1, sizeof(A(prec)));
}

static psb_err open_amg_box(const A(prec) * ph, struct amg_box **b)
{
    *b = ph ? ph->PREC : NULL;
    return *b ? PSB_OK : psb_cbind_empty(ph, "ph", "a preconditioner of amg_c_?precinit");
}

static psb_err make_amg_box(A(prec) * ph, const char *ptype)
{
    struct psb_cbind_amg set;
    struct amg_box *b;
    PSB_NEED(ph, "a handle of amg_c_?prec_new");
    PSB_NEED(ptype, "the name of a preconditioner");
    if (ph->PREC)
        return PSB_OK;
    PSB_TRY(psb_cbind_amg_init(ptype, &set));
    PSB_TRY(psb_alloc_zero(&b, 1, sizeof *b, "preconditioner"));
    b->set = set;
    ph->PREC = b;
    return PSB_OK;
}

psb_i_t A(precinit)(psb_c_ctxt cctxt, A(prec) * ph, const char *ptype)
{
    (void)cctxt;
    return CODE(make_amg_box(ph, ptype));
}

psb_i_t A(precfree)(A(prec) * ph)
{
    struct amg_box *b = ph ? ph->PREC : NULL;
    if (!b)
        return PSB_ERR_ERROR;
    X(precfree)(b->p);
    free(b->view);
    psb_free(b);
    ph->PREC = NULL;
    return 0;
}

psb_i_t A(prec_delete)(A(prec) * p)
{
    (void)A(precfree)(p);
    free(p);
    return 0;
}

/* --- options -------------------------------------------------------------------------------------------- */

static psb_err set_amg_option(const A(prec) * ph, const char *what, const char *word, double number,
                              struct psb_cbind_where where)
{
    struct amg_box *b;
    PSB_TRY(open_amg_box(ph, &b));
    PSB_TRY(psb_cbind_amg_set(&b->set, what, word, number, where));
    b->a = NULL;
    return PSB_OK;
}

static psb_err set_amg_word(const A(prec) * ph, const char *what, const char *val,
                            struct psb_cbind_where where)
{
    PSB_NEED(val, "a word");
    return set_amg_option(ph, what, val, 0, where);
}

#define EVERYWHERE ((struct psb_cbind_where){ 0 })
#define AT(...)    ((struct psb_cbind_where){ __VA_ARGS__ })

psb_i_t A(precseti)(A(prec) * ph, const char *what, psb_i_t val)
{
    return CODE(set_amg_option(ph, what, NULL, val, EVERYWHERE));
}

psb_i_t A(precsetr)(A(prec) * ph, const char *what, double val)
{
    return CODE(set_amg_option(ph, what, NULL, val, EVERYWHERE));
}

psb_i_t A(precsetc)(A(prec) * ph, const char *what, const char *val)
{
    return CODE(set_amg_word(ph, what, val, EVERYWHERE));
}

psb_i_t A(preccseti_idx)(A(prec) * ph, const char *what, psb_i_t val, psb_i_t idx)
{
    (void)idx;
    return CODE(set_amg_option(ph, what, NULL, val, EVERYWHERE));
}

psb_i_t A(preccsetr_idx)(A(prec) * ph, const char *what, double val, psb_i_t idx)
{
    (void)idx;
    return CODE(set_amg_option(ph, what, NULL, val, EVERYWHERE));
}

psb_i_t A(preccsetc_idx)(A(prec) * ph, const char *what, const char *val, psb_i_t idx)
{
    (void)idx;
    return CODE(set_amg_word(ph, what, val, EVERYWHERE));
}

psb_i_t A(preccseti_pos)(A(prec) * ph, const char *what, psb_i_t val, const char *pos)
{
    return CODE(set_amg_option(ph, what, NULL, val, AT(.pos = pos)));
}

psb_i_t A(preccsetr_pos)(A(prec) * ph, const char *what, double val, const char *pos)
{
    return CODE(set_amg_option(ph, what, NULL, val, AT(.pos = pos)));
}

psb_i_t A(preccsetc_pos)(A(prec) * ph, const char *what, const char *val, const char *pos)
{
    return CODE(set_amg_word(ph, what, val, AT(.pos = pos)));
}

psb_i_t A(preccseti_lev)(A(prec) * ph, const char *what, psb_i_t val, psb_i_t ilev, psb_i_t ilmax)
{
    return CODE(set_amg_option(ph, what, NULL, val, AT(ilev, ilmax, NULL)));
}

psb_i_t A(preccsetr_lev)(A(prec) * ph, const char *what, double val, psb_i_t ilev, psb_i_t ilmax)
{
    return CODE(set_amg_option(ph, what, NULL, val, AT(ilev, ilmax, NULL)));
}

psb_i_t A(preccsetc_lev)(A(prec) * ph, const char *what, const char *val, psb_i_t ilev, psb_i_t ilmax)
{
    return CODE(set_amg_word(ph, what, val, AT(ilev, ilmax, NULL)));
}

psb_i_t A(preccseti_opt)(A(prec) * ph, const char *what, psb_i_t val, psb_i_t ilev, psb_i_t ilmax,
                         const char *pos, psb_i_t idx)
{
    (void)idx;
    return CODE(set_amg_option(ph, what, NULL, val, AT(ilev, ilmax, pos)));
}

psb_i_t A(preccsetr_opt)(A(prec) * ph, const char *what, double val, psb_i_t ilev, psb_i_t ilmax,
                         const char *pos, psb_i_t idx)
{
    (void)idx;
    return CODE(set_amg_option(ph, what, NULL, val, AT(ilev, ilmax, pos)));
}

psb_i_t A(preccsetc_opt)(A(prec) * ph, const char *what, const char *val, psb_i_t ilev, psb_i_t ilmax,
                         const char *pos, psb_i_t idx)
{
    (void)idx;
    return CODE(set_amg_word(ph, what, val, AT(ilev, ilmax, pos)));
}

/* --- building ------------------------------------------------------------------------------------------- */

/* Create *p for a, not yet built. */
static psb_err begin_amg(const A(prec) * ph, const struct X(spmat) *a, struct X(prec) **p)
{
    struct amg_box *b;
    struct psb_prec_options o;
    int np;
    PSB_TRY(open_amg_box(ph, &b));
    if (X(sp_state)(a) != PSB_ASSEMBLED)
        return PSB_CBIND_HANDLE;
    psb_info(psb_cd_ctxt(a->row), NULL, &np);
    PSB_TRY(psb_cbind_amg_options(&b->set, np, &o));
    return X(precinit_opt)(p, &o);
}

/* Write to `to`, on process 0, the options of p and what its type tells. */
static psb_err write_amg_view(const struct X(prec) *p, FILE *to)
{
    char text[1000] = "";
    int me;
    psb_info(psb_cd_ctxt(p->desc), &me, NULL);
    psb_err e = X(precdescr)(p, text, sizeof text);
    if (me == 0)
        fprintf(to, "preconditioner %s\n", text);
    PSB_TRY(psb_agree(psb_cd_ctxt(p->desc), e));
    return p->ops->view ? p->ops->view(p, to) : PSB_OK;
}

static psb_err keep_amg_view(const struct X(prec) *p, char **view)
{
    size_t size;
    FILE *to = open_memstream(view, &size);
    psb_err e = to ? PSB_OK : PSB_FAIL(PSB_ENOMEM, "no memory for the description of a preconditioner");
    e = psb_agree(psb_cd_ctxt(p->desc), e);
    PSB_THEN(e, write_amg_view(p, to));
    if (to)
        fclose(to);
    return e;
}

/* Build p, which replaces that of b, or is freed. */
static psb_err build_amg_box(struct amg_box *b, struct X(prec) *p, const struct X(spmat) *a,
                             const struct X(mat) *mold, const struct psb_vmold *vmold)
{
    char *view = NULL;
    psb_err e = X(precbld)(p, a, mold, vmold);
    PSB_THEN(e, keep_amg_view(p, &view));
    if (e != PSB_OK) {
        free(view);
        X(precfree)(p);
        return e;
    }
    X(precfree)(b->p);
    free(b->view);
    b->p = p;
    b->view = view;
    return PSB_OK;
}

/* afmt, chfmt: NULL for the default. */
static psb_err build_amg_prec(const C(spmat) * ah, const psb_c_descriptor *cdh, const A(prec) * ph,
                              enum amg_part part, const char *afmt, const char *chfmt)
{
    struct X(spmat) *a = NULL;
    struct X(prec) *p = NULL;
    struct psb_cbind_desc *d;
    const struct X(mat) *mold = NULL;
    const struct psb_vmold *vmold = NULL;
    PSB_TRY(psb_cbind_desc(cdh, &d));
    PSB_TRY(X(cbind_open_with)(ah, 0, NULL, &a, NULL));
    psb_err e = psb_cbind_agree(psb_cd_ctxt(a->row), begin_amg(ph, a, &p));
    struct amg_box *b = e == PSB_OK ? ph->PREC : NULL;
    const bool built = b && part == SMOOTHERS && b->a == a && !afmt && !chfmt;
    if (e == PSB_OK && afmt && *afmt)
        e = X(cbind_mold)(psb_cd_ctxt(a->row), afmt, &mold);
    if (e == PSB_OK && chfmt)
        e = psb_cbind_vmold_named(psb_cd_ctxt(a->row), chfmt, &vmold);
    if (e == PSB_OK && !built)
        e = build_amg_box(b, p, a, mold, vmold);
    else
        X(precfree)(p);
    if (e == PSB_OK)
        b->a = part == HIERARCHY ? a : NULL;
    return e;
}

psb_i_t A(precbld)(C(spmat) * ah, psb_c_descriptor *cdh, A(prec) * ph)
{
    return CODE(build_amg_prec(ah, cdh, ph, ALL, NULL, NULL));
}

psb_i_t A(precbld_opt)(C(spmat) * ah, psb_c_descriptor *cdh, A(prec) * ph, const char *afmt)
{
    return CODE(build_amg_prec(ah, cdh, ph, ALL, afmt, NULL));
}

psb_i_t A(hierarchy_build)(C(spmat) * ah, psb_c_descriptor *cdh, A(prec) * ph)
{
    return CODE(build_amg_prec(ah, cdh, ph, HIERARCHY, NULL, NULL));
}

psb_i_t A(smoothers_build)(C(spmat) * ah, psb_c_descriptor *cdh, A(prec) * ph)
{
    return CODE(build_amg_prec(ah, cdh, ph, SMOOTHERS, NULL, NULL));
}

psb_i_t A(smoothers_build_opt)(C(spmat) * ah, psb_c_descriptor *cdh, A(prec) * ph, const char *afmt,
                               const char *chfmt)
{
    return CODE(build_amg_prec(ah, cdh, ph, SMOOTHERS, afmt, chfmt));
}

/* --- use ------------------------------------------------------------------------------------------------ */

/* What was built, or PSB_CBIND_HANDLE. */
static psb_err open_built(const A(prec) * ph, struct amg_box **b)
{
    PSB_TRY(open_amg_box(ph, b));
    return (*b)->p ? PSB_OK : PSB_CBIND_HANDLE;
}

psb_i_t A(precapply_opt)(A(prec) * ph, C(vector) * bh, C(vector) * xh, psb_c_descriptor *cdh,
                         const char *ctrans)
{
    struct amg_box *b;
    NEED_OK(open_built(ph, &b));
    OPEN(v, cdh, bh, xh);
    return CLOSE(xh, v[1], X(precapply)(b->p, v[0], v[1], psb_cbind_letter(ctrans)));
}

psb_i_t A(precapply)(A(prec) * ph, C(vector) * bh, C(vector) * xh, psb_c_descriptor *cdh)
{
    return A(precapply_opt)(ph, bh, xh, cdh, "N");
}

psb_i_t A(descr)(A(prec) * ph)
{
    struct amg_box *b;
    NEED_OK(open_built(ph, &b));
    fputs(b->view, stdout);
    fflush(stdout);
    return 0;
}

psb_i_t A(allocate_wrk)(A(prec) * ph, const char *chfmt)
{
    struct amg_box *b;
    (void)chfmt;
    return CODE(open_built(ph, &b));
}

psb_i_t A(krylov)(const char *method, C(spmat) * ah, A(prec) * ph, C(vector) * bh, C(vector) * xh,
                  psb_c_descriptor *cdh, psb_c_SolverOptions *opt)
{
    struct amg_box *b = ph ? ph->PREC : NULL;
    return C(krylov)(method, ah, &(C(prec)){ .PREC = b ? b->p : NULL }, bh, xh, cdh, opt);
}
