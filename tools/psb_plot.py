#!/usr/bin/env python3
"""psb_plot.py -- tools: the program psb-plot: pictures and pages, by Matplotlib, of what other programs write as JSON."""
import argparse
import base64
import html
import io
import json
import os
import shutil
import subprocess
import sys
import tempfile

HELP = """\
Usage: psb-plot [--from FORMAT] MATRIX OUT
       psb-plot REPORT.json OUT

Draw a sparse matrix, or a report of psb-spmv, psb-pargen or psb-fileread.

  MATRIX            a file that psb-convert reads; --from as there
  REPORT.json       what one of the programs wrote for --report or --json, or psb-convert
  OUT               FILE.png, FILE.svg or FILE.pdf: the pattern of the matrix by density, the
                    lengths of its rows, its bands; FILE.html: a page with all that the
                    report has
  -h, --help        print this

python3-matplotlib must be installed.

Status: 0; 1 where something failed; 2 where the command line is wrong.
"""
STYLE = """\
body{margin:0 auto;max-width:1240px;padding:0 12px 24px;font:16px/1.45 system-ui,sans-serif;color:#1b1f24;background:#fff}
h1{font-size:1.5rem;margin:.8em 0 .3em;overflow-wrap:anywhere}h2{font-size:1.15rem;margin:1.6em 0 .4em}
.figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,360px),1fr));gap:16px;align-items:start}
figure{margin:0}img{max-width:100%;height:auto;display:block;margin:0 auto}figcaption{color:#57606a;font-size:.9rem}
.scroll{overflow-x:auto;margin-top:12px}table{border-collapse:collapse;font-variant-numeric:tabular-nums}
th,td{padding:3px 10px;border-bottom:1px solid #d0d7de;text-align:right;white-space:nowrap}
.names td,.names th,td:first-child,th:first-child{text-align:left}.names td{white-space:normal;overflow-wrap:break-word}
code{background:#f3f4f6;padding:2px 4px;overflow-wrap:anywhere}
"""
SIZES = {"s": 4, "d": 8, "c": 8, "z": 16}


def start_matplotlib():
    """Import Matplotlib, if need be by the Python of the system."""
    global plt, ticker
    try:
        import matplotlib
    except ImportError:
        system = "/usr/bin/python3"
        if os.path.exists(system) and os.path.realpath(sys.executable) != os.path.realpath(system):
            os.execv(system, [system] + sys.argv)
        sys.exit("psb-plot: Matplotlib is not installed (Debian: python3-matplotlib)")
    matplotlib.use("Agg")
    matplotlib.rcParams.update({"font.size": 10, "axes.grid": False, "figure.constrained_layout.use": True,
                                "axes.spines.top": False, "axes.spines.right": False, "savefig.dpi": 150})
    from matplotlib import pyplot as plt, ticker


def unit(name):
    """A function that prints a number with a prefix: 1.23 ms."""
    style = ticker.EngFormatter(unit=name, places=2)
    return lambda x: "-" if x is None else style(x)


# --- the matrix ---


