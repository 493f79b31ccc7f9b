#!/bin/sh
# gpu_spmv.sh -- test/kernel: tests of gpu_spmv and table.sh on the fake device, and of the parts that they share
# with host_spmv: results, output, rejected arguments.
set -u
here=$(cd "$(dirname "$0")" && pwd)
built=$PWD
PSB_DEVICE=fake
ASAN_OPTIONS=${ASAN_OPTIONS:-}:detect_leaks=0 # MPI leaks memory
export PSB_DEVICE ASAN_OPTIONS
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
failures=0

fail() {
    echo "FAIL: $*"
    sed 's/^/    /' "$dir/out"
    failures=$((failures + 1))
}

# run TYPE ARGUMENT ...: run gpu_spmv; its output goes to $dir/out, its exit status to $status.
run() {
    t=$1
    shift
    "$built/test/kernel/gpu_spmv" --type "$t" --rounds 1 "$@" >"$dir/out" 2>&1 </dev/null
    status=$?
}

# shows TYPE PATTERN ARGUMENT ...: expect success and output that matches the pattern.
shows() {
    t=$1 pattern=$2
    shift 2
    run "$t" "$@"
    [ $status -eq 0 ] || fail "status $status: $*"
    grep -q -- "$pattern" "$dir/out" || fail "expected $pattern: $*"
}

# refused STATUS PATTERN ARGUMENT ...: expect this exit status and output that matches the pattern.
refused() {
    expected=$1 pattern=$2
    shift 2
    run d "$@"
    [ $status -eq "$expected" ] || fail "status $status, expected $expected: $*"
    grep -q -- "$pattern" "$dir/out" || fail "expected $pattern: $*"
}

for t in d z; do
    "$built/test/kernel/matrix_test" --type "$t" >"$dir/out" 2>&1 || fail "matrix_test, type $t"
done

cat >"$dir/a.mtx" <<EOF
%%MatrixMarket matrix coordinate real general
3 2 4
1 1 2.5
2 2 -1
3 1 4
3 2 1e-3
EOF
sed 's/real/complex/; s/^\([0-9] [0-9] .*[0-9]\)$/\1 1/; s/^3 2 4 1$/3 2 4/' "$dir/a.mtx" >"$dir/c.mtx"

for t in s d c z; do
    shows "$t" '^ELG  *[0-9]' --tsv "$dir/tsv" lap7:6 lap27:4 uniform:50:5 block:3
    shows "$t" '^ELG  *[0-9]\|^ELG  *refused: ' --tsv "$dir/tsv" power:200
    shows "$t" '^a: 9 by 6, 12 entries in 3 copies' "$dir/a.mtx*3"
    shows "$t" '^a: 15 by 10, 20 entries in 5 copies' --fill 17 "$dir/a.mtx"
    shows "$t" '^a: 3 by 2, 4 entries, ' --fill 0 "$dir/a.mtx"
    shows "$t" 'y = A^T x' --trans t lap7:4
    shows "$t" 'Y = A^H X, 3 columns' --trans C --columns 3 lap7:4
done
shows d '^ELG  *[0-9]' --batch 7 lap7:6
shows d 'CSR  *refused: CSR computes this product on the host' --formats csr lap7:4
printf '%s\n' '%%MatrixMarket matrix coordinate pattern general' '2000 2000 2000' >"$dir/row.mtx"
seq 2000 | sed 's/^/1 /' >>"$dir/row.mtx"
shows d '^ELG  *refused: ' --fill 0 --formats elg "$dir/row.mtx"
shows d '^ELG  *[0-9]' --fill 0 --formats elg --limit 0 "$dir/row.mtx"
shows d 'AUTO  *refused: ' --formats auto lap7:4
shows d 'convert s  products' --conversions lap7:4
shows z '^c: 3 by 2' --fill 0 "$dir/c.mtx"
awk -F '\t' '/^#/ { head++; next } NF != 7 { print FILENAME ": " $0; bad = 1 }
    $4 == "ELG" && $5 ~ /^product(: refused)?$/ { n++ } END { exit bad || head != 5 || n != 20 }' "$dir/tsv" >"$dir/out" ||
    fail "the lines of --tsv"

