"""Contexts, descriptors, and what all objects have in common."""
from __future__ import annotations

import ctypes
import gc
import sys
import weakref
from contextlib import contextmanager
from ctypes import byref, c_int, c_void_p
from typing import Any, Iterator, Optional

import numpy as np
from mpi4py import MPI
from numpy.typing import ArrayLike

from ._lib import DTYPES, LIBRARIES, TYPED, ArgumentError, C, StateError, call, error, record


class Core:
    """An object of the library, freed when nobody refers to it; `keep` is what it uses."""

    def __init__(self, context: Context, p: int, free: Any, keep: Any = ()) -> None:
        self.p, self.keep = p, keep
        if free:
            weakref.finalize(self, free, p).atexit = False  # at exit the system releases all
            context._cores.add(self)


class Handle:
    """Base of the objects of the library."""

    _core: Optional[Core] = None
    context: Context

    def _own(self, context: Context, p: Any, free: Any, keep: Any = ()) -> None:
        self.context, self._core = context, Core(context, p, free, keep)

    @property
    def _p(self) -> int:
        if self._core is None:
            raise StateError(f"the {type(self).__name__} is freed, or was not made; expected one in use")
        return self._core.p

    def free(self) -> None:
        """Release the object; every later use is a `StateError`.

        The memory is released once no array, solver or other object uses it.  Local, as Python's own release.
        """
        self._core = None

    def __reduce__(self) -> Any:
        raise TypeError(f"a {type(self).__name__} cannot be copied by copy or pickle")


def handle(obj: Any, kind: type[Any], what: str, letter: str = "") -> Any:
    """The address of a handle of that kind and scalar, or the exception that says what is wrong: see `call`."""
    if not isinstance(obj, kind):
        return ArgumentError(f"{what} is a {type(obj).__name__}; expected a {kind.__name__}")
    if letter and obj._letter != letter:
        return ArgumentError(f"{what} has dtype {DTYPES[obj._letter]}; expected {DTYPES[letter]}, as what it is used with")
    try:
        return obj._p
    except StateError as e:
        return StateError(f"{what}: {e}")


def need(obj: Any, kind: type[Any], what: str, letter: str = "") -> int:
    """As `handle`, but raise the exception: where the processes agree otherwise."""
    found = handle(obj, kind, what, letter)
    if isinstance(found, Exception):
        raise type(found)(*found.args)  # a new one, to which no variable here refers
    return found


class Context:
    """The processes that work together.

    Parameters
    ----------
    comm : mpi4py.MPI.Intracomm, optional
        The communicator, which is duplicated; `MPI.COMM_WORLD` if not given.

    Notes
    -----
    Collective.  The environment variable PSB_DEVICE chooses the device: ``cuda``, ``fake`` (host memory, for tests),
    ``none``; not set: a GPU if there is one.  With several processes an exception that nobody catches aborts all of
    them, since they would wait for the one that ends.

    An error in the arguments of a collective call on one process is an error on all.
    """

    def __init__(self, comm: Optional[MPI.Intracomm] = None) -> None:
        if MPI.COMM_WORLD.Get_size() > 1:
            _abort_if_uncaught()
        comm = MPI.COMM_WORLD if comm is None else comm
        if not isinstance(comm, MPI.Comm):
            raise ArgumentError(f"comm is a {type(comm).__name__}; expected a communicator of mpi4py")
        kind = c_void_p if MPI._sizeof(MPI.Comm) == ctypes.sizeof(c_void_p) else c_int
        made, init = c_void_p(), LIBRARIES["base"]["psb_init_comm"]
        init.argtypes = [c_void_p, kind]
        code = init(byref(made), kind.from_address(MPI._addressof(comm)))
        if code:
            raise error(code)
        self._p, self._cores = made.value, weakref.WeakSet[Core]()
        self.rank, self.size = comm.Get_rank(), comm.Get_size()
        call(C.psb_cuda_init, self._p)
        call(C.psb_rsb_init)

    @property
    def device(self) -> str:
        """The device in use: "none", "fake" or "cuda"."""
        device = C.psb_cuda_device()
        fake = ctypes.addressof(ctypes.c_char.in_dll(LIBRARIES["cuda"], "psb_device_fake"))
        return "none" if not device else "fake" if device == fake else "cuda"

    @property
    def formats(self) -> list[str]:
        """The names of the formats; "auto" and "autog" choose one of them."""
        names: list[str] = []
        call_of = TYPED["d"]
        while mold := call_of.mat_format(len(names)):
            names.append(call_of.mat_get_fmt(mold).decode().lower())
        return names

    @contextmanager
    def together(self) -> Iterator[None]:
        """Make local work part of a collective call: an exception on one process is one on all.

        Examples
        --------
        >>> with context.together():
        ...     a.insert(i, j, values)   # if it fails on one process, it does on all
        """
        if self._p is None:
            raise StateError("the Context is freed; expected one in use")
        failed: Optional[Exception] = None
        try:
            yield
        except Exception as e:  # pylint: disable=broad-except
            failed = e
        code = C.psb_agree(self._p, record(failed) if failed else 0)
        if failed:
            C.psb_clean_errstack()
            try:
                raise failed
            finally:
                failed = None  # no cycle with its traceback
        if code:
            raise error(code)

    def free(self) -> None:
        """Free the context; `StateError` while there are objects made on it.  Collective."""
        gc.collect()
        with self.together():
            if self._cores:
                raise StateError(f"{len(self._cores)} objects of the context are in use; expected all to be freed")
        C.psb_exit(self._p)
        self._p = None


