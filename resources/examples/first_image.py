#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The first image of a recording as a NumPy array, through libecholux and ctypes alone.

    python3 first_image.py recording.h5 image.npy

ECHOLUX_LIBRARY names the library where the system does not find libecholux.so.0."""
import ctypes
import os
import sys

import numpy

library = ctypes.CDLL(os.environ.get("ECHOLUX_LIBRARY", "libecholux.so.0"))
POINTER, TEXT, INTEGER = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int64
for name, result, *arguments in [
        ("last_error", TEXT),
        ("open", POINTER, TEXT),
        ("close", None, POINTER),
        ("recording_spec", POINTER, POINTER),
        ("recording_read", ctypes.c_int, POINTER, INTEGER, POINTER, ctypes.c_size_t),
        ("spec_bytes", INTEGER, POINTER),
        ("spec_axes", ctypes.c_int, POINTER),
        ("spec_axis_size", INTEGER, POINTER, ctypes.c_int),
        ("pipeline_new", POINTER, TEXT, POINTER, TEXT, ctypes.c_int, ctypes.c_int),
        ("pipeline_free", None, POINTER),
        ("set_number", ctypes.c_int, POINTER, TEXT, ctypes.c_double),
        ("push", ctypes.c_int, POINTER, POINTER, ctypes.c_size_t, INTEGER),
        ("take", ctypes.c_int, POINTER, ctypes.c_double),
        ("output_name", TEXT, POINTER, ctypes.c_int),
        ("output_spec", POINTER, POINTER, TEXT),
        ("output_copy", ctypes.c_int, POINTER, TEXT, POINTER, ctypes.c_size_t)]:
    function = getattr(library, "echolux_" + name)
    function.restype, function.argtypes = result, arguments


def require(is_true):
    if not is_true:
        sys.exit(library.echolux_last_error().decode())


def first_image(path):
    recording = library.echolux_open(path.encode())
    require(recording)
    raw = library.echolux_recording_spec(recording)
    pipeline = library.echolux_pipeline_new(None, raw, b"auto", 0, 1)
    require(pipeline)
    frame = numpy.empty(library.echolux_spec_bytes(raw), numpy.uint8)
    require(library.echolux_recording_read(recording, 0, frame.ctypes.data, frame.nbytes) == 0)
    require(library.echolux_push(pipeline, frame.ctypes.data, frame.nbytes, 0) == 0)
    require(library.echolux_take(pipeline, 60.0) == 0)
    name = library.echolux_output_name(pipeline, 0)
    spec = library.echolux_output_spec(pipeline, name)
    shape = [library.echolux_spec_axis_size(spec, axis) for axis in range(library.echolux_spec_axes(spec))]
    image = numpy.empty(shape, numpy.float32)
    require(library.echolux_output_copy(pipeline, name, image.ctypes.data, image.nbytes) == 0)
    library.echolux_pipeline_free(pipeline)
    library.echolux_close(recording)
    return image


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    image = first_image(sys.argv[1])
    numpy.save(sys.argv[2], image)
    print(f"{image.shape[0]} x {image.shape[1]} pixels, {image.min():.1f} to {image.max():.1f} dB")
