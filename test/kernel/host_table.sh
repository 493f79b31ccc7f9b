#!/bin/sh
# host_table.sh -- test/kernel: host formats on generated and real matrices, single and double precision, with
# one thread, two threads and two processes: runs host_spmv and summarises with host_table.awk.
#   host_table.sh [--quick] [--rounds N] [--types "d s"] [--tsv FILE] [DIR]
#   host_table.sh --summary FILE
# Run in the build tree after `make kernel`, with nothing else on the machine.  DIR: a directory of *.mtx.xz; default:
# the shared matrices.  --quick: few and small matrices, 3 rounds, as a trial.  --tsv FILE: write the measurements to
# FILE, overwriting it.  --summary FILE: summarise such a file.  Exit status 1: a run failed or a result is wrong.
here=$(cd "$(dirname "$0")" && pwd)
rounds=7
types="d s"
laps="lap7:100 lap7:160 lap27:100"
quick=
tsv=

usage() {
    sed -n '4,8s/^# *//p' "$0" >&2
    exit 2
}

while [ $# -gt 0 ]; do
    case $1 in
    --quick) quick=1 rounds=3 laps="lap7:40 lap27:30" ;;
    --rounds | --types | --tsv | --summary)
        [ $# -ge 2 ] || usage
        case $1 in
        --rounds) rounds=$2 ;;
        --types) types=$2 ;;
        --tsv) tsv=$2 ;;
        --summary) exec awk -f "$here/host_table.awk" "$2" ;;
        esac
        shift
        ;;
    -*) usage ;;
    *) break ;;
    esac
    shift
done
[ $# -le 1 ] || usage
dir=${1:-${PSB_SHARED:-$here/../../../shared}/matrices/large}
if [ ! -x test/kernel/host_spmv ]; then
    echo "host_table.sh: no test/kernel/host_spmv here; in the build tree, make kernel" >&2
    exit 2
fi
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM
tsv=${tsv:-$tmp/tsv}
: >"$tsv" || exit 1
wrong=0

# measure MATRIX: all numbers of threads in one run, then two processes, with PETSc as a peer.
measure() {
    for t in $types; do
        test/kernel/host_spmv --type "$t" --threads 1,2 --rounds "$rounds" --tsv "$tsv" "$1" || failed "$1" "$t"
    done
    case $types in
    *d*) processes "$1" ;;
    esac
}

processes() {
    sh "$here/../mpi-run" 2 test/kernel/host_spmv --threads 1 --rounds "$rounds" --tsv "$tsv" "$1"
    case $? in
    0 | 77) ;;
    *) failed "$1" "d, two processes" ;;
    esac
}

failed() {
    echo "FAILED: ${1##*/}, type $2"
    wrong=1
}

real() {
    if ! xz -dc "$1" >"$tmp/$2.mtx"; then
        failed "$2" "any: it does not unpack"
        return
    fi
    case $(head -n 1 "$tmp/$2.mtx" | tr '[:upper:]' '[:lower:]') in
    *complex* | *hermitian*) printf '\n%s\n' "$2: skipped: complex" ;;
    *) measure "$tmp/$2.mtx" ;;
    esac
    rm -f "$tmp/$2.mtx"
}

for a in $laps; do
    measure "$a"
done
for f in "$dir"/*.mtx.xz; do
    if [ ! -r "$f" ]; then
        echo "skipped: no matrices in $dir"
        break
    fi
    name=$(basename "$f" .mtx.xz)
    case $quick:$name in
    1:arrow | 1:lp_cre_b | 1:rail_20209_A | 1:maxwell_S_complex | :*) real "$f" "$name" ;;
    esac
done
awk -f "$here/host_table.awk" "$tsv" || wrong=1
exit $wrong
