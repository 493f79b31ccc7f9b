#!/usr/bin/env python3
"""Make tables and the plot of docs/performance.md, scaling.md and solvers.md from test/kernel/results/*.tsv.

    performance.py            write them: between the lines <!-- table NAME --> and <!-- end -->, and docs/speedup.svg
    performance.py --check    status 1 and the names of the files that are not up to date

Markers without a block, blocks without a marker, and tables that no page or two pages have end it with a message.
"""
import fnmatch
import glob
import math
import os
import re
import sys

top = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
SVG, PAGES = "docs/speedup.svg", ["docs/performance.md", "docs/scaling.md", "docs/solvers.md"]
GPU, H200, H100 = "2026-11-22-h200-gpu_spmv", "2026-11-26-h200-gpu_spmv", "2026-11-27-h100-gpu_spmv"
FOUR, CG2, CG4 = "2026-11-26-4xh200-scaling", "2026-11-25-2xh200-cg_device", "2026-11-26-4xh200-cg_device"
EPYC4, EPYC5, XEON = "2026-11-26-epyc4-host_spmv", "2026-11-22-epyc5-host_spmv", "2026-11-26-xeon-host_spmv"
CONVERT, FUSED, MODEL = "2026-11-22-h200-gpu_convert", "2026-11-22-h200-gpu_fused", "2026-11-26-4xh200-scaling_model"
ALGEBRA, COO, AMG = (f"2026-11-28-h200-{name}" for name in ("gpu_algebra", "gpu_coo", "multigrid"))
HPCG, BAND, DENSE = (f"2026-11-29-h200-{name}" for name in ("hpcg", "gpu_band", "gpu_dense"))
HOST_HPCG = "2026-11-29-2cores-hpcg"
GENERATED = {"lap7:200": "lap7 200³", "lap27:160": "lap27 160³", "uniform:4000000:16": "uniform 4M × 16",
             "power:4000000": "power law 4M", "block:64": "block 64³"}
OVER, WORST = "best over the best of cuSPARSE, mean", "best over the best of cuSPARSE, worst"
ALL = "10? matrices"
GRIDS, HARD = "2026-11-28-host-multigrid", "2026-11-28-host-multigrid-matrices"
BETTER = {"theta": "theta=0.25", "chebyshev": "smoother=chebyshev(degree=3, eig_ratio=30)", "W": "cycle=W",
          "ilu0": "smoother=bjac(ilu0)"}


def rows(name, **where):
    """The lines of a file whose columns have these values, which may be patterns."""
    with open(os.path.join(top, "test/kernel/results", name + ".tsv"), encoding="utf-8") as file:
        lines = [line.rstrip("\n").split("\t") for line in file if not line.startswith("#")]
    found = [dict(zip(lines[0], line)) for line in lines[1:]]
    return [row for row in found if all(fnmatch.fnmatchcase(row[key], str(want)) for key, want in where.items())]


def value(name, **where):
    found = rows(name, **where)
    if len(found) != 1:
        sys.exit(f"performance.py: {len(found)} lines of {name} instead of one have {where}")
    return float(found[0]["value"])


def speed(name, peer, ours, quantity, **where):
    """Time of the peer over ours: geometric mean and least over all matrices of a file, as text."""
    pairs = zip(*(rows(name, method=m, quantity=quantity, **where) for m in (peer, ours)))
    ratios = [float(theirs["value"]) / float(mine["value"]) for theirs, mine in pairs]
    return f"{math.exp(sum(map(math.log, ratios)) / len(ratios)):.2f}, worst {min(ratios):.2f}"


def best(matrix):
    """The fastest format on a generated matrix in double, its time and that of cuSPARSE's fastest product."""
    times = rows(GPU, matrix=matrix, type="d", method="[A-Z]*")
    ours = min(times, key=lambda row: float(row["value"]))
    return ours["method"], float(ours["value"]), value(GPU, matrix=matrix, type="d", method="cuSPARSE best")


