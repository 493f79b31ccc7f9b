#!/bin/sh
# psb-spmv.sh -- the program psb-spmv: results, output files, error messages.
# All files in $CK_SHARED/matrices/malformed (default of CK_SHARED: shared next to the source tree) must be refused.
set -u
here=$(cd "$(dirname "$0")" && pwd)
built=$PWD
shared=${CK_SHARED:-$here/../../shared}
# shellcheck source=test/programs-lib.sh
. "$here/programs-lib.sh"
use psb-spmv

# ---- two small matrices:         ( 1 . 2 . )      ( 1+i  .  )
#                              A = ( . . . . )  B = (  .  2i  )
#                                  ( 3 4 . 5 )      (  3  -1  )
cat >a.mtx <<END
%%MatrixMarket matrix coordinate real general
3 4 5
3 1 3
1 3 2
3 2 4
1 1 1
3 4 5
END
cat >b.mtx <<END
%%MatrixMarket matrix coordinate complex general
3 2 4
1 1 1 1
2 2 0 2
3 1 3 0
3 2 -1 0
END
column x4 1 10 100 1000
column x3 1 10 100
column y3 1 2 3
column y4 1 1 1 1

good 1 --matrix a.mtx --output y && same y 3.4 0 13.9
for np in 1 2 5; do
    for format in csr coo ell elg; do
        good "$np" --matrix a.mtx --format $format --x x4 --y y3 --alpha 2 --beta -1 --output y --check --reps 1
        same y 401 -2 10083
    done
    good "$np" --matrix a.mtx --format all --trans T --x x3 --y y4 --beta 10 --output y --check --reps 1
    same y 311 410 12 510
    says out '^ELG .*e[-+][0-9]'
done
column x2 1 -1
good 2 --matrix b.mtx --x x2 --output y --check --reps 1
same y "1 1" "0 -2" "4 0"
says out 'type z'
good 2 --matrix b.mtx --trans T --x x3 --output y --check --reps 1 --format all
same y "301 1" "-100 20"
good 2 --matrix b.mtx --trans C --x x3 --alpha 0,1 --output y --check --reps 1 --type c
same y "1 301" "20 -100"

# ---- NaN, infinities and overflow
cat >infinite.mtx <<END
%%MatrixMarket matrix coordinate real general
4 4 6
1 1 -inf
1 2 1
2 2 nan
2 1 1
3 3 1e300
4 4 1
END
good 2 --matrix infinite.mtx --format all --reps 1 --alpha 1e10 --check --output y
[ "$(sed 1,2d y | paste -sd ' ')" = "-inf nan inf 13000000000" ] || fail "not -inf, nan, inf, 1.3e10: $(cat y)"

# ---- types, partitions, generators
for type in s d c z; do
    good 3 --generate lap27:4,3,5 --type $type --format all --check --reps 2 --beta 0.5 --trans C
    good 2 --generate powerlaw:300,6 --type $type --format all --check --reps 1
    good 2 --generate uniform:300,6 --type $type --format all --check --reps 1 --trans T
done
echo "2 0 1 % of the rows
# and so on
" >owners
good 3 --matrix a.mtx --partition owners --x x4 --y y3 --alpha 2 --beta -1 --output y --check
same y 401 -2 10083
awk 'BEGIN { for (i = 0; i < 60; i++) print (7 * i) % 3 }' >owners60
good 3 --generate lap7:4,3,5 --partition owners60 --format all --reps 1 --check --trans T
good 1 --generate lap7:2 --output y1
good 1 --generate lap7:2,2,2 --output y2
cmp -s y1 y2 || fail "lap7:2 is no cube"
good 2 --generate powerrows:300,6,40 --check --reps 1
good 1 --generate powerlaw:500,4 --output y1 --reps 1
good 3 --generate powerlaw:500,4 --output y2 --reps 1
alike y2 y1
good 1 --generate uniform:10,10 --reps 1
says out ' 100 entries'
good 2 --generate lap7:1 --format all --reps 1 --check

