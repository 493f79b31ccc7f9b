# Speed programs, run by hand: `make kernel` builds all, `make test/kernel/halo` builds one, plain make none.  Each
# measures its peers, such as PETSc or cuSPARSE, in the same run.
.PHONY: kernel
kernel: $(kernel_programs) $(gpu_programs)
kernel_programs =
EXTRA_PROGRAMS += $(kernel_programs)
CLEANFILES     += $(kernel_programs)

kernel_programs += test/kernel/halo
test_kernel_halo_SOURCES = test/kernel/halo.c
test_kernel_halo_LDADD   = libpsb_base.la

kernel_programs += test/kernel/solve_all_s test/kernel/solve_all_d test/kernel/solve_all_c test/kernel/solve_all_z
solve_all_LDADD = libpsb_linsolve.la libpsb_util.la libpsb_cuda.la libpsb_ext.la libpsb_base.la
test_kernel_solve_all_s_SOURCES  = test/kernel/solve_all.c
test_kernel_solve_all_s_CPPFLAGS = $(AM_CPPFLAGS) -DPSB_TYPE=s
test_kernel_solve_all_s_LDADD    = $(solve_all_LDADD)
test_kernel_solve_all_d_SOURCES  = test/kernel/solve_all.c
test_kernel_solve_all_d_CPPFLAGS = $(AM_CPPFLAGS) -DPSB_TYPE=d
test_kernel_solve_all_d_LDADD    = $(solve_all_LDADD)
test_kernel_solve_all_c_SOURCES  = test/kernel/solve_all.c
test_kernel_solve_all_c_CPPFLAGS = $(AM_CPPFLAGS) -DPSB_TYPE=c
test_kernel_solve_all_c_LDADD    = $(solve_all_LDADD)
test_kernel_solve_all_z_SOURCES  = test/kernel/solve_all.c
test_kernel_solve_all_z_CPPFLAGS = $(AM_CPPFLAGS) -DPSB_TYPE=z
test_kernel_solve_all_z_LDADD    = $(solve_all_LDADD)

allocated = test/kernel/allocated.c test/kernel/allocated.h
kernel_programs += test/kernel/descriptors
test_kernel_descriptors_SOURCES = $(allocated) test/kernel/descriptors.c
test_kernel_descriptors_LDADD   = libpsb_base.la

# The memory of assembly and conversions, which a test limits.
check_PROGRAMS += test/kernel/memory
test_kernel_memory_SOURCES = $(allocated) test/kernel/memory.c
test_kernel_memory_LDADD   = libpsb_util.la libpsb_ext.la libpsb_base.la
EXTRA_DIST += test/kernel/memory.sh
TESTS      += test/kernel/memory.sh

# Sources shared by all speed programs; by those that time products; by those that compare solves with cuSPARSE's.
command = test/kernel/bench.c test/kernel/bench.h
bench = $(command) test/kernel/matrix.c test/kernel/matrix.h
compare = test/kernel/gpu_compare.c test/kernel/gpu_compare.h

# Strong and weak scaling of products by phases; also on the host and the fake device.
check_PROGRAMS += test/kernel/scaling
test_kernel_scaling_SOURCES  = $(bench) test/kernel/scaling.c test/kernel/scaling.h test/kernel/scaling_matrix.c \
                               test/kernel/scaling_system.c
test_kernel_scaling_CPPFLAGS = $(AM_CPPFLAGS) -DPSB_TYPE=d
test_kernel_scaling_LDADD    = libpsb_util.la libpsb_cuda.la libpsb_ext.la libpsb_base.la
if HAVE_CUDA
test_kernel_scaling_SOURCES  += test/kernel/cu.h
test_kernel_scaling_CPPFLAGS += -DWITH_CUDA $(CUDA_CPPFLAGS)
test_kernel_scaling_LDADD    += $(CUDA_LIBS)
endif
EXTRA_DIST += test/kernel/scaling.sh test/kernel/scaling_model.py
TESTS      += test/kernel/scaling.sh

if HAVE_PETSC
kernel_programs += test/kernel/assembly
test_kernel_assembly_SOURCES  = test/kernel/assembly.c
test_kernel_assembly_CPPFLAGS = $(AM_CPPFLAGS) $(PETSC_CFLAGS)
test_kernel_assembly_LDADD    = libpsb_base.la $(PETSC_LIBS)

