# host_table.awk -- test/kernel: summary of files written by host_spmv --tsv: a table for each type and number
# of workers, then the required figures, each met or missed.  A ratio is one of medians of one run.
#
# Workers: 1x1 is one process with one thread, 1x2 two threads, both from one run; 2x1 is two processes, another run.
# "Best" is the best of our own formats, without AUTO, and without RSB, which is LIBRSB.  A missing number is -1.
BEGIN {
    FS = "\t"
    n = split("CSR 7 ELL 7 HLL 7 DIA 7 HDIA 9 BSR 20 HYB 20", f, " ")
    for (i = 1; i < n; i += 2)
        most_convert[f[i]] = f[i + 1]
}

function num(s) {
    return s == "" || s ~ /nan|inf/ ? -1 : s + 0
}

$1 == "matrix" { next }
{
    w = $3 "x" $4
    if (!($1 in seen)) { seen[$1] = 1; matrix[++nm] = $1 }
    if (!($2 in type_seen)) { type_seen[$2] = 1; type[++nt] = $2 }
    if (!($9 in runner_seen)) { runner_seen[$9] = 1; runner[++nr] = $9; whose[$9] = $10 }
    k = $2 SUBSEP w SUBSEP $1
    there[$2, w] = there[k] = there[$2, $9] = 1
    triad[k] = $8
    k = k SUBSEP $9
    ms[k] = num($11); share[k] = num($12); transposed[k] = num($13); many[k] = num($14)
    convert[k] = num($16); tune[k] = num($18)
    if (whose[$9] == "ours" && $9 != "AUTO" && $9 != "TUNED")
        smallest($2 SUBSEP w SUBSEP $1, $9, "ours")
    if (whose[$9] == "PETSc" || whose[$9] == "LIBRSB")
        smallest($2 SUBSEP w SUBSEP $1, $9, whose[$9])
}

function smallest(k, r, of) {
    if (ms[k, r] >= 0 && (!((k, of) in best) || ms[k, r] < ms[k, best[k, of]]))
        best[k, of] = r
}

function is_lap(m) {
    return m ~ /^lap/
}

function time_of(t, w, m, r) {
    return (t, w, m, r) in ms ? ms[t, w, m, r] : -1
}

function best_of(t, w, m, of) {
    return (t, w, m, of) in best ? ms[t, w, m, best[t, w, m, of]] : -1
}

# How many times as fast `ours` is as `theirs`.
function over(theirs, ours) {
    return theirs > 0 && ours > 0 ? theirs / ours : -1
}

function lower(a, b) {
    return a < 0 ? b : b < 0 ? a : a < b ? a : b
}

function show(x, form) {
    return x < 0 ? "-" : sprintf(form, x)
}

# Our best over the best of all peers measured with these workers.
function over_peers(t, w, m,    ours) {
    ours = best_of(t, w, m, "ours")
    return lower(over(best_of(t, w, m, "PETSc"), ours), over(best_of(t, w, m, "LIBRSB"), ours))
}

function table(t, w,    i, m, b) {
    printf "\ntype %s, %s\n", t, w == "1x1" ? "one thread" : w == "1x2" ? "two threads" : "two processes"
    printf "%-26s %-5s %9s %9s %9s %9s %9s %8s %8s %8s %8s\n", "matrix", "best", "ms", "CSR", "AUTO", "PETSc",
        "LIBRSB", "x PETSc", "x LIBRSB", "CSR/AIJ", "AUTO/b"
    for (i = 1; i <= nm; i++) {
        m = matrix[i]
        if (!((t, w, m) in there))
            continue
        b = best_of(t, w, m, "ours")
        printf "%-26s %-5s %9s %9s %9s %9s %9s %8s %8s %8s %8s\n", m, best[t, w, m, "ours"], show(b, "%.4f"),
            show(time_of(t, w, m, "CSR"), "%.4f"), show(time_of(t, w, m, "AUTO"), "%.4f"),
            show(best_of(t, w, m, "PETSc"), "%.4f"), show(best_of(t, w, m, "LIBRSB"), "%.4f"),
            show(over(best_of(t, w, m, "PETSc"), b), "%.2f"), show(over(best_of(t, w, m, "LIBRSB"), b), "%.2f"),
            show(over(time_of(t, w, m, "PETSc-AIJ"), time_of(t, w, m, "CSR")), "%.2f"),
            show(over(time_of(t, w, m, "AUTO"), b), "%.2f")
    }
}