# ---- formats that refuse: an arrow matrix, one full row
awk 'BEGIN {
    n = 30000; print "%%MatrixMarket matrix coordinate pattern general"; print n, n, 2 * n - 1
    for (i = 1; i <= n; i++) print 1, i
    for (i = 2; i <= n; i++) print i, i }' >arrow.mtx
good 2 --matrix arrow.mtx --format all --check ${json:+--json arrow.json} --reps 1
says out '^ELL +refused: '
says out '^CSR '
refused 1 'ELL refuses the matrix' 1 --matrix arrow.mtx --format ell
refused 1 'ELL refuses the matrix' 2 --matrix arrow.mtx --format csr,ell --reps 1

# ---- devices and the log of transfers
PSB_DEVICE=fake good 2 --generate lap7:9 --format all --reps 1 --check
says out '^ELG +fake '
says out '^halo +mpi .not lsa: processes share a device; not lsa[+]nccl: .*; not nccl: '
says out '^CSR +host '
PSB_DEVICE=fake PSB_FAKE_HOSTS=1 good 2 --generate lap7:9 --format elg --check
says out '^ELG .* halo: lsa$'
PSB_DEVICE=fake PSB_FAKE_HOSTS=2 good 2 --generate lap7:9 --format elg --check
says out '^halo +nccl .not lsa: neighbours are on different hosts; not lsa[+]nccl: all neighbours need messages'
PSB_DEVICE=fake PSB_FAKE_HOSTS=2 good 3 --generate lap7:9 --format elg --check
says out '^halo +lsa[+]nccl .not lsa: neighbours are on different hosts'
PSB_DEVICE=fake PSB_HALO=lsa+nccl good 3 --generate lap7:9 --format elg --check
says out '^ELG .* halo: lsa[+]nccl$'
PSB_DEVICE='' good 2 --generate lap7:9 --format elg --reps 1
grep -q 'hint: ' err && fail "a hint about what the head of the table says"
PSB_LOG=hints good 1 --generate lap7:9 --format elg,hlg --reps 1
[ "$(grep -c 'psb: hint: the format ELG computes on the host' err)" -eq 1 ] || fail "not one hint about the device"
[ "$(grep -c 'psb: hint' err)" -eq 1 ] || fail "not one hint"
PSB_LOG=transfer PSB_DEVCE=cuda good 2 --generate lap7:9 --format elg --reps 1
[ "$(grep -c 'psb: .*hint: PSB_LOG has the item transfer,.*is transfers meant' err)" -eq 1 ] || fail "not one hint about PSB_LOG"
[ "$(grep -c 'psb: .*hint: .* PSB_DEVCE is not read; is PSB_DEVICE meant' err)" -eq 1 ] || fail "not one hint about a name"
PSB_DEVICE=fake PSB_LOG=transfers good 1 --generate lap7:9 --format elg
says out 'timed products'
says out '^ELG +nothing'
PSB_DEVICE=fake PSB_LOG=transfers good 2 --generate lap7:9 --format elg
says out 'halo'
PSB_DEVICE=fake PSB_LOG=hints good 1 --generate lap7:9 --format autog,tunedg
[ "$(grep -c 'psb: hint: a matrix of .* is on the device; one core multiplies it' err)" -eq 1 ] || fail "not one hint about a launch"
PSB_DEVICE=fake PSB_LOG=hints good 1 --generate lap7:20 --format autog
grep -q 'psb: hint' err && fail 'a launch pays for 53,600 entries'

