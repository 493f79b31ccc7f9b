/* complex_lanes_kernels.t.h -- base/mat: LANES complex sums at once, for lanes_kernels.t.h, which
 * describes the functions.
 *
 * A vector holds the parts of WIDE complex numbers, real and imaginary ones in turn; VECTORS of them hold
 * LANES. Vectors wider than a register would go through memory.
 *
 * Real and imaginary parts of the matrix are multiplied by x and summed apart, and joined when the sum is
 * complete: an entry costs two multiplications of vectors and no exchange of the parts of x, and the
 * conjugate of the matrix changes a sign at the end. */
#undef WIDE
#undef VECTORS
#if PSB_VECTOR / BYTES <= 1
#define WIDE            1
#define EVERY_REAL      0, 0
#define EVERY_IMAGINARY 1, 1
#define EXCHANGED       1, 0
#define EACH_TWICE      0, 0
#elif PSB_VECTOR / BYTES == 2 || LANES == 2
#define WIDE            2
#define EVERY_REAL      0, 0, 2, 2
#define EVERY_IMAGINARY 1, 1, 3, 3
#define EXCHANGED       1, 0, 3, 2
#define EACH_TWICE      0, 0, 1, 1
#elif PSB_VECTOR / BYTES == 4 || LANES == 4
#define WIDE            4
#define EVERY_REAL      0, 0, 2, 2, 4, 4, 6, 6
#define EVERY_IMAGINARY 1, 1, 3, 3, 5, 5, 7, 7
#define EXCHANGED       1, 0, 3, 2, 5, 4, 7, 6
#define EACH_TWICE      0, 0, 1, 1, 2, 2, 3, 3
#else
#define WIDE            8
#define EVERY_REAL      0, 0, 2, 2, 4, 4, 6, 6, 8, 8, 10, 10, 12, 12, 14, 14
#define EVERY_IMAGINARY 1, 1, 3, 3, 5, 5, 7, 7, 9, 9, 11, 11, 13, 13, 15, 15
#define EXCHANGED       1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14
#define EACH_TWICE      0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7
#endif
#define VECTORS (LANES / WIDE)
#if BYTES == 8
#define INTEGER int32_t  /* as large as R */
#define ELEMENT uint64_t /* elements of x are loaded as integers, which are moved as they are */
#define ONE(i)  L(eight_bytes)(x + (i))
#else
#define INTEGER int64_t
#define ELEMENT R
#define ONE(i)  RE(x[i]), IM(x[i])
#endif
#define PAIR(two) ONE(psb_first_of(two)), ONE(psb_second_of(two))
#ifdef __clang__
#define ARRANGE(v, ...) __builtin_shufflevector(v, v, __VA_ARGS__)
#else
#define ARRANGE(v, ...) __builtin_shuffle(v, ((struct L(integers)){ { __VA_ARGS__ } }).of)
#endif

