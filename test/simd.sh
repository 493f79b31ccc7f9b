#!/bin/sh
# simd.sh -- host kernels at each level of vector instructions below the widest of this processor, which is that
# of all other tests: the formats, products and solves of every scalar with PSB_SIMD set.
here=$(dirname "$0")
types= suites='formats ops'
for type in s d c z; do
    [ ! -x test/suites_$type ] || types="$types $type"
done
if [ -z "$types" ]; then
    echo "skipped: no Check (Debian: check)"
    exit 77
fi
if grep -q '^SANITIZE_FLAGS = ..*' Makefile; then # these take their time
    types=${types##* } suites=formats
fi
status=0

# Those there are, from the least on.
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
