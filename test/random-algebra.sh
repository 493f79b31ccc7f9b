#!/bin/sh
# random-algebra.sh -- random sequences of sparse algebra on 1 to 3 processes, on the host and the fake device, which
# SciPy computes again: see random_algebra.c and random_algebra.py.  RANDOM_SEEDS: how many, by default 1.
set -u
here=$(dirname "$0")
export PSB_DEVICE="${PSB_DEVICE:-fake}"
command -v "${MPIEXEC:-mpiexec}" >/dev/null || { echo "skipped: no mpiexec (Debian: openmpi-bin)"; exit 77; }
for python in python3 /usr/bin/python3; do
    "$python" -c 'import scipy.sparse' 2>/dev/null && break
    python=
done
[ -n "$python" ] || { echo "skipped: no SciPy (Debian: python3-scipy)"; exit 77; }
stream=$(mktemp)
trap 'rm -f "$stream"' EXIT
failures=0
seed=0
while [ $((seed += 1)) -le "${RANDOM_SEEDS:-1}" ]; do
    for program in test/random_algebra_d test/random_algebra_z; do
        for np in 1 2 3; do
            if ! sh "$here/mpi-run" $np $program $seed 60 >"$stream" ||
                ! "$python" "$here/random_algebra.py" <"$stream"; then
                echo "FAIL: $program $seed 60 on $np processes"
                failures=$((failures + 1))
            fi
        done
    done
done
exit $((failures > 0))
