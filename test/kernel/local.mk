# Speed programs, run by hand: `make kernel` builds all, `make test/kernel/halo` builds one, plain make none.  Each
# measures its peers, such as PETSc or cuSPARSE, in the same run.
.PHONY: kernel
kernel: $(kernel_programs) test/kernel/gpu_spmv test/kernel/gpu_solve
kernel_programs =
EXTRA_PROGRAMS += $(kernel_programs)
CLEANFILES     += $(kernel_programs)

# What all programs have, and their libraries.
bench = test/kernel/bench.c test/kernel/bench.h
kernel_LDADD = libpsb_linsolve.la libpsb_util.la libpsb_rsb.la libpsb_cuda.la libpsb_ext.la libpsb_base.la -lm
matrix_LDADD = test/kernel/libmatrix_d.a $(kernel_LDADD)

# A program that takes --type s, d, c or z is main.c with its name in PROGRAM and two libraries of each scalar:
# libmatrix has what `make check` runs, libspeed the rest.  Other programs are for double, with libmatrix_d.
ARFLAGS = cr
EXTRA_LIBRARIES = $(libmatrix) $(libspeed)
CLEANFILES += $(libmatrix) $(libspeed)
libmatrix = test/kernel/libmatrix_s.a test/kernel/libmatrix_d.a test/kernel/libmatrix_c.a test/kernel/libmatrix_z.a
libspeed  = test/kernel/libspeed_s.a test/kernel/libspeed_d.a test/kernel/libspeed_c.a test/kernel/libspeed_z.a
libmatrix_sources = test/kernel/matrix.c test/kernel/matrix.h test/kernel/matrix_test.c test/kernel/spmv.c \
	test/kernel/spmv.h test/kernel/spmv_options.h test/kernel/gpu_spmv.c test/kernel/device_formats.h
libspeed_sources = test/kernel/host_spmv.c test/kernel/gpu_algebra.c test/kernel/gpu_band.c test/kernel/gpu_convert.c test/kernel/gpu_coo.c \
	test/kernel/gpu_dense.c test/kernel/gpu_fused.c test/kernel/gpu_large.c test/kernel/multigrid.c test/kernel/solve_all.c \
	test/kernel/sparse_algebra.c test/kernel/prolongator.c
kernel_CPPFLAGS = $(AM_CPPFLAGS)
if HAVE_CUSPARSE
libmatrix_sources += test/kernel/peers_gpu.h test/kernel/peers_cusparse.c
libspeed_sources  += test/kernel/peers_algebra.h test/kernel/peers_algebra.c
kernel_CPPFLAGS   += -DWITH_CUSPARSE $(CUDA_CPPFLAGS)
cusparse_LIBS         = $(CUSPARSE_LIBS) $(CUDA_LIBS)
endif
if HAVE_CUB
libmatrix_sources += test/kernel/peers_cub.c
kernel_CPPFLAGS   += -DWITH_CUB
endif
if HAVE_CUDA
libspeed_sources += test/kernel/cu.h test/kernel/gpu_vect.c
kernel_CPPFLAGS  += $(CUDA_CPPFLAGS) $(CUBLAS_CPPFLAGS)
endif
test_kernel_libmatrix_s_a_SOURCES  = $(libmatrix_sources)
test_kernel_libmatrix_s_a_CPPFLAGS = $(kernel_CPPFLAGS) -DPSB_TYPE=s
test_kernel_libmatrix_d_a_SOURCES  = $(libmatrix_sources)
test_kernel_libmatrix_d_a_CPPFLAGS = $(kernel_CPPFLAGS) -DPSB_TYPE=d
test_kernel_libmatrix_c_a_SOURCES  = $(libmatrix_sources)
test_kernel_libmatrix_c_a_CPPFLAGS = $(kernel_CPPFLAGS) -DPSB_TYPE=c
test_kernel_libmatrix_z_a_SOURCES  = $(libmatrix_sources)
test_kernel_libmatrix_z_a_CPPFLAGS = $(kernel_CPPFLAGS) -DPSB_TYPE=z
test_kernel_libspeed_s_a_SOURCES   = $(libspeed_sources)
test_kernel_libspeed_s_a_CPPFLAGS  = $(kernel_CPPFLAGS) -DPSB_TYPE=s
test_kernel_libspeed_d_a_SOURCES   = $(libspeed_sources)
test_kernel_libspeed_d_a_CPPFLAGS  = $(kernel_CPPFLAGS) -DPSB_TYPE=d
test_kernel_libspeed_c_a_SOURCES   = $(libspeed_sources)
test_kernel_libspeed_c_a_CPPFLAGS  = $(kernel_CPPFLAGS) -DPSB_TYPE=c
test_kernel_libspeed_z_a_SOURCES   = $(libspeed_sources)
test_kernel_libspeed_z_a_CPPFLAGS  = $(kernel_CPPFLAGS) -DPSB_TYPE=z
with_main = $(bench) test/kernel/main.c
with_main_LDADD = $(libspeed) $(libmatrix) $(kernel_LDADD) $(cusparse_LIBS)

