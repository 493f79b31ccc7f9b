#!/bin/sh
# calls.sh -- every public declaration has a comment, which says whether the call is local or collective; and every
# public call is made by a test, or listed below.
#   calls.sh            check
#   calls.sh table      print docs/calls.md, the table of all public calls, which make docs/calls.md writes
#   calls.sh headers    print the headers that declare them
set -u
LC_ALL=C
export LC_ALL
cd "$(dirname "$0")/.." || exit 1
# Headers for the authors of formats, and of the library, who read all of them.
for_formats='psb_(add_up|compressed|product|put|rows|padding|coo|csr|csc|spgemm)\.t\.h$|psb_(csr_plan|hacks|search|handle|simd)\.h$'
# Calls that no test makes by name, since other calls of the library make them.
untested='psb_?_cuda_register psb_?_ext_register psb_?_gen_pde_rows psb_?_rsb_register
    psb_dual_undo psb_ext_init psb_factor_check psb_passed psb_read_block psb_team psb_team_steps psb_tell'
headers=$(sed ':a;/\\$/{N;s/\\\n//;ba}' base/local.mk ext/local.mk rsb/local.mk cuda/local.mk util/local.mk linsolve/local.mk |
    sed -n 's/^\(pkginclude\|format\)_HEADERS *+= *//p' | tr -s ' \t' '\n' |
    grep '\.h$' | grep -vE 'psb_(each_type|names|type|front|util_front|linsolve_front|lang|gpu|scalar)\.h$' |
    grep -vE "$for_formats" | sort)

[ "${1:-}" != headers ] || { echo "$headers"; exit; }

