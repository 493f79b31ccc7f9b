"""Solvers, preconditioners, operators of functions."""
import numpy as np
import pytest
import scipy.sparse as sp
from conftest import close, on_one, poisson, random, values

import psbc


@pytest.fixture(params=["csr", "hlg"])
def a(context, request):
    return psbc.Matrix.from_scipy(poisson(12), context, format=request.param)


@pytest.mark.parametrize("text", ["cg, tol=1e-10", "bicgstab, tol=1e-10, prec=bjac(ilu0)", "fcg, tol=1e-10, prec=amg",
                                  "gmres, tol=1e-10, restart=50, prec=none"])
def test_solve(a, text):
    b = a.vectors()[1]
    b.fill(1)
    x, result = psbc.solve(a, b, text)
    assert result.converged and result.residual <= 1e-10 and result.iterations > 0
    assert np.allclose(poisson(12) @ x.gather(), 1)


def test_solver(a):
    solver = psbc.Solver(a, "cg, tol=1e-9, itmax=500, prec=bjac(ic0)")
    x, b = a.vectors(2)
    b.scatter(values((144, 2), "d"))
    found, results = solver.solve(b, x)
    assert found is x and len(results) == 2 and all(r.converged for r in results)
    assert np.allclose(poisson(12) @ x.gather(), b.gather())
    history = solver.history(1)
    assert len(history) == results[1].iterations + 1 and history[-1] <= 1e-9
    solver.update()
    limited, result = psbc.solve(a, a.vectors()[1], "cg, itmax=0")
    assert result.outcome == "converged" and limited.norm() == 0
    b = a.vectors()[1]
    b.fill(1)
    assert psbc.solve(a, b, "cg, itmax=2")[1].outcome == "max iterations"


def test_solver_outlives_the_matrix(context):
    a = psbc.Matrix.from_scipy(poisson(12), context)
    b = a.vectors()[1]
    b.fill(1)
    solver = psbc.Solver(a, "cg", psbc.Preconditioner(a, "bjac(ilu0)"))
    a.free()
    assert solver.solve(b)[1].converged


def test_complex(context, dtype):
    s = random(30, 30, dtype)
    s = sp.csr_matrix(s + 20 * sp.eye(30), dtype=dtype)
    a = psbc.Matrix.from_scipy(s, context)
    b = a.vectors()[1]
    b.scatter(values(30, dtype))
    x, result = psbc.solve(a, b, "bicgstab, tol=1e-5")
    assert result.converged and np.allclose(s @ x.gather(), b.gather(), atol=1e-3)


def test_preconditioners(a):
    x, b = a.vectors()
    b.fill(1)
    p = psbc.Preconditioner(a, "bjac(ilu0)")
    assert str(p).startswith("bjac")
    assert psbc.Solver(a, "bicgstab, tol=1e-10", p).solve(b)[1].converged
    p.update()
    p = psbc.Preconditioner(a, "diag")
    assert np.allclose(p.apply(b, x).array, 0.25)

    def quarter(x, y):
        y.axpby(0.25, x, 0)

    q = psbc.Preconditioner(a, quarter)
    assert np.allclose(q.apply(b, x).array, 0.25)
    assert psbc.Solver(a, "cg, tol=1e-10", q).solve(b)[1] == psbc.Solver(a, "cg, tol=1e-10, prec=diag").solve(b)[1]


def laplacian(context, fail=lambda: None, n=40):
    """A Laplacian of one dimension as a function."""
    rows = psbc.Descriptor(context, n)
    own = rows.indices
    around = np.unique(np.clip(np.concatenate([own - 1, own + 1]), 0, n - 1))
    rows.use(around)
    rows.assemble()
    local = {g: i for i, g in enumerate(rows.indices)}
    left = np.array([local.get(g - 1, -1) for g in own], int)
    right = np.array([local.get(g + 1, -1) for g in own], int)

    def apply(x, y):
        fail()
        v = np.append(x.array_with_halo, 0)
        y.array[:] = 2 * v[:len(own)] - v[left] - v[right]

    def diagonal(d):
        fail()
        d.fill(2)

    return rows, psbc.Operator(rows, apply, diagonal=diagonal, device=context.device != "none")


def test_operator(context):
    rows, op = laplacian(context)
    t = np.diag(np.full(40, 2.0)) - np.diag(np.ones(39), 1) - np.diag(np.ones(39), -1)
    for device in (False, True):
        x, y = psbc.Vector(rows, device=device), psbc.Vector(rows, device=device)
        x.scatter(values(40, "d"))
        assert close(op.multiply(x, y).gather(), t @ x.gather())
        for text in ("cg, tol=1e-10, prec=none", "cg, tol=1e-10, prec=chebyshev", "bicgstab, tol=1e-10"):
            z, result = psbc.solve(op, x, text)
            assert result.converged and np.allclose(t @ z.gather(), x.gather())


def test_transposes(context):
    rows = psbc.Descriptor(context, local=3)
    rows.assemble()
    op = psbc.Operator(rows, lambda x, y, op: y.axpby({"N": 2, "T": 3, "C": 4}[op], x, 0), transposes=True)
    x, y = psbc.Vector(rows), psbc.Vector(rows)
    x.fill(1)
    assert [op.multiply(x, y, o).array[0] for o in "NTC"] == [2, 3, 4]