# Products on a GPU; a test on the fake device.
check_PROGRAMS += test/kernel/gpu_spmv test/kernel/matrix_test
test_kernel_gpu_spmv_SOURCES  = $(with_main) test/kernel/spmv_options.c
test_kernel_gpu_spmv_CPPFLAGS = $(AM_CPPFLAGS) -DPROGRAM=gpu_spmv
test_kernel_gpu_spmv_LDADD    = $(libmatrix) $(kernel_LDADD) $(cusparse_LIBS)
test_kernel_matrix_test_SOURCES  = $(with_main) test/kernel/spmv_options.c
test_kernel_matrix_test_CPPFLAGS = $(AM_CPPFLAGS) -DPROGRAM=matrix_test
test_kernel_matrix_test_LDADD    = $(libmatrix) $(kernel_LDADD)
if HAVE_CUB
test_kernel_gpu_spmv_LDADD += test/kernel/peers_cub.$(OBJEXT)
test/kernel/peers_cub.$(OBJEXT): test/kernel/peers_cub.cu test/kernel/peers_cub.h
	$(AM_V_GEN)$(NVCC) $(NVCC_GENCODE) $(NVCCFLAGS) -isystem $(with_cub) -c -o $@ $(srcdir)/test/kernel/peers_cub.cu
CLEANFILES += test/kernel/peers_cub.$(OBJEXT)
endif
EXTRA_DIST += test/kernel/peers_cub.c test/kernel/peers_cub.h test/kernel/peers_cub.cu
EXTRA_DIST += test/kernel/table.sh test/kernel/table.awk test/kernel/gpu_spmv.sh test/kernel/made_matrices.py
EXTRA_DIST += test/kernel/hard_matrices.py
TESTS      += test/kernel/gpu_spmv.sh

# Products on the host; PETSc is configured for double.
kernel_programs += test/kernel/host_spmv
test_kernel_host_spmv_SOURCES  = $(with_main) test/kernel/spmv_options.c
test_kernel_host_spmv_CPPFLAGS = $(AM_CPPFLAGS) -DPROGRAM=host_spmv
test_kernel_host_spmv_LDADD    = $(with_main_LDADD)
if HAVE_PETSC
test_kernel_libspeed_d_a_SOURCES  += test/kernel/peers_petsc.c test/kernel/petsc.h
test_kernel_libspeed_d_a_CPPFLAGS += -DWITH_PETSC $(PETSC_CFLAGS)
test_kernel_host_spmv_LDADD       += $(PETSC_LIBS)
endif
if HAVE_RSB
test_kernel_libspeed_d_a_SOURCES  += test/kernel/peers_rsb.c
test_kernel_libspeed_d_a_CPPFLAGS += -DWITH_RSB $(RSB_CFLAGS)
test_kernel_libspeed_s_a_SOURCES  += test/kernel/peers_rsb.c
test_kernel_libspeed_s_a_CPPFLAGS += -DWITH_RSB $(RSB_CFLAGS)
test_kernel_host_spmv_LDADD       += $(RSB_LIBS)
endif

# Conversions; fused products and separate calls; a matrix of more than 2^31 entries: also with the fake device.
kernel_programs += test/kernel/gpu_algebra test/kernel/gpu_band test/kernel/gpu_convert test/kernel/gpu_coo test/kernel/gpu_dense test/kernel/gpu_fused \
	test/kernel/gpu_large test/kernel/multigrid test/kernel/solve_all
