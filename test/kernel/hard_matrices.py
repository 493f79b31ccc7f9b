#!/usr/bin/env python3
# hard_matrices.py -- test/kernel: writes systems that are hard for multigrid as Matrix Market files: jumps32, jumps48:
# the 7-point operator, its coefficient 10^-3 or 10^3 at random on blocks of 8^3 points; rotated256: bilinear elements,
# anisotropy 10^-3 at 30 degrees; convection256: upwind differences, recirculating flow.
#   hard_matrices.py DIR
import math
import os
import random
import sys


def write(name, rows, symmetry):
    with open(os.path.join(sys.argv[1], name + ".mtx"), "w", encoding="ascii") as file:
        file.write(f"%%MatrixMarket matrix coordinate real {symmetry}\n")
        file.write(f"{len(rows)} {len(rows)} {sum(map(len, rows))}\n")
        for i, row in enumerate(rows):
            file.writelines(f"{i + 1} {j + 1} {v:.17g}\n" for j, v in sorted(row.items()))


def jumps(m, block=8):
    rng, nb = random.Random(1), m // block
    factor = [10.0 ** rng.choice([-3, 3]) for _ in range(nb ** 3)]
    rows = []
    for i in range(m ** 3):
        x, y, z = at = i % m, i // m % m, i // m ** 2
        own = factor[(z // block * nb + y // block) * nb + x // block]
        row, total = {}, 0.0
        for axis, step in ((0, 1), (1, m), (2, m * m)):
            for side in (-1, 1):
                to, other = [*at], own
                to[axis] += side
                if 0 <= to[axis] < m:
                    other = factor[(to[2] // block * nb + to[1] // block) * nb + to[0] // block]
                mean = 2 * own * other / (own + other)
                total += mean
                if side < 0 <= to[axis]:
                    row[i - step] = -mean
        row[i] = total
        rows.append(row)
    write(f"jumps{m}", rows, "symmetric")


def rotated(m, eps, degrees):
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    a, b, g = c * c + eps * s * s, s * s + eps * c * c, (1 - eps) * c * s
    corners, gauss = [(0, 0), (1, 0), (0, 1), (1, 1)], [0.5 - 0.5 / math.sqrt(3), 0.5 + 0.5 / math.sqrt(3)]
    element = [[0.0] * 4 for _ in range(4)]
    for x in gauss:
        for y in gauss:
            grad = [((2 * p - 1) * (y if q else 1 - y), (2 * q - 1) * (x if p else 1 - x)) for p, q in corners]
            for i, (ux, uy) in enumerate(grad):
                for j, (vx, vy) in enumerate(grad):
                    element[i][j] += 0.25 * (a * ux * vx + b * uy * vy + g * (ux * vy + uy * vx))
    rows = [{} for _ in range(m * m)]
    for e in range((m + 1) ** 2):
        nodes = [(e % (m + 1) - 1 + p, e // (m + 1) - 1 + q) for p, q in corners]
        at = [y * m + x if 0 <= x < m and 0 <= y < m else -1 for x, y in nodes]
        for i in range(4):
            for j in range(4):
                if 0 <= at[j] <= at[i]:
                    rows[at[i]][at[j]] = rows[at[i]].get(at[j], 0.0) + element[i][j]
    write(f"rotated{m}", rows, "symmetric")


def convection(m, speed):
    h, rows = 1 / (m + 1), []
    for i in range(m * m):
        x, y = (i % m + 1) * h, (i // m + 1) * h
        u, v = speed * (2 * y - 1) * (1 - (2 * x - 1) ** 2), -speed * (2 * x - 1) * (1 - (2 * y - 1) ** 2)
        row = {i: 4 + h * (abs(u) + abs(v))}
        for dx, dy, flow in ((1, 0, min(u, 0)), (-1, 0, -max(u, 0)), (0, 1, min(v, 0)), (0, -1, -max(v, 0))):
            if 0 <= i % m + dx < m and 0 <= i // m + dy < m:
                row[i + dy * m + dx] = -1 + h * flow
        rows.append(row)
    write(f"convection{m}", rows, "general")


jumps(32)
jumps(48)
rotated(256, 1e-3, 30)
convection(256, 100.0)
