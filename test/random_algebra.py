"""random_algebra.py -- compute with SciPy what random_algebra.c has written to the standard input.

    random_algebra.py < STREAM

A result must have the expected entries; a value may differ by 400 eps times the sum of the moduli of the products of
which it is a sum.
"""
import sys

import numpy as np
import scipy.sparse as sp

TOLERANCE = 400 * np.finfo(float).eps


class Matrix:
    """Values, moduli and the pattern, which includes zeros that are stored, in CSR."""

    def __init__(self, value, size, stored):
        self.value, self.size, self.stored = sp.csr_matrix(value), sp.csr_matrix(size), sp.csr_matrix(stored)

    def each(self, f):
        return Matrix(f(self.value), f(self.size), f(self.stored))

    def op(self, trans):
        return self if trans == "N" else self.each(lambda x: x.T if trans == "T" else x.T.conj())

    def __matmul__(self, b):
        return Matrix(self.value @ b.value, self.size @ b.size, self.stored @ b.stored)

    def __add__(self, b):
        return Matrix(self.value + b.value, self.size + b.size, self.stored + b.stored)

    def times(self, s):
        return Matrix(s * self.value, abs(s) * self.size, self.stored)

    def where(self, keep):
        """The entries of a dense pattern, which may have more."""
        return self.each(lambda x: x.multiply(keep))

    def entries(self):
        """Rows, columns, moduli in the order of rows."""
        i, j = self.stored.toarray().nonzero()
        return i, j, self.size.toarray()[i, j]


def masked(product, mask):
    return Matrix(product.value.multiply(mask.stored != 0), product.size.multiply(mask.stored != 0), mask.stored)


def diagonal(d):
    return Matrix(sp.diags(d), sp.diags(abs(d)), sp.diags(np.ones(len(d))))


def distances(a):
    i, j = np.indices(a.value.shape)
    return j - i


def largest(keep, group, size, count):
    """Keep count(n) of the n entries of each group with the largest moduli, the first of equal ones."""
    for g in np.unique(group):
        own = np.flatnonzero(group == g)
        keep[own[np.argsort(-size[own], kind="stable")][: count(len(own))]] = True


def pruned(a, rule, t, with_diagonal):
    i, j, size = a.entries()
    dense = a.size.toarray()
    candidates = np.flatnonzero(i != j) if with_diagonal else np.arange(len(i))
    keep = np.zeros(len(i), bool)
    some = np.zeros(len(candidates), bool)
    r, s = i[candidates], size[candidates]
    if rule == 0:
        some = s > t
    elif rule == 1:
        largest(some, np.zeros(len(s)), s, lambda n: int(np.ceil(n * t / 100)))
    elif rule == 2:
        largest(some, r, s, lambda n: int(t))
    elif rule == 3:
        d = np.zeros(dense.shape[0])
        d[: min(dense.shape)] = dense.diagonal()
        some = s > t * d[r]
    else:
        some = s > t * np.sqrt((dense**2).sum(axis=1))[r]
    keep[candidates] = some
    keep |= with_diagonal & (i == j)
    pattern = np.zeros(dense.shape)
    pattern[i[keep], j[keep]] = 1
    return a.where(pattern)


class Words:
    """The arguments of a call, in order."""

    def __init__(self, words, slots):
        self.words, self.slots = iter(words), slots

    def word(self):
        return next(self.words)

    def int(self):
        return int(self.word())

    def scalar(self):
        return complex(float(self.word()), float(self.word()))

    def scalars(self, n):
        return np.array([self.scalar() for _ in range(n)])

    def list(self):
        return [self.int() for _ in range(self.int())]

    def matrix(self):
        k = self.int()
        return self.slots[k] if k >= 0 else None


def spgemm(w, to):
    alpha, a, ta, b, tb, beta, d, mask = (f() for f in (w.scalar, w.matrix, w.word, w.matrix, w.word, w.scalar,
                                                          w.matrix, w.matrix))
    c = (a.op(ta) @ b.op(tb)).times(alpha)
    c = c + d.times(beta) if d else c
    return masked(c, mask) if mask else c


