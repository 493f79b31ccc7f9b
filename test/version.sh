#!/bin/sh
# version.sh -- the version stands in configure.ac: the headers, pkg-config and the programs tell it, and no other file
# has it but CHANGELOG.md.  Run in the build tree.
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
pattern="(psbc|PSBC)[- ]?$(echo "$version" | sed 's/\./\\./g')([^0-9.]|$)|PSBC_VERSION_[A-Z]+ +[0-9]|^Version: *[0-9]"
if grep -rnE --include='*.[chm]*' --include='*.sh' --include='*.in' --include='*.py' --include='*.awk' "$pattern" README.md demo check \
    base ext rsb cuda util linsolve cxx cbind tools test examples docs; then
    echo "a second place with the version"
    status=1
fi
exit $status
