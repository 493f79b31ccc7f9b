#!/bin/sh
# gpu_solve.sh -- test/kernel: tests of gpu_solve on the fake device, on 1 and 2 processes, and of the table of costs in
# docs/solvers.md.
set -u
here=$(cd "$(dirname "$0")" && pwd)
program=$PWD/test/kernel/gpu_solve
command -v "${MPIEXEC:-mpiexec}" >/dev/null || { echo "skipped: no mpiexec (Debian: openmpi-bin)"; exit 77; }
PSB_DEVICE=fake
ASAN_OPTIONS=${ASAN_OPTIONS:-}:detect_leaks=0 # MPI leaks memory
export PSB_DEVICE ASAN_OPTIONS OMPI_MCA_odls_base_sigkill_timeout=0
dir=$(mktemp -d) && cd "$dir" || exit 1
trap 'rm -rf "$dir"' EXIT
failures=0

fail() {
    echo "FAIL: $*"
    sed 's/^/    /' out
    failures=$((failures + 1))
}

# Every method makes the iterations that it is asked for, and later solves of a kept solver allocate nothing.
for np in 1 2; do
    rm -f tsv
    timeout 120 sh "$here/../mpi-run" $np "$program" --rounds 1 --longest 90 --formats hlg,csrg \
        --methods cg,bicgstab,rgmres,nix --tsv tsv lap7:8 >out 2>&1 || fail "$np processes"
    [ "$(grep -c '^cg  *20  *80 \|^bicgstab  *20  *80 \|^rgmres  *30  *90 ' out)" -eq 6 ] || fail "$np: iterations"
    [ "$(grep -c '^nix  *psb_solve has no such method' out)" -eq 2 ] || fail "$np: a name that is no method"
    awk -F '\t' -v np=$np '/^#/ { next } $3 == np && $5 ~ /^(cg|bicgstab|rgmres): iteration$/ { n++ }
        $5 ~ /later solve: allocations$/ { zero += $6 == 0 } END { exit n != 6 || zero != 6 }' tsv || {
        cat tsv >>out
        fail "$np: the file of results"
    }
done

refused() {
    pattern=$1
    shift
    "$program" "$@" >out 2>&1 && fail "accepted: $*"
    grep -q -- "$pattern" out || fail "$* does not say: $pattern"
}
refused 'no argument MATRIX'
refused '--formats is "nix"' --formats nix lap7:4
refused '--longest is "1"; expected .* 2 to' --longest 1 lap7:4

"$program" --costs >out || fail "--costs"
sed -n '/^<!-- costs -->$/,/^<!-- costs end -->$/p' "$here/../../docs/solvers.md" | grep -v '^<!--' >table
diff table out >difference || { cat difference >>out; fail "docs/solvers.md differs from gpu_solve --costs"; }
[ $failures -eq 0 ] && echo "all passed"
exit $((failures > 0))
