/* desc.c -- cbind: descriptors. */
#include "cbind.h"
#include "desc.h"
#include <stdlib.h>
#include <string.h>

psb_err psb_cbind_desc(const psb_c_descriptor *cd, struct psb_cbind_desc **box)
{
    *box = cd ? cd->descriptor : NULL;
    return *box ? PSB_OK : psb_cbind_empty(cd, "cd", "a descriptor of psb_c_cdall_...");
}

psb_err psb_cbind_assembled(psb_desc *d)
{
    return psb_cd_state(d) == PSB_ASSEMBLED ? PSB_OK : PSB_PASS(psb_cdasb(d));
}

/* For queries, which record no error for a handle without an object. */
static const psb_desc *desc_of(const psb_c_descriptor *cd)
{
    const struct psb_cbind_desc *b = cd ? cd->descriptor : NULL;
    return b ? b->d : NULL;
}

psb_c_descriptor *psb_c_new_descriptor(void)
{
    return calloc(1, sizeof(psb_c_descriptor));
}

void psb_c_delete_descriptor(psb_c_descriptor *cd)
{
    free(cd);
}

psb_i_t psb_c_cdfree(psb_c_descriptor *cd)
{
    struct psb_cbind_desc *b = cd ? cd->descriptor : NULL;
    if (!b)
        return PSB_ERR_ERROR;
    psb_cdfree(b->d);
    psb_free(b->ja);
    psb_free(b->lidx);
    psb_free(b);
    cd->descriptor = NULL;
    return 0;
}

/* Check a handle that is to get a descriptor of n rows, n >= least; one that it has is freed. */
static psb_err begin_desc(psb_l_t n, psb_l_t least, psb_c_ctxt cctxt, psb_c_descriptor *cd, psb_ctxt **ctxt)
{
    PSB_NEED(cd, "a handle of psb_c_new_descriptor");
    PSB_TRY(psb_cbind_ctxt(cctxt, ctxt));
    if (n < least) {
        fprintf(stderr, "psb: a descriptor of %" PRId64 " rows: nothing is done\n", n);
        return psb_cbind_agree(*ctxt, PSB_CBIND_HANDLE);
    }
    if (cd->descriptor)
        psb_c_cdfree(cd);
    return PSB_OK;
}

/* Put d into cd.  Collective. */
static psb_err keep_desc(psb_c_descriptor *cd, psb_desc *d)
{
    struct psb_cbind_desc *b = NULL;
    const psb_err e = psb_agree(psb_cd_ctxt(d), psb_alloc_zero(&b, 1, sizeof *b, "descriptor"));
    if (e != PSB_OK) {
        psb_cdfree(d);
        return e;
    }
    b->d = d;
    cd->descriptor = b;
    return PSB_OK;
}

psb_i_t psb_c_cdall_vg(psb_l_t ng, psb_i_t *vg, psb_c_ctxt cctxt, psb_c_descriptor *cd)
{
    psb_ctxt *ctxt;
    psb_desc *d = NULL;
    NEED_OK(begin_desc(ng, 1, cctxt, cd, &ctxt));
    NEED_OK(psb_cdall_vg(&d, ctxt, ng, vg));
    return CODE(keep_desc(cd, d));
}

psb_i_t psb_c_cdall_vl(psb_i_t nl, psb_l_t *vl, psb_c_ctxt cctxt, psb_c_descriptor *cd)
{
    psb_ctxt *ctxt;
    psb_desc *d = NULL;
    NEED_OK(begin_desc(nl, 0, cctxt, cd, &ctxt));
    NEED_OK(psb_cdall_vl(&d, ctxt, nl, vl));
    return CODE(keep_desc(cd, d));
}

psb_i_t psb_c_cdall_vl_opt(psb_i_t nl, psb_l_t *vl, psb_c_ctxt cctxt, psb_c_descriptor *cd)
{
    return psb_c_cdall_vl(nl, vl, cctxt, cd);
}

