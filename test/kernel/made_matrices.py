#!/usr/bin/env python3
# made_matrices.py -- test/kernel: writes 62 matrices of many kinds as Matrix Market patterns, to be multiplied besides
# the real ones.  Kernels were tuned without those whose names begin with "last_", but for last_wide_rows and
# last_mesh3d_3u, or with "final_".
#   made_matrices.py DIR        needs NumPy and SciPy
import sys
from pathlib import Path

import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import breadth_first_order, minimum_spanning_tree
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


def with_unlike_unknowns(a, counts):
    k = counts.sum()
    e = from_pairs(np.arange(k), np.repeat(np.arange(a.shape[0]), counts), k, a.shape[0])
    return e @ a @ e.T


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


def edges(t):
    pairs = [(t[:, a], t[:, b]) for a in range(t.shape[1]) for b in range(a)]
    return np.concatenate([p[0] for p in pairs]), np.concatenate([p[1] for p in pairs])


def mesh(n, dim, seed, order):
    points = rng(seed).random((n, dim))
    if order:
        cells = np.floor(points * 24).astype(int)
        points = points[np.lexsort(cells.T)]
    return symmetric(*edges(Delaunay(points).simplices), n)


def cells(n, seed):
    """The tetrahedra of a mesh of n points, each with its neighbours, in Morton order."""
    points = rng(seed).random((n, 3))
    t = Delaunay(points)
    at = np.floor(points[t.simplices].mean(axis=1) * 1024).astype(int)
    code = sum((at[:, d] >> b & 1) << (3 * b + d) for d in range(3) for b in range(10))
    i, side = np.nonzero(t.neighbors >= 0)
    a = symmetric(i, t.neighbors[i, side], len(code))
    order = np.argsort(code, kind="stable")
    return a[order][:, order]


