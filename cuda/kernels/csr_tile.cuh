/* csr_tile.cuh -- cuda/kernels: a tile of CSR in global memory (psb_csr_plan.h). */
#ifndef PSB_CSR_TILE_CUH
#define PSB_CSR_TILE_CUH
#include "dev_arrays.h"
#include "load.cuh"
#include "stored.h"

/* Threads of a block, and places for the entries of a tile in shared memory. */
template <class T>
struct size {
    enum {
        THREADS = PSB_TILE_THREADS(sizeof(T)),
        CAPACITY = PSB_TILE_CAPACITY(sizeof(T), PSB_TILES_COALESCED),
        SCATTERED_CAPACITY = PSB_TILE_CAPACITY(sizeof(T), PSB_TILES_SCATTERED)
    };
    static_assert(CAPACITY % (8 * THREADS) == 0,
                  "threads copy words of 16 bytes, also of columns in 16 bits");
    static_assert(SCATTERED_CAPACITY % THREADS == 0, "each thread multiplies as many entries");
};

/* ja, delta and val point to an entry at a multiple of 4, so that loads of 16 bytes are aligned; the first
 * `skip` entries from there belong to the tile before; the tile has n entries, and end = skip + n.  If base
 * is not negative, the columns are base plus delta, and ja may be invalid.  whole: words of 16 bytes that
 * reach past the tile's end are still inside the matrix. */
template <class T>
struct tile {
    const psb_ipk *ja;
    const uint16_t *delta;
    psb_ipk base;
    const T *val;
    int skip, n, end;
    psb_ipk row, part;
    int rows;
    bool whole;
    uint64_t policy;
};

/* PART: as in policy_of. */
template <class T, bool PART>
static __device__ __forceinline__ tile<T> tile_of(const psb_csr_dev &a, psb_epk number)
{
    const psb_tile *t = a.tile + number;
    const psb_tile q = t[0];
    const int n = (int)(t[1].first - q.first), skip = (int)(q.first % 4);
    const psb_epk from = q.first - skip;
    return { a.ja + from,
             a.delta + PSB_DELTA_PLACE(number, q.first),
             a.base ? a.base[number] : -1,
             (const T *)a.val + from,
             skip,
             n,
             skip + n,
             q.row,
             q.part,
             t[1].row - q.row,
             from + skip + n + 3 < a.nnz,
             policy_of<PART>(a.stays) };
}

/* Call f with the array of the tile's columns, and with the rows of x, of k columns each, that they count
 * from. */
template <class T, class F>
static __device__ __forceinline__ void with_columns(const tile<T> &t, const T *x, psb_ipk k, const F &f)
{
    if (t.base >= 0)
        f(t.delta, x + (psb_epk)t.base * k);
    else
        f(t.ja, x);
}

/* Row r of the tile has the entries from *from up to, not including, the returned one. */
template <class T>
static __device__ __forceinline__ int row_of(const psb_csr_dev &a, const tile<T> &t, int r, int *from)
{
    const uint16_t *begin = a.begin + t.row + r;
    *from = begin[0];
    return r + 1 < t.rows ? begin[1] : t.n;
}
#endif
