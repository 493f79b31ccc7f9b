/* columns_kernels.t.h -- base/mat: CHUNK sums at once, for as many columns of a row of y, for one
 * level of vector instructions.  Vectors are those of GNU C.
 */

/* clang-format off */
/* columns_add(s, v, x, not_zero)      s += v x; if not_zero is set, nothing is added if v is 0, whatever x is
 * columns_store(s, alpha, beta, y)    y = alpha s + beta y; beta == 0 does not read y */
/* clang-format on */

/* Elements of a vector: all columns, or as many as a register holds; number of vectors; number of rows whose
 * sums fit in the registers. */
#undef WIDE
#undef PARTS
#undef ROWS_AT_ONCE
#define WIDE         (PSB_VECTOR / BYTES < CHUNK ? PSB_VECTOR / BYTES : CHUNK)
#define PARTS        (CHUNK / WIDE)
#define ROWS_AT_ONCE (CPLX ? PSB_VECTOR / 16 : PSB_VECTOR / 8)

#if CPLX

/* Parts of WIDE complex numbers, real and imaginary ones in turn. */
struct L(part) {
    R of __attribute__((vector_size(WIDE * sizeof(T))));
};
/* The sums of the real parts of v, and of the imaginary ones, each times x. */
struct L(columns) {
    struct L(part) by_real[PARTS], by_imaginary[PARTS];
};

PSB_INLINE void L(columns_add)(struct L(columns) *s, T v, const T *x, int not_zero)
{
    const struct L(part) zero = { { 0 } }, re = { RE(v) - zero.of }, im = { IM(v) - zero.of };
#pragma GCC unroll 8
    for (int b = 0; b < PARTS; b++) {
        struct L(part) r, i;
        memcpy(&r, x + b * WIDE, sizeof r);
        i.of = im.of * r.of;
        r.of = re.of * r.of;
        if (not_zero) {
            r.of = (__typeof__(r.of))((__typeof__(r.of != r.of))r.of & ((re.of != 0) | (im.of != 0)));
            i.of = (__typeof__(i.of))((__typeof__(i.of != i.of))i.of & ((re.of != 0) | (im.of != 0)));
        }
        s->by_real[b].of += r.of;
        s->by_imaginary[b].of += i.of;
    }
}

PSB_INLINE void L(columns_store)(const struct L(columns) *s, T alpha, T beta, T *y)
{
    R r[2 * CHUNK], i[2 * CHUNK];
    memcpy(r, s->by_real, sizeof r);
    memcpy(i, s->by_imaginary, sizeof i);
    for (int b = 0; b < CHUNK; b++) {
        const T sum = MAKE(r[2 * b] - i[2 * b + 1], r[2 * b + 1] + i[2 * b]);
        y[b] = beta == 0 ? alpha * sum : alpha * sum + beta * y[b];
    }
}

#else

struct L(part) {
    T of __attribute__((vector_size(WIDE * sizeof(T))));
};
struct L(columns) {
    struct L(part) of[PARTS];
};

PSB_INLINE void L(columns_add)(struct L(columns) *s, T v, const T *x, int not_zero)
{
#pragma GCC unroll 8
    for (int b = 0; b < PARTS; b++) {
        struct L(part) w, all = { { 0 } };
        memcpy(&w, x + b * WIDE, sizeof w);
        all.of = v - all.of;
        w.of *= all.of;
        if (not_zero)
            w.of = (__typeof__(w.of))((__typeof__(w.of != w.of))w.of & (all.of != 0));
        s->of[b].of += w.of;
    }
}

PSB_INLINE void L(columns_store)(const struct L(columns) *s, T alpha, T beta, T *y)
{
#pragma GCC unroll 8
    for (int b = 0; b < PARTS; b++, y += WIDE) {
        struct L(part) sum = { alpha * s->of[b].of }, old;
        if (beta != 0) {
            memcpy(&old, y, sizeof old);
            sum.of += beta * old.of;
        }
        memcpy(y, &sum, sizeof sum);
    }
}
#endif