def gpu():
    formats = ["CSRG", "HLG", "ELG", "HLGP", "DIAG"]

    def cell(matrix, method):
        for row in rows(GPU, matrix=matrix, type="d", method=method):
            mark = "**" if method == best(matrix)[0] else ""
            return f"{mark}{row['value']} ({best(matrix)[2] / float(row['value']):.2f}){mark}"
        return "–"
    return [["matrix", "cuSPARSE", *formats],
            *([name, f"{best(m)[2]}", *(cell(m, f) for f in formats)] for m, name in GENERATED.items())]


def sets():
    def row(card, name, t):
        columns = [(OVER, ALL), (WORST, "*"), (OVER, "13 graphs"), ("*CUB, mean", "*"), ("*CUB, worst", "*"),
                   ("best over the best of cuSPARSE", "lap7:200"), ("best over the best of cuSPARSE", "lap27:160")]
        found = [rows(name, type=t, method="best", quantity=q, matrix=m) for q, m in columns]
        return [f"{card}, {t}", *(f"{float(f[0]['value']):.2f}" if f else "" for f in found)]
    return [["GPU, type", "over cuSPARSE", "worst", "13 graphs", "over CUB", "worst", "lap7 200³", "lap27 160³"],
            *(row("H200", H200, t) for t in "sdcz"), row("H100", H100, "d")]


def several():
    def row(name, file, matrix, method, quantity, divided):
        times = {p: rows(file, matrix=matrix, processes=p, method=method, quantity=quantity) for p in (1, 2, 4)}
        one, two, four = (float(t[-1]["value"]) if t else None for t in times.values())
        return [name, method, f"{one:g}", f"{two:g}" if two else "", f"{four:g}", f"{one / four / divided:.2f}"]
    return [["matrix", "format", "one", "two", "four", "efficiency"],
            row("lap7 200³ on each", FOUR, "lap7:200 each", "HLG", "product", 1),
            row("the same, iteration of CG", CG4, "lap7:200 each", "HLG", "*graph", 1),
            row("lap7 737³, 400 million rows", FOUR, "lap7:737", "HLG", "product", 4),
            row("lap7 200³", FOUR, "lap7:200", "HLG", "product", 4),
            row("mdual, in parts by METIS", FOUR, "mdual*", "CSRG", "product", 4),
            row("uniform 4M × 16", FOUR, "uniform*", "HLG", "product", 4)]


