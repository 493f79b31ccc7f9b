# man3.awk -- write the manual pages of calls from the comments above their declarations.
#     awk -v dir=DIR -v version=VERSION -v date=DATE -v for_formats="HEADER ..." -f man.awk -f man3.awk HEADER...
# reads the headers named ..._front.h, whose macros are calls without a type letter; then what cxx/psbc_h.awk makes of
# the headers, of which those for_formats are for authors of formats; then psb_coll.h, whose calls are macros.  A
# comment and the declarations below it are a page, DIR/NAME.3, NAME being that of the first of them without its type
# letter.  It prints a line "PAGE NAME" for every other name, typed ones too, to be linked to that page.
BEGIN {
    # The arguments of the macros of psb_coll.h.
    n = split("ctxt=psb_ctxt *ctxt|n=psb_epk n|x=T *x|all=T *all|count=const psb_epk *count|root=int root|dest=int dest|" \
        "source=int source|tag=int tag|req=psb_request **req", pair, "|")
    for (i = 1; i <= n; i++)
        argument[substr(pair[i], 1, index(pair[i], "=") - 1)] = substr(pair[i], index(pair[i], "=") + 1)
}

FNR == 1 {
    end_of_block()
    in_comment = 0
    section = ""
    front = FILENAME ~ /front\.h$/
    coll = FILENAME ~ /psb_coll\.h$/
}
front {
    if (match($0, /^#define psb_[a-z0-9_]+\(/))
        generic[substr($0, 9, RLENGTH - 9)] = 1
    next
}

in_comment || /^\/\*/ {
    if (!in_comment) {
        end_of_block()
        comment = ""
    }
    line = $0
    sub(/ *\*\/ *$/, "", line)
    sub(in_comment ? "^ \\*? ?" : "^/\\* ?", "", line)
    in_comment = !/\*\/ *$/
    comment = comment line "\n"
    if (!in_comment && comment ~ /^psbc?[A-Za-z_.]*\.h -- /) {
        header = substr(comment, 1, index(comment, " ") - 1)
        about = comment
        sub(/^[^ ]* -- /, "", about)
        folder = about
        sub(/[:\/].*/, "", folder)
        sub(/^[a-z\/]*: */, "", about)
        section = comment = ""
    } else if (!in_comment && comment ~ /^---/) {
        section = comment
        gsub(/ *---+ */, "", section)
        comment = ""
    }
    next
}
/^ *$/ { end_of_block(); next }

coll && /^#define psb_[a-z0-9_]+\(/ {
    sub(/^#define /, "")
    sub(/\).*/, "")
    at = index($0, "(")
    name = substr($0, 1, at - 1)
    sub(/_5$/, "", name)
    n = split(substr($0, at + 1), word, ", ")
    for (i = 1; i <= n; i++)
        word[i] = argument[word[i]] (i < n ? ", " : "")
    line = ""
    for (i = 1; i <= n; i++)
        line = line word[i]
    declared(name, "psb_err " name "(" line ");")
    kinds = "any"
    next
}
coll || /^#/ || section ~ /^inside/ { next }
{
    declaration = declaration " " $0
    if (!/; *(\/\*.*\*\/)? *$/)
        next
    gsub(/\/\*.*\*\/|PSB_MUST_CHECK|PSB_PRINTF\([0-9, ]*\)/, "", declaration)
    gsub(/[ \t]+/, " ", declaration)
    sub(/^ /, "", declaration)
    sub(/ ;/, ";", declaration)
    if (match(declaration, /psb_[A-Za-z0-9_]+\(/))
        declared(substr(declaration, RSTART, RLENGTH - 1), declaration)
    declaration = ""
}

# A declaration of the block; of typed ones that for double is shown.
function declared(name, text,    base)
{
    base = name
    sub(/^psb_[sdczil]_/, "psb_", base)
    if (base == name || name ~ /^psb_d_/)
        synopsis = synopsis text "\n"
    if (base != name) {
        typed = typed " " name
        kinds = kinds (name ~ /^psb_[il]_/ ? "integer" : "scalar")
    }
    if (index(" " bases " ", " " base " ") == 0)
        bases = bases (bases ? " " : "") base
}

# Add the comment and the declarations to a page: that of the call before, if the comment goes on from it.
function end_of_block(    i, n, call, p)
{
    if (synopsis != "") {
        n = split(bases, call, " ")
        p = comment ~ /^The same/ ? last : call[1] in page_of ? page_of[call[1]] : call[1]
        if (!(p in text)) {
            page[++pages] = p
            of_header[p] = header
            includes[p] = index(" " for_formats " ", "/" header " ") == 0 ? "psb_" folder ".h" : \
                folder == "base" ? "psb_format.h" : "psb_" folder "_format.h"
            in_section[p] = section
            general[header] = about
        }
        for (i = 1; i <= n; i++)
            if (!(call[i] in page_of)) {
                page_of[call[i]] = p
                calls[p] = calls[p] (calls[p] ? " " : "") call[i]
            }
        links[p] = links[p] typed
        declarations[p] = declarations[p] (declarations[p] ? "\n" : "") synopsis
        text[p] = text[p] comment "\n"
        kinds_of[p] = kinds_of[p] kinds
        last = p
    }
    comment = synopsis = bases = typed = kinds = declaration = ""
}

END {
    end_of_block()
    for (i = 1; i <= pages; i++)
        write(page[i])
    write_index()
}

# Text without characters that groff would change.
function plain(s)
{
    s = literal(s)
    while (match(s, /`[^`]*`/))
        s = substr(s, 1, RSTART - 1) "\\fI" substr(s, RSTART + 1, RLENGTH - 2) "\\fR" substr(s, RSTART + RLENGTH)
    gsub(/`/, "\\(ga", s)
    return s
}

# The lines of a comment: a sentence begins a line, lines that are indented stay as they are.
function body(s,    n, line, i, out, fixed)
{
    n = split(s, line, "\n")
    for (i = 1; i <= n; i++) {
        if ((line[i] ~ /^  /) != fixed) {
            fixed = !fixed
            out = out (!fixed ? ".fi\n" : out == "" || out ~ /\.PP\n$/ ? ".nf\n" : ".PP\n.nf\n")
        }
        if (!fixed)
            gsub(/\.  +/, ".\n", line[i])
        if (line[i] != "")
            out = out (line[i] ~ /^\./ ? "\\&" : "") plain(line[i]) "\n"
        else if (out != "" && out !~ /\.PP\n$/)
            out = out ".PP\n"
    }
    while (sub(/(\.PP|\.fi)\n$/, "", out))
        ;
    return out
}

# A declaration in lines of at most 76 characters.
function wrapped(s,    n, word, i, line, out)
{
    n = split(s, word, ", ")
    line = word[1]
    for (i = 2; i <= n; i++)
        if (length(line) + length(word[i]) > 74) {
            out = out line ",\n"
            line = "    " word[i]
        } else
            line = line ", " word[i]
    return plain(out line)
}

# What the first sentence of a comment says.
function first_sentence(s)
{
    gsub(/\n/, " ", s)
    sub(/^psb_[a-z_]+(\([^)]*\))?: /, "", s)
    gsub(/ \([^)]*\)/, "", s)
    gsub(/ \.\. /, "..", s)
    sub(/(\. |[;:] |\.$).*/, "", s)
    sub(/[ .]+$/, "", s)
    return plain(s)
}

