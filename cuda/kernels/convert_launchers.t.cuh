/* convert_launchers.t.cuh -- room: cuda/kernels.  The CUDA side of convert_launchers.t.h. */
extern "C" psb_err X(coo_merge_cuda)(const struct psb_dev_triplets *t, const psb_epk *order,
                                     const psb_epk *place, int overwrite, const struct psb_new_triplets *to)
{
    return step_ended(run_merge<D>(*t, order, place, overwrite, *to));
}

extern "C" psb_err X(coo_gather_cuda)(const struct psb_dev_triplets *t, const psb_epk *order,
                                      const struct psb_new_triplets *to)
{
    return step_ended(run_gather<D>(*t, order, *to));
}

extern "C" psb_err X(compressed_put_cuda)(const struct psb_dev_compressed *a, const struct psb_placed *q)
{
    return step_ended(put<D>(*a, *q));
}

extern "C" psb_err X(compressed_diagonal_cuda)(const struct psb_dev_compressed *a,
                                               const struct psb_diagonal *q)
{
    return step_ended(run_diagonal<D>(*a, *q));
}

extern "C" psb_err X(compressed_scale_cuda)(const struct psb_dev_compressed *a, const struct psb_factors *q)
{
    return step_ended(scale<D>(*a, *q));
}

extern "C" psb_err X(hll_fill_cuda)(const struct psb_dev_compressed *from, psb_epk widest,
                                    const struct psb_dev_compressed *a)
{
    return step_ended(run_hll_fill<D>(*from, widest, *a));
}

extern "C" psb_err X(hll_to_csr_cuda)(const struct psb_dev_compressed *a, const struct psb_dev_compressed *to)
{
    return step_ended(to_csr<D>(*a, *to));
}

extern "C" psb_err X(hdia_fill_cuda)(const struct psb_dev_compressed *from, const struct psb_dev_hdia *a)
{
    return step_ended(fill_diagonals<D>(*from, *a));
}

extern "C" psb_err X(hdia_to_csr_cuda)(const struct psb_dev_hdia *a, const struct psb_dev_compressed *to)
{
    return step_ended(to_csr<D>(*a, *to));
}

extern "C" psb_err X(hdia_put_cuda)(const struct psb_dev_hdia *a, const struct psb_placed *q)
{
    return step_ended(put<D>(*a, *q));
}

extern "C" psb_err X(hdia_diagonal_cuda)(const struct psb_dev_hdia *a, const struct psb_diagonal *q)
{
    return step_ended(run_diagonal<D>(*a, *q));
}

extern "C" psb_err X(hdia_scale_cuda)(const struct psb_dev_hdia *a, const struct psb_factors *q)
{
    return step_ended(scale<D>(*a, *q));
}

extern "C" psb_err X(hdia_zero_cuda)(const struct psb_dev_hdia *a, size_t bytes)
{
    return step_ended(clear<D>(*a, bytes));
}
