#!/usr/bin/env python3
# made_matrices.py -- room: test/kernel.  Writes 48 matrices of many kinds as Matrix Market patterns, to be
# multiplied besides the real ones.  No forecast is fitted to those whose names begin with "last_", and none of the
# host to those that begin with "unseen_".  Kernels were tuned without the former, but for last_wide_rows and
# last_mesh3d_3u since 2026-11-26.
#   made_matrices.py DIR        needs NumPy and SciPy
import sys
from pathlib import Path

import numpy as np
import scipy.sparse as sp
from scipy.spatial import Delaunay


def rng(seed):
    return np.random.default_rng(seed)


def from_pairs(i, j, m, n):
    return sp.coo_matrix((np.ones(len(i), dtype=np.int8), (i, j)), shape=(m, n)).tocsr()


def symmetric(i, j, n):
    return from_pairs(np.r_[i, j, np.arange(n)], np.r_[j, i, np.arange(n)], n, n)


def shuffled(a, seed):
    p = rng(seed).permutation(a.shape[0])
    return a[p][:, p]


def with_unknowns(a, k):
    return sp.kron(a, np.ones((k, k), dtype=np.int8)).tocsr()


# --- grids and meshes ---

def grid(shape, offsets):
    n = int(np.prod(shape))
    at = np.indices(shape).reshape(len(shape), -1)
    i, j = [], []
    for o in offsets:
        to = at + np.array(o)[:, None]
        ok = np.all((to >= 0) & (to < np.array(shape)[:, None]), axis=0)
        i.append(np.flatnonzero(ok))
        j.append(np.ravel_multi_index(to[:, ok], shape))
    return from_pairs(np.concatenate(i), np.concatenate(j), n, n)


def star(dim, reach):
    offsets = [(0,) * dim]
    for d in range(dim):
        for r in range(-reach, reach + 1):
            if r:
                offsets.append(tuple(r if k == d else 0 for k in range(dim)))
    return offsets


def box(dim):
    return [tuple(k - 1 for k in o) for o in np.ndindex(*([3] * dim))]


def mesh(n, dim, seed, order):
    points = rng(seed).random((n, dim))
    if order:
        cells = np.floor(points * 24).astype(int)
        points = points[np.lexsort(cells.T)]
    t = Delaunay(points).simplices
    pairs = [(t[:, a], t[:, b]) for a in range(dim + 1) for b in range(a)]
    return symmetric(np.concatenate([p[0] for p in pairs]), np.concatenate([p[1] for p in pairs]), n)


def holes(a, share, seed):
    a = a.tocoo()
    keep = (rng(seed).random(a.nnz) >= share) | (a.row == a.col)
    return from_pairs(a.row[keep], a.col[keep], *a.shape)


# --- graphs ---

