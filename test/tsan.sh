#!/bin/sh
# tsan.sh -- no races between the threads of a process: the suites of kernels, double in full and a sample of double
# complex, on four threads under clang's thread sanitizer.  libarcher tells the sanitizer how OpenMP synchronises.
#   tsan.sh [BUILD]     BUILD: build directory, which is kept; default: a temporary one
set -eu
srcdir=$(cd "$(dirname "$0")/.." && pwd)
suites='mat ops vect formats'
skip() {
    echo "skipped: $1"
    exit 77
}

command -v clang >/dev/null || skip "no clang (Debian: clang)"
pkg-config --exists check || skip "no Check (Debian: check)"
archer=$(dirname "$(readlink -f "$(command -v clang)")")/../lib/libarcher.so
[ -e "$archer" ] || skip "no libarcher.so with clang (Debian: libomp-dev)"
build=${1:-$(mktemp -d)}
[ -n "${1:-}" ] || trap 'rm -rf "$build"' EXIT
mkdir -p "$build"
cd "$build"
if ! echo 'int main(void) { return 0; }' | clang -fopenmp -fsanitize=thread -x c - -o tsan-try; then
    skip "clang does not link with -fopenmp -fsanitize=thread (Debian: libomp-dev, libclang-rt-dev)"
fi
rm tsan-try

[ -e "$srcdir/configure" ] || (cd "$srcdir" && autoreconf -i >/dev/null)
[ -e Makefile ] || "$srcdir/configure" -q CC=clang CFLAGS='-O1 -g1' --disable-shared --enable-static --without-cuda \
    --without-rsb --enable-sanitize=thread # LIBRSB uses another OpenMP runtime
make -s -j"$(nproc)" unchecked SCALARS=sc
make -s -j"$(nproc)" test/suites_d test/suites_z

# MPI is not instrumented; there is one process, with a fake device.  CK_GRAIN: the test matrices are small, so that
# threads must share a few elements.
export OMP_NUM_THREADS=4 OMP_TOOL_LIBRARIES="$archer" PSB_DEVICE=fake CK_DEFAULT_TIMEOUT=300 CK_GRAIN=4
export TSAN_OPTIONS="ignore_noninstrumented_modules=1 ${TSAN_OPTIONS:-}"
status=0
for program in suites_d suites_z; do
    [ $program = suites_d ] || export CHECK_ZOO=7 # a sample, see mpi-run
    for suite in $suites; do
        sh "$srcdir/test/mpi-run" 1 "test/$program" "$suite" >log 2>&1 || { status=1; cat log; }
        grep '%' log || true
    done
done
exit $status
