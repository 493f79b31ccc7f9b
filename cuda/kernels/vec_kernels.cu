/* vec_kernels.cu -- cuda/kernels: vector operations: one loop for all element-wise operations, and one
 * for all reductions over the rows, in two stages of fixed order; both load a batch before they use it. */
#include "band.cuh"
#include "epilogue.cuh"
#include "grid.cuh"
#include "rows.cuh"
#include "strided.cuh"
#include "totals.cuh"
#include "psb_random.h"

static_assert(VEC_COLUMNS <= THREADS, "a block has at least one thread for each column");

/* v[u] = from[at + u * step] if u * by < left and from is not NULL; else 0. */
template <int U, class T>
static __device__ __forceinline__ void load(T (&v)[U], const T *from, psb_epk at, psb_epk step, int by,
                                            int left)
{
#pragma unroll
    for (int u = 0; u < U; u++)
        v[u] = from && u * by < left ? from[at + u * step] : zero<T>();
}

static __device__ int at_most(psb_epk n, int most)
{
    return (int)(n < most ? n : most);
}

/* --- element-wise ------------------------------------------------------------------------------------- */

namespace
{
template <class T>
struct arrays { /* x, y, w are read unless NULL; u, z are written; any may be equal */
    const T *x, *y, *w;
    T *u, *z;
};

template <class T>
struct factors {
    T a, b, c, d;
};

template <class T>
struct fill {
    static __device__ void to(const factors<T> &f, T, T, T, T &, T &z)
    {
        z = f.a;
    }
};

template <class T>
struct axpbyz {
    static __device__ void to(const factors<T> &f, T x, T y, T, T &, T &z)
    {
        z = combined(f.a, x, f.b, y);
    }
};

template <class T>
struct upd_xyz {
    static __device__ void to(const factors<T> &f, T x, T y, T w, T &u, T &z)
    {
        u = combined(f.a, x, f.b, y);
        z = combined(f.c, u, f.d, w);
    }
};

template <class T>
struct product {
    static __device__ void to(const factors<T> &, T x, T y, T, T &, T &z)
    {
        z = mul(x, y);
    }
};

template <class T>
struct mlt {
    static __device__ void to(const factors<T> &f, T x, T y, T w, T &, T &z)
    {
        z = mad(f.b, w, mul(mul(f.a, x), y));
    }
};

template <class T>
struct division {
    static __device__ void to(const factors<T> &, T x, T y, T, T &, T &z)
    {
        z = quotient(x, y);
    }
};

template <class T>
struct inverse {
    static __device__ void to(const factors<T> &, T x, T, T, T &, T &z)
    {
        z = quotient(from_real<T>(1), x);
    }
};

template <class T>
struct absolute {
    static __device__ void to(const factors<T> &, T x, T, T, T &, T &z)
    {
        z = from_real<T>((real_of<T>)modulus(x));
    }
};

template <class T>
struct comparison {
    static __device__ void to(const factors<T> &f, T x, T, T, T &, T &z)
    {
        z = from_real<T>(modulus(x) >= (double)real(f.a));
    }
};

template <class T>
struct addconst {
    static __device__ void to(const factors<T> &f, T x, T, T, T &, T &z)
    {
        z = add(x, f.a);
    }
};

template <class T>
struct mask {
    static __device__ void to(const factors<T> &, T x, T y, T, T &, T &z)
    {
        real_of<T> c = real(x), v = real(y);
        bool strict = fabs((double)c) >= 1.5;
        bool kept = strict ? (c > 0 ? v > 0 : v < 0) : (c > 0 ? v >= 0 : v <= 0);
        z = from_real<T>(c != 0 && !kept);
    }
};
} // namespace

/* TWO: u is written too. */
template <template <class> class F, bool TWO, class T>
static __global__ void __launch_bounds__(THREADS) each_element(psb_epk n, factors<T> f, arrays<T> a)
{
    constexpr int U = VEC_BYTES / sizeof(T), TILE = THREADS * U;
    start_in_order();
    for (psb_epk base = (psb_epk)blockIdx.x * TILE; base < n; base += (psb_epk)gridDim.x * TILE) {
        psb_epk at = base + threadIdx.x;
        int left = at_most(n - at, TILE);
        T x[U], y[U], w[U];
        load(x, a.x, at, THREADS, THREADS, left);
        load(y, a.y, at, THREADS, THREADS, left);
        load(w, a.w, at, THREADS, THREADS, left);
#pragma unroll
        for (int i = 0; i < U; i++)
            if (i * THREADS < left) {
                T u = zero<T>(), z;
                F<T>::to(f, x[i], y[i], w[i], u, z);
                if constexpr (TWO)
                    a.u[at + i * THREADS] = u;
                a.z[at + i * THREADS] = z;
            }
    }
}

template <template <class> class F, bool TWO = false, class T>
static psb_err run_each(const char *what, psb_epk n, const factors<T> &f, const arrays<T> &a)
{
    constexpr int tile = THREADS * VEC_BYTES / sizeof(T);
    const int code = n > 0
                         ? launch_early(each_element<F, TWO, T>, blocks(n, tile), THREADS, stream(), n, f, a)
                         : 0;
    return psb_cudart_ok(code, what);
}

/* x, or NULL (not read) if its factor is 0. */
template <class T>
static const dev<T> *unless_zero(T factor, const T *x)
{
    return factor == T() ? nullptr : on_gpu(x);
}

