/* psb_put.t.h -- base/mat: the slot csput for formats that can find the position of an entry.  For
 * formats: arguments are not checked. */

/* Return the position of entry (i, j) in `of`, of the first if it is stored twice; negative if it is not
 * stored. */
typedef psb_epk X(place)(void *of, psb_ipk i, psb_ipk j);

/* For k < nz, in this order: add v[k] to the value of `to` at pos[k], or replace that value.  On error
 * nothing has changed. */
typedef psb_err X(put)(void *to, psb_epk nz, const psb_epk *pos, const T *v, enum psb_dupl dupl);

/* The slot csput: if `place` finds all entries in `of` and v is not NULL, `put` changes the values of `to`.
 */
PSB_MUST_CHECK psb_err X(put_entries)(X(place) *place, void *of, X(put) *put, void *to, psb_epk nz,
                                      const psb_ipk *ia, const psb_ipk *ja, const T *v, enum psb_dupl dupl);

/* A `put` for formats whose values are one array: `to` is its struct psb_dual. */
PSB_MUST_CHECK psb_err X(put_values)(void *to, psb_epk nz, const psb_epk *pos, const T *v,
                                     enum psb_dupl dupl);

/* Add v to one value, or replace the value by v. */
static inline void X(put_value)(T *value, T v, enum psb_dupl dupl)
{
    *value = dupl == PSB_DUPL_ADD ? *value + v : v;
}
