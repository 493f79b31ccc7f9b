#!/bin/sh
# run.sh -- test: fuzz the readers with libFuzzer: run.sh [SECONDS [TARGET ...]], in the build tree.
# Builds the library with clang in fuzz-build/, then runs each target for SECONDS (default 60), starting from the
# committed corpus.  New inputs are kept in fuzz-build/corpus, failing ones in fuzz-build/found.  FUZZ_CC: the clang.
here=$(cd "$(dirname "$0")" && pwd)
src=$(cd "$here/../.." && pwd)
seconds=${1:-60}
[ $# -gt 0 ] && shift
targets=${*:-mm bytes hb owners spec}
cc=${FUZZ_CC:-clang}
flags='-g -O1 -fsanitize=fuzzer-no-link'
command -v "$cc" >/dev/null || { echo "skipped: no $cc"; exit 77; }
mkdir -p fuzz-build/found && cd fuzz-build || exit 1
if [ ! -f config.status ]; then
    "$src/configure" -q --without-cuda --disable-shared --enable-static --disable-openmp --enable-sanitize CC="$cc" CFLAGS="$flags" \
        >configure.log 2>&1 || { tail configure.log; exit 1; }
fi
make -s libpsb_util.la libpsb_base.la >make.log 2>&1 || { tail make.log; exit 1; }

flag_of() { sed -n "s/^$1 = //p" Makefile; }
status=0
for t in $targets; do
    # shellcheck disable=SC2046  # words
    "$cc" -g -O1 -std=c11 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all -I. \
        $(printf ' -I%s' "$src/base" "$src"/base/*/ "$src/util" "$src/tools") $(flag_of MPI_CFLAGS) "$here/$t.c" "$here/fuzz.c" -o "fuzz_$t" \
        .libs/libpsb_util.a .libs/libpsb_base.a $(flag_of MPI_LIBS) $(flag_of ZLIB_LIBS) $(flag_of LZMA_LIBS) \
        $(flag_of METIS_LIBS) -lm || exit 1
    mkdir -p "corpus/$t"
    dict=$here/$t.dict
    leaks=1 # this target initialises MPI, whose leaks do not count
    [ "$t" = spec ] && leaks=0
    ASAN_OPTIONS=detect_leaks=$leaks ./"fuzz_$t" -max_total_time="$seconds" -timeout=20 -rss_limit_mb=3000 -max_len=4096 -print_final_stats=1 \
        -artifact_prefix="found/$t-" ${dict:+$([ -f "$dict" ] && echo "-dict=$dict")} "corpus/$t" \
        "$here/corpus/$t" >"$t.log" 2>&1
    s=$?
    [ $s -eq 0 ] || status=1
    awk -v t="$t" -v s=$s '/ cov: / { last = $0 } /^stat::number_of_executed_units/ { n = $2 }
        / DONE / { done = $0 } END { print t ": status " s ", " n " inputs; " (done ? done : last) }' "$t.log"
done
exit $status