namespace entry
{
template <class T>
static psb_err fill(psb_epk n, T a, T *x)
{
    return run_each<::fill, false, dev<T>>("fill", n, { on_gpu(a) }, { .z = on_gpu(x) });
}

template <class T>
static psb_err axpbyz(psb_epk n, T alpha, const T *x, T beta, const T *y, T *z)
{
    if (alpha == T() && beta == T(1) && y == z)
        return PSB_OK;
    return run_each<::axpbyz, false, dev<T>>(
        "axpby", n, { on_gpu(alpha), on_gpu(beta) },
        { .x = unless_zero(alpha, x), .y = unless_zero(beta, y), .z = on_gpu(z) });
}

template <class T>
static psb_err axpby(psb_epk n, T alpha, const T *x, T beta, T *y)
{
    return axpbyz(n, alpha, x, beta, (const T *)y, y);
}

template <class T>
static psb_err upd_xyz(psb_epk n, T alpha, T beta, T gamma, T delta, const T *x, T *y, T *z)
{
    return run_each<::upd_xyz, true, dev<T>>("upd_xyz", n,
                                             { on_gpu(alpha), on_gpu(beta), on_gpu(gamma), on_gpu(delta) },
                                             { unless_zero<T>(alpha, x), unless_zero<T>(beta, y),
                                               unless_zero<T>(delta, z), on_gpu(y), on_gpu(z) });
}

template <class T>
static psb_err mlt(psb_epk n, T alpha, const T *x, const T *y, T beta, T *z)
{
    const factors<dev<T>> f = { on_gpu(alpha), on_gpu(beta) };
    const arrays<dev<T>> a = { unless_zero(alpha, x), unless_zero(alpha, y), unless_zero<T>(beta, z), nullptr,
                               on_gpu(z) };
    return alpha == T(1) && beta == T() ? run_each<product>("mlt", n, f, a) : run_each<::mlt>("mlt", n, f, a);
}

template <class T>
static psb_err div(psb_epk n, const T *x, const T *y, T *z)
{
    return run_each<division, false, dev<T>>("div", n, {},
                                             { .x = on_gpu(x), .y = on_gpu(y), .z = on_gpu(z) });
}

template <class T>
static psb_err inv(psb_epk n, const T *x, T *y)
{
    return run_each<inverse, false, dev<T>>("inv", n, {}, { .x = on_gpu(x), .z = on_gpu(y) });
}

template <class T>
static psb_err abs(psb_epk n, const T *x, T *y)
{
    return run_each<absolute, false, dev<T>>("abs", n, {}, { .x = on_gpu(x), .z = on_gpu(y) });
}

template <class T>
static psb_err cmp(psb_epk n, real_of<dev<T>> c, const T *x, T *z)
{
    return run_each<comparison, false, dev<T>>("cmp", n, { on_gpu(T(c)) },
                                               { .x = on_gpu(x), .z = on_gpu(z) });
}

template <class T>
static psb_err addconst(psb_epk n, T b, const T *x, T *z)
{
    return run_each<::addconst, false, dev<T>>("addconst", n, { on_gpu(b) },
                                               { .x = on_gpu(x), .z = on_gpu(z) });
}

template <class T>
static psb_err mask(psb_epk n, const T *c, const T *x, T *m)
{
    return run_each<::mask, false, dev<T>>("mask", n, {}, { .x = on_gpu(c), .y = on_gpu(x), .z = on_gpu(m) });
}
} // namespace entry

/* --- factors in memory ---------------------------------------------------------------------------------- */

/* value times the scalar at `by`, unless it is NULL. */
template <class T>
static __device__ __forceinline__ T scaled(T value, const T *by)
{
    return by ? mul(value, *by) : value;
}

/* a x + b y; a vector with factor 0 is not used */
template <class T>
static __device__ __forceinline__ T sum_of_two(T a, T x, T b, T y)
{
    return combined(a, x, b, is_zero(b) ? b : y);
}

namespace
{
/* z = alpha x + beta y.  In the second of two sums, x and y may be vectors of the first one: its z, x or y.
 */
enum operand { ELSEWHERE, FIRST_Z, FIRST_X, FIRST_Y };
template <class T>
struct one_sum {
    T alpha, beta;
    const T *alpha_by, *beta_by, *x, *y;
    T *z; /* NULL: there is no such sum */
    operand x_is, y_is;
};

template <class T>
struct two_sums {
    one_sum<T> first, second;
};
} // namespace

/* V: X(vec_axpby) */
template <class T, class V>
static one_sum<T> sum_given(const V &t)
{
    return { on_gpu(t.alpha.value),
             on_gpu(t.beta.value),
             on_gpu(t.alpha.by),
             on_gpu(t.beta.by),
             unless_zero(t.alpha.value, t.x),
             unless_zero(t.beta.value, t.y),
             on_gpu(t.z),
             ELSEWHERE,
             ELSEWHERE };
}

template <class T>
static operand operand_of(const one_sum<T> &first, const T *v)
{
    return !v             ? ELSEWHERE
           : v == first.z ? FIRST_Z
           : v == first.x ? FIRST_X
           : v == first.y ? FIRST_Y
                          : ELSEWHERE;
}

template <class T>
static __device__ __forceinline__ T pick(operand is, T v, T z, T x, T y)
{
    return is == FIRST_Z ? z : is == FIRST_X ? x : is == FIRST_Y ? y : v;
}

