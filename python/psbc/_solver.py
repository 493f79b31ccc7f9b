"""Solvers, preconditioners, operators made of functions."""
from __future__ import annotations

import weakref
from ctypes import (CFUNCTYPE, Structure, byref, c_bool, c_char, c_double, c_int, c_void_p, create_string_buffer)
from dataclasses import dataclass
from typing import Any, Callable, Optional, Union

import numpy as np
from numpy.typing import DTypeLike

from ._core import Descriptor, Handle, handle, need
from ._lib import DTYPES, TYPED, ArgumentError, call, letter_of, raised, record, vector_mold
from ._matrix import Matrix, operation
from ._vector import Vector

_Apply = CFUNCTYPE(c_int, c_void_p, c_void_p, c_void_p, c_char)
_Local = CFUNCTYPE(c_int, c_void_p, c_void_p)


class _OperatorCalls(Structure):
    """struct psb_?_operator_calls."""

    _fields_ = [("apply", _Apply), ("diagonal", _Local), ("free", c_void_p), ("transposes", c_bool), ("collective", c_bool),
                ("near", c_void_p), ("where", c_void_p)]


class _PrecCalls(Structure):
    """struct psb_?_prec_calls."""

    _fields_ = [("apply", _Apply), ("update", c_void_p), ("free", c_void_p), ("transposes", c_bool), ("collective", c_bool)]


class _Functions:
    """Functions of the caller as functions of C."""

    def __init__(self, rows: Descriptor, letter: str, transposes: bool) -> None:
        self.rows, self.letter, self.transposes = rows, letter, transposes

    def guarded(self, function: Callable[..., Any], vectors: list[Vector], *more: Any) -> int:
        """Call the function with vectors of the library, and return a psb_err."""
        lent = [weakref.ref(v._core) for v in vectors]
        former, raised[:] = raised[:], []
        try:
            function(*vectors, *more)
            for v in vectors:
                v.free()
            if any(core() for core in lent):
                raise ArgumentError(f"{getattr(function, '__name__', 'a function')} has kept an array of its vectors; "
                                    "expected a copy, since their memory is used for others")
            return 0
        except BaseException as e:  # pylint: disable=broad-except
            former.append(e)
            return record(e)
        finally:
            raised[:] = former
            del former  # no cycle of an exception and its traceback

    def apply(self, function: Callable[..., Any]) -> Any:
        """y = op(A) x."""
        def multiply(_: Any, x: int, y: int, op: bytes) -> int:
            vectors = [Vector._lent(self.rows, self.letter, x, True), Vector._lent(self.rows, self.letter, y, False)]
            return self.guarded(function, vectors, *([op.decode()] if self.transposes else []))
        return _Apply(multiply)

    def diagonal(self, function: Optional[Callable[..., Any]]) -> Any:
        """d = the diagonal."""
        if function is None:
            return _Local()
        return _Local(lambda _, d: self.guarded(function, [Vector._lent(self.rows, self.letter, d, False)]))


def _applied(by: Any, function: Any, x: Vector, y: Vector, op: str) -> Vector:
    """Return y = op(by) x; the library is called with a wrong argument too, so that it tells the other processes."""
    xs, ys, o = handle(x, Vector, "x", by._letter), handle(y, Vector, "y", by._letter), b"N"
    try:
        o = operation(op)
    except ArgumentError as e:
        ys = e.with_traceback(None)
    call(function, by._p, xs, ys, o)
    return y


