#!/bin/sh
# clients.sh -- the library as make installed it below test/installed, as its users see it: names of files, symbols and
# macros; each header on its own, in C and C++; and the programs of test/clients, compiled with the flags of
# pkg-config and run on 1 and 3 processes.  A compiler that is missing is left out.
# shellcheck disable=SC2046,SC2086,SC2231  # lists of words
set -eu
srcdir=$(cd "${srcdir:-.}" && pwd)
command -v pkg-config >/dev/null || { echo "skipped: no pkg-config"; exit 77; }
if grep -q '^\(SANITIZE\|COVERAGE\)_FLAGS = ..*' Makefile; then
    echo "skipped: programs would need the flags of the sanitizers"
    exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
wrong=0
complain() {
    echo "clients: $*"
    wrong=$((wrong + 1))
}

PKG_CONFIG_PATH=$(dirname "$(find "$PWD/test/installed" -name psbc.pc)")
prefix=$PWD/test/installed$(sed -n 's/^prefix=//p' "$PKG_CONFIG_PATH/psbc.pc")
export PKG_CONFIG_PATH
package=psbc # or psbc-cbind
flags() {
    pkg-config --static --define-variable=prefix="$prefix" "$1" $package
}
headers=$(cd "$prefix/include/psbc" && ls | grep -v "^cbind$")
LD_LIBRARY_PATH=$prefix/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export LD_LIBRARY_PATH

# Names of files and symbols, but for weak ones, as CUDA's headers make them.
for h in $headers; do
    case $h in
    psb_*.h | psbc.h | psbc.hpp | psbc_calls.hpp) ;;
    *) complain "$h is installed, which is no name of this library" ;;
    esac
done
other=$(nm -g --defined-only "$prefix"/lib/libpsb_*.a 2>/dev/null |
    awk 'NF == 3 && $2 !~ /[WVu]/ && $3 !~ /^(psb|amg_c)_/ { print $3 }' | sort -u)
[ -z "$other" ] || complain "global symbols of other names: $other"

# compile COMPILER FILE OPTION...
compile() {
    cc=$1 file=$2
    shift 2
    case $file in
    *.c) std=c11 ;;
    *) std=c++17 ;;
    esac
    [ $package != psbc ] || std="$std -Wpedantic"
    $cc -std=$std -Wall -Wextra -Werror $(flags --cflags) "$file" "$@"
}

# extra_macros COMPILER EXT: those that $work/both.EXT has besides those of $work/system.EXT.
extra_macros() {
    for which in system both; do
        compile "$1" "$work/$which.$2" $no_mpicxx -dM -E |
            sed 's/^#define \([A-Za-z0-9_]*\).*/\1/' | sort -u >"$work/$which.macros"
    done
    extra=$(comm -13 "$work/system.macros" "$work/both.macros" | grep -v '^psb\|^PSB\|^AMG_' || :)
    [ -z "$extra" ] || complain "$1: macros of other names for $package: $extra"
}

# alone COMPILER EXT HEADER: it compiles on its own.
alone() {
    printf '#include <%s>\ntypedef int alone;\n' "$3" >"$work/alone.$2"
    compile "$1" "$work/alone.$2" -fsyntax-only || complain "$1: $3 does not compile alone"
}

# Macros: what the headers define besides what the system's headers that they include do; psb_names.h is for the
# sources of formats.
system=$(cd "$prefix/include/psbc" && sed -n 's/^# *include \(<.*>\).*/#include \1/p' \
    $(echo "$headers" | grep -v '^psb_names.h$') | sort -u)
users='psb_base.h psb_ext.h psb_cuda.h psb_rsb.h psb_util.h psb_linsolve.h'
own="$users psbc.h psb_format.h psb_ext_format.h psb_cuda_format.h psb_rsb_format.h"
taken='A B C D E F G H I J K L M N O P Q R S T U V W X Y Z RE IM ABS CONJ MAKE CPLX BYTES EPS TMAX LETTER TMPI
    AHEAD CHUNK LINE CACHE LANES LEVELS OK FAIL'
