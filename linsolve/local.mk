# Compiled for each scalar.
typed += \
	linsolve/factor.c \
	linsolve/factor_rows.c \
	linsolve/ilu.c \
	linsolve/ilu_levels.c \
	linsolve/ilut.c \
	linsolve/ic.c \
	linsolve/bilu.c \
	linsolve/prec.c \
	linsolve/prec_point.c \
	linsolve/prec_user.c \
	linsolve/prec_poly.c \
	linsolve/colour_order.c \
	linsolve/prec_gs.c \
	linsolve/prec_rows.c \
	linsolve/random.c \
	linsolve/prec_schwarz.c \
	linsolve/prec_inverse.c \
	linsolve/prec_single.c \
	linsolve/amg_aggregate.c \
	linsolve/amg_coupled.c \
	linsolve/amg_matching.c \
	linsolve/amg_modes.c \
	linsolve/amg_inverse.c \
	linsolve/amg_cycle.c \
	linsolve/amg_gather.c \
	linsolve/amg_user.c \
	linsolve/prec_amg.c \
	linsolve/krylov.c \
	linsolve/krylov_steps.c \
	linsolve/kr_device.c \
	linsolve/solver.c \
	linsolve/nullspace.c \
	linsolve/operator.c \
	linsolve/cg.c \
	linsolve/block_cg.c \
	linsolve/cgs.c \
	linsolve/idr.c \
	linsolve/tfqmr.c \
	linsolve/bicg.c \
	linsolve/cg_single.c \
	linsolve/cg_pipelined.c \
	linsolve/fcg.c \
	linsolve/gcr.c \
	linsolve/bicgstab.c \
	linsolve/bicgstabl.c \
	linsolve/minres.c \
	linsolve/lsmr.c \
	linsolve/richardson.c \
	linsolve/gmres.c

linsolve_typed_units = linsolve/typed.c
typed_units += $(linsolve_typed_units)
linsolve/typed.c: linsolve/local.mk

pkginclude_HEADERS += linsolve/psb_linsolve.h linsolve/psb_factor.h linsolve/psb_factor.t.h linsolve/psb_prec.h \
	linsolve/psb_prec.t.h linsolve/psb_krylov.h linsolve/psb_krylov.t.h linsolve/psb_operator.t.h \
	linsolve/psb_solver.t.h linsolve/psb_linsolve_front.h
noinst_HEADERS += linsolve/prec_types.h linsolve/prec_inside.t.h linsolve/prec_across.t.h linsolve/colour_order.t.h \
	linsolve/operator_inside.t.h linsolve/kr_device.t.h linsolve/amg.t.h
noinst_HEADERS += linsolve/kr_methods.h linsolve/kr_column.h linsolve/gram.h linsolve/krylov_inside.t.h \
	linsolve/factor_inside.t.h

noinst_LTLIBRARIES += liblinsolve_s.la liblinsolve_d.la liblinsolve_c.la liblinsolve_z.la
liblinsolve_s_la_SOURCES  = 
nodist_liblinsolve_s_la_SOURCES = $(linsolve_typed_units)
liblinsolve_s_la_CPPFLAGS = $(AM_CPPFLAGS) -DPSB_TYPE=s
liblinsolve_d_la_SOURCES  = 
nodist_liblinsolve_d_la_SOURCES = $(linsolve_typed_units)
liblinsolve_d_la_CPPFLAGS = $(AM_CPPFLAGS) -DPSB_TYPE=d
liblinsolve_c_la_SOURCES  = 
nodist_liblinsolve_c_la_SOURCES = $(linsolve_typed_units)
liblinsolve_c_la_CPPFLAGS = $(AM_CPPFLAGS) -DPSB_TYPE=c
liblinsolve_z_la_SOURCES  = 
nodist_liblinsolve_z_la_SOURCES = $(linsolve_typed_units)
liblinsolve_z_la_CPPFLAGS = $(AM_CPPFLAGS) -DPSB_TYPE=z

lib_LTLIBRARIES += libpsb_linsolve.la
libpsb_linsolve_la_LDFLAGS = $(LIBRARY_LDFLAGS)
EXTRA_libpsb_linsolve_la_DEPENDENCIES = exported.map libdir.stamp
libpsb_linsolve_la_SOURCES = linsolve/options.c linsolve/lanczos.c linsolve/gram.c
libpsb_linsolve_la_LIBADD  = liblinsolve_s.la liblinsolve_d.la liblinsolve_c.la liblinsolve_z.la libpsb_base.la
