# psbc_calls.awk -- write psbc_calls.hpp: for every public call psb_NAME in the headers given, a function psb::NAME.
BEGIN {
    print "/* psbc_calls.hpp -- made from the headers by psbc_calls.awk: the calls of psbc.hpp. */"
    print "namespace psb"
    print "{"
}

# A call for any scalar, or of any kind of elements: #define psb_NAME(A, B) ...
/^#define psb_[a-z0-9_]+\([a-z]/ {
    name = substr($2, 5, index($2, "(") - 5)
    names = substr($0, index($0, "(") + 1)
    names = substr(names, 1, index(names, ")") - 1)
    n = split(names, name_of, ", ")
    types = params = ""
    for (k = 1; k <= n; k++) {
        types = types (k > 1 ? ", " : "") "class Arg" k
        params = params (k > 1 ? ", " : "") "Arg" k " &&" name_of[k]
    }
    short = name
    sub(/_[35]$/, "", short)
    print "template <" types "> decltype(auto) " short "(" params ")"
    print "{\n    return detail::run([&]() -> decltype(auto) { return psb_" name "(" names "); });\n}"
}

# A second name of such a call.
/^#define psb_[a-z0-9_]+ +psb_[a-z0-9_]+$/ && FILENAME ~ /psb_front\.h$/ {
    plain(substr($2, 5), "return " substr($3, 5))
}

# A function that returns a psb_err.
/^PSB_MUST_CHECK psb_err psb_[A-Za-z0-9_]+\(/ {
    name = substr($3, 5, index($3, "(") - 5)
    if (name !~ /^any_/)
        plain(name, "return detail::run([&]() -> decltype(auto) { return psb_" name, "; })")
}

function plain(name, call, end) {
    print "template <class... Args> decltype(auto) " name "(Args &&...args)"
    print "{\n    " call "(std::forward<Args>(args)...)" end ";\n}"
}
END { print "} // namespace psb" }
