#!/bin/sh
# cbind-names.sh -- every name of PSBLAS's and AMG4PSBLAS's C interfaces, listed in test/cbind/names.txt, is defined in
# libpsb_cbind and declared in the header it stands in there, in C and, if there is a compiler, in C++.
set -eu
srcdir=${srcdir:-.}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
wrong=0
lib=.libs/libpsb_cbind.so
if [ -e $lib ]; then nm -D --defined-only $lib; else nm -g --defined-only .libs/libpsb_cbind.a; fi |
    awk 'NF == 3 && $2 == "T" { sub(/@.*/, "", $3); print $3 }' | sort -u >"$work/exported"

# declared HEADER COMPILER...: print the functions that a header declares.
declared() {
    header=$1
    shift
    "$@" -E -P -I"$srcdir/cbind" -I"$srcdir/base/core" "$srcdir/cbind/$header" | tr -c 'A-Za-z0-9_(' '\n' |
        sed -n -E 's/^((psb|amg)_c_[A-Za-z0-9_]*)\(.*/\1/p' | sort -u
}

cc=$(sed -n 's/^CC = //p' Makefile)
: >"$work/compilers"
echo "$cc -std=c11" >>"$work/compilers"
for cxx in g++ clang++; do
    command -v $cxx >/dev/null && echo "$cxx -std=c++17 -x c++" >>"$work/compilers"
done

# check NAMES: complain of each line "HEADER NAME" of a file that is not as it should be.
check() {
    while read -r compiler; do
        for header in $(cut -d' ' -f1 "$1" | sort -u); do
            # shellcheck disable=SC2086  # words of a command
            declared "$header" $compiler >"$work/declared"
            sed -n "s/^$header //p" "$1" | sort -u | comm -23 - "$work/declared" |
                sed "s/^/not declared in $header ($compiler): /"
        done
    done <"$work/compilers"
    cut -d' ' -f2 "$1" | sort -u | comm -23 - "$work/exported" | sed 's/^/not in the library: /'
}

awk '/^==/ { n = split($2, part, "/"); header = part[n]; next } { for (i = 1; i <= NF; i++) print header, $i }' \
    "$srcdir/test/cbind/names.txt" >"$work/names"
check "$work/names" >"$work/missing"
[ ! -s "$work/missing" ] || { cat "$work/missing"; wrong=1; }
grep -v '^psb_c\|^amg_c_' "$work/exported" | grep -vE '^psb_([sdcz]_)?(cbind|cusparse|legacy)_' && { echo "these are exported too"; wrong=1; }

# A name that does not exist is reported by each check.
echo "psb_c_dbase.h psb_c_dnothing" >"$work/planted"
[ "$(check "$work/planted" | grep -c psb_c_dnothing)" -eq "$(($(wc -l <"$work/compilers") + 1))" ] ||
    { echo "a planted name was not reported"; wrong=1; }
echo "$(wc -l <"$work/names") names, $(wc -l <"$work/missing") missing"
test $wrong -eq 0 && test "$(wc -l <"$work/names")" -gt 300
