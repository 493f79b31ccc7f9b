/* complex_lanes_kernels.t.h -- room: base/mat.  LANES complex sums at once, for lanes_kernels.t.h, which
 * describes the functions.
 *
 * A vector holds the parts of LANES complex numbers, real and imaginary ones in turn.  Real and imaginary
 * parts of the matrix are multiplied by x and summed apart, and joined when the sum is complete: an entry
 * costs two multiplications of vectors and no exchange of the parts of x, and the conjugate of the matrix
 * changes a sign at the end. */
#if LANES == 2
#define EVERY_REAL      0, 0, 2, 2
#define EVERY_IMAGINARY 1, 1, 3, 3
#define EXCHANGED       1, 0, 3, 2
#define EACH_TWICE      0, 0, 1, 1
#define FROM_END        0, 0, -1, -1
#elif LANES == 4
#define EVERY_REAL      0, 0, 2, 2, 4, 4, 6, 6
#define EVERY_IMAGINARY 1, 1, 3, 3, 5, 5, 7, 7
#define EXCHANGED       1, 0, 3, 2, 5, 4, 7, 6
#define EACH_TWICE      0, 0, 1, 1, 2, 2, 3, 3
#define FROM_END        0, 0, -1, -1, -2, -2, -3, -3
#else
#define EVERY_REAL      0, 0, 2, 2, 4, 4, 6, 6, 8, 8, 10, 10, 12, 12, 14, 14
#define EVERY_IMAGINARY 1, 1, 3, 3, 5, 5, 7, 7, 9, 9, 11, 11, 13, 13, 15, 15
#define EXCHANGED       1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14
#define EACH_TWICE      0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7
#define FROM_END        0, 0, -1, -1, -2, -2, -3, -3, -4, -4, -5, -5, -6, -6, -7, -7
#endif
#if BYTES == 8
#define INTEGER   int32_t /* as large as R */
#define PAIR(two) L(eight_bytes)(x + psb_first_of(two)), L(eight_bytes)(x + psb_second_of(two))
#else
#define INTEGER int64_t
#define PAIR(two) \
    RE(x[psb_first_of(two)]), IM(x[psb_first_of(two)]), RE(x[psb_second_of(two)]), IM(x[psb_second_of(two)])
#endif
#ifdef __clang__
#define ARRANGE(v, ...) __builtin_shufflevector(v, v, __VA_ARGS__)
#else
#define ARRANGE(v, ...) __builtin_shuffle(v, ((struct L(lengths)){ { __VA_ARGS__ } }).of)
#endif

struct L(parts) {
    R of __attribute__((vector_size(LANES * sizeof(T))));
};
struct L(lanes) {
    struct L(parts) by_real, by_imaginary; /* parts of the matrix, times x */
};
struct L(lengths) { /* each twice */
    INTEGER of __attribute__((vector_size(LANES * sizeof(T))));
};

PSB_INLINE struct L(parts) L(parts_of)(const T *v)
{
    struct L(parts) p;
    memcpy(&p, v, sizeof p);
    return p;
}

#if BYTES == 8
PSB_INLINE uint64_t L(eight_bytes)(const T *v)
{
    uint64_t bytes;
    memcpy(&bytes, v, sizeof bytes);
    return bytes;
}
#endif

/* The elements of x at idx.  Those of 8 bytes are loaded as integers, which are moved as they are. */
PSB_INLINE struct L(parts) L(parts_at)(const psb_ipk *idx, const T *x)
{
    uint64_t two[LANES / 2];
#pragma GCC unroll 4
    for (int b = 0; b < LANES / 2; b++)
        two[b] = psb_two_indices(idx + 2 * b);
#if BYTES == 8
    const struct {
        uint64_t of __attribute__((vector_size(LANES * sizeof(uint64_t))));
    } w = { { PAIRS(two) } };
    return (struct L(parts)){ (__typeof__(((struct L(parts) *)NULL)->of))w.of };
#else
    return (struct L(parts)){ { PAIRS(two) } };
#endif
}

PSB_INLINE void L(lanes_add)(struct L(lanes) *s, const T *val, const psb_ipk *idx, const T *x)
{
    const struct L(parts) v = L(parts_of)(val), w = L(parts_at)(idx, x);
    s->by_real.of += ARRANGE(v.of, EVERY_REAL) * w.of;
    s->by_imaginary.of += ARRANGE(v.of, EVERY_IMAGINARY) * w.of;
}

