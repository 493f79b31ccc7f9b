/* psb_put.t.h -- room: base/mat.  The slot csput, of formats that say where an entry stands.  For formats: what
 * is given is right, and is not checked. */

/* Position of entry (i, j), the first of duplicates, in `of`; negative if it is not stored. */
typedef psb_epk X(place)(void *of, psb_ipk i, psb_ipk j);

/* Add v[k] to, or store it as, the value of `to` at pos[k], for k < nz in this order; on error none has
 * changed. */
typedef psb_err X(put)(void *to, psb_epk nz, const psb_epk *pos, const T *v, enum psb_dupl dupl);

/* The slot csput: if `place` finds all entries in `of` and v is not NULL, `put` changes the values of `to`.
 */
PSB_MUST_CHECK psb_err X(put_entries)(X(place) *place, void *of, X(put) *put, void *to, psb_epk nz,
                                      const psb_ipk *ia, const psb_ipk *ja, const T *v, enum psb_dupl dupl);

/* A `put` where all values are one array, the struct psb_dual `to`. */
PSB_MUST_CHECK psb_err X(put_values)(void *to, psb_epk nz, const psb_epk *pos, const T *v,
                                     enum psb_dupl dupl);

/* Add v to one value, or replace the value by v. */
static inline void X(put_value)(T *value, T v, enum psb_dupl dupl)
{
    *value = dupl == PSB_DUPL_ADD ? *value + v : v;
}