refused 2 'no argument MATRIX; expected lap7:100'
refused 2 '--fill is "x"; expected a whole number' --fill x lap7:3
refused 2 '--type is "q"; expected s, d, c or z' --type q lap7:3
refused 2 '--trans is "Q"; expected N, T or C' --trans Q lap7:3
refused 2 '--columns is "65"; expected .* 1 to 64' --columns 65 lap7:3
refused 2 '--rounds is "0"; expected .* 1 to 30' --rounds 0 lap7:3
refused 2 '--batch is "0"; expected .* 1 to 1000' --batch 0 lap7:3
refused 2 '--limit is "-1"; expected .* 0 to 1000' --limit -1 lap7:3
refused 2 '--formats: .*"nix"; expected one of COO CSR' --formats nix lap7:3
refused 2 '--peers is "CSR-ALG1,nix"; expected CSR-ALG1' --peers CSR-ALG1,nix lap7:3
refused 2 '--tsv is "/nix/x"; expected a file' --tsv /nix/x lap7:3
refused 2 'MATRIX is "lap7:3[*]0"; expected a whole number of copies' 'lap7:3*0'
refused 2 'MATRIX is "nix.mtx"; expected a file' nix.mtx
refused 2 '"lap9:3".*expected lap7:NX' lap7:3 lap9:3
refused 1 'complex' "$dir/c.mtx"
refused 1 '3000 copies .*expected fewer than 2^31' 'lap7:100*3000'
refused 0 'Usage: gpu_spmv ' --help
PSB_DEVICE=none refused 1 'there is no GPU' lap7:3

# table.sh: on invented measurements the figures met, missed and wrong; then a run on small matrices.
# line MATRIX METHOD MS SHARE
line() {
    printf '%s\td\t1\t%s\tproduct\t%s\tms\n' "$1" "$2" "$3"
    printf '%s\td\t1\t%s\tproduct: share of the bandwidth\t%s\tratio\n' "$1" "$2" "$4"
}
{
    line lap7:200 'cuSPARSE CSR-ALG1' 1.3 0.6
    line lap7:200 'cuSPARSE SELL-32' 1.0 0.8
    line lap7:200 CSRG 1.0 0.86
    line lap7:200 HLG 1.04 0.94
    line lap7:200 HDIAG 0.7 1.2
    line one 'cuSPARSE CSR-ALG1' 1.0 0.6
    line one CSRG 0.5 0.9
    line two 'cuSPARSE CSR-ALG1' 0.9 0.6
    line two CSRG 1.0 0.9
    line two HLG 5.0 0.1
    line two CUB 1.2 0.5
} >"$dir/made"
sh "$here/table.sh" --summary "$dir/made" >"$dir/out" || fail "a summary"
for line in 'CSRG over cuSPARSE.s CSR  *1.300 .* met' 'HLG over cuSPARSE.s SELL  *0.962 .* MISSED' \
    'AUTOG over .* not measured' 'mean of 2  *1.342 .* met' 'the worst  *0.900 .* MISSED  *two' \
    'over the slowest product  *0.200 .* MISSED  *two' \
    'best over CUB, mean of 1  *1.200 .* met  *worst 1.200 two' '^5 met, 3 missed, 5 not measured'; do
    grep -q "$line" "$dir/out" || fail "a summary without: $line"
done
printf '%s\td\t1\t%s\tproduct: wrong, error over its bound\t1.5\tratio\n' two CSRG >>"$dir/made"
sh "$here/table.sh" --summary "$dir/made" >"$dir/out" && fail "a wrong result is not seen"
grep -q 'WRONG: CSRG on two, type d' "$dir/out" || fail "a wrong result is not named"
sh "$here/table.sh" gpu --types q >"$dir/out" 2>&1
[ $? -eq 2 ] || fail "--types q: another status"
grep -q 'types has "q"; expected s, d' "$dir/out" || fail "--types q"
mkdir "$dir/matrices" && mv "$dir/a.mtx" "$dir/c.mtx" "$dir/matrices"
sh "$here/table.sh" gpu --rounds 1 --fill 0 --types "d z" lap7:5 "$dir/matrices" >"$dir/out" 2>&1 || fail "a table"
for line in 'skipped: c.mtx: complex' '^c: .*type z' '^lap7:5 .* [A-Z]*G ' 'not measured lap7:5'; do
    grep -q "$line" "$dir/out" || fail "a table without: $line"
done

[ $failures -eq 0 ] && echo "gpu_spmv and table.sh do what they say"
exit $((failures > 0))
