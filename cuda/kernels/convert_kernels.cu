/* convert_kernels.cu -- cuda/kernels: steps of conversions that move or change values; the others are
 * in convert_pattern.cuh.  Where several threads set bits or count, they use integers, so results are bitwise
 * reproducible. */
#define PSB_EVERYWHERE static __host__ __device__ inline
#include "stencil.h"
#include "rounded.cuh"
#include "convert_pattern.cuh"

/* --- HLL ------------------------------------------------------------------------------------------------ */

/* One thread per rank, including those after the last row, and STEP_COLUMNS columns: a warp writes adjacent
 * elements. */
template <class T>
__global__ void __launch_bounds__(THREADS)
    hll_fill(const __grid_constant__ psb_dev_compressed from, const __grid_constant__ psb_dev_compressed to)
{
    const psb_epk all = to.nhacks * to.rows;
    const T *v = (const T *)from.val;
    T *w = (T *)to.val;
    for (psb_epk r = my_place(); r < all; r += all_places()) {
        const psb_epk h = r / to.rows, at = to.off[h] + r % to.rows,
                      width = (to.off[h + 1] - to.off[h]) / to.rows;
        const psb_epk n = r < to.m ? to.irn[r] : 0, i = r < to.m && to.row ? to.row[r] : r;
        const psb_epk b = n > 0 ? from.off[i] : 0;
        for (psb_epk c = (psb_epk)blockIdx.y * STEP_COLUMNS; c < width;
             c += (psb_epk)gridDim.y * STEP_COLUMNS)
            for (psb_epk k = c; k < width && k < c + STEP_COLUMNS; k++) {
                to.ja[at + k * to.rows] = k < n ? from.ja[b + k] : 0;
                w[at + k * to.rows] = k < n ? v[b + k] : zero<T>();
            }
    }
}

/* --- HYB ------------------------------------------------------------------------------------------------ */

/* LANES lanes per row. */
template <class T>
__global__ void __launch_bounds__(THREADS)
    rest_of_rows(const __grid_constant__ psb_dev_compressed from, const psb_epk *__restrict__ off,
                 const __grid_constant__ psb_new_triplets to)
{
    for (psb_epk i = my_place() / LANES; i < from.m; i += all_places() / LANES) {
        const psb_epk end = off[i + 1], first = from.off[i] + end - off[i];
        for (psb_epk p = first + threadIdx.x % LANES; p < from.off[i + 1]; p += LANES) {
            to.ia[p - end] = (psb_ipk)i;
            to.ja[p - end] = from.ja[p];
            ((T *)to.val)[p - end] = ((const T *)from.val)[p];
        }
    }
}

static __global__ void add_pointers(psb_ipk m, const psb_epk *__restrict__ off, psb_epk *__restrict__ to)
{
    for (psb_epk i = my_place(); i <= m; i += all_places())
        to[i] += off[i];
}

template <class T>
__global__ void __launch_bounds__(THREADS)
    put_rest(const __grid_constant__ psb_dev_triplets t, const psb_epk *__restrict__ off,
             const __grid_constant__ psb_dev_compressed to)
{
    for (psb_epk e = my_place(); e < t.nz; e += all_places()) {
        const psb_epk p = e + off[t.ia[e] + 1];
        to.ja[p] = t.ja[e];
        ((T *)to.val)[p] = ((const T *)t.val)[e];
    }
}

/* --- CSR ------------------------------------------------------------------------------------------------ */

template <class T>
__global__ void __launch_bounds__(THREADS)
    csr_of_hll(const __grid_constant__ psb_dev_compressed from, const __grid_constant__ psb_dev_compressed to)
{
    for (psb_epk i = my_place(); i < to.m; i += all_places()) {
        const line r = line_of(from, i);
        const psb_epk at = to.off[i];
        for (psb_epk k = 0, p = r.at; k < r.n; k++, p += r.step) {
            to.ja[at + k] = from.ja[p];
            ((T *)to.val)[at + k] = ((const T *)from.val)[p];
        }
    }
}

