"""Capsules of DLPack made of the library's tensors, and the other way round."""
from __future__ import annotations

import ctypes
import sys
from ctypes import CFUNCTYPE, POINTER, Structure, c_char_p, c_int32, c_int64, c_uint8, c_uint16, c_uint32, c_uint64, c_void_p
from typing import Any

from ._lib import ArgumentError

CPU, CUDA, EXT = 1, 2, 12  # kinds of devices; the last one is the fake device


class Tensor(Structure):
    """DLTensor."""

    _fields_ = [("data", c_void_p), ("device_type", c_int32), ("device_id", c_int32), ("ndim", c_int32), ("code", c_uint8),
                ("bits", c_uint8), ("lanes", c_uint16), ("shape", POINTER(c_int64)), ("strides", POINTER(c_int64)),
                ("byte_offset", c_uint64)]


class Managed(Structure):
    """DLManagedTensor."""

    _fields_ = [("tensor", Tensor), ("context", c_void_p), ("deleter", c_void_p)]


class Versioned(Structure):
    """DLManagedTensorVersioned."""

    _fields_ = [("major", c_uint32), ("minor", c_uint32), ("context", c_void_p), ("deleter", c_void_p), ("flags", c_uint64),
                ("tensor", Tensor)]


KINDS: dict[bytes, Any] = {b"dltensor": Managed, b"dltensor_versioned": Versioned}
USED = {name: b"used_" + name for name in KINDS}  # PyCapsule keeps the addresses of names
NAMES = {name: name for name in KINDS}

_new = ctypes.pythonapi.PyCapsule_New
_new.restype, _new.argtypes = ctypes.py_object, [c_void_p, c_char_p, c_void_p]
_is = ctypes.pythonapi.PyCapsule_IsValid
_is.restype, _is.argtypes = ctypes.c_int, [c_void_p, c_char_p]
_get = ctypes.pythonapi.PyCapsule_GetPointer
_get.restype, _get.argtypes = c_void_p, [c_void_p, c_char_p]
_rename = ctypes.pythonapi.PyCapsule_SetName
_rename.restype, _rename.argtypes = ctypes.c_int, [c_void_p, c_char_p]

_Deleter = CFUNCTYPE(None, c_void_p)
_exported: dict[int, tuple[Any, int]] = {}  # by address: what a tensor needs, and the library's deleter
_offered: list[tuple[Any, bytes, int]] = []  # capsules that may not be taken yet


@_Deleter
def _delete(address: int) -> None:
    """The deleter that consumers call."""
    _, library = _exported.pop(address)
    _Deleter(library)(address)


def sweep() -> None:
    """Delete the tensors of capsules that nobody has taken, and nobody has.

    A destructor in Python would be called while an exception of the consumer is pending, and could not run.
    """
    for item in _offered[:]:
        capsule, name, address = item
        unused = sys.getrefcount(capsule) == 3  # item, capsule, argument
        if not _is(id(capsule), name) or unused:
            _offered.remove(item)
            if _is(id(capsule), name):
                _delete(address)


def capsule_of(address: int, versioned: bool, keep: Any) -> Any:
    """A capsule with the library's tensor at `address`; `keep` lives as long as the tensor."""
    sweep()
    name = NAMES[b"dltensor_versioned" if versioned else b"dltensor"]
    managed = KINDS[name].from_address(address)
    _exported[address] = keep, managed.deleter
    managed.deleter = ctypes.cast(_delete, c_void_p).value
    _offered.append((_new(address, name, None), name, address))
    return _offered[-1][0]


def device_of(address: int) -> tuple[int, int]:
    """The device of the library's versioned tensor at `address`, which is deleted."""
    managed = Versioned.from_address(address)
    found = managed.tensor.device_type, managed.tensor.device_id
    _Deleter(managed.deleter)(address)
    return found


def offer(obj: Any, max_version: Any = (1, 0), **where: Any) -> Any:
    """The capsule of an array, of version 1 if it can and `max_version` permits it."""
    try:
        return obj.__dlpack__(max_version=max_version, **where)
    except TypeError:  # older than version 1
        return obj.__dlpack__(**where)


class Import:
    """The tensor of an object with `__dlpack__`, until `taken`."""

    def __init__(self, obj: Any, stream: Any) -> None:
        if not hasattr(obj, "__dlpack__"):
            raise ArgumentError(f"a {type(obj).__name__} has no __dlpack__; expected an array of NumPy, CuPy or PyTorch")
        where = {"stream": stream or 1} if obj.__dlpack_device__()[0] == CUDA else {}
        try:
            self.capsule = offer(obj, **where)
        except (BufferError, RuntimeError, ValueError) as e:
            raise ArgumentError(f"the array is not offered to others: {e}") from e
        self.name = next((name for name in NAMES.values() if _is(id(self.capsule), name)), b"")
        if not self.name:
            raise ArgumentError("__dlpack__ returned no tensor; expected a capsule of DLPack")
        self.address = _get(id(self.capsule), self.name)
        self.versioned = KINDS[self.name] is Versioned
        self.tensor: Tensor = KINDS[self.name].from_address(self.address).tensor

    def dtype(self) -> str:
        """The dtype of the elements, for NumPy; an unusual one as text that no scalar has."""
        kind = {0: "i", 1: "u", 2: "f", 5: "c"}.get(self.tensor.code, "V")
        return f"{kind}{self.tensor.bits // 8}"

    def taken(self) -> None:
        """The library owns the tensor now."""
        _rename(id(self.capsule), USED[self.name])
        sweep()