# ---- the log of kernels
PSB_DEVICE=fake PSB_LOG=kernels good 1 --generate lap7:9 --format elg,csr --reps 3
says err '^psb: kernel: ELG on fake, op N, columns 1: [0-9]+ bytes'
says err '^psb: kernel: CSR on host, op N, columns 1: [0-9]+ bytes'
lines=$(grep -c '^psb: kernel: ELG on fake, op N' err)
says err "^psb: kernels: ELG on fake, op N: $lines products, $lines columns, [0-9]+ bytes"
PSB_DEVICE=fake PSB_LOG=kernels good 1 --generate lap7:9 --format hlg --trans T --reps 3
says err '^psb: kernels: CSRG on fake, op T: [0-9]+ products'
good 1 --generate lap7:9 --format csr --reps 3
grep -q "^psb: kernel" err && fail "products are logged without being asked"

# ---- the choice of a format
PSB_LOG=formats good 2 --generate lap7:9 --format auto,tuned --check
says err '^psb: (process [01]: )?format of .* entries: [A-Z]+$'
says err '^psb: (process [01]: )?  DIA +[0-9.]+ MB, 0[.][0-9]+ times CSR; chosen$'
says err '^psb: (process [01]: )?  CSR +[0-9.]+ MB, 1 times CSR, [0-9.e+-]+ ms'
says out '^DIA +host .*  \(chosen by AUTO\)$'
says out '^[A-Z]+ +host .*  \(chosen by TUNED\)$'
PSB_DEVICE=fake good 1 --generate lap7:20 --format autog,tunedg --check
says out '^DIAG +fake .*  \(chosen by AUTOG\)$'
says out '^[A-Z]+G?P? +fake .*  \(chosen by TUNEDG\)$'
good 1 --generate lap7:9 --format auto
grep -q "^psb: format" err && fail "AUTO says why without being asked"

# ---- JSON
if [ -n "$json" ]; then
    odd='a "b"\c.mtx'
    cp a.mtx "$odd"
    good 2 --matrix "$odd" --format all --reps 1 --json out.json
    for key in machine processor matrix trans results format type ranks rows cols entries bytes conversion_s \
        median_s gflops effective_gbs copy_gbs max_error refused; do
        grep -q "\"$key\": " out.json || fail "--json has no $key"
    done
    if command -v python3 >/dev/null; then
        for file in out.json arrow.json; do
            python3 -m json.tool "$file" >/dev/null || fail "$file is no JSON"
        done
    fi
else
    echo "skipped: --json, since jansson is missing (Debian: libjansson-dev)"
    refused 2 'built without jansson' 1 --generate lap7:3 --json out.json
fi

# ---- output of successful runs
good 0 --generate lap7:3
good 1 --help
says out '^Usage: '
good 1 -h
good 1 --version
says out '^psb-spmv \(psbc [0-9]'
says out '^  OpenMP +(yes|no) '
says out '^  jansson +(yes|no) '
good 1 --generate lap7:3 --format csr,elg,ell
grep -q "$(printf '\033')" err && fail "progress where stderr is no terminal"
[ "$(grep -Ec '^(CSR|ELL|ELG) ' out)" -eq 3 ] || fail "three formats, not three lines"

# ---- partitions by METIS, files of owners, Harwell-Boeing, the other generators
for spec in banded:40,3 banded:20,1,4 elasticity:3,2,4 pde2d:9,5 pde3d:4; do
    good 1 --generate $spec --output y1 --reps 1
    good 3 --generate $spec --output y2 --reps 1 --check --format all
    alike y2 y1
done
good 3 --generate lap7:4,3,5 --partition owners:owners60 --check
run 3 --generate lap7:4,3,5 --partition metis --check --output y2
if [ "$status" -eq 0 ]; then
    good 1 --generate lap7:4,3,5 --output y1
    alike y2 y1
    good 4 --matrix infinite.mtx --partition metis
    good 7 --generate lap7:1 --partition metis --check
    refused 1 'metis: the matrix is 3 by 4; expected a square one' 2 --matrix a.mtx --partition metis
else
    says err 'lacks METIS'
fi
cp "$here/data/random.rua" "$here/data/random.mtx" .
good 1 --matrix random.mtx --output y1
good 2 --matrix random.rua --output y2 --check
alike y2 y1
sed '5s/  8/ 80/' random.rua >wrong.rua
refused 1 'wrong.rua:5: column pointer 80 is out of range' 2 --matrix wrong.rua

