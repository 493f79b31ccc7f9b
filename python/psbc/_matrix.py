"""Matrices."""
from __future__ import annotations

import os
from ctypes import Structure, byref, c_int, c_int32, c_int64, c_void_p
from typing import Any, Optional, Union

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from ._core import Context, Descriptor, Handle, even, handle, indices, need
from ._lib import DTYPES, TYPED, ArgumentError, call, letter_of, mold, scalar
from ._vector import Vector

DUPLICATES = {"add": 0, "overwrite": 1, "error": 2}
REMOTE = {"refuse": 0, "drop": 1, "send": 2}


def choice(word: str, words: dict[str, int], what: str) -> int:
    """The number of a word."""
    if word not in words:
        raise ArgumentError(f"{what} is {word!r}; expected {', '.join(map(repr, words))}")
    return words[word]


def operation(op: str) -> bytes:
    """op of a product, for a call."""
    if op not in ("N", "T", "C"):
        raise ArgumentError(f"op is {op!r}; expected 'N', 'T' or 'C'")
    return op.encode()


class _Rows(Structure):
    """struct psb_rows_given."""

    _fields_ = [("off_bits", c_int), ("idx_bits", c_int), ("is_global", c_int), ("off", c_void_p), ("idx", c_void_p)]


def _part(csr: Any, first: int, count: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Offsets from 0, columns and values of rows of a CSR matrix of SciPy, which may be damaged; copies only of offsets."""
    off = np.ascontiguousarray(csr.indptr[first:first + count + 1])
    begin, end = (int(off[0]), int(off[-1])) if off.size else (0, -1)
    idx, val = (np.ascontiguousarray(a[begin:end]) for a in (csr.indices, csr.data))
    if off.size != count + 1 or begin < 0 or not idx.size == val.size == end - begin or (np.diff(off) < 0).any():
        raise ArgumentError(f"matrix has {len(csr.indptr)} offsets, {len(csr.indices)} indices and {len(csr.data)} values "
                            "that do not fit; expected a valid CSR matrix")
    return off - off[0] if begin else off, idx, val


class Matrix(Handle):
    """A distributed sparse matrix, to be filled by `insert` and `assemble`; see `from_scipy` too.

    Parameters
    ----------
    rows : Descriptor
    cols : Descriptor, optional
        Of the columns; that of the rows if not given.
    dtype : float32, float64, complex64 or complex128
    remote : {"refuse", "drop", "send"}
        What happens to entries of rows that other processes own: an error, nothing, or `assemble` sends them.

    Notes
    -----
    Collective.
    """

    def __init__(self, rows: Descriptor, cols: Optional[Descriptor] = None, dtype: DTypeLike = float,
                 remote: str = "refuse") -> None:
        rows_p, made = need(rows, Descriptor, "rows"), c_void_p()
        with rows.context.together():
            letter, mode = letter_of(dtype), choice(remote, REMOTE, "remote")
            cols = rows if cols is None else cols
            call(TYPED[letter].spall2, byref(made), rows_p, need(cols, Descriptor, "cols"), 0)
            self._set(rows, cols, letter, made.value)
            call(self._c.sp_set_remote, self._p, mode)

    def _set(self, rows: Descriptor, cols: Descriptor, letter: str, p: Any, keep: Any = ()) -> Matrix:
        self.rows, self.cols, self._letter, self._c = rows, cols, letter, TYPED[letter]
        self._own(rows.context, p, self._c.spfree, keep)
        return self

    @classmethod
    def from_scipy(cls, matrix: Any, on: Union[Context, Descriptor], cols: Optional[Descriptor] = None,
                   format: str = "csr") -> Matrix:
        """Make a matrix of one of SciPy.

        Parameters
        ----------
        matrix : sparse matrix or array of SciPy
            Of float32, float64, complex64 or complex128.
        on : Context or Descriptor
            A context: `matrix` is the whole matrix on every process, which takes its block of the rows.  A descriptor:
            `matrix` has the rows that this process owns, with global columns.
        cols : Descriptor, optional
            Of the columns; that of the rows if not given, for a square matrix.
        format : str
            The format, as "csr", "hll", "auto", or on a GPU "hlg"; see `Context.formats`.

        Notes
        -----
        On one process, in format "csr", a matrix of SciPy in CSR with sorted indices of 32 bits is not copied: both share
        their values.  Collective.
        """
        if not isinstance(on, (Context, Descriptor)):
            raise ArgumentError(f"on is a {type(on).__name__}; expected a Context or a Descriptor")
        context, made = on if isinstance(on, Context) else on.context, c_void_p()
        with context.together():
            if not hasattr(matrix, "tocsr"):
                raise ArgumentError(f"matrix is a {type(matrix).__name__}; expected a sparse matrix of SciPy")
            letter = letter_of(matrix.dtype, "the matrix's dtype")
            if cols is not None:
                need(cols, Descriptor, "cols")
            form, csr, n = mold(letter, format), matrix.tocsr(), matrix.shape[1]
            first, count = (0, csr.shape[0]) if isinstance(on, Descriptor) else even(csr.shape[0], context)
            if isinstance(on, Descriptor):
                wide = (on if cols is None else cols).global_rows
                if (count, n) != (on.local_rows, wide):
                    raise ArgumentError(f"matrix has shape {csr.shape}; expected {(on.local_rows, wide)}: the rows owned "
                                        "here, and all columns")
            off, idx, val = _part(csr, first, count)
        rows = on if isinstance(on, Descriptor) else Descriptor(context, csr.shape[0])
        if cols is None:
            cols = rows if rows.global_rows == n else Descriptor(context, n)
        given = _Rows(8 * off.itemsize, 8 * idx.itemsize, 1, off.ctypes.data, idx.ctypes.data)
        call(TYPED[letter].sp_csr, byref(made), rows._p, cols._p, byref(given), val.ctypes.data, form)
        return cls.__new__(cls)._set(rows, cols, letter, made.value, (off, idx, val))

    @classmethod
    def read(cls, path: str, context: Context, dtype: DTypeLike = float, format: str = "csr",
             file_type: str = "mm") -> Matrix:
        """Read a matrix from a file, rows in even blocks.

        Parameters
        ----------
        path : str
        context : Context
        dtype : float32, float64, complex64 or complex128
            A file of complex numbers needs one of the latter.
        format : str
            See `Context.formats`.
        file_type : {"mm", "hb"}
            Matrix Market; Harwell-Boeing or Rutherford-Boeing.  They may be compressed by gzip or xz.

        Notes
        -----
        Collective.
        """
        if not isinstance(context, Context):
            raise ArgumentError(f"context is a {type(context).__name__}; expected a Context")
        made, rows, cols = c_void_p(), c_void_p(), c_void_p()
        with context.together():
            letter = letter_of(dtype)
            mold(letter, format)
            reader = ("mm_mat_read", "hb_mat_read")[choice(file_type, {"mm": 0, "hb": 1}, "file_type")]
            name = os.fsencode(path)
        call(getattr(TYPED[letter], reader), byref(made), byref(rows), byref(cols), context._p, name)
        owner = Descriptor._made(context, rows.value)
        a = cls.__new__(cls)._set(owner, owner if cols.value == rows.value else Descriptor._made(context, cols.value),
                                  letter, made.value)
        a.assemble(format)
        return a

    def to_scipy(self) -> Any:
        """The rows owned here, in the order of ``rows.indices``, as a CSR matrix of SciPy with global columns.  Local."""
        from scipy.sparse import csr_matrix  # pylint: disable=import-outside-toplevel
        own, halo, rows = c_void_p(), c_void_p(), c_void_p()
        call(self._c.sp_local, self._p, byref(own), byref(halo), byref(rows))
        i, j, v = self._entries(own)
        k, l, w = self._entries(halo)
        if k.size:
            k = np.ctypeslib.as_array((c_int32 * (int(k.max()) + 1)).from_address(rows.value))[k]
        where = self.cols.indices[np.concatenate((j, l + self.cols.local_rows))]
        return csr_matrix((np.concatenate((v, w)), (np.concatenate((i, k)), where)), (self.rows.local_rows, self.shape[1]))

    def _entries(self, mat: c_void_p) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Rows, columns and values of a matrix of this process."""
        n = c_int64()
        call(self._c.mat_csget, mat, None, 0, None, None, None, byref(n))
        i, j, v = np.empty(n.value, np.int32), np.empty(n.value, np.int32), np.empty(n.value, self.dtype)
        if n.value:
            call(self._c.mat_csget, mat, None, n, i.ctypes.data, j.ctypes.data, v.ctypes.data, byref(n))
        return i, j, v

    def insert(self, i: ArrayLike, j: ArrayLike, values: ArrayLike) -> None:
        """Insert ``values[k]`` at global row ``i[k]`` and column ``j[k]``; scalars are repeated.

        After an error nothing is inserted.  Local: ``with context.together():`` makes an error on one process one on all.
        """
        val = np.asarray(values)
        if not np.can_cast(val.dtype, self.dtype, "same_kind"):
            raise ArgumentError(f"values has dtype {val.dtype}; expected {self.dtype}")
        try:
            ia, ja, val = np.broadcast_arrays(indices(i, "i"), indices(j, "j"), np.atleast_1d(val))
        except ValueError as e:
            raise ArgumentError(f"i, j and values do not fit: {e}") from e
        ia, ja, val = indices(ia, "i"), indices(ja, "j"), np.ascontiguousarray(val, self.dtype)
        call(self._c.spins, ia.size, ia.ctypes.data, ja.ctypes.data, val.ctypes.data, self._p)

    def assemble(self, format: str = "csr", duplicates: str = "add") -> None:
        """End insertion.

        Parameters
        ----------
        format : str
            See `Context.formats`.
        duplicates : {"add", "overwrite", "error"}
            What to do with several values of one place.

        Notes
        -----
        Collective; it assembles descriptors.
        """
        with self.context.together():
            p, form, how = self._p, mold(self._letter, format), choice(duplicates, DUPLICATES, "duplicates")
        for d in (self.rows, self.cols):
            if not d.assembled:
                d.assemble()
        call(self._c.spasb, p, form, how)

    def update(self) -> None:
        """Open the matrix for new values in its pattern, all 0: `insert` them, then `assemble`.  Local."""
        call(self._c.sprn, self._p, 1)

    def convert(self, format: str) -> None:
        """Change the format.  Collective."""
        with self.context.together():
            p, form = self._p, mold(self._letter, format)
        call(self._c.spcnv, p, form)

    @property
    def dtype(self) -> np.dtype:
        """The dtype of the entries."""
        return DTYPES[self._letter]

    @property
    def shape(self) -> tuple[int, int]:
        """The global numbers of rows and columns."""
        return self.rows.global_rows, self.cols.global_rows

    @property
    def format(self) -> str:
        """The name of the format."""
        return self._c.sp_fmt(self._p).decode().lower()

    @property
    def local_nnz(self) -> int:
        """The entries stored on this process."""
        return self._c.sp_nnz(self._p)

    def nnz(self) -> int:
        """The entries of all processes.  Collective."""
        found = c_int64()
        call(self._c.nnz, self._p, byref(found))
        return found.value

    def vectors(self, columns: int = 1) -> tuple[Vector, Vector]:
        """Vectors x and y for y = A x, all 0, where the matrix is.  Collective."""
        x, y = c_void_p(), c_void_p()
        call(self._c.vects_like_n, self._p, columns, byref(x), byref(y))
        return Vector._made(self.cols, self._letter, x.value), Vector._made(self.rows, self._letter, y.value)

    def diagonal(self) -> Vector:
        """The diagonal, of a square matrix.  Collective."""
        _, d = self.vectors()
        call(self._c.sp_get_diag, self._p, d._p)
        return d

    def multiply(self, x: Vector, y: Vector, alpha: complex = 1, beta: complex = 0, op: str = "N") -> Vector:
        """Set ``y = alpha op(A) x + beta y`` and return y.

        Parameters
        ----------
        x, y : Vector
            Two vectors of as many columns, for op N on the columns and the rows of the matrix.
        alpha, beta : number
        op : {"N", "T", "C"}
            A, its transpose, its conjugate transpose.

        Notes
        -----
        Computed on the device if all are there.  Collective over neighbours: an error on one process is one on those that
        need its rows.
        """
        xs, ys = handle(x, Vector, "x", self._letter), handle(y, Vector, "y", self._letter)
        try:
            a, b, o = scalar(self._letter, alpha, "alpha"), scalar(self._letter, beta, "beta"), operation(op)
            if not isinstance(ys, Exception):
                y._write()
        except Exception as e:  # pylint: disable=broad-except
            a, b, o, ys = scalar(self._letter, 1, "alpha"), scalar(self._letter, 0, "beta"), b"N", e.with_traceback(None)
        call(self._c.spmv, a, handle(self, Matrix, "the matrix"), xs, b, ys, o)
        return y

    def __matmul__(self, x: Vector) -> Vector:
        """A x, a new vector; `multiply` needs no new memory.  Collective."""
        with self.context.together():
            need(self, Matrix, "the matrix")
            need(x, Vector, "x", self._letter)
        return self.multiply(x, self.vectors(x.columns)[1])
