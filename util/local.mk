# Sources compiled once.
util_common = util/bytes.c util/bytes_gzip.c util/bytes_xz.c util/bytes.h util/sink.c util/sink.h util/textfile.c \
	util/textfile.h util/mm_text.c util/mm_text.h util/gen_spec.c \
	util/owners.c util/deal.h util/deal.t.h util/triplets.h util/triplets.t.h util/hb_text.c util/hb_text.h util/fortran.c util/fortran.h \
	util/part.c util/part_metis.c
# Sources compiled once for each scalar.
util_typed  = util/triplets.c util/mm.c util/mm_block.c util/mm_block.h util/mm_block.t.h util/mm_all.c util/mm_write.c util/hb.c \
	util/deal.c util/matdist.c util/gen.c util/gen_pde.c

pkginclude_HEADERS += util/psb_util.h util/psb_mm.h util/psb_gen.h util/psb_part.h util/psb_hb.h \
	util/psb_hb.t.h util/psb_mm.t.h util/psb_mm_all.t.h util/psb_mm_write.t.h util/psb_matdist.t.h \
	util/psb_gen.t.h util/psb_pde.h util/psb_gen_pde.t.h util/psb_util_front.h

noinst_LTLIBRARIES += libutil_s.la libutil_d.la libutil_c.la libutil_z.la
libutil_s_la_SOURCES  = $(util_typed)
libutil_s_la_CPPFLAGS = $(AM_CPPFLAGS) -DPSB_TYPE=s
libutil_d_la_SOURCES  = $(util_typed)
libutil_d_la_CPPFLAGS = $(AM_CPPFLAGS) -DPSB_TYPE=d
libutil_c_la_SOURCES  = $(util_typed)
libutil_c_la_CPPFLAGS = $(AM_CPPFLAGS) -DPSB_TYPE=c
libutil_z_la_SOURCES  = $(util_typed)
libutil_z_la_CPPFLAGS = $(AM_CPPFLAGS) -DPSB_TYPE=z

lib_LTLIBRARIES += libpsb_util.la
libpsb_util_la_LDFLAGS = $(LIBRARY_LDFLAGS)
EXTRA_libpsb_util_la_DEPENDENCIES = exported.map
libpsb_util_la_SOURCES  = $(util_common)
libpsb_util_la_CPPFLAGS = $(AM_CPPFLAGS) $(ZLIB_CFLAGS) $(LZMA_CFLAGS)
libpsb_util_la_LIBADD   = libutil_s.la libutil_d.la libutil_c.la libutil_z.la libpsb_base.la \
	$(ZLIB_LIBS) $(LZMA_LIBS) $(METIS_LIBS) -lm
