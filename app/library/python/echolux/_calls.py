# SPDX-License-Identifier: GPL-3.0-or-later
"""The functions of libecholux, found and declared. A failed call raises EcholuxError."""
from __future__ import annotations

import ctypes
import importlib.util
import os
import pathlib
from typing import Any

POINTER, TEXT, REAL, INT = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_double, ctypes.c_int
INT64, SIZE = ctypes.c_int64, ctypes.c_size_t
STATUS, COUNT = "status", "count"  # results that are a C int, and what they mean
OK, AGAIN = 0, 4

_PROTOTYPES: dict[str, tuple[Any, ...]] = {
    # name: (result, arguments...)
    "version": (TEXT,),
    "last_error": (TEXT,),
    "gpu_count": (COUNT,),
    "allow_plugin": (STATUS, TEXT),
    "spec_new": (POINTER, TEXT),
    "spec_free": (None, POINTER),
    "spec_add_axis": (STATUS, POINTER, TEXT, INT64, REAL, REAL, TEXT),
    "spec_set": (STATUS, POINTER, TEXT, REAL),
    "spec_set_elements": (STATUS, POINTER, POINTER, INT64),
    "spec_add_transmit": (STATUS, POINTER, TEXT, REAL, REAL, REAL, REAL, REAL),
    "spec_get": (STATUS, POINTER, TEXT, POINTER),
    "spec_elements": (INT64, POINTER, POINTER, INT64),
    "spec_channel_elements": (INT64, POINTER, POINTER, INT64),
    "spec_transmits": (INT64, POINTER),
    "spec_transmit_wave": (TEXT, POINTER, INT64),
    "spec_transmit_get": (STATUS, POINTER, INT64, TEXT, POINTER),
    "spec_transmit_set": (STATUS, POINTER, INT64, TEXT, REAL),
    "spec_transmit_weights": (INT64, POINTER, INT64, POINTER, INT64),
    "spec_steering": (TEXT, POINTER),
    "spec_value_range": (STATUS, POINTER, POINTER, POINTER),
    "spec_value_unit": (TEXT, POINTER),
    "spec_pose": (INT64, POINTER, POINTER, INT64),
    "spec_pose_space": (TEXT, POINTER),
    "spec_set_pose": (STATUS, POINTER, POINTER, TEXT),
    "spec_sample_type": (TEXT, POINTER),
    "spec_axes": (COUNT, POINTER),
    "spec_axis_name": (TEXT, POINTER, INT),
    "spec_axis_size": (INT64, POINTER, INT),
    "spec_axis_scale": (STATUS, POINTER, INT, POINTER, POINTER),
    "spec_axis_unit": (TEXT, POINTER, INT),
    "spec_bytes": (INT64, POINTER),
    "spec_text": (TEXT, POINTER),
    "open_with": (POINTER, TEXT, TEXT, TEXT, INT),
    "close": (None, POINTER),
    "recording_format": (TEXT, POINTER),
    "recording_frames": (INT64, POINTER),
    "recording_rate": (REAL, POINTER),
    "recording_warnings": (TEXT, POINTER),
    "recording_tracks": (TEXT, POINTER),
    "recording_spec": (POINTER, POINTER),
    "recording_read": (STATUS, POINTER, INT64, POINTER, SIZE),
    "recording_stamps": (INT64, POINTER, INT64, INT64, POINTER, POINTER, POINTER, POINTER),
    "recording_space": (TEXT, POINTER, INT64),
    "write": (STATUS, TEXT, POINTER, REAL, POINTER, SIZE, INT),
    "pipeline_new": (POINTER, TEXT, POINTER, TEXT, INT, INT),
    "pipeline_free": (None, POINTER),
    "pipeline_device": (TEXT, POINTER),
    "pipeline_text": (TEXT, POINTER),
    "pipeline_input": (POINTER, POINTER),
    "push": (STATUS, POINTER, POINTER, SIZE, INT64),
    "push_device": (STATUS, POINTER, POINTER, SIZE, INT64, POINTER),
    "take": (STATUS, POINTER, REAL),
    "result_number": (INT64, POINTER),
    "restart": (STATUS, POINTER),
    "outputs": (COUNT, POINTER),
    "output_name": (TEXT, POINTER, INT),
    "output_spec": (POINTER, POINTER, TEXT),
    "output_copy": (STATUS, POINTER, TEXT, POINTER, SIZE),
    "output_memory": (POINTER, POINTER, TEXT),
    "parameters": (COUNT, POINTER),
    "parameter_name": (TEXT, POINTER, INT),
    "parameter_label": (TEXT, POINTER, TEXT),
    "parameter_help": (TEXT, POINTER, TEXT),
    "parameter_unit": (TEXT, POINTER, TEXT),
    "parameter_type": (TEXT, POINTER, TEXT),
    "parameter_choices": (TEXT, POINTER, TEXT),
    "parameter_range": (STATUS, POINTER, TEXT, POINTER, POINTER, POINTER),
    "set_number": (STATUS, POINTER, TEXT, REAL),
    "get_number": (STATUS, POINTER, TEXT, POINTER),
    "set_text": (STATUS, POINTER, TEXT, TEXT),
    "get_text": (TEXT, POINTER, TEXT),
    "set_bypass": (STATUS, POINTER, TEXT, INT),
    "steps": (COUNT, POINTER),
    "step_name": (TEXT, POINTER, INT),
    "step_seconds": (REAL, POINTER, INT),
}