def draw_pattern(ax, p):
    from matplotlib.colors import LogNorm
    import numpy as np
    cells = np.array([[int(x) for x in row.split()] for row in p["cells"]], dtype=float)
    rows, cols = p["rows"], p["cols"]
    if not cells.any():
        ax.text(.5, .5, "no entries", ha="center", transform=ax.transAxes)
        return
    height, width = (np.diff([-(-k * n // parts) for k in range(parts + 1)]) for n, parts in zip((rows, cols), cells.shape))
    density = cells / np.outer(height, width)
    low, high = density[density > 0].min(), density.max()
    image = ax.imshow(np.ma.masked_equal(density, 0), cmap="viridis_r", interpolation="nearest", extent=(0, cols, rows, 0),
                      norm=LogNorm(min(low, high / 10), high), aspect="equal" if 1 / 3 < rows / cols < 3 else "auto")
    if low < high:
        ax.figure.colorbar(image, ax=ax, label="share of places with an entry", shrink=.8)
    for side in ax.spines.values():
        side.set_visible(True)
    for axis in ax.xaxis, ax.yaxis:
        axis.set_major_locator(ticker.MaxNLocator(5, integer=True))
        axis.set_major_formatter(ticker.EngFormatter(sep=""))
    ax.set(xlabel="column", ylabel="row")


def draw_classes(ax, classes):
    """Bars for classes (least, most, count) of numbers: the mean count of a number."""
    import numpy as np
    low, high, count = np.array(classes, dtype=float).reshape(-1, 3).T
    width = high - low + 1
    height = count / width
    ax.bar(low - .5, height, width, align="edge", color="#1f77b4", edgecolor="#1f77b4")
    if len(height) and height.max() > 50 * height.min():
        ax.set_yscale("log")
        ax.set_ylim(height.min() / 2, height.max() * 2)
    ticks = ticker.MaxNLocator(8, integer=True)
    most = max(-low.min(), high.max()) if len(low) else 0
    if most > 200:
        ax.set_xscale("symlog", linthresh=10)
        power = int(np.log10(most))
        powers = [10.**k for k in range(power, 0, power // -3 if low.min() < 0 else -1)]
        ticks = ticker.FixedLocator([-p for p in powers] + [0] + powers)
    if len(low):
        ax.set_xlim(low.min() - 1, high.max() + 1)
    ax.xaxis.set_major_locator(ticks)


def draw_lengths(ax, p):
    draw_classes(ax, p["row_lengths"])
    ax.set(xlabel="entries of a row", ylabel="rows of this length")


def draw_bands(ax, p):
    draw_classes(ax, [[-b, -a, n] for a, b, n in reversed(p["below"])] + p["above"])
    ax.set(xlabel="column - row", ylabel="entries of a diagonal")


def count_entries(p):
    return sum(n for _, _, n in p["below"] + p["above"])


def draw_matrix(report, out):
    """The three pictures of the matrix in one file."""
    p = report["picture"]
    fig, ax = plt.subplot_mosaic([["pattern", "lengths"], ["pattern", "bands"]], figsize=(10, 5.6), width_ratios=[3, 2])
    draw_pattern(ax["pattern"], p)
    draw_lengths(ax["lengths"], p)
    draw_bands(ax["bands"], p)
    fig.suptitle(f"{matrix_name(report)}: {p['rows']:,} by {p['cols']:,}, {count_entries(p):,} entries", wrap=True)
    fig.savefig(out)


# --- what programs measured ---


def draw_bars(ax, names, values, where, name):
    devices = sorted(set(where))
    ax.barh(names, values, color=[f"C{devices.index(w)}" for w in where])
    ax.invert_yaxis()
    ax.xaxis.set_major_formatter(ticker.EngFormatter(unit=name))
    ax.xaxis.set_major_locator(ticker.MaxNLocator(5))
    if len(devices) > 1:
        ax.legend([plt.Rectangle((0, 0), 1, 1, color=f"C{k}") for k in range(len(devices))], devices, loc="lower right",
                  bbox_to_anchor=(1, 1), ncols=2, frameon=False)


def draw_roofline(ax, results):
    """GFLOP/s over the operations for each byte that the format has, the lines of copies in memory."""
    def intensity(r):
        flops = r["gflops"] * 1e9 * r["median_s"]
        return flops / (r["bytes"] + SIZES[r["type"]] * (r["rows"] + r["cols"]))
    results = sorted((r for r in results if r["gflops"] > 0 and r["bytes"] > 0), key=lambda r: r["gflops"])
    if not results:
        ax.set_axis_off()
        return
    x, y = [intensity(r) for r in results], [r["gflops"] for r in results]
    ends = [min(x) / 1.3, max(x) * 1.3]
    for k, (where, gbs) in enumerate(sorted({(r["where"], r["copy_gbs"]) for r in results if r["copy_gbs"]})):
        ax.plot(ends, [gbs * e for e in ends], "--", color=f"C{k + 1}", label=f"copies, {where}: {gbs:.3g} GB/s")
    ax.plot(x, y, "o", color="C0", ms=5)
    ax.set(xscale="log", yscale="log", xlabel="operations a byte (format and vectors)", ylabel="GFLOP/s", xlim=ends)
    ax.legend(loc="lower center", bbox_to_anchor=(.5, 1), frameon=False)
    places = len(results)
    for k, r in enumerate(results):  # names at the right, a line from each to its point
        ax.annotate(r["format"], (x[k], y[k]), (1.06, (k + .5) / places), textcoords=ax.transAxes, va="center",
                    fontsize=min(9, 150 / places), arrowprops={"arrowstyle": "-", "lw": .5, "color": "#888"},
                    annotation_clip=False)


def draw_halo(ax, halo):
    import numpy as np
    at = np.arange(len(halo))
    ax.bar(at - .2, [h["sends"] for h in halo], .4, label="sends")
    ax.bar(at + .2, [h["receives"] for h in halo], .4, label="receives")
    ax.xaxis.set_major_locator(ticker.MaxNLocator(10, integer=True))
    most = max([1] + [h["sends"] for h in halo] + [h["receives"] for h in halo])
    ax.set(xlabel="process", ylabel="elements in an exchange", ylim=(0, 1.25 * most))
    ax.legend(loc="upper right", ncols=2)


def draw_history(ax, history, solver):
    points = [(it, e) for it, e in history if e]
    ax.semilogy([p[0] for p in points], [p[1] for p in points], "." if len(points) == 1 else "-")
    ax.axhline(solver["tol"], color="C1", ls="--", label=f"tolerance {solver['tol']:g}")
    ax.set(xlabel="iteration", ylabel=f"{solver['stop']} residual")
    ax.xaxis.set_major_locator(ticker.MaxNLocator(8, integer=True))
    ax.legend()


# --- the page ---


def figure(caption, draw, *args, height=3.4):
    fig, ax = plt.subplots(figsize=(4.6, height))
    draw(ax, *args)
    out = io.BytesIO()
    fig.savefig(out, format="svg", bbox_inches="tight")
    plt.close(fig)
    data = base64.b64encode(out.getvalue()).decode()
    text = html.escape(caption)
    return f'<figure><img alt="{text}" src="data:image/svg+xml;base64,{data}"><figcaption>{text}</figcaption></figure>'


def table(rows, head=None, kind=""):
    def row(cells, tag):
        return "<tr>" + "".join(f"<{tag}>{html.escape(str(c))}</{tag}>" for c in cells) + "</tr>"
    body = (row(head, "th") if head else "") + "".join(row(r, "td") for r in rows)
    return f'<div class="scroll"><table class="{kind}">{body}</table></div>'


def figures(*all):
    return '<div class="figures">' + "".join(all) + "</div>"


def matrix_name(report):
    problem = report.get("problem", {})
    return report.get("matrix") or problem.get("file") or problem.get("name", "matrix")


def machine_part(report):
    m = report["machine"]
    rows = [("processes", f"{m['processes']} on {', '.join(m['hosts'])}"), ("threads of a process", m["threads"]),
            ("processor", m["processor"]), ("GPU", m["gpu"]), ("device", m["device"]), ("date", m["date"]),
            ("library", m["version"])]
    for where in "host", "gpu":
        if report.get(where + "_copy_gbs"):
            rows.append((f"memory copies, {where}", f"{report[where + '_copy_gbs']:.3g} GB/s"))
    return "<h2>Machine</h2>" + table([r for r in rows if r[1]], kind="names")


def matrix_part(report):
    p = report["picture"]
    head = f"<h2>Matrix</h2><p>{p['rows']:,} by {p['cols']:,}, {count_entries(p):,} entries</p>"
    return head + figures(figure("Entries by place", draw_pattern, p), figure("Lengths of rows", draw_lengths, p),
                          figure("Bands: entries by distance from the diagonal", draw_bands, p))


def formats_part(report):
    results = sorted(report["results"], key=lambda r: r["median_s"])
    seconds, bytes_ = unit("s"), unit("B")
    part = "<h2>Formats</h2>"
    if results:
        names = [r["format"] for r in results]
        where = [r["where"] for r in results]
        height = max(2.6, .8 + .2 * len(results))
        part += figures(
            figure("Time of a product", draw_bars, names, [r["median_s"] for r in results], where, "s", height=height),
            figure("Bytes of the matrix", draw_bars, names, [r["bytes"] for r in results], where, "B", height=height),
            figure("Roofline: products under the bandwidth of copies", draw_roofline, results, height=max(3.4, height)))
        head = "format", "where", "bytes", "convert", "product", "GFLOP/s", "GB/s", "of copy", "max error", "halo"
        part += table([(r["format"], r["where"], bytes_(r["bytes"]), seconds(r["conversion_s"]), seconds(r["median_s"]),
                        f"{r['gflops']:.3g}", f"{r['effective_gbs']:.3g}",
                        f"{100 * r['effective_gbs'] / r['copy_gbs']:.1f} %" if r["copy_gbs"] else "-",
                        "-" if r["max_error"] is None else f"{r['max_error']:.1e}", r["halo"] or "-") for r in results], head)
        part += "<p>GB/s: the bytes that a product in CSR must move, over the time.</p>"
    if report["refused"]:
        part += "<h2>Refused</h2>" + table([(r["format"], r["reason"]) for r in report["refused"]], kind="names")
    return part


def halo_part(report):
    halo = report["picture"]["halo"]
    if len(halo) < 2:
        return "<h2>Halo</h2><p>One process: nothing is exchanged.</p>" if halo else ""
    ways = sorted({r["halo"] for r in report.get("results", []) if r["halo"]} | {report.get("halo") or ""} - {""})
    head = "process", "neighbours", "sends", "receives"
    return (f"<h2>Halo</h2><p>Transport: {html.escape(', '.join(ways) or 'none')}</p>" + figures(
        figure("Elements of a vector in an exchange", draw_halo, halo),
        table([(h["process"], h["neighbours"], h["sends"], h["receives"]) for h in halo[:64]], head)))


def solution_part(report):
    problem, solver, result, size = report["problem"], report["solver"], report["result"], report["bytes"]
    seconds, bytes_ = unit("s"), unit("B")
    steps = {"matrix": result["creation_s"], "preconditioner": result["prec_s"], "solution": result["solve_s"]}
    weights = {"matrix": size["matrix"], "preconditioner": size["prec"], "descriptor": size["descriptor"]}
    copy = report.get("gpu_copy_gbs") if problem["where"] not in ("host", "fake") else report.get("host_copy_gbs")
    rows = [("format", f"{problem['format']} on {problem['where']}, type {problem['type']}"), ("partition", problem["partition"]),
            ("method", solver["method"]), ("preconditioner", solver["prec"]),
            ("outcome", f"{result['outcome']} {result['why'] or ''}"), ("iterations", result["iterations"]),
            ("true residual", f"{result['residual'] or 0:.3e}"), ("time of an iteration", seconds(result["iteration_s"]))]
    if copy:
        rows.append(("to read A and the preconditioner once at the speed of copies",
                     seconds((size["matrix"] + size["prec"]) / copy / 1e9)))
    part = "<h2>Solution</h2>" + table(rows, kind="names") + '<p></p><div class="figures">'
    if report.get("history"):
        part += figure("Residuals", draw_history, report["history"], solver)
    part += figure("Time", draw_bars, list(steps), list(steps.values()), [""] * 3, "s", height=2.4)
    part += figure("Bytes, all processes", draw_bars, list(weights), list(weights.values()), [""] * 3, "B", height=2.4)
    return part + "</div>"


def write_page(report, out):
    name = html.escape(f"{report.get('program', 'psb-plot')}: {matrix_name(report)}")
    parts = [f"<h1>{name}</h1>"]
    if report.get("command"):
        processes = report["machine"]["processes"]
        command = (f"mpirun -np {processes} " if processes > 1 else "") + report["command"]
        parts.append(f"<p><code>{html.escape(command)}</code></p>")
    for key, part in (("solver", solution_part), ("results", formats_part), ("picture", matrix_part),
                      ("picture", halo_part), ("machine", machine_part)):
        if key in report:
            parts.append(part(report))
    with open(out, "w", encoding="utf-8") as file:
        file.write('<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" '
                   f'content="width=device-width,initial-scale=1"><link rel="icon" href="data:,"><title>{name}</title>'
                   f"<style>{STYLE}</style></head><body>{''.join(parts)}</body></html>\n")


# --- the program ---


def read_report(source, form):
    """The report in the file, or the picture that psb-convert makes of a matrix."""
    if source.endswith(".json") and not form:
        with open(source, encoding="utf-8") as file:
            return json.load(file)
    beside = os.path.join(os.path.dirname(os.path.realpath(__file__)), "psb-convert")
    convert = beside if os.access(beside, os.X_OK) else shutil.which("psb-convert")
    if not convert:
        raise ValueError("psb-convert is neither beside psb-plot nor in PATH")
    with tempfile.TemporaryDirectory() as folder:
        target = os.path.join(folder, "matrix.json")
        options = ["--from", form] if form else []
        if subprocess.run([convert, *options, source, target], check=False).returncode:
            sys.exit(1)
        return read_report(target, None)


def main():
    parser = argparse.ArgumentParser(prog="psb-plot", add_help=False,
                                     usage="psb-plot [--from FORMAT] MATRIX OUT; see --help")
    parser.add_argument("-h", "--help", action="store_true")
    parser.add_argument("--from", dest="form")
    parser.add_argument("source", nargs="?")
    parser.add_argument("out", nargs="?")
    given = parser.parse_args()
    if given.help:
        sys.stdout.write(HELP)
        return
    if not given.out:
        parser.error("expected the names of two files")
    page = given.out.endswith(".html")
    if not page and not given.out.endswith((".png", ".svg", ".pdf")):
        parser.error(f"{given.out}: expected a name that ends with .png, .svg, .pdf or .html")
    start_matplotlib()
    try:
        report = read_report(given.source, given.form)
        if not page and "picture" not in report:
            raise ValueError("no picture of the matrix; --report writes one")
        (write_page if page else draw_matrix)(report, given.out)
    except (OSError, ValueError, KeyError, TypeError) as error:
        name, reason = given.source, error
        if isinstance(error, OSError):
            name, reason = error.filename or name, error.strerror
        elif isinstance(error, (KeyError, TypeError, json.JSONDecodeError)):
            reason = f"no report of a psb program ({error!r})"
        sys.exit(f"psb-plot: {name}: {reason}")


if __name__ == "__main__":
    main()
