# table.awk -- test/kernel: summary of files that gpu_spmv and host_spmv write by --tsv: for each type, number of
# processes and product a table of matrices, a table of formats, and the required figures, each met or missed.  If a
# matrix was measured twice, the last measurement counts.  Exit status 1: a result is wrong, or there is none.
#
# A method is best, the best of our own formats, without AUTO and its like; the name of a format; or the best of the
# methods whose names begin with it, as cuSPARSE, cuSPARSE SELL or PETSc.  A missing number is -1.
BEGIN {
    FS = "\t"
    # name | matrices | ours | theirs | each, mean or worst | asked for; by type: s d c z
    gpu[1] = "CSRG, of copy|lap|CSRG|bandwidth|each|0.9 0.85 0.85 0.88"
    gpu[2] = "best over the best of cuSPARSE|lap|best|cuSPARSE|each|1"
    gpu[3] = "AUTOG over the best of cuSPARSE|lap|AUTOG|cuSPARSE|each|0.97"
    gpu[4] = "CSRG over cuSPARSE's CSR|lap|CSRG|cuSPARSE CSR|each|0.97"
    gpu[5] = "HLG over cuSPARSE's SELL|lap|HLG|cuSPARSE SELL|each|0.97"
    gpu[6] = "best over the best of cuSPARSE|random|best|cuSPARSE|each|1.05"
    gpu[7] = "BSRG over cuSPARSE's CSR|block|BSRG|cuSPARSE CSR|each|1.2"
    gpu[8] = "best over best|files|best|cuSPARSE|mean|1.15 1.2 1.15 1.12"
    gpu[9] = "  the worst|files|best|cuSPARSE|worst|0.95 0.98 0.95 0.95"
    gpu[10] = "  graphs|graphs|best|cuSPARSE|mean|1.1"
    gpu[11] = "  the best over AUTOG|files|AUTOG|best|mean|0.917"
    gpu[12] = "  the best over TUNEDG|files|TUNEDG|best|mean|0.98"
    gpu[13] = "  the worst|files|TUNEDG|best|worst|0.87 0.89 0.87 0.87"
    gpu[14] = "  the best over the slowest product|files|slowest|best|worst|0.25"
    gpu[15] = "best over CUB|files|best|CUB|mean|1"
    host[1] = "best over the best of PETSc and LIBRSB|files|best|peers|mean|1.3"
    host[2] = "  the worst|files|best|peers|worst|0.95"
    host[3] = "best over PETSc AIJ|lap|best|PETSc-AIJ|each|1.55"
    host[4] = "CSR over PETSc AIJ|files|CSR|PETSc-AIJ|mean|1.1"
    host[5] = "HLL, of the limit by bandwidth|lap|HLL|bandwidth|each|0.85"
    host[6] = "HDIA over CSR|lap|HDIA|CSR|each|1.5"
    host[7] = "the best over AUTO|files|AUTO|best|mean|0.97"
    host[8] = "  the worst|files|AUTO|best|worst|0.87"
    host[9] = "a product over a transposed one|all|formats|transposed|worst|0.5"
    host[10] = "8 products over one of 8 columns|lap27|formats|of 8 columns|worst|3"
}

NF != 7 || $1 == "matrix" || $1 ~ /^#/ { next }
$5 == "entries" { entries[$1] = $6; next }
{
    at = index($5, ": ")
    c = $2 SUBSEP $3 SUBSEP (at ? substr($5, 1, at - 1) : $5)
    what = at ? substr($5, at + 2) : ""
    if (!(c in seen)) { seen[c] = 1; config[++nc] = c }
    if (!($1 in place)) { place[$1] = 1; matrix[++nm] = $1 }
    if (!($4 in known) && $4 != "-") { known[$4] = 1; method[++nr] = $4 }
    v[c, $1, $4, what] = $6 + 0
    there[c, $1] = there[c, $4] = 1
    if (what ~ /^wrong/) {
        v[c, $1, $4, ""] = -1
        wrong = wrong "\nWRONG: " $4 " on " $1 ", type " $2
    } else if (what == "")
        delete v[c, $1, $4, "wrong"]
}

