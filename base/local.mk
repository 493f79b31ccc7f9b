# Sources compiled once.
base_common = \
	base/err.c base/alloc.c base/threads.c base/team.c base/keys.c base/simd.c base/transfer.c base/trace.c base/dual.c base/vmold.c base/ctxt.c \
	base/exchange.c base/request.c base/coll.c base/merge.c base/reduce.c base/coll_gather.c base/p2p.c \
	base/timers.c base/hash.c base/group.c base/directory.c base/map.c base/desc.c base/cdall.c base/desc_asb.c \
	base/desc_query.c base/desc_ext.c base/remote.c base/columns.c base/comm.c
# Sources compiled once per scalar type.
base_typed = \
	base/vec_host.c base/formats.c base/mat.c base/mat_root.c base/mat_is.c base/mat_mv.c base/mat_values.c \
	base/mat_sums.c base/mat_parts.c base/mat_two.c base/mat_print.c base/add_up.c base/product.c base/put.c base/lines.c \
	base/lines_mv.c base/coo.c base/coo_mv.c base/csr.c base/csc.c base/vect.c base/vect_access.c base/vect_remote.c base/operands.c base/geops.c base/gesums.c base/gather.c \
	base/halo.c base/ovrl.c base/spmat.c base/spins.c base/sprn.c base/spasb.c base/cdbldext.c base/spmv.c \
	base/spmv_over.c base/spmv_fused.c base/sp_parts.c base/sp_sums.c base/sp_values.c base/sp_solve.c base/sp_halo.c \
	base/sp_mult.c base/sp_two.c base/sp_gather.c base/sp_turn.c base/sp_take.c

pkginclude_HEADERS += \
	base/base.t.h base/base_formats.h base/coo.t.h base/csc.t.h base/csr.t.h base/geops.t.h base/lines.t.h \
	base/mat.t.h base/mat_calls.t.h base/psb_alloc.h base/psb_base.h base/psb_coll.h base/psb_ctxt.h \
	base/psb_desc.h base/psb_dual.h base/psb_each_type.h base/psb_err.h base/psb_front.h base/psb_int.h \
	base/psb_mat.h base/psb_names.h base/psb_search.h base/psb_simd.h base/psb_team.h base/psb_threads.h base/psb_timers.h base/psb_type.h \
	base/psb_vmold.h base/add_up.t.h base/product.t.h base/put.t.h base/sp_calls.t.h base/spmat.t.h base/vec_ops.t.h base/vect.t.h
noinst_HEADERS += \
	base/psb_each_simd.h base/coo_kernels.t.h base/lines_kernels.t.h base/lanes_kernels.t.h base/columns_kernels.t.h base/product_kernels.t.h \
	base/comm.h base/ctxt.h base/desc.h base/directory.h base/group.h base/hash.h base/keys.h base/map.h base/mat_inside.h base/psb_trace.h \
	base/merge.h base/merge.t.h base/operands.h base/reduce.h base/remote.h base/request.h base/columns.h

noinst_LTLIBRARIES += libbase_s.la libbase_d.la libbase_c.la libbase_z.la
libbase_s_la_SOURCES  = $(base_typed)
libbase_s_la_CPPFLAGS = $(AM_CPPFLAGS) -DPSB_TYPE=s
libbase_d_la_SOURCES  = $(base_typed)
libbase_d_la_CPPFLAGS = $(AM_CPPFLAGS) -DPSB_TYPE=d
libbase_c_la_SOURCES  = $(base_typed)
libbase_c_la_CPPFLAGS = $(AM_CPPFLAGS) -DPSB_TYPE=c
libbase_z_la_SOURCES  = $(base_typed)
libbase_z_la_CPPFLAGS = $(AM_CPPFLAGS) -DPSB_TYPE=z

lib_LTLIBRARIES += libpsb_base.la
libpsb_base_la_SOURCES = $(base_common)
libpsb_base_la_LIBADD  = libbase_s.la libbase_d.la libbase_c.la libbase_z.la
