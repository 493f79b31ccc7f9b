#!/usr/bin/env python3
# fit_autog.py -- room: test/kernel.  Fits the factors of AUTOG's forecasts (cuda/abi/cost.h) to measured products.
#   fit_autog.py --join MACHINE TIMES ... TERMS ... >> autog.tsv
#                                     times of gpu_spmv --tsv on one of MACHINES, terms of gpu_terms, same matrices
#   fit_autog.py autog.tsv > cuda/abi/cost_factors.h       the table; errors and choices are reported on stderr
#   fit_autog.py --check autog.tsv                         the choice for each matrix by a fit without it, in tenths
# Matrices whose names begin with "last_" or "final_" are reported, and never fitted.  Needs NumPy and SciPy.
import sys
from collections import defaultdict
from itertools import product
from math import exp, log

import numpy as np
from scipy.optimize import least_squares

FORMATS = ["CSRG", "HLG", "ELG", "HYBG", "DIAG", "HDIAG", "BSRG", "HLGP"]
TYPES = "sdcz"
UNSEEN = "last_", "final_"
MACHINES = {"H100": 3352, "H200": 4917}  # GB/s of the memory; the first is used without a GPU
TERMS = ["second", "bytes", "padding", "vectors", "rows", "sectors", "misses", "far", "parts", "chain"]
FACTORS = ["launch", "second", "bytes", "cached", "padding", "vectors", "rows", "sectors", "misses", "far", "parts",
           "chain", "far_chain"]
START = [4000, 8000, 2.4e-4, 1.2e-4, 1.2e-4, 2.4e-4, 1e-3, 1e-3, 1e-3, 2e-3, 1e-3, 100, 100]
# A launch and a load from the cache are not free; few matrices have long rows of blocks.
LEAST = {f: [3000, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 150 if f == "BSRG" else 50, 0] for f in FORMATS}
# Bytes, rows and parts of diagonals grow together: the bandwidth of the memory is the limit of their factor for bytes.
DIAGONALS = ["DIAG", "HDIAG"]
SECTOR = 32  # bytes; sectors beyond the cache come from the memory: few matrices in HYBG have any
# On the H100, the first machine, stencils were measured, and matrices of 20 million entries and more; on the H200,
# which has the same multiprocessors and cache, with these kernels only the latter: its factors in FIXED are those of
# the H100, and the fit of the others is penalised for their distance from those of the H100; of factors in
# FROM_MEMORY, from those times the ratio of the bandwidths.
FIXED = {"H100": [], "H200": ["launch", "second", "cached"]}
FROM_MEMORY = ["bytes", "padding", "vectors"]
PENALTY = 0.05
COUNTS = {"HLGP": 1.04}  # AUTOG multiplies the forecast of a format by it, as in autog.c
MOST_SPREAD = 1.2  # between the rounds of a run: with more something else ran
LARGER = ["bytes", "padding", "vectors", "rows", "sectors", "misses", "far", "parts"]  # with copies of a matrix


def ramp(x, low, high):
    return np.clip((x - low) / (high - low), 0, 1)


def parts_of(terms, formats):
    """Columns: what each factor is multiplied by, as in psb_cost_ns."""
    t = dict(zip(TERMS, terms.T))
    memory = ramp(t["bytes"] + t["padding"] + t["vectors"], 25e6, np.where(formats == "CSRG", 35e6, 60e6))
    columns = [np.ones(len(terms)), t["second"], t["bytes"] * memory, t["bytes"] * (1 - memory)]
    columns += [t[name] for name in TERMS[2:]]
    return np.array(columns + [t["chain"] * memory]).T


def forecast(parts, c):
    return parts[:, :2] @ c[:2] + np.maximum(parts[:, 2:11] @ c[2:11], parts[:, 11:] @ c[11:])


def fit(parts, ns, least, fixed, prior):
    """The factors.  With a prior those in fixed are taken from it; without, those that the products do not show are 0."""
    live = np.flatnonzero(~np.isin(FACTORS, fixed) if prior is not None else parts.max(0) > 0)
    start = np.array(START)
    best = None

    def full(p):
        c = np.zeros(len(FACTORS)) if prior is None else prior.copy()
        c[live] = p
        return c

    def residuals(p):
        r = np.log(forecast(parts, full(p)) / ns)
        return r if prior is None else np.r_[r, PENALTY * ((p - prior[live]) / (prior[live] + 0.1 * start[live]))]

    for scale in (1, 0.3, 3):
        first = np.maximum(start[live] * np.where(live < 2, 1.2, scale), np.array(least)[live] * 1.1)
        r = least_squares(residuals, first, loss="soft_l1", f_scale=0.15, bounds=(np.array(least)[live], np.inf),
                          x_scale=start[live])
        if best is None or r.cost < best.cost:
            best = r
    return full(best.x)


# --- data: rows of machine, matrix, type, format, measured microseconds, terms ---

def join(machine, paths):
    if machine not in MACHINES:
        sys.exit("fit_autog.py: the machine is %s; expected one of %s" % (machine, ", ".join(MACHINES)))
    times, terms = {}, {}
    for path in paths:
        for line in open(path):
            v = line.rstrip("\n").split("\t")
            if len(v) == 4 + len(TERMS):
                terms[tuple(v[:3])] = [float(x) for x in v[3:]]
            elif v[0] != "matrix" and v[9] in FORMATS and v[12] != "nan" and float(v[17]) <= MOST_SPREAD:
                times[v[0], v[1], v[9]] = float(v[7]), 1e3 * float(v[12])
    for key, (entries, us) in times.items():
        if key not in terms:
            continue
        own, *t = terms[key]
        scaled = [x * entries / own if name in LARGER else x for name, x in zip(TERMS, t)]
        print(machine, *key, "%.2f" % us, *("%.5g" % x for x in scaled), sep="\t")


