bin_PROGRAMS += tools/psb-spmv
tools_psb_spmv_SOURCES = tools/psb_spmv.c
tools_psb_spmv_LDADD   = libspmv_s.la libspmv_d.la libspmv_c.la libspmv_z.la \
	libpsb_util.la libpsb_cuda.la libpsb_ext.la libpsb_base.la

noinst_LTLIBRARIES += libspmv_s.la libspmv_d.la libspmv_c.la libspmv_z.la
libspmv_s_la_SOURCES  = tools/spmv_run.c
libspmv_s_la_CPPFLAGS = $(AM_CPPFLAGS) -DPSB_TYPE=s
libspmv_d_la_SOURCES  = tools/spmv_run.c
libspmv_d_la_CPPFLAGS = $(AM_CPPFLAGS) -DPSB_TYPE=d
libspmv_c_la_SOURCES  = tools/spmv_run.c
libspmv_c_la_CPPFLAGS = $(AM_CPPFLAGS) -DPSB_TYPE=c
libspmv_z_la_SOURCES  = tools/spmv_run.c
libspmv_z_la_CPPFLAGS = $(AM_CPPFLAGS) -DPSB_TYPE=z
