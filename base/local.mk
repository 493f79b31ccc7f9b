# Eight layers, lowest first: the objects of one call only itself and those before it (test/layers.sh).
# Compiled once.
once += \
	base/core/err.c base/core/handle.c base/core/alloc.c base/core/threads.c base/core/team.c base/core/keys.c \
	base/core/simd.c base/core/number.c base/core/env.c base/core/lines.c \
	base/core/hash.c base/core/join.c base/core/index.c base/core/version.c \
	base/device/transfer.c base/device/trace.c base/device/events.c base/device/dual.c base/device/vmold.c base/device/places.c \
	base/device/shared_memory.c base/device/pool.c \
	base/par/ctxt.c base/par/pieces.c base/par/merge.c base/par/request.c base/par/coll.c \
	base/par/coll_gather.c base/par/exchange.c base/par/p2p.c base/par/timers.c base/par/log.c base/par/group.c \
	base/desc/directory.c base/desc/map.c base/desc/desc.c base/desc/cdall.c \
	base/desc/plan.c base/desc/desc_asb.c \
	base/desc/desc_query.c base/desc/desc_ext.c base/desc/desc_ren.c base/desc/remote.c base/desc/columns.c \
	base/channel/transport.c base/channel/lsa.c base/channel/handshake.c base/channel/nccl.c \
	base/channel/mixed.c base/channel/messages.c base/channel/channel.c base/channel/choose.c base/channel/sums.c
# Compiled for each scalar.
base_kernels = base/device/vec_host.c base/mat/compressed_mv.c base/mat/coo_mv.c
typed += base/mat/formats.c base/mat/mat.c base/mat/mat_root.c base/mat/mat_is.c base/mat/mat_mv.c \
	base/mat/mat_values.c base/mat/mat_sums.c base/mat/mat_parts.c base/mat/mat_two.c base/mat/spgemm.c \
	base/mat/mat_select.c base/mat/mat_stencil.c base/mat/mat_print.c base/mat/add_up.c base/mat/product.c base/mat/put.c \
	base/mat/compressed.c base/mat/compressed_solve.c base/mat/coo.c base/mat/csr.c base/mat/csc.c \
	base/mat/prune.c base/mat/half.c base/mat/recast.c base/mat/dense.c base/mat/mat_dense.c base/mat/aggregate.c base/vect/vect.c base/vect/vect_access.c base/vect/vect_remote.c \
	base/vect/vect_mv.c base/vect/operands.c base/vect/geops.c base/vect/band.c base/vect/sparse.c base/vect/scal.c base/vect/gesums.c \
	base/vect/gather.c base/vect/halo.c base/vect/ovrl.c base/spmat/spmat.c base/spmat/spins.c base/spmat/sprn.c \
	base/spmat/sprn_runs.c base/spmat/spasb.c base/spmat/cdbldext.c base/spmat/spmv.c base/spmat/vects_like.c \
	base/spmat/spmv_fused.c base/spmat/gefused.c base/spmat/sp_parts.c base/spmat/sp_sums.c \
	base/spmat/sp_values.c base/spmat/sp_solve.c base/spmat/sp_halo.c base/spmat/sp_mult.c base/spmat/sp_gemm.c base/spmat/sp_two.c \
	base/spmat/sp_coo.c base/spmat/sp_near.c base/spmat/sp_select.c base/spmat/sp_gather.c base/spmat/sp_transp.c \
	base/spmat/sp_extract.c base/spmat/sp_local.c base/spmat/sp_colour.c base/spmat/sp_prune.c \
	base/spmat/sp_wrap.c base/spmat/sp_joined.c
# Compiled for psb_ipk and psb_lpk.
integer += \
	base/vect/vect.c base/vect/vect_access.c base/vect/vect_remote.c base/vect/gather.c base/vect/halo.c

# Names differ between folders, since they become members of one archive.
base_once_units  = base/core/once_core.c base/device/once_device.c base/par/once_par.c base/desc/once_desc.c \
	base/channel/once_channel.c
base_typed_units = base/mat/typed_mat.c base/vect/typed_vect.c base/spmat/typed_spmat.c
once_units      += $(base_once_units)
typed_units     += $(base_typed_units)
$(base_once_units) $(base_typed_units): base/local.mk

# For users, and for authors of formats (psb_format.h).
pkginclude_HEADERS += \
	base/psb_base.h base/psb_base.t.h base/psb_front.h \
	base/core/psb_alloc.h base/core/psb_each_type.h base/core/psb_err.h base/core/psb_index.h base/core/psb_dupl.h \
	base/core/psb_int.h base/core/psb_lang.h base/core/psb_log_lines.h base/core/psb_mpi.h base/core/psb_scalar.h base/core/psb_version.h \
	base/device/psb_pool.h base/device/psb_stage.h base/device/psb_transfer.h base/device/psb_vec_types.h base/device/psb_vmold.h \
	base/par/psb_coll.h base/par/psb_ctxt.h base/par/psb_log.h base/par/psb_timers.h \
	base/mat/psb_mat_calls.t.h base/mat/psb_mat_dense.t.h base/mat/psb_mat_types.h base/desc/psb_desc.h \
	base/vect/psb_geops.t.h base/vect/psb_arrays.t.h base/vect/psb_scal.t.h base/vect/psb_vect.t.h \
	base/spmat/psb_sp_calls.t.h base/spmat/psb_spmat.t.h
