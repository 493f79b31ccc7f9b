#!/bin/sh
# log.sh -- what PSB_LOG of a program puts on the screen and into files: lines, summary, trace.  Run in the build tree.
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
has '^messages: [1-9][0-9]*, [0-9.]+ MB, [1-9][0-9]* bytes each; memory of a process: at most [0-9.]+ MB$' "$dir/err"
has '^arrays at most: matrices [0-9.]+ MB, vectors [0-9.]+ MB, halos [0-9.]+ MB, preconditioners [0-9.]+ MB$' "$dir/err"
has '^matrix in CSR on host, columns of others in CSR' "$dir/err"
has '^halo: mpi, between hosts$' "$dir/err"
[ "$(wc -l <"$dir/err")" -le 24 ] || fail "the summary has more lines than a screen: $(cat "$dir/err")"

run 2 "summary:$dir/all.txt,trace:$dir/trace.json"
[ ! -s "$dir/err" ] || fail "logs in files also write: $(cat "$dir/err")"
has '^  psb_cdasb +1 ' "$dir/all.txt"

PSB_DEVICE=fake PSB_LOG=summary sh "$here/mpi-run" 2 tools/psb-spmv --generate lap7:12 --format autog >"$dir/out" 2>"$dir/err"
has '^on its device: matrices [0-9.]+ MB, vectors [0-9.]+ MB, halos [0-9.]+ MB' "$dir/err"
has '^AUTOG takes DIAG, light enough by its rule' "$dir/err"
has '^matrix in DIAG on fake, ' "$dir/err"
run 1 "summary:$dir/one.txt"
has '^  CSR (fused )?product ' "$dir/one.txt"
grep -q '^  halo ' "$dir/one.txt" && fail "one process records exchanges: $(cat "$dir/one.txt")"
run 2 "summary:$dir/all.json"
run 1 "summary:$dir/none/all.json"
has 'psb: no log: .*none/all.json cannot be written' "$dir/err"
run 1 trace
has 'psb: no log: .*expected trace:FILE' "$dir/err"
run 1 "summary,trace:$dir/none/t.json"
[ "$(grep -n '^psb: no log: .*none/t.json cannot be written' "$dir/err" | head -n 1 | cut -d : -f 1)" = 1 ] ||
    fail "a trace that cannot be written is not told at the start: $(cat "$dir/err")"
run 2 "file:$dir/none/line"
has "^psb: no log: $dir/none/line cannot be written: " "$dir/err"
run 1 sumary
has 'hint: PSB_LOG has the item sumary, which is not known; is summary meant' "$dir/err"

# ---- lines: levels, a file for each process or for all, what cannot be written, silence
run 2 "debug,file:$dir/line.%i"
[ ! -s "$dir/err" ] || fail "lines in files are also on stderr: $(cat "$dir/err")"
for i in 0 1; do
    has "^psb: process $i: call: psb_cdasb: [0-9.e-]+ s$" "$dir/line.$i"
    has "^psb: process $i: call: cg solve: [0-9.e-]+ s, [1-9][0-9]* iterations$" "$dir/line.$i"
    has "^psb: process $i: kernels: CSR on host, op N: [1-9][0-9]* products" "$dir/line.$i"
    grep -v "^psb: process $i: " "$dir/line.$i" && fail "a line in the wrong file"
