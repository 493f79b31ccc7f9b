#!/bin/sh
# site.sh -- make site has no warning, a broken link being one; its search finds calls by both names, and its links to
# places in a page resolve.  Without Sphinx: skipped.
set -eu
grep -q '^have_sphinx = yes' Makefile || { echo "skipped: no sphinx-build with MyST and Furo"; exit 77; }
rm -rf site
${MAKE:-make} -s site
html=site/html
for name in psb_spmv psb_d_spmv psb_z_spmv psb_cdall_nl psb_solve_options PSB_EPADDING PSB_OVRL_SUM; do
    grep -qiE "[\"{,]${name}[\":,]" $html/searchindex.js || { echo "site: the search does not find $name"; exit 1; }
done
for page in index docs/first-steps docs/concepts docs/gpus docs/errors docs/limits docs/from-petsc api/matrices; do
    test -s $html/$page.html || { echo "site: no $page.html"; exit 1; }
done
for page in cbind choosing errors from-cusparse from-petsc from-psblas; do
    grep -q 'class="calls' $html/docs/$page.html || { echo "site: $page.html has no table of calls"; exit 1; }
done
grep -q 'id="c.psb_d_spmv"' $html/api/matrices.html || { echo "site: psb_d_spmv is no place of the reference"; exit 1; }
# Every public call of psbc.h is in the reference.
sed -n 's/^[A-Za-z].*[ *]\(psb_[a-zA-Z0-9_]*\)(.*/\1/p' cxx/psbc.h | sort -u >site/declared
cat $html/api/*.html | grep -oE 'id="c\.psb_[A-Za-z0-9_]+"' | sed 's/id="c\.//; s/"//' | sort -u >site/shown
missing=$(comm -23 site/declared site/shown)
[ -z "$missing" ] || { echo "site: no header of AREAS in docs/site/sources.py has $missing"; exit 1; }
# Links to a place: the page has it.
python3 - $html <<'END' || exit 1
import os, pathlib, re, sys
pages = {str(p): p.read_text() for p in pathlib.Path(sys.argv[1]).rglob("*.html")}
places = {p: set(re.findall(r'id="([^"]+)"', text)) for p, text in pages.items()}
broken = 0
for page, text in pages.items():
    for file, place in set(re.findall(r'href="([^":#]*)#([^"]+)"', text)):
        target = os.path.normpath(os.path.join(os.path.dirname(page), file)) if file else page
        if place not in places[target]:
            broken += 1
            print(f"{page}: no {file}#{place}")
sys.exit(broken > 0)
END
echo "$(wc -l <site/shown) names in the reference, $(find $html -name '*.html' | wc -l) pages"
