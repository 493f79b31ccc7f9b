"""Vectors."""
from __future__ import annotations

from ctypes import byref, c_void_p
from typing import Any, Optional

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from . import _dlpack
from ._core import Core, Descriptor, Handle, handle, need
from ._lib import DTYPES, TYPED, ArgumentError, C, StateError, call, letter_of, scalar, vector_mold


class _Memory:
    """Memory of the library as an array of NumPy; `core` lives as long as the array."""

    def __init__(self, core: Core, address: int, shape: tuple[int, ...], dtype: np.dtype, read_only: bool) -> None:
        self.core = core
        self.__array_interface__ = {"version": 3, "data": (address, read_only), "shape": shape, "typestr": dtype.str}


class Vector(Handle):
    """A distributed vector, or several as the columns of one; new ones are 0.

    Parameters
    ----------
    rows : Descriptor
        Assembled.
    columns : int
    dtype : float32, float64, complex64 or complex128
    device : bool
        Whether the vector is on the device in use; `Matrix.vectors` makes vectors that fit a matrix.

    Notes
    -----
    Collective.  Memory is shared without a copy: by `array`, by DLPack (``numpy.from_dlpack(x)``,
    ``torch.from_dlpack(x)``, ``cupy.from_dlpack(x)``), and from others by `wrap`.  Others end their work on a device before
    the next call on the vector.
    """

    def __init__(self, rows: Descriptor, columns: int = 1, dtype: DTypeLike = float, device: bool = False) -> None:
        made = c_void_p()
        rows_p = need(rows, Descriptor, "rows")
        with rows.context.together():
            letter = letter_of(dtype)
            if not 0 < columns < 2**31:
                raise ArgumentError(f"columns is {columns}; expected 1 or more")
            call(TYPED[letter].geall_n, byref(made), rows_p, columns)
            self._set(rows, letter, made.value)
        call(TYPED[letter].geasb, self._p, vector_mold(device))

    def _set(self, rows: Descriptor, letter: str, p: Any, keep: Any = ()) -> Vector:
        self.rows, self._letter, self._c = rows, letter, TYPED[letter]
        self._own(rows.context, p, self._c.gefree, keep)
        return self

    @classmethod
    def _made(cls, rows: Descriptor, letter: str, p: Any, keep: Any = ()) -> Vector:
        return cls.__new__(cls)._set(rows, letter, p, keep)

    @classmethod
    def _lent(cls, rows: Descriptor, letter: str, p: int, read_only: bool) -> Vector:
        """A vector of the library's own, for a function of the caller."""
        self = cls.__new__(cls)
        self.rows, self._letter, self._c, self._read_only = rows, letter, TYPED[letter], read_only
        self.context, self._core = rows.context, Core(rows.context, p, None)
        return self

    _read_only = False

    @classmethod
    def wrap(cls, rows: Descriptor, array: Any) -> Vector:
        """Make a vector of the memory of an array, without a copy.

        Parameters
        ----------
        rows : Descriptor
        array : array of NumPy, CuPy, PyTorch, or any with ``__dlpack__``
            With ``rows.local_cols`` rows, since the halo follows the rows owned here; compact by rows; on the host or the
            device in use.  It lives at least as long as the vector, whose calls write to it.

        Notes
        -----
        Collective.
        """
        rows_p, made = need(rows, Descriptor, "rows"), c_void_p()
        with rows.context.together():
            tensor = _dlpack.Import(array, C.psb_cuda_stream())
            letter = letter_of(tensor.dtype(), "the array's dtype")
        wrap = TYPED[letter].ge_dlpack_versioned if tensor.versioned else TYPED[letter].ge_dlpack
        call(wrap, byref(made), rows_p, tensor.address)
        tensor.taken()
        return cls._made(rows, letter, made.value)

    @property
    def dtype(self) -> np.dtype:
        """The dtype of the elements."""
        return DTYPES[self._letter]

    @property
    def columns(self) -> int:
        """The number of columns."""
        return self._c.vect_get_ncols(self._p)

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of `array`: the rows owned here, and the columns if there are several."""
        return (self.rows.local_rows,) if self.columns == 1 else (self.rows.local_rows, self.columns)

    def _array(self, rows: int) -> np.ndarray:
        address, p = c_void_p(), self._p
        call(self._c.host_read if self._read_only else self._c.host_update, p, byref(address))
        shape = (rows,) + self.shape[1:]
        if not rows:
            return np.empty(shape, self.dtype)
        assert self._core
        return np.asarray(_Memory(self._core, address.value or 0, shape, self.dtype, self._read_only))

    @property
    def array(self) -> np.ndarray:
        """The rows owned here, as an array of NumPy on the memory of the vector: assign by ``x.array[:] = values``.

        A vector on a device is copied to the host for it, and back for the next call there: take a new `array` for each
        use.
        """
        return self._array(self.rows.local_rows)

    @property
    def array_with_halo(self) -> np.ndarray:
        """As `array`, with the halo after the rows owned here: values of the last product, or of `halo`."""
        return self._array(self.rows.local_cols)

    def _tensor(self, versioned: bool, read_only: bool) -> int:
        """The address of a tensor of DLPack."""
        made = c_void_p()
        if versioned:
            call(self._c.vect_dlpack_versioned, self._p, read_only, byref(made))
        else:
            call(self._c.vect_dlpack, self._p, byref(made))
        return made.value or 0

    def __dlpack_device__(self) -> tuple[int, int]:
        """The kind and the number of the device, as DLPack numbers them; the fake device is kDLExtDev."""
        return _dlpack.device_of(self._tensor(True, True))

    def __dlpack__(self, *, stream: Any = None, max_version: Optional[tuple[int, int]] = None,
                   dl_device: Optional[tuple[int, int]] = None, copy: Optional[bool] = None) -> Any:
        """The rows owned here as a capsule of DLPack, for one use before the next call on the vector."""
        here = self.__dlpack_device__()
        to = here if dl_device is None else tuple(dl_device)
        if to[0] == _dlpack.CPU:
            array = self.array.copy() if copy or here != to and copy is None else self.array
            return _dlpack.offer(array, max_version)
        if to != here:
            raise BufferError(f"the vector is on device {here} of DLPack; expected that or the host, not {to}")
        if copy:
            return self.copy().__dlpack__(stream=stream, max_version=max_version)
        versioned = max_version is not None and max_version[0] >= 1
        if self._read_only and not versioned:
            raise BufferError("the vector is read only; expected a library that knows version 1 of DLPack")
        if stream != -1:
            call(C.psb_cuda_DeviceSync)
        return _dlpack.capsule_of(self._tensor(versioned, self._read_only), versioned, self._core)

    def to(self, device: bool) -> None:
        """Move the vector to the device, or to the host.  Local."""
        self._write()
        call(self._c.vect_cnv, self._p, vector_mold(device))

    def copy(self) -> Vector:
        """A copy, in the same place.  Local."""
        made = c_void_p()
        call(self._c.vect_clone, self._p, byref(made))
        return self._made(self.rows, self._letter, made.value)

    def _write(self) -> None:
        if self._read_only:
            raise StateError("the vector is read only")

    def fill(self, value: complex) -> None:
        """Set all elements to a value.  Local."""
        self._write()
        call(self._c.set_scal, scalar(self._letter, value, "value"), self._p)

    def axpby(self, alpha: complex, x: Vector, beta: complex = 1) -> None:
        """Set this vector to ``alpha x + beta self``.  Local."""
        self._write()
        call(self._c.geaxpby, scalar(self._letter, alpha, "alpha"), handle(x, Vector, "x", self._letter),
             scalar(self._letter, beta, "beta"), self._p)

    def _reduced(self, name: str, dtype: np.dtype, *others: Any) -> Any:
        k = self.columns
        found = np.empty(k, dtype)
        call(getattr(self._c, name), self._p, *others, found.ctypes.data)
        return found if k > 1 else found[0]

    def dot(self, y: Vector) -> Any:
        """The sum of ``conj(self) y`` over all processes: a number, or an array with one for each column.  Collective."""
        return self._reduced("gedot", self.dtype, handle(y, Vector, "y", self._letter))

    def norm(self) -> Any:
        """The 2-norm, or those of the columns.  Collective."""
        return self._reduced("genrm2", np.empty(0, self.dtype).real.dtype)

    def halo(self) -> None:
        """Update the halo from the owners; products do so themselves.  Collective."""
        call(self._c.halo, self._p, b"N")

    def gather(self, root: Optional[int] = None) -> Optional[np.ndarray]:
        """All rows in global order, on process `root`, or on all.  Collective."""
        mine = root is None or root == self.context.rank
        found = np.empty((self.rows.global_rows,) + self.shape[1:], self.dtype) if mine else None
        call(self._c.gather, self._p, None if found is None else found.ctypes.data, -1 if root is None else root)
        return found

    def scatter(self, values: Optional[ArrayLike], root: Optional[int] = None) -> None:
        """Set the vector to an array of all rows in global order, of process `root`, or of all.  Collective."""
        given = None
        with self.context.together():
            self._write()
            if root is None or root == self.context.rank:
                given = np.ascontiguousarray(values, self.dtype)
                if given.shape != (self.rows.global_rows,) + self.shape[1:]:
                    raise ArgumentError(f"values has shape {given.shape}; expected "
                                        f"{(self.rows.global_rows,) + self.shape[1:]}")
        call(self._c.scatter, self._p, None if given is None else given.ctypes.data, -1 if root is None else root)