# Times of conversions divided by the time of a product of CSR, one thread; ours, then the peers'.
function conversions(t,    i, j, m, r, k) {
    printf "\ntype %s, conversion from sorted triplets, in products of CSR, one thread\n%-14s", t, "format"
    for (i = 1; i <= nm; i++)
        if (is_lap(matrix[i]))
            printf " %10s", matrix[i]
    print "   asked for"
    for (j = 1; j <= nr; j++) {
        r = runner[j]
        conversion_row(t, r, r, 0, r in most_convert ? "<= " most_convert[r] : "")
        if (whose[r] == "LIBRSB")
            conversion_row(t, r, "  its tuner", 1, "")
    }
    print "PETSc-AIJ: MatSetPreallocationCOO and MatSetValuesCOO; PETSc-SELL: MatConvert from AIJ, besides."
}

function conversion_row(t, r, name, tuner, asked,    i, k, line, any) {
    line = sprintf("%-14s", name)
    for (i = 1; i <= nm; i++)
        if (is_lap(matrix[i])) {
            k = t SUBSEP "1x1" SUBSEP matrix[i] SUBSEP r
            any += k in ms
            line = line sprintf(" %10s", k in ms ? show(tuner ? tune[k] : convert[k], "%.1f") : "-")
        }
    if (any)
        print line "   " asked
}

# --- figures ---

function judge(what, x, least, limit, where,    verdict) {
    verdict = x < 0 ? "not measured" : (least ? x >= limit : x <= limit) ? "met" : "MISSED"
    verdicts[verdict]++
    say(what, x, least, limit, verdict, where)
}

function say(what, x, least, limit, verdict, where) {
    printf "  %-58s %8s  %s %-5s %-12s %s\n", what, show(x, "%.3f"), least ? ">=" : "<=", limit, verdict, where
}

# Geometric mean and worst of some numbers.
function begin() {
    sum = count = 0
    worst = -1
    at = ""
}

function add_sample(x, where, least) {
    if (x < 0)
        return
    sum += log(x)
    count++
    if (worst < 0 || (least ? x < worst : x > worst)) { worst = x; at = where }
}

function mean() {
    return count ? exp(sum / count) : -1
}

function peers(t, workers,    i, m, x) {
    begin()
    for (i = 1; i <= nm; i++) {
        m = matrix[i]
        if (is_lap(m))
            continue
        add_sample(workers == 1 ? over_peers(t, "1x1", m) : lower(over_peers(t, "1x2", m),
            over_peers(t, "2x1", m)), m, 1)
    }
    judge("best over the best of PETSc and LIBRSB, mean of " count, mean(), 1, 1.3, "files")
    judge("  the worst", worst, 1, 0.95, at)
}

function laps_over_aij(t, w,    i, m) {
    if (!((t, "PETSc-AIJ") in there))
        return
    for (i = 1; i <= nm; i++) {
        m = matrix[i]
        if (is_lap(m) && (t, w, m) in there)
            judge("best over PETSc AIJ", over(time_of(t, w, m, "PETSc-AIJ"), best_of(t, w, m, "ours")), 1, 1.55, m)
    }
}

function csr_over_aij(t, w,    i) {
    if (!((t, "PETSc-AIJ") in there))
        return
    begin()
    for (i = 1; i <= nm; i++)
        if (!is_lap(matrix[i]))
            add_sample(over(time_of(t, w, matrix[i], "PETSc-AIJ"), time_of(t, w, matrix[i], "CSR")), matrix[i], 1)
    judge("CSR over PETSc AIJ, mean of " count, mean(), 1, 1.1, "files; worst " show(worst, "%.2f") " " at)
    begin()
    for (i = 1; i <= nm; i++)
        add_sample(over(time_of(t, w, matrix[i], "PETSc-AIJ"), time_of(t, w, matrix[i], "CSR")), matrix[i], 1)
    judge("  of all " count, mean(), 1, 1.1, "worst " show(worst, "%.2f") " " at)
}

function one_thread(t,    i, m, k) {
    for (i = 1; i <= nm; i++) {
        m = matrix[i]
        k = t SUBSEP "1x1" SUBSEP m
        if (!is_lap(m) || !(k in there))
            continue
        judge("HLL, of the limit by bandwidth", (k, "HLL") in share ? share[k, "HLL"] : -1, 1, 0.85, m)
        judge("HDIA over CSR", over(time_of(t, "1x1", m, "CSR"), time_of(t, "1x1", m, "HDIA")), 1, 1.5, m)
    }
}

