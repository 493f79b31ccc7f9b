#!/bin/sh
# coverage.sh -- report which lines the tests executed; run it in a build configured with --enable-coverage.
#   coverage/summary.txt    covered lines of each file and of each library, and the numbers of the other lines
#   coverage/index.html     the sources line by line, if gcovr is installed
# A line of a typed source is covered if it is for one of the scalars.  Fails if the coverage of a library is too low:
set -eu
least='base 90 util 90 linsolve 80'
libraries='base ext rsb cuda util linsolve cbind'
srcdir=${srcdir:-.}
gcov=${GCOV:-gcov}
command -v "$gcov" >/dev/null || { echo "coverage.sh: no $gcov, which comes with gcc" >&2; exit 1; }
if [ -z "$(find base util -name '*.gcda' | head -n 1)" ]; then
    echo "coverage.sh: no counts here; configure --enable-coverage, make check" >&2
    exit 1
fi
rm -rf coverage
mkdir coverage

# Print "FILE LINE 0-or-1" (executed or not) for each line and scalar, in the libraries.
counts() {
    # shellcheck disable=SC2086  # a list of folders
    find $libraries -name '*.gcno' -exec "$gcov" -t {} + 2>coverage/gcov.log | awk -v libraries="$libraries" '
        BEGIN { gsub(/ /, "|", libraries) }
        /^ *-: *0:Source:/ {
            file = match($0, "(" libraries ")/([a-z]+/)?[^/]*$") ? substr($0, RSTART) : ""
            next
        }
        file != "" && /^ *[0-9#=]/ {
            split($0, part, ":")
            print file, part[2] + 0, part[1] ~ /[0-9]/
        }'
}

# From sorted counts: one line per file with the missed lines as ranges, then the libraries and whether they have enough.
summarise() {
    awk -v least="$least" -v libraries="$libraries" '
        function pack() {
            if (from)
                missed = missed " " from (to > from ? "-" to : "")
            from = 0
        }
        function row(name, ran, all, missed) {
            printf "%-30s %6d of %6d  %5.1f %%%s\n", name, ran, all, all ? 100 * ran / all : 100, missed
        }
        function end_line() {
            if (!line)
                return
            all++
            ran += hit
            if (hit) {
                pack()
                return
            }
            if (!from)
                from = line
            to = line
        }
        function end_file() {
            if (file == "")
                return
            end_line()
            pack()
            row(file, ran, all, missed)
            library = substr(file, 1, index(file, "/") - 1)
            ran_in[library] += ran
            all_in[library] += all
            all = ran = line = 0
            missed = ""
        }
        $1 != file { end_file(); file = $1 }
        $2 != line { end_line(); line = $2; hit = 0 }
        $3 { hit = 1 }
        END {
            end_file()
            n = split(least, word, " ")
            print ""
            count = split(libraries, name, " ")
            for (i = 1; i <= count; i++)
                row(name[i], ran_in[name[i]], all_in[name[i]], "")
            for (i = 1; i < n; i += 2)
                if (100 * ran_in[word[i]] < word[i + 1] * all_in[word[i]] || !all_in[word[i]]) {
                    print word[i] ": fewer than " word[i + 1] " % of its lines are covered"
                    short = 1
                }
            exit short
        }'
}

status=0
counts | LC_ALL=C sort -k1,1 -k2,2n >coverage/counts
LC_ALL=C summarise <coverage/counts >coverage/summary.txt || status=1
rm coverage/counts
cat coverage/summary.txt

if command -v gcovr >/dev/null; then
    # shellcheck disable=SC2086
    gcovr -r "$srcdir" --object-directory=. --gcov-executable "$gcov" -f ".*/($(echo $libraries | tr ' ' '|'))/" \
        --html-details coverage/index.html $libraries 2>>coverage/gcov.log ||
        { echo "coverage.sh: gcovr failed; see coverage/gcov.log" >&2; status=1; }
else
    echo "no gcovr (Debian: gcovr), so no coverage/index.html"
fi
exit $status
