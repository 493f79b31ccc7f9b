#!/bin/sh
# examples.sh -- the programs of examples/, built with the library as make installed it below test/installed, by make and
# pkg-config and by CMake, print what their heads say; the example of README.md, which has twelve lines in main; and what else test/cmake looks for.
# No LD_LIBRARY_PATH is set: programs find the libraries by their rpath.
set -eu
srcdir=$(cd "${srcdir:-.}" && pwd)
command -v pkg-config >/dev/null || { echo "skipped: no pkg-config"; exit 77; }
if grep -q '^\(SANITIZE\|COVERAGE\)_FLAGS = ..*' Makefile; then
    echo "skipped: programs would need the flags of the sanitizers"
    exit 77
fi
build=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset LD_LIBRARY_PATH
wrong=0
complain() {
    echo "examples: $*"
    wrong=$((wrong + 1))
}

PKG_CONFIG_PATH=$(dirname "$(find "$build/test/installed" -name psbc.pc)")
export PKG_CONFIG_PATH
prefix=$build/test/installed$(sed -n 's/^prefix=//p' "$PKG_CONFIG_PATH/psbc.pc")
version=$(sed -n 's/^Version: //p' "$PKG_CONFIG_PATH/psbc.pc")
static=
ls "$prefix"/lib/libpsb_base.so >/dev/null 2>&1 || static=--static
pkg_config="pkg-config $static --define-variable=prefix=$prefix"
CC=$(sed -n 's/^CC = //p' Makefile)
case $CC in
*mpicc*) CXX=$(echo "$CC" | sed 's/mpicc/mpicxx/') ;;
*clang*) CXX=$(echo "$CC" | sed 's/clang/clang++/') ;;
*) CXX=c++ ;;
esac
export CC CXX

# run NP COMMAND...: the standard output of a program on NP processes; run_line LINE: of a line "mpirun -np NP COMMAND".
run() {
    timeout 120 "$srcdir/test/mpi-run" "$@" </dev/null
}
run_line() {
    # shellcheck disable=SC2086  # words of a command line
    set -- $1
    case $1 in
    mpirun) shift 2; run "$@" ;;
    *) run 1 "$@" ;;
    esac
}

# said FILE: the lines below each command in the head of a program; printed FILE: those that it prints now.
said() {
    sed -n '/^ \*\/\|\*\/$/q; s/^ \*     //p' "$1"
}
printed() {
    said "$1" | grep '^\$ ' | while read -r _ line; do
        echo "\$ $line"
        run_line "$line" || echo "exit status $?"
    done
}

# compare DIR: run the programs there.
compare() {
    cd "$1"
    for file in "$srcdir"/examples/*.c "$srcdir"/examples/*.cpp; do
        name=$(basename "${file%.*}")
        if [ "$name" = cusparse ] && { [ ! -e cusparse ] || ! nvidia-smi >/dev/null 2>&1; }; then
            echo "cusparse: no CUDA or no GPU"
            continue
        fi
        said "$file" >"$work/said"
        grep -q '^\$ ' "$work/said" || complain "the head of $name does not say how it is started"
        printed "$file" >"$work/printed"
        diff "$work/said" "$work/printed" || complain "$name prints another text than its head says"
    done
    cd "$build"
}

cp -R "$srcdir/examples" "$work/make"
chmod -R u+w "$work/make" # make distcheck
make -s -C "$work/make" PKG_CONFIG="$pkg_config" CC="$CC" CXX="$CXX" CFLAGS="-O1 -Wall -Wextra -Wpedantic -Werror" || complain "make fails"
compare "$work/make"

# The example of README.md, on a system of its own.
awk '/^```c$/ { on = 1; next } /^```/ { on = 0 } on' "$srcdir/README.md" >"$work/make/readme.c"
awk 'BEGIN { n = 100; print "%%MatrixMarket matrix coordinate real symmetric"; print n, n, 2 * n - 1
    for (i = 1; i <= n; i++) { print i, i, 3; if (i > 1) print i, i - 1, -1 } }' >"$work/make/A.mtx"
make -s -C "$work/make" PKG_CONFIG="$pkg_config" CC="$CC" CFLAGS="-O1 -Wall -Wextra -Werror" readme || complain "README.md"
[ "$(sed '1,/^{/d; /^}/,$d' "$work/make/readme.c" | wc -l)" -eq 12 ] || complain "README.md: not twelve lines"
[ "$(wc -w <"$srcdir/README.md")" -le 600 ] || complain "README.md has more than 600 words"
for format in "" hlg; do
    [ "$(run 2 "$work/make/readme" "$work/make/A.mtx" $format | sort | uniq -c | xargs)" = "2 converged" ] ||
        complain "README.md with $format"
done

if command -v cmake >/dev/null; then
    PSB_DEVICE=fake
    export PSB_DEVICE
    CMAKE_BUILD_PARALLEL_LEVEL=2
    export CMAKE_BUILD_PARALLEL_LEVEL
    # by_cmake FOLDER WHERE OPTION...: configure a folder and build it in $work/WHERE.
    by_cmake() {
        folder=$srcdir/$1 where=$work/$2
        shift 2
        { cmake -S "$folder" -B "$where" "$@" && cmake --build "$where"; } >"$work/log" 2>&1 ||
            { complain "cmake $folder $*"; cat "$work/log"; }
    }
    by_cmake examples cmake -DCMAKE_PREFIX_PATH="$prefix"
    compare "$work/cmake"
    by_cmake test/cmake test -DCMAKE_PREFIX_PATH="$prefix" -DPSBLAS_DIR="$prefix" -DVERSION="$version"
    by_cmake test/cmake tree -Dpsbc_DIR="$build" -DVERSION="$version"
    for program in test/elements test/elements_psblas tree/elements; do
        run 2 "$work/$program" || complain "cmake: $program"
    done
else
    echo "no cmake: find_package(psbc) is not tested"
fi
echo "$wrong wrong"
test $wrong -eq 0