def solves():
    factor, petsc, pargen = "2026-11-28-h200-gpu_factor", "2026-11-23-epyc5-solve_petsc", "2026-11-23-h200-psb-pargen"
    host, card = (value(pargen, method=m, quantity="bicgstab*: iteration") for m in ("CSR on*", "HLG"))
    cg = [value(CG2, matrix="lap7:200", processes=1, method=f, quantity="graph over*") for f in ("HLG", "HDIAG")]

    def over_product(file):
        at = {"matrix": "lap7:200", "method": "HLG"}
        return ", ".join(f"{value(file, quantity=q, **at) / value(file, quantity='product', **at):.0f}"
                         for q in ("setup", "update", "solve"))

    def hpcg(quantity, own=None):
        return value(HPCG, method="HLGP", quantity=own or quantity) / value(HPCG, method="NVIDIA", quantity=quantity)

    def long_band(method, scalar):
        return value(BAND, matrix="long:4194304:1", type=scalar, method=method, quantity="pivot")

    def over(matrix, peer):
        return value(GRIDS, matrix=matrix, processes=1, quantity=f"*processor, speed over {peer}")

    def krylov(quantity, matrix):
        return ", ".join(f"{value(petsc, matrix=matrix, processes=p, quantity=quantity):.2f}" for p in (1, 2))
    return [["what", "peer", "speed-up"],
            ["H200: ILU(0)'s triangles, 16 matrices", "cuSPARSE",
             speed("2026-11-23-h200-gpu_factor-triangles", "cuSPARSE*", "CSRG", "*: solve")],
            ["ILU(0) and IC(0) made again, 13 matrices", "cuSPARSE",
             "; ".join(speed(factor, "cuSPARSE", "PSBC", kind) for kind in ("ilu0", "ic0"))],
            ["CG, lap7 200³: HLG, HDIAG", "its bytes, copied", ", ".join(f"{1 / x:.2f}" for x in cg)],
            ["CG, AMG, lap7 200³, HLG: setup, new values, solve", "products", over_product(AMG)],
            ["the same with `precision=single`", "products", over_product(AMG + "-single")],
            ["HPCG 256³ (52 iterations for 50): operations, rating of 15 s", "NVIDIA's",
             f"{hpcg('raw Total'):.2f}, {hpcg('rating', 'rating of 15 seconds'):.2f}"],
            ["tridiagonal system of 2²² rows with pivoting: d, z", "gtsv2",
             ", ".join(f"{long_band('cuSPARSE', t) / long_band('PSBC', t):.2f}" for t in "dz")],
            ["interleaved batches with pivoting: tridiagonal, pentadiagonal", "cuSPARSE",
             "; ".join(speed(BAND, "cuSPARSE", "PSBC", "pivot", matrix=m) for m in ("interleaved:*", "penta:*"))],
            ["products with 8 and 32 dense columns: by columns, sampled", "cuSPARSE",
             "; ".join(speed(DENSE, "cuSPARSE", "CSRG", kind) for kind in ("columns", "sampled"))],
            ["host: CG, AMG, setup too: lap7 64³, lap27 48³", "BoomerAMG, GAMG; ML", "; ".join(
                ", ".join(f"{min(over(m, p) for p in peers):.2f}" for m in ("lap7:64", "lap27:48"))
                for peers in (("BoomerAMG", "BoomerAMG ext+i", "GAMG"), ("ML",)))],
            ["HPCG 64³ and 104³ a process, rating: 1 and 2 processes", "the reference", "; ".join(
                speed(HOST_HPCG, "PSBC", "reference", "rating*", processes=p) for p in (1, 2))],
            ["BiCGSTAB, ILU(0), pde3d 80³: HLG", "16 cores", f"{host / card:.1f}"],
            ["EPYC 5: ILU(0)'s triangles, 7 matrices", "PETSc",
             speed("2026-11-23-epyc5-solve", "PETSc*", "PSBC", "solve*")],
            ["CG, lap7 128³, 1 and 2 processes", "PETSc", krylov("cg*iteration*", "lap7:128")],
            ["RGMRES, ILU(0), pde3d 80³, the same two", "PETSc", krylov("rgmres*iteration*", "pde3d:80")]]


def last(pattern):
    """The last file whose name, without .tsv, matches, or None."""
    found = sorted(glob.glob(os.path.join(top, "test/kernel/results", pattern + ".tsv")))
    return os.path.basename(found[-1])[:-4] if found else None


def of_solves():
    """The last file of gpu_solve on one GPU, or None."""
    return last("*-h[12]00-gpu_solve")


def number(digits, **where):
    """The number of gpu_solve on one GPU, or "" if it was not measured."""
    found = rows(of_solves(), processes=1, **where)
    return f"{float(found[0]['value']):.{digits}f}" if found else ""


def iterations():
    formats = ["HLG", "HDIAG", "CSRG"]
    head = ["lap7 200³, µs (over its bytes)", *formats]
    if not of_solves():
        return [head, ["not measured yet", *([""] * len(formats))]]

    def cell(method, fmt, quantity):
        at = {"matrix": "lap7:200", "method": fmt}
        time, ratio = number(0, quantity=f"{method}: iteration", **at), number(2, quantity=quantity, **at)
        return f"{time} ({ratio})" if time and ratio else "–"
    table = [head]
    for row in rows(of_solves(), matrix="lap7:200", processes=1, method=formats[0], quantity="*: iteration over its*"):
        method, quantity = row["quantity"].split(":")[0], row["quantity"]
        table += [[f"`{method}`" + quantity.removeprefix(f"{method}: iteration over its bytes"),
                   *(cell(method, fmt, quantity) for fmt in formats)]]
    return table


