/* desc.h -- room: base/desc.  What is inside a descriptor. */
#ifndef PSB_DESC_INSIDE_H
#define PSB_DESC_INSIDE_H
#include "map.h"
#include "psb_desc.h"

struct psb_desc {
    psb_ctxt *ctxt;
    enum psb_state state;
    int users;   /* it lives as long as one is left */
    int dependents; /* those of them that rely on the final local numbers */
    struct psb_map map;
    struct psb_hash halo; /* global index -> slot - nrow */
    psb_lpk *used;        /* slot - nrow -> global index */
    size_t used_cap;
    psb_ipk *place; /* slot - nrow -> place in the halo, once assembled */
    psb_lpk *glob;  /* place in the halo -> global index */
    struct psb_halo plan;
    struct psb_overlap overlap;
};

static inline psb_ipk psb_desc_nhalo(const psb_desc *d)
{
    return (psb_ipk)d->halo.n;
}

/* A caller's global index counted from 0; one that is out of range stays so. */
static inline psb_lpk psb_from_0(psb_lpk g)
{
    return (psb_lpk)((uint64_t)g - (uint64_t)psb_index_base());
}

/* The slot of a global index, -1 for one not in use. */
static inline psb_ipk psb_desc_slot_of(const psb_desc *d, psb_lpk g)
{
    psb_ipk l = psb_map_g2l(&d->map, g);
    if (l >= 0)
        return l;
    l = psb_hash_get(&d->halo, g);
    return l < 0 ? -1 : d->map.nrow + l;
}

/* PSB_ESTATE unless d may go back to BUILD.  Local. */
PSB_MUST_CHECK psb_err psb_desc_free_to_grow(const psb_desc *d);

/* d takes all that `with` knows, and the other way round; users stay.  Local. */
void psb_desc_swap(psb_desc *d, psb_desc *with);

/* Release what psb_cdasb made; the state is BUILD again. */
void psb_desc_unplan(psb_desc *d);

/* A side of n neighbours, starts all 0. */
PSB_MUST_CHECK psb_err psb_side_alloc(struct psb_side_plan *s, int n);
void psb_side_free(struct psb_side_plan *s);
#endif
