#!/bin/sh
# cbind.sh -- the programs of test/cbind, written for PSBLAS's C interface: compiled as C11 and C++17 without warnings,
# run on 1 and 3 processes; solutions are those of the library's own calls, also with another format and on the fake
# device, which the environment alone selects.  VALGRIND=1: under valgrind, on 1, 2 and 3 processes.
set -eu
unset PSB_DEVICE PSB_FORMAT PSB_LOG
srcdir=$(cd "${srcdir:-.}" && pwd)
if grep -q '^\(SANITIZE\|COVERAGE\)_FLAGS = ..*' Makefile; then
    echo "skipped: programs would need the flags of the sanitizers"
    exit 77
fi
command -v "${MPIEXEC:-mpiexec}" >/dev/null || { echo "skipped: no mpiexec"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
status=0
complain() {
    echo "cbind: $*"
    status=1
}
cc=$(sed -n 's/^CC = //p' Makefile)
openmp=$(sed -n 's/^OPENMP_CFLAGS = //p' Makefile)

# compile PROGRAM SCALAR LANGUAGE [OPTION]: test/cbind/PROGRAM.c as C, or by a C++ compiler.
compile() {
    out=$work/$1-$2-$3
    case $3 in
    c) compiler=$cc options=-std=c11 ;;
    *) compiler=$3 options="-std=c++17 -x c++" ;;
    esac
    # shellcheck disable=SC2086  # words of a command
    $compiler $options ${flags:-} ${4:-} -Wall -Wextra -Werror -O1 -DSCALAR=$2 -I"$srcdir/cbind" -I"$srcdir/base/core" \
        -I"$srcdir/test/cbind" -c "$srcdir/test/cbind/$1.c" -o "$out.o" || complain "$1.c does not compile as $3 for $2"
}

# build PROGRAM SCALAR LANGUAGE: compile and link with the libraries of the build tree.
build() {
    compile "$@"
    # shellcheck disable=SC2086
    ./libtool --tag=CC --silent --mode=link $compiler $openmp -o "$out" "$out.o" libpsb_cbind.la -lm ||
        complain "$1 for $2 does not link as $3"
}

run() {
    np=$1
    shift
    # shellcheck disable=SC2086
    timeout 300 sh "$srcdir/test/mpi-run" "$np" ./libtool --mode=execute ${checker:-} "$@"
}

# input METHOD PREC FORMAT POINTS CRITERION RESTART: an input file of pde3d.
input() {
    printf '%s\n' "7 parameters" "$1 method" "$2" "$3 format" "$4" "$5 criterion" 500 0 "$6"
}

# solves SCALAR NP CASE: pde3d prints what the library's own calls give.  CASE: method, preconditioner, points in each
# direction, stopping criterion, restart.
solves() {
    # shellcheck disable=SC2086
    input $(echo "$3" | awk '{ print $1, $2, "-", $3, $4, $5 }') >"$work/in"
    run "$2" "$work/pde3d-$1-c" <"$work/in" >"$work/ours" || complain "pde3d for $1 on $2 processes: $?"
    # shellcheck disable=SC2086
    run "$2" test/cbind_native_"$1" $3 >"$work/native" || complain "native calls for $1 on $2 processes: $?"
    cmp "$work/ours" "$work/native" || { complain "pde3d for $1, $3, and native calls:"; cat "$work/ours" "$work/native"; }
}

if [ -n "${VALGRIND:-}" ]; then
    command -v valgrind >/dev/null || { echo "skipped: no valgrind (Debian: valgrind)"; exit 77; }
    checker="valgrind -q --num-callers=60 --leak-check=full --show-leak-kinds=definite
        --errors-for-leak-kinds=definite --error-exitcode=9 --suppressions=$srcdir/test/valgrind.supp"
    processes="1 2 3" scalars="d z" languages=c
else
    processes="1 3" scalars="s d c z" languages=c
    for cxx in g++ clang++; do # clients.sh uses both
        command -v $cxx >/dev/null && languages="c $cxx" && break
    done
fi
programs="exchange elements operations meaning device errors amg"