template <class T>
__global__ void __launch_bounds__(THREADS)
    csr_of_hdia(const __grid_constant__ psb_dev_hdia a, const __grid_constant__ psb_dev_compressed to)
{
    for (psb_epk i = my_place(); i < to.m; i += all_places()) {
        const psb_epk h = i / a.rows, at = i % a.rows;
        psb_epk k = to.off[i];
        for (psb_epk d = a.off[h]; d < a.off[h + 1]; d++)
            if (has(a, d, at)) {
                to.ja[k] = (psb_ipk)(i + a.dist[d]);
                ((T *)to.val)[k++] = ((const T *)a.val)[d * a.rows + at];
            }
    }
}

/* --- BSR ------------------------------------------------------------------------------------------------ */

template <class T>
__global__ void __launch_bounds__(THREADS)
    csr_of_bsr(const __grid_constant__ psb_dev_bsr a, const __grid_constant__ psb_dev_compressed to)
{
    for (psb_epk i = my_place(); i < to.m; i += all_places()) {
        const psb_epk end = a.off[i / a.r + 1];
        psb_epk k = to.off[i];
        for (psb_epk q = a.off[i / a.r], next; q < end && a.ja[q] >= 0; q = next) {
            for (next = q + 1; next < end && a.ja[next] == a.ja[q]; next++)
                ;
            for (int j = 0; j < a.c; j++)
                for (psb_epk d = q, p; d < next; d++)
                    if ((p = place_in_block(a, i, d, j)) >= 0) {
                        to.ja[k] = a.ja[d] * a.c + j;
                        ((T *)to.val)[k++] = ((const T *)a.val)[p];
                    }
        }
    }
}

/* A thread for each byte of bits, and its values. */
template <class T>
__global__ void __launch_bounds__(THREADS)
    bsr_fill(const __grid_constant__ psb_dev_compressed b, const psb_ipk *__restrict__ key,
             const __grid_constant__ psb_dev_bsr a)
{
    const int size = a.r * a.c, bytes = (size + 7) / 8;
    for (psb_epk e = my_place(); e < a.blocks * bytes; e += all_places()) {
        const psb_epk q = e / bytes, h = first_not(a.n - 1, [&](psb_epk g) { return a.off[g + 1] <= q; });
        const psb_ipk column = key[q] / a.ranks, rank = key[q] % a.ranks;
        const int from = (int)(e % bytes) * 8, end = min(from + 8, size);
        unsigned bits = 0;
        for (int at = from; at < end; at++) {
            const psb_epk i = h * a.r + (a.by_cols ? at % a.r : at / a.c),
                          j = (psb_epk)column * a.c + (a.by_cols ? at / a.r : at % a.c);
            const psb_epk first = i < b.m ? place_of(b, i, j) : -1, p = first + rank;
            const bool is = first >= 0 && p < b.off[i + 1] && b.ja[p] == j;
            ((T *)a.val)[q * size + at] = is ? ((const T *)b.val)[p] : zero<T>();
            bits |= (unsigned)is << (at - from);
        }
        if (!a.full)
            a.bits[e] = (unsigned char)bits;
        if (from == 0)
            a.ja[q] = column;
    }
}

/* --- HDIA ----------------------------------------------------------------------------------------------- */

/* LANES lanes per row; entry k of a row is usually on the k-th diagonal of its hack. */
template <class T>
__global__ void __launch_bounds__(THREADS)
    hdia_fill(const __grid_constant__ psb_dev_compressed b, const __grid_constant__ psb_dev_hdia a)
{
    for (psb_epk i = my_place() / LANES; i < b.m; i += all_places() / LANES) {
        const psb_epk h = i / a.rows, at = i % a.rows, first = a.off[h], end = a.off[h + 1];
        const psb_epk from = b.off[i], n = b.off[i + 1] - from;
        for (psb_epk k = threadIdx.x % LANES; k < n; k += LANES) {
            const psb_epk dist = b.ja[from + k] - i, r = rank_of(b.ja + from, 0, k);
            psb_epk d = first + k;
            if (r > 0 || d >= end || a.dist[d] != dist || (k > 0 && a.dist[d - 1] == dist))
                d = diagonal_from(a, h, dist) + r;
            ((T *)a.val)[d * a.rows + at] = ((const T *)b.val)[from + k];
            atomicOr((word *)(a.bits + d * a.words + at / 64), (word)1 << at % 64);
        }
    }
}