/* The local numbers lidx[0..n), counted from 0; they are those of the program unless *copy is made. */
static psb_err count_from_0(psb_i_t n, const psb_i_t *lidx, psb_i_t **copy)
{
    if (psb_index_base() == 0 || n <= 0 || !lidx)
        return PSB_OK;
    PSB_TRY(psb_alloc(copy, (size_t)n, sizeof **copy, "local numbers"));
    for (psb_i_t k = 0; k < n; k++)
        (*copy)[k] = lidx[k] - psb_index_base();
    return PSB_OK;
}

psb_i_t psb_c_cdall_vl_lidx(psb_i_t nl, psb_l_t *vl, psb_i_t *lidx, psb_c_ctxt cctxt, psb_c_descriptor *cd)
{
    psb_ctxt *ctxt;
    psb_desc *d = NULL;
    psb_i_t *copy = NULL;
    NEED_OK(begin_desc(nl, 0, cctxt, cd, &ctxt));
    psb_err e = psb_agree(ctxt, count_from_0(nl, lidx, &copy));
    PSB_THEN(e, psb_cdall_vl_lidx(&d, ctxt, nl, vl, copy ? copy : lidx));
    psb_free(copy);
    NEED_OK(e);
    return CODE(keep_desc(cd, d));
}

psb_i_t psb_c_cdall_nl(psb_i_t nl, psb_c_ctxt cctxt, psb_c_descriptor *cd)
{
    psb_ctxt *ctxt;
    psb_desc *d = NULL;
    NEED_OK(begin_desc(nl, 0, cctxt, cd, &ctxt));
    NEED_OK(psb_cdall_nl(&d, ctxt, nl));
    return CODE(keep_desc(cd, d));
}

psb_i_t psb_c_cdall_repl(psb_l_t n, psb_c_ctxt cctxt, psb_c_descriptor *cd)
{
    psb_ctxt *ctxt;
    psb_desc *d = NULL;
    NEED_OK(begin_desc(n, 1, cctxt, cd, &ctxt));
    if (n > INT32_MAX)
        return CODE(PSB_FAIL(PSB_EARG, "argument n is %" PRId64 "; expected 0 <= n < 2^31", n));
    NEED_OK(psb_cdall_repl(&d, ctxt, (psb_ipk)n));
    return CODE(keep_desc(cd, d));
}

/* --- indices and assembly ------------------------------------------------------------------------------ */

bool psb_cbind_in_range(const psb_desc *d, psb_lpk g)
{
    return g >= psb_index_base() && g - psb_index_base() < psb_cd_global_rows(d);
}

/* psb_cdins for the rows owned here and the indices in range; PSBLAS ignores the others. */
static psb_err insert_known(psb_desc *d, psb_i_t nz, const psb_l_t *ia, const psb_l_t *ja)
{
    if (psb_cd_state(d) != PSB_BUILD || nz <= 0 || !ia || !ja)
        return psb_cdins(d, nz, ia, ja);
    for (psb_i_t k = 0; k < nz; k++)
        if (psb_is_owned(d, ia[k]) && psb_cbind_in_range(d, ja[k]))
            PSB_TRY(psb_cdins(d, 1, ia + k, ja + k));
    return PSB_OK;
}

psb_i_t psb_c_cdins(psb_i_t nz, const psb_l_t *ia, const psb_l_t *ja, psb_c_descriptor *cd)
{
    struct psb_cbind_desc *b = NULL;
    NEED_OK(psb_cbind_desc(cd, &b));
    return CODE(insert_known(b->d, nz, ia, ja));
}

/* Keep ja[0..nz) with the numbers that they should get; indices and numbers count from 0. */
static psb_err remember_numbers(struct psb_cbind_desc *b, psb_i_t nz, const psb_l_t *ja, const psb_i_t *lidx)
{
    const size_t n = (size_t)b->n + (size_t)nz;
    PSB_NEED(lidx, "the local number of each index");
    PSB_TRY(psb_resize(&b->ja, n, sizeof *b->ja, "indices"));
    PSB_TRY(psb_resize(&b->lidx, n, sizeof *b->lidx, "local numbers"));
    for (psb_i_t k = 0; k < nz; k++, b->n++) {
        b->ja[b->n] = ja[k] - psb_index_base();
        b->lidx[b->n] = lidx[k] - psb_index_base();
    }
    return PSB_OK;
}