def sprap(w, to):
    r, a, p = w.matrix(), w.matrix(), w.matrix()
    return (r or p.op("C")) @ a @ p


def spaxpby(w, to):
    alpha, a, beta = w.scalar(), w.matrix(), w.scalar()
    return a.times(alpha) + to.times(beta)


def spscalv(w, to):
    side, (m, n) = w.word(), to.value.shape
    return diagonal(w.scalars(m)) @ to if side == "L" else to @ diagonal(w.scalars(n))


def scalpid(w, to):
    n = to.value.shape[0]
    return to.times(w.scalar()) + diagonal(np.ones(n))


def csclip(w, to):
    a, i, m, j, n = w.matrix(), w.int(), w.int(), w.int(), w.int()
    pattern = np.zeros(a.value.shape)
    pattern[i:m, j:n] = 1
    return a.where(pattern)


def csclip_list(w, to):
    a, rows, cols = w.matrix(), w.list(), w.list()
    return a.each(lambda x: x[rows][:, cols])


def kron(w, to):
    a, m, n = w.matrix(), w.int(), w.int()
    b = w.scalars(m * n).reshape(m, n)
    return Matrix(sp.kron(a.value, b), sp.kron(a.size, abs(b)), sp.kron(a.stored, np.ones((m, n))))


def of_operand(f):
    """A call with one matrix, then integers."""
    return lambda w, to: f(w.matrix(), *map(int, w.words))


CALLS = {
    "spgemm": spgemm,
    "sprap": sprap,
    "spaxpby": spaxpby,
    "spscalv": spscalv,
    "scalpid": scalpid,
    "csclip": csclip,
    "csclip_list": csclip_list,
    "kron": kron,
    "spscal": lambda w, to: to.times(w.scalar()),
    "clean_zeros": lambda w, to: to.where(to.value.toarray() != 0),
    "prune": lambda w, to: pruned(to, w.int(), float(w.word()), bool(w.int())),
    "copy": of_operand(lambda a: a),
    "transp": of_operand(lambda a: a.op("T")),
    "transc": of_operand(lambda a: a.op("C")),
    "tril": of_operand(lambda a, k: a.where(distances(a) <= k)),
    "triu": of_operand(lambda a, k: a.where(distances(a) >= k)),
    "clip_diag": of_operand(lambda a: a.where(distances(a) != 0)),
}


def read(lines):
    """A matrix in Matrix Market form; its entries differ."""
    parts = 4 if "complex" in next(lines) else 3
    m, n, nz = map(int, next(lines).split())
    e = np.array([next(lines).split() for _ in range(nz)], float).reshape(nz, parts)
    at = e[:, 0].astype(int) - 1, e[:, 1].astype(int) - 1
    v = e[:, 2] + 1j * e[:, 3] if parts == 4 else e[:, 2]
    make = lambda x: sp.csr_matrix((x, at), (m, n))
    stored = make(np.ones(nz))
    if (stored.data > 1).any():
        raise ValueError("an entry is written twice")
    return Matrix(make(v), make(abs(v)), stored)


def why_wrong(got, want):
    if got.value.shape != want.value.shape:
        return f"is {got.value.shape}; expected {want.value.shape}"
    differ = (got.stored.toarray() != 0) != (want.stored.toarray() != 0)
    error = abs(got.value.toarray() - want.value.toarray()) - TOLERANCE * want.size.toarray()
    if differ.any():
        return f"has another pattern, first at {np.argwhere(differ)[0]}"
    return f"is off by {error.max()} at {np.argwhere(error > 0)[0]}" if (error > 0).any() else None


def main():
    lines, slots, count, failures = iter(sys.stdin), {}, 0, 0
    for line in lines:
        call, k, *arguments = line.split()
        want = CALLS[call](Words(arguments, slots), slots.get(int(k))) if call != "new" else None
        slots[int(k)] = read(lines)
        why = want and why_wrong(slots[int(k)], want)
        count += 1
        if why:
            failures += 1
            print(f"FAIL: call {count}, {line.strip()}: the result {why}")
    print(f"{count} calls, {failures} wrong results")
    return failures > 0 or count == 0


if __name__ == "__main__":
    sys.exit(main())
