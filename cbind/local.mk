# Compiled once, and for each scalar.
once  += cbind/env.c cbind/desc.c cbind/options.c cbind/index.c cbind/amg_options.c cbind/legacy.c
typed += cbind/vect.c cbind/geops.c cbind/comm.c cbind/mat.c cbind/solve.c cbind/amg.c cbind/write.c \
	cbind/legacy_band.c cbind/legacy_sizes.c cbind/legacy_rows.c cbind/legacy_factor.c cbind/legacy_bsr.c
cbind_typed_units = cbind/typed.c
once_units  += cbind/once.c
typed_units += $(cbind_typed_units)
cbind/once.c cbind/typed.c: cbind/local.mk
cbind_cppflags = $(AM_CPPFLAGS) -I$(srcdir)/cbind

# PSBLAS's names, in a folder of their own.
cbinddir = $(pkgincludedir)/cbind
cbind_HEADERS = base/core/psb_dupl.h cbind/psb_types.h cbind/psb_config.h cbind/psb_c_names.h cbind/psb_c_base.h \
	cbind/psb_base_cbind.h cbind/psb_prec_cbind.h cbind/psb_krylov_cbind.h cbind/psb_linsolve_cbind.h \
	cbind/psb_util_cbind.h cbind/psb_c_base.t.h \
	cbind/psb_c_sbase.h cbind/psb_c_dbase.h cbind/psb_c_cbase.h cbind/psb_c_zbase.h \
	cbind/psb_c_scomm.h cbind/psb_c_dcomm.h cbind/psb_c_ccomm.h cbind/psb_c_zcomm.h \
	cbind/psb_c_sprec.h cbind/psb_c_dprec.h cbind/psb_c_cprec.h cbind/psb_c_zprec.h \
	cbind/psb_c_sutil.h cbind/psb_c_dutil.h cbind/psb_c_cutil.h cbind/psb_c_zutil.h \
	cbind/amg_cbind.h cbind/amg_const.h cbind/amg_config.h cbind/amg_c_prec.t.h \
	cbind/amg_c_sprec.h cbind/amg_c_dprec.h cbind/amg_c_cprec.h cbind/amg_c_zprec.h \
	cbind/psbc_cusparse_legacy.h cbind/psbc_cusparse_legacy.t.h
noinst_HEADERS += cbind/cbind.h cbind/cbind.t.h cbind/amg.h cbind/legacy.h cbind/legacy.t.h
pkgconfig_DATA += psbc-cbind.pc

noinst_LTLIBRARIES += libcbind_s.la libcbind_d.la libcbind_c.la libcbind_z.la
libcbind_s_la_SOURCES  = 
nodist_libcbind_s_la_SOURCES = $(cbind_typed_units)
libcbind_s_la_CPPFLAGS = $(cbind_cppflags) -DPSB_TYPE=s
libcbind_d_la_SOURCES  = 
nodist_libcbind_d_la_SOURCES = $(cbind_typed_units)
libcbind_d_la_CPPFLAGS = $(cbind_cppflags) -DPSB_TYPE=d
libcbind_c_la_SOURCES  = 
nodist_libcbind_c_la_SOURCES = $(cbind_typed_units)
libcbind_c_la_CPPFLAGS = $(cbind_cppflags) -DPSB_TYPE=c
libcbind_z_la_SOURCES  = 
nodist_libcbind_z_la_SOURCES = $(cbind_typed_units)
libcbind_z_la_CPPFLAGS = $(cbind_cppflags) -DPSB_TYPE=z

lib_LTLIBRARIES += libpsb_cbind.la
libpsb_cbind_la_LDFLAGS = $(LIBRARY_LDFLAGS)
EXTRA_libpsb_cbind_la_DEPENDENCIES = exported.map libdir.stamp
libpsb_cbind_la_SOURCES  =
nodist_libpsb_cbind_la_SOURCES = cbind/once.c
libpsb_cbind_la_CPPFLAGS = $(cbind_cppflags)
libpsb_cbind_la_LIBADD   = libcbind_s.la libcbind_d.la libcbind_c.la libcbind_z.la libpsb_linsolve.la libpsb_util.la \
	libpsb_rsb.la libpsb_cuda.la libpsb_ext.la libpsb_base.la $(MPI_LIBS)
