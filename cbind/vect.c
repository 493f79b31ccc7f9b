/* vect.c -- cbind: vectors: handles, insertion, assembly, elements. */
#include "cbind.h"
#include <stdlib.h>
#include <string.h>
#include "psb_type.h"
#include "cbind.t.h"

/* --- boxes ---------------------------------------------------------------------------------------------- */

psb_err X(cbind_vect)(const C(vector) * xh, const char *name, struct X(cbind_vect) **b)
{
    *b = xh ? xh->VECTOR : NULL;
    return *b && (*b)->what == IS_VECTOR ? PSB_OK : psb_cbind_empty(xh, name, "a vector of psb_c_?geall");
}

/* The box of a vector for a call that does not need its descriptor, but is given one. */
static psb_err open_box(const C(vector) * xh, const psb_c_descriptor *cdh, struct X(cbind_vect) **b)
{
    struct psb_cbind_desc *d;
    PSB_TRY(psb_cbind_desc(cdh, &d));
    return X(cbind_vect)(xh, "xh", b);
}

/* The numbers of the elements of b by the program; NULL: the library's. */
static const struct psb_cbind_numbers *numbers_of(const struct X(cbind_vect) *b)
{
    const struct psb_cbind_numbers *q = psb_cbind_numbers(b->v->desc);
    return q && q->n == X(vect_get_nrows)(b->v) ? q : NULL;
}

/* Number l of the program in the library. */
static psb_ipk library_number(const struct X(cbind_vect) *b, psb_ipk l)
{
    const struct psb_cbind_numbers *q = numbers_of(b);
    return q && l >= 0 && l < q->n ? q->lib[l] : l;
}

void X(cbind_hide)(struct X(cbind_vect) *b)
{
    b->shown = false;
    psb_free(b->seen);
    b->seen = NULL;
}

/* The host's copy, or b->seen, is what the program sees and writes: make it the current one. */
static psb_err take_writes(const struct X(cbind_vect) *b)
{
    const struct psb_cbind_numbers *q = b->seen ? numbers_of(b) : NULL;
    T *p;
    if (!b->shown || (!b->v->v.on && !q))
        return PSB_OK;
    PSB_TRY(X(host_update)(b->v, &p));
    for (psb_ipk l = 0; q && l < q->n; l++)
        p[q->lib[l]] = b->seen[l];
    return PSB_OK;
}

/* Let the program see a change. */
static psb_err show_changes(const struct X(cbind_vect) *b)
{
    const struct psb_cbind_numbers *q = b->seen ? numbers_of(b) : NULL;
    const T *p;
    if (!b->shown || (!b->v->v.on && !q))
        return PSB_OK;
    PSB_TRY(X(vect_sync)(b->v));
    PSB_TRY(X(host_read)(b->v, &p));
    for (psb_ipk l = 0; q && l < q->n; l++)
        b->seen[l] = p[q->lib[l]];
    return PSB_OK;
}

psb_err X(cbind_local)(const C(vector) * xh, struct X(cbind_vect) **b)
{
    PSB_TRY(X(cbind_vect)(xh, "xh", b));
    return take_writes(*b);
}

static psb_i_t end_local(const struct X(cbind_vect) *b, psb_err e, const char *call)
{
    return psb_cbind_code(e == PSB_OK ? show_changes(b) : e, call);
}

/* Make the twin of b on d, and copy the rows to it. */
static psb_err make_twin(struct X(cbind_vect) *b, psb_desc *d)
{
    if (b->twin && b->twin->desc == d && b->twin->v.on == b->v->v.on)
        return X(vect_copy)(b->v, b->twin);
    struct X(vect) *twin = NULL;
    X(gefree)(b->twin);
    b->twin = NULL;
    PSB_TRY(psb_cbind_assembled(d));
    psb_err e = psb_agree(psb_cd_ctxt(d), X(geall)(&twin, d));
    PSB_THEN(e, X(geasb_on)(twin, b->v->v.on));
    if (e != PSB_OK) {
        X(gefree)(twin);
        return e;
    }
    b->twin = twin;
    return X(vect_copy)(b->v, twin);
}

