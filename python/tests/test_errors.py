"""Bad input: an exception with words on every process that would wait, and nobody waits."""
import copy
import gc
import os
import pickle
import subprocess
import sys

import numpy as np
import pytest
from conftest import on_one, poisson
from mpi4py import MPI

import psbc
from psbc import _lib


@pytest.fixture
def a(context):
    return psbc.Matrix.from_scipy(poisson(4), context)


@pytest.fixture(params=[True, False])
def one(context, request):
    """one(bad, good): bad on one process."""
    return lambda bad, good: on_one(context, bad, good, request.param)


@pytest.mark.parametrize("bad, text", [
    (poisson(4).astype(np.int64), "dtype is int64; expected float32"),
    (poisson(4).astype(np.longdouble), "dtype is float128"),
    (np.eye(16), "matrix is a ndarray; expected a sparse matrix of SciPy"),
    (None, "matrix is a NoneType"),
])
def test_matrices_of_scipy(context, one, bad, text):
    with pytest.raises(psbc.ArgumentError, match=text):
        psbc.Matrix.from_scipy(one(bad, poisson(4)), context)


def test_formats(context, one, a):
    with pytest.raises(psbc.ArgumentError, match="nonsense"):
        psbc.Matrix.from_scipy(poisson(4), context, format=one("nonsense", "csr"))
    with pytest.raises(psbc.ArgumentError, match="nonsense"):
        a.convert(one("nonsense", "csr"))
    with pytest.raises(psbc.ArgumentError, match="format is 7"):
        a.convert(one(7, "csr"))
    assert a.format == "csr"


def test_local_rows(context, one):
    rows = psbc.Descriptor(context, 16)
    with pytest.raises(psbc.ArgumentError, match=r"matrix has shape \(1, 16\); expected"):
        psbc.Matrix.from_scipy(one(poisson(4)[:1], poisson(4)[:rows.local_rows]), rows)


def test_index_out_of_range(context, one):
    s = poisson(4)
    s.indices = s.indices.copy()
    s.indices[:] = one(99, s.indices)
    with pytest.raises(psbc.ArgumentError, match="99"):
        psbc.Matrix.from_scipy(s, context)


def test_damaged_matrices(context, one):
    for damage in (lambda s: s.indptr.__setitem__(slice(1, None), np.arange(16) * 1000),
                   lambda s: s.indptr.__setitem__(slice(1, None, 2), 0), lambda s: setattr(s, "data", s.data[:3]),
                   lambda s: setattr(s, "indices", s.indices[:3]), lambda s: setattr(s, "indptr", s.indptr[:1])):
        s = poisson(4)
        if one(True, False):
            damage(s)
        with pytest.raises(psbc.ArgumentError):
            psbc.Matrix.from_scipy(s, context)


def test_insert(context, one):
    a = psbc.Matrix(psbc.Descriptor(context, local=2))
    mine = 2 * context.rank
    for arguments, text in (((99, mine, 1), "99"), ((mine, -1, 1), "-1"), ((mine, 0.5, 1), "j has dtype float64"),
                            ((mine, mine, 1j), "values has dtype complex128"), (([mine] * 2, [mine] * 3, 1), "do not fit"),
                            (([[mine]], [[mine]], 1), "2 dimensions"), ((mine, mine, "a"), "values has dtype")):
        with pytest.raises(psbc.ArgumentError, match=text):
            a.insert(*arguments)
    with pytest.raises(psbc.ArgumentError, match="99"):
        with context.together():
            a.insert(one(99, mine), mine, 1)
    with pytest.raises(psbc.ArgumentError, match="duplicates is 'x'; expected 'add', 'overwrite', 'error'"):
        a.assemble(duplicates=one("x", "add"))
    with pytest.raises(psbc.StateError):
        a.vectors()
    with pytest.raises(psbc.StateError):
        psbc.Vector(a.rows)
    a.assemble()


