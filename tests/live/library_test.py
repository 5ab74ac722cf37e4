#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The writer as a library, for MATLAB: what it publishes, the Python client reads to the byte."""
import ctypes
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../../app/live/client"))
import numpy as np

from echolux_live import Reader

NAME = f"library-{os.getpid()}"
library = ctypes.CDLL(sys.argv[1])
library.live_open.restype = ctypes.c_char_p
library.live_open.argtypes = [ctypes.c_char_p, ctypes.c_uint64, ctypes.c_char_p]
library.live_put.argtypes = [ctypes.c_void_p, ctypes.c_int64]

assert b"slash" in library.live_open(b"a/b", 8, b"")
assert library.live_open(NAME.encode(), 1024, b"sound_speed = 1540\n") == b""
reader = Reader(NAME)
assert reader.description == b"sound_speed = 1540\n"
frames = [np.arange(512, dtype=np.int16) + np.int16(n) for n in range(3)]
for number, frame in enumerate(frames):
    library.live_put(frame.ctypes.data, 7 * number)
for n, (number, samples) in zip(range(3), reader):
    assert number == 7 * n and samples.tobytes() == frames[n].tobytes(), (n, number)
reader.close()
library.live_close()
assert not os.path.exists("/dev/shm/echolux-" + NAME)
print("ok")
