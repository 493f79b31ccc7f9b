/* steps.cuh -- cuda/kernels: steps on the scalars of an iteration, by one thread. */
#ifndef PSB_STEPS_CUH
#define PSB_STEPS_CUH
#include "scalar.cuh"
#define PSB_EVERYWHERE static __host__ __device__ inline
#include "psb_column_steps.h"

/* The quotient, 0 if the column has ended, or ends by it. */
template <class T>
static __device__ T accepted_ratio(psb_column &c, T a, T b, const char *what)
{
    const T q = c.active && !is_zero(b) ? quotient(a, b) : zero<T>();
    return psb_accept_ratio(&c, is_zero(b), modulus(b), modulus(q), what) ? q : zero<T>();
}

/* S: X(vec_step) */
template <class T, class S>
static __device__ void do_step(psb_column &c, const S &s)
{
    T *to = (T *)s.to;
    const T a = *(const T *)s.a, b = s.b ? *(const T *)s.b : zero<T>();
    switch (s.kind) {
    case PSB_STEP_DIVIDE:
        *to = is_zero(b) ? b : quotient(a, b);
        break;
    case PSB_STEP_RATIO:
        *to = accepted_ratio(c, a, b, s.what);
        break;
    case PSB_STEP_POSITIVE:
        psb_demand_positive(&c, real(a), s.what);
        break;
    case PSB_STEP_COPY:
        *to = a;
        break;
    case PSB_STEP_NEGATE:
        *to = negative(a);
        break;
    case PSB_STEP_ROOT:
        *to = from_real<T>((real_of<T>)sqrt((double)real(a)));
        break;
    case PSB_STEP_MULTIPLY:
        *to = mul(a, b);
        break;
    case PSB_STEP_LESS_PRODUCT:
        *to = mad(negative(b), *to, a);
        break;
    case PSB_STEP_KEEP:
        c.alpha = real(a);
        c.beta = real(b);
        break;
    case PSB_STEP_TEST_FIRST:
    case PSB_STEP_TEST:
        psb_test_column(&c, real(a), s.kind == PSB_STEP_TEST_FIRST);
        break;
    }
}

/* By one thread, which has written, or whose kernel has waited for, all scalars; Q: X(vec_steps). */
template <class T, class Q>
static __device__ void do_steps(const Q &q)
{
    psb_column c;
    if (q.n == 0)
        return;
    if (q.column)
        c = *q.column;
    else
        c.active = true;
    for (int i = 0; i < q.n; i++)
        do_step<T>(c, q.step[i]);
    if (q.column)
        *q.column = c;
}
#endif
