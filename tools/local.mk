# Compiled once, as one source, and for each scalar; a program takes what it needs.
once  += tools/command_line.c tools/say.c tools/machine.c tools/json.c tools/load.c tools/page.c tools/picture.c
tools_typed = tools/load_typed.c tools/solve_run.c tools/spmv_run.c tools/spmv_check.c tools/picture_typed.c
noinst_HEADERS += tools/command_line.h tools/say.h tools/machine.h tools/json.h tools/load.h tools/load.t.h \
	tools/page.h tools/picture.h tools/picture.t.h
once_units  += tools/once.c
tools/once.c: tools/local.mk
tools_cppflags = $(AM_CPPFLAGS) -I$(srcdir)/tools
tools_own  = libtools_s.la libtools_d.la libtools_c.la libtools_z.la libtools.la
tools_libs = libpsb_util.la libpsb_rsb.la libpsb_cuda.la libpsb_ext.la libpsb_base.la $(JANSSON_LIBS)

# What psb-pargen and psb-fileread share.
solve_sources = tools/solve.c tools/solve.h tools/solve_run.t.h tools/solve_boxes.c \
	tools/solve_options.c tools/solve_input.c tools/solve_report.c tools/solve_json.c tools/solve_history.c

bin_PROGRAMS += tools/psb-pargen tools/psb-fileread
tools_psb_pargen_SOURCES    = tools/psb_pargen.c $(solve_sources)
tools_psb_pargen_CPPFLAGS   = $(tools_cppflags) $(JANSSON_CFLAGS)
tools_psb_pargen_LDADD      = $(tools_own) libpsb_linsolve.la $(tools_libs)
tools_psb_fileread_SOURCES  = tools/psb_fileread.c $(solve_sources)
tools_psb_fileread_CPPFLAGS = $(tools_cppflags) $(JANSSON_CFLAGS)
tools_psb_fileread_LDADD    = $(tools_own) libpsb_linsolve.la $(tools_libs)

bin_PROGRAMS += tools/psb-hpcg
tools_psb_hpcg_SOURCES  = tools/psb_hpcg.c tools/hpcg.h tools/hpcg_problem.c tools/hpcg_run.c tools/hpcg_report.c
tools_psb_hpcg_CPPFLAGS = $(tools_cppflags) $(JANSSON_CFLAGS) -DPSB_TYPE=d
tools_psb_hpcg_LDADD    = $(tools_own) libpsb_linsolve.la $(tools_libs)

bin_PROGRAMS += tools/psb-info
tools_psb_info_SOURCES  = tools/psb_info.c tools/info.c tools/info.h
tools_psb_info_CPPFLAGS = $(tools_cppflags) $(JANSSON_CFLAGS)
tools_psb_info_LDADD    = $(tools_own) libpsb_linsolve.la $(tools_libs)

bin_PROGRAMS += tools/psb-convert
tools_psb_convert_SOURCES  = tools/psb_convert.c tools/petsc.c tools/conversion.h tools/conversion.t.h
tools_psb_convert_CPPFLAGS = $(tools_cppflags)
tools_psb_convert_LDADD    = $(tools_own) $(tools_libs)

bin_SCRIPTS = tools/psb-plot
CLEANFILES += tools/psb-plot
EXTRA_DIST += tools/psb_plot.py
tools/psb-plot: tools/psb_plot.py
	$(AM_V_GEN)$(MKDIR_P) tools && cp $(srcdir)/tools/psb_plot.py $@.new && chmod 755 $@.new && mv $@.new $@

# Whether an installation works, in seconds; with DESTDIR too.
installcheck-local:
	srcdir='$(srcdir)' MPIEXEC='$(MPIEXEC)' CC='$(CC)' $(SHELL) $(srcdir)/tools/installcheck.sh \
	  '$(DESTDIR)' '$(prefix)' '$(bindir)' '$(libdir)' '$(includedir)'
EXTRA_DIST += tools/installcheck.sh

# ./demo builds this program alone.
bin_PROGRAMS += tools/psb-spmv
tools_psb_spmv_SOURCES = tools/psb_spmv.c tools/options.c tools/options.h tools/report.c tools/report.h \
	tools/report_json.c tools/transfers.c tools/spmv_run.h tools/spmv_run.t.h tools/spmv_check.t.h \
	tools/spmv_petsc.c tools/spmv_petsc.h
tools_psb_spmv_CPPFLAGS = $(tools_cppflags) $(JANSSON_CFLAGS)
tools_psb_spmv_LDADD    = $(tools_own) $(tools_libs)
if COMPARE_PETSC
tools_psb_spmv_CPPFLAGS += $(PETSC_CFLAGS)
tools_psb_spmv_LDADD    += $(PETSC_LIBS)
endif

noinst_LTLIBRARIES += libtools.la libtools_s.la libtools_d.la libtools_c.la libtools_z.la
libtools_la_SOURCES    =
nodist_libtools_la_SOURCES = tools/once.c
libtools_la_CPPFLAGS   = $(tools_cppflags) $(JANSSON_CFLAGS)
libtools_s_la_SOURCES  = $(tools_typed)
libtools_s_la_CPPFLAGS = $(tools_cppflags) -DPSB_TYPE=s
libtools_d_la_SOURCES  = $(tools_typed) tools/conversion.c
libtools_d_la_CPPFLAGS = $(tools_cppflags) -DPSB_TYPE=d
libtools_c_la_SOURCES  = $(tools_typed)
libtools_c_la_CPPFLAGS = $(tools_cppflags) -DPSB_TYPE=c
libtools_z_la_SOURCES  = $(tools_typed) tools/conversion.c
libtools_z_la_CPPFLAGS = $(tools_cppflags) -DPSB_TYPE=z