@pytest.mark.parametrize("last", [True, False])
@pytest.mark.parametrize("when", [0, 1, 7])
@pytest.mark.parametrize("error", [ZeroDivisionError, MemoryError, NotImplementedError, KeyboardInterrupt, psbc.PivotError])
def test_exceptions_in_functions(context, error, when, last):
    calls = []

    def fail():
        calls.append(0)
        if len(calls) > when and on_one(context, True, False, last):
            raise error("what went wrong")

    rows, op = laplacian(context, fail)
    b = psbc.Vector(rows)
    b.fill(1)
    with pytest.raises(BaseException, match="what went wrong") as caught:
        psbc.solve(op, b, "cg, tol=1e-10, prec=diag")
    assert type(caught.value) is error if on_one(context, True, False, last) else isinstance(caught.value, psbc.Error)
    # The next solve is as if nothing had happened.
    calls[:], when = [], 10**6
    assert psbc.solve(op, b, "cg, tol=1e-10, prec=diag")[1].converged


def test_exceptions_in_preconditioners(context, a):
    def fail(x, y):
        if on_one(context, True, False):
            raise OSError("no disk")
        y.axpby(1, x, 0)

    b = a.vectors()[1]
    b.fill(1)
    with pytest.raises((OSError, psbc.ArgumentError), match="no disk"):
        psbc.Solver(a, "cg", psbc.Preconditioner(a, fail)).solve(b)


def test_exceptions_that_cannot_be_told(context):
    class Silent(Exception):
        def __str__(self):
            raise ValueError("no text")

    rows = psbc.Descriptor(context, local=3)
    rows.assemble()
    x, y = psbc.Vector(rows), psbc.Vector(rows)
    for e, text in ((Silent(), "Silent"), (ValueError("\udcff\0"), "ValueError")):

        def fail(x, y):
            if on_one(context, True, False):
                raise e
            y.fill(1)

        with pytest.raises((psbc.ArgumentError, type(e))) as caught:
            psbc.Operator(rows, fail, collective=True).multiply(x, y)
        assert caught.value is e if on_one(context, True, False) else text in str(caught.value)


def test_nested_calls(context):
    """A function that solves a system by itself, and one whose inner error it handles."""
    rows, inner = laplacian(context)
    broken = psbc.Operator(rows, lambda x, y: 1 // 0)

    def solve(x, y):
        try:
            psbc.solve(broken, x, "cg, prec=none")
        except ZeroDivisionError:
            pass
        y.fill(0)
        psbc.solve(inner, x, "cg, tol=1e-12", y)

    op = psbc.Operator(rows, lambda x, y: solve(x.copy(), y), collective=True)
    b = psbc.Vector(rows)
    b.fill(1)
    x, result = psbc.solve(op, b, "gmres, tol=1e-6, prec=none")
    assert result.converged


def test_kept_arrays(context):
    rows = psbc.Descriptor(context, local=3)
    rows.assemble()
    kept = []
    op = psbc.Operator(rows, lambda x, y: kept.append(x.array))
    x, y = psbc.Vector(rows), psbc.Vector(rows)
    with pytest.raises(psbc.ArgumentError, match="has kept an array"):
        op.multiply(x, y)
    kept.clear()
    op = psbc.Operator(rows, lambda x, y: kept.append(x))
    op.multiply(x, y)
    with pytest.raises(psbc.StateError, match="freed"):
        kept[0].array
    op = psbc.Operator(rows, lambda x, y: x.fill(1))
    with pytest.raises(psbc.StateError, match="read only"):
        op.multiply(x, y)

    def write(x, y):
        x.array[:] = 1

    with pytest.raises(ValueError, match="read-only"):
        psbc.Operator(rows, write).multiply(x, y)


def test_singular(context, dtype):
    n = 30
    s = sp.lil_matrix(sp.diags([-1.0, 2.0, -1.0], [-1, 0, 1], shape=(n, n)), dtype=dtype)
    s[0, 0] = s[n - 1, n - 1] = 1
    a = psbc.Matrix.from_scipy(sp.csr_matrix(s), context)
    b = a.vectors()[1]
    b.scatter(values(n, dtype))
    space = psbc.Nullspace(a.rows, dtype=dtype)
    x, result = psbc.Solver(a, "cg, tol=1e-5", nullspace=space).solve(b)
    found = x.gather()
    assert result.converged and abs(found.sum()) < 1e-3
    with pytest.raises(psbc.ArgumentError, match="left"):
        psbc.Solver(a, "cg", left=space)
    ones = a.vectors()[0]
    ones.fill(1)
    with pytest.raises(psbc.ArgumentError):
        psbc.Nullspace(a.rows, True, [ones], dtype=dtype)  # it depends on the vector of ones


def test_near_null(context):
    s = poisson(12)
    a = psbc.Matrix.from_scipy(s, context)
    m = psbc.Preconditioner(a, "amg(coarse=8)", near_null=psbc.Nullspace(a.rows))
    b = a.vectors()[1]
    b.fill(1)
    x, result = psbc.Solver(a, "cg, tol=1e-10", m).solve(b)
    assert result.converged and close(s @ x.gather(), np.ones(144))
    xyz = a.vectors()[0]
    xyz.scatter(np.arange(144.0) ** 2)
    psbc.Preconditioner(a, "amg(coarse=8)", near_null=psbc.Nullspace.rigid(2, xyz))
    with pytest.raises(psbc.Error, match="amg|AMG"):
        psbc.Preconditioner(a, "diag", near_null=psbc.Nullspace(a.rows))


def test_least_squares(context, dtype):
    s = random(40, 9, dtype) + sp.eye(40, 9, dtype=dtype)
    a = psbc.Matrix.from_scipy(sp.csr_matrix(s), context)
    v = values(40, dtype)
    b = a.vectors()[1]
    b.scatter(v)
    x, result = psbc.lsmr(a, b, atol=1e-7, btol=1e-7)
    assert result.outcome == "converged"
    assert np.allclose(x.gather(), np.linalg.lstsq(s.toarray(), v, rcond=None)[0], atol=1e-3)
    with pytest.raises(psbc.ArgumentError, match="damp"):
        psbc.lsmr(a, b, damp=-1)
