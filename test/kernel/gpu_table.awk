# gpu_table.awk -- test/kernel: summary of files written by gpu_spmv --tsv: for each type and product a table
# of matrices, a table of formats, and for y = A x the required figures, each met or missed.  A ratio is one of
# medians of one run.  If a matrix was measured twice, the last measurement counts.  Exit status 1: a result is wrong,
# or there is no result.
#
# "Best" is the best of our own formats, without AUTOG and TUNEDG.  A missing number is -1.
BEGIN { FS = "\t" }

function num(s) {
    return s == "" || s ~ /nan|inf/ ? -1 : s + 0
}

$1 == "matrix" { next }
NF < 22 { next }
{
    c = $2 SUBSEP $3 SUBSEP $4
    if (!(c in seen)) { seen[c] = 1; config[++nc] = c }
    if (!($1 in seen)) { seen[$1] = 1; matrix[++nm] = $1 }
    if (!(($10, "runner") in seen)) { seen[$10, "runner"] = 1; runner[++nr] = $10 }
    whose[$10] = $11
    k = c SUBSEP $1
    there[k] = there[c, $10] = 1
    copies[k] = $5; rows[k] = $6; nnz[k] = $8
    k = k SUBSEP $10
    ms[k] = num($13); of_copy[k] = num($15); spread[k] = num($18)
    convert_s[k] = num($19); convert[k] = num($20); chosen[k] = $12
    refused[k] = $22 == "-" ? "" : $22
    bad[k] = refused[k] == "" && (num($21) < 0 || num($21) > 1)
    if (bad[k]) {
        ms[k] = -1
        wrong = wrong "\nWRONG: " $10 " on " $1 ", type " $2
    }
}

function is_file(m) {
    return m !~ /:/
}

function time_of(c, m, r) {
    return (c, m, r) in ms ? ms[c, m, r] : -1
}

# The fastest runner of `of` whose name begins with `name`; "" if there is none.
function best(c, m, of, name,    j, r, b) {
    b = ""
    for (j = 1; j <= nr; j++) {
        r = runner[j]
        if (whose[r] == of && index(r, name) == 1 && time_of(c, m, r) >= 0 && (b == "" || ms[c, m, r] < ms[c, m, b]))
            b = r
    }
    return b
}

# How many times as fast `ours` is as `theirs`.
function over(theirs, ours) {
    return theirs > 0 && ours > 0 ? theirs / ours : -1
}

function over_best(c, m, r) {
    return over(time_of(c, m, best(c, m, "cuSPARSE", "")), time_of(c, m, r))
}

# Over cuSPARSE's CSR: CSR-ALG1 and CSR-ALG2.
function over_csr(c, m, r) {
    return over(time_of(c, m, best(c, m, "cuSPARSE", "CSR")), time_of(c, m, r))
}

function share(c, m, r) {
    return (c, m, r) in of_copy && time_of(c, m, r) >= 0 ? of_copy[c, m, r] : -1
}

function show(x, form) {
    return x < 0 ? "-" : sprintf(form, x)
}

function title(c,    p, op) {
    split(c, p, SUBSEP)
    op = p[2] == "N" ? "A" : p[2] == "T" ? "A^T" : "A^H"
    return "type " p[1] ", " (p[3] > 1 ? "Y = " op " X, " p[3] " columns" : "y = " op " x")
}

function widest(c,    i, m, j, r, w) {
    w = -1
    for (i = 1; i <= nm; i++)
        for (j = 1; j <= nr; j++) {
            r = c SUBSEP matrix[i] SUBSEP runner[j]
            if (r in ms && ms[r] >= 0 && spread[r] > w)
                w = spread[r]
        }
    return w
}