psb_i_t psb_c_cdins_lidx(psb_i_t nz, const psb_l_t *ja, const psb_i_t *lidx, psb_c_descriptor *cd)
{
    struct psb_cbind_desc *b = NULL;
    NEED_OK(psb_cbind_desc(cd, &b));
    NEED_OK(psb_cdins(b->d, nz, NULL, ja));
    return CODE(nz > 0 ? remember_numbers(b, nz, ja, lidx) : PSB_OK);
}

static void free_numbers(void *q_)
{
    struct psb_cbind_numbers *q = q_;
    if (q) {
        psb_free(q->lib);
        psb_free(q->prog);
    }
    psb_free(q);
}

const struct psb_cbind_numbers *psb_cbind_numbers(const psb_desc *d)
{
    const struct psb_cbind_numbers *q = psb_desc_attached(d);
    return q && q->n == psb_cd_local_cols(d) ? q : NULL;
}

/* Give local index l of the library the number `wanted`. */
static psb_err give_number(struct psb_cbind_numbers *q, psb_ipk l, psb_ipk wanted, psb_ipk nrow, psb_lpk g)
{
    const int base = psb_index_base();
    PSB_CHECK(l >= nrow || wanted == l, PSB_EARG,
              "index %" PRId64 " is owned, and was given the local number %d; expected %d, that of its row",
              g, wanted + base, l + base);
    PSB_CHECK(l < nrow || (wanted >= nrow && wanted < q->n), PSB_EARG,
              "index %" PRId64 " was given the local number %d; expected %d to %d, after the owned rows", g,
              wanted + base, nrow + base, q->n - 1 + base);
    PSB_CHECK((q->lib[wanted] < 0 || q->lib[wanted] == l) && (q->prog[l] < 0 || q->prog[l] == wanted),
              PSB_EARG, "index %" PRId64 " was given the local number %d; expected one number for each index",
              g, wanted + base);
    q->lib[wanted] = l;
    q->prog[l] = wanted;
    return PSB_OK;
}

/* Fill q with the numbers that the program gave; indices without one get the first that are left.  *same:
 * they are those of the library. */
static psb_err fill_numbers(const struct psb_cbind_desc *b, struct psb_cbind_numbers *q, bool *same)
{
    const psb_ipk nrow = psb_cd_local_rows(b->d);
    psb_ipk next = 0;
    q->n = psb_cd_local_cols(b->d);
    PSB_TRY(psb_alloc(&q->lib, (size_t)q->n, sizeof *q->lib, "local numbers"));
    PSB_TRY(psb_alloc(&q->prog, (size_t)q->n, sizeof *q->prog, "local numbers"));
    for (psb_ipk l = 0; l < q->n; l++)
        q->lib[l] = q->prog[l] = l < nrow ? l : -1;
    for (psb_epk k = 0; k < b->n; k++) {
        const psb_lpk g = b->ja[k] + psb_index_base();
        PSB_TRY(give_number(q, psb_glob_to_loc(b->d, g), b->lidx[k], nrow, g));
    }
    *same = true;
    for (psb_ipk l = 0; l < q->n; l++) {
        if (q->prog[l] < 0) {
            while (q->lib[next] >= 0)
                next++;
            q->lib[next] = l;
            q->prog[l] = next;
        }
        *same &= q->prog[l] == l;
    }
    return PSB_OK;
}

/* Attach the numbers that the program gave to the descriptor, unless they are the library's. */
static psb_err attach_numbers(const struct psb_cbind_desc *b)
{
    struct psb_cbind_numbers *q;
    bool same = true;
    if (b->n == 0)
        return PSB_OK;
    PSB_TRY(psb_alloc_zero(&q, 1, sizeof *q, "local numbers"));
    psb_err e = fill_numbers(b, q, &same);
    if (e == PSB_OK && !same)
        psb_desc_attach(b->d, q, free_numbers);
    else
        free_numbers(q);
    return e;
}