def test_vectors(context, one, a):
    x, y = a.vectors()
    x32 = psbc.Vector(a.rows, dtype="f")
    with pytest.raises(psbc.ArgumentError, match="dtype is int32"):
        psbc.Vector(a.rows, dtype=one("i", "d"))
    with pytest.raises(psbc.ArgumentError, match="columns is 0"):
        psbc.Vector(a.rows, one(0, 1))
    for bad, text in ((x32, "y has dtype float32"), (np.ones(16), "y is a ndarray"), (None, "y is a NoneType")):
        with pytest.raises(psbc.ArgumentError, match=text if one(True, False) else None):
            x.dot(one(bad, y))
    with pytest.raises(psbc.ArgumentError):
        x.axpby(1, x32)
    with pytest.raises(psbc.ArgumentError, match="value is 1j"):
        x.fill(1j)
    with pytest.raises(psbc.ArgumentError, match=r"values has shape \(3,\); expected \(16,\)"):
        x.scatter(one(np.ones(3), np.ones(16)))
    with pytest.raises(ValueError):
        x.array[:] = np.ones(99)


@pytest.mark.parametrize("bad", ["x", "dtype", "columns", "descriptor", "same", "alpha", "op", "freed", "y"])
@pytest.mark.parametrize("form", ["csr", "hlg"])
def test_products(context, one, form, bad):
    a = psbc.Matrix.from_scipy(poisson(4), context, format=form)
    x, y = a.vectors()
    other = psbc.Descriptor(context, local=5)
    other.assemble()
    freed = a.vectors()[0]
    freed.free()
    wrong = {"x": (np.ones(16), y, 1, "N"), "dtype": (psbc.Vector(a.rows, dtype="F"), y, 1, "N"),
             "columns": (psbc.Vector(a.rows, 2), y, 1, "N"), "descriptor": (psbc.Vector(other), y, 1, "N"),
             "same": (y, y, 1, "N"), "alpha": (x, y, "2", "N"), "op": (x, y, 1, "X"), "freed": (freed, y, 1, "N"),
             "y": (x, None, 1, "N")}[bad]
    x_, y_, alpha, op = one(wrong, (x, y, 1, "N"))
    with pytest.raises(psbc.Error) as caught:
        a.multiply(x_, y_, alpha, op=op)
    assert len(str(caught.value)) > 10
    if context.size > 1 and not one(True, False):
        assert isinstance(caught.value, psbc.MPIError)  # a neighbour of the one that has failed
    x.fill(1)
    assert np.allclose(a.multiply(x, y).gather(), poisson(4) @ np.ones(16))


def test_new_products(context, one, a):
    x = a.vectors()[0]
    with pytest.raises(psbc.ArgumentError, match="x is a ndarray; expected a Vector"):
        a @ one(np.ones(16), x)


def test_wrap(context, one):
    rows = psbc.Descriptor(context, local=4)
    rows.use([(4 * context.rank + 4) % (4 * context.size)])
    rows.assemble()
    good = np.ones(rows.local_cols)
    read_only = np.ones(rows.local_cols)
    read_only.flags.writeable = False
    for bad, text in ((good[:1], "memory|rows|elements|expected"), (good.astype(int), "dtype"),
                      (np.ones((5, 5))[:, 0], "strides"),
                      (read_only, "read"), ([1.0], "a list has no __dlpack__"), (np.ones((5, 1, 1)), "dimensions"),
                      (np.ones((rows.local_cols, 2)).T, "strides|expected"), (good.astype(bool), "dtype|not offered")):
        with pytest.raises(psbc.ArgumentError, match=text):
            psbc.Vector.wrap(rows, one(bad, good))
    assert psbc.Vector.wrap(rows, good).norm() == pytest.approx(np.sqrt(4 * context.size))