class Data:
    def __init__(self, path):
        rows = [line.rstrip("\n").split("\t") for line in open(path)]
        self.best = {}  # of all formats, in nanoseconds
        for r in rows:
            key = r[0], r[2], r[1]
            self.best[key] = min(self.best.get(key, np.inf), 1e3 * float(r[4]))
        # AUTOG takes HYBG for ELG if all entries are in its ELL part.
        rows = [r for r in rows if r[3] != "HYBG" or float(r[5 + TERMS.index("parts")])]
        self.machine, self.name, self.type, self.format = (np.array(column) for column in list(zip(*rows))[:4])
        self.ns = 1e3 * np.array([float(r[4]) for r in rows])
        terms = np.array([[float(x) for x in r[5:]] for r in rows])
        self.format[(self.format == "BSRG") & (terms[:, TERMS.index("parts")] == 0)] = "CSRG"  # has its kernel
        self.parts = parts_of(terms, self.format)
        self.seen = np.array([not r[1].startswith(UNSEEN) for r in rows])

    @staticmethod
    def prior(machine, first):
        """The factors to expect on a machine by those of the first one."""
        if first is None:
            return None
        ratio = next(iter(MACHINES.values())) / MACHINES[machine]
        return first * np.where(np.isin(FACTORS, FROM_MEMORY), ratio, 1)

    def fit(self, keep):
        """{(machine, format, type): factors} from the rows in keep."""
        out = {}
        for m, f, t in product(MACHINES, FORMATS, TYPES):
            mask = keep & (self.machine == m) & (self.format == f) & (self.type == t)
            prior = self.prior(m, out.get((next(iter(MACHINES)), f, t)))
            least = list(LEAST[f])
            if f in DIAGONALS:
                least[FACTORS.index("bytes")] = 1 / MACHINES[m]
            if f == "HYBG":
                least[FACTORS.index("far")] = SECTOR / MACHINES[m]
            out[m, f, t] = fit(self.parts[mask], self.ns[mask], least, FIXED[m], prior)
        return out

    def forecast(self, factors, rows):
        return np.array([forecast(self.parts[i:i + 1], factors[self.machine[i], self.format[i], self.type[i]])[0]
                         for i in rows])

    def choices(self, forecast):
        """For each (machine, type, matrix): the time of the best format over that of the one with the least forecast."""
        groups = defaultdict(list)
        ns = forecast * np.array([COUNTS.get(f, 1) for f in self.format])
        for i in range(len(ns)):
            groups[self.machine[i], self.type[i], self.name[i]].append(i)
        return {k: (self.best[k] / self.ns[min(g, key=lambda i: ns[i])], self.format[min(g, key=lambda i: self.ns[i])],
                    self.format[min(g, key=lambda i: ns[i])]) for k, g in groups.items()}


def report(choices):
    for m, t in product(MACHINES, TYPES):
        mine = {k[2]: v for k, v in choices.items() if k[:2] == (m, t)}
        if not mine:
            continue
        for kind, keep in (("files", lambda n: ":" not in n), ("unseen", lambda n: n.startswith(UNSEEN)),
                           ("generated", lambda n: ":" in n)):
            v = sorted((r[0], n, r[1], r[2]) for n, r in mine.items() if keep(n))
            if not v:
                continue
            print("%s %s, %d %s: best over chosen %.3f, worst" % (m, t, len(v), kind,
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
    left = {k: v for k, v in data.choices(np.where(keep, ns, data.ns)).items() if not k[2].startswith(UNSEEN)}
    for m, t in product(MACHINES, TYPES):
        v = sorted((r[0], k[2], r[1], r[2]) for k, r in left.items() if k[:2] == (m, t))
        print("left out, %s, %s, %d matrices: best over chosen %.3f, worst" % (m, t, len(v),
              exp(sum(log(x[0]) for x in v) / len(v))), ", ".join("%.3f %s (%s, chosen %s)" % x for x in v[:5]))


def print_table(factors):
    print("/* cost_factors.h -- room: cuda/abi.  The factors of cost.h, measured on the machines named; written by")
    print(" * test/kernel/fit_autog.py, see docs/decisions.  Only for cost.c. */")
    print("static const struct psb_cost_machine machines[] = {")
    for m, gbs in MACHINES.items():
        print("    { .name = \"%s\", .gbs = %d, .factors = { /* s, d, c, z */" % (m, gbs))
        for f in FORMATS:
            print("    [PSB_COST_%s] = {" % f)
            for t in TYPES:
                print("        { " + ", ".join("%.3g" % (x if x > 1e-7 else 0) for x in factors[m, f, t]) + " },")
            print("    },")
        print("    } },")
    print("};")


def main():
    if len(sys.argv) < 2 or sys.argv[1] in ("-h", "--help"):
        sys.exit("usage: fit_autog.py [--join MACHINE TIMES ... TERMS ... | [--check] autog.tsv]")
    if sys.argv[1] == "--join":
        return join(sys.argv[2], sys.argv[3:])
    data = Data(sys.argv[-1])
    if sys.argv[1] == "--check":
        return check(data)
    factors = data.fit(data.seen)
    ns = data.forecast(factors, range(len(data.ns)))
    for m, f in product(MACHINES, FORMATS):
        error = np.log(ns / data.ns)[(data.machine == m) & (data.format == f)]
        print("%s %s: error %.0f %% (root mean square)" % (m, f, 100 * np.sqrt(np.mean(error ** 2))), file=sys.stderr)
    report(data.choices(ns))
    print_table(factors)


main()