/* Bring b in a state to compute with on d. */
static psb_err prepare_on(struct X(cbind_vect) *b, psb_desc *d, struct X(vect) **v)
{
    if (b->v->state == PSB_BUILD) {
        PSB_TRY(psb_cbind_assembled(b->v->desc));
        PSB_TRY(X(geasb)(b->v, psb_cbind_vmold()));
        X(cbind_hide)(b);
        b->mode = 0;
    }
    PSB_TRY(take_writes(b));
    *v = b->v;
    if (b->v->desc == d)
        return PSB_OK;
    PSB_TRY(make_twin(b, d));
    *v = b->twin;
    return PSB_OK;
}

psb_err X(cbind_open)(psb_desc *d, int m, C(vector) *const *h, struct X(vect) **v)
{
    static const char *const names[] = { "first vector", "second vector", "third vector" };
    for (int i = 0; i < m; i++) {
        struct X(cbind_vect) *b;
        PSB_TRY(X(cbind_vect)(h[i], names[i], &b));
        v[i] = b->v;
        if (b->v->desc != d || b->v->state != PSB_ASSEMBLED || b->shown)
            PSB_TRY(prepare_on(b, d, &v[i]));
    }
    return PSB_OK;
}

psb_err X(cbind_open_on)(const psb_c_descriptor *cdh, int m, C(vector) *const *h, struct X(vect) **v)
{
    struct psb_cbind_desc *d;
    PSB_TRY(psb_cbind_desc(cdh, &d));
    return X(cbind_open)(d->d, m, h, v);
}

psb_i_t X(cbind_close)(const C(vector) * yh, const struct X(vect) *v, psb_err e, const char *call)
{
    const struct X(cbind_vect) *b = e == PSB_OK ? yh->VECTOR : NULL;
    if (e == PSB_OK && v != b->v)
        e = X(vect_copy)(v, b->v);
    if (e == PSB_OK && b->shown)
        e = show_changes(b);
    return psb_cbind_code(e, call);
}

C(vector) * PSB_CAT(PSB_CAT(psb_c_new_, PSB_NOW), vector)(void)
{
    return calloc(1, sizeof(C(vector)));
}

psb_i_t C(gefree)(C(vector) * xh, psb_c_descriptor *cdh)
{
    struct X(cbind_vect) *b = xh ? xh->VECTOR : NULL;
    (void)cdh;
    if (!b)
        return PSB_ERR_ERROR;
    X(gefree)(b->twin);
    X(gefree)(b->v);
    psb_free(b->seen);
    psb_free(b);
    xh->VECTOR = NULL;
    return 0;
}

/* --- allocation, insertion, assembly -------------------------------------------------------------------- */

/* Put v into a handle; it is freed if that fails. */
static psb_err set_vector(C(vector) * xh, struct X(vect) *v, enum psb_dupl dupl)
{
    struct X(cbind_vect) *b = NULL;
    psb_err e = psb_alloc_zero(&b, 1, sizeof *b, "vector");
    if (e != PSB_OK) {
        X(gefree)(v);
        return e;
    }
    b->what = IS_VECTOR;
    b->v = v;
    b->dupl = dupl;
    xh->VECTOR = b;
    return PSB_OK;
}

/* As in PSBLAS, a number that is none of them means psb_dupl_def_. */
static psb_err check_vector_dupl(psb_i_t dupl)
{
    PSB_CHECK(dupl != psb_dupl_err_, PSB_ENOTIMPL,
              "argument dupl is psb_dupl_err_; for vectors expected psb_dupl_add_ or psb_dupl_ovwrt_");
    return PSB_OK;
}

static psb_err allocate_vector_here(C(vector) * xh, psb_desc *d, psb_i_t bldmode, psb_i_t dupl)
{
    struct X(vect) *v;
    PSB_NEED(xh, "a handle of psb_c_new_?vector");
    if (xh->VECTOR)
        return PSB_CBIND_HANDLE;
    PSB_TRY(check_vector_dupl(dupl));
    PSB_TRY(X(geall)(&v, d));
    psb_err e = X(ge_set_remote)(v, bldmode == psb_matbld_remote_ ? PSB_REMOTE_SEND : PSB_REMOTE_DROP);
    if (e != PSB_OK) {
        X(gefree)(v);
        return e;
    }
    return set_vector(xh, v, dupl == psb_dupl_ovwrt_ ? PSB_DUPL_OVERWRITE : PSB_DUPL_ADD);
}

