"""The tests run on any number of processes, which take the same steps: mpiexec -n 2 python3 -m pytest."""
import faulthandler

import numpy as np
import pytest
import scipy.sparse as sp
from mpi4py import MPI

import psbc

faulthandler.enable()


@pytest.fixture(scope="session")
def context():
    return psbc.Context(MPI.COMM_WORLD)


@pytest.fixture(scope="session", params=["d", "f", "D", "F"])
def dtype(request):
    return np.dtype(request.param)


def poisson(n, dtype=float):
    """The five-point Laplacian of n x n points."""
    t = sp.diags([-1.0, 2.0, -1.0], [-1, 0, 1], shape=(n, n))
    return sp.csr_matrix(sp.kronsum(t, t), dtype=dtype)


def random(m, n, dtype, seed=1):
    """A random matrix, the same on all processes."""
    rng = np.random.default_rng(seed)
    a = sp.random(m, n, 0.2, "csr", random_state=rng)
    if np.dtype(dtype).kind == "c":
        a = a + 1j * sp.random(m, n, 0.2, "csr", random_state=rng)
    return sp.csr_matrix(a, dtype=dtype)


def values(n, dtype, seed=2):
    """A random array, the same on all processes."""
    rng = np.random.default_rng(seed)
    v = rng.standard_normal(n) + (1j * rng.standard_normal(n) if np.dtype(dtype).kind == "c" else 0)
    return v.astype(dtype)


def close(a, b):
    """Are the arrays equal but for rounding?"""
    return np.allclose(a, b, rtol=1e-4 if np.dtype(a.dtype).char in "fF" else 1e-12, atol=1e-5)


def on_one(context, bad, good, last=True):
    """`bad` on one process, `good` on the others."""
    return bad if context.rank == (context.size - 1 if last else 0) else good
