#!/bin/sh
# adding-a-format.sh -- do what docs/adding-a-format.md says, word for word, in a copy of the tree: extract the
# two files and the three lines, build, and let the contract suite judge the new format.
set -eu
srcdir=$(cd "${srcdir:-.}" && pwd)
for tool in autoreconf libtoolize pkg-config; do
    command -v $tool >/dev/null || { echo "skipped: no $tool"; exit 77; }
done
if grep -q '^\(SANITIZE\|COVERAGE\)_FLAGS = ..*' Makefile; then
    echo "skipped: it would build as it does from a build without sanitizers or counts"
    exit 77
fi
pkg-config --exists check || { echo "skipped: no Check"; exit 77; }

tree=$(mktemp -d)
trap 'chmod -R u+w "$tree"; rm -rf "$tree"' EXIT
for part in configure.ac Makefile.am psbc.pc.in m4 build-aux base ext rsb cuda util tools test docs; do
    cp -R "$srcdir/$part" "$tree/"
done
chmod -R u+w "$tree"
page=$srcdir/docs/adding-a-format.md

# block FILE: the code below the line that names it.
block() {
    awk -v name="$1" '
        index($0, "`" name "`") == 1 { found = 1; next }
        found && /^```/ { if (inside) exit; inside = 1; next }
        inside { print }' "$page"
}

cd "$tree"
block ext/dcsr.t.h > ext/dcsr.t.h
block ext/dcsr.c > ext/dcsr.c
block ext/ext_formats.h >> ext/ext_formats.h
sed -i "/\"ell.t.h\"/a $(block ext/ext.t.h)" ext/ext.t.h
line=$(block ext/local.mk)
awk -v line="$line" '{ print } /^ext_formats = / { print line }' ext/local.mk > local.new
mv local.new ext/local.mk
grep -q dcsr ext/local.mk ext/ext.t.h && test -s ext/dcsr.c -a -s ext/dcsr.t.h

autoreconf -i >/dev/null 2>&1
mkdir build
cd build
../configure -q --without-cuda --disable-shared >/dev/null
nice -n 19 make -s test/suites_d test/suites_z
for t in d z; do
    PSB_DEVICE=fake "$srcdir/test/mpi-run" 1 test/check_formats_$t > out || { cat out; exit 1; }
    grep -q 'contract: DCSR' out || { echo "check_formats_$t never met DCSR"; exit 1; }
done
echo "DCSR, built as docs/adding-a-format.md says, keeps the promises of a format"