/* On an assembled descriptor a vector has its halo from the start, and can be used. */
static psb_err give_halo(struct X(vect) *v)
{
    if (psb_cd_state(v->desc) != PSB_ASSEMBLED)
        return PSB_OK;
    PSB_TRY(X(geasb)(v, psb_cbind_vmold()));
    return psb_agree(psb_cd_ctxt(v->desc), X(gereinit)(v, 0));
}

/* The same on all processes, or on none. */
static psb_err allocate_vector(C(vector) * xh, const psb_c_descriptor *cdh, psb_i_t bldmode, psb_i_t dupl)
{
    struct psb_cbind_desc *d;
    PSB_TRY(psb_cbind_desc(cdh, &d));
    const psb_err mine = allocate_vector_here(xh, d->d, bldmode, dupl);
    psb_err e = psb_cbind_agree(psb_cd_ctxt(d->d), mine);
    PSB_THEN(e, give_halo(((struct X(cbind_vect) *)xh->VECTOR)->v));
    if (e != PSB_OK && mine == PSB_OK)
        C(gefree)(xh, NULL);
    return e;
}

psb_i_t C(geall)(C(vector) * xh, psb_c_descriptor *cdh)
{
    return CODE(allocate_vector(xh, cdh, psb_matbld_noremote_, psb_dupl_def_));
}

psb_i_t C(geall_remote)(C(vector) * xh, psb_c_descriptor *cdh)
{
    return CODE(allocate_vector(xh, cdh, psb_matbld_remote_, psb_dupl_def_));
}

psb_i_t C(geall_remote_options)(C(vector) * xh, psb_c_descriptor *cdh, psb_i_t bldmode, psb_i_t dupl)
{
    return CODE(allocate_vector(xh, cdh, bldmode, dupl));
}

static psb_i_t insert_mode(enum psb_dupl dupl)
{
    return dupl == PSB_DUPL_ADD ? PSB_ADD_VALUES : PSB_INSERT_VALUES;
}

/* Insert the rows that exist; PSBLAS ignores the others. */
static psb_err insert_rows(struct X(vect) *v, psb_i_t nz, const psb_l_t *irw, const T *val,
                           enum psb_dupl dupl)
{
    bool all = irw != NULL;
    for (psb_i_t k = 0; all && k < nz; k++)
        all = psb_cbind_in_range(v->desc, irw[k]);
    if (all || !irw || !val)
        return X(geins)(nz, irw, val, v, dupl);
    for (psb_i_t k = 0; k < nz; k++)
        if (psb_cbind_in_range(v->desc, irw[k]))
            PSB_TRY(X(geins)(1, irw + k, val + k, v, dupl));
    return PSB_OK;
}

/* Insert; an assembled vector is opened first. */
static psb_err insert_values(struct X(cbind_vect) *b, psb_i_t nz, const psb_l_t *irw, const T *val,
                             enum psb_dupl dupl)
{
    PSB_TRY(take_writes(b));
    if (b->v->state != PSB_BUILD && !b->v->reopened)
        PSB_TRY(X(gereinit)(b->v, 0));
    PSB_TRY(insert_rows(b->v, nz, irw, val, dupl));
    b->mode = insert_mode(dupl);
    return show_changes(b);
}

psb_i_t C(geins)(psb_i_t nz, const psb_l_t *irw, const T *val, C(vector) * xh, psb_c_descriptor *cdh)
{
    struct X(cbind_vect) *b = NULL;
    NEED_OK(open_box(xh, cdh, &b));
    return CODE(insert_values(b, nz, irw, val, b->dupl));
}

psb_i_t C(geins_add)(psb_i_t nz, const psb_l_t *irw, const T *val, C(vector) * xh, psb_c_descriptor *cdh)
{
    struct X(cbind_vect) *b = NULL;
    NEED_OK(open_box(xh, cdh, &b));
    return CODE(insert_values(b, nz, irw, val, PSB_DUPL_ADD));
}

