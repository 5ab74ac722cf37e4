# SPDX-License-Identifier: GPL-3.0-or-later
"""The functions of libecholux, found and declared. A failed call raises EcholuxError."""
import ctypes
import os
import pathlib

POINTER, TEXT, REAL, INT = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_double, ctypes.c_int
INT64, SIZE = ctypes.c_int64, ctypes.c_size_t
OK, AGAIN = 0, 4

_PROTOTYPES = {
    # name: (result, arguments...)
    "version": (TEXT,),
    "last_error": (TEXT,),
    "gpu_count": (INT,),
    "allow_plugin": (INT, TEXT),
    "spec_new": (POINTER, TEXT),
    "spec_free": (None, POINTER),
    "spec_add_axis": (INT, POINTER, TEXT, INT64, REAL, REAL, TEXT),
    "spec_set": (INT, POINTER, TEXT, REAL),
    "spec_set_elements": (INT, POINTER, POINTER, INT64),
    "spec_add_transmit": (INT, POINTER, TEXT, REAL, REAL, REAL, REAL, REAL),
    "spec_sample_type": (TEXT, POINTER),
    "spec_axes": (INT, POINTER),
    "spec_axis_name": (TEXT, POINTER, INT),
    "spec_axis_size": (INT64, POINTER, INT),
    "spec_axis_scale": (INT, POINTER, INT, POINTER, POINTER),
    "spec_axis_unit": (TEXT, POINTER, INT),
    "spec_bytes": (INT64, POINTER),
    "spec_text": (TEXT, POINTER),
    "open": (POINTER, TEXT),
    "close": (None, POINTER),
    "recording_format": (TEXT, POINTER),
    "recording_frames": (INT64, POINTER),
    "recording_rate": (REAL, POINTER),
    "recording_spec": (POINTER, POINTER),
    "recording_read": (INT, POINTER, INT64, POINTER, SIZE),
    "pipeline_new": (POINTER, TEXT, POINTER, TEXT, INT, INT),
    "pipeline_free": (None, POINTER),
    "pipeline_device": (TEXT, POINTER),
    "pipeline_text": (TEXT, POINTER),
    "push": (INT, POINTER, POINTER, SIZE, INT64),
    "push_device": (INT, POINTER, POINTER, SIZE, INT64, POINTER),
    "take": (INT, POINTER, REAL),
    "result_number": (INT64, POINTER),
    "flush": (INT, POINTER),
    "restart": (INT, POINTER),
    "outputs": (INT, POINTER),
    "output_name": (TEXT, POINTER, INT),
    "output_spec": (POINTER, POINTER, TEXT),
    "output_copy": (INT, POINTER, TEXT, POINTER, SIZE),
    "output_memory": (POINTER, POINTER, TEXT),
    "parameters": (INT, POINTER),
    "parameter_name": (TEXT, POINTER, INT),
    "parameter_label": (TEXT, POINTER, TEXT),
    "parameter_help": (TEXT, POINTER, TEXT),
    "parameter_unit": (TEXT, POINTER, TEXT),
    "parameter_type": (TEXT, POINTER, TEXT),
    "parameter_choices": (TEXT, POINTER, TEXT),
    "parameter_range": (INT, POINTER, TEXT, POINTER, POINTER, POINTER),
    "set_number": (INT, POINTER, TEXT, REAL),
    "get_number": (INT, POINTER, TEXT, POINTER),
    "set_text": (INT, POINTER, TEXT, TEXT),
    "get_text": (TEXT, POINTER, TEXT),
    "set_bypass": (INT, POINTER, TEXT, INT),
    "steps": (INT, POINTER),
    "step_name": (TEXT, POINTER, INT),
    "step_seconds": (REAL, POINTER, INT),
    "total_seconds": (REAL, POINTER),
}


class EcholuxError(RuntimeError):
    """One sentence: what failed, where, and what to do."""


def _load() -> ctypes.CDLL:
    beside = pathlib.Path(__file__).with_name("libecholux.so.0")
    path = os.environ.get("ECHOLUX_LIBRARY") or (str(beside) if beside.exists() else "libecholux.so.0")
    try:
        library = ctypes.CDLL(path)
    except OSError as error:
        raise ImportError(f"libecholux was not found ({error}); install it or name it in ECHOLUX_LIBRARY.") from error
    for name, (result, *arguments) in _PROTOTYPES.items():
        function = getattr(library, "echolux_" + name)
        function.restype, function.argtypes = result, arguments
    return library


_library = _load()


def call(name: str, *arguments):
    """The result of echolux_NAME; texts come as str, and str arguments go as UTF-8.

    Other threads run meanwhile. Raises EcholuxError for a null pointer, and for a status that is
    neither OK nor AGAIN.
    """
    function = getattr(_library, "echolux_" + name)
    result = function(*(a.encode() if isinstance(a, str) else a for a in arguments))
    if function.restype is TEXT:
        if result is None:
            raise EcholuxError(last_error())
        return result.decode()
    failed = (function.restype is POINTER and not result) or (function.restype is INT and result not in (OK, AGAIN))
    if failed and name not in _COUNTS or (name in _COUNTS and result < 0):
        raise EcholuxError(last_error())
    return result


_COUNTS = {n for n, (r, *_) in _PROTOTYPES.items() if r in (INT64, REAL)} | {
    "gpu_count", "spec_axes", "outputs", "parameters", "steps"}


def last_error() -> str:
    return _library.echolux_last_error().decode()
