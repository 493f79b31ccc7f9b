#!/bin/sh
# uninstall.sh -- make uninstall removes from a copy of test/installed every file and folder of this library, and no
# other file there.  Run in the build tree.
set -eu
unset MAKEFLAGS MFLAGS MAKELEVEL # of the make that runs this
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -R test/installed/. "$work/copy"
prefix=$work/copy$(sed -n 's/^prefix = //p' Makefile)
find "$work/copy" ! -type d | wc -l >"$work/files"
others="bin/other lib/libother.so include/psb_other.h"
for file in $others; do
    mkdir -p "$(dirname "$prefix/$file")"
    touch "$prefix/$file"
done
"${MAKE:-make}" -s uninstall uninstall-psblas-layout DESTDIR="$work/copy" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
for file in $others; do
    rm "$prefix/$file" || { echo "make uninstall has removed the $file of another"; exit 1; }
done
left=$(find "$work/copy" ! -type d; find "$prefix" -name 'psbc*')
[ -z "$left" ] || { echo "make uninstall leaves"; echo "$left"; exit 1; }
echo "make uninstall removes all $(cat "$work/files") files"
[ "$(cat "$work/files")" -gt 100 ]