kernel_programs += test/kernel/solve
test_kernel_solve_SOURCES  = $(bench) test/kernel/solve.c
test_kernel_solve_CPPFLAGS = $(AM_CPPFLAGS) -DPSB_TYPE=d $(PETSC_CFLAGS)
test_kernel_solve_LDADD    = libpsb_linsolve.la libpsb_util.la libpsb_ext.la libpsb_base.la $(PETSC_LIBS) -lm
endif

if HAVE_PETSC
kernel_programs += test/kernel/factor
test_kernel_factor_SOURCES  = $(bench) test/kernel/factor.c
test_kernel_factor_CPPFLAGS = $(AM_CPPFLAGS) $(PETSC_CFLAGS) -DPSB_TYPE=d
test_kernel_factor_LDADD    = libpsb_linsolve.la libpsb_util.la libpsb_ext.la libpsb_base.la $(PETSC_LIBS) -lm
endif

kernel_programs += test/kernel/cbind_overhead
test_kernel_cbind_overhead_SOURCES  = $(command) test/kernel/cbind_overhead.c
test_kernel_cbind_overhead_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/cbind -DPSB_TYPE=d
test_kernel_cbind_overhead_LDADD    = libpsb_cbind.la libpsb_linsolve.la libpsb_util.la libpsb_cuda.la libpsb_ext.la \
	libpsb_base.la

gpu_programs = test/kernel/gpu_spmv_s test/kernel/gpu_spmv_d test/kernel/gpu_spmv_c test/kernel/gpu_spmv_z
check_PROGRAMS += $(gpu_programs)
gpu_spmv = $(bench) test/kernel/gpu_spmv.c test/kernel/gpu_spmv.h test/kernel/gpu_problem.c \
	test/kernel/gpu_measure.c \
	test/kernel/gpu_clock.c test/kernel/gpu_report.c test/kernel/gpu_ours.c test/kernel/device_formats.h
gpu_CPPFLAGS = $(AM_CPPFLAGS)
gpu_LDADD    = $(cub) libpsb_util.la libpsb_cuda.la libpsb_ext.la libpsb_base.la
if HAVE_CUSPARSE
gpu_spmv     += test/kernel/peers_gpu.c test/kernel/peers_gpu.h test/kernel/peers_cusparse.c
gpu_CPPFLAGS += -DWITH_CUSPARSE $(CUDA_CPPFLAGS)
gpu_LDADD    += $(CUSPARSE_LIBS) $(CUDA_LIBS)
endif
if HAVE_CUB
cub           = test/kernel/peers_cub.$(OBJEXT)
gpu_spmv     += test/kernel/peers_cub.c
gpu_CPPFLAGS += -DWITH_CUB
$(cub): test/kernel/peers_cub.cu test/kernel/peers_cub.h
	$(AM_V_GEN)$(NVCC) $(NVCC_GENCODE) $(NVCCFLAGS) -isystem $(with_cub) -c -o $@ $(srcdir)/test/kernel/peers_cub.cu