no_mpicxx='-DOMPI_SKIP_MPICXX -DMPICH_SKIP_MPICXX' # mpi.h without classes of C++
check_macros() {
    cc=$1 ext=$2
    if [ "$ext" = c ]; then
        echo "$system" | grep -F .h >"$work/system.$ext"
    else
        echo "$system" >"$work/system.$ext"
    fi
    for h in $own; do
        echo "#include <$h>"
    done >"$work/own.$ext"
    [ "$ext" = c ] || echo "#include <psbc.hpp>" >>"$work/own.$ext"
    cat "$work/system.$ext" "$work/own.$ext" >"$work/both.$ext"
    extra_macros "$cc" "$ext"
    {
        cat "$work/system.$ext"
        for name in $taken; do echo "#undef $name"; echo "#define $name @ $name"; done
        cat "$work/own.$ext"
    } >"$work/taken.$ext"
    compile "$cc" "$work/taken.$ext" $no_mpicxx -fsyntax-only || complain "$cc: a caller's macros change the headers"
    for name in $taken; do echo "value of $name"; done >>"$work/taken.$ext"
    kept=$(compile "$cc" "$work/taken.$ext" $no_mpicxx -E | grep -c '^value of @ ' || :)
    [ "$kept" -eq "$(set -- $taken; echo $#)" ] ||
        complain "$cc: macros of the caller are changed"
}

# Each header alone; psb_each_type.h is for the others, psb_names.h and psb_type.h for the sources of formats.
check_headers() {
    for h in $headers; do
        case $h-$2 in
        *.t.h-* | psb_each_type.h-* | psb_names.h-* | psb_type.h-* | psbc_calls.hpp-* | psbc.hpp-c) continue ;;
        esac
        alone "$1" "$2" "$h"
    done
}

# The headers for users declare the structs of handles; those that they define are filled or received by users.
filled='psb_(band|dense|products|sparse|block|cdall_how|cut|dl_(tensor|managed|versioned)|rows_given|feature|traffic|transfer_counts|version_info|[sdcz]_(axpby|epilogue))
psb_(raw|raw_sizes|[sdcz]_(raw_arrays|raw_const|triplets)|gen|hb_header|mm_header|pde)
psb_(factor|prec|solve|lsmr)_options
psb_(solve_result|lsmr_result|[sdcz]_(operator|prec)_calls)'
handles='ctxt desc request device vmold d_mat d_spmat d_vect i_vect d_scal d_prec d_factor d_solver d_operator d_nullspace'
check_handles() {
    for h in $users; do echo "#include <$h>"; done >"$work/users.$2"
    defined=$(compile "$1" "$work/users.$2" -E | grep -oE '(struct|union) psb_[A-Za-z0-9_]+ *\{' |
        sed 's/^[a-z]* //; s/ *{//' | sort -u | grep -vxE "$filled" || :)
    [ -z "$defined" ] || complain "$1: structs that users should not see: $defined"
    for handle in $handles; do echo "int psb_${handle}[sizeof(struct psb_$handle)];"; done >>"$work/users.$2"
    refused=$(compile "$1" "$work/users.$2" -fsyntax-only 2>&1 | grep -c "error: invalid application of" || :)
    [ "$refused" -eq "$(set -- $handles; echo $#)" ] || complain "$1: $refused of the structs $handles are incomplete"
}

# psbc.h compiles with the headers that it repeats, as each header does, and has every function of theirs.
check_umbrella() {
    for h in $users; do echo "#include <$h>"; done >"$work/users.c"
    compile "$1" "$work/users.c" -E | grep -oE '[ *]psb_[A-Za-z0-9_]+\(' | tr -d ' *' | sort -u >"$work/declared"
    grep -oE '^[A-Za-z].*[ *]psb_[A-Za-z0-9_]+\(' "$prefix/include/psbc/psbc.h" | sed 's/.*[ *]//' | sort -u >"$work/repeated"
    missing=$(comm -23 "$work/declared" "$work/repeated" | grep -vE 'psb_any_|psb_(coefficient|monitor)\(' || :)
    [ -z "$missing" ] || complain "psbc.h lacks $missing"
    [ "$(grep -c '^psb_[dz]_' "$work/repeated")" -gt 400 ] || complain "psbc.h has few functions"
}