template <class T>
static __global__ void __launch_bounds__(THREADS) each_sum(psb_epk n, const __grid_constant__ two_sums<T> t)
{
    constexpr int U = VEC_BYTES / sizeof(T), TILE = THREADS * U;
    const one_sum<T> &f = t.first, &s = t.second;
    let_next_start();
    await_previous();
    for (psb_epk base = (psb_epk)blockIdx.x * TILE; base < n; base += (psb_epk)gridDim.x * TILE) {
        const psb_epk at = base + threadIdx.x;
        const int left = at_most(n - at, TILE);
        T x[U], y[U], v[U], w[U];
        load(x, f.x, at, THREADS, THREADS, left);
        load(y, f.y, at, THREADS, THREADS, left);
        load(v, s.x_is == ELSEWHERE ? s.x : nullptr, at, THREADS, THREADS, left);
        load(w, s.y_is == ELSEWHERE ? s.y : nullptr, at, THREADS, THREADS, left);
        const T a = scaled(f.alpha, f.alpha_by), b = scaled(f.beta, f.beta_by);
        const T c = scaled(s.alpha, s.alpha_by), d = scaled(s.beta, s.beta_by);
#pragma unroll
        for (int i = 0; i < U; i++)
            if (i * THREADS < left) {
                const T z = sum_of_two(a, x[i], b, y[i]);
                f.z[at + i * THREADS] = z;
                if (s.z)
                    s.z[at + i * THREADS] = sum_of_two(c, pick(s.x_is, v[i], z, x[i], y[i]), d,
                                                       pick(s.y_is, w[i], z, x[i], y[i]));
            }
    }
}

namespace entry
{
template <class T, class V>
static psb_err axpbys(psb_epk n, int m, const V *sum)
{
    using D = dev<T>;
    two_sums<D> t = {};
    t.first = sum_given<D>(sum[0]);
    if (m > 1) {
        t.second = sum_given<D>(sum[1]);
        t.second.x_is = operand_of(t.first, t.second.x);
        t.second.y_is = operand_of(t.first, t.second.y);
    }
    const int tile = THREADS * VEC_BYTES / sizeof(T),
              code = n > 0 ? launch_early(each_sum<D>, blocks(n, tile), THREADS, stream(), n, t) : 0;
    return psb_cudart_ok(code, "sums of vectors");
}
} // namespace entry

/* --- columns with factors of their own ------------------------------------------------------------------ */

namespace
{
/* The factors of the columns of one launch. */
template <class T>
struct column_factors {
    T alpha[VEC_FACTORS], beta[VEC_FACTORS];
};
} // namespace

/* m columns of n rows that are k elements apart: y_j = alpha[j] x_j + beta[j] y_j.  A block works on
 * THREADS / m rows at once, each thread in one column. */
template <class T>
static __global__ void __launch_bounds__(THREADS)
    axpby_cols(psb_ipk n, int k, int m, const T *x, T *y, const __grid_constant__ column_factors<T> f)
{
    constexpr int U = VEC_BYTES / sizeof(T);
    const int rows = THREADS / m, c = threadIdx.x % m, r = threadIdx.x / m, step = gridDim.x * rows;
    const T a = f.alpha[c], b = f.beta[c];
    start_in_order();
    const T *x_read = is_zero(a) ? nullptr : x, *y_read = is_zero(b) ? nullptr : y;
    for (psb_epk i = (psb_epk)blockIdx.x * rows + r; i < n && r < rows; i += (psb_epk)U * step) {
        const psb_epk at = i * k + c, apart = (psb_epk)step * k;
        const int left = at_most(n - i, U * step);
        T v[U], w[U];
        load(v, x_read, at, apart, step, left);
        load(w, y_read, at, apart, step, left);
#pragma unroll
        for (int u = 0; u < U; u++)
            if (u * step < left)
                y[at + u * apart] = sum_of_two(a, v[u], b, w[u]);
    }
}

namespace entry
{
template <class T>
static psb_err axpby_cols(psb_ipk n, int k, const T *alpha, const T *x, const T *beta, T *y)
{
    constexpr int U = VEC_BYTES / sizeof(T);
    for (int from = 0; from < k && n > 0; from += VEC_FACTORS) {
        const int m = k - from < VEC_FACTORS ? k - from : VEC_FACTORS;
        column_factors<dev<T>> f = {};
        memcpy(f.alpha, alpha + from, m * sizeof(T));
        if (beta)
            memcpy(f.beta, beta + from, m * sizeof(T));
        launch_early(::axpby_cols<dev<T>>, blocks(n, U * (THREADS / m)), THREADS, stream(), n, k, m,
                     on_gpu(x) + from, on_gpu(y) + from, f);
    }
    return psb_cudart_ok(cudaGetLastError(), "sums of columns");
}
} // namespace entry

/* --- single precision ----------------------------------------------------------------------------------- */

namespace
{
/* The factors of the columns of one launch. */
template <class R>
struct real_factors {
    R of[VEC_FACTORS];
};
} // namespace

/* m columns of n rows that are k elements apart: y_j = factor[j] x_j, computed in W, the wider of the types A
 * and B of x and y.  A block works as in axpby_cols. */
template <class W, class A, class B>
static __global__ void __launch_bounds__(THREADS)
    rounded_cols(psb_ipk n, int k, int m, const A *x, B *y,
                 const __grid_constant__ real_factors<real_of<W>> f)
{
    constexpr int U = VEC_BYTES / sizeof(W);
    const int rows = THREADS / m, c = threadIdx.x % m, r = threadIdx.x / m, step = gridDim.x * rows;
    const real_of<W> factor = f.of[c];
    start_in_order();
    for (psb_epk i = (psb_epk)blockIdx.x * rows + r; i < n && r < rows; i += (psb_epk)U * step) {
        const psb_epk at = i * k + c, apart = (psb_epk)step * k;
        const int left = at_most(n - i, U * step);
        A v[U];
        load(v, x, at, apart, step, left);
#pragma unroll
        for (int u = 0; u < U; u++)
            if (u * step < left)
                y[at + u * apart] = as<B>::from(times(as<W>::from(v[u]), factor));
    }
}