psb_i_t C(geins_overwrite)(psb_i_t nz, const psb_l_t *irw, const T *val, C(vector) * xh,
                           psb_c_descriptor *cdh)
{
    struct X(cbind_vect) *b = NULL;
    NEED_OK(open_box(xh, cdh, &b));
    return CODE(insert_values(b, nz, irw, val, PSB_DUPL_OVERWRITE));
}

psb_i_t C(geins_options)(psb_i_t nz, const psb_l_t *irw, const T *val, C(vector) * xh, psb_c_descriptor *cdh,
                         psb_i_t mode)
{
    struct X(cbind_vect) *b = NULL;
    const enum psb_dupl dupl = mode == PSB_ADD_VALUES ? PSB_DUPL_ADD : PSB_DUPL_OVERWRITE;
    NEED_OK(open_box(xh, cdh, &b));
    if (mode != PSB_ADD_VALUES && mode != PSB_INSERT_VALUES)
        return CODE(
            PSB_FAIL(PSB_EARG, "argument mode is %d; expected PSB_ADD_VALUES or PSB_INSERT_VALUES", mode));
    if (b->mode && b->mode != mode)
        return PSB_ERR_MODE_MISMATCH;
    return CODE(insert_values(b, nz, irw, val, dupl));
}

psb_i_t C(geins_v)(psb_i_t nz, const psb_l_t *irw, const T *val, C(vector) * xh, psb_c_descriptor *cdh,
                   psb_i_t mode)
{
    return C(geins_options)(nz, irw, val, xh, cdh, mode);
}

/* Values were inserted by b->mode: dupl cannot ask for the other way afterwards. */
static psb_err check_late_dupl(const struct X(cbind_vect) *b, psb_i_t dupl)
{
    PSB_TRY(check_vector_dupl(dupl));
    PSB_CHECK((dupl != psb_dupl_add_ && dupl != psb_dupl_ovwrt_) || !b->mode || b->mode == insert_mode(dupl),
              PSB_ENOTIMPL,
              "argument dupl differs from how values were inserted; give it to psb_c_?geall_remote_options "
              "or psb_c_?geins_options");
    return PSB_OK;
}

/* As PSBLAS does, with the halo: only processes that have something to exchange wait for each other, but for
 * the first assembly. */
static psb_err assemble_vector(const C(vector) * xh, const psb_c_descriptor *cdh, psb_i_t dupl,
                               const char *format)
{
    struct X(cbind_vect) *b = NULL;
    PSB_TRY(open_box(xh, cdh, &b));
    if (!format && b->v->state == PSB_ASSEMBLED && b->v->remote_mode != PSB_REMOTE_SEND) {
        PSB_TRY(check_late_dupl(b, dupl));
        PSB_TRY(take_writes(b));
        b->v->reopened = 0;
    } else {
        const struct psb_vmold *mold = psb_cbind_vmold();
        psb_ctxt *ctxt = psb_cd_ctxt(b->v->desc);
        PSB_TRY(psb_agree(ctxt, check_late_dupl(b, dupl)));
        if (format)
            PSB_TRY(psb_cbind_vmold_named(ctxt, format, &mold));
        PSB_TRY(take_writes(b));
        if (b->v->state != PSB_BUILD && !b->v->reopened)
            PSB_TRY(X(gereinit)(b->v, 0));
        PSB_TRY(X(geasb)(b->v, mold));
        if (format)
            PSB_TRY(X(vect_cnv)(b->v, mold));
    }
    PSB_TRY(X(halo)(b->v, 'N'));
    X(cbind_hide)(b);
    b->mode = 0;
    return PSB_OK;
}

psb_i_t C(geasb)(C(vector) * xh, psb_c_descriptor *cdh)
{
    return CODE(assemble_vector(xh, cdh, psb_dupl_def_, NULL));
}

psb_i_t C(geasb_options)(C(vector) * xh, psb_c_descriptor *cdh, psb_i_t dupl)
{
    return CODE(assemble_vector(xh, cdh, dupl, NULL));
}

psb_i_t C(geasb_options_format)(C(vector) * xh, psb_c_descriptor *cdh, psb_i_t dupl, const char *format)
{
    return CODE(assemble_vector(xh, cdh, dupl, format ? format : "CPU"));
}