test_kernel_gpu_algebra_SOURCES  = $(with_main)
test_kernel_gpu_algebra_CPPFLAGS = $(AM_CPPFLAGS) -DPROGRAM=gpu_algebra
test_kernel_gpu_algebra_LDADD    = $(with_main_LDADD)
test_kernel_gpu_band_SOURCES  = $(with_main)
test_kernel_gpu_band_CPPFLAGS = $(AM_CPPFLAGS) -DPROGRAM=gpu_band
test_kernel_gpu_band_LDADD    = $(with_main_LDADD)
test_kernel_gpu_convert_SOURCES  = $(with_main)
test_kernel_gpu_convert_CPPFLAGS = $(AM_CPPFLAGS) -DPROGRAM=gpu_convert
test_kernel_gpu_convert_LDADD    = $(with_main_LDADD)
test_kernel_gpu_coo_SOURCES  = $(with_main)
test_kernel_gpu_coo_CPPFLAGS = $(AM_CPPFLAGS) -DPROGRAM=gpu_coo
test_kernel_gpu_coo_LDADD    = $(with_main_LDADD)
test_kernel_gpu_dense_SOURCES  = $(with_main)
test_kernel_gpu_dense_CPPFLAGS = $(AM_CPPFLAGS) -DPROGRAM=gpu_dense
test_kernel_gpu_dense_LDADD    = $(with_main_LDADD)
test_kernel_gpu_fused_SOURCES    = $(with_main)
test_kernel_gpu_fused_CPPFLAGS   = $(AM_CPPFLAGS) -DPROGRAM=gpu_fused
test_kernel_gpu_fused_LDADD      = $(with_main_LDADD)
test_kernel_gpu_large_SOURCES    = $(with_main)
test_kernel_gpu_large_CPPFLAGS   = $(AM_CPPFLAGS) -DPROGRAM=gpu_large
test_kernel_gpu_large_LDADD      = $(with_main_LDADD)
test_kernel_multigrid_SOURCES    = $(with_main)
test_kernel_multigrid_CPPFLAGS   = $(AM_CPPFLAGS) -DPROGRAM=multigrid
test_kernel_multigrid_LDADD      = $(with_main_LDADD)
test_kernel_solve_all_SOURCES    = $(with_main)
test_kernel_solve_all_CPPFLAGS   = $(AM_CPPFLAGS) -DPROGRAM=solve_all
test_kernel_solve_all_LDADD      = $(with_main_LDADD)

# Products, sums and transposes of sparse matrices beside PETSc's.
kernel_programs += test/kernel/sparse_algebra
test_kernel_sparse_algebra_SOURCES  = $(with_main)
test_kernel_sparse_algebra_CPPFLAGS = $(AM_CPPFLAGS) -DPROGRAM=sparse_algebra
test_kernel_sparse_algebra_LDADD    = $(with_main_LDADD)
if HAVE_PETSC
test_kernel_sparse_algebra_LDADD   += $(PETSC_LIBS)
endif

# Incomplete factors and triangular solves, with cuSPARSE as the peer if it is there; also with the fake device.
kernel_programs += test/kernel/gpu_factor
test_kernel_gpu_factor_SOURCES  = $(bench) test/kernel/gpu_factor.c test/kernel/gpu_factor.h
test_kernel_gpu_factor_CPPFLAGS = $(kernel_CPPFLAGS) -DPSB_TYPE=d
test_kernel_gpu_factor_LDADD    = $(matrix_LDADD) $(cusparse_LIBS)
if HAVE_CUSPARSE
test_kernel_gpu_factor_SOURCES += test/kernel/peers_factor.c test/kernel/cu.h
endif

# Solves; a test on the fake device.
check_PROGRAMS += test/kernel/gpu_solve
test_kernel_gpu_solve_SOURCES  = $(bench) test/kernel/gpu_solve.c test/kernel/solve_cost.c test/kernel/solve_cost.h
test_kernel_gpu_solve_CPPFLAGS = $(AM_CPPFLAGS) -DPSB_TYPE=d
test_kernel_gpu_solve_LDADD    = $(matrix_LDADD)
cg_graph = test/kernel/cg_graph.c test/kernel/cg_graph.h test/kernel/cu.h
if HAVE_CUDA
test_kernel_gpu_solve_SOURCES  += $(cg_graph)
test_kernel_gpu_solve_CPPFLAGS += -DWITH_CUDA $(CUDA_CPPFLAGS)
test_kernel_gpu_solve_LDADD    += $(CUDA_LIBS)
endif
EXTRA_DIST += test/kernel/gpu_solve.sh
TESTS      += test/kernel/gpu_solve.sh

if HAVE_CUDA
kernel_programs += test/kernel/gpu_vect test/kernel/cg_device
test_kernel_gpu_vect_SOURCES   = $(with_main)
test_kernel_gpu_vect_CPPFLAGS  = $(AM_CPPFLAGS) -DPROGRAM=gpu_vect
test_kernel_gpu_vect_LDADD     = $(libspeed) $(kernel_LDADD) $(CUBLAS_LIBS) $(CUDA_LIBS)
test_kernel_cg_device_SOURCES  = $(bench) $(cg_graph) test/kernel/cg_device.c
test_kernel_cg_device_CPPFLAGS = $(AM_CPPFLAGS) $(CUDA_CPPFLAGS) -DPSB_TYPE=d
test_kernel_cg_device_LDADD    = $(matrix_LDADD) $(CUDA_LIBS)