CLEANFILES   += $(cub)
endif
EXTRA_DIST   += test/kernel/peers_cub.c test/kernel/peers_cub.h test/kernel/peers_cub.cu
test_kernel_gpu_spmv_s_SOURCES  = $(gpu_spmv)
test_kernel_gpu_spmv_s_CPPFLAGS = $(gpu_CPPFLAGS) -DPSB_TYPE=s
test_kernel_gpu_spmv_s_LDADD    = $(gpu_LDADD)
test_kernel_gpu_spmv_d_SOURCES  = $(gpu_spmv)
test_kernel_gpu_spmv_d_CPPFLAGS = $(gpu_CPPFLAGS) -DPSB_TYPE=d
test_kernel_gpu_spmv_d_LDADD    = $(gpu_LDADD)
test_kernel_gpu_spmv_c_SOURCES  = $(gpu_spmv)
test_kernel_gpu_spmv_c_CPPFLAGS = $(gpu_CPPFLAGS) -DPSB_TYPE=c
test_kernel_gpu_spmv_c_LDADD    = $(gpu_LDADD)
test_kernel_gpu_spmv_z_SOURCES  = $(gpu_spmv)
test_kernel_gpu_spmv_z_CPPFLAGS = $(gpu_CPPFLAGS) -DPSB_TYPE=z
test_kernel_gpu_spmv_z_LDADD    = $(gpu_LDADD)
EXTRA_DIST += test/kernel/gpu_table.sh test/kernel/gpu_table.awk test/kernel/gpu_spmv.sh
TESTS      += test/kernel/gpu_spmv.sh
EXTRA_DIST += test/kernel/made_matrices.py
gpu_convert_LDADD = libpsb_util.la libpsb_cuda.la libpsb_ext.la libpsb_base.la
kernel_programs += test/kernel/gpu_convert_d test/kernel/gpu_convert_s
test_kernel_gpu_convert_d_SOURCES  = $(bench) test/kernel/gpu_convert.c
test_kernel_gpu_convert_d_CPPFLAGS = $(AM_CPPFLAGS) -DPSB_TYPE=d
test_kernel_gpu_convert_d_LDADD    = $(gpu_convert_LDADD)
test_kernel_gpu_convert_s_SOURCES  = $(bench) test/kernel/gpu_convert.c
test_kernel_gpu_convert_s_CPPFLAGS = $(AM_CPPFLAGS) -DPSB_TYPE=s
test_kernel_gpu_convert_s_LDADD    = $(gpu_convert_LDADD)
check_PROGRAMS += test/kernel/matrix_test_d test/kernel/matrix_test_z
test_kernel_matrix_test_d_SOURCES  = $(bench) test/kernel/matrix_test.c
test_kernel_matrix_test_d_CPPFLAGS = $(AM_CPPFLAGS) -DPSB_TYPE=d
test_kernel_matrix_test_d_LDADD    = libpsb_util.la libpsb_ext.la libpsb_base.la
test_kernel_matrix_test_z_SOURCES  = $(bench) test/kernel/matrix_test.c
test_kernel_matrix_test_z_CPPFLAGS = $(AM_CPPFLAGS) -DPSB_TYPE=z
test_kernel_matrix_test_z_LDADD    = libpsb_util.la libpsb_ext.la libpsb_base.la

if HAVE_CUDA
kernel_programs += test/kernel/gpu_vect_s test/kernel/gpu_vect_d test/kernel/gpu_vect_c test/kernel/gpu_vect_z
gpu_vect_CPPFLAGS = $(AM_CPPFLAGS) $(CUDA_CPPFLAGS) $(CUBLAS_CPPFLAGS)
gpu_vect_LDADD    = libpsb_cuda.la libpsb_ext.la libpsb_base.la $(CUBLAS_LIBS) $(CUDA_LIBS) -lm
test_kernel_gpu_vect_s_SOURCES  = $(command) test/kernel/cu.h test/kernel/gpu_vect.c
test_kernel_gpu_vect_s_CPPFLAGS = $(gpu_vect_CPPFLAGS) -DPSB_TYPE=s
test_kernel_gpu_vect_s_LDADD    = $(gpu_vect_LDADD)
test_kernel_gpu_vect_d_SOURCES  = $(command) test/kernel/cu.h test/kernel/gpu_vect.c
test_kernel_gpu_vect_d_CPPFLAGS = $(gpu_vect_CPPFLAGS) -DPSB_TYPE=d
test_kernel_gpu_vect_d_LDADD    = $(gpu_vect_LDADD)
test_kernel_gpu_vect_c_SOURCES  = $(command) test/kernel/cu.h test/kernel/gpu_vect.c
test_kernel_gpu_vect_c_CPPFLAGS = $(gpu_vect_CPPFLAGS) -DPSB_TYPE=c
test_kernel_gpu_vect_c_LDADD    = $(gpu_vect_LDADD)
test_kernel_gpu_vect_z_SOURCES  = $(command) test/kernel/cu.h test/kernel/gpu_vect.c
test_kernel_gpu_vect_z_CPPFLAGS = $(gpu_vect_CPPFLAGS) -DPSB_TYPE=z
test_kernel_gpu_vect_z_LDADD    = $(gpu_vect_LDADD)

kernel_programs += test/kernel/cg_device
test_kernel_cg_device_SOURCES  = $(command) test/kernel/cu.h test/kernel/cg_device.c
test_kernel_cg_device_CPPFLAGS = $(AM_CPPFLAGS) $(CUDA_CPPFLAGS) -DPSB_TYPE=d
test_kernel_cg_device_LDADD    = libpsb_util.la libpsb_cuda.la libpsb_ext.la libpsb_base.la $(CUDA_LIBS)

