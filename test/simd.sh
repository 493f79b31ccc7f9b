#!/bin/sh
# simd.sh -- host kernels at each level of vector instructions that this processor has: the formats, products and
# solves of every scalar with PSB_SIMD set.  The other suites run at the widest.
here=$(dirname "$0")
if [ ! -x test/suites_d ]; then
    echo "skipped: no Check (Debian: check)"
    exit 77
fi
types='s d c z'
grep -q '^SANITIZE_FLAGS = ..*' Makefile && types='d c' # these take their time
status=0
for level in plain avx2 avx512; do
    export PSB_SIMD=$level
    if ! why=$(ASAN_OPTIONS=detect_leaks=0 tools/psb-spmv --generate lap7:2 2>&1); then
        echo "$level: $why"
        case $why in *"expected no more than"*) ;; *) status=1 ;; esac
        continue
    fi
    for type in $types; do
        for suite in formats ops; do
            sh "$here/mpi-run" 1 test/suites_$type $suite >simd.log 2>&1 || { status=1; echo "$level, $type:"; cat simd.log; }
        done
    done
done
rm -f simd.log
exit $status
