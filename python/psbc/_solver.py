"""Solvers, preconditioners, operators made of functions."""
from __future__ import annotations

import weakref
from ctypes import (CFUNCTYPE, Structure, byref, c_bool, c_char, c_double, c_int, c_void_p, create_string_buffer)
from dataclasses import dataclass
from typing import Any, Callable, Optional, Sequence, Union

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


class Nullspace(Handle):
    """A space of vectors: those that a singular matrix takes to 0, or nearly so.

    Parameters
    ----------
    rows : Descriptor
        That of the matrix, assembled.
    constant : bool
        Whether the vector of ones belongs to it.
    vectors : list of Vector
        Others, of one column, which are copied and need not be orthogonal.
    dtype : float32, float64, complex64 or complex128

    Notes
    -----
    Collective.
    """

    def __init__(self, rows: Descriptor, constant: bool = True, vectors: Sequence[Vector] = (),
                 dtype: DTypeLike = float) -> None:
        made = c_void_p()
        rows_p = need(rows, Descriptor, "rows")
        with rows.context.together():
            self._letter = letter_of(dtype)
            all_p = (c_void_p * max(len(vectors), 1))(*(need(v, Vector, "a vector", self._letter) for v in vectors))
        call(TYPED[self._letter].nullspace_new, byref(made), rows_p, bool(constant), len(vectors), all_p)
        self._own(rows.context, made.value, TYPED[self._letter].nullspace_free)

    @classmethod
    def rigid(cls, dim: int, xyz: Vector) -> Nullspace:
        """The rigid bodies of elasticity in 2 or 3 dimensions: row ``dim k + c`` is the displacement of node k in direction
        c, and xyz holds the coordinates of the nodes in the same places.  Collective."""
        made = c_void_p()
        xyz_p = need(xyz, Vector, "xyz")
        call(xyz._c.nullspace_rigid, byref(made), dim, xyz_p)
        self = cls.__new__(cls)
        self._letter = xyz._letter
        self._own(xyz.context, made.value, xyz._c.nullspace_free)
        return self


class Preconditioner(Handle):
    """A preconditioner by its text, or a function.

    Parameters
    ----------
    a : Matrix or Operator
    how : str or function (x, y)
        As "diag", "bjac(ilu0)", "amg"; or a function that sets y to the preconditioner's inverse times x.
    near_null : Nullspace, optional
        For "amg": vectors that its levels represent.

    Notes
    -----
    Collective.
    """

    def __init__(self, a: Union[Matrix, Operator], how: Union[str, Callable[[Vector, Vector], Any]] = "diag",
                 near_null: Optional[Nullspace] = None) -> None:
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
            self._own(a.context, made.value, self._c.precfree, (keep, a._core, near_null and near_null._core))
            if near_null is not None:
                call(self._c.prec_set_near_null, self._p, need(near_null, Nullspace, "near_null", a._letter))
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
    nullspace : Nullspace, optional
        Of a singular matrix: b is projected, and x is orthogonal to it.
    left : Nullspace, optional
        That of the matrix's conjugate transpose; the same if not given.

    Notes
    -----
    Collective.
    """

    def __init__(self, a: Union[Matrix, Operator], text: str = "bicgstab",
                 preconditioner: Optional[Preconditioner] = None, nullspace: Optional[Nullspace] = None,
                 left: Optional[Nullspace] = None) -> None:
        made = c_void_p()
        if not isinstance(a, (Matrix, Operator)):
            raise ArgumentError(f"a is a {type(a).__name__}; expected a Matrix or an Operator")
        with a.context.together():
            if not isinstance(text, str):
                raise ArgumentError(f"text is a {type(text).__name__}; expected a str")
            p, spaces = None, []
            if preconditioner is not None:
                p = need(preconditioner, Preconditioner, "preconditioner", a._letter)
            for space, name in ((nullspace, "nullspace"), (left, "left")):
                spaces.append(None if space is None else need(space, Nullspace, name, a._letter))
            if nullspace is None and left is not None:
                raise ArgumentError("left is given without nullspace; expected both")
            op = a if isinstance(a, Operator) or p is None else Operator._of(a)
            op_p, self._letter, self._c = op._p, a._letter, a._c
        if isinstance(op, Operator):
            call(self._c.solver_new_op, byref(made), op_p, p, text.encode())
        else:
            call(self._c.solver_new, byref(made), op_p, text.encode())
        uses = [used._core for used in (a, op, preconditioner, nullspace, left) if used is not None]
        self._own(a.context, made.value, self._c.solver_free, uses)
        if nullspace is not None:
            call(self._c.solver_set_nullspace, self._p, *spaces)

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


class _LsmrOptions(Structure):
    """struct psb_lsmr_options."""

    _fields_ = [("atol", c_double), ("btol", c_double), ("damp", c_double), ("itmax", c_int)]


class _LsmrResult(Structure):
    """struct psb_lsmr_result."""

    _fields_ = [("outcome", c_int), ("iterations", c_int), ("norm_r", c_double), ("norm_ar", c_double), ("norm_x", c_double),
                ("norm_a", c_double), ("cond", c_double), ("why", c_char * 96)]


@dataclass(frozen=True)
class LeastSquaresResult:
    """How `lsmr` ended.

    Attributes
    ----------
    outcome, why : str
    iterations : int
    norm_r, norm_ar : float
        The norms of (b - A x, damp x) and of A^H (b - A x) - damp^2 x, computed at the end.
    norm_x : float
    norm_a, cond : float
        Estimates, from below, of the Frobenius norm and of the condition number of A with damping.
    """

    outcome: str
    iterations: int
    norm_r: float
    norm_ar: float
    norm_x: float
    norm_a: float
    cond: float
    why: str


def lsmr(a: Matrix, b: Vector, atol: float = 1e-6, btol: float = 1e-6, damp: float = 0,
         itmax: int = 1000) -> tuple[Vector, Any]:
    """Find the shortest x with the least ``|b - A x|^2 + damp^2 |x|^2``, for a matrix of any shape and rank.

    Parameters
    ----------
    a : Matrix
    b : Vector
        On the rows of the matrix; each of its columns is a problem.
    atol, btol : float
        x suffices if ``|r| <= btol |b| + atol |A| |x|`` or ``|A^H r| <= atol |A| |r|``.
    damp : float
    itmax : int
        The most iterations.

    Returns
    -------
    x : Vector
        On the columns of the matrix.
    result : LeastSquaresResult, or a list with one for each column if there are several

    Notes
    -----
    Collective.
    """
    a_p = need(a, Matrix, "a")
    with a.context.together():
        b_p = need(b, Vector, "b", a._letter)
        options = _LsmrOptions(atol, btol, damp, itmax)
    x = a.vectors(b.columns)[0]
    results = (_LsmrResult * b.columns)()
    call(a._c.lsmr, a_p, b_p, x._p, byref(options), byref(results))
    found = [LeastSquaresResult(OUTCOMES[r.outcome], r.iterations, r.norm_r, r.norm_ar, r.norm_x, r.norm_a, r.cond,
                                r.why.decode()) for r in results]
    return x, found if len(found) > 1 else found[0]
