"""Matrices and products, beside SciPy."""
import time

import numpy as np
import pytest
import scipy.io
import scipy.sparse as sp
from conftest import close, poisson, random, values
from mpi4py import MPI

import psbc


def test_formats(context, dtype):
    s, v = poisson(9, dtype), values(81, dtype)
    for form in context.formats + ["auto", "autog"]:
        try:
            a = psbc.Matrix.from_scipy(s, context, format=form)
        except psbc.PaddingError:
            assert "dns" in form
            continue
        assert a.shape == s.shape and a.nnz() == s.nnz and a.dtype == dtype
        assert a.format == form or "auto" in form
        x, y = a.vectors()
        x.scatter(v)
        assert close(a.multiply(x, y).gather(), s @ v), form
        assert close((a @ x).gather(), s @ v)


def test_operations(context, dtype):
    s, v = random(13, 13, dtype), values(13, dtype)
    a = psbc.Matrix.from_scipy(s, context)
    x, y = a.vectors()
    x.scatter(v)
    factor = 2 - 3j if dtype.kind == "c" else 2
    for op, matrix in (("N", s), ("T", s.T), ("C", s.conj().T)):
        y.fill(1)
        assert close(a.multiply(x, y, factor, 3, op).gather(), factor * (matrix @ v) + 3)


def test_shapes(context, dtype):
    for m, n in ((11, 17), (17, 11), (1, 5), (5, 1), (3, 3)):
        s, v = random(m, n, dtype), values((n, 3), dtype)
        a = psbc.Matrix.from_scipy(s, context, format="hll")
        x, y = a.vectors(3)
        x.scatter(v)
        assert close(a.multiply(x, y).gather(), s @ v)


@pytest.mark.parametrize("kind", ["csc", "coo", "lil", "dok", "bsr", "dia"])
def test_kinds(context, kind):
    s, v = random(12, 12, "d"), values(12, "d")
    x, y = (a := psbc.Matrix.from_scipy(s.asformat(kind), context)).vectors()
    x.scatter(v)
    assert close(a.multiply(x, y).gather(), s @ v)


def test_long_indices(context):
    s, v = random(12, 12, "d"), values(12, "d")
    s.indices, s.indptr = s.indices.astype(np.int64), s.indptr.astype(np.int64)
    x, y = (a := psbc.Matrix.from_scipy(s, context)).vectors()
    x.scatter(v)
    assert close(a.multiply(x, y).gather(), s @ v)


def test_no_copy(context):
    s = poisson(5)
    a = psbc.Matrix.from_scipy(s, context)
    x, y = a.vectors()
    x.fill(1)
    s.data[:] = 0
    assert (a.multiply(x, y).norm() == 0) == (context.size == 1)
    s = poisson(5)
    a = psbc.Matrix.from_scipy(s, context)
    expected = s @ np.ones(25)
    del s
    x, y = a.vectors()
    x.fill(1)
    assert close(a.multiply(x, y).gather(), expected)


def test_local_rows(context):
    s, v = random(14, 14, "d"), values(14, "d")
    mine = np.arange(context.rank, 14, context.size)[::-1]
    rows = psbc.Descriptor(context, rows=mine)
    a = psbc.Matrix.from_scipy(s[mine], rows)
    x, y = a.vectors()
    x.scatter(v)
    assert close(a.multiply(x, y).array, (s @ v)[mine])
    assert list(rows.indices[:len(mine)]) == list(mine) and rows.local_cols >= rows.local_rows


def test_insert_and_update(context, dtype):
    s, v = random(20, 20, dtype).tocoo(), values(20, dtype)
    a = psbc.Matrix(psbc.Descriptor(context, 20), dtype=dtype, remote="send")
    if context.rank == 0:
        half = s.nnz // 2
        a.insert(s.row[:half], s.col[:half], s.data[:half])
        a.insert(s.row[half:], s.col[half:], s.data[half:])
    a.assemble("hll")
    x, y = a.vectors()
    x.scatter(v)
    assert close(a.multiply(x, y).gather(), s @ v)
    a.convert("csr")
    assert a.format == "csr" and close(a.multiply(x, y).gather(), s @ v)
    a.update()
    if context.rank == 0:
        a.insert(s.row, s.col, 2 * s.data)
    a.assemble("csr")
    assert close(a.multiply(x, y).gather(), 2 * (s @ v))


def test_duplicates(context):
    rows = psbc.Descriptor(context, local=1)
    for how, expected in (("add", 3), ("overwrite", 2), ("error", None)):
        a = psbc.Matrix(rows)
        a.insert([context.rank] * 2, [context.rank] * 2, [1, 2])
        if expected is None:
            with pytest.raises(psbc.Error):
                a.assemble(duplicates=how)
        else:
            a.assemble(duplicates=how)
            assert (a.diagonal().array == expected).all()


def test_large_offsets(context):
    """Entries of one row, inserted with one index that is repeated."""
    a = psbc.Matrix(psbc.Descriptor(context, local=2))
    a.insert(2 * context.rank, np.arange(2) + 2 * context.rank, 1)
    a.assemble()
    assert a.nnz() == 2 * context.size and a.local_nnz == 2


def test_overhead(context):
    """A call from Python takes at most 5 % of the product of a million rows."""
    if context.size > 1:
        pytest.skip("one process")

    def shortest(a):
        x, y = a.vectors()

        def once():
            begin = time.perf_counter()
            a.multiply(x, y)
            return time.perf_counter() - begin
        return min(once() for _ in range(20))

    one, million = sp.eye(1, format="csr"), sp.diags([-1.0, 2.0, -1.0], [-1, 0, 1], shape=(10**6, 10**6), format="csr")
    assert shortest(psbc.Matrix.from_scipy(one, context)) < 0.05 * shortest(psbc.Matrix.from_scipy(million, context))


@pytest.mark.parametrize("format", ["csr", "hll"])
def test_to_scipy(context, dtype, format):
    s = random(17, 11, dtype)
    a = psbc.Matrix.from_scipy(s, context, format=format)
    mine = a.rows.indices[:a.rows.local_rows]
    back = a.to_scipy()
    assert back.dtype == dtype and back.shape == (len(mine), 11) and (back != s[mine]).nnz == 0


@pytest.mark.parametrize("kind", ["", "i"])
def test_read(context, tmp_path, kind):
    s = random(13, 13, "D" if kind else "d")
    path = MPI.COMM_WORLD.bcast(str(tmp_path / "a.mtx"))
    if context.rank == 0:
        scipy.io.mmwrite(path, s, precision=17)
    MPI.COMM_WORLD.barrier()
    a = psbc.Matrix.read(path, context, dtype=s.dtype, format="ell")
    mine = a.rows.indices[:a.rows.local_rows]
    assert a.format == "ell" and (a.to_scipy() != s[mine]).nnz == 0
    with pytest.raises(psbc.FileError, match="nothere"):
        psbc.Matrix.read(path + ".nothere", context)
    with pytest.raises(psbc.ArgumentError, match="file_type"):
        psbc.Matrix.read(path, context, file_type="rb")
    if kind:
        with pytest.raises(psbc.Error, match="complex"):
            psbc.Matrix.read(path, context)