def refined(k, share, seed):
    """k x k x k cells, a share of them in 8 parts, each with its neighbours by faces."""
    at = np.indices((2 * k,) * 3).reshape(3, -1)
    cell = np.ravel_multi_index(at // 2, (k,) * 3)
    part = np.where((rng(seed).random(k**3) < share)[cell], np.ravel_multi_index(at % 2, (2,) * 3), 0)
    number = np.unique(8 * cell + part, return_inverse=True)[1].ravel()
    a = grid((2 * k,) * 3, star(3, 1)).tocoo()
    return from_pairs(number[a.row], number[a.col], number.max() + 1, number.max() + 1)


def elements(k, order):
    """The nodes of each of k x k square elements."""
    e, d = np.divmod(np.arange(k * (order + 1)), order + 1)
    e = from_pairs(e, e * order + d, k, k * order + 1)
    return sp.kron(e, e).tocsr()


def stokes(k):
    v, p = elements(k, 2), elements(k, 1)
    a, b = v.T @ v, p.T @ v
    return sp.bmat([[a, None, b.T], [None, a, b.T], [b, b, None]]).tocsr()


def dissected(at):
    if at.size <= 8:
        return at.ravel()
    if at.shape[0] < at.shape[1]:
        at = at.T
    k = at.shape[0] // 2
    return np.r_[dissected(at[:k]), dissected(at[k + 1:]), at[k]]


def factor(a):
    """The lower triangle of a with its fill, column by column along the elimination tree."""
    n, a = a.shape[0], sp.tril(a).tocsc()
    columns, below = [], [[] for _ in range(n)]
    for j in range(n):
        c = np.unique(np.concatenate([a.indices[a.indptr[j]:a.indptr[j + 1]]] + below[j]))
        columns.append(c)
        if len(c) > 1:
            below[c[1]].append(c[1:])
    return from_pairs(np.concatenate(columns), np.repeat(np.arange(n), [len(c) for c in columns]), n, n)


def grid_factor(k):
    order = dissected(np.arange(k * k).reshape(k, k))
    return factor(grid((k, k), star(2, 1))[order][:, order])


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


def ratings(users, items, lens, seed):
    g = rng(seed)
    w = g.permutation(np.arange(1, items + 1) ** -0.8)
    i = np.repeat(np.arange(users), lens)
    return from_pairs(i, g.choice(items, len(i), p=w / w.sum()), users, items)


def web(n, host, lens, far, seed):
    """Pages link within their host, to pages close by and to its first one; a share links to another host's first."""
    g = rng(seed)
    first = np.r_[0, np.flatnonzero(g.random(n - 1) < 1 / host) + 1]
    i = np.repeat(np.arange(n), lens)
    h = np.searchsorted(first, i, side="right") - 1
    j = np.clip(i + np.rint(g.laplace(0, host / 4, len(i))).astype(int), first[h], np.r_[first[1:], n][h] - 1)
    other = g.random(len(i)) < far
    w = g.permutation(1 / np.arange(1, len(first) + 1))
    j[other] = first[g.choice(len(first), other.sum(), p=w / w.sum())]
    return from_pairs(i, j, n, n)


def roads(n, share, seed):
    """A spanning tree of short edges and a share of the other edges of a plane mesh, in the order of a breadth-first
    search, without a diagonal."""
    g = rng(seed)
    points = g.random((n, 2))
    a = sp.triu(symmetric(*edges(Delaunay(points).simplices), n), 1).tocoo()
    length = np.hypot(*(points[a.row] - points[a.col]).T)
    t = minimum_spanning_tree(sp.coo_matrix((length, (a.row, a.col)), shape=(n, n)).tocsr()).tocoo()
    more = g.random(a.nnz) < share
    i, j = np.r_[t.row, a.row[more]], np.r_[t.col, a.col[more]]
    a = from_pairs(np.r_[i, j], np.r_[j, i], n, n)
    order = breadth_first_order(a, 0, return_predecessors=False)
    return a[order][:, order]


def power_grid(n, chords, seed):
    """Feeders with short branches, tied by chords; all first unknowns of the buses stand before all second ones."""
    g = rng(seed)
    i = np.arange(1, n)
    at = g.integers(0, n, chords)
    to = (at + np.rint(g.normal(0, n / 20, chords)).astype(int)) % n
    a = symmetric(np.r_[i, at], np.r_[np.maximum(i - g.geometric(0.4, n - 1), 0), to], n)
    return sp.kron(np.ones((2, 2), dtype=np.int8), a).tocsr()


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


def arrow(a, width):
    b = sp.csr_matrix(np.ones((width, a.shape[0]), dtype=np.int8))
    return sp.bmat([[a, b.T], [b, np.ones((width, width), dtype=np.int8)]]).tocsr()


def with_dense_columns(a, width, share, seed):
    g, m = rng(seed), a.shape[0]
    i, j = np.nonzero(g.random((m, width)) < share)
    return sp.hstack([a, from_pairs(i, j, m, width), sp.identity(m, dtype=np.int8)]).tocsr()


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
    "final_cells_3d": lambda: cells(11000, 61),
    "final_unlike_5u": lambda: with_unlike_unknowns(mesh(1300, 3, 62, True),
                                                    rng(63).choice((1, 5), 1300, p=(0.1, 0.9))),
    "final_stokes": lambda: stokes(40),
    "final_factor": lambda: grid_factor(110),
    "final_refined": lambda: refined(22, 0.4, 64),
    "final_dg_10u": lambda: with_unknowns(cells(170, 65), 10),
    "final_biharmonic": lambda: grid((170, 170), star(2, 2) + [(-1, -1), (-1, 1), (1, -1), (1, 1)]),
    "final_queues": lambda: grid((19, 16, 15, 14), [(0, 0, 0, 0), (1, 0, 0, 0), (-1, 1, 0, 0), (-1, 0, 1, 0),
                                                    (0, -1, 0, 1), (0, 0, -1, 1), (0, 0, 0, -1)]),
    "final_ratings": lambda: ratings(40000, 5000, pareto(40000, 10, 1.7, 2000, 66), 67),
    "final_web": lambda: web(50000, 80, pareto(50000, 9, 2.0, 1500, 68), 0.15, 69),
    "final_roads": lambda: roads(70000, 0.15, 70),
    "final_power_grid": lambda: power_grid(18000, 5000, 71),
    "final_staircase_dense": lambda: with_dense_columns(staircase(40, 500, 700, 9, 72), 25, 0.2, 73),
    "final_arrow": lambda: arrow(banded(25000, range(-4, 5), 0, 74), 4),
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
