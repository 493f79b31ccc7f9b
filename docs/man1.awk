# man1.awk -- write the manual page of a program from the text that it prints for --help, which stands in its source, so
# that no program runs.
#     awk -v name=NAME -v parts="STRING ..." -v version=VERSION -v date=DATE -f man.awk -f man1.awk SOURCE...
# STRING: the names of the arrays that the text is made of.  In the text, "Usage:" begins the synopsis; a line that ends
# in a colon is a heading; a line indented by two blanks is a term, its text stands on the same line after two or more
# blanks and on the lines below that are indented further.

# Collect the strings of `static const char NAME[] = "..." "..." ;`.
match($0, /^(static )?const char [a-z_]+\[\] =$/) {
    part = $0
    sub(/\[.*/, "", part)
    sub(/.* /, "", part)
    next
}
# The same in Python: HELP = """, lines, and """ alone.
/^HELP = """/ {
    python = 1
    next
}
python {
    python = $0 != "\"\"\""
    if (python)
        text["HELP"] = text["HELP"] $0 "\n"
    next
}
part != "" {
    line = $0
    last = line ~ /";$/
    sub(/^ *"/, "", line)
    sub(/(\\n)?";?$/, "", line)
    gsub(/\\"/, "\"", line)
    text[part] = text[part] line "\n"
    if (last)
        part = ""
}

END {
    n = split(parts, part_name, " ")
    for (i = 1; i <= n; i++)
        all = all text[part_name[i]]
    n = split(all, row, "\n")
    print ".TH " toupper(name) " 1 \"" date "\" \"psbc " version "\" \"Programs of PSBC\"\n.nh\n.ad l"
    print ".SH NAME\n" name " \\- " about()
    for (i = 1; i <= n; i++)
        put(row[i])
    end_term()
    n = split("psb-convert psb-fileread psb-hpcg psb-info psb-pargen psb-plot psb-spmv", row, " ")
    print ".SH SEE ALSO"
    for (i = 1; i <= n; i++)
        if (row[i] != name)
            print ".BR " plain(row[i]) " (1),"
    print ".BR psbc (3)"
}

# The first sentence after the synopsis.
function about(    i, s)
{
    for (i = 1; row[i] != ""; i++)
        ;
    for (i++; row[i] != ""; i++)
        s = s " " row[i]
    sub(/\.( .*|$)/, "", s)
    return plain(substr(s, 2))
}

# Text without characters that groff would change, and not taken for a request.
function plain(s)
{
    s = literal(s)
    return s ~ /^\./ ? "\\&" s : s
}

# The heading of a page's section for a line, "" if it begins none.
function heading(s)
{
    return s ~ /^Usage:/ ? "SYNOPSIS" : s ~ /^Environment:/ ? "ENVIRONMENT" : s ~ /^Status:/ ? "EXIT STATUS" : ""
}

function put(s,    h)
{
    h = heading(s)
    if (h != "") {
        end_term()
        print ".SH " h (h == "SYNOPSIS" ? "\n.nf" : "")
        synopsis = h == "SYNOPSIS"
        gap = after_terms = 0
        sub(/^[A-Z][a-z]*: */, "", s)
        if (s != "")
            print plain(s)
    } else if (synopsis) {
        sub(/^ +/, "", s)
        print s == "" ? ".fi\n.SH DESCRIPTION" : plain(s)
        synopsis = s != ""
    } else if (s == "")
        gap = 1
    else if (s ~ /^   /) {
        add(s)
    } else if (s ~ /^  /) {
        end_term()
        term = s
        gap = 0
        column = 0
        if (match(substr(s, 3), /   *[^ ]/)) {
            column = RSTART + RLENGTH + 1
            term = substr(s, 1, RSTART + 1)
            add(sprintf("%*s", column - 1, "") substr(s, column))
        }
    } else {
        end_term()
        if (gap && s ~ /:$/)
            print ".SS " plain(substr(s, 1, length(s) - 1))
        else {
            if (gap || after_terms)
                print ".PP"
            print plain(s)
        }
        gap = after_terms = 0
    }
}

# A line of the text of a term; the layout stays if the line has columns of its own.
function add(s)
{
    if (!column && match(s, /[^ ]/))
        column = RSTART
    s = substr(s, column)
    table = table || s ~ /^ / || s ~ /[^.]   *[^ ]/ && s !~ /\.  /
    terms = terms plain(s) "\n"
}

function end_term()
{
    if (term != "") {
        sub(/^ +/, "", term)
        printf ".TP\n.B %s\n%s%s%s", plain(term), table ? ".nf\n" : "", terms, table ? ".fi\n" : ""
        after_terms = 1
    }
    term = terms = ""
    table = 0
}
