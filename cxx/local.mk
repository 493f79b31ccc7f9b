# The calls in C++, and those of C by their full names, made from the declarations in C.
pkginclude_HEADERS += cxx/psbc.hpp
nodist_pkginclude_HEADERS += cxx/psbc_calls.hpp cxx/psbc.h
EXTRA_DIST += cxx/psbc_calls.awk cxx/psbc_h.awk
CLEANFILES += cxx/psbc_calls.hpp cxx/psbc.h
cxx/psbc.h: cxx/psbc_h.awk $(pkginclude_HEADERS)
	$(AM_V_GEN)$(MKDIR_P) cxx && headers= && for h in $(pkginclude_HEADERS); do \
	  case $$h in *.hpp) ;; *) headers="$$headers $(srcdir)/$$h" ;; esac; done; \
	$(AWK) -f $(srcdir)/cxx/psbc_h.awk $$headers >$@.new && mv $@.new $@
cxx/psbc_calls.hpp: cxx/psbc_calls.awk $(pkginclude_HEADERS)
	$(AM_V_GEN)$(MKDIR_P) cxx && headers= && for h in $(pkginclude_HEADERS); do \
	  case $$h in *.t.h | */psb_alloc.h | *.hpp) ;; \
	  *) headers="$$headers $(srcdir)/$$h" ;; esac; done; \
	$(AWK) -f $(srcdir)/cxx/psbc_calls.awk $$headers >$@.new && mv $@.new $@