static psb_err reopen_vector(const C(vector) * xh, bool clear)
{
    struct X(cbind_vect) *b = NULL;
    PSB_TRY(X(cbind_local)(xh, &b));
    PSB_TRY(X(gereinit)(b->v, clear));
    b->mode = 0;
    return show_changes(b);
}

psb_i_t C(vect_reinit)(C(vector) * xh, bool clear)
{
    return CODE(reopen_vector(xh, clear));
}

/* As in PSBLAS, rows of other processes are sent from now on; where rows have several owners that is not
 * offered, and the vector stays as it was allocated. */
psb_i_t C(gereinit)(C(vector) * xh, psb_c_descriptor *cdh, bool clear)
{
    (void)cdh;
    NEED_OK(reopen_vector(xh, clear));
    const psb_err e = QUIETLY(X(ge_set_remote)(((struct X(cbind_vect) *)xh->VECTOR)->v, PSB_REMOTE_SEND));
    return CODE(e == PSB_ENOTIMPL ? PSB_OK : e);
}

psb_i_t C(vect_clone)(C(vector) * xh, C(vector) * yh)
{
    struct X(cbind_vect) *b = NULL;
    struct X(vect) *copy = NULL;
    NEED_OK(X(cbind_local)(xh, &b));
    if (!yh || yh == xh)
        return CODE(PSB_FAIL(PSB_EARG, "argument yh is %s; expected another handle", yh ? "xh" : "NULL"));
    NEED_OK(X(vect_clone)(b->v, &copy));
    if (yh->VECTOR)
        C(gefree)(yh, NULL);
    return CODE(set_vector(yh, copy, b->dupl));
}

/* --- elements ------------------------------------------------------------------------------------------- */

psb_i_t C(vect_get_nrows)(C(vector) * xh)
{
    const struct X(cbind_vect) *b = xh ? xh->VECTOR : NULL;
    return b ? X(vect_get_nrows)(b->v) : PSB_ERR_ERROR;
}

/* v: the elements by the program's numbers. */
static psb_err copy_elements(struct X(cbind_vect) *b, T *v)
{
    const struct psb_cbind_numbers *q = numbers_of(b);
    const T *p;
    if (!q)
        return X(get_vect)(b->v, X(vect_get_nrows)(b->v), v);
    PSB_NEED(v, "where to store the elements");
    PSB_TRY(X(host_read)(b->v, &p));
    for (psb_ipk l = 0; l < q->n; l++)
        v[l] = p[q->lib[l]];
    return PSB_OK;
}

psb_i_t C(vect_f_get_cpy)(T *v, C(vector) * xh)
{
    struct X(cbind_vect) *b = NULL;
    NEED_OK(X(cbind_local)(xh, &b));
    return CODE(copy_elements(b, v));
}

T *C(vect_get_cpy)(C(vector) * xh)
{
    const psb_i_t n = C(vect_get_nrows)(xh);
    T *v = n >= 0 ? malloc((n ? (size_t)n : 1) * sizeof *v) : NULL;
    if (v && C(vect_f_get_cpy)(v, xh) != 0) {
        free(v);
        return NULL;
    }
    return v;
}

/* *p: the elements, which the program may change from now on. */
static psb_err open_elements(struct X(cbind_vect) *b, T **p)
{
    const struct psb_cbind_numbers *q = numbers_of(b);
    PSB_TRY(X(host_update)(b->v, p));
    if (q && !b->seen)
        PSB_TRY(psb_alloc(&b->seen, (size_t)q->n, sizeof *b->seen, "elements by the program's numbers"));
    b->shown = true;
    if (!q)
        return PSB_OK;
    *p = b->seen;
    return show_changes(b);
}

T *C(vect_f_get_pnt)(C(vector) * xh)
{
    struct X(cbind_vect) *b = NULL;
    T *p = NULL;
    psb_err e = X(cbind_local)(xh, &b);
    PSB_THEN(e, open_elements(b, &p));
    if (CODE(e) != 0)
        return NULL;
    return p ? p : (T *)(void *)b; /* not NULL for a vector without rows */
}

