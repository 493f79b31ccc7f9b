#!/bin/sh
# valgrind.sh -- under valgrind, with the fake device: a distributed product in every format, solutions by psb-pargen
# and psb-fileread; and programs that use PSBLAS's C interface, on the host too.  No invalid access, no use of
# uninitialised values, no leak.
set -eu
command -v valgrind >/dev/null || { echo "skipped: no valgrind (Debian: valgrind)"; exit 77; }
if grep -q '^\(SANITIZE\|COVERAGE\)_FLAGS = ..*' Makefile; then
    echo "skipped: a build with sanitizers or counts"
    exit 77
fi
srcdir=${srcdir:-.}
export PSB_DEVICE=fake
results=$(mktemp -d)
trap 'rm -rf "$results"' EXIT

# checked ARGUMENT ...: run a program on two processes.
checked() {
    sh "$srcdir/test/mpi-run" 2 ./libtool --mode=execute valgrind -q --num-callers=60 --leak-check=full \
        --show-leak-kinds=definite --errors-for-leak-kinds=definite --error-exitcode=9 \
        --suppressions="$srcdir/test/valgrind.supp" "$@"
}

checked tools/psb-spmv --generate lap27:8,7,9 --format all --trans T --beta 2 --check --reps 1
checked tools/psb-pargen --size 6,5,7 --partition 3d --format hlg --solver "bicgstab, prec=bjac(ilu0)" \
    --history "$results/h" --output "$results/x"
status=0 # 1: no convergence
checked tools/psb-fileread --matrix "$srcdir/test/data/rail_20209_A.mtx.xz" --method rgmres --itmax 3 || status=$?
[ $status -eq 1 ]
VALGRIND=1 srcdir=$srcdir sh "$srcdir/test/cbind.sh"
