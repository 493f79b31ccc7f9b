#!/bin/sh
# programs.sh -- the programs psb-pargen and psb-fileread: solutions, reports, input files of PSBLAS, error messages.
set -u
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=test/programs-lib.sh
. "$here/programs-lib.sh"
use psb-pargen

# reported NAME: the value that the last run reported.
reported() {
    sed -n "s/^$1 *: *//p" out
}

# history FILE: it has a line for every iteration of the last run, and one for the guess.
history() {
    [ "$(grep -vc '^#' "$1")" -eq $(($(reported 'Number of iterations') + 1)) ] || fail "$1: not iterations + 1 lines"
    [ "$(tail -n 1 "$1" | cut -d ' ' -f 1)" = "$(reported 'Number of iterations')" ] || fail "$1: wrong last line"
}

# ---- an installation, or this build, checks itself
use psb-info
for np in 1 3; do
    for device in none fake ''; do
        PSB_DEVICE=$device good $np --check
        says out "^psb-info: PASSED: products in [0-9]+ formats, a solution in [0-9]+ iterations, $np process"
        grep -q '^psb' err && fail "psb-info --check says more" # sanitizers say what they suppress
    done
done
good 1 --help
says out '^Usage: .*psb-info'
refused 2 'there is no such option' 1 --chek
use psb-pargen

# ---- the equation: one point, by hand: x = (exp(-1/4) + 1) / 4; distributions, types, formats
good 0 --dims 2 --size 1 --output y
same y 0.4447001957678512
exact="--solver cg,tol=1e-13,prec=diag"
# shellcheck disable=SC2086  # three words
good 1 --size 5,4,6 $exact --output y1
for label in Problem 'Number of processes' 'Linear system size' 'Matrix creation time' Preconditioner \
    'Preconditioner time' 'Iterative method' 'Time to solve system' 'Time per iteration' 'Number of iterations' \
    'Convergence indicator on exit' 'True residual on exit' 'Outcome' 'Memory of A' 'Memory of the preconditioner' \
    'Memory of the descriptor' 'Storage format of A'; do
    [ -n "$(reported "$label")" ] || fail "no line $label"
done
awk 'BEGIN { for (i = 0; i < 120; i++) print (7 * i) % 3 }' >owners
for how in block 3d owners:owners; do
    good 3 --size 5,4,6 --solver "cg, tol=1e-13, prec=diag" --partition $how --output y3
    alike y3 y1
done
good 0 --dims 2 --size 3,1 --tol 1e-13 --output y2
good 3 --dims 2 --size 3,1 --tol 1e-13 --partition metis --output y3 # as many parts as rows: without METIS too
alike y3 y2
run 3 --size 5,4,6 --method cg --tol 1e-13 --partition metis --output y3
if [ "$status" -eq 0 ]; then alike y3 y1; else says err 'lacks METIS'; fi
good 2 --problem pde2d --size 7,5 --partition 3d --type z --tol 1e-12 --output y2
good 1 --dims 2 --size 7,5 --tol 1e-12 --format ell --output y1
sed '1,2d; s/ .*//' y2 >re
# shellcheck disable=SC2046
same y1 $(cat re)
good 0 --size 6 --type s --tol 1e-4
good 0 --size 6 --type c --tol 1e-4
says out 'CSR on host, type c'
if [ "$(PSB_DEVICE='' alone "$tools/psb-spmv" --generate lap7:2 | grep -c '^device  *none')" -eq 1 ]; then
    PSB_DEVICE='' good 3 --size 6 --format hlg
    [ "$(grep -c 'psb: process 0: hint: the format HLG computes on the host, since .*PSB_DEVICE=none' err)" -eq 1 ] ||
        fail "not one line about a GPU that is not there"
    good 3 --size 6 --format hlg
    grep -q '^psb' err && fail "a line about a GPU that nobody asked for"
fi
PSB_DEVICE=fake good 2 --size 6 --format hlg --tol 1e-12 --output y2
says out 'HLG on fake'
good 1 --size 6 --tol 1e-12 --output y1
alike y2 y1

