#!/usr/bin/env python3
# fit_autog.py -- room: test/kernel.  Fits the factors of AUTOG's forecasts (cuda/abi/cost.h) to measured products.
#   fit_autog.py --join TIMES ... TERMS ... > autog.tsv    times of gpu_spmv --tsv, terms of gpu_terms, same matrices
#   fit_autog.py autog.tsv > cuda/abi/cost_factors.h       the table; errors and choices are reported on stderr
#   fit_autog.py --check autog.tsv                         the choice for each matrix by a fit without it, in tenths
# Needs NumPy and SciPy.  Matrices whose names begin with "unseen_" are reported, and never fitted.
import sys
from collections import defaultdict
from math import exp, log

import numpy as np
from scipy.optimize import least_squares

FORMATS = ["CSRG", "HLG", "ELG", "HYBG", "DIAG", "HDIAG", "BSRG"]
TYPES = "sdcz"
TERMS = ["second", "bytes", "padding", "vectors", "rows", "sectors", "far", "parts", "chain"]
FACTORS = ["launch", "second", "bytes", "cached", "padding", "vectors", "rows", "sectors", "far", "parts", "chain",
           "far_chain"]
START = [4000, 8000, 2.4e-4, 1.2e-4, 1.2e-4, 2.4e-4, 1e-3, 2e-3, 2e-3, 1e-3, 100, 100]
# A launch and a load from the cache are not free; few matrices have long rows of blocks.
LEAST = {f: [3000, 0, 0, 0, 0, 0, 0, 0, 0, 0, 150 if f == "BSRG" else 50, 0] for f in FORMATS}
LARGER = ["bytes", "padding", "vectors", "rows", "sectors", "far", "parts"]  # with copies of a matrix


def ramp(x, low, high):
    return np.clip((x - low) / (high - low), 0, 1)


def parts_of(terms):
    """Columns: what each factor is multiplied by, as in psb_cost_ns."""
    t = dict(zip(TERMS, terms.T))
    memory = ramp(t["bytes"] + t["padding"] + t["vectors"], 25e6, 60e6)
    columns = [np.ones(len(terms)), t["second"], t["bytes"] * memory, t["bytes"] * (1 - memory)]
    columns += [t[name] for name in TERMS[2:]]
    return np.array(columns + [t["chain"] * memory]).T


def forecast(parts, c):
    return parts[:, :2] @ c[:2] + np.maximum(parts[:, 2:10] @ c[2:10], parts[:, 10:] @ c[10:])


def fit(parts, ns, least):
    live = np.flatnonzero(parts.max(0) > 0)
    best = None

    def full(p):
        c = np.zeros(len(FACTORS))
        c[live] = p
        return c

    for scale in (1, 0.3, 3):
        start = np.maximum(np.array(START)[live] * np.where(live < 2, 1.2, scale), np.array(least)[live] * 1.1)
        r = least_squares(lambda p: np.log(forecast(parts, full(p)) / ns), start, loss="soft_l1", f_scale=0.15,
                          bounds=(np.array(least)[live], np.inf), x_scale=np.array(START)[live])
        if best is None or r.cost < best.cost:
            best = r
    return full(best.x)


# --- data: rows of matrix, type, format, measured microseconds, terms ---

def join(paths):
    times, terms = {}, {}
    for path in paths:
        for line in open(path):
            v = line.rstrip("\n").split("\t")
            if len(v) == 4 + len(TERMS):
                terms[tuple(v[:3])] = [float(x) for x in v[3:]]
            elif v[0] != "matrix" and v[9] in FORMATS and v[12] != "nan":
                times[v[0], v[1], v[9]] = float(v[7]), 1e3 * float(v[12])
    for key, (entries, us) in times.items():
        if key not in terms:
            continue
        own, *t = terms[key]
        scaled = [x * entries / own if name in LARGER else x for name, x in zip(TERMS, t)]
        print("\t".join(key), "%.2f" % us, *("%.5g" % x for x in scaled), sep="\t")