/* zeros[d] = number of entries whose value is 0; initially 0. */
template <class T>
__global__ void __launch_bounds__(THREADS) count_zeros(const __grid_constant__ psb_dev_hdia a)
{
    const psb_epk all = a.diagonals * a.rows;
    for (psb_epk p = my_place(); p < all; p += all_places())
        if (is_zero(((const T *)a.val)[p]) && has(a, p / a.rows, p % a.rows))
            atomicAdd(a.zeros + p / a.rows, 1);
}

/* The hack of diagonal d: the first one that ends beyond d. */
static __device__ psb_epk hack_of(const psb_dev_hdia &a, psb_epk d)
{
    return first_not(a.nhacks - 1, [&](psb_epk h) { return a.off[h + 1] <= d; });
}

/* Number of rows of hack h whose entry on the diagonal is within the matrix. */
static __device__ psb_epk within(const psb_dev_hdia &a, psb_epk h, psb_epk dist)
{
    psb_epk lo = h * a.rows, hi = lo + a.rows < a.m ? lo + a.rows : a.m;
    lo = lo + dist < 0 ? -dist : lo;
    hi = hi + dist > a.n ? a.n - dist : hi;
    return hi > lo ? hi - lo : 0;
}

/* Set gaps[d], one block per diagonal. */
static __global__ void __launch_bounds__(THREADS) find_gaps(const __grid_constant__ psb_dev_hdia a)
{
    __shared__ int part[THREADS / WARP];
    for (psb_epk d = blockIdx.x; d < a.diagonals; d += gridDim.x) {
        int n = 0;
        for (psb_epk w = threadIdx.x; w < a.words; w += THREADS)
            n += __popcll(a.bits[d * a.words + w]);
        for (int by = WARP / 2; by > 0; by /= 2)
            n += __shfl_down_sync(~0u, n, by);
        if (threadIdx.x % WARP == 0)
            part[threadIdx.x / WARP] = n;
        __syncthreads();
        if (threadIdx.x == 0) {
            for (int w = 1; w < THREADS / WARP; w++)
                n += part[w];
            a.gaps[d] = n == within(a, hack_of(a, d), a.dist[d]) ? PSB_NO_GAPS
                        : a.zeros[d]                             ? PSB_GAPS_BY_BITS
                                                                 : PSB_ZEROS_ARE_GAPS;
        }
        __syncthreads();
    }
}

/* The same with one thread per diagonal, for short diagonals. */
static __global__ void __launch_bounds__(THREADS) find_short_gaps(const __grid_constant__ psb_dev_hdia a)
{
    for (psb_epk d = my_place(); d < a.diagonals; d += all_places()) {
        int n = 0;
        for (psb_epk w = 0; w < a.words; w++)
            n += __popcll(a.bits[d * a.words + w]);
        a.gaps[d] = n == within(a, hack_of(a, d), a.dist[d]) ? PSB_NO_GAPS
                    : a.zeros[d]                             ? PSB_GAPS_BY_BITS
                                                             : PSB_ZEROS_ARE_GAPS;
    }
}

/* Set zeros and gaps from bits and values. */
template <class T>
static cudaError_t find_zeros_and_gaps(const psb_dev_hdia &a)
{
    if (a.diagonals == 0)
        return cudaSuccess;
    const cudaError_t e = cudaMemsetAsync(a.zeros, 0, (size_t)a.diagonals * sizeof *a.zeros, stream());
    if (e != cudaSuccess)
        return e;
    count_zeros<T><<<blocks_for(a.diagonals * a.rows), THREADS, 0, stream()>>>(a);
    if (a.words <= STEP_SHORT_WORDS)
        find_short_gaps<<<blocks_for(a.diagonals), THREADS, 0, stream()>>>(a);
    else
        find_gaps<<<blocks_for(a.diagonals, 1), THREADS, 0, stream()>>>(a);
    return cudaGetLastError();
}

template <class T>
static cudaError_t fill_diagonals(const psb_dev_compressed &from, const psb_dev_hdia &a)
{
    cudaError_t e = cudaMemsetAsync(a.bits, 0, (size_t)(a.diagonals * a.words) * sizeof *a.bits, stream());
    if (e == cudaSuccess)
        e = cudaMemsetAsync(a.val, 0, (size_t)(a.diagonals * a.rows) * sizeof(T), stream());
    if (e != cudaSuccess || a.diagonals == 0)
        return e;
    hdia_fill<T><<<blocks_for((psb_epk)a.m * LANES), THREADS, 0, stream()>>>(from, a);
    return find_zeros_and_gaps<T>(a);
}