done
run 2 "call,file:$dir/line"
has '^psb: process 0: call: halo start: ' "$dir/line"
has '^psb: process 1: call: halo start: ' "$dir/line"
grep -Ev '^psb: process [01]: (call|halo): ' "$dir/line" && fail "a line that is mixed, or of a higher level"
run 1 "calls,file:$dir/none/line"
has "^psb: no log: $dir/none/line cannot be written: " "$dir/err"
has '^psb: call: psb_cdasb: ' "$dir/err"
PSB_HALO_TIME=3 PSB_LOGLEVEL=debug PSB_OTHER=1 run 2 ""
has '^psb: process 0: hint: the environment variable PSB_OTHER is not read; psb-info --environment lists' "$dir/err"
[ "$(grep -c 'hint: ' "$dir/err")" -eq 3 ] || fail "not one hint for each unknown variable: $(cat "$dir/err")"
PSB_OTHER=1 run 2 "off,call,sumary"
[ ! -s "$dir/err" ] || fail "PSB_LOG=off, and there are lines: $(cat "$dir/err")"
PSB_LOG=error sh "$here/mpi-run" 2 tools/psb-fileread --matrix "$dir/none" >"$dir/out" 2>"$dir/err" && fail "no error"
has '^psb: process 0: error: .*none' "$dir/err"
has '^psb: process 1: error: .*on process 0' "$dir/err"
[ -z "$(grep '^psb: ' "$dir/err" | sort | uniq -d)" ] || fail "an error is there twice: $(cat "$dir/err")"

# ---- psb-info
PSB_DEVICE=fake sh "$here/mpi-run" 2 tools/psb-info >"$dir/out" 2>"$dir/err" || fail "psb-info fails"
has '^  halos +(mpi|staged) [(]not lsa: processes share a device; ' "$dir/out"
has '^ +lsa[+]nccl: processes share a device$' "$dir/out"
for device in none fake; do
    PSB_DEVICE=$device PSB_FAKE_HOSTS=2 sh "$here/mpi-run" 2 tools/psb-info >"$dir/out" 2>"$dir/err" || fail "psb-info fails"
    has '^  MPI +(Open MPI|MPICH)' "$dir/out"
    has '^  processor +.*, (plain|avx2|avx512) instructions$' "$dir/out"
    has '^  copies +[0-9.e+]+ GB/s on the host$' "$dir/out"
    has '^  host formats +.*CSR' "$dir/out"
    has '^  device formats +.*HLG' "$dir/out"
    has "^  PSB_DEVICE +$device$" "$dir/out"
done
has '^  halos +nccl [(]not lsa: neighbours are on different hosts; not lsa[+]nccl: ' "$dir/out"
has '^ +lsa: neighbours are on different hosts$' "$dir/out"
has '^ +staged: works$' "$dir/out"

if tools/psb-spmv --version | grep -Eq '^ +jansson +yes'; then
    PSB_DEVICE=fake sh "$here/mpi-run" 2 tools/psb-info --json "$dir/info.json" >/dev/null || fail "psb-info --json fails"
fi
command -v python3 >/dev/null || { echo "skipped in part: no python3"; exit $status; }
python3 - "$dir" <<'END' || status=1
import json, os, sys
log = json.load(open(sys.argv[1] + "/all.json"))
calls = {c["call"]: c for c in log["calls"]}
solve = calls["cg solve"]
assert log["processes"] == 2 and solve["times"] == 1 and 5 < solve["iterations"] < 100
held = log["most_array_bytes"]
assert 12 * 1728 * 3 < held["matrices"]["host"] < 1e6 and held["preconditioners"]["host"] >= 8 * 800
assert all(h["device"] == 0 for h in held.values()) and held["halos"]["host"] > 0
assert any(c["choice"].startswith("matrix in CSR on host") and c["times"] >= 1 for c in log["choices"])
for c in log["calls"]:
    assert c["most_seconds"] >= c["least_seconds"] >= 0 and c["stage"] == "main"
products = [c for n, c in calls.items() if n.endswith("product") and n.startswith("CSR")]
assert sum(c["times"] for c in products) >= solve["iterations"] and all(c["flops"] > 0 for c in products)
assert max(c["most_seconds"] for n, c in calls.items() if "product" in n) <= solve["most_seconds"] * 1.5

if os.path.exists(sys.argv[1] + "/info.json"):
    info = json.load(open(sys.argv[1] + "/info.json"))
    assert "HLG" in info["device_formats"] and "CSR" in info["host_formats"] and info["threads"] >= 1
    assert info["host_copy_gbs"] > 0.1 and "MPI" in info["linked"] and info["transports"]["staged"] is None
    assert [v["set"] for v in info["environment"] if v["name"] == "PSB_DEVICE"] == ["fake"]

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