format_HEADERS += base/psb_format.h base/psb_format.t.h base/core/psb_names.h base/core/psb_search.h \
	base/core/psb_simd.h base/core/psb_team.h base/core/psb_threads.h base/core/psb_type.h \
	base/device/psb_column.h base/device/psb_device.h base/device/psb_dual.h base/device/psb_onesided.h \
	base/device/psb_twosided.h base/device/psb_vec_ops.h base/device/psb_vec_ops.t.h base/mat/psb_mat.h \
	base/mat/psb_mat.t.h base/mat/psb_coo.t.h base/mat/psb_csc.t.h base/mat/psb_csr.t.h \
	base/mat/psb_compressed.t.h base/mat/psb_add_up.t.h base/mat/psb_product.t.h base/mat/psb_put.t.h \
	base/mat/psb_spgemm.t.h
nodist_pkginclude_HEADERS = psb_release.h
noinst_HEADERS += base/base_formats.h base/base_inside.h base/core/psb_handle.h base/core/psb_testing.h \
	base/core/psb_each_simd.h base/core/tuning.h base/core/env.h base/core/lines.h base/core/errcall.h base/core/fives.h base/core/hash.h \
	base/core/join.h \
	base/core/keys.h base/core/number.h base/device/events.h \
	base/device/psb_column_steps.h base/device/psb_trace.h base/device/quotient.t.h base/device/pool.h base/device/shared_memory.h \
	base/device/vec_basic.t.h base/device/band.t.h base/device/band_steps.h base/device/band_parts.h base/device/places.h base/device/part_steps.h base/device/sparse_steps.h base/device/strided.t.h base/device/strided_steps.h base/device/psb_random.h base/core/pattern_term.h base/mat/stencil.h \
	base/mat/aggregate.h base/mat/aggregate.t.h \
	base/par/coll.h base/par/ctxt.h base/par/group.h base/par/merge.h base/par/merge.t.h base/par/pieces.h \
	base/par/request.h \
	base/mat/coo_kernels.t.h base/mat/compressed_kernels.t.h base/mat/lanes_kernels.t.h \
	base/mat/real_lanes_kernels.t.h base/mat/complex_lanes_kernels.t.h \
	base/mat/columns_kernels.t.h \
	base/mat/product_kernels.t.h base/mat/mat_inside.h base/mat/prune.t.h base/mat/recast.t.h base/mat/dense.t.h base/mat/solve_plan.h \
	base/desc/desc.h base/desc/desc_inside.h base/desc/directory.h base/desc/map.h base/desc/remote.h \
	base/desc/columns.h \
	base/channel/channel.h base/channel/transport.h base/channel/lsa.h base/channel/nccl_channel.h \
	base/channel/handshake.h base/channel/sums.h base/vect/vect.h base/vect/vect.t.h base/vect/scal.t.h \
	base/vect/operands.h base/spmat/spmat.h base/spmat/spmat.t.h base/spmat/sp_mult.t.h base/spmat/fused.h base/spmat/refill.h \
	base/spmat/clique.h base/spmat/colour.h

noinst_LTLIBRARIES += libbase_s.la libbase_d.la libbase_c.la libbase_z.la libbase_i.la libbase_l.la
libbase_s_la_SOURCES  = $(base_kernels)
nodist_libbase_s_la_SOURCES = $(base_typed_units)
libbase_s_la_CPPFLAGS = $(AM_CPPFLAGS) -DPSB_TYPE=s
libbase_d_la_SOURCES  = $(base_kernels)
nodist_libbase_d_la_SOURCES = $(base_typed_units)
libbase_d_la_CPPFLAGS = $(AM_CPPFLAGS) -DPSB_TYPE=d
libbase_c_la_SOURCES  = $(base_kernels)
nodist_libbase_c_la_SOURCES = $(base_typed_units)
libbase_c_la_CPPFLAGS = $(AM_CPPFLAGS) -DPSB_TYPE=c
libbase_z_la_SOURCES  = $(base_kernels)
nodist_libbase_z_la_SOURCES = $(base_typed_units)
libbase_z_la_CPPFLAGS = $(AM_CPPFLAGS) -DPSB_TYPE=z
libbase_i_la_SOURCES  = base/device/vec_integer.c
nodist_libbase_i_la_SOURCES = base/vect/integer.c
libbase_i_la_CPPFLAGS = $(AM_CPPFLAGS) -DPSB_TYPE=i
libbase_l_la_SOURCES  = base/device/vec_integer.c
nodist_libbase_l_la_SOURCES = base/vect/integer.c
libbase_l_la_CPPFLAGS = $(AM_CPPFLAGS) -DPSB_TYPE=l

lib_LTLIBRARIES += libpsb_base.la
libpsb_base_la_LDFLAGS = $(LIBRARY_LDFLAGS)
EXTRA_libpsb_base_la_DEPENDENCIES = exported.map libdir.stamp
libpsb_base_la_SOURCES = base/mat/solve_plan.c base/spmat/colour.c
nodist_libpsb_base_la_SOURCES = $(base_once_units)
libpsb_base_la_LIBADD  = libbase_s.la libbase_d.la libbase_c.la libbase_z.la libbase_i.la libbase_l.la