function is_peer(r) {
    return r ~ /^(cuSPARSE|CUB|PETSc|LIBRSB)/
}

function is_ours(r) {
    return !is_peer(r) && r !~ /^(AUTO|TUNED)G?$|^RSB$/
}

function value(c, m, r, what) {
    return (c, m, r, what) in v ? v[c, m, r, what] : -1
}

# The methods that a name stands for.
function stands_for(name, r) {
    if (name == "best" || name == "slowest")
        return is_ours(r)
    if (name == "peers")
        return r ~ /^(PETSc|LIBRSB)/
    return name ~ /^(cuSPARSE|PETSc)/ ? index(r, name) == 1 : r == name
}

# Sets `chosen` to the fastest, or slowest, of the methods; returns its time.
function time_of(c, m, name,    j, t, b) {
    b = -1
    chosen = "-"
    for (j = 1; j <= nr; j++) {
        t = stands_for(name, method[j]) ? value(c, m, method[j], "") : -1
        if (t >= 0 && (b < 0 || (name == "slowest" ? t > b : t < b))) { b = t; chosen = method[j] }
    }
    return b
}

# How many times as fast `ours` is as `theirs`, or what else a figure asks of ours.
function ratio(c, m, ours, theirs,    t, o, j, r, x) {
    if (theirs == "bandwidth")
        return value(c, m, ours, "share of the bandwidth")
    if (ours == "formats") { # the worst of our formats
        x = -1
        for (j = 1; j <= nr; j++) {
            r = method[j]
            t = is_ours(r) ? value(c, m, r, theirs) : -1
            o = t > 0 && value(c, m, r, "") > 0 ? (theirs == "transposed" ? 1 : 8) * value(c, m, r, "") / t : -1
            x = o >= 0 && (x < 0 || o < x) ? o : x
        }
        return x
    }
    t = time_of(c, m, theirs)
    o = time_of(c, m, ours)
    return t > 0 && o > 0 ? t / o : -1
}

function show(x, form) {
    return x < 0 ? "-" : sprintf(form, x)
}

function title(c,    p) {
    split(c, p, SUBSEP)
    return "type " p[1] ", " p[3] (p[2] > 1 ? ", " p[2] " processes" : "")
}

function on_gpu(c) {
    return (c, "CSRG") in there || (c, "HLG") in there
}

function table(c,    i, m, o, n, name) {
    n = split(on_gpu(c) ? "cuSPARSE CUB AUTOG TUNEDG" : "PETSc LIBRSB AUTO TUNED", name, " ")
    printf "\n%s\n%-26s %11s %-6s %9s %7s", title(c), "matrix", "entries", "best", "ms", "of band"
    for (i = 1; i <= n; i++)
        printf " %9s", (i > 2 ? "" : "x ") name[i] (i > 2 ? "/b" : "")
    print ""
    for (i = 1; i <= nm; i++) {
        m = matrix[i]
        if (!((c, m) in there))
            continue
        o = time_of(c, m, "best")
        printf "%-26s %11s %-6s %9s %7s", m, entries[m], chosen, show(o, "%.4f"),
            show(value(c, m, chosen, "share of the bandwidth"), "%.3f")
        printf " %9s %9s %9s %9s\n", show(ratio(c, m, "best", name[1]), "%.3f"), show(ratio(c, m, "best", name[2]), "%.3f"),
            show(ratio(c, m, "best", name[3]), "%.2f"), show(ratio(c, m, "best", name[4]), "%.2f")
    }
}

# --- means ---

