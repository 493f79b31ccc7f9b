#!/bin/sh
# life.sh -- beginnings and ends of programs: who initialises MPI and ends it, and what stops all processes.
set -u
here=$(cd "$(dirname "$0")" && pwd)
command -v "${MPIEXEC:-mpiexec}" >/dev/null || { echo "skipped: no mpiexec (Debian: openmpi-bin)"; exit 77; }
export OMPI_MCA_odls_base_sigkill_timeout=0 OMP_NUM_THREADS=3
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failures=0

# life NP MODE: its words in $dir/out, its status in $status.
life() {
    timeout 50 sh "$here/mpi-run" "$1" test/life "$2" >"$dir/out" 2>&1 </dev/null
    status=$?
}

fail() {
    echo "FAIL: $*, status $status"
    sed 's/^/    /' "$dir/out"
    failures=$((failures + 1))
}

for mode in ours single funneled early; do
    for np in 1 3; do
        life $np $mode
        [ $status -eq 0 ] || fail "$mode on $np processes"
    done
done

# One process stops: so do the others, in time, and somebody says why.
for mode in erraction abort abort-all; do
    life 3 $mode
    { [ $status -ne 0 ] && [ $status -ne 124 ]; } || fail "$mode"
    grep -q "the matrix is burning" "$dir/out" || fail "$mode does not say why"
done

[ $failures -eq 0 ] && echo "all lives end as they should"
exit $((failures > 0))