check_PROGRAMS += test/kernel/gpu_graph
TESTS          += test/kernel/gpu_graph
test_kernel_gpu_graph_SOURCES  = $(command) test/kernel/cu.h test/kernel/gpu_graph.c
test_kernel_gpu_graph_CPPFLAGS = $(AM_CPPFLAGS) $(CUDA_CPPFLAGS) -DPSB_TYPE=d
test_kernel_gpu_graph_LDADD    = libpsb_cuda.la libpsb_ext.la libpsb_base.la $(CUDA_LIBS)
endif

# Fused products and separate calls; also with the fake device.
kernel_programs += test/kernel/gpu_fused_s test/kernel/gpu_fused_d test/kernel/gpu_fused_c test/kernel/gpu_fused_z
test_kernel_gpu_fused_s_SOURCES  = $(command) test/kernel/gpu_fused.c
test_kernel_gpu_fused_s_CPPFLAGS = $(AM_CPPFLAGS) -DPSB_TYPE=s
test_kernel_gpu_fused_s_LDADD    = libpsb_cuda.la libpsb_ext.la libpsb_base.la -lm
test_kernel_gpu_fused_d_SOURCES  = $(command) test/kernel/gpu_fused.c
test_kernel_gpu_fused_d_CPPFLAGS = $(AM_CPPFLAGS) -DPSB_TYPE=d
test_kernel_gpu_fused_d_LDADD    = libpsb_cuda.la libpsb_ext.la libpsb_base.la -lm
test_kernel_gpu_fused_c_SOURCES  = $(command) test/kernel/gpu_fused.c
test_kernel_gpu_fused_c_CPPFLAGS = $(AM_CPPFLAGS) -DPSB_TYPE=c
test_kernel_gpu_fused_c_LDADD    = libpsb_cuda.la libpsb_ext.la libpsb_base.la -lm
test_kernel_gpu_fused_z_SOURCES  = $(command) test/kernel/gpu_fused.c
test_kernel_gpu_fused_z_CPPFLAGS = $(AM_CPPFLAGS) -DPSB_TYPE=z
test_kernel_gpu_fused_z_LDADD    = libpsb_cuda.la libpsb_ext.la libpsb_base.la -lm

# Triangular solves, with SpSV as the peer if there is cuSPARSE; also with the fake device.
kernel_programs += test/kernel/gpu_solve
test_kernel_gpu_solve_SOURCES  = $(bench) $(compare) test/kernel/gpu_solve.c test/kernel/gpu_solve.h
test_kernel_gpu_solve_CPPFLAGS = $(gpu_CPPFLAGS) -DPSB_TYPE=d
test_kernel_gpu_solve_LDADD    = libpsb_linsolve.la $(gpu_LDADD) -lm
if HAVE_CUSPARSE
test_kernel_gpu_solve_SOURCES += test/kernel/peers_spsv.c test/kernel/cu.h
endif

# Incomplete factors, with csrilu02 and csric02 as the peers if there is cuSPARSE; also with the fake device.
kernel_programs += test/kernel/gpu_factor
test_kernel_gpu_factor_SOURCES  = $(bench) $(compare) test/kernel/gpu_factor.c test/kernel/gpu_factor.h
test_kernel_gpu_factor_CPPFLAGS = $(gpu_CPPFLAGS) -DPSB_TYPE=d
test_kernel_gpu_factor_LDADD    = libpsb_linsolve.la $(gpu_LDADD) -lm
if HAVE_CUSPARSE
test_kernel_gpu_factor_SOURCES += test/kernel/peers_csrilu.c test/kernel/cu.h
endif

# A matrix with more than 2^31 entries; run by hand.
kernel_programs += test/kernel/gpu_large_s test/kernel/gpu_large_d test/kernel/gpu_large_c test/kernel/gpu_large_z
test_kernel_gpu_large_s_SOURCES  = $(command) test/kernel/device_formats.h test/kernel/gpu_large.c
test_kernel_gpu_large_s_CPPFLAGS = $(AM_CPPFLAGS) -DPSB_TYPE=s
test_kernel_gpu_large_s_LDADD    = libpsb_cuda.la libpsb_ext.la libpsb_base.la -lm
test_kernel_gpu_large_d_SOURCES  = $(command) test/kernel/device_formats.h test/kernel/gpu_large.c
test_kernel_gpu_large_d_CPPFLAGS = $(AM_CPPFLAGS) -DPSB_TYPE=d
test_kernel_gpu_large_d_LDADD    = libpsb_cuda.la libpsb_ext.la libpsb_base.la -lm
test_kernel_gpu_large_c_SOURCES  = $(command) test/kernel/device_formats.h test/kernel/gpu_large.c
test_kernel_gpu_large_c_CPPFLAGS = $(AM_CPPFLAGS) -DPSB_TYPE=c
test_kernel_gpu_large_c_LDADD    = libpsb_cuda.la libpsb_ext.la libpsb_base.la -lm
test_kernel_gpu_large_z_SOURCES  = $(command) test/kernel/device_formats.h test/kernel/gpu_large.c
test_kernel_gpu_large_z_CPPFLAGS = $(AM_CPPFLAGS) -DPSB_TYPE=z
test_kernel_gpu_large_z_LDADD    = libpsb_cuda.la libpsb_ext.la libpsb_base.la -lm