struct L(parts) {
    R of __attribute__((vector_size(WIDE * sizeof(T))));
};
struct L(integers) {
    INTEGER of __attribute__((vector_size(WIDE * sizeof(T))));
};
struct L(elements) {
    ELEMENT of __attribute__((vector_size(WIDE * sizeof(T))));
};
struct L(lanes) {
    struct L(parts) by_real[VECTORS], by_imaginary[VECTORS]; /* parts of the matrix, times x */
};
struct L(some_lengths) {
    LENGTH of __attribute__((vector_size(WIDE * sizeof(T))));
};
struct L(lengths) {
    struct L(some_lengths) of[VECTORS]; /* each length twice */
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

/* The WIDE elements of x at idx. */
PSB_INLINE struct L(parts) L(parts_at)(const psb_ipk *idx, const T *x)
{
#if WIDE == 1
    return L(parts_of)(x + *idx);
#else
    uint64_t two[WIDE / 2];
#pragma GCC unroll 4
    for (int b = 0; b < WIDE / 2; b++)
        two[b] = psb_two_indices(idx + 2 * b);
    const struct L(elements) w = { { PAIRS(WIDE, two) } };
    return (struct L(parts)){ (__typeof__(((struct L(parts) *)NULL)->of))w.of };
#endif
}

/* The products of the real and of the imaginary parts of val with w. */
PSB_INLINE void L(parts_multiply)(const T *val, struct L(parts) w, struct L(parts) *r, struct L(parts) *i)
{
    const struct L(parts) v = L(parts_of)(val);
    r->of = ARRANGE(v.of, EVERY_REAL) * w.of;
    i->of = ARRANGE(v.of, EVERY_IMAGINARY) * w.of;
}

PSB_INLINE struct L(parts) L(parts_masked)(struct L(parts) p, struct L(integers) mask)
{
    mask.of &= (__typeof__(mask.of))p.of;
    return (struct L(parts)){ (__typeof__(p.of))mask.of };
}

/* The lanes of vector g of s; where `mask`, unless it is NULL, is 0 nothing is added. */
PSB_INLINE void L(vector_add)(struct L(lanes) *s, int g, const T *val, const psb_ipk *idx, const T *x,
                              const struct L(integers) *mask)
{
    struct L(parts) r, i;
    L(parts_multiply)(val + g * WIDE, L(parts_at)(idx + g * WIDE, x), &r, &i);
    s->by_real[g].of += mask ? L(parts_masked)(r, *mask).of : r.of;
    s->by_imaginary[g].of += mask ? L(parts_masked)(i, *mask).of : i.of;
}

PSB_INLINE void L(lanes_add)(struct L(lanes) *s, const T *val, const psb_ipk *idx, const T *x)
{
#pragma GCC unroll 8
    for (int g = 0; g < VECTORS; g++)
        L(vector_add)(s, g, val, idx, x, NULL);
}

PSB_INLINE void L(lanes_add_longer)(struct L(lanes) *s, const struct L(lengths) *len, psb_ipk k, const T *val,
                                    const psb_ipk *idx, const T *x)
{
#pragma GCC unroll 8
    for (int g = 0; g < VECTORS; g++) {
        const struct L(integers) longer = { len->of[g].of > (LENGTH)k };
        L(vector_add)(s, g, val, idx, x, &longer);
    }
}

PSB_INLINE void L(lanes_add_first)(struct L(lanes) *s, psb_ipk n, const T *val, const psb_ipk *idx,
                                   const T *x)
{
    static const struct L(some_lengths) lane = { { EACH_TWICE } };
#pragma GCC unroll 8
    for (int g = 0; g < VECTORS; g++) {
        const struct L(integers) within = { lane.of < (LENGTH)(n - g * WIDE) };
        L(vector_add)(s, g, val, idx, x, &within);
    }
}

PSB_INLINE void L(lanes_join)(struct L(lanes) *s, const struct L(lanes) *other)
{
#pragma GCC unroll 8
    for (int g = 0; g < VECTORS; g++) {
        s->by_real[g].of += other->by_real[g].of;
        s->by_imaginary[g].of += other->by_imaginary[g].of;
    }
}

/* The complex numbers whose real and imaginary parts, times x, are r and i. */
PSB_INLINE struct L(parts) L(parts_joined)(struct L(parts) r, struct L(parts) i, int conjugate)
{
    i.of = ARRANGE(i.of, EXCHANGED);
#pragma GCC unroll 8
    for (int b = 0; b < 2 * WIDE; b += 2) {
        i.of[b] = conjugate ? i.of[b] : -i.of[b];
        i.of[b + 1] = conjugate ? -i.of[b + 1] : i.of[b + 1];
    }
    return (struct L(parts)){ r.of + i.of };
}

PSB_INLINE void L(lanes_of)(const struct L(lanes) *s, int conjugate, T *sum)
{
#pragma GCC unroll 8
    for (int g = 0; g < VECTORS; g++) {
        const struct L(parts) p = L(parts_joined)(s->by_real[g], s->by_imaginary[g], conjugate);
        memcpy(sum + g * WIDE, &p, sizeof p);
    }
}

PSB_INLINE T L(lanes_total)(const struct L(lanes) *s, int conjugate)
{
    T sum[LANES];
    L(lanes_of)(s, conjugate, sum);
    const T even = sum[0] + sum[LANES / 2];
    return LANES == 2 ? even : even + (sum[1] + sum[LANES - 1]);
}

PSB_INLINE void L(lanes_store)(const struct L(lanes) *s, T alpha, T beta, T *y)
{
    T sum[LANES];
    L(lanes_of)(s, 0, sum);
    for (int b = 0; b < LANES; b++)
        y[b] = beta == 0 ? alpha * sum[b] : alpha * sum[b] + beta * y[b];
}

PSB_INLINE void L(lanes_add_along)(T *sum, const T *val, const T *x, int not_zero)
{
#pragma GCC unroll 8
    for (int g = 0; g < VECTORS; g++, sum += WIDE, val += WIDE, x += WIDE) {
        const struct L(parts) v = L(parts_of)(val);
        struct L(parts) s = L(parts_of)(sum), r, i;
        struct L(integers) entry = { v.of != 0 };
        L(parts_multiply)(val, L(parts_of)(x), &r, &i);
        r = L(parts_joined)(r, i, 0);
        entry.of |= ARRANGE(entry.of, EXCHANGED);
        s.of += not_zero ? L(parts_masked)(r, entry).of : r.of;
        memcpy(sum, &s, sizeof s);
    }
}

/* One at a time, which is faster than vectors whose elements must be taken apart. */
PSB_INLINE void L(lanes_put)(const T *val, const psb_ipk *idx, int conjugate, const T *x, T *y)
{
    for (int b = 0; b < LANES; b++)
        y[idx[b]] += (conjugate ? CONJ(val[b]) : val[b]) * x[b];
}

PSB_INLINE void L(lengths_load)(struct L(lengths) *len, const psb_ipk *from)
{
#pragma GCC unroll 8
    for (int g = 0; g < VECTORS; g++) {
        struct {
            psb_ipk of __attribute__((vector_size(2 * WIDE * sizeof(psb_ipk))));
        } n = { { 0 } };
        memcpy(&n, from + g * WIDE, WIDE * sizeof *from);
        len->of[g].of = __builtin_convertvector(n.of, __typeof__(len->of[g].of));
        len->of[g].of = ARRANGE(len->of[g].of, EACH_TWICE);
    }
}

#undef ONE
#undef EVERY_REAL
#undef EVERY_IMAGINARY
#undef EXCHANGED
#undef EACH_TWICE
#undef ARRANGE
#undef INTEGER
#undef ELEMENT