/* --- values --------------------------------------------------------------------------------------------- */

template <class T>
__global__ void __launch_bounds__(THREADS)
    gather(const __grid_constant__ psb_dev_triplets t, const psb_epk *order,
           const __grid_constant__ psb_new_triplets to)
{
    for (psb_epk k = my_place(); k < t.nz; k += all_places()) {
        const psb_epk e = order[k];
        to.ia[k] = t.ia[e];
        to.ja[k] = t.ja[e];
        ((T *)to.val)[k] = ((const T *)t.val)[e];
    }
}

/* The thread of the first of equal entries merges all, in order. */
template <class T>
__global__ void __launch_bounds__(THREADS)
    merge(const __grid_constant__ psb_dev_triplets t, const psb_epk *order, const psb_epk *place,
          int overwrite, const __grid_constant__ psb_new_triplets to)
{
    for (psb_epk k = my_place(); k < t.nz; k += all_places()) {
        const psb_epk at = place[k], e = order ? order[k] : k;
        if (place[k + 1] == at)
            continue;
        T v = ((const T *)t.val)[e];
        for (psb_epk f = k + 1; f < t.nz && place[f + 1] == at + 1; f++) {
            const T w = ((const T *)t.val)[order ? order[f] : f];
            v = overwrite ? w : add(v, w);
        }
        to.ia[at] = t.ia[e];
        to.ja[at] = t.ja[e];
        ((T *)to.val)[at] = v;
    }
}

template <class T>
__global__ void __launch_bounds__(THREADS) take_entries(const __grid_constant__ psb_taken q)
{
    for (psb_epk k = my_place(); k < q.n; k += all_places()) {
        const psb_epk e = q.list[k];
        q.to_i[k] = q.ia[e];
        q.to_j[k] = q.ja[e];
        ((T *)q.to_val)[k] = ((const T *)q.val)[e];
    }
}

/* The thread of the first of the entries of a value merges all, in order. */
template <class T>
__global__ void __launch_bounds__(THREADS)
    refill_values(const __grid_constant__ psb_refill q, T *__restrict__ to)
{
    const auto value = [&q](psb_epk k) {
        const psb_epk e = q.order ? q.order[k] : k;
        return e < q.nz ? ((const T *)q.val)[e] : ((const T *)q.more)[e - q.nz];
    };
    for (psb_epk k = my_place(); k < q.n; k += all_places()) {
        const psb_epk at = q.place[k];
        if (q.place[k + 1] == at)
            continue;
        T v = value(k);
        for (psb_epk f = k + 1; f < q.n && q.place[f + 1] == at + 1; f++)
            v = q.overwrite ? value(f) : add(v, value(f));
        to[at] = v;
    }
}

template <class R>
static __device__ __forceinline__ R weight(const R *, double re, double)
{
    return (R)re;
}
template <class R>
static __device__ __forceinline__ pair<R> weight(const pair<R> *, double re, double im)
{
    return { (R)re, (R)im };
}

/* One thread per row, and one for the end of the last. */
template <class T>
__global__ void __launch_bounds__(THREADS)
    stencil_rows(const __grid_constant__ psb_stencil s, const __grid_constant__ psb_dev_compressed a)
{
    for (psb_epk i = my_place(); i <= s.m; i += all_places()) {
        psb_epk k = psb_stencil_begin(&s, (psb_ipk)i);
        a.off[i] = k;
        for (int q = 0; q < PSB_NEIGHBOURS && i < s.m; q++) {
            const psb_ipk j = psb_stencil_column(&s, q, (psb_ipk)i);
            if (j < 0)
                continue;
            a.ja[k] = j;
            ((T *)a.val)[k++] = weight((const T *)nullptr, s.re[q], s.im[q]);
        }
    }
}