# Required if the triad doubles.
function two_over_one(what, x, triads, where) {
    if (triads >= 1.9)
        judge(what, x, 1, 1.7, where)
    else
        say(what, x, 1, 1.7, "not judged", where)
}

function two_workers(t, w,    i, j, m, r, where) {
    for (i = 1; i <= nm; i++) {
        m = matrix[i]
        if (!is_lap(m) || !((t, w, m) in there) || !((t, "1x1", m) in there))
            continue
        begin()
        for (j = 1; j <= nr; j++)
            if (whose[runner[j]] == "ours")
                add_sample(over(time_of(t, "1x1", m, runner[j]), time_of(t, w, m, runner[j])), runner[j], 1)
        r = over(triad[t, w, m], triad[t, "1x1", m])
        where = m ", triad " show(r, "%.2f") (w == "2x1" ? ", of two runs" : "")
        two_over_one("two " (w == "2x1" ? "processes" : "threads") " over one, mean of " count, mean(), r, where)
        two_over_one("  the worst format", worst, r, at)
    }
}

function judge_transposed(t, w, lap,    i, j, m, r) {
    for (j = 1; j <= nr; j++) {
        r = runner[j]
        begin()
        for (i = 1; i <= nm; i++) {
            m = matrix[i]
            if (is_lap(m) == lap && (t, w, m, r) in transposed)
                add_sample(transposed[t, w, m, r], m, 0)
        }
        if (whose[r] == "ours" && count)
            judge("transposed over untransposed, worst " (lap ? "lap" : "real") ", " r, worst, 0, 2, at)
    }
}

function columns(t, w,    i, j, m, r, k, least) {
    for (i = 1; i <= nm; i++) {
        m = matrix[i]
        least = -1
        for (j = 1; m ~ /^lap27/ && j <= nr; j++) {
            r = runner[j]
            k = t SUBSEP w SUBSEP m SUBSEP r
            if (whose[r] != "ours" || !(k in many))
                continue
            judge("8 columns over 8 products, " r, many[k], 1, 3, m)
            least = lower(least, over(ms[k], many[k]))
        }
        if (least > 0)
            judge("  the best with 8 over 8 products of the best", best_of(t, w, m, "ours") / least, 1, 3, m)
    }
}

function converted(t,    i, j, k, r) {
    for (j = 1; j <= nr; j++) {
        r = runner[j]
        for (i = 1; i <= nm && r in most_convert; i++) {
            k = t SUBSEP "1x1" SUBSEP matrix[i] SUBSEP r
            if (is_lap(matrix[i]) && k in convert)
                judge("conversion to " r, convert[k], 0, most_convert[r], matrix[i])
        }
    }
}

function auto(t, w,    i, m) {
    begin()
    for (i = 1; i <= nm; i++) {
        m = matrix[i]
        add_sample(over(time_of(t, w, m, "AUTO"), best_of(t, w, m, "ours")), m, 0)
    }
    judge("AUTO over the best, worst of " count, worst, 0, 1.15, at)
    judge("  the mean", mean(), 0, 1.03, "")
}

function with_workers(t, w) {
    judge_transposed(t, w, 1)
    judge_transposed(t, w, 0)
    columns(t, w)
    auto(t, w)
}

function figures(t) {
    printf "\ntype %s, one thread: figures\n", t
    peers(t, 1)
    laps_over_aij(t, "1x1")
    csr_over_aij(t, "1x1")
    one_thread(t)
    converted(t)
    with_workers(t, "1x1")
    printf "\ntype %s, two threads, and beside PETSc two processes: figures\n", t
    peers(t, 2)
    laps_over_aij(t, "2x1")
    csr_over_aij(t, "2x1")
    two_workers(t, "1x2")
    two_workers(t, "2x1")
    with_workers(t, "1x2")
}

END {
    if (nm == 0) {
        print "host_table: nothing was measured"
        exit 1
    }
    split("1x1 1x2 2x1", workers, " ")
    for (it = 1; it <= nt; it++) {
        for (iw = 1; iw <= 3; iw++)
            if ((type[it], workers[iw]) in there)
                table(type[it], workers[iw])
        conversions(type[it])
    }
    for (it = 1; it <= nt; it++)
        figures(type[it])
    printf "\n%d met, %d missed, %d not measured\n", verdicts["met"], verdicts["MISSED"], verdicts["not measured"]
}
