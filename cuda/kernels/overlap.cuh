/* overlap.cuh -- room: cuda/kernels.  A kernel that starts before the one before it in the stream has ended
 * ("programmatic dependent launch", from compute capability 9.0 on; elsewhere it starts after the end). */
#ifndef PSB_OVERLAP_CUH
#define PSB_OVERLAP_CUH

/* Let the next kernel start, if it was launched by launch_early, once all blocks of this one run. */
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

/* Launch a kernel that calls await_previous before it uses results of the kernel before it. */
template <class... P, class... A>
static int launch_early(void (*kernel)(P...), dim3 grid, unsigned threads, cudaStream_t stream,
                        const A &...args)
{
    static const bool waits = waits_for_previous(kernel);
    cudaLaunchAttribute early = {};
    cudaLaunchConfig_t c = {};
    early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    early.val.programmaticStreamSerializationAllowed = 1;
    c.gridDim = grid;
    c.blockDim = threads;
    c.stream = stream;
    c.attrs = &early;
    c.numAttrs = waits;
    return cudaLaunchKernelEx(&c, kernel, P(args)...);
}
#endif
