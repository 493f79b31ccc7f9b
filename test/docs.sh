#!/bin/sh
# docs.sh -- links between the pages resolve, sources name pages that exist, and the tables and the plot of
# docs/performance.md and others are those of test/kernel/results.
# shellcheck disable=SC2086  # lists of words
set -u
LC_ALL=C
export LC_ALL
cd "$(dirname "$0")/.." || exit 1
wrong=0
complain() {
    echo "docs: $*"
    wrong=$((wrong + 1))
}

# The anchors of the headings of a page, as GitHub names them.
anchors() {
    sed -n '/^```/,/^```/d; s/^##* //p' "$1" | tr 'A-Z ' 'a-z-' | tr -d '][!"#$%&'\''()*+,./:;<=>?@\\^`{|}~'
}

pages=$(find ./*.md docs examples test -name '*.md')
for page in $pages; do
    for link in $(sed '/^```/,/^```/d' "$page" | grep -o '](\([^)]*\))' | sed 's/^](//; s/)$//'); do
        case $link in
        *://*) continue ;;
        esac
        file=${link%%#*}
        target=$page
        [ -z "$file" ] || target=$(dirname "$page")/$file
        [ -e "$target" ] || { complain "$page: no $link"; continue; }
        case $link in
        *#*) anchors "$target" | grep -qx -e "${link#*#}" || complain "$page: no heading for $link" ;;
        esac
    done
done

folders='base ext rsb cuda util linsolve cbind tools test examples'
for named in $(grep -rhoE 'docs/[a-zA-Z0-9/_-]+\.md' --include='*.[ch]' --include='*.cu' --include='*.cuh' \
    --include='*.hpp' --include='*.awk' --include='*.sh' --include='*.py' $folders | sort -u); do
    [ -e "$named" ] || [ "$named" = docs/calls.md ] ||
        complain "no $named, which these name: $(grep -rl "$named" $folders | tr '\n' ' ')"
done

if command -v python3 >/dev/null; then
    python3 test/kernel/performance.py --check || wrong=$((wrong + 1))
else
    echo "no python3: the tables of docs/performance.md are not compared"
fi
echo "$(echo "$pages" | wc -l) pages, $wrong wrong"
test $wrong -eq 0 && [ "$(echo "$pages" | wc -l)" -ge 30 ]
