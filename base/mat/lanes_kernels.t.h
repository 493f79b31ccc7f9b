/* lanes_kernels.t.h -- room: base/mat.  LANES sums at once, for one level of vector instructions: 2, 4 or 8,
 * at most the number of real scalars in a vector.  The including file may define LANES; psb_each_simd.h
 * undefines it.
 *
 * Elements of x are loaded one by one, which on current processors is at least as fast as their gather
 * instructions.  If not all lanes take part, all products are computed and the superfluous ones masked, since
 * a branch on the lengths of rows would be mispredicted.  Vectors are those of GNU C; complex scalars, which
 * have none, use loops, which the compiler vectorizes if it can. */
#if !defined(LANES) && (CPLX || PSB_VECTOR / BYTES > 8)
#define LANES 8
#elif !defined(LANES)
#define LANES (PSB_VECTOR / BYTES)
#endif

#if CPLX

struct L(lanes) {
    T of[LANES];
};

struct L(lengths) {
    psb_ipk of[LANES];
};

PSB_INLINE void L(lengths_load)(struct L(lengths) *len, const psb_ipk *from)
{
    for (int b = 0; b < LANES; b++)
        len->of[b] = from[b];
}

/* s += val[b] x[idx[b]] in every lane b. */
PSB_INLINE void L(lanes_add)(struct L(lanes) *s, const T *val, const psb_ipk *idx, int conjugate, const T *x)
{
    for (int b = 0; b < LANES; b++)
        s->of[b] += (conjugate ? CONJ(val[b]) : val[b]) * x[idx[b]];
}

/* The same in lanes b < n only; all LANES elements of val and idx are readable, and all idx valid for x. */
PSB_INLINE void L(lanes_add_first)(struct L(lanes) *s, psb_ipk n, const T *val, const psb_ipk *idx,
                                   int conjugate, const T *x)
{
    for (int b = 0; b < n; b++)
        s->of[b] += (conjugate ? CONJ(val[b]) : val[b]) * x[idx[b]];
}

/* The same in lanes b with len[b] > k. */
PSB_INLINE void L(lanes_add_longer)(struct L(lanes) *s, const struct L(lengths) *len, psb_ipk k, const T *val,
                                    const psb_ipk *idx, const T *x)
{
    for (int b = 0; b < LANES; b++)
        s->of[b] += len->of[b] > k ? val[b] * x[idx[b]] : 0;
}

/* y[idx[b]] += val[b] x[b] in every lane b. */
PSB_INLINE void L(lanes_put)(const T *val, const psb_ipk *idx, int conjugate, const T *x, T *y)
{
    for (int b = 0; b < LANES; b++)
        y[idx[b]] += (conjugate ? CONJ(val[b]) : val[b]) * x[b];
}

/* p, or 0 if v is 0, without a branch, which would be mispredicted. */
PSB_INLINE T L(if_not_zero)(T v, T p)
{
    struct pair {
        R __attribute__((vector_size(2 * sizeof(R)))) of;
    };
    const R size = (R)(fabs(RE(v)) + fabs(IM(v)));
    const struct pair sizes = { { size, size } };
    struct pair parts = { { RE(p), IM(p) } };
    parts.of = (__typeof__(parts.of))((sizes.of != 0) & (__typeof__(sizes.of != 0))parts.of);
    return MAKE(parts.of[0], parts.of[1]);
}

/* sum[b] += val[b] x[b] in every lane b, or, if not_zero is set, in those where val[b] is not 0. */
PSB_INLINE void L(lanes_add_along)(T *sum, const T *val, const T *x, int not_zero)
{
    for (int b = 0; b < LANES; b++)
        sum[b] += not_zero ? L(if_not_zero)(val[b], val[b] * x[b]) : val[b] * x[b];
}

/* y[b] = alpha s + beta y[b]; beta == 0 does not read y. */
PSB_INLINE void L(lanes_store)(const struct L(lanes) *s, T alpha, T beta, T *y)
{
    for (int b = 0; b < LANES; b++)
        y[b] = beta == 0 ? alpha * s->of[b] : alpha * s->of[b] + beta * y[b];
}

#else

struct L(lanes) {
    T of __attribute__((vector_size(LANES * sizeof(T))));
};
struct L(lengths) {
    __typeof__(((struct L(lanes) *)NULL)->of < ((struct L(lanes) *)NULL)->of) of;
};

/* The elements of x whose indices are the pairs p, as an initializer: vectors filled one element at a time
 * would go through memory. */
#define PAIR(x, two) x[psb_first_of(two)], x[psb_second_of(two)]
#if LANES == 2
#define PAIRS(x, p) PAIR(x, p[0])
#define FROM_END    0, -1
#elif LANES == 4
#define PAIRS(x, p) PAIR(x, p[0]), PAIR(x, p[1])
#define FROM_END    0, -1, -2, -3
#else
#define PAIRS(x, p) PAIR(x, p[0]), PAIR(x, p[1]), PAIR(x, p[2]), PAIR(x, p[3])
#define FROM_END    0, -1, -2, -3, -4, -5, -6, -7
#endif

PSB_INLINE void L(lanes_multiply)(struct L(lanes) *v, const T *val, const psb_ipk *idx, const T *x)
{
    uint64_t two[LANES / 2];
#pragma GCC unroll 4
    for (int b = 0; b < LANES / 2; b++)
        two[b] = psb_two_indices(idx + 2 * b);
    const struct L(lanes) w = { { PAIRS(x, two) } };
    memcpy(v, val, sizeof *v);
    v->of *= w.of;
}

PSB_INLINE void L(lanes_add)(struct L(lanes) *s, const T *val, const psb_ipk *idx, int conjugate, const T *x)
{
    struct L(lanes) v;
    (void)conjugate;
    L(lanes_multiply)(&v, val, idx, x);
    s->of += v.of;
}

PSB_INLINE void L(lanes_add_longer)(struct L(lanes) *s, const struct L(lengths) *len, psb_ipk k, const T *val,
                                    const psb_ipk *idx, const T *x)
{
    struct L(lanes) v;
    struct L(lengths) m = { len->of > k };
    L(lanes_multiply)(&v, val, idx, x);
    m.of &= (__typeof__(m.of))v.of;
    s->of += (__typeof__(v.of))m.of;
}

PSB_INLINE void L(lanes_add_first)(struct L(lanes) *s, psb_ipk n, const T *val, const psb_ipk *idx,
                                   int conjugate, const T *x)
{
    static const struct L(lengths) lane = { { FROM_END } };
    (void)conjugate;
    L(lanes_add_longer)(s, &lane, -n, val, idx, x);
}

PSB_INLINE void L(lanes_add_along)(T *sum, const T *val, const T *x, int not_zero)
{
    struct L(lanes) s, v, w;
    struct L(lengths) m;
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

PSB_INLINE void L(lanes_store)(const struct L(lanes) *s, T alpha, T beta, T *y)
{
    struct L(lanes) sum = { alpha * s->of }, old;
    if (beta != 0) {
        memcpy(&old, y, sizeof old);
        sum.of += beta * old.of;
    }
    memcpy(y, &sum, sizeof sum);
}

#undef PAIR
#undef PAIRS
#undef FROM_END
#endif

/* Set y of row i from its sum. */
PSB_INLINE void L(put)(const struct X(product) *q, psb_ipk i, T sum)
{
    q->y[i] = q->beta == 0 ? q->alpha * sum : q->alpha * sum + q->beta * q->y[i];
}