for scalar in $scalars; do
    for program in pde3d $programs; do
        build $program "$scalar" c
    done
    case $scalar in
    d) np=$processes solutions="BICGSTAB,BJAC,6,2,10 rgmres,DIAG,7,1,12 CGS,none,5,2,10" ;;
    *) np=3 solutions="BICGSTAB,BJAC,6,2,10" ;;
    esac
    for n in $np; do
        for program in $programs; do
            run "$n" "$work/$program-$scalar-c" >"$work/$program-out" 2>"$work/err" || {
                complain "$program for $scalar on $n processes: $?"
                cat "$work/err"
            }
        done
        for case in $solutions; do
            solves "$scalar" "$n" "$(echo "$case" | tr , ' ')"
        done
    done
done

# BICGSTABL converges also where irst asks for more products of the residual than are independent.
input BICGSTABL NONE - 20 1 20 >"$work/in"
run 1 "$work/pde3d-d-c" <"$work/in" | awk '{ print; bad = !($4 <= 1e-9) } END { exit bad }' >"$work/out" ||
    { complain "BICGSTABL with irst 20:"; cat "$work/out"; }

# What PSBLAS prints of a solve that does not converge; geins as before PSBLAS 3.8.
grep -q '^BiCGStab failed to converge to   1.000000000E-05  in     1  iterations. $' "$work/meaning-out" &&
    grep -q '^Last iteration error estimate:   [0-9].[0-9]*E-0[0-9]$' "$work/meaning-out" ||
    { complain "meaning says of a solve that fails:"; cat "$work/meaning-out"; }
flags=-DPSB_GEINS_OVERWRITES
build meaning d c
run 1 "$work/meaning-d-c" >"$work/out" 2>&1 || { complain "meaning with $flags:"; cat "$work/out"; }
flags=

# C++: compiled for each scalar; one program runs.
for cxx in $languages; do
    [ "$cxx" = c ] && continue
    for program in pde3d $programs; do
        for scalar in $scalars; do
            case $program$scalar in elements[dz]) build $program "$scalar" "$cxx" ;; *) compile $program "$scalar" "$cxx" -fsyntax-only ;; esac
        done
    done
    run 3 "$work/elements-z-$cxx" || complain "elements for z as $cxx: $?"
done

# PSBLAS's default action.
if run 1 "$work/errors-d-c" abort >"$work/out" 2>&1; then complain "errors abort: no error"; fi
grep -q 'psb: cbind/.*argument cd is NULL' "$work/out" || { complain "errors abort says:"; cat "$work/out"; }

if [ -z "${VALGRIND:-}" ]; then # MPI would leak
    run 3 "$work/exchange-d-c" late || complain "exchange late: $?"
fi

# Other formats, for a program that does not know of them.
input BICGSTAB DIAG - 6 2 10 >"$work/in"
for format in CSR HLL COO; do
    PSB_FORMAT=$format run 1 "$work/pde3d-d-c" <"$work/in" | cut -d' ' -f1-2 >"$work/$format"
    cmp "$work/CSR" "$work/$format" || complain "$format: other iterations"
done

# iterations NP POINTS: print those of a solution, as the environment says.
iterations() {
    input BICGSTAB DIAG - "$2" 2 10 >"$work/in"
    run "$1" "$work/pde3d-d-c" <"$work/in" 2>"$work/log" | cut -d' ' -f1-2
}

# The fake device: the same iterations, and transfers before and after them only.
for format in HLG HDIAG; do
    for points in 6 9; do
        iterations 1 $points >"$work/host"
        PSB_DEVICE=fake PSB_FORMAT=$format PSB_LOG=transfers iterations 1 $points >"$work/device"
        cmp "$work/host" "$work/device" || complain "$format on the device: other iterations"
        grep -c 'psb: transfer: ' "$work/log" >"$work/transfers-$points" || complain "$format: no transfers are logged"
    done
    cmp "$work/transfers-6" "$work/transfers-9" || complain "$format: transfers depend on the iterations"
done
iterations 3 6 >"$work/host"
PSB_DEVICE=fake iterations 3 6 >"$work/device"
cmp "$work/host" "$work/device" || complain "three devices: other iterations"
for program in $programs; do
    PSB_DEVICE=fake run 3 "$work/$program-d-c" >"$work/out" 2>"$work/err" || {
        complain "$program on the fake device: $?"
        cat "$work/err"
    }
done
exit $status
