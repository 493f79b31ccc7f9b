#!/bin/sh
# valgrind.sh -- a distributed product in every format, with the fake device, under valgrind: no invalid access, no
# use of uninitialised values, no leak.
set -eu
command -v valgrind >/dev/null || { echo "skipped: no valgrind (Debian: valgrind)"; exit 77; }
if grep -q '^\(SANITIZE\|COVERAGE\)_FLAGS = ..*' Makefile; then
    echo "skipped: a build with sanitizers or counts"
    exit 77
fi
srcdir=${srcdir:-.}
export PSB_DEVICE=fake
exec sh "$srcdir/test/mpi-run" 2 ./libtool --mode=execute valgrind -q --num-callers=60 --leak-check=full \
    --show-leak-kinds=definite --errors-for-leak-kinds=definite --error-exitcode=9 \
    --suppressions="$srcdir/test/valgrind.supp" \
    tools/psb-spmv --generate lap27:8,7,9 --format all --trans T --beta 2 --check --reps 1
