/* put.t.h -- room: base/mat.  The slot csput, of formats that say where an entry stands.  For formats: what
 * is given is right, and is not checked. */

/* Where entry (i, j), the first of equals, stands in `of`; negative where there is none. */
typedef psb_epk X(place)(void *of, psb_ipk i, psb_ipk j);

/* The values of `to` at pos[k] take v[k], k < nz, one after the other; on error none has changed. */
typedef psb_err X(put)(void *to, psb_epk nz, const psb_epk *pos, const T *v, enum psb_dupl dupl);

/* The slot itself: where `place` finds all entries in `of`, and v is not NULL, `put` puts them into `to`. */
PSB_MUST_CHECK psb_err X(put_entries)(X(place) *place, void *of, X(put) *put, void *to, psb_epk nz,
                                      const psb_ipk *ia, const psb_ipk *ja, const T *v, enum psb_dupl dupl);

/* A `put` where all values are one array, the struct psb_dual `to`. */
PSB_MUST_CHECK psb_err X(put_values)(void *to, psb_epk nz, const psb_epk *pos, const T *v,
                                     enum psb_dupl dupl);

/* One value takes v. */
static inline void X(put_value)(T *value, T v, enum psb_dupl dupl)
{
    *value = dupl == PSB_DUPL_ADD ? *value + v : v;
}