class Data:
    def __init__(self, path):
        rows = [line.rstrip("\n").split("\t") for line in open(path)]
        self.name = np.array([r[0] for r in rows])
        self.type = np.array([r[1] for r in rows])
        self.format = np.array([r[2] for r in rows])
        self.ns = 1e3 * np.array([float(r[3]) for r in rows])
        self.parts = parts_of(np.array([[float(x) for x in r[4:]] for r in rows]))
        parts = np.array([float(r[4 + TERMS.index("parts")]) for r in rows])
        self.format[(self.format == "BSRG") & (parts == 0)] = "CSRG"  # has its kernel
        self.seen = np.array([not r[0].startswith("unseen_") for r in rows])

    def fit(self, keep):
        """{(format, type): factors} from the rows in keep."""
        out = {}
        for f in FORMATS:
            for t in TYPES:
                mask = keep & (self.format == f) & (self.type == t)
                out[f, t] = fit(self.parts[mask], self.ns[mask], LEAST[f])
        return out

    def forecast(self, factors, rows):
        return np.array([forecast(self.parts[i:i + 1], factors[self.format[i], self.type[i]])[0] for i in rows])

    def choices(self, ns):
        """For each (type, matrix): the time of the best format over that of the format with the least forecast."""
        groups = defaultdict(list)
        for i in range(len(ns)):
            groups[self.type[i], self.name[i]].append(i)
        return {k: (self.ns[g].min() / self.ns[min(g, key=lambda i: ns[i])], self.format[min(g, key=lambda i: self.ns[i])],
                    self.format[min(g, key=lambda i: ns[i])]) for k, g in groups.items()}


def report(choices, what):
    for t in TYPES:
        mine = {k[1]: v for k, v in choices.items() if k[0] == t}
        if not mine:
            continue
        for kind, keep in (("files", lambda n: ":" not in n), ("unseen", lambda n: n.startswith("unseen_")),
                           ("generated", lambda n: ":" in n)):
            v = sorted((r[0], n, r[1], r[2]) for n, r in mine.items() if keep(n))
            print("%s %s, %d %s: best over chosen %.3f, worst" % (what, t, len(v), kind,
                  exp(sum(log(x[0]) for x in v) / len(v))),
                  ", ".join("%.3f %s (%s, chosen %s)" % x for x in v[:4]), file=sys.stderr)


def check(data):
    """Leave out a tenth of the matrices at a time."""
    names = sorted(set(data.name[data.seen]))
    ns = np.zeros(len(data.ns))
    for k in range(10):
        out = np.isin(data.name, names[k::10])
        factors = data.fit(data.seen & ~out)
        rows = np.flatnonzero(out)
        ns[rows] = data.forecast(factors, rows)
    keep = data.seen
    left = {k: v for k, v in data.choices(np.where(keep, ns, data.ns)).items() if not k[1].startswith("unseen_")}
    for t in TYPES:
        v = sorted((r[0], k[1], r[1], r[2]) for k, r in left.items() if k[0] == t)
        print("left out, %s, %d matrices: best over chosen %.3f, worst" % (t, len(v),
              exp(sum(log(x[0]) for x in v) / len(v))), ", ".join("%.3f %s (%s, chosen %s)" % x for x in v[:5]))


def print_table(factors):
    print("/* cost_factors.h -- room: cuda/abi.  The factors of cost.h, measured on an H200; written by")
    print(" * test/kernel/fit_autog.py, see docs/tuning.md.  Only for cost.c. */")
    print("static const struct psb_cost_factors factors[PSB_COST_FORMATS][4] = { /* s, d, c, z */")
    for f in FORMATS:
        print("    [PSB_COST_%s] = {" % f)
        for t in TYPES:
            print("        { " + ", ".join("%.3g" % (x if x > 1e-7 else 0) for x in factors[f, t]) + " },")
        print("    },")
    print("};")


def main():
    if len(sys.argv) < 2 or sys.argv[1] in ("-h", "--help"):
        sys.exit("usage: fit_autog.py [--join TIMES ... TERMS ... | [--check] autog.tsv]")
    if sys.argv[1] == "--join":
        return join(sys.argv[2:])
    data = Data(sys.argv[-1])
    if sys.argv[1] == "--check":
        return check(data)
    factors = data.fit(data.seen)
    ns = data.forecast(factors, range(len(data.ns)))
    for f in FORMATS:
        error = np.log(ns / data.ns)[data.format == f]
        print("%s: error %.0f %% (root mean square)" % (f, 100 * np.sqrt(np.mean(error ** 2))), file=sys.stderr)
    report(data.choices(ns), "type")
    print_table(factors)


main()