# Lines "name|header|const arguments|local or collective|errors" for public functions; lines "! ..." for faults.
list() {
    # shellcheck disable=SC2086
    awk '
    function finish_comment() {
        text = comment
        gsub(/[ \t]+/, " ", text)
        if (text ~ /^\/\* ---/) {
            section = text
            inside = text ~ /--- inside/
        } else if (!head)
            head = text
        else
            doc = text
        in_comment = 0
    }
    function declare(d,    name, typed, args, n, i, a, list, where, e, errs, t) {
        if (d ~ /psb_any_/) # the macros that make these calls are documented
            return
        typed = match(d, /X\([a-z0-9_]+\)\(/)
        if (!typed && !match(d, /psb_[A-Za-z0-9_]+\(/))
            return
        name = substr(d, RSTART, RLENGTH - 1)
        if (typed) {
            sub(/^X\(/, "", name)
            sub(/\)$/, "", name)
            name = "psb_?_" name
        }
        if (doc == "")
            print "! " FILENAME ": " name " has no comment"
        else if (doc !~ /[.)] ?\*\/$/)
            print "! " FILENAME ": the comment of " name " does not end in a full stop"
        where = doc ~ /Collective; `_local`/ && name ~ /_local$/ ? "local" : doc ~ /Collective/ ? "collective" : doc ~ /Local/ ? "local" : ""
        if (where == "" && section ~ /[Cc]ollective/ && section ~ /[Ll]ocal/)
            where = name ~ /_local$/ ? "local" : "collective"
        if (where == "") where = section ~ /[Cc]ollective/ ? "collective" : section ~ /[Ll]ocal/ ? "local" : ""
        if (where == "") where = head ~ /Collective/ ? "collective" : head ~ /Local|local/ ? "local" : ""
        if (where == "")
            print "! " FILENAME ": the comment of " name " says neither Local nor Collective"
        args = substr(d, RSTART + RLENGTH)
        n = split(args, a, ",")
        list = ""
        for (i = 1; i <= n; i++)
            if (a[i] ~ /const .*\*/ && match(a[i], /[A-Za-z_]+(\[[^]]*\])?[);]*$/)) {
                t = substr(a[i], RSTART)
                gsub(/[^A-Za-z_].*$/, "", t)
                list = list (list ? ", " : "") t
            }
        errs = ""
        e = doc
        while (match(e, /PSB_E[A-Z]+/)) {
            t = substr(e, RSTART, RLENGTH)
            if (t != "PSB_EXT" && index(errs, t) == 0)
                errs = errs (errs ? ", " : "") t
            e = substr(e, RSTART + RLENGTH)
        }
        sub(/.*\//, "", FILENAME)
        print name "|" FILENAME "|" list "|" where "|" errs
    }
    FNR == 1 { head = section = doc = decl = ""; inside = in_comment = depth = 0 }
    in_comment {
        if ($0 !~ /^ *\*\/ *$/) sub(/^[ \t]*\* ?/, "")
        comment = comment " " $0
        if ($0 ~ /\*\/ *$/) finish_comment()
        next
    }
    /^\/\*/ && !depth {
        comment = $0
        in_comment = 1
        if ($0 ~ /\*\/ *$/) finish_comment()
        next
    }
    /^ *$/ { doc = ""; next }
    /^#|^typedef|^extern|^PSB_(BEGIN|END)_C/ { next }
    /^(struct|enum|union)[^(]*\{ *$/ || /^static/ { depth = $0 !~ /\} *;? *$/; next }
    depth { if ($0 ~ /^\}/) depth = 0; next }
    /^(struct|enum|union)[^(]*\{.*\};/ || /^(struct|enum)[^(]*;/ { next }
    inside { next }
    {
        sub(/\/\*.*\*\//, "")
        decl = decl " " $0
        if ($0 ~ /; *$/) { declare(decl); decl = "" }
    }
    ' $headers
}

table() {
    cat <<END
# Public calls

Made by \`test/calls.sh table\`. \`psb_?_name\` is one call for each scalar, \`psb_s_name\`, …; most can be called as
\`psb_name\`. The headers hold the manual of each call. "const": arguments that are pointers to what is only read.
"Errors": codes that the comment names; all calls return PSB_EARG for an invalid argument and PSB_ENOMEM for lack of
memory. "Tested by": the first file under test/ that makes the call; –: it is made by other calls only.

| call | header | const | local or collective | errors | tested by |
|---|---|---|---|---|---|
END
    list | grep -v '^!' | sort -u | awk -F'|' '
    FNR == NR {
        if (!($1 in by)) by[$1] = $2
        next
    }
    {
        any = $1
        sub(/\?_/, "", any)
        where = "–"
        if ($1 in by) where = by[$1]
        else if (any in by) where = by[any]
        print "| " $1 " | " $2 " | " $3 " | " $4 " | " $5 " | " where " |"
    }' "$uses" -
}

uses=$(mktemp)
made=$(mktemp)
trap 'rm -f "$uses" "$made"' EXIT
# "name|file": the first file of tests that uses a name, X(name) and psb_d_name as psb_?_name.
awk '{
    line = $0
    while (match(line, /X\([a-z0-9_]+\)|psb_[A-Za-z0-9_]+/)) {
        name = substr(line, RSTART, RLENGTH)
        line = substr(line, RSTART + RLENGTH)
        if (name ~ /^X/) name = "psb_?_" substr(name, 3, length(name) - 3)
        else if (name ~ /^psb_[sdcz]_/) name = "psb_?_" substr(name, 7)
        if (!(name in seen)) { seen[name] = 1; file = FILENAME; sub(/^test\//, "", file); print name "|" file }
    }
}' test/check_*.c test/*.c test/cbind/*.c test/clients/*.c* >"$uses"

if [ "${1:-}" = table ]; then
    table
    exit
fi
faults=$(list | grep '^!' | sort -u)
[ -z "$faults" ] || echo "$faults"
table >"$made"
for call in $(sed -n 's/^| \(psb_[^ ]*\) .* – |$/\1/p' "$made"); do
    case " $(echo $untested) " in
    *" $call "*) ;;
    *) faults=$call; echo "no test makes the public call $call" ;;
    esac
done
for call in $untested; do
    awk -v call="$call" '$2 == call && / – \|$/ { found = 1 } END { exit !found }' "$made" && continue
    faults=$call
    echo "$call need not be listed in test/calls.sh: a test makes it, or it is no public call"
done
echo "$(grep -c '^| psb_' "$made") public calls"
[ -z "$faults" ] && [ "$(grep -c '^| psb_' "$made")" -gt 300 ]
