#!/bin/sh
# environment.sh -- the table of environment variables: psb-info prints that of docs/tables/environment.tsv; the sources
# read what it lists, and nothing else.  Run in the build tree.
set -u
LC_ALL=C
export LC_ALL
here=$(cd "$(dirname "$0")" && pwd)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
status=0
fail() {
    echo "FAIL: $*"
    status=1
}

sh "$here/mpi-run" 1 tools/psb-info --environment >"$dir/printed" || fail "psb-info --environment ends with status $?"
awk -F '\t' 'NR > 1 { printf "%s: %s; default: %s\n    %s\n", $1, $2, $3, $4 }' \
    "$here/../docs/tables/environment.tsv" >"$dir/documented"
diff "$dir/documented" "$dir/printed" || fail "docs/tables/environment.tsv (<) is not the table in base/core/env.c (>)"
sed -n 's/^\([A-Z_]*\): .*/\1/p' "$dir/printed" >"$dir/table"

# reads FOLDER...: the variables that sources there read.
reads() {
    grep -rhoE --include='*.[ch]' --include='*.cu' --include='*.cuh' --include='*.py' \
        '(getenv|environ[.]get|psb_env(_[a-z]+)?)\("[A-Z_0-9]+"' "$@" |
        sed 's/.*("//; s/"$//' | sort -u
}
cd "$here/.." || exit 1
reads base ext rsb cuda util linsolve cbind tools python/psbc >"$dir/read"
echo OMP_NUM_THREADS >>"$dir/read" # by OpenMP
sort "$dir/read" | diff "$dir/table" - || fail "the table (<) is not what the sources read (>)"
mkdir "$dir/planted"
echo 'x = getenv("PSB_PLANTED");' >"$dir/planted/x.c"
[ "$(reads "$dir/planted")" = PSB_PLANTED ] || fail "a planted name is not found"
exit $status
