# SPDX-License-Identifier: GPL-3.0-or-later
"""DLPack capsules of arrays in GPU memory (https://dmlc.github.io/dlpack, version 0)."""
from __future__ import annotations

import ctypes
from typing import Any

import numpy

CUDA = 2  # kDLCUDA
_KINDS = {"i": 0, "u": 1, "f": 2, "c": 5}  # numpy's and DLPack's kinds of numbers
_LETTERS = {number: letter for letter, number in _KINDS.items()}
_NAME, _capsules = b"dltensor", ctypes.pythonapi
_capsules.PyCapsule_New.restype = ctypes.py_object
_capsules.PyCapsule_New.argtypes = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p
# NOTE: addresses, because a capsule that is being destroyed must not become a Python object again.
_capsules.PyCapsule_GetPointer.restype = ctypes.c_void_p
_capsules.PyCapsule_GetPointer.argtypes = ctypes.c_void_p, ctypes.c_char_p
_capsules.PyCapsule_IsValid.argtypes = ctypes.c_void_p, ctypes.c_char_p


class _Tensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("device_type", ctypes.c_int32), ("device", ctypes.c_int32),
                ("dimensions", ctypes.c_int32), ("kind", ctypes.c_uint8), ("bits", ctypes.c_uint8),
                ("lanes", ctypes.c_uint16), ("shape", ctypes.POINTER(ctypes.c_int64)),
                ("strides", ctypes.POINTER(ctypes.c_int64)), ("offset", ctypes.c_uint64)]


class _Managed(ctypes.Structure):
    pass


_Deleter = ctypes.CFUNCTYPE(None, ctypes.POINTER(_Managed))
_Managed._fields_ = [("tensor", _Tensor), ("context", ctypes.c_void_p), ("deleter", _Deleter)]
_given: dict[int, tuple[Any, ...]] = {}  # by address: what must live until the receiver has called the deleter


def _release_given(managed: Any) -> None:
    _given.pop(ctypes.addressof(managed.contents), None)


def _forget_untaken(capsule: int) -> None:
    if _capsules.PyCapsule_IsValid(capsule, _NAME):  # nobody took it
        _given.pop(_capsules.PyCapsule_GetPointer(capsule, _NAME), None)


_release = _Deleter(_release_given)
_forget = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(_forget_untaken)


def capsule_of(owner: object, address: int, shape: tuple[int, ...], dtype: numpy.dtype[Any], device: int) -> Any:
    """A capsule of the dense array at `address`; `owner` lives as long as its receiver needs it."""
    sizes = (ctypes.c_int64 * len(shape))(*shape)
    tensor = _Tensor(address, CUDA, device, len(shape), _KINDS[dtype.kind], 8 * dtype.itemsize, 1, sizes, None, 0)
    managed = _Managed(tensor, None, _release)
    _given[ctypes.addressof(managed)] = (owner, sizes, managed)
    return _capsules.PyCapsule_New(ctypes.addressof(managed), _NAME, ctypes.cast(_forget, ctypes.c_void_p))


def array_in(capsule: Any) -> tuple[int, tuple[int, ...], numpy.dtype[Any], bool]:
    """Address, shape, sample type, and whether the array is dense. It lives as long as the capsule."""
    address = _capsules.PyCapsule_GetPointer(id(capsule), _NAME)
    tensor = ctypes.cast(address, ctypes.POINTER(_Managed)).contents.tensor
    shape = tuple(tensor.shape[: tensor.dimensions])
    dtype = numpy.dtype(f"{_LETTERS.get(tensor.kind, 'V')}{tensor.lanes * tensor.bits // 8}")
    dense, size = True, 1
    for i in reversed(range(len(shape))):
        dense = dense and (not tensor.strides or shape[i] == 1 or tensor.strides[i] == size)
        size *= shape[i]
    return tensor.data + tensor.offset, shape, dtype, dense