function table(c,    i, m, o, p, k) {
    printf "\n%s\n%-26s %11s %-6s %9s %7s %-9s %9s %8s %8s %8s\n", title(c), "matrix", "entries", "best", "ms",
        "of copy",
        "cuSPARSE", "ms", "x best", "x CSR", "AUTO/b"
    for (i = 1; i <= nm; i++) {
        m = matrix[i]
        k = c SUBSEP m
        if (!(k in there))
            continue
        o = best(c, m, "ours", "")
        p = best(c, m, "cuSPARSE", "")
        printf "%-26s %11s %-6s %9s %7s %-9s %9s %8s %8s %8s\n", m, nnz[k], o == "" ? "-" : o,
            show(time_of(c, m, o), "%.4f"), show(share(c, m, o), "%.3f"), p == "" ? "-" : p,
            show(time_of(c, m, p), "%.4f"), show(over_best(c, m, o), "%.3f"), show(over_csr(c, m, o), "%.3f"),
            show(over(time_of(c, m, "AUTOG"), time_of(c, m, o)), "%.2f")
    }
    printf "largest spread between rounds: %s\n", show(widest(c), "%.3f")
}

# --- means ---

function begin() {
    sum = count = 0
    worst = -1
    at = ""
}

function add_sample(x, where) {
    if (x < 0)
        return
    sum += log(x)
    count++
    if (worst < 0 || x < worst) { worst = x; at = where }
}

function mean() {
    return count ? exp(sum / count) : -1
}

# One line for each of our formats: means over all matrices that it can hold.
function formats(c,    i, j, m, r, no) {
    printf "\n%-8s %5s %7s  %-24s %-50s %s\n", "format", "held", "refused", "of copy: mean",
        "x cuSPARSE: mean, least",
        "convert: mean s, mean and most products"
    for (j = 1; j <= nr; j++) {
        r = runner[j]
        if (whose[r] != "ours" && whose[r] != "AUTO" || !((c, r) in there))
            continue
        begin()
        no = 0
        for (i = 1; i <= nm; i++) {
            add_sample(share(c, matrix[i], r), matrix[i])
            no += (c, matrix[i], r) in refused && refused[c, matrix[i], r] != ""
        }
        printf "%-8s", r
        line_of_format(c, r, no)
    }
}

function line_of_format(c, r, no,    i, m, of, s, most, held) {
    of = show(mean(), "%.3f") (count ? ", least " show(worst, "%.3f") : "")
    begin()
    for (i = 1; i <= nm; i++) {
        held += time_of(c, matrix[i], r) >= 0
        add_sample(over_best(c, matrix[i], r), matrix[i])
    }
    printf " %5d %7d  %-24s %-50s", held, no, of, show(mean(), "%.3f") (count ? ", " show(worst, "%.3f") " " at : "")
    begin()
    for (i = 1; i <= nm; i++)
        add_sample((c, matrix[i], r) in convert_s ? convert_s[c, matrix[i], r] : -1, "")
    s = show(mean(), "%.3f")
    begin()
    most = -1
    for (i = 1; i <= nm; i++) {
        m = c SUBSEP matrix[i] SUBSEP r
        add_sample(m in convert ? convert[m] : -1, "")
        most = m in convert && convert[m] > most ? convert[m] : most
    }
    print " " s (count ? ", " show(mean(), "%.0f") ", " show(most, "%.0f") : "")
}

# --- figures ---

function judge(what, x, least, where,    verdict) {
    verdict = x < 0 ? "not measured" : x >= least ? "met" : "MISSED"
    verdicts[verdict]++
    printf "  %-44s %8s  >= %-5s %-12s %s\n", what, show(x, "%.3f"), least, verdict, where
}

# The figure asked for by type: s, d, c, z.
function by_type(c, s, d, cc, z,    t) {
    t = substr(c, 1, 1)
    return t == "s" ? s : t == "d" ? d : t == "c" ? cc : z
}