# ---- wrong command lines
refused 2 '--reps stands twice' 1 --matrix a.mtx --reps 1 --reps 2
refused 2 '--check stands twice' 1 --matrix a.mtx --check --check
refused 2 '-x: there is no such option' 1 --matrix a.mtx -hxq
refused 2 '-q: there is no such option' 1 -q --matrix a.mtx
refused 1 'no/y: cannot be written' 1 --generate lap7:100000 --output no/y
refused 2 'expected --matrix FILE or --generate' 1
refused 2 'both' 1 --matrix a.mtx --generate lap7:3
refused 2 'unexpected argument "b.mtx"' 1 --matrix a.mtx b.mtx
refused 2 '--bogus.*no such option' 2 --bogus
refused 2 '--bogus: .*no such option' 1 a.mtx --bogus
refused 2 '--reps needs an argument' 1 --matrix a.mtx --reps
refused 2 '--check=1.*no argument' 1 --matrix a.mtx --check=1
for reps in 0 -1 2x 99999999999999999999; do
    refused 2 "--reps is \"$reps\".*whole number" 1 --matrix a.mtx --reps "$reps"
done
for alpha in abc '1,' 1,2,3 ''; do
    refused 2 "--alpha is \"$alpha\".*number" 1 --matrix a.mtx --alpha "$alpha"
    refused 2 "--beta is \"$alpha\".*number" 1 --matrix b.mtx --beta "$alpha"
done
refused 2 '--alpha is complex' 2 --matrix a.mtx --alpha 1,2
refused 2 '--beta is beyond' 1 --matrix a.mtx --type s --beta 1e39
refused 2 '--type is "q".*sdcz' 1 --matrix a.mtx --type q
refused 2 '--trans is "H".*NTC' 1 --matrix a.mtx --trans H
if grep -q '^RSB_LIBS = ..*' "$built/Makefile"; then
    good 2 --generate lap7:9 --format rsb --check --reps 1
else
    refused 2 'RSB is off: this build has no LIBRSB' 2 --generate lap7:9 --format rsb
fi
refused 2 '"XYZ"; expected one of COO CSR' 2 --matrix a.mtx --format XYZ
refused 2 'no format is called ""' 1 --matrix a.mtx --format csr,
refused 2 'expected a list of cusparse, petsc, librsb' 1 --matrix a.mtx --compare trilinos
if grep -q '^#define COMPARE_PETSC 1' "$built/config.h"; then
    for np in 1 3; do
        good $np --matrix a.mtx --compare petsc --x x4 --y y3 --alpha 2 --beta -1 --check --reps 1 --output y
        same y 401 -2 10083
        says out '^PETSc +host +3 +5 .*e[-+][0-9]'
        says out '^PETSc-SELL +host +3 +5 .*e[-+][0-9]'
        good $np --matrix a.mtx --compare petsc --trans T --x x3 --y y4 --beta 1 --check --reps 1 --output y
        same y 302 401 3 501
        grep -q '^PETSc-SELL' out && fail "SELL with its transpose"
    done
    good 3 --generate lap7:4,3,5 --partition owners:owners60 --compare petsc --check --reps 2 --alpha 0.5 --beta 1
    refused 1 'PETSc refuses the matrix: this PETSc computes in type d' 2 --matrix a.mtx --type s --trans C --compare petsc
else
    echo "skipped: --compare petsc, since this build is not --with-petsc (Debian: petsc-dev)"
    refused 2 'built without PETSc; expected configure --with-petsc' 2 --matrix a.mtx --compare petsc
