/* vect_remote.c -- base/vect: elements of a vector inserted on a process that does not own them. */
#include "vect.h"
#include "desc.h"
#include "remote.h"
#include <string.h>
#include "psb_type.h"

/* A record: this, and then the elements of the row. */
struct far {
    psb_lpk row; /* from 0 */
    psb_lpk dupl;
};

static size_t record(const struct X(vect) *x)
{
    return sizeof(struct far) + (size_t)x->ncols * sizeof(T);
}

psb_err X(ge_set_remote)(struct X(vect) *x, enum psb_remote_mode mode)
{
    struct psb_remote *r;
    PSB_TRY(X(vect_check_distributed)(x, "x"));
    PSB_CHECK(x->state == PSB_BUILD || x->reopened, PSB_ESTATE,
              "the vector is assembled; expected state BUILD, or psb_gereinit before");
    PSB_TRY(psb_remote_check(x->desc, mode));
    if (mode == PSB_REMOTE_SEND && !x->remote) {
        PSB_TRY(psb_alloc_zero(&r, 1, sizeof *r, "elements owned elsewhere"));
        r->size = record(x);
        x->remote = r;
    }
    if (mode != PSB_REMOTE_SEND)
        X(vect_drop_remote)(x);
    x->remote_mode = mode;
    return PSB_OK;
}

psb_epk X(ge_dropped)(const struct X(vect) *x)
{
    return x ? x->dropped : 0;
}

void X(vect_drop_remote)(struct X(vect) *x)
{
    if (!x->remote)
        return;
    x->dropped += x->remote->n;
    psb_remote_free(x->remote);
    psb_free(x->remote);
    x->remote = NULL;
}

psb_err X(vect_keep_remote)(struct X(vect) *x, psb_epk n, const psb_lpk *irw, const T *val,
                            enum psb_dupl dupl, psb_epk far)
{
    char *rec;
    PSB_TRY(psb_remote_reserve(x->remote, far));
    PSB_TRY(psb_alloc(&rec, record(x), 1, "element owned elsewhere"));
    for (psb_epk i = 0; i < n; i++) {
        struct far f = { irw[i] - psb_index_base(), (psb_lpk)dupl };
        if (psb_map_g2l(x->desc->map, f.row) >= 0)
            continue;
        memcpy(rec, &f, sizeof f);
        memcpy(rec + sizeof f, val + i * x->ncols, (size_t)x->ncols * sizeof *val);
        psb_remote_push(x->remote, rec);
    }
    psb_free(rec);
    return PSB_OK;
}

static void insert_received(struct X(vect) *x, const struct psb_msg *in, T *p)
{
    size_t k = (size_t)x->ncols;
    for (const char *rec = in->data, *end = rec + in->bytes; rec < end; rec += record(x)) {
        struct far f;
        T v;
        memcpy(&f, rec, sizeof f);
        T *to = p + (size_t)psb_map_g2l(x->desc->map, f.row) * k;
        for (size_t j = 0; j < k; j++) {
            memcpy(&v, rec + sizeof f + j * sizeof v, sizeof v);
            to[j] = f.dupl == PSB_DUPL_ADD ? to[j] + v : v;
        }
    }
}

psb_err X(vect_fetch_remote)(struct X(vect) *x)
{
    struct psb_remote none = { .size = record(x) };
    struct psb_msg *in = NULL;
    int nin = 0;
    T *p = NULL;
    PSB_TRY(psb_agree(x->desc->ctxt, psb_dual_update(&x->v, PSB_HOST, &p)));
    PSB_TRY(psb_remote_send(x->remote ? x->remote : &none, x->desc, &in, &nin));
    for (int k = 0; k < nin; k++)
        insert_received(x, &in[k], p);
    psb_msgs_free(in, nin);
    if (x->remote)
        psb_remote_free(x->remote); /* their owners have them */
    return PSB_OK;
}
