/* write.c -- cbind: Matrix Market files. */
#include "cbind.h"
#include "triplets.h"
#include <stdio.h>
#include "psb_type.h"
#include "cbind.t.h"

/* The rows of a here, in the program's local numbers.  The caller frees *t, also after an error. */
static psb_err list_own_rows(const struct X(spmat) *a, struct X(triplets) *t)
{
    const struct psb_cbind_numbers *q = psb_cbind_numbers(a->col);
    *t = (struct X(triplets)){ .m = psb_cd_local_rows(a->row), .n = psb_cd_local_cols(a->col) };
    PSB_TRY(X(triplets_resize)(t, X(sp_nnz)(a) + 1));
    for (psb_ipk i = 0; i < t->m; i++) {
        psb_epk nz = 0;
        PSB_TRY(X(sp_csget)(a, i, INT64_MAX, NULL, t->ja + t->nnz, t->val + t->nnz, &nz));
        for (; nz > 0; nz--, t->nnz++) {
            const psb_ipk j = psb_glob_to_loc(a->col, t->ja[t->nnz]);
            t->ia[t->nnz] = i;
            t->ja[t->nnz] = q ? q->prog[j] : j;
        }
    }
    return PSB_OK;
}

/* The code of a call that wrote file `name` without recording errors: as in PSBLAS a file that cannot be
 * written is no error, and is told. */
static psb_i_t end_file(psb_err e, const char *name, const char *call)
{
    if (e == PSB_EIO)
        fprintf(stderr, "psb: %s: file \"%s\" cannot be written\n", call, name);
    else if (e != PSB_OK)
        e = PSB_FAIL(e, "file \"%s\" is not written", name);
    return psb_cbind_code(e, call);
}

static psb_err write_rows(const struct X(cbind_mat) *b, const char *path, const char *title)
{
    struct X(triplets) t;
    if (b->whole)
        return X(mm_mat_write)(path, b->whole, PSB_MM_GENERAL, title);
    psb_err e = list_own_rows(b->a, &t);
    PSB_THEN(e, X(mm_write)(path, &t, CPLX ? PSB_MM_COMPLEX : PSB_MM_REAL, title));
    X(triplets_free)(&t);
    return e;
}

static psb_i_t write_mine(const C(spmat) * ah, const char *path, const char *title, const char *call)
{
    struct X(cbind_mat) *b;
    psb_err e = X(cbind_mat)(ah, "ah", &b);
    if (e != PSB_OK)
        return psb_cbind_code(e, call);
    e = QUIETLY(write_rows(b, path, title));
    return end_file(e, path, call);
}

psb_i_t C(mm_mat_write)(C(spmat) * ah, char *matrixtitle, char *filename)
{
    return write_mine(ah, filename, matrixtitle, __func__);
}

psb_i_t C(mat_name_print)(C(spmat) * mh, char *name)
{
    return write_mine(mh, name, NULL, __func__);
}

/* The name of a file that psb_c_?global_..._write makes. */
static void file_name(char *name, size_t size, const char *prefix, const psb_desc *d)
{
    int np;
    psb_info(psb_cd_ctxt(d), NULL, &np);
    snprintf(name, size, "%s-np-%d.mtx", prefix, np);
}

psb_i_t C(global_mat_write)(C(spmat) * ah, psb_c_descriptor *cdh)
{
    char name[40];
    struct X(spmat) *a = NULL;
    (void)cdh;
    NEED_OK(X(cbind_open_with)(ah, 0, NULL, &a, NULL));
    file_name(name, sizeof name, "A", a->row);
    const psb_err e = QUIETLY(X(mm_sp_write)(name, a, PSB_MM_GENERAL, "Global matrix"));
    return end_file(e, name, __func__);
}

psb_i_t C(global_vec_write)(C(vector) * vh, psb_c_descriptor *cdh)
{
    char name[40];
    OPEN(v, cdh, vh);
    file_name(name, sizeof name, "v", v[0]->desc);
    const psb_err e = QUIETLY(X(mm_vect_write)(name, v, 1));
    return end_file(e, name, __func__);
}