fi
refused 2 'no device to compare on' 1 --matrix a.mtx --compare cusparse
PSB_DEVICE=fake refused 1 'cuSPARSE refuses the matrix: .*fake device' 1 --matrix a.mtx --compare cusparse --reps 1
for spec in lap7 lap7: lap7:0 lap7:-1 lap7:3,4 lap7:3,4,5,6 'lap7:3,' lap7:3x lap7:1000000 lap27:99999999999999999999 \
    uniform:5 uniform:5,6 uniform:5,0 powerlaw:5,1,1 powerlaw:1e3,2 powerrows:9,4 powerrows:9,4,3 powerrows:9,4,10; do
    refused 2 "\"$spec\" .*expected ${spec%%:*}:" 1 --generate "$spec"
done
refused 2 'lap5.*expected lap7' 1 --generate lap5:3
refused 2 '--generate: .*expected uniform:M,K' 1 --generate uniform:0,0
refused 1 '--partition: blok: .*expected block, metis or owners:FILE' 2 --matrix a.mtx --partition blok
refused 1 '--partition is "owners:"' 1 --matrix a.mtx --partition owners:
refused 1 '10{15} rows.*processes' 1 --generate uniform:1000000000000000,3
PSB_DEVICE=abc refused 1 'PSB_DEVICE is "abc"' 2 --matrix a.mtx

# ---- wrong files
for np in 1 2; do
    refused 1 'nothere.mtx: .*No such file' "$np" --matrix nothere.mtx
    refused 1 "$dir: .*directory" "$np" --matrix "$dir"
    refused 1 'nothere: .*No such file' "$np" --matrix a.mtx --partition nothere
    refused 1 'b.mtx:1: .*complex' "$np" --matrix b.mtx --type d
    refused 1 'x3: .*3 by 1; expected 4 by 1 for x' "$np" --matrix a.mtx --x x3
    refused 1 'x4: .*4 by 1; expected 3 by 1 for x' "$np" --matrix a.mtx --trans T --x x4
    refused 1 'y4: .*4 by 1; expected 3 by 1 for y' "$np" --matrix a.mtx --y y4
    refused 1 'nothere: .*No such file' "$np" --matrix a.mtx --x nothere
    refused 1 'no/y: cannot be written' "$np" --matrix a.mtx --output no/y --reps 1
    [ -z "$json" ] || refused 1 'no/j: cannot be written' "$np" --matrix a.mtx --json no/j --reps 1
done
printf '0\n1 1\n' >owners
refused 1 'owners:2: the owner of row 2 is 1; expected a process, 0..0' 1 --matrix a.mtx --partition owners
printf '0\n-1 1\n' >owners
refused 1 'owners:2: the owner of row 2 is -1; expected a process, 0..1' 2 --matrix a.mtx --partition owners
printf '0\n# 0\n0x 1\n' >owners
refused 1 'owners:3: the owner of row 2 is 0x' 2 --matrix a.mtx --partition owners
printf '0 1\n' >owners
refused 1 'owners:2: owners of 2 rows; the matrix has 3' 2 --matrix a.mtx --partition owners
printf '0 1 0\n\n1' >owners
refused 1 'owners:3: more owners than the 3 rows' 2 --matrix a.mtx --partition owners

# ---- all malformed matrices
index=$shared/matrices/malformed/INDEX.tsv
if [ -r "$index" ]; then
    awk -F '\t' '$2 == "reject" || $2 == "policy" { print $2, $1 }' "$index" >malformed
    turn=0
    while read -r expect file; do
        turn=$((turn + 1))
        for np in 0 2; do
            [ $np -eq 0 ] || [ $((turn % 8)) -eq 0 ] || continue # suite read has them all on several processes
            if [ "$expect" = reject ]; then
                refused 1 "$file:[0-9]+: " $np --matrix "$shared/matrices/malformed/$file"
            else
                run $np --matrix "$shared/matrices/malformed/$file" --reps 1
                [ "$status" -le 1 ] || fail "status $status: $file"
            fi
        done
    done <malformed
else
    echo "not tested: malformed matrices; $index is not there"
fi

end "psb-spmv keeps its promises"