class Operator(Handle):
    """A square matrix that is known by a function which multiplies by it.

    Parameters
    ----------
    rows : Descriptor
        Assembled; `Descriptor.use` declares which rows of other processes `apply` reads.
    apply : function (x, y) or (x, y, op)
        Sets y = A x; x and y are vectors, used by ``x.array_with_halo`` and ``y.array[:]``, or by DLPack where they are.
        They must not be kept.  `op` ("N", "T", "C") is passed if `transposes`.
    dtype : float32, float64, complex64 or complex128
    diagonal : function (d), optional
        Sets d to the diagonal, for the preconditioners diag, chebyshev and neumann.
    near : Matrix, optional
        A matrix near to the operator, for other preconditioners.
    transposes : bool
        Whether `apply` does op T and C too.
    collective : bool
        Whether `apply` is called without an exchange of the halo, and exchanges data itself.
    device : bool
        Whether vectors of preconditioners are on the device.

    Notes
    -----
    An exception in a function on one process ends a solve on all: there the exception itself, on others an `Error` with
    its text.  Collective.
    """

    def __init__(self, rows: Descriptor, apply: Callable[..., Any], dtype: DTypeLike = float,
                 diagonal: Optional[Callable[[Vector], Any]] = None, near: Optional[Matrix] = None, *,
                 transposes: bool = False, collective: bool = False, device: bool = False) -> None:
        rows_p, made = need(rows, Descriptor, "rows"), c_void_p()
        with rows.context.together():
            self.rows, self._letter = rows, letter_of(dtype)
            for name, f in (("apply", apply), ("diagonal", diagonal)):
                if f is not None and not callable(f) or f is None and name == "apply":
                    raise ArgumentError(f"{name} is a {type(f).__name__}; expected a function")
            near_p = None if near is None else need(near, Matrix, "near", self._letter)
            self._c, self._functions = TYPED[self._letter], _Functions(rows, self._letter, transposes)
            calls = _OperatorCalls(self._functions.apply(apply), self._functions.diagonal(diagonal), None, transposes,
                                   collective, near_p, vector_mold(device))
            call(self._c.operator_new, byref(made), rows_p, byref(calls), None)
            self._own(rows.context, made.value, self._c.operator_free, (calls, near and near._core))

    @classmethod
    def _of(cls, a: Matrix) -> Operator:
        """A matrix as an operator.  Local."""
        made, self = c_void_p(), cls.__new__(cls)
        self.rows, self._letter, self._c = a.rows, a._letter, a._c
        self._functions = _Functions(a.rows, a._letter, True)
        call(self._c.operator_of, byref(made), a._p)
        self._own(a.context, made.value, self._c.operator_free, a._core)
        return self

    @property
    def dtype(self) -> np.dtype:
        """The dtype of its vectors."""
        return DTYPES[self._letter]

    def multiply(self, x: Vector, y: Vector, op: str = "N") -> Vector:
        """Set ``y = op(A) x`` and return y.  Collective as `Matrix.multiply`."""
        return _applied(self, self._c.operator_apply, x, y, op)


class Preconditioner(Handle):
    """A preconditioner by its text, or a function.

    Parameters
    ----------
    a : Matrix or Operator
    how : str or function (x, y)
        As "diag", "bjac(ilu0)", "amg"; or a function that sets y to the preconditioner's inverse times x.

    Notes
    -----
    Collective.
    """

    def __init__(self, a: Union[Matrix, Operator], how: Union[str, Callable[[Vector, Vector], Any]] = "diag") -> None:
        made = c_void_p()
        if not isinstance(a, (Matrix, Operator)):
            raise ArgumentError(f"a is a {type(a).__name__}; expected a Matrix or an Operator")
        with a.context.together():
            self.a, self._letter, self._c = a, a._letter, a._c
            a_p, keep = a._p, None
            self._functions = _Functions(a.rows, a._letter, False)
            if isinstance(how, str):
                call(self._c.precinit, byref(made), how.encode())
            elif callable(how):
                keep = _PrecCalls(self._functions.apply(how), None, None, False, False)
                call(self._c.precinit_user, byref(made), byref(keep), None)
            else:
                raise ArgumentError(f"how is a {type(how).__name__}; expected a text or a function")
            self._own(a.context, made.value, self._c.precfree, (keep, a._core))
        call(self._c.precbld_op if isinstance(a, Operator) else self._c.precbld, self._p, a_p, None, None)

    def update(self) -> None:
        """Build it again for new values of the matrix.  Collective."""
        call(self._c.precupd_op if isinstance(self.a, Operator) else self._c.precupd, self._p, self.a._p)

    def apply(self, x: Vector, y: Vector, op: str = "N") -> Vector:
        """Set y to op of the preconditioner's inverse times x, and return y.  Collective."""
        return _applied(self, self._c.precapply, x, y, op)

    def __str__(self) -> str:
        text = create_string_buffer(1024)
        call(self._c.precdescr, self._p, text, len(text))
        return text.value.decode()


