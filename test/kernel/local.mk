# Speed programs: run by hand, compared with the vendor's library in one run.
if HAVE_CUSPARSE
noinst_PROGRAMS += test/kernel/gpu_spmv
test_kernel_gpu_spmv_SOURCES  = test/kernel/gpu_spmv.c
test_kernel_gpu_spmv_CPPFLAGS = $(AM_CPPFLAGS) $(CUDA_CPPFLAGS)
test_kernel_gpu_spmv_LDADD    = libpsb_cuda.la libpsb_ext.la libpsb_base.la $(CUSPARSE_LIBS) $(CUDA_LIBS)
endif