def uniform_graph(n, degree, seed):
    g = rng(seed)
    return symmetric(g.integers(0, n, n * degree // 2), g.integers(0, n, n * degree // 2), n)


def power_graph(n, degree, exponent, seed):
    g = rng(seed)
    w = np.arange(1, n + 1) ** (-1 / (exponent - 1))
    w = g.permutation(w / w.sum())
    k = n * degree // 2
    return symmetric(g.choice(n, k, p=w), g.choice(n, k, p=w), n)


def rmat(scale, degree, seed):
    g, n = rng(seed), 1 << scale
    i, j = np.zeros((2, n * degree), dtype=np.int64)
    for _ in range(scale):
        q = g.random(n * degree)
        i = 2 * i + (q >= 0.76)
        j = 2 * j + (((q >= 0.57) & (q < 0.76)) | (q >= 0.95))
    return from_pairs(i, j, n, n)


def small_world(n, k, share, seed):
    g = rng(seed)
    i = np.repeat(np.arange(n), k)
    j = (i + np.tile(np.arange(1, k + 1), n)) % n
    far = g.random(len(j)) < share
    j[far] = g.integers(0, n, far.sum())
    return symmetric(i, j, n)


def communities(n, size, inside, outside, seed):
    g = rng(seed)
    i = np.repeat(np.arange(n), inside)
    j = i // size * size + g.integers(0, size, len(i))
    return symmetric(np.r_[i, g.integers(0, n, n * outside)], np.r_[np.minimum(j, n - 1), g.integers(0, n, n * outside)],
                     n)


def tree(n, seed):
    g = rng(seed)
    child = np.arange(1, n)
    return symmetric(child, (child * g.random(n - 1)).astype(int), n)


# --- others ---

def banded(n, offsets, share, seed):
    return holes(sp.diags([1] * len(offsets), offsets, shape=(n, n), dtype=np.int8), share, seed)


def lengths(n, m, lens, seed):
    g = rng(seed)
    i = np.repeat(np.arange(n), lens)
    return from_pairs(i, g.integers(0, m, len(i)), n, m)


def near(n, lens, width, seed):
    g = rng(seed)
    i = np.repeat(np.arange(n), lens)
    j = np.clip(i + np.rint(g.normal(0, width, len(i))).astype(int), 0, n - 1)
    return from_pairs(i, j, n, n)


def staircase(steps, rows, cols, k, seed):
    g = rng(seed)
    i = np.repeat(np.arange(steps * rows), k)
    j = i // rows * cols + g.integers(0, 2 * cols, len(i))
    return from_pairs(i, j, steps * rows, (steps + 1) * cols)


def bordered(a, width, fill, seed):
    g, n = rng(seed), a.shape[0]
    b = from_pairs(g.integers(0, width, fill), g.integers(0, n, fill), width, n)
    return sp.bmat([[a, b.T], [b, sp.identity(width, dtype=np.int8)]]).tocsr()


def pareto(n, mean, shape, most, seed):
    return np.minimum(1 + (mean - 1) * (shape - 1) * rng(seed).pareto(shape, n), most).astype(int)


MATRICES = {
    "star5_2d": lambda: grid((400, 400), star(2, 1)),
    "box9_2d": lambda: grid((300, 300), box(2)),
    "star13_3d": lambda: grid((40, 40, 40), star(3, 2)),
    "box27_3u": lambda: with_unknowns(grid((14, 14, 14), box(3)), 3),
    "mesh2d": lambda: mesh(60000, 2, 1, True),
    "mesh3d": lambda: mesh(20000, 3, 2, True),
    "mesh2d_shuffled": lambda: mesh(60000, 2, 3, False),
    "mesh3d_2u": lambda: with_unknowns(mesh(6000, 3, 4, True), 2),
    "star7_holes": lambda: holes(grid((40, 40, 40), star(3, 1)), 0.3, 5),
    "uniform8": lambda: uniform_graph(60000, 8, 6),
    "power21": lambda: power_graph(40000, 12, 2.1, 7),
    "power26": lambda: power_graph(60000, 8, 2.6, 8),
    "rmat15": lambda: rmat(15, 12, 9),
    "small_world": lambda: small_world(50000, 5, 0.1, 10),
    "communities": lambda: communities(30000, 60, 8, 2, 11),
    "tree": lambda: tree(150000, 12),
    "band_holes": lambda: banded(30000, range(-12, 13), 0.5, 13),
    "diagonals_far": lambda: banded(60000, (-9000, -500, -3, -1, 0, 1, 3, 500, 9000), 0, 14),
    "two_each": lambda: lengths(200000, 40000, np.full(200000, 2), 15),
    "three_each": lambda: lengths(150000, 150000, np.full(150000, 3), 16),
    "forty_each": lambda: lengths(8000, 8000, np.full(8000, 40), 17),
    "pareto_near": lambda: near(40000, pareto(40000, 10, 2.0, 3000, 18), 60, 19),
    "staircase": lambda: staircase(60, 600, 400, 4, 20),
    "bordered": lambda: bordered(grid((200, 200), star(2, 1)), 20, 60000, 21),
    "unseen_star9_2d": lambda: grid((300, 300), star(2, 2)),
    "unseen_mesh3d_4u": lambda: with_unknowns(mesh(2500, 3, 22, True), 4),
    "unseen_mesh2d_3u": lambda: with_unknowns(mesh(8000, 2, 23, False), 3),
    "unseen_grid_shuffled": lambda: shuffled(grid((300, 300), star(2, 1)), 24),
    "unseen_power23": lambda: power_graph(50000, 16, 2.3, 25),
    "unseen_rmat14": lambda: rmat(14, 24, 26),
    "unseen_small_world": lambda: small_world(40000, 8, 0.4, 27),
    "unseen_communities": lambda: communities(40000, 400, 12, 1, 28),
    "unseen_wide_rows": lambda: lengths(1500, 60000, np.full(1500, 300), 29),
    "unseen_pareto_far": lambda: lengths(50000, 50000, pareto(50000, 8, 1.6, 8000, 30), 31),
    "unseen_near_even": lambda: near(40000, rng(32).integers(8, 17, 40000), 200, 33),
    "unseen_one_dense_row": lambda: bordered(banded(60000, (-1, 0, 1), 0, 34), 1, 40000, 35),
    "last_star7_3d": lambda: grid((70, 70, 70), star(3, 1)),
    "last_grid_shuffled": lambda: shuffled(grid((60, 60, 60), star(3, 1)), 41),
    "last_rmat18": lambda: rmat(18, 6, 42),
    "last_uniform": lambda: uniform_graph(300000, 5, 43),
    "last_power22": lambda: power_graph(250000, 6, 2.2, 44),
    "last_mesh3d": lambda: mesh(60000, 3, 45, True),
    "last_mesh3d_3u": lambda: with_unknowns(mesh(8000, 3, 46, True), 3),
    "last_small_world": lambda: small_world(200000, 4, 0.05, 47),
    "last_wide_rows": lambda: lengths(3000, 200000, np.full(3000, 200), 48),
    "last_pareto_near": lambda: near(100000, pareto(100000, 12, 2.2, 4000, 49), 3000, 50),
    "last_diagonals_far": lambda: banded(150000, (-70000, -1, 0, 1, 70000), 0.1, 51),
    "last_bordered": lambda: bordered(mesh(30000, 2, 52, True), 8, 80000, 53),
}


def write(a, path):
    a = a.tocoo()
    with open(path, "w") as f:
        f.write("%%%%MatrixMarket matrix coordinate pattern general\n%d %d %d\n" % (*a.shape, a.nnz))
        np.savetxt(f, np.c_[a.row + 1, a.col + 1], fmt="%d")


def main():
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        sys.exit("usage: made_matrices.py DIR")
    to = Path(sys.argv[1])
    to.mkdir(parents=True, exist_ok=True)
    for name, make in MATRICES.items():
        a = make()
        a.sum_duplicates()
        write(a, to / (name + ".mtx"))
        print(name, *a.shape, a.nnz)


main()