class _Result(Structure):
    """struct psb_solve_result."""

    _fields_ = [("outcome", c_int), ("iterations", c_int), ("estimate", c_double), ("residual", c_double),
                ("why", c_char * 96)]


OUTCOMES = ("converged", "max iterations", "breakdown", "diverged", "stagnated")


@dataclass(frozen=True)
class Result:
    """How a solve ended.

    Attributes
    ----------
    outcome : str
        "converged", "max iterations", "breakdown", "diverged" or "stagnated".
    iterations : int
    estimate : float
        Of the method, for the criterion.
    residual : float
        The value of the criterion, computed from b - A x at the end.
    why : str
        Why it broke down, diverged or stagnated.
    """

    outcome: str
    iterations: int
    estimate: float
    residual: float
    why: str

    @property
    def converged(self) -> bool:
        """Whether the true residual satisfies the criterion."""
        return self.outcome == "converged"


class Solver(Handle):
    """A solver that is kept, for many right-hand sides.

    Parameters
    ----------
    a : Matrix or Operator
    text : str
        Method and options, as ``"cg, tol=1e-8, prec=bjac(ic0)"``: see docs/solvers.md.
    preconditioner : Preconditioner, optional
        In place of that of the text.

    Notes
    -----
    Collective.
    """

    def __init__(self, a: Union[Matrix, Operator], text: str = "bicgstab",
                 preconditioner: Optional[Preconditioner] = None) -> None:
        made = c_void_p()
        if not isinstance(a, (Matrix, Operator)):
            raise ArgumentError(f"a is a {type(a).__name__}; expected a Matrix or an Operator")
        with a.context.together():
            if not isinstance(text, str):
                raise ArgumentError(f"text is a {type(text).__name__}; expected a str")
            p = None if preconditioner is None else need(preconditioner, Preconditioner, "preconditioner", a._letter)
            op = a if isinstance(a, Operator) or p is None else Operator._of(a)
            op_p, self._letter, self._c = op._p, a._letter, a._c
        if isinstance(op, Operator):
            call(self._c.solver_new_op, byref(made), op_p, p, text.encode())
        else:
            call(self._c.solver_new, byref(made), op_p, text.encode())
        self._own(a.context, made.value, self._c.solver_free, (a._core, op._core, preconditioner and preconditioner._core))

    def solve(self, b: Vector, x: Optional[Vector] = None) -> tuple[Vector, Any]:
        """Solve A x = b.

        Parameters
        ----------
        b : Vector
            Each of its columns is a system.
        x : Vector, optional
            Holds the guess, and then the solution; a new one of zeros if not given.

        Returns
        -------
        x : Vector
        result : Result, or a list with one for each column if there are several

        Notes
        -----
        Collective.
        """
        bs, xs = handle(b, Vector, "b", self._letter), None
        if x is None and not isinstance(bs, Exception):
            x = b.copy()
            call(self._c.vect_zero, x._p)
        xs = handle(x, Vector, "x", self._letter)
        results = (_Result * (b.columns if not isinstance(bs, Exception) else 1))()
        call(self._c.solver_solve, self._p, bs, xs, byref(results))
        assert x is not None
        found = [Result(OUTCOMES[r.outcome], r.iterations, r.estimate, r.residual, r.why.decode()) for r in results]
        return x, found if len(found) > 1 else found[0]

    def update(self) -> None:
        """Renew the preconditioner for new values of the matrix in its pattern.  Collective."""
        call(self._c.solver_update, self._p)

    def history(self, column: int = 0) -> np.ndarray:
        """The estimates of the criterion in the last solve: of the guess, and after each iteration.  Local."""
        n = c_int()
        call(self._c.solver_history, self._p, column, byref(n), None)
        found = np.empty(n.value)
        call(self._c.solver_history, self._p, column, byref(n), found.ctypes.data)
        return found


def solve(a: Union[Matrix, Operator], b: Vector, text: str = "bicgstab", x: Optional[Vector] = None) -> tuple[Vector, Any]:
    """Solve A x = b once: see `Solver` and its `solve`.  Collective."""
    return Solver(a, text).solve(b, x)
