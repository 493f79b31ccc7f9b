# The formats: FOO.c, compiled once per scalar type.
rsb_formats = \
	rsb/rsb.c

# With LIBRSB, or without.
rsb_common = rsb/rsb_init.c
if HAVE_RSB
rsb_common += rsb/librsb.c
else
rsb_common += rsb/librsb_none.c
endif

typed += rsb/rsb_register.c $(rsb_formats)
rsb_typed_units = rsb/typed.c
typed_units    += $(rsb_typed_units)
rsb/typed.c: rsb/local.mk
noinst_HEADERS += rsb/rsb_formats.h rsb/librsb.h
pkginclude_HEADERS += rsb/psb_rsb.h
format_HEADERS += rsb/psb_rsb_format.h rsb/psb_rsb.t.h

noinst_LTLIBRARIES += librsb_s.la librsb_d.la librsb_c.la librsb_z.la
librsb_s_la_SOURCES  = 
nodist_librsb_s_la_SOURCES = $(rsb_typed_units)
librsb_s_la_CPPFLAGS = $(AM_CPPFLAGS) -DPSB_TYPE=s
librsb_d_la_SOURCES  = 
nodist_librsb_d_la_SOURCES = $(rsb_typed_units)
librsb_d_la_CPPFLAGS = $(AM_CPPFLAGS) -DPSB_TYPE=d
librsb_c_la_SOURCES  = 
nodist_librsb_c_la_SOURCES = $(rsb_typed_units)
librsb_c_la_CPPFLAGS = $(AM_CPPFLAGS) -DPSB_TYPE=c
librsb_z_la_SOURCES  = 
nodist_librsb_z_la_SOURCES = $(rsb_typed_units)
librsb_z_la_CPPFLAGS = $(AM_CPPFLAGS) -DPSB_TYPE=z

lib_LTLIBRARIES += libpsb_rsb.la
libpsb_rsb_la_LDFLAGS = $(LIBRARY_LDFLAGS)
EXTRA_libpsb_rsb_la_DEPENDENCIES = exported.map libdir.stamp
libpsb_rsb_la_SOURCES  = $(rsb_common)
libpsb_rsb_la_CPPFLAGS = $(AM_CPPFLAGS) $(RSB_CFLAGS)
libpsb_rsb_la_LIBADD   = librsb_s.la librsb_d.la librsb_c.la librsb_z.la libpsb_base.la
if HAVE_RSB
libpsb_rsb_la_LIBADD  += $(RSB_LIBS)
endif
