#!/usr/bin/env python3
# fit_auto.py -- room: test/kernel.  Fits the factors of AUTO's forecasts (ext/host_cost.h) to measured products.
#   fit_auto.py --join MACHINE LEVEL auto.tsv TIMES ... TERMS ... > new.tsv    auto.tsv with the times of host_spmv --tsv and
#                                                  the terms of host_terms added or replaced: the same matrices and vector
#                                                  instructions (plain, avx2, avx512); MACHINE: xeon, epyc
#   fit_auto.py auto.tsv > ext/host_factors.h      the table; errors and choices are reported on stderr
#   fit_auto.py --check auto.tsv                   the choice for each matrix by a fit without it, in tenths
# Of several times in one call the least counts.  Each machine has factors of its own.  Matrices whose names begin with
# "last_" or "final_" are reported, and never fitted.  Needs NumPy and SciPy.
import sys
from collections import defaultdict
from itertools import product
from math import exp, log

import numpy as np
from scipy.optimize import least_squares

KINDS = ["OWN", "CSR_SHORT", "CSR", "CSR_LONG", "ELL", "HLL", "SELL", "HYB", "DIA", "HDIA", "BSR_ONE", "BSR", "BSR_LARGE"]
LEVELS = ["plain", "avx2", "avx512"]
TYPES = "sdcz"
HELD_OUT = "last_", "final_"
MACHINES = {"xeon": "INTEL", "epyc": "OTHER"}  # Sapphire Rapids, Zen 4: which processors use the factors
KEY = ["matrix", "type", "level", "format", "kind"]
TERMS = ["lines", "steps", "changes", "parts", "near", "far", "bytes", "beyond2", "beyond3"]
# Where the measurements do not tell, factors stay near these, in nanoseconds.
START = {kind: [1, 1, 3, 0.5, 0.5, 1, 0.005, 0.02, 0.02] for kind in KINDS}
START["HYB"] = [2, 2, 5, 2, 0.5, 1, 0.005, 0.02, 0.02]
for kind in ("ELL", "HLL", "SELL"):
    START[kind] = [2, 2, 5, 0, 0.5, 1, 0.005, 0.02, 0.02]
START["ELL"][3] = 15  # a piece of a column
for kind in ("DIA", "HDIA"):
    START[kind] = [20, 0.1, 0, 3, 0, 0, 0.005, 0.02, 0.02]  # x is read along the diagonals
for kind in ("BSR", "BSR_LARGE", "BSR_ONE"):
    START[kind] = [2, 0.1, 3, 0.5, 0.2, 0.5, 0.005, 0.02, 0.02]
OWN, HOLD = 0.15, 0.1  # weights: of the error itself, beside that relative to other formats; of START


# --- data: a line of auto.tsv is KEY, measured microseconds on each of MACHINES ("-": not measured), TERMS ---

def lines_of(path):
    """{(matrix, type, level, format): [kind, {machine: microseconds}, terms]}"""
    lines, n = {}, len(MACHINES)
    for line in open(path):
        v = line.rstrip("\n").split("\t")
        if v[0] != KEY[0]:
            us = {m: x for m, x in zip(MACHINES, v[len(KEY):len(KEY) + n]) if x != "-"}
            lines[tuple(v[:4])] = [v[4], us, v[len(KEY) + n:]]
    return lines


def join(machine, level, known, paths):
    if machine not in MACHINES or level not in LEVELS:
        sys.exit("fit_auto.py: the machine is %s, the level %s; expected one of %s, one of %s" %
                 (machine, level, ", ".join(MACHINES), ", ".join(LEVELS)))
    times, lines = {}, lines_of(known)
    for path in paths:
        for line in open(path):
            v = line.rstrip("\n").split("\t")
            if len(v) == 6 + len(TERMS):
                key = v[0], v[1], level, v[3]
                us = lines[key][1] if key in lines else {}
                if v[2] == level:
                    lines[key] = [KINDS[int(v[4])], us, ["%.5g" % float(x) for x in v[6:]]]
            elif v[0] != "matrix" and v[10] != "nan":
                key = v[0], v[1], level, v[8]
                times[key] = min(times.get(key, np.inf), 1e3 * float(v[10]))
    for key, us in times.items():
        if key in lines:
            lines[key][1][machine] = "%.2f" % us
    print(*KEY, *MACHINES, *TERMS, sep="\t")
    for key, (kind, us, terms) in lines.items():
        if us:
            print(*key, kind, *(us.get(m, "-") for m in MACHINES), *terms, sep="\t")