def overheads():
    head = ["", "CG, µs", "over a bare graph", "CG: first solve, ms", "later", "RGMRES(30): first", "later"]
    if not of_solves():
        return [head, ["not measured yet", *([""] * 6)]]
    table = [head]
    for row in rows(of_solves(), processes=1, method="HLG", quantity="cg: iteration"):
        at = {"matrix": row["matrix"], "method": row["method"]}
        solves = [number(1, quantity=f"{method}: {which} solve", **at) for method in ("cg", "rgmres")
                  for which in ("first", "later")]
        table += [[f"{row['matrix'].replace(':', ' ')}³", number(1, quantity="cg: iteration", **at),
                   number(2, quantity="cg: iteration over cg_device", **at), *solves]]
    return table


def on_host():
    def row(name, peers, file, sets="*", **where):
        mean = rows(file, quantity="best over the best peer, mean", matrix=sets, **where)
        worst = rows(file, quantity="best over the best peer, worst", **where)
        return [name, peers, ", ".join(r["value"] for r in mean), ", ".join(r["value"] for r in worst[:len(mean)])]
    return [["run", "peers", "mean", "worst"],
            row("EPYC 4, d, 76 matrices", "PETSc", EPYC4, "76*"),
            row("Xeon, d, the same, twice", "PETSc, LIBRSB", XEON, "76*"),
            row("EPYC 4, d, 40 real, twice", "PETSc, LIBRSB", "2026-11-25-epyc4-host_spmv"),
            row("EPYC 5, s, 1 and 2 threads", "LIBRSB", EPYC5, type="s"),
            row("EPYC 5, d, 2 processes", "PETSc", EPYC5, processes=2)]


def others():
    def row(what, peer, file, cases, theirs, ours, **where):
        """The lines of the peer have `theirs`, ours `ours` in the column that the cases leave open."""
        column, cases = ("method", [{"quantity": c} for c in cases]) if file != FUSED else (
            "quantity", [{"method": c} for c in cases])
        pairs = [[value(file, **case, **where, **{column: m}) for m in (theirs, ours)] for case in cases]
        return [what, peer, ", ".join(f"{slow / fast:.2f}" for slow, fast in pairs)]
    pair, halo = ["CSR to HLG", "CSR to DIAG"], {"matrix": "1048576*", "processes": 2}
    return [["what", "peer", "speed-up"],
            row("H200, data there: CSR to HLG, to DIAG", "16 cores", CONVERT, pair, "*16 threads", "device"),
            row("the same, data on the host", "16 cores", CONVERT, pair, "*16 threads", "device, from*"),
            row("fused with a dot product: HLG, DIAG", "two calls", FUSED, ["HLG", "DIAG"], "and <x,y>: sep*",
                "and <x,y>: fused", type="d"),
            *([name, "cuSPARSE",
               "; ".join(speed(ALGEBRA, "cuSPARSE", "CSRG", quantity, type=t) for t in "dz")]
              for name, quantity in (("H200: A A, 6 matrices; complex, 4", "square"), ("Pᴴ A P", "triple"),
                                     ("sums", "sum"), ("transposes", "transpose"), ("colours: one order, left there", "colours"))),
            ["matrix of random COO, again: CSRG, HLG", "a copy of it", "; ".join(
                f"{1 / value(COO, type='d', method=m, quantity='assembly over*'):.3f}, "
                f"{1 / value(COO, type='d', method=m, quantity='values again over*'):.2f}" for m in ("CSRG", "HLG"))],
            row("EPYC 5: assembly of lap7 128³", "PETSc", "2026-11-21-epyc5-assembly", ["assembly"],
                "*SetValues", "PSBC"),
            row("reading Matrix Market", "SciPy", "2026-11-21-epyc5-read", ["plain file"], "SciPy", "PSBC"),
            row("halo of 1 MiB: contiguous, strided", "MPI alone", "2026-11-21-epyc5-halo", ["cont*", "every*"],
                "bare MPI", "PSBC", **halo)]