/* The element of global row g, owned here or in the halo. */
static psb_err get_global_row(const struct X(cbind_vect) *b, psb_lpk g, T *val)
{
    const psb_ipk l = psb_glob_to_loc(b->v->desc, g);
    const bool in_halo = l >= X(vect_owned)(b->v) && l < X(vect_get_nrows)(b->v);
    return in_halo ? X(vect_get_entry)(b->v, l, val) : X(getelem)(b->v, g, val);
}

T C(getelem)(C(vector) * xh, psb_l_t index, psb_c_descriptor *cd)
{
    struct X(cbind_vect) *b = NULL;
    T val = 0;
    psb_err e = open_box(xh, cd, &b);
    PSB_THEN(e, take_writes(b));
    const psb_i_t code = CODE(e == PSB_OK ? get_global_row(b, index, &val) : e);
    return code == PSB_ERR_ERROR ? -1 : val;
}

/* Set local row i, counted from 0. */
static psb_err set_row(const struct X(cbind_vect) *b, psb_ipk i, T val)
{
    return X(vect_ins)(1, &i, &val, b->v, PSB_DUPL_OVERWRITE);
}

psb_i_t C(setelem)(psb_l_t index, T val, C(vector) * xh, psb_c_descriptor *cd)
{
    struct X(cbind_vect) *b = NULL;
    NEED_OK(open_box(xh, cd, &b));
    NEED_OK(take_writes(b));
    if (!psb_is_owned(b->v->desc, index))
        return CODE(PSB_FAIL(PSB_EARG, "argument index is %" PRId64 ", a row that is not owned here", index));
    return end_local(b, set_row(b, psb_glob_to_loc(b->v->desc, index), val), __func__);
}

psb_i_t C(vect_set_entry)(C(vector) * xh, psb_i_t index, T val)
{
    struct X(cbind_vect) *b = NULL;
    NEED_OK(X(cbind_local)(xh, &b));
    return end_local(b, set_row(b, library_number(b, index - psb_index_base()), val), __func__);
}

T C(vect_get_entry)(C(vector) * xh, psb_i_t index)
{
    struct X(cbind_vect) *b = NULL;
    T val = 0;
    psb_err e = X(cbind_local)(xh, &b);
    PSB_THEN(e, X(vect_get_entry)(b->v, library_number(b, index - psb_index_base()), &val));
    return NUMBER(e, val);
}

psb_i_t C(vect_set_scal)(C(vector) * xh, T val)
{
    struct X(cbind_vect) *b = NULL;
    NEED_OK(X(cbind_local)(xh, &b));
    return end_local(b, X(set_scal)(val, b->v), __func__);
}

psb_i_t C(vect_zero)(C(vector) * xh)
{
    return C(vect_set_scal)(xh, 0);
}

/* Set the rows first to last that exist: row i to val[0], or with `each` to val[i]. */
static psb_err set_rows(const struct X(cbind_vect) *b, psb_lpk first, psb_lpk last, const T *val, bool each)
{
    T *p;
    const psb_ipk n = X(vect_get_nrows)(b->v);
    PSB_CHECK(val || first > last, PSB_EARG, "argument val is NULL; expected %" PRId64 " elements", last + 1);
    PSB_TRY(X(host_update)(b->v, &p));
    for (psb_lpk i = first < 0 ? 0 : first; i <= last && i < n; i++)
        p[library_number(b, (psb_ipk)i)] = val[each ? i : 0];
    return PSB_OK;
}

psb_i_t C(vect_set_scal_bound)(C(vector) * xh, T val, psb_i_t first, psb_i_t last)
{
    const psb_lpk base = psb_index_base();
    struct X(cbind_vect) *b = NULL;
    NEED_OK(X(cbind_local)(xh, &b));
    return end_local(b, set_rows(b, first - base, last - base, &val, false), __func__);
}

psb_i_t C(vect_set_vect)(C(vector) * xh, T *val, psb_i_t n)
{
    struct X(cbind_vect) *b = NULL;
    NEED_OK(X(cbind_local)(xh, &b));
    return end_local(b, set_rows(b, 0, (psb_lpk)n - 1, val, true), __func__);
}
