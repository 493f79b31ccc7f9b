#!/bin/sh
# docs.sh -- links between the pages resolve, sources name pages that exist, tables of calls name what the headers
# declare, examples in C are on pages that test/clients.sh compiles, and the tables, plots and pictures of pages are
# those of test/kernel/results and docs/pictures.py.
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

pages=$(find ./*.md docs examples python test -name '*.md' ! -path 'docs/site/*') # Sphinx looks at the site's own
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

# Names of PSBC in the tables: in headers X(name) stands for psb_d_name, and psb_dname is short for struct psb_d_name.
names=$(mktemp)
trap 'rm -f "$names"' EXIT
find base ext rsb cuda util linsolve -name 'psb_*.h' -exec cat {} + | sed 's/X(\([a-z0-9_]*\))/psb_d_\1/g' |
    grep -oE '\<(psb|PSB)_[A-Za-z0-9_]+' | sort -u >"$names"
for table in docs/tables/*.tsv; do
    columns=$(head -n 1 "$table" | awk -F '\t' '{ print NF }')
    awk -F '\t' -v n="$columns" 'NF != n { exit 1 }' "$table" || complain "$table: a line has not $columns columns"
    [ "$table" = docs/tables/cbind.tsv ] && continue
    for name in $(cut -f 2- "$table" | grep -oE '\<(psb|PSB)_[A-Za-z0-9_]+' | sed 's/^psb_[sdcz]_/psb_d_/' | sort -u); do
        grep -qx -e "$name" -e "$(echo "$name" | sed 's/^psb_[sdcz]/psb_d_/')" "$names" ||
            complain "$table: no header has $name"
    done
done
legacy=cbind/psbc_cusparse_legacy.t.h
for name in $(sed -n '/`psbc_cusparse_legacy.h`/s/\t.*//p' docs/tables/from-cusparse.tsv | tr -d '` ' | tr ',' '\n'); do
    grep -q "^PSB_CUSPARSE(${name#cusparse<t>}," $legacy || complain "docs/tables/from-cusparse.tsv: $legacy has no $name"
done
codes=$(sed -n 's/^ *E(\(PSB_[A-Z]*\),.*/\1/p' base/core/psb_err.h | sort)
[ "$codes" = "$(sed -n 's/^`\(PSB_[A-Z]*\)`.*/\1/p' docs/tables/errors.tsv | sort)" ] ||
    complain "docs/tables/errors.tsv: expected the codes of base/core/psb_err.h"

compiled='docs/(adding-a-format|first-steps|gpus|guide|solvers)\.md|README\.md'
others=$(grep -lE '^```(c|cpp|c\+\+)$' ./*.md docs/*.md examples/*.md | sed 's/^\.\///' | grep -vxE "$compiled" || :)
[ -z "$others" ] || complain "no test compiles the examples in C of $others"

if command -v python3 >/dev/null; then
    python3 test/kernel/performance.py --check || wrong=$((wrong + 1))
    python3 docs/pictures.py --check || wrong=$((wrong + 1))
else
    echo "no python3: the tables of docs/performance.md and the pictures are not compared"
fi
echo "$(echo "$pages" | wc -l) pages, $wrong wrong"
test $wrong -eq 0 && [ "$(echo "$pages" | wc -l)" -ge 30 ]
