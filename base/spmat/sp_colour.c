/* sp_colour.c -- base/spmat: the colours of the rows of a distributed matrix. */
#include "spmat.h"
#include "coll.h"
#include "colour.h"
#include "psb_type.h"

static psb_err check_colouring(const struct X(spmat) *a, int distance, struct psb_i_vect *const *colour,
                               const int *ncolours)
{
    PSB_CHECK(a->state == PSB_ASSEMBLED, PSB_ESTATE, "argument a is %s; expected psb_spasb before",
              psb_not_assembled(a->state));
    PSB_CHECK(psb_cd_same_rows(a->row, a->col), PSB_EARG,
              "argument a has %" PRId64 " rows and %" PRId64
              " columns, distributed in another way; expected a square matrix, columns distributed as rows",
              psb_cd_global_rows(a->row), psb_cd_global_rows(a->col));
    PSB_TRY(psb_desc_single_owners(a->row));
    PSB_CHECK(distance == 1 || distance == 2, PSB_EARG, "argument distance is %d; expected 1 or 2", distance);
    PSB_NEED(colour, "where to store the colours");
    PSB_NEED(ncolours, "where to store the number of colours");
    return PSB_OK;
}

/* Insert the pattern of A + A^T into s, and with `ones` the diagonal. */
static psb_err insert_pattern(const struct X(spmat) *a, bool ones, struct psb_s_spmat *s)
{
    enum { MANY = 1024 };
    psb_lpk i[MANY], j[MANY];
    float one[MANY];
    struct X(coo_mat) *c;
    psb_err e = PSB_OK;
    for (int k = 0; k < MANY; k++)
        one[k] = 1;
    PSB_TRY(X(sp_rows)(a, &c));
    for (psb_epk k = 0; k < c->mat.nnz && e == PSB_OK; k += MANY) {
        const psb_epk n = c->mat.nnz - k < MANY ? c->mat.nnz - k : MANY;
        e = psb_loc_to_glob_n(a->row, n, c->ia + k, i);
        PSB_THEN(e, psb_loc_to_glob_n(a->col, n, c->ja + k, j));
        PSB_THEN(e, psb_s_spins(n, i, j, one, s));
        PSB_THEN(e, psb_s_spins(n, j, i, one, s));
    }
    for (psb_ipk r = 0; ones && r < psb_cd_local_rows(a->row) && e == PSB_OK; r++) {
        *i = psb_loc_to_glob(a->row, r);
        e = psb_s_spins(1, i, i, one, s);
    }
    X(mat_free)(&c->mat);
    return e;
}

static psb_err make_pattern(const struct X(spmat) *a, int distance, psb_desc **d, struct psb_s_spmat **s)
{
    PSB_TRY(psb_cdall_like(d, a->row));
    PSB_TRY(psb_s_spall(s, *d, 2 * X(sp_nnz)(a) + (distance == 2 ? a->ad->nrows : 0)));
    PSB_TRY(psb_s_sp_set_remote(*s, PSB_REMOTE_SEND));
    return insert_pattern(a, distance == 2, *s);
}

/* *v = the colours, with their halo. */
static psb_err make_colours(psb_desc *d, const psb_ipk *rows, struct psb_i_vect **v)
{
    PSB_TRY(psb_agree(psb_cd_ctxt(d), psb_i_geall(v, d)));
    PSB_TRY(psb_i_geasb(*v, NULL));
    PSB_TRY(psb_agree(psb_cd_ctxt(d), psb_i_set_vect(*v, psb_cd_local_rows(d), rows)));
    return psb_agree(psb_cd_ctxt(d), psb_i_halo(*v, 'N'));
}

psb_err X(sp_colour)(const struct X(spmat) *a, int distance, struct psb_i_vect **colour, int *ncolours)
{
    psb_desc *d = NULL;
    struct psb_s_spmat *s = NULL;
    struct psb_i_vect *v = NULL;
    psb_ipk *rows = NULL;
    int n, same[2] = { distance, -distance };
    PSB_NEED_HANDLE(a, "a matrix");
    PSB_TRY(psb_reduce(a->row->ctxt, PSB_MAX, PSB_KIND_OF(same), 2, same,
                       check_colouring(a, distance, colour, ncolours)));
    PSB_CHECK(same[0] == -same[1], PSB_EARG,
              "argument distance is %d here and another on another process; expected the same on all",
              distance);
    psb_err e = make_pattern(a, distance, &d, &s);
    PSB_THEN(e, psb_alloc(&rows, (size_t)a->ad->nrows, sizeof *rows, "colours"));
    e = psb_agree(a->row->ctxt, e);
    PSB_THEN(e, psb_colour_rows(s, d, distance, rows, &n));
    PSB_THEN(e, make_colours(a->col, rows, &v));
    psb_s_spfree(s);
    psb_cdfree(d);
    psb_free(rows);
    if (e == PSB_OK) {
        *colour = v;
        *ncolours = n;
    } else {
        psb_i_gefree(v);
    }
    return PSB_PASS(e);
}