function in_set(m, set) {
    if (set == "all")
        return 1
    if (set == "graphs")
        return m ~ /^(NotreDame_www|POS_wikipedia|arrow|blogcatalog|coauthor_phy_adj|email-Enron|lp_pds_20)$/ ||
            m ~ /^(luxembourg|mdual|pgp-strong-2009|uai_attr|vsp_befref_fxm_2_4_air02|wiki-Vote)$/
    return set == "files" ? m !~ /:/ : set == "random" ? m ~ /^(uniform|power):/ : index(m, set) == 1 && m ~ /:/
}

# Geometric mean and worst of a ratio over a set of matrices; `count` of `all` have it.
function sample(c, set, ours, theirs,    i, m, x, sum) {
    count = all = sum = 0
    worst = -1
    at = ""
    for (i = 1; i <= nm; i++) {
        m = matrix[i]
        if (!((c, m) in there) || !in_set(m, set))
            continue
        all++
        x = ratio(c, m, ours, theirs)
        if (x <= 0)
            continue
        sum += log(x)
        count++
        if (worst < 0 || x < worst) { worst = x; at = m }
    }
    return count ? exp(sum / count) : -1
}

# One line for each of our formats: means over all matrices that it can hold.
function formats(c,    i, j, r, x, held, no, s, sum) {
    printf "\n%-8s %5s %7s  %-40s %s\n", "format", "held", "refused", "over the best peer: mean, least", "conversion s"
    for (j = 1; j <= nr; j++) {
        r = method[j]
        if (is_peer(r) || !((c, r) in there))
            continue
        held = no = s = sum = 0
        for (i = 1; i <= nm; i++) {
            held += value(c, matrix[i], r, "") >= 0
            no += value(c, matrix[i], r, "refused") > 0
            x = value(c, matrix[i], r, "conversion")
            if (x > 0) { sum += log(x); s++ }
        }
        x = sample(c, "all", r, on_gpu(c) ? "cuSPARSE" : "peers")
        printf "%-8s %5d %7d  %-40s %s\n", r, held, no, show(x, "%.3f") (count ? ", " show(worst, "%.3f") " " at : ""),
            s ? sprintf("%.3g", exp(sum / s)) : "-"
    }
}

# --- figures ---

function judge(what, x, least, where,    verdict) {
    verdict = x < 0 ? "not measured" : x >= least ? "met" : "MISSED"
    verdicts[verdict]++
    printf "  %-44s %8s  >= %-5s %-12s %s\n", what, show(x, "%.3f"), least, verdict, where
}

function figure(c, line,    p, asked, n, i, x) {
    split(line, p, "|")
    n = split(p[6], asked, " ")
    n = asked[n > 1 ? index("sdcz", substr(c, 1, 1)) : 1]
    if (p[5] == "each") {
        for (i = 1; i <= nm; i++)
            if ((c, matrix[i]) in there && in_set(matrix[i], p[2]))
                judge(p[1], ratio(c, matrix[i], p[3], p[4]), n, matrix[i])
        return
    }
    x = sample(c, p[2], p[3], p[4])
    if (p[5] == "mean")
        judge(p[1] ", mean of " count, x, n, "worst " show(worst, "%.3f") " " at (count < all ? ", not held: " all - count : ""))
    else
        judge(p[1], worst, n, at)
}

END {
    if (nm == 0) {
        print "table: nothing was measured"
        exit 1
    }
    for (ic = 1; ic <= nc; ic++) {
        table(config[ic])
        formats(config[ic])
    }
    for (ic = 1; ic <= nc; ic++) {
        c = config[ic]
        if (c ~ /A\^|columns/)
            continue
        printf "\n%s: figures\n", title(c)
        for (i = 1; i <= 15; i++)
            if (on_gpu(c) || i in host)
                figure(c, on_gpu(c) ? gpu[i] : host[i])
    }
    printf "\n%d met, %d missed, %d not measured\n", verdicts["met"], verdicts["MISSED"], verdicts["not measured"]
    if (wrong != "")
        print wrong
    exit wrong != ""
}
