/* desc.h -- base/desc: the members of a descriptor. */
#ifndef PSB_DESC_INSIDE_H
#define PSB_DESC_INSIDE_H
#include "map.h"
#include "psb_handle.h"
#include "desc_inside.h"

struct psb_desc {
    unsigned mark; /* see psb_handle.h */
    bool held;     /* by the caller, who has not freed it */
    psb_ctxt *ctxt;
    enum psb_state state;
    int users;      /* the descriptor is freed with the last one */
    int dependents; /* users that rely on the final local numbers */
    struct psb_map *map;
    struct psb_hash halo; /* global index -> slot - nrow */
    psb_lpk *used;        /* slot - nrow -> global index */
    size_t used_cap;
    psb_ipk *place;             /* slot - nrow -> place in the halo, once assembled */
    psb_lpk *glob;              /* place in the halo -> global index */
    struct psb_halo plan, sums; /* sums: see psb_desc_sums */
    struct psb_overlap overlap;
    void *attached; /* see psb_desc_attach */
    void (*free_attached)(void *attached);
};

static inline psb_ipk psb_desc_nhalo(const psb_desc *d)
{
    return (psb_ipk)d->halo.n;
}

/* Return a caller's global index counted from 0; an index out of range stays out of range. */
static inline psb_lpk psb_from_0(psb_lpk g)
{
    return (psb_lpk)((uint64_t)g - (uint64_t)psb_index_base());
}

/* Return the slot of a global index counted from 0; -1 for one not in use. */
static inline psb_ipk psb_desc_slot_of(const psb_desc *d, psb_lpk g)
{
    psb_ipk l = psb_map_g2l(d->map, g);
    if (l >= 0)
        return l;
    l = psb_hash_get(&d->halo, g);
    return l < 0 ? -1 : d->map->nrow + l;
}

/* PSB_ESTATE unless d is assembled and no assembled matrix or vector relies on its local numbers.  Local. */
PSB_MUST_CHECK psb_err psb_desc_free_to_grow(const psb_desc *d);

/* Let d hold `attached` in place of what it holds, and free it by free_attached with d; what is attached to
 * d, or NULL.  For interfaces above this library.  Local. */
void psb_desc_attach(psb_desc *d, void *attached, void (*free_attached)(void *attached));
void *psb_desc_attached(const psb_desc *d);

/* Exchange all that d and `with` hold but their counts of users and dependents and what is attached.
 * Local. */
void psb_desc_swap(psb_desc *d, psb_desc *with);

/* Create *desc, in state BUILD, with the rows of `like` in another order, as psb_map_ordered.  Local. */
PSB_MUST_CHECK psb_err psb_desc_ordered(psb_desc **desc, const psb_desc *like, const psb_ipk *to,
                                        const psb_ipk *from);

/* Copy what psb_cdasb made in `of` to `new`, whose rows and halo indices are those of `of`; `new` becomes
 * assembled.  Local. */
PSB_MUST_CHECK psb_err psb_desc_copy_plan(psb_desc *new, psb_desc *of);

/* Release what psb_cdasb made; the state becomes BUILD.  Local. */
void psb_desc_unplan(psb_desc *d);

/* Allocate *s for n neighbours, all starts 0; or with ranks rank[0..n) and starts start[0..n], copied.  After
 * an error *s is empty.  Local. */
PSB_MUST_CHECK psb_err psb_neighbours_alloc(struct psb_neighbours *s, int n);
PSB_MUST_CHECK psb_err psb_neighbours_set(struct psb_neighbours *s, int n, const int *rank,
                                          const psb_ipk *start);

/* The number of rows of all neighbours; 0 if there is no plan yet.  Local. */
static inline psb_ipk psb_neighbour_rows(const struct psb_neighbours *s)
{
    return s->n ? s->start[s->n] : 0;
}
#endif
