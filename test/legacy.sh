#!/bin/sh
# legacy.sh -- psbc_cusparse_legacy.h: a program compiles as C11 and C++17 without warnings, with cuSPARSE's names in
# place of cusparse.h and by the names psb_?_cusparse_... beside it, and runs on the host and the fake device; the
# arguments are those that cusparse.h declares, where there is one.
set -eu
srcdir=$(cd "${srcdir:-.}" && pwd)
if grep -q '^\(SANITIZE\|COVERAGE\)_FLAGS = ..*' Makefile; then
    echo "skipped: programs would need the flags of the sanitizers"
    exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
status=0
complain() {
    echo "legacy: $*"
    status=1
}
cc=$(sed -n 's/^CC = //p' Makefile)
openmp=$(sed -n 's/^OPENMP_CFLAGS = //p' Makefile)
paths="-I$srcdir/cbind -I$srcdir/base/core"
has() {
    # shellcheck disable=SC2086  # words of a command
    echo "#include <$1>" | $cc -E - >"$work/$1" 2>/dev/null
}

# program COMPILER STD OPTION...: compile, link and run.
program() {
    compiler=$1 std=$2
    shift 2
    # shellcheck disable=SC2086
    $compiler -std=$std $paths -Wall -Wextra -Werror -Wno-deprecated-declarations "$@" -c "$srcdir/test/cbind/legacy.c" \
        -o "$work/legacy.o" || { complain "$compiler $*: does not compile"; return; }
    # shellcheck disable=SC2086
    ./libtool --tag=CC --silent --mode=link $compiler $openmp -o "$work/legacy" "$work/legacy.o" libpsb_cbind.la -lm ||
        { complain "$compiler $*: does not link"; return; }
    for device in none fake; do
        PSB_DEVICE=$device ./libtool --mode=execute "$work/legacy" || complain "$compiler $* with PSB_DEVICE=$device: $?"
    done
}

if has cusparse.h; then both=-DBESIDE; else both=; echo "no cusparse.h"; fi
has cuComplex.h && complex=-DWITH_CUCOMPLEX || complex=
for option in -DALONE $both $complex; do
    program "$cc" c11 "$option"
    for cxx in g++ clang++; do
        command -v $cxx >/dev/null && { program $cxx c++17 -x c++ "$option"; break; }
    done
done

# arguments FILE: "name stars" for every cusparse call that a preprocessed header declares; stars: of each argument, of
# which a typedef for a pointer has one, and d or f for a double or float, or a struct of two of them, by value.
arguments() {
    grep -v '^#' "$1" | tr '\n' ' ' | tr ';' '\n' | sed 's/__attribute__ *((.*))//; s/__asm__.*//' | awk '
        match($0, /[ *]cusparse[A-Z][A-Za-z0-9_]+ *\(/) && !/typedef|[{}]/ {
            name = substr($0, RSTART, RLENGTH - 1)
            list = substr($0, RSTART + RLENGTH)
            sub(/\)[^)]*$/, "", list)
            gsub(/[ *]/, "", name)
            out = ""
            for (i = 1; i <= split(list, arg, ","); i++) {
                a = arg[i]
                stars = gsub(/\*/, "", a) + (a ~ /(Handle|MatDescr|Info|Stream|stream)_t/)
                kind = stars ? "" : a ~ /[dD]ouble/ ? "d" : a ~ /float|cuComplex/ ? "f" : ""
                out = out " " stars kind
            }
            print name out
        }' | sort -u
}
if has cusparse.h; then
    # shellcheck disable=SC2086
    echo '#include "psbc_cusparse_legacy.h"' | $cc -E $paths -DPSBC_CUSPARSE_NAMES - >"$work/ours.i"
    arguments "$work/ours.i" >"$work/ours"
    arguments "$work/cusparse.h" >"$work/theirs"
    comm -23 "$work/ours" "$work/theirs" >"$work/other"
    [ ! -s "$work/other" ] || { complain "arguments that cusparse.h does not declare:"; cat "$work/other"; }
    [ "$(wc -l <"$work/ours")" -ge 150 ] || complain "few calls"
    cut -d' ' -f1 "$work/ours" >"$work/names"
    left=$(cut -d' ' -f1 "$work/theirs" | grep -E '^cusparse[SDCZ](gtsv|gpsv|csrilu02|csric02|bsrsv2|bsrsm2|csrcolor|prune|nnz_c|csr2csr_)' |
        grep -vxF -f "$work/names" || :)
    [ -z "$left" ] || complain "calls that only cusparse.h declares: $left"
    # shellcheck disable=SC2086
    if printf '#include <cusparse.h>\n#include "psbc_cusparse_legacy.h"\n' |
        $cc -E $paths -DPSBC_CUSPARSE_NAMES - >/dev/null 2>&1; then complain "names beside cusparse.h: no error"; fi
    echo "$(wc -l <"$work/ours") calls"
fi
exit $status