template <class W, class A, class B>
static psb_err run_rounded(psb_ipk n, int k, const real_of<W> *factor, const A *x, B *y)
{
    constexpr int U = VEC_BYTES / sizeof(W);
    for (int from = 0; from < k && n > 0; from += VEC_FACTORS) {
        const int m = k - from < VEC_FACTORS ? k - from : VEC_FACTORS;
        real_factors<real_of<W>> f = {};
        memcpy(f.of, factor + from, m * sizeof *factor);
        launch_early(rounded_cols<W, A, B>, blocks(n, U * (THREADS / m)), THREADS, stream(), n, k, m,
                     x + from, y + from, f);
    }
    return psb_cudart_ok(cudaGetLastError(), "conversion of vectors");
}

namespace entry
{
template <class T, class S>
static psb_err narrow(psb_ipk n, int k, const real_of<dev<T>> *factor, const T *x, S *y)
{
    return run_rounded<dev<T>>(n, k, factor, on_gpu(x), on_gpu(y));
}

template <class T, class S>
static psb_err widen(psb_ipk n, int k, const real_of<dev<T>> *factor, const S *x, T *y)
{
    return run_rounded<dev<T>>(n, k, factor, on_gpu(x), on_gpu(y));
}
} // namespace entry

/* --- random numbers ------------------------------------------------------------------------------------- */

/* The elements of rows of k columns; first: the number of row 0. */
template <class T>
static __global__ void __launch_bounds__(THREADS) random_rows(psb_epk elements, int k, uint64_t first, T *x)
{
    for (psb_epk e = (psb_epk)blockIdx.x * THREADS + threadIdx.x; e < elements;
         e += (psb_epk)gridDim.x * THREADS)
        x[e] = from_real<T>((real_of<T>)psb_random_number(first + e / k));
}

namespace entry
{
template <class T>
static psb_err random(psb_ipk n, int k, psb_lpk from, T *x)
{
    const psb_epk elements = (psb_epk)n * k;
    if (elements > 0)
        random_rows<<<blocks(elements, THREADS), THREADS, 0, stream()>>>(elements, k, (uint64_t)from,
                                                                         on_gpu(x));
    return psb_cudart_ok(cudaGetLastError(), "random numbers");
}
} // namespace entry

/* --- many vectors in one pass --------------------------------------------------------------------------- */

namespace
{
/* m vectors and their factors: parameters of a launch. */
template <class T>
struct many_vectors {
    int m;
    const T *x[PSB_MOST_VECTORS];
    T alpha[PSB_MOST_VECTORS];
};
} // namespace

/* y = beta y + the sum of alpha[i] x[i]; the factors are not 0. */
template <class T>
static __global__ void __launch_bounds__(THREADS)
    add_many(psb_epk n, const __grid_constant__ many_vectors<T> v, T beta, T *y)
{
    constexpr int U = VEC_BYTES / sizeof(T), TILE = THREADS * U;
    start_in_order();
    for (psb_epk base = (psb_epk)blockIdx.x * TILE; base < n; base += (psb_epk)gridDim.x * TILE) {
        const psb_epk at = base + threadIdx.x;
        const int left = at_most(n - at, TILE);
        T sum[U], x[VEC_AHEAD][U];
        load(sum, is_zero(beta) ? nullptr : y, at, THREADS, THREADS, left);
#pragma unroll
        for (int u = 0; u < U; u++)
            sum[u] = mul(beta, sum[u]);
        for (int i = 0; i < v.m; i += VEC_AHEAD) {
#pragma unroll
            for (int b = 0; b < VEC_AHEAD; b++)
                load(x[b], i + b < v.m ? v.x[i + b] : nullptr, at, THREADS, THREADS, left);
#pragma unroll
            for (int b = 0; b < VEC_AHEAD; b++)
#pragma unroll
                for (int u = 0; u < U; u++)
                    if (i + b < v.m)
                        sum[u] = mad(v.alpha[i + b], x[b][u], sum[u]);
        }
#pragma unroll
        for (int u = 0; u < U; u++)
            if (u * THREADS < left)
                y[at + u * THREADS] = sum[u];
    }
}

namespace entry
{
template <class T>
static psb_err maxpby(psb_epk n, int m, const T *alpha, const T *const *x, T beta, T *y)
{
    constexpr int tile = THREADS * VEC_BYTES / sizeof(T);
    many_vectors<dev<T>> v = {};
    for (int i = 0; i < m; i++)
        if (alpha[i] != T()) {
            v.alpha[v.m] = on_gpu(alpha[i]);
            v.x[v.m++] = on_gpu(x[i]);
        }
    if (n == 0 || (v.m == 0 && beta == T(1)))
        return PSB_OK;
    return psb_cudart_ok(
        launch_early(add_many<dev<T>>, blocks(n, tile), THREADS, stream(), n, v, on_gpu(beta), on_gpu(y)),
        "sum of many vectors");
}
} // namespace entry

/* --- a block of columns times a matrix ------------------------------------------------------------------ */

namespace
{
/* w columns of a matrix of k rows, element (i, j) at i w + j: parameters of a launch. */
template <class T>
struct matrix_columns {
    T c[VEC_MATRIX / sizeof(T)];
};
} // namespace

