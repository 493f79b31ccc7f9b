/* add_rows.cuh -- cuda/kernels: epilogues of products that are added to listed rows of y. */
#ifndef PSB_ADD_ROWS_CUH
#define PSB_ADD_ROWS_CUH
#include "epilogue.cuh"

/* Row i is added to row at[i] of y. */
template <class T>
struct add_to_rows : no_epilogue<T> {
    using sums = typename no_epilogue<T>::sums;
    const psb_ipk *at;
    add_to_rows(const psb_ipk *rows) : at(rows)
    {
    }
    __device__ __forceinline__ void add_to(T alpha, T sum, T *y, psb_ipk r, sums &) const
    {
        y[r] = add(y[r], mul(alpha, sum));
    }
    __device__ __forceinline__ void row(T alpha, T sum, T, T *y, psb_epk i, sums &s) const
    {
        add_to(alpha, sum, y, at[i], s);
    }
};

/* The same with dot products of the listed rows, where a factor y stands for what is added to it. */
template <class T, int MOST>
struct add_with_dots : epilogue<T, MOST> {
    using E = epilogue<T, MOST>;
    using sums = typename E::sums;
    const psb_ipk *at;
    add_with_dots(const E &e, const psb_ipk *rows) : E(e), at(rows)
    {
    }
    __device__ __forceinline__ void add_to(T alpha, T sum, T *y, psb_ipk r, sums &s) const
    {
        const T v = mul(alpha, sum);
        y[r] = add(y[r], v);
#pragma unroll
        for (int d = 0; d < MOST; d++)
            if (d < E::ndots) {
                const T l = E::left_is[d] == E::IS_Y ? v : E::left[d][r];
                const T q = E::right_is[d] == E::IS_Y ? v : E::right[d][r];
                s.of[d] = add(s.of[d], summed<T>::of(l, q));
            }
    }
    __device__ __forceinline__ void row(T alpha, T sum, T, T *y, psb_epk i, sums &s) const
    {
        add_to(alpha, sum, y, at[i], s);
    }
};
#endif
