# Compiled once, and for each scalar.
once += util/bytes.c util/bytes_gzip.c util/bytes_xz.c util/sink.c util/textfile.c util/mm_text.c \
	util/gen_spec.c util/owners.c util/hb_text.c util/fortran.c util/part.c util/part_metis.c \
	util/order.c util/order_metis.c
typed += util/triplets.c util/mm.c util/mm_block.c util/mm_all.c util/mm_write.c util/hb.c util/deal.c \
	util/matdist.c util/gen.c util/gen_pde.c util/renum.c
noinst_HEADERS += util/bytes.h util/sink.h util/textfile.h util/mm_text.h util/deal.h util/deal.t.h \
	util/triplets.h util/triplets.t.h util/hb_text.h util/fortran.h util/mm_block.h util/mm_block.t.h \
	util/graph.h
util_typed_units = util/typed.c
once_units  += util/once.c
typed_units += $(util_typed_units)
util/once.c util/typed.c: util/local.mk

pkginclude_HEADERS += util/psb_util.h util/psb_mm.h util/psb_gen.h util/psb_part.h util/psb_hb.h \
	util/psb_hb.t.h util/psb_mm.t.h util/psb_mm_all.t.h util/psb_mm_write.t.h util/psb_matdist.t.h \
	util/psb_gen.t.h util/psb_pde.h util/psb_gen_pde.t.h util/psb_util_front.h \
	util/psb_order.h util/psb_renum.t.h

noinst_LTLIBRARIES += libutil_s.la libutil_d.la libutil_c.la libutil_z.la
libutil_s_la_SOURCES  = 
nodist_libutil_s_la_SOURCES = $(util_typed_units)
libutil_s_la_CPPFLAGS = $(AM_CPPFLAGS) -DPSB_TYPE=s
libutil_d_la_SOURCES  = 
nodist_libutil_d_la_SOURCES = $(util_typed_units)
libutil_d_la_CPPFLAGS = $(AM_CPPFLAGS) -DPSB_TYPE=d
libutil_c_la_SOURCES  = 
nodist_libutil_c_la_SOURCES = $(util_typed_units)
libutil_c_la_CPPFLAGS = $(AM_CPPFLAGS) -DPSB_TYPE=c
libutil_z_la_SOURCES  = 
nodist_libutil_z_la_SOURCES = $(util_typed_units)
libutil_z_la_CPPFLAGS = $(AM_CPPFLAGS) -DPSB_TYPE=z

lib_LTLIBRARIES += libpsb_util.la
libpsb_util_la_LDFLAGS = $(LIBRARY_LDFLAGS)
EXTRA_libpsb_util_la_DEPENDENCIES = exported.map libdir.stamp
libpsb_util_la_SOURCES  =
nodist_libpsb_util_la_SOURCES = util/once.c
libpsb_util_la_CPPFLAGS = $(AM_CPPFLAGS) $(ZLIB_CFLAGS) $(LZMA_CFLAGS)
libpsb_util_la_LIBADD   = libutil_s.la libutil_d.la libutil_c.la libutil_z.la libpsb_base.la \
	$(ZLIB_LIBS) $(LZMA_LIBS) $(METIS_LIBS) -lm
