#!/bin/sh
# log.sh -- PSB_LOG=summary and PSB_LOG=trace of a program: what is on the screen and in the files.  Run in the build
# tree.
set -u
here=$(cd "$(dirname "$0")" && pwd)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
unset PSB_DEVICE PSB_FORMAT PSB_LOG
status=0
fail() {
    echo "FAIL: $*"
    status=1
}

# run NP LOG: psb-pargen with this PSB_LOG on NP processes.
run() {
    PSB_LOG=$2 sh "$here/mpi-run" "$1" tools/psb-pargen --size 12 --method cg --prec diag >"$dir/out" 2>"$dir/err" ||
        fail "psb-pargen with PSB_LOG=$2 ends with status $?: $(cat "$dir/err")"
}

# has PATTERN FILE: a line of the file has it.
has() {
    grep -Eq -- "$1" "$2" || fail "no line with $1 in: $(cat "$2")"
}

run 1 ""
grep -q "psb: " "$dir/err" && fail "without PSB_LOG there is a log: $(cat "$dir/err")"

run 2 summary
has '^psb: 2 processes, [0-9.]+ s; ' "$dir/err"
has '^stage main +times +seconds ' "$dir/err"
has '^  cg solve +1 +[0-9.]+ +[0-9.]+ .* [1-9][0-9]* iterations$' "$dir/err"
has '^  CSR (fused )?product +[1-9][0-9]* .* [0-9.]+ +[0-9.]+ +[0-9]+ %$' "$dir/err"
has '^messages: [1-9][0-9]*, [0-9.]+ MB; memory of a process: at most [0-9.]+ MB$' "$dir/err"
[ "$(wc -l <"$dir/err")" -le 24 ] || fail "the summary has more lines than a screen: $(cat "$dir/err")"

run 2 "summary:$dir/all.txt,trace:$dir/trace.json"
[ ! -s "$dir/err" ] || fail "logs in files also write: $(cat "$dir/err")"
has '^  psb_cdasb +1 ' "$dir/all.txt"

run 2 "summary:$dir/all.json"
run 1 "summary:$dir/none/all.json"
has 'psb: no log: .*none/all.json cannot be written' "$dir/err"
run 1 trace
has 'psb: no log: .*expected trace:FILE' "$dir/err"
run 1 sumary
has 'hint: PSB_LOG has the item sumary, which is not known; expected .*summary' "$dir/err"

command -v python3 >/dev/null || { echo "skipped in part: no python3"; exit $status; }
python3 - "$dir" <<'END' || status=1
import json, sys
log = json.load(open(sys.argv[1] + "/all.json"))
calls = {c["call"]: c for c in log["calls"]}
solve = calls["cg solve"]
assert log["processes"] == 2 and solve["times"] == 1 and 5 < solve["iterations"] < 100
for c in log["calls"]:
    assert c["most_seconds"] >= c["least_seconds"] >= 0 and c["stage"] == "main"
products = [c for n, c in calls.items() if n.endswith("product") and n.startswith("CSR")]
assert sum(c["times"] for c in products) >= solve["iterations"] and all(c["flops"] > 0 for c in products)
assert max(c["most_seconds"] for n, c in calls.items() if "product" in n) <= solve["most_seconds"] * 1.5

events = json.load(open(sys.argv[1] + "/trace.json"))["traceEvents"]
spans = [e for e in events if e["ph"] == "X"]
assert {e["pid"] for e in spans} == {0, 1} and all(e["ts"] >= 0 and e["dur"] >= 0 for e in spans)
for p in 0, 1:
    exchange = [e for e in spans if e["pid"] == p and e["tid"] == 1]
    product = [e for e in spans if e["pid"] == p and e["name"].startswith("CSR") and "product" in e["name"]]
    assert exchange and any(x["ts"] <= q["ts"] and q["ts"] + q["dur"] <= x["ts"] + x["dur"] + 0.01
                            for x in exchange for q in product), "no product while an exchange is under way"
END
exit $status
