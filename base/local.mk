# Sources compiled once.
base_common = base/err.c base/alloc.c base/dual.c base/device_fake.c
# Sources compiled once per scalar type.
base_typed  = base/mat.c base/coo.c base/csr.c

pkginclude_HEADERS += base/psb_err.h base/psb_int.h base/psb_alloc.h base/psb_names.h base/psb_type.h base/psb_each_type.h \
	base/psb_dual.h base/psb_base.h base/base_formats.h base/mat.t.h base/csr.t.h

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
