"""PSBC: parallel sparse matrices, products and solvers, on CPUs and GPUs.

>>> import psbc, scipy.sparse
>>> context = psbc.Context()                                  # of MPI.COMM_WORLD
>>> a = psbc.Matrix.from_scipy(scipy.sparse.eye(10, format="csr"), context, format="hll")
>>> x, b = a.vectors()
>>> b.array[:] = 1
>>> x, result = psbc.solve(a, b, "cg, tol=1e-8")
"""
from ._core import Context, Descriptor
from ._lib import (ArgumentError, DeviceError, Error, FileError, MPIError, NotOffered, OutOfMemory, PaddingError,
                   PivotError, StateError)
from ._matrix import Matrix
from ._solver import LeastSquaresResult, Nullspace, Operator, Preconditioner, Result, Solver, lsmr, solve
from ._vector import Vector

__all__ = ["ArgumentError", "Context", "Descriptor", "DeviceError", "Error", "FileError",
           "LeastSquaresResult", "MPIError", "Matrix", "NotOffered", "Nullspace",
           "Operator", "OutOfMemory", "PaddingError", "PivotError", "Preconditioner", "Result", "Solver", "StateError",
           "Vector", "lsmr", "solve"]