def test_solvers(context, one, a):
    x, b = a.vectors()
    b.fill(1)
    with pytest.raises(psbc.ArgumentError, match="nonsense"):
        psbc.Solver(a, one("cg, nonsense=1", "cg"))
    with pytest.raises(psbc.ArgumentError, match="text is a int"):
        psbc.Solver(a, one(3, "cg"))
    with pytest.raises(psbc.ArgumentError, match="nonsense"):
        psbc.Preconditioner(a, one("nonsense", "diag"))
    with pytest.raises(psbc.ArgumentError, match="how is a int"):
        psbc.Preconditioner(a, one(3, "diag"))
    with pytest.raises(psbc.ArgumentError, match="preconditioner is a str"):
        psbc.Solver(a, "cg", one("diag", psbc.Preconditioner(a)))
    with pytest.raises(psbc.ArgumentError, match="apply is a NoneType; expected a function"):
        psbc.Operator(a.rows, one(None, lambda x, y: None))
    solver = psbc.Solver(a, "cg")
    for bad in (None, np.ones(16), psbc.Vector(a.rows, dtype="f"), psbc.Vector(a.rows, 2)):
        with pytest.raises(psbc.Error):
            solver.solve(one(bad, b), x)
        with pytest.raises(psbc.Error):
            solver.solve(b, one(bad if bad is not None else 1, x))
    with pytest.raises(psbc.ArgumentError, match="column"):
        assert solver.solve(b)[1].converged
        solver.history(5)
    s = poisson(4)
    s.setdiag(0)
    with pytest.raises(psbc.PivotError):
        psbc.Solver(psbc.Matrix.from_scipy(s, context), "cg, prec=bjac(ilu0)")
    with pytest.raises(psbc.NotOffered):
        psbc.Solver(psbc.Operator(a.rows, lambda x, y: None), "cg, prec=bjac(ilu0)")


def test_freed_objects(context, one, a):
    x, b = a.vectors()
    solver, p = psbc.Solver(a, "cg"), psbc.Preconditioner(a)
    op = psbc.Operator(a.rows, lambda x, y: None)
    rows = psbc.Descriptor(context, 4)
    for obj, uses in ((x, [lambda: x.array, lambda: x.norm(), lambda: x.fill(1), lambda: x.shape, lambda: x.__dlpack__(),
                           lambda: a.multiply(x, b), lambda: a @ x, x.copy, lambda: x.to(True), x.gather]),
                      (solver, [lambda: solver.solve(b), solver.update, solver.history]),
                      (p, [lambda: p.apply(b, b), p.update, lambda: str(p)]),
                      (op, [lambda: op.multiply(b, b), lambda: psbc.Solver(op)]),
                      (a, [a.nnz, a.vectors, lambda: a.format, lambda: a @ b, lambda: a.multiply(b, b), a.assemble,
                           lambda: a.insert(0, 0, 1), lambda: psbc.Solver(a), lambda: a.convert("csr"), a.diagonal]),
                      (rows, [lambda: rows.global_rows, rows.assemble, lambda: psbc.Vector(rows), lambda: psbc.Matrix(rows),
                              lambda: rows.indices])):
        obj.free()
        obj.free()
        for use in uses:
            with pytest.raises(psbc.StateError, match="freed"):
                use()


def test_freed_on_one_process(context, one, a):
    x, b = a.vectors()
    freed = a.vectors()[0]
    freed.free()
    for use in (lambda v: b.dot(v), lambda v: a @ v, lambda v: psbc.solve(a, v, "cg"), lambda v: psbc.solve(a, b, "cg", v)):
        with pytest.raises(psbc.Error):
            use(one(freed, x))
    matrix, gone = psbc.Matrix.from_scipy(poisson(4), context), psbc.Matrix.from_scipy(poisson(4), context)
    gone.free()
    with pytest.raises(psbc.Error, match="freed" if one(True, False) else None):
        one(gone, matrix).multiply(x, b)
    with pytest.raises(psbc.Error, match="freed"):
        psbc.Solver(one(gone, matrix), "cg")
    with pytest.raises(psbc.Error, match="freed"):
        one(gone, matrix) @ x