# ---- history, trace, plot, JSON; no convergence
good 3 --size 8 --method cg --history h
history h
grep -q '^cg: iteration' out && fail "a trace without --trace"
good 1 --size 8 --method cg --history h --trace 1
history h
[ "$(grep -c '^cg: iteration' out)" -eq "$(grep -vc '^#' h)" ] || fail "--trace 1 does not print every iteration"
for method in cgs bicg bicgstab bicgstabl idr tfqmr rgmres fgmres gcr minres richardson cg-single cg-pipelined fcg block-cg; do
    good 0 --size 5 --method $method --history h
    history h
done
mkdir bin
printf '#!/bin/sh\ncat >script\n' >bin/gnuplot
chmod +x bin/gnuplot
PATH=$PWD/bin:$PATH good 0 --size 4 --plot "it's.png" --history h
says script "^set output 'it''s.png'"
grep -v '^#' h >values
[ "$(grep -cFxf values script)" -eq "$(wc -l <values)" ] || fail "the plot lacks values"
printf '#!/bin/sh\nexit 3\n' >bin/gnuplot
PATH=$PWD/bin:$PATH refused 1 'a.pdf: gnuplot has failed' 0 --size 4 --plot a.pdf
if ! command -v gnuplot >/dev/null; then
    refused 1 'gnuplot is not installed' 0 --size 4 --plot a.png
    refused 1 'gnuplot is not installed' 2 --size 4 --plot a.png
fi
refused 1 'no convergence: .*maximal number' 3 --size 8 --method cg --itmax 3 ${json:+--json out.json} --history h --output y
[ "$(reported 'Number of iterations')" = 3 ] || fail "not 3 iterations"
history h
if [ -n "$json" ]; then
    says out.json '"converged": false'
    good 2 --size 8 --json out.json --partition 3d
    for key in program machine problem grid partition rows entries format where threads solver method prec stop tol \
        result creation_s prec_s solve_s iteration_s iterations estimate residual converged outcome bytes descriptor; do
        says out.json "\"$key\": "
    done
    says out.json "\"iterations\": $(reported 'Number of iterations'),"
    if command -v python3 >/dev/null; then
        python3 -m json.tool out.json >/dev/null || fail "out.json is no JSON"
    fi
else
    refused 2 'built without jansson' 0 --size 3 --json out.json
fi

# ---- input files of psb-pargen
cat >pargen.inp <<'END'
17                     Number of entries below this
CG                     Iterative method BICGSTAB CGS BICG
diag                   Preconditioner NONE DIAG BJAC
CSR                    Storage format
7                      Domain size

3                      Partition: 1 BLOCK 3 3D
2                      Stopping criterion 1 2
0100                   MAXIT
-1                     ITRACE
002                    IRST
ILU                    Block solver
NONE                   MILU or NONE
none                   Scaling
0                      Fill
1                      Inverse fill
1.D-1                  Threshold
1d-1                   Inverse threshold
LLK                    Orthogonalisation
END
input=pargen.inp
good 3 --output y1 --history h
history h
[ "$(reported Partition)" = 3d ] || fail "not partition 3d"
[ "$(reported Problem)" = "pde3d, 7 by 7 by 7 points" ] || fail "not the problem of the input file"
[ "$(reported 'Stopping criterion')" = "relative <= 1e-06" ] || fail "not the criterion of the input file"
input=/dev/null
good 3 --size 7 --method cg --partition 3d --output y2
cmp -s y1 y2 || fail "the input file and the options do not give the same bits"
good 0 --dims 2 pargen.inp
[ "$(reported Problem)" = "pde2d, 7 by 7 points" ] || fail "not pde2d"
sed -n '1s/.*/3/p; 2,5p' pargen.inp >short.inp
good 0 short.inp
[ "$(reported Partition), $(reported 'Stopping criterion')" = "3d, backward <= 1e-06" ] ||
    fail "not the defaults of a short input file"
sed '7d; s/^17/ 7/; /^ILU/,$d; s/^-1/1/; s/^CSR/ell/' pargen.inp >c.inp
good 0 --c-input c.inp
says out '^cg: iteration 1:'
[ "$(reported Partition)" = block ] || fail "not partition block"
says out 'ELL on host'