check_PROGRAMS += test/kernel/gpu_graph
TESTS          += test/kernel/gpu_graph
test_kernel_gpu_graph_SOURCES  = $(bench) test/kernel/cu.h test/kernel/gpu_graph.c
test_kernel_gpu_graph_CPPFLAGS = $(AM_CPPFLAGS) $(CUDA_CPPFLAGS) -DPSB_TYPE=d
test_kernel_gpu_graph_LDADD    = $(kernel_LDADD) $(CUDA_LIBS)
endif

kernel_programs += test/kernel/halo test/kernel/mm_read test/kernel/cbind_overhead
test_kernel_halo_SOURCES            = $(bench) test/kernel/halo.c
test_kernel_halo_LDADD              = $(kernel_LDADD)
test_kernel_mm_read_SOURCES         = $(bench) test/kernel/mm_read.c
test_kernel_mm_read_LDADD           = $(kernel_LDADD)
EXTRA_DIST += test/kernel/read.sh
kernel_programs += test/kernel/log_overhead
test_kernel_log_overhead_SOURCES  = $(bench) test/kernel/log_overhead.c
test_kernel_log_overhead_CPPFLAGS = $(AM_CPPFLAGS) -DPSB_TYPE=d
test_kernel_log_overhead_LDADD    = $(matrix_LDADD)
test_kernel_cbind_overhead_SOURCES  = $(bench) test/kernel/cbind_overhead.c
test_kernel_cbind_overhead_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/cbind -I$(srcdir)/test/cbind -DPSB_TYPE=d
test_kernel_cbind_overhead_LDADD    = libpsb_cbind.la $(kernel_LDADD)

# The memory of descriptors, and of assembly and conversions, which a test limits.
allocated = test/kernel/allocated.c test/kernel/allocated.h
kernel_programs += test/kernel/descriptors
test_kernel_descriptors_SOURCES = $(bench) $(allocated) test/kernel/descriptors.c
test_kernel_descriptors_LDADD   = $(kernel_LDADD)
check_PROGRAMS += test/kernel/memory
test_kernel_memory_SOURCES = $(bench) $(allocated) test/kernel/memory.c
test_kernel_memory_LDADD   = $(kernel_LDADD)
EXTRA_DIST += test/kernel/memory.sh
TESTS      += test/kernel/memory.sh

# Strong and weak scaling of products by phases; also on the host and the fake device.
check_PROGRAMS += test/kernel/scaling
test_kernel_scaling_SOURCES  = $(bench) test/kernel/scaling.c test/kernel/scaling.h test/kernel/scaling_matrix.c \
                               test/kernel/scaling_system.c
test_kernel_scaling_CPPFLAGS = $(AM_CPPFLAGS) -DPSB_TYPE=d
test_kernel_scaling_LDADD    = $(matrix_LDADD)
if HAVE_CUDA
test_kernel_scaling_SOURCES  += test/kernel/cu.h
test_kernel_scaling_CPPFLAGS += -DWITH_CUDA $(CUDA_CPPFLAGS)
test_kernel_scaling_LDADD    += $(CUDA_LIBS)
endif
EXTRA_DIST += test/kernel/scaling.sh test/kernel/scaling_model.py
TESTS      += test/kernel/scaling.sh

EXTRA_DIST += test/kernel/solve_petsc.sh
if HAVE_PETSC
kernel_programs += test/kernel/assembly test/kernel/factor test/kernel/solve_petsc
test_kernel_assembly_SOURCES     = $(bench) test/kernel/assembly.c test/kernel/petsc.h
test_kernel_assembly_CPPFLAGS    = $(AM_CPPFLAGS) -DPSB_TYPE=d $(PETSC_CFLAGS)
test_kernel_assembly_LDADD       = $(matrix_LDADD) $(PETSC_LIBS)
test_kernel_factor_SOURCES       = $(bench) test/kernel/factor.c test/kernel/petsc.h
test_kernel_factor_CPPFLAGS      = $(AM_CPPFLAGS) -DPSB_TYPE=d $(PETSC_CFLAGS)
test_kernel_factor_LDADD         = $(matrix_LDADD) $(PETSC_LIBS)
test_kernel_solve_petsc_SOURCES  = $(bench) test/kernel/solve_petsc.c test/kernel/petsc.h
test_kernel_solve_petsc_CPPFLAGS = $(AM_CPPFLAGS) -DPSB_TYPE=d $(PETSC_CFLAGS)
test_kernel_solve_petsc_LDADD    = $(matrix_LDADD) $(PETSC_LIBS)
endif
