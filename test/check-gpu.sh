#!/bin/sh
# check-gpu.sh -- the suites, but failures, on a GPU, and a sample of them under the four tools of compute-sanitizer, which detect
# invalid accesses, races, reads of unwritten memory and wrong barriers.  Prints a row for each suite, scalar and
# tool with the seconds it took and its result, then a summary.  Logs of failed jobs are kept in check-gpu.logs/.
# Run by `make check-gpu`; exits with 77 if there is no GPU or no compute-sanitizer.  Environment:
#   CHECK_GPU_PARTS   parts to run; default: suites memcheck racecheck initcheck synccheck
#   CHECK_GPU_TYPES   scalars; default: d and z
#   CHECK_GPU_SUITES  suites; default: all for `suites`, those that launch kernels for the tools
#   CHECK_GPU_NPS     numbers of processes of the distributed suites; default: 1 3.  The tools check one process
#   CHECK_ZOO         under the tools every N-th matrix is tried (ck_step of test/ck.h); default: 13; racecheck: 29
#   CHECK_GPU_JOBS    jobs at a time; default: the number of cores
#   CHECK_GPU_LIMIT   limit of a job in seconds; default: 300
#   PSB_DEVICE=fake   run the same jobs on the fake device, without the tools
set -u
here=$(cd "$(dirname "$0")" && pwd)
logs=check-gpu.logs
export CK_DEFAULT_TIMEOUT="${CHECK_GPU_LIMIT:=300}" CHECK_GPU_LIMIT srcdir="${srcdir:-$here/..}"

local_suites='convert ops formats device vect mat raw front mm hb open factor'
distributed_suites='sp fused geops halo dist asm read gen scal prec krylov'
kernel_suites='convert fused vect ops formats device sp geops halo raw scal'

# row SUITE TYPE NP PART SECONDS RESULT: print a row of the table.
row() {
    printf '%-12s %-6s %9s  %-10s %7s  %s\n' "$@"
}

# run PART SUITE TYPE NP SLICE: run a job.
run() {
    export CHECK_SLICE="$5"
    if [ "$1" = suites ]; then
        timeout "$CHECK_GPU_LIMIT" sh "$here/mpi-run" "$4" "test/suites_$3" "$2"
        return
    fi
    export CHECK_ZOO="${CHECK_ZOO:-13}" PSB_POOL_BYTES=1 # memory that is freed is not used again
    tool="./libtool --mode=execute compute-sanitizer --tool $1 --error-exitcode 9 --report-api-errors no"
    # racecheck, the slowest tool, would take minutes for the sorts and scans of CUB, which are not part of PSBC.
    [ "$1" != racecheck ] || { CHECK_ZOO=$((2 * CHECK_ZOO + 3)) && tool="$tool --kernel-name-exclude kns=cub"; }
    [ "${PSB_DEVICE:-}" != fake ] || tool=
    # shellcheck disable=SC2086  # one word per argument
    timeout "$CHECK_GPU_LIMIT" sh "$here/mpi-run" "$4" $tool "test/suites_$3" "$2"
}

# job PART SUITE TYPE NP SLICE: run a job, print its row, keep its log if it failed.
job() {
    log=$logs/$1-$2-$3-np$4-${5%/*}
    begin=$(date +%s)
    run "$@" >"$log" 2>&1 </dev/null
    case $? in
    0) result=passed; rm "$log" ;;
    77) result=skipped; rm "$log" ;;
    124) result="failed: ended after $CHECK_GPU_LIMIT s" ;;
    *) result="failed: $log" ;;
    esac
    row "$2 $5" "$3" "$4" "$1" $(($(date +%s) - begin)) "$result"
}

# slices PART SUITE: the slices of the suite (CHECK_SLICE of test/ck.h), a job each, since the tools are slow; racecheck
# tries half of the tests of the longest suites.
slices() {
    case $1,$2 in
    *,formats) echo 0/4 1/4 2/4 3/4 ;;
    suites,*) echo 0/1 ;;
    racecheck,convert) echo 0/8 2/8 4/8 6/8 ;;
    racecheck,vect) echo 0/4 2/4 ;;
    *,convert | *,fused) echo 0/4 1/4 2/4 3/4 ;;
    *,vect) echo 0/2 1/2 ;;
    *) echo 0/1 ;;
    esac
}

# jobs: print a line "PART SUITE TYPE NP SLICE" for each job, those of long suites first.
jobs() {
    for part in ${CHECK_GPU_PARTS:-racecheck initcheck memcheck synccheck suites}; do
        if [ "$part" = suites ]; then
            suites="$local_suites $distributed_suites"
        else
            suites=$kernel_suites
        fi
        for suite in ${CHECK_GPU_SUITES:-$suites}; do
            nps=1
            case " $distributed_suites " in *" $suite "*) [ "$part" != suites ] || nps=${CHECK_GPU_NPS:-1 3} ;; esac
            for type in ${CHECK_GPU_TYPES:-d z}; do
                for np in $nps; do
                    for slice in $(slices "$part" "$suite"); do
                        echo "$part $suite $type $np $slice"
                    done
                done
            done
        done
    done
}

if [ "${1:-}" = --job ]; then
    shift
    job "$@"
    exit 0
fi

skip() {
    echo "skipped: $1"
    exit 77
}
command -v "${MPIEXEC:-mpiexec}" >/dev/null || skip "no mpiexec (Debian: openmpi-bin)"
if [ "${PSB_DEVICE:-}" != fake ]; then
    nvidia-smi -L 2>/dev/null | grep -q GPU || skip "no GPU; PSB_DEVICE=fake runs the same jobs on the fake device"
    grep -q '^CUDA_LIBS = ..*' Makefile || skip "configured without CUDA"
    PATH=$PATH:/usr/local/cuda/bin:/usr/local/cuda/compute-sanitizer
    command -v compute-sanitizer >/dev/null || skip "no compute-sanitizer (it comes with CUDA)"
    nvidia-smi -L
    export PATH PSB_DEVICE=cuda
fi

rm -rf $logs
mkdir $logs
begin=$(date +%s)
row suite scalar processes tool seconds result
jobs | xargs -P "${CHECK_GPU_JOBS:-$(nproc)}" -L 1 sh "$0" --job | tee $logs/rows
failed=$(grep -c ' failed' $logs/rows)
passed=$(grep -c ' passed$' $logs/rows)
skipped=$(grep -c ' skipped$' $logs/rows)
echo "$passed passed, $failed failed, $skipped skipped, in $(($(date +%s) - begin)) s"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