static_assert(VEC_MATRIX / 16 >= PSB_MOST_BLOCK, "a launch takes at least one column of the matrix");

/* w columns of n rows that are k elements apart: y = x c + beta y, where x has k columns.  A block works on
 * THREADS / w rows at once, each thread in one column; it reads c from shared memory, since its lanes need
 * different columns. */
template <class T>
static __global__ void __launch_bounds__(THREADS)
    add_block_product(psb_ipk n, int k, int w, const T *x, T beta, T *y,
                      const __grid_constant__ matrix_columns<T> f)
{
    __shared__ T c[VEC_MATRIX / sizeof(T)];
    const int rows = THREADS / w, row = threadIdx.x / w, j = threadIdx.x % w;
    for (int e = threadIdx.x; e < k * w; e += THREADS)
        c[e] = f.c[e];
    __syncthreads();
    start_in_order();
    for (psb_epk i = (psb_epk)blockIdx.x * rows + row; i < n && row < rows; i += (psb_epk)gridDim.x * rows) {
        const T *from = x + i * k;
        T *to = y + i * k + j;
        T sum = is_zero(beta) ? zero<T>() : mul(beta, *to);
        for (int l = 0; l < k; l++)
            sum = mad(from[l], c[l * w + j], sum);
        *to = sum;
    }
}

namespace entry
{
/* The launches write different columns of y, and x is not y. */
template <class T>
static psb_err block_axpy(psb_ipk n, int k, const T *x, const T *c, T beta, T *y)
{
    const int most = VEC_MATRIX / (int)sizeof(T) / k;
    for (int from = 0, w; from < k && n > 0; from += w) {
        matrix_columns<dev<T>> f = {};
        w = k - from < most ? k - from : most;
        for (int e = 0; e < k * w; e++)
            f.c[e] = on_gpu(c[e / w * k + from + e % w]);
        launch_early(add_block_product<dev<T>>, blocks(n, THREADS / w), THREADS, stream(), n, k, w, on_gpu(x),
                     on_gpu(beta), on_gpu(y) + from, f);
    }
    return psb_cudart_ok(cudaGetLastError(), "product of a block of columns");
}
} // namespace entry

/* --- reductions over rows ----------------------------------------------------------------------------- */

namespace
{
template <class T>
struct columns { /* the first m of each array of n rows, k apart */
    psb_ipk n;
    int k, m;
    const T *x, *y, *z;
};

/* Reductions: the initial value, and how two results are joined.  A NaN on either side gives NaN: comparisons
 * with it are false, so that the sum is returned. */
struct sum {
    template <class S>
    static __device__ S begin()
    {
        return zero<S>();
    }
    template <class S>
    static __device__ S join(S a, S b)
    {
        return add(a, b);
    }
};

struct most {
    template <class S>
    static __device__ S begin()
    {
        return 0;
    }
    static __device__ double join(double a, double b)
    {
        return b > a ? b : b <= a ? a : a + b;
    }
};

struct least {
    template <class S>
    static __device__ S begin()
    {
        return INFINITY;
    }
    static __device__ double join(double a, double b)
    {
        return b < a ? b : b >= a ? a : a + b;
    }
};

/* The value that one row of a column contributes. */
template <class T>
struct dot_of {
    enum { ARRAYS = 2 };
    static __device__ pair<double> value(T x, T y, T)
    {
        return dotted(x, y);
    }
};

template <class T>
struct square_of {
    enum { ARRAYS = 1 };
    static __device__ double value(T x, T, T)
    {
        return dotted(x, x).re;
    }
};

template <class T>
struct weighted_of {
    enum { ARRAYS = 2 };
    static __device__ double value(T x, T y, T)
    {
        double v = modulus(x) * modulus(y);
        return v * v;
    }
};

template <class T>
struct weighted_where {
    enum { ARRAYS = 3 };
    static __device__ double value(T x, T y, T z)
    {
        return is_zero(z) ? 0 : weighted_of<T>::value(x, y, z);
    }
};

template <class T>
struct modulus_of {
    enum { ARRAYS = 1 };
    static __device__ double value(T x, T, T)
    {
        return modulus(x);
    }
};

template <class T>
struct real_part_of {
    enum { ARRAYS = 1 };
    static __device__ double value(T x, T, T)
    {
        return real(x);
    }
};

template <class T>
struct quotient_of {
    enum { ARRAYS = 2 };
    static __device__ double value(T x, T y, T)
    {
        return is_zero(y) ? INFINITY : real(x) / real(y);
    }
};
} // namespace

/* Join the rows of a block by a tree; thread r * m + j holds column j of row r.  Row 0 gets the results. */
template <class J, class S>
static __device__ S over_block(S s, int rows, int m)
{
    __shared__ S all[THREADS];
    int row = threadIdx.x / m;
    all[threadIdx.x] = s;
    for (int half = THREADS / 2; half > 0; half /= 2) {
        __syncthreads();
        if (row < half && row + half < rows)
            all[threadIdx.x] = s = J::join(s, all[threadIdx.x + half * m]);
    }
    return s;
}

/* Elements of each array that a thread loads at once; over all arrays 16 elements, or 128 bytes if T has 8 or
 * more. */
template <class V, class T>
constexpr int ahead = (sizeof(T) < 8 ? 16 : 128 / (int)sizeof(T)) / V::ARRAYS;

/* A batch has U times as many rows as the block has threads for; blocks process batches with a stride of the
 * grid. The results of all blocks for column j are contiguous in `partial`. */
