"""The shared libraries: where they are, how their calls are declared, errors as exceptions."""
from __future__ import annotations

import ctypes
import os
import re
import subprocess
from ctypes import c_char, c_char_p, c_double, c_float, c_int, c_int32, c_int64, c_size_t, c_void_p
from typing import Any

import numpy as np
import mpi4py.MPI  # noqa: F401  before the libraries, so that they find its MPI
from numpy.typing import DTypeLike

SONAME = 0  # of the libraries whose calls and structs are declared here


class Error(Exception):
    """An error of the library; `code` is its psb_err."""

    code = 2


class OutOfMemory(Error, MemoryError):
    """PSB_ENOMEM."""

    code = 1


class ArgumentError(Error, ValueError):
    """PSB_EARG: a wrong argument, or an error in a function of the caller."""


class StateError(Error):
    """PSB_ESTATE: an object is freed, or not in the state that a call needs."""

    code = 3


class NotOffered(Error, NotImplementedError):
    """PSB_ENOTIMPL."""

    code = 4


class PaddingError(Error):
    """PSB_EPADDING: a format would need too much memory for this matrix."""

    code = 5


class FileError(Error):
    """PSB_EIO."""

    code = 6


class MPIError(Error):
    """PSB_EMPI: MPI failed, or another process did not take part."""

    code = 7


class DeviceError(Error):
    """PSB_EDEVICE."""

    code = 8


class PivotError(Error, ArithmeticError):
    """PSB_EPIVOT."""

    code = 9


CLASSES = {c.code: c for c in (OutOfMemory, ArgumentError, StateError, NotOffered, PaddingError, FileError,
                               MPIError, DeviceError, PivotError)}


def _folders() -> list[str]:
    """Where the libraries may be; "" stands for the places of the dynamic loader, as LD_LIBRARY_PATH."""
    prefix = os.environ.get("PSBC_PREFIX")
    if prefix:
        return [os.path.join(prefix, lib) for lib in ("lib", "lib64")]
    try:
        found = subprocess.run(["pkg-config", "--variable=libdir", "psbc"], capture_output=True, text=True, check=False)
        return ["", found.stdout.strip()] if found.stdout.strip() else [""]
    except OSError:
        return [""]


def _load() -> dict[str, ctypes.CDLL]:
    why = []
    for folder in _folders():
        try:
            return {name: ctypes.CDLL(os.path.join(folder, f"libpsb_{name}.so.{SONAME}"))
                    for name in ("base", "ext", "cuda", "rsb", "util", "linsolve")}
        except OSError as e:
            why.append(str(e))
    raise ImportError("the shared libraries of PSBC were not found; expected them in PSBC_PREFIX/lib, in LD_LIBRARY_PATH, "
                      "or where `pkg-config psbc` says (configure, make install): " + "; ".join(why))


LIBRARIES = _load()


def _check_mpi() -> None:
    """The libraries and mpi4py must use one MPI: a process that has loaded two would crash."""
    try:
        with open("/proc/self/maps", encoding="utf-8") as maps:
            loaded = {word for line in maps for word in line.split()[5:6] if re.search(r"/libmpi(ch)?\.so[.0-9]*$", word)}
    except OSError:
        return
    if len(loaded) > 1:
        raise ImportError(f"PSBC and mpi4py use two MPIs, {' and '.join(sorted(loaded))}; expected one MPI")


_check_mpi()


class ComplexFloat(ctypes.Structure):
    """float _Complex, which is passed as this struct is on x86-64, AArch64 and POWER."""

    _fields_ = [("re", c_float), ("im", c_float)]


class ComplexDouble(ctypes.Structure):
    """double _Complex."""

    _fields_ = [("re", c_double), ("im", c_double)]


SCALARS: dict[str, Any] = {"s": c_float, "d": c_double, "c": ComplexFloat, "z": ComplexDouble}
DTYPES: dict[str, np.dtype[Any]] = {"s": np.dtype("f4"), "d": np.dtype("f8"), "c": np.dtype("c8"), "z": np.dtype("c16")}

# The arguments of calls: p pointer, i int, k psb_ipk, l psb_lpk and psb_epk, n size_t, t text, o one character, T the
# scalar; then the result, if it is not psb_err: v nothing, or one of these.
CALLS = {
    "psb_init_comm": "pp", "psb_exit": "p>v", "psb_agree": "pi", "psb_cuda_init": "p", "psb_rsb_init": "",
    "psb_cuda_device": ">p", "psb_cuda_DeviceSync": "", "psb_cuda_stream": ">p",
    "psb_errmsg": ">t", "psb_strerror": "i>t", "psb_clean_errstack": ">v",
    "psb_cdall_nl": "ppk", "psb_cdall_vl": "ppkp", "psb_cdins": "plpp", "psb_cdasb": "p", "psb_cdfree": "p>v",
    "psb_cd_local_rows": "p>k", "psb_cd_local_cols": "p>k", "psb_cd_global_rows": "p>l", "psb_cd_state": "p>i",
    "psb_loc_to_glob_n": "plpp",
    "mat_by_name": "t>p", "mat_format": "i>p", "mat_get_fmt": "p>t",
    "spall2": "pppl", "spins": "lpppp", "sp_set_remote": "pi", "spasb": "ppi", "sprn": "pi", "spcnv": "pp",
    "sp_csr": "pppppp", "spfree": "p>v", "spmv": "TppTpo", "vects_like_n": "pipp", "sp_nnz": "p>l", "nnz": "pp",
    "mm_mat_read": "ppppt", "hb_mat_read": "ppppt", "sp_local": "pppp", "mat_csget": "pplpppp",
    "sp_fmt": "p>t", "sp_get_diag": "pp", "sp_row_desc": "p>p", "sp_col_desc": "p>p",
    "geall_n": "ppi", "geasb": "pp", "gefree": "p>v", "vect_get_ncols": "p>i", "vect_clone": "pp", "vect_zero": "p",
    "vect_copy": "pp", "set_scal": "Tp", "vect_cnv": "pp", "host_read": "pp", "host_update": "pp",
    "gather": "ppi", "scatter": "ppi", "halo": "po", "geaxpby": "TpTp", "gedot": "ppp", "genrm2": "pp",
    "vect_dlpack": "pp", "vect_dlpack_versioned": "pip", "ge_dlpack": "ppp", "ge_dlpack_versioned": "ppp",
    "operator_new": "pppp", "operator_of": "pp", "operator_apply": "pppo", "operator_free": "p>v",
    "precinit": "pt", "precinit_user": "ppp", "precbld": "pppp", "precbld_op": "pppp", "precupd": "pp",
    "precupd_op": "pp", "precapply": "pppo", "precdescr": "ppn", "precfree": "p>v",
    "solver_new": "ppt", "solver_new_op": "pppt", "solver_solve": "pppp", "solver_update": "p",
    "solver_history": "pipp", "solver_free": "p>v", "solver_set_nullspace": "ppp", "prec_set_near_null": "pp",
    "nullspace_new": "ppiip", "nullspace_rigid": "pip", "nullspace_free": "p>v", "lsmr": "ppppp",
}
C_TYPES = {"p": c_void_p, "i": c_int, "k": c_int32, "l": c_int64, "n": c_size_t, "t": c_char_p, "o": c_char, "v": None}


