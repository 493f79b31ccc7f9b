#!/usr/bin/env python3
# fit_auto.py -- room: test/kernel.  Fits the factors of AUTO's forecasts (ext/host_cost.h) to measured products.
#   fit_auto.py --join LEVEL TIMES ... TERMS ... >> auto.tsv    times of host_spmv --tsv, terms of host_terms, the same
#                                                               matrices and vector instructions (plain, avx2, avx512)
#   fit_auto.py auto.tsv > ext/host_factors.h      the table; errors and choices are reported on stderr
#   fit_auto.py --check auto.tsv                   the choice for each matrix by a fit without it, in tenths
# Of several times the least counts.  Needs NumPy and SciPy.  Matrices whose names begin with "unseen_" are reported, and never fitted.
import sys
from collections import defaultdict
from math import exp, log

import numpy as np
from scipy.optimize import least_squares

KINDS = ["OWN", "CSR_SHORT", "CSR", "CSR_LONG", "ELL", "HLL", "SELL", "HYB", "DIA", "HDIA", "BSR_ONE", "BSR", "BSR_LARGE"]
LEVELS = ["plain", "avx2", "avx512"]
TYPES = "sdcz"
TERMS = ["lines", "steps", "changes", "parts", "near", "far", "bytes", "beyond"]
# Where the measurements do not tell, factors stay near these, in nanoseconds.
START = {kind: [1, 1, 3, 0.5, 0.5, 1, 0.005, 0.02] for kind in KINDS}
START["HYB"] = [2, 2, 5, 2, 0.5, 1, 0.005, 0.02]
for kind in ("ELL", "HLL", "SELL"):
    START[kind] = [2, 2, 5, 0, 0.5, 1, 0.005, 0.02]
for kind in ("DIA", "HDIA"):
    START[kind] = [20, 0.1, 0, 3, 0, 0, 0.005, 0.02]  # x is read along the diagonals
for kind in ("BSR", "BSR_LARGE", "BSR_ONE"):
    START[kind] = [2, 0.1, 3, 0.5, 0.2, 0.5, 0.005, 0.02]
OWN, HOLD = 0.15, 0.1  # weights: of the error itself, beside that relative to other formats; of START


# --- data: rows of matrix, type, level, format, kind, measured microseconds, terms ---

def join(level, paths):
    times, terms = {}, {}
    for path in paths:
        for line in open(path):
            v = line.rstrip("\n").split("\t")
            if len(v) == 6 + len(TERMS):
                if v[2] == level:
                    terms[v[0], v[1], v[3]] = [v[4]] + [float(x) for x in v[6:]]
            elif v[0] != "matrix" and v[10] != "nan":
                key = v[0], v[1], v[8]
                times[key] = min(times.get(key, np.inf), 1e3 * float(v[10]))
    for key, us in times.items():
        if key in terms:
            kind, *t = terms[key]
            print(key[0], key[1], level, key[2], KINDS[int(kind)], "%.2f" % us, *("%.5g" % x for x in t), sep="\t")


class Data:
    """The rows of one type and level."""

    def __init__(self, rows):
        self.name = np.array([r[0] for r in rows])
        self.format = np.array([r[3] for r in rows])
        self.kind = np.array([KINDS.index(r[4]) for r in rows])
        self.us = np.array([float(r[5]) for r in rows])
        self.terms = np.array([[float(x) for x in r[6:]] for r in rows])
        self.seen = np.array([not r[0].startswith("unseen_") for r in rows])

    def groups(self, rows):
        g = defaultdict(list)
        for i in rows:
            g[self.name[i]].append(i)
        return g

    def fit(self, keep):
        """Factors of all kinds, in nanoseconds, from the rows in keep."""
        rows = np.flatnonzero(keep)
        start = np.array([START[k] for k in KINDS], dtype=float)
        live = np.array([start[k] * (np.isin(k, self.kind[rows])) for k in range(len(KINDS))]) > 0
        relative = relative_weights(self, rows)
        terms, kind, ns = self.terms[rows], self.kind[rows], 1e3 * self.us[rows]
        column = np.cumsum(live.ravel()).reshape(live.shape) - 1

        def full(p):
            c = np.zeros(live.shape)
            c[live] = p
            return c

        def residuals(p):
            e = np.log((full(p)[kind] * terms).sum(1) / ns)
            return np.r_[OWN * e, relative @ e, HOLD * (p / start[live] - 1)]

        def jacobian(p):
            f = (full(p)[kind] * terms).sum(1)
            j = np.zeros((len(rows), live.sum()))
            for i, k in enumerate(kind):
                j[i, column[k][live[k]]] = terms[i][live[k]] / f[i]
            return np.r_[OWN * j, relative @ j, HOLD * np.diag(1 / start[live])]

        r = least_squares(residuals, start[live], jacobian, loss="soft_l1", f_scale=0.1,
                          bounds=(1e-6 * start[live], np.inf), x_scale=start[live])
        out = start.copy()
        out[live] = r.x
        return out

    def forecast(self, factors, rows):
        return (factors[self.kind[rows]] * self.terms[rows]).sum(1)

    def choices(self, ns):
        """For each matrix: the time of the format with the least forecast over that of the best; both formats."""
        out = {}
        for name, g in self.groups(range(len(ns))).items():
            best, chosen = min(g, key=lambda i: self.us[i]), min(g, key=lambda i: ns[i])
            out[name] = self.us[chosen] / self.us[best], self.format[best], self.format[chosen]
        return out


