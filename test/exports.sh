#!/bin/sh
# exports.sh -- the shared libraries export every public call, with version PSBC_0, and else only names that begin with
# psb_ and have version PSBC_PRIVATE.  Run in the build tree.
set -eu
export LC_ALL=C
grep '^EXPORT_LDFLAGS = -' Makefile >/dev/null && ls .libs/libpsb_*.so >/dev/null 2>&1 || {
    echo "skipped: no shared libraries, or all symbols are exported"
    exit 77
}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
for library in $(sed -n 's/^lib_LTLIBRARIES += \(.*\)\.la$/\1/p' "${srcdir:-.}"/*/local.mk); do
    nm -D -P --defined-only ".libs/$library.so"
done >"$dir/symbols"
awk '$2 != "A" { print $1 }' "$dir/symbols" | sort -u >"$dir/exported"
sed -n 's/@@PSBC_0$//p' "$dir/exported" | sort >"$dir/public"
"${srcdir:-.}/test/calls.sh" table | sed -n 's/^| \(psb_[^ ]*\) .*/\1/p' |
    awk '/\?/ { for (i = 1; i <= 4; i++) { name = $0; sub(/\?/, substr("sdcz", i, 1), name); print name } next } 1' |
    sort -u >"$dir/calls"

status=0
comm -23 "$dir/calls" "$dir/public" >"$dir/missing"
grep -vE '^(psb|amg)_.*@@PSBC_(0|PRIVATE)$' "$dir/exported" >"$dir/other" || :
[ ! -s "$dir/missing" ] || { echo "public calls that are not exported:"; cat "$dir/missing"; status=1; }
[ ! -s "$dir/other" ] || { echo "exported, but neither public nor private:"; cat "$dir/other"; status=1; }
echo "$(wc -l <"$dir/calls") calls, $(wc -l <"$dir/public") public symbols of $(wc -l <"$dir/exported")"
exit $status
