/* vec_launchers.t.cuh -- room: cuda/kernels.  The CUDA side of vec_launchers.t.h. */
extern "C" int X(each_dev)(enum psb_each what, psb_epk n, const void *f, const void *x, const void *y,
                           const void *w, void *u, void *z, void *stream)
{
    arrays<D> a = { (const D *)x, (const D *)y, (const D *)w, (D *)u, (D *)z };
    return each(what, n, given<factors<D>>(f), a, (cudaStream_t)stream);
}

extern "C" int X(over_dev)(enum psb_over what, psb_ipk n, int k, int m, const void *x, const void *y,
                           const void *z, double *partial, double *sum, void *stream)
{
    columns<D> a = { n, k, m, (const D *)x, (const D *)y, (const D *)z };
    return over(what, a, partial, sum, (cudaStream_t)stream);
}

extern "C" int X(epilogue_dev)(psb_ipk n, const void *y, const struct psb_dev_epilogue *t, void *stream)
{
    return follow(n, (const D *)y, *t, (cudaStream_t)stream);
}

extern "C" int X(axpbys_dev)(psb_epk n, int m, const struct psb_dev_axpby *t, void *stream)
{
    return run_axpbys<D>(n, m, t, (cudaStream_t)stream);
}

extern "C" int X(axpby_cols_dev)(psb_ipk n, int k, const void *alpha, const void *x, const void *beta,
                                 void *y, void *stream)
{
    return run_axpby_cols(n, k, (const D *)alpha, (const D *)x, (const D *)beta, (D *)y,
                          (cudaStream_t)stream);
}