/* The thread of the first entry of a place puts all entries of that place, in order. */
template <class T>
__global__ void __launch_bounds__(THREADS)
    put_values(const __grid_constant__ psb_placed q, T *__restrict__ to)
{
    for (psb_epk e = my_place(); e < q.nz; e += all_places()) {
        const psb_epk p = q.place[q.order ? q.order[e] : e];
        if (q.order && e > 0 && q.place[q.order[e - 1]] == p)
            continue;
        T v = q.overwrite ? zero<T>() : to[p];
        for (psb_epk f = e; f < q.nz; f++) {
            const psb_epk k = q.order ? q.order[f] : f;
            if (f > e && (!q.order || q.place[k] != p))
                break;
            const T w = ((const T *)q.val)[k];
            v = q.overwrite ? w : add(v, w);
        }
        to[p] = v;
    }
}

/* sum + the entries of row i on the diagonal */
template <class T>
static __device__ __forceinline__ T add_diagonal(const psb_dev_compressed &a, psb_epk i, T sum)
{
    const line r = line_of(a, i);
    psb_epk k = first_from(a.ja + r.at, r.step, r.n, i);
    for (psb_epk p = r.at + k * r.step; k < r.n && a.ja[p] == i; k++, p += r.step)
        sum = add(sum, ((const T *)a.val)[p]);
    return sum;
}
template <class T>
static __device__ __forceinline__ T add_diagonal(const psb_dev_hdia &a, psb_epk i, T sum)
{
    const psb_epk h = i / a.rows, at = i % a.rows;
    for (psb_epk d = diagonal_from(a, h, 0); d < a.off[h + 1] && a.dist[d] == 0; d++)
        if (has(a, d, at))
            sum = add(sum, ((const T *)a.val)[d * a.rows + at]);
    return sum;
}

template <class T, class M>
__global__ void __launch_bounds__(THREADS)
    diagonal(const __grid_constant__ M a, const __grid_constant__ psb_diagonal q)
{
    for (psb_epk i = my_place(); i < q.n; i += all_places())
        ((T *)q.d)[i] = add_diagonal(a, i, from_real<T>((real_of<T>)q.ones));
}

template <class T>
static __device__ __forceinline__ T scaled(const psb_factors &q, T by, psb_epk i, psb_epk j, T v)
{
    return q.left    ? rounded::mul(((const T *)q.left)[i], v)
           : q.right ? rounded::mul(v, ((const T *)q.right)[j])
                     : rounded::mul(by, v);
}

/* LANES lanes per row, in any storage order; one thread per rank if entries are stored by columns. */
template <class T>
__global__ void __launch_bounds__(THREADS)
    scale_compressed(const __grid_constant__ psb_dev_compressed a, const __grid_constant__ psb_factors q,
                     T by, int lanes)
{
    for (psb_epk r = my_place() / lanes; r < a.m; r += all_places() / lanes) {
        const line l = line_at(a, r);
        const psb_epk i = a.row ? a.row[r] : r;
        for (psb_epk k = my_place() % lanes, p = l.at + k * l.step; k < l.n; k += lanes, p += lanes * l.step)
            ((T *)a.val)[p] = scaled(q, by, i, a.ja[p], ((const T *)a.val)[p]);
    }
}

template <class T>
__global__ void __launch_bounds__(THREADS)
    scale_diagonals(const __grid_constant__ psb_dev_hdia a, const __grid_constant__ psb_factors q, T by)
{
    const psb_epk all = a.diagonals * a.rows;
    for (psb_epk p = my_place(); p < all; p += all_places()) {
        const psb_epk d = p / a.rows, at = p % a.rows;
        if (has(a, d, at)) {
            const psb_epk i = hack_of(a, d) * a.rows + at;
            ((T *)a.val)[p] = scaled(q, by, i, i + a.dist[d], ((const T *)a.val)[p]);
        }
    }
}

/* --- steps ---------------------------------------------------------------------------------------------- */

template <class T>
static psb_err coo_gather(const psb_dev_triplets *t, const psb_epk *order, const psb_new_triplets *to)
{
    if (t->nz > 0)
        gather<T><<<blocks_for(t->nz), THREADS, 0, stream()>>>(*t, order, *to);
    return step_ended(cudaGetLastError());
}