def _abort_if_uncaught() -> None:
    """Let an exception that nobody catches abort all processes, as `python -m mpi4py` does."""
    former = sys.excepthook
    if getattr(former, "aborts", False):
        return

    def hook(kind: Any, value: Any, trace: Any) -> None:
        former(kind, value, trace)
        sys.stderr.flush()
        MPI.COMM_WORLD.Abort(1)

    hook.aborts = True  # type: ignore[attr-defined]
    sys.excepthook = hook


def indices(values: ArrayLike, what: str) -> np.ndarray:
    """Indices as a contiguous array of int64."""
    array = np.atleast_1d(np.asarray(values))
    if array.size and array.dtype.kind not in "iu":
        raise ArgumentError(f"{what} has dtype {array.dtype}; expected integers")
    if array.ndim != 1:
        raise ArgumentError(f"{what} has {array.ndim} dimensions; expected one")
    return np.ascontiguousarray(array, np.int64)


class Descriptor(Handle):
    """Which process owns which rows of vectors and matrices, and which rows of others it uses (the halo).

    Parameters
    ----------
    context : Context
    n : int, optional
        The number of global rows: consecutive blocks of nearly the same size, in rank order.
    local : int, optional
        The rows that this process owns, consecutive, in rank order.
    rows : array of int, optional
        The global indices of the rows that this process owns.

    Notes
    -----
    One of the three is given, the same on all processes.  Collective.
    """

    def __init__(self, context: Context, n: Optional[int] = None, *, local: Optional[int] = None,
                 rows: Optional[ArrayLike] = None) -> None:
        if not isinstance(context, Context):
            raise ArgumentError(f"context is a {type(context).__name__}; expected a Context")
        made, listed = c_void_p(), None
        with context.together():
            if (n is None) + (local is None) + (rows is None) != 2:
                raise ArgumentError("expected one of n, local and rows")
            if rows is not None:
                listed = indices(rows, "rows")
                local = listed.size
            elif n is not None:
                local = even(int(n), context)[1] if n >= 0 else -1
            if not 0 <= int(local or 0) < 2**31:
                raise ArgumentError(f"this process would own {local} rows; expected 0 to 2^31 - 1")
        if listed is None:
            call(C.psb_cdall_nl, byref(made), context._p, local)
        else:
            call(C.psb_cdall_vl, byref(made), context._p, local, listed.ctypes.data)
        self._own(context, made.value, C.psb_cdfree)

    @classmethod
    def _made(cls, context: Context, p: Any) -> Descriptor:
        self = cls.__new__(cls)
        self._own(context, p, C.psb_cdfree)
        return self

    @property
    def global_rows(self) -> int:
        """The rows of all processes."""
        return C.psb_cd_global_rows(self._p)

    @property
    def local_rows(self) -> int:
        """The rows owned here."""
        return C.psb_cd_local_rows(self._p)

    @property
    def local_cols(self) -> int:
        """The rows owned here and the halo, which follows them."""
        return C.psb_cd_local_cols(self._p)

    @property
    def assembled(self) -> bool:
        """Whether the halo is known, and final."""
        return C.psb_cd_state(self._p) == 2

    @property
    def indices(self) -> np.ndarray:
        """The global indices of the rows owned here and, once assembled, of the halo."""
        n = self.local_cols if self.assembled else self.local_rows
        local, found = np.arange(n, dtype=np.int32), np.empty(n, np.int64)
        call(C.psb_loc_to_glob_n, self._p, n, local.ctypes.data, found.ctypes.data)
        return found

    def use(self, columns: ArrayLike) -> None:
        """Declare that this process uses these global indices: for operators without a matrix.  Local."""
        listed = indices(columns, "columns")
        call(C.psb_cdins, self._p, listed.size, None, listed.ctypes.data)

    def assemble(self) -> None:
        """Plan the exchange of the halo; `Matrix.assemble` does so itself.  Collective."""
        call(C.psb_cdasb, self._p)


def even(n: int, context: Context) -> tuple[int, int]:
    """The first row and the number of rows of this process, of n in blocks of nearly the same size."""
    most, more = divmod(n, context.size)
    return context.rank * most + min(context.rank, more), most + (context.rank < more)
