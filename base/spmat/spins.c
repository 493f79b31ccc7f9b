/* spins.c -- base/spmat: insertion of entries into a distributed matrix. */
#include "spmat.h"
#include "desc.h"
#include "remote.h"
#include "psb_type.h"

/* An entry of a row owned elsewhere, indices from 0. */
struct far {
    psb_lpk i, j;
    T val;
};

static psb_err check_call(const struct X(spmat) *a, psb_epk nz, const void *ia, const void *ja,
                          const void *val)
{
    PSB_NEED_HANDLE(a, "a matrix");
    PSB_CHECK(a->state == PSB_BUILD || a->state == PSB_UPDATE, PSB_ESTATE,
              "the matrix is assembled; expected state BUILD, or UPDATE after psb_sprn");
    return X(need_entries)(nz, ia, ja, val);
}

/* Reserve space for n more entries, at least doubling. */
static psb_err reserve_entries(struct X(coo_mat) *b, psb_epk n)
{
    psb_epk need = b->mat.nnz + n;
    if (need <= b->cap)
        return PSB_OK;
    return X(coo_reserve)(b, need > 2 * b->cap ? need : 2 * b->cap);
}

static psb_err not_in_halo(psb_epk k, psb_lpk j)
{
    return PSB_FAIL(PSB_EARG,
                    "argument ja[%" PRId64 "] is %" PRId64
                    ", which is not in the halo of the assembled descriptor",
                    k, j);
}

/* The slot of global column j, element k of ja; a new one if the descriptor may still grow. */
static inline psb_err slot_of(psb_desc *col, psb_epk k, psb_lpk j, psb_ipk *slot)
{
    psb_lpk from0 = psb_from_0(j);
    *slot = psb_desc_slot_of(col, from0);
    if (*slot >= 0)
        return PSB_OK;
    PSB_TRY(psb_desc_check_one(col, k, j, "ja"));
    if (col->state != PSB_BUILD)
        return not_in_halo(k, j);
    PSB_TRY(psb_desc_use(col, 1, &from0));
    *slot = psb_desc_slot_of(col, from0);
    return PSB_OK;
}

/* --- state BUILD ------------------------------------------------------------------------------------ */

/* Append the entry (row, slot); those with owned columns have space. */
static inline psb_err push_entry(struct X(spmat) *a, psb_ipk row, psb_ipk slot, T v)
{
    struct X(coo_mat) *b = slot < a->col->map->nrow ? a->build : a->build_halo;
    if (b->mat.nnz == b->cap)
        PSB_TRY(reserve_entries(b, 1));
    const psb_epk p = b->mat.nnz++;
    b->ia[p] = row;
    b->ja[p] = slot;
    b->val[p] = v;
    return PSB_OK;
}

/* Append entries; *far: those of rows owned elsewhere.  Only indices that are not found are checked for their
 * range. */
static psb_err append_entries(struct X(spmat) *a, psb_epk nz, const psb_lpk *ia, const psb_lpk *ja,
                              const T *val, psb_epk *far)
{
    psb_lpk last = -1;
    psb_ipk row = -1, slot;
    const struct psb_map *const map = a->row->map;
    PSB_TRY(reserve_entries(a->build, nz));
    for (psb_epk k = 0; k < nz; k++) {
        if (ia[k] != last)
            row = psb_map_g2l(map, psb_from_0(last = ia[k]));
        if (row < 0) {
            PSB_TRY(psb_desc_check_one(a->row, k, ia[k], "ia"));
            PSB_TRY(psb_desc_check_one(a->col, k, ja[k], "ja"));
            PSB_TRY(psb_remote_refuse(a->remote_mode, k, ia[k], "ia", "psb_sp_set_remote"));
            ++*far;
            continue;
        }
        PSB_TRY(slot_of(a->col, k, ja[k], &slot));
        PSB_TRY(push_entry(a, row, slot, val[k]));
    }
    return PSB_OK;
}

/* Keep the `far` entries of rows owned elsewhere to be sent, or count them as dropped. */
static psb_err keep_far(struct X(spmat) *a, psb_epk nz, const psb_lpk *ia, const psb_lpk *ja, const T *val,
                        psb_epk far)
{
    const psb_lpk base = psb_index_base();
    if (!a->remote)
        a->dropped += far;
    if (!a->remote || far == 0)
        return PSB_OK;
    PSB_TRY(psb_remote_reserve(a->remote, far));
    for (psb_epk k = 0; k < nz; k++)
        if (psb_map_g2l(a->row->map, ia[k] - base) < 0)
            psb_remote_push(a->remote, &(struct far){ ia[k] - base, ja[k] - base, val[k] });
    return PSB_OK;
}