class EcholuxError(RuntimeError):
    """One sentence: what failed, where, and what to do."""


class EcholuxWarning(UserWarning):
    """One sentence: what was assumed of a recording, or is odd about it."""


def _with_cuda(folder: pathlib.Path) -> ctypes.CDLL | None:
    """The library with CUDA, where a wheel holds it and a driver and CUDA's runtime are found: of the system, or
    of the packages nvidia-cuda-runtime and nvidia-cufft."""
    form = folder / "cuda" / "libecholux.so.0"
    if not form.exists():
        return None
    packages = importlib.util.find_spec("nvidia")
    try:
        ctypes.CDLL("libcuda.so.1")
        for place in (packages.submodule_search_locations or []) if packages else []:
            for name in ("libcudart.so.*", "libnvJitLink.so.*", "libcufft.so.*"):
                for library in pathlib.Path(place).glob("*/lib/" + name):
                    ctypes.CDLL(str(library))  # the loader does not look there by itself
        return ctypes.CDLL(str(form))
    except OSError:
        return None  # the other form runs everywhere


def _load() -> ctypes.CDLL:
    folder = pathlib.Path(__file__).parent
    beside = folder / "libecholux.so.0"
    named = os.environ.get("ECHOLUX_LIBRARY")
    path = named or (str(beside) if beside.exists() else "libecholux.so.0")
    try:
        library = None if named else _with_cuda(folder)
        library = library or ctypes.CDLL(path)
    except OSError as error:
        raise ImportError(f"libecholux cannot be loaded ({error}); install it or name it in ECHOLUX_LIBRARY.") from error
    for name, (result, *arguments) in _PROTOTYPES.items():
        function = getattr(library, "echolux_" + name)
        function.restype, function.argtypes = INT if result in (STATUS, COUNT) else result, arguments
    return library


_library = _load()


def call(name: str, *arguments: Any) -> Any:
    """The result of echolux_NAME; texts come as str, and str arguments go as UTF-8.

    Other threads run meanwhile. Raises EcholuxError for a null pointer or text, a negative number, and
    a status that is neither OK nor AGAIN.
    """
    kind = _PROTOTYPES[name][0]
    function = getattr(_library, "echolux_" + name)
    result = function(*(a.encode() if isinstance(a, str) else a for a in arguments))
    if kind is None:
        return None
    if kind is STATUS:
        failed = result not in (OK, AGAIN)
    else:
        failed = result is None or (kind is not TEXT and result < 0)
    if failed:
        raise EcholuxError(_library.echolux_last_error().decode())
    return result.decode() if kind is TEXT else result


def number(name: str, *arguments: Any) -> float:
    """What echolux_NAME writes to its last argument, a double."""
    value = ctypes.c_double()
    call(name, *arguments, ctypes.byref(value))
    return value.value
