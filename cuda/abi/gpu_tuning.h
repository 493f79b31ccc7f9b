/* gpu_tuning.h -- cuda/abi: the numbers of GPUs for which kernels are written, a line each: value, unit, why.
 * They were measured on H100 and H200, where nothing else is said; the sizes of tiles of CSR are in
 * psb_tiling.h.  `bytes` is the size of a value.  Read by C and CUDA. */
#ifndef PSB_GPU_TUNING_H
#define PSB_GPU_TUNING_H

enum {
    /* vectors */
    VEC_BYTES = 32,    /* bytes of an array that a thread loads at once: loads in flight hide the latency */
    VEC_AHEAD = 4,     /* vectors that are loaded at once where many are added */
    VEC_FACTORS = 64,  /* columns whose factors one launch takes: parameters of a kernel have 4 KB */
    VEC_MATRIX = 3584, /* bytes of a matrix by which one launch multiplies columns: parameters too */
    VEC_BLOCKS = 512,  /* blocks of a reduction: they fill a GPU, and one block adds their results */
    VEC_COLUMNS = 256, /* columns of a reduction at once: a thread of a block for each */
    SUM_SLICES = 64,   /* blocks that add the sums of the blocks of a fused product */
    SUMMED_ROWS = 128, /* rows of a block of a fused product, at least: bounds the sums to be added */

    /* HLL and ELL */
    HLL_AHEAD = 4,            /* entries of a row that are loaded at once */
    HLL_LONG_AHEAD = 8,       /* of rows with more than HLL_LONG_ROW entries on average */
    HLL_LONG_ROW = 10,        /* entries */
    HLL_SHORT = 128,          /* entries of a row that its lane adds alone if rows are ragged */
    HLL_LEAST_PART = 8,       /* entries of a row's part: fewer are slower than reading y again */
    HLL_MOST_CUTS = 3,        /* halvings of a row: each reads and writes y once more */
    HLL_LARGE_X = 2 << 20,    /* bytes of x beyond which entries of 16 bytes bypass the first-level cache */
    HLL_EVICTS_WITHIN = 3,    /* second-level caches in which a matrix of short rows is evicted first */
    PACKED_AHEAD = 4,         /* slots that are loaded at once */
    PACKED_ROWS_OF_A_GAP = 8, /* rows of a strip, of which at most one lacks an entry on a stored diagonal */

    /* CSR */
    CSR_LONG_ROW = 32,   /* entries of a row for each of its lanes, beyond which a warp adds them */
    CSR_MEAN_SHARE = 8,  /* entries of a row for each of its lanes on average: as the kernel divides them */
    CSR_SHARED_ROW = 256, /* entries of a row beyond which a block computes its columns together */
    CSR_SPLIT_LANES = 8, /* lanes that add the parts of a row of several tiles */
    CSR_SPLIT_THREADS = 128, /* threads of a block that adds parts */
    CSR_TILES_OF_BLOCK = 2,  /* tiles of a block with scattered columns: fewer blocks share the cache */
    CSR_CARVEOUT = 28,       /* percent of shared memory, 64 KB, that leaves more of the cache for x */
    CSR_SPREAD_X = 40 << 10, /* bytes of x that rows read, beyond which they want more cache */
    LISTED_AHEAD = 4,        /* entries of a listed row that are loaded at once */

    /* BSR, COO */
    COO_CHUNKS = 8192, /* chunks at most: their heads fit in the memory for reductions */
    COO_COLUMNS = 256, /* columns of a launch at most */
    COO_LEAST = 128,   /* entries of a chunk, at least; measured */

    /* triangles, factors, levels: blocks and warps on a multiprocessor that wait for each other */
    SOLVE_BLOCKS = 3,          /* blocks in which a thread solves a row; measured, as the next seven */
    SOLVE_BLOCKS_OF_ROWS = 12, /* blocks in which a warp solves a row */
    SOLVE_LEAD = 32768,        /* rows between a warp and the last row it needs, from which on it reads x */
    SOLVE_LONG_ROW = 64,       /* entries of a row beyond which it is not solved by one thread */
    SOLVE_PIECE = 128,         /* entries that a warp adds at a time */
    LDU_WARPS = 32,            /* warps that compute factors */
    LDU_SHARED = 4,            /* entries of a row in shared memory for each lane that computes it, */
    LDU_SHARED_BLOCK = 16,     /* and if a block computes it */
    LDU_MOST_LANES = 128,      /* that compute a row */
    LDU_RAGGED = 16384,        /* times the longest row over the rows: less is the square of the lanes */
    LDU_SEARCH = 4,            /* times the entries of a row, beyond which a row of U is searched for them */
    LEVEL_WARPS = 48,          /* warps that find levels */

