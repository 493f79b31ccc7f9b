/* load.t.h -- tools: the matrix of a program, for one scalar. */

/* Store in *own the entries, in rows owned here, of the matrix in the file at `path`: Harwell-Boeing if `hb`,
 * else Matrix Market.  The caller frees *own.  Collective. */
PSB_MUST_CHECK psb_err X(load_entries)(const char *path, bool hb, psb_desc *row, struct X(triplets) *own);

/* Partition the rows of the square matrix *own by METIS: replace *row by a new descriptor, and *own by the
 * entries of its rows.  Collective.  PSB_EARG if the matrix is not square. */
PSB_MUST_CHECK psb_err X(load_metis)(psb_desc **row, struct X(triplets) *own);

/* Where the entries of the rows owned here come from: stored, or generated in pieces. */
struct X(entries) {
    struct X(triplets) stored;
    const struct psb_gen *gen; /* what generates them; NULL: they are stored */
};

/* Call take for all entries, in pieces of consecutive rows of `row`, until it returns an error.  Local. */
PSB_MUST_CHECK psb_err X(load_each)(const struct X(entries) *from, const psb_desc *row,
                                    psb_err (*take)(void *arg, const struct X(triplets) *t), void *arg);

/* Create *a, the matrix with the entries *from in the format of `mold`; descriptors in state BUILD are
 * assembled first.  Collective. */
PSB_MUST_CHECK psb_err X(load_assemble)(psb_desc *row, psb_desc *col, const struct X(entries) *from,
                                        const struct X(mat) *mold, struct X(spmat) **a);

/* Set *entries to the number of entries of a on all processes.  Collective. */
PSB_MUST_CHECK psb_err X(load_count)(const struct X(spmat) *a, psb_epk *entries);

/* Store in v the elements owned here of the vector in the Matrix Market file at `path`, of one column; `name`
 * is its name in messages.  Collective. */
PSB_MUST_CHECK psb_err X(load_vector)(const char *path, const char *name, psb_desc *d, T *v);
