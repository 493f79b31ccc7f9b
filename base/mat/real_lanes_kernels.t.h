/* real_lanes_kernels.t.h -- base/mat: LANES real sums at once, for lanes_kernels.t.h, which describes
 * the functions. */
struct L(lanes) {
    T of __attribute__((vector_size(LANES * sizeof(T))));
};
struct L(lengths) {
    LENGTH of __attribute__((vector_size(LANES * sizeof(T))));
};
struct L(mask) {
    __typeof__(((struct L(lanes) *)NULL)->of < ((struct L(lanes) *)NULL)->of) of;
};

#define PAIR(two) x[psb_first_of(two)], x[psb_second_of(two)]
#if LANES == 2
#define FROM_END 0, -1
#elif LANES == 4
#define FROM_END 0, -1, -2, -3
#else
#define FROM_END 0, -1, -2, -3, -4, -5, -6, -7
#endif

PSB_INLINE void L(lanes_multiply)(struct L(lanes) *v, const T *val, const psb_ipk *idx, const T *x)
{
    uint64_t two[LANES / 2];
#pragma GCC unroll 4
    for (int b = 0; b < LANES / 2; b++)
        two[b] = psb_two_indices(idx + 2 * b);
    const struct L(lanes) w = { { PAIRS(LANES, two) } };
    memcpy(v, val, sizeof *v);
    v->of *= w.of;
}

PSB_INLINE void L(lanes_add)(struct L(lanes) *s, const T *val, const psb_ipk *idx, const T *x)
{
    struct L(lanes) v;
    L(lanes_multiply)(&v, val, idx, x);
    s->of += v.of;
}

PSB_INLINE void L(lanes_add_longer)(struct L(lanes) *s, const struct L(lengths) *len, psb_ipk k, const T *val,
                                    const psb_ipk *idx, const T *x)
{
    struct L(lanes) v;
    struct L(mask) m = { len->of > (LENGTH)k };
    L(lanes_multiply)(&v, val, idx, x);
    m.of &= (__typeof__(m.of))v.of;
    s->of += (__typeof__(v.of))m.of;
}

PSB_INLINE void L(lanes_add_first)(struct L(lanes) *s, psb_ipk n, const T *val, const psb_ipk *idx,
                                   const T *x)
{
    static const struct L(lengths) lane = { { FROM_END } };
    L(lanes_add_longer)(s, &lane, -n, val, idx, x);
}

PSB_INLINE void L(lanes_add_along)(T *sum, const T *val, const T *x, int not_zero)
{
    struct L(lanes) s, v, w;
    struct L(mask) m;
    memcpy(&s, sum, sizeof s);
    memcpy(&v, val, sizeof v);
    memcpy(&w, x, sizeof w);
    w.of *= v.of;
    m.of = (__typeof__(m.of))w.of & (v.of != 0);
    s.of += not_zero ? (__typeof__(w.of))m.of : w.of;
    memcpy(sum, &s, sizeof s);
}

PSB_INLINE void L(lengths_load)(struct L(lengths) *len, const psb_ipk *from)
{
    psb_ipk __attribute__((vector_size(LANES * sizeof *from))) n;
    memcpy(&n, from, sizeof n);
    len->of = __builtin_convertvector(n, __typeof__(len->of));
}

/* Are the indices consecutive?  If not, the last one usually shows it. */
PSB_INLINE int L(in_a_row)(const psb_ipk *idx)
{
    psb_ipk other = idx[LANES - 1] - idx[0] - (LANES - 1);
    for (int b = 1; !other && b < LANES - 1; b++)
        other = idx[b] - idx[0] - b;
    return !other;
}

PSB_INLINE void L(lanes_put)(const T *val, const psb_ipk *idx, int conjugate, const T *x, T *y)
{
    struct L(lanes) v, w;
    (void)conjugate;
    memcpy(&v, val, sizeof v);
    memcpy(&w, x, sizeof w);
    v.of *= w.of;
    if (L(in_a_row)(idx)) {
        memcpy(&w, y + idx[0], sizeof w);
        w.of += v.of;
        memcpy(y + idx[0], &w, sizeof w);
        return;
    }
#pragma GCC unroll 4
    for (int b = 0; b < LANES; b += 2) {
        const uint64_t two = psb_two_indices(idx + b);
        y[psb_first_of(two)] += v.of[b];
        y[psb_second_of(two)] += v.of[b + 1];
    }
}

PSB_INLINE void L(lanes_join)(struct L(lanes) *s, const struct L(lanes) *other)
{
    s->of += other->of;
}

PSB_INLINE T L(lanes_total)(const struct L(lanes) *s, int conjugate)
{
    const T even = s->of[0] + s->of[LANES / 2];
    (void)conjugate;
    return LANES == 2 ? even : even + (s->of[1] + s->of[LANES - 1]);
}

PSB_INLINE void L(lanes_store)(const struct L(lanes) *s, T alpha, T beta, T *y)
{
    struct L(lanes) sum = { alpha * s->of }, old;
    if (beta != 0) {
        memcpy(&old, y, sizeof old);
        sum.of += beta * old.of;
    }
    memcpy(y, &sum, sizeof sum);
}
#undef FROM_END