template <class T>
static psb_err coo_merge(const psb_dev_triplets *t, const psb_epk *order, const psb_epk *place, int overwrite,
                         const psb_new_triplets *to)
{
    if (t->nz > 0)
        merge<T><<<blocks_for(t->nz), THREADS, 0, stream()>>>(*t, order, place, overwrite, *to);
    return step_ended(cudaGetLastError());
}

template <class T>
static psb_err coo_take(const psb_taken *q)
{
    if (q->n > 0)
        take_entries<T><<<blocks_for(q->n), THREADS, 0, stream()>>>(*q);
    return step_ended(cudaGetLastError());
}

template <class T>
static psb_err coo_refill(const psb_refill *q, void *to)
{
    if (q->n > 0)
        refill_values<T><<<blocks_for(q->n), THREADS, 0, stream()>>>(*q, (T *)to);
    return step_ended(cudaGetLastError());
}

template <class T>
static psb_err coo_stencil(const psb_stencil *s, const psb_dev_compressed *a)
{
    stencil_rows<T><<<blocks_for((psb_epk)s->m + 1), THREADS, 0, stream()>>>(*s, *a);
    return step_ended(cudaGetLastError());
}

template <class T>
static psb_err fill(const psb_dev_compressed *from, psb_epk widest, const psb_dev_compressed *to)
{
    const psb_epk ranks = to->nhacks * to->rows, chunks = (widest + STEP_COLUMNS - 1) / STEP_COLUMNS;
    if (ranks > 0 && widest > 0) {
        const dim3 grid(blocks_for(ranks),
                        (unsigned)(chunks < STEP_COLUMN_BLOCKS ? chunks : STEP_COLUMN_BLOCKS));
        hll_fill<T><<<grid, THREADS, 0, stream()>>>(*from, *to);
    }
    return step_ended(cudaGetLastError());
}
template <class T>
static psb_err fill(const psb_dev_compressed *from, const psb_dev_hdia *a)
{
    return step_ended(fill_diagonals<T>(*from, *a));
}

template <class T>
static psb_err fill(const psb_dev_compressed *from, const psb_ipk *key, const psb_dev_bsr *a)
{
    const psb_epk bytes = a->blocks * ((a->r * a->c + 7) / 8);
    if (bytes > 0)
        bsr_fill<T><<<blocks_for(bytes), THREADS, 0, stream()>>>(*from, key, *a);
    return step_ended(cudaGetLastError());
}

template <class T>
static psb_err rest(const psb_dev_compressed *from, const psb_epk *off, const psb_new_triplets *to)
{
    if (from->m > 0)
        rest_of_rows<T><<<blocks_for((psb_epk)from->m * LANES), THREADS, 0, stream()>>>(*from, off, *to);
    return step_ended(cudaGetLastError());
}

template <class T>
static psb_err add_rest(const psb_dev_triplets *t, const psb_epk *off, const psb_dev_compressed *to)
{
    add_pointers<<<blocks_for((psb_epk)to->m + 1), THREADS, 0, stream()>>>(to->m, off, to->off);
    if (t->nz > 0)
        put_rest<T><<<blocks_for(t->nz), THREADS, 0, stream()>>>(*t, off, *to);
    return step_ended(cudaGetLastError());
}

template <class T>
static psb_err to_csr(const psb_dev_compressed *a, const psb_dev_compressed *to)
{
    if (to->m > 0)
        csr_of_hll<T><<<blocks_for(to->m), THREADS, 0, stream()>>>(*a, *to);
    return step_ended(cudaGetLastError());
}
template <class T>
static psb_err to_csr(const psb_dev_hdia *a, const psb_dev_compressed *to)
{
    if (to->m > 0)
        csr_of_hdia<T><<<blocks_for(to->m), THREADS, 0, stream()>>>(*a, *to);
    return step_ended(cudaGetLastError());
}

template <class T>
static psb_err to_csr(const psb_dev_bsr *a, const psb_dev_compressed *to)
{
    if (to->m > 0)
        csr_of_bsr<T><<<blocks_for(to->m), THREADS, 0, stream()>>>(*a, *to);
    return step_ended(cudaGetLastError());
}

