# programs-lib.sh -- functions that run a program and look at its results, for psb-spmv.sh and programs.sh, which
# read this file in the build tree with $here set.  The current directory becomes an empty one.
# shellcheck shell=sh
tools=$PWD/tools
PSB_DEVICE=${PSB_DEVICE-none}
export PSB_DEVICE
export OMPI_MCA_odls_base_sigkill_timeout=0 # Open MPI waits a second after every exit status other than 0
command -v "${MPIEXEC:-mpiexec}" >/dev/null || { echo "skipped: no mpiexec (Debian: openmpi-bin)"; exit 77; }
sanitized=$(sed -n 's/^SANITIZE_FLAGS = ..*/yes/p' Makefile)
json=$(sed -n 's/^#define HAVE_JANSSON 1/yes/p' config.h) # empty: --json is refused
dir=$(mktemp -d) && cd "$dir" || exit 1
trap 'rm -rf "$dir"' EXIT
failures=0

# use NAME: the functions below run this program.
use() {
    name=$1
    [ -x "$tools/$name" ] || { echo "$tools/$name is not there; run me in the build tree"; exit 1; }
}

fail() {
    echo "FAIL: $*"
    sed 's/^/    /' out err
    failures=$((failures + 1))
}

# alone ARGUMENT ...: run a program without mpiexec, which is faster.  Isolated processes of Open MPI all make and
# remove the same session directory, so each test has a parent of its own for it.
alone() {
    OMP_NUM_THREADS=1 OMPI_MCA_ess_singleton_isolated=1 OMPI_MCA_orte_tmpdir_base=$dir \
        ASAN_OPTIONS="${ASAN_OPTIONS:-}:detect_leaks=0" "$@"
}

# run NP ARGUMENT ...: run the program on NP processes; its input is the file $input; output in out and err, exit status
# in $status.  One process runs alone, but for builds with sanitizers: leaks are detected if $leaks is set and NP is not 0.
input=/dev/null leaks=
run() {
    np=$1
    shift
    if [ "$np" -eq 0 ] || { [ "$np" -eq 1 ] && [ -z "$leaks" ]; }; then
        alone "$tools/$name" "$@" >out 2>err <"$input"
    else
        CK_LEAKS=$leaks timeout 300 sh "$here/mpi-run" "$np" "$tools/$name" "$@" >out 2>err <"$input"
    fi
    status=$?
}

# good NP ARGUMENT ...: the run succeeds.
good() {
    leaks=$sanitized
    run "$@"
    leaks=
    [ "$status" -eq 0 ] || fail "status $status: $*"
}

# says FILE PATTERN: the last run wrote a line with this pattern to the file.
says() {
    grep -Eq -- "$2" "$1" || fail "$1 does not say: $2"
}

# refused STATUS PATTERN NP ARGUMENT ...: the run ends with this status and one line with the pattern.
refused() {
    expected=$1
    pattern=$2
    shift 2
    run "$@"
    [ "$status" -eq "$expected" ] || fail "status $status, expected $expected: $*"
    [ "$(grep -c "^$name: " err)" -eq 1 ] || fail "not one line: $*"
    grep -Eq -- "^$name: .*$pattern" err || fail "does not say $pattern: $*"
    grep -Eq '^[a-z-]+: [a-z/_]+[.]ch?u?: ' err && fail "names a source file: $*"
}

# column FILE V ...: write a Matrix Market file with one column.
column() {
    file=$1
    shift
    { echo '%%MatrixMarket matrix array real general'; echo "$# 1"; printf '%s\n' "$@"; } >"$file"
}

# same FILE V ...: the file has these values in one column, within 1e-6.
same() {
    file=$1
    shift
    printf '%s\n' "$@" >expected
    sed 1,2d "$file" >found
    awk 'NR == FNR { want[FNR] = $0; n = FNR; next }
        { m = FNR; k = split(want[FNR], w); bad += k != NF
          for (i = 1; i <= k; i++) bad += !(($i - w[i]) ^ 2 <= 1e-12) }
        END { exit bad || m != n }' expected found || {
        cp found out
        fail "$file is not: $*"
    }
}

# ones FILE N: the file has N elements, all 1.
ones() {
    # shellcheck disable=SC2046  # one word per number
    same "$1" $(yes 1 | head -n "$2")
}

# alike FILE FILE: two files with a vector agree.
alike() {
    # shellcheck disable=SC2046
    same "$1" $(sed 1,2d "$2")
}

# end: print how it went and leave.
end() {
    [ $failures -eq 0 ] && echo "$1"
    exit $((failures > 0))
}
