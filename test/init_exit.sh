#!/bin/sh
# init_exit.sh -- who initialises and finalises MPI, and that an error of one process ends all of them.
set -u
here=$(cd "$(dirname "$0")" && pwd)
command -v "${MPIEXEC:-mpiexec}" >/dev/null || { echo "skipped: no mpiexec (Debian: openmpi-bin)"; exit 77; }
export OMPI_MCA_odls_base_sigkill_timeout=0 OMP_NUM_THREADS=3
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failures=0

# run NP MODE: run init_exit; output in $dir/out, exit status in $status.
run() {
    timeout 50 sh "$here/mpi-run" "$1" test/init_exit "$2" >"$dir/out" 2>&1 </dev/null
    status=$?
}

fail() {
    echo "FAIL: $*, status $status"
    sed 's/^/    /' "$dir/out"
    failures=$((failures + 1))
}

for mode in ours single funneled early; do
    for np in 1 3; do
        run $np $mode
        [ $status -eq 0 ] || fail "$mode on $np processes"
    done
done

export PSB_LOG=summary
for np in 1 3; do
    run $np orders
    [ $status -eq 0 ] || fail "orders on $np processes"
    grep -q "^psb: $np process" "$dir/out" || fail "orders has no summary of $np processes"
done
unset PSB_LOG

# One process stops: the others stop too before the timeout, and the output contains the reason.
for mode in erraction abort abort-all; do
    run 3 $mode
    { [ $status -ne 0 ] && [ $status -ne 124 ]; } || fail "$mode"
    grep -q "the matrix is burning" "$dir/out" || fail "$mode does not say why"
done

[ $failures -eq 0 ] && echo "all programs start and end as expected"
exit $((failures > 0))