/* Keep the first entries only: `own` with owned columns, `halo` with others. */
static void remove_after(struct X(spmat) *a, psb_epk own, psb_epk halo)
{
    a->build->mat.nnz = own;
    a->build_halo->mat.nnz = halo;
}

static psb_err insert_entries(struct X(spmat) *a, psb_epk nz, const psb_lpk *ia, const psb_lpk *ja,
                              const T *val)
{
    psb_epk far = 0;
    const psb_epk own = a->build->mat.nnz, halo = a->build_halo->mat.nnz;
    psb_err e = append_entries(a, nz, ia, ja, val, &far);
    PSB_THEN(e, keep_far(a, nz, ia, ja, val, far));
    if (e != PSB_OK)
        remove_after(a, own, halo);
    return e;
}

static psb_err update_entries(struct X(spmat) *a, psb_epk nz, const psb_lpk *ia, const psb_lpk *ja,
                              const T *val)
{
    psb_epk far;
    PSB_TRY(X(sp_refill_find)(a, nz, ia, ja, val, &far));
    PSB_TRY(keep_far(a, nz, ia, ja, val, far));
    return X(sp_refill_put)(a, val);
}

void X(sp_drop_remote)(struct X(spmat) *a)
{
    if (!a->remote)
        return;
    a->dropped += a->remote->n;
    psb_remote_free(a->remote);
    psb_free(a->remote);
    a->remote = NULL;
}

psb_err X(sp_set_remote)(struct X(spmat) *a, enum psb_remote_mode mode)
{
    struct psb_remote *r;
    PSB_NEED_HANDLE(a, "a matrix");
    PSB_CHECK(a->state == PSB_BUILD || a->state == PSB_UPDATE, PSB_ESTATE,
              "the matrix is assembled; expected state BUILD, or UPDATE after psb_sprn");
    PSB_TRY(psb_remote_check(a->row, mode));
    if (mode == PSB_REMOTE_SEND && !a->remote) {
        PSB_TRY(psb_alloc_zero(&r, 1, sizeof *r, "entries of rows owned elsewhere"));
        r->size = sizeof(struct far);
        a->remote = r;
    }
    if (mode != PSB_REMOTE_SEND)
        X(sp_drop_remote)(a);
    a->remote_mode = mode;
    return PSB_OK;
}

psb_epk X(sp_dropped)(const struct X(spmat) *a)
{
    return a ? a->dropped : 0;
}

/* --- entries received --------------------------------------------------------------------------------- */

/* A copy of d, in BUILD, with a slot for each column of the entries received in `in`. */
static psb_err wider(const psb_desc *d, const struct psb_msg *in, int nin, psb_desc **wide)
{
    PSB_CHECK(!d->dependents, PSB_ESTATE,
              "entries sent here have columns outside the halo, and %d matrices and vectors on the column "
              "descriptor are assembled; expected psb_spasb before psb_geasb",
              d->dependents);
    PSB_TRY(psb_desc_free_to_grow(d));
    PSB_TRY(psb_cdcpy(wide, d));
    psb_desc_unplan(*wide);
    for (int k = 0; k < nin; k++) {
        const struct far *f = in[k].data;
        for (size_t i = 0; i < in[k].bytes / sizeof *f; i++)
            PSB_TRY(psb_desc_use(*wide, 1, &f[i].j));
    }
    return PSB_OK;
}

/* If the entries received have columns that are not in the descriptor, extend and plan its halo again. */
static psb_err widen_halo(struct X(spmat) *a, const struct psb_msg *in, int nin)
{
    psb_desc *d = a->col, *wide = NULL;
    int unknown = 0;
    for (int k = 0; k < nin; k++) {
        const struct far *f = in[k].data;
        for (size_t i = 0; i < in[k].bytes / sizeof *f; i++)
            unknown |= psb_desc_slot_of(d, f[i].j) < 0;
    }
    PSB_TRY(psb_max(d->ctxt, 1, &unknown, -1));
    if (!unknown)
        return PSB_OK;
    psb_err e = psb_agree(d->ctxt, wider(d, in, nin, &wide));
    PSB_THEN(e, psb_cdasb(wide));
    if (e == PSB_OK)
        psb_desc_swap(d, wide);
    psb_cdfree(wide);
    return e;
}

static psb_err insert_received(struct X(spmat) *a, const struct psb_msg *in, int nin)
{
    psb_epk n = 0;
    for (int k = 0; k < nin; k++)
        n += (psb_epk)(in[k].bytes / sizeof(struct far));
    PSB_TRY(reserve_entries(a->build, n));
    for (int k = 0; k < nin; k++) {
        const struct far *f = in[k].data;
        for (size_t i = 0; i < in[k].bytes / sizeof *f; i++)
            PSB_TRY(
                push_entry(a, psb_map_g2l(a->row->map, f[i].i), psb_desc_slot_of(a->col, f[i].j), f[i].val));
    }
    return PSB_OK;
}