def relative_weights(data, rows):
    """The matrix from errors to differences from the mean error of a matrix; formats near the best count most."""
    w = np.zeros((len(rows), len(rows)))
    at = {i: k for k, i in enumerate(rows)}
    for g in data.groups(rows).values():
        k = [at[i] for i in g]
        share = (data.us[g].min() / data.us[g]) ** 2
        mean = share / share.sum()
        w[np.ix_(k, k)] = share[:, None] * (np.eye(len(k)) - mean[None, :])
    return w


def load(path):
    """{(type, level): Data}"""
    groups = defaultdict(list)
    for line in open(path):
        r = line.rstrip("\n").split("\t")
        groups[r[1], r[2]].append(r)
    return {k: Data(v) for k, v in groups.items()}


# --- output ---

MADE = "star box mesh uniform power rmat small communities tree band diagonals two_ three_ forty pareto staircase".split()


def kind_of(name):
    made = ":" in name or name.startswith(tuple(MADE)) or name == "bordered"
    return "unseen" if name.startswith("unseen_") else "made" if made else "real"


def report(what, choices):
    for kind in ("real", "made", "unseen"):
        v = sorted(((r[0], n, r[1], r[2]) for n, r in choices.items() if kind_of(n) == kind), reverse=True)
        if v:
            print("%s, %d %s: chosen over best %.3f, worst" % (what, len(v), kind, exp(sum(log(x[0]) for x in v) / len(v))),
                  ", ".join("%.2f %s (%s, chosen %s)" % x for x in v[:4]), file=sys.stderr)


def check(what, data):
    """Leave out a tenth of the matrices at a time."""
    names = sorted(set(data.name[data.seen]))
    ns = np.zeros(len(data.us))
    for k in range(10):
        out = np.isin(data.name, names[k::10])
        rows = np.flatnonzero(out)
        ns[rows] = data.forecast(data.fit(data.seen & ~out), rows)
    choices = data.choices(np.where(data.seen, ns, data.us))
    report("left out, " + what, {n: c for n, c in choices.items() if not n.startswith("unseen_")})


def nearest(tables, type_, level):
    """The table measured for this type and level, or the one that stands for it."""
    like = {"s": "sdcz", "d": "dszc", "c": "cdzs", "z": "zcds"}[type_]
    levels = sorted(LEVELS, key=lambda x: abs(LEVELS.index(x) - LEVELS.index(level)))
    return next((t, v) for v in levels for t in like if (t, v) in tables)


def print_table(tables):
    print("/* host_factors.h -- room: ext.  The factors of host_cost.h; written by test/kernel/fit_auto.py, see")
    print(" * docs/tuning.md.  Measured on: %s.  Only for host_cost.c. */" % MACHINE)
    print("static const struct psb_host_factors factors[PSB_SIMD_LEVELS][4][PSB_WORK_KINDS] = { /* s, d, c, z */")
    for level in LEVELS:
        print("    [PSB_SIMD_%s] = {" % level.upper())
        for t in TYPES:
            source = nearest(tables, t, level)
            print("        {" + ("" if source == (t, level) else " /* not measured: those of %s, %s */" % source))
            for k, row in zip(KINDS[1:], tables[source][1:]):
                print("            [PSB_WORK_%s] = { " % k + ", ".join("%.3g" % (x if x > 1e-5 else 0) for x in row) + " },")
            print("        },")
        print("    },")
    print("};")


MACHINE = "a Xeon (Sapphire Rapids)"


def main():
    if len(sys.argv) < 2 or sys.argv[1] in ("-h", "--help"):
        sys.exit("usage: fit_auto.py [--join LEVEL TIMES ... TERMS ... | [--check] auto.tsv]")
    if sys.argv[1] == "--join":
        return join(sys.argv[2], sys.argv[3:])
    tables = {}
    for (t, level), data in load(sys.argv[-1]).items():
        what = "type %s, %s" % (t, level)
        if sys.argv[1] == "--check":
            check(what, data)
            continue
        tables[t, level] = data.fit(data.seen)
        ns = data.forecast(tables[t, level], np.arange(len(data.us)))
        error = np.log(ns / (1e3 * data.us))
        print(what + ": error, %, root mean square:", ", ".join("%s %.0f" % (k, 100 * np.sqrt(np.mean(error[data.kind == i] ** 2)))
              for i, k in enumerate(KINDS) if np.any(data.kind == i)), file=sys.stderr)
        report(what, data.choices(ns))
    if tables:
        print_table(tables)


main()
