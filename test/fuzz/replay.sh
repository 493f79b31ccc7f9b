#!/bin/sh
# replay.sh -- test: run every fuzz target on the committed corpus, in the build tree.
here=$(cd "$(dirname "$0")" && pwd)
status=0
for t in mm bytes hb owners spec; do
    leaks=1 # this target initialises MPI, whose leaks do not count
    [ "$t" = spec ] && leaks=0
    ASAN_OPTIONS=allocator_may_return_null=1:detect_leaks=$leaks test/fuzz/replay_"$t" "$here/corpus/$t"/* \
        >"replay_$t.out" 2>&1 || {
        echo "FAIL: $t"
        tail -20 "replay_$t.out"
        status=1
    }
    echo "$t: $(tail -1 "replay_$t.out")"
    rm -f "replay_$t.out"
done
exit $status