    /* conversions */
    STEP_LANES = 8,          /* lanes that share a row */
    STEP_COLUMNS = 256,      /* stored columns that a thread of HLL's fill writes */
    STEP_COLUMN_BLOCKS = 64, /* blocks over stored columns at most */
    STEP_SHORT_WORDS = 16,   /* words of bits of a diagonal up to which one thread counts them */

    /* copies and exchanges */
    STAGE_PIECE = 8 << 20, /* bytes of a pinned buffer; measured */
    STAGE_PIECES = 2,      /* buffers: one is filled while the other is transferred */
    PUT_BESIDE =
        128 << 10,   /* bytes from which a put runs on the second stream: it then pays for two events */
    PUT_BATCH = 4,   /* words that a thread loads before it stores them */
    PUT_BLOCKS = 128 /* blocks of a put: they fill NVLink and leave a product most of the GPU */
};

/* Padding of HLL, stored places over entries: beyond RAGGED a warp shares the entries of a row after the
 * first HLL_SHORT; up to EVEN matrix loads of scattered columns may bypass the cache, which is kept for
 * x, since the next lane does not use the rest of a cache line; up to FULL short rows too may be evicted
 * first. */
#define HLL_RAGGED 2.0
#define HLL_EVEN   1.25
#define HLL_FULL   1.05

/* Diagonals of which a thread loads values and x at once; more than 2 were slower for values of 16 bytes. */
#define DIAGONALS_AT_ONCE(bytes) ((bytes) > 8 ? 2 : 4)

/* Resident blocks of a multiprocessor, which bound the registers of a thread: of packed columns; of CSR in
 * segments, where fused products and those added to listed rows need more registers. */
#define PACKED_BLOCKS(bytes) ((bytes) > 8 ? 7 : 10)
#define CSR_BLOCKS(bytes, is_complex, is_plain) \
    ((bytes) == 16                 ? ((is_plain) ? 10 : 8) \
     : (bytes) == 8                ? ((is_plain) && (is_complex) ? 6 : 5) \
     : (is_plain) && !(is_complex) ? 4 \
                                   : 3)

/* Squares of b x b in BSR: lanes of a block row, and blocks that a lane loads at once. */
#define BSR_LANES(b, bytes) ((b) == 2 ? 8 : (b) == 3 && (bytes) == 16 ? 32 : 16)
#define BSR_AHEAD(b, bytes, is_complex) \
    ((bytes) == 16 ? 1 : (b) == 3 ? ((is_complex) ? 2 : 3) : (b) == 4 ? 3 : (bytes) == 4 ? 4 : 1)

/* The second-level cache: a matrix and its vectors stay in it if they fill at most CACHE_ALL of it; else
 * CACHE_SHARE of it is for vectors and a share of the matrix, unless that is less than CACHE_LEAST of the
 * matrix, since a part of it stays even if all is evicted first; in fused products a matrix stays if it fills
 * at most CACHE_FUSED.  Rows of scattered columns are cut until they read CACHE_NEAR of it. */
#define CACHE_ALL   .7
#define CACHE_SHARE .3
#define CACHE_LEAST .1
enum { CACHE_FUSED = 2, CACHE_NEAR = 3 }; /* one over the share */

/* Tiles of CSR: short rows have less than CSR_SHORT entries on average; the longest of the rows that a warp
 * sums is longer than their mean by these factors before equal shares for all threads pay, for values of at
 * most 8 bytes, and of 16. */
#define CSR_SHORT        3.5
#define CSR_UNLIKE       1.1
#define CSR_UNLIKE_LARGE 1.6
#endif
