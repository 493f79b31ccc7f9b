#!/bin/sh
# version.sh -- the version stands in configure.ac: the headers, pkg-config and the programs tell it, and no other file
# has it but CHANGELOG.md and those of packages, which agree; the library's package for Debian is named after the soname.
# Run in the build tree.
set -eu
srcdir=${srcdir:-.}
version=$(sed -n 's/^AC_INIT(\[psbc\], \[\([0-9.]*\)\].*/\1/p' "$srcdir/configure.ac")
status=0
# say WHAT VERSION: complain unless it is the one of configure.ac.
say() {
    [ "$2" = "$version" ] || { echo "$1 says $2, configure.ac $version"; status=1; }
}
numbers=$(sed -n 's/^#define PSBC_VERSION_[A-Z]* \([0-9]*\)$/\1/p' psb_release.h | tr '\n' .)
case $numbers in
"$version".*) ;;
*) say psb_release.h "$numbers" ;;
esac
for file in psbc.pc psbc-cbind.pc; do
    say $file "$(sed -n 's/^Version: //p' $file)"
done
for program in tools/psb-spmv tools/psb-pargen tools/psb-fileread tools/psb-info; do
    say $program "$("./$program" --version | sed -n '1s/.*psbc \([0-9.]*\).*/\1/p')"
done
cd "$srcdir"
# is WHAT FILE EXPRESSION: what sed finds first in the file, which a tarball may lack.
is() {
    [ ! -e "$2" ] || say "$1 of $2" "$(sed -n "$3" "$2" | head -n 1)"
}
is "the newest heading" CHANGELOG.md 's/^## \([0-9.]*\).*/\1/p'
is "the newest entry" debian/changelog 's/^psbc (\(.*\)-[^-]*).*/\1/p'
is "the newest version" packaging/spack/package.py 's/^ *version("\([0-9.]*\)".*/\1/p'
is "the version" python/pyproject.toml 's/^version = "\([0-9.]*\)".*/\1/p'
soname=$(($(sed -n 's/.*-version-info \([0-9]*\):[0-9]*:\([0-9]*\).*/\1 - \2/p' Makefile.am)))
if [ -e debian/control ] && ! grep -qx "Package: libpsbc$soname" debian/control; then
    echo "debian/control has no libpsbc$soname, as -version-info in Makefile.am demands"
    status=1
fi
if ! grep -q "^SONAME = $soname " python/psbc/_lib.py; then
    echo "python/psbc/_lib.py has not SONAME = $soname, as -version-info in Makefile.am demands"
    status=1
fi
pattern="(psbc|PSBC)[- ]?$(echo "$version" | sed 's/\./\\./g')([^0-9.]|$)|PSBC_VERSION_[A-Z]+ +[0-9]|^Version: *[0-9]"
if grep -rnE --include='*.[chm]*' --include='*.sh' --include='*.in' --include='*.py' --include='*.awk' "$pattern" README.md demo check \
    base ext rsb cuda util linsolve cxx cbind tools test examples docs; then
    echo "a second place with the version"
    status=1
fi
exit $status
