/* columns_kernels.t.h -- room: base/mat.  CHUNK sums at once, for as many columns of a row of y, for one
 * level of vector instructions.  Vectors are those of GNU C; complex scalars, which have none, use loops. */
#if CPLX

struct L(columns) {
    T of[CHUNK];
};

/* s += v x; if not_zero is set, nothing is added if v is 0, whatever x is. */
PSB_INLINE void L(columns_add)(struct L(columns) *s, T v, const T *x, int not_zero)
{
    for (int b = 0; b < CHUNK; b++)
        s->of[b] += !not_zero || v != 0 ? v * x[b] : 0;
}

/* y = alpha s + beta y; beta == 0 does not read y. */
PSB_INLINE void L(columns_store)(const struct L(columns) *s, T alpha, T beta, T *y)
{
    for (int b = 0; b < CHUNK; b++)
        y[b] = beta == 0 ? alpha * s->of[b] : alpha * s->of[b] + beta * y[b];
}

#else

/* Elements of a vector: all columns, or as many as a register holds; number of vectors. */
#undef WIDE
#define WIDE  (PSB_VECTOR / BYTES < CHUNK ? PSB_VECTOR / BYTES : CHUNK)
#define PARTS (CHUNK / WIDE)

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

/* Number of rows whose sums fit in the registers. */
#undef ROWS_AT_ONCE
#define ROWS_AT_ONCE (PSB_VECTOR / 8)
