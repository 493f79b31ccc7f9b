#!/bin/sh
# read.sh -- test/kernel: time to read a Matrix Market file, by SciPy's mmread and by mm_read in turns.
#   read.sh [FILE [NP [TIMES]]]
# Run in the build tree after `make test/kernel/mm_read`.  Default FILE: the shared matrix that is longest when
# unpacked.
# PYTHON names a Python that has SciPy (default /usr/bin/python3).  SciPy reads the file unpacked.
here=$(cd "$(dirname "$0")" && pwd)
shared=${CK_SHARED:-$here/../../../shared}/matrices/large
np=${2:-2}
times=${3:-7}
python=${PYTHON:-/usr/bin/python3}
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT

longest() {
    for f in "$shared"/*.xz; do
        [ -r "$f" ] && echo "$(xz --robot -l "$f" | awk '/^totals/ { print $5 }') $f"
    done | sort -n | tail -1 | cut -d ' ' -f 2-
}

if [ ! -x test/kernel/mm_read ]; then
    echo "read.sh: no test/kernel/mm_read here; in the build tree, make kernel" >&2
    exit 2
fi
file=${1:-$(longest)}
[ -r "$file" ] || { echo "skipped: no file to read; $shared is not there"; exit 77; }
"$python" -c 'import scipy.io' 2>/dev/null || { echo "skipped: $python has no SciPy"; exit 77; }
case $file in
*.xz) xz -dc "$file" >"$dir/a.mtx" ;;
*.gz) gzip -dc "$file" >"$dir/a.mtx" ;;
*) cp "$file" "$dir/a.mtx" ;;
esac

for _ in $(seq "$times"); do
    "$python" -c '
import sys, time, scipy.io
t = time.time(); a = scipy.io.mmread(sys.argv[1]); print("scipy", time.time() - t)' "$dir/a.mtx"
    sh "$here/../mpi-run" "$np" test/kernel/mm_read "$dir/a.mtx" 1 | sed 's/^/plain /'
    sh "$here/../mpi-run" "$np" test/kernel/mm_read "$file" 1 | sed 's/^/packed /'
done >"$dir/out"
echo "file      $file, $(wc -c <"$dir/a.mtx") bytes unpacked; $np processes, best and median of $times"
median() { sort -n "$1" | awk '{ v[NR] = $1 } END { print v[1], v[int((NR + 1) / 2)] }'; }
awk '$1 == "scipy" { print $2 }' "$dir/out" >"$dir/scipy"
awk '$1 == "plain" { print $5 }' "$dir/out" >"$dir/plain"
awk '$1 == "packed" { print $5 }' "$dir/out" >"$dir/packed"
for what in scipy plain packed; do
    median "$dir/$what" | awk -v w="$what" '{ printf "%-9s %.4f s  %.4f s\n", w, $1, $2 }'
done
awk '$1 == "plain" { if ($9 > m) m = $9; if ($11 > b) b = $11 }
    END { printf "memory    %.1f MiB at the peak of the process that has most, %.1f MiB when it started\n", m, b }' \
    "$dir/out"
echo "$(median "$dir/scipy") $(median "$dir/plain")" |
    awk '{ printf "ratio     %.1f of the best, %.1f of the medians (scipy / plain)\n", $1 / $3, $2 / $4 }'