def weak():
    lines = []
    for method in ("HLG", "HDIAG"):
        for name, file, quantity in (("product", FOUR, "product"), ("iteration of CG", CG4, "*graph")):
            t = [value(file, matrix="lap7:200 each", processes=p, method=method, quantity=quantity)
                 for p in (1, 2, 4)]
            t += [value(MODEL, processes=p, method=method, quantity=name) for p in (64, 512, 4096)]
            lines += [[f"{name}, {method}, µs", *(f"{x:.0f}" for x in t)],
                      ["efficiency", "", *(f"{t[0] / x:.2f}" for x in t[1:])]]
    return [["", "measured: one GPU", "2", "4", "model: 64", "512", "4096"], *lines]


def descriptors():
    head = ["neighbours", "halo", "bytes", "peak", "messages", "bytes sent", "messages, exchange", "bytes"]
    found = [rows("2026-11-21-epyc5-descriptors", processes=p, method=m) for m in ("block", "list", "hash")
             for p in (4, 64, 128)]
    return [["P", "map", *head], *([r[0]["processes"], r[0]["method"], *(x["value"] for x in r)] for r in found)]


def multigrid():
    def cell(file, matrix, method, options=""):
        at = {"matrix": matrix, "processes": 1, "method": method}
        prec = f"*, prec=amg({BETTER[options]})" if options else "*, prec=amg"
        n, size = (rows(file, quantity=f"{prec}: {what}", **at) for what in ("iterations", "complexity"))
        return (n[0]["value"].replace("inf", "–") + (f" ({float(size[0]['value']):.1f})" if size else "")) if n else ""

    def row(name, matrix, options="", file=HARD):
        better = f"{cell(file, matrix, 'CSR', options)} {options}" if options else ""
        return [name, cell(file, matrix, "CSR"), better, *(cell(file, matrix, m) for m in ("BoomerAMG", "GAMG", "ML"))]
    return [["", "`amg`", "with", "BoomerAMG", "GAMG", "ML"],
            row("`lap7:64`", "lap7:64", file=GRIDS), row("`lap27:48`", "lap27:48", file=GRIDS),
            row("jumps", "jumps48", "W"), row("rotated", "rotated256", "theta"),
            row("convection", "convection256", "ilu0"), row("elasticity", "elasticity*"),
            *(row(m, m, "chebyshev") for m in ("rss_laplace_A0", "1138_bus", "bcsstk15", "bcsstk28"))]