static psb_err assemble_desc(const struct psb_cbind_desc *b)
{
    PSB_TRY(psb_cdasb(b->d));
    return psb_agree(psb_cd_ctxt(b->d), attach_numbers(b));
}

psb_i_t psb_c_cdasb(psb_c_descriptor *cd)
{
    struct psb_cbind_desc *b = NULL;
    NEED_OK(psb_cbind_desc(cd, &b));
    return CODE(assemble_desc(b));
}

psb_i_t psb_c_cdasb_format(psb_c_descriptor *cd, const char *format)
{
    struct psb_cbind_desc *b = NULL;
    const struct psb_vmold *mold = NULL;
    NEED_OK(psb_cbind_desc(cd, &b));
    NEED_OK(psb_cbind_vmold_named(psb_cd_ctxt(b->d), format, &mold));
    return CODE(assemble_desc(b));
}

/* --- queries -------------------------------------------------------------------------------------------- */

psb_i_t psb_c_cd_check_addr(psb_c_descriptor *cd)
{
    return desc_of(cd) ? 0 : PSB_ERR_ERROR;
}

bool psb_c_cd_is_asb(psb_c_descriptor *cd)
{
    return psb_cd_state(desc_of(cd)) == PSB_ASSEMBLED;
}

bool psb_c_is_owned(psb_l_t gindex, psb_c_descriptor *cd)
{
    return psb_is_owned(desc_of(cd), gindex);
}

psb_i_t psb_c_cd_get_local_rows(psb_c_descriptor *cd)
{
    const psb_desc *d = desc_of(cd);
    return d ? psb_cd_local_rows(d) : PSB_ERR_ERROR;
}

psb_i_t psb_c_cd_get_local_cols(psb_c_descriptor *cd)
{
    const psb_desc *d = desc_of(cd);
    return d ? psb_cd_local_cols(d) : PSB_ERR_ERROR;
}

psb_l_t psb_c_cd_get_global_rows(psb_c_descriptor *cd)
{
    const psb_desc *d = desc_of(cd);
    return d ? psb_cd_global_rows(d) : PSB_ERR_ERROR;
}

psb_l_t psb_c_cd_get_global_cols(psb_c_descriptor *cd)
{
    return psb_c_cd_get_global_rows(cd);
}

static psb_err list_indices(psb_l_t *idx, psb_i_t nidx, bool owned, const psb_desc *d)
{
    const psb_ipk most = owned ? psb_cd_local_rows(d) : psb_cd_local_cols(d);
    PSB_CHECK(nidx <= most, PSB_EARG, "argument nidx is %d; expected at most %d", nidx, most);
    PSB_CHECK(idx || nidx <= 0, PSB_EARG, "argument idx is NULL; expected an array of %d indices", nidx);
    const struct psb_cbind_numbers *q = psb_cbind_numbers(d);
    for (psb_ipk l = 0; l < nidx; l++)
        idx[l] = psb_loc_to_glob(d, q ? q->lib[l] : l);
    return PSB_OK;
}

psb_i_t psb_c_cd_get_global_indices(psb_l_t idx[], psb_i_t nidx, bool owned, psb_c_descriptor *cd)
{
    const psb_desc *d = desc_of(cd);
    return d ? CODE(list_indices(idx, nidx, owned, d)) : PSB_ERR_ERROR;
}

psb_i_t psb_c_g2l(psb_c_descriptor *cdh, psb_l_t gindex, bool cowned)
{
    const psb_desc *d = desc_of(cdh);
    const psb_ipk l = d ? psb_glob_to_loc(d, gindex) : -1;
    if (l < 0 || (cowned && l >= psb_cd_local_rows(d)))
        return -1;
    const struct psb_cbind_numbers *q = psb_cbind_numbers(d);
    return (q ? q->prog[l] : l) + psb_index_base();
}
