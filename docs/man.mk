# Manual pages, made without running a program: those of programs from the text of --help in their sources, those of calls
# from the comments above their declarations.
man_variables = -v version='$(PACKAGE_VERSION)' -v date="`date -u -d @$${SOURCE_DATE_EPOCH:-$$(date +%s)} +%Y-%m-%d`"
man1_MANS   = man/psb-spmv.1 man/psb-pargen.1 man/psb-fileread.1 man/psb-info.1 man/psb-hpcg.1 \
	man/psb-convert.1 man/psb-plot.1
CLEANFILES += $(man1_MANS)
$(man1_MANS): docs/man.awk docs/man1.awk docs/man.mk
man/psb-spmv.1: tools/options.c
	$(make_man1) -v name=psb-spmv -v parts=options_help $(srcdir)/tools/options.c >$@
man/psb-info.1: tools/psb_info.c
	$(make_man1) -v name=psb-info -v parts=info_help $(srcdir)/tools/psb_info.c >$@
man/psb-convert.1: tools/psb_convert.c
	$(make_man1) -v name=psb-convert -v parts=convert_help $(srcdir)/tools/psb_convert.c >$@
man/psb-plot.1: tools/psb_plot.py
	$(make_man1) -v name=psb-plot -v parts=HELP $(srcdir)/tools/psb_plot.py >$@
man/psb-hpcg.1: tools/psb_hpcg.c
	$(make_man1) -v name=psb-hpcg -v parts=hpcg_help $(srcdir)/tools/psb_hpcg.c >$@
man/psb-pargen.1: tools/psb_pargen.c tools/solve_options.c
	$(make_man1) -v name=psb-pargen -v parts="$(pargen_help)" $(srcdir)/tools/psb_pargen.c $(srcdir)/tools/solve_options.c >$@
man/psb-fileread.1: tools/psb_fileread.c tools/solve_options.c
	$(make_man1) -v name=psb-fileread -v parts="$(fileread_help)" $(srcdir)/tools/psb_fileread.c \
	  $(srcdir)/tools/solve_options.c >$@
make_man1     = $(AM_V_GEN)$(MKDIR_P) man && $(AWK) -f $(srcdir)/docs/man.awk -f $(srcdir)/docs/man1.awk $(man_variables)
pargen_help   = pargen_about solver_help pargen_partition output_help pargen_input status_help
fileread_help = fileread_about solver_help fileread_partition output_help fileread_input status_help

# man/links: a line "PAGE NAME" for each name that shares the page of another, as those of all scalars do.
man3dir      = $(mandir)/man3
man3_front   = base/psb_front.h util/psb_util_front.h linsolve/psb_linsolve_front.h
noinst_DATA += man/links
CLEANFILES  += man/links man/calls.h man/man3/*.3
man/links: docs/man.awk docs/man3.awk docs/man.mk cxx/psbc_h.awk test/calls.sh $(pkginclude_HEADERS) $(format_HEADERS)
	$(AM_V_GEN)rm -rf man/man3 && $(MKDIR_P) man/man3 && top=`pwd` && cd $(srcdir) && \
	  $(AWK) -f cxx/psbc_h.awk `$(SHELL) test/calls.sh headers` >$$top/man/calls.h && \
	  $(AWK) -f docs/man.awk -f docs/man3.awk -v dir=$$top/man/man3 $(man_variables) -v for_formats='$(format_HEADERS)' \
	    $(man3_front) $$top/man/calls.h base/par/psb_coll.h >$$top/$@.new && mv $$top/$@.new $$top/$@

install-data-hook: install-man3
.PHONY: install-man3 uninstall-man3
install-man3: man/links
	@$(MKDIR_P) '$(DESTDIR)$(man3dir)' && $(INSTALL_DATA) man/man3/*.3 '$(DESTDIR)$(man3dir)' && \
	  links=$(abs_builddir)/man/links && cd '$(DESTDIR)$(man3dir)' && \
	  while read page name; do ln -sf $$page.3 $$name.3; done <$$links
uninstall-man3: man/links
	@pages=$(abs_builddir)/man; test ! -d '$(DESTDIR)$(man3dir)' || { cd '$(DESTDIR)$(man3dir)' && \
	  for page in $$pages/man3/*.3; do rm -f $${page##*/}; done && \
	  while read page name; do rm -f $$name.3; done <$$pages/links; }
