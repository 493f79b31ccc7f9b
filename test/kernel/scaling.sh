#!/bin/sh
# scaling.sh -- test/kernel: tests of scaling on 2 processes, on the host and on the fake device: its sums, its
# file of results, rejected arguments; and the model that reads the file.
set -u
here=$(cd "$(dirname "$0")" && pwd)
program=$PWD/test/kernel/scaling
command -v "${MPIEXEC:-mpiexec}" >/dev/null || { echo "skipped: no mpiexec (Debian: openmpi-bin)"; exit 77; }
ASAN_OPTIONS=${ASAN_OPTIONS:-}:detect_leaks=0 # MPI leaks memory
export ASAN_OPTIONS OMPI_MCA_odls_base_sigkill_timeout=0
dir=$(mktemp -d) && cd "$dir" || exit 1
trap 'rm -rf "$dir"' EXIT
failures=0

fail() {
    echo "FAIL: $*"
    sed 's/^/    /' out
    failures=$((failures + 1))
}

run() {
    rm -f tsv
    timeout 120 sh "$here/../mpi-run" 2 "$program" --rounds 1 --batch 2 --tsv tsv "$@" >out 2>&1
}

# Every sum equals the number that follows it, the sum of the entries.
for place in host fake; do
    for weak in '' --weak; do
        run --place $place $weak lap7:8 lap27:7,6,5 || fail "$place $weak"
        awk -F '\t' '$5 == "sum" { sum = $6 } $5 == "sum of entries" { n++; bad += $6 != sum || sum == 0 }
            END { exit bad || n != 2 }' tsv || fail "$place $weak: sums" "$(cat tsv)"
        grep -q "^# command: .*--place $place" tsv || fail "$place is not in the file"
        command -v python3 >/dev/null || continue
        python3 "$here/scaling_model.py" --gpus 64,512 tsv >out 2>&1 || fail "model"
        [ "$(grep -c '^ *512 ' out)" -eq 2 ] || fail "the model has no line of 512 GPUs for each matrix"
        python3 "$here/scaling_model.py" --faces 2 --gpus 4 tsv >out 2>&1 || fail "model of slabs"
        [ "$(grep -c '^ *4 ' out)" -eq 2 ] || fail "the model has no line of 4 GPUs for each matrix"
    done
done

# A uniform matrix has other neighbours; its sums are rounded.
run uniform:300,5 --same 100 || fail "uniform"
grep -q 'products that differ *0 of 100' out || fail "the bits of 100 products"

# Copies of a file's matrix, each distributed over both processes.
cat >ring.mtx <<'X'
%%MatrixMarket matrix coordinate real general
6 6 12
X
for i in 1 2 3 4 5 6; do echo "$i $i 4"; echo "$i $((i % 6 + 1)) $i"; done >>ring.mtx
for partition in block metis; do
    run --partition $partition --fill 60 "$dir/ring.mtx" || { grep -q 'lacks METIS' out && continue; fail "$partition"; }
    grep -q "CSR, .*, partition $partition: 30 rows, 60 entries; a process sends up to [1-9][0-9]* rows to 1 neighbours" out ||
        fail "$partition: five copies"
done

# refused PATTERN ARGUMENT ...
refused() {
    pattern=$1
    shift
    run "$@" && fail "accepted: $*"
    grep -q -- "$pattern" out || fail "$* does not say: $pattern"
}
refused 'expected host, fake or cuda' --place moon lap7:8
refused 'expected the name of a storage format' --format NONE lap7:8
refused 'with --weak the matrix is lap7 or lap27' --weak uniform:300,5
refused 'lap8' lap8:8
refused 'expected block or metis' --partition slices lap7:8
refused 'the matrix is a file' --partition metis lap7:8
refused 'with --weak the matrix is lap7 or lap27' --weak "$dir/ring.mtx"
refused 'none.mtx' none.mtx
printf '%%%%MatrixMarket matrix coordinate real general\n2 3 1\n1 1 1\n' >wide.mtx
refused 'it is 2 by 3; expected a square matrix' "$dir/wide.mtx"
printf '%%%%MatrixMarket matrix coordinate real general\n30 30 1\n1 1 1\n' >thin.mtx
refused '--fill is 2000000000, .* expected fewer than 2^31 rows' --fill 2000000000 "$dir/thin.mtx"
refused 'expected .*0 to 2000000000' --fill 2000000001 lap7:8
printf '%%%%MatrixMarket matrix coordinate real general\n5 5 0\n' >empty.mtx
run --fill 1000 "$dir/empty.mtx" && grep -q ': 5 rows, 0 entries' out || fail "a matrix without entries"
[ $failures -eq 0 ] && echo "all passed"
exit $((failures > 0))
