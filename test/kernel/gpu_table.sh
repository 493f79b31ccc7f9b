#!/bin/sh
# gpu_table.sh -- test/kernel: GPU formats and cuSPARSE on generated and real matrices: runs gpu_spmv on one GPU
# and summarises with gpu_table.awk.
#   gpu_table.sh [--quick] [--types "s d c z"] [--tsv FILE] [OPTION ...] [MATRIX | DIR ...]
#   gpu_table.sh --summary FILE ...
# Run in the build tree after `make kernel`, with nothing else on the GPU.  MATRIX: as for gpu_spmv.  DIR: a
# directory of *.mtx or *.mtx.xz.  `files`: the shared matrices.  `generated`: lap7:200 lap27:160 uniform:4000000:16
# power:4000000 block:64.  Default: generated files.  OPTION, passed to gpu_spmv: --rounds N, --columns K, --trans T,
# --fill ENTRIES, --formats LIST, --peers LIST, --conversions.  --quick: small matrices, 1 round, as a trial.
# --types: default d.  --tsv FILE: append the measurements to FILE, which may collect several runs.
# --summary FILE ...: summarise such files.  Exit status 1: a run failed or a result is wrong.
here=$(cd "$(dirname "$0")" && pwd)
shared=${PSB_SHARED:-$here/../../../shared}/matrices/large
generated="lap7:200 lap27:160 uniform:4000000:16 power:4000000 block:64"
types=d
quick=
tsv=
options=

usage() {
    sed -n '4,11s/^# *//p' "$0" >&2
    exit 2
}

while [ $# -gt 0 ]; do
    case $1 in
    --quick)
        quick=1 options="$options --rounds 1 --fill 0"
        generated="lap7:20 lap27:16 uniform:4000:16 power:4000 block:6"
        ;;
    --conversions) options="$options $1" ;;
    --rounds | --columns | --trans | --fill | --formats | --peers)
        [ $# -ge 2 ] || usage
        options="$options $1 $2"
        shift
        ;;
    --types | --tsv)
        [ $# -ge 2 ] || usage
        [ "$1" = --types ] && types=$2 || tsv=$2
        shift
        ;;
    --summary)
        shift
        [ $# -ge 1 ] || usage
        exec awk -f "$here/gpu_table.awk" "$@"
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
        echo "gpu_table.sh: --types has \"$t\"; expected s, d, c and z" >&2
        exit 2
        ;;
    esac
done
if [ ! -x test/kernel/gpu_spmv ]; then
    echo "gpu_table.sh: no test/kernel/gpu_spmv here; in the build tree, make kernel" >&2
    exit 2
fi
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM
tsv=${tsv:-$tmp/tsv}
: >>"$tsv" || exit 1
wrong=0
[ $# -gt 0 ] || set -- generated files

# measure TYPE MATRIX ...: measure all in one process.
measure() {
    t=$1
    shift
    # shellcheck disable=SC2086 # options are words
    test/kernel/gpu_spmv --type "$t" $options --tsv "$tsv" "$@" && return
    echo "FAILED: type $t: $*" >&2
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
        case $a in
        generated)
            for g in $generated; do
                measure "$type" "$g"
            done
            ;;
        files) directory "$type" "$shared" ;;
        *) if [ -d "$a" ]; then directory "$type" "$a"; else measure "$type" "$a"; fi ;;
        esac
    done
done
awk -f "$here/gpu_table.awk" "$tsv" || wrong=1
exit $wrong