# block SOLVER VARIANT FILL PRECONDITIONER: BJAC with these lines selects this preconditioner, if it is offered.
block() {
    sed "3s/diag/bjac/; 12s/ILU/$1/; 13s/NONE/$2/; 15s/0/$3/" pargen.inp >block.inp
    run 0 block.inp
    if grep -q 'is not offered' err; then return; fi
    [ "$(reported Preconditioner)" = "$4" ] || fail "not $4"
}
block ilu none 0 'bjac(ilu0)'
block ILU MILU 0 'bjac(milu0)'
block ILU NONE 2 'bjac(iluk, fill=2)'
block ILUT NONE 5 'bjac(ilut, fill=5, drop=0.1)'
block INVK NONE 1 'invk(fill=1, inv_fill=1)'
block INVT NONE 3 'invt(fill=3, drop=0.1, inv_fill=1)'
block AINV NONE 0 'ainv(inv_fill=1)'
says err 'the orthogonalisation LLK is not used'

# wrong LINE TEXT PATTERN: the input file with this line is refused.
wrong() {
    sed "$1s|.*|$2|" "$base" >wrong.inp
    refused 2 "wrong.inp:$1: $3" 0 wrong.inp
}
base=pargen.inp
wrong 1 2 'the number of entries is "2"; expected a whole number >= 3'
wrong 1 CG 'the number of entries is "CG"'
wrong 2 CGX 'the method is "CGX"; expected'
wrong 2 cg,tol=1 'the method is "cg,tol=1"'
wrong 3 ILU 'the preconditioner is "ILU"; expected NONE, DIAG or BJAC'
wrong 4 XYZ 'the storage format is "XYZ"'
wrong 5 0 'the size of the domain is "0"; expected a whole number >= 1'
wrong 5 7x 'the size of the domain is "7x"'
wrong 7 2 'the partition is "2"; expected 1 .* or 3'
wrong 8 3 'the stopping criterion is "3"'
wrong 9 -1 'the maximal number of iterations is "-1"'
wrong 10 x 'the trace is "x"'
wrong 11 1.5 'the restart is "1.5"'
wrong 12 LU 'the solver of blocks is "LU"; expected ILU, ILUT, AINV, INVK or INVT'
wrong 13 IC 'the variant of ILU is "IC"'
wrong 14 MAXVAL 'the scaling is "MAXVAL"; expected NONE'
wrong 15 -1 'the fill of the factors is "-1"'
wrong 17 1e 'the threshold of the factors is "1e"'
wrong 18 -1d0 'the threshold of the inverse is "-1d0"'
head -n 12 pargen.inp >wrong.inp
refused 2 'wrong.inp:12: the file ends before the variant of ILU' 3 wrong.inp
sed '3s/.*/BJAC/; 13s/.*/MILU/; 15s/.*/1/' pargen.inp >wrong.inp
refused 2 'MILU with fill 1; expected fill 0' 0 wrong.inp
input=wrong.inp
echo x >wrong.inp
refused 2 'standard input:1: the number of entries is "x"' 3
input=/dev/null
refused 2 'standard input:0: the number of entries is ""' 0
refused 1 'nothere: cannot be opened' 3 nothere
yes 1 | head -n 10000 >wrong.inp
refused 1 'wrong.inp: more than' 0 wrong.inp

# ---- wrong command lines of psb-pargen
refused 2 '--dims is "4"; expected 2 or 3' 0 --dims 4 --size 3
refused 2 '--problem is "lap7"' 0 --problem lap7 --size 3
refused 2 '--dims and --problem' 0 --problem pde2d --dims 2 --size 3
for size in 0 -1 3x 3,4 3,4,5,6 1000000; do
    refused 2 '--size: ' 0 --size "$size"
