#!/bin/sh
# installcheck.sh -- make installcheck: the installed psb-info checks products and a solution on 1 and 2 processes, and a
# program that is compiled with the installed headers and pkg-config's flags runs.
#   installcheck.sh DESTDIR PREFIX BINDIR LIBDIR INCLUDEDIR
# shellcheck disable=SC2154  # make sets srcdir
set -eu
dest=$1 prefix=$2 bin=$1$3 lib=$1$4 include=$1$5
die() {
    echo "installcheck: FAILED: $*" >&2
    exit 1
}
[ -x "$bin/psb-info" ] || die "no $bin/psb-info; run: make install"
LD_LIBRARY_PATH=$lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
PKG_CONFIG_PATH=$lib/pkgconfig
export LD_LIBRARY_PATH PKG_CONFIG_PATH
"$bin/psb-info" --check || die "psb-info --check"
if command -v "${MPIEXEC:-mpiexec}" >/dev/null; then
    said=$("$srcdir/test/mpi-run" 2 "$bin/psb-info" --check) || die "psb-info --check on 2 processes"
    echo "$said" | tail -n 1
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
awk '/^```c$/ { on = 1; next } /^```/ { on = 0 } on' "$srcdir/README.md" >"$work/example.c"
# shellcheck disable=SC2046  # words
${CC:-cc} -o "$work/example" "$work/example.c" -I"$include/psbc" -L"$lib" \
    $(pkg-config --define-variable=prefix="$dest$prefix" --cflags --libs psbc) || die "README's example does not compile"
printf '%%%%MatrixMarket matrix coordinate real symmetric\n2 2 3\n1 1 2\n2 1 1\n2 2 2\n' >"$work/a.mtx"
PSB_DEVICE=none "$srcdir/test/mpi-run" 1 "$work/example" "$work/a.mtx" || die "README's example does not run"
echo "installcheck: PASSED: $lib"
