/* overlap.cuh -- cuda/kernels: a kernel that starts before the one before it in the stream has ended
 * ("programmatic dependent launch", from compute capability 9.0 on; elsewhere it starts after the end). */
#ifndef PSB_OVERLAP_CUH
#define PSB_OVERLAP_CUH

/* Let the next kernel start, if it was launched early, when all blocks of this one have called this. */
static __device__ __forceinline__ void let_next_start()
{
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.launch_dependents;");
#endif
}

/* Wait until the kernel before this one has ended and what it wrote is visible. */
static __device__ __forceinline__ void await_previous()
{
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

/* Wait for the kernel before this one, and only then let the next one start: it starts when all kernels
 * before this one have ended.  Products begin with this, since the kernel that follows one may read before it
 * waits. */
static __device__ __forceinline__ void start_in_order()
{
    await_previous();
    let_next_start();
}

static inline int gpu_attribute(enum cudaDeviceAttr attribute)
{
    int gpu = 0, value = 0;
    cudaGetDevice(&gpu);
    cudaDeviceGetAttribute(&value, attribute, gpu);
    return value;
}

/* Was the kernel compiled for GPUs that can start it early, so that await_previous waits?  All are alike. */
template <class... P>
static bool waits_for_previous(void (*kernel)(P...))
{
    cudaFuncAttributes f;
    return cudaFuncGetAttributes(&f, kernel) == cudaSuccess && f.ptxVersion >= 90;
}

/* How many threads the GPU runs at the same time. */
static inline psb_epk resident_threads()
{
    return (psb_epk)gpu_attribute(cudaDevAttrMultiProcessorCount) *
           gpu_attribute(cudaDevAttrMaxThreadsPerMultiProcessor);
}

/* Launch a kernel.  early: it may start before the kernel before it has ended, and so must call
 * await_previous before it reads what any kernel before it writes, or writes what one reads.  The compiler
 * does not promise to keep read-only loads behind that call: test/early.sh looks at the code that it made. */
template <class... P, class... A>
static int launch(bool early, void (*kernel)(P...), dim3 grid, unsigned threads, cudaStream_t stream,
                  const A &...args)
{
    static const bool waits = waits_for_previous(kernel);
    cudaLaunchAttribute overlap = {};
    cudaLaunchConfig_t c = {};
    overlap.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    overlap.val.programmaticStreamSerializationAllowed = 1;
    c.gridDim = grid;
    c.blockDim = threads;
    c.stream = stream;
    c.attrs = &overlap;
    c.numAttrs = early && waits;
    return cudaLaunchKernelEx(&c, kernel, P(args)...);
}

template <class... P, class... A>
static int launch_early(void (*kernel)(P...), dim3 grid, unsigned threads, cudaStream_t stream,
                        const A &...args)
{
    return launch(true, kernel, grid, threads, stream, args...);
}
#endif