done
refused 2 '--method is given without --size' 3 --method cg
refused 2 '--matrix: there is no such option' 0 --matrix x
refused 2 'unexpected argument "b"' 0 a b
refused 2 'unexpected argument "a"' 0 --size 3 a
refused 2 '--c-input and --size' 0 --size 3 --c-input
refused 2 'method "foo" is not known' 3 --size 3 --method foo
refused 2 'option tol is "x"' 0 --size 3 --tol x
refused 2 'unexpected comma or =' 0 --size 3 --tol 1,itmax=2
refused 2 '--solver has 1200 letters' 0 --size 3 --solver "$(printf '%1200s' cg)"
refused 2 'preconditioner "foo" is not known' 0 --size 3 --prec foo
refused 2 'stop "foo" is not known' 0 --size 3 --stop foo
refused 2 '--type is "q"' 0 --size 3 --type q
refused 2 'no format is called "XYZ"' 0 --size 3 --format XYZ
refused 2 '--partition is "rows"; expected block, metis, 3d or owners:FILE' 0 --size 3 --partition rows
refused 2 '--plot is "a.gif"' 0 --size 3 --plot a.gif
refused 1 'no/y: cannot be written' 3 --size 3 --output no/y
refused 1 'no/h: cannot be written' 0 --size 3 --history no/h
refused 1 'nothere: .*No such file' 3 --size 3 --partition owners:nothere
good 0 --help
says out '^Usage: .*psb-pargen'
says out '^  --method NAME'
good 0 --version
says out '^psb-pargen \(psbc [0-9]'

# ---- psb-fileread
use psb-fileread
cat >a.mtx <<'END'
%%MatrixMarket matrix coordinate real symmetric
4 4 7
1 1 4
2 2 4
3 3 4
4 4 4
2 1 -1
3 2 -1
4 3 -1
END
sed '1s/real/complex/; 1s/symmetric/hermitian/; 3,$s/$/ 0/; s/^2 1 -1 0/2 1 0 1/' a.mtx >z.mtx
column b4 2 4 6 13 # A times 1 2 3 4
{
    printf '%-72s%-8s\n' small hb
    printf '%14d%14d%14d%14d%14d\n' 5 1 1 1 1
    printf '%-14s%14d%14d%14d%14d\n' RUA 2 2 4 0
    printf '%-16s%-16s%-20s%-20s\n' '(3I4)' '(4I4)' '(4E16.8)' '(4E16.8)'
    printf '%-14s%14d%14d\n' F 1 0
    printf '%4d%4d%4d\n%4d%4d%4d%4d\n' 1 3 5 1 2 1 2
    printf '%16.8E%16.8E%16.8E%16.8E\n%16.8E%16.8E\n' 2 1 1 3 5 10
} >own.rua
for np in 1 3; do
    good "$np" --matrix a.mtx --solver "cg, tol=1e-12" --output y
    ones y 4
    good "$np" --matrix a.mtx --rhs b4 --solver "cg, tol=1e-12" --output y
    same y 1 2 3 4
    good "$np" --matrix z.mtx --method cg --tol 1e-12 --output y
    same y '1 0' '1 0' '1 0' '1 0'
    says out 'type z'
    good "$np" --matrix own.rua --tol 1e-12 --output y --history h
    same y 1 3
    history h
done
column b2 3 4
cp own.rua own
good 2 --matrix own --file-type HB --rhs b2 --tol 1e-12 --output y ${json:+--json out.json}
ones y 2
[ -z "$json" ] || says out.json '"file": "own"'
good 0 --matrix a.mtx --type s --tol 1e-4
refused 1 'a.mtx: .*no convergence|no convergence: ' 3 --matrix a.mtx --rhs b4 --method cg --itmax 1

cat >file.inp <<'END'
11                 Number of inputs
'a.mtx'            matrix
b4                 right-hand side
mm                 MM HB
bicgstab           method
DIAG               preconditioner
CSR                format
BLOCK              BLOCK GRAPH
2                  ISTOPC
00800              ITMAX
-1                 ITRACE
30                 IRST
1.d-12             EPS
END
for np in 1 3; do
    input=file.inp
    good "$np" --output y
    same y 1 2 3 4
    input=/dev/null