PSB_INLINE void L(lanes_add_longer)(struct L(lanes) *s, const struct L(lengths) *len, psb_ipk k, const T *val,
                                    const psb_ipk *idx, const T *x)
{
    const struct L(parts) v = L(parts_of)(val), w = L(parts_at)(idx, x);
    const struct L(lengths) longer = { len->of > k };
    struct L(lengths) r = { (__typeof__(r.of))(ARRANGE(v.of, EVERY_REAL) * w.of) };
    struct L(lengths) i = { (__typeof__(i.of))(ARRANGE(v.of, EVERY_IMAGINARY) * w.of) };
    r.of &= longer.of;
    i.of &= longer.of;
    s->by_real.of += (__typeof__(v.of))r.of;
    s->by_imaginary.of += (__typeof__(v.of))i.of;
}

PSB_INLINE void L(lanes_add_first)(struct L(lanes) *s, psb_ipk n, const T *val, const psb_ipk *idx,
                                   const T *x)
{
    static const struct L(lengths) lane = { { FROM_END } };
    L(lanes_add_longer)(s, &lane, -n, val, idx, x);
}

PSB_INLINE void L(lanes_join)(struct L(lanes) *s, const struct L(lanes) *other)
{
    s->by_real.of += other->by_real.of;
    s->by_imaginary.of += other->by_imaginary.of;
}

/* The complex numbers whose products with x have these sums. */
PSB_INLINE struct L(parts) L(joined)(const struct L(lanes) *s, int conjugate)
{
    const struct L(parts) i = { ARRANGE(s->by_imaginary.of, EXCHANGED) };
    struct L(parts) sum = s->by_real;
    for (int b = 0; b < 2 * LANES; b += 2) {
        sum.of[b] += conjugate ? i.of[b] : -i.of[b];
        sum.of[b + 1] += conjugate ? -i.of[b + 1] : i.of[b + 1];
    }
    return sum;
}

PSB_INLINE T L(lanes_total)(const struct L(lanes) *s, int conjugate)
{
    T sum[LANES];
    const struct L(parts) parts = L(joined)(s, conjugate);
    memcpy(sum, &parts, sizeof sum);
    const T even = sum[0] + sum[LANES / 2];
    return LANES == 2 ? even : even + (sum[1] + sum[LANES - 1]);
}

PSB_INLINE void L(lanes_store)(const struct L(lanes) *s, T alpha, T beta, T *y)
{
    T sum[LANES];
    const struct L(parts) parts = L(joined)(s, 0);
    memcpy(sum, &parts, sizeof sum);
    for (int b = 0; b < LANES; b++)
        y[b] = beta == 0 ? alpha * sum[b] : alpha * sum[b] + beta * y[b];
}

PSB_INLINE void L(lanes_add_along)(T *sum, const T *val, const T *x, int not_zero)
{
    const struct L(parts) v = L(parts_of)(val), w = L(parts_of)(x);
    const struct L(lanes) q = { { ARRANGE(v.of, EVERY_REAL) * w.of },
                                { ARRANGE(v.of, EVERY_IMAGINARY) * w.of } };
    const struct L(parts) p = L(joined)(&q, 0);
    struct L(parts) s = L(parts_of)(sum);
    struct L(lengths) m = { v.of != 0 };
    m.of = (m.of | ARRANGE(m.of, EXCHANGED)) & (__typeof__(m.of))p.of;
    s.of += not_zero ? (__typeof__(p.of))m.of : p.of;
    memcpy(sum, &s, sizeof s);
}

/* One at a time, which is faster than vectors whose elements must be taken apart. */
PSB_INLINE void L(lanes_put)(const T *val, const psb_ipk *idx, int conjugate, const T *x, T *y)
{
    for (int b = 0; b < LANES; b++)
        y[idx[b]] += (conjugate ? CONJ(val[b]) : val[b]) * x[b];
}

PSB_INLINE void L(lengths_load)(struct L(lengths) *len, const psb_ipk *from)
{
    struct {
        psb_ipk of __attribute__((vector_size(2 * LANES * sizeof(psb_ipk))));
    } n = { { 0 } };
    memcpy(&n, from, LANES * sizeof *from);
    len->of = __builtin_convertvector(n.of, __typeof__(len->of));
    len->of = ARRANGE(len->of, EACH_TWICE);
}

#undef EVERY_REAL
#undef EVERY_IMAGINARY
#undef EXCHANGED
#undef EACH_TWICE
#undef FROM_END
#undef ARRANGE
#undef INTEGER
