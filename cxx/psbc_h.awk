# psbc_h.awk -- write psbc.h: every function that the headers given declare, by its full name, under its comment; that of
# a typed header for each scalar, and of psb_vect.t.h for integers too; with the comments on a whole header, and on a
# section of it.
BEGIN {
    print "/* psbc.h -- made from the headers by psbc_h.awk: all headers for users in one, and every function by its full"
    print " * name, for those who search or complete names.  The calls without a type letter are macros of psb_front.h and"
    print " * the like: psb_spmv is psb_d_spmv for a psb_dspmat.  PSB_SCALAR_c is float _Complex in C and"
    print " * std::complex<float> in C++, PSB_SCALAR_z is of double. */"
    print "#ifndef PSBC_H\n#define PSBC_H"
    n = split("base ext cuda rsb util linsolve", library, " ")
    for (i = 1; i <= n; i++)
        print "#include \"psb_" library[i] ".h\""
    print "PSB_BEGIN_C"
    scalar["s"] = real["s"] = real["c"] = "float"
    scalar["d"] = real["d"] = real["z"] = "double"
    scalar["c"] = "PSB_SCALAR_c"
    scalar["z"] = "PSB_SCALAR_z"
    scalar["i"] = real["i"] = "psb_ipk"
    scalar["l"] = real["l"] = "psb_lpk"
}

FNR == 1 {
    comment = declaration = head = section = ""
    in_comment = depth = hidden = nested = 0
    file = FILENAME
    sub(/.*\//, "", file)
    letters = FILENAME !~ /\.t\.h$/ ? "-" : file == "psb_vect.t.h" ? "s d c z i l" : "s d c z"
}

# What only C++ sees, and macros.
/^# *if/ { nested++; if (/__cplusplus/ && /ifdef/ && !hidden) hidden = nested }
/^# *else/ && hidden == nested { hidden = 0 }
/^# *endif/ { if (hidden == nested) hidden = 0; nested-- }
/^#/ || in_macro { in_macro = /\\$/; next }
hidden { next }

in_comment || (/^\/\*/ && !depth && declaration == "") {
    if (!in_comment) {
        comment = ""
        begins = FNR
    }
    comment = comment (in_comment ? "\n" : "") $0
    in_comment = !/\*\/ *$/
    if (!in_comment && (begins == 1 || comment ~ /^\/\* ---/)) {
        if (begins == 1)
            head = comment
        else
            section = comment
        comment = ""
    }
    next
}
/^ *$/ { comment = ""; next }

# Bodies of structs, enums and functions; other declarations.
depth { if (/^}/) depth = 0; next }
declaration == "" && (/^(typedef )?(struct|enum|union)[^(]*\{/ || /^static/) { depth = !/}/; next }
declaration == "" && (/^(typedef|extern|PSB_BEGIN_C|PSB_END_C|PSB_SHORT_NAMES)/ || /^(struct|enum|union)[^(]*;/) { next }
declaration == "" && /^struct X\([a-z_]+\);/ { next }
{
    declaration = declaration == "" ? $0 : declaration "\n" $0
    if (!/; *(\/\*.*\*\/)? *$/)
        next
    if (declaration ~ /(X\([a-z0-9_]+\)|psb_[A-Za-z0-9_]+)\(/ && declaration !~ /psb_any_/) {
        if (head != "")
            print "\n" head
        if (section != "")
            print "\n" section
        head = section = ""
        if (comment != "")
            print "\n" comment
        comment = ""
        m = split(letters, letter, " ")
        for (k = 1; k <= m; k++)
            print expanded(declaration, letter[k])
    }
    declaration = ""
}

END { print "\nPSB_END_C\n#endif" }

# The declaration for the scalar of this letter; "-": as it is.
function expanded(d, t)
{
    if (t == "-")
        return d
    while (match(d, /X\([a-z0-9_]+\)/))
        d = substr(d, 1, RSTART - 1) "psb_" t "_" substr(d, RSTART + 2, RLENGTH - 3) substr(d, RSTART + RLENGTH)
    return word(word(d, "T", scalar[t]), "R", real[t])
}

# d with `name` instead of the word w.
function word(d, w, name,    done)
{
    d = " " d
    while (match(d, "[^A-Za-z0-9_]" w "[^A-Za-z0-9_]")) {
        done = done substr(d, 1, RSTART) name
        d = substr(d, RSTART + 2)
    }
    return substr(done d, 2)
}