def svg():
    """Bars of speed-ups in double precision, a thin one across them at the worst matrix."""
    def find(name, mean, worst):
        return [value(name, **mean), value(name, **worst)]
    bars = [[f"H200: {name}, over cuSPARSE", [best(m)[2] / best(m)[1]]] for m, name in GENERATED.items()]
    of_d = {"type": "d", "matrix": ALL, "quantity": OVER}, {"type": "d", "quantity": WORST}
    one, four = (value(FOUR, matrix="lap7:737", processes=p, quantity="product") for p in (1, 4))
    bars += [["H200: 102 matrices, over cuSPARSE", find(H200, *of_d)],
             ["H200: 102 matrices, over CUB", find(
                 H200, *({"type": "d", "quantity": f"*CUB, {x}"} for x in ("mean", "worst")))],
             ["H100: 102 matrices, over cuSPARSE", find(H100, *of_d)],
             ["four H200, over one of them: lap7 737³", [one / four]],
             ["a core of an EPYC: 76 matrices, over PETSc", find(
                 EPYC4, {"matrix": "76*", "quantity": "best*mean"}, {"matrix": "three_each"})]]
    text = [f'<svg xmlns="http://www.w3.org/2000/svg" width="720" height="{26 * len(bars) + 40}"',
            ' font-family="sans-serif" font-size="13">', '<rect width="100%" height="100%" fill="white"/>']
    for y, (name, (mean, *worst)) in zip(range(10, 1000, 26), bars):
        label = f"{mean:.2f}" + "".join(f", worst {x:.2f}" for x in worst)
        text += [f'<text x="320" y="{y + 14}" text-anchor="end">{name}</text>',
                 f'<rect x="330" y="{y}" width="{80 * mean:.0f}" height="18" fill="#4878a8"/>',
                 f'<text x="{336 + 80 * mean:.0f}" y="{y + 14}">{label}</text>']
        text += [f'<rect x="{329 + 80 * x:.0f}" y="{y}" width="2" height="18" fill="#f0a030"/>' for x in worst]
    end = 10 + 26 * len(bars)
    text += [f'<line x1="410" y1="4" x2="410" y2="{end}" stroke="black" stroke-dasharray="3 3"/>',
             f'<text x="410" y="{end + 16}" text-anchor="middle">1: as fast as the peer</text>', "</svg>"]
    return "\n".join(text) + "\n"


TABLES = {make.__name__: make for make in (gpu, sets, several, solves, iterations, overheads, on_host, others,
                                           weak, descriptors, multigrid)}


def tables_of(path, text):
    """The names of a page's tables.  Stops if one has no end, no name here, or an end no table."""
    inside, names = None, []
    for mark in re.finditer(r"<!--\s*(table|end)\b\s*(.*?)\s*-->", text):
        where = f"performance.py: {path}:{text.count(chr(10), 0, mark.start()) + 1}: {mark[0]}"
        if mark[1] == "end" and not inside:
            sys.exit(f"{where} ends no table; expected <!-- table NAME --> before it")
        if mark[1] == "table" and inside:
            sys.exit(f"{where}: the table {inside} before it has no <!-- end -->")
        if mark[1] == "table" and mark[2] not in TABLES:
            sys.exit(f"{where}: no such table; expected one of {', '.join(TABLES)}")
        inside = mark[2] if mark[1] == "table" else None
        names += [inside] if inside else []
    if inside:
        sys.exit(f"performance.py: {path}: the table {inside} has no <!-- end -->")
    return names


def page(text):
    def made(found):
        head, *lines = ("| " + " | ".join(line) + " |" for line in TABLES[found[1]]())
        rule = "|---" * (head.count("|") - 1) + "|"
        return "\n".join([f"<!-- table {found[1]} -->", head, rule, *lines, "<!-- end -->"])
    return re.sub(r"<!-- table (\w+) -->.*?<!-- end -->", made, text, flags=re.S)


def main():
    stale, named = [], []
    for path in [SVG, *PAGES]:
        name = os.path.join(top, path)
        old = open(name, encoding="utf-8").read() if os.path.exists(name) else ""
        named += tables_of(path, old) if path != SVG else []
        new = svg() if path == SVG else page(old)
        if new == old:
            continue
        stale.append(path)
        if "--check" not in sys.argv:
            with open(name, "w", encoding="utf-8") as file:
                file.write(new)
    if sorted(named) != sorted(TABLES):
        sys.exit(f"performance.py: tables of {', '.join(PAGES)} are {', '.join(sorted(named))}; "
                 f"expected each of {', '.join(sorted(TABLES))} once")
    for path in stale:
        print(path, "is not what test/kernel/performance.py makes" if "--check" in sys.argv else "written")
    return bool(stale) and "--check" in sys.argv


if __name__ == "__main__":
    sys.exit(main())
