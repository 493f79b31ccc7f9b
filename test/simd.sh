#!/bin/sh
# simd.sh -- host kernels with PSB_SIMD set to each instruction level below the highest of this processor, which all
# other tests use: formats, products and solves of every scalar, or of those in SIMD_TYPES.
here=$(dirname "$0")
types= suites='formats ops'
for type in ${SIMD_TYPES:-s d c z}; do
    [ ! -x test/suites_$type ] || types="$types $type"
done
if [ -z "$types" ]; then
    echo "skipped: no Check (Debian: check)"
    exit 77
fi
if grep -q '^SANITIZE_FLAGS = ..*' Makefile; then # slow builds
    types=${types##* } suites=formats
fi
status=0

# The levels of this processor in ascending order.
levels=
for level in plain avx2 avx512; do
    if why=$(PSB_SIMD=$level ASAN_OPTIONS=detect_leaks=0 tools/psb-spmv --generate lap7:2 2>&1); then
        levels="$levels $level"
    else
        echo "$level: $why"
        case $why in *"expected no more than"*) ;; *) status=1 ;; esac
    fi
done

for level in ${levels% *}; do
    for type in $types; do
        for suite in $suites; do
            PSB_SIMD=$level sh "$here/mpi-run" 1 test/suites_$type $suite >simd.log 2>&1 ||
                { status=1; echo "$level, $type:"; cat simd.log; }
        done
    done
done
rm -f simd.log
exit $status
