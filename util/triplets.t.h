/* triplets.t.h -- util: matrices as lists of entries. */

/* Resize the arrays of *t to n entries; those that it has are kept.  Local.  PSB_ENOMEM. */
PSB_MUST_CHECK psb_err X(triplets_resize)(struct X(triplets) *t, psb_epk n);

/* *to = *made if e is PSB_OK, else free *made; return e.  Local. */
PSB_MUST_CHECK psb_err X(triplets_hand_over)(psb_err e, struct X(triplets) *made, struct X(triplets) *to);

/* Append an entry to *t, whose arrays have space for it.  Local. */
static inline void X(triplets_append)(struct X(triplets) *t, psb_lpk i, psb_lpk j, T v)
{
    t->ia[t->nnz] = i;
    t->ja[t->nnz] = j;
    t->val[t->nnz++] = v;
}

/* Entries whose arrays grow. */
struct X(growing_triplets) {
    struct X(triplets) t;
    psb_epk capacity; /* of the arrays of t */
};

/* Let g have space for n more entries.  Local.  PSB_ENOMEM. */
PSB_MUST_CHECK psb_err X(triplets_grow)(struct X(growing_triplets) *g, psb_epk n);
static inline psb_err X(triplets_reserve)(struct X(growing_triplets) *g, psb_epk n)
{
    return g->capacity - g->t.nnz >= n ? PSB_OK : X(triplets_grow)(g, n);
}

/* Receives t->nnz entries of rows owned here; the sizes in *t are not set.  Local. */
typedef psb_err (*X(taker))(void *arg, const struct X(triplets) *t);

/* Takers: append the entries to the growing triplets at `arg`; insert them, whose indices count from 0, in
 * the matrix (struct X(spmat)) at `arg`. */
psb_err X(take_growing)(void *arg, const struct X(triplets) *t);
psb_err X(take_insert)(void *arg, const struct X(triplets) *t);

/* Check argument `name`, *t: sizes and arrays are set, and every entry is within the sizes; `rows`, if not
 * NULL, has as many rows.  Local.  PSB_EARG names the first thing that is wrong. */
PSB_MUST_CHECK psb_err X(check_triplets)(const struct X(triplets) *t, const char *name, const psb_desc *rows);

/* As X(mm_write), but of a matrix of that symmetry only the entries that its storage has; the others are not
 * compared with them.  Local. */
PSB_MUST_CHECK psb_err X(mm_write_half)(const char *path, const struct X(triplets) *t,
                                        enum psb_mm_field field, enum psb_mm_symmetry symmetry,
                                        const char *title);