template <class J, class V, class T, class S>
static __global__ void __launch_bounds__(THREADS, 4) over_rows(columns<T> a, S *partial)
{
    constexpr int U = ahead<V, T>;
    const int rows = THREADS / a.m, row = threadIdx.x / a.m, col = threadIdx.x % a.m;
    const psb_epk batch = (psb_epk)rows * U, step = (psb_epk)rows * a.k;
    start_in_order();
    S s = J::template begin<S>();
    for (psb_epk base = blockIdx.x * batch; base < a.n; base += gridDim.x * batch) {
        psb_epk at = (base + row) * a.k + col;
        int left = row < rows ? at_most(a.n - base - row, (int)batch) : 0;
        T x[U], y[U], z[U];
        load(x, a.x, at, step, rows, left);
        load(y, V::ARRAYS > 1 ? a.y : nullptr, at, step, rows, left);
        load(z, V::ARRAYS > 2 ? a.z : nullptr, at, step, rows, left);
#pragma unroll
        for (int u = 0; u < U; u++)
            if (u * rows < left)
                s = J::join(s, V::value(x[u], y[u], z[u]));
    }
    s = over_block<J>(s, rows, a.m);
    if (row == 0)
        partial[(psb_epk)col * gridDim.x + blockIdx.x] = s;
}

/* Join the results of n blocks for column blockIdx.x. */
template <class J, class S>
static __global__ void over_blocks(int n, const S *partial, S *res)
{
    start_in_order();
    S s = J::template begin<S>();
    for (int i = threadIdx.x; i < n; i += THREADS)
        s = J::join(s, partial[(psb_epk)blockIdx.x * n + i]);
    s = over_block<J>(s, THREADS, 1);
    if (threadIdx.x == 0)
        res[blockIdx.x] = s;
}

/* Reduce k columns, VEC_COLUMNS at a time; arrays that the operation does not use are NULL. */
template <class J, template <class> class V, class T>
static psb_err reduce(const char *cause, psb_ipk n, int k, const T *x, const T *y, const T *z, double *res)
{
    using D = dev<T>;
    using S = decltype(V<D>::value(D(), D(), D()));
    const struct psb_cudart_scratch *s = psb_cudart_scratch();
    for (int j = 0, m; j < k; j += m) {
        m = k - j < VEC_COLUMNS ? k - j : VEC_COLUMNS;
        const columns<D> a = { n, k, m, on_gpu(x + j), on_gpu(y ? y + j : y), on_gpu(z ? z + j : z) };
        const int many = blocks(n, THREADS / m * ahead<V<D>, D>, VEC_BLOCKS);
        if (many > 0)
            launch_early(over_rows<J, V<D>, D, S>, many, THREADS, stream(), a, (S *)s->partial);
        launch_early(over_blocks<J, S>, m, THREADS, stream(), many, (const S *)s->partial, (S *)s->sum);
        PSB_TRY(psb_cudart_ok(cudaGetLastError(), cause));
        PSB_TRY(psb_get(psb_cuda_device(), s->host, s->sum, m * sizeof(S), cause));
        memcpy(res, s->host, m * sizeof(S));
        res += m * sizeof(S) / sizeof *res;
    }
    return PSB_OK;
}

static_assert((int)PSB_MOST_VECTORS <= 32 && (int)PSB_MOST_VECTORS <= (int)VEC_COLUMNS,
              "a lane, and space for sums, for each vector");

/* Elements of each vector that a thread loads at once, where products are summed as S. */
template <class S>
constexpr int dots_ahead = 64 / (int)sizeof(S);

/* Dot products of x[i] and y.  A block works on every gridDim.x-th tile of y, with the `each` vectors of its
 * blockIdx.y.  Lane i of a warp keeps the sum of vector i over the warp's share, so that many sums need few
 * registers.  The results of all tiles for vector i are contiguous in `partial`. */
template <class T, class S>
static __global__ void __launch_bounds__(THREADS, 4)
    dots_with_one(psb_epk n, int each, const __grid_constant__ many_vectors<T> v, const T *y, S *partial)
{
    constexpr int U = dots_ahead<S>, TILE = THREADS * U, WARPS = THREADS / 32;
    __shared__ S all[WARPS][PSB_MOST_VECTORS];
    const int lane = threadIdx.x % 32, first = blockIdx.y * each, m = at_most(v.m - first, each);
    S mine = zero<S>();
    start_in_order();
    for (psb_epk base = (psb_epk)blockIdx.x * TILE; base < n; base += (psb_epk)gridDim.x * TILE) {
        const psb_epk at = base + threadIdx.x;
        const int left = at_most(n - at, TILE);
        T of_y[U], x[U];
        load(of_y, y, at, THREADS, THREADS, left);
        for (int i = 0; i < m; i++) {
            const T *from = v.x[first + i];
            S s = zero<S>();
            load(x, from == y ? nullptr : from, at, THREADS, THREADS, left);
#pragma unroll
            for (int u = 0; u < U; u++)
                s = add(s, summed<T>::of(from == y ? of_y[u] : x[u], of_y[u]));
            s = sum_lanes(s, 32);
            if (lane == i)
                mine = add(mine, s);
        }
    }
    if (lane < m)
        all[threadIdx.x / 32][lane] = mine;
    __syncthreads();
    if (threadIdx.x < m) {
        S s = all[0][threadIdx.x];
        for (int w = 1; w < WARPS; w++)
            s = add(s, all[w][threadIdx.x]);
        partial[(psb_epk)(first + threadIdx.x) * gridDim.x + blockIdx.x] = s;
    }
}

/* Entries first .. first + m - 1 of x^H y, by rows, where x and y have n rows of k columns; batches as in
 * over_rows, with an entry instead of a column. */