done
says out 'relative <= 1e-12'
sed 's/^b4/NONE/; s/^.a.mtx. /own/; s/^mm/HB/; s/^BLOCK/graph/; 1s/11/7/; 10,$d' file.inp >own.inp
good 3 own.inp --output y
same y 1 3
base=file.inp
wrong 1 4 'the number of entries is "4"; expected a whole number >= 5'
wrong 4 RB 'the type of the file is "RB"; expected MM'
wrong 8 2 'the partition is "2"; expected BLOCK or GRAPH'
wrong 13 x 'the tolerance is "x"'
wrong 13 0 'the tolerance is 0; expected a number > 0'
head -n 3 file.inp >wrong.inp
refused 2 'wrong.inp:3: the file ends before the type of the file' 0 wrong.inp
refused 2 '--rhs is given without --matrix' 3 --rhs b4
refused 2 '--file-type is "RB"; expected MM or HB' 0 --matrix a.mtx --file-type RB
refused 2 '--partition is "3d"; expected block, metis or owners:FILE' 0 --matrix a.mtx --partition 3d
refused 2 '--size: there is no such option' 0 --size 3
printf '%%%%MatrixMarket matrix coordinate real general\n3 4 1\n1 1 1\n' >wide.mtx
for np in 1 3; do
    refused 1 'nothere: .*No such file' "$np" --matrix nothere
    refused 1 'wide.mtx: the matrix is 3 by 4; expected a square one' "$np" --matrix wide.mtx
    refused 1 'b2: .*2 by 1; expected 4 by 1 for the right-hand side' "$np" --matrix a.mtx --rhs b2
    refused 1 'z.mtx:1: .*complex' "$np" --matrix z.mtx --type d
done

# ---- rows count as in the file; a run that fails leaves no output
printf '%%%%MatrixMarket matrix coordinate real general\n4 4 4\n1 1 1\n2 2 1\n3 3 0\n4 4 1\n' >singular.mtx
for np in 1 3; do
    for prec in diag 'bjac(ilu0)'; do
        refused 1 'row 3 has (the pivot|a diagonal of modulus) 0' "$np" --matrix singular.mtx --prec "$prec" --output new
        [ ! -e new ] || fail "a run that failed has left its output"
    done
done
refused 1 'new.mtx: .*No such file' 0 --matrix new.mtx --output new
[ ! -e new ] || fail "a run that failed has left its output"

# ---- outputs are no inputs, and not the same file
cp a.mtx kept
ln a.mtx link
for name_of in link ./a.mtx; do
    refused 2 "--output is $name_of, the file of --matrix; expected another one" 2 --matrix a.mtx --output $name_of
done
refused 2 '--history is b4, the file of --rhs' 0 --matrix a.mtx --rhs b4 --history b4
refused 2 '--output is own.inp, the file of the input file' 0 own.inp --output own.inp
refused 2 '--history is new, the file of --output' 0 --matrix a.mtx --output ./new --history new
[ ! -e new ] || fail "a refused command line has left a file"
cmp -s a.mtx kept || fail "an input was changed"
good 0 --matrix a.mtx --output /dev/null --history /dev/null

# ---- pipes
for np in 1 3; do
    input=a.mtx
    good "$np" --matrix /dev/stdin --rhs b4 --solver "cg, tol=1e-12" --output y
    same y 1 2 3 4
    input=b4
    good "$np" --matrix a.mtx --rhs /dev/stdin --solver "cg, tol=1e-12" --output y
    same y 1 2 3 4
    input=own.rua
    good "$np" --matrix /dev/stdin --file-type HB --tol 1e-12 --output y
    same y 1 3
    input=singular.mtx
    refused 1 'row 3 has ' "$np" --matrix /dev/stdin
    input=/dev/null
done
mkfifo pipe
gzip -c a.mtx >pipe &
run 1 --matrix pipe --solver "cg, tol=1e-12" --output y
if [ "$status" -eq 0 ]; then ones y 4; else says err 'this build lacks zlib'; fi
wait

# ---- more rows than the processes can have
printf '%%%%MatrixMarket matrix coordinate real general\n5000000000 5000000000 1\n1 1 1\n' >large.mtx
refused 1 'large.mtx: 5000000000 rows on 2 processes; .* at least 3 processes' 2 --matrix large.mtx

# ---- standard output that cannot be written

# full PROGRAM ARGUMENT ...: it says so, and fails.
full() {
    program=$1
    shift
    alone "$tools/$program" "$@" >/dev/full 2>err </dev/null
    status=$?
    [ "$status" -eq 1 ] || fail "status $status on a full device: $program $*"
    says err "^$program: standard output cannot be written"
}
if [ -w /dev/full ]; then
    for program in psb-pargen psb-fileread psb-spmv; do
        full "$program" --help
        full "$program" --version
    done
    full psb-pargen --size 3
    full psb-fileread --matrix a.mtx
    full psb-spmv --matrix a.mtx --reps 1
fi

end "psb-pargen and psb-fileread keep their promises"
