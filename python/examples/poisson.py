"""Poisson's equation of SciPy on all processes and, if there is one, on the GPU: mpiexec -n 2 python3 poisson.py"""
import numpy as np
import scipy.sparse as sp

import psbc

n = 100
line = sp.diags([-1.0, 2.0, -1.0], [-1, 0, 1], shape=(n, n))
laplacian = sp.kronsum(line, line, format="csr")                 # n x n points

context = psbc.Context()                                         # of MPI.COMM_WORLD
form = "csr" if context.device == "none" else "hlg"
a = psbc.Matrix.from_scipy(laplacian, context, format=form)      # each process takes its rows
x, b = a.vectors()                                               # where the matrix is
b.fill(1 / n**2)
x, result = psbc.solve(a, b, "cg, tol=1e-10, prec=amg", x)

r = np.linalg.norm(laplacian @ x.gather() - 1 / n**2) * n
if context.rank == 0:
    print(f"{context.size} processes, {context.device}: {result.outcome}, {result.iterations} iterations, |r|/|b| {r:.1e}")