def test_copies(a):
    for obj in (a, a.rows, a.vectors()[0]):
        for duplicate in (copy.copy, copy.deepcopy, pickle.dumps):
            with pytest.raises(TypeError, match="cannot be copied"):
                duplicate(obj)


def test_contexts(context):
    with pytest.raises(psbc.ArgumentError, match="comm is a int"):
        psbc.Context(3)
    with pytest.raises(psbc.ArgumentError, match="context is a NoneType"):
        psbc.Descriptor(None, 3)
    with pytest.raises(psbc.ArgumentError, match="expected one of n, local and rows"):
        psbc.Descriptor(context)
    with pytest.raises(psbc.ArgumentError, match="would own -1 rows"):
        psbc.Descriptor(context, -5)
    with pytest.raises(psbc.Error):
        psbc.Descriptor(context, rows=[0, 0])
    half = MPI.COMM_WORLD.Split(context.rank % 2, context.rank)
    mine = psbc.Context(half)
    a = psbc.Matrix.from_scipy(poisson(4), mine)
    with pytest.raises(psbc.StateError, match="in use"):
        mine.free()
    a.free()
    del a
    gc.collect()
    mine.free()
    for use in (mine.free, lambda: psbc.Descriptor(mine, 3)):
        with pytest.raises(psbc.StateError, match="Context is freed"):
            use()


def test_freed_in_any_order(context):
    """Objects in cycles, which Python frees in any order, on each process at another time."""
    for i in range(6):
        a = psbc.Matrix.from_scipy(poisson(6), context)

        class Problem:
            def __init__(self):
                self.op = psbc.Operator(a.rows, self.apply)
                self.solver = psbc.Solver(self.op, "cg, prec=none, itmax=3")
                self.a, self.x = a, a.vectors()

            def apply(self, x, y):
                y.axpby(2, x, 0)

        p = Problem()
        assert p.solver.solve(p.x[1])[1].converged
        if i % (context.rank + 2) == 0:
            gc.collect()


def test_errors_keep_nothing(context, one):
    """An exception does not keep the objects of its caller until a garbage collection."""
    gc.disable()
    try:
        x = psbc.Matrix.from_scipy(poisson(4), context).vectors()[0]
        del x
        before = len(context._cores)

        def use():
            a = psbc.Matrix.from_scipy(poisson(4), context)
            x, y = a.vectors()
            op = psbc.Operator(a.rows, lambda x, y: 1 // one(0, 1))
            for bad in (lambda: x.dot(one(None, y)), lambda: a.multiply(x, y, one("1", 1)),
                        lambda: a.multiply(x, y, op=one("X", "N")), lambda: a.insert(99, 99, 99),
                        lambda: a @ one(None, x), lambda: psbc.solve(a, x, one("nonsense", "cg")),
                        lambda: op.multiply(x, y), lambda: psbc.solve(op, x.copy(), "cg, prec=none")):
                try:
                    bad()
                except (psbc.Error, ZeroDivisionError):
                    pass

        use()
        assert len(context._cores) == before
    finally:
        gc.enable()


def test_declarations():
    """The libraries have every call, for every scalar."""
    for name in _lib.CALLS:
        for calls in [_lib.C] if name.startswith("psb_") else _lib.TYPED.values():
            assert getattr(calls, name).argtypes is not None


def test_missing_library():
    if MPI.COMM_WORLD.rank:
        return
    path = os.path.dirname(os.path.dirname(psbc.__file__))
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("OMPI_", "PMIX_", "PMI_", "LD_"))}
    done = subprocess.run([sys.executable, "-c", "import psbc"], capture_output=True, text=True, check=False,
                          env={**clean, "PSBC_PREFIX": "/nowhere", "PYTHONPATH": path})
    assert done.returncode and "ImportError: the shared libraries of PSBC were not found" in done.stderr
