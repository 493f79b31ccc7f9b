# make site          the site in site/html, by Sphinx with MyST and Furo, offline (Debian: python3-sphinx
#                    python3-myst-parser furo)
# make install-doc   pages, pictures, tables, examples, and the site if it was made, in docdir
doc_DATA = LICENSE

.PHONY: site
site:
	@test $(have_sphinx) = yes || { echo "make site: no sphinx-build with MyST and Furo was found" \
	    "(Debian: python3-sphinx python3-myst-parser furo); then configure again" >&2; exit 1; }
	$(AM_V_GEN)$(MKDIR_P) site && $(PYTHON3) -B $(srcdir)/docs/site/sources.py $(srcdir) site/src && \
	PSBC_VERSION='$(PACKAGE_VERSION)' \
	    $(SPHINX_BUILD) -q -a -W --keep-going -n -d site/doctrees -c $(srcdir)/docs/site site/src site/html || \
	{ rm -rf site/doctrees; exit 1; }

doc_files = cd $(srcdir) && find ./*.md CITATION.cff docs examples -type f '(' -name '*.*' -o -name Makefile ')' \
	! -path 'docs/site/*' ! -name '*.py' ! -name '*.mk' ! -name '*.awk' ! -name '*.o' ! -path 'examples/build/*'
site_files = ! test -d site/html || (cd site && find html -type f)
.PHONY: install-doc uninstall-doc
install-doc: install-docDATA
	@to='$(DESTDIR)$(docdir)' && ($(doc_files)) | while read -r file; do \
	  $(MKDIR_P) "$$to/$${file%/*}" && $(INSTALL_DATA) "$(srcdir)/$$file" "$$to/$$file" || exit 1; done && \
	($(site_files)) | while read -r file; do \
	  $(MKDIR_P) "$$to/$${file%/*}" && $(INSTALL_DATA) "site/$$file" "$$to/$$file" || exit 1; done
uninstall-hook: uninstall-doc
uninstall-doc:
	@to='$(DESTDIR)$(docdir)' && (($(doc_files)); $(site_files)) | while read -r file; do rm -f "$$to/$$file"; done && \
	(! test -d "$$to" || find "$$to" -depth -type d -empty -exec rmdir {} ';')

# The site builds without a warning, and finds what it should; pictures are what the program draws.
EXTRA_DIST += test/site.sh
TESTS      += test/site.sh
