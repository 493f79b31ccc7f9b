"""Vectors, and their memory in other libraries."""
import gc
import weakref

import numpy as np
import pytest
from conftest import close, values

import psbc


def vector(context, n=10, columns=1, dtype=float, device=False):
    rows = psbc.Descriptor(context, n)
    rows.assemble()
    return psbc.Vector(rows, columns, dtype, device)


def test_computations(context, dtype):
    for columns in (1, 3):
        x, y = (vector(context, 10, columns, dtype, device=context.device != "none") for _ in range(2))
        y = psbc.Vector(x.rows, columns, dtype)
        v, w = (values((10,) + x.shape[1:], dtype, seed) for seed in (1, 2))
        x.scatter(v)
        y.scatter(w if context.rank == 0 else None, root=0)
        assert close(x.gather(), v) and x.dtype == dtype and x.columns == columns
        assert close(np.asarray(x.dot(y)), (v.conj() * w).sum(0))
        assert close(np.asarray(x.norm(), dtype), np.sqrt((abs(v) ** 2).sum(0)))
        y.axpby(2, x, -1)
        assert close(y.gather(), 2 * v - w)
        z = y.copy()
        y.fill(3)
        assert close(z.gather(), 2 * v - w) and (y.array == 3).all()
        found = y.gather(root=0)
        assert (found is not None) == (context.rank == 0)


def test_array(context):
    x = vector(context)
    x.array[:] = 5
    assert (x.array == 5).all() and x.array.base is not None and x.array.shape == x.shape
    x.array[:1] += 1
    assert x.norm() == pytest.approx(np.sqrt(10 * 25 + 11 * context.size))
    x.to(device=True)
    assert x.norm() == pytest.approx(np.sqrt(10 * 25 + 11 * context.size))
    x.array[:] = 1
    assert x.norm() == pytest.approx(np.sqrt(10))
    x.to(device=False)
    assert (x.array == 1).all()


def test_memory_outlives_the_vector(context):
    x = vector(context, 10000 * context.size)
    x.fill(7)
    a, b = x.array, np.from_dlpack(x)
    core = weakref.ref(x._core)
    x.free()
    others = [vector(context, 10000 * context.size) for _ in range(3)]
    for o in others:
        o.fill(1)
    assert (a == 7).all() and (b == 7).all() and core() is not None
    del a
    assert (b == 7).all() and core() is not None
    del b
    gc.collect()
    assert core() is None


def test_numpy_by_dlpack(context, dtype):
    for columns in (1, 2):
        x = vector(context, 9, columns, dtype)
        x.fill(4)
        a = np.from_dlpack(x)
        assert a.dtype == dtype and a.shape == x.shape and (a == 4).all()
        assert a.size == 0 or a.ctypes.data == x.array.ctypes.data
        assert x.__dlpack_device__() == (1, 0)


def test_capsules_that_nobody_takes(context):
    for device in (False, True):
        x = vector(context, device=device)
        for _ in range(100):
            x.__dlpack__()
            x.__dlpack__(max_version=(1, 0))
        core = weakref.ref(x._core)
        del x
        vector(context, device=True).__dlpack__()
        gc.collect()
        assert core() is None


def test_torch(context):
    torch = pytest.importorskip("torch")
    x = vector(context)
    t = torch.from_dlpack(x)
    t[:] = 3
    assert (x.array == 3).all()
    rows = x.rows
    t = torch.arange(float(rows.local_cols), dtype=torch.float64)
    y = psbc.Vector.wrap(rows, t)
    y.axpby(0, x, 2)
    assert t.sum() == rows.local_cols * (rows.local_cols - 1)
    if context.device == "cuda":
        x = vector(context, device=True)
        torch.from_dlpack(x)[:] = 4
        torch.cuda.synchronize()
        assert x.norm() == pytest.approx(4 * np.sqrt(10))
        t = torch.ones(rows.local_cols, dtype=torch.float64, device=torch.device("cuda", x.__dlpack_device__()[1]))
        assert psbc.Vector.wrap(rows, t).norm() == pytest.approx(np.sqrt(10))


def test_cupy(context):
    cupy = pytest.importorskip("cupy")
    if context.device != "cuda":
        pytest.skip("no GPU in use")
    x = vector(context, device=True)
    c = cupy.from_dlpack(x)
    c[:] = 3
    cupy.cuda.get_current_stream().synchronize()
    assert x.norm() == pytest.approx(3 * np.sqrt(10))
    y = psbc.Vector.wrap(x.rows, cupy.ones(x.rows.local_cols))
    assert y.norm() == pytest.approx(np.sqrt(10))


def test_wrap(context, dtype):
    rows = vector(context).rows
    for columns in (1, 3):
        shape = (rows.local_cols,) + ((columns,) if columns > 1 else ())
        a = np.ones(shape, dtype)
        x = psbc.Vector.wrap(rows, a)
        assert x.dtype == dtype and x.columns == columns and x.array.ctypes.data == a.ctypes.data
        x.fill(2)
        assert (a[:rows.local_rows] == 2).all()
        a[:] = 3
        assert np.allclose(x.norm(), 3 * np.sqrt(10))
        alive = weakref.ref(a)
        del a
        assert alive() is not None
        x.free()
        gc.collect()
        assert alive() is None


def test_other_devices(context):
    x = vector(context, device=True)
    x.fill(6)
    kind = {"none": 1, "cuda": 2, "fake": 12}[context.device]
    assert x.__dlpack_device__()[0] == kind
    y = psbc.Vector.wrap(x.rows, x)  # by a capsule, on the device
    y.fill(7)
    core = weakref.ref(x._core)
    del x
    gc.collect()
    assert core() is not None and y.norm() == pytest.approx(7 * np.sqrt(10))
    del y
    gc.collect()
    assert core() is None
    if kind == 12:
        x = vector(context, device=True)
        x.fill(6)
        with pytest.raises((RuntimeError, BufferError)):
            np.from_dlpack(x)
        with pytest.raises(BufferError):
            x.__dlpack__(dl_device=(2, 0))
        assert x.__dlpack__(dl_device=(1, 0)) is not None


def test_halo(context):
    rows = psbc.Descriptor(context, local=2)
    n = 2 * context.size
    rows.use([(2 * context.rank + 2) % n])
    rows.assemble()
    x = psbc.Vector(rows)
    x.scatter(np.arange(n))
    x.halo()
    assert (x.array_with_halo == rows.indices).all()
    assert rows.local_cols == (3 if context.size > 1 else 2)