class Data:
    """The products of one machine, type and level."""

    def __init__(self, rows):
        """rows: matrix, format, kind, microseconds, terms"""
        self.name = np.array([r[0] for r in rows])
        self.format = np.array([r[1] for r in rows])
        self.kind = np.array([KINDS.index(r[2]) for r in rows])
        self.us = np.array([float(r[3]) for r in rows])
        self.terms = np.array([[float(x) for x in r[4]] for r in rows])
        self.seen = np.array([not r[0].startswith(HELD_OUT) for r in rows])

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
    """{(machine, type, level): Data}"""
    groups = defaultdict(list)
    for (name, t, level, fmt), (kind, us, terms) in lines_of(path).items():
        for m in us:
            groups[m, t, level].append([name, fmt, kind, us[m], terms])
    return {k: Data(v) for k, v in groups.items()}


# --- output ---

MADE = "star box mesh uniform power rmat small communities tree band diagonals two_ three_ forty pareto staircase".split()


def kind_of(name):
    made = ":" in name or name.startswith(("unseen_",) + tuple(MADE)) or name == "bordered"
    return "held out" if name.startswith(HELD_OUT) else "made" if made else "real"


def report(what, data, ns):
    choices = data.choices(ns)
    for kind in ("real", "made", "held out"):
        v = sorted(((r[0], n, r[1], r[2]) for n, r in choices.items() if kind_of(n) == kind), reverse=True)
        if v:
            mean = exp(sum(log(x[0]) for x in v) / len(v))
            print("%s, %d %s: chosen over best %.3f, worst" % (what, len(v), kind, mean),
                  ", ".join("%.2f %s (%s, chosen %s)" % x for x in v[:4]), file=sys.stderr)


def check(what, data):
    """Leave out a tenth of the matrices at a time; those held out always."""
    names = sorted(set(data.name[data.seen]))
    ns = data.forecast(data.fit(data.seen), np.arange(len(data.us)))
    for k in range(10):
        out = np.isin(data.name, names[k::10])
        rows = np.flatnonzero(out)
        ns[rows] = data.forecast(data.fit(data.seen & ~out), rows)
    report("left out, " + what, data, ns)


def nearest(tables, machine, type_, level):
    """The table measured for these, or the one that stands for it."""
    like = {"s": "sdcz", "d": "dszc", "c": "cdzs", "z": "zcds"}[type_]
    levels = sorted(LEVELS, key=lambda x: abs(LEVELS.index(x) - LEVELS.index(level)))
    machines = sorted(MACHINES, key=lambda m: m != machine)
    return next(k for k in product(machines, levels, like) if (k[0], k[2], k[1]) in tables)


def print_table(tables):
    print("/* host_factors.h -- room: ext.  The factors of host_cost.h, measured on a Xeon (Sapphire Rapids), for")
    print(" * processors of Intel, and on an EPYC (Zen 4), for others; written by test/kernel/fit_auto.py, see")
    print(" * docs/decisions.  Only for host_cost.c. */")
    print("static const struct psb_host_factors factors[PSB_CPU_VENDORS][PSB_SIMD_LEVELS][4][PSB_WORK_KINDS] = { /* s, d, c, z */")
    for m in MACHINES:
        print("    [PSB_CPU_%s] = {" % MACHINES[m])
        for level in LEVELS:
            print("        [PSB_SIMD_%s] = {" % level.upper())
            for t in TYPES:
                machine, of_level, of_type = nearest(tables, m, t, level)
                copied = (machine, of_type, of_level) != (m, t, level)
                print("            {" + (" /* not measured: those of %s, %s, %s */" % (machine, of_type, of_level)) * copied)
                for k, row in zip(KINDS[1:], tables[machine, of_type, of_level][1:]):
                    print("                [PSB_WORK_%s] = { " % k + ", ".join("%.3g" % (x if x > 1e-5 else 0) for x in row) + " },")
                print("            },")
            print("        },")
        print("    },")
    print("};")


def main():
    if len(sys.argv) < 2 or sys.argv[1] in ("-h", "--help"):
        sys.exit("usage: fit_auto.py [--join MACHINE LEVEL auto.tsv TIMES ... TERMS ... | [--check] auto.tsv]")
    if sys.argv[1] == "--join":
        return join(sys.argv[2], sys.argv[3], sys.argv[4], sys.argv[5:])
    tables = {}
    for (m, t, level), data in sorted(load(sys.argv[-1]).items()):
        what = "%s, type %s, %s" % (m, t, level)
        if sys.argv[1] == "--check":
            check(what, data)
            continue
        tables[m, t, level] = data.fit(data.seen)
        ns = data.forecast(tables[m, t, level], np.arange(len(data.us)))
        error = np.log(ns / (1e3 * data.us))
        print(what + ": error, %, root mean square:", ", ".join("%s %.0f" % (k, 100 * np.sqrt(np.mean(error[data.kind == i] ** 2)))
              for i, k in enumerate(KINDS) if np.any(data.kind == i)), file=sys.stderr)
        report(what, data, ns)
    if tables:
        print_table(tables)


if __name__ == "__main__":
    main()