template <class T, class S>
static __global__ void __launch_bounds__(THREADS, 4)
    gram_entries(psb_ipk n, int k, int first, int m, const T *x, const T *y, S *partial)
{
    constexpr int U = dots_ahead<S>;
    const int rows = THREADS / m, row = threadIdx.x / m, entry = threadIdx.x % m;
    const int i = (first + entry) / k, j = (first + entry) % k;
    const psb_epk batch = (psb_epk)rows * U, step = (psb_epk)rows * k;
    S s = zero<S>();
    start_in_order();
    for (psb_epk base = blockIdx.x * batch; base < n; base += gridDim.x * batch) {
        const psb_epk at = (base + row) * k;
        const int left = row < rows ? at_most(n - base - row, (int)batch) : 0;
        T a[U], b[U];
        load(a, x, at + i, step, rows, left);
        load(b, y, at + j, step, rows, left);
#pragma unroll
        for (int u = 0; u < U; u++)
            if (u * rows < left)
                s = add(s, summed<T>::of(a[u], b[u]));
    }
    s = over_block<sum>(s, rows, m);
    if (row == 0)
        partial[(psb_epk)entry * gridDim.x + blockIdx.x] = s;
}

namespace entry
{
/* VEC_COLUMNS entries at a time: all of 16 columns. */
template <class T>
static psb_err gram(psb_ipk n, int k, const T *x, const T *y, double *sum)
{
    using D = dev<T>;
    using S = typename summed<D>::type;
    static const char cause[] = "scalar: products of columns";
    const struct psb_cudart_scratch *s = psb_cudart_scratch();
    const int parts = sizeof(S) / sizeof *sum;
    for (int first = 0, m; first < k * k; first += m) {
        m = k * k - first < VEC_COLUMNS ? k * k - first : VEC_COLUMNS;
        const int many = blocks(n, THREADS / m * dots_ahead<S>, VEC_BLOCKS);
        if (many > 0)
            launch_early(gram_entries<D, S>, many, THREADS, stream(), n, k, first, m, on_gpu(x), on_gpu(y),
                         (S *)s->partial);
        launch_early(over_blocks<::sum, S>, m, THREADS, stream(), many, (const S *)s->partial, (S *)s->sum);
        PSB_TRY(psb_cudart_ok(cudaGetLastError(), cause));
        PSB_TRY(psb_get(psb_cuda_device(), s->host, s->sum, m * sizeof(S), cause));
        for (int e = 0; e < m; e++) {
            sum[2 * (first + e)] = s->host[e * parts];
            sum[2 * (first + e) + 1] = parts > 1 ? s->host[e * parts + 1] : 0;
        }
    }
    return PSB_OK;
}

/* If there are few tiles the vectors too are divided among blocks; this changes no sum. */
template <class T>
static psb_err dots(psb_ipk n, int m, const T *const *x, const T *y, double *sum)
{
    using D = dev<T>;
    using S = typename summed<D>::type;
    const struct psb_cudart_scratch *s = psb_cudart_scratch();
    const int tiles = blocks(n, THREADS * dots_ahead<S>, VEC_BLOCKS),
              each = tiles > 0 ? (m * tiles + VEC_BLOCKS - 1) / VEC_BLOCKS : m,
              parts = sizeof(S) / sizeof *sum;
    many_vectors<D> v = { m };
    for (int i = 0; i < m; i++)
        v.x[i] = on_gpu(x[i]);
    if (tiles > 0)
        launch_early(dots_with_one<D, S>, dim3(tiles, (m + each - 1) / each), THREADS, stream(), n, each, v,
                     on_gpu(y), (S *)s->partial);
    launch_early(over_blocks<::sum, S>, m, THREADS, stream(), tiles, (const S *)s->partial, (S *)s->sum);
    PSB_TRY(psb_cudart_ok(cudaGetLastError(), "dot products with one vector"));
    PSB_TRY(psb_get(psb_cuda_device(), s->host, s->sum, m * sizeof(S), "scalar: dot products"));
    for (int i = 0; i < m; i++) {
        sum[2 * i] = s->host[i * parts];
        sum[2 * i + 1] = parts > 1 ? s->host[i * parts + 1] : 0;
    }
    return PSB_OK;
}

template <class T>
static psb_err dot(psb_ipk n, int k, const T *x, const T *y, double *sum)
{
    return reduce<::sum, dot_of, T>("scalar: dot", n, k, x, y, nullptr, sum);
}

template <class T>
static psb_err sumsq(psb_ipk n, int k, const T *x, double *sum)
{
    return reduce<::sum, square_of, T>("scalar: nrm2", n, k, x, nullptr, nullptr, sum);
}

template <class T>
static psb_err wsumsq(psb_ipk n, int k, const T *x, const T *w, const T *id, double *sum)
{
    static const char cause[] = "scalar: weighted nrm2";
    return id ? reduce<::sum, weighted_where>(cause, n, k, x, w, id, sum)
              : reduce<::sum, weighted_of>(cause, n, k, x, w, id, sum);
}

template <class T>
static psb_err asum(psb_ipk n, int k, const T *x, double *res)
{
    return reduce<::sum, modulus_of, T>("scalar: asum", n, k, x, nullptr, nullptr, res);
}

template <class T>
static psb_err amax(psb_ipk n, int k, const T *x, double *res)
{
    return reduce<most, modulus_of, T>("scalar: amax", n, k, x, nullptr, nullptr, res);
}

template <class T>
static psb_err min(psb_ipk n, int k, const T *x, double *res)
{
    return reduce<least, real_part_of, T>("scalar: min", n, k, x, nullptr, nullptr, res);
}

template <class T>
static psb_err minquotient(psb_ipk n, int k, const T *x, const T *y, double *res)
{
    return reduce<least, quotient_of, T>("scalar: minquotient", n, k, x, y, nullptr, res);
}
} // namespace entry