function asked_of(c, m) {
    if (m ~ /^lap(7|27):/) {
        judge("CSRG, of copy", share(c, m, "CSRG"), by_type(c, 0.9, 0.85, 0.85, 0.88), m)
        judge("best over the best of cuSPARSE", over_best(c, m, best(c, m, "ours", "")), 1, m)
        judge("AUTOG over the best of cuSPARSE", over_best(c, m, "AUTOG"), 0.97, m)
        judge("CSRG over cuSPARSE's CSR", over_csr(c, m, "CSRG"), 0.97, m)
        judge("HLG over cuSPARSE's SELL", over(time_of(c, m, best(c, m, "cuSPARSE", "SELL")), time_of(c, m, "HLG")),
            0.97, m)
    }
    if (m ~ /^(uniform|power):/)
        judge("best over the best of cuSPARSE", over_best(c, m, best(c, m, "ours", "")), 1.05, m)
    if (m ~ /^block:/)
        judge("BSRG over cuSPARSE's CSR", over_csr(c, m, "BSRG"), 1.2, m)
}

# 13 graphs.
function is_graph(m) {
    return m ~ /^(NotreDame_www|POS_wikipedia|arrow|blogcatalog|coauthor_phy_adj|email-Enron|lp_pds_20)$/ ||
        m ~ /^(luxembourg|mdual|pgp-strong-2009|uai_attr|vsp_befref_fxm_2_4_air02|wiki-Vote)$/
}

# The best of our formats over its slowest product on m.
function best_over_slowest(c, m,    j, r, b, w) {
    b = time_of(c, m, best(c, m, "ours", ""))
    for (j = 1; j <= nr; j++) {
        r = runner[j]
        if (whose[r] == "ours" && time_of(c, m, r) > w)
            w = time_of(c, m, r)
    }
    return w > 0 ? b / w : -1
}

# One sample of file m.
function add_file(c, m, what,    b) {
    b = best(c, m, "ours", "")
    if (what == "peers")
        add_sample(over_best(c, m, b), m)
    else if (what == "CUB")
        add_sample(over(time_of(c, m, "CUB"), time_of(c, m, b)), m)
    else if (what == "slowest")
        add_sample(best_over_slowest(c, m), m)
    else
        add_sample(over(time_of(c, m, b), time_of(c, m, what)), m)
}

# The samples of all measured files, or of the graphs among them.
function sample_files(c, what, graphs,    i, m) {
    begin()
    files = 0
    for (i = 1; i <= nm; i++) {
        m = matrix[i]
        if (is_file(m) && (c, m) in there && (!graphs || is_graph(m))) {
            files++
            add_file(c, m, what)
        }
    }
}

function figures(c,    i) {
    printf "\n%s: figures\n", title(c)
    for (i = 1; i <= nm; i++)
        if ((c, matrix[i]) in there)
            asked_of(c, matrix[i])
    sample_files(c, "peers", 0)
    judge("best over best, mean of " count " files", mean(), by_type(c, 1.15, 1.2, 1.15, 1.12),
        count < files ? "not held: " files - count : "")
    judge("  the worst", worst, by_type(c, 0.95, 0.98, 0.95, 0.95), at)
    sample_files(c, "peers", 1)
    judge("  mean of " count " graphs", mean(), 1.1, "worst " show(worst, "%.3f") " " at)
    sample_files(c, "AUTOG", 0)
    judge("  the best over AUTOG, mean", mean(), 0.917, "worst " show(worst, "%.3f") " " at)
    sample_files(c, "TUNEDG", 0)
    judge("  the best over TUNEDG, mean", mean(), 0.98, "")
    judge("  the worst", worst, by_type(c, 0.87, 0.89, 0.87, 0.87), at)
    sample_files(c, "slowest", 0)
    judge("  the best over the slowest product", worst, 0.25, at)
    sample_files(c, "CUB", 0)
    if (count)
        printf "  %-44s %8.3f     worst %.3f %s\n", "best over CUB, mean of " count " files", mean(), worst, at
}

END {
    if (nm == 0) {
        print "gpu_table: nothing was measured"
        exit 1
    }
    for (ic = 1; ic <= nc; ic++) {
        table(config[ic])
        formats(config[ic])
    }
    for (ic = 1; ic <= nc; ic++)
        if (config[ic] ~ "N" SUBSEP "1$")
            figures(config[ic])
    printf "\n%d met, %d missed, %d not measured\n", verdicts["met"], verdicts["MISSED"], verdicts["not measured"]
    if (wrong != "")
        print wrong
    exit wrong != ""
}
