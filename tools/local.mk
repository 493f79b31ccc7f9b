# Sources compiled once for each scalar.
spmv_typed = tools/spmv_run.c tools/spmv_check.c
spmv_cppflags = $(AM_CPPFLAGS) -I$(srcdir)/tools

bin_PROGRAMS += tools/psb-spmv
tools_psb_spmv_SOURCES = tools/psb_spmv.c tools/options.c tools/options.h tools/say.c tools/say.h \
	tools/machine.c tools/machine.h tools/report.c tools/report.h \
	tools/report_json.c tools/transfers.c tools/spmv_run.h tools/spmv_run.t.h tools/spmv_check.t.h
tools_psb_spmv_CPPFLAGS = $(spmv_cppflags) $(JANSSON_CFLAGS)
tools_psb_spmv_LDADD   = libspmv_s.la libspmv_d.la libspmv_c.la libspmv_z.la \
	libpsb_linsolve.la libpsb_util.la libpsb_rsb.la libpsb_cuda.la libpsb_ext.la libpsb_base.la $(JANSSON_LIBS)

noinst_LTLIBRARIES += libspmv_s.la libspmv_d.la libspmv_c.la libspmv_z.la
libspmv_s_la_SOURCES  = $(spmv_typed)
libspmv_s_la_CPPFLAGS = $(spmv_cppflags) -DPSB_TYPE=s
libspmv_d_la_SOURCES  = $(spmv_typed)
libspmv_d_la_CPPFLAGS = $(spmv_cppflags) -DPSB_TYPE=d
libspmv_c_la_SOURCES  = $(spmv_typed)
libspmv_c_la_CPPFLAGS = $(spmv_cppflags) -DPSB_TYPE=c
libspmv_z_la_SOURCES  = $(spmv_typed)
libspmv_z_la_CPPFLAGS = $(spmv_cppflags) -DPSB_TYPE=z
