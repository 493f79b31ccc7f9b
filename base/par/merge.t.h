/* merge.t.h -- base/par: the reductions of one element type.  NaN in `lower` is kept by a test, NaN in
 * `upper` because comparisons with it are false. */
/* clang-format off */
#define MERGE(name, value) static void X(name)(size_t n, void *out, const void *lower, const void *upper) \
    { const T *a = lower, *b = upper; T *c = out; for (size_t i = 0; i < n; i++) c[i] = (value); }
/* clang-format on */

#if !LOGICAL
MERGE(merge_sum, PLUS(a[i], b[i]))
MERGE(merge_amx, IS_NAN(a[i]) || ABS(a[i]) >= ABS(b[i]) ? a[i] : b[i])
MERGE(merge_amn, IS_NAN(a[i]) || ABS(a[i]) <= ABS(b[i]) ? a[i] : b[i])
#endif
#if !CPLX
MERGE(merge_max, IS_NAN(a[i]) || a[i] >= b[i] ? a[i] : b[i])
MERGE(merge_min, IS_NAN(a[i]) || a[i] <= b[i] ? a[i] : b[i])
#endif
#if FLOATING
MERGE(merge_nrm2, IS_NAN(a[i]) || IS_NAN(b[i]) ? (T)NAN : (T)hypot(a[i], b[i]))
#endif

static psb_merge *const X(merges)[PSB_NOPS] = {
#if !LOGICAL
    [PSB_SUM] = X(merge_sum),   [PSB_AMX] = X(merge_amx), [PSB_AMN] = X(merge_amn),
#endif
#if !CPLX
    [PSB_MAX] = X(merge_max),   [PSB_MIN] = X(merge_min),
#endif
#if FLOATING
    [PSB_NRM2] = X(merge_nrm2),
#endif
};
#undef MERGE