class Calls:
    """The calls of one scalar, as attributes without psb_ and its letter; or of none, by their whole names."""

    def __init__(self, letter: str = "") -> None:
        self.letter = letter

    def __getattr__(self, name: str) -> Any:
        arguments, _, result = CALLS[name].partition(">")
        symbol = f"psb_{self.letter}_{name}" if self.letter else name
        function = next(getattr(lib, symbol) for lib in map(LIBRARIES.get, ("linsolve", "cuda", "rsb", "util"))
                        if hasattr(lib, symbol))
        function.argtypes = [SCALARS[self.letter] if a == "T" else C_TYPES[a] for a in arguments]
        function.restype = C_TYPES[result] if result else c_int
        setattr(self, name, function)
        return function


C = Calls()
TYPED = {letter: Calls(letter) for letter in SCALARS}


def letter_of(dtype: DTypeLike, what: str = "dtype") -> str:
    """The letter of the scalar; an error for a dtype that has none."""
    wanted = np.dtype(dtype)
    for letter, d in DTYPES.items():
        if wanted == d:
            return letter
    raise ArgumentError(f"{what} is {wanted}; expected float32, float64, complex64 or complex128")


def scalar(letter: str, value: Any, what: str) -> Any:
    """A number of Python or NumPy, as an argument of a call."""
    if letter in "sd" and type(value) in (float, int):
        return value
    number = np.asarray(value)
    if number.shape != () or not np.can_cast(number.dtype, DTYPES[letter], "same_kind"):
        raise ArgumentError(f"{what} is {value!r}; expected a number for {DTYPES[letter]}")
    if letter in "sd":
        return SCALARS[letter](float(number))
    return SCALARS[letter](complex(number).real, complex(number).imag)


def error(code: int) -> Error:
    """The exception for the newest recorded error."""
    text = (C.psb_errmsg() or C.psb_strerror(code)).decode(errors="replace")
    C.psb_clean_errstack()
    made = CLASSES.get(code, ArgumentError)(text)
    made.code = code
    return made


def record(e: BaseException) -> int:
    """Record an exception as an error of the library, for other processes, and return its code."""
    code = e.code if isinstance(e, Error) else 1 if isinstance(e, MemoryError) else \
        4 if isinstance(e, NotImplementedError) else 2
    try:
        text = str(e) if isinstance(e, Error) else f"{type(e).__name__}: {e}"
    except Exception:  # pylint: disable=broad-except
        text = type(e).__name__
    return LIBRARIES["base"].psb_fail(c_int(code), c_char_p(b"Python"), c_char_p(b"psbc"), c_char_p(b"%s"),
                                      c_char_p(text.encode(errors="replace")))


raised: list[BaseException] = []  # by functions of the caller, during the call that is being made


def call(function: Any, *arguments: Any) -> None:
    """Make a call, and raise its error.

    An exception among the arguments stands for a handle that is wrong: NULL is passed, so that the library tells the
    other processes, and then it is raised.  On the process whose function has raised an exception, that is raised.
    """
    wrong = None
    for a in arguments:
        if isinstance(a, Exception):
            wrong = wrong or a
    if wrong:
        arguments = tuple(None if isinstance(a, Exception) else a for a in arguments)
    code = function(*arguments)
    if wrong or raised:
        C.psb_clean_errstack()
    if raised:
        first = raised[0]
        raised.clear()
        try:
            raise first
        finally:
            del first  # no cycle with its traceback, which would keep the caller's objects
    if wrong:
        raise type(wrong)(*wrong.args)  # a new one, to which no caller's variable refers
    if code:
        raise error(code)


def mold(letter: str, name: str) -> int:
    """The mold of a format; an error that lists the formats."""
    if not isinstance(name, str):
        raise ArgumentError(f"format is {name!r}; expected the name of a format")
    found = TYPED[letter].mat_by_name(name.encode())
    if not found:
        raise error(2)
    return found


def vector_mold(device: bool) -> int:
    """The mold of vectors on the device or the host."""
    return ctypes.addressof(c_char.in_dll(LIBRARIES["cuda" if device else "base"],
                                          "psb_vect_cuda" if device else "psb_vect_host"))