# PSBLAS's C interface: each header alone, macros, and a program, with the flags of psbc-cbind.
check_cbind() {
    cc=$1 ext=$2 package=psbc-cbind
    dir=$prefix/include/psbc/cbind
    sed -n 's/^# *include \(<.*>\).*/#include \1/p' "$dir"/*.h "$dir"/../psb_int.h "$dir"/../psb_scalar.h |
        sort -u >"$work/system.$ext"
    if [ "$ext" = cpp ]; then sed -i '/complex.h/d' "$work/system.$ext"; else sed -i '/<complex>/d' "$work/system.$ext"; fi
    cp "$work/system.$ext" "$work/both.$ext"
    for h in $(cd "$dir" && ls | grep -v '\.t\.h$'); do
        alone "$cc" "$ext" "$h"
        echo "#include <$h>" >>"$work/both.$ext"
    done
    extra_macros "$cc" "$ext"
    cp "$srcdir/test/cbind/elements.c" "$work/elements.$ext"
    compile "$cc" "$work/elements.$ext" -I"$srcdir/test/cbind" -o "$work/elements-$cc" $(flags --libs) &&
        "$srcdir/test/mpi-run" 3 "$work/elements-$cc" || complain "$cc: the program for psbc-cbind: $?"
    package=psbc
}

# The format of docs/adding-a-format.md, outside of the library: two scalars and a program.
check_format() {
    page=$srcdir/docs/adding-a-format.md dir=$work/format-$1
    mkdir "$dir"
    for file in ext/psb_dcsr.t.h ext/dcsr.c program/dcsr.c program/main.c; do
        awk -v name="$file" '
            index($0, "`" name "`") == 1 { found = 1; next }
            found && /^```/ { if (inside) exit; inside = 1; next }
            inside { print }' "$page" >"$dir/$(echo $file | tr / -)"
    done
    mv "$dir/ext-psb_dcsr.t.h" "$dir/psb_dcsr.t.h"
    { cat "$dir/program-dcsr.c"; sed 1,/psb_type.h/d "$dir/ext-dcsr.c"; } >"$dir/dcsr.c"
    for t in d z; do
        compile "$1" "$dir/dcsr.c" -I"$dir" -DPSB_TYPE=$t -c -o "$dir/dcsr_$t.o" || return
    done
    compile "$1" "$dir/program-main.c" -I"$dir" "$dir/dcsr_d.o" "$dir/dcsr_z.o" -o "$dir/main" $(flags --libs) &&
        "$dir/main"
}

# The examples in C of the pages, each in a function of its own.  In docs/solvers.md b is a right-hand side.
check_fragments() {
    for page in guide gpus solvers; do
        awk -v head="$srcdir/test/guide.h" -v page=$page '
            BEGIN { print "#include \"" head "\""; if (page == "solvers") print "#define b rhs" }
            /^```c$/ { on = 1; print "void example" ++n "(void);\nvoid example" n "(void)\n{"; next }
            /^```/ && on { on = 0; print "}" }
            on' "$srcdir/docs/$page.md" >"$work/$page.c"
        compile "$1" "$work/$page.c" -Wno-unused -Wno-unused-result -Wno-uninitialized \
            -fsyntax-only || complain "$1: the examples in C of docs/$page.md"
    done
}

# The programs of docs/first-steps.md, in C or C++.
check_first() {
    awk -v kind="\`\`\`$2" '$0 == kind { on = 1; next } /^```/ { on = 0 } on' \
        "$srcdir/docs/first-steps.md" >"$work/first.$2"
    compile "$1" "$work/first.$2" -o "$work/first-$1" $(flags --libs) || { complain "$1: docs/first-steps.md"; return; }
    for format in csr hlg; do
        PSB_DEVICE=fake "$srcdir/test/mpi-run" 2 "$work/first-$1" $format >"$work/first.out" ||
            complain "$1: the program of docs/first-steps.md with $format"
        case $2-$format-$(cat "$work/first.out") in
        c-csr-"CSR: |A 1| = 1.41421" | c-hlg-"HLG: |A 1| = 1.41421") ;;
        cpp-*) [ "$(sort -u "$work/first.out")" = 5.65685 ] || complain "$1: $(cat "$work/first.out")" ;;
        *) complain "$1: $(cat "$work/first.out")" ;;
        esac
    done
}

# Each header alone, which takes most of the time, and PSBLAS's interface: by one compiler of each language, by all if
# CHECK_LONG is set.
checked=
for cc in gcc clang g++ clang++; do
    command -v $cc >/dev/null || { echo "no $cc"; continue; }
    case $cc in
    *++) ext=cpp ;;
    *) ext=c ;;
    esac
    check_macros $cc $ext
    if [ -n "${CHECK_LONG:-}" ] || [ $ext != "$checked" ]; then
        check_headers $cc $ext
        check_cbind $cc $ext
        checked=$ext
    fi
    check_handles $cc $ext
    [ $ext = cpp ] || check_umbrella $cc
    [ $ext = cpp ] || check_fragments $cc
    check_first $cc $ext
    [ $ext = cpp ] || check_format $cc || complain "$cc: the format outside of the library: exit status $?"
    for client in "$srcdir"/test/clients/*.$ext "$srcdir/examples/cg.$ext"; do
        [ -e "$client" ] || continue # cg is in C++
        program=$work/$(basename "$client" .$ext)-$cc
        compile $cc "$client" -o "$program" $(flags --libs) ||
            { complain "$cc: $client does not compile"; continue; }
        for np in 1 3; do
            timeout 300 "$srcdir/test/mpi-run" $np "$program" || complain "$program on $np processes: exit status $?"
        done
    done
done
echo "$wrong wrong"
test $wrong -eq 0