/* What follows a change of values: zeros and gaps of HDIA. */
template <class T>
static psb_err changed(const psb_dev_compressed &)
{
    return step_ended(cudaGetLastError());
}
template <class T>
static psb_err changed(const psb_dev_hdia &a)
{
    const int e = cudaGetLastError();
    return step_ended(e != cudaSuccess ? e : find_zeros_and_gaps<T>(a));
}

template <class T, class M>
static psb_err put(const M *a, const psb_placed *q)
{
    if (q->nz == 0)
        return PSB_OK;
    put_values<T><<<blocks_for(q->nz), THREADS, 0, stream()>>>(*q, (T *)a->val);
    return changed<T>(*a);
}

template <class T, class M>
static psb_err get_diagonal(const M *a, const psb_diagonal *q)
{
    if (q->n > 0)
        diagonal<T><<<blocks_for(q->n), THREADS, 0, stream()>>>(*a, *q);
    return step_ended(cudaGetLastError());
}

template <class T>
static psb_err scale(const psb_dev_compressed *a, const psb_factors *q)
{
    const T by = q->by ? given<T>(q->by) : T();
    const int lanes = a->rows ? 1 : LANES;
    if (a->m == 0)
        return PSB_OK;
    scale_compressed<T><<<blocks_for((psb_epk)a->m * lanes), THREADS, 0, stream()>>>(*a, *q, by, lanes);
    return changed<T>(*a);
}
template <class T>
static psb_err scale(const psb_dev_hdia *a, const psb_factors *q)
{
    const T by = q->by ? given<T>(q->by) : T();
    if (a->diagonals == 0)
        return PSB_OK;
    scale_diagonals<T><<<blocks_for(a->diagonals * a->rows), THREADS, 0, stream()>>>(*a, *q, by);
    return changed<T>(*a);
}

template <class T, class M>
static psb_err set_to_zero(const M *a, size_t bytes)
{
    PSB_TRY(step_ended(cudaMemsetAsync(a->val, 0, bytes, stream())));
    return changed<T>(*a);
}

/* --- tables --------------------------------------------------------------------------------------------- */

template <class K, class T>
constexpr K coo_steps()
{
    K k = {};
    k.copy = coo_copy;
    k.row_begins = coo_row_begins;
    k.disorder = coo_disorder;
    k.order = coo_order;
    k.order_by_place = coo_order_by_place;
    k.distinct = coo_distinct;
    k.merge = coo_merge<dev<T>>;
    k.gather = coo_gather<dev<T>>;
    k.split = coo_split;
    k.take = coo_take<dev<T>>;
    k.refill = coo_refill<dev<T>>;
    k.stencil = coo_stencil<dev<T>>;
    k.locality = coo_locality;
    return k;
}
PSB_CUDA_TABLES(coo_steps)

/* The steps that change values: of CSR, HLL and HDIA. */
template <class K, class T>
constexpr K compressed_steps()
{
    K k = {};
    k.find = find_entries;
    k.put = put<dev<T>>;
    k.diagonal = get_diagonal<dev<T>>;
    k.scale = scale<dev<T>>;
    k.zero = set_to_zero<dev<T>>;
    return k;
}
PSB_CUDA_TABLES(compressed_steps)

template <class K, class T>
constexpr K hll_steps()
{
    K k = {};
    k.ranks = hll_ranks;
    k.measure = hll_measure;
    k.fill = fill<dev<T>>;
    k.row_lengths = row_lengths;
    k.to_csr = to_csr<dev<T>>;
    k.rest = rest<dev<T>>;
    k.add_rest = add_rest<dev<T>>;
    return k;
}
PSB_CUDA_TABLES(hll_steps)

template <class K, class T>
constexpr K hdia_steps()
{
    K k = compressed_steps<K, T>();
    k.count = hdia_count;
    k.collect = hdia_collect;
    k.list = hdia_list;
    k.fill = fill<dev<T>>;
    k.row_lengths = row_lengths;
    k.to_csr = to_csr<dev<T>>;
    return k;
}
PSB_CUDA_TABLES(hdia_steps)

template <class K, class T>
constexpr K bsr_steps()
{
    K k = {};
    k.keys = bsr_keys;
    k.fill = fill<dev<T>>;
    k.row_lengths = row_lengths;
    k.to_csr = to_csr<dev<T>>;
    return k;
}
PSB_CUDA_TABLES(bsr_steps)