kernel_programs += test/kernel/mm_read
test_kernel_mm_read_SOURCES = test/kernel/mm_read.c
test_kernel_mm_read_LDADD   = libpsb_util.la libpsb_base.la
EXTRA_DIST += test/kernel/read.sh

kernel_programs += test/kernel/intrinsics
test_kernel_intrinsics_SOURCES  = $(bench) test/kernel/intrinsics.c
test_kernel_intrinsics_CPPFLAGS = $(AM_CPPFLAGS) -DPSB_TYPE=d
test_kernel_intrinsics_LDADD    = libpsb_util.la libpsb_ext.la libpsb_base.la -lm

kernel_programs += test/kernel/host_spmv_s test/kernel/host_spmv_d test/kernel/host_spmv_c test/kernel/host_spmv_z
host_spmv = $(bench) test/kernel/host_spmv.c test/kernel/host_spmv.h test/kernel/host_problem.c \
	test/kernel/host_measure.c test/kernel/host_report.c test/kernel/host_ours.c test/kernel/host_spread.c
host_spmv_LDADD = libpsb_util.la libpsb_rsb.la libpsb_ext.la libpsb_base.la -lm
test_kernel_host_spmv_s_SOURCES  = $(host_spmv)
test_kernel_host_spmv_s_CPPFLAGS = $(AM_CPPFLAGS) -DPSB_TYPE=s
test_kernel_host_spmv_s_LDADD    = $(host_spmv_LDADD)
test_kernel_host_spmv_d_SOURCES  = $(host_spmv)
test_kernel_host_spmv_d_CPPFLAGS = $(AM_CPPFLAGS) -DPSB_TYPE=d
test_kernel_host_spmv_d_LDADD    = $(host_spmv_LDADD)
test_kernel_host_spmv_c_SOURCES  = $(host_spmv)
test_kernel_host_spmv_c_CPPFLAGS = $(AM_CPPFLAGS) -DPSB_TYPE=c
test_kernel_host_spmv_c_LDADD    = $(host_spmv_LDADD)
test_kernel_host_spmv_z_SOURCES  = $(host_spmv)
test_kernel_host_spmv_z_CPPFLAGS = $(AM_CPPFLAGS) -DPSB_TYPE=z
test_kernel_host_spmv_z_LDADD    = $(host_spmv_LDADD)
if HAVE_PETSC
test_kernel_host_spmv_d_SOURCES  += test/kernel/peers_petsc.c
test_kernel_host_spmv_d_CPPFLAGS += -DWITH_PETSC $(PETSC_CFLAGS)
test_kernel_host_spmv_d_LDADD    += $(PETSC_LIBS)
endif
if HAVE_RSB
test_kernel_host_spmv_d_SOURCES  += test/kernel/peers_rsb.c
test_kernel_host_spmv_d_CPPFLAGS += -DWITH_RSB $(RSB_CFLAGS)
test_kernel_host_spmv_d_LDADD    += $(RSB_LIBS)
test_kernel_host_spmv_s_SOURCES  += test/kernel/peers_rsb.c
test_kernel_host_spmv_s_CPPFLAGS += -DWITH_RSB $(RSB_CFLAGS)
test_kernel_host_spmv_s_LDADD    += $(RSB_LIBS)
endif
EXTRA_DIST += test/kernel/host_table.sh test/kernel/host_table.awk
if HAVE_PETSC
kernel_programs += test/kernel/solve_petsc
test_kernel_solve_petsc_SOURCES  = $(bench) test/kernel/solve_petsc.c
test_kernel_solve_petsc_CPPFLAGS = $(AM_CPPFLAGS) $(PETSC_CFLAGS)
test_kernel_solve_petsc_LDADD    = libpsb_linsolve.la libpsb_util.la libpsb_ext.la libpsb_base.la $(PETSC_LIBS) -lm
endif
