#!/bin/sh
# man.sh -- every public call has a manual page of its own or a link to one, for each scalar; the page of a program has
# every word that its --help prints; and groff and mandoc, where they are installed, find no fault in any page.
set -u
LC_ALL=C
export LC_ALL
srcdir=${srcdir:-.}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
wrong=0
complain() {
    echo "man: $*"
    wrong=$((wrong + 1))
}

{ find man/man3 -type f | sed "s/.*\///; s/\.3\$//" && sed 's/.* //' man/links; } | sort >"$work/pages"
uniq -d "$work/pages" | grep . && complain "these names have two pages"
sed 's/ .*//' man/links | sort -u | comm -23 - "$work/pages" | grep . && complain "links to these pages, which are not there"
sh "$srcdir/test/calls.sh" table | sed -n 's/^| \(psb_[^ ]*\).*/\1/p' |
    sed 's/^psb_?_\(.*\)/psb_\1 psb_s_\1 psb_d_\1 psb_c_\1 psb_z_\1/' | tr ' ' '\n' | sort -u >"$work/calls"
comm -23 "$work/calls" "$work/pages" | grep . && complain "these calls have no page"
for name in psb_sum psb_scan_sum psb_gatherv psb_i_geall psb_l_halo psb_cuda_DeviceSync; do
    grep -qx $name "$work/pages" || complain "$name has no page"
done

# Words, without the characters that make groff print others.
words() {
    sed 's/\\f[IR]//g; s/\\(aq/'\''/g; s/\\(ha/^/g; s/\\(ti/~/g; s/\\//g' | tr -cs 'A-Za-z0-9_=+|^~-' '\n' | sort -u
}
for program in psb-spmv psb-pargen psb-fileread psb-hpcg psb-info psb-convert psb-plot; do
    ASAN_OPTIONS="${ASAN_OPTIONS:-}:detect_leaks=0" tools/$program --help >"$work/help" || complain "$program --help"
    sed 's/^\(Usage\|Environment\|Status\)://' "$work/help" | words >"$work/help.words"
    words <man/$program.1 | comm -23 "$work/help.words" - | grep . && complain "these words of $program --help are not in its page"
done

for page in man/*.1 man/man3/*.3; do
    head -n 1 "$page" | grep -qE '^\.TH [A-Z_0-9-]+ [13] "[0-9]{4}-[0-9]{2}-[0-9]{2}" "psbc [0-9.]+" "[^"]+"$' ||
        complain "$page: its first line"
done
if command -v mandoc >/dev/null; then
    mandoc -T lint -W warning man/*.1 man/man3/*.3 || complain "mandoc finds these faults"
fi
if command -v groff >/dev/null; then
    groff -man -wall -T ascii -z man/*.1 man/man3/*.3 >"$work/groff" 2>&1
    [ ! -s "$work/groff" ] || { cat "$work/groff"; complain "groff warns"; }
fi
echo "$(wc -l <"$work/calls") public calls, $(wc -l <"$work/pages") names of pages, $wrong wrong"
[ "$wrong" -eq 0 ] && [ "$(wc -l <"$work/calls")" -gt 1000 ]
