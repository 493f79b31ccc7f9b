#!/bin/sh
# table.sh -- test/kernel: formats and peers on generated and real matrices: runs gpu_spmv or host_spmv and summarises
# with table.awk.
#   table.sh gpu|host [--quick] [--types "s d c z"] [--tsv FILE] [OPTION ...] [MATRIX | DIR ...]
#   table.sh --summary FILE ...
# Run in the build tree after `make kernel`, with nothing else on the GPU or the machine.  MATRIX: as for the program.
# DIR: a directory of *.mtx or *.mtx.xz.  `files`: the shared matrices.  `generated`: some stencils; on a GPU random
# rows and blocks too.  Default: generated files.  OPTION goes to the program.  --quick: small matrices, few rounds, as a
# trial.  --types: default d, on the host d s.  On the host: one thread and two in one run; for d also two processes.
# --tsv FILE: append the measurements to FILE, which may collect several runs.  --summary FILE ...: summarise such files.
# Exit status 1: a run failed or a result is wrong.
here=$(cd "$(dirname "$0")" && pwd)
shared=${CK_SHARED:-$here/../../../shared}/matrices/large
quick='' tsv='' options=''

usage() {
    sed -n '4,12s/^# *//p' "$0" >&2
    exit 2
}

case ${1:-} in
gpu)
    types=d generated="lap7:200 lap27:160 uniform:4000000:16 power:4000000 block:64"
    small="lap7:20 lap27:16 uniform:4000:16 power:4000 block:6" few="--rounds 1 --fill 0"
    ;;
host) types="d s" generated="lap7:100 lap7:160 lap27:100" small="lap7:40 lap27:30" few="--rounds 3" ;;
--summary)
    shift
    [ $# -ge 1 ] || usage
    exec awk -f "$here/table.awk" "$@"
    ;;
*) usage ;;
esac
where=$1
program=test/kernel/${where}_spmv
shift
while [ $# -gt 0 ]; do
    case $1 in
    --quick) quick=1 options="$options $few" generated=$small ;;
    --conversions | --least) options="$options $1" ;;
    --rounds | --columns | --trans | --fill | --batch | --limit | --formats | --peers | --tune | --only)
        [ $# -ge 2 ] || usage
        options="$options $1 $2"
        shift
        ;;
    --types | --tsv)
        [ $# -ge 2 ] || usage
        [ "$1" = --types ] && types=$2 || tsv=$2
        shift
        ;;
    -*) usage ;;
    *) break ;;
    esac
    shift
done
for t in $types; do
    case $t in
    s | d | c | z) ;;
    *)
        echo "table.sh: --types has \"$t\"; expected s, d, c and z" >&2
        exit 2
        ;;
    esac
done
if [ ! -x $program ]; then
    echo "table.sh: no $program here; in the build tree, make kernel" >&2
    exit 2
fi
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM
tsv=${tsv:-$tmp/tsv}
: >>"$tsv" || exit 1
wrong=0
[ $# -gt 0 ] || set -- generated files

# measure TYPE MATRIX ...: measure all in one process, on the host also in two.
# shellcheck disable=SC2086 # options are words
measure() {
    t=$1 threads=''
    shift
    [ $where = gpu ] || threads="--threads 1,2"
    $program --type "$t" $threads $options --tsv "$tsv" "$@" || failed "$t: $*"
    [ $where$t = hostd ] || return
    sh "$here/../mpi-run" 2 $program --threads 1 $options --tsv "$tsv" "$@"
    case $? in 0 | 77) ;; *) failed "d, two processes: $*" ;; esac
}

failed() {
    echo "FAILED: type $1" >&2
    wrong=1
}

is_complex() {
    case $1 in
    *.xz) xz -dc "$1" 2>/dev/null | head -n 1 ;;
    *) head -n 1 "$1" ;;
    esac | grep -qi 'complex\|hermitian'
}

# directory TYPE DIR: measure the matrices of the directory that the type can hold.
directory() {
    t=$1
    dir=$2
    set --
    for f in "$dir"/*.mtx "$dir"/*.mtx.xz; do
        [ -r "$f" ] || continue
        case $quick:$(basename "$f") in
        1:arrow.* | 1:lp_cre_b.* | 1:rail_20209_A.* | 1:maxwell_S_complex.* | :*) ;;
        *) continue ;;
        esac
        case $t in
        s | d) is_complex "$f" && echo "skipped: $(basename "$f"): complex" && continue ;;
        esac
        set -- "$@" "$f"
    done
    [ $# -eq 0 ] && echo "skipped: no matrices in $dir" && return
    measure "$t" "$@"
}

for type in $types; do
    for a in "$@"; do
        # shellcheck disable=SC2086 # names are words
        case $a in
        generated) measure "$type" $generated ;;
        files) directory "$type" "$shared" ;;
        *) if [ -d "$a" ]; then directory "$type" "$a"; else measure "$type" "$a"; fi ;;
        esac
    done
done
awk -f "$here/table.awk" "$tsv" || wrong=1
exit $wrong