/* In state UPDATE: find the places of the entries received; *val are their values. */
static psb_err find_received(struct X(spmat) *a, const struct psb_msg *in, int nin, T **val)
{
    const psb_lpk base = psb_index_base();
    psb_lpk *ia = NULL, *ja = NULL;
    psb_epk n = 0, p = 0, far;
    for (int k = 0; k < nin; k++)
        n += (psb_epk)(in[k].bytes / sizeof(struct far));
    psb_err e = psb_alloc(val, (size_t)n, sizeof **val, "entries from elsewhere");
    PSB_THEN(e, psb_alloc(&ia, (size_t)n, sizeof *ia, "entries from elsewhere"));
    PSB_THEN(e, psb_alloc(&ja, (size_t)n, sizeof *ja, "entries from elsewhere"));
    for (int k = 0; k < nin && e == PSB_OK; k++) {
        const struct far *f = in[k].data;
        for (size_t i = 0; i < in[k].bytes / sizeof *f; i++, p++) {
            ia[p] = f[i].i + base;
            ja[p] = f[i].j + base;
            (*val)[p] = f[i].val;
        }
    }
    PSB_THEN(e, X(sp_refill_find)(a, n, ia, ja, *val, &far));
    psb_free(ia);
    psb_free(ja);
    return e;
}

/* All processes find the places of their entries before any stores a value. */
static psb_err fetch_update(struct X(spmat) *a, const struct psb_msg *in, int nin)
{
    T *val = NULL;
    psb_err e = psb_agree(a->row->ctxt, find_received(a, in, nin, &val));
    PSB_THEN(e, psb_agree(a->row->ctxt, X(sp_refill_put)(a, val)));
    psb_free(val);
    return e;
}

static psb_err fetch_build(struct X(spmat) *a, const struct psb_msg *in, int nin)
{
    const psb_epk own = a->build->mat.nnz, halo = a->build_halo->mat.nnz;
    psb_err e = widen_halo(a, in, nin);
    PSB_THEN(e, psb_agree(a->row->ctxt, insert_received(a, in, nin)));
    if (e != PSB_OK)
        remove_after(a, own, halo); /* the next psb_spasb receives them again */
    return e;
}

psb_err X(sp_fetch_remote)(struct X(spmat) *a)
{
    struct psb_remote none = { .size = sizeof(struct far) };
    struct psb_msg *in = NULL;
    int nin = 0;
    psb_err e = psb_remote_send(a->remote ? a->remote : &none, a->row, &in, &nin);
    PSB_THEN(e, a->state == PSB_BUILD ? fetch_build(a, in, nin) : fetch_update(a, in, nin));
    if (e == PSB_OK && a->remote)
        psb_remote_free(a->remote); /* their owners have them */
    psb_msgs_free(in, nin);
    return PSB_PASS(e);
}

/* --- the calls -------------------------------------------------------------------------------------- */

psb_err X(spins)(psb_epk nz, const psb_lpk *ia, const psb_lpk *ja, const T *val, struct X(spmat) *a)
{
    PSB_TRY(check_call(a, nz, ia, ja, val));
    return PSB_PASS(a->state == PSB_BUILD ? insert_entries(a, nz, ia, ja, val)
                                          : update_entries(a, nz, ia, ja, val));
}

static psb_err globals_of(const psb_desc *d, psb_epk nz, const psb_ipk *l, psb_ipk n, const char *name,
                          psb_lpk **g)
{
    PSB_TRY(psb_alloc(g, (size_t)nz, sizeof **g, "global indices"));
    for (psb_epk k = 0; k < nz; k++) {
        PSB_CHECK(l[k] >= 0 && l[k] < n, PSB_EARG, "argument %s[%" PRId64 "] is %d; expected 0 <= %s < %d",
                  name, k, l[k], name, n);
        (*g)[k] = psb_loc_to_glob(d, l[k]);
    }
    return PSB_OK;
}

psb_err X(spins_local)(psb_epk nz, const psb_ipk *ia, const psb_ipk *ja, const T *val, struct X(spmat) *a)
{
    psb_lpk *i = NULL, *j = NULL;
    PSB_TRY(check_call(a, nz, ia, ja, val));
    PSB_CHECK(a->col->state == PSB_ASSEMBLED, PSB_ESTATE,
              "the column descriptor is not assembled; expected psb_cdasb before");
    psb_err e = globals_of(a->row, nz, ia, psb_cd_local_rows(a->row), "ia", &i);
    PSB_THEN(e, globals_of(a->col, nz, ja, psb_cd_local_cols(a->col), "ja", &j));
    PSB_THEN(e, X(spins)(nz, i, j, val, a));
    psb_free(i);
    psb_free(j);
    return PSB_PASS(e);
}