function title(name)
{
    return ".TH " toupper(name) " 3 \"" date "\" \"psbc " version "\" \"Calls of PSBC\"\n.nh\n.ad l\n"
}

function write(p,    file, n, call, i, names, fronts, about)
{
    file = dir "/" p ".3"
    n = split(calls[p], call, " ")
    for (i = 1; i <= n; i++) {
        names = names (i > 1 ? ", " : "") call[i]
        if (call[i] in generic)
            fronts = fronts (fronts ? ", " : "") call[i]
        if (call[i] != p)
            print p, call[i]
    }
    n = split(links[p], call, " ")
    for (i = 1; i <= n; i++)
        print p, call[i]
    printf "%s.SH NAME\n%s \\- %s\n", title(p), names, first_sentence(text[p]) >file
    printf ".SH SYNOPSIS\n.nf\n#include <%s>\n.PP\n", includes[p] >file
    n = split(declarations[p], call, "\n")
    for (i = 1; i < n; i++)
        print call[i] == "" ? ".PP" : wrapped(call[i]) >file
    printf ".fi\n.SH DESCRIPTION\n%s", body(text[p]) >file
    if (kinds_of[p] ~ /any/)
        print ".PP\nT is the type of the elements, one of those that psb_coll.h lists." >file
    if (kinds_of[p] ~ /scalar/) {
        print ".SH SCALARS\nCalls for double (psb_d_) are shown." >file
        print "Those for float (psb_s_), float _Complex (psb_c_) and double _Complex (psb_z_)" >file
        if (kinds_of[p] ~ /integer/)
            print "and for vectors of psb_ipk (psb_i_) and psb_lpk (psb_l_)" >file
        print "have arguments of these types." >file
        if (fronts)
            print "Without a type letter the arguments choose the type: " fronts "." >file
    }
    if (declarations[p] ~ /psb_err psb_/)
        print ".SH RETURN VALUE\nA psb_err is PSB_OK (0), or the code of an error, whose message psb_errmsg() returns." >file
    about = general[of_header[p]] ~ /\..*\./
    if (about)
        printf ".SH NOTES\nThe calls of %s:\n%s", of_header[p], body(general[of_header[p]]) >file
    if (in_section[p] ~ /[a-z]\./)
        printf "%s\nThese calls: %s", about ? ".PP" : ".SH NOTES", body(in_section[p]) >file
    print ".SH SEE ALSO\n.BR psbc (3)" >file
    close(file)
}

function write_index(    file, i, h, n, h_name, in_header, headers)
{
    for (i = 1; i <= pages; i++) {
        h = of_header[page[i]]
        if (!(h in in_header))
            headers = headers h " "
        in_header[h] = in_header[h] calls[page[i]] "\n"
    }
    file = dir "/psbc.3"
    printf "%s.SH NAME\npsbc \\- all calls of PSBC, Parallel Sparse BLAS in C\n.SH DESCRIPTION\n", title("psbc") >file
    print "Distributed sparse matrices on CPU cores and GPUs; each call has a manual page." >file
    print "Programs include psb_base.h, and psb_ext.h, psb_cuda.h, psb_rsb.h, psb_util.h and" >file
    print "psb_linsolve.h as they need them, or psbc.h, which is all of them." >file
    n = split(headers, h_name, " ")
    for (i = 1; i <= n; i++)
        printf ".SS %s: %s\n%s", h_name[i], first_sentence(general[h_name[i]]), in_header[h_name[i]] >file
    print ".SH SEE ALSO\n.BR psb\\-info (1),\n.BR psb\\-spmv (1),\n.BR psb\\-pargen (1),\n.BR psb\\-fileread (1)" >file
}
