/* triangle_launchers.t.cuh -- room: cuda/kernels.  The CUDA side of wide_launchers.t.h for triangles. */
extern "C" int X(triangle_diagonal_dev)(const struct psb_dev_triangle *a, psb_epk *found, void *stream)
{
    return run_diagonal<D>(*a, found, (cudaStream_t)stream);
}

extern "C" int X(triangle_solve_dev)(const struct psb_dev_triangle *a, psb_ipk k, const void *alpha,
                                     const void *x, const void *left, const void *right, const void *beta,
                                     void *y, void *stream)
{
    const struct psb_solve_choice &c = psb_solve_choice;
    const solve<D> q = { *a,
                         k,
                         given<D>(alpha),
                         given<D>(beta),
                         (const D *)x,
                         (const D *)left,
                         (const D *)right,
                         (D *)y,
                         (D *)((char *)a->work + PSB_SOLVE_HEAD),
                         (number *)a->work,
                         c.lead ? c.lead : LEAD };
    return run(q, c.warps, (cudaStream_t)stream);
}