/* --- epilogue of a product ----------------------------------------------------------------------------- */

/* f = elements of a factor of a dot product: those of y, z or v if it is one of them, else loaded. */
template <int U, class T>
static __device__ __forceinline__ void load_factor(T (&f)[U], unsigned char is, const T *from, psb_epk at,
                                                   int left, const T (&y)[U], const T (&z)[U],
                                                   const T (&v)[U])
{
    using K = all_dots<T>;
    load(f, is == K::ELSEWHERE ? from : nullptr, at, THREADS, THREADS, left);
#pragma unroll
    for (int u = 0; u < U; u++)
        f[u] = is == K::IS_Y ? y[u] : is == K::IS_Z ? z[u] : is == K::IS_U ? v[u] : f[u];
}

template <class T>
static __global__ void __launch_bounds__(THREADS, 4)
    following(psb_epk n, const T *from, const __grid_constant__ all_dots<T> t)
{
    constexpr int U = VEC_BYTES / sizeof(T), TILE = THREADS * U;
    typename all_dots<T>::sums s = {};
    let_next_start();
    await_previous();
    for (psb_epk base = (psb_epk)blockIdx.x * TILE; base < n; base += (psb_epk)gridDim.x * TILE) {
        const psb_epk at = base + threadIdx.x;
        const int left = at_most(n - at, TILE);
        T y[U], z[U], v[U], l[U], r[U];
        load(y, from, at, THREADS, THREADS, left);
        load(z, is_zero(t.delta) ? nullptr : t.z, at, THREADS, THREADS, left);
        load(v, t.u ? t.d : nullptr, at, THREADS, THREADS, left);
        const T gamma = scaled(t.gamma, t.gamma_by), delta = scaled(t.delta, t.delta_by);
#pragma unroll
        for (int u = 0; u < U; u++)
            if (u * THREADS < left) {
                if (t.z)
                    t.z[at + u * THREADS] = z[u] = sum_of_two(gamma, y[u], delta, z[u]);
                if (t.u)
                    t.u[at + u * THREADS] = v[u] = mul(v[u], t.z ? z[u] : y[u]);
            }
#pragma unroll
        for (int d = 0; d < PSB_MOST_DOTS; d++)
            if (d < t.ndots) {
                load_factor(l, t.left_is[d], t.left[d], at, left, y, z, v);
                load_factor(r, t.right_is[d], t.right[d], at, left, y, z, v);
#pragma unroll
                for (int u = 0; u < U; u++)
                    if (u * THREADS < left)
                        s.of[d] = add(s.of[d], summed<T>::of(l[u], r[u]));
            }
    }
    t.template leave<THREADS>(s, blockIdx.x);
}

namespace entry
{
template <class T, class E>
static psb_err epilogue(psb_ipk n, const T *y, const E *t, double *sum)
{
    using D = dev<T>;
    const epilogue_of_c<E> c = { *t, psb_cudart_scratch()->partial };
    const int many = blocks(n, THREADS * VEC_BYTES / sizeof(T), VEC_BLOCKS);
    const int code = launch_with<PSB_MOST_DOTS>(c, on_gpu(y), many, stream(), [&](const all_dots<D> &e) {
        if (many > 0)
            launch_early(following<D>, many, THREADS, stream(), n, on_gpu(y), e);
    });
    return read_sums(code, "what follows a product", *t, sum);
}
} // namespace entry

/* --- the table ---------------------------------------------------------------------------------------- */

template <class K, class T>
constexpr K vec_ops()
{
    K k = {};
    k.fill = entry::fill;
    k.axpby = entry::axpby;
    k.gth = entry::gth;
    k.scatter_add = entry::scatter_add;
    k.scatter = entry::scatter;
    k.axpbyz = entry::axpbyz;
    k.upd_xyz = entry::upd_xyz;
    k.axpbys = entry::axpbys<T>;
    k.axpby_cols = entry::axpby_cols;
    k.narrow = entry::narrow<T>;
    k.widen = entry::widen<T>;
    k.random = entry::random;
    k.maxpby = entry::maxpby;
    k.block_axpy = entry::block_axpy;
    k.mlt = entry::mlt;
    k.div = entry::div;
    k.inv = entry::inv;
    k.abs = entry::abs;
    k.cmp = entry::cmp<T>;
    k.addconst = entry::addconst;
    k.mask = entry::mask;
    k.join_owners = entry::join_owners<T>;
    k.band = entry::band<T>;
    k.sparse_check = entry::sparse_check;
    k.sparse = entry::sparse<T>;
    k.lay = entry::lay<T>;
    k.spmm = entry::spmm<T>;
    k.spsm = entry::spsm<T>;
    k.sddmm = entry::sddmm<T>;
    k.dot = entry::dot;
    k.dots = entry::dots;
    k.gram = entry::gram;
    k.sumsq = entry::sumsq;
    k.wsumsq = entry::wsumsq;
    k.asum = entry::asum;
    k.amax = entry::amax;
    k.min = entry::min;
    k.minquotient = entry::minquotient;
    k.epilogue = entry::epilogue;
    k.totals = entry::totals<T>;
    k.steps = entry::steps<T>;
    return k;
}
PSB_CUDA_TABLES(vec_ops)
